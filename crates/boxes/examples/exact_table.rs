//! Proves the drawings of real data sets and prints a table: instance, boxes, weight, value, bound, seconds, status.
//!
//! `IMBCORE_DATA=../shared/data cargo run --release -p imbcore-boxes --example exact_table [name boxes weight seconds]`
#![allow(clippy::print_stdout)]

use imbcore_base::{Error, Result, RunCtl};
use imbcore_boxes::exact::{ExactSettings, Formulation, Goal, Limits, Rows, solve};
use std::path::{Path, PathBuf};

/// Instances: name, `K`, `c`.
const TABLE: [(&str, usize, f64); 23] = [
    ("ecoli4", 1, 1.0),
    ("ecoli4", 2, 1.0),
    ("ecoli01", 2, 1.0),
    ("glass2", 2, 1.0),
    ("glass2", 3, 0.3),
    ("haberman", 1, 1.0),
    ("haberman", 2, 1.0),
    ("haberman", 2, 0.3),
    ("yeast6", 1, 1.0),
    ("yeast6", 2, 1.0),
    ("yeast6", 2, 0.3),
    ("yeast6", 3, 1.0),
    ("yeast5", 2, 1.0),
    ("yeast5", 2, 0.3),
    ("yeast5", 3, 1.0),
    ("glass0", 1, 1.0),
    ("glass0", 2, 1.0),
    ("wisconsin", 1, 1.0),
    ("glass0", 2, 0.3),
    ("wisconsin", 2, 1.0),
    ("yeast5", 3, 0.3),
    ("yeast6", 3, 0.3),
    ("haberman", 3, 1.0),
];

/// Scaled features and the flags of the minority class.
fn load(path: &Path) -> Result<(Vec<Vec<f64>>, Vec<bool>)> {
    let unreadable = |error: &dyn std::fmt::Display| Error::Data(format!("{}: {error}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| Error::io(path, &error))?;
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut positive = Vec::new();
    for record in csv::Reader::from_reader(flate2::read::GzDecoder::new(file)).records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let n = record.len() - 1;
        columns.resize(n, Vec::new());
        for (column, value) in columns.iter_mut().zip(&record) {
            column.push(value.parse().map_err(|error| unreadable(&error))?);
        }
        positive.push(&record[n] == "1");
    }
    for column in &mut columns {
        let (low, high) = column.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
        for x in column.iter_mut() {
            *x = if high > low { 2.0 * (*x - low) / (high - low) - 1.0 } else { 0.0 };
        }
    }
    Ok((columns, positive))
}

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::var("IMBCORE_DATA").unwrap_or_else(|_| "../shared/data".into()));
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: f64| asked.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let chosen: Vec<(&str, usize, f64)> = match asked.first() {
        Some(name) => {
            let n_boxes = asked.get(1).and_then(|text| text.parse().ok()).unwrap_or(2);
            vec![(name.as_str(), n_boxes, number(2, 1.0))]
        }
        None => TABLE.to_vec(),
    };
    let limits = Limits { seconds: number(3, 600.0), ..Limits::default() };
    let formulation = match asked.get(4).map(String::as_str) {
        Some("compact") => Formulation::Compact,
        Some("paper") => Formulation::Paper,
        _ => Formulation::Columns,
    };
    println!(
        "{:<12} {:>2} {:>4} {:>9} {:>9} {:>8}  status",
        "instance", "K", "c", "value", "bound", "seconds"
    );
    for (name, n_boxes, majority_weight) in chosen {
        let (columns, mut positive) = load(&folder.join(format!("real/{name}.csv.gz")))?;
        // The rarer class is the one to cover.
        if positive.iter().filter(|&&flag| flag).count() * 2 > positive.len() {
            for flag in &mut positive {
                *flag = !*flag;
            }
        }
        let rows = Rows::new(&columns, &positive)?;
        let box_cost = if n_boxes > 1 { 0.5 } else { 0.0 };
        let goal = Goal { n_boxes, majority_weight, box_cost, ..Goal::default() };
        let settings = ExactSettings { goal, limits, formulation, seed: 0 };
        let exact = solve(&rows, &settings, &[], RunCtl::silent())?;
        println!(
            "{name:<12} {n_boxes:>2} {majority_weight:>4} {:>9.2} {:>9.2} {:>8.2}  {:?}",
            exact.score.objective, exact.bound, exact.seconds, exact.status
        );
    }
    Ok(())
}
