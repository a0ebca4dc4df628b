//! Verification of a solution with the original numbers of the program.

use super::program::{DictionaryPosition, Simplex};

/// Relative tolerance for violated bounds and for the duality gap.
///
/// The tolerance of bounds is relative to the largest bound. The tolerance of the duality gap is relative to
/// the sum of the absolute terms of both objectives.
const PROVEN: f64 = 1e-9;

impl Simplex {
    pub(super) fn is_optimal(&self) -> bool {
        let x: Vec<f64> = (0..self.cost.len()).map(|col| self.value(col)).collect();
        let tolerance = PROVEN * self.largest_absolute_bound();
        let mut left = self.cost.clone();
        let (mut bound, mut terms) = (0.0, 0.0_f64);
        for (number, row) in self
            .rows
            .iter()
            .enumerate()
            .filter(|(row, _)| self.row_positions[*row] != DictionaryPosition::Gone)
        {
            let sum: f64 = row.entries.iter().map(|&(col, weight)| weight * x[col]).sum();
            if sum.is_nan() || sum < row.at_least - tolerance {
                return false;
            }
            let price = self.dual_value(number);
            row.entries.iter().for_each(|&(col, weight)| left[col] -= price * weight);
            bound += price * row.at_least;
            terms += (price * row.at_least).abs();
        }
        let mut objective = 0.0;
        for (col, (&left, &x)) in left.iter().zip(&x).enumerate() {
            let term = (left * self.lower[col]).min(left * self.upper[col]);
            bound += term;
            objective += self.cost[col] * x;
            terms += term.abs() + (self.cost[col] * x).abs();
        }
        objective - bound <= PROVEN * terms.max(f64::MIN_POSITIVE)
    }
}
