//! SVR-Trees compared step by step with two slow independent programs; the authors' data sets are in the
//! Python tests.

use imbcore_core::{Classifier, Column, Dataset, Frame, Learner, RunContext, SeedKey, parse_params};
use imbcore_tests::{close, codes, golden, items, numbers};
use imbcore_trees::svr::{SvrModel, SvrParams};
use imbcore_trees::{Tree, TreeSplit};
use serde_json::{Value, json};

const CASES: [&str; 18] = [
    "01_ref_2d",
    "02_ref_2d_small_lambda",
    "03_ref_3d_fs",
    "04_paper_1d",
    "05_paper_2d",
    "06_paper_3d",
    "07_ref_lambda0",
    "08_ties_copied_feature",
    "09_large_lambda",
    "10_ref_4d_fs",
    "11_paper_max_leaves",
    "12_ref_raw_scaled",
    "13_multiclass_svr",
    "14_surface_only",
    "15_balanced_both",
    "16_paper_ceil_and_weight",
    "17_raw_constant_feature",
    "18_natural_ties",
];

/// Precision of the files for coordinates in the unit cube, and for risks.
const COORDINATE: f64 = 1e-9;
const RISK: f64 = 1e-8;

fn columns(rows: &Value) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = items(rows).iter().map(numbers).collect();
    (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

fn frame(columns: &[Vec<f64>]) -> Frame<'_> {
    Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap()
}

fn fit(file: &Value) -> SvrModel {
    let given = json!({
        "penalty": file["lambda"],
        "max_leaf_nodes": file["max_leaves"],
        "feature_selection": file["feature_selection"]["enabled"],
        "new_feature_penalty": file["feature_selection"]["c0"],
        "pure_nodes": file["pure_nodes"],
        "stop_rule": file["stop_rule"],
        "regularizer": file["regularizer"],
        "penalized_classes": file["penalised_classes"],
        "scale": file["scaling"],
    });
    let params = parse_params("svr_tree", &SvrParams::default(), given.as_object().unwrap()).unwrap();
    let columns = columns(&file["X"]);
    let classes = codes(&file["y"]);
    let n_classes = file["n_classes"].as_u64().unwrap() as usize;
    let data = Dataset::new(frame(&columns), &classes, n_classes, None).unwrap();
    let learner = params.check("svr_tree").unwrap();
    let learner = learner.with_class_weight(Some(numbers(&file["class_weights"]))).unwrap();
    learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &Value, tolerance: f64, what: &str) {
    let expected = numbers(expected);
    let agree = found.iter().zip(&expected).all(|(&a, &b)| close(a, b, tolerance));
    assert!(found.len() == expected.len() && agree, "{what}: {found:?}, expected {expected:?}");
}

fn assert_same_step(model: &SvrModel, at: usize, expected: &Value, what: &str) {
    let (tree, step) = (model.tree().tree(), &model.growth_stats().steps[at]);
    assert_eq!(u64::from(step.node), expected["node"].as_u64().unwrap(), "{what}: node");
    assert_eq!(step.split.is_some(), expected["accepted"].as_bool().unwrap(), "{what}: accepted");
    assert_close(&[step.state.risk], &json!([expected["risk"]]), RISK, what);
    let Some((axis, cut)) = step.split else { return };
    assert_eq!(u64::from(axis), expected["feature"].as_u64().unwrap(), "{what}: feature");
    assert_close(&[cut], &json!([expected["threshold"]]), COORDINATE, what);
    let children = tree.children(step.node as usize);
    assert_eq!(json!(children.clone().collect::<Vec<_>>()), expected["children"], "{what}: children");
    let labels = &model.labels()[children];
    assert_eq!(json!(labels), expected["labels"], "{what}: labels");
    let state = &step.state;
    for (found, name) in [
        (state.impurity, "impurity"),
        (state.signed_impurity, "signed_impurity"),
        (state.interface, "interface"),
        (state.regularizer, "regularizer"),
    ] {
        assert_close(&[found], &json!([expected[name]]), RISK, &format!("{what}: {name}"));
    }
    assert_close(&state.surface, &expected["surface"], RISK, &format!("{what}: surface"));
    assert_close(&state.volume, &expected["volume"], RISK, &format!("{what}: volume"));
}

fn assert_same_leaves(model: &SvrModel, file: &Value, what: &str) {
    let tree: &Tree = model.tree().tree();
    assert_eq!(tree.n_nodes(), items(&file["nodes"]).len(), "{what}: nodes");
    for node in items(&file["nodes"]) {
        let id = node["id"].as_u64().unwrap() as usize;
        let is_leaf = node["left"].is_null();
        assert_eq!(tree.split(id) == TreeSplit::Leaf, is_leaf, "{what}: node {id}");
        assert_eq!(json!(model.labels()[id]), node["label"], "{what}: label of {id}");
        if is_leaf {
            assert_close(&model.tree().node_proba(id), &node["proba"], COORDINATE, what);
            assert_close(&tree.class_masses(id), &node["class_weight"], COORDINATE, what);
        }
    }
}

#[test]
fn every_step_matches_the_reference_programs() {
    for name in CASES {
        let file = golden(&format!("svr/{name}"));
        let model = fit(&file);
        assert_close(&[model.growth_stats().start.risk], &json!([file["initial"]["risk"]]), RISK, name);
        let steps = items(&file["steps"]);
        for (at, step) in steps.iter().enumerate() {
            assert_same_step(&model, at, step, &format!("{name} step {at}"));
        }
        assert_eq!(model.growth_stats().steps.len(), steps.len(), "{name}: steps");
        assert_same_leaves(&model, &file, name);
        let scales = &model.growth_stats().scales;
        let (offset, width): (Vec<f64>, Vec<f64>) = scales.iter().copied().unzip();
        assert_close(&offset, &file["scale_offset"], COORDINATE, name);
        assert_close(&width, &file["scale_width"], COORDINATE, name);
    }
}

#[test]
fn new_points_reach_the_leaves_of_the_reference_programs() {
    for name in CASES {
        let file = golden(&format!("svr/{name}"));
        let model = fit(&file);
        // Query points have the units of X.
        let columns = columns(&file["query"]);
        let query = frame(&columns);
        let ctl = RunContext::silent();
        assert_eq!(model.tree().apply(&query, ctl).unwrap(), codes(&file["query_leaf"]), "{name}");
        assert_eq!(model.predict(&query, ctl).unwrap(), codes(&file["query_pred"]), "{name}");
        let n_classes = model.n_classes();
        let last: Vec<f64> =
            model.proba(&query, ctl).unwrap().chunks(n_classes).map(|p| p[n_classes - 1]).collect();
        assert_close(&last, &file["query_proba_last_class"], COORDINATE, name);
    }
}
