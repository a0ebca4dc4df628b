//! Exact inference compared with the sum over all joint states.
// All functions of this file are test code, including the helpers.
#![allow(clippy::unwrap_used)]

use crate::common::{agrees, below, close, evidence, joint, network, observed, rng, table};
use imbcore_bayes::infer::{
    QuerySettings, log_likelihood, marginals, max_log_ratio, most_probable_explanation, posterior,
    posterior_batch,
};
use imbcore_bayes::{Cpt, DiscreteTable, MISSING, Network, Variable};
use imbcore_core::{RunContext, SeedKey};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(400)))]

    #[test]
    fn posterior_is_the_conditional_joint_distribution(seed: u64, zeros in 0_usize..4) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 6, zeros);
        let evidence = evidence(&mut rng, &network);
        let mut targets: Vec<u32> = (0..network.n_variables() as u32)
            .filter(|v| evidence.iter().all(|&(u, _)| u != *v) && below(&mut rng, 2) == 0)
            .collect();
        imbcore_core::shuffle(&mut rng, &mut targets);
        prop_assume!(!targets.is_empty());
        let answer = posterior(&network, &targets, &evidence, &QuerySettings::default(), RunContext::silent());
        targets.sort_unstable();
        let levels = network.n_states_by_variable();
        let cells: usize = targets.iter().map(|&v| levels[v as usize] as usize).product();
        let mut wanted = vec![0.0; cells];
        for (codes, p) in joint(&network).iter().filter(|(codes, _)| agrees(codes, &evidence)) {
            let at = targets.iter().fold(0, |at, &v| at * levels[v as usize] as usize + codes[v as usize] as usize);
            wanted[at] += p;
        }
        let total: f64 = wanted.iter().sum();
        if total == 0.0 {
            let message = answer.unwrap_err().to_string();
            let named = format!("v{}=s", evidence[0].0);
            prop_assert!(message.contains("probability 0") && message.contains(&named));
        } else {
            let answer = answer.unwrap();
            prop_assert_eq!(&answer.variables, &targets);
            prop_assert!(close(answer.log_evidence, total.ln()), "{} {}", answer.log_evidence, total.ln());
            prop_assert!(answer.p.iter().zip(&wanted).all(|(&a, b)| close(a, b / total)));
        }
    }

    #[test]
    fn marginals_are_all_single_posteriors(seed: u64, zeros in 0_usize..4) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 9, zeros);
        let evidence = evidence(&mut rng, &network);
        match marginals(&network, &evidence, RunContext::silent()) {
            Err(error) => {
                let total: f64 = joint(&network).iter().filter(|(codes, _)| agrees(codes, &evidence)).map(|(_, p)| p).sum();
                prop_assert!(total == 0.0 && error.to_string().contains("probability 0"));
            }
            Ok(all) => {
                for v in 0..network.n_variables() as u32 {
                    let distribution = &all.p[v as usize];
                    if let Some(&(_, state)) = evidence.iter().find(|&&(u, _)| u == v) {
                        prop_assert!(distribution.iter().enumerate().all(|(at, &p)| p == f64::from(u8::from(at == state as usize))));
                    } else {
                        let single = posterior(&network, &[v], &evidence, &QuerySettings::default(), RunContext::silent()).unwrap();
                        prop_assert!(distribution.iter().zip(&single.p).all(|(&a, &b)| close(a, b)));
                        prop_assert!(close(all.log_evidence, single.log_evidence));
                    }
                }
            }
        }
    }

    #[test]
    fn mpe_is_the_largest_cell(seed: u64, zeros in 0_usize..4) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 7, zeros);
        let evidence = evidence(&mut rng, &network);
        let best = joint(&network)
            .iter()
            .filter(|(codes, _)| agrees(codes, &evidence))
            .map(|(_, p)| *p)
            .fold(0.0, f64::max);
        match most_probable_explanation(&network, &evidence, RunContext::silent()) {
            Err(_) => prop_assert_eq!(best, 0.0),
            Ok(found) => {
                prop_assert!(agrees(&found.codes, &evidence));
                prop_assert!(close(crate::common::probability(&network, &found.codes).ln(), best.ln()));
                prop_assert!(close(found.log_probability, best.ln()));
            }
        }
    }

    #[test]
    fn rows_have_the_probability_of_their_observed_values(seed: u64, zeros in 0_usize..3, gaps in 0_usize..8) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 8, zeros);
        let table = table(&mut rng, &network, 20, gaps);
        let logs = log_likelihood(&network, &table, RunContext::silent()).unwrap();
        let all = joint(&network);
        for (row, &log) in logs.iter().enumerate() {
            let known = observed(&table, row);
            let p: f64 = all.iter().filter(|(codes, _)| agrees(codes, &known)).map(|(_, p)| p).sum();
            prop_assert!(close(log, p.ln()), "row {row}: {log} {}", p.ln());
        }
    }

    #[test]
    fn class_probabilities_sum_over_missing_values(seed: u64, zeros in 0_usize..3, gaps in 0_usize..8) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 8, zeros);
        let class = below(&mut rng, network.n_variables()) as u32;
        let width = network.n_states_by_variable()[class as usize] as usize;
        let table = table(&mut rng, &network, 20, gaps);
        let found = posterior_batch(&network, class, &table, true, RunContext::silent()).unwrap();
        let without = posterior_batch(&network, class, &table, false, RunContext::silent()).unwrap();
        prop_assert!(without.p == found.p && without.log_p.is_none());
        let all = joint(&network);
        let prior = posterior(&network, &[class], &[], &QuerySettings::default(), RunContext::silent()).unwrap().p;
        let mut impossible = 0;
        for row in 0..20 {
            let mut known = observed(&table, row);
            known.retain(|&(v, _)| v != class);
            let mut wanted = vec![0.0; width];
            for (codes, p) in all.iter().filter(|(codes, _)| agrees(codes, &known)) {
                wanted[codes[class as usize] as usize] += p;
            }
            let total: f64 = wanted.iter().sum();
            let distribution = &found.p[row * width..][..width];
            prop_assert!(close(found.log_p.as_ref().unwrap()[row], total.ln()));
            if total > 0.0 {
                prop_assert!(distribution.iter().zip(&wanted).all(|(&a, b)| close(a, b / total)), "{distribution:?} {wanted:?}");
            } else {
                // The row is impossible either in the families near the class, or in others that do
                // not affect the class.
                prop_assert!(close(distribution.iter().sum(), 1.0));
                impossible += usize::from(distribution.iter().zip(&prior).all(|(a, b)| a == b));
            }
        }
        prop_assert!(found.impossible <= impossible);
    }

    #[test]
    fn largest_log_ratio_is_attained_and_not_exceeded(seed: u64, zeros in 0_usize..2) {
        let mut rng = rng(seed);
        let network = network(&mut rng, 6, zeros);
        let class = below(&mut rng, network.n_variables());
        let width = network.n_states_by_variable()[class] as usize;
        let (c, other) = (below(&mut rng, width) as u16, below(&mut rng, width) as u16);
        let found = max_log_ratio(&network, class as u32, c, other, RunContext::silent()).unwrap();
        let holds = |v: usize| v == class || network.dag().parents(v).contains(&(class as u32));
        let own = |codes: &[u16]| -> f64 {
            let family = |v: usize| {
                let cpt = &network.cpts()[v];
                let at = cpt.parents().iter().zip(cpt.n_states_by_parent())
                    .fold(0, |at, (&u, &l)| at * u64::from(l) + u64::from(codes[u as usize]));
                cpt.row(at)[usize::from(codes[v])]
            };
            (0..network.n_variables()).filter(|&v| holds(v)).map(family).product()
        };
        let mut best = f64::NEG_INFINITY;
        for (mut codes, _) in joint(&network) {
            codes[class] = c;
            let first = own(&codes);
            codes[class] = other;
            let second = own(&codes);
            if first > 0.0 {
                best = best.max((first / second).ln());
            }
        }
        prop_assert!(close(found.value, best), "{} {best}", found.value);
        if best.is_finite() {
            let blanket = |v: usize| v != class
                && (0..network.n_variables()).any(|u| holds(u) && (u == v || network.dag().parents(u).contains(&(v as u32))));
            prop_assert!((0..network.n_variables()).all(|v| (found.at[v] == MISSING) != blanket(v)));
            let mut codes: Vec<u16> = found.at.iter().map(|&code| if code == MISSING { 0 } else { code }).collect();
            codes[class] = c;
            let first = own(&codes);
            codes[class] = other;
            prop_assert!(close((first / own(&codes)).ln(), best));
        }
    }
}

fn binary(name: &str) -> Variable {
    Variable { name: name.into(), states: vec!["no".into(), "yes".into()] }
}

/// A grid of binary variables, each with its left and upper neighbor as parents.
/// The treewidth grows with the side.
fn grid(side: u32) -> Network {
    let mut rng = rng(9);
    let (mut variables, mut cpts) = (Vec::new(), Vec::new());
    for at in 0..side * side {
        let mut parents = Vec::new();
        if at >= side {
            parents.push(at - side);
        }
        if at % side > 0 {
            parents.push(at - 1);
        }
        let p = (0..1 << parents.len())
            .flat_map(|_| {
                let p = f64::from(imbcore_core::random_below(&mut rng, 999) + 1) / 1000.0;
                [p, 1.0 - p]
            })
            .collect();
        variables.push(binary(&format!("x{at}")));
        cpts.push(Cpt::from_dense_cells(parents.clone(), vec![2; parents.len()], 2, p).unwrap());
    }
    Network::new(variables, cpts).unwrap()
}

#[test]
fn invalid_queries_are_rejected() {
    let network = grid(2);
    let query = |targets: &[u32], evidence: &[(u32, u16)]| {
        posterior(&network, targets, evidence, &QuerySettings::default(), RunContext::silent())
            .unwrap_err()
            .to_string()
    };
    assert!(query(&[], &[]).contains("needs at least one target"));
    assert!(query(&[4], &[]).contains("only 4"));
    assert!(query(&[1, 1], &[]).contains("\"x1\" is a target twice"));
    assert!(query(&[1], &[(1, 0)]).contains("\"x1\" is both a target and evidence"));
    assert!(query(&[1], &[(2, 2)]).contains("state 2"));
    assert!(query(&[1], &[(2, 0), (2, 1)]).contains("\"x2\" twice"));
    assert!(query(&[1], &[(7, 0)]).contains("variable 7"));
    assert!(
        posterior_batch(
            &network,
            0,
            &DiscreteTable::new(vec![vec![0]; 3], vec![2; 3]).unwrap(),
            false,
            RunContext::silent()
        )
        .is_err()
    );
    assert!(max_log_ratio(&network, 0, 0, 2, RunContext::silent()).is_err());
}

#[test]
fn too_wide_networks_are_rejected_and_can_be_sampled() {
    let network = grid(6);
    let evidence: Vec<(u32, u16)> = vec![(35, 1), (20, 0), (7, 1)];
    let query =
        |settings: QuerySettings| posterior(&network, &[14, 21], &evidence, &settings, RunContext::silent());
    let exact = query(QuerySettings::default()).unwrap();
    assert!(exact.standard_error.is_none());
    let narrow = QuerySettings { max_cells: 16, ..QuerySettings::default() };
    let message = query(narrow).unwrap_err().to_string();
    assert!(message.contains("approx") && message.contains("16 cells"), "{message}");
    let estimate = query(QuerySettings { approx: Some(200_000), key: SeedKey::root(3), ..narrow }).unwrap();
    let errors = estimate.standard_error.unwrap();
    for ((a, b), error) in estimate.p.iter().zip(&exact.p).zip(&errors) {
        assert!((a - b).abs() < 5.0 * error && *error < 0.01, "{a} {b} {error}");
    }
    assert!((estimate.log_evidence - exact.log_evidence).abs() < 0.05);
}

#[test]
fn products_of_many_tables_do_not_underflow() {
    // 600 children in state 1: the likelihoods are far below the smallest positive number.
    let n = 601;
    let variables = (0..n).map(|v| binary(&format!("x{v}"))).collect();
    let child = || Cpt::from_dense_cells(vec![0], vec![2], 2, vec![0.999, 0.001, 0.998, 0.002]).unwrap();
    let mut cpts = vec![Cpt::from_dense_cells(vec![], vec![], 2, vec![0.5, 0.5]).unwrap()];
    cpts.extend((1..n).map(|_| child()));
    let network = Network::new(variables, cpts).unwrap();
    let evidence: Vec<(u32, u16)> = (1..n).map(|v| (v, 1)).collect();
    let answer =
        posterior(&network, &[0], &evidence, &QuerySettings::default(), RunContext::silent()).unwrap();
    let log = 600.0 * 0.002_f64.ln() + 0.5_f64.ln();
    assert!(close(answer.log_evidence, log) && close(answer.p[0], (600.0 * 0.5_f64.ln()).exp()));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let mut rng = rng(5);
    let network = grid(4);
    let table = table(&mut rng, &network, 5000, 2);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let logs = log_likelihood(&network, &table, RunContext::silent()).unwrap();
            let found = posterior_batch(&network, 5, &table, true, RunContext::silent()).unwrap();
            let bits = |all: Vec<f64>| all.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            (bits(logs), bits(found.p), bits(found.log_p.unwrap()))
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(7));
}

#[test]
fn rows_with_too_many_missing_values_are_named_in_the_error() {
    // Row 0 observes each third column of a grid of 30 columns, row 1 only the last corner.
    let network = grid(30);
    let known = |v: usize| if v.is_multiple_of(3) { 1 } else { MISSING };
    let last = |v: usize| if v == 899 { 1 } else { MISSING };
    let columns = (0..900).map(|v| vec![known(v), last(v)]).collect();
    let table = DiscreteTable::new(columns, network.n_states_by_variable()).unwrap();
    let message = log_likelihood(&network, &table, RunContext::silent()).unwrap_err().to_string();
    assert!(message.starts_with("row 1: ") && message.contains("more than 16777216 cells"), "{message}");
    assert!(log_likelihood(&network, &table.select_rows(&[0]), RunContext::silent()).unwrap()[0] < 0.0);
}
