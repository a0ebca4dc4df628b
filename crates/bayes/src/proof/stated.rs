//! The proof as it is written down, in terms of columns.

use super::directed::{add_down, mul_up};
use imbcore_base::{Error, Result};
use serde::{Deserialize, Serialize};

/// Variables that a proof may be about.
const MOST_VARIABLES: usize = 64;

/// Variables of a table of costs at most.
const MOST_IN_TABLE: usize = 8;

/// That no graph scores more than a bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphProof {
    /// No graph scores more.
    pub bound: f64,
    /// For each variable, what none of its families comes to by its score and the first prices of the first part.
    pub most: Vec<f64>,
    /// The first is about all graphs, others about those that a split before them leaves.
    pub parts: Vec<ProofPart>,
}

/// What holds for some of the graphs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProofPart {
    /// Cuts with prices; after each of the lists the families that it shows to be of no use are left out.
    pub steps: Vec<Vec<StatedCut>>,
    /// How the graphs are split that the steps do not close.
    pub split: Option<StatedSplit>,
}

/// An arc, and the parts of the graphs without and with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedSplit {
    /// Where it ends.
    pub child: u32,
    /// Where it starts.
    pub parent: u32,
    /// Place of the part about graphs without it.
    pub without: usize,
    /// Place of the part about graphs with it.
    pub with: usize,
}

/// What families of some variables pay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatedCut {
    /// By how much costs are multiplied.
    pub price: f64,
    /// The variables.
    pub variables: Vec<u32>,
    /// Empty: a variable pays 1 if none of its parents is among the variables. Otherwise variable `i` of `k` pays
    /// `costs[i << k | own]`, where the bits of `own` are the places of its parents among the variables.
    pub costs: Vec<f64>,
}

/// What one variable pays for a cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payment<'a> {
    price: f64,
    /// The variables as bits.
    set: u64,
    variables: &'a [u32],
    /// By the places of its parents; empty where it pays as long as it has none.
    costs: &'a [f64],
}

impl Payment<'_> {
    /// Price times cost under these parents, rounded up.
    pub(crate) fn under(&self, parents: u64) -> f64 {
        if self.costs.is_empty() {
            return if parents & self.set == 0 { self.price } else { 0.0 };
        }
        let here = self.variables.iter().enumerate().map(|(at, v)| (parents >> v & 1) << at);
        mul_up(self.price, self.costs[here.sum::<u64>() as usize])
    }
}

impl GraphProof {
    /// Refuses what is no proof about so many variables.
    ///
    /// # Errors
    /// [`Error::Data`] saying what is impossible.
    pub(crate) fn check(&self, n: usize) -> Result<()> {
        let fail = |what: &str| Err(Error::Data(format!("this is no certificate of the network: {what}")));
        if n > MOST_VARIABLES || self.most.len() != n {
            return fail("it is about another number of variables");
        }
        if !self.bound.is_finite() || !self.most.iter().all(|most| most.is_finite()) {
            return fail("a bound is not finite");
        }
        if self.parts.first().is_none_or(|first| first.steps.is_empty()) {
            return fail("it has no prices");
        }
        let mut named = vec![false; self.parts.len()];
        for (place, part) in self.parts.iter().enumerate() {
            if !part.steps.iter().flatten().all(|cut| cut.is_possible(n)) {
                return fail(
                    "a cut asks for more of families with more parents, or is not about these variables",
                );
            }
            let Some(split) = part.split else { continue };
            let known = split.child != split.parent && split.child.max(split.parent) < n as u32;
            for next in [split.without, split.with] {
                if !known || next <= place || next >= named.len() || named[next] {
                    return fail("it is split in an impossible way");
                }
                named[next] = true;
            }
        }
        Ok(())
    }
}

impl StatedCut {
    fn is_possible(&self, n: usize) -> bool {
        let k = self.variables.len();
        let mut own = self.variables.clone();
        own.sort_unstable();
        own.dedup();
        let variables = own.len() == k && k > 0 && own.iter().all(|&v| (v as usize) < n);
        variables && self.price.is_finite() && self.price >= 0.0 && (self.costs.is_empty() || self.is_table())
    }

    /// Whether the costs are a table in which further parents cost nothing.
    fn is_table(&self) -> bool {
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

    /// The variables as bits.
    pub(crate) fn set(&self) -> u64 {
        self.variables.iter().map(|v| 1 << v).sum()
    }

    /// What one of the variables pays; none pays that is not among them.
    pub(crate) fn of(&self, child: u32) -> Option<Payment<'_>> {
        let place = self.variables.iter().position(|&v| v == child)?;
        let costs = self.costs.chunks_exact(1 << self.variables.len()).nth(place).unwrap_or_default();
        Some(Payment { price: self.price, set: self.set(), variables: &self.variables, costs })
    }

    /// What every graph without circles pays: the least over all orders of the variables, each with all before it as
    /// parents, since more parents never cost more. Rounded down.
    pub(crate) fn least(&self) -> f64 {
        if self.costs.is_empty() {
            return 1.0;
        }
        let k = self.variables.len();
        let mut least = vec![0.0; 1 << k];
        for all in 1..1_usize << k {
            least[all] = (0..k)
                .filter(|&last| all >> last & 1 == 1)
                .map(|last| (last, all & !(1 << last)))
                .map(|(last, before)| add_down(least[before], self.costs[last << k | before]))
                .fold(f64::INFINITY, f64::min);
        }
        least[(1 << k) - 1]
    }
}
