//! Random splits of a column, as in extra trees (Geurts, Ernst and Wehenkel 2006).
//!
//! Rows are not sorted by numeric columns. One pass over the rows finds the smallest and the largest value,
//! and a second pass counts the rows at or below the threshold. A random number depends only on the node and
//! the column, so the tree is the same for any number of threads.

use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::rows::weighting::Weighting;
use crate::split::nominal_scan::{LevelSet, NominalColumn};
use crate::split::split_candidate::{ColumnSplit, SplitCandidate};
use crate::split::split_scanner::{ColumnClassSums, SplitScanner};
use imbcore_core::{SeedKey, tags};
use imbcore_criteria::NodeScorer;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// `rows` are two unordered lists, which together contain the rows of the node.
    pub(crate) fn best_random_split(
        &mut self,
        column: usize,
        rows: [&[FlaggedRow]; 2],
    ) -> Option<SplitCandidate> {
        let numbers = self.training.table.numeric_values(column);
        let mut values = std::mem::take(&mut self.values);
        values.resize(rows[0].len() + rows[1].len(), 0.0);
        let (first, second) = values.split_at_mut(rows[0].len());
        for (entries, values) in rows.into_iter().zip([first, second]) {
            entries.iter().zip(values).for_each(|(&entry, value)| *value = numbers.get(row_of_entry(entry)));
        }
        let missing = if self.settings.may_miss[column] {
            self.sum_rows_where(rows, &values, f64::is_nan)
        } else {
            ClassSums::zero(self.training.n_classes())
        };
        let part = self.column_class_sums(column, missing, || {
            self.sum_rows_where(rows, &values, |value| !value.is_nan())
        });
        let best = self.best_column_split(&part, true, |scanner, best| {
            scanner.score_random_threshold(rows, &values, &part, best);
        });
        self.values = values;
        best
    }

    fn sum_rows_where(
        &self,
        rows: [&[FlaggedRow]; 2],
        values: &[f64],
        wanted: impl Fn(f64) -> bool,
    ) -> ClassSums {
        let mut sums = ClassSums::zero(self.training.n_classes());
        for (entry, _) in rows.into_iter().flatten().zip(values).filter(|&(_, &value)| wanted(value)) {
            self.weigh.add_entries(self.training, &mut sums, std::slice::from_ref(entry));
        }
        self.weigh.compute_masses_from_counts(&mut sums);
        sums
    }

    fn score_random_threshold(
        &mut self,
        rows: [&[FlaggedRow]; 2],
        values: &[f64],
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let (low, high) = value_range(values);
        if low >= high {
            return;
        }
        let bound = random_threshold(
            low,
            high,
            uniform_fraction(self.key.child(tags::tree::CUT, part.column as u32)),
        );
        if self.settings.min_value_difference > 0.0 && !self.is_gap_large_enough(values, bound) {
            return;
        }
        self.n_cuts = 1;
        self.left.reset();
        let (first, second) = values.split_at(rows[0].len());
        for (entries, values) in rows.into_iter().zip([first, second]) {
            self.weigh.add_entries_at_most(bound, self.training, &mut self.left, entries, values);
        }
        self.weigh.compute_masses_from_counts(&mut self.left);
        let n_left = self.left.n_rows() as usize;
        let least = self.numeric_min_mass(part);
        for &missing_branch in self.candidate_missing_branches(part) {
            let mut rows = [n_left, part.n_known - n_left];
            if let Some(branch) = missing_branch {
                rows[branch as usize] += part.n_missing;
            }
            self.fill_branch_masses(part, missing_branch);
            if self.n_branches_of_min_size(rows.into_iter(), least) == 2 {
                self.keep_split_if_best(part, missing_branch, best, || ColumnSplit::ValueAtMost {
                    bound,
                    n_left,
                });
            }
        }
    }

    fn is_gap_large_enough(&self, values: &[f64], bound: f64) -> bool {
        let below = values.iter().filter(|&&value| value <= bound).fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let above = values.iter().filter(|&&value| value > bound).fold(f64::INFINITY, |a, &b| a.min(b));
        above > below + self.settings.min_value_difference
    }

    pub(crate) fn score_random_level(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let missing = self.is_missing_a_level() && part.n_missing > 0;
        let n_levels = column.present.len() + usize::from(missing);
        let drawn = n_levels as f64 * uniform_fraction(self.key.child(tags::tree::CUT, part.column as u32));
        #[allow(clippy::cast_sign_loss)] // The number is nonnegative.
        match column.present.get(drawn as usize) {
            // The missing value is a level here, and the node has only one other level. So there is only one
            // split.
            Some(_) if missing && n_levels == 2 => self.score_missing_against_known(part, best),
            Some(level) => self.score_level_against_rest(level, column, part, best),
            None if missing => self.score_missing_against_known(part, best),
            None => {}
        }
    }

    pub(crate) fn score_random_level_set(
        &mut self,
        column: &NominalColumn<'_>,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let levels = self.level_class_sums(column, part);
        if levels.len() < 2 {
            return;
        }
        // In Geurts et al. 2006, table 1, levels absent from the node are drawn too. Here they go to the side
        // with the most rows.
        let inside = random_subset(levels.len(), self.key.child(tags::tree::CUT, part.column as u32));
        self.left.reset();
        for &place in &inside {
            levels.add_level_to_sums(place, &mut self.left);
        }
        let set = LevelSet {
            n_rows: inside.iter().map(|&place| levels.n_rows(place)).sum(),
            n_inside: inside.len(),
            n_levels: levels.len(),
            missing_inside: inside.iter().any(|&place| levels.codes[place] == column.levels),
        };
        if self.score_set_against_rest(set, part, best) {
            levels.add_levels_to_split(&inside, column.levels, best);
        }
    }
}

/// The lanes are independent, so that no step waits for the previous one.
fn value_range(values: &[f64]) -> (f64, f64) {
    const LANES: usize = 8;
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut last = [f64::NAN; LANES];
    last[..rest.len()].copy_from_slice(rest);
    for chunk in chunks.iter().chain([&last]) {
        for lane in 0..LANES {
            low[lane] = if chunk[lane] < low[lane] { chunk[lane] } else { low[lane] };
            high[lane] = if chunk[lane] > high[lane] { chunk[lane] } else { high[lane] };
        }
    }
    (low.into_iter().fold(f64::INFINITY, f64::min), high.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// Returns a uniform number in (0, 1) from a key: the center of one of 2^52 equal intervals.
fn uniform_fraction(key: SeedKey) -> f64 {
    ((key.random_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Returns the threshold `low + share (high - low)`, adjusted so that both sides have rows.
///
/// `share` is in (0, 1).
fn random_threshold(low: f64, high: f64, share: f64) -> f64 {
    let wide = high - low;
    // The difference of a very large and a very small number may overflow.
    let drawn = if wide.is_finite() { low + share * wide } else { low * (1.0 - share) + high * share };
    // If the values are adjacent floating-point numbers, rounding must not leave a side without rows. Adding
    // 0 turns -0 into 0.
    drawn.max(low).min(high.next_down()) + 0.0
}

/// Draws a random subset of the positions below `n`.
/// All subsets except the empty and the full set are equally likely.
fn random_subset(n: usize, key: SeedKey) -> Vec<usize> {
    let mut attempt = 0;
    loop {
        let key = key.child(tags::tree::CUT, attempt);
        let word = |place: usize| key.child(tags::tree::CUT, (place / 64) as u32).random_u64();
        let chosen: Vec<usize> = (0..n).filter(|&place| word(place) >> (place % 64) & 1 == 1).collect();
        if (1..n).contains(&chosen.len()) {
            return chosen;
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_pass_over_gaps() {
        for n in 1..40 {
            let values: Vec<f64> =
                (0..n).map(|i| if i % 3 == 1 { f64::NAN } else { f64::from((7 * i) % 11) }).collect();
            let known = || values.iter().copied().filter(|value| !value.is_nan());
            let expected = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
            assert_eq!(value_range(&values), expected);
        }
        let (low, high) = value_range(&[f64::NAN]);
        assert!(low > high);
    }

    #[test]
    fn thresholds_leave_no_side_empty() {
        for (low, high) in [(1.0, 1.0_f64.next_up()), (f64::MIN, f64::MAX), (-5e-324, 5e-324), (-0.0, 5e-324)]
        {
            for share in [1e-17, 0.25, 0.5, 1.0 - 1e-16] {
                let bound = random_threshold(low, high, share);
                assert!(
                    low <= bound && bound < high && (bound != 0.0 || bound.is_sign_positive()),
                    "{bound}"
                );
            }
        }
        assert_eq!(random_threshold(2.0, 4.0, 0.25), 2.5);
    }

    #[test]
    fn shares_are_uniform() {
        let mut shares: Vec<f64> =
            (0..4_000).map(|i| uniform_fraction(SeedKey::root(5).child(3, i))).collect();
        shares.sort_by(f64::total_cmp);
        // The Kolmogorov distance exceeds 1.95 / sqrt(n) for about one in a thousand seeds.
        let distance = shares.iter().zip(0..).map(|(x, i)| (x - f64::from(i) / 4_000.0).abs());
        assert!(distance.fold(0.0, f64::max) < 1.95 / 4_000.0_f64.sqrt());
    }

    #[test]
    fn every_choice_but_none_and_all_is_as_likely() {
        let mut counts = [0_u32; 8];
        for index in 0..6_000 {
            let chosen = random_subset(3, SeedKey::root(1).child(3, index));
            counts[chosen.iter().map(|place| 1 << place).sum::<usize>()] += 1;
        }
        assert_eq!((counts[0], counts[7]), (0, 0));
        // The limit is five standard deviations of a binomial count with p = 1/6.
        assert!(
            counts[1..7].iter().all(|&count| (f64::from(count) - 1_000.0).abs() < 5.0 * 28.9),
            "{counts:?}"
        );
        assert!(random_subset(200, SeedKey::root(1)).iter().any(|&place| place > 128));
    }
}
