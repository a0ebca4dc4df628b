//! Hessian of the objective, by slots or by rows.

use crate::curvature::{HessianRows, SlotHessian, SlotPreconditioner, can_store_hessian};
use crate::objective::Objective;
use crate::row_curvature::{RowCurvature, RowPreconditioner};
use imbcore_core::{Result, RunContext};

/// Maximum of `rows x rows x scores` for a Hessian that is computed from products of rows.
///
/// With more rows, the products would take longer than the steps that they save.
const MOST_ROW_CELLS: usize = 1 << 18;

/// Hessian without the penalty, at some coefficients.
#[derive(Clone, Debug)]
pub(crate) enum Hessian {
    Slots(SlotHessian),
    Rows(RowCurvature),
}

impl Hessian {
    /// Computes the Hessian at the first coefficients.
    ///
    /// It is computed from the products of rows if there are few rows and its dense part has no room for all
    /// slots.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(objective: &Objective<'_>, coefficients: &[f64], ctl: RunContext<'_>) -> Result<Self> {
        let n_rows = objective.design.n_rows;
        if n_rows * n_rows * objective.n_scores > MOST_ROW_CELLS || can_store_hessian(objective) {
            return SlotHessian::new(objective, coefficients, HessianRows::Few, ctl).map(Self::Slots);
        }
        RowCurvature::new(objective, coefficients, ctl).map(Self::Rows)
    }

    /// Computes the Hessian at other coefficients.
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

    /// Time of the Hessian and its factorization, divided by that of a gradient.
    pub(crate) fn cost_relative_to_gradient(&self) -> f64 {
        match self {
            Self::Slots(curvature) => curvature.relative_cost,
            Self::Rows(curvature) => curvature.relative_cost,
        }
    }

    /// Factorizes the Hessian with the penalty of the objective.
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

/// Factorized Hessian with penalty.
#[derive(Clone, Debug)]
pub(crate) enum Preconditioner<'c> {
    Slots(SlotPreconditioner<'c>),
    Rows(RowPreconditioner<'c>),
}

impl Preconditioner<'_> {
    /// Solves the linear system for a right-hand side of all scores, in place.
    ///
    /// There are `stride` numbers for each score.
    ///
    /// With several scores, the loss does not depend on the sum over the scores of the coefficients of a
    /// slot, and the penalty makes this sum 0 at the minimum. The factorized matrix has much too large second
    /// derivatives for the sum. So the solution is projected such that the sum is 0.
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
