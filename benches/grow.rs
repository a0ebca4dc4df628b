//! Fully grown trees: one by criterion, size and rarity; a forest; SVR-Trees.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_benches::{Table, pooled};
use imbcore_core::{Learner, RunContext, SeedKey};
use imbcore_ensembles::{ForestLearner, ForestParams, TreeCount};
use imbcore_trees::svr::SvrParams;
use imbcore_trees::{MaxFeatures, NumberOrAuto, TreeParams};

fn grow(c: &mut Criterion) {
    let mut group = c.benchmark_group("grow");
    group.sample_size(10);
    for (n_rows, n_columns, n_classes, rarity) in
        [(1_000, 10, 2, 10), (20_000, 10, 2, 100), (20_000, 10, 2, 2), (20_000, 10, 6, 10)]
    {
        let table = Table::new(n_rows, n_columns, n_classes, rarity);
        let data = table.data().unwrap();
        for (name, params) in
            [("hddt", TreeParams::hddt()), ("c44", TreeParams::c44()), ("cart", TreeParams::cart())]
        {
            let learner = params.check(name).unwrap();
            let case = format!("{n_rows}x{n_columns}, {n_classes} classes, 1 in {rarity} rare");
            group.bench_function(BenchmarkId::new(name, case), |b| {
                b.iter(|| pooled(|| learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()));
            });
        }
    }
    group.finish();
}

/// Ten trees with three or all columns per node; exact and from bins.
fn forest(c: &mut Criterion) {
    let mut group = c.benchmark_group("forest");
    group.sample_size(20);
    let table = Table::new(20_000, 10, 2, 20);
    let data = table.data().unwrap();
    for (case, max_features, max_bins) in [
        ("3 columns", Some(MaxFeatures::Count(3)), None),
        ("all columns", None, None),
        ("3 columns, 255 bins", Some(MaxFeatures::Count(3)), Some(255)),
        ("all columns, 255 bins", None, Some(255)),
    ] {
        let trees =
            TreeParams { max_features, max_bins: max_bins.map(NumberOrAuto::Number), ..TreeParams::hddt() }
                .check("forest")
                .unwrap();
        let plan = ForestParams { n_estimators: TreeCount::Given(10), ..ForestParams::default() }
            .check("forest")
            .unwrap();
        let learner = ForestLearner::new("forest", plan, trees);
        group.bench_function(BenchmarkId::new("20000x10, 1 in 20 rare", case), |b| {
            b.iter(|| pooled(|| learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

/// SVR-Trees with the default limit of leaves; rows double twice to show the growth of the run time.
fn svr_tree(c: &mut Criterion) {
    let mut group = c.benchmark_group("svr_tree");
    group.sample_size(10);
    let learner = SvrParams::default().check("svr_tree").unwrap();
    for (n_rows, n_classes) in [(5_000, 2), (10_000, 2), (20_000, 2), (10_000, 4)] {
        let table = Table::new(n_rows, 10, n_classes, 20);
        let data = table.data().unwrap();
        group.bench_function(BenchmarkId::new("fit", format!("{n_rows}x10, {n_classes} classes")), |b| {
            b.iter(|| pooled(|| learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, grow, forest, svr_tree);
criterion_main!(benches);
