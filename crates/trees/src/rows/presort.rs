//! Rows sorted by each column: ascending values, ties by row number, missing values last.

use crate::rows::rank_table::{ColumnRanks, RankTable};
use crate::rows::train_column::{FlaggedRow, TrainColumn, row_of_entry};
use crate::rows::training::TrainingTable;
use crate::settings::RowLayout;
use imbcore_core::{Dataset, Result, RunContext, memory};

/// Returns the given rows sorted by a column; the given rows must be in ascending order.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(crate) fn entries_sorted_by_column(
    entries: &[FlaggedRow],
    column: &TrainColumn<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<FlaggedRow>> {
    column.as_column().sort_entries(entries, row_of_entry, ctl)
}

/// Sorts all rows with positive weight by every column, and computes ranks.
///
/// The results depend on the memory layout. [`RowLayout::Listed`] needs neither sorted rows nor ranks, so
/// both results are empty. [`RowLayout::Ranked`] needs only ranks. [`RowLayout::Presorted`] needs sorted
/// rows. For strided columns, whose values are far apart in memory, it also needs ranks: neighbors in sorted
/// order are compared at every node.
pub(crate) fn presort(
    table: &TrainingTable<'_>,
    data: &Dataset<'_>,
    layout: RowLayout,
    ctl: RunContext<'_>,
) -> Result<(Vec<Vec<FlaggedRow>>, RankTable)> {
    if layout == RowLayout::Listed {
        return Ok(Default::default());
    }
    let ranked = layout == RowLayout::Ranked;
    let n_lists =
        table.columns.iter().map(|column| 1 + usize::from(!ranked && column.is_strided())).sum::<usize>();
    memory::check_values_fit_in_memory::<FlaggedRow>(data.n_rows() * n_lists, "sorted columns")?;
    let usable = table.usable_entries();
    let all = usable.len() == data.n_rows();
    let mut is_usable = vec![all; data.n_rows()];
    for &entry in &usable {
        is_usable[row_of_entry(entry)] = true;
    }
    let by_column = |index: usize, numbers: &[f64]| {
        let column = &table.columns[index];
        let order = match data.cached_order(index, ctl)? {
            None => column.column_with_values(numbers).sort_entries(&usable, row_of_entry, ctl)?,
            Some(order) => {
                let usable = order.iter().filter(|&&row| all || is_usable[row as usize]);
                usable.map(|&row| table.flagged_row_of(row)).collect()
            }
        };
        if !ranked && !column.is_strided() {
            return Ok((order, ColumnRanks::default()));
        }
        let ranks = ColumnRanks::new(column.column_with_values(numbers), &order, ctl)?;
        Ok((if ranked { Vec::new() } else { order }, ranks))
    };
    let (mut orders, ranks): (Vec<_>, Vec<_>) = table.map_columns(by_column, ctl)?.into_iter().unzip();
    if ranked {
        orders.clear();
    }
    Ok((orders, RankTable::from_column_ranks(ranks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_levels_come_last() {
        let codes = [2, u32::MAX, 0, 2];
        let column = TrainColumn::Nominal { codes: &codes, levels: 3 };
        assert_eq!(
            entries_sorted_by_column(&[0, 1, 2, 3], &column, RunContext::silent()).unwrap(),
            [2, 0, 3, 1]
        );
    }
}
