//! Best splits of both children of several root cuts, in one pass over a second feature.
//!
//! Consider a split of a child that predicts the first of two classes on the left and the second class on the
//! right. Its cost is the cost of predicting the second class for all rows, plus a sum over the left rows.
//! The terms of the sum are the cost differences of the two predictions, called leans. The sum is a prefix
//! sum in the order of the feature. So the best split of a feature is at the minimum or maximum of the prefix
//! sums (Dobkin, Gunopulos and Maass 1996). The pass is in the sort order of all rows, so that the rows of
//! the children need not be sorted.

use crate::node_subset::{NodeSubset, decode_order_entry};
use crate::ranked_table::RankedFeature;
use crate::solver::TreeSolver;
use multiversion::multiversion;

/// Smallest and largest prefix sums of cost differences (leans).
#[derive(Clone, Debug)]
pub(crate) struct PrefixSumExtremes<const P: usize, const L: usize> {
    pub(crate) left_low: [[f64; L]; P],
    pub(crate) left_high: [[f64; L]; P],
    pub(crate) right_low: [[f64; L]; P],
    pub(crate) right_high: [[f64; L]; P],
}

impl<const P: usize, const L: usize> PrefixSumExtremes<P, L> {
    pub(crate) const NONE: Self = Self {
        left_low: [[0.0; L]; P],
        left_high: [[0.0; L]; P],
        right_low: [[0.0; L]; P],
        right_high: [[0.0; L]; P],
    };

    /// Adds a group of rows that a split may assign to either of its children.
    ///
    /// `left` and `right` are the sums of cost differences of the group in the two children of the root cut.
    #[inline]
    pub(crate) fn add_group_of_either_child(&mut self, pair: usize, left: &[f64; L], right: &[f64; L]) {
        for (lane, (&left, &right)) in left.iter().zip(right).enumerate() {
            self.left_low[pair][lane] += min_number(left, 0.0);
            self.left_high[pair][lane] += max_number(left, 0.0);
            self.right_low[pair][lane] += min_number(right, 0.0);
            self.right_high[pair][lane] += max_number(right, 0.0);
        }
    }
}

/// Smaller of two numbers, or `b` if one of them is NaN.
#[inline]
pub(crate) fn min_number(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Larger of two numbers, or `b` if one of them is NaN.
#[inline]
pub(crate) fn max_number(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Smallest and largest prefix sums in a sort order, for both children of each root cut.
///
/// The left child of a cut has the rows whose key is at most the cut.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
pub(crate) fn prefix_sum_extremes<const P: usize, const L: usize>(
    order: &[u32],
    keys: &[f64],
    leans: &[[f64; P]],
    cuts: &[f64; L],
) -> PrefixSumExtremes<P, L> {
    let mut found = PrefixSumExtremes::NONE;
    let mut left = [[0.0; L]; P];
    let mut sum = [0.0; P];
    for &packed in order {
        let (row, last) = decode_order_entry(packed);
        let (key, lean) = (keys[row], &leans[row]);
        for pair in 0..P {
            sum[pair] += lean[pair];
            for (left, &cut) in left[pair].iter_mut().zip(cuts) {
                *left += if key <= cut { lean[pair] } else { 0.0 };
            }
        }
        if last {
            for pair in 0..P {
                for (lane, &before) in left[pair].iter().enumerate() {
                    let behind = sum[pair] - before;
                    found.left_low[pair][lane] = min_number(found.left_low[pair][lane], before);
                    found.left_high[pair][lane] = max_number(found.left_high[pair][lane], before);
                    found.right_low[pair][lane] = min_number(found.right_low[pair][lane], behind);
                    found.right_high[pair][lane] = max_number(found.right_high[pair][lane], behind);
                }
            }
        }
    }
    found
}

/// Adds the smallest and largest sums of cost differences over sets of levels to `found`.
pub(crate) fn add_level_set_extremes<const P: usize, const L: usize>(
    rows: &[u32],
    level: impl Fn(usize) -> usize,
    n_levels: usize,
    keys: &[f64],
    leans: &[[f64; P]],
    cuts: &[f64; L],
    found: &mut PrefixSumExtremes<P, L>,
) {
    let mut sums = vec![([[0.0; L]; P], [[0.0; L]; P]); n_levels];
    for &row in rows {
        let row = row as usize;
        let (left, right) = &mut sums[level(row)];
        for (pair, &lean) in leans[row].iter().enumerate() {
            for (lane, &cut) in cuts.iter().enumerate() {
                let side = if keys[row] <= cut { &mut *left } else { &mut *right };
                side[pair][lane] += lean;
            }
        }
    }
    for (left, right) in &sums {
        for pair in 0..P {
            found.add_group_of_either_child(pair, &left[pair], &right[pair]);
        }
    }
}

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    /// Smallest and largest sums of cost differences over splits by a feature.
    ///
    /// The splits are those of both children of several root cuts. A sum is over the rows in the left child
    /// of such a split.
    pub(crate) fn feature_sum_extremes<const L: usize>(
        &self,
        subset: &NodeSubset,
        feature: usize,
        keys: &[f64],
        cuts: &[f64; L],
    ) -> PrefixSumExtremes<P, L> {
        let leans = &self.prices.lean;
        match self.table.feature(feature) {
            RankedFeature::Ordered { .. } => {
                let mut found = prefix_sum_extremes(&subset.orders[feature], keys, leans, cuts);
                let holes = &subset.holes[feature];
                if !holes.is_empty() {
                    add_level_set_extremes(holes, |_| 0, 1, keys, leans, cuts, &mut found);
                }
                found
            }
            RankedFeature::Levels { codes, n_levels } => {
                let mut found = PrefixSumExtremes::NONE;
                let level = |row: usize| codes[row] as usize;
                add_level_set_extremes(
                    &subset.rows,
                    level,
                    *n_levels as usize + 1,
                    keys,
                    leans,
                    cuts,
                    &mut found,
                );
                found
            }
        }
    }
}
