//! Samples have the exact frequencies, and the same bytes with any number of threads.
// All functions of this file are test code, including the helpers.
#![allow(clippy::unwrap_used)]

use crate::common::{agrees, evidence, joint, network, rng};
use imbcore_bayes::sample::{forward_sample, likelihood_weighting, sample_given_evidence};
use imbcore_bayes::{DiscreteTable, Network};
use imbcore_core::{RunContext, SeedKey};

const ROWS: usize = 20_000;

/// Returns whether each joint state has its expected frequency,
/// within 5 standard deviations and a count of 1.
fn matches_probabilities(network: &Network, table: &DiscreteTable, evidence: &[(u32, u16)]) -> bool {
    let all = joint(network);
    let total: f64 = all.iter().filter(|(codes, _)| agrees(codes, evidence)).map(|(_, p)| p).sum();
    let n = table.n_rows() as f64;
    all.iter().all(|(codes, p)| {
        let p = if agrees(codes, evidence) { p / total } else { 0.0 };
        let same = |row: usize| codes.iter().enumerate().all(|(v, &code)| table.codes(v)[row] == code);
        let count = (0..table.n_rows()).filter(|&row| same(row)).count() as f64;
        if p == 0.0 { count == 0.0 } else { (count - n * p).abs() <= 5.0 * (n * p * (1.0 - p)).sqrt() + 1.0 }
    })
}

#[test]
fn frequencies_are_the_probabilities() {
    let mut conditioned = 0;
    for seed in 0..40 {
        let mut rng = rng(seed);
        let network = network(&mut rng, 4, seed as usize % 3);
        let key = SeedKey::root(seed);
        let rows = forward_sample(&network, ROWS, key, RunContext::silent()).unwrap();
        assert!(matches_probabilities(&network, &rows, &[]), "seed {seed}");
        let evidence = evidence(&mut rng, &network);
        let exact = sample_given_evidence(&network, &evidence, ROWS, key.child(9, 0), RunContext::silent());
        let total: f64 =
            joint(&network).iter().filter(|(codes, _)| agrees(codes, &evidence)).map(|(_, p)| p).sum();
        if total == 0.0 {
            assert!(exact.unwrap_err().to_string().contains("probability 0"));
            assert!(likelihood_weighting(&network, &evidence, 100, key, RunContext::silent()).is_err());
            continue;
        }
        conditioned += 1;
        assert!(matches_probabilities(&network, &exact.unwrap(), &evidence), "seed {seed}");
        if total > 1e-3 {
            let drawn =
                likelihood_weighting(&network, &evidence, ROWS, key.child(9, 1), RunContext::silent())
                    .unwrap();
            assert!((drawn.log_evidence - total.ln()).abs() < 0.2, "seed {seed}");
            assert!(drawn.effective_size <= ROWS as f64 * (1.0 + 1e-12) && drawn.effective_size >= 1.0);
            assert!(drawn.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
        }
    }
    assert!(conditioned > 20);
}

#[test]
fn weighted_rows_estimate_probabilities_and_can_be_resampled() {
    for seed in 100..110 {
        let mut rng = rng(seed);
        let network = network(&mut rng, 5, 0);
        let evidence = evidence(&mut rng, &network);
        let drawn =
            likelihood_weighting(&network, &evidence, 200_000, SeedKey::root(seed), RunContext::silent())
                .unwrap();
        let total: f64 = drawn.weights.iter().sum();
        let all = joint(&network);
        let known: f64 = all.iter().filter(|(codes, _)| agrees(codes, &evidence)).map(|(_, p)| p).sum();
        let plain = drawn.resample(ROWS, SeedKey::root(seed).child(3, 3)).unwrap();
        assert_eq!(plain.n_rows(), ROWS);
        for v in 0..network.n_variables() {
            let codes = drawn.table.codes(v);
            for state in 0..network.n_states_by_variable()[v] as u16 {
                let with = |codes: &[u16]| codes[v] == state && agrees(codes, &evidence);
                let p = all.iter().filter(|(codes, _)| with(codes)).map(|(_, p)| p).sum::<f64>() / known;
                let hits = codes.iter().zip(&drawn.weights).filter(|&(&code, _)| code == state);
                let share = hits.map(|(_, weight)| weight).sum::<f64>() / total;
                let spread = (p * (1.0 - p) / drawn.effective_size).sqrt();
                assert!((share - p).abs() <= 6.0 * spread + 1e-4, "seed {seed}: {share} {p}");
                let count = plain.codes(v).iter().filter(|&&code| code == state).count() as f64 / ROWS as f64;
                let spread = spread + (share * (1.0 - share) / ROWS as f64).sqrt();
                assert!((count - p).abs() <= 6.0 * spread + 1e-4, "seed {seed}: {count} {p}");
            }
        }
    }
}

#[test]
fn samples_do_not_depend_on_the_number_of_threads() {
    let mut rng = rng(17);
    let network = network(&mut rng, 6, 0);
    let evidence = evidence(&mut rng, &network);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let key = SeedKey::root(4);
        pool.install(|| {
            let rows = forward_sample(&network, 10_000, key, RunContext::silent()).unwrap();
            let exact =
                sample_given_evidence(&network, &evidence, 10_000, key, RunContext::silent()).unwrap();
            (
                rows,
                exact,
                likelihood_weighting(&network, &evidence, 10_000, key, RunContext::silent()).unwrap(),
            )
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(7));
    let fewer = forward_sample(&network, 5000, SeedKey::root(4), RunContext::silent()).unwrap();
    assert_eq!(fewer.codes(0)[..4096], one.0.codes(0)[..4096]);
    assert_ne!(forward_sample(&network, 10_000, SeedKey::root(5), RunContext::silent()).unwrap(), one.0);
}
