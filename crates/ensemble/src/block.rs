//! The rows that trees are asked about at a time, column by column.

use imbcore_base::{Column, Frame, MISSING, Result};
use std::ops::Range;

/// Values of rows, column after column: codes of levels as numbers, NaN where there is no value.
///
/// A node of a tree looks at many rows in one column, whose values stand side by side here.
#[derive(Default)]
pub(crate) struct Block {
    values: Vec<f64>,
    pub(crate) n_rows: usize,
    /// Whether any value is missing.
    pub(crate) missing: bool,
}

impl Block {
    /// Rows of a block: so many that a tree is read for more than a few of them, and that the columns a tree asks for stay in the
    /// nearer caches.
    pub(crate) fn rows(n_columns: usize) -> usize {
        ((1 << 17) / n_columns.max(1)).clamp(1 << 8, 1 << 13)
    }

    /// Turns to other rows.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Column`] for an infinity.
    pub(crate) fn turn(&mut self, frame: &Frame<'_>, rows: Range<usize>) -> Result<()> {
        let content = frame.content(rows.clone());
        if content.infinite {
            frame.check_finite()?;
        }
        (self.n_rows, self.missing) = (rows.len(), content.missing);
        self.values.clear();
        for column in frame.columns() {
            match column {
                Column::Numeric(numbers) => match numbers.as_slice() {
                    Some(numbers) => self.values.extend_from_slice(&numbers[rows.clone()]),
                    None => self.values.extend(rows.clone().map(|row| numbers.get(row))),
                },
                Column::Nominal { codes, .. } => {
                    let number = |&code: &u32| if code == MISSING { f64::NAN } else { f64::from(code) };
                    self.values.extend(codes[rows.clone()].iter().map(number));
                }
            }
        }
        Ok(())
    }

    /// The values of a column.
    pub(crate) fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.n_rows..(column + 1) * self.n_rows]
    }
}
