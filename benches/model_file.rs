//! Writing and reading a model file.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use imbcore_benches::Table;
use imbcore_core::{Feature, FeatureKind, Label, RunContext, Schema, SeedKey};
use imbcore_methods::{FitContext, FitTask, Model, fit};

fn model_file(c: &mut Criterion) {
    let table = Table::new(20_000, 10, 2, 2);
    let feature = |j| Feature { name: format!("x{j}"), kind: FeatureKind::Numeric };
    let schema = Schema {
        features: (0..10).map(feature).collect(),
        named: false,
        named_beside: false,
        classes: vec![Label::Int(0), Label::Int(1)],
        class_dtype: "int64".into(),
        column_labels: Vec::new(),
        without_values: Vec::new(),
    };
    let task = FitTask {
        method: "cart",
        params: "{}",
        class_weight: None,
        costs: None,
        positive: None,
        key: SeedKey::root(0),
        context: FitContext::default(),
    };
    let model = fit(&task, &table.data().unwrap(), schema, RunContext::silent()).unwrap();
    let bytes = model.to_bytes().unwrap();
    c.bench_function("write a model", |b| b.iter(|| model.to_bytes().unwrap()));
    c.bench_function("read a model", |b| b.iter(|| Model::from_bytes(&bytes).unwrap()));
}

criterion_group!(benches, model_file);
criterion_main!(benches);
