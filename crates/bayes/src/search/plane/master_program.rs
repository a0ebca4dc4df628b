//! The linear program over the remaining families and the cuts found so far.
//!
//! The program minimizes the sum of regret times weight over all families. The regret of a family is the best
//! score of its variable minus its own score. The weights of the families of each variable sum to 1, and the
//! cuts are satisfied. Each variable has an additional artificial family without parents, which costs more
//! than any useful graph. The program is therefore always feasible.

use super::cut::{Cut, WeightedCut};
use super::lagrangian_bound::CandidateFamilies;
use crate::search::parent_sets::VariableSet;
use imbcore_core::Result;
use imbcore_solver::{LpStatus, Simplex};

/// Relative perturbation of the LP costs; small, because bounds must be accurate to 1e-6.
const RAISED: f64 = 1e-11;

/// Dual values below this number count as 0.
const NO_PRICE: f64 = 1e-9;

/// A cut may be removed if its dual value is 0 in more than this many consecutive solutions.
const IDLE: usize = 3;

/// A parent set of a variable, with its weight in a solution of the linear program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyWeight {
    pub(crate) child: u32,
    pub(crate) set: VariableSet,
    pub(crate) part: f64,
}

#[derive(Clone, Debug)]
struct CutRow {
    cut: Cut,
    row: usize,
    idle: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct MasterProgram {
    program: Simplex,
    columns: Vec<(u32, VariableSet, f64)>,
    cuts: Vec<CutRow>,
}

impl MasterProgram {
    /// Builds the linear program over the parent sets `open`.
    ///
    /// Only graphs that cost less than `most` are searched for, so artificial parent sets cost more than
    /// `most`.
    pub(crate) fn new(open: &CandidateFamilies, cuts: &[Cut], most: f64) -> Self {
        let mut program = Simplex::with_cost_perturbation(RAISED);
        let mut columns = Vec::new();
        for (v, families) in (0_u32..).zip(open) {
            let first = columns.len();
            columns.extend(families.iter().map(|family| (v, family.set, family.regret)));
            columns.push((v, 0, most + 1.0));
            for &(_, _, regret) in &columns[first..] {
                program.add_col(0.0, 1.0, regret, &[]);
            }
            for sign in [1.0, -1.0] {
                let entries: Vec<(usize, f64)> = (first..columns.len()).map(|col| (col, sign)).collect();
                program.add_row(&entries, sign);
            }
        }
        let mut master = Self { program, columns, cuts: Vec::new() };
        for cut in cuts {
            master.add_cut(cut.clone());
        }
        master
    }

    pub(crate) fn add_cut(&mut self, cut: Cut) {
        let charged = |(col, &(v, set, _)): (usize, &(u32, VariableSet, f64))| (col, cut.family_cost(v, set));
        let entries: Vec<(usize, f64)> =
            self.columns.iter().enumerate().map(charged).filter(|entry| entry.1 != 0.0).collect();
        let row = self.program.add_row(&entries, cut.min_total_cost());
        self.cuts.push(CutRow { cut, row, idle: 0 });
    }

    pub(crate) fn minimize(&mut self, check: impl FnMut() -> Result<()>) -> Result<bool> {
        Ok(self.program.minimize(check)? == LpStatus::Optimal)
    }

    pub(crate) fn objective(&self) -> f64 {
        self.columns.iter().enumerate().map(|(col, &(_, _, regret))| regret * self.program.value(col)).sum()
    }

    /// Cuts with positive dual values in the last solution.
    pub(crate) fn weighted_cuts(&self) -> Vec<WeightedCut> {
        let priced = |of: &CutRow| (of.cut.clone(), self.program.dual_value(of.row));
        self.cuts.iter().map(priced).filter(|of| of.1 > NO_PRICE).collect()
    }

    /// Parent sets with positive weight in the last solution of the linear program.
    pub(crate) fn family_weights(&self) -> Vec<FamilyWeight> {
        let family_weight = |(col, &(child, set, _)): (usize, &(u32, VariableSet, f64))| FamilyWeight {
            child,
            set,
            part: self.program.value(col),
        };
        self.columns.iter().enumerate().map(family_weight).filter(|of| of.part > 1e-7).collect()
    }

    /// Removes nonbinding cuts with dual value 0 in several consecutive LP solutions.
    pub(crate) fn remove_loose_cuts(&mut self) {
        let program = &mut self.program;
        self.cuts.retain_mut(|charged| {
            charged.idle = if program.dual_value(charged.row) > NO_PRICE { 0 } else { charged.idle + 1 };
            charged.idle <= IDLE || !program.drop_row_if_nonbinding(charged.row)
        });
    }

    pub(crate) fn restricted_to_families(&self, keep: impl Fn(u32, VariableSet) -> bool) -> Self {
        let mut other = self.clone();
        for (col, &(v, set, _)) in other.columns.iter().enumerate() {
            // The last column of each variable is its artificial parent set, which is always kept, so that
            // the program stays feasible.
            let last = other.columns.get(col + 1).is_none_or(|next| next.0 != v);
            if !last && !keep(v, set) {
                other.program.set_bounds(col, 0.0, 0.0);
            }
        }
        other
    }
}
