//! Sums of derivatives by column and bin: what rows of a node add up to.

use crate::boosted::fixed::{Cell, Scale, Slope, add, less};
use crate::boosted::matrix::{BLOCK_COLUMNS, Block, Matrix};
use crate::settings::PARALLEL_WORK;
use imbcore_base::{Result, RunCtl};
use rayon::prelude::*;

/// Bins of a column, with that of missing values.
const BINS: usize = 256;

/// Rows from which a node keeps a histogram of all columns. A node with fewer rows than bins adds them up block by block
/// whenever it needs the sums: that costs less time than to clear or subtract all bins, and no memory. Open nodes share
/// the rows, so that all histograms together have at most one cell for each value of the table.
pub(crate) const KEPT_FROM: usize = BINS;

/// Rows between two looks at the stop flag.
const STRETCH: usize = 1 << 14;

/// Rows of a thread beside which it costs little to put the sums of parts together.
const MANY: usize = 1 << 14;

/// Rows that are fetched at a time.
const FETCHED: usize = 64;

/// Columns that are worth a thread's while.
pub(crate) const TOGETHER: usize = 16;

/// The cells of a column.
type Cells = [Cell; BINS];

/// The cells of all columns.
#[derive(Clone, Debug)]
pub(crate) struct Histogram(Vec<Cells>);

/// What rows add, and in which units.
#[derive(Clone, Copy)]
pub(crate) struct Slopes<'s> {
    pub(crate) of_rows: &'s [Slope],
    pub(crate) scale: Scale,
}

impl Slopes<'_> {
    /// The amounts that a row adds to its bins.
    #[inline]
    fn cell(self, row: u32) -> Cell {
        self.scale.cell(self.of_rows[row as usize])
    }

    /// What rows add up to.
    pub(crate) fn sum(self, rows: &[u32]) -> Cell {
        let of_part = |rows: &[u32]| {
            let mut sum = [0; 2];
            for &row in rows {
                add(&mut sum, self.cell(row));
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

    /// Adds up rows in place of what was there. Threads share the blocks of columns; where rows are many, or blocks fewer than threads, they share the rows,
    /// whose sums are then put together: sums of whole numbers know no order.
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
        let least = (ctl.grain(PARALLEL_WORK) / self.0.len().max(1)).max(1);
        let (n_threads, n_blocks) = (rayon::current_num_threads(), matrix.blocks.len().max(1));
        let by_rows = rows.len() >= MANY * n_threads;
        let n_parts = if by_rows { n_threads } else { n_threads.div_ceil(n_blocks) };
        let part = rows.len().div_ceil(n_parts).max(least);
        let is_shared = n_threads > 1 && rows.len() >= 2 * least;
        let mut parts = rows.chunks(if is_shared { part } else { rows.len().max(1) });
        let first = parts.next().unwrap_or_default();
        let mut others: Vec<(Self, &[u32])> = parts.map(|rows| (Self::new(matrix), rows)).collect();
        let own = others.iter_mut().map(|(histogram, rows)| (histogram, *rows));
        let wholes = std::iter::once((&mut *self, first)).chain(own);
        let mut wholes = wholes.map(|(histogram, rows)| Task { blocks: histogram.blocks(matrix), rows });
        if !is_shared {
            wholes.try_for_each(|task| task.fill(slopes, ctl))?;
        } else if by_rows {
            wholes.collect::<Vec<_>>().into_par_iter().try_for_each(|task| task.fill(slopes, ctl))?;
        } else {
            let tasks: Vec<_> = wholes.flat_map(Task::by_block).collect();
            tasks.into_par_iter().try_for_each(|task| task.fill(slopes, ctl))?;
        }
        for (part, _) in &others {
            self.0.par_iter_mut().zip(&part.0).with_min_len(TOGETHER).for_each(|(cells, part)| {
                cells.iter_mut().zip(part).for_each(|(cell, part)| add(cell, *part));
            });
        }
        Ok(())
    }

    /// The cells of each block.
    fn blocks<'h>(&'h mut self, matrix: &'h Matrix) -> Vec<(&'h mut [Cells], &'h Block)> {
        let mut rest = &mut self.0[..];
        let own = |block: &'h Block| (rest.split_off_mut(..block.width).unwrap_or_default(), block);
        matrix.blocks.iter().map(own).collect()
    }

    /// Subtracts some rows one by one.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn subtract_rows(
        &mut self,
        matrix: &Matrix,
        rows: &[u32],
        slopes: Slopes<'_>,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let is_shared = rows.len() * self.0.len() >= 2 * ctl.grain(PARALLEL_WORK);
        let subtract = |(cells, block): (&mut [Cells], &Block)| {
            ctl.check()?;
            add_block(cells, block, rows, |row| less([0; 2], slopes.cell(row)));
            Ok(())
        };
        let mut blocks = self.blocks(matrix).into_iter();
        if is_shared {
            blocks.collect::<Vec<_>>().into_par_iter().try_for_each(subtract)
        } else {
            blocks.try_for_each(subtract)
        }
    }

    /// Subtracts the sums of a part.
    pub(crate) fn subtract(&mut self, part: &Self, matrix: &Matrix) {
        let all = self.0.par_iter_mut().zip(&part.0).zip(&matrix.columns).with_min_len(TOGETHER);
        all.for_each(|((cells, part), column)| {
            for (cell, part) in cells[..=column.n_bins].iter_mut().zip(part) {
                *cell = less(*cell, *part);
            }
        });
    }
}

/// Rows whose sums one thread adds up, and where.
struct Task<'t> {
    blocks: Vec<(&'t mut [Cells], &'t Block)>,
    rows: &'t [u32],
}

impl Task<'_> {
    /// A task for each block.
    fn by_block(self) -> impl Iterator<Item = Self> {
        let rows = self.rows;
        self.blocks.into_iter().map(move |block| Self { blocks: vec![block], rows })
    }

    fn fill(mut self, slopes: Slopes<'_>, ctl: RunCtl<'_>) -> Result<()> {
        self.blocks.iter_mut().for_each(|(cells, _)| cells.fill([[0; 2]; BINS]));
        for rows in self.rows.chunks(STRETCH) {
            ctl.check()?;
            self.blocks
                .iter_mut()
                .for_each(|(cells, block)| add_block(cells, block, rows, |row| slopes.cell(row)));
        }
        Ok(())
    }
}

/// Adds rows to the cells of the columns of a block. This loop is most of a fit.
///
/// What some rows add and their bins are fetched first, all at a time: rows of a node lie far apart, and one would wait for memory
/// after the other.
fn add_block(cells: &mut [Cells], block: &Block, rows: &[u32], value_of: impl Fn(u32) -> Cell) {
    let mut values = [[0; 2]; FETCHED];
    let mut codes = [[0; BLOCK_COLUMNS]; FETCHED];
    for rows in rows.chunks(FETCHED) {
        for ((value, codes), &row) in values.iter_mut().zip(&mut codes).zip(rows) {
            *value = value_of(row);
            *codes = block.of_row(row as usize);
        }
        for (value, codes) in values.iter().zip(&codes).take(rows.len()) {
            for (cells, &code) in cells.iter_mut().zip(codes) {
                add(&mut cells[code as usize], *value);
            }
        }
    }
}

/// The sums of a node, by which its cuts are compared.
#[derive(Clone, Copy)]
pub(crate) enum NodeSums<'n> {
    /// Of all columns.
    Kept(&'n Histogram),
    /// To be added up from the rows of the node.
    Rows(&'n [u32], Slopes<'n>),
}

/// Reads the sums of a node column by column.
pub(crate) struct ColumnReader<'n> {
    sums: NodeSums<'n>,
    matrix: &'n Matrix,
    /// Sums of the columns of one block, and the number of that block.
    block: Vec<Cells>,
    at: usize,
}

impl<'n> ColumnReader<'n> {
    pub(crate) fn new(sums: NodeSums<'n>, matrix: &'n Matrix) -> Self {
        Self { sums, matrix, block: Vec::new(), at: usize::MAX }
    }

    /// The cells of a column, as [`Histogram::column`]. Every block is added up once if columns come in ascending order.
    pub(crate) fn column(&mut self, place: usize) -> &[Cell] {
        let (rows, slopes) = match self.sums {
            NodeSums::Kept(histogram) => return histogram.column(place, self.matrix),
            NodeSums::Rows(rows, slopes) => (rows, slopes),
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
            add_block(&mut self.block[..block.width], block, rows, |row| slopes.cell(row));
            self.at = at;
        }
        &self.block[place % width][..=self.matrix.columns[place].n_bins]
    }
}
