//! Inductive Venn-Abers predictors.
//!
//! Isotonic regression is fitted twice to the calibration rows and the new row. In the first fit, the new row
//! has the label of another class. In the second fit, it has the label of the class. The values of the two
//! fits at the new row are p0 and p1. One of the two is perfectly calibrated for any scores (Vovk, Petej and
//! Fedorova, "Large-scale probabilistic predictors with and without guarantees of validity", 2015).
//!
//! Both depend only on the position of the new score among the calibration scores, so the values for all
//! positions are precomputed.

use super::groups::ScoreGroup;

/// Scores with a smaller relative difference count as equal.
///
/// If columns have few values, new rows often have the same score as a calibration row. An exported model may
/// sum in another order, so its rounding errors must not move a score across a step.
const ALIKE: f64 = 1e-10;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VennAbers {
    /// Step function p0; at the position of a step, it has the larger of the two values.
    lower: StepFunction,
    /// Step function p1; at the position of a step, it has the smaller of the two values.
    upper: StepFunction,
}

/// A step function: `values[i]` applies between `places[i - 1]` and `places[i]`.
#[derive(Clone, Debug, PartialEq)]
struct StepFunction {
    places: Vec<f64>,
    values: Vec<f64>,
}

/// Point of a cumulative sum diagram: total weight, and weight of the rows of the class.
#[derive(Clone, Copy)]
struct CumulativeSumPoint(f64, f64);

impl CumulativeSumPoint {
    fn is_on_or_above_line(self, a: Self, b: Self) -> bool {
        (b.0 - a.0) * (self.1 - a.1) >= (b.1 - a.1) * (self.0 - a.0)
    }
}

impl VennAbers {
    pub(crate) fn fit(groups: &[ScoreGroup]) -> Self {
        let mut p1 = proba_if_positive(groups);
        // A new row above all calibration scores, added as a row of the class, is a group of its own, so p1
        // is 1. Likewise, p0 is 0 below all calibration scores.
        p1.push(1.0);
        let turned: Vec<ScoreGroup> = groups
            .iter()
            .rev()
            .map(|group| ScoreGroup { positive: group.weight - group.positive, ..*group })
            .collect();
        let mut p0: Vec<f64> = proba_if_positive(&turned).into_iter().map(|p| 1.0 - p).collect();
        p0.push(0.0);
        p0.reverse();
        let known: Vec<f64> = groups.iter().map(|group| group.score).collect();
        Self {
            lower: StepFunction::new(&step_positions_below_scores(&known), &p0),
            upper: StepFunction::new(&step_positions_above_scores(&known), &p1),
        }
    }

    pub(crate) fn interval(&self, score: f64) -> (f64, f64) {
        let lower = self.lower.places.partition_point(|place| *place <= score);
        let upper = self.upper.places.partition_point(|place| *place < score);
        (self.lower.values[lower], self.upper.values[upper])
    }

    /// Probability between p0 and p1 that minimizes the maximum regret under log loss.
    ///
    /// Vovk, Petej and Fedorova 2015, section 4.
    pub(crate) fn calibrate(&self, score: f64) -> f64 {
        let (p0, p1) = self.interval(score);
        p1 / (1.0 - p0 + p1)
    }

    pub(super) fn step_functions(&self) -> [(&[f64], &[f64]); 2] {
        [&self.lower, &self.upper].map(|steps| (&*steps.places, &*steps.values))
    }

    /// Numbers for a model file: number of steps of p0, then positions and values of p0 and p1.
    pub(crate) fn parameters(&self) -> Vec<f64> {
        let Self { lower, upper } = self;
        let n_lower = [lower.places.len() as f64];
        [&n_lower[..], &lower.places, &lower.values, &upper.places, &upper.values].concat()
    }

    pub(crate) fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let (&n_lower, numbers) = numbers.split_first()?;
        if !(0.0..=numbers.len() as f64).contains(&n_lower) {
            return None;
        }
        #[allow(clippy::cast_sign_loss)]
        let (lower, upper) = numbers.split_at_checked(2 * n_lower as usize + 1)?;
        Some(Self {
            lower: StepFunction::from_parameters(lower)?,
            upper: StepFunction::from_parameters(upper)?,
        })
    }
}

impl StepFunction {
    /// Creates the step function with steps at `places`; it has one more value than steps.
    ///
    /// Steps at which the value does not change are left out.
    fn new(places: &[f64], values: &[f64]) -> Self {
        let mut steps = Self { places: Vec::new(), values: vec![values[0]] };
        for (place, pair) in places.iter().zip(values.windows(2)) {
            if pair[0] != pair[1] {
                steps.places.push(*place);
                steps.values.push(pair[1]);
            }
        }
        steps
    }

    fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let (places, values) = numbers.split_at(numbers.len() / 2);
        let rising = places.is_sorted_by(|a, b| a < b) && values.is_sorted();
        let sound = numbers.iter().all(|x| (0.0..=1.0).contains(x)) && values.len() == places.len() + 1;
        (sound && rising).then(|| Self { places: places.to_vec(), values: values.to_vec() })
    }
}

/// Returns a step position slightly below each of the ascending scores.
/// The relative distance is [`ALIKE`], but at most half of the distance to the previous score.
fn step_positions_below_scores(scores: &[f64]) -> Vec<f64> {
    let before = std::iter::once(f64::NEG_INFINITY).chain(scores.iter().copied());
    let place = |(before, &score): (f64, &f64)| {
        let place = (score - ALIKE * score).max(f64::midpoint(before, score));
        if place > before { place } else { score }
    };
    before.zip(scores).map(place).collect()
}

/// Returns a step position slightly above each of the ascending scores.
///
/// The relative distance is limited as in [`step_positions_below_scores`].
fn step_positions_above_scores(scores: &[f64]) -> Vec<f64> {
    let behind = scores.iter().skip(1).copied().chain([f64::INFINITY]);
    let place = |(&score, behind): (&f64, f64)| {
        let place = (score + ALIKE * score).min(f64::midpoint(score, behind)).min(1.0);
        if place < behind { place } else { score }
    };
    scores.iter().zip(behind).map(place).collect()
}

/// For each group, the isotonic value at its score if a new positive row has this score.
///
/// The value is a slope of the greatest convex minorant of the cumulative sums (Vovk, Petej and Fedorova
/// 2015, algorithms 1 and 2). The new row has weight 1. Instead of adding 1 to the sums to its right, 1 is
/// subtracted from the sums to its left, which gives the same slopes. A new row between two groups is pooled
/// with the upper group, because its own value, 1, is the largest.
fn proba_if_positive(groups: &[ScoreGroup]) -> Vec<f64> {
    let mut sums = vec![CumulativeSumPoint(0.0, 0.0)];
    for group in groups {
        let &CumulativeSumPoint(weight, positive) = sums.last().unwrap_or(&CumulativeSumPoint(0.0, 0.0));
        sums.push(CumulativeSumPoint(weight + group.weight, positive + group.positive));
    }
    let moved = |sum: &CumulativeSumPoint| CumulativeSumPoint(sum.0 - 1.0, sum.1 - 1.0);
    // `corners` has the vertices of the minorant from right to left. The first minorant is that for a new row
    // in the first group.
    let mut corners = Vec::new();
    for &sum in sums[1..].iter().rev() {
        push_hull_vertex(&mut corners, sum);
    }
    push_hull_vertex(&mut corners, moved(&sums[0]));
    let mut slopes: Vec<f64> = Vec::with_capacity(groups.len());
    for sum in &sums[1..] {
        let [.., right, left] = corners[..] else { break };
        let slope = ((right.1 - left.1) / (right.0 - left.0)).clamp(0.0, 1.0);
        slopes.push(slopes.last().map_or(slope, |before| slope.max(*before)));
        let next = moved(sum);
        if !next.is_on_or_above_line(left, right) {
            corners.pop();
            push_hull_vertex(&mut corners, next);
        }
    }
    slopes
}

fn push_hull_vertex(corners: &mut Vec<CumulativeSumPoint>, left: CumulativeSumPoint) {
    while let [.., right, middle] = corners[..] {
        if !middle.is_on_or_above_line(left, right) {
            break;
        }
        corners.pop();
    }
    corners.push(left);
}

#[cfg(test)]
mod tests {
    use super::super::isotonic::Isotonic;
    use super::*;

    fn groups(rows: &[(f64, f64, f64)]) -> Vec<ScoreGroup> {
        rows.iter().map(|&(score, weight, positive)| ScoreGroup { score, weight, positive }).collect()
    }

    fn defined(groups: &[ScoreGroup], score: f64, positive: f64) -> f64 {
        let mut all = groups.to_vec();
        match all.iter_mut().find(|group| group.score == score) {
            Some(group) => {
                group.weight += 1.0;
                group.positive += positive;
            }
            None => all.push(ScoreGroup { score, weight: 1.0, positive }),
        }
        all.sort_by(|a, b| a.score.total_cmp(&b.score));
        Isotonic::fit(&all).calibrate(score)
    }

    fn agrees(groups: &[ScoreGroup]) {
        let found = VennAbers::fit(groups);
        for score in (0..=40).map(|k| f64::from(k) / 40.0) {
            let (low, high) = found.interval(score);
            let (p0, p1) = (defined(groups, score, 0.0), defined(groups, score, 1.0));
            assert!((low - p0).abs() < 1e-12 && (high - p1).abs() < 1e-12, "{score} {low} {p0} {high} {p1}");
        }
    }

    #[test]
    fn hand_worked_interval() {
        // There is a negative row at 0.2 and a positive row at 0.6. For a new row at 0.4, p0 pools it with
        // the negative row, and p1 pools it with the positive row.
        let found = VennAbers::fit(&groups(&[(0.2, 1.0, 0.0), (0.6, 1.0, 1.0)]));
        assert_eq!(found.interval(0.4), (0.0, 1.0));
        assert_eq!(found.interval(0.6), (0.5, 1.0));
        assert_eq!((found.interval(0.1), found.calibrate(0.4)), ((0.0, 0.5), 0.5));
        assert!((found.calibrate(0.6) - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn scores_within_rounding_equal_those_of_the_calibration_rows() {
        let next = 0.3_f64.next_up();
        let tight = [0.3, next, next.next_up(), 0.3 + 1e-14];
        let wide = [0.0, 1e-13, 3e-13, 0.2, 0.9, 1.0 - 1e-15, 1.0];
        for scores in [&tight[..], &wide] {
            let rows: Vec<(f64, f64, f64)> =
                scores.iter().enumerate().map(|(at, &score)| (score, 1.0, (at % 2) as f64)).collect();
            let groups = groups(&rows);
            let found = VennAbers::fit(&groups);
            assert_eq!(VennAbers::from_parameters(&found.parameters()), Some(found.clone()));
            for &score in scores {
                let (low, high) = found.interval(score);
                let (p0, p1) = (defined(&groups, score, 0.0), defined(&groups, score, 1.0));
                assert!((low - p0).abs() < 1e-12 && (high - p1).abs() < 1e-12, "{score}");
            }
            for score in wide.into_iter().filter(|score| scores == wide && *score < 0.95) {
                for other in [score * (1.0 - 1e-13), score * (1.0 + 1e-13)] {
                    assert_eq!(found.interval(other), found.interval(score), "{score}");
                }
            }
        }
    }

    #[test]
    fn both_are_isotonic_regressions_with_one_row_more() {
        let mut state = 7_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for size in 1..40 {
            let places: Vec<f64> =
                (0..=20).filter(|_| draw(40) < size).map(|k| f64::from(k) / 20.0).collect();
            for unit in [1.0, 0.3] {
                let group = |score: &f64| {
                    let weight = 1 + draw(4);
                    ScoreGroup {
                        score: *score,
                        weight: unit * f64::from(weight),
                        positive: unit * f64::from(draw(weight + 1)),
                    }
                };
                let rows: Vec<ScoreGroup> = places.iter().map(group).collect();
                if !rows.is_empty() {
                    agrees(&rows);
                }
            }
        }
    }
}
