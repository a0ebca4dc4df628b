//! Bin edges of numeric columns.
//!
//! A column with at most as many distinct values as bins gets one bin per value. Otherwise the bins are
//! weighted quantiles of a [`crate::binned::column_sample::ColumnSample`], which contains all rows of a short
//! table. The largest sampled value of a bin is its upper edge. If the sample left out rows, the smallest and
//! the largest value in each bin are then found among all rows of positive weight.
//!
//! A threshold is halfway between the largest value of one bin and the smallest value of the next one. Thus
//! bin codes are sufficient to grow a tree, and a threshold separates the values of two bins exactly as their
//! bin codes do.

use imbcore_core::{BinnedFrameColumn, Result, memory, midpoint};

/// Maximum number of bins of a numeric column: one code of a byte is left for missing values.
pub(crate) const MOST_BINS: usize = 255;

/// Smallest and largest value of every bin; bins are in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BinEdges {
    /// Smallest value per bin.
    pub low: Vec<f64>,
    /// Largest value per bin.
    pub high: Vec<f64>,
}

impl BinEdges {
    pub(crate) fn empty(n_bins: usize) -> Self {
        Self { low: vec![f64::INFINITY; n_bins], high: vec![f64::NEG_INFINITY; n_bins] }
    }

    pub(crate) fn from_binned_column(column: &BinnedFrameColumn<'_>) -> Option<Self> {
        match *column {
            BinnedFrameColumn::Numeric { low, high } => Some(Self { low: low.to_vec(), high: high.to_vec() }),
            BinnedFrameColumn::Nominal { .. } => None,
        }
    }

    #[inline]
    pub(crate) fn extend_bin_range(&mut self, bin: usize, value: f64) {
        // Adding 0.0 turns -0.0 into 0.0.
        self.low[bin] = self.low[bin].min(value + 0.0);
        self.high[bin] = self.high[bin].max(value + 0.0);
    }

    pub(crate) fn merge_value_ranges(&mut self, other: &Self) {
        self.low.iter_mut().zip(&other.low).for_each(|(low, other)| *low = low.min(*other));
        self.high.iter_mut().zip(&other.high).for_each(|(high, other)| *high = high.max(*other));
    }

    pub(crate) fn threshold_between_bins(&self, below: usize, above: usize) -> f64 {
        midpoint(self.high[below], self.low[above])
    }

    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    /// Returns the bin code of each value; missing values get the code after the last bin.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn bin_codes_of_values(&self, values: &[f64]) -> Result<Vec<u8>> {
        let mut high = [f64::INFINITY; 256];
        let last = self.len().saturating_sub(1);
        high[..last].copy_from_slice(&self.high[..last]);
        let missing = self.len() as u8;
        let bin = |&value: &f64| {
            // Branch-free binary search of constant length, so that the processor overlaps the searches of
            // neighboring rows.
            let mut bin = 0;
            for step in [128, 64, 32, 16, 8, 4, 2, 1] {
                bin += if high[(bin + step - 1) & 255] < value { step } else { 0 };
            }
            if value.is_nan() { missing } else { bin as u8 }
        };
        let mut bins = memory::try_with_capacity(values.len(), "bins")?;
        bins.extend(values.iter().map(bin));
        Ok(bins)
    }
}
