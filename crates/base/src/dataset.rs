//! A frame with class codes and weights, checked once so that no kernel has to.

use crate::coded::Coded;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::orders::Orders;
use crate::population::Population;
use crate::run::RunCtl;

/// Training data: a table, one class code a row, and optional weights.
///
/// The following hold: at least one row and one column, fewer than 2^31 rows, no infinity in a numeric column, every
/// class code below `n_classes`, weights finite and not negative, and after [`Dataset::new`] at least two classes with
/// positive weight.
#[derive(Clone, Debug)]
pub struct Dataset<'a> {
    frame: Frame<'a>,
    classes: &'a [u32],
    n_classes: usize,
    weights: Option<&'a [f64]>,
    orders: Option<&'a Orders>,
    population: Option<&'a Population>,
    bins: Option<&'a Coded<'a>>,
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
        let data = Self::of_any_classes(frame, classes, n_classes, weights)?;
        match data.present(None)[..] {
            [] | [_] => Err(data.too_few_classes()),
            _ => Ok(data),
        }
    }

    /// The same, where rows of a single class will do as well.
    ///
    /// # Errors
    /// As [`Dataset::new`].
    pub fn of_any_classes(
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
        Ok(Self { frame, classes, n_classes, weights, orders: None, population: None, bins: None })
    }

    /// The same rows with other weights, one a row.
    #[must_use]
    pub fn reweighed<'b>(&self, weights: &'b [f64]) -> Dataset<'b>
    where
        'a: 'b,
    {
        Dataset { weights: Some(weights), ..self.clone() }
    }

    /// The same rows, whose orders by column are kept in `orders` for others that learn from them.
    #[must_use]
    pub fn keeping(self, orders: &'a Orders) -> Self {
        Self { orders: Some(orders), ..self }
    }

    /// The same rows, drawn from a table that is not all there: what is said of its classes is in `population`.
    #[must_use]
    pub fn drawn_from(self, population: &'a Population) -> Self {
        Self { population: Some(population), ..self }
    }

    /// The same rows, whose numbers are known by their bins only: numeric columns of the table read as missing.
    #[must_use]
    pub fn in_bins(self, bins: &'a Coded<'a>) -> Self {
        Self { bins: Some(bins), ..self }
    }

    /// The bins of the rows, where nothing else is known of their numbers.
    pub fn bins(&self) -> Option<&'a Coded<'a>> {
        self.bins
    }

    /// Whether these are rows drawn from a table that is not all there.
    pub fn is_drawn(&self) -> bool {
        self.population.is_some()
    }

    /// Facts of the classes of all rows, also of those that are not there.
    pub fn facts(&self) -> Population {
        self.population.cloned().unwrap_or_else(|| {
            let mut facts = Population::new(self.n_classes);
            facts.add(self.classes, self.weights);
            facts
        })
    }

    /// All rows in the order of a column, missing values last and equal ones by row, where orders are kept.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn kept_order(&self, column: usize, ctl: RunCtl<'_>) -> Result<Option<&'a [u32]>> {
        self.orders.map(|orders| orders.of(&self.frame, column, ctl)).transpose()
    }

    /// Classes that have weight, ascending; `class_weight` multiplies the rows' own.
    pub fn present(&self, class_weight: Option<&[f64]>) -> Vec<u32> {
        self.facts().present(class_weight)
    }

    /// What is to be said where fewer than two classes have weight.
    pub fn too_few_classes(&self) -> Error {
        let by_label = self.classes.iter().all(|class| *class == self.classes[0]);
        let only =
            if by_label { "y has only one class" } else { "only one class has positive sample weight" };
        Error::Data(format!("{only}; at least two classes are needed"))
    }

    /// [`row_scale`] of the weights of all rows; `class_weight` multiplies the rows' own.
    ///
    /// # Errors
    /// As [`row_scale`]; [`Error::Unsupported`] where weights of rows that are not there would have to be multiplied.
    pub fn row_scale(&self, class_weight: Option<&[f64]>) -> Result<Option<f64>> {
        if let Some(population) = self.population {
            let largest = population.largest(class_weight);
            return if largest >= 1.0 { Ok(None) } else { Err(too_light(largest)) };
        }
        let of_class = |class: u32| class_weight.map_or(1.0, |weights| weights[class as usize]);
        row_scale(self.classes.iter().enumerate().map(|(row, &class)| self.weight(row) * of_class(class)))
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
        self.facts().masses()
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

/// By what weights are to be multiplied to be numbers of rows, as counts with an absolute scale take them.
///
/// A weight of 2 is a row given twice. Weights that are all below 1 cannot be meant so: then the factor brings their
/// mean to 1. Weights of 0 do not count, because they are no rows. A power of two in all weights is in the factor
/// exactly.
///
/// # Errors
/// [`Error::Data`] for weights too small to be added up.
pub fn row_scale(weights: impl Iterator<Item = f64>) -> Result<Option<f64>> {
    let (mut n_rows, mut sum, mut largest) = (0.0, 0.0, 0.0_f64);
    for weight in weights {
        n_rows += f64::from(u8::from(weight > 0.0));
        sum += weight;
        largest = largest.max(weight);
    }
    if largest >= 1.0 || largest == 0.0 {
        return Ok(None);
    }
    let scale: f64 = n_rows / sum;
    if scale.is_finite() {
        return Ok(Some(scale));
    }
    Err(Error::Data(format!(
        "the largest weight of a row (sample_weight times class_weight) is {largest:e}; multiply all by a constant"
    )))
}

/// What is to be said of weights that would have to be multiplied, of rows that are not there.
fn too_light(largest: f64) -> Error {
    Error::Unsupported(format!(
        "the largest weight of a row (sample_weight times class_weight) is {largest:e}; of rows that are read by pieces it \
         must be at least 1, for a weight of 2 is a row given twice: multiply all by a constant"
    ))
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
    /// The weight of each class code; `counts` are the rows of each.
    ///
    /// # Errors
    /// [`Error::Data`] for a weight that is negative or not finite, or a wrong number of them.
    pub fn resolve(&self, counts: &[u64]) -> Result<Vec<f64>> {
        let n_classes = counts.len();
        match self {
            Self::Balanced => {
                let scale = counts.iter().sum::<u64>() as f64 / n_classes as f64;
                Ok(counts.iter().map(|&count| if count > 0 { scale / count as f64 } else { 0.0 }).collect())
            }
            Self::Given(weights) if weights.len() != n_classes => Err(Error::Data(format!(
                "class_weight has {} entries, but there are {n_classes} classes",
                weights.len()
            ))),
            Self::Given(weights) => match weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
                Some(bad) => {
                    Err(Error::Data(format!("class_weight must be finite and not negative, got {bad}")))
                }
                None if weights.iter().all(|&w| w == 0.0) => {
                    Err(Error::Data("class_weight must leave a class with a positive weight".into()))
                }
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
    fn a_single_class_will_do_where_asked_for() {
        let x = [1.0, 2.0, 3.0];
        let data = Dataset::of_any_classes(frame(&x), &[0, 0, 1], 2, Some(&[1.0, 0.5, 0.0])).unwrap();
        assert_eq!(data.present(None), [0]);
        let both = data.reweighed(&[1.0; 3]);
        assert_eq!((both.present(None), both.present(Some(&[0.0, 1.0]))), (vec![0, 1], vec![1]));
        assert!(data.too_few_classes().to_string().contains("only one class has positive sample weight"));
    }

    #[test]
    fn weights_below_1_have_a_mean_of_1_and_others_stay() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let scale = |weights: &[f64; 4], class_weight: Option<&[f64]>| {
            let data = Dataset::new(frame(&x), &[0, 1, 1, 0], 2, Some(weights)).unwrap();
            data.row_scale(class_weight)
        };
        assert_eq!(scale(&[0.25; 4], None), Ok(Some(4.0)));
        assert_eq!(scale(&[0.25, 0.5, 1.0, 0.5], None), Ok(None));
        // Rows of weight 0 are no rows.
        assert_eq!(scale(&[0.25, 0.25, 0.0, 0.25], None), Ok(Some(4.0)));
        assert_eq!(scale(&[1.0; 4], Some(&[0.125, 0.375])), Ok(Some(4.0)));
        assert_eq!(scale(&[1.0; 4], Some(&[0.01, 1.0])), Ok(None));
        assert_eq!(scale(&[4.0, 0.5, 0.5, 4.0], Some(&[0.125, 1.0])), Ok(Some(2.0)));
        let thirds = [0.1, 0.2, 0.3, 0.7];
        let halved = thirds.map(|weight| weight / 1024.0);
        assert_eq!(scale(&thirds, None).unwrap().map(|s| s * 1024.0), scale(&halved, None).unwrap());
        assert!(scale(&[5e-324; 4], None).is_err());
    }

    #[test]
    fn balanced_weights_give_each_class_the_same_mass() {
        let weights = ClassWeights::Balanced.resolve(&[3, 1]).unwrap();
        assert_eq!(weights, [4.0 / 6.0, 2.0]);
        assert!(ClassWeights::Given(vec![1.0]).resolve(&[1, 1]).is_err());
        assert!(ClassWeights::Given(vec![1.0, -1.0]).resolve(&[1, 1]).is_err());
    }
}
