//! What answers cost, in whole units.

use crate::table::Table;

/// What every row costs under every answer. `K` answers make `P = K (K - 1) / 2` pairs.
#[derive(Debug)]
pub(crate) struct Prices<const K: usize, const P: usize> {
    /// Cost of a row under an answer, beyond that of its cheapest.
    pub(crate) cost: Vec<[f64; K]>,
    /// What the first answer of a pair costs more than the second one.
    pub(crate) lean: Vec<[f64; P]>,
    /// Cost of a row's dearest answer.
    pub(crate) most: Vec<f64>,
    /// What the row costs whatever is answered: rows that no feature tells apart have one answer.
    pub(crate) base: Vec<f64>,
    /// Cost of a leaf.
    pub(crate) leaf: f64,
}

/// Pairs of answers, the lower one first.
pub(crate) fn pairs(n_answers: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_answers).flat_map(move |first| (first + 1..n_answers).map(move |second| (first, second)))
}

impl<const K: usize, const P: usize> Prices<K, P> {
    /// Prices by a matrix of whole numbers: `cost[class * n_classes + answer]` for each unit of a class. Answers beyond the
    /// classes cost what the first one does.
    pub(crate) fn new(table: &Table, cells: &[f64], leaf: f64) -> Self {
        let n_classes = table.n_classes();
        let (mut cost, mut lean) = (Vec::new(), Vec::new());
        let (mut most, mut base) = (Vec::new(), Vec::new());
        for row in 0..table.n_rows() {
            let units = table.units(row);
            let mut of_row = [0.0; K];
            for (answer, sum) in of_row.iter_mut().enumerate() {
                let answer = if answer < n_classes { answer } else { 0 };
                *sum = units.iter().enumerate().map(|(class, n)| n * cells[class * n_classes + answer]).sum();
            }
            let least = of_row.iter().copied().fold(f64::INFINITY, f64::min);
            for cost in &mut of_row {
                *cost -= least;
            }
            let mut of_pairs = [0.0; P];
            for (lean, (first, second)) in of_pairs.iter_mut().zip(pairs(K)) {
                *lean = of_row[first] - of_row[second];
            }
            most.push(of_row.iter().copied().fold(0.0, f64::max));
            base.push(least);
            cost.push(of_row);
            lean.push(of_pairs);
        }
        Self { cost, lean, most, base, leaf }
    }

    /// Cost of rows under every answer.
    pub(crate) fn totals(&self, rows: &[u32]) -> [f64; K] {
        let mut totals = [0.0; K];
        for &row in rows {
            add(&mut totals, &self.cost[row as usize]);
        }
        totals
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
