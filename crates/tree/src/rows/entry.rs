//! Rows as entries of lists, and the columns they are looked up in.

use imbcore_base::MISSING;
use std::borrow::Cow;

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
    Numeric(Cow<'a, [f64]>),
    Nominal { codes: &'a [u32], levels: u32 },
}

impl TrainColumn<'_> {
    #[inline]
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(values) => values[row].is_nan(),
            Self::Nominal { codes, .. } => codes[row] == MISSING,
        }
    }
}
