//! Class of least expected cost for smoothed probabilities of many classes.

use crate::costs::{Costs, argmin};
use crate::parallel;

const BLOCK: usize = 64;

/// Cost matrix with the sums of its columns.
///
/// Smoothing gives the same probability, usually the smallest one, to all classes without rows. This
/// probability times the column sums is added to the expected costs once for all classes. Each other class
/// then adds terms for the rest of its probability. If more than half of the classes have the smallest
/// probability, the time for a row is proportional to the number of other classes times the number of all
/// classes.
#[derive(Debug)]
pub struct CostsWithColumnSums<'c> {
    costs: &'c Costs,
    column_sums: Vec<f64>,
}

impl<'c> CostsWithColumnSums<'c> {
    /// Sums the columns of the matrix.
    pub fn new(costs: &'c Costs) -> Self {
        let mut column_sums = vec![0.0; costs.n_classes()];
        costs.cells().chunks_exact(costs.n_classes()).for_each(|row| add_scaled(&mut column_sums, 1.0, row));
        Self { costs, column_sums }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.costs.n_classes()
    }

    /// Class of least expected cost for every row, the lowest class code on ties.
    ///
    /// `weights` contains nonnegative numbers proportional to the class probabilities, row-major.
    pub fn cheapest_classes(&self, weights: &[f64]) -> Vec<u32> {
        let n_classes = self.costs.n_classes();
        let block = |weights: &[f64]| {
            let mut expected = vec![0.0; n_classes];
            let rows = weights.chunks_exact(n_classes);
            rows.map(|weights| self.cheapest_class(weights, &mut expected)).collect::<Vec<u32>>()
        };
        parallel::map(weights.chunks(BLOCK * n_classes), block).concat()
    }

    fn cheapest_class(&self, weights: &[f64], expected: &mut [f64]) -> u32 {
        let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
        let n_least = weights.iter().filter(|&&weight| weight == least).count();
        // `base` is subtracted from every weight. It is at most the smallest weight, so no difference is
        // negative, and sums lose no precision by cancellation.
        let base = if 2 * n_least > weights.len() { least } else { 0.0 };
        expected.fill(0.0);
        add_scaled(expected, base, &self.column_sums);
        let rows = weights.iter().zip(self.costs.cells().chunks_exact(weights.len()));
        rows.filter(|(weight, _)| **weight != base)
            .for_each(|(&weight, row)| add_scaled(expected, weight - base, row));
        argmin(expected)
    }
}

fn add_scaled(sums: &mut [f64], factor: f64, terms: &[f64]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += factor * term);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost_rule::RowCosts;

    #[test]
    fn smoothed_rows_get_the_class_of_least_expected_cost() {
        let n = 40;
        let mut state = 5_u32;
        let mut drawn = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let costs = (0..n * n).map(|_| f64::from(drawn(50))).collect();
        let costs = Costs::new(costs, n).unwrap();
        for n_other in [0, 1, 5, 19, 20, 21, 39] {
            for base in [0.0, 1.0] {
                let rows: Vec<f64> = (0..200 * n)
                    .map(|at| if at % n < n_other { base + f64::from(drawn(9)) } else { base })
                    .collect();
                // Sums of small integers are exact in any order, so the costs must equal those of `RowCosts`.
                let expected = RowCosts::with_one_matrix(&costs, 200).cheapest_classes(&rows).unwrap();
                assert_eq!(CostsWithColumnSums::new(&costs).cheapest_classes(&rows), expected);
            }
        }
    }

    #[test]
    fn ties_go_to_the_lowest_class() {
        let costs = Costs::new((0..25).map(|cell| f64::from(u8::from(cell % 6 != 0))).collect(), 5).unwrap();
        let smoothed = CostsWithColumnSums::new(&costs);
        assert_eq!(smoothed.cheapest_classes(&[0.1, 0.1, 0.4, 0.1, 0.4, 0.2, 0.2, 0.2, 0.2, 0.2]), [2, 0]);
    }
}
