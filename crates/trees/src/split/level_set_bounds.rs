//! Screening of sets of levels: bounds on their scores, computed before any set is scored.
//!
//! With many classes, filling and scoring a table of class sums is slow. One pass over the levels computes
//! bounds on the scores of all sets, in time linear in the rows of the node.

use crate::rows::class_sums::ClassSums;
use crate::rows::weighting::Weighting;
use crate::split::level_subsets::LevelSums;
use crate::split::score_bounds::ScoreBounds;
use crate::split::split_candidate::SplitCandidate;
use crate::split::split_scanner::{ColumnClassSums, SplitScanner};
use imbcore_criteria::NodeScorer;

/// Relative tolerance within which a branch mass counts as near the minimum mass.
///
/// Such a mass is summed again exactly, because the comparison with the minimum could be wrong.
const NEAR: f64 = 1e-9;

#[derive(Clone, Copy)]
pub(crate) enum CandidateLevelSets<'o> {
    /// Sets that contain a single level; the field is the number of these sets.
    ///
    /// In [`ScoreBounds`], set `i` contains the level at position `i`.
    Each(usize),
    /// Prefixes of an ordered list of all levels, numbered in [`ScoreBounds`] by their length.
    Prefixes(&'o [usize]),
}

/// Class sums of the rows that a split by a set of levels divides.
///
/// `ways` are the branches to which missing values may go. `None` means that missing values are not added to
/// a branch.
pub(crate) struct LevelSetSides<'n> {
    pub(crate) all: &'n ClassSums,
    pub(crate) n_all: usize,
    pub(crate) ways: &'static [Option<u32>],
}

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    pub(crate) fn may_be_best(&self, at: usize, best: Option<&SplitCandidate>) -> bool {
        let best = best.map(|best| best.score);
        self.screen
            .as_ref()
            .is_none_or(|screen| (0..screen.upper.len()).any(|way| screen.may_be_optimal(way, at, best)))
    }

    /// A set divides all rows if missing values are a level, otherwise the rows with a value.
    pub(crate) fn level_set_sides<'p>(&self, part: &'p ColumnClassSums<'_>) -> LevelSetSides<'p>
    where
        Self: 'p,
    {
        if self.is_missing_a_level() {
            return LevelSetSides { all: self.node, n_all: part.n_known + part.n_missing, ways: &[None] };
        }
        let ways = self.missing_sides_for_set(part);
        LevelSetSides { all: &part.all_known, n_all: part.n_known, ways }
    }

    /// Computes bounds on the scores of sets of levels; `None` if every set is scored.
    pub(crate) fn level_score_bounds(
        &mut self,
        levels: &LevelSums,
        sets: CandidateLevelSets<'_>,
        part: &ColumnClassSums<'_>,
    ) -> Option<ScoreBounds> {
        if !self.can_bound_scores(part) {
            return None;
        }
        let known_only = self.known_scorer.is_some();
        let LevelSetSides { all, n_all, ways } = match sets {
            CandidateLevelSets::Prefixes(_) => self.level_set_sides(part),
            CandidateLevelSets::Each(_) => LevelSetSides {
                all: &part.all_known,
                n_all: part.n_known,
                ways: self.missing_sides_for_set(part),
            },
        };
        let are_missing_levels = n_all > part.n_known;
        if ways.contains(&None) && part.n_missing > 0 && !known_only && !are_missing_levels {
            return None;
        }
        let mut screen = self.empty_score_bounds(part)?;
        let n_sets = match sets {
            CandidateLevelSets::Each(n_levels) => n_levels,
            CandidateLevelSets::Prefixes(order) => order.len() - 1,
        };
        let all_mass = all.total_mass();
        for &way in ways {
            self.left.reset();
            screen.reset_rows_to_right(part, way == Some(0));
            let (mut n_left, mut left_mass) = (0, 0.0);
            let mut upper = vec![f64::INFINITY; n_sets + 1];
            for index in 0..n_sets {
                let (place, at) = match sets {
                    CandidateLevelSets::Each(_) => (index, index),
                    CandidateLevelSets::Prefixes(order) => (order[index], index + 1),
                };
                let cells =
                    levels.level_class_counts(place).iter().map(|cell| (cell.class, cell.rows, cell.mass));
                levels.add_level_to_sums(place, &mut self.left);
                n_left += levels.n_rows(place);
                left_mass += levels.total_mass(place);
                let bounds = match sets {
                    CandidateLevelSets::Each(_) => {
                        screen.tracker.score_bounds_after_move(cells, part.unknown)
                    }
                    CandidateLevelSets::Prefixes(_) => {
                        cells
                            .for_each(|(class, rows, mass)| screen.tracker.move_rows_left(class, rows, mass));
                        screen.tracker.score_bounds(part.unknown)
                    }
                };
                upper[at] = bounds.1;
                let sides = [(n_left, left_mass), (n_all - n_left, all_mass - left_mass)];
                if self.has_large_enough_branches(sides, all, part, way) {
                    screen.feasible.push(bounds);
                }
                if matches!(sets, CandidateLevelSets::Each(_)) {
                    levels.clear_sums_of_level_classes(place, &mut self.left);
                    (n_left, left_mass) = (0, 0.0);
                }
            }
            screen.upper.push(upper);
        }
        screen.compute_score_limit();
        Some(screen)
    }

    /// Whether both branches of a split by a set of levels satisfy the minimum sizes.
    ///
    /// A mass near the minimum mass is summed exactly, as for a score. `self.left` contains the class sums of
    /// the set. `sides` are the row count and the rounded mass of the set, and of all other rows with a
    /// value.
    fn has_large_enough_branches(
        &mut self,
        sides: [(usize, f64); 2],
        all: &ClassSums,
        part: &ColumnClassSums<'_>,
        way: Option<u32>,
    ) -> bool {
        let least = self.settings.min_mass;
        let (mut rows, mut masses) = (sides.map(|side| side.0), sides.map(|side| side.1));
        if rows.contains(&0) {
            return false;
        }
        if let Some(branch) = way {
            rows[branch as usize] += part.n_missing;
            masses[branch as usize] += part.missing.total_mass();
        }
        let margin = NEAR * (masses[0] + masses[1]);
        if rows.iter().any(|&rows| rows < self.settings.min_rows) {
            return false;
        }
        if least <= 0.0 || masses.iter().all(|&mass| mass > least + margin) {
            return true;
        }
        if masses.iter().any(|&mass| mass < least - margin) {
            return false;
        }
        self.fill_branch_masses_from(all, part, way);
        self.n_branches_of_min_size(rows.into_iter(), least) == 2
    }
}
