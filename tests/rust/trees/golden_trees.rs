//! Trees compared node by node with a slow independent program.

use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, MISSING, RunContext, SeedKey, parse_params};
use imbcore_tests::{codes, golden, matrix, number, numbers};
use imbcore_trees::{LeafEstimate, NumberOrAuto, RowLayout, TreeModel, TreeParams, TreeSplit};
use serde_json::{Map, Value, json};

/// The columns of a golden file, owned.
struct Table {
    numeric: Vec<Vec<f64>>,
    codes: Vec<Vec<u32>>,
    levels: Vec<u32>,
}

impl Table {
    fn new(rows: &Value, levels: &[u32]) -> Self {
        let rows: Vec<Vec<f64>> = rows.as_array().unwrap().iter().map(numbers).collect();
        let numeric: Vec<Vec<f64>> =
            (0..levels.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
        let code = |&value: &f64| if value.is_nan() { MISSING } else { value as u32 };
        let codes = numeric.iter().map(|column| column.iter().map(code).collect()).collect();
        Self { numeric, codes, levels: levels.to_vec() }
    }

    fn frame(&self) -> Frame<'_> {
        let column = |j: usize| match self.levels[j] {
            0 => Column::from_numbers(&self.numeric[j]),
            levels => Column::Nominal { codes: &self.codes[j], levels },
        };
        Frame::new((0..self.levels.len()).map(column).collect()).unwrap()
    }
}

fn params(given: &Value, leaf: &str) -> TreeParams {
    let mut ours = Map::new();
    ours.insert("leaf_estimate".into(), json!(leaf));
    for (key, value) in given.as_object().unwrap() {
        let (key, value) = match key.as_str() {
            "criterion" if given.get("c45").is_some() => ("criterion", json!("c45")),
            "criterion" if value == "alpha" => {
                ("criterion", json!({"name": "alpha", "alpha": given["alpha"]}))
            }
            "criterion" if value == "alpha_ext" => {
                ("criterion", json!({"name": value, "alpha": given["alpha"], "reference": given["ref"]}))
            }
            "criterion" | "max_depth" | "missing" => (key.as_str(), value.clone()),
            "min_leaf" if given.get("c45").is_some() => ("min_weight_leaf", value.clone()),
            "min_leaf" => ("min_samples_leaf", value.clone()),
            "zero_gain" => ("allow_zero_gain_splits", value.clone()),
            "nominal_mode" => ("categorical_split", value.clone()),
            _ => continue,
        };
        ours.insert(key.into(), value);
    }
    parse_params("tree", &TreeParams::default(), &ours).unwrap()
}

fn fit(file: &Value, max_bins: Option<u32>, layout: RowLayout, every_cut: bool) -> TreeModel {
    let levels = levels(file);
    let table = Table::new(&file["X"], &levels);
    let classes = codes(&file["y"]);
    let weights = file["sample_weight"].as_array().map(|_| numbers(&file["sample_weight"]));
    let n_classes = file["n_classes"].as_u64().unwrap() as usize;
    let data = Dataset::new(table.frame(), &classes, n_classes, weights.as_deref()).unwrap();
    let params = TreeParams {
        max_bins: max_bins.map(NumberOrAuto::Number),
        exact_split_max_rows: NumberOrAuto::Number(0),
        ..params(&file["params"], "laplace")
    };
    let learner = params.check("tree").unwrap().with_row_layout(layout).with_every_threshold(every_cut);
    learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()
}

fn levels(file: &Value) -> Vec<u32> {
    let n_columns = file["X"][0].as_array().unwrap().len();
    match file["params"].get("nominal") {
        Some(levels) => codes(levels),
        None => vec![0; n_columns],
    }
}

fn assert_same_node(model: &TreeModel, ours: usize, nodes: &[Value], expected: usize, what: &str) {
    let (tree, node) = (model.tree(), &nodes[expected]);
    let what = format!("{what} node {expected}");
    assert_eq!(f64::from(tree.n_node_rows(ours)), number(&node["n"]), "{what}: rows");
    for (mass, expected) in tree.class_masses(ours).iter().zip(numbers(&node["mass"])) {
        assert!((mass - expected).abs() <= 1e-12 * expected, "{what}: mass {mass} instead of {expected}");
    }
    let kind = match tree.split(ours) {
        TreeSplit::Leaf => "leaf",
        TreeSplit::Below(threshold) => {
            let expected = number(&node["threshold"]);
            assert!((threshold - expected).abs() <= 1e-12, "{what}: threshold {threshold}");
            "le"
        }
        TreeSplit::Known => {
            assert_eq!(number(&node["threshold"]), f64::INFINITY, "{what}");
            "le"
        }
        TreeSplit::IsLevel(code) => {
            assert_eq!(f64::from(code), number(&node["value"]), "{what}: level");
            "equal"
        }
        TreeSplit::InLevels(_) => "set",
        TreeSplit::EachLevel => "multiway",
        TreeSplit::StatisticAtMost { .. } => "statistic",
    };
    assert_eq!(kind, node["kind"].as_str().unwrap(), "{what}");
    if kind == "leaf" {
        return;
    }
    assert_eq!(tree.column(ours) as f64, number(&node["feature"]), "{what}: feature");
    let score = number(&node["score"]);
    assert!(
        (tree.split_gain(ours) - score).abs() <= 1e-12 * score.max(1e-3),
        "{what}: score {}",
        tree.split_gain(ours)
    );
    if let Some(missing_left) = node["missing_left"].as_bool() {
        assert_eq!(tree.missing_branch(ours) == 0, missing_left, "{what}: branch of missing values");
    }
    assert_group(model, ours, node, nodes, &what);
    let children = codes(&node["children"]);
    assert_eq!(tree.children(ours).len(), children.len(), "{what}: branches");
    for (child, expected) in tree.children(ours).zip(children) {
        assert_same_node(model, child, nodes, expected as usize, &what);
    }
}

/// Compares the stored class group of a node with all bipartitions of the golden class weights of its
/// children.
fn assert_group(model: &TreeModel, ours: usize, node: &Value, nodes: &[Value], what: &str) {
    let group = model.tree().class_group(ours);
    if group.is_empty() {
        return;
    }
    let masses: Vec<Vec<f64>> =
        codes(&node["children"]).iter().map(|&child| numbers(&nodes[child as usize]["mass"])).collect();
    let all = numbers(&node["mass"]);
    let live: Vec<usize> = (0..all.len()).filter(|&class| all[class] > 0.0).collect();
    let distance = |set: &dyn Fn(usize) -> bool| {
        let side = |cells: &[f64], inside: bool| -> f64 {
            live.iter().filter(|&&class| set(class) == inside).map(|&class| cells[class]).sum()
        };
        let share = |cells: &[f64], inside: bool| (side(cells, inside) / side(&all, inside)).sqrt();
        masses.iter().map(|cells| (share(cells, true) - share(cells, false)).powi(2)).sum::<f64>()
    };
    // The lowest class with weight never joins, so each bipartition is visited once.
    let best = (1..1_usize << (live.len() - 1))
        .map(|code| {
            distance(&|class| {
                live.iter().position(|&k| k == class).is_some_and(|p| p > 0 && code >> (p - 1) & 1 == 1)
            })
        })
        .fold(0.0, f64::max);
    assert!(!group.contains(&(live[0] as u32)), "{what}: group {group:?}");
    let own = distance(&|class| group.contains(&(class as u32)));
    assert!((own - best).abs() < 1e-9, "{what}: group {group:?} of distance {own} instead of {best}");
}

fn assert_proba(model: &TreeModel, rows: &Value, levels: &[u32], expected: &Value, what: &str) {
    let table = Table::new(rows, levels);
    let ours = model.proba(&table.frame(), RunContext::silent()).unwrap();
    let expected = matrix(expected);
    assert_eq!(ours.len(), expected.len());
    for (p, expected) in ours.iter().zip(&expected) {
        assert!((p - expected).abs() <= 1e-12, "{what}: {p} instead of {expected}");
    }
}

fn check(name: &str) {
    let file = golden(&format!("trees/{name}"));
    let levels = levels(&file);
    let laplace = fit(&file, None, RowLayout::Presorted, false);
    assert_same_node(&laplace, 0, file["nodes"].as_array().unwrap(), 0, name);
    assert_proba(&laplace, &file["X"], &levels, &file["proba_train"], name);
    assert_proba(&laplace, &file["X_test"], &levels, &file["proba_test"], name);
    let several = file["n_classes"].as_u64() > Some(2);
    let hellinger = several && file["params"]["criterion"] == "hellinger";
    assert_eq!(laplace.tree().to_arrays().groups.is_empty(), !hellinger, "{name}: groups of classes");
    let raw = TreeModel::new(
        laplace.tree().clone(),
        LeafEstimate::Frequency,
        1.0,
        file["params"].get("missing") == Some(&json!("fraction")),
    );
    assert_proba(&raw, &file["X_test"], &levels, &file["proba_test_raw"], name);
    let table = Table::new(&file["X_test"], &levels);
    let predicted = laplace.predict(&table.frame(), RunContext::silent()).unwrap();
    assert_eq!(predicted, codes(&file["predict_test"]), "{name}");
    // The slow layout and the full scan must give the same tree.
    assert_eq!(fit(&file, None, RowLayout::Listed, false), laplace, "{name}: listed rows");
    assert_eq!(fit(&file, None, RowLayout::Presorted, true), laplace, "{name}: every cut");
    let rows_in_parts = file["params"].get("missing") == Some(&json!("fraction")) && has_missing(&file["X"]);
    // No file has more than 255 rows, so that every value has its own bin.
    if !rows_in_parts {
        assert_eq!(fit(&file, Some(255), RowLayout::Presorted, false), laplace, "{name}: one bin per value");
    }
}

fn has_missing(rows: &Value) -> bool {
    matrix(rows).iter().any(|value| value.is_nan())
}

macro_rules! golden_trees {
    ($($name:ident)*) => { $(#[test] fn $name() { check(stringify!($name)); })* };
}

#[test]
fn binary_trees_over_alpha() {
    for alpha in ["04_binary_alpha0.1", "05_binary_alpha0.5", "06_binary_alpha1.0", "07_binary_alpha1.9"] {
        check(&format!("tree_{alpha}"));
    }
}

golden_trees! {
    tree_01_binary_gini tree_02_binary_entropy tree_03_binary_hellinger tree_08_multiclass_hellinger tree_09_multiclass_gini tree_10_multiclass_alpha
    tree_11_hellinger_depth3_minleaf5 tree_12_alpha_ext_uniform2_equals_gini
    tree_13_alpha_ext_flipped_equals_hellinger tree_14_weights_integer tree_15_weights_zero_and_dyadic
    tree_16_nominal_one_vs_rest_hellinger tree_17_nominal_multiway_alpha tree_18_missing_direction_gini
    tree_19_missing_direction_hellinger tree_20_c44 tree_21_c44_mixed_missing tree_22_ties_exact
}
