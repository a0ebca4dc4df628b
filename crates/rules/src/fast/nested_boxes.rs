//! Ranking of rows by nested boxes.
//!
//! For fixed clusters the boxes grow as the weight c of negative rows falls. So
//! `s(x) = sup {c : x is positive at c}` ranks rows, and its ROC curve contains the classifiers of all c.
//! `s(x)` is the maximum over boxes of the minimum over the bounds of a box. Without a final adjustment, a
//! bound includes a row at distance d outside the start box if and only if `c <= (P e^-d + beta) e^-d / N`. P
//! and N are the sums over rows for this bound (`bound_sums`), and beta rewards large boxes.

use super::clustered_rows::{ClusteredRows, NO_CLUSTER, write_clusters_of_rows};
use super::sweep::{FastBoxesSweep, FinalAdjustment};
use crate::box_drawing::BoxDrawing;
use crate::feature_space::add_level;
use imbcore_core::{Column, Error, Frame, MISSING, Result, RunContext, parallel};

/// Values of the negative rows.
///
/// With `bound_rule="paper"`, they determine at which weights c of negative rows the boxes contain a given
/// row.
#[derive(Clone, Debug, PartialEq)]
pub struct NegativeValues {
    /// Distinct values of every numeric feature, ascending.
    pub values: Vec<Vec<f64>>,
    /// Levels of the nominal features that occur in negative rows, as bit sets.
    pub levels: Vec<u32>,
}

impl NegativeValues {
    /// Collects the values of the negative rows, which are the rows without a cluster.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub fn collect(groups: &ClusteredRows<'_>, sweep: &FastBoxesSweep, ctl: RunContext<'_>) -> Result<Self> {
        let space = sweep.start.feature_space();
        let mut levels = vec![0; space.n_level_words()];
        let mut values = vec![Vec::new(); space.n_features()];
        let mut take = |first: usize, frame: &Frame<'_>| {
            let mut clusters = Vec::new();
            write_clusters_of_rows(
                &(first..first + frame.n_rows()),
                groups.of,
                &groups.cluster,
                &mut clusters,
            );
            let negative = |row: usize| clusters[row] == NO_CLUSTER;
            for (feature, column) in frame.columns().iter().enumerate() {
                let Column::Nominal { codes, .. } = column else { continue };
                let set = &mut levels[space.level_word_range(feature)];
                let seen = codes.iter().enumerate().filter(|(row, code)| **code != MISSING && negative(*row));
                seen.for_each(|(_, &code)| add_level(set, code));
            }
            parallel::try_map(frame.columns().iter().zip(&mut values), |(column, values)| {
                ctl.check()?;
                if let Column::Numeric(all) = column {
                    let rows = all.iter().enumerate().filter(|(row, x)| !x.is_nan() && negative(*row));
                    values.extend(rows.map(|(_, x)| x));
                }
                Ok(())
            })
            .map(drop)
        };
        groups.rows.for_each_batch(&mut take, ctl)?;
        parallel::try_map(&mut values, |values| {
            ctl.check()?;
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            Ok(())
        })?;
        Ok(Self { values, levels })
    }

    /// Innermost closed-form position from which a bound is moved to `x` or farther out.
    ///
    /// The move is the final adjustment by `bound_rule="paper"`.
    pub(super) fn innermost_bound_reaching(&self, feature: usize, x: f64, upper: bool, eps: f64) -> f64 {
        let values = &self.values[feature];
        // Two values of negative rows next to `x` are needed: the first one at `x` or farther out, and the
        // first one strictly farther in.
        let (out, inner) = if upper {
            let from = values.partition_point(|&value| value < x);
            (values.get(from), from.checked_sub(1).and_then(|index| values.get(index)))
        } else {
            let to = values.partition_point(|&value| value <= x);
            (to.checked_sub(1).and_then(|index| values.get(index)), values.get(to))
        };
        let inner = inner.copied().unwrap_or(if upper { f64::NEG_INFINITY } else { f64::INFINITY });
        let Some(&out) = out else { return inner };
        if eps == 0.0 {
            return inner;
        }
        let reached = if x == out { x } else { out + (x - out) / eps };
        if upper { reached.max(inner) } else { reached.min(inner) }
    }
}

/// Nested sets of boxes, with the data that rank rows.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedBoxes {
    /// Start boxes and, for each of their bounds, the sums over rows that the closed form uses.
    pub sweep: FastBoxesSweep,
    /// Final adjustment of the bounds.
    pub finish: FinalAdjustment,
    /// Expansion parameter.
    pub beta: f64,
    /// Weights of negative rows for which a set of boxes is stored, ascending.
    ///
    /// The last weight may be infinite.
    pub weights: Vec<f64>,
    /// Set of boxes for each weight; it is contained in the set for the next smaller weight.
    pub drawings: Vec<BoxDrawing>,
    /// Values of the negative rows, if exact ranking was requested with `bound_rule="paper"`.
    pub negatives: Option<NegativeValues>,
}

impl NestedBoxes {
    /// Validates arrays of an untrusted file.
    ///
    /// `own` is the index of the set of boxes that predicts the classes.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Format`] describing the violation.
    pub(super) fn check(self, own: usize) -> Result<Self> {
        let space = self.sweep.start.feature_space();
        let sides = self.sweep.start.n_boxes() * space.n_sides();
        let sums = &self.sweep.sums;
        let lengths = self.sweep.units.len() == space.n_features()
            && sums.log_p.len() == sides
            && sums.log_n.len() == sides
            && own < self.weights.len()
            && self.drawings.len() == self.weights.len();
        let numbers = self.sweep.units.iter().all(|unit| unit.is_finite() && *unit >= 0.0)
            && sums.log_p.iter().chain(&sums.log_n).all(|log| !log.is_nan() && *log < f64::INFINITY)
            && self.weights.iter().all(|&c| c > 0.0)
            && self.weights.windows(2).all(|pair| pair[0].ln() < pair[1].ln())
            && (0.0..=1.0).contains(&self.finish.eps)
            && self.beta.is_finite()
            && self.beta >= 0.0;
        if !lengths || !numbers {
            return Err(Error::damaged("the sums or the weights of nested boxes are invalid"));
        }
        let ascending = |values: &Vec<f64>| values.windows(2).all(|pair| pair[0] < pair[1]);
        let negatives = self.negatives.as_ref().is_none_or(|negatives| {
            negatives.values.len() == space.n_features()
                && negatives.levels.len() == space.n_level_words()
                && negatives
                    .values
                    .iter()
                    .all(|values| values.iter().all(|value| !value.is_nan()) && ascending(values))
        });
        if negatives { Ok(self) } else { Err(Error::damaged("the values of the other class are invalid")) }
    }
}
