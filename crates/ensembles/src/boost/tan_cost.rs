//! Tangent cost function of the imbalance ratio (Morán Jiménez 2018, section 3.3.2).

/// Cost of the majority class if the minority class has the cost 1.
///
/// The cost is `max(1 - f(r), min_cost_factor)`, where `r = n_min / n_maj` in (0, 1].
///
/// The thesis prints `f(r) = a1 - tan(b1 r - a2) / b2 - b3 r` ([`cost_difference_in_thesis`]), but not the
/// values of `a1`, `a2`, `b1`, `b2` and `b3`. It requires about equal costs for balanced classes. With
/// growing imbalance, the ratio of the minority cost to the majority cost must grow: linearly at first, and
/// faster for large imbalance. These requirements leave two free constants, `theta` and `b3`. The other
/// constants are `a1 = b3`, `a2 = b1 = theta` and `b2 = tan(theta) / (1 - b3)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TanCost {
    /// Curvature of the tangent term, in (0, pi / 2).
    pub theta: f64,
    /// Coefficient of the linear term, in [0, 1].
    pub b3: f64,
    /// Minimum cost, in (0, 1].
    pub min_cost_factor: f64,
}

impl TanCost {
    /// Cost of the minority class minus cost of the majority class, without the minimum cost.
    ///
    /// `f(r) = b3 (1 - r) + (1 - b3) tan(theta (1 - r)) / tan(theta)` is 0 for `r = 1` and tends to 1 as `r`
    /// tends to 0.
    #[must_use]
    pub fn minority_minus_majority_cost(&self, r: f64) -> f64 {
        self.b3 * (1.0 - r) + (1.0 - self.b3) * (self.theta * (1.0 - r)).tan() / self.theta.tan()
    }

    /// `max(1 - f(r), min_cost_factor)`.
    #[must_use]
    pub fn majority_cost(&self, r: f64) -> f64 {
        (1.0 - self.minority_minus_majority_cost(r)).max(self.min_cost_factor)
    }
}

/// The function `f(r)` as printed in the thesis: `a1 - tan(b1 r - a2) / b2 - b3 r`.
#[must_use]
pub fn cost_difference_in_thesis(r: f64, [a1, a2]: [f64; 2], [b1, b2, b3]: [f64; 3]) -> f64 {
    a1 - (b1 * r - a2).tan() / b2 - b3 * r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_constants_determine_the_five_of_the_thesis() {
        let cost = TanCost { theta: 1.2, b3: 0.3, min_cost_factor: 0.1 };
        for r in [0.01, 0.2, 0.7, 1.0] {
            let five = cost_difference_in_thesis(r, [0.3, 1.2], [1.2, 1.2_f64.tan() / 0.7, 0.3]);
            assert!((cost.minority_minus_majority_cost(r) - five).abs() < 1e-14);
        }
        assert_eq!(
            (cost.minority_minus_majority_cost(1.0), cost.majority_cost(1.0), cost.majority_cost(1e-9)),
            (0.0, 1.0, 0.1)
        );
    }

    #[test]
    fn cost_ratios_of_the_usual_constants() {
        // Without a minimum cost, an error in the minority class costs 22.9 times as much as an error in the
        // majority class at r = 0.01, and 3.6 times as much at r = 0.1.
        let cost = TanCost { theta: 1.4, b3: 0.5, min_cost_factor: 0.0 };
        assert!((1.0 / cost.majority_cost(0.01) - 22.9).abs() < 0.05);
        assert!((1.0 / cost.majority_cost(0.1) - 3.6).abs() < 0.05);
    }
}
