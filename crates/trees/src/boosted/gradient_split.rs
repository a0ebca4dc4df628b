//! Best split of a node, found in its histogram.

use crate::boosted::constraints::{BoostingConstraints, NodeConstraints};
use crate::boosted::fixed_point::{FixedPointScale, GradientCell, add_cell, subtract_cells};
use crate::boosted::gradient_histogram::{HistogramColumnReader, NodeSumSource, TOGETHER};
use crate::boosted::matrix::{BinKind, BoostedMatrix, MatrixColumn};
use crate::boosted::regularization::Regularization;
use imbcore_core::{SeedKey, tags};
use rayon::prelude::*;

/// Maximum number of levels of a nominal column for which a split separates only one level.
///
/// With more levels, a split separates a set of levels. The candidate sets are found by ordering the levels
/// by leaf value.
const FEW_LEVELS: usize = 4;

/// Largest absolute value of [`split_noise`].
const LARGEST_NOISE: f64 = 2.0 * SQRT_3;
const SQRT_3: f64 = 1.732_050_807_568_877_2;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BinSplit {
    /// Rows in bins up to and including this bin go left, rows in higher bins go right.
    Upto(usize),
    Known,
    Set(Vec<u8>),
}

/// Split with positive gain.
#[derive(Clone, Debug)]
pub(crate) struct GainSplit {
    pub(crate) gain: f64,
    /// Number by which splits are compared: the square root of the gain, plus random noise.
    pub(crate) score: f64,
    pub(crate) place: usize,
    pub(crate) cut: BinSplit,
    pub(crate) missing_left: bool,
    pub(crate) left: GradientCell,
}

impl GainSplit {
    pub(crate) fn bins_going_left(&self, matrix: &BoostedMatrix) -> [bool; 256] {
        let n_bins = matrix.columns[self.place].n_bins;
        let mut left = [false; 256];
        match &self.cut {
            BinSplit::Upto(bin) => left[..=*bin].fill(true),
            BinSplit::Known => left[..n_bins].fill(true),
            BinSplit::Set(bins) => bins.iter().for_each(|&bin| left[bin as usize] = true),
        }
        left[n_bins] = self.missing_left;
        left
    }
}

pub(crate) struct SplitSearch<'n> {
    pub(crate) limits: &'n Regularization,
    pub(crate) scale: FixedPointScale,
    pub(crate) all: GradientCell,
    pub(crate) rules: &'n BoostingConstraints,
    pub(crate) reach: &'n NodeConstraints,
    pub(crate) key: SeedKey,
}

impl SplitSearch<'_> {
    /// Ties in score go to the split that is scored first.
    ///
    /// Columns are scored in the order of `places`, and the thresholds of a column in ascending order.
    pub(crate) fn best_split(
        &self,
        matrix: &BoostedMatrix,
        places: &[u32],
        sums: NodeSumSource<'_>,
    ) -> Option<GainSplit> {
        let part = places.len().div_ceil(rayon::current_num_threads()).max(TOGETHER);
        // Each task gets whole blocks of columns, so that no two threads compute the sums of the same block.
        let part = part.next_multiple_of(matrix.block_width());
        let found: Vec<_> =
            places.par_chunks(part).map(|places| self.best_split_of_columns(matrix, places, sums)).collect();
        let larger = |best: GainSplit, other: GainSplit| if other.score > best.score { other } else { best };
        found.into_iter().flatten().reduce(larger)
    }

    fn best_split_of_columns(
        &self,
        matrix: &BoostedMatrix,
        places: &[u32],
        sums: NodeSumSource<'_>,
    ) -> Option<GainSplit> {
        let mut best = None;
        let mut reader = HistogramColumnReader::new(sums, matrix);
        for &place in places {
            let (place, column) = (place as usize, &matrix.columns[place as usize]);
            if !self.rules.allows_column(self.reach, column.column) {
                continue;
            }
            let mut scan = GradientScan::new(self, place, column, reader.column_sums(place));
            match column.kind {
                BinKind::Numeric(_) | BinKind::Statistic { .. } => scan.scan_thresholds(&mut best),
                BinKind::Nominal(_) => scan.scan_level_sets(&mut best),
            }
        }
        best
    }
}

struct GradientScan<'s> {
    node: &'s SplitSearch<'s>,
    place: usize,
    cells: &'s [GradientCell],
    missing: GradientCell,
    /// Twice the gain of the node as a leaf; both children together must exceed this gain.
    whole: f64,
    n_bins: usize,
    sign: i8,
    key: SeedKey,
}

impl<'s> GradientScan<'s> {
    fn new(
        node: &'s SplitSearch<'s>,
        place: usize,
        column: &MatrixColumn,
        cells: &'s [GradientCell],
    ) -> Self {
        let SplitSearch { limits, scale, all, rules, reach, .. } = node;
        let all = scale.cell_to_float_sums(*all);
        let whole = reach.bounds.map_or_else(
            || limits.doubled_newton_gain(all, 0.0),
            |bounds| bounds.doubled_node_gain(limits, all),
        );
        let (missing, sign) = (cells[column.n_bins], rules.monotone_sign(column.column));
        let key = node.key.child(tags::boosted::NOISE, place as u32);
        Self { node, place, cells, missing, whole, n_bins: column.n_bins, sign, key }
    }

    fn contains_rows(&self, cell: GradientCell) -> bool {
        self.node.scale.n_rows_in_cell(cell) > 0
    }

    /// Returns the gain, or `None` if the split violates a limit or a constraint.
    ///
    /// The gain is that of Chen and Guestrin 2016, eq. 7, without the factor 1/2 and the penalty gamma.
    fn split_gain(&self, left: GradientCell, extra: f64, sign: i8) -> Option<f64> {
        let SplitSearch { limits, scale, all, reach, .. } = self.node;
        let [left, right] =
            [scale.cell_to_float_sums(left), scale.cell_to_float_sums(subtract_cells(*all, left))];
        if !(limits.is_child_large_enough(left) && limits.is_child_large_enough(right)) {
            return None;
        }
        let sides = match reach.bounds {
            None => limits.doubled_newton_gain(left, extra) + limits.doubled_newton_gain(right, extra),
            Some(bounds) => bounds.doubled_children_gain(limits, [left, right], extra, sign)?,
        };
        Some(sides - self.whole)
    }

    /// Replaces the best split if the score of this split, `sqrt(gain) + noise`, is larger.
    ///
    /// The noise derives from `candidate`, the number of the split within its column. If a column is
    /// independent of the labels, its gains are approximately squares of standard normal variables (with log
    /// loss). Noise of standard deviation 1 is therefore as large as the scores of random splits.
    fn update_best(
        &self,
        (gain, candidate): (f64, usize),
        best: &mut Option<GainSplit>,
        found: impl FnOnce() -> (BinSplit, bool, GradientCell),
    ) {
        let Regularization { min_split_gain, random_strength, .. } = *self.node.limits;
        // Gains below the rounding error of the sums are not accepted.
        if gain <= min_split_gain.max(1e-12 * self.whole) {
            return;
        }
        let mut score = gain.sqrt();
        if random_strength > 0.0 {
            // Most splits are so much worse than the best one that even the largest noise cannot make them
            // the best. No noise is drawn for these splits.
            if best.as_ref().is_some_and(|best| score + random_strength * LARGEST_NOISE <= best.score) {
                return;
            }
            score += random_strength * split_noise(self.key.child(tags::boosted::NOISE, candidate as u32));
        }
        if best.as_ref().is_none_or(|best| score > best.score) {
            let (cut, missing_left, left) = found();
            *best = Some(GainSplit { gain, score, place: self.place, cut, missing_left, left });
        }
    }

    /// Scores all thresholds of the column.
    ///
    /// If the node has missing values, each threshold is scored with missing values on the left, and with
    /// missing values on the right. The split of present against missing values is scored as well.
    fn scan_thresholds(&mut self, best: &mut Option<GainSplit>) {
        let misses = self.contains_rows(self.missing);
        let mut known = [0; 2];
        for (bin, &cell) in self.cells[..self.n_bins].iter().enumerate() {
            if !self.contains_rows(cell) {
                continue;
            }
            add_cell(&mut known, cell);
            let right = subtract_cells(self.node.all, known);
            if self.node.scale.n_rows_in_cell(right) < self.node.limits.min_rows {
                break;
            }
            let cut = |is_last: bool| if is_last { BinSplit::Known } else { BinSplit::Upto(bin) };
            // Present and missing values have no order, so the monotone constraint does not apply to a split
            // between them.
            let is_known = misses && right == self.missing;
            if let Some(gain) = self.split_gain(known, 0.0, if is_known { 0 } else { self.sign }) {
                // If no row of the node has a missing value, missing values at prediction go to the side
                // with more rows.
                let missing_left = !misses
                    && 2 * self.node.scale.n_rows_in_cell(known)
                        >= self.node.scale.n_rows_in_cell(self.node.all);
                self.update_best((gain, 2 * bin), best, || (cut(is_known), missing_left, known));
            }
            if misses && !is_known {
                let mut left = known;
                add_cell(&mut left, self.missing);
                if let Some(gain) = self.split_gain(left, 0.0, self.sign) {
                    self.update_best((gain, 2 * bin + 1), best, || (cut(false), true, left));
                }
            }
        }
    }

    /// Scores one level against all other levels or, if there are many levels, sets of levels.
    ///
    /// Missing values count as a level. The levels are ordered by gradient sum / (Hessian sum + smoothing),
    /// and the scored sets are the prefixes of this order. Without penalties and limits, the best of all sets
    /// is such a prefix (Fisher 1958, theorem on contiguous partitions, for squares of weighted means).
    fn scan_level_sets(&mut self, best: &mut Option<GainSplit>) {
        let mut present: Vec<u8> = (0..=self.n_bins)
            .filter(|&bin| self.contains_rows(self.cells[bin]))
            .map(|bin| bin as u8)
            .collect();
        if self.n_bins <= FEW_LEVELS {
            for &bin in &present {
                let sums = self.cells[bin as usize];
                self.score_level_set_against_rest((&[bin], bin as usize), sums, 0.0, best);
            }
            return;
        }
        let smoothing = self.node.limits.smoothing;
        let leaf_value = |bin: u8| {
            let sums = self.node.scale.cell_to_float_sums(self.cells[bin as usize]);
            let denominator = sums.hessian + smoothing;
            if denominator > 0.0 { sums.gradient / denominator } else { 0.0 }
        };
        present.sort_by(|&a, &b| leaf_value(a).total_cmp(&leaf_value(b)).then(a.cmp(&b)));
        let mut left = [0; 2];
        for end in 1..present.len() {
            add_cell(&mut left, self.cells[present[end - 1] as usize]);
            self.score_level_set_against_rest((&present[..end], end), left, smoothing, best);
        }
    }

    /// Scores a set of bins of a nominal column against all other bins of the column.
    ///
    /// `candidate` is the number of this split within the column. Levels that do not occur at the node go to
    /// the side with more rows. Missing values also go to the side with more rows, unless rows of the node
    /// have missing values. If the split separates present from missing values, levels that do not occur at
    /// the node go with the present values.
    fn score_level_set_against_rest(
        &self,
        (bins, candidate): (&[u8], usize),
        sums: GradientCell,
        extra: f64,
        best: &mut Option<GainSplit>,
    ) {
        let Some(gain) = self.split_gain(sums, extra, 0) else { return };
        self.update_best((gain, candidate), best, || {
            let missing = self.n_bins as u8;
            let rows = |cell: GradientCell| self.node.scale.n_rows_in_cell(cell);
            if *bins == [missing] {
                return (BinSplit::Known, false, subtract_cells(self.node.all, sums));
            }
            if 2 * rows(sums) <= rows(self.node.all) {
                let listed = bins.iter().copied().filter(|&bin| bin != missing).collect();
                return (BinSplit::Set(listed), bins.contains(&missing), sums);
            }
            let others = (0..self.n_bins as u8)
                .filter(|bin| !bins.contains(bin) && self.contains_rows(self.cells[*bin as usize]));
            let others: Vec<u8> = others.collect();
            if others.is_empty() {
                return (BinSplit::Known, false, sums);
            }
            let missing_left = self.contains_rows(self.missing) && !bins.contains(&missing);
            (BinSplit::Set(others), missing_left, subtract_cells(self.node.all, sums))
        });
    }
}

/// Scaled sum of four uniform random numbers: nearly normal, with mean 0 and variance 1.
fn split_noise(key: SeedKey) -> f64 {
    let bits = key.random_u64();
    let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
    // Each of the four 16-bit numbers has the mean 32767.5. The sum of four uniform numbers from [0, 1] has
    // the variance 1/3.
    (sum as f64 - 4.0 * 32_767.5) / 65_536.0 * SQRT_3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_mean_0_and_variance_1_and_is_bounded() {
        let numbers: Vec<f64> = (0..40_000)
            .map(|index| split_noise(SeedKey::root(5).child(tags::boosted::NOISE, index)))
            .collect();
        let mean = numbers.iter().sum::<f64>() / 4e4;
        let variance = numbers.iter().map(|z| z * z).sum::<f64>() / 4e4;
        // The tolerances are at least three standard errors.
        assert!(mean.abs() < 0.015 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        assert!(numbers.iter().all(|z| z.abs() < LARGEST_NOISE));
        let above = numbers.iter().filter(|z| **z > 1.0).count() as f64 / 4e4;
        assert!((above - 0.1587).abs() < 0.01, "{above}");
    }
}
