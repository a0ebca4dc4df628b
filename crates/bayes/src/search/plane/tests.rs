//! Tests that acyclic graphs satisfy all cuts, and that fractional solutions violate them.

use super::cut::{Cut, mask_within_set};
use super::lagrangian_bound::{CandidateFamily, lagrangian_bound};
use super::local_cuts::violated_cuts_of_size;
use super::master_program::FamilyWeight;
use super::separate::violated_cluster_cuts;
use crate::search::parent_sets::{VariableSet, members_of_set};
use proptest::prelude::*;

/// Random parent sets with weights; the weights of the parent sets of each variable sum to 1.
fn shares(n: u32) -> impl Strategy<Value = Vec<FamilyWeight>> {
    let of = move |child: u32| {
        proptest::collection::vec((0..1_u64 << n, 1..4_u32), 1..4).prop_map(move |drawn| {
            let all: u32 = drawn.iter().map(|&(_, weight)| weight).sum();
            let share = |(set, weight): (VariableSet, u32)| FamilyWeight {
                child,
                set: set & !(1 << child),
                part: f64::from(weight) / f64::from(all),
            };
            drawn.into_iter().map(share).collect::<Vec<_>>()
        })
    };
    (0..n).map(of).collect::<Vec<_>>().prop_map(|all| all.concat())
}

/// Total cost of a graph in a cut.
///
/// The parents of a variable are those members of its entry in `some` that precede it in `order`.
fn paid(cut: &Cut, order: &[u32], some: &[VariableSet]) -> f64 {
    let mut before: VariableSet = 0;
    let mut paid = 0.0;
    for (&v, some) in order.iter().zip(some) {
        paid += cut.family_cost(v, before & some);
        before |= 1 << v;
    }
    paid
}

proptest! {
    #[test]
    fn every_graph_pays_every_cut_and_the_solution_does_not(
        shares in shares(5),
        order in Just((0..5).collect::<Vec<u32>>()).prop_shuffle(),
        some in proptest::collection::vec(0..32_u64, 5),
    ) {
        let mut cuts = violated_cluster_cuts(&shares, 5);
        for k in 3..=4 {
            cuts.extend(violated_cuts_of_size(&shares, 5, k, || Ok(())).unwrap());
        }
        for cut in cuts {
            let solution: f64 = shares.iter().map(|of| of.part * cut.family_cost(of.child, of.set)).sum();
            prop_assert!(solution < cut.min_total_cost() - 1e-4, "{cut:?}: {solution}");
            prop_assert!(paid(&cut, &order, &some) > cut.min_total_cost() - 1e-9, "{cut:?}");
            for v in members_of_set(cut.variable_set()) {
                for set in 0..32_u64 {
                    let more = set | some[0];
                    prop_assert!(cut.family_cost(v, more & !(1 << v)) <= cut.family_cost(v, set & !(1 << v)) + 1e-12);
                }
            }
        }
    }

    #[test]
    fn no_graph_pays_less_than_prices_prove(
        regrets in proptest::collection::vec(0..50_u32, 5 * 32),
        drawn in shares(5),
        prices in proptest::collection::vec(0.0..9.0, 40),
        order in Just((0..5).collect::<Vec<u32>>()).prop_shuffle(),
        some in proptest::collection::vec(0..32_u64, 5),
    ) {
        let regret = |v: u32, set: VariableSet| f64::from(regrets[v as usize * 32 + set as usize]);
        let family = |v: u32| (0..32).filter(move |set| set >> v & 1 == 0).map(move |set| (v, set));
        let open = (0..5)
            .map(|v| family(v).map(|(v, set)| CandidateFamily { set, regret: regret(v, set) }).collect())
            .collect();
        let cuts = violated_cluster_cuts(&drawn, 5).into_iter().chain(violated_cuts_of_size(&drawn, 5, 3, || Ok(())).unwrap());
        let shown = lagrangian_bound(&open, &cuts.zip(prices).collect::<Vec<_>>());
        let (mut before, mut pays): (VariableSet, f64) = (0, 0.0);
        for (&v, some) in order.iter().zip(&some) {
            pays += regret(v, before & some);
            before |= 1 << v;
        }
        prop_assert!(shown.bound <= pays + 1e-9, "{} {pays}", shown.bound);
    }
}

#[test]
fn cycle_of_three_violates_its_cluster() {
    let share = |child: u32, set: VariableSet| FamilyWeight { child, set, part: 1.0 };
    let circle = [share(0, 0b100), share(1, 0b001), share(2, 0b010), share(3, 0)];
    assert_eq!(violated_cluster_cuts(&circle, 4), [Cut::Cluster(0b111)]);
    assert_eq!((mask_within_set(0b1000, 0b1011), mask_within_set(0b1111, 0b1010)), (0b100, 0b11));
}
