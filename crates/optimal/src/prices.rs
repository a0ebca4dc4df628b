//! What answers cost, in whole units.
//!
//! Sums of whole numbers are exact. Costs that are no whole numbers, or too large, are scaled by a power of two and rounded
//! down row by row, so that no tree costs less than it does here, and [`Prices::slack`] bounds the difference.

use crate::table::Table;

/// What every row costs under every answer. `K` answers make `P = K (K - 1) / 2` pairs.
#[derive(Debug)]
pub(crate) struct Prices<'a, const K: usize, const P: usize> {
    /// The kind of each row: there are few, and a number takes little memory.
    kinds: &'a [u32],
    /// What each row of a kind costs.
    of_kind: Vec<Dues<K>>,
    /// What the first answer of a pair costs more than the second one.
    pub(crate) lean: Vec<[f64; P]>,
    /// Cost of a leaf.
    pub(crate) leaf: f64,
    /// Whole units of a cost of 1, a power of two; 1 if all costs are whole numbers.
    pub(crate) scale: f64,
    /// Whole units by which the cost of any tree differs from the scaled cost at most; 0 if nothing was rounded.
    pub(crate) slack: f64,
}

/// Largest sum of all costs: doubles hold every sum and difference of whole numbers up to this.
pub(crate) const MOST_COST: f64 = 4_503_599_627_370_496.0;

/// Most leaves of a tree.
const MOST_LEAVES: f64 = 16.0;

/// Whole units by which the products and sums before rounding are off at most, all rows together.
const NOISE: f64 = 4.0;

/// The scale of costs that add up to a total, and the slack that it leaves over `n_rows` rows.
fn scaled(is_whole: bool, total: f64, n_rows: usize) -> (f64, f64) {
    if is_whole && total < MOST_COST {
        return (1.0, 0.0);
    }
    let power = (MOST_COST / total).log2().floor().min(1000.0);
    // Each row and each leaf loses less than 1.
    (power.exp2(), n_rows as f64 + MOST_LEAVES + NOISE)
}

/// What a row costs, or several together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dues<const K: usize> {
    /// Under an answer, beyond the cheapest of each row.
    pub(crate) cost: [f64; K],
    /// Under the dearest answer of each row, beyond the cheapest.
    pub(crate) most: f64,
    /// Whatever is answered: rows that no feature tells apart have one answer.
    pub(crate) base: f64,
}

impl<const K: usize> Dues<K> {
    pub(crate) const NONE: Self = Self { cost: [0.0; K], most: 0.0, base: 0.0 };

    #[inline]
    pub(crate) fn join(&mut self, other: &Self) {
        add(&mut self.cost, &other.cost);
        self.most += other.most;
        self.base += other.base;
    }
}

/// Pairs of answers, the lower one first.
pub(crate) fn pairs(n_answers: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_answers).flat_map(move |first| (first + 1..n_answers).map(move |second| (first, second)))
}

impl<'a, const K: usize, const P: usize> Prices<'a, K, P> {
    /// Prices by a matrix: `cost[class * n_classes + answer]` for each unit of a class. Answers beyond the classes cost what
    /// the first one does. All costs together are finite.
    pub(crate) fn new(table: &'a Table, cells: &[f64], leaf: f64) -> Self {
        let n_classes = table.n_classes();
        let costs = |units: &[f64]| {
            let mut cost = [0.0; K];
            for (answer, sum) in cost.iter_mut().enumerate() {
                let answer = if answer < n_classes { answer } else { 0 };
                *sum = units.iter().enumerate().map(|(class, n)| n * cells[class * n_classes + answer]).sum();
            }
            cost
        };
        let costs: Vec<[f64; K]> = table.units_of_kinds().map(costs).collect();
        let dearest = |cost: &[f64; K]| cost.iter().copied().fold(0.0, f64::max);
        let total: f64 = table.kinds().iter().map(|&kind| dearest(&costs[kind as usize])).sum();
        let is_whole = leaf.fract() == 0.0 && costs.iter().flatten().all(|cost| cost.fract() == 0.0);
        let (scale, slack) = scaled(is_whole, total + MOST_LEAVES * leaf, table.n_rows());
        let leaf = (leaf * scale).floor();
        let dues = |cost: &[f64; K]| {
            let mut cost = cost.map(|cost| (cost * scale).floor());
            let base = cost.iter().copied().fold(f64::INFINITY, f64::min);
            for cost in &mut cost {
                *cost -= base;
            }
            Dues { cost, most: cost.iter().copied().fold(0.0, f64::max), base }
        };
        let lean = |dues: &Dues<K>| {
            let mut of_pairs = [0.0; P];
            for (lean, (first, second)) in of_pairs.iter_mut().zip(pairs(K)) {
                *lean = dues.cost[first] - dues.cost[second];
            }
            of_pairs
        };
        let of_kind: Vec<Dues<K>> = costs.iter().map(dues).collect();
        let leans: Vec<[f64; P]> = of_kind.iter().map(lean).collect();
        let kinds = table.kinds();
        let lean = kinds.iter().map(|&kind| leans[kind as usize]).collect();
        Self { kinds, of_kind, lean, leaf, scale, slack }
    }

    /// What a row costs.
    #[inline]
    pub(crate) fn of_row(&self, row: usize) -> &Dues<K> {
        &self.of_kind[self.kinds[row] as usize]
    }

    /// What rows cost together.
    pub(crate) fn dues(&self, rows: &[u32]) -> Dues<K> {
        let mut dues = Dues::NONE;
        for &row in rows {
            dues.join(self.of_row(row as usize));
        }
        dues
    }

    /// Cost of rows under every answer.
    pub(crate) fn totals(&self, rows: &[u32]) -> [f64; K] {
        self.dues(rows).cost
    }

    /// Cost of a leaf of these totals.
    pub(crate) fn of_leaf(&self, totals: &[f64; K]) -> f64 {
        self.leaf + totals.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Least cost of rows of these totals with at most one split, where the leans of the rows on the first side add up to at
    /// least `low` and at most `high`, and both can be had.
    #[inline]
    pub(crate) fn of_stump(&self, totals: &[f64; K], low: &[f64; P], high: &[f64; P]) -> f64 {
        let mut split = f64::INFINITY;
        let mut pair = 0;
        for first in 0..K {
            for second in first + 1..K {
                split = split.min(totals[second] + low[pair]).min(totals[first] - high[pair]);
                pair += 1;
            }
        }
        (split + 2.0 * self.leaf).min(self.of_leaf(totals))
    }
}

/// Adds the numbers of a row.
#[inline]
pub(crate) fn add<const N: usize>(sums: &mut [f64; N], of_row: &[f64; N]) {
    sums.iter_mut().zip(of_row).for_each(|(sum, value)| *sum += value);
}
