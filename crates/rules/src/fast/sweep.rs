//! Boxes for many settings of the loss, computed from the same sums over rows.
//!
//! A setting has a weight c of the rows that are not in the cluster, and a reward beta for large boxes.

use super::bound_sums::{LEVEL_DISTANCE, LogBoundSums, compute_bound_sums, smallest_box_per_cluster};
use super::closed_form::{BoundAdjustmentRule, bound_displacement};
use super::clustered_rows::ClusteredRows;
use super::nearest::{NearestValues, find_nearest_values};
use super::sorted_queries::QueryValues;
use crate::box_drawing::BoxDrawing;
use crate::feature_scale::FeatureScale;
use crate::feature_space::{BoxBounds, FeatureAxisType, FeatureSpace, add_level, has_level};
use imbcore_core::{Result, RunContext};

/// The two parameters of the loss that the closed form minimizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossParams {
    /// Weight of the rows that are not in the cluster, above 0.
    ///
    /// If the weight is infinite, the closed form moves outwards only bounds whose sum N is 0.
    pub c: f64,
    /// Expansion parameter, at least 0.
    pub beta: f64,
}

/// Rule and parameter of the final adjustment of bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinalAdjustment {
    /// The rule.
    pub rule: BoundAdjustmentRule,
    /// Distance that a bound keeps from the next row.
    ///
    /// It is a fraction of the gap between the unadjusted bound and this row, in [0, 1].
    pub eps: f64,
}

/// Start boxes, and the sums over rows for each bound.
///
/// Neither depends on the parameters of the loss ([`LossParams`]).
#[derive(Clone, Debug, PartialEq)]
pub struct FastBoxesSweep {
    /// The smallest box around every cluster.
    pub start: BoxDrawing,
    /// Length of a unit of every scaled feature, in original units.
    ///
    /// See [`FeatureScale`](crate::feature_scale::FeatureScale).
    pub units: Vec<f64>,
    /// For each side of each box, the sums P and N over the rows, which the closed form uses.
    pub sums: LogBoundSums,
}

#[derive(Clone, Copy)]
struct BoundPositions {
    start: f64,
    /// Position that minimizes the loss.
    moved: f64,
    /// The outer one of two positions: that of the start box, and `moved`.
    expanded: f64,
}

impl FastBoxesSweep {
    /// Builds the start boxes around the clusters, and computes the sums P and N of each bound.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub fn new(groups: &ClusteredRows<'_>, scale: FeatureScale, ctl: RunContext<'_>) -> Result<Self> {
        let members = groups.cluster_members();
        let start = smallest_box_per_cluster(groups, &scale.units, &members)?;
        let sums = compute_bound_sums(groups, &start, &scale, &members, ctl)?;
        Ok(Self { start, units: scale.units, sums })
    }

    fn side_index(&self, number: usize, feature: usize) -> usize {
        number * self.start.feature_space().n_sides() + self.start.feature_space().first_side_index(feature)
    }

    fn bound_positions(
        &self,
        number: usize,
        feature: usize,
        setting: LossParams,
    ) -> (BoundPositions, BoundPositions) {
        let (lower, upper, _) = self.start.box_arrays(number);
        let side = self.side_index(number, feature);
        let displacement = |side: usize| {
            bound_displacement(self.sums.log_p[side], self.sums.log_n[side], setting.c, setting.beta)
                * self.units[feature]
        };
        let (low, high) = (lower[feature], upper[feature]);
        let (down, up) = (low - displacement(side), high + displacement(side + 1));
        (
            BoundPositions { start: low, moved: down, expanded: if down < low { down } else { low } },
            BoundPositions { start: high, moved: up, expanded: if up > high { up } else { high } },
        )
    }

    fn bounded_features(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let (lower, ..) = self.start.box_arrays(number);
        (0..self.start.feature_space().n_features())
            .filter(move |&feature| lower[feature] > f64::NEG_INFINITY)
    }

    /// Computes the final boxes of every setting; all settings share one search of the rows.
    ///
    /// The bound rule `finish.rule` determines the final positions of the bounds.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub fn drawings_for_settings(
        &self,
        groups: &ClusteredRows<'_>,
        finish: FinalAdjustment,
        settings: &[LossParams],
        ctl: RunContext<'_>,
    ) -> Result<Vec<BoxDrawing>> {
        let found = self.find_next_values(groups, finish, settings, ctl)?;
        let mut place = vec![0; self.start.feature_space().n_features()];
        let mut drawings = Vec::with_capacity(settings.len());
        for &setting in settings {
            if finish.rule == BoundAdjustmentRule::Program {
                // With `bound_rule="program"`, the search starts from the bounds of the start boxes, so all
                // settings share the queries.
                place.fill(0);
            }
            let mut boxes = Vec::with_capacity(self.start.n_boxes());
            for number in 0..self.start.n_boxes() {
                ctl.check()?;
                let mut bounds = self.start.box_bounds(number);
                for feature in self.bounded_features(number) {
                    let (low, high) = self.bound_positions(number, feature, setting);
                    let query = place[feature];
                    place[feature] += 1;
                    let next = |values: &[f64]| values.get(query).copied().unwrap_or_default();
                    bounds.lower[feature] =
                        -finish.adjusted_bound(low.negate_positions(), -next(&found.next[feature].below));
                    bounds.upper[feature] = finish.adjusted_bound(high, next(&found.next[feature].above));
                }
                self.add_levels_to_box(number, &mut bounds, finish, setting, &found.levels);
                boxes.push(bounds);
            }
            drawings.push(BoxDrawing::new(self.start.feature_space().clone(), &boxes)?);
        }
        Ok(drawings)
    }

    /// Finds the data values next to all bounds; the bounds are sorted by setting and box.
    fn find_next_values(
        &self,
        groups: &ClusteredRows<'_>,
        finish: FinalAdjustment,
        settings: &[LossParams],
        ctl: RunContext<'_>,
    ) -> Result<NearestValues> {
        let space = self.start.feature_space();
        let mut asked = vec![QueryValues::default(); space.n_features()];
        let asking = match finish.rule {
            BoundAdjustmentRule::Paper => settings,
            BoundAdjustmentRule::Program => &settings[..settings.len().min(1)],
            BoundAdjustmentRule::Expand | BoundAdjustmentRule::None => {
                return Ok(NearestValues { next: asked, levels: Vec::new() });
            }
        };
        for &setting in asking {
            for number in 0..self.start.n_boxes() {
                ctl.check()?;
                for feature in self.bounded_features(number) {
                    let (low, high) = self.bound_positions(number, feature, setting);
                    let from = |bound: BoundPositions| {
                        if finish.rule == BoundAdjustmentRule::Paper { bound.expanded } else { bound.start }
                    };
                    asked[feature].below.push(from(low));
                    asked[feature].above.push(from(high));
                }
            }
        }
        // If `bound_rule` is `"program"`, all rows are searched. Otherwise, only the negative rows are.
        let but = if finish.rule == BoundAdjustmentRule::Program { &[] } else { groups.of };
        find_nearest_values(groups.rows, space, &asked, but, ctl)
    }

    /// Adds levels to a box.
    ///
    /// A level that the start box does not allow acts as a numeric feature with values 0 and 1 and the upper
    /// bound 0. The level is added if the closed form moves this bound to 1, or if the bound rule adds it.
    fn add_levels_to_box(
        &self,
        number: usize,
        bounds: &mut BoxBounds,
        finish: FinalAdjustment,
        setting: LossParams,
        seen: &[u32],
    ) {
        let space = self.start.feature_space();
        let (_, _, start) = self.start.box_arrays(number);
        for (feature, axis) in space.feature_axis_types().iter().enumerate() {
            let FeatureAxisType::Nominal(levels) = axis else { continue };
            let words = space.level_word_range(feature);
            for level in (0..*levels).filter(|&level| !has_level(&start[words.clone()], level)) {
                let side = self.side_index(number, feature) + level as usize;
                let moved =
                    bound_displacement(self.sums.log_p[side], self.sums.log_n[side], setting.c, setting.beta);
                if moved >= LEVEL_DISTANCE || finish.is_level_added(space, seen, feature, level) {
                    add_level(&mut bounds.sets[words.clone()], level);
                }
            }
        }
    }
}

impl BoundPositions {
    fn negate_positions(self) -> Self {
        Self { start: -self.start, moved: -self.moved, expanded: -self.expanded }
    }
}

impl FinalAdjustment {
    /// The final position of a bound, in a coordinate that increases outwards.
    ///
    /// `next` is the nearest data value farther out, or infinity if there is none.
    fn adjusted_bound(self, bound: BoundPositions, next: f64) -> f64 {
        let keep = |from: f64| next - self.eps * (next - from);
        match self.rule {
            BoundAdjustmentRule::None => bound.moved,
            BoundAdjustmentRule::Expand => bound.expanded,
            BoundAdjustmentRule::Paper | BoundAdjustmentRule::Program if next == f64::INFINITY => {
                f64::INFINITY
            }
            // The maximum is needed because rounding must not move a bound inwards.
            BoundAdjustmentRule::Paper => keep(bound.expanded).max(bound.expanded),
            BoundAdjustmentRule::Program => keep(bound.start).max(bound.start).max(bound.moved),
        }
    }

    /// Whether the bound rule adds a level to a box, regardless of the sums of the level.
    ///
    /// With `bound_rule="paper"` or `"program"`, a level is added if none of the searched rows has it, or if
    /// the parameter `eps` is 0. `"paper"` searches the negative rows, `"program"` all rows.
    pub(crate) fn is_level_added(
        self,
        space: &FeatureSpace,
        seen: &[u32],
        feature: usize,
        level: u32,
    ) -> bool {
        match self.rule {
            BoundAdjustmentRule::Paper | BoundAdjustmentRule::Program => {
                self.eps == 0.0 || !has_level(&seen[space.level_word_range(feature)], level)
            }
            BoundAdjustmentRule::Expand | BoundAdjustmentRule::None => false,
        }
    }
}
