//! Preconditioner of the solver: a factorized Hessian of the penalized log loss.
//!
//! A slot is the index of a coefficient. With two classes and few slots and rows, the Hessian is exact.
//! Otherwise it is approximate, which suffices for the solver:
//! - With three or more classes, the second derivatives by coefficients of two different scores are left out.
//! - With many slots, only the diagonal is computed for the columns with the most slots.
//! - With many rows, only some rows are used.

use crate::design::row_blocks;
use crate::encoding::TableEncoding;
use crate::objective::{Objective, replace_scores_by_curvatures};
use crate::vectors::{add_four_scaled, add_scaled, dot};
use imbcore_core::{Result, RunContext, memory, parallel};
use multiversion::multiversion;

/// Maximum number of elements of the dense parts of the Hessians, summed over the scores.
const MOST_CELLS: usize = 1 << 20;
/// Maximum number of elements of the dense parts if there are few rows per coefficient.
///
/// With few rows, the factorization of a larger Hessian would take longer than the solver steps that it
/// saves.
const MOST_CELLS_OF_FEW_ROWS: usize = 1 << 18;
/// Number of multiplications above which a Hessian is computed from only some rows.
const MOST_PRODUCTS: usize = 1 << 25;
/// Minimum number of rows per coefficient from which a Hessian is computed.
///
/// If the table has fewer rows, all rows are used.
const ROWS_OF_SLOT: usize = 20;
/// Time for one exponential function and one logarithm, as a number of multiplications.
const MULTIPLICATIONS_OF_EXP: usize = 40;
const MOST_BLOCKS: usize = 8;
const ROWS_OF_CHECK: usize = 1024;
/// Marks a coefficient outside the dense part of the Hessian; it has a diagonal element only.
const DIAGONAL: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct DenseHessianSlots {
    index: Vec<u32>,
    slots: Vec<usize>,
    n_dense: usize,
}

impl DenseHessianSlots {
    /// Selects the dense part: first the dense columns, then columns with few coefficients.
    ///
    /// If the dense columns do not fit, only the intercept is taken from them.
    fn new(encoding: &TableEncoding, n_scores: usize, n_rows: usize) -> Self {
        let [most, most_of_few] =
            [MOST_CELLS, MOST_CELLS_OF_FEW_ROWS].map(|cells| (cells / n_scores).isqrt());
        let most = most.min(most_of_few.max(n_rows / ROWS_OF_SLOT));
        let n_dense = if encoding.n_dense <= most { encoding.n_dense } else { 1 };
        let mut index = vec![DIAGONAL; encoding.width + 1];
        index[..n_dense].fill(0);
        let mut n = n_dense;
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for slots in &encoding.slots {
            if slots.basis >= encoding.n_dense && slots.n_basis > 0 {
                groups.push((slots.n_basis, slots.basis));
            }
            groups.extend(slots.indicator.map(|slot| (1, slot)));
        }
        groups.sort_unstable();
        for (size, first) in groups {
            if n + size > most {
                break;
            }
            index[first..first + size].fill(0);
            n += size;
        }
        let slots: Vec<usize> = (0..index.len()).filter(|&slot| index[slot] == 0).collect();
        (0..).zip(&slots).for_each(|(at, &slot)| index[slot] = at);
        Self { index, slots, n_dense }
    }
}

pub(crate) fn can_store_hessian(objective: &Objective<'_>) -> bool {
    let Objective { encoding, design, n_scores, .. } = *objective;
    DenseHessianSlots::new(encoding, n_scores, design.n_rows).slots.len() >= encoding.used_slots().len()
}

#[derive(Clone, Debug)]
pub(crate) struct SlotHessian {
    dense: DenseHessianSlots,
    cells: Vec<f64>,
    /// Diagonal of the Hessian of each score; used for coefficients outside the dense part.
    diagonal: Vec<f64>,
    /// Estimated time for the Hessian and its factorization, divided by the time for a gradient.
    pub(crate) relative_cost: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HessianRows {
    /// About [`ROWS_OF_SLOT`] rows per coefficient, which suffice far from the minimum.
    ///
    /// Far from the minimum, the Hessian changes with every step.
    Few,
    /// All rows or, if they need more than [`MOST_PRODUCTS`] multiplications, only some rows.
    ///
    /// At least [`ROWS_OF_SLOT`] rows per coefficient of the dense part are used, if there are so many rows.
    Many,
}

struct HessianSums {
    cells: Vec<f64>,
    diagonal: Vec<f64>,
}

impl SlotHessian {
    /// Computes the Hessian of the loss without the penalty, at the given coefficients.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(
        objective: &Objective<'_>,
        coefficients: &[f64],
        rows: HessianRows,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let Objective { encoding, design, n_scores, .. } = *objective;
        let dense = DenseHessianSlots::new(encoding, n_scores, design.n_rows);
        let size = dense.slots.len();
        let products = design.n_values_per_row().pow(2) / 2 * n_scores;
        let step = match rows {
            HessianRows::Few => design.n_rows / (ROWS_OF_SLOT * design.width),
            HessianRows::Many => {
                let step = design.n_rows.saturating_mul(products) / MOST_PRODUCTS;
                step.min(design.n_rows / (ROWS_OF_SLOT * size))
            }
        };
        let step = step.max(1);
        let weights = objective.coefficients_to_entry_weights(coefficients);
        let blocks = row_blocks(design.n_rows);
        let tasks: Vec<_> = blocks
            .chunks(blocks.len().div_ceil(MOST_BLOCKS).max(1))
            .filter_map(|part| Some(part.first()?.start..part.last()?.end))
            .collect();
        let parts = parallel::try_map(tasks, |block| {
            let mut sums = HessianSums {
                cells: memory::filled(size * size * n_scores, 0.0, "curvatures")?,
                diagonal: vec![0.0; weights.len()],
            };
            let used: Vec<usize> = block.step_by(step).collect();
            for rows in used.chunks(ROWS_OF_CHECK) {
                ctl.check()?;
                add_row_hessians(&mut sums, objective, &dense, (rows, step as f64), &weights);
            }
            Ok(sums)
        })?;
        let mut cells = memory::filled(size * size * n_scores, 0.0, "curvatures")?;
        let mut diagonal = vec![0.0; weights.len()];
        for part in parts {
            cells.iter_mut().zip(part.cells).for_each(|(total, sum)| *total += sum);
            diagonal.iter_mut().zip(part.diagonal).for_each(|(total, sum)| *total += sum);
        }
        for diagonal in diagonal.chunks_exact_mut(objective.n_coefficients_per_score()) {
            convert_spline_diagonal(encoding, diagonal);
        }
        for cells in cells.chunks_exact_mut((size * size).max(1)) {
            ctl.check()?;
            convert_spline_dense_part(encoding, &dense, cells);
        }
        let multiplications = design.n_rows / step * products + size.pow(3) / 3 * n_scores;
        let of_gradient = design.n_rows * n_scores * (2 * design.n_values_per_row() + MULTIPLICATIONS_OF_EXP);
        let relative_cost = multiplications as f64 / of_gradient as f64;
        Ok(Self { dense, cells, diagonal, relative_cost })
    }

    /// Adds the penalty to the diagonal, except for the intercept, and factorizes the Hessian.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn factorize(&self, penalty: f64, ctl: RunContext<'_>) -> Result<SlotPreconditioner<'_>> {
        let size = self.dense.slots.len();
        let mut cells = memory::collect(self.cells.iter().copied(), "curvatures")?;
        for cells in cells.chunks_exact_mut(size * size) {
            let largest = (0..size).map(|at| cells[at * size + at]).fold(penalty, f64::max);
            for at in 0..size {
                // A small number is added to the diagonal, so that rounding errors do not make the matrix
                // indefinite. The intercept has no penalty.
                let least = if at == 0 { 1e-14 } else { 1e-15 } * largest;
                cells[at * size + at] += if at == 0 { least } else { penalty + least };
            }
            cholesky(cells, size, ctl)?;
        }
        let diagonal = self.diagonal.iter().map(|curvature| (curvature + penalty).recip()).collect();
        Ok(SlotPreconditioner { dense: &self.dense, cells, diagonal })
    }
}

impl HessianSums {
    /// Adds the second derivatives of a row's loss by the coefficients of its sparse entries.
    ///
    /// If a column has a value in every row but is outside the dense part, its diagonal element is added too.
    #[inline(always)]
    fn add_entry_second_derivatives(
        &mut self,
        objective: &Objective<'_>,
        dense: &DenseHessianSlots,
        row: usize,
        curvatures: &[f64],
    ) {
        let design = objective.design;
        let size = dense.slots.len();
        let (slots, values) = design.sparse_entries(row);
        let of_row = design.dense_values(row);
        for (score, &curvature) in curvatures.iter().enumerate() {
            let cells = &mut self.cells[score * size * size..(score + 1) * size * size];
            let diagonal = &mut self.diagonal[score * objective.n_coefficients_per_score()..];
            for (slot, value) in of_row.iter().enumerate().skip(dense.n_dense) {
                diagonal[slot] += curvature * value * value;
            }
            let value = |at: usize| values.map_or(1.0, |values| values[at]);
            for (at, &slot) in slots.iter().enumerate().filter(|&(at, _)| value(at) != 0.0) {
                let scaled = curvature * value(at);
                let index = dense.index[slot as usize];
                if index == DIAGONAL {
                    diagonal[slot as usize] += scaled;
                    continue;
                }
                let line = &mut cells[index as usize * size..(index as usize + 1) * size];
                add_scaled(&of_row[..dense.n_dense], scaled, line);
                // The entries of a row are sorted by coefficient, so only the lower triangle is filled. Entries
                // that only fill up a short row are not in order, but they are outside the dense part.
                for (before, &other) in slots[..=at].iter().enumerate() {
                    let other = dense.index[other as usize];
                    if other != DIAGONAL {
                        line[other as usize] += scaled * value(before);
                    }
                }
            }
        }
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn add_row_hessians<'o>(
    sums: &mut HessianSums,
    objective: &Objective<'o>,
    dense: &DenseHessianSlots,
    (rows, factor): (&[usize], f64),
    weights: &[f64],
) {
    let (size, n_scores) = (dense.slots.len(), objective.n_scores);
    // Products of columns with a value in every row are computed for four rows at a time.
    for rows in rows.chunks(4) {
        let mut of_rows = vec![0.0; 4 * n_scores];
        for (&row, curvatures) in rows.iter().zip(of_rows.chunks_exact_mut(n_scores)) {
            objective.compute_row_scores(row, weights, curvatures);
            replace_scores_by_curvatures(curvatures);
            let weight = objective.design.weights[row] * factor;
            for curvature in &mut *curvatures {
                *curvature *= weight;
            }
            sums.add_entry_second_derivatives(objective, dense, row, curvatures);
        }
        // If the last chunk is shorter, its first row is repeated with curvature 0.
        let values: [&[f64]; 4] =
            std::array::from_fn(|at| objective.design.dense_values(rows.get(at).copied().unwrap_or(rows[0])));
        for (score, cells) in sums.cells.chunks_exact_mut(size * size).enumerate() {
            let curvatures: [f64; 4] = std::array::from_fn(|at| of_rows[at * n_scores + score]);
            for at in 0..dense.n_dense {
                let factors = std::array::from_fn(|of| curvatures[of] * values[of][at]);
                add_four_scaled(values, factors, &mut cells[at * size..=at * size + at]);
            }
        }
    }
}

/// Converts second derivatives by values at knots to those by spline coefficients.
///
/// Only diagonal elements are converted. A coefficient is the change of the function between two neighboring
/// knots. It shifts the values at all knots beyond this change, as seen from the reference knot. Its diagonal
/// element is approximated by the sum of the diagonal elements of these knots.
fn convert_spline_diagonal(encoding: &TableEncoding, diagonal: &mut [f64]) {
    for slots in &encoding.slots {
        let Some(reference) = slots.unused else { continue };
        for slot in (reference + 1..slots.basis + slots.n_basis - 1).rev() {
            diagonal[slot] += diagonal[slot + 1];
        }
        for slot in slots.basis + 1..reference {
            diagonal[slot] += diagonal[slot - 1];
        }
    }
}

/// Fills the upper triangle of the dense part, and converts splines to their coefficients.
///
/// On input, the lower triangle has the derivatives by the function values at the knots of a spline. The
/// result has the derivatives by the coefficients, which are changes of the function from knot to knot.
fn convert_spline_dense_part(encoding: &TableEncoding, dense: &DenseHessianSlots, cells: &mut [f64]) {
    let size = dense.slots.len();
    let mirror = |cells: &mut [f64]| {
        for row in 0..size {
            for column in 0..row {
                cells[column * size + row] = cells[row * size + column];
            }
        }
    };
    let full = |cells: &mut [f64], slot_sums: &mut [f64]| {
        for line in cells.chunks_exact_mut(size) {
            slot_sums.fill(0.0);
            dense.slots.iter().zip(&*line).for_each(|(&slot, cell)| slot_sums[slot] = *cell);
            encoding.convert_to_column_sums(slot_sums);
            line.iter_mut().zip(&dense.slots).for_each(|(cell, &slot)| *cell = slot_sums[slot]);
        }
    };
    mirror(cells);
    if encoding.slots.iter().all(|slots| slots.unused.is_none()) {
        return;
    }
    let mut slot_sums = vec![0.0; encoding.width + 1];
    full(cells, &mut slot_sums);
    for row in 0..size {
        for column in 0..row {
            cells.swap(row * size + column, column * size + row);
        }
    }
    full(cells, &mut slot_sums);
}

pub(crate) fn cholesky(cells: &mut [f64], size: usize, ctl: RunContext<'_>) -> Result<()> {
    for row in 0..size {
        ctl.check_periodically(row)?;
        factorize_row(cells, size, row);
    }
    Ok(())
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn factorize_row(cells: &mut [f64], size: usize, row: usize) {
    let (before, own) = cells.split_at_mut(row * size);
    for column in 0..row {
        let other = &before[column * size..=column * size + column];
        own[column] = (own[column] - dot(&own[..column], other)) / other[column];
    }
    let rest = own[row] - dot(&own[..row], &own[..row]);
    // If a pivot is 0 or negative because of rounding, it is replaced by a large number. Its coefficient
    // then does not change.
    own[row] = if rest > 0.0 { rest.sqrt() } else { f64::MAX.sqrt() };
}

/// Replaces the right-hand side in `vector` by the solution, using the Cholesky factor.
pub(crate) fn solve_with_cholesky_factor(cells: &[f64], vector: &mut [f64]) {
    let size = vector.len();
    for row in 0..size {
        let line = &cells[row * size..=row * size + row];
        vector[row] = (vector[row] - dot(&vector[..row], line)) / line[row];
    }
    for row in (0..size).rev() {
        let line = &cells[row * size..=row * size + row];
        vector[row] /= line[row];
        let value = vector[row];
        add_scaled(&line[..row], -value, &mut vector[..row]);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SlotPreconditioner<'c> {
    dense: &'c DenseHessianSlots,
    cells: Vec<f64>,
    diagonal: Vec<f64>,
}

impl SlotPreconditioner<'_> {
    pub(crate) fn solve(&self, vector: &mut [f64]) {
        let size = self.dense.slots.len();
        let stride = self.dense.index.len();
        let mut own = vec![0.0; size];
        for ((vector, cells), diagonal) in vector
            .chunks_exact_mut(stride)
            .zip(self.cells.chunks_exact(size * size))
            .zip(self.diagonal.chunks_exact(stride))
        {
            own.iter_mut().zip(&self.dense.slots).for_each(|(own, &slot)| *own = vector[slot]);
            vector.iter_mut().zip(diagonal).for_each(|(value, factor)| *value *= factor);
            solve_with_cholesky_factor(cells, &mut own);
            own.iter().zip(&self.dense.slots).for_each(|(own, &slot)| vector[slot] = *own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{Basis, ColumnEncoding};

    #[test]
    fn few_rows_have_a_small_dense_part() {
        let bins = Basis::Bins { cuts: (0..19).map(f64::from).collect() };
        let columns = vec![ColumnEncoding { basis: bins, indicator: false }; 60];
        let encoding = TableEncoding::new(columns);
        let n_slots = |n_scores, n_rows| DenseHessianSlots::new(&encoding, n_scores, n_rows).slots.len();
        // With limits of 512, 700 and 1,024 coefficients, the dense part has the intercept and as many
        // columns of 20 coefficients as fit.
        assert_eq!([n_slots(1, 1000), n_slots(1, 14_000), n_slots(1, 1_000_000)], [501, 681, 1021]);
        assert_eq!([n_slots(4, 1000), n_slots(4, 1_000_000)], [241, 501]);
    }
}
