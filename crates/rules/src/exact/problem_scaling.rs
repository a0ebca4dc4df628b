//! Scaling of a table for the optimization problem, and of boxes back to original units.

use crate::drawing_rules::TrainingRange;
use crate::exact::problem::ScaledBox;
use crate::feature_scale::{FeatureScale, Scaling};
use crate::feature_space::{BoxBounds, FeatureSpace};
use imbcore_core::{Column, Error, Frame, Result, RunContext, Schema, memory};
use serde_json::{Value, json};

/// Scaling of a table, and the features that the optimization problem uses.
///
/// These are the features that are not constant in the training rows.
#[derive(Clone, Debug)]
pub(crate) struct ProblemScaling {
    scale: FeatureScale,
    active: Vec<usize>,
}

impl ProblemScaling {
    pub(crate) fn new(scaling: Scaling, range: &TrainingRange) -> Self {
        let scale = FeatureScale::new(scaling, range);
        let n_features = scale.units.len();
        let mut active: Vec<usize> = (0..n_features).filter(|&feature| scale.units[feature] > 0.0).collect();
        if active.is_empty() {
            // If all features are constant, the problem keeps one of them. Its scaled values are all 0, so a
            // box contains all rows or none.
            active.push(0);
        }
        Self { scale, active }
    }

    pub(crate) fn n_problem_features(&self) -> usize {
        self.active.len()
    }

    /// Scaling of each feature of the problem as JSON; a value is `(x - origin) / unit - shift`.
    pub(crate) fn scaling_to_json(&self, schema: &Schema) -> Value {
        let one = |&feature: &usize| {
            let (unit, origin, shift) = self.scale.feature_scaling_constants(feature);
            json!({"feature": schema.feature_name(feature), "origin": origin, "unit": unit, "shift": shift})
        };
        self.active.iter().map(one).collect()
    }

    /// Length of a scaled unit of every feature; 0 for a constant feature.
    pub(crate) fn feature_units(&self) -> &[f64] {
        &self.scale.units
    }

    /// Scaled values of the features of the problem, one vector per feature.
    ///
    /// # Errors
    /// [`Error::Column`] for a nominal column, or if the range of a column overflows, and
    /// [`Error::Cancelled`].
    pub(crate) fn scaled_columns(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<Vec<f64>>> {
        if let Some(column) = frame.columns().iter().position(|c| matches!(c, Column::Nominal { .. })) {
            let message = "is nominal, but Exact Boxes need numbers; encode it as columns of 0 and 1, leave it out, or \
                           use FastBoxesClassifier (method \"fast_boxes\"), which takes levels";
            return Err(Error::Column { column, message: message.into() });
        }
        let scaled = |&feature: &usize| {
            ctl.check()?;
            match &frame.columns()[feature] {
                Column::Numeric(values) => {
                    memory::collect(values.iter().map(|x| self.scale(feature, x)), "copies of columns")
                }
                Column::Nominal { .. } => Ok(Vec::new()),
            }
        };
        let columns = self.active.iter().map(scaled).collect::<Result<Vec<Vec<f64>>>>()?;
        match columns.iter().position(|column| column.iter().any(|z| !z.is_finite())) {
            Some(at) => {
                let message = "has a range that overflows; divide it by a constant".into();
                Err(Error::Column { column: self.active[at], message })
            }
            None => Ok(columns),
        }
    }

    fn scale(&self, feature: usize, x: f64) -> f64 {
        if self.scale.units[feature] > 0.0 { self.scale.scale(feature, x) } else { 0.0 }
    }

    /// Limits for bounds of boxes: 1 below the smallest and 1 above the largest scaled value.
    ///
    /// The authors' program has the same limits.
    pub(crate) fn bound_limits(columns: &[Vec<f64>]) -> (f64, f64) {
        let all = || columns.iter().flatten().copied();
        (all().fold(f64::INFINITY, f64::min) - 1.0, all().fold(f64::NEG_INFINITY, f64::max) + 1.0)
    }

    /// Scales a box, moves its bounds outwards by `wall`, and clamps them to `low..=high`.
    pub(crate) fn to_scaled_box(&self, bounds: &BoxBounds, wall: f64, (low, high): (f64, f64)) -> ScaledBox {
        let place = |feature: usize, x: f64| {
            if x.is_finite() { self.scale(feature, x) } else { x }
        };
        let lower = |&feature: &usize| (place(feature, bounds.lower[feature]) - wall).clamp(low, high);
        let upper = |&feature: &usize| (place(feature, bounds.upper[feature]) + wall).clamp(low, high);
        ScaledBox {
            lower: self.active.iter().map(lower).collect(),
            upper: self.active.iter().map(upper).collect(),
        }
    }

    /// Converts a box to original units such that it contains the same training rows.
    ///
    /// A bound beyond all rows becomes infinite, unless `keep_outer_bounds` is set.
    pub(crate) fn to_box_bounds(
        &self,
        space: &FeatureSpace,
        frame: &Frame<'_>,
        walls: &ScaledBox,
        keep_outer_bounds: bool,
    ) -> BoxBounds {
        let mut bounds = space.unbounded_box();
        for (at, &feature) in self.active.iter().enumerate().filter(|(_, f)| self.scale.units[**f] > 0.0) {
            let Column::Numeric(values) = &frame.columns()[feature] else { continue };
            // Each bound stays between the last row outside and the first row inside, so rounding moves no
            // row across a bound.
            let (mut outer, mut inner) =
                ((f64::NEG_INFINITY, f64::INFINITY), (f64::INFINITY, f64::NEG_INFINITY));
            for x in values.iter() {
                let z = self.scale(feature, x);
                if z < walls.lower[at] {
                    outer.0 = outer.0.max(x);
                } else {
                    inner.0 = inner.0.min(x);
                }
                if z > walls.upper[at] { outer.1 = outer.1.min(x) } else { inner.1 = inner.1.max(x) }
            }
            if outer.0.is_finite() || keep_outer_bounds {
                let lower = self.scale.unscale(feature, walls.lower[at]);
                bounds.lower[feature] = lower.max(outer.0.next_up()).min(inner.0);
            }
            if outer.1.is_finite() || keep_outer_bounds {
                let upper = self.scale.unscale(feature, walls.upper[at]);
                bounds.upper[feature] = upper.min(outer.1.next_down()).max(inner.1);
            }
        }
        bounds
    }
}
