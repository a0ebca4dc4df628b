//! Sorting rows by a column: ascending values, equal values by row, missing values last.

use crate::rows::entry::{Entry, TrainColumn, row_of};
use crate::rows::training::Table;
use crate::settings::Layout;
use imbcore_base::{Dataset, Result, RunCtl, memory};
use rayon::prelude::*;

/// The entries sorted by `column`. `entries` must be ascending by row.
///
/// # Errors
/// [`imbcore_base::Error::Cancelled`].
pub(crate) fn sorted(entries: &[Entry], column: &TrainColumn<'_>, ctl: RunCtl<'_>) -> Result<Vec<Entry>> {
    column.column().sorted(entries, row_of, ctl)
}

/// All usable rows sorted by every column; empty for [`Layout::Listed`].
pub(crate) fn presort(
    table: &Table<'_>,
    data: &Dataset<'_>,
    layout: Layout,
    ctl: RunCtl<'_>,
) -> Result<Vec<Vec<Entry>>> {
    if layout == Layout::Listed {
        return Ok(Vec::new());
    }
    memory::room_for::<Entry>(table.n_usable() * table.columns.len(), "sorted columns")?;
    let usable = table.usable();
    let all = usable.len() == data.n_rows();
    let mut is_usable = vec![all; data.n_rows()];
    for &entry in &usable {
        is_usable[row_of(entry)] = true;
    }
    let by_column = |(at, column)| match data.kept_order(at, ctl)? {
        None => sorted(&usable, column, ctl),
        Some(order) => {
            let usable = order.iter().filter(|&&row| all || is_usable[row as usize]);
            Ok(usable.map(|&row| table.marked(row)).collect())
        }
    };
    table.columns.par_iter().enumerate().map(by_column).collect()
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
