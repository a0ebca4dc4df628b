//! Block of rows for prediction, stored column by column.

use imbcore_core::{Column, Frame, MISSING, Result};
use std::ops::Range;

/// Maximum number of values in a block for lockstep traversal.
/// The values take 1 MiB, so that a block stays in the L2 cache.
pub(crate) const ROOM: usize = 1 << 17;

/// Number of rows in a chunk; lockstep traversal always reads the values of whole chunks.
pub(crate) const CHUNK: usize = 64;

/// Number of unused cells between neighboring columns of a block.
/// Without this padding, the values of a row would compete for a few cache lines if the number of rows is a
/// power of two.
const APART: usize = 24;

/// Number of matrix rows that are transposed at a time.
/// The values of one column in these rows fill a cache line.
const TILE: usize = 8;

/// Values of some rows in column-major order.
///
/// Level codes are stored as numbers, and missing values as NaN. A tree node reads one column of many rows;
/// in this order, its values are contiguous.
#[derive(Default)]
pub struct RowBlock {
    values: Vec<f64>,
    n_rows: usize,
    n_columns: usize,
    stride: usize,
    missing: bool,
}

/// Returns whether any value in the given rows of a frame is missing.
///
/// # Errors
/// [`imbcore_core::Error::Column`] for an infinity.
pub(crate) fn has_missing(frame: &Frame<'_>, rows: Range<usize>) -> Result<bool> {
    let content = frame.special_value_flags(rows);
    if content.infinite {
        frame.check_finite()?;
    }
    Ok(content.missing)
}

impl RowBlock {
    /// Number of rows in a block.
    /// It is large enough to amortize the cost of reading a tree. It is also small enough that the columns
    /// that a tree reads stay in the processor caches.
    pub fn block_size(n_columns: usize) -> usize {
        let room = (ROOM / n_columns.max(1)).saturating_sub(APART);
        (room / CHUNK * CHUNK).clamp(1 << 8, 1 << 13)
    }

    /// Replaces the contents of the block by the given rows of a frame.
    /// If `roomy` is true, the columns are padded for lockstep traversal.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity.
    pub fn load_rows(&mut self, frame: &Frame<'_>, rows: Range<usize>, roomy: bool) -> Result<()> {
        let missing = has_missing(frame, rows.clone())?;
        self.fill(frame, rows, missing, roomy);
        Ok(())
    }

    pub(crate) fn fill(&mut self, frame: &Frame<'_>, rows: Range<usize>, missing: bool, roomy: bool) {
        (self.n_rows, self.n_columns, self.missing) = (rows.len(), frame.n_columns(), missing);
        self.stride = rows.len() + if roomy { APART } else { 0 };
        let size = self.stride * self.n_columns;
        self.values.resize(if roomy { size.max(ROOM) } else { size }, 0.0);
        if let Some(matrix) = frame.as_row_major() {
            self.transpose_rows(&matrix[rows.start * self.n_columns..rows.end * self.n_columns]);
            return;
        }
        for (column, out) in frame.columns().iter().zip(self.values.chunks_mut(self.stride.max(1))) {
            let out = &mut out[..rows.len()];
            match column {
                Column::Numeric(numbers) => match numbers.as_slice() {
                    Some(numbers) => out.copy_from_slice(&numbers[rows.clone()]),
                    None => {
                        rows.clone().zip(out).for_each(|(row, value)| *value = numbers.get(row));
                    }
                },
                Column::Nominal { codes, .. } => {
                    let number = |code: u32| if code == MISSING { f64::NAN } else { f64::from(code) };
                    codes[rows.clone()].iter().zip(out).for_each(|(&code, value)| *value = number(code));
                }
            }
        }
    }

    fn transpose_rows(&mut self, matrix: &[f64]) {
        let width = self.n_columns;
        for (tile, rows) in matrix.chunks(TILE * width).enumerate() {
            for column in 0..width {
                let out = &mut self.values[column * self.stride + tile * TILE..];
                for (value, row) in out.iter_mut().zip(rows.chunks_exact(width)) {
                    *value = row[column];
                }
            }
        }
    }

    /// Number of rows in the block.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether any value in the block is missing.
    pub fn has_missing(&self) -> bool {
        self.missing
    }

    /// Returns the values of a column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.stride..][..self.n_rows]
    }

    /// Values of a padded block, and the distance between columns.
    ///
    /// The result is `None` if the block is not padded or has missing values. It is also `None` if the block,
    /// extended to whole chunks of rows, has more than `ROOM` values.
    pub(crate) fn padded_values(&self) -> Option<(&[f64; ROOM], usize)> {
        let end = self.n_columns.saturating_sub(1) * self.stride + self.n_rows.next_multiple_of(CHUNK);
        let values = self.values.first_chunk::<ROOM>()?;
        (end <= ROOM && !self.missing).then_some((values, self.stride))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_contain_the_same_columns_for_every_layout() {
        let (n, width) = (21, 3);
        let by_rows: Vec<f64> = (0..n * width).map(|i| i as f64).collect();
        let by_columns: Vec<f64> = (0..n * width).map(|i| (i % n * width + i / n) as f64).collect();
        let frames = [
            Frame::from_row_major(&by_rows, n, width).unwrap(),
            Frame::from_column_major(&by_columns, n, width).unwrap(),
            Frame::new(Frame::from_row_major(&by_rows, n, width).unwrap().columns().to_vec()).unwrap(),
        ];
        let mut block = RowBlock::default();
        for frame in &frames {
            // Each range of rows is loaded into the same buffer. The last range has fewer rows than the range
            // before it, so old values remain at the end of the buffer.
            for (rows, roomy) in [(0..n, true), (5..n, true), (5..n, false), (2..9, true)] {
                block.load_rows(frame, rows.clone(), roomy).unwrap();
                assert_eq!(block.n_rows(), rows.len());
                for column in 0..width {
                    let expected: Vec<f64> = rows.clone().map(|row| by_rows[row * width + column]).collect();
                    assert_eq!(block.column(column), expected);
                }
                assert!(block.padded_values().is_some() || !roomy);
            }
        }
    }

    #[test]
    fn full_block_fits_every_chunk() {
        for width in (1..70).chain((70..520).step_by(7)).chain([1000]) {
            let n = RowBlock::block_size(width);
            let values = vec![0.5; n * width];
            let frame = Frame::from_row_major(&values, n, width).unwrap();
            for part in [n, n - 1, n - 63, 1] {
                let mut block = RowBlock::default();
                block.load_rows(&frame, 0..part, true).unwrap();
                assert!(block.padded_values().is_some() || width > 460, "{part} rows of {width}");
            }
        }
        let frame = Frame::from_row_major(&[f64::NAN], 1, 1).unwrap();
        let mut block = RowBlock::default();
        block.load_rows(&frame, 0..1, true).unwrap();
        assert!(block.has_missing() && block.padded_values().is_none());
    }
}
