//! Computes optimal sets of boxes with proof on real data sets and prints tables.
//!
//! `IMBCORE_DATA=../shared/data cargo run --release -p imbcore-rules --example exact_table` solves a list of
//! instances. It prints instance, boxes, weight, value, bound, seconds and status of each.
//! `... exact_table NAME BOXES WEIGHT SECONDS [FORMULATION]` solves one instance.
//! `... exact_table check SECONDS` verifies the full proofs of the instances with at least two boxes.
//! `... exact_table share SECONDS [NAME ...]` solves the data sets of table 4 of Goh and Rudin 2014, with one
//! to three boxes and the weights 0.1, 0.2, ..., 1. It prints how many sets of boxes are proven optimal
//! within the time limit.
#![allow(clippy::print_stdout)]

use imbcore_core::{Error, Result, RunContext};
use imbcore_rules::exact::{
    BoxObjective, ExactSettings, Formulation, ScaledRows, SearchStatus, StoppingLimits, solve,
    solve_for_each_weight, verify_bound,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Instances: name of the data set, number of boxes `K`, weight `c` of a negative row.
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

/// Reads a data set; returns the scaled features and the flags of the rows with label 1.
fn load_data_set(path: &Path) -> Result<(Vec<Vec<f64>>, Vec<bool>)> {
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

/// Data sets of table 4 of Goh and Rudin 2014.
const TABLE_4: [&str; 8] =
    ["iris0", "ecoli01", "glass0", "glass1", "haberman", "wisconsin", "vehicle2", "yeast1"];

fn load_instance(folder: &Path, name: &str) -> Result<(Vec<Vec<f64>>, Vec<bool>)> {
    let (columns, mut positive) = load_data_set(&folder.join(format!("real/{name}.csv.gz")))?;
    // The boxes must cover the rarer class, so the flags are inverted if they mark the other class.
    if positive.iter().filter(|&&flag| flag).count() * 2 > positive.len() {
        for flag in &mut positive {
            *flag = !*flag;
        }
    }
    Ok((columns, positive))
}

fn build_objective(n_boxes: usize, majority_weight: f64) -> BoxObjective {
    let box_cost = if n_boxes > 1 { 0.5 } else { 0.0 };
    BoxObjective { n_boxes, majority_weight, box_cost, ..BoxObjective::default() }
}

fn print_proven_counts(folder: &Path, seconds: f64, names: &[&str]) -> Result<()> {
    let weights: Vec<f64> = (1..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    let limits = StoppingLimits { seconds, ..StoppingLimits::default() };
    let (mut proven, mut all) = (0, 0);
    for name in names {
        let (columns, positive) = load_instance(folder, name)?;
        let rows = ScaledRows::new(&columns, &positive)?;
        for n_boxes in 1..=3 {
            let settings =
                ExactSettings { goal: build_objective(n_boxes, 1.0), limits, ..ExactSettings::default() };
            let found = solve_for_each_weight(&rows, &settings, &weights, &[], RunContext::silent())?;
            let done = found.iter().filter(|exact| exact.status == SearchStatus::Optimal).count();
            let gaps: Vec<String> =
                found.iter().map(|exact| format!("{:.1}", exact.optimality_gap())).collect();
            let spent: f64 = found.iter().map(|exact| exact.seconds).sum();
            println!(
                "{name:<12} K {n_boxes}: {done} of 10 proven, {spent:.0} s, gaps by weight {}",
                gaps.join(" ")
            );
            (proven, all) = (proven + done, all + found.len());
        }
    }
    println!("{proven} of {all} proven within {seconds} s each");
    Ok(())
}

#[allow(clippy::disallowed_methods)]
fn print_verifications(folder: &Path, seconds: f64) -> Result<()> {
    let limits = StoppingLimits { seconds, ..StoppingLimits::default() };
    for (name, n_boxes, weight) in TABLE.into_iter().filter(|of| of.1 > 1) {
        let (columns, positive) = load_instance(folder, name)?;
        let rows = ScaledRows::new(&columns, &positive)?;
        let goal = build_objective(n_boxes, weight);
        let settings = ExactSettings { goal, limits, ..ExactSettings::default() };
        let exact = solve(&rows, &settings, &[], RunContext::silent())?;
        let start = Instant::now();
        let holds =
            verify_bound(&rows, &goal, &exact.certificates, exact.bound, limits, RunContext::silent())?;
        let result = holds.map_or("out of time", |holds| if holds { "holds" } else { "does not hold" });
        let spent = start.elapsed().as_secs_f64();
        println!("{name:<12} {n_boxes:>2} {weight:>4} {:>9.2} {spent:>8.2}  {result}", exact.bound);
    }
    Ok(())
}

fn main() -> Result<()> {
    // Without a thread pool, the search would use only one thread.
    let pool = rayon::ThreadPoolBuilder::new().build().map_err(|error| Error::Internal(error.to_string()))?;
    pool.install(prove_from_arguments)
}

fn prove_from_arguments() -> Result<()> {
    let folder = PathBuf::from(std::env::var("IMBCORE_DATA").unwrap_or_else(|_| "../shared/data".into()));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "share") {
        let seconds = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(60.0);
        let names: Vec<&str> = arguments.iter().skip(2).map(String::as_str).collect();
        return print_proven_counts(&folder, seconds, if names.is_empty() { &TABLE_4 } else { &names });
    }
    if arguments.first().is_some_and(|first| first == "check") {
        return print_verifications(
            &folder,
            arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(60.0),
        );
    }
    let number =
        |at: usize, default: f64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let chosen: Vec<(&str, usize, f64)> = match arguments.first() {
        Some(name) => {
            let n_boxes = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(2);
            vec![(name.as_str(), n_boxes, number(2, 1.0))]
        }
        None => TABLE.to_vec(),
    };
    let limits = StoppingLimits { seconds: number(3, 600.0), ..StoppingLimits::default() };
    let formulation = match arguments.get(4).map(String::as_str) {
        Some("compact") => Formulation::Compact,
        Some("paper") => Formulation::Paper,
        _ => Formulation::Columns,
    };
    println!(
        "{:<12} {:>2} {:>4} {:>9} {:>9} {:>8}  status",
        "instance", "K", "c", "value", "bound", "seconds"
    );
    for (name, n_boxes, majority_weight) in chosen {
        let (columns, positive) = load_instance(&folder, name)?;
        let rows = ScaledRows::new(&columns, &positive)?;
        let settings =
            ExactSettings { goal: build_objective(n_boxes, majority_weight), limits, formulation, seed: 0 };
        let exact = solve(&rows, &settings, &[], RunContext::silent())?;
        println!(
            "{name:<12} {n_boxes:>2} {majority_weight:>4} {:>9.2} {:>9.2} {:>8.2}  {:?}",
            exact.score.objective, exact.bound, exact.seconds, exact.status
        );
    }
    Ok(())
}
