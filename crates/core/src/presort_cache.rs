//! Cache of the rows of a table sorted by its columns.
//! It serves models that train on the same rows with different weights.

use crate::error::Result;
use crate::frame::{Column, Frame};
use crate::memory::try_with_capacity;
use crate::order::{float_key, sorted_by_key};
use crate::run_context::RunContext;
use std::sync::OnceLock;

/// All rows of a table, sorted by each column.
/// Values are ascending, ties are sorted by row, and missing values come last.
///
/// A column is sorted on first use, so that methods that need no sorted columns have no cost.
#[derive(Debug)]
pub struct PresortCache(Vec<OnceLock<Vec<u32>>>);

impl PresortCache {
    /// Creates an empty cache for a table with `n_columns` columns.
    #[must_use]
    pub fn new(n_columns: usize) -> Self {
        Self((0..n_columns).map(|_| OnceLock::new()).collect())
    }

    /// Returns the rows sorted by a column of `frame`, which must be the table of this cache.
    pub(crate) fn sorted_rows(
        &self,
        frame: &Frame<'_>,
        column: usize,
        ctl: RunContext<'_>,
    ) -> Result<&[u32]> {
        if let Some(order) = self.0[column].get() {
            return Ok(order);
        }
        let mut rows = try_with_capacity(frame.n_rows(), "rows sorted by a column")?;
        rows.extend(0..frame.n_rows() as u32);
        let sorted = frame.columns()[column].sort_entries(&rows, |row| row as usize, ctl)?;
        // Two threads may sort the same column. Their results are equal, so either may be kept.
        Ok(self.0[column].get_or_init(|| sorted))
    }
}

impl Column<'_> {
    /// Sorts entries by the values in their rows, missing values last; the sort is stable.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`].
    pub fn sort_entries(
        &self,
        entries: &[u32],
        row: impl Fn(u32) -> usize,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>> {
        match self {
            Self::Numeric(values) => match values.as_slice() {
                Some(values) => sorted_by_key(entries, |entry| float_key(values[row(entry)]), ctl),
                None => sorted_by_key(entries, |entry| float_key(values.get(row(entry))), ctl),
            },
            Self::Nominal { codes, .. } => {
                sorted_by_key(entries, |entry| u64::from(codes[row(entry)]) << 32, ctl)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::MISSING;

    #[test]
    fn missing_values_come_last_and_equal_ones_stay_in_order() {
        let values = [2.0, f64::NAN, -1.0, 2.0];
        let nominal = Column::Nominal { codes: &[2, MISSING, 0, 2], levels: 3 };
        let frame = Frame::new(vec![Column::from_numbers(&values), nominal]).unwrap();
        let orders = PresortCache::new(2);
        for column in [0, 1, 0] {
            assert_eq!(orders.sorted_rows(&frame, column, RunContext::silent()).unwrap(), [2, 0, 3, 1]);
        }
        let marked =
            frame.columns()[1].sort_entries(&[7, 4], |entry| entry as usize - 4, RunContext::silent());
        assert_eq!(marked.unwrap(), [7, 4]);
    }
}
