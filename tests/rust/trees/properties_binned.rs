//! Growth from bins: equal to exact growth if every value has its own bin, close to it otherwise.

use imbcore_core::{
    Classifier, ColumnBuf, Dataset, Frame, FrameBuf, Learner, RunContext, SeedKey, parse_params, random_below,
};
use imbcore_tests::toy::{Kinds, Toy, toys, toys_and_settings};
use imbcore_trees::{DrawnRows, Tree, TreeLearner, TreeParams, TreeSplit};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

/// Weights whose sums are exact, so that the order of summation has no effect.
fn exact_weights(mut toy: Toy) -> Toy {
    for weight in toy.weights.iter_mut().flatten() {
        *weight = (*weight * 4.0).round() / 4.0;
    }
    for weight in toy.weights.iter_mut().flatten().take(2) {
        *weight = 1.0;
    }
    if toy.weights.is_some() {
        for weight in toy.class_weight.iter_mut().flatten() {
            *weight = (*weight * 2.0).ceil() / 2.0;
        }
    }
    toy
}

fn binned(params: &Value) -> Value {
    let mut params = params.clone();
    params["max_bins"] = json!(255);
    params["splitter"] = json!("best");
    if params["missing"] == "fraction" {
        params["missing"] = json!("direction");
    }
    params
}

/// Returns the parameters with exact growth of nodes with at most `rows` rows.
fn with_exact_rows(rows: u32, mut params: Value) -> Value {
    params["exact_split_max_rows"] = json!(rows);
    params
}

fn exact(params: &Value) -> Value {
    let mut params = binned(params);
    params["max_bins"] = json!(null);
    params
}

fn learner(params: &Value) -> TreeLearner {
    let given = params.as_object().unwrap();
    parse_params("tree", &TreeParams::default(), given).unwrap().check("tree").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(3000)))]

    #[test]
    fn one_bin_per_value_is_exact((toy, params) in toys_and_settings(Kinds::ALL)) {
        let toy = exact_weights(toy);
        let exact = toy.fit(&exact(&params));
        for rows in [0, 12, 1024] {
            let found = toy.try_fit(&with_exact_rows(rows, binned(&params)), |learner| learner).unwrap();
            prop_assert_eq!(&found, &exact, "exact from {} rows on", rows);
        }
    }

    #[test]
    fn full_scan_finds_the_same_splits((toy, params) in toys_and_settings(Kinds::ALL)) {
        let params = with_exact_rows(0, binned(&params));
        let counted = |every_cut| toy.try_fit(&params, |learner| learner.with_every_threshold(every_cut)).unwrap();
        prop_assert_eq!(counted(true), counted(false));
    }

    #[test]
    fn repeated_indices_equal_repeated_rows(
        (toy, params) in toys_and_settings(Kinds { weights: false, ..Kinds::ALL }),
        raw in prop::collection::vec(0..4_u8, 40),
    ) {
        let mut times = raw[..toy.classes.len()].to_vec();
        (times[0], times[1]) = (1, 1);
        let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, None).unwrap();
        let grow = |params: Value| {
            let learner = learner(&params);
            let ground = learner.prepare(&data, RunContext::silent()).unwrap();
            let criterion = serde_json::from_value(params["criterion"].clone()).unwrap();
            let (key, ctl) = (SeedKey::root(1), RunContext::silent());
            learner.grow(&ground, &criterion, DrawnRows::Counted(&times), key, ctl).unwrap()
        };
        for rows in [0, 12, 1024] {
            prop_assert_eq!(grow(with_exact_rows(rows, binned(&params))), grow(exact(&params)));
        }
    }

    #[test]
    fn few_bins_still_count_every_row(toy in toys(Kinds::ALL), bins in 2..6_u32) {
        let model = toy.try_fit(&json!({"max_bins": bins, "exact_split_max_rows": 0}), |learner| learner).unwrap();
        let tree = model.tree();
        let leaves = model.apply(&toy.frame(), RunContext::silent()).unwrap();
        let mut rows = vec![0; tree.n_nodes()];
        for (&leaf, &weight) in leaves.iter().zip(&toy.row_weights()) {
            rows[leaf as usize] += u32::from(weight > 0.0);
        }
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf) {
            prop_assert_eq!(tree.n_node_rows(node), rows[node], "node {}", node);
        }
    }
}

/// Gaussian-like columns, of which the first two are informative; 3 % of the rows have class 1.
fn continuous(n_rows: usize, seed: u64) -> (FrameBuf, Vec<u32>) {
    let mut rng = SeedKey::root(seed).rng();
    let mut normal =
        || (0..4).map(|_| f64::from(random_below(&mut rng, 1 << 24)) / 2.0_f64.powi(24)).sum::<f64>() - 2.0;
    let columns: Vec<Vec<f64>> = (0..6).map(|_| (0..n_rows).map(|_| normal()).collect()).collect();
    let score: Vec<f64> = (0..n_rows).map(|row| columns[0][row] + columns[1][row] + 0.5 * normal()).collect();
    let mut sorted = score.clone();
    sorted.sort_by(f64::total_cmp);
    let threshold = sorted[n_rows - n_rows * 3 / 100];
    let classes = score.iter().map(|&score| u32::from(score >= threshold)).collect();
    (FrameBuf::new(columns.into_iter().map(ColumnBuf::Numeric).collect()).unwrap(), classes)
}

/// Area under the precision-recall step curve; ties are in row order.
fn average_precision(classes: &[u32], score: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|&a, &b| score[b].total_cmp(&score[a]));
    let (mut hits, mut sum) = (0.0, 0.0);
    for (place, &row) in order.iter().enumerate() {
        if classes[row] == 1 {
            hits += 1.0;
            sum += hits / (place + 1) as f64;
        }
    }
    sum / hits
}

fn grow(frame: Frame<'_>, classes: &[u32], params: &Value, n_threads: usize) -> Tree {
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    let data = Dataset::new(frame, classes, 2, None).unwrap();
    let fit = || learner(params).fit(&data, SeedKey::root(0), RunContext::silent()).unwrap();
    pool.install(fit).tree().clone()
}

#[test]
fn bins_of_continuous_columns_rank_nearly_as_well() {
    let (train, classes) = continuous(20_000, 1);
    let (test, truth) = continuous(20_000, 2);
    for criterion in ["gini", "hellinger"] {
        let precision = |max_bins: Value| {
            let params = json!({"criterion": criterion, "max_leaf_nodes": 31, "max_bins": max_bins});
            let data = Dataset::new(train.borrow().unwrap(), &classes, 2, None).unwrap();
            let model = learner(&params).fit(&data, SeedKey::root(0), RunContext::silent()).unwrap();
            let proba = model.proba(&test.borrow().unwrap(), RunContext::silent()).unwrap();
            average_precision(&truth, &proba.iter().skip(1).step_by(2).copied().collect::<Vec<_>>())
        };
        let (exact, binned) = (precision(json!(null)), precision(json!(255)));
        assert!(exact > 0.3 && (exact - binned).abs() < 0.04, "{criterion}: {binned} instead of {exact}");
    }
}

#[test]
fn tree_does_not_depend_on_the_number_of_threads() {
    let (train, classes) = continuous(60_000, 1);
    for params in [
        json!({"max_bins": 255}),
        json!({"max_bins": 64, "max_leaf_nodes": 40, "criterion": "hellinger"}),
        json!({"max_bins": 255, "max_features": 2, "min_samples_leaf": 5}),
    ] {
        let one = grow(train.borrow().unwrap(), &classes, &params, 1);
        for n_threads in [2, 7] {
            assert!(
                grow(train.borrow().unwrap(), &classes, &params, n_threads) == one,
                "{n_threads} threads"
            );
        }
    }
}

/// Only in large nodes the histogram of the larger child is computed by subtraction; small nodes are counted
/// again.
#[test]
fn integers_in_large_tables_are_exact() {
    let (train, classes) = continuous(60_000, 3);
    let whole = |column: &ColumnBuf| match column {
        ColumnBuf::Numeric(values) => {
            ColumnBuf::Numeric(values.iter().map(|value| (value * 60.0).round()).collect())
        }
        other @ ColumnBuf::Nominal { .. } => other.clone(),
    };
    let train = FrameBuf::new(train.columns().iter().map(whole).collect()).unwrap();
    for params in [
        json!({}),
        json!({"max_leaf_nodes": 50, "criterion": "hellinger"}),
        json!({"criterion": "c45", "min_samples_leaf": 20}),
        json!({"max_features": "sqrt", "criterion": {"name": "alpha", "alpha": 0.5}}),
    ] {
        let grown = |params| grow(train.borrow().unwrap(), &classes, &params, 2);
        let exact = grown(exact(&params));
        for rows in [0, 1024] {
            assert!(grown(with_exact_rows(rows, binned(&params))) == exact, "{params}, {rows}");
        }
    }
}

#[test]
fn thresholds_are_midway_between_the_bins_of_the_node() {
    let (train, classes) = continuous(3000, 4);
    let frame = train.borrow().unwrap();
    let tree = grow(frame.clone(), &classes, &json!({"max_bins": 8, "exact_split_max_rows": 0}), 1);
    // All values are distinct, so each of the eight bins has 375 rows.
    let bins: Vec<Vec<f64>> = train
        .columns()
        .iter()
        .map(|column| {
            let ColumnBuf::Numeric(values) = column else { unreachable!() };
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            sorted
        })
        .collect();
    let bin_of = |column: usize, value: f64| bins[column].partition_point(|&other| other < value) / 375;
    let mut rows_of = vec![Vec::new(); tree.n_nodes()];
    rows_of[0] = (0..classes.len()).collect::<Vec<_>>();
    let mut apart = 0;
    for node in 0..tree.n_nodes() {
        let TreeSplit::Below(threshold) = tree.split(node) else { continue };
        let column = tree.column(node);
        let ColumnBuf::Numeric(values) = &train.columns()[column] else { unreachable!() };
        let (left, right): (Vec<usize>, Vec<usize>) =
            rows_of[node].iter().partition(|&&row| values[row] <= threshold);
        let below = left.iter().map(|&row| bin_of(column, values[row])).max().unwrap();
        let above = right.iter().map(|&row| bin_of(column, values[row])).min().unwrap();
        assert!(below < above);
        apart += usize::from(below + 1 < above);
        let (lower, upper) = (bins[column][375 * below + 374], bins[column][375 * above]);
        assert_eq!(threshold, lower + (upper - lower) / 2.0, "node {node}");
        for (child, rows) in tree.children(node).zip([left, right]) {
            rows_of[child] = rows;
        }
    }
    // Some cuts skip bins without rows in their node.
    assert!(tree.n_leaves() > 10 && apart > 0);
}

/// The bins of a long table come from a sample of its rows; all rows are counted in their bins.
#[test]
fn rows_of_a_long_table_reach_the_leaves_that_counted_them() {
    let n_rows = (1 << 18) + 70_000;
    let (train, classes) = continuous(n_rows, 6);
    for params in [json!({"max_bins": 255, "max_leaf_nodes": 300}), json!({"max_bins": 7, "max_depth": 9})] {
        let data = Dataset::new(train.borrow().unwrap(), &classes, 2, None).unwrap();
        let model = learner(&params).fit(&data, SeedKey::root(0), RunContext::silent()).unwrap();
        let tree = model.tree();
        let mut rows = vec![0; tree.n_nodes()];
        for leaf in model.apply(&train.borrow().unwrap(), RunContext::silent()).unwrap() {
            rows[leaf as usize] += 1;
        }
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf) {
            assert_eq!(tree.n_node_rows(node), rows[node], "node {node}");
        }
        assert!(tree.n_leaves() > 20);
    }
}

/// Columns with mostly missing values, and integers, have exact bins in tables of any length.
#[test]
fn long_table_of_few_values_is_exact() {
    let n_rows = (1 << 18) + 9000;
    let (train, classes) = continuous(n_rows, 7);
    let column = |(at, column): (usize, &ColumnBuf)| {
        let ColumnBuf::Numeric(values) = column else { unreachable!() };
        let value = |(row, value): (usize, &f64)| {
            if at == 1 && row % 100 != 7 { f64::NAN } else { (value * 50.0).round() }
        };
        ColumnBuf::Numeric(values.iter().enumerate().map(value).collect())
    };
    let train = FrameBuf::new(train.columns().iter().enumerate().take(3).map(column).collect()).unwrap();
    let params = json!({"max_leaf_nodes": 40, "criterion": "hellinger"});
    let grown = |params| grow(train.borrow().unwrap(), &classes, &params, 2);
    assert!(grown(binned(&params)) == grown(exact(&params)));
}

/// Small tables are not binned, and small nodes of large tables use the exact values of their rows.
#[test]
fn few_rows_are_grown_exactly() {
    let (train, classes) = continuous(3000, 5);
    let grown =
        |frame: &FrameBuf, classes: &[u32], params: Value| grow(frame.borrow().unwrap(), classes, &params, 1);
    let few = train.borrow().unwrap().take(&(0..1024).collect::<Vec<_>>(), RunContext::silent()).unwrap();
    for params in [json!({}), json!({"criterion": "c45"}), json!({"max_features": 2, "min_samples_leaf": 5})]
    {
        assert!(grown(&few, &classes[..1024], binned(&params)) == grown(&few, &classes[..1024], params));
    }
    // Two bins cannot separate the classes; nodes of few rows can.
    let tree = grown(&train, &classes, json!({"max_bins": 2}));
    let is_pure = |node: usize| tree.class_masses(node).iter().filter(|&&mass| mass > 0.0).count() == 1;
    assert!((0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf).all(is_pure));
}

fn one_column(values: Vec<f64>, classes: &[u32]) -> [Tree; 2] {
    let frame = FrameBuf::new(vec![ColumnBuf::Numeric(values)]).unwrap();
    [json!({}), json!({"max_bins": 255, "exact_split_max_rows": 0})]
        .map(|params| grow(frame.borrow().unwrap(), classes, &params, 1))
}

#[test]
fn number_of_bins_at_the_limit_of_a_byte() {
    let parity: Vec<u32> = (0..256).map(|row| row % 2).collect();
    let values = |n| (0..256).map(|row| f64::from(row % n)).collect::<Vec<_>>();
    for n in [1, 2, 254, 255] {
        let [exact, binned] = one_column(values(n), &parity);
        assert!(exact == binned, "{n} values");
    }
    // There is one value too many for the bins: two values share a bin, which stays mixed.
    let [exact, binned] = one_column(values(256), &parity);
    assert_eq!((exact.n_leaves(), binned.n_leaves()), (256, 255));
    let mut few = vec![f64::NAN; 6];
    few[..3].fill(4.0);
    for classes in [[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 0]] {
        let [exact, binned] = one_column(few.clone(), &classes);
        assert!(exact == binned);
    }
}

#[test]
fn wide_nominal_column_has_one_bin_per_level() {
    let levels = 700;
    let codes: Vec<u32> = (0..7000).map(|row| row * 31 % levels).collect();
    let classes: Vec<u32> = codes.iter().map(|&code| u32::from(code % 97 == 5)).collect();
    let toy = Toy {
        columns: vec![ColumnBuf::Nominal { codes, levels }],
        classes,
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    for params in [json!({"max_depth": 5}), json!({"categorical_split": "multiway"})] {
        assert!(toy.fit(&binned(&params)) == toy.fit(&exact(&params)));
    }
}

#[test]
fn bins_reject_fractional_rows_by_name() {
    let toy = Toy {
        columns: vec![ColumnBuf::Numeric(vec![1.0, 2.0, f64::NAN])],
        classes: vec![0, 1, 1],
        n_classes: 2,
        weights: None,
        class_weight: None,
    };
    let params = json!({"max_bins": 20, "missing": "fraction"});
    let error = toy.try_fit(&params, |learner| learner).unwrap_err().to_string();
    assert!(error.contains("max_bins") && error.contains("direction"), "{error}");
    for wrong in [0, 1, 256] {
        let error = toy.try_fit(&json!({"max_bins": wrong}), |learner| learner).unwrap_err().to_string();
        assert!(error.contains("from 2 to 255"), "{error}");
    }
}
