//! The proof as it is serialized; variables are numbered as columns of the table.

use super::directed::{add_rounded_down, multiply_rounded_up};
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

const MOST_VARIABLES: usize = 64;

/// Maximum number of variables of a cut that lists its costs in a table.
const MOST_IN_TABLE: usize = 8;

/// Proof that no graph that the constraints allow scores more than a bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphProof {
    /// Upper bound on the score of any allowed graph.
    pub bound: f64,
    /// For each variable, the largest reduced score of its parent sets (see the module `proof`).
    ///
    /// The reduced scores use the cuts of the first step of the first part.
    pub most: Vec<f64>,
    /// Parts of the proof; the first part covers all graphs.
    ///
    /// A part may be split by an arc. Two later parts then cover its graphs with the arc, and its graphs
    /// without the arc.
    pub parts: Vec<ProofNode>,
}

/// Part of a proof; covers all graphs, or only graphs that have some arcs and lack others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProofNode {
    /// Steps of the proof for these graphs; each step is a list of cuts with multipliers.
    ///
    /// Each step excludes parent sets, which are dropped before the next step.
    pub steps: Vec<Vec<ProofCut>>,
    /// Arc by which the remaining graphs are split in two; `None` if no graph remains.
    ///
    /// The remaining graphs are those that the steps do not exclude.
    pub split: Option<ProofSplit>,
}

/// An arc, with the part of the proof for graphs with it, and the part for graphs without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofSplit {
    /// Head of the arc.
    pub child: u32,
    /// Tail of the arc.
    pub parent: u32,
    /// Index of the part of the proof for graphs without the arc.
    pub without: usize,
    /// Index of the part of the proof for graphs with the arc.
    pub with: usize,
}

/// Cut: costs of the families of some variables (see the module `proof`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofCut {
    /// Multiplier of the costs.
    pub price: f64,
    /// Variables of the cut.
    pub variables: Vec<u32>,
    /// Cost table; empty for a cluster cut.
    ///
    /// In a cluster cut, a variable costs 1 if no parent of it is among the variables of the cut, else 0. In
    /// any other cut of `k` variables, variable `i` costs `costs[i << k | own]`. The bits of `own` are the
    /// positions, among the variables of the cut, of the parents of variable `i`.
    pub costs: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CutFamilyCosts<'a> {
    price: f64,
    set: u64,
    variables: &'a [u32],
    costs: &'a [f64],
}

impl CutFamilyCosts<'_> {
    /// Cost that the cut assigns to a parent set, times the multiplier of the cut, rounded up.
    pub(crate) fn weighted_cost(&self, parents: u64) -> f64 {
        if self.costs.is_empty() {
            return if parents & self.set == 0 { self.price } else { 0.0 };
        }
        let here = self.variables.iter().enumerate().map(|(at, v)| (parents >> v & 1) << at);
        multiply_rounded_up(self.price, self.costs[here.sum::<u64>() as usize])
    }
}

impl GraphProof {
    /// Checks that the proof is consistent and that its graphs have `n` variables.
    ///
    /// # Errors
    /// [`Error::Data`] with the inconsistency.
    pub(crate) fn check(&self, n: usize) -> Result<()> {
        let fail = |what: &str| Err(Error::Data(format!("this is not a certificate of the network: {what}")));
        if n > MOST_VARIABLES || self.most.len() != n {
            return fail("its number of variables differs");
        }
        if !self.bound.is_finite() || !self.most.iter().all(|most| most.is_finite()) {
            return fail("a bound is not finite");
        }
        if self.parts.first().is_none_or(|first| first.steps.is_empty()) {
            return fail("it has no multipliers");
        }
        let mut named = vec![false; self.parts.len()];
        for (place, part) in self.parts.iter().enumerate() {
            if !part.steps.iter().flatten().all(|cut| cut.is_consistent(n)) {
                return fail("a cut costs more with more parents, or refers to unknown variables");
            }
            let Some(split) = part.split else { continue };
            let known = split.child != split.parent && split.child.max(split.parent) < n as u32;
            for next in [split.without, split.with] {
                if !known || next <= place || next >= named.len() || named[next] {
                    return fail("its splits are inconsistent");
                }
                named[next] = true;
            }
        }
        Ok(())
    }
}

impl ProofCut {
    fn is_consistent(&self, n: usize) -> bool {
        let k = self.variables.len();
        let mut own = self.variables.clone();
        own.sort_unstable();
        own.dedup();
        let variables = own.len() == k && k > 0 && own.iter().all(|&v| (v as usize) < n);
        variables
            && self.price.is_finite()
            && self.price >= 0.0
            && (self.costs.is_empty() || self.is_monotone_table())
    }

    fn is_monotone_table(&self) -> bool {
        let k = self.variables.len();
        if k > MOST_IN_TABLE || self.costs.len() != k << k || !self.costs.iter().all(|cost| cost.is_finite())
        {
            return false;
        }
        let falls = |at: usize| {
            let (i, own) = (at >> k, at & ((1 << k) - 1));
            (0..k).filter(|&j| own >> j & 1 == 0 && j != i).all(|j| self.costs[at | 1 << j] <= self.costs[at])
        };
        (0..self.costs.len()).filter(|at| at >> (at >> k) & 1 == 0).all(falls)
    }

    pub(crate) fn variable_set(&self) -> u64 {
        self.variables.iter().map(|v| 1 << v).sum()
    }

    pub(crate) fn family_costs(&self, child: u32) -> Option<CutFamilyCosts<'_>> {
        let place = self.variables.iter().position(|&v| v == child)?;
        let costs = self.costs.chunks_exact(1 << self.variables.len()).nth(place).unwrap_or_default();
        Some(CutFamilyCosts {
            price: self.price,
            set: self.variable_set(),
            variables: &self.variables,
            costs,
        })
    }

    /// Lower bound on the total cost in this cut of any acyclic graph, rounded down.
    ///
    /// More parents never cost more, so the cheapest graph is complete: there is an order of the variables in
    /// which each variable has all variables before it as parents. The bound is the minimum over all orders.
    pub(crate) fn min_total_cost(&self) -> f64 {
        if self.costs.is_empty() {
            return 1.0;
        }
        let k = self.variables.len();
        let mut least = vec![0.0; 1 << k];
        for all in 1..1_usize << k {
            least[all] = (0..k)
                .filter(|&last| all >> last & 1 == 1)
                .map(|last| (last, all & !(1 << last)))
                .map(|(last, before)| add_rounded_down(least[before], self.costs[last << k | before]))
                .fold(f64::INFINITY, f64::min);
        }
        least[(1 << k) - 1]
    }
}
