//! A table whose numbers are known by their bins: a byte a value, for learners that read nothing else.

use crate::error::{Error, Result};

/// The bins of a table, made elsewhere, perhaps from rows that never were in memory together.
///
/// A row has a byte for each numeric column, and for each nominal column of at most 255 levels, in the order of the columns.
#[derive(Clone, Debug)]
pub struct Coded<'a> {
    codes: &'a [u8],
    width: usize,
    columns: Vec<CodedColumn<'a>>,
}

/// What the bytes of a column mean; the number of its bins stands for a missing value.
#[derive(Clone, Copy, Debug)]
pub enum CodedColumn<'a> {
    /// Bins of numbers, by the smallest and the largest value in each.
    Numeric {
        /// Smallest values, ascending.
        low: &'a [f64],
        /// Largest values, ascending.
        high: &'a [f64],
    },
    /// Levels of a nominal column.
    Nominal {
        /// Number of levels.
        levels: u32,
    },
}

/// Bins of a column that bytes can name, beside the one of missing values.
const MOST_BINS: usize = 255;

impl CodedColumn<'_> {
    /// Whether rows have a byte for it.
    pub fn is_narrow(&self) -> bool {
        self.n_bins() <= MOST_BINS
    }

    /// Number of its bins.
    pub fn n_bins(&self) -> usize {
        match self {
            Self::Numeric { low, .. } => low.len(),
            Self::Nominal { levels } => *levels as usize,
        }
    }
}

impl<'a> Coded<'a> {
    /// Of `n_rows` rows, row after row in `codes`.
    ///
    /// # Errors
    /// [`Error::Internal`] where the parts do not fit each other.
    pub fn new(codes: &'a [u8], n_rows: usize, columns: Vec<CodedColumn<'a>>) -> Result<Self> {
        let width = columns.iter().filter(|column| column.is_narrow()).count();
        let fits = |column: &CodedColumn<'_>| match column {
            CodedColumn::Numeric { low, high } => low.len() == high.len() && low.len() <= MOST_BINS,
            CodedColumn::Nominal { .. } => true,
        };
        if codes.len() != n_rows * width || !columns.iter().all(fits) {
            return Err(Error::Internal("rows in bins are of another size than their columns say".into()));
        }
        Ok(Self { codes, width, columns })
    }

    /// All bytes, row after row.
    pub fn codes(&self) -> &'a [u8] {
        self.codes
    }

    /// Bytes of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The columns of the table, in order, each with the place of its byte in a row, if it has one.
    pub fn places(&self) -> impl Iterator<Item = (usize, &CodedColumn<'a>)> {
        let mut next = 0;
        self.columns.iter().map(move |column| {
            let place = next;
            next += usize::from(column.is_narrow());
            (place, column)
        })
    }

    /// The columns of the table, in order.
    pub fn columns(&self) -> &[CodedColumn<'a>] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_a_byte_for_each_narrow_column() {
        let low = [0.0, 2.0];
        let columns = || {
            vec![
                CodedColumn::Numeric { low: &low, high: &low },
                CodedColumn::Nominal { levels: 256 },
                CodedColumn::Nominal { levels: 255 },
            ]
        };
        assert_eq!(Coded::new(&[0; 6], 3, columns()).unwrap().width(), 2);
        assert!(Coded::new(&[0; 9], 3, columns()).is_err());
        let high = [1.0];
        assert!(Coded::new(&[0; 3], 3, vec![CodedColumn::Numeric { low: &low, high: &high }]).is_err());
    }
}
