//! The bins of all columns row by row, as the nodes of trees read them: a row is one or two lines of the processor's cache.

use crate::binned::bins::{BinnedColumn, Codes};
use crate::binned::edges::Edges;
use crate::binned::levels::bins_of_levels;
use crate::rows::entry::TrainColumn;
use crate::rows::training::Table;
use imbcore_base::{Coded, CodedColumn, Result, RunCtl, memory};
use rayon::prelude::*;
use std::borrow::Cow;

/// Columns that are put into bins before they are set side by side: so many are there twice at a time.
const COLUMNS: usize = 8;

/// Rows that are turned at a time.
const TILE: usize = 1 << 12;

/// A table in bins.
pub(crate) struct RowBins<'a> {
    pub(crate) columns: Vec<RowColumn>,
    /// Bytes of a row: one a column with at most 255 bins.
    width: usize,
    codes: Cow<'a, [u8]>,
}

/// One column of it.
pub(crate) struct RowColumn {
    pub(crate) codes: RowCodes,
    /// Number of bins that hold values; rows without a value have this as their bin.
    pub(crate) n_bins: usize,
    /// Values of a numeric column's bins; the bins of a nominal column are its levels.
    pub(crate) edges: Option<Edges>,
}

/// Where the bins of a column are; only nominal columns with more than 255 levels need more than a byte.
pub(crate) enum RowCodes {
    /// At this place of every row.
    Narrow(usize),
    /// By themselves.
    Wide(Vec<u32>),
}

impl<'a> RowBins<'a> {
    /// Puts the columns of `table` into at most `most` bins each.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`], [`imbcore_base::Error::Memory`].
    pub(crate) fn new(table: &Table<'a>, most: usize, ctl: RunCtl<'_>) -> Result<Self> {
        if let Some(coded) = table.coded {
            return Ok(Self::of_coded(coded, table));
        }
        let n_rows = table.classes.len();
        let width = table.columns.iter().filter(|column| BinnedColumn::is_narrow(column)).count();
        let mut codes = memory::filled(n_rows * width, 0, "columns in bins")?;
        let mut bins =
            Self { columns: Vec::with_capacity(table.columns.len()), width, codes: Cow::default() };
        let mut at = 0;
        for group in table.groups(COLUMNS) {
            let column =
                |column: usize, numbers: &[f64]| BinnedColumn::new((column, numbers), table, most, ctl);
            let binned: Vec<BinnedColumn> = table.map_group(group, column, ctl)?;
            let narrow: Vec<&[u8]> = binned.iter().filter_map(BinnedColumn::narrow).collect();
            set(&mut codes, width, at, &narrow, ctl)?;
            for BinnedColumn { codes, n_bins, edges } in binned {
                let codes = match codes {
                    Codes::Narrow(_) => RowCodes::Narrow(at),
                    Codes::Wide(codes) => RowCodes::Wide(codes),
                };
                at += usize::from(matches!(codes, RowCodes::Narrow(_)));
                bins.columns.push(RowColumn { codes, n_bins, edges });
            }
        }
        bins.codes = Cow::Owned(codes);
        Ok(bins)
    }

    /// A table that came in bins, whose bytes stay where they are.
    fn of_coded(coded: &Coded<'a>, table: &Table<'_>) -> Self {
        let column = |((place, column), values): ((usize, &CodedColumn<'_>), &TrainColumn<'_>)| {
            let codes = match *values {
                TrainColumn::Nominal { codes, levels } if !column.is_narrow() => {
                    RowCodes::Wide(bins_of_levels(codes, levels))
                }
                _ => RowCodes::Narrow(place),
            };
            RowColumn { codes, n_bins: column.n_bins(), edges: Edges::of_coded(column) }
        };
        let columns = coded.places().zip(&table.columns).map(column).collect();
        Self { columns, width: coded.width(), codes: Cow::Borrowed(coded.codes()) }
    }

    /// The bins of a row in the columns that are narrow.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.codes[row * self.width..][..self.width]
    }

    /// The bin of a row at a place of it.
    #[inline]
    pub(crate) fn at(&self, row: usize, place: usize) -> u8 {
        self.codes[row * self.width + place]
    }

    /// One column.
    #[cfg(test)]
    pub(crate) fn of_one(codes: Vec<u8>) -> Self {
        Self { columns: Vec::new(), width: 1, codes: Cow::Owned(codes) }
    }
}

/// Sets columns side by side from a place of the rows on, of which each has `width` bytes.
pub(crate) fn set(
    rows: &mut [u8],
    width: usize,
    at: usize,
    columns: &[&[u8]],
    ctl: RunCtl<'_>,
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
    use crate::binned::Bins;
    use imbcore_base::{Column, Dataset, Frame};

    #[test]
    fn rows_hold_the_bins_of_their_columns() {
        let n_rows = 2 * TILE as u32 + 7;
        let numbers = |seed: u32| (0..n_rows).map(|row| f64::from(row * seed % 977)).collect::<Vec<_>>();
        let numbers: Vec<Vec<f64>> = (1..11).map(numbers).collect();
        let codes: Vec<u32> = (0..n_rows).map(|row| row % 300).collect();
        let mut columns: Vec<Column<'_>> = numbers.iter().map(|values| Column::numeric(values)).collect();
        columns.insert(3, Column::Nominal { codes: &codes, levels: 300 });
        let classes: Vec<u32> = codes.iter().map(|code| code % 2).collect();
        let data = Dataset::new(Frame::new(columns).unwrap(), &classes, 2, None).unwrap();
        let table = Table::new(&data, None).unwrap();
        let bins = RowBins::new(&table, 255, RunCtl::silent()).unwrap();
        assert_eq!(bins.width, 10);
        let alone = Bins::new(&table, 255, RunCtl::silent()).unwrap();
        for (column, alone) in bins.columns.iter().zip(&alone.0) {
            assert_eq!(column.n_bins, alone.n_bins);
            match (&column.codes, &alone.codes) {
                (&RowCodes::Narrow(place), Codes::Narrow(codes)) => {
                    assert!((0..n_rows as usize).all(|row| bins.row(row)[place] == codes[row]));
                }
                (RowCodes::Wide(beside), Codes::Wide(codes)) => assert_eq!(beside, codes),
                _ => unreachable!("a column is narrow or wide"),
            }
        }
    }
}
