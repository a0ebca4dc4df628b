//! Sorting rows by a column: ascending values, equal values by row, missing values last.

use crate::rows::training::{Entry, TrainColumn, row_of};
use imbcore_base::{Result, RunCtl, float_key, sorted_by_key};

/// The entries sorted by `column`. `entries` must be ascending by row.
///
/// # Errors
/// [`imbcore_base::Error::Cancelled`].
pub(crate) fn sorted(entries: &[Entry], column: &TrainColumn<'_>, ctl: RunCtl<'_>) -> Result<Vec<Entry>> {
    match column {
        TrainColumn::Numeric(values) => sorted_by_key(entries, |entry| float_key(values[row_of(entry)]), ctl),
        TrainColumn::Nominal { codes, .. } => {
            sorted_by_key(entries, |entry| u64::from(codes[row_of(entry)]) << 32, ctl)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_levels_come_last() {
        let codes = [2, u32::MAX, 0, 2];
        let column = TrainColumn::Nominal { codes: &codes, levels: 3 };
        assert_eq!(sorted(&[0, 1, 2, 3], &column, RunCtl::silent()).unwrap(), [2, 0, 3, 1]);
    }
}
