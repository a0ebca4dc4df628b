//! Learns cut points and levels from training data.

use super::column_rule::{ColumnRule, ColumnStates, Discretizer};
use super::cut_criterion::CutMeasure;
use super::params::{CutMethod, DiscretizeParams, MissingPolicy, UnseenLevelPolicy};
use super::value_counts::{ValueCounts, keys_to_values};
use super::value_profile::{CutCandidateRule, ValueProfile};
use super::{equal_freq, majority_counts, mdlp, topdown};
use crate::table::MISSING;
use imbcore_core::{
    Column, Dataset, Error, Frame, Result, RunContext, Strided, check_weights, float_from_key, float_key,
    parallel, sorted_by_key,
};
use rayon::prelude::*;

/// Minimum number of unweighted rows that are counted by value instead of sorted by value.
///
/// Sorting the indices of so many rows would access memory at random.
pub(super) const MANY: usize = 1 << 16;

/// Checked parameters of discretization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscretizeSettings {
    /// Method that chooses the cut points.
    pub method: CutMethod,
    /// Number of bins of [`CutMethod::EqualFreq`].
    pub n_bins: u32,
    /// Whether CACC and Ameva add the constants of the R package `discretization`.
    pub r_compat: bool,
    /// Treatment of missing values in training.
    pub gaps: MissingPolicy,
    /// Treatment of levels that did not occur in training.
    pub handle_unknown: UnseenLevelPolicy,
}

impl DiscretizeParams {
    /// Checks that each parameter is in its domain; `method` is the name used in errors.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, method: &str) -> Result<DiscretizeSettings> {
        let most = u32::from(MISSING) - 2;
        if !(2..=most).contains(&self.n_bins) {
            let expected = format!("a whole number from 2 to {most}");
            return Err(Error::parameter(method, "n_bins", &expected, self.n_bins));
        }
        Ok(DiscretizeSettings {
            method: self.discretizer,
            n_bins: self.n_bins,
            r_compat: self.r_compat,
            gaps: self.missing,
            handle_unknown: self.handle_unknown,
        })
    }
}

/// Training data with optional classes and weights.
#[derive(Clone, Copy, Debug)]
pub struct DiscretizerInput<'a> {
    /// The table, without infinities.
    pub frame: &'a Frame<'a>,
    /// Class codes of the rows, and the number of classes; bins of equal frequency ignore them.
    pub classes: Option<(&'a [u32], usize)>,
    /// Row weights, finite and nonnegative.
    pub weights: Option<&'a [f64]>,
}

impl<'a> From<&'a Dataset<'a>> for DiscretizerInput<'a> {
    fn from(data: &'a Dataset<'a>) -> Self {
        Self {
            frame: data.frame(),
            classes: Some((data.class_codes(), data.n_classes())),
            weights: data.weights(),
        }
    }
}

impl<'a> DiscretizerInput<'a> {
    /// Checks that table, classes and weights match, and combines them.
    ///
    /// A single class is allowed.
    ///
    /// # Errors
    /// [`Error::Data`] for lists whose length is not the number of rows, for unknown class codes, for weights
    /// that are negative, not finite or all 0, and for at least 2^31 rows. [`Error::Column`] for an infinite
    /// number.
    pub fn new(
        frame: &'a Frame<'a>,
        classes: Option<(&'a [u32], usize)>,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        frame.check_finite()?;
        let n_rows = frame.n_rows();
        if n_rows >= 1 << 31 {
            let most = i32::MAX;
            return Err(Error::Data(format!("X has {n_rows} rows; at most {most} are supported")));
        }
        if let Some((codes, n_classes)) = classes {
            let known = codes.iter().all(|&code| (code as usize) < n_classes);
            if codes.len() != n_rows || !known {
                return Err(Error::Data(format!("y must hold one class for each of the {n_rows} rows of X")));
            }
        }
        check_weights(weights, n_rows)?;
        Ok(Self { frame, classes, weights })
    }

    fn weight(&self, row: u32) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row as usize])
    }

    fn count_rows_by_class(&self, rows: &[u32]) -> Option<Vec<f64>> {
        let (classes, n_classes) = self.classes.filter(|_| self.weights.is_none())?;
        let mut counts = vec![0.0; n_classes];
        for &row in rows {
            counts[classes[row as usize] as usize] += 1.0;
        }
        Some(counts)
    }
}

impl DiscretizeSettings {
    /// Rows that are used for training: rows of positive weight, ascending.
    ///
    /// With [`MissingPolicy::DropRows`], rows with a missing value are left out.
    ///
    /// # Errors
    /// [`Error::Data`] if no row is left; [`Error::Column`] for a missing value with
    /// [`MissingPolicy::Error`].
    pub fn training_rows(self, training: &DiscretizerInput<'_>) -> Result<Vec<u32>> {
        let columns = training.frame.columns();
        let complete = |row: u32| columns.iter().all(|column| !column.is_missing(row as usize));
        let trains = |&row: &u32| {
            training.weight(row) > 0.0 && (self.gaps != MissingPolicy::DropRows || complete(row))
        };
        let rows: Vec<u32> = (0..training.frame.n_rows() as u32).into_par_iter().filter(trains).collect();
        if self.gaps == MissingPolicy::Error {
            let holey = |column: &Column<'_>| rows.iter().any(|&row| column.is_missing(row as usize));
            if let Some(column) = columns.iter().position(holey) {
                return Err(Error::Column { column, message: MissingPolicy::REFUSED.into() });
            }
        }
        if rows.is_empty() {
            let message = "each row has a missing value, so missing=\"drop_rows\" leaves none; use \"available\" or \"state\"";
            return Err(Error::Data(message.into()));
        }
        Ok(rows)
    }

    /// Learns the states of each column from the given rows.
    ///
    /// A row of weight 2 counts as two rows. Missing values do not affect cut points and levels.
    ///
    /// # Errors
    /// [`Error::Column`] for a column with too many states; [`Error::Data`] if the method needs classes and
    /// there are none; [`Error::Memory`]; [`Error::Cancelled`].
    pub fn learn(
        self,
        training: &DiscretizerInput<'_>,
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Discretizer> {
        if training.classes.is_none() && self.method != CutMethod::EqualFreq {
            return Err(Error::Data("y is required: this method chooses cut points by the classes".into()));
        }
        let counts = training.count_rows_by_class(rows);
        let common =
            counts.and_then(|counts| self.class_for_compact_counts(&counts, training.frame.n_columns()));
        let columns = parallel::try_map(training.frame.columns().iter().enumerate(), |(index, column)| {
            ctl.check()?;
            let values = match column {
                Column::Numeric(values) => {
                    ColumnStates::Cuts(self.cut_points(*values, training, (rows, common), ctl)?)
                }
                Column::Nominal { codes, levels } => {
                    let mut seen = vec![false; *levels as usize];
                    for &row in rows {
                        if let Some(level) = seen.get_mut(codes[row as usize] as usize) {
                            *level = true;
                        }
                    }
                    ColumnStates::Levels(seen)
                }
            };
            let gap = || rows.iter().any(|&row| column.is_missing(row as usize));
            let rule = ColumnRule { values, gap_state: self.gaps == MissingPolicy::State && gap() };
            rule.check().map_err(|error| Error::Column { column: index, message: error.to_string() })?;
            Ok(rule)
        })?;
        Ok(Discretizer { columns, handle_unknown: self.handle_unknown })
    }

    fn cut_points(
        self,
        values: Strided<'_>,
        training: &DiscretizerInput<'_>,
        (rows, common): (&[u32], Option<u32>),
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let known = rows.iter().copied().filter(|&row| !values.get(row as usize).is_nan());
        let key = |row: u32| float_key(values.get(row as usize));
        let Some((classes, n_classes)) = training.classes.filter(|_| self.method != CutMethod::EqualFreq)
        else {
            let rows = known.map(|row| (key(row), training.weight(row)));
            return equal_freq::equal_weight_cut_points(rows.collect(), self.n_bins, ctl);
        };
        let value_and_class = |&row: &u32| (values.get(row as usize), classes[row as usize]);
        if let Some(common) = common {
            let mut tally = majority_counts::CompactColumnCounts::new(
                common,
                rows.iter().map(value_and_class).filter(|&(_, class)| class != common),
            )?;
            tally.add_common_class_rows(rows.iter().map(value_and_class), ctl)?;
            return self.supervised_cut_points(tally.sorted_counts(), n_classes, ctl);
        }
        if training.weights.is_none() && rows.len() >= MANY && ValueCounts::can_store_classes(n_classes) {
            let mut tally = ValueCounts::new();
            tally.add(rows.iter().map(value_and_class), ctl)?;
            return self.supervised_cut_points(keys_to_values(tally.sorted_counts()?), n_classes, ctl);
        }
        let sorted = sorted_by_key(&known.collect::<Vec<u32>>(), key, ctl)?;
        // Values are decoded from their integer keys, so that -0 and 0 become one value.
        let facts = |row: u32| (float_from_key(key(row)), classes[row as usize], training.weight(row));
        self.supervised_cut_points(sorted.into_iter().map(facts), n_classes, ctl)
    }

    /// `sorted` has triples of value, class and row weight, ascending by value.
    pub(super) fn supervised_cut_points(
        self,
        sorted: impl Iterator<Item = (f64, u32, f64)>,
        n_classes: usize,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let measure = match self.method {
            CutMethod::Caim => CutMeasure::Caim,
            CutMethod::Cacc => CutMeasure::Cacc,
            CutMethod::Ameva => CutMeasure::Ameva,
            CutMethod::Mdlp | CutMethod::EqualFreq => {
                return mdlp::find_cut_points(
                    &ValueProfile::new(sorted, n_classes, CutCandidateRule::Borders, ctl)?,
                    ctl,
                );
            }
        };
        topdown::find_cut_points(
            &ValueProfile::new(sorted, n_classes, CutCandidateRule::All, ctl)?,
            measure,
            self.r_compat,
            ctl,
        )
    }
}
