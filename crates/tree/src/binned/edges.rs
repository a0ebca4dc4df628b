//! Where the bins of a numeric column begin and end.
//!
//! A column with at most as many distinct values as bins gets a bin a value; otherwise the bins are weighted
//! quantiles, of long tables those of a [`crate::binned::sample::Sample`]. Which values a bin holds is said by the largest
//! value of the sample in it; afterwards its smallest and largest of all rows are found, and thresholds lie half way between
//! them: codes alone grow a tree, and every row falls on the side that it was counted on.

use imbcore_base::{CodedColumn, midpoint};

/// Most bins of a numeric column: one code of a byte is left for missing values.
pub(crate) const MOST_BINS: usize = 255;

/// The smallest and the largest value of every bin, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    /// The smallest.
    pub low: Vec<f64>,
    /// The largest.
    pub high: Vec<f64>,
}

impl Edges {
    /// So many bins, of which no value is known yet.
    pub(crate) fn unseen(n_bins: usize) -> Self {
        Self { low: vec![f64::INFINITY; n_bins], high: vec![f64::NEG_INFINITY; n_bins] }
    }

    /// Those of a column that came in bins; none of a nominal one.
    pub(crate) fn of_coded(column: &CodedColumn<'_>) -> Option<Self> {
        match *column {
            CodedColumn::Numeric { low, high } => Some(Self { low: low.to_vec(), high: high.to_vec() }),
            CodedColumn::Nominal { .. } => None,
        }
    }

    /// Makes room in a bin for one of its values.
    #[inline]
    pub(crate) fn see(&mut self, bin: usize, value: f64) {
        // Both zeros are one value.
        self.low[bin] = self.low[bin].min(value + 0.0);
        self.high[bin] = self.high[bin].max(value + 0.0);
    }

    /// Makes room for the values that others found in the same bins.
    pub(crate) fn join(&mut self, other: &Self) {
        self.low.iter_mut().zip(&other.low).for_each(|(low, other)| *low = low.min(*other));
        self.high.iter_mut().zip(&other.high).for_each(|(high, other)| *high = high.max(*other));
    }

    /// The threshold of a cut between two bins of a node, of which those in between hold none of its rows.
    pub(crate) fn threshold(&self, below: usize, above: usize) -> f64 {
        midpoint(self.high[below], self.low[above])
    }

    /// Number of bins.
    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    /// The bin of each value in turn; missing values have the bin after the last.
    pub(crate) fn bins(&self, values: &[f64]) -> Vec<u8> {
        let mut high = [f64::INFINITY; 256];
        let last = self.len().saturating_sub(1);
        high[..last].copy_from_slice(&self.high[..last]);
        let missing = self.len() as u8;
        let bin = |&value: &f64| {
            // A binary search of fixed length without branches: neighbouring rows overlap in the processor.
            let mut bin = 0;
            for step in [128, 64, 32, 16, 8, 4, 2, 1] {
                bin += if high[(bin + step - 1) & 255] < value { step } else { 0 };
            }
            if value.is_nan() { missing } else { bin as u8 }
        };
        values.iter().map(bin).collect()
    }
}
