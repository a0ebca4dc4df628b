//! Small random networks, and inference by enumerating all joint states.
#![allow(dead_code)]

use imbcore_bayes::{Cpt, DiscreteTable, MISSING, Network, Variable};
use imbcore_core::SeedKey;
use rand_chacha::ChaCha8Rng;

pub(crate) fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    imbcore_core::random_below(rng, bound as u32) as usize
}

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    SeedKey::root(seed).rng()
}

/// Random network with up to `most` variables of 1 to 4 states, in random order.
/// Each cell is zero with probability `zeros`/10; some tables are sparse.
pub(crate) fn network(rng: &mut ChaCha8Rng, most: usize, zeros: usize) -> Network {
    let n = 1 + below(rng, most);
    let levels: Vec<u32> = (0..n).map(|_| [2, 2, 3, 4, 1][below(rng, 5)]).collect();
    let mut order: Vec<usize> = (0..n).collect();
    imbcore_core::shuffle(rng, &mut order);
    let mut cpts: Vec<Option<Cpt>> = vec![None; n];
    for (at, &v) in order.iter().enumerate() {
        let mut parents: Vec<u32> =
            order[..at].iter().filter(|_| below(rng, 5) < 2).map(|&u| u as u32).take(3).collect();
        parents.sort_unstable();
        let parent_levels: Vec<u32> = parents.iter().map(|&u| levels[u as usize]).collect();
        let q: u64 = parent_levels.iter().map(|&l| u64::from(l)).product();
        let mut rows = |count: u64| {
            (0..count).flat_map(|_| distribution(rng, levels[v] as usize, zeros)).collect::<Vec<f64>>()
        };
        let p = rows(q);
        let sparse = q > 1 && below(rng, 3) == 0;
        cpts[v] = Some(if sparse {
            let keys: Vec<u64> = (0..q).filter(|key| key % 3 != 1).collect();
            let r = levels[v] as usize;
            let held = keys.iter().flat_map(|&key| p[key as usize * r..][..r].to_vec()).collect();
            Cpt::from_sparse_rows(parents, parent_levels, levels[v], keys, held).unwrap()
        } else {
            Cpt::from_dense_cells(parents, parent_levels, levels[v], p).unwrap()
        });
    }
    let variables = levels
        .iter()
        .enumerate()
        .map(|(v, &levels)| Variable {
            name: format!("v{v}"),
            states: (0..levels).map(|state| format!("s{state}")).collect(),
        })
        .collect();
    Network::new(variables, cpts.into_iter().map(Option::unwrap).collect()).unwrap()
}

fn distribution(rng: &mut ChaCha8Rng, levels: usize, zeros: usize) -> Vec<f64> {
    let mut weights: Vec<f64> = (0..levels)
        .map(|_| if below(rng, 10) < zeros { 0.0 } else { 1.0 + below(rng, 1000) as f64 })
        .collect();
    if weights.iter().all(|&weight| weight == 0.0) {
        let kept = below(rng, levels);
        weights[kept] = 1.0;
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Random states of some of the variables.
pub(crate) fn evidence(rng: &mut ChaCha8Rng, network: &Network) -> Vec<(u32, u16)> {
    let mut chosen = Vec::new();
    for (v, levels) in network.n_states_by_variable().into_iter().enumerate() {
        if below(rng, 5) < 2 {
            chosen.push((v as u32, below(rng, levels as usize) as u16));
        }
    }
    chosen
}

/// All joint states with their probabilities.
pub(crate) fn joint(network: &Network) -> Vec<(Vec<u16>, f64)> {
    let levels = network.n_states_by_variable();
    let total: usize = levels.iter().map(|&l| l as usize).product();
    (0..total)
        .map(|number| {
            let mut rest = number;
            let mut codes = vec![0; levels.len()];
            for v in (0..levels.len()).rev() {
                codes[v] = (rest % levels[v] as usize) as u16;
                rest /= levels[v] as usize;
            }
            let p = probability(network, &codes);
            (codes, p)
        })
        .collect()
}

pub(crate) fn probability(network: &Network, codes: &[u16]) -> f64 {
    let family = |(v, cpt): (usize, &Cpt)| {
        let configuration = cpt
            .parents()
            .iter()
            .zip(cpt.n_states_by_parent())
            .fold(0, |at, (&u, &levels)| at * u64::from(levels) + u64::from(codes[u as usize]));
        cpt.row(configuration)[usize::from(codes[v])]
    };
    network.cpts().iter().enumerate().map(family).product()
}

pub(crate) fn agrees(codes: &[u16], evidence: &[(u32, u16)]) -> bool {
    evidence.iter().all(|&(v, state)| codes[v as usize] == state)
}

/// Rows of random codes; each value is missing with probability `missing`/10.
pub(crate) fn table(rng: &mut ChaCha8Rng, network: &Network, rows: usize, missing: usize) -> DiscreteTable {
    let levels = network.n_states_by_variable();
    let columns = levels
        .iter()
        .map(|&levels| {
            let mut code =
                || if below(rng, 10) < missing { MISSING } else { below(rng, levels as usize) as u16 };
            (0..rows).map(|_| code()).collect()
        })
        .collect();
    DiscreteTable::new(columns, levels).unwrap()
}

/// The observed values of a row.
pub(crate) fn observed(table: &DiscreteTable, row: usize) -> Vec<(u32, u16)> {
    let code = |v: usize| table.codes(v)[row];
    (0..table.n_columns()).filter(|&v| code(v) != MISSING).map(|v| (v as u32, code(v))).collect()
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-10 * a.abs().max(1.0)
}
