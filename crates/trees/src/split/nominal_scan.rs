//! Splits of a nominal column at one node.

use crate::masses::MOST_IN_TABLE;
use crate::params::{CategoricalSplit, MissingRule};
use crate::rows::class_sums::ClassSums;
use crate::rows::weighting::Weighting;
use crate::split::level_set_bounds::{CandidateLevelSets, LevelSetSides};
use crate::split::level_subsets::{LevelSubsets, LevelSums, prefix_level_order};
use crate::split::split_candidate::{ColumnSplit, SplitCandidate};
use crate::split::split_scanner::{ColumnClassSums, SplitScanner};
use imbcore_criteria::{ColumnSelectionRule, NodeScorer};
use std::ops::Range;

pub(crate) struct NominalColumn<'n> {
    pub(crate) levels: u32,
    /// Level whose dummy column is scored; `None` if the column has no dummy columns.
    ///
    /// For the dummy column of missing values, this is the number of levels.
    pub(crate) dummy: Option<u32>,
    /// Levels that occur at the node, with the position ranges of their rows; in ascending order.
    pub(crate) present: &'n [LevelRun],
    pub(crate) add: &'n dyn Fn(&mut ClassSums, Range<usize>),
    /// Lists the classes of the rows in a range of positions; classes may repeat, in any order.
    pub(crate) classes: &'n dyn Fn(Range<usize>) -> Vec<usize>,
}

#[derive(Clone, Copy)]
pub(crate) struct LevelSet {
    pub(crate) n_rows: usize,
    pub(crate) n_inside: usize,
    pub(crate) n_levels: usize,
    pub(crate) missing_inside: bool,
}

/// Level code, and the positions of its rows: a range of the sorted rows, or one bin.
pub(crate) struct LevelRun {
    pub(crate) code: u32,
    pub(crate) places: Range<usize>,
}

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    pub(crate) fn best_nominal_split(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        match self.settings.categorical_split_kind(column.levels) {
            CategoricalSplit::Ovr if self.settings.splitter.is_random() => {
                self.score_random_level(column, part, best);
            }
            CategoricalSplit::Subset | CategoricalSplit::Target | CategoricalSplit::Auto
                if self.settings.splitter.is_random() =>
            {
                self.score_random_level_set(column, part, best);
            }
            CategoricalSplit::Ovr => self.score_levels_against_rest(column, part, best),
            CategoricalSplit::Dummy => self.score_dummy_level(column, part, best),
            CategoricalSplit::Multiway => self.score_multiway(column, part, best),
            CategoricalSplit::OvrMultiway => self.score_multiway_by_best_level(column, part, best),
            CategoricalSplit::Subset | CategoricalSplit::Target | CategoricalSplit::Auto => {
                self.score_level_sets(column, part, best);
            }
        }
    }

    pub(crate) fn is_missing_a_level(&self) -> bool {
        self.settings.missing == MissingRule::Value
    }

    pub(crate) fn missing_sides_for_set(&self, part: &ColumnClassSums<'_>) -> &'static [Option<u32>] {
        match self.settings.missing {
            MissingRule::Direction if part.n_missing > 0 => &[Some(1), Some(0)],
            // The missing value is an additional level outside the set, so it goes to the second branch.
            MissingRule::Value => &[Some(1)],
            _ => &[None],
        }
    }

    fn score_levels_against_rest(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        if self.can_bound_scores(part) {
            let levels = self.level_class_sums(column, part);
            self.screen =
                self.level_score_bounds(&levels, CandidateLevelSets::Each(column.present.len()), part);
        }
        for (place, level) in column.present.iter().enumerate() {
            if self.may_be_best(place, best.as_ref()) {
                self.score_level_against_rest(level, column, part, best);
            }
        }
        self.screen = None;
        if self.is_missing_a_level() {
            self.score_missing_against_known(part, best);
        }
    }

    fn score_dummy_level(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let Some(level) = column.dummy else { return };
        if level == column.levels {
            self.score_missing_against_known(part, best);
            return;
        }
        if let Ok(place) = column.present.binary_search_by_key(&level, |level| level.code) {
            self.score_level_against_rest(&column.present[place], column, part, best);
        }
    }

    pub(crate) fn score_level_against_rest(
        &mut self,
        level: &LevelRun,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        self.left.reset();
        (column.add)(&mut self.left, level.places.clone());
        self.weigh.compute_masses_from_counts(&mut self.left);
        let inside = self.left.n_rows() as usize;
        let outside = part.n_known - inside;
        if inside == 0 || outside == 0 {
            return;
        }
        for &missing_branch in self.missing_sides_for_set(part) {
            let mut rows = [inside, outside];
            if let Some(branch) = missing_branch {
                rows[branch as usize] += part.n_missing;
            }
            self.fill_branch_masses(part, missing_branch);
            if self.n_branches_of_min_size(rows.into_iter(), self.settings.min_mass) == 2 {
                self.keep_split_if_best(part, missing_branch, best, || {
                    ColumnSplit::IsLevel(level.places.clone())
                });
            }
        }
    }

    fn score_multiway(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        if let Some((n_branches, missing_branch)) = self.fill_level_table(column, part) {
            self.keep_split_if_best(part, missing_branch, best, || ColumnSplit::EachLevel(n_branches));
        }
    }

    /// Gives a multiway split the best score of a split of one level against all others.
    fn score_multiway_by_best_level(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let Some((n_branches, missing_branch)) = self.fill_level_table(column, part) else { return };
        if !self.is_monotone_split(part, false) {
            return;
        }
        let guard = self.guard.take();
        let mut best_level = None;
        self.score_levels_against_rest(column, part, &mut best_level);
        self.guard = guard;
        *best = best_level.map(|level: SplitCandidate| SplitCandidate {
            found: ColumnSplit::EachLevel(n_branches),
            missing_branch,
            ..level
        });
    }

    /// Returns the number of branches, and the branch of missing values.
    ///
    /// The result is `None` if fewer than two branches have rows, or if a branch with rows is too small. With
    /// the gain ratio, small branches are allowed if two branches are large enough. [`MissingRule::Value`]
    /// makes missing values a separate level. [`MissingRule::Direction`] adds them to the level with the most
    /// rows (the last level in ties).
    fn fill_level_table(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
    ) -> Option<(usize, Option<u32>)> {
        let levels = self.level_class_sums(column, part);
        levels.write_mass_table(&mut self.table);
        let mut sizes: Vec<usize> = (0..levels.len()).map(|place| levels.n_rows(place)).collect();
        let mut missing_branch = None;
        let mut n_branches = column.levels as usize;
        if self.is_missing_a_level() {
            if self.settings.may_miss[part.column] {
                missing_branch = Some(column.levels);
                n_branches += 1;
            }
        } else if part.n_missing > 0
            && self.settings.missing == MissingRule::Direction
            && let Some((place, _)) = sizes.iter().enumerate().max_by_key(|&(_, &size)| size)
        {
            sizes[place] += part.n_missing;
            let n_classes = self.training.n_classes();
            let cells = &mut self.table[place * n_classes..(place + 1) * n_classes];
            cells.iter_mut().zip(&part.missing.mass).for_each(|(cell, missing)| *cell += missing);
            missing_branch = Some(levels.codes[place]);
        }
        let needed = match self.choice {
            ColumnSelectionRule::Score => sizes.len(),
            ColumnSelectionRule::Ratio { .. } => 2,
        };
        let enough = sizes.len() >= 2
            && self.n_branches_of_min_size(sizes.into_iter(), self.settings.min_mass) >= needed;
        enough.then_some((n_branches, missing_branch))
    }

    /// If the missing value is a level, it is the last level.
    pub(crate) fn level_class_sums(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
    ) -> LevelSums {
        let n_classes = self.training.n_classes();
        let mut levels = LevelSums::new(n_classes, column.present.len() + 1);
        let mut sums = ClassSums::zero(n_classes);
        for level in column.present {
            (column.add)(&mut sums, level.places.clone());
            if n_classes <= MOST_IN_TABLE {
                self.weigh.compute_masses_from_counts(&mut sums);
                levels.add_level(level.code, &sums);
                sums.reset();
                continue;
            }
            let mut classes = (column.classes)(level.places.clone());
            classes.sort_unstable();
            classes.dedup();
            for &class in &classes {
                self.weigh.compute_class_mass(&mut sums, class);
            }
            levels.add_level_with_classes(level.code, &sums, classes);
            levels.clear_sums_of_level_classes(levels.len() - 1, &mut sums);
        }
        if self.is_missing_a_level() && part.n_missing > 0 {
            levels.add_level(column.levels, &part.missing);
        }
        levels
    }

    fn score_level_sets(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let levels = self.level_class_sums(column, part);
        if levels.len() < 2 {
            return;
        }
        let known = |place: &usize| levels.codes[*place] < column.levels;
        let mut winner = Vec::new();
        if let Some(order) = prefix_level_order(&levels, self.node) {
            let mut length_of_winner = 0;
            let missing_place = order.iter().position(|place| !known(place));
            self.screen = self.level_score_bounds(&levels, CandidateLevelSets::Prefixes(&order), part);
            self.left.reset();
            let mut n_rows = 0;
            for length in 1..order.len() {
                levels.add_level_to_sums(order[length - 1], &mut self.left);
                n_rows += levels.n_rows(order[length - 1]);
                let missing_inside = missing_place.is_some_and(|place| place < length);
                let set = LevelSet { n_rows, n_inside: length, n_levels: levels.len(), missing_inside };
                if self.may_be_best(length, best.as_ref()) && self.score_set_against_rest(set, part, best) {
                    length_of_winner = length;
                }
            }
            self.screen = None;
            winner.extend_from_slice(&order[..length_of_winner]);
        } else {
            let mut sets = LevelSubsets::new(&levels);
            while let Some((set, sums)) = sets.next() {
                self.left.clone_from(sums);
                let inside: Vec<usize> = (0..levels.len()).filter(|place| set >> place & 1 == 1).collect();
                let set = LevelSet {
                    n_rows: self.left.n_rows() as usize,
                    n_inside: inside.len(),
                    n_levels: levels.len(),
                    missing_inside: !inside.iter().all(known),
                };
                if self.score_set_against_rest(set, part, best) {
                    winner = inside;
                }
            }
        }
        // The set is stored only once, for the best split, because it may be large and the best split may
        // change often.
        levels.add_levels_to_split(&winner, column.levels, best);
    }

    /// `self.left` must contain the class sums of the set.
    ///
    /// If the set is the best so far, the caller must store its levels.
    pub(crate) fn score_set_against_rest(
        &mut self,
        set: LevelSet,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) -> bool {
        // If missing values count as a level, `all` includes their rows, and no branch adds them again.
        let is_level = self.is_missing_a_level();
        let LevelSetSides { all, n_all, ways } = self.level_set_sides(part);
        let mut is_best = false;
        for &way in ways {
            let mut rows = [set.n_rows, n_all - set.n_rows];
            if let Some(branch) = way {
                rows[branch as usize] += part.n_missing;
            }
            self.fill_branch_masses_from(all, part, way);
            if self.n_branches_of_min_size(rows.into_iter(), self.settings.min_mass) < 2 {
                continue;
            }
            let alone = is_level
                && part.n_missing > 0
                && (set.n_inside == 1 && set.missing_inside
                    || set.n_inside + 1 == set.n_levels && !set.missing_inside);
            let missing_branch = match way {
                None if is_level && part.n_missing > 0 => Some(u32::from(alone || !set.missing_inside)),
                way => way,
            };
            is_best |= self.keep_split_if_best(part, missing_branch, best, || {
                if alone { ColumnSplit::Known } else { ColumnSplit::InLevels(Vec::new()) }
            });
        }
        is_best
    }
}
