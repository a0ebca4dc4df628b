//! Fits optimal trees to a real data set and prints a line with the result.
//!
//! `IMBCORE_DATA=../shared/data cargo run --release -p imbcore-optimal-trees --example trees_table NAME DEPTH
//! FP FN [SECONDS [LOOKAHEAD]]` fits the optimal tree for the cost FP of a false positive and FN of a false
//! negative. It prints cost, bound, false positives, false negatives, seconds and status. Without costs it
//! computes the whole ROC hull. It then prints the number of vertices and the CPU time of the hull search. It
//! compares this time with the CPU time of separate searches for each edge and vertex of the hull. Each CPU
//! time is the mean over about one second of repetitions.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Column, Dataset, Error, Frame, Result, RunContext};
use imbcore_optimal_trees::{RankedTable, TreeCosts, TreeFamily, Vertex, compute_hull, solve};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Mean CPU seconds of `work`, repeated for one second because a clock tick is 0.01 s.
fn mean_cpu_seconds(work: impl Fn() -> Result<()>) -> Result<f64> {
    let (start, mut times) = (processor_seconds(), 0.0);
    loop {
        work()?;
        times += 1.0;
        let seconds = processor_seconds() - start;
        if seconds >= 1.0 {
            return Ok(seconds / times);
        }
    }
}

/// Reads a data set; returns the features and classes, where class 1 is the rarer class.
fn load(path: &Path) -> Result<(Vec<Vec<f64>>, Vec<u32>)> {
    let unreadable = |error: &dyn std::fmt::Display| Error::Data(format!("{}: {error}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| Error::io(path, &error))?;
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut classes = Vec::new();
    for record in csv::Reader::from_reader(flate2::read::GzDecoder::new(file)).records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let n = record.len() - 1;
        columns.resize(n, Vec::new());
        for (column, value) in columns.iter_mut().zip(&record) {
            column.push(value.parse().map_err(|error| unreadable(&error))?);
        }
        classes.push(u32::from(&record[n] == "1"));
    }
    if classes.iter().sum::<u32>() as usize * 2 > classes.len() {
        for class in &mut classes {
            *class = 1 - *class;
        }
    }
    Ok((columns, classes))
}

/// Error costs at which each edge and each vertex of a ROC hull is optimal.
fn costs_of_edges_and_vertices(vertices: &[Vertex]) -> Vec<[f64; 2]> {
    let edge = |two: &[Vertex]| {
        [two[0].false_negatives - two[1].false_negatives, two[1].false_positives - two[0].false_positives]
    };
    let edges: Vec<[f64; 2]> = vertices.windows(2).map(edge).collect();
    let ends = [[1.0, 0.0], [0.0, 1.0]];
    let around: Vec<[f64; 2]> = ends[..1].iter().chain(&edges).chain(&ends[1..]).copied().collect();
    let between = around.windows(2).map(|two| [two[0][0] + two[1][0], two[0][1] + two[1][1]]);
    edges.iter().copied().chain(between).collect()
}

fn main() -> Result<()> {
    let folder = std::env::var_os("IMBCORE_DATA").map_or("../shared/data".into(), PathBuf::from);
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let [name, rest @ ..] = &asked[..] else { return Ok(()) };
    let number =
        |position: usize| rest.get(position).and_then(|text| text.parse::<f64>().ok()).unwrap_or(1.0);
    let (columns, classes) = load(&folder.join(format!("real/{name}.csv.gz")))?;
    let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect())?;
    let data = Dataset::new(frame, &classes, 2, None)?;
    let seconds = rest.get(3).and_then(|text| text.parse().ok()).unwrap_or(300.0);
    let limits = StoppingLimits { seconds, ..StoppingLimits::default() };
    let budget = SearchBudget::start("example", limits, RunContext::silent())?;
    let start = Instant::now();
    let table = RankedTable::new(&data, None, RunContext::silent())?;
    let max_depth = rest.first().and_then(|text| text.parse().ok()).unwrap_or(2);
    let lookahead = rest.get(4).and_then(|text| text.parse().ok());
    let family = TreeFamily { max_depth, min_weight_leaf: 0.0, lookahead };
    let tariff = TreeCosts { cells: vec![0.0, number(1), number(2), 0.0], leaf: 0.0 };
    if rest.len() == 1 {
        let whole = compute_hull(&table, &family, 1, &budget)?;
        let seconds = start.elapsed().as_secs_f64();
        let together = mean_cpu_seconds(|| compute_hull(&table, &family, 1, &budget).map(drop))?;
        let slopes = costs_of_edges_and_vertices(&whole.vertices);
        let one_by_one = || {
            slopes.iter().try_for_each(|&[alarm, miss]| {
                let tariff = TreeCosts { cells: vec![0.0, alarm, miss, 0.0], leaf: 0.0 };
                let alone = solve(&table, &family, &tariff, &budget)?;
                let cost = |vertex: &Vertex| alarm * vertex.false_positives + miss * vertex.false_negatives;
                assert_eq!(alone.cost, whole.vertices.iter().map(cost).fold(f64::INFINITY, f64::min));
                Ok(())
            })
        };
        let apart = mean_cpu_seconds(one_by_one)?;
        println!(
            "{name} {} rows, depth {}: {} vertices by {} slopes in {seconds:.3} s; CPU {together:.3} s, {} apart {:.3} s, {:.2} times; {:?}",
            data.n_rows(),
            family.max_depth,
            whole.vertices.len(),
            whole.slopes.len(),
            slopes.len(),
            apart,
            apart / together,
            whole.status
        );
        return Ok(());
    }
    let found = solve(&table, &family, &tariff, &budget)?;
    let errors = found.plan.confusion_matrix();
    println!(
        "{name} {} rows {} joined, depth {}: cost {} bound {} (FP {}, FN {}), {:.3} s, {:?}",
        data.n_rows(),
        table.n_rows(),
        family.max_depth,
        found.cost,
        found.bound,
        errors[1],
        errors[2],
        start.elapsed().as_secs_f64(),
        found.status
    );
    Ok(())
}
