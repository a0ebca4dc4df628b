//! Growth from bins on one thread: binning, one root histogram, a tree with 31 leaves.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_benches::{Table, pooled};
use imbcore_core::{RunContext, SeedKey};
use imbcore_trees::{DrawnRows, NumberOrAuto, TreeParams};

fn binned(c: &mut Criterion) {
    let mut group = c.benchmark_group("binned");
    group.sample_size(10);
    let (key, ctl) = (SeedKey::root(0), RunContext::silent());
    for rarity in [100, 2] {
        let table = Table::new(200_000, 20, 2, rarity);
        let data = table.data().unwrap();
        let learner = |most| {
            let params = TreeParams {
                max_bins: Some(NumberOrAuto::Number(255)),
                max_leaf_nodes: Some(most),
                ..TreeParams::cart()
            };
            params.check("cart").unwrap()
        };
        let case = format!("200000x20, 1 in {rarity} rare");
        group.bench_function(BenchmarkId::new("bins", &case), |b| {
            b.iter(|| pooled(|| learner(2).prepare(&data, ctl).unwrap()));
        });
        let ground = learner(2).prepare(&data, ctl).unwrap();
        let criterion = TreeParams::cart().criterion;
        // Two leaves: the histograms of the root, and one partition of its rows.
        for most in [2, 31] {
            let learner = learner(most);
            let ground = if most == 2 { &ground } else { &learner.prepare(&data, ctl).unwrap() };
            group.bench_function(BenchmarkId::new(format!("{most} leaves"), &case), |b| {
                b.iter(|| pooled(|| learner.grow(ground, &criterion, DrawnRows::All, key, ctl).unwrap()));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, binned);
criterion_main!(benches);
