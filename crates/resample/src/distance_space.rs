//! Points for nearest-neighbor searches, and the distance formula.

use imbcore_core::memory::{filled, try_with_capacity};
use imbcore_core::{Column, Error, Frame, MISSING, Result, RunContext, Strided};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Scaling of each column in distances; the values of synthetic rows are not scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureScaling {
    /// Each column is scaled so that its range (maximum minus minimum) is 1.
    MinMax,
    /// Each column is scaled so that its standard deviation over all rows is 1.
    Std,
}

/// Table rows as points with numeric coordinates and codes of nominal columns.
#[derive(Clone, Debug)]
pub struct DistanceSpace<'a> {
    numbers: Cow<'a, [f64]>,
    n_rows: usize,
    n_numbers: usize,
    codes: Vec<u32>,
    n_nominal: usize,
    mismatch: f64,
}

impl<'a> DistanceSpace<'a> {
    /// Creates the points of a numeric table.
    ///
    /// # Errors
    /// [`Error::Column`] for a nominal column or a value that is not finite; [`Error::Memory`];
    /// [`Error::Cancelled`].
    pub fn from_numeric(
        frame: &Frame<'a>,
        scale: Option<FeatureScaling>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        if let Some(column) = frame.columns().iter().position(|c| matches!(c, Column::Nominal { .. })) {
            let message = "is nominal, but distances need numbers; use SMOTENC, or encode the column";
            return Err(Error::Column { column, message: message.into() });
        }
        Self::from_mixed(frame, scale, ctl)
    }

    /// Creates the points of a table that may have nominal columns.
    ///
    /// Nominal columns affect distances only after [`DistanceSpace::set_nominal_mismatch`] is called.
    ///
    /// # Errors
    /// [`Error::Column`] for a missing or infinite value; [`Error::Memory`]; [`Error::Cancelled`].
    pub fn from_mixed(frame: &Frame<'a>, scale: Option<FeatureScaling>, ctl: RunContext<'_>) -> Result<Self> {
        check_no_missing(frame)?;
        let n_rows = frame.n_rows();
        let nominal: Vec<&[u32]> = frame
            .columns()
            .iter()
            .filter_map(|column| match column {
                Column::Nominal { codes, .. } => Some(*codes),
                Column::Numeric(_) => None,
            })
            .collect();
        let n_numbers = frame.n_columns() - nominal.len();
        let numbers = match frame.as_row_major() {
            Some(matrix) if scale.is_none() => Cow::Borrowed(matrix),
            _ => Cow::Owned(scaled_numeric_matrix(frame, n_numbers, scale, ctl)?),
        };
        let mut codes = try_with_capacity(n_rows * nominal.len(), POINTS)?;
        for row in 0..n_rows {
            codes.extend(nominal.iter().map(|column| column[row]));
        }
        Ok(Self { numbers, n_rows, n_numbers, codes, n_nominal: nominal.len(), mismatch: 0.0 })
    }

    /// Sets the number that each differing nominal column adds to a squared distance.
    pub fn set_nominal_mismatch(&mut self, mismatch: f64) {
        self.mismatch = mismatch;
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn rows(&self) -> Vec<u32> {
        (0..self.n_rows as u32).collect()
    }

    /// Scaled values of the numeric columns in a row.
    #[inline]
    pub fn numeric_values(&self, row: u32) -> &[f64] {
        &self.numbers[row as usize * self.n_numbers..(row as usize + 1) * self.n_numbers]
    }

    #[inline]
    pub(crate) fn nominal_codes(&self, row: u32) -> &[u32] {
        &self.codes[row as usize * self.n_nominal..(row as usize + 1) * self.n_nominal]
    }

    pub(crate) fn n_numeric(&self) -> usize {
        self.n_numbers
    }

    /// Number of nominal columns that affect distances.
    pub(crate) fn n_compared_nominal_columns(&self) -> usize {
        if self.mismatch > 0.0 { self.n_nominal } else { 0 }
    }

    pub(crate) fn nominal_mismatch(&self) -> f64 {
        self.mismatch
    }

    /// Squared distance of two rows.
    ///
    /// It is summed in column order in double precision, so it is symmetric and identical on every machine.
    #[inline]
    pub(crate) fn squared_distance_between(&self, a: u32, b: u32) -> f64 {
        let mut sum = squared_distance(self.numeric_values(a), self.numeric_values(b));
        if self.mismatch > 0.0 {
            for (x, y) in self.nominal_codes(a).iter().zip(self.nominal_codes(b)) {
                sum += if x == y { 0.0 } else { self.mismatch };
            }
        }
        sum
    }
}

/// Squared Euclidean distance, summed in column order.
#[inline]
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        let difference = x - y;
        sum += difference * difference;
    }
    sum
}

const POINTS: &str = "points of a nearest-neighbor search";

fn check_no_missing(frame: &Frame<'_>) -> Result<()> {
    let content = frame.special_value_flags(0..frame.n_rows());
    if !content.infinite && !content.missing {
        return Ok(());
    }
    for (column, values) in frame.columns().iter().enumerate() {
        let missing = match values {
            Column::Numeric(values) => values.iter().position(|value| !value.is_finite()),
            Column::Nominal { codes, .. } => codes.iter().position(|&code| code == MISSING),
        };
        if let Some(row) = missing {
            let what = match values {
                Column::Numeric(values) if values.get(row).is_infinite() => "infinity",
                _ => "NaN",
            };
            let message = format!(
                "has {what} (first in row {row}), but distances need finite values; impute missing values first, or use a \
                 sampler that only selects rows (RandomOverSampler, DuplicateOverSampler, RandomUnderSampler)"
            );
            return Err(Error::Column { column, message });
        }
    }
    Ok(())
}

fn scaled_numeric_matrix(
    frame: &Frame<'_>,
    n_numbers: usize,
    scale: Option<FeatureScaling>,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let n_rows = frame.n_rows();
    let mut numbers = filled(n_rows * n_numbers, 0.0, POINTS)?;
    let columns = frame.columns().iter().filter_map(|column| match column {
        Column::Numeric(values) => Some(values),
        Column::Nominal { .. } => None,
    });
    for (i, column) in columns.enumerate() {
        ctl.check()?;
        let (origin, unit) = match scale {
            None => (0.0, 1.0),
            Some(scale) => scaling_origin_and_unit(column, scale),
        };
        for (slot, value) in numbers[i..].iter_mut().step_by(n_numbers).zip(column.iter()) {
            *slot = if scale.is_none() {
                value
            } else if unit > 0.0 {
                (value - origin) / unit
            } else {
                0.0
            };
        }
    }
    Ok(numbers)
}

/// Origin and unit of a column; scaled values are `(value - origin) / unit`.
///
/// The unit is 0 for a constant column.
fn scaling_origin_and_unit(values: &Strided<'_>, scale: FeatureScaling) -> (f64, f64) {
    let n_rows = values.len() as f64;
    let low = values.iter().fold(f64::INFINITY, f64::min);
    let high = values.iter().fold(f64::NEG_INFINITY, f64::max);
    if low == high {
        return (low, 0.0);
    }
    match scale {
        FeatureScaling::MinMax => (low, high - low),
        FeatureScaling::Std => {
            let mean = values.iter().sum::<f64>() / n_rows;
            (mean, (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n_rows).sqrt())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        let (x, y) = ([0.0, 3.0, 3.0], [0.0, 4.0, 4.0]);
        let nominal = Column::Nominal { codes: &[0, 0, 1], levels: 2 };
        let frame = Frame::new(vec![Column::from_numbers(&x), Column::from_numbers(&y), nominal]).unwrap();
        let mut space = DistanceSpace::from_mixed(&frame, None, RunContext::silent()).unwrap();
        assert_eq!([space.squared_distance_between(0, 1), space.squared_distance_between(1, 2)], [25.0, 0.0]);
        space.set_nominal_mismatch(0.25);
        assert_eq!(
            [space.squared_distance_between(0, 2), space.squared_distance_between(2, 1)],
            [25.25, 0.25]
        );
        assert!(DistanceSpace::from_numeric(&frame, None, RunContext::silent()).is_err());
    }

    #[test]
    fn scaled_columns_and_constant_ones() {
        let (x, y) = ([0.0, 5.0, 10.0], [7.0; 3]);
        let frame = Frame::new(vec![Column::from_numbers(&x), Column::from_numbers(&y)]).unwrap();
        let space = |scale| DistanceSpace::from_numeric(&frame, Some(scale), RunContext::silent()).unwrap();
        assert_eq!(space(FeatureScaling::MinMax).numeric_values(1), [0.5, 0.0]);
        assert!((space(FeatureScaling::Std).numeric_values(2)[0] - 1.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn missing_values_are_errors() {
        let values = [1.0, f64::NAN, 2.0, 3.0];
        let error = DistanceSpace::from_numeric(
            &Frame::from_row_major(&values, 2, 2).unwrap(),
            None,
            RunContext::silent(),
        );
        assert!(matches!(error, Err(Error::Column { column: 1, .. })));
    }
}
