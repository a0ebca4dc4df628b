//! Costs of predictions as integers, so that sums of costs are exact.
//!
//! Costs that are not integers, or too large, are scaled by a power of two and rounded down row by row. The
//! scaled cost of a tree is therefore at least its integer cost, and [`PredictionCosts::slack`] bounds the
//! difference.

use crate::ranked_table::RankedTable;

/// Cost of every row for each of `K` predictions.
///
/// `P = K (K - 1) / 2` is the number of pairs of predictions.
#[derive(Debug)]
pub(crate) struct PredictionCosts<'a, const K: usize, const P: usize> {
    /// Kind of each row; rows of the same kind have the same cost of each prediction.
    ///
    /// There are few kinds, and a kind takes less memory than costs.
    kinds: &'a [u32],
    of_kind: Vec<CostVector<K>>,
    /// Cost differences (leans) of each row for each pair of predictions.
    ///
    /// A lean is the cost of the first prediction minus the cost of the second.
    pub(crate) lean: Vec<[f64; P]>,
    pub(crate) leaf: f64,
    /// Factor from costs to integer costs: a power of two, and 1 if no scaling is needed.
    pub(crate) scale: f64,
    /// Maximum difference between the scaled cost and the integer cost of any tree.
    ///
    /// It is 0 if no cost was rounded.
    pub(crate) slack: f64,
}

/// Limit for the sum of all costs, up to which doubles represent integers exactly.
pub(crate) const MOST_COST: f64 = 4_503_599_627_370_496.0;

const MOST_LEAVES: f64 = 16.0;

/// Upper bound on the floating-point error of the scaled costs, summed over all rows.
///
/// It is the error before the scaled costs are rounded to integers.
const NOISE: f64 = 4.0;

/// Returns the factor from costs to integer costs, and the maximum rounding error of a tree.
///
/// `total` is the sum of all costs.
fn integer_cost_scale(is_whole: bool, total: f64, n_rows: usize) -> (f64, f64) {
    if is_whole && total < MOST_COST {
        return (1.0, 0.0);
    }
    let power = (MOST_COST / total).log2().floor().min(1000.0);
    // Rounding down reduces the scaled cost of each row and of each leaf by less than 1.
    (power.exp2(), n_rows as f64 + MOST_LEAVES + NOISE)
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CostVector<const K: usize> {
    /// Cost of each prediction, minus the cost of the cheapest prediction of each row.
    pub(crate) cost: [f64; K],
    /// Cost of the most expensive prediction of each row minus its least cost, summed over rows.
    pub(crate) most: f64,
    /// Unavoidable cost: the cost of the cheapest prediction of each row, summed over the rows.
    ///
    /// It can be above 0, because a group of equal rows can have several classes.
    pub(crate) base: f64,
}

impl<const K: usize> CostVector<K> {
    pub(crate) const NONE: Self = Self { cost: [0.0; K], most: 0.0, base: 0.0 };

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        add_elementwise(&mut self.cost, &other.cost);
        self.most += other.most;
        self.base += other.base;
    }
}

pub(crate) fn prediction_pairs(n_predictions: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_predictions).flat_map(move |first| (first + 1..n_predictions).map(move |second| (first, second)))
}

impl<'a, const K: usize, const P: usize> PredictionCosts<'a, K, P> {
    /// Computes row costs from the cost of each prediction for one unit of weight of each class.
    ///
    /// The cost in `cells` has the index `class * n_classes + predicted`. Predictions beyond the number of
    /// classes cost the same as the first prediction. The sum of all costs must be finite.
    pub(crate) fn new(table: &'a RankedTable, cells: &[f64], leaf: f64) -> Self {
        let n_classes = table.n_classes();
        let costs = |units: &[f64]| {
            let mut cost = [0.0; K];
            for (predicted, sum) in cost.iter_mut().enumerate() {
                let predicted = if predicted < n_classes { predicted } else { 0 };
                *sum =
                    units.iter().enumerate().map(|(class, n)| n * cells[class * n_classes + predicted]).sum();
            }
            cost
        };
        let costs: Vec<[f64; K]> = table.class_units_by_kind().map(costs).collect();
        let dearest = |cost: &[f64; K]| cost.iter().copied().fold(0.0, f64::max);
        let total: f64 = table.row_weight_kinds().iter().map(|&kind| dearest(&costs[kind as usize])).sum();
        let is_whole = leaf.fract() == 0.0 && costs.iter().flatten().all(|cost| cost.fract() == 0.0);
        let (scale, slack) = integer_cost_scale(is_whole, total + MOST_LEAVES * leaf, table.n_rows());
        let leaf = (leaf * scale).floor();
        let dues = |cost: &[f64; K]| {
            let mut cost = cost.map(|cost| (cost * scale).floor());
            let base = cost.iter().copied().fold(f64::INFINITY, f64::min);
            for cost in &mut cost {
                *cost -= base;
            }
            CostVector { cost, most: cost.iter().copied().fold(0.0, f64::max), base }
        };
        let lean = |dues: &CostVector<K>| {
            let mut of_pairs = [0.0; P];
            for (lean, (first, second)) in of_pairs.iter_mut().zip(prediction_pairs(K)) {
                *lean = dues.cost[first] - dues.cost[second];
            }
            of_pairs
        };
        let of_kind: Vec<CostVector<K>> = costs.iter().map(dues).collect();
        let leans: Vec<[f64; P]> = of_kind.iter().map(lean).collect();
        let kinds = table.row_weight_kinds();
        let lean = kinds.iter().map(|&kind| leans[kind as usize]).collect();
        Self { kinds, of_kind, lean, leaf, scale, slack }
    }

    #[inline]
    pub(crate) fn row_cost(&self, row: usize) -> &CostVector<K> {
        &self.of_kind[self.kinds[row] as usize]
    }

    pub(crate) fn total_cost(&self, rows: &[u32]) -> CostVector<K> {
        let mut dues = CostVector::NONE;
        for &row in rows {
            dues.add(self.row_cost(row as usize));
        }
        dues
    }

    pub(crate) fn total_excess_costs(&self, rows: &[u32]) -> [f64; K] {
        self.total_cost(rows).cost
    }

    pub(crate) fn leaf_cost(&self, totals: &[f64; K]) -> f64 {
        self.leaf + totals.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Least cost of a tree of at most one split.
    ///
    /// `totals` has the cost of each prediction, summed over the rows of the tree. For each pair of
    /// predictions, `low` and `high` are the smallest and the largest sum of cost differences over the first
    /// child of a split.
    #[inline]
    pub(crate) fn stump_cost(&self, totals: &[f64; K], low: &[f64; P], high: &[f64; P]) -> f64 {
        let mut split = f64::INFINITY;
        let mut pair = 0;
        for first in 0..K {
            for second in first + 1..K {
                split = split.min(totals[second] + low[pair]).min(totals[first] - high[pair]);
                pair += 1;
            }
        }
        (split + 2.0 * self.leaf).min(self.leaf_cost(totals))
    }
}

#[inline]
pub(crate) fn add_elementwise<const N: usize>(sums: &mut [f64; N], of_row: &[f64; N]) {
    sums.iter_mut().zip(of_row).for_each(|(sum, value)| *sum += value);
}
