//! Ranks of values among the distinct values of their column.
//!
//! Nodes sort their rows by these ranks. Ranks suit trees that consider few columns per node, or few rows of
//! a large table.

use crate::rows::train_column::{FlaggedRow, RARE, TrainColumn, row_of_entry};
use imbcore_core::{Column, Result, RunContext, Strided, radix_sort};

/// For each column, the rank of every row's value among the distinct values of the column.
/// Missing values have the highest rank.
#[derive(Debug, Default)]
pub(crate) struct RankTable(Vec<ColumnRanks>);

#[derive(Debug, Default)]
pub(crate) struct ColumnRanks {
    of_row: Vec<u32>,
    /// Whether the column is numeric, and all rows with positive weight have different values.
    apart: bool,
}

impl ColumnRanks {
    /// Computes ranks; `order` contains the rows with positive weight, sorted by the column.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(column: Column<'_>, order: &[FlaggedRow], ctl: RunContext<'_>) -> Result<Self> {
        const STRETCH: usize = 1 << 17;
        let values = match column {
            Column::Numeric(values) => values,
            Column::Nominal { codes, .. } => return Ok(Self { of_row: codes.to_vec(), apart: false }),
        };
        // Rows with missing values are at the end of `order` and keep the rank `u32::MAX`.
        let known = &order[..order.partition_point(|&entry| !values.get(row_of_entry(entry)).is_nan())];
        let mut ranks = vec![u32::MAX; values.len()];
        let mut rank = 0;
        let mut before = f64::NAN;
        for stretch in known.chunks(STRETCH) {
            ctl.check()?;
            for row in stretch.iter().map(|&entry| row_of_entry(entry)) {
                let value = values.get(row);
                rank += u32::from(value != before && !before.is_nan());
                before = value;
                ranks[row] = rank;
            }
        }
        Ok(Self { of_row: ranks, apart: rank as usize + 1 == order.len() })
    }
}

impl RankTable {
    pub(crate) fn from_column_ranks(ranks: Vec<ColumnRanks>) -> Self {
        Self(ranks)
    }

    pub(crate) fn from_levels(columns: &[TrainColumn<'_>]) -> Self {
        let ranks = |column: &TrainColumn<'_>| match column {
            TrainColumn::Numeric(_) => Vec::new(),
            TrainColumn::Nominal { codes, .. } => codes.to_vec(),
        };
        Self(columns.iter().map(|column| ColumnRanks { of_row: ranks(column), apart: false }).collect())
    }

    /// Returns the rank of every row in a column; empty if no ranks were computed.
    pub(crate) fn column_ranks(&self, column: usize) -> &[u32] {
        self.0.get(column).map_or(&[], |ranks| &ranks.of_row)
    }

    pub(crate) fn has_distinct_values(&self, column: usize) -> bool {
        self.0[column].apart
    }
}

/// Rows of a node in two ascending lists: the most frequent class, and all other classes.
pub(crate) struct FrequentAndRareRows<'o> {
    pub(crate) frequent: &'o mut [FlaggedRow],
    pub(crate) rare: &'o mut [FlaggedRow],
}

impl FrequentAndRareRows<'_> {
    pub(crate) fn all_entries(&self) -> Vec<FlaggedRow> {
        let mut together = Vec::with_capacity(self.frequent.len() + self.rare.len());
        let mut frequent = self.frequent.iter().copied().peekable();
        for &entry in &*self.rare {
            while let Some(before) = frequent.next_if(|&before| before < entry & !RARE) {
                together.push(before);
            }
            together.push(entry);
        }
        together.extend(frequent);
        together
    }

    /// Returns the rows sorted by the ranks of a column; ties are in row order.
    pub(crate) fn rows_sorted_by_rank(&self, ranks: &[u32], ctl: RunContext<'_>) -> Result<Vec<FlaggedRow>> {
        let mut pairs: Vec<(u32, FlaggedRow)> =
            self.all_entries().into_iter().map(|entry| (ranks[row_of_entry(entry)], entry)).collect();
        if pairs.len() < 512 {
            pairs.sort_by_key(|&(rank, _)| rank);
        } else {
            radix_sort(&mut pairs, ctl)?;
        }
        Ok(pairs.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Partitions the rows: values at most `bound`, then larger values, then missing values.
    ///
    /// `n_left` must be the number of rows with values of at most `bound`.
    pub(crate) fn partition_by_value(
        &self,
        values: Strided<'_>,
        bound: f64,
        n_left: usize,
    ) -> Vec<FlaggedRow> {
        let n_rows = self.frequent.len() + self.rare.len();
        let mut parted = vec![0; n_rows];
        let (mut left, mut right, mut end) = (0, n_left, n_rows);
        for &entry in self.frequent.iter().chain(&*self.rare) {
            let value = values.get(row_of_entry(entry));
            if value.is_nan() {
                end -= 1;
                parted[end] = entry;
                continue;
            }
            // No conditional jump depends on the side of a row, because the side is unpredictable.
            let is_left = value <= bound;
            parted[if is_left { left } else { right }] = entry;
            left += usize::from(is_left);
            right += usize::from(!is_left);
        }
        parted
    }

    /// Partitions the rows by rank: rows with ranks below `bound` come first.
    ///
    /// Also returns the number of rows with ranks below `bound`. The last of these rows has the largest rank
    /// below `bound`. The row after it has the smallest rank of all other rows. The threshold is between the
    /// values of these two rows.
    pub(crate) fn partition_by_rank(&self, ranks: &[u32], bound: u32) -> (Vec<FlaggedRow>, usize) {
        let n_rows = self.frequent.len() + self.rare.len();
        let mut parted = vec![0; n_rows];
        let (mut n_left, mut end) = (0, n_rows);
        let (mut largest, mut smallest) = ((0, 0), (u32::MAX, 0));
        for &entry in self.frequent.iter().chain(&*self.rare) {
            let rank = ranks[row_of_entry(entry)];
            if rank < bound {
                parted[n_left] = entry;
                if rank >= largest.0 {
                    largest = (rank, n_left);
                }
                n_left += 1;
            } else {
                end -= 1;
                parted[end] = entry;
                if rank <= smallest.0 {
                    smallest = (rank, end);
                }
            }
        }
        if n_left > 0 && n_left < n_rows {
            parted.swap(largest.1, n_left - 1);
            parted.swap(smallest.1, n_left);
        }
        (parted, n_left)
    }
}
