//! Lowest costs, best F1 and hulls by complete enumeration.

use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Column, Dataset, Frame, RunContext};
use imbcore_optimal_trees::{RankedTable, TreeCosts, TreeFamily, compute_hull, solve};
use imbcore_tests::{codes, golden, items, number, numbers};

/// Source: reference set `exact_trees/tiny.json` by complete enumeration, checked by a second implementation
/// in another language; no tolerance.
#[test]
fn lowest_costs_and_hulls_match_complete_enumeration() {
    let budget = SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
    let mut n_checked = 0;
    for case in items(&golden("exact_trees/tiny")["cases"]) {
        let rows: Vec<Vec<f64>> = items(&case["X"]).iter().map(numbers).collect();
        let classes = codes(&case["y"]);
        let columns: Vec<Vec<f64>> =
            (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
        let data = Dataset::with_single_class_allowed(frame, &classes, 2, None).unwrap();
        let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
        let max_depth = case["depth"].as_u64().unwrap() as u32;
        let family = TreeFamily { max_depth, min_weight_leaf: 0.0, lookahead: None };
        let hull = compute_hull(&table, &family, 1, &budget).unwrap();
        let points: Vec<Vec<f64>> =
            hull.vertices.iter().map(|of| vec![of.false_positives, of.false_negatives]).collect();
        let expected: Vec<Vec<f64>> = items(&case["hull"]).iter().map(numbers).collect();
        assert_eq!(points, expected, "{}", case["id"]);
        for cost in items(&case["costs"]) {
            let (fp, fal) = (number(&cost[0]), number(&cost[1]));
            let tariff = TreeCosts { cells: vec![0.0, fp, fal, 0.0], leaf: 0.0 };
            let solution = solve(&table, &family, &tariff, &budget).unwrap();
            let confusion = solution.plan.confusion_matrix();
            let context = format!("{} {fp} {fal}", case["id"]);
            assert_eq!(solution.cost, number(&cost[2]), "{context}");
            assert_eq!(solution.bound, number(&cost[2]), "{context}");
            assert_eq!(fp * confusion[1] + fal * confusion[2], solution.cost, "{context}");
            n_checked += 1;
        }
    }
    assert!(n_checked > 700);
}
