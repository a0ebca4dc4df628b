//! Growing one tree, fully, on one thread: criteria, sizes and rarities.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_base::{Learner, RunCtl, SeedKey};
use imbcore_benches::Table;
use imbcore_tree::TreeParams;

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
                b.iter(|| learner.fit(&data, SeedKey::root(0), RunCtl::silent()).unwrap());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, grow);
criterion_main!(benches);
