//! Regularization of a tree, leaf values, and gains of leaf values.
//!
//! Formulas use `G` and `H` for the sums of the gradients and Hessians of a leaf, and `lambda` and `alpha`
//! for the L2 and L1 penalty. `w` is the leaf value divided by the learning rate.

use crate::boosted::fixed_point::DerivativeSums;

#[derive(Clone, Debug)]
pub(crate) struct Regularization {
    pub(crate) max_leaves: usize,
    pub(crate) max_depth: usize,
    pub(crate) min_rows: u32,
    pub(crate) min_hessian: f64,
    pub(crate) min_split_gain: f64,
    pub(crate) random_strength: f64,
    pub(crate) lambda: f64,
    pub(crate) alpha: f64,
    pub(crate) smoothing: f64,
    pub(crate) rate: f64,
}

impl Regularization {
    fn soft_threshold(&self, gradient: f64) -> f64 {
        (gradient.abs() - self.alpha).max(0.0).copysign(gradient)
    }

    /// Leaf value: the Newton step times the learning rate (Chen and Guestrin 2016, eq. 5).
    /// The Newton step `w` minimizes `G w + (H + lambda) w^2 / 2 + alpha |w|`.
    pub(crate) fn leaf_value(&self, sums: DerivativeSums) -> f64 {
        self.newton_step_with_penalty(sums, 0.0)
    }

    pub(crate) fn newton_step_with_penalty(&self, sums: DerivativeSums, extra: f64) -> f64 {
        let denominator = sums.hessian + self.lambda + extra;
        if denominator > 0.0 { -self.rate * self.soft_threshold(sums.gradient) / denominator } else { 0.0 }
    }

    /// Twice the gain of a leaf value `step`: `-(2 G w + (H + lambda) w^2 + 2 alpha |w|)`.
    ///
    /// `w` is `step` divided by the learning rate, and `extra` is added to `lambda`.
    pub(crate) fn doubled_step_gain(&self, step: f64, sums: DerivativeSums, extra: f64) -> f64 {
        let w = step / self.rate;
        let curvature = sums.hessian + self.lambda + extra;
        -(2.0 * sums.gradient * w + curvature * w * w + 2.0 * self.alpha * w.abs())
    }

    /// Twice the gain of the Newton step; `extra` is added to the L2 penalty.
    pub(crate) fn doubled_newton_gain(&self, sums: DerivativeSums, extra: f64) -> f64 {
        let pull = self.soft_threshold(sums.gradient);
        let denominator = sums.hessian + self.lambda + extra;
        if denominator > 0.0 { pull * pull / denominator } else { 0.0 }
    }

    pub(crate) fn is_child_large_enough(&self, sums: DerivativeSums) -> bool {
        sums.rows >= self.min_rows && sums.hessian >= self.min_hessian
    }
}
