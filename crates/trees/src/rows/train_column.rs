//! Row numbers with a class flag, and training columns with random access by row.

use imbcore_core::{Column, MISSING, Strided};

/// Flag of a row that is not of the most frequent class.
///
/// Scans skip runs of rows without the flag.
pub(crate) const RARE: u32 = 1 << 31;

/// Row number, combined with the [`RARE`] flag in its top bit.
pub(crate) type FlaggedRow = u32;

#[inline]
pub(crate) fn row_of_entry(entry: FlaggedRow) -> usize {
    (entry & !RARE) as usize
}

pub(crate) enum TrainColumn<'a> {
    Numeric(NumericValues<'a>),
    Nominal { codes: &'a [u32], levels: u32 },
}

pub(crate) enum NumericValues<'a> {
    There(Strided<'a>),
    Copied(Vec<f64>),
}

impl NumericValues<'_> {
    #[inline]
    pub(crate) fn strided_values(&self) -> Strided<'_> {
        match self {
            Self::There(values) => *values,
            Self::Copied(values) => Strided::from_slice(values),
        }
    }
}

impl TrainColumn<'_> {
    #[inline]
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(values) => values.strided_values().get(row).is_nan(),
            Self::Nominal { codes, .. } => codes[row] == MISSING,
        }
    }

    pub(crate) fn as_column(&self) -> Column<'_> {
        match *self {
            Self::Numeric(ref values) => Column::Numeric(values.strided_values()),
            Self::Nominal { codes, levels } => Column::Nominal { codes, levels },
        }
    }

    /// A numeric column gets the values `numbers` instead of its own.
    pub(crate) fn column_with_values<'n>(&'n self, numbers: &'n [f64]) -> Column<'n> {
        match self {
            Self::Numeric(_) => Column::from_numbers(numbers),
            Self::Nominal { .. } => self.as_column(),
        }
    }

    pub(crate) fn is_strided(&self) -> bool {
        matches!(self, Self::Numeric(values) if values.strided_values().as_slice().is_none())
    }
}
