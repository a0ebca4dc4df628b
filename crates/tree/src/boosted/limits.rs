//! What limits a tree, what a leaf adds to a score, and what that is worth.

use crate::boosted::fixed::Sums;

/// What limits a tree.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) max_leaves: usize,
    pub(crate) max_depth: usize,
    pub(crate) min_rows: u32,
    pub(crate) min_hessian: f64,
    pub(crate) min_gain: f64,
    pub(crate) lambda: f64,
    pub(crate) alpha: f64,
    pub(crate) smoothing: f64,
    pub(crate) rate: f64,
}

impl Limits {
    /// What the gradients of some rows are worth after the price of sizes.
    fn pull(&self, gradient: f64) -> f64 {
        (gradient.abs() - self.alpha).max(0.0).copysign(gradient)
    }

    /// Newton's step: the least of `G w + (H + lambda) w^2 / 2 + alpha |w|` (Chen and Guestrin 2016, eq. 5), times the rate.
    pub(crate) fn step(&self, sums: Sums) -> f64 {
        self.step_beside(sums, 0.0)
    }

    /// The same where `extra` is added to the price of squares.
    pub(crate) fn step_beside(&self, sums: Sums, extra: f64) -> f64 {
        let under = sums.hessian + self.lambda + extra;
        if under > 0.0 { -self.rate * self.pull(sums.gradient) / under } else { 0.0 }
    }

    /// Twice what a step gains that need not be Newton's: `-(2 G w + (H + lambda) w^2 + 2 alpha |w|)`.
    pub(crate) fn worth_of(&self, step: f64, sums: Sums, extra: f64) -> f64 {
        let w = step / self.rate;
        let under = sums.hessian + self.lambda + extra;
        -(2.0 * sums.gradient * w + under * w * w + 2.0 * self.alpha * w.abs())
    }

    /// Twice what that step gains; `extra` is added to the price of squares.
    pub(crate) fn worth(&self, sums: Sums, extra: f64) -> f64 {
        let pull = self.pull(sums.gradient);
        let under = sums.hessian + self.lambda + extra;
        if under > 0.0 { pull * pull / under } else { 0.0 }
    }

    pub(crate) fn allows(&self, sums: Sums) -> bool {
        sums.rows >= self.min_rows && sums.hessian >= self.min_hessian
    }
}
