//! Units of weights, and integer costs, as the verifier computes them.
//!
//! They are computed from the rows and costs alone, without the numbers of a certificate.

const MOST_UNITS: f64 = 16_777_216.0;

/// Maximum sum of all integer costs; doubles represent integers up to this limit exactly.
const MOST_COST: f64 = 4_503_599_627_370_496.0;

const MOST_LEAVES: f64 = 16.0;

/// Upper bound on the floating-point error of the scaled costs, summed over all rows.
///
/// It is the error before the scaled costs are rounded to integers.
const NOISE: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntegerCostScale {
    pub(crate) scale: f64,
    pub(crate) slack: f64,
}

impl IntegerCostScale {
    /// Computes the factor from costs to integer costs, and its maximum rounding error.
    ///
    /// `prices[class][predicted]` is the cost of a prediction for a row with the weight of one unit. `units`
    /// has the weight of each row by class, in units. The factor is 1 if all costs are integers with a sum
    /// below [`MOST_COST`], otherwise a power of two. Returns `None` if costs are negative or not finite, if
    /// all costs are 0, or if their sum is infinite.
    pub(crate) fn new(units: &[Vec<f64>], prices: &[Vec<f64>], leaf: f64) -> Option<Self> {
        let cells = || prices.iter().flatten().chain([&leaf]);
        if !cells().all(|cell| cell.is_finite() && *cell >= 0.0) || cells().all(|cell| *cell == 0.0) {
            return None;
        }
        let (mut total, mut is_whole) = (0.0, leaf.fract() == 0.0);
        for of_row in units {
            let mut dearest: f64 = 0.0;
            for predicted in 0..prices.len() {
                let cost = row_prediction_cost(of_row, prices, predicted);
                dearest = dearest.max(cost);
                is_whole &= cost.fract() == 0.0;
            }
            total += dearest;
        }
        total += MOST_LEAVES * leaf;
        if !total.is_finite() {
            return None;
        }
        if is_whole && total < MOST_COST {
            return Some(Self { scale: 1.0, slack: 0.0 });
        }
        let power = (MOST_COST / total).log2().floor().min(1000.0);
        Some(Self { scale: power.exp2(), slack: units.len() as f64 + MOST_LEAVES + NOISE })
    }

    pub(crate) fn integer_row_cost(&self, units: &[f64], prices: &[Vec<f64>], predicted: usize) -> f64 {
        (row_prediction_cost(units, prices, predicted) * self.scale).floor()
    }

    pub(crate) fn integer_leaf_cost(&self, leaf: f64) -> f64 {
        (leaf * self.scale).floor()
    }
}

fn row_prediction_cost(units: &[f64], prices: &[Vec<f64>], predicted: usize) -> f64 {
    units.iter().zip(prices).map(|(n, prices)| n * prices[predicted]).sum()
}

/// Returns a unit of which all weights of a class are integer multiples, and `true`.
///
/// Powers of 1/2 and the smallest weight are tried. If none of them is such a unit, returns the total weight
/// divided by [`MOST_UNITS`], and `false`.
pub(crate) fn common_unit(masses: &[f64]) -> (f64, bool) {
    let total: f64 = masses.iter().sum();
    if total <= 0.0 {
        return (1.0, true);
    }
    let divides =
        |unit: &f64| total / unit <= MOST_UNITS && masses.iter().all(|mass| (mass / unit).fract() == 0.0);
    let least = masses.iter().copied().filter(|mass| *mass > 0.0).fold(f64::INFINITY, f64::min);
    let binary = (0..24).map(|power| 0.5_f64.powi(power));
    binary.chain([least]).find(divides).map_or((total / MOST_UNITS, false), |unit| (unit, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_integers_or_scaled() {
        let units = vec![vec![1.0, 2.0], vec![0.0, 1.0]];
        let whole = |a: f64, b: f64| IntegerCostScale::new(&units, &[vec![0.0, a], vec![b, 0.0]], 0.0);
        assert_eq!(whole(1.0, 3e6), Some(IntegerCostScale { scale: 1.0, slack: 0.0 }));
        let scaled = whole(0.1, 3e6).unwrap();
        assert!(scaled.scale > 1e8 && scaled.slack == 22.0);
        for (a, b) in [(0.0, 0.0), (-1.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1e308, 1e308)] {
            assert_eq!(whole(a, b), None, "{a} {b}");
        }
        assert_eq!(common_unit(&[0.5, 2.0]), (0.5, true));
        assert_eq!(common_unit(&[0.3, 0.3]), (0.3, true));
        assert!(!common_unit(&[0.1, 0.123_456]).1);
        assert_eq!(common_unit(&[0.0]), (1.0, true));
    }
}
