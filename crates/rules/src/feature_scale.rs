//! Scaling of features, which defines the unit of distances (Goh and Rudin 2014).
//!
//! Goh and Rudin scale features to [-1, 1]. Here bounds of boxes stay in original units, because the method
//! mostly uses differences of values, which need only a division by the unit. Equal values therefore stay
//! equal.

use crate::drawing_rules::TrainingRange;
use crate::row_source::{ColumnBlock, map_row_blocks};
use imbcore_core::{Frame, Result, RunContext};
use serde::{Deserialize, Serialize};

/// Scaling of numeric features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// `2 (x - min) / (max - min) - 1`.
    MinMax,
    /// `x / max |x|`.
    MaxAbs,
    /// No scaling.
    None,
}

/// Scaling of every feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureScale {
    /// Length of a unit of the scaled feature, in original units.
    ///
    /// It is 0 for a constant numeric feature, which is ignored, and 1 for a nominal feature.
    pub units: Vec<f64>,
    origin: Vec<f64>,
    shift: f64,
}

impl FeatureScale {
    /// Returns the scaling of features that have the given ranges in the training rows.
    pub fn new(scaling: Scaling, range: &TrainingRange) -> Self {
        let unit = |(&low, &high): (&f64, &f64)| match scaling {
            // There are no values: the feature is nominal, or missing in every row.
            _ if low > high => 1.0,
            _ if low == high => 0.0,
            // The difference of the two ends may overflow, so each end is halved first.
            Scaling::MinMax => high / 2.0 - low / 2.0,
            Scaling::MaxAbs => low.abs().max(high.abs()),
            Scaling::None => 1.0,
        };
        // A unit whose reciprocal overflows is treated as 0, as for a constant feature.
        let usable = |unit: f64| if unit.recip().is_finite() { unit } else { 0.0 };
        let units = range.low.iter().zip(&range.high).map(unit).map(usable).collect();
        let (origin, shift) = match scaling {
            Scaling::MinMax => (range.low.clone(), 1.0),
            Scaling::MaxAbs | Scaling::None => (vec![0.0; range.low.len()], 0.0),
        };
        Self { units, origin, shift }
    }

    /// Identity scaling of `n_features` features.
    pub fn identity(n_features: usize) -> Self {
        Self { units: vec![1.0; n_features], origin: vec![0.0; n_features], shift: 0.0 }
    }

    pub(crate) fn scale(&self, feature: usize, x: f64) -> f64 {
        (x - self.origin[feature]) / self.units[feature] - self.shift
    }

    /// Unit, origin and shift of a feature: `scaled = (x - origin) / unit - shift`.
    pub(crate) fn feature_scaling_constants(&self, feature: usize) -> (f64, f64, f64) {
        (self.units[feature], self.origin[feature], self.shift)
    }

    pub(crate) fn unscale(&self, feature: usize, z: f64) -> f64 {
        (z + self.shift) * self.units[feature] + self.origin[feature]
    }
}

/// Smallest and largest value of every feature.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub fn training_range(frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<TrainingRange> {
    Ok(merge_ranges(&compute_partial_ranges(frame, ctl)?, frame.n_columns()))
}

/// For each parallel task, the smallest and the largest value of every feature in its rows.
pub(crate) type FeatureRangesByTask = Vec<(Vec<f64>, Vec<f64>)>;

/// Computes the range of every feature for the rows of each parallel task.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(crate) fn compute_partial_ranges(frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<FeatureRangesByTask> {
    const LANES: usize = 4;
    let n = frame.n_columns();
    let fresh = || (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
    map_row_blocks(frame, ctl, fresh, |(low, high): &mut (Vec<f64>, Vec<f64>), _, parts| {
        for (feature, part) in parts.iter().enumerate() {
            let ColumnBlock::Numbers(values) = part else { continue };
            let (chunks, rest) = values.as_chunks::<LANES>();
            let (mut least, mut most) = ([low[feature]; LANES], [high[feature]; LANES]);
            // A comparison with NaN is false, so missing values do not change the range.
            for chunk in chunks {
                for lane in 0..LANES {
                    least[lane] = if chunk[lane] < least[lane] { chunk[lane] } else { least[lane] };
                    most[lane] = if chunk[lane] > most[lane] { chunk[lane] } else { most[lane] };
                }
            }
            low[feature] = least.iter().chain(rest).fold(low[feature], |a, &b| if b < a { b } else { a });
            high[feature] = most.iter().chain(rest).fold(high[feature], |a, &b| if b > a { b } else { a });
        }
        Ok(())
    })
}

pub(crate) fn merge_ranges(parts: &FeatureRangesByTask, n_features: usize) -> TrainingRange {
    let (mut low, mut high) = (vec![f64::INFINITY; n_features], vec![f64::NEG_INFINITY; n_features]);
    for (least, most) in parts {
        for feature in 0..n_features {
            // 0 and -0 are equal, and the first of them in row order is kept. The result therefore does not
            // depend on the partitioning of the rows.
            low[feature] = if least[feature] < low[feature] { least[feature] } else { low[feature] };
            high[feature] = if most[feature] > high[feature] { most[feature] } else { high[feature] };
        }
    }
    TrainingRange { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::Column;

    #[test]
    fn units_are_half_ranges_or_maximum_absolute_values() {
        let columns =
            [vec![1.0, -3.0, 2.0], vec![4.0; 3], vec![f64::NAN; 3], vec![1e308, -1e308, 0.0], vec![0.0; 3]];
        let nominal = Column::Nominal { codes: &[0, 1, 0], levels: 2 };
        let frame =
            Frame::new(columns.iter().map(|c| Column::from_numbers(c)).chain([nominal]).collect()).unwrap();
        let range = training_range(&frame, RunContext::silent()).unwrap();
        let scale = |scaling| FeatureScale::new(scaling, &range);
        assert_eq!(scale(Scaling::MinMax).units, [2.5, 0.0, 1.0, 1e308, 0.0, 1.0]);
        assert_eq!(scale(Scaling::MaxAbs).units, [3.0, 0.0, 1.0, 1e308, 0.0, 1.0]);
        assert_eq!(scale(Scaling::None).units, [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
        let ends = |scaling| [-3.0, 2.0].map(|x| scale(scaling).scale(0, x));
        assert_eq!((ends(Scaling::MinMax), ends(Scaling::MaxAbs)), ([-1.0, 1.0], [-1.0, 2.0 / 3.0]));
    }
}
