//! A table with class codes and weights, validated once, so that algorithms need no checks.

use crate::binned_frame::BinnedFrame;
use crate::class_stats::ClassStats;
use crate::dependence::RowDependence;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::presort_cache::PresortCache;
use crate::run_context::RunContext;
use crate::weight_sum::check_weight_sum;

/// Training data: a table, one class code per row, and optional weights.
///
/// Invariants: at least one row and one column, fewer than 2^31 rows, no infinity in a numeric column, every
/// class code below `n_classes`, weights finite and not negative, and after [`Dataset::new`] at least two
/// classes with positive weight.
#[derive(Clone, Debug)]
pub struct Dataset<'a> {
    frame: Frame<'a>,
    classes: &'a [u32],
    n_classes: usize,
    weights: Option<&'a [f64]>,
    orders: Option<&'a PresortCache>,
    population: Option<&'a ClassStats>,
    bins: Option<&'a BinnedFrame<'a>>,
    dependence: RowDependence<'a>,
}

impl<'a> Dataset<'a> {
    /// Validates a table, class codes and weights, and combines them.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] with the problem and a remedy.
    pub fn new(
        frame: Frame<'a>,
        classes: &'a [u32],
        n_classes: usize,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        let data = Self::with_single_class_allowed(frame, classes, n_classes, weights)?;
        match data.present_classes(None)[..] {
            [] | [_] => Err(data.too_few_classes_error()),
            _ => Ok(data),
        }
    }

    /// Like [`Dataset::new`], but accepts rows of a single class.
    ///
    /// # Errors
    /// Same errors as [`Dataset::new`].
    pub fn with_single_class_allowed(
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
        let dependence = RowDependence::default();
        Ok(Self {
            frame,
            classes,
            n_classes,
            weights,
            orders: None,
            population: None,
            bins: None,
            dependence,
        })
    }

    /// A data set with the same rows and other weights, one weight per row.
    #[must_use]
    pub fn reweighed<'b>(&self, weights: &'b [f64]) -> Dataset<'b>
    where
        'a: 'b,
    {
        Dataset { weights: Some(weights), ..self.clone() }
    }

    /// A data set with the same rows and set of classes, but other class codes and weights.
    ///
    /// # Errors
    /// Same errors as [`Dataset::with_single_class_allowed`].
    pub fn relabeled<'b>(&self, classes: &'b [u32], weights: &'b [f64]) -> Result<Dataset<'b>>
    where
        'a: 'b,
    {
        let (orders, bins, dependence) = (self.orders, self.bins, self.dependence);
        let data =
            Dataset::with_single_class_allowed(self.frame.clone(), classes, self.n_classes, Some(weights))?;
        Ok(Dataset { orders, bins, dependence, ..data })
    }

    /// A data set with the same rows and a cache of the order of the rows by each column.
    ///
    /// Learners that train on these rows share the cache.
    #[must_use]
    pub fn with_presort_cache(self, orders: &'a PresortCache) -> Self {
        Self { orders: Some(orders), ..self }
    }

    /// A data set with the same rows, marked as a sample of streamed training data.
    ///
    /// `population` contains the class statistics of all rows of the training data.
    #[must_use]
    pub fn as_sample_of(self, population: &'a ClassStats) -> Self {
        Self { population: Some(population), ..self }
    }

    /// A data set whose rows have only binned values, in `bins`.
    ///
    /// All values of the numeric columns of the table are missing.
    #[must_use]
    pub fn with_bins(self, bins: &'a BinnedFrame<'a>) -> Self {
        Self { bins: Some(bins), ..self }
    }

    /// A data set with the same rows, and with groups and times of the rows.
    #[must_use]
    pub fn with_dependence(self, dependence: RowDependence<'a>) -> Self {
        Self { dependence, ..self }
    }

    /// Groups and times of the rows.
    pub fn dependence(&self) -> RowDependence<'a> {
        self.dependence
    }

    /// Binned values of the rows; `None` if the table has the values themselves.
    pub fn binned_frame(&self) -> Option<&'a BinnedFrame<'a>> {
        self.bins
    }

    /// Whether the rows are a sample of streamed training data.
    pub fn is_sample(&self) -> bool {
        self.population.is_some()
    }

    /// Class statistics of all rows of the training data.
    ///
    /// If the training data are streamed, the statistics include rows that are not in the sample.
    pub fn class_stats(&self) -> ClassStats {
        self.population.cloned().unwrap_or_else(|| {
            let mut facts = ClassStats::new(self.n_classes);
            facts.add(self.classes, self.weights);
            facts
        })
    }

    /// All rows sorted by a column, missing values last and ties by row.
    /// `None` if there is no cache of orders.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn cached_order(&self, column: usize, ctl: RunContext<'_>) -> Result<Option<&'a [u32]>> {
        self.orders.map(|orders| orders.sorted_rows(&self.frame, column, ctl)).transpose()
    }

    /// Classes with positive weight, ascending; `class_weight` multiplies the row weights.
    pub fn present_classes(&self, class_weight: Option<&[f64]>) -> Vec<u32> {
        self.class_stats().present_classes(class_weight)
    }

    /// Error for data in which fewer than two classes have positive weight.
    pub fn too_few_classes_error(&self) -> Error {
        let by_label = self.classes.iter().all(|class| *class == self.classes[0]);
        let only = if by_label { "y has only 1 class" } else { "only 1 class has positive sample weight" };
        Error::Data(format!("{only}; at least 2 classes are needed"))
    }

    /// Weight that counts as one row, computed from the weights of all rows.
    ///
    /// If `class_weight` is given, each row weight is multiplied by the weight of its class.
    ///
    /// # Errors
    /// [`Error::Data`] for weights so small that a division by their mean would overflow.
    /// [`Error::Unsupported`] if the training data are streamed and all their weights are below 1.
    pub fn unit_weight(&self, class_weight: Option<&[f64]>) -> Result<f64> {
        if let Some(population) = self.population {
            let largest = population.largest_row_weight(class_weight);
            return if largest >= 1.0 { Ok(1.0) } else { Err(small_weights_error(largest)) };
        }
        let of_class = |class: u32| class_weight.map_or(1.0, |weights| weights[class as usize]);
        weight_counted_as_one_row(
            self.classes.iter().enumerate().map(|(row, &class)| self.weight(row) * of_class(class)),
        )
    }

    /// The table.
    pub fn frame(&self) -> &Frame<'a> {
        &self.frame
    }

    /// Class code of each row.
    pub fn class_codes(&self) -> &'a [u32] {
        self.classes
    }

    /// Number of classes, including those without rows.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.frame.n_rows()
    }

    /// Row weights, if given.
    pub fn weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// Sum of the row weights of each class.
    pub fn class_masses(&self) -> Vec<f64> {
        self.class_stats().masses()
    }

    /// For each class, its fraction of the total weight; the fractions sum to 1.
    pub fn class_proportions(&self) -> Vec<f64> {
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

/// Weight that counts as one row.
/// Some statistics depend on the absolute number of rows. For them, weights are divided by this unit to
/// become row counts.
///
/// A weight of 2 means a row given twice, so the unit is 1. If all weights are below 1, they cannot be row
/// counts, and the unit is the mean of the positive weights. If these are also equal, the unit is exactly
/// this weight, so that each becomes exactly 1. If all weights remain below 1, scaling them by a power of two
/// scales the unit by exactly that factor.
///
/// # Errors
/// [`Error::Data`] for weights so small that a division by their mean would overflow.
pub fn weight_counted_as_one_row(weights: impl Iterator<Item = f64>) -> Result<f64> {
    let (mut n_rows, mut sum, mut largest, mut smallest) = (0.0, 0.0, 0.0_f64, f64::INFINITY);
    for weight in weights.filter(|&weight| weight > 0.0) {
        n_rows += 1.0;
        sum += weight;
        largest = largest.max(weight);
        smallest = smallest.min(weight);
    }
    if largest >= 1.0 || largest == 0.0 {
        return Ok(1.0);
    }
    if (n_rows / sum).is_finite() {
        // If all weights are equal, this weight is the exact mean. A computed mean may be rounded.
        return Ok(if smallest == largest { largest } else { sum / n_rows });
    }
    Err(Error::Data(format!(
        "the largest weight of a row (sample_weight times class_weight) is {largest:e}; multiply all weights by a constant"
    )))
}

fn small_weights_error(largest: f64) -> Error {
    Error::Unsupported(format!(
        "the largest weight of a row (sample_weight times class_weight) is {largest:e}; for streamed training data it \
         must be at least 1, because a weight of 2 means a row given twice. Multiply all weights by a constant"
    ))
}

/// Checks the weights of a whole table.
/// They must be finite and not negative, at least one must be positive, and their sum must not be too large.
///
/// # Errors
/// [`Error::Data`].
pub fn check_weights(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    check_weights_of_some_rows(weights, n_rows)?;
    let sum: f64 = weights.map_or(1.0, |weights| weights.iter().sum());
    if sum == 0.0 {
        return Err(Error::Data(
            "sample_weight is zero for every row; at least 2 classes need positive weight".into(),
        ));
    }
    check_weight_sum(sum, "sample_weight")
}

/// Checks that the weights of some rows of a table are finite and not negative.
/// All weights of these rows may be zero, because other rows may have positive weights.
///
/// # Errors
/// [`Error::Data`].
pub fn check_weights_of_some_rows(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
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
    Ok(())
}

/// Class weights, which multiply the row weights.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassWeights {
    /// Balanced weights `n / (c n_k)`, where `n_k` is the sum of the row weights of class `k`.
    /// `c` is the number of classes with positive weight, and `n` is their total weight. Many estimators of
    /// scikit-learn use numbers of rows instead of weights.
    Balanced,
    /// One weight per class code.
    Given(Vec<f64>),
}

impl ClassWeights {
    /// Returns the weight of each class code; `masses` are the sums of the row weights per class.
    ///
    /// # Errors
    /// [`Error::Data`] for a weight that is negative or not finite, for weights that are all 0 or too large, or
    /// for a wrong number of weights.
    pub fn resolve(&self, masses: &[f64]) -> Result<Vec<f64>> {
        let n_classes = masses.len();
        match self {
            Self::Balanced => {
                let n_present = masses.iter().filter(|&&mass| mass > 0.0).count();
                let even = masses.iter().sum::<f64>() / n_present as f64;
                Ok(masses.iter().map(|&mass| if mass > 0.0 { even / mass } else { 0.0 }).collect())
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
                    Err(Error::Data("class_weight must be positive for at least 1 class".into()))
                }
                None => {
                    let spread = |(mass, weight): (&f64, &f64)| mass * weight;
                    check_weight_sum(weights.iter().sum(), "class_weight")?;
                    check_weight_sum(
                        masses.iter().zip(weights).map(spread).sum(),
                        "sample_weight times class_weight",
                    )?;
                    Ok(weights.clone())
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Column;

    fn frame(values: &[f64]) -> Frame<'_> {
        Frame::new(vec![Column::from_numbers(values)]).unwrap()
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let x = [1.0, 2.0, 3.0];
        let message = |classes: &[u32], weights: Option<&[f64]>| {
            Dataset::new(frame(&x), classes, 2, weights).unwrap_err().to_string()
        };
        assert!(message(&[0, 1], None).contains("y has 2 values"));
        assert!(message(&[0, 0, 0], None).contains("only 1 class"));
        assert!(message(&[0, 0, 2], None).contains("outside the 2 classes"));
        assert!(message(&[0, 0, 1], Some(&[1.0, -1.0, 1.0])).contains("row 1 has -1"));
        assert!(message(&[0, 0, 1], Some(&[0.0, 0.0, 0.0])).contains("zero for every row"));
        assert!(message(&[0, 0, 1], Some(&[1.0, 1.0, 0.0])).contains("only 1 class has positive"));
        let infinite = Dataset::new(frame(&[1.0, f64::INFINITY]), &[0, 1], 2, None).unwrap_err();
        assert!(matches!(infinite, Error::Column { column: 0, .. }));
    }

    #[test]
    fn a_single_class_is_accepted_on_request() {
        let x = [1.0, 2.0, 3.0];
        let data =
            Dataset::with_single_class_allowed(frame(&x), &[0, 0, 1], 2, Some(&[1.0, 0.5, 0.0])).unwrap();
        assert_eq!(data.present_classes(None), [0]);
        let both = data.reweighed(&[1.0; 3]);
        assert_eq!(
            (both.present_classes(None), both.present_classes(Some(&[0.0, 1.0]))),
            (vec![0, 1], vec![1])
        );
        assert!(data.too_few_classes_error().to_string().contains("only 1 class has positive sample weight"));
    }

    #[test]
    fn weights_below_1_have_a_mean_of_1_and_others_stay() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let unit = |weights: &[f64; 4], class_weight: Option<&[f64]>| {
            let data = Dataset::new(frame(&x), &[0, 1, 1, 0], 2, Some(weights)).unwrap();
            data.unit_weight(class_weight)
        };
        assert_eq!(unit(&[0.25; 4], None), Ok(0.25));
        assert_eq!(unit(&[0.25, 0.5, 1.0, 0.5], None), Ok(1.0));
        // Rows of weight 0 do not affect the unit weight.
        assert_eq!(unit(&[0.25, 0.25, 0.0, 0.25], None), Ok(0.25));
        assert_eq!(unit(&[1.0; 4], Some(&[0.125, 0.375])), Ok(0.25));
        assert_eq!(unit(&[1.0; 4], Some(&[0.01, 1.0])), Ok(1.0));
        assert_eq!(unit(&[4.0, 0.5, 0.5, 4.0], Some(&[0.125, 1.0])), Ok(0.5));
        let thirds = [0.1, 0.2, 0.3, 0.7];
        let halved = thirds.map(|weight| weight / 1024.0);
        assert_eq!(unit(&thirds, None), unit(&halved, None).map(|unit| unit * 1024.0));
        assert!(unit(&[5e-324; 4], None).is_err());
    }

    #[test]
    fn equal_weights_below_1_become_exactly_1() {
        for n_rows in 2..200 {
            for weight in [1.0 / 3000.0, 1.0 / 4096.0, 1.0 / n_rows as f64, 0.1, 1e-300] {
                let unit = weight_counted_as_one_row(std::iter::repeat_n(weight, n_rows)).unwrap();
                assert!((weight / unit - 1.0).abs() == 0.0, "{n_rows} rows of {weight}");
            }
        }
    }

    #[test]
    fn weights_that_cannot_be_added_up_are_refused() {
        let x = [1.0, 2.0];
        let refused = |weights: &[f64]| Dataset::new(frame(&x), &[0, 1], 2, Some(weights)).unwrap_err();
        for weights in [[1e308, 1e308], [1e308, 1.0], [1e101, 1.0]] {
            assert!(refused(&weights).to_string().contains("divide all weights"));
        }
        assert!(Dataset::new(frame(&x), &[0, 1], 2, Some(&[1e99, 1e-99])).is_ok());
        let heavy = ClassWeights::Given(vec![1e60, 1.0]);
        assert!(heavy.resolve(&[1e60, 1.0]).is_err() && heavy.resolve(&[1.0, 1.0]).is_ok());
    }

    #[test]
    fn balanced_weights_give_each_class_the_same_mass() {
        let weights = ClassWeights::Balanced.resolve(&[3.0, 1.0]).unwrap();
        assert_eq!(weights, [4.0 / 6.0, 2.0]);
        // A class without weight does not affect the weights of the other classes.
        assert_eq!(ClassWeights::Balanced.resolve(&[3.0, 0.0, 1.0]), Ok(vec![4.0 / 6.0, 0.0, 2.0]));
        assert!(ClassWeights::Given(vec![1.0]).resolve(&[1.0, 1.0]).is_err());
        assert!(ClassWeights::Given(vec![1.0, -1.0]).resolve(&[1.0, 1.0]).is_err());
    }
}
