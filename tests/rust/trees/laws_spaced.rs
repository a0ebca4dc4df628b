//! Cuts at equally spaced thresholds, and nodes that may not look further than they drew.

use crate::laws::score;
use imbcore_base::{Column, ColumnBuf};
use imbcore_base::{Dataset, Frame, Learner, RunCtl, SeedKey, parse_params};
use imbcore_tests::toy::{Kinds, Toy, toys};
use imbcore_tree::{Cut, Tree, TreeParams};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

/// A candidate of the oracle: score, column, threshold (none: known against missing), branch of missing rows.
type Found = (f64, usize, Option<f64>, usize);

/// The best split of some rows by its definition: every threshold of every column, class masses added up anew for each.
fn best_by_definition(toy: &Toy, criterion: &serde_json::Value, q: u32, rows: &[usize]) -> Option<Found> {
    let (weights, n_classes) = (toy.row_weights(), toy.n_classes);
    let mut best: Option<Found> = None;
    for (column, values) in toy.columns.iter().enumerate() {
        let ColumnBuf::Numeric(values) = values else { continue };
        let known: Vec<f64> = rows.iter().map(|&row| values[row]).filter(|value| !value.is_nan()).collect();
        let (low, high) = known
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
        let misses = known.len() < rows.len();
        let mut candidates: Vec<(Option<f64>, usize)> = Vec::new();
        for i in 1..=q {
            let threshold = low + f64::from(i) * (high - low) / (f64::from(q) + 1.0);
            if low < high {
                // Missing rows are tried on the right first.
                candidates.push((Some(threshold), 1));
                candidates.extend(misses.then_some((Some(threshold), 0)));
            }
        }
        candidates.extend((misses && !known.is_empty()).then_some((None, 1)));
        for (threshold, missing) in candidates {
            let mut table = vec![0.0; 2 * n_classes];
            for &row in rows {
                let branch = match threshold {
                    _ if values[row].is_nan() => missing,
                    Some(threshold) => usize::from(values[row] > threshold),
                    None => 0,
                };
                table[branch * n_classes + toy.classes[row] as usize] += weights[row];
            }
            let found = score(criterion, &table, n_classes);
            let found = if found < 1e-12 { 0.0 } else { found };
            let better = |incumbent: f64| found > incumbent * (1.0 + 1e-9);
            if best.is_none_or(|(incumbent, ..)| better(incumbent)) {
                best = Some((found, column, threshold, missing));
            }
        }
    }
    best
}

/// Whether a grown node and all below it are what the definition says.
fn check(
    toy: &Toy,
    criterion: &serde_json::Value,
    q: u32,
    tree: &Tree,
    node: usize,
    rows: &[usize],
) -> Result<(), TestCaseError> {
    let pure = rows.iter().all(|&row| toy.classes[row] == toy.classes[rows[0]]);
    let expected = if pure { None } else { best_by_definition(toy, criterion, q, rows) };
    let Some((_, column, threshold, missing)) = expected else {
        prop_assert_eq!(tree.cut(node), Cut::Leaf);
        return Ok(());
    };
    prop_assert_eq!(tree.column(node), column);
    prop_assert_eq!(tree.cut(node), threshold.map_or(Cut::Known, Cut::Below));
    let ColumnBuf::Numeric(values) = &toy.columns[column] else { return Err(TestCaseError::fail("nominal")) };
    let branch = |row: usize| match threshold {
        _ if values[row].is_nan() => missing,
        Some(threshold) => usize::from(values[row] > threshold),
        None => 0,
    };
    for (side, child) in tree.children(node).enumerate() {
        let rows: Vec<usize> = rows.iter().copied().filter(|&row| branch(row) == side).collect();
        prop_assert_eq!(tree.rows(child) as usize, rows.len());
        check(toy, criterion, q, tree, child, &rows)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn trees_are_those_of_the_definition(
        toy in toys(Kinds { nominal: false, ..Kinds::ALL }),
        criterion in select(vec![json!("gini"), json!("entropy"), json!("hellinger"), json!({"name": "alpha", "alpha": 0.5})]),
        q in select(vec![1_u32, 2, 3, 10]),
    ) {
        let moderate = |column: &ColumnBuf| match column {
            ColumnBuf::Numeric(values) => values.iter().all(|value| value.is_nan() || (value.abs() < 1e9 && (*value == 0.0 || value.abs() > 1e-9))),
            ColumnBuf::Nominal { .. } => false,
        };
        prop_assume!(toy.columns.iter().all(moderate));
        let model = toy.fit(&json!({"criterion": criterion, "cuts": {"per_node": q}}));
        let weights = toy.row_weights();
        let rows: Vec<usize> = (0..toy.classes.len()).filter(|&row| weights[row] > 0.0).collect();
        check(&toy, &criterion, q, model.tree(), 0, &rows)?;
    }
}

fn grown(columns: &[Vec<f64>], classes: &[u32], params: &serde_json::Value, seed: u64) -> Tree {
    let frame = Frame::new(columns.iter().map(|values| Column::numeric(values)).collect()).unwrap();
    let data = Dataset::new(frame, classes, 2, None).unwrap();
    let learner = parse_params("tree", &TreeParams::default(), params.as_object().unwrap())
        .unwrap()
        .check("tree")
        .unwrap();
    learner.fit(&data, SeedKey::root(seed), RunCtl::silent()).unwrap().tree().clone()
}

#[test]
fn thresholds_are_those_of_the_node_and_stay_as_they_are() {
    // Four of one class, three far away: from 0 to 10 the thresholds are 2.5, 5 and 7.5, and 5 is as good as 2.5.
    let x = [vec![0.0, 1.0, 1.5, 2.0, 9.0, 9.5, 10.0]];
    let three = json!({"cuts": {"per_node": 3}});
    let tree = grown(&x, &[0, 0, 0, 0, 1, 1, 1], &three, 0);
    assert_eq!((tree.cut(0), tree.n_leaves()), (Cut::Below(2.5), 2));
    // The upper node has its own: from 9 to 10 they are 9.25, 9.5 and 9.75, and 9.25 parts its classes.
    let tree = grown(&x, &[0, 0, 0, 0, 0, 1, 1], &three, 0);
    assert_eq!((tree.cut(0), tree.cut(2)), (Cut::Below(2.5), Cut::Below(9.25)));
    // C4.5 too, whose thresholds need not be values of the data.
    let c45 =
        json!({"criterion": "c45", "cuts": {"per_node": 3}, "min_weight_leaf": 2.0, "zero_gain": false});
    assert_eq!(grown(&[vec![0.0, 1.0, 9.0, 10.0]], &[0, 0, 1, 1], &c45, 0).cut(0), Cut::Below(2.5));
}

#[test]
fn a_node_that_may_not_look_further_is_a_leaf() {
    // One feature of eight can split; a tree that draws one and stops there has one leaf in most seeds.
    let mut columns = vec![vec![0.0; 8]; 7];
    columns.push((0..8).map(f64::from).collect());
    let classes = [0, 0, 0, 0, 1, 1, 1, 1];
    let stumps = |redraw: bool| {
        let params = json!({"max_features": 1, "redraw": redraw});
        (0..200).filter(|&seed| grown(&columns, &classes, &params, seed).n_leaves() > 1).count()
    };
    assert_eq!(stumps(true), 200);
    // A share of 1/8: within five standard deviations.
    let splits = stumps(false);
    assert!((2..=48).contains(&splits), "{splits}");
}

#[test]
fn domains_of_cuts() {
    let refused = |params: serde_json::Value| {
        let read = parse_params("cart", &TreeParams::default(), params.as_object().unwrap());
        read.and_then(|params| params.check("cart").map(|_| ())).unwrap_err().to_string()
    };
    for wrong in [
        json!({"cuts": {"per_node": 0}}),
        json!({"cuts": {"per_node": 65536}}),
        json!({"cuts": "worst"}),
        json!({"cuts": {"q": 3}}),
        json!({"cuts": {"per_node": 2.5}}),
    ] {
        let message = refused(wrong.clone());
        assert!(message.contains("cuts") && message.contains("per_node': 10"), "{wrong}: {message}");
    }
    let message = refused(json!({"cuts": {"per_node": 3}, "max_bins": 10}));
    assert!(message.contains("max_bins") && message.contains("None with cuts"), "{message}");
}
