//! A bound on what any graph can score, from sets of variables of which one must have all its parents outside.
//!
//! Let the regret of a family be what it scores less than the best family of its child. In every graph without circles each
//! set of variables (cluster) has a member none of whose parents is in it (Jaakkola, Sontag, Globerson and Meila 2010). So a
//! number that is taken from the regret of all families of the members of a cluster without a parent in it is paid at least
//! once. Taking as much as leaves every regret at least 0, cluster after cluster, is a dual ascent (as in Trösser, de Givry
//! and Katsirelos 2021): the sum of what was taken bounds the regret of every graph from below, and what is left of a
//! family's regret is what a graph with that family pays more.

use super::parent_sets::{Candidates, Parents, Set, members};
use imbcore_base::{Result, RunCtl};

/// A set of variables, and what every graph pays for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cluster {
    pub(crate) set: Set,
    pub(crate) price: f64,
}

/// A family of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    pub(crate) set: Set,
    pub(crate) regret: f64,
    /// The part of the regret that is not paid yet.
    pub(crate) left: f64,
}

/// Families of some variables with their regrets, and the clusters that were paid for.
#[derive(Clone, Debug)]
pub(crate) struct Relaxation {
    /// The variables that are to be put in order; all others come before them.
    pub(crate) all: Set,
    /// Families of every variable, least regret first; none of those outside.
    pub(crate) families: Vec<Vec<Family>>,
    pub(crate) clusters: Vec<Cluster>,
}

impl Relaxation {
    /// The families of all variables.
    pub(crate) fn new(candidates: &[Candidates]) -> Self {
        let of = |one: &Candidates| {
            let most = one.sets.first().map_or(0.0, |first| first.score);
            let family = |parents: &Parents| {
                let regret = most - parents.score;
                Family { set: parents.set, regret, left: regret }
            };
            one.sets.iter().map(family).collect()
        };
        let all = (0..candidates.len()).map(|v| 1 << v).sum();
        Self { all, families: candidates.iter().map(of).collect(), clusters: Vec::new() }
    }

    /// The same families of some of the variables, with nothing paid.
    pub(crate) fn part(&self, all: Set) -> Self {
        let of = |(v, families): (usize, &Vec<Family>)| {
            let own = if all >> v & 1 == 1 { families.as_slice() } else { &[] };
            own.iter().map(|&family| Family { left: family.regret, ..family }).collect()
        };
        Self { all, families: self.families.iter().enumerate().map(of).collect(), clusters: Vec::new() }
    }

    /// Least regret of a variable among those before it, and the family that has it.
    pub(crate) fn best(&self, v: u32, before: Set) -> Option<&Family> {
        self.families[v as usize].iter().find(|family| family.set & self.all & !before == 0)
    }

    /// Parts that can be put in order on their own: no family that is left leads back from one to an earlier one.
    pub(crate) fn parts(&self) -> Vec<Set> {
        let n = self.families.len();
        let parents = |v: usize| self.families[v].iter().fold(0, |all, family| all | family.set) & self.all;
        // What leads to each variable, closed by Warshall's steps.
        let mut reach: Vec<Set> = (0..n).map(parents).collect();
        for via in members(self.all) {
            for v in members(self.all) {
                if reach[v as usize] >> via & 1 == 1 {
                    reach[v as usize] |= reach[via as usize];
                }
            }
        }
        let mut waiting = self.all;
        let mut parts = Vec::new();
        while waiting != 0 {
            let v = waiting.trailing_zeros();
            let both = |&u: &u32| reach[v as usize] >> u & 1 == 1 && reach[u as usize] >> v & 1 == 1;
            let part: Set = members(waiting).filter(both).map(|u| 1 << u).sum::<Set>() | 1 << v;
            parts.push(part);
            waiting &= !part;
        }
        parts
    }

    /// What every graph pays at least.
    pub(crate) fn bound(&self) -> f64 {
        self.clusters.iter().map(|cluster| cluster.price).sum()
    }

    /// Pays for clusters until the families that are left without regret allow an order.
    pub(crate) fn ascend(&mut self, tolerance: f64, ctl: RunCtl<'_>) -> Result<()> {
        loop {
            ctl.check()?;
            let violated = self.unordered(0, self.all, tolerance);
            if violated == 0 {
                return Ok(());
            }
            let cluster = self.smallest(violated, tolerance);
            if !self.pay(cluster, tolerance) {
                return Ok(());
            }
        }
    }

    /// The variables among `within` that cannot come after those in `done`, each under a family without regret.
    fn unordered(&self, done: Set, within: Set, tolerance: f64) -> Set {
        let (mut done, mut waiting) = (done, within);
        loop {
            let open = |family: &Family| family.left <= tolerance && family.set & self.all & !done == 0;
            let free = |v: &u32| self.families[*v as usize].iter().any(open);
            let ready: Set = members(waiting).filter(free).map(|v| 1 << v).sum();
            if ready == 0 {
                return waiting;
            }
            done |= ready;
            waiting &= !ready;
        }
    }

    /// A part of a violated cluster that is violated and has no such part itself.
    fn smallest(&self, cluster: Set, tolerance: f64) -> Set {
        let mut smallest = cluster;
        for v in members(cluster) {
            if smallest >> v & 1 == 0 {
                continue;
            }
            let rest = smallest & !(1 << v);
            let still = self.unordered(self.all & !rest, rest, tolerance);
            if still != 0 {
                smallest = still;
            }
        }
        smallest
    }

    /// Takes as much as can be taken for a cluster; whether that is anything.
    fn pay(&mut self, set: Set, tolerance: f64) -> bool {
        let outside = |family: &&mut Family| family.set & set == 0;
        let of = |families: &mut Vec<Family>| {
            families.iter_mut().filter(outside).map(|family| family.left).fold(f64::INFINITY, f64::min)
        };
        let price = members(set).map(|v| of(&mut self.families[v as usize])).fold(f64::INFINITY, f64::min);
        if !(price > tolerance && price.is_finite()) {
            return false;
        }
        for v in members(set) {
            let families = self.families[v as usize].iter_mut();
            families.filter(outside).for_each(|family| family.left = (family.left - price).max(0.0));
        }
        self.clusters.push(Cluster { set, price });
        true
    }

    /// Drops families with which a graph would pay more than `most`; whether any went.
    pub(crate) fn fix(&mut self, most: f64) -> bool {
        let bound = self.bound();
        let count = |families: &[Vec<Family>]| families.iter().map(Vec::len).sum::<usize>();
        let before = count(&self.families);
        for families in &mut self.families {
            families.retain(|family| bound + family.left <= most);
        }
        count(&self.families) < before
    }
}
