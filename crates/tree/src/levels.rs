//! The splits of a nominal column at one node.

use crate::scan::{Candidate, Found, Scanner, Sorted};
use crate::settings::{MissingRule, NominalRule};
use crate::subset::{AllSets, LevelRows, order_of};
use crate::sums::{ClassSums, Weigh};
use crate::training::row_of;
use imbcore_criteria::{Choice, Criterion};
use std::ops::Range;

/// A nominal column as its scans need it.
pub(crate) struct Nominal<'n> {
    pub(crate) codes: &'n [u32],
    pub(crate) levels: u32,
    /// The level that a dummy column stands for; the number of levels stands for a missing value.
    pub(crate) dummy: Option<u32>,
}

impl<C: Criterion, W: Weigh> Scanner<'_, C, W> {
    /// Best split of a nominal column by the rule of the tree.
    pub(crate) fn nominal(
        &mut self,
        column: &Nominal<'_>,
        sorted: &Sorted<'_>,
        best: &mut Option<Candidate>,
    ) {
        match self.settings.nominal {
            NominalRule::Ovr => self.levels_against_rest(column, sorted, best),
            NominalRule::Dummy => self.one_level(column, sorted, best),
            NominalRule::Multiway => self.all_levels(column, sorted, best),
            NominalRule::OvrMultiway => self.all_levels_by_one(column, sorted, best),
            NominalRule::Subset => self.sets_of_levels(column, sorted, best),
        }
    }

    fn missing_is_level(&self) -> bool {
        self.settings.missing == MissingRule::Value
    }

    /// Where rows without a value may go beside a set of levels, in the order they are tried.
    fn ways_of_missing(&self, sorted: &Sorted<'_>) -> &'static [Option<u32>] {
        match self.settings.missing {
            MissingRule::Direction if sorted.n_missing > 0 => &[Some(1), Some(0)],
            // One more level, which belongs to the rest.
            MissingRule::Value => &[Some(1)],
            _ => &[None],
        }
    }

    /// Each level against the other levels, ascending.
    fn levels_against_rest(
        &mut self,
        column: &Nominal<'_>,
        sorted: &Sorted<'_>,
        best: &mut Option<Candidate>,
    ) {
        let codes = column.codes;
        let mut start = 0;
        for group in sorted.known.chunk_by(|&a, &b| codes[row_of(a)] == codes[row_of(b)]) {
            let range = start..start + group.len();
            start = range.end;
            self.level_against_rest(range, sorted, best);
        }
        if self.missing_is_level() {
            self.known_against_missing(sorted, best);
        }
    }

    /// The one level of a dummy column against the others.
    fn one_level(&mut self, column: &Nominal<'_>, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        let Some(level) = column.dummy else { return };
        if level == column.levels {
            self.known_against_missing(sorted, best);
            return;
        }
        let place = |level| sorted.known.partition_point(|&entry| column.codes[row_of(entry)] < level);
        self.level_against_rest(place(level)..place(level + 1), sorted, best);
    }

    /// The known rows of one level, a range of the sorted ones, against the other rows.
    fn level_against_rest(&mut self, range: Range<usize>, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        let (inside, outside) = (range.len(), sorted.known.len() - range.len());
        if inside == 0 || outside == 0 {
            return;
        }
        self.left.clear();
        self.add(&sorted.known[range.clone()]);
        self.weigh.settle(&mut self.left);
        for &missing_branch in self.ways_of_missing(sorted) {
            let mut rows = [inside, outside];
            if let Some(branch) = missing_branch {
                rows[branch as usize] += sorted.n_missing;
            }
            self.fill_table(sorted, missing_branch);
            if self.n_large(rows.into_iter()) == 2 {
                self.offer(sorted, missing_branch, best, || Found::IsLevel(range.clone()));
            }
        }
    }

    /// One branch a level.
    fn all_levels(&mut self, column: &Nominal<'_>, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        if let Some((n_branches, missing_branch)) = self.fill_level_table(column, sorted) {
            self.offer(sorted, missing_branch, best, || Found::EachLevel(n_branches));
        }
    }

    /// One branch a level, worth as much as its best level against the rest.
    fn all_levels_by_one(&mut self, column: &Nominal<'_>, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        let Some((n_branches, missing_branch)) = self.fill_level_table(column, sorted) else { return };
        if !self.is_allowed(sorted, false) {
            return;
        }
        let guard = self.guard.take();
        let mut of_level = None;
        self.levels_against_rest(column, sorted, &mut of_level);
        self.guard = guard;
        *best = of_level.map(|level: Candidate| Candidate {
            found: Found::EachLevel(n_branches),
            missing_branch,
            ..level
        });
    }

    /// Puts all levels of the node into the table; returns the number of branches of the split and the one of the
    /// rows without a value, or nothing where the branches are too small.
    ///
    /// Rows without a value are a level of their own, or join the one with most rows, the last of equals.
    fn fill_level_table(
        &mut self,
        column: &Nominal<'_>,
        sorted: &Sorted<'_>,
    ) -> Option<(usize, Option<u32>)> {
        let levels = self.level_rows(column, sorted);
        self.table.clear();
        levels.iter().for_each(|level| self.table.extend_from_slice(&level.sums.mass));
        let mut sizes: Vec<usize> = levels.iter().map(|level| level.n_rows).collect();
        let mut missing_branch = None;
        let mut n_branches = column.levels as usize;
        if self.missing_is_level() {
            if self.settings.may_miss[sorted.column] {
                missing_branch = Some(column.levels);
                n_branches += 1;
            }
        } else if sorted.n_missing > 0
            && self.settings.missing == MissingRule::Direction
            && let Some((place, _)) = sizes.iter().enumerate().max_by_key(|&(_, &size)| size)
        {
            sizes[place] += sorted.n_missing;
            let n_classes = self.training.n_classes;
            let cells = &mut self.table[place * n_classes..(place + 1) * n_classes];
            cells.iter_mut().zip(&sorted.missing.mass).for_each(|(cell, missing)| *cell += missing);
            missing_branch = Some(levels[place].code);
        }
        let needed = match self.criterion.choice() {
            Choice::Score => sizes.len(),
            Choice::Ratio { .. } => 2,
        };
        let enough = sizes.len() >= 2 && self.n_large(sizes.into_iter()) >= needed;
        enough.then_some((n_branches, missing_branch))
    }

    /// The rows of every level of the node, by code; rows without a value come last, where they are a level.
    fn level_rows(&mut self, column: &Nominal<'_>, sorted: &Sorted<'_>) -> Vec<LevelRows> {
        let codes = column.codes;
        let mut levels = Vec::new();
        for group in sorted.known.chunk_by(|&a, &b| codes[row_of(a)] == codes[row_of(b)]) {
            let mut sums = ClassSums::zero(self.training.n_classes);
            self.weigh.add(self.training, &mut sums, group);
            self.weigh.settle(&mut sums);
            levels.push(LevelRows { code: codes[row_of(group[0])], n_rows: group.len(), sums });
        }
        if self.missing_is_level() && sorted.n_missing > 0 {
            let sums = sorted.missing.clone();
            levels.push(LevelRows { code: column.levels, n_rows: sorted.n_missing, sums });
        }
        levels
    }

    /// Sets of levels against the others: all of them, or the prefixes of an order.
    fn sets_of_levels(&mut self, column: &Nominal<'_>, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        let levels = self.level_rows(column, sorted);
        if levels.len() < 2 {
            return;
        }
        let Some(order) = order_of(&levels, self.node) else {
            let mut sets = AllSets::new(&levels);
            while let Some((set, sums)) = sets.next() {
                self.left.clone_from(sums);
                let inside: Vec<usize> = (0..levels.len()).filter(|place| set >> place & 1 == 1).collect();
                self.set_against_rest(&levels, &inside, column, sorted, best);
            }
            return;
        };
        self.left.clear();
        for length in 1..order.len() {
            self.left.add(&levels[order[length - 1]].sums);
            self.set_against_rest(&levels, &order[..length], column, sorted, best);
        }
    }

    /// The levels at the places `inside`, summed in `self.left`, against the others.
    fn set_against_rest(
        &mut self,
        levels: &[LevelRows],
        inside: &[usize],
        column: &Nominal<'_>,
        sorted: &Sorted<'_>,
        best: &mut Option<Candidate>,
    ) {
        let n_inside: usize = inside.iter().map(|&place| levels[place].n_rows).sum();
        let n_all: usize = levels.iter().map(|level| level.n_rows).sum();
        // Where a missing value is a level, its rows are among those of the levels.
        let is_level = self.missing_is_level();
        let ways = if is_level { &[None] } else { self.ways_of_missing(sorted) };
        for &way in ways {
            let mut rows = [n_inside, n_all - n_inside];
            if let Some(branch) = way {
                rows[branch as usize] += sorted.n_missing;
            }
            let all = if is_level { self.node } else { &sorted.all_known };
            self.fill_table_from(all, sorted, way);
            if self.n_large(rows.into_iter()) < 2 {
                continue;
            }
            let missing_inside = inside.iter().any(|&place| levels[place].code == column.levels);
            let alone = is_level
                && sorted.n_missing > 0
                && (inside.len() == 1 && missing_inside
                    || inside.len() + 1 == levels.len() && !missing_inside);
            let missing_branch = match way {
                None if is_level && sorted.n_missing > 0 => Some(u32::from(alone || !missing_inside)),
                way => way,
            };
            self.offer(sorted, missing_branch, best, || {
                if alone {
                    return Found::Known;
                }
                let codes = inside.iter().map(|&place| levels[place].code);
                let mut codes: Vec<u32> = codes.filter(|&code| code < column.levels).collect();
                codes.sort_unstable();
                Found::InLevels(codes)
            });
        }
    }
}
