//! Class statistics of a table, computed without storing its rows.

use crate::error::{Error, Result};
use crate::weight_sum::check_weight_sum;

/// Statistics of the rows of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SingleClassStats {
    /// Number of rows of the class, including rows of weight 0.
    pub n_rows: u64,
    /// Number of rows with positive weight.
    pub n_weighing: u64,
    /// Sum of the weights of the rows of this class, added in row order.
    pub mass: f64,
    /// Largest weight of a row.
    pub largest: f64,
    /// Index of the first row of this class that has a positive weight.
    pub first: Option<u64>,
}

/// Statistics of the rows of every class, indexed by class code.
///
/// The statistics are sums over the rows in order, so they do not depend on the chunks in which rows are
/// read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassStats {
    classes: Vec<SingleClassStats>,
    n_rows: u64,
}

impl ClassStats {
    /// Statistics of an empty table.
    #[must_use]
    pub fn new(n_classes: usize) -> Self {
        Self { classes: vec![SingleClassStats::default(); n_classes], n_rows: 0 }
    }

    /// Creates the statistics from sums computed elsewhere.
    ///
    /// # Errors
    /// [`Error::Data`] for inconsistent statistics.
    pub fn from_sums(classes: Vec<SingleClassStats>) -> Result<Self> {
        let can_be = |of: &SingleClassStats| {
            of.n_weighing <= of.n_rows
                && of.first.is_some() == (of.n_weighing > 0)
                && (of.mass > 0.0) == (of.n_weighing > 0)
                && of.mass >= 0.0
        };
        if !classes.iter().all(can_be) {
            return Err(Error::Data("the class statistics are inconsistent".into()));
        }
        check_weight_sum(classes.iter().map(|of| of.mass).sum(), "sample_weight")?;
        let n_rows = classes.iter().map(|of| of.n_rows).sum();
        Ok(Self { classes, n_rows })
    }

    /// Adds the next rows of the table to the statistics.
    ///
    /// Class codes must be valid, and weights must be finite and not negative.
    pub fn add(&mut self, classes: &[u32], weights: Option<&[f64]>) {
        for (at, &class) in classes.iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[at]);
            let stats = &mut self.classes[class as usize];
            stats.n_rows += 1;
            if weight > 0.0 {
                stats.n_weighing += 1;
                stats.mass += weight;
                stats.largest = stats.largest.max(weight);
                stats.first.get_or_insert(self.n_rows + at as u64);
            }
        }
        self.n_rows += classes.len() as u64;
    }

    /// Statistics by class code.
    #[must_use]
    pub fn stats_by_class(&self) -> &[SingleClassStats] {
        &self.classes
    }

    /// Number of rows of each class, including rows of weight 0.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        self.classes.iter().map(|of| of.n_rows).collect()
    }

    /// Sum of the row weights of each class.
    #[must_use]
    pub fn masses(&self) -> Vec<f64> {
        self.classes.iter().map(|of| of.mass).collect()
    }

    /// Classes with positive weight, ascending; `class_weight` multiplies the row weights.
    #[must_use]
    pub fn present_classes(&self, class_weight: Option<&[f64]>) -> Vec<u32> {
        let weighs = |class: usize| class_weight.is_none_or(|weights| weights[class] > 0.0);
        let present = (0..self.classes.len()).filter(|&class| self.classes[class].n_weighing > 0);
        present.filter(|&class| weighs(class)).map(|class| class as u32).collect()
    }

    /// Largest weight of a row; `class_weight` multiplies the row weights.
    #[must_use]
    pub(crate) fn largest_row_weight(&self, class_weight: Option<&[f64]>) -> f64 {
        let of_class = |class: usize| class_weight.map_or(1.0, |weights| weights[class]);
        let largest = |(class, of): (usize, &SingleClassStats)| of.largest * of_class(class);
        self.classes.iter().enumerate().map(largest).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_do_not_depend_on_the_chunks() {
        let classes = [1, 0, 2, 1, 1, 0];
        let weights = [0.1, 0.0, 0.3, 0.7, 1e-9, 2.0];
        let mut whole = ClassStats::new(3);
        whole.add(&classes, Some(&weights));
        for cut in 0..=6 {
            let mut parts = ClassStats::new(3);
            parts.add(&classes[..cut], Some(&weights[..cut]));
            parts.add(&classes[cut..], Some(&weights[cut..]));
            assert_eq!(parts, whole);
        }
        let firsts: Vec<_> = whole.stats_by_class().iter().map(|of| of.first).collect();
        assert_eq!(firsts, [Some(5), Some(0), Some(2)]);
        assert_eq!((whole.counts(), whole.present_classes(None)), (vec![2, 3, 1], vec![0, 1, 2]));
        assert_eq!(whole.present_classes(Some(&[1.0, 0.0, 1.0])), [0, 2]);
        assert_eq!(whole.largest_row_weight(Some(&[0.1, 10.0, 1.0])), 7.0);
        assert_eq!(ClassStats::from_sums(whole.stats_by_class().to_vec()), Ok(whole));
    }

    #[test]
    fn inconsistent_statistics_are_refused() {
        let facts = SingleClassStats { n_rows: 1, n_weighing: 2, mass: 2.0, largest: 1.0, first: Some(0) };
        assert!(ClassStats::from_sums(vec![facts]).is_err());
        assert!(ClassStats::from_sums(vec![SingleClassStats { n_rows: 3, first: None, ..facts }]).is_err());
        assert!(ClassStats::from_sums(vec![SingleClassStats { n_rows: 3, ..facts }]).is_ok());
    }
}
