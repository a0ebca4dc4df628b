//! Over-samplers compared with `tests/golden/resampling`.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use crate::common::{Table, cases, lists};
use imbcore_core::{Column, Frame, Label, RunContext, SeedKey};
use imbcore_resample::{
    Algorithm, DistanceSpace, NO_MATE, NeighborIndex, ResamplingPlan, ResamplingTask, Rounding,
    group_rows_by_neighbor_class, median_standard_deviation, most_frequent_neighbor_codes,
    n_synthetic_rows_per_base, plan, select_svr_base_rows,
};
use imbcore_tests::{codes, items, matrix, number};
use serde_json::{Value, json};

fn counts_after(table: &Table, plan: &ResamplingPlan) -> Value {
    let all: Vec<u32> = table.classes.iter().chain(&plan.added.classes).copied().collect();
    let kept = plan.kept.clone().unwrap_or_else(|| (0..all.len() as u32).collect());
    let mut counts = serde_json::Map::new();
    for row in kept {
        let count = counts.entry(all[row as usize].to_string()).or_insert(json!(0));
        *count = json!(count.as_u64().unwrap() + 1);
    }
    counts.into()
}

#[test]
fn random() {
    for case in cases("random") {
        let classes = codes(&case["y"]);
        let table = Table::new(classes.iter().map(|&class| f64::from(class)).collect(), classes);
        let name = if case["sampler"] == "under" { "random_under" } else { "random_over" };
        let plan = table.plan(name, &json!({"sampling_strategy": case["strategy"]}), 3).unwrap();
        assert_eq!(counts_after(&table, &plan), case["class_counts_after"]);
        assert!(plan.added.are_copies());
        for (&source, &class) in plan.added.sources.iter().zip(&plan.added.classes) {
            assert_eq!(table.classes[source as usize], class);
        }
        if let Some(kept) = &plan.kept {
            assert!(kept.is_sorted_by(|a, b| a < b));
        }
    }
}

#[test]
fn duplicate() {
    for case in cases("duplicate") {
        let table = Table::from_case(&case);
        let plan = table.plan("duplicate_over", &json!({"weights": case["weights"]}), 0).unwrap();
        let mut sources = plan.added.sources.clone();
        sources.sort_unstable();
        assert_eq!(sources, codes(&case["appended_rows"]));
        assert_eq!(counts_after(&table, &plan), case["class_counts_after"]);
        if case["weights"].as_object().unwrap().len() == 1 {
            assert_eq!(table.plan("duplicate_over", &json!({}), 0).unwrap(), plan);
        }
    }
}

/// Every synthetic row is the recorded interpolation, and its neighbor is listed for its base row.
fn assert_interpolated(
    table: &Table,
    plan: &ResamplingPlan,
    class: u32,
    rows: &[u32],
    neighbors: &[Vec<u32>],
) {
    let numbers = plan.added.numeric_values(&table.frame()).unwrap();
    let largest = table.values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (at, (&source, &mate)) in plan.added.sources.iter().zip(&plan.added.neighbors).enumerate() {
        if plan.added.classes[at] != class {
            continue;
        }
        let base = rows.binary_search(&source).unwrap();
        let gap = plan.added.fractions[at];
        assert!((0.0..1.0).contains(&gap));
        let made = &numbers[at * table.width..(at + 1) * table.width];
        if mate == NO_MATE {
            assert!(neighbors[base].is_empty());
            assert_eq!(made, table.row(source));
            continue;
        }
        assert!(neighbors[base].contains(&mate));
        for ((x, a), b) in made.iter().zip(table.row(source)).zip(table.row(mate)) {
            assert!((x - (a + gap * (b - a))).abs() <= 1e-9 * largest);
        }
    }
}

#[test]
fn smote() {
    for case in cases("smote") {
        let (table, k) = (Table::from_case(&case), &case["k"]);
        if let Some(shrunk) = case["shrunk"].as_object() {
            assert!(table.plan("smote", &json!({"k_neighbors": k}), 1).is_err());
            let plan = table.plan("smote", &json!({"k_neighbors": k, "on_small": "shrink"}), 1).unwrap();
            assert!(!plan.added.is_empty());
            assert_interpolated(&table, &plan, 1, &codes(&shrunk["rows"]), &lists(&shrunk["neighbours"]));
            let copies = table.plan("smote", &json!({"k_neighbors": k, "on_small": "copy"}), 1).unwrap();
            assert!(copies.added.are_copies() && copies.added.len() == plan.added.len());
            continue;
        }
        for options in [json!({}), json!({"schedule": "even", "neighbor_draw": "distinct_first"})] {
            let mut given = options.clone();
            given["k_neighbors"] = k.clone();
            let plan = table.plan("smote", &given, 1).unwrap();
            for (class, expected) in case["classes"].as_object().unwrap() {
                let class = class.parse().unwrap();
                let added = plan.added.classes.iter().filter(|&&of| of == class).count();
                assert_eq!(added as u64, expected["add"].as_u64().unwrap());
                assert_interpolated(
                    &table,
                    &plan,
                    class,
                    &codes(&expected["rows"]),
                    &lists(&expected["neighbours"]),
                );
            }
        }
        for (percent, expected) in case["paper_counts"].as_object().unwrap() {
            let percent: f64 = percent.parse().unwrap();
            let strategy = json!({"1": table.classes.len()});
            let given = json!({"k_neighbors": k, "percent": percent, "sampling_strategy": strategy});
            let plan = table.plan("smote", &given, 1).unwrap();
            let mut sources = plan.added.sources;
            let n = sources.len() as u64;
            sources.dedup();
            assert_eq!(sources.len() as u64, expected["bases"].as_u64().unwrap());
            assert_eq!(n, sources.len() as u64 * expected["per_base"].as_u64().unwrap());
        }
    }
}

#[test]
fn borderline() {
    for case in cases("borderline") {
        let table = Table::from_case(&case);
        let class = codes(&json!([case["cls"]]))[0];
        let (rows, all) = (table.rows_of(class), table.rows());
        assert_eq!(rows, codes(&case["index"]));
        let m = usize::try_from(case["m_effective"].as_u64().unwrap()).unwrap();
        for algorithm in [Algorithm::Brute, Algorithm::KdTree] {
            table.searched(algorithm, |points, ctl| {
                let around = points.k_nearest(&rows, &all, m, ctl).unwrap();
                let is_other = |row: &&u32| table.classes[**row as usize] != class;
                let others: Vec<usize> = (0..rows.len())
                    .map(|at| around.neighbors_of(at).iter().filter(is_other).count())
                    .collect();
                assert_eq!(json!(others), case["majority_count"]);
                let found = group_rows_by_neighbor_class(&rows, &others, m);
                assert_eq!(
                    json!([found.safe, found.danger, found.noise]),
                    json!([case["safe"], case["danger"], case["noise"]])
                );
                if rows.len() > 5 {
                    let own = points.k_nearest(&found.danger, &rows, 5, ctl).unwrap();
                    for (at, expected) in lists(&case["danger_neighbours_k5"]).iter().enumerate() {
                        assert_eq!(own.neighbors_of(at), expected);
                    }
                }
                let (most, bases) = select_svr_base_rows(&rows, &around, &table.classes, class, m);
                assert_eq!(json!(most), case["svr_code"]["threshold"]);
                assert_eq!(json!(bases), case["svr_code"]["borderline"]);
            });
        }
        bases_of_each_kind(&table, &case, class);
    }
}

fn bases_of_each_kind(table: &Table, case: &Value, class: u32) {
    for (kind, expected) in [
        ("borderline-1", &case["danger"]),
        ("borderline-2", &case["danger"]),
        ("thesis", &case["thesis_borderline"]),
        ("svr_code", &case["svr_code"]["borderline"]),
    ] {
        let given = json!({
            "kind": kind, "m_neighbors": case["m"], "per_base": 1, "on_small": "shrink",
            "sampling_strategy": {class.to_string(): 2 * table.classes.len()},
        });
        let plan = table.plan("borderline_smote", &given, 5).unwrap();
        assert_eq!(plan.added.sources, codes(expected), "{kind}");
        assert_eq!(json!(plan.neighborhoods[&class].noise), case["noise"]);
        for (&mate, &gap) in plan.added.neighbors.iter().zip(&plan.added.fractions) {
            let foreign = mate != NO_MATE && table.classes[mate as usize] != class;
            assert!(!foreign || (kind == "borderline-2" && gap < 0.5));
            assert!(kind != "thesis" || gap == 0.5 || mate == NO_MATE);
        }
    }
}

#[test]
fn adasyn() {
    for case in cases("adasyn") {
        let table = Table::from_case(&case);
        let class = codes(&json!([case["cls"]]))[0];
        let rows = table.rows_of(class);
        let mut given = json!({
            "n_neighbors": case["k"], "beta": case["beta"], "d_th": case.get("d_th").unwrap_or(&Value::Null),
            "sampling_strategy": {class.to_string(): table.classes.len()},
        });
        let first = &case["half_even"];
        if first["triggered"] == json!(false) {
            assert!(table.plan("adasyn", &given, 0).unwrap().added.is_empty());
            continue;
        }
        if first["degenerate"] == json!(true) {
            assert!(table.plan("adasyn", &given, 0).is_err());
            given["on_zero"] = json!("equal");
            assert!(!table.plan("adasyn", &given, 0).unwrap().added.is_empty());
            continue;
        }
        for (name, key, rounding) in
            [("half_even", "half_even", Rounding::HalfEven), ("largest_remainder", "exact", Rounding::Exact)]
        {
            let expected = &case[name];
            let hard: Vec<usize> = codes(&expected["delta"]).iter().map(|&n| n as usize).collect();
            let found = n_synthetic_rows_per_base(
                &hard,
                codes(&json!([case["k"]]))[0],
                number(&expected["G"]),
                rounding,
            );
            assert_eq!(json!(found), expected["g"], "{name}");
            given["rounding"] = json!(key);
            let plan = table.plan("adasyn", &given, 0).unwrap();
            let times: Vec<usize> = rows
                .iter()
                .map(|row| plan.added.sources.iter().filter(|&source| source == row).count())
                .collect();
            assert_eq!(json!(times), expected["g"]);
            assert_interpolated(&table, &plan, class, &rows, &lists(&case["own_class_neighbours"]));
        }
    }
}

#[test]
fn smotenc() {
    for case in cases("smotenc") {
        let (numbers, nominal) = (matrix(&case["continuous"]), lists(&case["nominal"]));
        let (classes, class) = (codes(&case["y"]), codes(&json!([case["cls"]]))[0]);
        let (n, k) = (classes.len(), case["k"].as_u64().unwrap() as usize);
        let width = numbers.len() / n;
        let by_column: Vec<Vec<f64>> =
            (0..width).map(|at| numbers.iter().skip(at).step_by(width).copied().collect()).collect();
        let codes_of: Vec<Vec<u32>> =
            (0..nominal[0].len()).map(|at| nominal.iter().map(|row| row[at]).collect()).collect();
        let columns = by_column.iter().map(|values| Column::from_numbers(values));
        let nominals = codes_of.iter().map(|codes| Column::Nominal { codes, levels: 9 });
        let frame = Frame::new(columns.chain(nominals).collect()).unwrap();
        let ctl = RunContext::silent();
        let mut space = DistanceSpace::from_mixed(&frame, None, ctl).unwrap();
        let rows = codes(&case["index"]);
        let median = median_standard_deviation(&space, &rows);
        assert!((median - number(&case["median_std"])).abs() < 1e-9);
        space.set_nominal_mismatch(median * median);
        let points = NeighborIndex::new(space, Algorithm::Auto);
        let found = points.k_nearest(&rows, &rows, k, ctl).unwrap();
        let expected = lists(&case["neighbours"]);
        for at in 0..rows.len() {
            assert_eq!(found.neighbors_of(at), expected[at]);
            for (place, values) in lists(&items(&case["nominal_modes"])[at].clone()).iter().enumerate() {
                assert_eq!(
                    &most_frequent_neighbor_codes(points.space(), rows[at], &found, at, place),
                    values
                );
            }
        }
        let labels = [Label::Int(0), Label::Int(1)];
        let task = ResamplingTask::new(Some(&frame), &classes, &labels).unwrap();
        let given = json!({"k_neighbors": k});
        let plan = plan("smotenc", given.as_object().unwrap(), &task, SeedKey::root(1), ctl).unwrap();
        assert!(!plan.added.is_empty() && plan.added.classes.iter().all(|&of| of == class));
        for (at, source) in plan.added.sources.iter().enumerate() {
            let base = rows.binary_search(source).unwrap();
            assert!(expected[base].contains(&plan.added.neighbors[at]));
            for (place, own) in codes_of.iter().enumerate() {
                let drawn = plan.added.nominal_column_codes(width + place, own)[at];
                assert!(
                    most_frequent_neighbor_codes(points.space(), *source, &found, base, place)
                        .contains(&drawn)
                );
            }
        }
    }
}
