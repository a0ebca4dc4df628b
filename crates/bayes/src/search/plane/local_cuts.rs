//! Cuts over a few variables that exclude a fractional solution, but no acyclic graph.
//!
//! Consider a set of `k` variables. Let `gain(v, T)` be the gain of variable `v` from its parents `T` in the
//! set. It is 0 without parents, and more parents never lower it. The gain of an acyclic graph is at most the
//! gain of some order of the `k` variables, in which each variable has all variables before it as parents. A
//! linear program chooses the gains, between 0 and 1. It maximizes the gain of the fractional solution minus
//! the largest gain of any order.

use super::cut::{Cut, mask_within_set};
use super::master_program::FamilyWeight;
use super::separate::{BROKEN, families_with_parents};
use crate::search::parent_sets::{VariableSet, members_of_set};
use imbcore_core::{Result, parallel};
use imbcore_solver::{LpStatus, Simplex};
use std::collections::BTreeSet;

/// Maximum number of these cuts that are added between two solutions of the linear program.
const MOST: usize = 40;

pub(crate) fn violated_cuts_of_size(
    shares: &[FamilyWeight],
    n: usize,
    k: usize,
    check: impl Fn() -> Result<()> + Sync,
) -> Result<Vec<Cut>> {
    let shares = families_with_parents(shares);
    let sets = strongly_connected_sets(&shares, n, k);
    let cut = |&set: &VariableSet| most_violated_cut(&shares, set, &check);
    let mut found: Vec<(f64, Cut)> = parallel::try_map(&sets, cut)?.into_iter().flatten().collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.variable_set().cmp(&b.1.variable_set())));
    found.truncate(MOST);
    Ok(found.into_iter().map(|(_, cut)| cut).collect())
}

/// Sets of `k` variables that are strongly connected by the arcs of the LP solution.
///
/// A cut over any other set follows from cuts over its strongly connected parts.
fn strongly_connected_sets(shares: &[FamilyWeight], n: usize, k: usize) -> Vec<VariableSet> {
    let mut parents: Vec<VariableSet> = vec![0; n];
    for of in shares {
        parents[of.child as usize] |= of.set;
    }
    let mut children: Vec<VariableSet> = vec![0; n];
    for (v, &own) in parents.iter().enumerate() {
        for u in members_of_set(own) {
            children[u as usize] |= 1 << v;
        }
    }
    let mut sets: BTreeSet<VariableSet> = (0..n).map(|v| 1 << v).collect();
    for _ in 1..k {
        let near = |set: VariableSet| {
            members_of_set(set).fold(0, |all, v| all | parents[v as usize] | children[v as usize]) & !set
        };
        sets = sets.iter().flat_map(|&set| members_of_set(near(set)).map(move |v| set | 1 << v)).collect();
    }
    let reached = |set: VariableSet, by: &[VariableSet]| {
        let mut seen: VariableSet = 1 << set.trailing_zeros();
        loop {
            let next = members_of_set(seen).fold(seen, |all, v| all | by[v as usize]) & set;
            if next == seen {
                return seen == set;
            }
            seen = next;
        }
    };
    sets.into_iter().filter(|&set| reached(set, &parents) && reached(set, &children)).collect()
}

fn most_violated_cut(
    shares: &[FamilyWeight],
    set: VariableSet,
    check: &impl Fn() -> Result<()>,
) -> Result<Option<(f64, Cut)>> {
    let k = set.count_ones() as usize;
    let mut given = vec![0.0; k << k];
    for of in shares.iter().filter(|of| set >> of.child & 1 == 1) {
        given[mask_within_set(1 << of.child, set).ilog2() as usize * (1 << k)
            + mask_within_set(of.set, set)] += of.part;
    }
    let mut program = Simplex::default();
    let others = |i: usize| (1..1_usize << k).filter(move |own| own >> i & 1 == 0);
    let mut column = vec![usize::MAX; k << k];
    for i in 0..k {
        for own in others(i) {
            column[i << k | own] = program.add_col(0.0, 1.0, -given[i << k | own], &[]);
        }
    }
    let most = program.add_col(0.0, k as f64, 1.0, &[]);
    for i in 0..k {
        for own in others(i) {
            let less = (0..k).map(|j| own & !(1 << j)).filter(|&less| less != own && less != 0);
            for less in less {
                program.add_row(&[(column[i << k | own], 1.0), (column[i << k | less], -1.0)], 0.0);
            }
        }
    }
    for_each_permutation(k, &mut Vec::new(), &mut |order| {
        let mut before = 0;
        let mut entries = vec![(most, 1.0)];
        for &i in order {
            if before != 0 {
                entries.push((column[i << k | before], -1.0));
            }
            before |= 1 << i;
        }
        program.add_row(&entries, 0.0);
    });
    if program.minimize(check)? != LpStatus::Optimal {
        return Ok(None);
    }
    let mut gain = vec![0.0; k << k];
    for i in 0..k {
        for own in others(i) {
            let value = round_gain_to_sixtieths(program.value(column[i << k | own]));
            let less = (0..k).map(|j| gain[i << k | (own & !(1 << j))]);
            gain[i << k | own] = less.fold(value, f64::max);
        }
    }
    let all = (1 << k) - 1;
    let cost = |(at, gained): (usize, &f64)| {
        let i = at >> k;
        if at & 1 << i != 0 { 0.0 } else { gain[i << k | (all & !(1 << i))] - gained }
    };
    let costs: Vec<f64> = gain.iter().enumerate().map(cost).collect();
    let cut = Cut::from_costs(set, costs);
    let first = |i: usize| members_of_set(set).nth(i).map_or(0.0, |v| cut.family_cost(v, 0));
    let whole: f64 = (0..k).map(first).sum();
    let gained: f64 = gain.iter().zip(&given).map(|(gain, given)| gain * given).sum();
    let broken = gained - (whole - cut.min_total_cost());
    Ok((broken > BROKEN).then_some((broken, cut)))
}

/// Rounds a gain to the nearest multiple of 1/60 if both differ only by a rounding error.
fn round_gain_to_sixtieths(gain: f64) -> f64 {
    let near = (gain * 60.0).round() / 60.0;
    if (near - gain).abs() < 1e-6 { near } else { gain }
}

fn for_each_permutation(k: usize, order: &mut Vec<usize>, each: &mut impl FnMut(&[usize])) {
    if order.len() == k {
        return each(order);
    }
    for i in 0..k {
        if !order.contains(&i) {
            order.push(i);
            for_each_permutation(k, order, each);
            order.pop();
        }
    }
}
