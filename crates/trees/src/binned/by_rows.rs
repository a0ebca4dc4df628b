//! Bin codes of columns, stored row by row, so that a row fills only few cache lines.
//!
//! Codes of nominal columns with more than 255 levels are stored separately.

use crate::binned::bin_edges::BinEdges;
use crate::binned::bins::{BinCodes, BinnedColumn};
use crate::binned::level_codes::level_codes_as_bins;
use crate::rows::train_column::TrainColumn;
use crate::rows::training::TrainingTable;
use imbcore_core::{BinnedFrame, BinnedFrameColumn, Result, RunContext, memory};
use rayon::prelude::*;
use std::borrow::Cow;

/// Number of columns that are binned together before they are copied into the rows.
/// Only the bin codes of these columns are twice in memory at the same time.
const COLUMNS: usize = 8;

const TILE: usize = 1 << 12;

pub(crate) struct RowMajorBins<'a> {
    pub(crate) columns: Vec<RowMajorColumn>,
    width: usize,
    codes: Cow<'a, [u8]>,
}

pub(crate) struct RowMajorColumn {
    pub(crate) codes: BinCodeLocation,
    pub(crate) n_bins: usize,
    pub(crate) edges: Option<BinEdges>,
}

pub(crate) enum BinCodeLocation {
    /// Byte offset of the column within each row of [`RowMajorBins`].
    InRow(usize),
    Separate(Vec<u32>),
}

impl<'a> RowMajorBins<'a> {
    /// Bins the columns of `table`.
    ///
    /// Numeric columns get at most `most` bins each. Nominal columns get one bin per level.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn new(table: &TrainingTable<'a>, most: usize, ctl: RunContext<'_>) -> Result<Self> {
        if let Some(coded) = table.coded {
            return Ok(Self::from_binned_frame(coded, table));
        }
        let n_rows = table.classes.len();
        let width = table.columns.iter().filter(|column| BinnedColumn::has_byte_codes(column)).count();
        let mut codes = memory::filled(n_rows * width, 0, "columns in bins")?;
        let mut bins =
            Self { columns: Vec::with_capacity(table.columns.len()), width, codes: Cow::default() };
        let mut at = 0;
        for group in table.column_groups(COLUMNS) {
            let column =
                |column: usize, numbers: &[f64]| BinnedColumn::new((column, numbers), table, most, ctl);
            let binned: Vec<BinnedColumn> = table.map_column_group(group, column, ctl)?;
            let narrow: Vec<&[u8]> = binned.iter().filter_map(BinnedColumn::byte_codes).collect();
            copy_columns_to_row_major(&mut codes, width, at, &narrow, ctl)?;
            for BinnedColumn { codes, n_bins, edges } in binned {
                let codes = match codes {
                    BinCodes::Narrow(_) => BinCodeLocation::InRow(at),
                    BinCodes::Wide(codes) => BinCodeLocation::Separate(codes),
                };
                at += usize::from(matches!(codes, BinCodeLocation::InRow(_)));
                bins.columns.push(RowMajorColumn { codes, n_bins, edges });
            }
        }
        bins.codes = Cow::Owned(codes);
        Ok(bins)
    }

    fn from_binned_frame(coded: &BinnedFrame<'a>, table: &TrainingTable<'_>) -> Self {
        let column = |((place, column), values): ((usize, &BinnedFrameColumn<'_>), &TrainColumn<'_>)| {
            let codes = match *values {
                TrainColumn::Nominal { codes, levels } if !column.fits_in_byte() => {
                    BinCodeLocation::Separate(level_codes_as_bins(codes, levels))
                }
                _ => BinCodeLocation::InRow(place),
            };
            RowMajorColumn { codes, n_bins: column.n_bins(), edges: BinEdges::from_binned_column(column) }
        };
        let columns = coded.columns_with_positions().zip(&table.columns).map(column).collect();
        Self { columns, width: coded.bytes_per_row(), codes: Cow::Borrowed(coded.codes()) }
    }

    #[inline]
    pub(crate) fn row_bin_codes(&self, row: usize) -> &[u8] {
        &self.codes[row * self.width..][..self.width]
    }

    #[inline]
    pub(crate) fn bin_code(&self, row: usize, place: usize) -> u8 {
        self.codes[row * self.width + place]
    }

    #[cfg(test)]
    pub(crate) fn from_column(codes: Vec<u8>) -> Self {
        Self { columns: Vec::new(), width: 1, codes: Cow::Owned(codes) }
    }
}

/// The copied columns are adjacent in a row; the first of them has the byte offset `at`.
pub(crate) fn copy_columns_to_row_major(
    rows: &mut [u8],
    width: usize,
    at: usize,
    columns: &[&[u8]],
    ctl: RunContext<'_>,
) -> Result<()> {
    let width = width.max(1);
    rows.par_chunks_mut(TILE * width).enumerate().try_for_each(|(tile, rows)| {
        ctl.check()?;
        for (place, column) in (at..).zip(columns) {
            for (row, &code) in rows.chunks_exact_mut(width).zip(&column[tile * TILE..]) {
                row[place] = code;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binned::BinnedColumns;
    use imbcore_core::{Column, Dataset, Frame};

    #[test]
    fn rows_hold_the_bins_of_their_columns() {
        let n_rows = 2 * TILE as u32 + 7;
        let numbers = |seed: u32| (0..n_rows).map(|row| f64::from(row * seed % 977)).collect::<Vec<_>>();
        let numbers: Vec<Vec<f64>> = (1..11).map(numbers).collect();
        let codes: Vec<u32> = (0..n_rows).map(|row| row % 300).collect();
        let mut columns: Vec<Column<'_>> =
            numbers.iter().map(|values| Column::from_numbers(values)).collect();
        columns.insert(3, Column::Nominal { codes: &codes, levels: 300 });
        let classes: Vec<u32> = codes.iter().map(|code| code % 2).collect();
        let data = Dataset::new(Frame::new(columns).unwrap(), &classes, 2, None).unwrap();
        let table = TrainingTable::new(&data, None).unwrap();
        let bins = RowMajorBins::new(&table, 255, RunContext::silent()).unwrap();
        assert_eq!(bins.width, 10);
        let alone = BinnedColumns::new(&table, 255, RunContext::silent()).unwrap();
        for (column, alone) in bins.columns.iter().zip(&alone.0) {
            assert_eq!(column.n_bins, alone.n_bins);
            match (&column.codes, &alone.codes) {
                (&BinCodeLocation::InRow(place), BinCodes::Narrow(codes)) => {
                    assert!((0..n_rows as usize).all(|row| bins.row_bin_codes(row)[place] == codes[row]));
                }
                (BinCodeLocation::Separate(beside), BinCodes::Wide(codes)) => assert_eq!(beside, codes),
                _ => unreachable!("a column is narrow or wide"),
            }
        }
    }
}
