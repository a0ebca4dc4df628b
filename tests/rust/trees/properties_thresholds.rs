//! Thresholds that are equally spaced or random instead of optimized, and nodes that may not search beyond
//! their drawn features.

use crate::properties::score;
use imbcore_core::{Column, ColumnBuf};
use imbcore_core::{Dataset, Frame, Learner, RunContext, SeedKey, parse_params, tags};
use imbcore_tests::toy::{Kinds, Toy, toys};
use imbcore_trees::{Tree, TreeParams, TreeSplit};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use std::collections::BTreeMap;

/// A candidate of the reference: score, column, threshold (`None`: observed against missing), branch of
/// missing rows.
type Candidate = (f64, usize, Option<f64>, usize);

/// The thresholds of a column in a node with this seed key, between its smallest and its largest value.
type Thresholds = dyn Fn(SeedKey, usize, f64, f64) -> Vec<f64>;

/// Parameters of the reference.
struct Reference<'d> {
    toy: &'d Toy,
    criterion: &'d serde_json::Value,
    thresholds: &'d Thresholds,
}

/// The best split of some rows by the definition: every threshold of every column, with class weights
/// recomputed for each.
fn best_by_reference(definition: &Reference<'_>, key: SeedKey, rows: &[usize]) -> Option<Candidate> {
    let &Reference { toy, criterion, thresholds } = definition;
    let (weights, n_classes) = (toy.row_weights(), toy.n_classes);
    let mut best: Option<Candidate> = None;
    for (column, values) in toy.columns.iter().enumerate() {
        let ColumnBuf::Numeric(values) = values else { continue };
        let known: Vec<f64> = rows.iter().map(|&row| values[row]).filter(|value| !value.is_nan()).collect();
        let (low, high) = known
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
        let misses = known.len() < rows.len();
        let mut candidates: Vec<(Option<f64>, usize)> = Vec::new();
        if low < high {
            for threshold in thresholds(key, column, low, high) {
                // The right branch is tried first for missing rows.
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

/// Compares a grown node and all its descendants with the reference.
fn check(
    definition: &Reference<'_>,
    tree: &Tree,
    (node, key): (usize, SeedKey),
    rows: &[usize],
) -> Result<(), TestCaseError> {
    let toy = definition.toy;
    let pure = rows.iter().all(|&row| toy.classes[row] == toy.classes[rows[0]]);
    let expected = if pure { None } else { best_by_reference(definition, key, rows) };
    let Some((_, column, threshold, missing)) = expected else {
        prop_assert_eq!(tree.split(node), TreeSplit::Leaf);
        return Ok(());
    };
    prop_assert_eq!(tree.column(node), column);
    prop_assert_eq!(tree.split(node), threshold.map_or(TreeSplit::Known, TreeSplit::Below));
    let ColumnBuf::Numeric(values) = &toy.columns[column] else {
        return Err(TestCaseError::fail("categorical_split"));
    };
    let branch = |row: usize| match threshold {
        _ if values[row].is_nan() => missing,
        Some(threshold) => usize::from(values[row] > threshold),
        None => 0,
    };
    for (side, child) in tree.children(node).enumerate() {
        let key = key.child(tags::tree::BRANCH, side as u32);
        let rows: Vec<usize> = rows.iter().copied().filter(|&row| branch(row) == side).collect();
        prop_assert_eq!(tree.n_node_rows(child) as usize, rows.len());
        check(definition, tree, (child, key), &rows)?;
    }
    Ok(())
}

/// Whether no number of a toy is so large or small that the reference would round.
fn is_moderate(toy: &Toy) -> bool {
    let number = |value: &f64| value.is_nan() || (value.abs() < 1e9 && (*value == 0.0 || value.abs() > 1e-9));
    toy.columns.iter().all(|column| match column {
        ColumnBuf::Numeric(values) => values.iter().all(number),
        ColumnBuf::Nominal { .. } => false,
    })
}

/// Compares the tree of a toy with the reference.
fn holds(
    toy: &Toy,
    criterion: &serde_json::Value,
    cuts: &serde_json::Value,
    thresholds: &Thresholds,
) -> Result<(), TestCaseError> {
    let model = toy.fit(&json!({"criterion": criterion, "splitter": cuts}));
    let weights = toy.row_weights();
    let rows: Vec<usize> = (0..toy.classes.len()).filter(|&row| weights[row] > 0.0).collect();
    check(&Reference { toy, criterion, thresholds }, model.tree(), (0, SeedKey::root(3)), &rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(1000)))]

    #[test]
    fn trees_match_the_reference(
        toy in toys(Kinds { nominal: false, ..Kinds::ALL }),
        criterion in select(vec![json!("gini"), json!("entropy"), json!("hellinger"), json!({"name": "alpha", "alpha": 0.5})]),
        q in select(vec![1_u32, 2, 3, 10]),
    ) {
        prop_assume!(is_moderate(&toy));
        // Between adjacent floats a threshold is rounded; neither side may be empty.
        let inside = |threshold: f64, high: f64| threshold.min(high.next_down());
        holds(&toy, &criterion, &json!({"per_node": q}), &move |_, _, low, high| {
            (1..=q).map(|i| inside(low + f64::from(i) * (high - low) / (f64::from(q) + 1.0), high)).collect()
        })?;
        // The uniform number in (0, 1) of the node's key for the column.
        holds(&toy, &criterion, &json!("random"), &move |key, column, low, high| {
            let word = key.child(tags::tree::CUT, column as u32).random_u64();
            vec![inside(low + ((word >> 12) as f64 + 0.5) / 2.0_f64.powi(52) * (high - low), high)]
        })?;
    }
}

fn grown(columns: &[Vec<f64>], classes: &[u32], params: &serde_json::Value, seed: u64) -> Tree {
    let frame = Frame::new(columns.iter().map(|values| Column::from_numbers(values)).collect()).unwrap();
    let data = Dataset::new(frame, classes, 2, None).unwrap();
    let learner = parse_params("tree", &TreeParams::default(), params.as_object().unwrap())
        .unwrap()
        .check("tree")
        .unwrap();
    learner.fit(&data, SeedKey::root(seed), RunContext::silent()).unwrap().tree().clone()
}

#[test]
fn thresholds_depend_on_the_range_of_the_node() {
    // Four rows of one class, three far away: between 0 and 10 the thresholds are 2.5, 5 and 7.5, and 2.5 is
    // the first of two equally good ones.
    let x = [vec![0.0, 1.0, 1.5, 2.0, 9.0, 9.5, 10.0]];
    let three = json!({"splitter": {"per_node": 3}});
    let tree = grown(&x, &[0, 0, 0, 0, 1, 1, 1], &three, 0);
    assert_eq!((tree.split(0), tree.n_leaves()), (TreeSplit::Below(2.5), 2));
    // The upper node has its own thresholds: between 9 and 10 they are 9.25, 9.5 and 9.75, and 9.25 separates
    // its classes.
    let tree = grown(&x, &[0, 0, 0, 0, 0, 1, 1], &three, 0);
    assert_eq!((tree.split(0), tree.split(2)), (TreeSplit::Below(2.5), TreeSplit::Below(9.25)));
    // The same with C4.5, although its usual thresholds are values of the data.
    let c45 = json!({"criterion": "c45", "splitter": {"per_node": 3}, "min_weight_leaf": 2.0, "allow_zero_gain_splits": false});
    assert_eq!(grown(&[vec![0.0, 1.0, 9.0, 10.0]], &[0, 0, 1, 1], &c45, 0).split(0), TreeSplit::Below(2.5));
}

#[test]
fn node_without_a_split_on_drawn_features_is_a_leaf() {
    // One feature of eight can be split; a tree that draws one and stops there has one leaf for most seeds.
    let mut columns = vec![vec![0.0; 8]; 7];
    columns.push((0..8).map(f64::from).collect());
    let classes = [0, 0, 0, 0, 1, 1, 1, 1];
    let stumps = |redraw: bool| {
        let params = json!({"max_features": 1, "redraw_features": redraw});
        (0..200).filter(|&seed| grown(&columns, &classes, &params, seed).n_leaves() > 1).count()
    };
    assert_eq!(stumps(true), 200);
    // Expected proportion 1/8, within five standard deviations.
    let splits = stumps(false);
    assert!((2..=48).contains(&splits), "{splits}");
}

#[test]
fn invalid_values_of_cuts_are_rejected() {
    let refused = |params: serde_json::Value| {
        let read = parse_params("cart", &TreeParams::default(), params.as_object().unwrap());
        read.and_then(|params| params.check("cart").map(|_| ())).unwrap_err().to_string()
    };
    for wrong in [
        json!({"splitter": {"per_node": 0}}),
        json!({"splitter": {"per_node": 65536}}),
        json!({"splitter": "worst"}),
        json!({"splitter": {"q": 3}}),
        json!({"splitter": {"per_node": 2.5}}),
    ] {
        let message = refused(wrong.clone());
        assert!(message.contains("splitter") && message.contains("per_node': 10"), "{wrong}: {message}");
    }
    for cuts in [json!({"per_node": 3}), json!("random")] {
        let message = refused(json!({"splitter": cuts, "max_bins": 10}));
        assert!(message.contains("max_bins") && message.contains("None unless splitter"), "{message}");
    }
}

/// Relative positions of the root thresholds of many trees between the smallest and the largest value.
fn root_positions(low: f64, high: f64) -> Vec<f64> {
    let columns = [vec![low, 0.0, 0.0, 0.0, 0.0, high]];
    let cut = |seed| match grown(&columns, &[0, 1, 0, 1, 0, 1], &json!({"splitter": "random"}), seed).split(0)
    {
        TreeSplit::Below(threshold) => (threshold - low) / (high - low),
        other => panic!("{other:?}"),
    };
    (0..1_000).map(cut).collect()
}

#[test]
fn random_thresholds_are_uniform_between_the_extremes() {
    for (low, high) in [(-1.0, 3.0), (-50.0, 1e-3)] {
        let mut positions = root_positions(low, high);
        positions.sort_by(f64::total_cmp);
        assert!(positions[0] > 0.0 && positions[999] < 1.0);
        // Kolmogorov's distance; it exceeds 1.95 / sqrt(n) for one seed in a thousand.
        let distance = positions.iter().zip(0..).map(|(x, i)| (x - f64::from(i) / 1_000.0).abs());
        assert!(distance.fold(0.0, f64::max) < 1.95 / 1_000.0_f64.sqrt());
    }
}

/// Counts of the level sets (as bit masks) on the left of the root, of trees with one nominal column.
fn root_level_sets(params: &serde_json::Value) -> BTreeMap<usize, usize> {
    // Level 3 has no rows; levels 0, 1, 2 and 4 have two each.
    let column = ColumnBuf::Nominal { codes: vec![0, 0, 1, 1, 2, 2, 4, 4], levels: 5 };
    let classes = vec![0, 1, 0, 1, 0, 1, 0, 1];
    let toy = Toy { columns: vec![column], classes, n_classes: 2, weights: None, class_weight: None };
    let mut counts = BTreeMap::new();
    for seed in 0..1_400 {
        let data = Dataset::new(toy.frame(), &toy.classes, 2, None).unwrap();
        let learner = parse_params("tree", &TreeParams::default(), params.as_object().unwrap()).unwrap();
        let model =
            learner.check("tree").unwrap().fit(&data, SeedKey::root(seed), RunContext::silent()).unwrap();
        let tree = model.tree();
        let set = match tree.split(0) {
            TreeSplit::IsLevel(level) => 1 << level,
            TreeSplit::InLevels(set) => tree.levels_in_set(set).iter().map(|level| 1 << level).sum(),
            other => panic!("{other:?}"),
        };
        *counts.entry(set).or_default() += 1;
    }
    counts
}

#[test]
fn random_sets_of_levels_are_proper_and_equally_likely() {
    let sets = root_level_sets(&json!({"splitter": "random", "categorical_split": "subset"}));
    // All 16 subsets of four levels except the empty and the full one; the level without rows follows the
    // majority of rows, or goes right if they are equal.
    let by_rows: BTreeMap<usize, usize> = sets.iter().map(|(set, count)| (set & 0b10111, *count)).collect();
    assert_eq!(by_rows.len(), 14, "{sets:?}");
    assert!(sets.keys().all(|&set| (set & 0b1000 != 0) == ((set & 0b10111).count_ones() > 2)), "{sets:?}");
    // Five standard deviations of a count with p = 1/14.
    assert!(sets.values().all(|&count| count.abs_diff(100) < 49), "{sets:?}");
    let levels = root_level_sets(&json!({"splitter": "random", "categorical_split": "ovr"}));
    assert_eq!(levels.keys().copied().collect::<Vec<_>>(), [1, 2, 4, 16]);
    assert!(levels.values().all(|&count| count.abs_diff(350) < 81), "{levels:?}");
}
