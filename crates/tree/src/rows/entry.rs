//! Rows as entries of lists, and the columns they are looked up in.

use imbcore_base::{Column, MISSING, Strided};

/// Set on an entry whose row is not of the most frequent class: scans skip the other rows in long runs.
pub(crate) const RARE: u32 = 1 << 31;

/// A row number with the [`RARE`] mark.
pub(crate) type Entry = u32;

/// Row of an entry.
#[inline]
pub(crate) fn row_of(entry: Entry) -> usize {
    (entry & !RARE) as usize
}

/// One feature, ready for random access.
pub(crate) enum TrainColumn<'a> {
    Numeric(Numbers<'a>),
    Nominal { codes: &'a [u32], levels: u32 },
}

/// The values of a numeric column.
pub(crate) enum Numbers<'a> {
    /// In the table of the user: side by side, or with the values of other columns in between.
    There(Strided<'a>),
    /// Copied, so that they lie side by side.
    Copied(Vec<f64>),
}

impl Numbers<'_> {
    /// All of them.
    #[inline]
    pub(crate) fn all(&self) -> Strided<'_> {
        match self {
            Self::There(values) => *values,
            Self::Copied(values) => Strided::of(values),
        }
    }
}

impl TrainColumn<'_> {
    #[inline]
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(values) => values.all().get(row).is_nan(),
            Self::Nominal { codes, .. } => codes[row] == MISSING,
        }
    }

    /// The same, borrowed.
    pub(crate) fn column(&self) -> Column<'_> {
        match *self {
            Self::Numeric(ref values) => Column::Numeric(values.all()),
            Self::Nominal { codes, levels } => Column::Nominal { codes, levels },
        }
    }

    /// The same with its numbers where they lie side by side.
    pub(crate) fn over<'n>(&'n self, numbers: &'n [f64]) -> Column<'n> {
        match self {
            Self::Numeric(_) => Column::numeric(numbers),
            Self::Nominal { .. } => self.column(),
        }
    }

    /// Whether the values have those of other columns in between.
    pub(crate) fn is_spread(&self) -> bool {
        matches!(self, Self::Numeric(values) if values.all().as_slice().is_none())
    }
}
