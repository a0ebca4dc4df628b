//! Predicted classes of many rows, from row-major or column-major memory, and probabilities of one row, by a tree and a
//! forest.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_benches::{Table, pooled};
use imbcore_core::{Classifier, Learner, RunContext, SeedKey};
use imbcore_ensembles::{ForestLearner, ForestParams};
use imbcore_trees::TreeParams;

fn predict(c: &mut Criterion) {
    let mut group = c.benchmark_group("predict");
    group.sample_size(20);
    for rarity in [100, 2] {
        let table = Table::new(100_000, 10, 2, rarity);
        let learner = TreeParams::cart().check("cart").unwrap();
        let model = learner.fit(&table.data().unwrap(), SeedKey::root(0), RunContext::silent()).unwrap();
        let by_rows = table.frame().unwrap();
        let owned = by_rows.take(&(0..100_000).collect::<Vec<_>>(), RunContext::silent()).unwrap();
        let by_columns = owned.borrow().unwrap();
        for (name, frame) in [("row-major", &by_rows), ("column-major", &by_columns)] {
            let case = format!("100000x10, 1 in {rarity} rare");
            group.bench_function(BenchmarkId::new(name, case), |b| {
                b.iter(|| pooled(|| model.predict(frame, RunContext::silent()).unwrap()));
            });
        }
    }
    group.finish();
}

/// One row at a time, as in payment scoring.
fn one_row(c: &mut Criterion) {
    let mut group = c.benchmark_group("one row");
    let table = Table::new(100_000, 10, 2, 100);
    let (data, ctl) = (table.data().unwrap(), RunContext::silent());
    let rows = table.frame().unwrap();
    let row = rows.take(&[77], ctl).unwrap();
    let row = row.borrow().unwrap();
    let trees = || TreeParams::cart().check("cart").unwrap();
    let tree = trees().fit(&data, SeedKey::root(0), ctl).unwrap();
    group.bench_function("tree", |b| b.iter(|| tree.proba(&row, ctl).unwrap()));
    let plan = ForestParams::default().check("forest").unwrap();
    let forest = ForestLearner::new("forest", plan, trees()).fit(&data, SeedKey::root(0), ctl).unwrap();
    group.bench_function("forest of 100", |b| b.iter(|| forest.proba(&row, ctl).unwrap()));
    let sample = rows.take(&(0..20_000).collect::<Vec<_>>(), ctl).unwrap();
    let sample = sample.borrow().unwrap();
    group.sample_size(10);
    group.bench_function("forest of 100, 20000 rows", |b| b.iter(|| forest.proba(&sample, ctl).unwrap()));
    group.finish();
}

criterion_group!(benches, predict, one_row);
criterion_main!(benches);
