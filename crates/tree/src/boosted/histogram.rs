//! Sums of derivatives by column and bin: what rows of a node add up to.

use crate::boosted::fixed::{Cell, Scale, Slope, add, less};
use crate::boosted::matrix::{Block, Matrix};
use crate::settings::PARALLEL_WORK;
use imbcore_base::{Result, RunCtl};
use rayon::prelude::*;

/// Bins of a column, with that of missing values.
const BINS: usize = 256;

/// Rows between two looks at the stop flag.
const STRETCH: usize = 1 << 14;

/// The cells of all columns.
#[derive(Clone, Debug)]
pub(crate) struct Histogram(Vec<[Cell; BINS]>);

/// What rows add, and in which units.
#[derive(Clone, Copy)]
pub(crate) struct Slopes<'s> {
    pub(crate) of_rows: &'s [Slope],
    pub(crate) scale: Scale,
}

impl Slopes<'_> {
    /// What rows add up to.
    pub(crate) fn sum(self, rows: &[u32]) -> Cell {
        let of_part = |rows: &[u32]| {
            let mut sum = [0; 2];
            for &row in rows {
                add(&mut sum, self.scale.cell(self.of_rows[row as usize]));
            }
            sum
        };
        let mut sum = [0; 2];
        for part in rows.par_chunks(STRETCH).map(of_part).collect::<Vec<_>>() {
            add(&mut sum, part);
        }
        sum
    }
}

impl Histogram {
    /// Of no rows.
    pub(crate) fn new(matrix: &Matrix) -> Self {
        Self(vec![[[0; 2]; BINS]; matrix.columns.len()])
    }

    /// The cells of a column: of its bins, and last of rows without a value.
    pub(crate) fn column(&self, place: usize, matrix: &Matrix) -> &[Cell] {
        &self.0[place][..=matrix.columns[place].n_bins]
    }

    /// Adds up rows in place of what was there; threads add up parts of them, and sums of whole numbers know no order.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn fill(
        &mut self,
        matrix: &Matrix,
        rows: &[u32],
        slopes: Slopes<'_>,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let least = ctl.grain(PARALLEL_WORK) / self.0.len().max(1);
        let part = rows.len().div_ceil(rayon::current_num_threads()).max(least).max(1);
        let mut parts = rows.chunks(part);
        let first = parts.next().unwrap_or_default();
        let others: Vec<&[u32]> = parts.collect();
        let of_part = |rows: &&[u32]| {
            let mut histogram = Self::new(matrix);
            histogram.add_rows(matrix, rows, slopes, ctl)?;
            Ok(histogram)
        };
        self.0.fill([[0; 2]; BINS]);
        let (own, rest) = rayon::join(
            || self.add_rows(matrix, first, slopes, ctl),
            || others.par_iter().map(of_part).collect::<Result<Vec<Self>>>(),
        );
        own?;
        for part in &rest? {
            self.join(part);
        }
        Ok(())
    }

    fn join(&mut self, part: &Self) {
        for (cells, part) in self.0.iter_mut().zip(&part.0) {
            for (cell, part) in cells.iter_mut().zip(part) {
                add(cell, *part);
            }
        }
    }

    fn add_rows(&mut self, matrix: &Matrix, rows: &[u32], slopes: Slopes<'_>, ctl: RunCtl<'_>) -> Result<()> {
        for rows in rows.chunks(STRETCH) {
            ctl.check()?;
            let mut cells = &mut self.0[..];
            for block in &matrix.blocks {
                let (own, others) = cells.split_at_mut(block.width);
                add_block(own, block, rows, slopes);
                cells = others;
            }
        }
        Ok(())
    }

    /// Takes the sums of a part away.
    pub(crate) fn subtract(&mut self, part: &Self, matrix: &Matrix) {
        for ((cells, part), column) in self.0.iter_mut().zip(&part.0).zip(&matrix.columns) {
            for (cell, part) in cells[..=column.n_bins].iter_mut().zip(part) {
                *cell = less(*cell, *part);
            }
        }
    }
}

/// Adds rows to the cells of the columns of a block. This loop is most of a fit.
fn add_block(cells: &mut [[Cell; BINS]], block: &Block, rows: &[u32], slopes: Slopes<'_>) {
    for &row in rows {
        let row = row as usize;
        let value = slopes.scale.cell(slopes.of_rows[row]);
        let codes = &block.codes[row * block.width..][..block.width];
        for (cells, &code) in cells.iter_mut().zip(codes) {
            add(&mut cells[code as usize], value);
        }
    }
}
