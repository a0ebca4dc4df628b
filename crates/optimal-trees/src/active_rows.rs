//! Compressed rows of a node, for the search of root splits (cuts) in an interval.
//!
//! The interval contains neighboring cuts of one feature. A row is moving if its child depends on the cut;
//! all other rows are fixed. In the order of another feature, consecutive fixed rows are replaced by a
//! summary. For each child, the summary has the sum of cost differences, and the smallest and the largest
//! prefix sum.

use crate::node_subset::{NodeSubset, decode_order_entry};
use crate::prediction_costs::add_elementwise;
use crate::prefix_extremes::{PrefixSumExtremes, max_number, min_number};
use crate::ranked_table::{RankedFeature, RankedTable};
use imbcore_core::Result;
use multiversion::multiversion;

/// Sum of cost differences of consecutive fixed rows, and smallest and largest prefix sum.
///
/// A prefix ends with the last row of a value, because a split is possible only there.
#[derive(Clone, Copy, Debug)]
struct RowRunSummary<const P: usize> {
    sum: [f64; P],
    low: [f64; P],
    high: [f64; P],
}

#[derive(Clone, Copy, Debug)]
struct RowRunSummaryByChild<const P: usize> {
    left: RowRunSummary<P>,
    right: RowRunSummary<P>,
}

#[derive(Debug)]
struct CompressedFeatureOrder<const P: usize> {
    keys: Vec<f64>,
    leans: Vec<[f64; P]>,
    /// Summaries of the fixed rows before, between and after the moving rows.
    gaps: Vec<RowRunSummaryByChild<P>>,
}

/// Groups of rows that a split can send to either child: nominal levels, or missing values.
#[derive(Debug)]
struct CompressedLevelGroups<const P: usize> {
    keys: Vec<f64>,
    leans: Vec<[f64; P]>,
    level: Vec<u32>,
    /// For each level with moving rows, sum of the cost differences of rows fixed on the left.
    left: Vec<[f64; P]>,
    right: Vec<[f64; P]>,
    /// Smallest and largest sum of cost differences over sets of levels without moving rows.
    ///
    /// The first two entries are for levels in the left child, the last two for levels in the right child.
    fixed: [[f64; P]; 4],
}

#[derive(Debug)]
pub(crate) struct CompressedNodeRows<const P: usize> {
    orders: Vec<Option<CompressedFeatureOrder<P>>>,
    levels: Vec<Option<CompressedLevelGroups<P>>>,
}

/// Interval of keys that are above the first number and at most the second number.
///
/// The child of a row with a key in the interval depends on the cut. All cuts send rows with smaller keys to
/// the left child, and rows with larger keys to the right child.
pub(crate) type KeyInterval = (f64, f64);

impl<const P: usize> RowRunSummary<P> {
    const NONE: Self = Self { sum: [0.0; P], low: [f64::INFINITY; P], high: [f64::NEG_INFINITY; P] };

    /// Adds the cost differences of a row if `is` is true, that is, if the row is in this child.
    ///
    /// The sum is computed without a branch, because `is` changes from row to row without a pattern.
    #[inline]
    fn add_row(&mut self, lean: &[f64; P], is: bool) {
        for (sum, &lean) in self.sum.iter_mut().zip(lean) {
            *sum += if is { lean } else { 0.0 };
        }
    }

    /// Updates the smallest and largest prefix sums if `is` is true.
    ///
    /// `is` is true after the last row of a value.
    #[inline]
    fn update_prefix_extremes(&mut self, is: bool) {
        for pair in 0..P {
            let sum = self.sum[pair];
            self.low[pair] = min_number(self.low[pair], if is { sum } else { f64::INFINITY });
            self.high[pair] = max_number(self.high[pair], if is { sum } else { f64::NEG_INFINITY });
        }
    }

    fn append(&mut self, next: &Self) {
        for pair in 0..P {
            self.low[pair] = min_number(self.low[pair], self.sum[pair] + next.low[pair]);
            self.high[pair] = max_number(self.high[pair], self.sum[pair] + next.high[pair]);
            self.sum[pair] += next.sum[pair];
        }
    }
}

impl<const P: usize> RowRunSummaryByChild<P> {
    const NONE: Self = Self { left: RowRunSummary::NONE, right: RowRunSummary::NONE };

    #[inline]
    fn add_row(&mut self, lean: &[f64; P], left: bool) {
        self.left.add_row(lean, left);
        self.right.add_row(lean, !left);
    }

    #[inline]
    fn update_extremes_at_cut(&mut self, is: bool) {
        self.left.update_prefix_extremes(is);
        self.right.update_prefix_extremes(is);
    }

    fn append(&mut self, next: &Self) {
        self.left.append(&next.left);
        self.right.append(&next.right);
    }
}

impl<const P: usize> CompressedFeatureOrder<P> {
    fn with_capacity(n_rows: usize) -> Self {
        Self {
            keys: Vec::with_capacity(n_rows),
            leans: Vec::with_capacity(n_rows),
            gaps: Vec::with_capacity(n_rows + 1),
        }
    }

    fn new(
        order: &[u32],
        n_rows: usize,
        (keys, leans): (&[f64], &[[f64; P]]),
        (low, high): KeyInterval,
    ) -> Self {
        let mut packed = Self::with_capacity(n_rows);
        let mut gap = RowRunSummaryByChild::NONE;
        for &packed_row in order {
            let (row, last) = decode_order_entry(packed_row);
            let key = keys[row];
            if key > low && key <= high {
                packed.add_row(key, &leans[row], std::mem::replace(&mut gap, RowRunSummaryByChild::NONE));
            } else {
                gap.add_row(&leans[row], key <= low);
            }
            gap.update_extremes_at_cut(last);
        }
        packed.gaps.push(gap);
        packed
    }

    fn add_row(&mut self, key: f64, lean: &[f64; P], gap: RowRunSummaryByChild<P>) {
        self.keys.push(key);
        self.leans.push(*lean);
        self.gaps.push(gap);
    }

    fn narrow_to(&self, stretch: KeyInterval) -> Self {
        let (low, high) = stretch;
        let mut packed = Self::with_capacity(count_keys_in_interval(&self.keys, stretch));
        let mut gap = self.gaps[0];
        for ((&key, lean), next) in self.keys.iter().zip(&self.leans).zip(&self.gaps[1..]) {
            if key > low && key <= high {
                packed.add_row(key, lean, std::mem::replace(&mut gap, *next));
            } else {
                gap.add_row(lean, key <= low);
                gap.append(next);
            }
        }
        packed.gaps.push(gap);
        packed
    }
}

fn count_keys_in_interval<'a>(keys: impl IntoIterator<Item = &'a f64>, (low, high): KeyInterval) -> usize {
    keys.into_iter().filter(|&&key| key > low && key <= high).count()
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn compressed_prefix_extremes<const P: usize, const L: usize>(
    packed: &CompressedFeatureOrder<P>,
    cuts: &[f64; L],
) -> PrefixSumExtremes<P, L> {
    let mut found = PrefixSumExtremes::NONE;
    let (mut left, mut right) = ([[0.0; L]; P], [[0.0; L]; P]);
    let rows = packed.keys.iter().zip(&packed.leans).map(Some);
    for (row, gap) in std::iter::once(None).chain(rows).zip(&packed.gaps) {
        if let Some((&key, lean)) = row {
            for pair in 0..P {
                for lane in 0..L {
                    let before = key <= cuts[lane];
                    left[pair][lane] += if before { lean[pair] } else { 0.0 };
                    right[pair][lane] += if before { 0.0 } else { lean[pair] };
                }
            }
        }
        for pair in 0..P {
            let (run, other) = (&gap.left, &gap.right);
            for lane in 0..L {
                let (before, behind) = (left[pair][lane], right[pair][lane]);
                found.left_low[pair][lane] = min_number(found.left_low[pair][lane], before + run.low[pair]);
                found.left_high[pair][lane] =
                    max_number(found.left_high[pair][lane], before + run.high[pair]);
                found.right_low[pair][lane] =
                    min_number(found.right_low[pair][lane], behind + other.low[pair]);
                found.right_high[pair][lane] =
                    max_number(found.right_high[pair][lane], behind + other.high[pair]);
                left[pair][lane] = before + run.sum[pair];
                right[pair][lane] = behind + other.sum[pair];
            }
        }
    }
    found
}

impl<const P: usize> CompressedLevelGroups<P> {
    /// Stores rows with keys in the interval one by one, and only sums of all other rows.
    fn new<'a>(
        rows: impl Iterator<Item = (f64, &'a [f64; P], u32)> + Clone,
        (mut left, mut right): (Vec<[f64; P]>, Vec<[f64; P]>),
        mut fixed: [[f64; P]; 4],
        (low, high): KeyInterval,
    ) -> Self {
        let mut moves = vec![false; left.len()];
        for (key, lean, level) in rows.clone() {
            if key > low && key <= high {
                moves[level as usize] = true;
            } else {
                let side = if key <= low { &mut left } else { &mut right };
                add_elementwise(&mut side[level as usize], lean);
            }
        }
        let mut place = vec![u32::MAX; left.len()];
        let (mut kept_left, mut kept_right) = (Vec::new(), Vec::new());
        for level in 0..moves.len() {
            if moves[level] {
                place[level] = kept_left.len() as u32;
                kept_left.push(left[level]);
                kept_right.push(right[level]);
                continue;
            }
            for pair in 0..P {
                fixed[0][pair] += min_number(left[level][pair], 0.0);
                fixed[1][pair] += max_number(left[level][pair], 0.0);
                fixed[2][pair] += min_number(right[level][pair], 0.0);
                fixed[3][pair] += max_number(right[level][pair], 0.0);
            }
        }
        let mut packed = Self {
            keys: Vec::new(),
            leans: Vec::new(),
            level: Vec::new(),
            left: kept_left,
            right: kept_right,
            fixed,
        };
        for (key, lean, level) in rows.filter(|(key, ..)| *key > low && *key <= high) {
            packed.keys.push(key);
            packed.leans.push(*lean);
            packed.level.push(place[level as usize]);
        }
        packed
    }

    fn narrow_to(&self, stretch: KeyInterval) -> Self {
        let rows = (0..self.keys.len()).map(|row| (self.keys[row], &self.leans[row], self.level[row]));
        Self::new(rows, (self.left.clone(), self.right.clone()), self.fixed, stretch)
    }

    fn add_extremes<const L: usize>(&self, cuts: &[f64; L], found: &mut PrefixSumExtremes<P, L>) {
        for pair in 0..P {
            for lane in 0..L {
                found.left_low[pair][lane] += self.fixed[0][pair];
                found.left_high[pair][lane] += self.fixed[1][pair];
                found.right_low[pair][lane] += self.fixed[2][pair];
                found.right_high[pair][lane] += self.fixed[3][pair];
            }
        }
        let spread = |sums: &[f64; P]| sums.map(|sum| [sum; L]);
        let mut sums: Vec<_> =
            self.left.iter().zip(&self.right).map(|(left, right)| (spread(left), spread(right))).collect();
        for ((&key, lean), &level) in self.keys.iter().zip(&self.leans).zip(&self.level) {
            let (left, right) = &mut sums[level as usize];
            for pair in 0..P {
                for lane in 0..L {
                    let before = key <= cuts[lane];
                    left[pair][lane] += if before { lean[pair] } else { 0.0 };
                    right[pair][lane] += if before { 0.0 } else { lean[pair] };
                }
            }
        }
        for (left, right) in &sums {
            for pair in 0..P {
                found.add_group_of_either_child(pair, &left[pair], &right[pair]);
            }
        }
    }
}

impl<const P: usize> CompressedNodeRows<P> {
    /// Compresses the rows of a node for all cuts in an interval of keys.
    ///
    /// # Errors
    /// The errors of `look`, which checks the budget before every feature.
    pub(crate) fn new(
        table: &RankedTable,
        subset: &NodeSubset,
        (keys, leans): (&[f64], &[[f64; P]]),
        stretch: KeyInterval,
        look: impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let none = [[0.0; P]; 4];
        let (mut orders, mut levels) = (Vec::new(), Vec::new());
        let n_rows = count_keys_in_interval(subset.rows.iter().map(|&row| &keys[row as usize]), stretch);
        for feature in 0..table.n_features() {
            look()?;
            let of_rows = |rows: &[u32], n_levels: usize, level: &dyn Fn(usize) -> u32| {
                let rows = rows.iter().map(|&row| row as usize);
                let rows: Vec<_> = rows.map(|row| (keys[row], &leans[row], level(row))).collect();
                let sums = vec![[0.0; P]; n_levels];
                CompressedLevelGroups::new(rows.iter().copied(), (sums.clone(), sums), none, stretch)
            };
            match table.feature(feature) {
                RankedFeature::Ordered { .. } => {
                    let order = &subset.orders[feature];
                    orders.push(Some(CompressedFeatureOrder::new(order, n_rows, (keys, leans), stretch)));
                    let holes = &subset.holes[feature];
                    levels.push((!holes.is_empty()).then(|| of_rows(holes, 1, &|_| 0)));
                }
                RankedFeature::Levels { codes, n_levels } => {
                    orders.push(None);
                    levels.push(Some(of_rows(&subset.rows, *n_levels as usize + 1, &|row| codes[row])));
                }
            }
        }
        Ok(Self { orders, levels })
    }

    pub(crate) fn narrow_to_interval(&self, stretch: KeyInterval) -> Self {
        Self {
            orders: self
                .orders
                .iter()
                .map(|order| order.as_ref().map(|order| order.narrow_to(stretch)))
                .collect(),
            levels: self
                .levels
                .iter()
                .map(|levels| levels.as_ref().map(|levels| levels.narrow_to(stretch)))
                .collect(),
        }
    }

    pub(crate) fn feature_sum_extremes<const L: usize>(
        &self,
        feature: usize,
        cuts: &[f64; L],
    ) -> PrefixSumExtremes<P, L> {
        let mut found = self.orders[feature]
            .as_ref()
            .map_or(PrefixSumExtremes::NONE, |order| compressed_prefix_extremes(order, cuts));
        if let Some(levels) = &self.levels[feature] {
            levels.add_extremes(cuts, &mut found);
        }
        found
    }
}
