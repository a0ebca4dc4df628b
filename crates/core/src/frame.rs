//! Columns and tables of columns, borrowed ([`Frame`]) or owned ([`FrameBuf`]).

use crate::column_copies::{COPY, ROWS, contiguous_columns};
use crate::error::{Error, Result};
use crate::memory::try_with_capacity;
use crate::memory_estimate::MemoryEstimate;
use crate::parallel;
use crate::run_context::RunContext;
use crate::strided::Strided;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Level code of a missing (or, at prediction, unseen) nominal value.
pub const MISSING: u32 = u32::MAX;

/// One feature: numbers (NaN = missing) or codes of unordered levels ([`MISSING`] = missing).
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Ordered values; NaN is a missing value, and [`crate::Dataset::new`] refuses infinities.
    Numeric(Strided<'a>),
    /// Codes `0..levels` of unordered values.
    Nominal {
        /// One code per row.
        codes: &'a [u32],
        /// Number of levels; a code is below this number or equals [`MISSING`].
        levels: u32,
    },
}

impl<'a> Column<'a> {
    /// A numeric column over a plain slice.
    pub fn from_numbers(values: &'a [f64]) -> Self {
        Self::Numeric(Strided::from_slice(values))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(values) => values.len(),
            Self::Nominal { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values of a numeric column; `None` for a nominal column.
    pub fn values(&self) -> Option<Strided<'a>> {
        match *self {
            Self::Numeric(values) => Some(values),
            Self::Nominal { .. } => None,
        }
    }

    fn slice_rows(&self, rows: std::ops::Range<usize>) -> Self {
        match *self {
            Self::Numeric(values) => Self::Numeric(values.slice_range(rows)),
            Self::Nominal { codes, levels } => Self::Nominal { codes: &codes[rows], levels },
        }
    }

    /// Whether the value of row `row` is missing.
    #[inline]
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(values) => values.get(row).is_nan(),
            Self::Nominal { codes, .. } => codes[row] == MISSING,
        }
    }
}

/// A table of borrowed columns of equal length.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    columns: Vec<Column<'a>>,
    n_rows: usize,
    row_major: Option<&'a [f64]>,
    /// Kinds of special values that may occur in the table; `None` if the table must be scanned.
    known: Option<SpecialValueFlags>,
}

/// Kinds of special values (infinite, missing) that a part of a table may contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpecialValueFlags {
    /// Some number may be infinite.
    pub infinite: bool,
    /// Some value may be missing.
    pub missing: bool,
}

impl<'a> Frame<'a> {
    /// Combines columns into a table.
    ///
    /// # Errors
    /// [`Error::Data`] without columns; [`Error::Column`] for unequal lengths or a code outside its levels.
    pub fn new(columns: Vec<Column<'a>>) -> Result<Self> {
        let Some(first) = columns.first() else {
            return Err(Error::Data("X has 0 features; at least 1 is needed".into()));
        };
        let n_rows = first.len();
        for (index, column) in columns.iter().enumerate() {
            if column.len() != n_rows {
                let message = format!("has {} rows, but column 0 has {n_rows}", column.len());
                return Err(Error::Column { column: index, message });
            }
            if let Column::Nominal { codes, levels } = column
                && let Some(&code) = codes.iter().find(|&&code| code != MISSING && code >= *levels)
            {
                let message = format!("level code {code} is outside its {levels} levels");
                return Err(Error::Column { column: index, message });
            }
        }
        Ok(Self { columns, n_rows, row_major: None, known: None })
    }

    /// A numeric table over a row-major (C order) matrix.
    ///
    /// # Errors
    /// Same errors as [`Frame::new`]; [`Error::Internal`] for fewer than `n_rows * n_columns` values.
    pub fn from_row_major(data: &'a [f64], n_rows: usize, n_columns: usize) -> Result<Self> {
        let columns = (0..n_columns)
            .map(|column| {
                let tail = data.get(column.min(data.len())..).unwrap_or_default();
                Ok(Column::Numeric(Strided::new(tail, n_columns, n_rows)?))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { row_major: Some(&data[..n_rows * n_columns]), ..Self::new(columns)? })
    }

    /// A numeric table over a column-major (Fortran order) matrix.
    ///
    /// # Errors
    /// Same errors as [`Frame::new`]; [`Error::Internal`] for fewer than `n_rows * n_columns` values.
    pub fn from_column_major(data: &'a [f64], n_rows: usize, n_columns: usize) -> Result<Self> {
        let columns = (0..n_columns)
            .map(|column| {
                let tail = data.get(column * n_rows..).unwrap_or_default();
                Ok(Column::Numeric(Strided::new(tail, 1, n_rows)?))
            })
            .collect::<Result<Vec<_>>>()?;
        Self::new(columns)
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether any value is missing, or may be missing by [`Self::with_special_value_flags`].
    pub fn has_missing(&self) -> bool {
        self.any_block_contains(|content| content.missing)
    }

    /// Restricts the table to a range of rows.
    #[must_use]
    pub fn slice_rows(&self, rows: std::ops::Range<usize>) -> Self {
        let columns = self.columns.iter().map(|column| column.slice_rows(rows.clone())).collect();
        let width = self.n_columns();
        let row_major = self.row_major.map(|matrix| &matrix[rows.start * width..rows.end * width]);
        Self { columns, n_rows: rows.len(), row_major, known: self.known }
    }

    /// The same table, with a declaration of whether it may contain infinite or missing values.
    ///
    /// With the declaration, the table is not scanned for such values. The declaration may include a kind of
    /// values that does not occur.
    #[must_use]
    pub fn with_special_value_flags(self, content: SpecialValueFlags) -> Self {
        Self { known: Some(content), ..self }
    }

    fn any_block_contains(&self, test: impl Fn(SpecialValueFlags) -> bool + Sync) -> bool {
        const BLOCK: usize = 1 << 12;
        let found = AtomicBool::new(false);
        parallel::map((0..self.n_rows).step_by(BLOCK), |start| {
            let rows = start..(start + BLOCK).min(self.n_rows);
            if !found.load(Ordering::Relaxed) && test(self.special_value_flags(rows)) {
                found.store(true, Ordering::Relaxed);
            }
        });
        found.into_inner()
    }

    /// Checks that no value is infinite, because midpoints with infinite values are undefined.
    ///
    /// # Errors
    /// [`Error::Column`] with the first row of the first column that contains an infinity.
    pub fn check_finite(&self) -> Result<()> {
        if !self.any_block_contains(|content| content.infinite) {
            return Ok(());
        }
        let infinite = |column: &Column<'_>| match column {
            Column::Numeric(values) => values.iter().position(f64::is_infinite),
            Column::Nominal { .. } => None,
        };
        let found =
            self.columns.iter().enumerate().find_map(|(index, column)| Some((index, infinite(column)?)));
        let Some((column, row)) = found else { return Ok(()) };
        let message = format!(
            "contains infinity (first in row {row}); replace it by a large number, or by NaN if it means missing"
        );
        Err(Error::Column { column, message })
    }

    /// Row-major values of the whole table; `None` unless created from a row-major matrix.
    pub fn as_row_major(&self) -> Option<&'a [f64]> {
        self.row_major
    }

    /// Whether a range of rows contains missing or infinite values.
    ///
    /// If [`Self::with_special_value_flags`] declared which special values the whole table may contain, this
    /// declaration is returned without a scan.
    pub fn special_value_flags(&self, rows: std::ops::Range<usize>) -> SpecialValueFlags {
        if let Some(content) = self.known {
            return content;
        }
        let of_values = |values: &[f64]| {
            if all_finite(values) {
                return SpecialValueFlags::default();
            }
            SpecialValueFlags {
                infinite: values.iter().any(|value| value.is_infinite()),
                missing: values.iter().any(|value| value.is_nan()),
            }
        };
        if let Some(matrix) = self.row_major {
            return of_values(&matrix[rows.start * self.n_columns()..rows.end * self.n_columns()]);
        }
        let mut content = SpecialValueFlags::default();
        for column in &self.columns {
            let part = match column {
                Column::Nominal { codes, .. } => {
                    SpecialValueFlags { infinite: false, missing: codes[rows.clone()].contains(&MISSING) }
                }
                Column::Numeric(values) => match values.as_slice() {
                    Some(values) => of_values(&values[rows.clone()]),
                    None => of_values(&rows.clone().map(|row| values.get(row)).collect::<Vec<_>>()),
                },
            };
            content.infinite |= part.infinite;
            content.missing |= part.missing;
        }
        content
    }

    /// The same table, whose numeric columns are replaced by contiguous columns.
    ///
    /// `numbers` is the result of [`Frame::contiguous_numeric_columns`].
    ///
    /// # Errors
    /// Same errors as [`Frame::new`].
    pub fn with_numeric_columns<'b>(&self, numbers: &'b [Cow<'a, [f64]>]) -> Result<Frame<'b>>
    where
        'a: 'b,
    {
        let columns = self.columns.iter().zip(numbers).map(|(column, numbers)| match *column {
            Column::Numeric(_) => Column::from_numbers(numbers),
            nominal @ Column::Nominal { .. } => nominal,
        });
        Frame::new(columns.collect())
    }

    /// An owned copy of the given rows, in the given order; repeats are allowed.
    ///
    /// Columns are copied eight at a time, so that each cache line of a row-major matrix is read once.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::Memory`].
    pub fn take(&self, rows: &[u32], ctl: RunContext<'_>) -> Result<FrameBuf> {
        let blocks = parallel::try_map(self.columns.chunks(COLUMNS), |block| {
            let empty = |column: &Column<'_>| {
                Ok(match column {
                    Column::Numeric(_) => ColumnBuf::Numeric(try_with_capacity(rows.len(), COPY)?),
                    Column::Nominal { levels, .. } => {
                        ColumnBuf::Nominal { codes: try_with_capacity(rows.len(), COPY)?, levels: *levels }
                    }
                })
            };
            let mut copies = block.iter().map(empty).collect::<Result<Vec<ColumnBuf>>>()?;
            for part in rows.chunks(ROWS) {
                ctl.check()?;
                for (column, copy) in block.iter().zip(&mut copies) {
                    match (column, copy) {
                        (Column::Numeric(values), ColumnBuf::Numeric(copy)) => {
                            copy.extend(part.iter().map(|&row| values.get(row as usize)));
                        }
                        (Column::Nominal { codes, .. }, ColumnBuf::Nominal { codes: copy, .. }) => {
                            copy.extend(part.iter().map(|&row| codes[row as usize]));
                        }
                        _ => {
                            return Err(Error::Internal("a column and its copy have different types".into()));
                        }
                    }
                }
            }
            Ok(copies)
        })?;
        Ok(FrameBuf { columns: blocks.into_iter().flatten().collect(), n_rows: rows.len() })
    }

    /// Values of every numeric column in contiguous memory; empty for nominal columns.
    /// Columns that are already contiguous stay borrowed.
    ///
    /// Strided columns are copied eight at a time, so that each cache line of a row-major matrix is read
    /// once.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::Memory`].
    pub fn contiguous_numeric_columns(&self, ctl: RunContext<'_>) -> Result<Vec<Cow<'a, [f64]>>> {
        let is_strided =
            |column: &&Column<'_>| matches!(column, Column::Numeric(values) if values.as_slice().is_none());
        let n_copies = self.columns.iter().filter(is_strided).count();
        let bytes = self.n_rows().saturating_mul(n_copies).saturating_mul(size_of::<f64>());
        let purpose = format!("{n_copies} columns of {} rows", self.n_rows());
        MemoryEstimate::default()
            .with_bytes(bytes, purpose, "use a table in column order")
            .check("a contiguous copy")?;
        let mut numbers = Vec::with_capacity(self.n_columns());
        for block in self.columns.chunks(COLUMNS) {
            let values: Vec<_> = block.iter().map(Column::values).collect();
            numbers.extend(contiguous_columns(&values, ctl)?);
        }
        Ok(numbers)
    }
}

const COLUMNS: usize = 8;

/// Whether all values are finite.
/// A number times zero is zero unless the number is infinite or NaN. The check therefore needs one
/// multiplication and one addition per value.
fn all_finite(values: &[f64]) -> bool {
    const LANES: usize = 8;
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += value * 0.0;
        }
    }
    sums.iter().all(|&sum| sum == 0.0) && rest.iter().all(|value| value.is_finite())
}

/// One owned feature; see [`Column`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColumnBuf {
    /// Numbers, NaN = missing.
    Numeric(Vec<f64>),
    /// Level codes, [`MISSING`] = missing.
    Nominal {
        /// One code per row.
        codes: Vec<u32>,
        /// Number of levels.
        levels: u32,
    },
}

/// A table of owned columns.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameBuf {
    columns: Vec<ColumnBuf>,
    n_rows: usize,
}

impl FrameBuf {
    /// Combines owned columns into a table.
    ///
    /// # Errors
    /// Same errors as [`Frame::new`].
    pub fn new(columns: Vec<ColumnBuf>) -> Result<Self> {
        let buf = Self { n_rows: 0, columns };
        let n_rows = buf.borrow()?.n_rows();
        Ok(Self { n_rows, ..buf })
    }

    /// The table as borrowed columns.
    ///
    /// # Errors
    /// Same errors as [`Frame::new`]; never after a successful [`FrameBuf::new`].
    pub fn borrow(&self) -> Result<Frame<'_>> {
        Frame::new(
            self.columns
                .iter()
                .map(|column| match column {
                    ColumnBuf::Numeric(values) => Column::from_numbers(values),
                    ColumnBuf::Nominal { codes, levels } => Column::Nominal { codes, levels: *levels },
                })
                .collect(),
        )
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[ColumnBuf] {
        &self.columns
    }

    /// Consumes the table and returns its columns.
    pub fn into_columns(self) -> Vec<ColumnBuf> {
        self.columns
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_major_and_column_major_hold_the_same_values() {
        let by_rows = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0];
        let by_columns = [1.0, 2.0, 3.0, 10.0, 20.0, 30.0];
        let a = Frame::from_row_major(&by_rows, 3, 2).unwrap();
        let b = Frame::from_column_major(&by_columns, 3, 2).unwrap();
        let ctl = RunContext::silent();
        assert_eq!(a.take(&[2, 0], ctl), b.take(&[2, 0], ctl));
        assert_eq!(a.contiguous_numeric_columns(ctl).unwrap(), b.contiguous_numeric_columns(ctl).unwrap());
    }

    #[test]
    fn a_range_of_rows_equals_a_copy_of_them() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let codes = [0, 1, 2, MISSING];
        let ctl = RunContext::silent();
        let mut columns = Frame::from_row_major(&values, 4, 3).unwrap().columns().to_vec();
        columns.push(Column::Nominal { codes: &codes, levels: 3 });
        for frame in [Frame::from_row_major(&values, 4, 3).unwrap(), Frame::new(columns).unwrap()] {
            for range in [0..4, 1..3, 4..4] {
                let rows: Vec<u32> = (range.start as u32..range.end as u32).collect();
                let part = frame.slice_rows(range.clone());
                let taken = frame.take(&rows, ctl).unwrap();
                assert_eq!(part.take(&(0..rows.len() as u32).collect::<Vec<_>>(), ctl).unwrap(), taken);
                let numbers = part.contiguous_numeric_columns(ctl).unwrap();
                let over = part.with_numeric_columns(&numbers).unwrap();
                assert_eq!(over.special_value_flags(0..rows.len()), frame.special_value_flags(range));
                assert!(over.columns().iter().all(|column| match column {
                    Column::Numeric(values) => values.as_slice().is_some(),
                    Column::Nominal { codes, .. } => codes.len() == rows.len(),
                }));
            }
        }
        let known = SpecialValueFlags { infinite: false, missing: true };
        let frame = Frame::from_row_major(&values, 4, 3).unwrap().with_special_value_flags(known);
        assert!(frame.special_value_flags(1..2) == known && frame.slice_rows(0..1).has_missing());
    }

    #[test]
    fn unequal_lengths_and_foreign_codes_are_refused() {
        let short = Frame::new(vec![Column::from_numbers(&[1.0, 2.0]), Column::from_numbers(&[1.0])]);
        assert!(matches!(short, Err(Error::Column { column: 1, .. })));
        let code = Frame::new(vec![Column::Nominal { codes: &[0, 2], levels: 2 }]);
        assert!(matches!(code, Err(Error::Column { column: 0, .. })));
        assert!(Frame::new(vec![]).is_err());
    }

    #[test]
    fn a_matrix_shorter_than_its_shape_is_refused() {
        assert!(Frame::from_row_major(&[1.0; 5], 3, 2).is_err());
        assert!(Frame::from_column_major(&[1.0; 5], 3, 2).is_err());
        assert_eq!(Frame::from_row_major(&[], 0, 2).unwrap().n_rows(), 0);
    }
}
