//! Sorting rows by a column: ascending values, equal values by row, missing values last.

use crate::rows::entry::{Entry, TrainColumn, row_of};
use crate::rows::training::Table;
use crate::settings::Layout;
use imbcore_base::{Result, RunCtl, float_key, memory, sorted_by_key};
use rayon::prelude::*;

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

/// All usable rows sorted by every column; empty for [`Layout::Listed`].
pub(crate) fn presort(table: &Table<'_>, layout: Layout, ctl: RunCtl<'_>) -> Result<Vec<Vec<Entry>>> {
    if layout == Layout::Listed {
        return Ok(Vec::new());
    }
    memory::room_for::<Entry>(table.usable.len() * table.columns.len(), "sorted columns")?;
    table.columns.par_iter().map(|column| sorted(&table.usable, column, ctl)).collect()
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
