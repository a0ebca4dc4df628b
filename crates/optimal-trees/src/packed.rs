//! Compressed rows of a node, for candidate splits (cuts) in one interval of a feature.
//!
//! Only the rows of the interval are in different children for different cuts. In the order of another
//! feature, all rows between two rows of the interval are replaced by three numbers for each child.

use crate::measure::{PrefixExtremes, greater, lesser};
use crate::prices::add;
use crate::subset::{Subset, entry};
use crate::table::{RankedFeature, RankedTable};
use imbcore_core::Result;
use multiversion::multiversion;

/// Consecutive rows that stay in their child, summarized.
/// Extremes are taken over the prefix sums that end with the last row of a value.
#[derive(Clone, Copy, Debug)]
struct FixedRun<const P: usize> {
    sum: [f64; P],
    low: [f64; P],
    high: [f64; P],
}

/// Rows that do not move between two rows that may move, summarized for each child.
#[derive(Clone, Copy, Debug)]
struct FixedGap<const P: usize> {
    left: FixedRun<P>,
    right: FixedRun<P>,
}

/// Order of a feature.
#[derive(Debug)]
struct ActiveOrder<const P: usize> {
    keys: Vec<f64>,
    leans: Vec<[f64; P]>,
    /// Gaps between the rows and at both ends: one more than the number of rows.
    gaps: Vec<FixedGap<P>>,
}

/// Groups of rows that may go to either child: levels, or all rows with a missing value.
#[derive(Debug)]
struct ActiveLevels<const P: usize> {
    keys: Vec<f64>,
    leans: Vec<[f64; P]>,
    level: Vec<u32>,
    /// For each level, the sums of cost differences over the rows that stay in the left child.
    /// `right` has the sums over the rows that stay in the right child.
    left: Vec<[f64; P]>,
    right: Vec<[f64; P]>,
    /// Sums of the extremes of those levels in which no row may move.
    fixed: [[f64; P]; 4],
}

/// Compressed rows of every feature.
#[derive(Debug)]
pub(crate) struct ActiveRows<const P: usize> {
    orders: Vec<Option<ActiveOrder<P>>>,
    levels: Vec<Option<ActiveLevels<P>>>,
}

/// Interval of keys of the rows that may move: above the first and at most the second.
/// Rows with a key of at most the first are left.
pub(crate) type KeyInterval = (f64, f64);

impl<const P: usize> FixedRun<P> {
    const NONE: Self = Self { sum: [0.0; P], low: [f64::INFINITY; P], high: [f64::NEG_INFINITY; P] };

    /// Adds the cost differences of a row if it `is` in this child.
    /// Selecting is faster than branching, since child and value change from row to row without a pattern.
    #[inline]
    fn add_row(&mut self, lean: &[f64; P], is: bool) {
        for (sum, &lean) in self.sum.iter_mut().zip(lean) {
            *sum += if is { lean } else { 0.0 };
        }
    }

    /// Updates the extremes if this `is` the last row of its value, so that a cut is possible.
    #[inline]
    fn add_cut(&mut self, is: bool) {
        for pair in 0..P {
            let sum = self.sum[pair];
            self.low[pair] = lesser(self.low[pair], if is { sum } else { f64::INFINITY });
            self.high[pair] = greater(self.high[pair], if is { sum } else { f64::NEG_INFINITY });
        }
    }

    fn then(&mut self, next: &Self) {
        for pair in 0..P {
            self.low[pair] = lesser(self.low[pair], self.sum[pair] + next.low[pair]);
            self.high[pair] = greater(self.high[pair], self.sum[pair] + next.high[pair]);
            self.sum[pair] += next.sum[pair];
        }
    }
}

impl<const P: usize> FixedGap<P> {
    const NONE: Self = Self { left: FixedRun::NONE, right: FixedRun::NONE };

    /// Adds a row that does not move.
    #[inline]
    fn add_row(&mut self, lean: &[f64; P], left: bool) {
        self.left.add_row(lean, left);
        self.right.add_row(lean, !left);
    }

    #[inline]
    fn add_cut(&mut self, is: bool) {
        self.left.add_cut(is);
        self.right.add_cut(is);
    }

    fn then(&mut self, next: &Self) {
        self.left.then(&next.left);
        self.right.then(&next.right);
    }
}

impl<const P: usize> ActiveOrder<P> {
    /// Builds an empty order with room for `n_rows` rows.
    fn with_room(n_rows: usize) -> Self {
        Self {
            keys: Vec::with_capacity(n_rows),
            leans: Vec::with_capacity(n_rows),
            gaps: Vec::with_capacity(n_rows + 1),
        }
    }

    /// Compresses an order with at most `n_rows` rows in the interval.
    fn new(
        order: &[u32],
        n_rows: usize,
        (keys, leans): (&[f64], &[[f64; P]]),
        (low, high): KeyInterval,
    ) -> Self {
        let mut packed = Self::with_room(n_rows);
        let mut gap = FixedGap::NONE;
        for &packed_row in order {
            let (row, last) = entry(packed_row);
            let key = keys[row];
            if key > low && key <= high {
                packed.push(key, &leans[row], std::mem::replace(&mut gap, FixedGap::NONE));
            } else {
                gap.add_row(&leans[row], key <= low);
            }
            gap.add_cut(last);
        }
        packed.gaps.push(gap);
        packed
    }

    fn push(&mut self, key: f64, lean: &[f64; P], gap: FixedGap<P>) {
        self.keys.push(key);
        self.leans.push(*lean);
        self.gaps.push(gap);
    }

    fn narrowed(&self, stretch: KeyInterval) -> Self {
        let (low, high) = stretch;
        let mut packed = Self::with_room(count(&self.keys, stretch));
        let mut gap = self.gaps[0];
        for ((&key, lean), next) in self.keys.iter().zip(&self.leans).zip(&self.gaps[1..]) {
            if key > low && key <= high {
                packed.push(key, lean, std::mem::replace(&mut gap, *next));
            } else {
                gap.add_row(lean, key <= low);
                gap.then(next);
            }
        }
        packed.gaps.push(gap);
        packed
    }
}

/// Number of keys in an interval.
fn count<'a>(keys: impl IntoIterator<Item = &'a f64>, (low, high): KeyInterval) -> usize {
    keys.into_iter().filter(|&&key| key > low && key <= high).count()
}

/// Extremes over the prefixes of a packed order.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn prefixes<const P: usize, const L: usize>(
    packed: &ActiveOrder<P>,
    cuts: &[f64; L],
) -> PrefixExtremes<P, L> {
    let mut found = PrefixExtremes::NONE;
    let (mut left, mut right) = ([[0.0; L]; P], [[0.0; L]; P]);
    // The gaps alternate with the rows; the first gap is before all rows.
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
                found.left_low[pair][lane] = lesser(found.left_low[pair][lane], before + run.low[pair]);
                found.left_high[pair][lane] = greater(found.left_high[pair][lane], before + run.high[pair]);
                found.right_low[pair][lane] = lesser(found.right_low[pair][lane], behind + other.low[pair]);
                found.right_high[pair][lane] =
                    greater(found.right_high[pair][lane], behind + other.high[pair]);
                left[pair][lane] = before + run.sum[pair];
                right[pair][lane] = behind + other.sum[pair];
            }
        }
    }
    found
}

impl<const P: usize> ActiveLevels<P> {
    /// Separates rows into those that may move and the sums of all other rows.
    /// A row is its key, its cost differences and its level.
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
                add(&mut side[level as usize], lean);
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
                fixed[0][pair] += lesser(left[level][pair], 0.0);
                fixed[1][pair] += greater(left[level][pair], 0.0);
                fixed[2][pair] += lesser(right[level][pair], 0.0);
                fixed[3][pair] += greater(right[level][pair], 0.0);
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

    fn narrowed(&self, stretch: KeyInterval) -> Self {
        let rows = (0..self.keys.len()).map(|row| (self.keys[row], &self.leans[row], self.level[row]));
        Self::new(rows, (self.left.clone(), self.right.clone()), self.fixed, stretch)
    }

    fn extremes<const L: usize>(&self, cuts: &[f64; L], found: &mut PrefixExtremes<P, L>) {
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
                found.choose(pair, &left[pair], &right[pair]);
            }
        }
    }
}

impl<const P: usize> ActiveRows<P> {
    /// Compresses the rows of a node.
    ///
    /// # Errors
    /// Same errors as `look`, which is called before every feature.
    pub(crate) fn new(
        table: &RankedTable,
        subset: &Subset,
        (keys, leans): (&[f64], &[[f64; P]]),
        stretch: KeyInterval,
        look: impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let none = [[0.0; P]; 4];
        let (mut orders, mut levels) = (Vec::new(), Vec::new());
        let n_rows = count(subset.rows.iter().map(|&row| &keys[row as usize]), stretch);
        for feature in 0..table.n_features() {
            look()?;
            let of_rows = |rows: &[u32], n_levels: usize, level: &dyn Fn(usize) -> u32| {
                let rows = rows.iter().map(|&row| row as usize);
                let rows: Vec<_> = rows.map(|row| (keys[row], &leans[row], level(row))).collect();
                let sums = vec![[0.0; P]; n_levels];
                ActiveLevels::new(rows.iter().copied(), (sums.clone(), sums), none, stretch)
            };
            match table.feature(feature) {
                RankedFeature::Ordered { .. } => {
                    let order = &subset.orders[feature];
                    orders.push(Some(ActiveOrder::new(order, n_rows, (keys, leans), stretch)));
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

    /// Restricts the compressed rows to a part of their interval.
    pub(crate) fn narrowed(&self, stretch: KeyInterval) -> Self {
        Self {
            orders: self
                .orders
                .iter()
                .map(|order| order.as_ref().map(|order| order.narrowed(stretch)))
                .collect(),
            levels: self
                .levels
                .iter()
                .map(|levels| levels.as_ref().map(|levels| levels.narrowed(stretch)))
                .collect(),
        }
    }

    /// Extremes of a feature for each cut.
    pub(crate) fn extremes<const L: usize>(&self, feature: usize, cuts: &[f64; L]) -> PrefixExtremes<P, L> {
        let mut found =
            self.orders[feature].as_ref().map_or(PrefixExtremes::NONE, |order| prefixes(order, cuts));
        if let Some(levels) = &self.levels[feature] {
            levels.extremes(cuts, &mut found);
        }
        found
    }
}
