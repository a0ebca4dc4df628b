//! Quantiles of weighted values, which determine the knots of splines and the bins.

use imbcore_core::{Result, memory, midpoint};

/// Smallest distance between neighboring knots; at smaller distances, slopes could overflow.
const CLOSEST: f64 = 1e-300;

const MOST_CAPS: usize = 20;

/// Distinct values of a column, ascending, with their weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctValues {
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl DistinctValues {
    /// Collects the values and weights of a column without missing values.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn new(pairs: impl Iterator<Item = (f64, f64)>) -> Result<Self> {
        // Adding 0 turns -0 into 0, so that both are one value.
        let mut pairs =
            memory::collect(pairs.map(|(value, weight)| (value + 0.0, weight)), "a sorted column")?;
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut distinct = Self::default();
        for same in pairs.chunk_by(|a, b| a.0 == b.0) {
            distinct.values.push(same[0].0);
            distinct.weights.push(same.iter().map(|pair| pair.1).sum());
        }
        Ok(distinct)
    }

    /// Indices of the distinct values at the quantiles `1 / n`, `2 / n`, ..., `(n - 1) / n`.
    ///
    /// Each index occurs once. The weight of a value is capped at `1 / n` of the sum of the capped weights.
    /// Otherwise several quantiles could be the same frequent value.
    fn quantile_positions(&self, n: usize) -> Vec<usize> {
        let steps = n as f64;
        let total_of = |most: f64| self.weights.iter().map(|weight| weight.min(most)).sum::<f64>();
        let mut most = f64::INFINITY;
        let mut total = total_of(most);
        // A cap on the weights reduces their sum, and thereby the cap itself. So the cap is iterated to a
        // fixed point.
        for _ in 0..MOST_CAPS {
            most = total / steps;
            let capped = total_of(most);
            let is_fixed = capped > 0.999 * total;
            total = capped;
            if is_fixed {
                break;
            }
        }
        let capped = || self.weights.iter().map(|&weight| weight.min(most));
        let mut positions = Vec::new();
        let (mut below, mut next) = (0.0, 1);
        for (at, weight) in capped().enumerate() {
            below += weight;
            let first = next;
            while next < n && below * steps >= total * next as f64 {
                next += 1;
            }
            if next > first {
                positions.push(at);
            }
        }
        positions
    }

    /// Knots of a spline, ascending, and the index of the largest knot at or below the median.
    ///
    /// There is at most one knot if all values are equal.
    pub(crate) fn spline_knots(&self, n: usize) -> (Vec<f64>, usize) {
        let last = self.values.len().saturating_sub(1);
        let mut positions = if last < n { (0..=last).collect() } else { self.quantile_positions(n - 1) };
        positions.extend([0, last]);
        positions.sort_unstable();
        positions.dedup();
        let mut knots: Vec<f64> = Vec::new();
        for value in positions.into_iter().filter_map(|at| self.values.get(at).copied()) {
            match knots.last() {
                Some(&last) if value - last < CLOSEST => {}
                Some(&last) if (value - last).is_infinite() => knots.extend([midpoint(last, value), value]),
                _ => knots.push(value),
            }
        }
        let half = self.weights.iter().sum::<f64>() / 2.0;
        let mut below = 0.0;
        let median = self.values.iter().zip(&self.weights).find_map(|(&value, weight)| {
            below += weight;
            (below >= half).then_some(value)
        });
        let median = median.or(self.values.last().copied()).unwrap_or_default();
        let reference = knots.iter().rposition(|&knot| knot <= median).unwrap_or_default();
        (knots, reference)
    }

    pub(crate) fn cut_points(&self, n: usize) -> Vec<f64> {
        let last = self.values.len().saturating_sub(1);
        let positions = if last < n { (0..last).collect() } else { self.quantile_positions(n) };
        let between = |at: usize| midpoint(self.values[at], self.values[at + 1]);
        positions.into_iter().filter(|&at| at < last).map(between).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(pairs: &[(f64, f64)]) -> DistinctValues {
        DistinctValues::new(pairs.iter().copied()).unwrap()
    }

    #[test]
    fn knots_are_quantiles_and_frequent_values_leave_knots_for_others() {
        let even: Vec<(f64, f64)> = (0..=100).map(|value| (f64::from(value), 1.0)).collect();
        let (knots, reference) = distinct(&even).spline_knots(5);
        assert_eq!((knots.len(), knots[0], knots[4], knots[reference]), (5, 0.0, 100.0, 50.0));
        let mut zeros = even.clone();
        zeros[0].1 = 10_000.0;
        let (knots, reference) = distinct(&zeros).spline_knots(5);
        assert!(knots.len() >= 4 && reference == 0, "{knots:?}");
    }

    #[test]
    fn few_values_are_all_knots_and_bins() {
        let values = distinct(&[(2.0, 1.0), (-0.0, 1.0), (0.0, 1.0), (7.0, 0.5)]);
        assert_eq!(values.spline_knots(9), (vec![0.0, 2.0, 7.0], 0));
        assert_eq!(values.cut_points(9), [1.0, 4.5]);
        assert!(distinct(&[(3.0, 1.0); 4]).cut_points(9).is_empty());
        assert_eq!(distinct(&[(3.0, 1.0); 4]).spline_knots(9).0, [3.0]);
    }

    #[test]
    fn bins_have_about_equal_weight() {
        let values: Vec<(f64, f64)> = (0..1000).map(|value| (f64::from(value), 1.0)).collect();
        let cuts = distinct(&values).cut_points(4);
        assert_eq!(cuts.len(), 3);
        for (cut, wanted) in cuts.iter().zip([250.0, 500.0, 750.0]) {
            assert!((cut - wanted).abs() < 2.0, "{cuts:?}");
        }
    }

    #[test]
    fn distances_between_knots_are_finite_and_not_tiny() {
        let (knots, _) =
            distinct(&[(-1.7e308, 1.0), (1.7e308, 1.0), (5e-324, 1.0), (0.0, 1.0)]).spline_knots(9);
        assert!(knots.windows(2).all(|pair| (pair[1] - pair[0]).is_finite() && pair[1] - pair[0] > 1e-301));
    }
}
