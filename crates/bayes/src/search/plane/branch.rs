//! Selection of the arc to branch on.

use super::master::{FamilyWeight, MasterProgram};
use super::prices::CandidateFamilies;
use crate::search::parent_sets::members;
use imbcore_core::{Result, share};
use std::collections::BTreeMap;

/// Number of arcs that are tried.
const TRIED: usize = 8;

/// An arc that is fixed as present or absent by branching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BranchArc {
    pub(crate) child: u32,
    pub(crate) parent: u32,
}

impl BranchArc {
    /// Whether a family may occur in a graph with the arc (`with`) or without it.
    pub(crate) fn allows_family(self, with: bool, child: u32, set: u64) -> bool {
        child != self.child || (set >> self.parent & 1 == 1) == with
    }

    /// The families that may occur in such graphs.
    pub(crate) fn split(self, with: bool, open: &CandidateFamilies) -> CandidateFamilies {
        let suitable = |(v, families): (usize, &Vec<_>)| {
            let suits = |family: &&super::CandidateFamily| self.allows_family(with, v as u32, family.set);
            families.iter().filter(suits).copied().collect()
        };
        open.iter().enumerate().map(suitable).collect()
    }
}

/// Strong branching among arcs that are fractional in the LP solution.
/// Selects the arc for which the product of the bound increases of both branches is largest.
pub(crate) fn choose(
    master: &MasterProgram,
    shares: &[FamilyWeight],
    most: f64,
    check: impl Fn() -> Result<()> + Sync,
) -> Result<Option<BranchArc>> {
    let mut parts: BTreeMap<BranchArc, f64> = BTreeMap::new();
    for of in shares {
        for parent in members(of.set) {
            *parts.entry(BranchArc { child: of.child, parent }).or_default() += of.part;
        }
    }
    let mut parts: Vec<(BranchArc, f64)> =
        parts.into_iter().filter(|&(_, part)| part > 1e-6 && part < 1.0 - 1e-6).collect();
    parts.sort_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()).then(a.0.cmp(&b.0)));
    parts.truncate(TRIED);
    let now = master.objective();
    let gain = |arc: BranchArc, with: bool| {
        let mut program = master.only(|child, set| arc.allows_family(with, child, set));
        let optimal = program.minimize(&check)?;
        Ok(if optimal { (program.objective().min(most) - now).max(1e-6) } else { 1e-6 })
    };
    let worth = |&(arc, _): &(BranchArc, f64)| Ok((gain(arc, true)? * gain(arc, false)?, arc));
    let worths: Vec<(f64, BranchArc)> = share::try_map(&parts, worth)?;
    Ok(worths.into_iter().reduce(|best, of| if of.0 > best.0 { of } else { best }).map(|(_, arc)| arc))
}

/// Any arc that some but not all families of a variable have.
pub(crate) fn any(open: &CandidateFamilies) -> Option<BranchArc> {
    let undecided = |(v, families): (usize, &Vec<super::CandidateFamily>)| {
        let (all, some) =
            families.iter().fold((u64::MAX, 0), |(all, some), of| (all & of.set, some | of.set));
        let parent = members(some & !all).next()?;
        Some(BranchArc { child: v as u32, parent })
    };
    open.iter().enumerate().find_map(undecided)
}
