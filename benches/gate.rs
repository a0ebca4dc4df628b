//! Kernels for instruction counts: each is run once, alone, on one thread, by its name.
//!
//! `benches/gate.py` runs them under a counter and compares the counts with stored ones; without a name the program
//! lists the kernels.

// A kernel that cannot run has nothing to count.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use imbcore_benches::Table;
use imbcore_core::{Feature, FeatureKind, Label, RunContext, Schema, SeedKey};
use imbcore_methods::{FitContext, FitTask, Model, fit};
use imbcore_resample::plan;
use serde_json::json;
use std::hint::black_box;

/// Name, method and parameters of the fits.
const FITS: [(&str, &str, &str); 15] = [
    ("fit cart", "cart", "{}"),
    ("fit hddt", "hddt", "{}"),
    ("fit c45", "c45", "{}"),
    ("fit cart of bins", "cart", r#"{"max_bins": 255}"#),
    ("fit random_forest", "random_forest", r#"{"n_estimators": 5}"#),
    ("fit random_forest of bins", "random_forest", r#"{"n_estimators": 5, "max_bins": 255}"#),
    ("fit extra_trees", "extra_trees", r#"{"n_estimators": 5}"#),
    ("fit balanced_random_forest", "balanced_random_forest", r#"{"n_estimators": 20}"#),
    ("fit svr_tree", "svr_tree", r#"{"max_leaf_nodes": 30}"#),
    ("fit fast_boxes", "fast_boxes", "{}"),
    ("fit naive_bayes", "naive_bayes", "{}"),
    ("fit tan", "tan", "{}"),
    ("fit full_bayes", "full_bayes", "{}"),
    ("fit boosted_trees", "boosted_trees", r#"{"n_rounds": 10}"#),
    ("fit optimal_tree", "optimal_tree", r#"{"max_depth": 2}"#),
];
const SAMPLERS: [&str; 2] = ["smote", "tomek_links"];
const PREDICT: &str = "predict random_forest";
const PREDICT_STUMPS: &str = "predict easy_ensemble";
/// Only the data, which every other kernel makes, too.
const NOTHING: &str = "nothing";

fn schema(n_columns: usize) -> Schema {
    let feature = |j| Feature { name: format!("x{j}"), kind: FeatureKind::Numeric };
    Schema {
        features: (0..n_columns).map(feature).collect(),
        named: false,
        named_beside: false,
        classes: vec![Label::Int(0), Label::Int(1)],
        class_dtype: "int64".into(),
        column_labels: Vec::new(),
        without_values: Vec::new(),
    }
}

fn fitted(table: &Table, method: &str, params: &str) -> Model {
    let (class_weight, costs, positive) = (None, None, None);
    let key = SeedKey::root(0);
    let task = FitTask { method, params, class_weight, costs, positive, key, context: FitContext::default() };
    fit(&task, &table.data().unwrap(), schema(10), RunContext::silent()).unwrap()
}

fn sampled(table: &Table, sampler: &str) {
    let (frame, data) = (table.frame().unwrap(), table.data().unwrap());
    let labels = [Label::Int(0), Label::Int(1)];
    let task = imbcore_resample::ResamplingTask::new(Some(&frame), data.class_codes(), &labels).unwrap();
    let given = json!({});
    black_box(
        plan(sampler, given.as_object().unwrap(), &task, SeedKey::root(0), RunContext::silent()).unwrap(),
    );
}

fn run(kernel: &str) {
    let table = Table::new(20_000, 10, 2, 50);
    if let Some((_, method, params)) = FITS.iter().find(|(name, ..)| *name == kernel) {
        black_box(fitted(&table, method, params));
    } else if let Some(sampler) = kernel.strip_prefix("sample ") {
        sampled(&table, sampler);
    } else if kernel == PREDICT {
        // The number of leaves determines the cost of a prediction; a forest on few rows is grown quickly.
        let model = fitted(&Table::new(500, 10, 2, 5), "random_forest", r#"{"n_estimators": 20}"#);
        black_box(model.proba(&table.frame().unwrap(), RunContext::silent()).unwrap());
    } else if kernel == PREDICT_STUMPS {
        let model = fitted(&Table::new(500, 10, 2, 5), "easy_ensemble", "{}");
        black_box(model.proba(&table.frame().unwrap(), RunContext::silent()).unwrap());
    } else {
        assert_eq!(kernel, NOTHING, "unknown kernel");
    }
}

fn main() {
    if let Some(kernel) = std::env::args().nth(1).filter(|argument| !argument.starts_with("--")) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run(&kernel));
        return;
    }
    let samplers = SAMPLERS.map(|sampler| format!("sample {sampler}"));
    let kernels = FITS.map(|(name, ..)| name.to_owned()).into_iter().chain(samplers);
    kernels
        .chain([PREDICT, PREDICT_STUMPS, NOTHING].map(str::to_owned))
        .for_each(|kernel| println!("{kernel}"));
}
