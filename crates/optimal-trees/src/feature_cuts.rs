//! Candidate splits (cuts) of one feature at a node.

use crate::node_subset::{NodeSubset, decode_order_entry};
use crate::partial_tree::{PartialTreeSplit, RankSplitTest};
use crate::prediction_costs::CostVector;
use crate::ranked_table::{RankedFeature, RankedTable};
use crate::solver::TreeSolver;
use imbcore_core::Result;
use imbcore_core::memory_estimate::MemoryEstimate;
use std::borrow::Cow;

/// List of candidate splits (cuts) of one feature, in the order of their thresholds.
///
/// All of them send rows with a missing value to the same child.
#[derive(Debug)]
pub(crate) struct FeatureCuts<'a, const K: usize> {
    pub(crate) feature: usize,
    missing_first: bool,
    /// Key of every row of the table; `None` for nominal features, whose lists have one cut each.
    ///
    /// Nominal features may have many such lists, so their keys are computed on demand.
    keys: Option<Cow<'a, [f64]>>,
    /// Key of each cut, ascending. The left child has the rows whose key is at most this key.
    pub(crate) at: Vec<f64>,
    /// For each cut: cost of the left child for each prediction, without its unavoidable cost.
    ///
    /// The unavoidable cost is the cost of the cheapest prediction of each row, summed over the rows.
    pub(crate) first: Vec<[f64; K]>,
    /// For each cut: cost of the left child if each row had its most expensive prediction.
    ///
    /// The unavoidable cost of the rows is subtracted.
    pub(crate) most: Vec<f64>,
    pub(crate) base: Vec<f64>,
    /// Whether the last cut separates all rows with a value from the rows with a missing value.
    known: bool,
    /// Level that a nominal split separates from all other levels; the list then has one cut.
    level: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CutBounds {
    /// Index of the cut in its list, plus 1.
    ///
    /// 0 is the position before the first cut, and the number of cuts plus 1 the position after the last cut.
    pub(crate) place: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

impl<const K: usize> FeatureCuts<'_, K> {
    pub(crate) fn split_of_cut(&self, cut: usize) -> PartialTreeSplit {
        let test = match self.level {
            Some(level) => RankSplitTest::Level(level),
            None if self.known && cut + 1 == self.at.len() => RankSplitTest::Known,
            // Keys of cuts are ranks of values, so this conversion to an integer is exact.
            #[allow(clippy::cast_sign_loss)]
            None => RankSplitTest::Below(self.at[cut] as u32),
        };
        PartialTreeSplit { feature: self.feature, test, missing_first: self.missing_first }
    }

    pub(crate) fn n_cuts(&self) -> usize {
        self.at.len()
    }

    pub(crate) fn row_keys(&self, table: &RankedTable, subset: &NodeSubset) -> Cow<'_, [f64]> {
        if let Some(keys) = &self.keys {
            return Cow::Borrowed(keys);
        }
        let split = self.split_of_cut(0);
        let mut keys = vec![1.0; table.n_rows()];
        for &row in subset.rows.iter().filter(|&&row| split.goes_to_first_child(table, row)) {
            keys[row as usize] = 0.0;
        }
        Cow::Owned(keys)
    }

    /// Lower bound on the cost of trees whose root separates one level from all other levels.
    ///
    /// The child with the level costs at least `leaf`. The other child costs at least `stump`, the cost of
    /// the best tree of at most one split for all rows, minus the largest cost of the rows of the level. If
    /// the list tests no single level, the bound is negative infinity.
    pub(crate) fn single_level_split_bound(&self, leaf: f64, stump: f64) -> f64 {
        match (self.level, self.most.first()) {
            (Some(_), Some(most)) => leaf + stump - most,
            _ => f64::NEG_INFINITY,
        }
    }

    pub(crate) fn is_single_level_cut(&self) -> bool {
        self.level.is_some()
    }

    /// Bounds at the position before the first cut and at the position after the last cut.
    ///
    /// A child costs at least `leaf`, the cost of one leaf. Negative infinity means that a bound is unknown.
    pub(crate) fn bounds_outside_cuts(&self, leaf: f64) -> [CutBounds; 2] {
        [
            CutBounds { place: 0, left: leaf, right: f64::NEG_INFINITY },
            CutBounds { place: self.n_cuts() + 1, left: f64::NEG_INFINITY, right: leaf },
        ]
    }

    /// Returns the cuts between two positions whose trees may cost less than `limit`.
    ///
    /// Also returns a lower bound on the cost of trees with any other cut between the positions. If rows move
    /// to the other child, the cost of a child changes by at most the largest cost of these rows.
    pub(crate) fn cuts_below_limit(
        &self,
        before: CutBounds,
        behind: CutBounds,
        limit: f64,
    ) -> (std::ops::Range<usize>, f64) {
        let (mut first, mut last) = (before.place, behind.place - 1);
        let mut bound = f64::INFINITY;
        if first < last && before.right > f64::NEG_INFINITY {
            let reach = before.left + before.right + self.most[before.place - 1];
            let cuts = &self.most[first..last];
            let beyond = first + cuts.partition_point(|most| reach - most >= limit);
            if beyond > first {
                bound = bound.min(reach - self.most[beyond - 1]);
            }
            first = beyond;
        }
        if first < last && behind.left > f64::NEG_INFINITY {
            let reach = behind.left + behind.right - self.most[behind.place - 1];
            let cuts = &self.most[first..last];
            let within = first + cuts.partition_point(|most| reach + most < limit);
            if within < last {
                bound = bound.min(reach + self.most[within]);
            }
            last = within;
        }
        (first..last, bound)
    }

    /// Chooses at most `n` cuts of a range for evaluation, ascending.
    ///
    /// The chosen cuts divide the rows of the range into parts with about the same largest possible cost.
    pub(crate) fn pick_spread_cuts(&self, cuts: std::ops::Range<usize>, n: usize) -> Vec<usize> {
        if cuts.len() <= n {
            return cuts.collect();
        }
        let (low, high) = (self.most[cuts.start], self.most[cuts.end - 1]);
        let mut picks = Vec::with_capacity(n);
        for part in 1..=n {
            let goal = low + (high - low) * part as f64 / (n + 1) as f64;
            let pick = cuts.start + self.most[cuts.clone()].partition_point(|&most| most < goal);
            let least = picks.last().map_or(cuts.start, |last| last + 1);
            picks.push(pick.clamp(least, cuts.end - 1 - (n - part)));
        }
        picks
    }
}

impl<'a, const K: usize, const P: usize> TreeSolver<'a, K, P> {
    /// Computes the lists of candidate splits of all features at a node.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn feature_cuts(&self, subset: &NodeSubset) -> Result<Vec<FeatureCuts<'a, K>>> {
        self.check_cut_memory(subset)?;
        let mut lines = Vec::new();
        for feature in 0..self.table.n_features() {
            self.budget.check_limits()?;
            match self.table.feature(feature) {
                RankedFeature::Ordered { keys, .. } => {
                    let holes = &subset.holes[feature];
                    lines.push(self.ordered_cuts(subset, feature, Cow::Borrowed(&keys[..]), false));
                    if !holes.is_empty() {
                        let first = |key: &f64| if key.is_infinite() { f64::NEG_INFINITY } else { *key };
                        let keys = keys.iter().map(first).collect();
                        lines.push(self.ordered_cuts(subset, feature, Cow::Owned(keys), true));
                    }
                }
                RankedFeature::Levels { codes, n_levels } => {
                    lines.extend(self.level_cuts(subset, feature, (codes, *n_levels)));
                }
            }
        }
        lines.retain(|line| line.n_cuts() > 0);
        Ok(lines)
    }

    fn check_cut_memory(&self, subset: &NodeSubset) -> Result<()> {
        let bytes = size_of::<f64>() * (K + 3);
        let n_cuts = |feature: usize| match self.table.feature(feature) {
            feature_values @ RankedFeature::Ordered { .. } => {
                subset.orders[feature].len().min(feature_values.n_values())
            }
            RankedFeature::Levels { .. } => 0,
        };
        let n_cuts: usize = (0..self.table.n_features()).map(n_cuts).sum();
        let purpose = format!("{n_cuts} candidate splits");
        MemoryEstimate::default()
            .with_bytes(
                n_cuts.saturating_mul(bytes),
                purpose,
                "use fewer rows or columns, or round their values",
            )
            .check("optimal_tree")
    }

    fn ordered_cuts(
        &self,
        subset: &NodeSubset,
        feature: usize,
        keys: Cow<'a, [f64]>,
        missing_first: bool,
    ) -> FeatureCuts<'a, K> {
        let holes = &subset.holes[feature];
        let mut sum = if missing_first { self.prices.total_cost(holes) } else { CostVector::NONE };
        let known = !missing_first && !holes.is_empty();
        let order = &subset.orders[feature];
        let n = order.len().min(self.table.feature(feature).n_values());
        let (mut at, mut first) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut most, mut base) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for &one in order {
            let (row, last) = decode_order_entry(one);
            sum.add(self.prices.row_cost(row));
            if last {
                at.push(keys[row]);
                first.push(sum.cost);
                most.push(sum.most);
                base.push(sum.base);
            }
        }
        if !known {
            // After the last value no rows are left for the right child, so this is no cut.
            at.pop();
            first.pop();
            most.pop();
            base.pop();
        }
        FeatureCuts { feature, missing_first, keys: Some(keys), at, first, most, base, known, level: None }
    }

    /// Computes the candidate splits of a nominal feature in one pass over the rows.
    ///
    /// They separate each level from the others, with missing values in either child, and all levels from
    /// missing values.
    fn level_cuts(
        &self,
        subset: &NodeSubset,
        feature: usize,
        (codes, n_levels): (&[u32], u32),
    ) -> Vec<FeatureCuts<'a, K>> {
        let mut sums = vec![LevelTotals::NONE; n_levels as usize + 1];
        for &row in &subset.rows {
            let dues = *self.prices.row_cost(row as usize);
            sums[codes[row as usize] as usize].add(&LevelTotals { n_rows: 1, dues });
        }
        let holes = sums.pop().unwrap_or(LevelTotals::NONE);
        let mut known = LevelTotals::NONE;
        for level in &sums {
            known.add(level);
        }
        let line = |level: Option<u32>, missing_first: bool, sums: LevelTotals<K>| {
            let none = sums.n_rows == 0 || sums.n_rows == subset.rows.len();
            FeatureCuts {
                feature,
                missing_first,
                keys: None,
                at: if none { Vec::new() } else { vec![0.0] },
                first: vec![sums.dues.cost],
                most: vec![sums.dues.most],
                base: vec![sums.dues.base],
                known: level.is_none(),
                level,
            }
        };
        let mut lines = Vec::new();
        for (level, level_sums) in (0..).zip(sums).filter(|(_, level_sums)| level_sums.n_rows > 0) {
            lines.push(line(Some(level), false, level_sums));
            if holes.n_rows > 0 {
                let mut with_missing = level_sums;
                with_missing.add(&holes);
                lines.push(line(Some(level), true, with_missing));
            }
        }
        if holes.n_rows > 0 {
            lines.push(line(None, false, known));
        }
        lines
    }
}

#[derive(Clone, Copy)]
struct LevelTotals<const K: usize> {
    n_rows: usize,
    dues: CostVector<K>,
}

impl<const K: usize> LevelTotals<K> {
    const NONE: Self = Self { n_rows: 0, dues: CostVector::NONE };

    fn add(&mut self, other: &Self) {
        self.n_rows += other.n_rows;
        self.dues.add(&other.dues);
    }
}
