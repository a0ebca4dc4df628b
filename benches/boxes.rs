//! Box drawings: fitting, predicting, and proofs of the best drawing of small problems.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_benches::{Table, pooled};
use imbcore_core::{Classifier, Dataset, Frame, Learner, RunContext, SeedKey};
use imbcore_data::generate_shape_points;
use imbcore_rules::exact::Formulation;
use imbcore_rules::{ExactBoxesParams, FastBoxesParams, PrimParams};

const KEY: SeedKey = SeedKey::root(0);

fn fast_boxes(c: &mut Criterion) {
    let mut group = c.benchmark_group("fast_boxes");
    group.sample_size(10);
    let learner = FastBoxesParams::default().check("fast_boxes").unwrap();
    for (n_rows, rarity) in [(10_000, 100), (100_000, 100), (100_000, 10)] {
        let table = Table::new(n_rows, 20, 2, rarity);
        let data = table.data().unwrap();
        let case = format!("{n_rows}x20, 1 in {rarity} rare");
        group.bench_function(BenchmarkId::new("fit", &case), |b| {
            b.iter(|| pooled(|| learner.fit(&data, KEY, RunContext::silent()).unwrap()));
        });
        let model = learner.fit(&data, KEY, RunContext::silent()).unwrap();
        let frame = table.frame().unwrap();
        group.bench_function(BenchmarkId::new("predict", &case), |b| {
            b.iter(|| pooled(|| model.predict(&frame, RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

fn prim(c: &mut Criterion) {
    let mut group = c.benchmark_group("prim");
    group.sample_size(10);
    let one = PrimParams { max_boxes: Some(1), ..PrimParams::default() }.check("prim").unwrap();
    let learner = PrimParams::default().check("prim").unwrap();
    for (n_rows, rarity) in [(10_000, 100), (100_000, 100), (100_000, 10)] {
        let table = Table::new(n_rows, 20, 2, rarity);
        let data = table.data().unwrap();
        let case = format!("{n_rows}x20, 1 in {rarity} rare");
        group.bench_function(BenchmarkId::new("one box", &case), |b| {
            b.iter(|| pooled(|| one.fit(&data, KEY, RunContext::silent()).unwrap()));
        });
        group.bench_function(BenchmarkId::new("up to ten boxes", &case), |b| {
            b.iter(|| pooled(|| learner.fit(&data, KEY, RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

/// The whole proof on simulated data of the paper's shapes; mixed-integer formulations if they take about a second.
fn exact_boxes(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact_boxes");
    group.sample_size(10);
    for (name, n_boxes, formulation) in [
        ("diamond3D", 2, Formulation::Columns),
        ("square3D", 2, Formulation::Columns),
        ("square3D", 3, Formulation::Columns),
        ("castle3D", 1, Formulation::Columns),
        ("castle3D", 1, Formulation::Compact),
    ] {
        let points = generate_shape_points(name, Some(KEY), true).unwrap();
        let frame = Frame::from_row_major(&points.points, points.classes.len(), points.n_features).unwrap();
        let data = Dataset::new(frame, &points.classes, 2, None).unwrap();
        let params = ExactBoxesParams { n_boxes, formulation, ..ExactBoxesParams::default() };
        let learner = params.check("exact_boxes").unwrap();
        let case = format!("{name}, {n_boxes} boxes, {formulation:?}");
        group.bench_function(BenchmarkId::new("fit", case), |b| {
            b.iter(|| pooled(|| learner.fit(&data, KEY, RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, fast_boxes, prim, exact_boxes);
criterion_main!(benches);
