//! Selection of the arc by which a node is split into two branches.

use super::lagrangian_bound::CandidateFamilies;
use super::master_program::{FamilyWeight, MasterProgram};
use crate::search::parent_sets::members_of_set;
use imbcore_core::{Result, parallel};
use std::collections::BTreeMap;

/// Number of arcs for which both branches are solved before one of the arcs is selected.
const TRIED: usize = 8;

/// An arc that no graph of one branch contains and every graph of the other branch contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BranchArc {
    pub(crate) child: u32,
    pub(crate) parent: u32,
}

impl BranchArc {
    /// Whether a branch has graphs in which the parents of `child` are `set`.
    ///
    /// The branch is the one with the arc if `with` is true, else the one without the arc.
    pub(crate) fn allows_family(self, with: bool, child: u32, set: u64) -> bool {
        child != self.child || (set >> self.parent & 1 == 1) == with
    }

    pub(crate) fn families_in_branch(self, with: bool, open: &CandidateFamilies) -> CandidateFamilies {
        let suitable = |(v, families): (usize, &Vec<_>)| {
            let suits = |family: &&super::CandidateFamily| self.allows_family(with, v as u32, family.set);
            families.iter().filter(suits).copied().collect()
        };
        open.iter().enumerate().map(suitable).collect()
    }
}

/// Strong branching: selects an arc whose weight in the LP solution is neither 0 nor 1.
///
/// Both branches are solved for some of these arcs. The selected arc has the largest product of the increases
/// of the two lower bounds.
pub(crate) fn choose_branch_arc(
    master: &MasterProgram,
    shares: &[FamilyWeight],
    most: f64,
    check: impl Fn() -> Result<()> + Sync,
) -> Result<Option<BranchArc>> {
    let mut parts: BTreeMap<BranchArc, f64> = BTreeMap::new();
    for of in shares {
        for parent in members_of_set(of.set) {
            *parts.entry(BranchArc { child: of.child, parent }).or_default() += of.part;
        }
    }
    let mut parts: Vec<(BranchArc, f64)> =
        parts.into_iter().filter(|&(_, part)| part > 1e-6 && part < 1.0 - 1e-6).collect();
    parts.sort_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()).then(a.0.cmp(&b.0)));
    parts.truncate(TRIED);
    let now = master.objective();
    let gain = |arc: BranchArc, with: bool| {
        let mut program = master.restricted_to_families(|child, set| arc.allows_family(with, child, set));
        let optimal = program.minimize(&check)?;
        Ok(if optimal { (program.objective().min(most) - now).max(1e-6) } else { 1e-6 })
    };
    let worth = |&(arc, _): &(BranchArc, f64)| Ok((gain(arc, true)? * gain(arc, false)?, arc));
    let worths: Vec<(f64, BranchArc)> = parallel::try_map(&parts, worth)?;
    Ok(worths.into_iter().reduce(|best, of| if of.0 > best.0 { of } else { best }).map(|(_, arc)| arc))
}

pub(crate) fn any_branch_arc(open: &CandidateFamilies) -> Option<BranchArc> {
    let undecided = |(v, families): (usize, &Vec<super::CandidateFamily>)| {
        let (all, some) =
            families.iter().fold((u64::MAX, 0), |(all, some), of| (all & of.set, some | of.set));
        let parent = members_of_set(some & !all).next()?;
        Some(BranchArc { child: v as u32, parent })
    };
    open.iter().enumerate().find_map(undecided)
}
