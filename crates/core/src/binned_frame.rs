//! Tables that store the bin of each value in one byte, instead of the value.
//!
//! Learners that use only binned data accept such tables.

use crate::error::{Error, Result};

/// Binned values of a table.
///
/// The bins are computed elsewhere, possibly from data that were never in memory as a whole.
///
/// A row has one byte for each numeric column and for each nominal column of at most 255 levels, in column
/// order.
#[derive(Clone, Debug)]
pub struct BinnedFrame<'a> {
    codes: &'a [u8],
    width: usize,
    columns: Vec<BinnedFrameColumn<'a>>,
}

/// Bins of one column; the code of a missing value is the number of bins.
#[derive(Clone, Copy, Debug)]
pub enum BinnedFrameColumn<'a> {
    /// Bins of a numeric column, given by the smallest and the largest value in each bin.
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

/// Largest number of bins that a byte can encode together with the code for missing values.
const MOST_BINS: usize = 255;

impl BinnedFrameColumn<'_> {
    /// Whether a row stores a byte for the column, which requires at most 255 bins or levels.
    pub fn fits_in_byte(&self) -> bool {
        self.n_bins() <= MOST_BINS
    }

    /// Number of bins.
    pub fn n_bins(&self) -> usize {
        match self {
            Self::Numeric { low, .. } => low.len(),
            Self::Nominal { levels } => *levels as usize,
        }
    }
}

impl<'a> BinnedFrame<'a> {
    /// Creates the table from the bytes of `n_rows` rows, stored row after row in `codes`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the number of bytes does not match the columns, or if a numeric column has more
    /// than 255 bins or different numbers of smallest and largest values.
    pub fn new(codes: &'a [u8], n_rows: usize, columns: Vec<BinnedFrameColumn<'a>>) -> Result<Self> {
        let width = columns.iter().filter(|column| column.fits_in_byte()).count();
        let fits = |column: &BinnedFrameColumn<'_>| match column {
            BinnedFrameColumn::Numeric { low, high } => low.len() == high.len() && low.len() <= MOST_BINS,
            BinnedFrameColumn::Nominal { .. } => true,
        };
        if codes.len() != n_rows * width || !columns.iter().all(fits) {
            return Err(Error::Internal("the size of the binned rows does not match their columns".into()));
        }
        Ok(Self { codes, width, columns })
    }

    /// All bytes, row after row.
    pub fn codes(&self) -> &'a [u8] {
        self.codes
    }

    /// Number of bytes per row.
    pub fn bytes_per_row(&self) -> usize {
        self.width
    }

    /// Columns of the table in order, each with the position of its byte in a row.
    ///
    /// The position is meaningless for a column without a byte (see [`BinnedFrameColumn::fits_in_byte`]).
    pub fn columns_with_positions(&self) -> impl Iterator<Item = (usize, &BinnedFrameColumn<'a>)> {
        let mut next = 0;
        self.columns.iter().map(move |column| {
            let place = next;
            next += usize::from(column.fits_in_byte());
            (place, column)
        })
    }

    /// The columns of the table, in order.
    pub fn columns(&self) -> &[BinnedFrameColumn<'a>] {
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
                BinnedFrameColumn::Numeric { low: &low, high: &low },
                BinnedFrameColumn::Nominal { levels: 256 },
                BinnedFrameColumn::Nominal { levels: 255 },
            ]
        };
        assert_eq!(BinnedFrame::new(&[0; 6], 3, columns()).unwrap().bytes_per_row(), 2);
        assert!(BinnedFrame::new(&[0; 9], 3, columns()).is_err());
        let high = [1.0];
        assert!(
            BinnedFrame::new(&[0; 3], 3, vec![BinnedFrameColumn::Numeric { low: &low, high: &high }])
                .is_err()
        );
    }
}
