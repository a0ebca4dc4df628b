//! Where the bins of a numeric column begin and end.
//!
//! A column with at most as many distinct values as bins gets a bin a value; otherwise the bins are weighted
//! quantiles. An edge lies between two adjacent distinct values, half way in between like every cut; as only values
//! of the training data are ever binned, it is kept as the larger of the values below it.

use crate::binned::quantiles::{ascending, quantiles};
use crate::rows::training::{Entry, Table, row_of};
use imbcore_base::{Result, RunCtl};

/// Most bins of a numeric column: one code of a byte is left for missing values.
pub(crate) const MOST_BINS: usize = 255;

/// The smallest and the largest value of every bin, ascending.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Edges {
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

impl Edges {
    /// The bins of a column, made from the rows of `table`.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn new(values: &[f64], table: &Table<'_>, most: usize, ctl: RunCtl<'_>) -> Result<Self> {
        let known = || table.usable.iter().filter(|&&entry| !values[row_of(entry)].is_nan());
        if let Some(distinct) = distinct(known().map(|&entry| values[row_of(entry)]), most) {
            return Ok(Self { low: distinct.clone(), high: distinct });
        }
        ctl.check()?;
        if table.weighs_alike() {
            let numbers: Vec<u64> = known().map(|&entry| ascending(values[row_of(entry)])).collect();
            return quantiles(&numbers, most, ctl);
        }
        let weighted = |&entry: &Entry| (ascending(values[row_of(entry)]), table.weight_of(entry));
        quantiles(&known().map(weighted).collect::<Vec<_>>(), most, ctl)
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

/// The distinct values, ascending, if there are at most `most`.
fn distinct(values: impl Iterator<Item = f64>, most: usize) -> Option<Vec<f64>> {
    let mut found: Vec<f64> = Vec::new();
    for value in values {
        let place = found.partition_point(|&other| other < value);
        if found.get(place) == Some(&value) {
            continue;
        }
        if found.len() == most {
            return None;
        }
        found.insert(place, value);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_falls_into_its_bin() {
        let values = [f64::MIN, -1.0, -0.0, 0.0, 5e-324, 1.0, f64::NAN, f64::MAX, 1.0_f64.next_up()];
        let found = distinct(values.iter().copied().filter(|value| !value.is_nan()), 255).unwrap();
        assert_eq!(found.len(), 7);
        let edges = Edges { low: found.clone(), high: found };
        assert_eq!(edges.bins(&values), [0, 1, 2, 2, 3, 4, 7, 6, 5]);
        assert!(distinct((0..256).map(f64::from), 255).is_none());
        assert_eq!(distinct((0..255).rev().map(f64::from), 255).unwrap().len(), 255);
    }
}
