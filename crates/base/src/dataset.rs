//! A frame with class codes and weights, checked once so that no kernel has to.

use crate::error::{Error, Result};
use crate::frame::Frame;

/// Training data: a table, one class code a row, and optional weights.
///
/// After [`Dataset::new`] the following hold: at least one row and one column, fewer than 2^31 rows, no
/// infinity in a numeric column, every class code below `n_classes`, weights finite and not negative, and
/// at least two classes with positive weight.
#[derive(Clone, Debug)]
pub struct Dataset<'a> {
    frame: Frame<'a>,
    classes: &'a [u32],
    n_classes: usize,
    weights: Option<&'a [f64]>,
}

impl<'a> Dataset<'a> {
    /// Checks the parts against each other and joins them.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] naming what is broken and what to do.
    pub fn new(
        frame: Frame<'a>,
        classes: &'a [u32],
        n_classes: usize,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        let n_rows = frame.n_rows();
        if n_rows == 0 {
            return Err(Error::Data("X has 0 rows; at least 1 row of each class is needed".into()));
        }
        if n_rows >= 1 << 31 {
            return Err(Error::Data(format!(
                "X has {n_rows} rows; at most {} are supported",
                (1_u32 << 31) - 1
            )));
        }
        if classes.len() != n_rows {
            return Err(Error::Data(format!("y has {} values, but X has {n_rows} rows", classes.len())));
        }
        if let Some(&code) = classes.iter().find(|&&code| code as usize >= n_classes) {
            return Err(Error::Data(format!("class code {code} is outside the {n_classes} classes")));
        }
        frame.check_finite()?;
        check_weights(weights, n_rows)?;
        let data = Self { frame, classes, n_classes, weights };
        data.check_classes()?;
        Ok(data)
    }

    fn check_classes(&self) -> Result<()> {
        let mut present = vec![false; self.n_classes];
        for (row, &class) in self.classes.iter().enumerate() {
            present[class as usize] |= self.weight(row) > 0.0;
        }
        match present.iter().filter(|&&seen| seen).count() {
            0 | 1 if self.weights.is_some() => Err(Error::Data(
                "only one class has positive sample weight; at least two classes are needed".into(),
            )),
            0 | 1 => Err(Error::Data("y has only one class; at least two classes are needed".into())),
            _ => Ok(()),
        }
    }

    /// The table.
    pub fn frame(&self) -> &Frame<'a> {
        &self.frame
    }

    /// Class code of every row.
    pub fn classes(&self) -> &'a [u32] {
        self.classes
    }

    /// Number of classes, also of those without a row.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.frame.n_rows()
    }

    /// Row weights, where given.
    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// Weight of the rows of each class.
    pub fn class_masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_classes];
        for (row, &class) in self.classes.iter().enumerate() {
            masses[class as usize] += self.weight(row);
        }
        masses
    }

    /// Weight of each class as a share of all; they add up to 1.
    pub fn class_shares(&self) -> Vec<f64> {
        let masses = self.class_masses();
        let total: f64 = masses.iter().sum();
        masses.iter().map(|mass| mass / total).collect()
    }

    /// Weight of one row.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// Refuses weights that are negative or not finite, or all zero.
///
/// # Errors
/// [`Error::Data`].
pub fn check_weights(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    let Some(weights) = weights else { return Ok(()) };
    if weights.len() != n_rows {
        return Err(Error::Data(format!(
            "sample_weight has {} values, but X has {n_rows} rows",
            weights.len()
        )));
    }
    if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
        return Err(Error::Data(format!(
            "sample_weight must be finite and not negative; row {row} has {}",
            weights[row]
        )));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::Data(
            "sample_weight is zero for every row; at least two classes need weight".into(),
        ));
    }
    Ok(())
}

/// Weight of each class, on top of row weights.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassWeights {
    /// `n / (c n_k)` over unweighted counts, as scikit-learn computes it.
    Balanced,
    /// One weight a class code.
    Given(Vec<f64>),
}

impl ClassWeights {
    /// The weight of each class code.
    ///
    /// # Errors
    /// [`Error::Data`] for a weight that is negative or not finite, or a wrong number of them.
    pub fn resolve(&self, classes: &[u32], n_classes: usize) -> Result<Vec<f64>> {
        match self {
            Self::Balanced => {
                let mut counts = vec![0.0_f64; n_classes];
                for &class in classes {
                    counts[class as usize] += 1.0;
                }
                let scale = classes.len() as f64 / n_classes as f64;
                Ok(counts.iter().map(|&count| if count > 0.0 { scale / count } else { 0.0 }).collect())
            }
            Self::Given(weights) if weights.len() != n_classes => Err(Error::Data(format!(
                "class_weight has {} entries, but there are {n_classes} classes",
                weights.len()
            ))),
            Self::Given(weights) => match weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
                Some(bad) => {
                    Err(Error::Data(format!("class_weight must be finite and not negative, got {bad}")))
                }
                None if weights.iter().filter(|&&w| w > 0.0).count() < 2 => Err(Error::Data(
                    "class_weight must leave at least two classes with a positive weight".into(),
                )),
                None => Ok(weights.clone()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Column;

    fn frame(values: &[f64]) -> Frame<'_> {
        Frame::new(vec![Column::numeric(values)]).unwrap()
    }

    #[test]
    fn broken_parts_are_named() {
        let x = [1.0, 2.0, 3.0];
        let message = |classes: &[u32], weights: Option<&[f64]>| {
            Dataset::new(frame(&x), classes, 2, weights).unwrap_err().to_string()
        };
        assert!(message(&[0, 1], None).contains("y has 2 values"));
        assert!(message(&[0, 0, 0], None).contains("only one class"));
        assert!(message(&[0, 0, 2], None).contains("outside the 2 classes"));
        assert!(message(&[0, 0, 1], Some(&[1.0, -1.0, 1.0])).contains("row 1 has -1"));
        assert!(message(&[0, 0, 1], Some(&[0.0, 0.0, 0.0])).contains("zero for every row"));
        assert!(message(&[0, 0, 1], Some(&[1.0, 1.0, 0.0])).contains("only one class has positive"));
        let infinite = Dataset::new(frame(&[1.0, f64::INFINITY]), &[0, 1], 2, None).unwrap_err();
        assert!(matches!(infinite, Error::Column { column: 0, .. }));
    }

    #[test]
    fn balanced_weights_give_each_class_the_same_mass() {
        let weights = ClassWeights::Balanced.resolve(&[0, 0, 0, 1], 2).unwrap();
        assert_eq!(weights, [4.0 / 6.0, 2.0]);
        assert!(ClassWeights::Given(vec![1.0]).resolve(&[0, 1], 2).is_err());
        assert!(ClassWeights::Given(vec![1.0, -1.0]).resolve(&[0, 1], 2).is_err());
    }
}
