//! Encoded rows, and the blocks of rows over which sums are computed.

use crate::encoding::{TableEncoding, are_all_rows};
use crate::scaling::standardize;
use crate::vectors::{add_four_scaled, add_scaled, dot};
use imbcore_core::{Frame, Result, RunContext, memory, parallel};
use std::ops::Range;

/// Minimum number of rows of a block, and maximum number of blocks, of [`row_blocks`].
const SMALLEST_BLOCK: usize = 2048;
const MOST_BLOCKS: usize = 16;
/// Number of rows that are encoded together, so that their encoded values stay in the cache.
const CACHED_ROWS: usize = 64;

/// Encoded rows with class positions and weights.
///
/// A slot is the index of a coefficient. A row has a value in every dense slot, and `n_entries` entries
/// (pairs of slot and value) for the other slots. Unused entries have the slot `width`, an additional slot
/// with weight 0. The values of entries are stored only if some values differ from 1.
#[derive(Clone, Debug)]
pub(crate) struct Design {
    /// Values of the dense slots, row by row; the first slot is the intercept, with the value 1.
    dense: Vec<f64>,
    slots: Vec<u32>,
    values: Vec<f64>,
    pub(crate) n_rows: usize,
    pub(crate) n_dense: usize,
    n_entries: usize,
    pub(crate) width: usize,
    /// Class of each row, as its position among the classes that have training rows.
    pub(crate) classes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
}

impl Design {
    /// Encodes rows of a table.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(
        encoding: &TableEncoding,
        frame: &Frame<'_>,
        rows: &[u32],
        (classes, weights): (Vec<u32>, Vec<f64>),
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let (n_rows, n_dense, width) = (rows.len(), encoding.n_dense, encoding.width);
        let counts: Vec<usize> = encoding
            .slots
            .iter()
            .map(|slots| match (slots.unused.is_some(), slots.basis >= n_dense && slots.n_basis > 0) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => usize::from(slots.indicator.is_some()),
            })
            .collect();
        let n_entries: usize = counts.iter().sum();
        let mut dense = memory::filled(n_rows * n_dense, 0.0, "encoded rows")?;
        let mut slots = memory::filled(n_rows * n_entries, width as u32, "encoded rows")?;
        let n_values = if encoding.slots.iter().any(|slots| slots.unused.is_some()) { n_entries } else { 0 };
        let mut values = memory::filled(n_rows * n_values, 0.0, "encoded rows")?;
        let all_rows = are_all_rows(frame, rows);
        let blocks = row_blocks(n_rows);
        let size = blocks.first().map_or(1, ExactSizeIterator::len);
        let tasks = blocks
            .iter()
            .cloned()
            .zip(dense.chunks_mut((size * n_dense).max(1)))
            .zip(split_per_row_block(&mut slots, size * n_entries, blocks.len()))
            .zip(split_per_row_block(&mut values, size * n_values, blocks.len()));
        parallel::try_map(tasks, |(((block, dense), slots), values)| {
            ctl.check()?;
            let first = block.start;
            // Values are stored row by row, but computed column by column. So only a few rows, which fit into
            // the cache, are encoded at a time.
            for part in block.clone().step_by(CACHED_ROWS).map(|row| row..(row + CACHED_ROWS).min(block.end))
            {
                let from = part.start - first;
                for position in 0..part.len() {
                    dense[(from + position) * n_dense] = 1.0;
                }
                let mut at_entry = from * n_entries;
                for ((at, column), &count) in frame.columns().iter().enumerate().zip(&counts) {
                    if let Some((values, scale)) =
                        encoding.contiguous_values_and_scale(at, column).filter(|_| all_rows)
                    {
                        let places =
                            dense[from * n_dense + encoding.slots[at].basis..].iter_mut().step_by(n_dense);
                        for (place, &value) in places.zip(&values[part.clone()]) {
                            *place = standardize(value, scale);
                        }
                        continue;
                    }
                    let table_rows = rows[part.clone()].iter().map(|&row| row as usize);
                    encoding.for_each_entry(at, column, table_rows, |position, rank, slot, value| {
                        if slot < n_dense {
                            dense[(from + position) * n_dense + slot] = value;
                        } else {
                            slots[at_entry + position * n_entries + rank] = slot as u32;
                            if n_values > 0 {
                                values[at_entry + position * n_entries + rank] = value;
                            }
                        }
                    });
                    at_entry += count;
                }
            }
            Ok(())
        })?;
        Ok(Self { dense, slots, values, n_rows, n_dense, n_entries, width, classes, weights })
    }

    #[inline]
    pub(crate) fn dense_values(&self, row: usize) -> &[f64] {
        &self.dense[row * self.n_dense..(row + 1) * self.n_dense]
    }

    /// Coefficient indices and values of the sparse entries of a row; `None` if all values are 1.
    #[inline(always)]
    pub(crate) fn sparse_entries(&self, row: usize) -> (&[u32], Option<&[f64]>) {
        let range = row * self.n_entries..(row + 1) * self.n_entries;
        (&self.slots[range.clone()], self.values.get(range))
    }

    pub(crate) fn n_values_per_row(&self) -> usize {
        self.n_dense + self.n_entries
    }

    /// Score of a row: the sum over its slots of the encoded value times the slot's weight.
    #[inline(always)]
    pub(crate) fn dot_product(&self, row: usize, weights: &[f64]) -> f64 {
        let (slots, values) = self.sparse_entries(row);
        let sparse: f64 = match values {
            Some(values) => {
                slots.iter().zip(values).map(|(&slot, value)| value * weights[slot as usize]).sum()
            }
            None => slots.iter().map(|&slot| weights[slot as usize]).sum(),
        };
        dot(self.dense_values(row), weights) + sparse
    }

    #[inline(always)]
    pub(crate) fn add_scaled_row(&self, row: usize, factor: f64, sums: &mut [f64]) {
        add_scaled(self.dense_values(row), factor, sums);
        self.add_scaled_entries(row, factor, sums);
    }

    #[inline(always)]
    pub(crate) fn add_scaled_rows(&self, rows: Range<usize>, factors: &[f64], sums: &mut [f64]) {
        let (many, few) = factors[..rows.len()].as_chunks::<4>();
        let mut row = rows.start;
        for factors in many {
            let lists = std::array::from_fn(|at| self.dense_values(row + at));
            add_four_scaled(lists, *factors, &mut sums[..self.n_dense]);
            for &factor in factors {
                self.add_scaled_entries(row, factor, sums);
                row += 1;
            }
        }
        for &factor in few {
            self.add_scaled_row(row, factor, sums);
            row += 1;
        }
    }

    #[inline(always)]
    fn add_scaled_entries(&self, row: usize, factor: f64, sums: &mut [f64]) {
        let (slots, values) = self.sparse_entries(row);
        match values {
            Some(values) => {
                for (&slot, value) in slots.iter().zip(values) {
                    sums[slot as usize] += factor * value;
                }
            }
            None => slots.iter().for_each(|&slot| sums[slot as usize] += factor),
        }
    }
}

/// Returns one chunk per block of rows; if `size` is 0, all chunks are empty.
fn split_per_row_block<T>(list: &mut [T], size: usize, n_blocks: usize) -> Vec<&mut [T]> {
    if size == 0 {
        return (0..n_blocks).map(|_| &mut [][..]).collect();
    }
    list.chunks_mut(size).collect()
}

/// Blocks of rows over which sums are computed.
///
/// They depend only on the number of rows, so that sums do not depend on the number of threads.
pub(crate) fn row_blocks(n_rows: usize) -> Vec<Range<usize>> {
    let size = n_rows.div_ceil(MOST_BLOCKS).max(SMALLEST_BLOCK);
    (0..n_rows).step_by(size).map(|first| first..(first + size).min(n_rows)).collect()
}
