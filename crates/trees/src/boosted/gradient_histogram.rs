//! Gradient histograms by column and bin.

use crate::boosted::fixed_point::{
    FixedPointDerivatives, FixedPointScale, GradientCell, add_cell, subtract_cells,
};
use crate::boosted::matrix::{BLOCK_COLUMNS, BinBlock, BoostedMatrix};
use crate::settings::PARALLEL_WORK;
use imbcore_core::{Result, RunContext};
use rayon::prelude::*;

const BINS: usize = 256;

/// Minimum number of rows for which a node stores a histogram of all columns.
///
/// A node with fewer rows computes the sums of its bins only when they are needed, for one block of columns
/// at a time. This is faster than clearing or subtracting all bins, and needs memory for only one block. The
/// rows of open nodes are disjoint. With this minimum, which is the number of bins, the histograms of all
/// open nodes together therefore have at most one cell per value of the table.
pub(crate) const KEPT_FROM: usize = BINS;

const STRETCH: usize = 1 << 14;

/// Minimum number of rows per thread for which rows, not columns, are split among threads.
///
/// With this many rows, merging the histograms of the threads costs little compared with adding the rows.
/// With fewer rows, blocks of columns are divided among threads.
const MANY: usize = 1 << 14;

/// Number of rows that are read from memory together, before they are added to the histogram.
const FETCHED: usize = 64;

pub(crate) const TOGETHER: usize = 16;

type ColumnHistogram = [GradientCell; BINS];

#[derive(Clone, Debug)]
pub(crate) struct GradientHistogram(Vec<ColumnHistogram>);

#[derive(Clone, Copy)]
pub(crate) struct RowDerivatives<'s> {
    pub(crate) of_rows: &'s [FixedPointDerivatives],
    pub(crate) scale: FixedPointScale,
}

impl RowDerivatives<'_> {
    #[inline]
    fn derivatives_cell_of_row(self, row: u32) -> GradientCell {
        self.scale.pack_into_cell(self.of_rows[row as usize])
    }

    pub(crate) fn sum_rows(self, rows: &[u32]) -> GradientCell {
        let of_part = |rows: &[u32]| {
            let mut sum = [0; 2];
            for &row in rows {
                add_cell(&mut sum, self.derivatives_cell_of_row(row));
            }
            sum
        };
        let mut sum = [0; 2];
        for part in rows.par_chunks(STRETCH).map(of_part).collect::<Vec<_>>() {
            add_cell(&mut sum, part);
        }
        sum
    }
}

impl GradientHistogram {
    pub(crate) fn new(matrix: &BoostedMatrix) -> Self {
        Self(vec![[[0; 2]; BINS]; matrix.columns.len()])
    }

    /// Returns the sums of a column: one cell per bin, and a last cell for missing values.
    pub(crate) fn column_cells(&self, place: usize, matrix: &BoostedMatrix) -> &[GradientCell] {
        &self.0[place][..=matrix.columns[place].n_bins]
    }

    /// Computes the histograms of `rows`; earlier contents are overwritten.
    ///
    /// If there are few rows, one thread adds all of them. If there are many rows, each thread adds some of
    /// the rows to all columns. Otherwise, each task adds rows to one block of columns. If there are fewer
    /// blocks than threads, the rows are also divided among tasks.
    ///
    /// Partial sums over rows are added up. The result does not depend on the number of threads, because the
    /// sums are integers.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn fill(
        &mut self,
        matrix: &BoostedMatrix,
        rows: &[u32],
        slopes: RowDerivatives<'_>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let least = (ctl.task_size(PARALLEL_WORK) / self.0.len().max(1)).max(1);
        let (n_threads, n_blocks) = (rayon::current_num_threads(), matrix.blocks.len().max(1));
        let by_rows = rows.len() >= MANY * n_threads;
        let n_parts = if by_rows { n_threads } else { n_threads.div_ceil(n_blocks) };
        let part = rows.len().div_ceil(n_parts).max(least);
        let is_shared = n_threads > 1 && rows.len() >= 2 * least;
        let mut parts = rows.chunks(if is_shared { part } else { rows.len().max(1) });
        let first = parts.next().unwrap_or_default();
        let mut others: Vec<(Self, &[u32])> = parts.map(|rows| (Self::new(matrix), rows)).collect();
        let partials = others.iter_mut().map(|(histogram, rows)| (histogram, *rows));
        let wholes = std::iter::once((&mut *self, first)).chain(partials);
        let mut wholes = wholes.map(|(histogram, rows)| HistogramTask {
            blocks: histogram.blocks_with_histograms(matrix),
            rows,
        });
        if !is_shared {
            wholes.try_for_each(|task| task.fill(slopes, ctl))?;
        } else if by_rows {
            wholes.collect::<Vec<_>>().into_par_iter().try_for_each(|task| task.fill(slopes, ctl))?;
        } else {
            let tasks: Vec<_> = wholes.flat_map(HistogramTask::split_by_block).collect();
            tasks.into_par_iter().try_for_each(|task| task.fill(slopes, ctl))?;
        }
        for (part, _) in &others {
            self.0.par_iter_mut().zip(&part.0).with_min_len(TOGETHER).for_each(|(cells, part)| {
                cells.iter_mut().zip(part).for_each(|(cell, part)| add_cell(cell, *part));
            });
        }
        Ok(())
    }

    fn blocks_with_histograms<'h>(
        &'h mut self,
        matrix: &'h BoostedMatrix,
    ) -> Vec<(&'h mut [ColumnHistogram], &'h BinBlock)> {
        let mut rest = &mut self.0[..];
        let with_cells = |block: &'h BinBlock| (rest.split_off_mut(..block.width).unwrap_or_default(), block);
        matrix.blocks.iter().map(with_cells).collect()
    }

    /// Subtracts some rows of a node from the histograms of the node, row by row.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn subtract_rows(
        &mut self,
        matrix: &BoostedMatrix,
        rows: &[u32],
        slopes: RowDerivatives<'_>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let is_shared = rows.len() * self.0.len() >= 2 * ctl.task_size(PARALLEL_WORK);
        let subtract = |(cells, block): (&mut [ColumnHistogram], &BinBlock)| {
            ctl.check()?;
            add_rows_to_block(cells, block, rows, |row| {
                subtract_cells([0; 2], slopes.derivatives_cell_of_row(row))
            });
            Ok(())
        };
        let mut blocks = self.blocks_with_histograms(matrix).into_iter();
        if is_shared {
            blocks.collect::<Vec<_>>().into_par_iter().try_for_each(subtract)
        } else {
            blocks.try_for_each(subtract)
        }
    }

    pub(crate) fn subtract(&mut self, part: &Self, matrix: &BoostedMatrix) {
        let all = self.0.par_iter_mut().zip(&part.0).zip(&matrix.columns).with_min_len(TOGETHER);
        all.for_each(|((cells, part), column)| {
            for (cell, part) in cells[..=column.n_bins].iter_mut().zip(part) {
                *cell = subtract_cells(*cell, *part);
            }
        });
    }
}

struct HistogramTask<'t> {
    blocks: Vec<(&'t mut [ColumnHistogram], &'t BinBlock)>,
    rows: &'t [u32],
}

impl HistogramTask<'_> {
    fn split_by_block(self) -> impl Iterator<Item = Self> {
        let rows = self.rows;
        self.blocks.into_iter().map(move |block| Self { blocks: vec![block], rows })
    }

    fn fill(mut self, slopes: RowDerivatives<'_>, ctl: RunContext<'_>) -> Result<()> {
        self.blocks.iter_mut().for_each(|(cells, _)| cells.fill([[0; 2]; BINS]));
        for rows in self.rows.chunks(STRETCH) {
            ctl.check()?;
            self.blocks.iter_mut().for_each(|(cells, block)| {
                add_rows_to_block(cells, block, rows, |row| slopes.derivatives_cell_of_row(row));
            });
        }
        Ok(())
    }
}

/// Adds rows to the histograms of the columns in a block.
///
/// Training spends most of its time here. The rows of a node are scattered in memory. Therefore the
/// derivatives and bin codes of several rows are loaded first, so that the processor overlaps their cache
/// misses.
fn add_rows_to_block(
    cells: &mut [ColumnHistogram],
    block: &BinBlock,
    rows: &[u32],
    value_of: impl Fn(u32) -> GradientCell,
) {
    let mut values = [[0; 2]; FETCHED];
    let mut codes = [[0; BLOCK_COLUMNS]; FETCHED];
    for rows in rows.chunks(FETCHED) {
        for ((value, codes), &row) in values.iter_mut().zip(&mut codes).zip(rows) {
            *value = value_of(row);
            *codes = block.row_bin_codes(row as usize);
        }
        for (value, codes) in values.iter().zip(&codes).take(rows.len()) {
            for (cells, &code) in cells.iter_mut().zip(codes) {
                add_cell(&mut cells[code as usize], *value);
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum NodeSumSource<'n> {
    Kept(&'n GradientHistogram),
    Rows(&'n [u32], RowDerivatives<'n>),
}

pub(crate) struct HistogramColumnReader<'n> {
    sums: NodeSumSource<'n>,
    matrix: &'n BoostedMatrix,
    block: Vec<ColumnHistogram>,
    at: usize,
}

impl<'n> HistogramColumnReader<'n> {
    pub(crate) fn new(sums: NodeSumSource<'n>, matrix: &'n BoostedMatrix) -> Self {
        Self { sums, matrix, block: Vec::new(), at: usize::MAX }
    }

    /// Columns must be requested in ascending order to compute every block only once.
    pub(crate) fn column_sums(&mut self, place: usize) -> &[GradientCell] {
        let (rows, slopes) = match self.sums {
            NodeSumSource::Kept(histogram) => return histogram.column_cells(place, self.matrix),
            NodeSumSource::Rows(rows, slopes) => (rows, slopes),
        };
        let width = self.matrix.block_width();
        let at = place / width;
        if self.at != at {
            let block = &self.matrix.blocks[at];
            self.block.resize(width, [[0; 2]; BINS]);
            let columns = &self.matrix.columns[at * width..][..block.width];
            for (cells, column) in self.block.iter_mut().zip(columns) {
                cells[..=column.n_bins].fill([0; 2]);
            }
            add_rows_to_block(&mut self.block[..block.width], block, rows, |row| {
                slopes.derivatives_cell_of_row(row)
            });
            self.at = at;
        }
        &self.block[place % width][..=self.matrix.columns[place].n_bins]
    }
}
