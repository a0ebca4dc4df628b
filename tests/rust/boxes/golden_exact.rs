//! Optima proven by other programs: `exact_*.json` under `tests/golden/boxes`, and those of data sets that
//! may not be redistributed, which maintainers keep next to the checkout.
// All functions of this file are test code, including the helpers.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use imbcore_core::RunContext;
use imbcore_rules::exact::{
    BoxObjective, ExactSettings, ScaledBox, ScaledRows, SearchStatus, score_boxes, solve,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Case {
    name: String,
    columns: Vec<Vec<f64>>,
    positive: Vec<bool>,
    goal: BoxObjective,
    boxes: Vec<ScaledBox>,
    objective: f64,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// Cases whose data may not be redistributed.
const EXTERNAL: [&str; 3] = ["exact_ecoli4_K2", "exact_glass2_K1", "exact_haberman120_K1"];

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(below)
}

fn bundled_paths() -> Vec<PathBuf> {
    let folder = folder("tests/golden/boxes");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("exact_"));
    paths
}

fn external_paths() -> Vec<PathBuf> {
    let folder = folder("../shared/reference/boxes");
    EXTERNAL
        .iter()
        .map(|name| folder.join(name).with_extension("json"))
        .filter(|path| path.exists())
        .collect()
}

fn cases(paths: &[PathBuf]) -> Vec<Case> {
    paths
        .iter()
        .map(|path| {
            let case: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            let rows: Vec<Vec<f64>> = case["X"].as_array().unwrap().iter().map(numbers).collect();
            let goal = BoxObjective {
                n_boxes: case["K"].as_u64().unwrap() as usize,
                majority_weight: number(&case["c"]),
                margin: number(&case["v"]),
                epsilon: number(&case["eps"]),
                box_cost: number(&case["c_box"]),
                expand: number(&case["c_expand"]),
                min_bound: number(&case["L"]),
                max_bound: number(&case["U"]),
            };
            let walls = |of: &Value| ScaledBox { lower: numbers(&of["lower"]), upper: numbers(&of["upper"]) };
            Case {
                name: case["name"].as_str().unwrap().to_owned(),
                columns: (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect(),
                positive: numbers(&case["y"]).iter().map(|&y| y == 1.0).collect(),
                goal,
                boxes: case["boxes"].as_array().unwrap().iter().map(walls).collect(),
                objective: number(&case["objective"]),
            }
        })
        .collect()
}

#[test]
fn every_optimum_is_found_and_proven() {
    let paths = bundled_paths();
    assert!(paths.len() >= 14);
    check(&cases(&paths));
}

#[test]
fn optima_of_external_data_are_found_and_proven() {
    let paths = external_paths();
    if paths.is_empty() {
        eprintln!("skipped: no folder ../shared/reference/boxes next to the checkout");
        return;
    }
    assert_eq!(paths.len(), EXTERNAL.len());
    check(&cases(&paths));
}

fn check(cases: &[Case]) {
    for case in cases {
        let rows = ScaledRows::new(&case.columns, &case.positive).unwrap();
        let given = score_boxes(&rows, &case.goal, &case.boxes).objective;
        assert!(
            (given - case.objective).abs() < 1e-6,
            "{}: the objective of the file's boxes is {given}",
            case.name
        );
        let settings = ExactSettings { goal: case.goal, ..ExactSettings::default() };
        let exact = solve(&rows, &settings, &[], RunContext::silent()).unwrap();
        assert_eq!(exact.status, SearchStatus::Optimal, "{}", case.name);
        assert!((exact.score.objective - case.objective).abs() < 1e-6, "{}: {:?}", case.name, exact.score);
        let again = score_boxes(&rows, &case.goal, &exact.boxes).objective;
        assert!(
            (again - case.objective).abs() < 1e-6,
            "{}: the objective of the found boxes is {again}",
            case.name
        );
    }
}
