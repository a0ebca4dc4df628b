//! The sums P and N of every bound of the start boxes, which the closed form uses.
//!
//! P is a sum over the rows of the cluster of the box, N over all other rows. They depend neither on the
//! weight c nor on the expansion parameter beta. The sums of the lower bound `l` of feature `j` of box `k`
//! are (Goh and Rudin 2014, propositions 1 and 2):
//! - `P = sum exp(-(x_j - l))` over the rows of cluster `k` in the lower half of the box;
//! - `N = sum exp((x_j - l) - sum_{p != j} d_p)` over all other rows below `l`, and over all other rows
//!   inside the box in its lower half. `d_p` is the distance of `x_p` outside the box.
//!
//! Let `D = sum_p d_p` be the L1 distance of a row to the box. The exponent of a row below `l` is `-D`, and
//! it is the same for all bounds that the row violates. So one exponential per row and box is enough. Only
//! rows inside the box, which are few, need one exponential per bound. The upper bound of `x` is the lower
//! bound of `-x`. The cost is rows times boxes times features, in blocks of rows. See [`super::closed_form`]
//! for the use of the sums.
//!
//! Each level that the start box does not allow also acts as a bound. Its distance is the full width of a
//! scaled numeric feature. A missing value adds no distance, and its row is ignored for the bounds of this
//! feature.

use super::clustered_rows::{ClusteredRows, write_clusters_of_rows};
use super::exponential::exp_of_negative;
use super::simd::{BoundsAndFeatureValues, add_distances_to_box, select_or_zero, sums_outside_interval};
use crate::box_drawing::BoxDrawing;
use crate::feature_scale::FeatureScale;
use crate::feature_space::{BoxBounds, FeatureAxisType, FeatureSpace, add_level, has_level};
use crate::row_pass::{PartitionRequestKind, RowPass, run_pass};
use crate::row_source::{ColumnBlock, RowSource};
use imbcore_core::{Column, MISSING, Result, RunContext, parallel};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// Distance of a level that a box does not allow: the width of a feature scaled to [-1, 1].
pub(crate) const LEVEL_DISTANCE: f64 = 2.0;

/// Sums below this number are computed again if a row is farther than [`FAR`] from the box.
///
/// The second computation uses log-sum-exp. In the first computation, terms of distant rows may have
/// underflowed.
const TINY: f64 = 1e-250;

/// Distance from a box beyond which the term `e^-distance` of a row is below [`TINY`].
const FAR: f64 = 600.0;

/// Logarithms of the two sums over rows (P and N) of each bound, `n_boxes x n_sides`.
///
/// A logarithm is minus infinity if no row adds a term to the sum.
#[derive(Clone, Debug, PartialEq)]
pub struct LogBoundSums {
    /// Logarithms of P, the sums over the rows of the cluster of the box.
    pub log_p: Vec<f64>,
    /// Logarithms of N, the sums over all rows outside of the cluster of the box.
    pub log_n: Vec<f64>,
}

/// Builds the smallest box around every cluster.
///
/// A numeric feature that is constant in the table has no bounds. The same holds for any feature that is
/// missing in all rows of the cluster.
pub(crate) fn smallest_box_per_cluster(
    groups: &ClusteredRows<'_>,
    units: &[f64],
    members: &[Vec<usize>],
) -> Result<BoxDrawing> {
    let space = FeatureSpace::from_frame(&groups.positives);
    let around = |rows: &Vec<usize>| {
        let mut bounds = space.unbounded_box();
        for (feature, column) in groups.positives.columns().iter().enumerate() {
            match column {
                Column::Numeric(values) if units[feature] > 0.0 => {
                    let present = || rows.iter().map(|&row| values.get(row)).filter(|x| !x.is_nan());
                    if present().next().is_some() {
                        bounds.lower[feature] = present().fold(f64::INFINITY, f64::min);
                        bounds.upper[feature] = present().fold(f64::NEG_INFINITY, f64::max);
                    }
                }
                Column::Numeric(_) => {}
                Column::Nominal { codes, .. } => {
                    let present = || rows.iter().map(|&row| codes[row]).filter(|code| *code != MISSING);
                    if present().next().is_some() {
                        let set = &mut bounds.sets[space.level_word_range(feature)];
                        set.fill(0);
                        present().for_each(|level| add_level(set, level));
                    }
                }
            }
        }
        bounds
    };
    let boxes: Vec<BoxBounds> = parallel::map(members, around);
    BoxDrawing::new(space, &boxes)
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct BoundSumsPass<'a> {
    start: Cow<'a, BoxDrawing>,
    scale: Cow<'a, FeatureScale>,
    per_unit: Vec<f64>,
    /// Row numbers of the positive rows; `cluster` has the cluster of each of these rows.
    of: Cow<'a, [usize]>,
    cluster: Cow<'a, [u32]>,
    #[serde(skip)]
    weights: Option<&'a [f64]>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PartialBoundSums {
    sums: Vec<f64>,
    far: Vec<usize>,
    #[serde(skip)]
    scratch: SumsScratch,
}

impl RowPass for BoundSumsPass<'_> {
    const KIND: PartitionRequestKind = PartitionRequestKind::Sums;
    type Part = PartialBoundSums;

    fn new_partial_result(&self) -> PartialBoundSums {
        let n = self.start.n_boxes() * self.start.feature_space().n_sides();
        PartialBoundSums { sums: vec![0.0; n], far: Vec::new(), scratch: SumsScratch::default() }
    }

    fn add_block(&self, part: &mut PartialBoundSums, rows: Range<usize>, blocks: &[ColumnBlock<'_>]) {
        let PartialBoundSums { sums, far, scratch } = part;
        write_clusters_of_rows(&rows, &self.of, &self.cluster, &mut scratch.cluster);
        for (number, sums) in sums.chunks_exact_mut(self.start.feature_space().n_sides()).enumerate() {
            self.compute_distances(number, &rows, blocks, scratch);
            if scratch.distance.iter().any(|&distance| distance > FAR) && !far.contains(&number) {
                far.push(number);
            }
            self.add_terms_to_sums(number, &rows, blocks, scratch, sums);
        }
    }
}

/// Pass that computes the sums N of one box without overflow and underflow.
///
/// It is run twice. The first run finds the largest exponent of every sum. The second run subtracts it from
/// the exponents of the sum before it adds the exponentials.
#[derive(Serialize, Deserialize)]
pub(crate) struct LogSumExpPass<'a> {
    summing: Cow<'a, BoundSumsPass<'a>>,
    number: usize,
    largest: Option<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PartialLogSums {
    values: Vec<f64>,
    #[serde(skip)]
    scratch: SumsScratch,
}

impl RowPass for LogSumExpPass<'_> {
    const KIND: PartitionRequestKind = PartitionRequestKind::Terms;
    type Part = PartialLogSums;

    fn new_partial_result(&self) -> PartialLogSums {
        let start = if self.largest.is_some() { 0.0 } else { f64::NEG_INFINITY };
        let n_sides = self.summing.start.feature_space().n_sides();
        PartialLogSums { values: vec![start; n_sides], scratch: SumsScratch::default() }
    }

    fn add_block(&self, part: &mut PartialLogSums, rows: Range<usize>, blocks: &[ColumnBlock<'_>]) {
        let PartialLogSums { values, scratch } = part;
        write_clusters_of_rows(&rows, &self.summing.of, &self.summing.cluster, &mut scratch.cluster);
        self.summing.compute_distances(self.number, &rows, blocks, scratch);
        self.summing.for_each_sum_term(self.number, &rows, blocks, scratch, |side, exponent, weight| {
            let value = &mut values[side];
            match &self.largest {
                None => *value = value.max(exponent),
                Some(largest) if exponent > f64::NEG_INFINITY => {
                    *value += weight * (exponent - largest[side]).exp();
                }
                Some(_) => {}
            }
        });
    }
}

/// Midpoint of a start box in one feature.
///
/// A value at the midpoint is in both halves of the box. A missing value is in neither half.
struct BoxMidpoint<'a> {
    scale: &'a FeatureScale,
    feature: usize,
    at: f64,
}

impl BoxMidpoint<'_> {
    fn is_in_lower_half(&self, x: f64) -> bool {
        self.scale.scale(self.feature, x) <= self.at
    }

    fn is_in_upper_half(&self, x: f64) -> bool {
        self.scale.scale(self.feature, x) >= self.at
    }
}

/// Computes the sums P and N of each bound of each box.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(crate) fn compute_bound_sums(
    groups: &ClusteredRows<'_>,
    start: &BoxDrawing,
    scale: &FeatureScale,
    members: &[Vec<usize>],
    ctl: RunContext<'_>,
) -> Result<LogBoundSums> {
    let per_unit = scale.units.iter().map(|unit| if *unit > 0.0 { 1.0 / unit } else { 0.0 }).collect();
    let summing = BoundSumsPass {
        start: Cow::Borrowed(start),
        scale: Cow::Borrowed(scale),
        per_unit,
        of: Cow::Borrowed(groups.of),
        cluster: Cow::Borrowed(&groups.cluster),
        weights: groups.weights.as_deref(),
    };
    let cluster_sums =
        |(number, rows): (usize, &Vec<usize>)| summing.log_sums_of_cluster(number, rows, groups, ctl);
    let log_p = parallel::try_map(members.iter().enumerate(), cluster_sums)?;
    let log_n = summing.log_sums_of_other_rows(groups.rows, ctl)?;
    Ok(LogBoundSums { log_p: log_p.concat(), log_n })
}

impl BoundSumsPass<'_> {
    fn box_midpoint(&self, number: usize, feature: usize) -> BoxMidpoint<'_> {
        let (lower, upper, _) = self.start.box_arrays(number);
        let scaled = |x| self.scale.scale(feature, x);
        let at = f64::midpoint(scaled(lower[feature]), scaled(upper[feature]));
        BoxMidpoint { scale: &self.scale, feature, at }
    }

    fn log_sums_of_cluster(
        &self,
        number: usize,
        rows: &[usize],
        groups: &ClusteredRows<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let space = self.start.feature_space();
        let (lower, upper, _) = self.start.box_arrays(number);
        let mut sums = vec![0.0; space.n_sides()];
        for (feature, column) in groups.positives.columns().iter().enumerate() {
            ctl.check()?;
            let side = space.first_side_index(feature);
            match column {
                Column::Numeric(values) => {
                    let middle = self.box_midpoint(number, feature);
                    for &place in rows {
                        let (x, weight) = (values.get(place), groups.positive_row_weight(place));
                        let near = |inwards: f64| weight * (-inwards * self.per_unit[feature]).exp();
                        sums[side] += if middle.is_in_lower_half(x) { near(x - lower[feature]) } else { 0.0 };
                        sums[side + 1] +=
                            if middle.is_in_upper_half(x) { near(upper[feature] - x) } else { 0.0 };
                    }
                }
                Column::Nominal { codes, levels } => {
                    let present = rows.iter().filter(|&&place| codes[place] != MISSING);
                    let total: f64 = present.map(|&place| groups.positive_row_weight(place)).sum();
                    sums[side..side + *levels as usize].fill(total);
                }
            }
        }
        Ok(sums.into_iter().map(f64::ln).collect())
    }

    fn log_sums_of_other_rows(&self, table: &dyn RowSource, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n_sides = self.start.feature_space().n_sides();
        let n_boxes = self.start.n_boxes();
        let mut sums = vec![0.0; n_boxes * n_sides];
        let mut far = vec![false; n_boxes];
        for part in run_pass(table, self, ctl)? {
            sums.iter_mut().zip(part.sums).for_each(|(sum, part)| *sum += part);
            part.far.into_iter().for_each(|number| far[number] = true);
        }
        let mut logs: Vec<f64> = sums.iter().map(|sum: &f64| sum.ln()).collect();
        for (number, &far) in far.iter().enumerate() {
            let cells = number * n_sides..(number + 1) * n_sides;
            // A sum overflows if a row is many scaled units inside a box.
            let wrong = |sum: f64| far && sum < TINY || sum == f64::INFINITY;
            if sums[cells.clone()].iter().any(|&sum| wrong(sum)) {
                let exact = self.log_sums_of_box(number, table, ctl)?;
                for ((log, sum), exact) in logs[cells.clone()].iter_mut().zip(&sums[cells]).zip(exact) {
                    *log = if wrong(*sum) { exact } else { *log };
                }
            }
        }
        Ok(logs)
    }

    /// Computes the L1 distance of every row of a block to a start box, in scaled units.
    fn compute_distances(
        &self,
        number: usize,
        rows: &Range<usize>,
        parts: &[ColumnBlock<'_>],
        scratch: &mut SumsScratch,
    ) {
        let (lower, upper, sets) = self.start.box_arrays(number);
        scratch.distance.clear();
        scratch.distance.resize(rows.len(), 0.0);
        let mut walls = Vec::with_capacity(parts.len());
        for (feature, part) in parts.iter().enumerate() {
            match part {
                ColumnBlock::Numbers(values) => walls.push(BoundsAndFeatureValues {
                    values,
                    low: lower[feature],
                    high: upper[feature],
                    per_unit: self.per_unit[feature],
                }),
                ColumnBlock::Codes(codes) => {
                    let set = &sets[self.start.feature_space().level_word_range(feature)];
                    for (distance, &code) in scratch.distance.iter_mut().zip(*codes) {
                        let lacks = code != MISSING && !has_level(set, code);
                        *distance += if lacks { LEVEL_DISTANCE } else { 0.0 };
                    }
                }
            }
        }
        // Four features share one loop, so that each distance is read and written once for all four.
        let (fours, rest) = walls.as_chunks::<4>();
        for walls in fours {
            add_distances_to_box(walls, &mut scratch.distance);
        }
        for walls in rest {
            add_distances_to_box(&[*walls], &mut scratch.distance);
        }
    }

    /// Computes in `pull` the term that each row adds to the sums of the bounds that it violates.
    ///
    /// Also lists the rows inside the box that do not belong to the cluster of the box.
    fn compute_row_terms(&self, number: usize, rows: &Range<usize>, scratch: &mut SumsScratch) {
        let cluster = &scratch.cluster;
        let own_cluster = number as u32;
        scratch.pull.resize(rows.len(), 0.0);
        exp_of_negative(&scratch.distance, &mut scratch.pull);
        if let Some(weights) = self.weights {
            scratch.pull.iter_mut().zip(&weights[rows.clone()]).for_each(|(pull, weight)| *pull *= weight);
        }
        for (pull, &cluster) in scratch.pull.iter_mut().zip(cluster) {
            *pull = select_or_zero(cluster != own_cluster, *pull);
        }
        scratch.inside.clear();
        let near = scratch.distance.iter().enumerate().filter(|(_, distance)| **distance == 0.0);
        scratch.inside.extend(near.map(|(place, _)| place).filter(|&place| cluster[place] != own_cluster));
    }

    fn row_weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    fn add_terms_to_sums(
        &self,
        number: usize,
        rows: &Range<usize>,
        parts: &[ColumnBlock<'_>],
        scratch: &mut SumsScratch,
        sums: &mut [f64],
    ) {
        self.compute_row_terms(number, rows, scratch);
        let space = self.start.feature_space();
        let (lower, upper, _) = self.start.box_arrays(number);
        for (feature, part) in parts.iter().enumerate() {
            let side = space.first_side_index(feature);
            match part {
                ColumnBlock::Numbers(values) => {
                    let (low, high) = (lower[feature], upper[feature]);
                    let (below, above) = sums_outside_interval(values, &scratch.pull, low, high);
                    sums[side] += below;
                    sums[side + 1] += above;
                    let middle = self.box_midpoint(number, feature);
                    let per_unit = self.per_unit[feature];
                    for &place in scratch.inside.iter().filter(|_| low > f64::NEG_INFINITY) {
                        let (x, weight) = (values[place], self.row_weight(rows.start + place));
                        let term = |inwards: f64| weight * (inwards * per_unit).exp();
                        sums[side] += if middle.is_in_lower_half(x) { term(x - low) } else { 0.0 };
                        sums[side + 1] += if middle.is_in_upper_half(x) { term(high - x) } else { 0.0 };
                    }
                }
                ColumnBlock::Codes(codes) => {
                    let FeatureAxisType::Nominal(levels) = space.feature_axis_types()[feature] else {
                        continue;
                    };
                    let sums = &mut sums[side..side + levels as usize];
                    for (&code, pull) in codes.iter().zip(&scratch.pull).filter(|(code, _)| **code != MISSING)
                    {
                        // Only levels that the box excludes are candidates for expansion. The sums of the
                        // other levels are never used.
                        sums[code as usize] += pull;
                    }
                    let present = scratch.inside.iter().filter(|&&place| codes[place] != MISSING);
                    let inside: f64 = present.map(|&place| self.row_weight(rows.start + place)).sum();
                    for sum in sums {
                        *sum += inside;
                    }
                }
            }
        }
    }

    /// Logarithms of the sums N of one box, by log-sum-exp.
    ///
    /// Log-sum-exp is slower than a plain sum, but it cannot overflow or underflow.
    fn log_sums_of_box(&self, number: usize, table: &dyn RowSource, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n_sides = self.start.feature_space().n_sides();
        let mut terms = LogSumExpPass { summing: Cow::Borrowed(self), number, largest: None };
        let mut largest = vec![f64::NEG_INFINITY; n_sides];
        for part in run_pass(table, &terms, ctl)? {
            largest.iter_mut().zip(part.values).for_each(|(most, part)| *most = most.max(part));
        }
        terms.largest = Some(largest.clone());
        let mut sums = vec![0.0; n_sides];
        for part in run_pass(table, &terms, ctl)? {
            sums.iter_mut().zip(part.values).for_each(|(sum, part)| *sum += part);
        }
        Ok(sums
            .iter()
            .zip(&largest)
            .map(|(sum, most)| if *sum > 0.0 { sum.ln() + most } else { *most })
            .collect())
    }

    /// Calls `term` for each term that a row of the block adds to a sum N.
    ///
    /// The arguments of `term` are the side of the box, the exponent, and the weight of the row.
    fn for_each_sum_term(
        &self,
        number: usize,
        rows: &Range<usize>,
        parts: &[ColumnBlock<'_>],
        scratch: &SumsScratch,
        mut term: impl FnMut(usize, f64, f64),
    ) {
        let space = self.start.feature_space();
        let (lower, upper, sets) = self.start.box_arrays(number);
        for (place, (row, &distance)) in rows.clone().zip(&scratch.distance).enumerate() {
            if scratch.cluster[place] == number as u32 {
                continue;
            }
            let weight = self.row_weight(row);
            for (feature, part) in parts.iter().enumerate() {
                let side = space.first_side_index(feature);
                match part {
                    ColumnBlock::Numbers(values) => {
                        let (x, low, high) = (values[place], lower[feature], upper[feature]);
                        let inside = distance == 0.0 && low > f64::NEG_INFINITY;
                        let middle = self.box_midpoint(number, feature);
                        if x < low {
                            term(side, -distance, weight);
                        } else if inside && middle.is_in_lower_half(x) {
                            term(side, (x - low) * self.per_unit[feature], weight);
                        }
                        if x > high {
                            term(side + 1, -distance, weight);
                        } else if inside && middle.is_in_upper_half(x) {
                            term(side + 1, (high - x) * self.per_unit[feature], weight);
                        }
                    }
                    ColumnBlock::Codes(codes) => {
                        let FeatureAxisType::Nominal(levels) = space.feature_axis_types()[feature] else {
                            continue;
                        };
                        let (code, set) = (codes[place], &sets[space.level_word_range(feature)]);
                        if code != MISSING && !has_level(set, code) {
                            term(side + code as usize, -distance, weight);
                        } else if code != MISSING && distance == 0.0 {
                            (0..levels).for_each(|level| term(side + level as usize, 0.0, weight));
                        }
                    }
                }
            }
        }
    }
}

#[derive(Default)]
struct SumsScratch {
    cluster: Vec<u32>,
    distance: Vec<f64>,
    pull: Vec<f64>,
    inside: Vec<usize>,
}
