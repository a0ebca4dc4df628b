//! Hessian of the objective or, for few table rows, the products of rows that replace it.

use crate::curvature::{HessianRows, SlotHessian, SlotPreconditioner, can_store_hessian};
use crate::objective::Objective;
use crate::row_curvature::{RowPreconditioner, RowSpaceHessian};
use imbcore_core::{Result, RunContext};

/// Maximum of `rows x rows x scores` at which products of table rows replace the Hessian.
///
/// With more rows, the products would take longer than the solver steps that they save.
const MOST_ROW_CELLS: usize = 1 << 18;

#[derive(Clone, Debug)]
pub(crate) enum Hessian {
    Slots(SlotHessian),
    Rows(RowSpaceHessian),
}

impl Hessian {
    /// Computes the Hessian at the start of a minimization.
    ///
    /// If there are few rows and too many coefficients for a dense Hessian, products of table rows are
    /// computed instead (`row_curvature.rs`).
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(objective: &Objective<'_>, coefficients: &[f64], ctl: RunContext<'_>) -> Result<Self> {
        let n_rows = objective.design.n_rows;
        if n_rows * n_rows * objective.n_scores > MOST_ROW_CELLS || can_store_hessian(objective) {
            return SlotHessian::new(objective, coefficients, HessianRows::Few, ctl).map(Self::Slots);
        }
        RowSpaceHessian::new(objective, coefficients, ctl).map(Self::Rows)
    }

    /// Recomputes the Hessian at the given coefficients.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn update(
        &mut self,
        objective: &Objective<'_>,
        coefficients: &[f64],
        ctl: RunContext<'_>,
    ) -> Result<()> {
        match self {
            Self::Slots(curvature) => {
                *curvature = SlotHessian::new(objective, coefficients, HessianRows::Many, ctl)?;
            }
            Self::Rows(curvature) => curvature.update(objective, coefficients),
        }
        Ok(())
    }

    pub(crate) fn cost_relative_to_gradient(&self) -> f64 {
        match self {
            Self::Slots(curvature) => curvature.relative_cost,
            Self::Rows(curvature) => curvature.relative_cost,
        }
    }

    /// Adds the penalty of the objective to the Hessian, and factorizes the result.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn factorize<'c>(
        &'c self,
        objective: &Objective<'c>,
        ctl: RunContext<'_>,
    ) -> Result<Preconditioner<'c>> {
        Ok(match self {
            Self::Slots(curvature) => Preconditioner::Slots(curvature.factorize(objective.penalty, ctl)?),
            Self::Rows(curvature) => Preconditioner::Rows(curvature.factorize(*objective, ctl)?),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Preconditioner<'c> {
    Slots(SlotPreconditioner<'c>),
    Rows(RowPreconditioner<'c>),
}

impl Preconditioner<'_> {
    /// Replaces the right-hand side in `vector` by the solution of the linear system.
    ///
    /// `vector` has `stride` numbers for each score.
    ///
    /// With several scores, the loss does not change if the same number is added to one coefficient of every
    /// score. So the penalty alone determines the sum of this coefficient over the scores, and the sum is 0
    /// at the minimum. The second derivatives in the factorized matrix are much too large for this sum.
    /// Subtracting the mean over the scores from the solution makes the sum 0.
    pub(crate) fn solve(&self, vector: &mut [f64], stride: usize) {
        match self {
            Self::Slots(factor) => factor.solve(vector),
            Self::Rows(factor) => factor.solve(vector),
        }
        let n_scores = vector.len() / stride;
        if n_scores > 1 {
            for slot in 0..stride {
                let mean = vector.iter().skip(slot).step_by(stride).sum::<f64>() / n_scores as f64;
                vector.iter_mut().skip(slot).step_by(stride).for_each(|value| *value -= mean);
            }
        }
    }
}
