//! Scoring of split candidates at one node.
//! Computes tables of the class sums of the branches, scores them, and keeps the best split of each column.

use crate::params::MissingRule;
use crate::rows::class_sums::ClassSums;
use crate::rows::training::TreeSample;
use crate::rows::weighting::Weighting;
use crate::settings::Settings;
use crate::split::majority_intervals::MajorityIntervalCounts;
use crate::split::monotone::MonotoneBounds;
use crate::split::score_bounds::{NOTHING, ScoreBounds};
use crate::split::split_candidate::{ColumnSplit, SplitCandidate, is_better};
use imbcore_core::SeedKey;
use imbcore_criteria::{BranchMasses, ColumnSelectionRule, Criterion, NodeScorer, split_info};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct NodeStats<'n> {
    pub(crate) sums: &'n ClassSums,
    pub(crate) guard: Option<MonotoneBounds<'n>>,
    pub(crate) key: SeedKey,
}

/// Scanner of one node, compiled separately for each pair of scorer type and weighting.
///
/// Several criteria may use the same scorer type.
pub(crate) struct SplitScanner<'n, N: NodeScorer, W: Weighting> {
    pub(crate) training: &'n TreeSample<'n>,
    pub(crate) settings: &'n Settings,
    criterion: &'n dyn Criterion<Node = N>,
    pub(crate) choice: ColumnSelectionRule,
    pub(crate) weigh: W,
    pub(crate) node: &'n ClassSums,
    pub(crate) guard: Option<MonotoneBounds<'n>>,
    pub(crate) key: SeedKey,
    pub(crate) scorer: N,
    /// Scorer computed only from the rows that have a value in the current column.
    ///
    /// It is set only if rows with missing values are split into fractions. The tables of class sums then
    /// contain only rows with a value.
    pub(crate) known_scorer: Option<N>,
    pub(crate) left: ClassSums,
    pub(crate) table: Vec<f64>,
    pub(crate) n_cuts: usize,
    /// Bounds on the scores of the current column's candidates; `None` if all are scored.
    pub(crate) screen: Option<ScoreBounds>,
    has_groups: bool,
    pub(crate) gaps: MajorityIntervalCounts<u32>,
    pub(crate) value_gaps: MajorityIntervalCounts<f64>,
    pub(crate) values: Vec<f64>,
}

pub(crate) struct ColumnClassSums<'o> {
    pub(crate) column: usize,
    pub(crate) n_known: usize,
    pub(crate) all_known: Cow<'o, ClassSums>,
    pub(crate) missing: ClassSums,
    pub(crate) n_missing: usize,
    /// Factor by which the scores of this column's splits are multiplied.
    ///
    /// If rows with missing values are split into fractions, it is the fraction of the node's mass that has a
    /// value, and `unknown` is the mass without a value. Otherwise, the factor is 1 and `unknown` is 0.
    pub(crate) share: f64,
    pub(crate) unknown: f64,
}

impl<'n, N: NodeScorer, W: Weighting> SplitScanner<'n, N, W> {
    pub(crate) fn new(
        training: &'n TreeSample<'n>,
        settings: &'n Settings,
        criterion: &'n dyn Criterion<Node = N>,
        weigh: W,
        node: NodeStats<'n>,
    ) -> Self {
        Self {
            training,
            settings,
            criterion,
            choice: criterion.column_selection_rule(),
            weigh,
            node: node.sums,
            guard: node.guard,
            key: node.key,
            scorer: criterion.node_scorer(&node.sums.mass),
            known_scorer: None,
            left: ClassSums::zero(training.n_classes()),
            table: Vec::new(),
            n_cuts: 0,
            screen: None,
            has_groups: criterion.compares_two_class_groups() && training.table.n_classes > 2,
            gaps: MajorityIntervalCounts::default(),
            value_gaps: MajorityIntervalCounts::default(),
            values: Vec::new(),
        }
    }

    pub(crate) fn column_class_sums(
        &self,
        column: usize,
        missing: ClassSums,
        known: impl FnOnce() -> ClassSums,
    ) -> ColumnClassSums<'n> {
        let n_missing = missing.n_rows() as usize;
        let n_known = self.node.n_rows() as usize - n_missing;
        if n_missing == 0 {
            let all_known = Cow::Borrowed(self.node);
            return ColumnClassSums {
                column,
                n_known,
                all_known,
                missing,
                n_missing,
                share: 1.0,
                unknown: 0.0,
            };
        }
        let all_known = known();
        let (share, unknown) = match self.settings.missing {
            MissingRule::Fraction => {
                let (known, unknown) = (all_known.total_mass(), missing.total_mass());
                (known / (known + unknown), unknown)
            }
            _ => (1.0, 0.0),
        };
        ColumnClassSums {
            column,
            n_known,
            all_known: Cow::Owned(all_known),
            missing,
            n_missing,
            share,
            unknown,
        }
    }

    pub(crate) fn best_column_split(
        &mut self,
        part: &ColumnClassSums<'_>,
        numeric: bool,
        walk: impl FnOnce(&mut Self, &mut Option<SplitCandidate>),
    ) -> Option<SplitCandidate> {
        if part.unknown > 0.0 && part.all_known.is_pure() && (numeric || !self.needs_threshold_count()) {
            // All rows with a value are of one class. Rows of other classes have missing values, and each
            // branch gets the same fraction of every such row. So no split separates the classes. With the
            // gain ratio, a nominal column is not skipped: it has gain 0, which counts in the mean gain
            // (Quinlan 1993).
            return None;
        }
        self.known_scorer = (part.unknown > 0.0).then(|| self.criterion.node_scorer(&part.all_known.mass));
        self.n_cuts = 0;
        let mut best = None;
        walk(self, &mut best);
        self.screen = None;
        if part.n_missing > 0 && self.settings.missing.learns_missing_branch(numeric) {
            self.score_missing_against_known(part, &mut best);
        }
        if let Some(winner) = &mut best {
            winner.n_cuts = self.n_cuts;
        }
        best
    }

    pub(crate) fn needs_threshold_count(&self) -> bool {
        matches!(self.choice, ColumnSelectionRule::Ratio { .. })
    }

    /// Constraints can exclude any threshold.
    ///
    /// The best allowed threshold may then be between rows of the same class.
    pub(crate) fn scores_all_thresholds(&self, column: usize) -> bool {
        self.settings.every_cut || self.guard.is_some_and(|guard| guard.constrains(column))
    }

    /// The sides are in the order in which they are tried.
    ///
    /// The closure `needed` receives a branch, and the number and the mass of the missing values in this
    /// branch. It returns how many rows with a value the branch needs in addition.
    pub(crate) fn feasible_thresholds_by_side(
        &self,
        part: &ColumnClassSums<'_>,
        needed: impl Fn(usize, (usize, f64)) -> usize,
    ) -> Vec<FeasibleThresholds> {
        let missing = (part.n_missing, part.missing.total_mass());
        self.candidate_missing_branches(part)
            .iter()
            .map(|&missing_branch| {
                let extra = |branch| if missing_branch == Some(branch) { missing } else { (0, 0.0) };
                let (first, last) = (needed(0, extra(0)), needed(1, extra(1)));
                // If the missing values alone are a large enough branch, this branch needs no rows with a
                // value.
                let free = |branch| usize::from(missing_branch != Some(branch));
                let limited = first > free(0) || last > free(1);
                let feasible = first.max(1)..(part.n_known + 1).saturating_sub(last.max(1));
                FeasibleThresholds { missing_branch, feasible, limited }
            })
            .collect()
    }

    pub(crate) fn candidate_missing_branches(&self, part: &ColumnClassSums<'_>) -> &'static [Option<u32>] {
        if part.n_missing > 0 && self.settings.missing.learns_missing_branch(true) {
            &[Some(1), Some(0)]
        } else {
            &[None]
        }
    }

    pub(crate) fn numeric_min_mass(&self, part: &ColumnClassSums<'_>) -> f64 {
        let least = self.settings.min_mass;
        if !self.settings.c45_min {
            return least;
        }
        (0.1 * part.all_known.total_mass() / self.training.table.n_classes as f64).min(25.0).max(least)
    }

    /// Returns how many rows a branch that has `rows` rows of mass `mass` still needs.
    ///
    /// Items are groups of rows. They are added to the branch in the given order until the branch has the
    /// minimum mass. The closure `add` adds an item to class sums and returns the number of its rows.
    pub(crate) fn n_rows_needed<I>(
        &self,
        items: impl Iterator<Item = I>,
        add: impl Fn(&mut ClassSums, I) -> usize,
        (rows, mass): (usize, f64),
        min_mass: f64,
    ) -> usize {
        let by_rows = self.settings.min_rows.saturating_sub(rows);
        if mass >= min_mass {
            return by_rows;
        }
        let mut sums = ClassSums::zero(self.training.n_classes());
        let mut by_mass = 0;
        for item in items {
            by_mass += add(&mut sums, item);
            self.weigh.compute_masses_from_counts(&mut sums);
            if mass + sums.total_mass() >= min_mass {
                break;
            }
        }
        by_rows.max(by_mass)
    }

    /// `self.left` must contain the class sums of the `n_left` rows below the threshold.
    pub(crate) fn score_threshold(
        &mut self,
        place: usize,
        n_left: usize,
        sides: &[FeasibleThresholds],
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let mut settled = false;
        for (way, side) in sides.iter().enumerate() {
            let may_win = || {
                let best = best.as_ref().map(|best| best.score);
                self.screen.as_ref().is_none_or(|screen| screen.may_be_optimal(way, n_left, best))
            };
            if !(side.feasible.contains(&n_left) && may_win()) {
                continue;
            }
            if !settled {
                self.weigh.compute_masses_from_counts(&mut self.left);
                settled = true;
            }
            self.fill_branch_masses(part, side.missing_branch);
            self.keep_split_if_best(part, side.missing_branch, best, || ColumnSplit::FirstPositions(place));
        }
    }

    pub(crate) fn fill_branch_masses(&mut self, part: &ColumnClassSums<'_>, missing_branch: Option<u32>) {
        self.fill_branch_masses_from(&part.all_known, part, missing_branch);
    }

    /// The right branch has all rows of `all` that are not in `self.left`.
    ///
    /// Rows with missing values are added to `missing_branch`.
    pub(crate) fn fill_branch_masses_from(
        &mut self,
        all: &ClassSums,
        part: &ColumnClassSums<'_>,
        missing_branch: Option<u32>,
    ) {
        let n_classes = self.training.n_classes();
        self.table.resize(2 * n_classes, 0.0);
        let (left, right) = self.table.split_at_mut(n_classes);
        left.copy_from_slice(&self.left.mass);
        for (class, cell) in right.iter_mut().enumerate() {
            *cell = self.weigh.remaining_mass(all, &self.left, class);
        }
        if let Some(branch) = missing_branch {
            let side = if branch == 0 { left } else { right };
            for (cell, missing) in side.iter_mut().zip(&part.missing.mass) {
                *cell += missing;
            }
        }
    }

    pub(crate) fn n_branches_of_min_size(&self, rows: impl Iterator<Item = usize>, least: f64) -> usize {
        let masses =
            self.table.chunks_exact(self.training.n_classes()).map(|cells| cells.iter().sum::<f64>());
        rows.zip(masses).filter(|&(rows, mass)| rows >= self.settings.min_rows && mass >= least).count()
    }

    pub(crate) fn score_missing_against_known(
        &mut self,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        if part.n_known == 0 || part.n_missing == 0 {
            return;
        }
        self.table.clear();
        self.table.extend_from_slice(&part.all_known.mass);
        self.table.extend_from_slice(&part.missing.mass);
        if self.n_branches_of_min_size([part.n_known, part.n_missing].into_iter(), self.settings.min_mass) < 2
        {
            return;
        }
        self.keep_split_if_best(part, Some(1), best, || ColumnSplit::Known);
    }

    pub(crate) fn keep_split_if_best(
        &mut self,
        part: &ColumnClassSums<'_>,
        missing_branch: Option<u32>,
        best: &mut Option<SplitCandidate>,
        found: impl Fn() -> ColumnSplit,
    ) -> bool {
        if self.guard.is_some() && !self.is_monotone_split(part, found().is_numeric()) {
            return false;
        }
        let score = self.score_current_split(part);
        let is_best = best.as_ref().is_none_or(|winner| is_better(score, winner.score));
        if is_best {
            let ratio = matches!(self.choice, ColumnSelectionRule::Ratio { .. });
            let branches =
                BranchMasses::new(&self.table, self.training.n_classes()).with_missing_mass(part.unknown);
            let info = if ratio { split_info(branches) } else { 0.0 };
            let scorer = self.known_scorer.as_ref().unwrap_or(&self.scorer);
            let group = if self.has_groups { scorer.last_split_class_group() } else { Vec::new() };
            let (column, found) = (part.column, found());
            *best = Some(SplitCandidate { column, score, found, missing_branch, info, n_cuts: 0, group });
        }
        is_best
    }

    #[inline]
    pub(crate) fn score_current_split(&mut self, part: &ColumnClassSums<'_>) -> f64 {
        let branches =
            BranchMasses::new(&self.table, self.training.n_classes()).with_missing_mass(part.unknown);
        let scorer = self.known_scorer.as_mut().unwrap_or(&mut self.scorer);
        let score = scorer.score(branches) * part.share;
        if score < NOTHING { 0.0 } else { score }
    }

    /// The masses of the children include fractions of rows with missing values.
    pub(crate) fn is_monotone_split(&self, part: &ColumnClassSums<'_>, ordered: bool) -> bool {
        let Some(guard) = self.guard.filter(|guard| guard.constrains(part.column)) else { return true };
        let n_classes = self.training.n_classes();
        if part.unknown == 0.0 {
            let masses: Vec<&[f64]> = self.table.chunks_exact(n_classes).collect();
            return guard.child_bounds(part.column, ordered, &masses).is_some();
        }
        let known = part.all_known.total_mass();
        let whole = |cells: &[f64]| -> Vec<f64> {
            let share = cells.iter().sum::<f64>() / known;
            cells.iter().zip(&part.missing.mass).map(|(cell, missing)| cell + missing * share).collect()
        };
        let masses: Vec<Vec<f64>> = self.table.chunks_exact(n_classes).map(whole).collect();
        guard
            .child_bounds(part.column, ordered, &masses.iter().map(Vec::as_slice).collect::<Vec<_>>())
            .is_some()
    }
}

/// Feasible thresholds of a column if its missing values go to a given branch.
///
/// A threshold is given by the number of rows with a value on its left.
pub(crate) struct FeasibleThresholds {
    pub(crate) missing_branch: Option<u32>,
    pub(crate) feasible: Range<usize>,
    /// Whether minimum branch sizes exclude at least one split of the column.
    ///
    /// The split of present against missing values counts as a split too.
    pub(crate) limited: bool,
}
