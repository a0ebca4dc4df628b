//! Hessian of tables with few rows and many coefficients, by products of rows.
//!
//! Let `Z` be the design matrix without the intercept, and `D` the diagonal matrix of the curvatures of the
//! losses (second derivatives of each row's loss by its score). The Hessian is `Z^T D Z + penalty I` and has
//! a row and a column for every coefficient. Its inverse follows from a matrix with a row and a column for
//! every table row, `B = penalty I + D^(1/2) Z Z^T D^(1/2)` (Woodbury identity):
//! `(I - Z^T D^(1/2) B^-1 D^(1/2) Z) / penalty`.

use crate::curvature::{cholesky, solve_with_cholesky_factor};
use crate::objective::{Objective, replace_scores_by_curvatures};
use crate::vectors::dot;
use imbcore_core::{Result, RunContext, memory, parallel};
use std::ops::Range;

const N_BLOCKS: usize = 16;

#[derive(Clone, Debug)]
pub(crate) struct RowSpaceHessian {
    /// Dot products of all pairs of rows (`Z Z^T`), row-major, independent of the coefficients.
    products: Vec<f64>,
    /// Square roots of the weighted curvatures of the rows (`D^(1/2)`), score after score.
    roots: Vec<f64>,
    pub(crate) relative_cost: f64,
}

impl RowSpaceHessian {
    /// Computes the dot products of all pairs of rows, and the curvatures at `coefficients`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(objective: &Objective<'_>, coefficients: &[f64], ctl: RunContext<'_>) -> Result<Self> {
        let n = objective.design.n_rows;
        let mut products = memory::filled(n * n, 0.0, "products of rows")?;
        let size = n.div_ceil(N_BLOCKS).max(1);
        let tasks: Vec<_> = products.chunks_mut((size * n).max(1)).zip((0..n).step_by(size)).collect();
        parallel::try_map(tasks, |(products, first)| {
            let mut row_values = memory::filled(objective.n_coefficients_per_score(), 0.0, "encoded rows")?;
            for (row, line) in (first..).zip(products.chunks_exact_mut(n)) {
                ctl.check()?;
                row_values.fill(0.0);
                objective.design.add_scaled_row(row, 1.0, &mut row_values);
                objective.encoding.convert_to_column_sums(&mut row_values);
                multiply_rows_by_vector(objective, &mut row_values, 0..row + 1, line);
            }
            Ok(())
        })?;
        for row in 0..n {
            for other in 0..row {
                products[other * n + row] = products[row * n + other];
            }
        }
        let of_gradient = 2 * objective.design.n_values_per_row();
        let relative_cost = (n * n / 3) as f64 / of_gradient as f64;
        let mut curvature = Self { products, roots: vec![0.0; n * objective.n_scores], relative_cost };
        curvature.update(objective, coefficients);
        Ok(curvature)
    }

    pub(crate) fn update(&mut self, objective: &Objective<'_>, coefficients: &[f64]) {
        let n = objective.design.n_rows;
        let weights = objective.coefficients_to_entry_weights(coefficients);
        let mut of_row = vec![0.0; objective.n_scores];
        for row in 0..n {
            objective.compute_row_scores(row, &weights, &mut of_row);
            replace_scores_by_curvatures(&mut of_row);
            for (score, curvature) in of_row.iter().enumerate() {
                self.roots[score * n + row] = (curvature * objective.design.weights[row]).sqrt();
            }
        }
    }

    /// Factorizes the matrix `B` (see the module documentation) of each score.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn factorize<'c>(
        &'c self,
        objective: Objective<'c>,
        ctl: RunContext<'_>,
    ) -> Result<RowPreconditioner<'c>> {
        let (n, penalty) = (objective.design.n_rows, objective.penalty);
        let mut cells = memory::filled(n * n * objective.n_scores, 0.0, "curvatures")?;
        let mut intercepts = Vec::with_capacity(objective.n_scores);
        for (cells, roots) in cells.chunks_exact_mut(n * n).zip(self.roots.chunks_exact(n)) {
            for (row, (line, of_row)) in
                cells.chunks_exact_mut(n).zip(self.products.chunks_exact(n)).enumerate()
            {
                for ((cell, product), root) in line.iter_mut().zip(of_row).zip(roots) {
                    *cell = product * root * roots[row];
                }
                line[row] += penalty;
            }
            cholesky(cells, n, ctl)?;
            let mut solution = roots.to_vec();
            solve_with_cholesky_factor(cells, &mut solution);
            // The last term keeps the curvature of the intercept positive in spite of rounding errors.
            let curvature = penalty * dot(roots, &solution) + 1e-14 * (penalty + dot(roots, roots));
            intercepts.push(InterceptCurvature { solution, curvature });
        }
        Ok(RowPreconditioner { objective, roots: &self.roots, cells, intercepts })
    }
}

/// Writes the elements of the product `Z vector` for some rows into `products`.
///
/// `vector` has a number for each coefficient. On return it is changed: for splines it contains function
/// values at knots instead of coefficients.
fn multiply_rows_by_vector(
    objective: &Objective<'_>,
    vector: &mut [f64],
    rows: Range<usize>,
    products: &mut [f64],
) {
    vector[0] = 0.0;
    vector[objective.design.width] = 0.0;
    objective.encoding.convert_knot_changes_to_values(vector);
    for (product, row) in products.iter_mut().zip(rows) {
        *product = objective.design.dot_product(row, vector);
    }
}

/// Terms for the intercept, which has no penalty and is not in the design matrix `Z`.
#[derive(Clone, Debug)]
struct InterceptCurvature {
    /// `B^-1 r`, where r has the square roots of the curvatures and `B` is as in the module docs.
    solution: Vec<f64>,
    /// Second derivative of the objective by the intercept (Schur complement).
    ///
    /// For every value of the intercept, all other coefficients take their optimal values.
    curvature: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct RowPreconditioner<'c> {
    objective: Objective<'c>,
    roots: &'c [f64],
    /// Cholesky factors of the matrices `B`, score after score.
    cells: Vec<f64>,
    intercepts: Vec<InterceptCurvature>,
}

impl RowPreconditioner<'_> {
    pub(crate) fn solve(&self, vector: &mut [f64]) {
        let Objective { encoding, design, penalty, .. } = self.objective;
        let n = design.n_rows;
        let mut of_rows = vec![0.0; n];
        for (((vector, cells), roots), intercept) in vector
            .chunks_exact_mut(self.objective.n_coefficients_per_score())
            .zip(self.cells.chunks_exact(n * n))
            .zip(self.roots.chunks_exact(n))
            .zip(&self.intercepts)
        {
            multiply_rows_by_vector(&self.objective, &mut vector.to_vec(), 0..n, &mut of_rows);
            of_rows.iter_mut().zip(roots).for_each(|(value, root)| *value *= root);
            let first = (vector[0] - dot(&intercept.solution, &of_rows)) / intercept.curvature;
            solve_with_cholesky_factor(cells, &mut of_rows);
            let mut sums = vec![0.0; vector.len()];
            for (row, ((value, root), of_intercept)) in
                of_rows.iter().zip(roots).zip(&intercept.solution).enumerate()
            {
                design.add_scaled_row(row, root * (value + penalty * first * of_intercept), &mut sums);
            }
            encoding.convert_to_column_sums(&mut sums);
            vector.iter_mut().zip(&sums).for_each(|(value, sum)| *value = (*value - sum) / penalty);
            vector[0] = first;
            vector[design.width] = 0.0;
        }
    }
}
