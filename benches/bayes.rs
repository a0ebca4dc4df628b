//! Bayesian networks: structure search, and class probabilities of many rows, with and without missing
//! values.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used, missing_docs, clippy::cast_possible_truncation)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use imbcore_bayes::infer::posterior_batch;
use imbcore_bayes::sample::forward_sample;
use imbcore_bayes::search::{SearchName, StructureParams};
use imbcore_bayes::{Cpt, DiscreteTable, MISSING, Network, Variable};
use imbcore_benches::pooled;
use imbcore_core::{RunContext, SeedKey, random_below, uniform};

const KEY: SeedKey = SeedKey::root(0);

/// A random network: variables with two to four states and up to three parents among the ten before.
fn network(n_variables: u32) -> Network {
    let mut rng = KEY.rng();
    let levels: Vec<u32> = (0..n_variables).map(|_| 2 + random_below(&mut rng, 3)).collect();
    let mut cpts = Vec::new();
    for v in 0..n_variables {
        let mut parents: Vec<u32> =
            (0..3).map(|_| v.saturating_sub(1 + random_below(&mut rng, 10))).collect();
        parents.retain(|&parent| parent < v);
        parents.sort_unstable();
        parents.dedup();
        let parent_levels: Vec<u32> = parents.iter().map(|&parent| levels[parent as usize]).collect();
        let (q, r) = (parent_levels.iter().product::<u32>(), levels[v as usize]);
        let mut p = Vec::new();
        for _ in 0..q {
            let row: Vec<f64> = (0..r).map(|_| uniform(&mut rng).powi(3) + 0.01).collect();
            let sum: f64 = row.iter().sum();
            p.extend(row.iter().map(|cell| cell / sum));
        }
        cpts.push(Cpt::from_dense_cells(parents, parent_levels, r, p).unwrap());
    }
    let states = |r: u32| (0..r).map(|state| state.to_string()).collect();
    let variable = |(v, &r): (usize, &u32)| Variable { name: format!("v{v}"), states: states(r) };
    Network::new(levels.iter().enumerate().map(variable).collect(), cpts).unwrap()
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("structure_search");
    group.sample_size(10);
    for (n_variables, n_rows) in [(40, 5_000), (40, 50_000), (200, 5_000)] {
        let table = forward_sample(&network(n_variables), n_rows, KEY, RunContext::silent()).unwrap();
        for search in [SearchName::HillClimbing, SearchName::Tabu] {
            let params = StructureParams { search, ..StructureParams::default() };
            let settings = params.check("bench").unwrap();
            let case = format!("{search:?}, {n_rows}x{n_variables}");
            group.bench_function(BenchmarkId::new("learn", case), |b| {
                b.iter(|| pooled(|| settings.learn(&table, None, KEY, RunContext::silent()).unwrap()));
            });
        }
    }
    group.finish();
}

/// The table with every twentieth value missing.
fn with_missing_values(table: &DiscreteTable) -> DiscreteTable {
    let mut rng = KEY.rng();
    let mut column = |v: usize| {
        let codes = table.codes(v);
        codes.iter().map(|&code| if random_below(&mut rng, 20) == 0 { MISSING } else { code }).collect()
    };
    let columns = (0..table.n_columns()).map(&mut column).collect();
    DiscreteTable::new(columns, table.n_states_by_column().to_vec()).unwrap()
}

fn class_probabilities(c: &mut Criterion) {
    let mut group = c.benchmark_group("class_posterior");
    group.sample_size(10);
    let network = network(40);
    let whole = forward_sample(&network, 20_000, KEY, RunContext::silent()).unwrap();
    for (name, table) in
        [("complete rows", &whole), ("rows with missing values", &with_missing_values(&whole))]
    {
        group.bench_function(BenchmarkId::new("20000x40", name), |b| {
            b.iter(|| pooled(|| posterior_batch(&network, 20, table, false, RunContext::silent()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, search, class_probabilities);
criterion_main!(benches);
