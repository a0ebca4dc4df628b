//! Where the bins of a numeric column begin and end.
//!
//! A column with at most as many distinct values as bins gets a bin a value; otherwise the bins are weighted
//! quantiles. An edge lies between two adjacent distinct values, half way in between like every cut; as only values
//! of the training data are ever binned, it is kept as the larger of the values below it.

/// Most bins of a numeric column: one code of a byte is left for missing values.
pub(crate) const MOST_BINS: usize = 255;

/// The smallest and the largest value of every bin, ascending.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Edges {
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

impl Edges {
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
