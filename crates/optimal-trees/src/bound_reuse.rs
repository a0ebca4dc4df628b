//! Reuse of lower bounds: bounds found at one cost ratio imply bounds at other cost ratios.
//!
//! The least cost of a tree over some rows is a concave function of the costs of the two kinds of errors, and
//! proportional to their scale. Bounds on the children of a split at two cost ratios therefore imply bounds
//! at every ratio between them. Costs are integers, so these bounds are rounded up. The search for a ROC hull
//! solves many neighboring cost ratios, and most splits are ruled out at all of them.

use crate::feature_cuts::{CutBounds, FeatureCuts};
use crate::prefix_extremes::{max_number, min_number};
use multiversion::multiversion;
use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of root cut points for which bounds are stored.
///
/// With more cut points, no bounds are stored. The bounds of this many cut points take 4 MB per cost ratio.
const MOST_CUTS: usize = 1 << 18;

#[derive(Clone, Debug)]
pub(crate) struct ChildBounds {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Lower bounds at one cost ratio on the cost of both children of every root split.
///
/// The bounds include the unavoidable cost: that of the cheapest prediction of each row.
#[derive(Clone, Debug)]
pub(crate) struct SplitBoundTable {
    pub(crate) prices: (f64, f64),
    pub(crate) lines: Vec<ChildBounds>,
    /// Index of the certificate claim that states these bounds; `None` if there is no such claim.
    pub(crate) claim: Option<usize>,
}

/// Result of a search at one cost ratio, which implies bounds on all splits of the rows.
#[derive(Clone, Debug)]
pub(crate) enum CostRatioSearchResult {
    /// Bounds at the evaluated cut points only, because the search had no earlier bounds.
    Ends(EvaluatedCutBounds),
    /// Bounds at all cut points, from earlier bounds and the bounds at evaluated cut points.
    All(SplitBoundTable),
}

#[derive(Clone, Debug)]
pub(crate) struct EvaluatedCutBounds {
    prices: (f64, f64),
    /// For each list of cuts, the fields `most` and `base` of its [`FeatureCuts`].
    ///
    /// For each cut, `base` has the unavoidable cost of the left child, and `most` has its largest possible
    /// cost minus the unavoidable cost.
    sums: Vec<(Vec<f64>, Vec<f64>)>,
    looked: Vec<Vec<CutBounds>>,
    base: f64,
}

/// Lower bounds on the cost of children, derived from searches at other cost ratios.
///
/// The bounds exclude the unavoidable cost: that of the cheapest prediction of each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedChildBounds {
    lines: Vec<ChildBounds>,
    /// Indices of the two certificate claims from whose bounds these bounds were interpolated.
    ///
    /// The first claim has the next smaller cost ratio, the second the next larger one. An index is `None` if
    /// no claim states the bounds at that ratio. The field is `None` without bounds.
    pub(crate) between: Option<[Option<usize>; 2]>,
}

impl ChildBounds {
    fn zeros(n_cuts: usize) -> Self {
        Self { left: vec![0.0; n_cuts], right: vec![0.0; n_cuts] }
    }

    /// Adds the bounds of evaluated cut points, and propagates them to the other cut points.
    ///
    /// If rows are added to a child, the least cost of the child does not fall. If rows are removed from a
    /// child, its least cost falls by at most the largest cost of these rows. Propagation stops at the first
    /// cut point whose bound does not rise, because earlier bounds were already propagated. The stop may miss
    /// higher bounds, but the bounds remain valid.
    fn propagate_evaluated_bounds(self, most: &[f64], ends: &[CutBounds]) -> Self {
        let n = most.len();
        let Self { mut left, mut right } = self;
        let cuts = || ends.iter().filter(|end| (1..=n).contains(&end.place)).map(|end| (end.place - 1, end));
        for (cut, end) in cuts() {
            left[cut] = left[cut].max(end.left);
            right[cut] = right[cut].max(end.right);
        }
        let step = |one: usize, other: usize| (most[other] - most[one]).abs();
        for (cut, _) in cuts() {
            propagate_bounds(&mut left, (cut, cut + 1..n), |_, _| 0.0);
            propagate_bounds(&mut right, (cut, cut + 1..n), step);
            propagate_bounds(&mut left, (cut, (0..cut).rev()), step);
            propagate_bounds(&mut right, (cut, (0..cut).rev()), |_, _| 0.0);
        }
        Self { left, right }
    }

    /// `base` is the unavoidable cost of the left child of each cut, and `all` that of all rows.
    fn add_unavoidable_costs(mut self, base: &[f64], all: f64) -> Self {
        for (cut, first) in base.iter().enumerate() {
            self.left[cut] += first;
            self.right[cut] += all - first;
        }
        self
    }
}

impl SplitBoundTable {
    /// Returns bounds of 0, which hold if false positives or false negatives cost nothing.
    fn zero_bounds<const K: usize>(prices: (f64, f64), lines: &[FeatureCuts<'_, K>]) -> Self {
        let lines = lines.iter().map(|line| ChildBounds::zeros(line.n_cuts())).collect();
        Self { prices, lines, claim: None }
    }

    /// Computes the bounds of all cut points from the bounds of the evaluated cut points.
    ///
    /// Returns `None` if there are more than [`MOST_CUTS`] cut points.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        lines: &[FeatureCuts<'_, K>],
        looked: &[Vec<CutBounds>],
        hint: DerivedChildBounds,
        base: f64,
    ) -> Option<Self> {
        if lines.iter().map(FeatureCuts::n_cuts).sum::<usize>() > MOST_CUTS {
            return None;
        }
        let bounds_of_line =
            |((line, ends), before): ((&FeatureCuts<'_, K>, &Vec<CutBounds>), ChildBounds)| {
                before.propagate_evaluated_bounds(&line.most, ends).add_unavoidable_costs(&line.base, base)
            };
        let before = hint.or_zero_bounds(lines).lines;
        Some(Self {
            prices,
            lines: lines.iter().zip(looked).zip(before).map(bounds_of_line).collect(),
            claim: None,
        })
    }
}

impl CostRatioSearchResult {
    /// Returns `None` if there are more than [`MOST_CUTS`] cut points.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        lines: Vec<FeatureCuts<'_, K>>,
        looked: Vec<Vec<CutBounds>>,
        hint: DerivedChildBounds,
        base: f64,
    ) -> Option<Self> {
        if !hint.lines.is_empty() {
            return SplitBoundTable::new(prices, &lines, &looked, hint, base).map(Self::All);
        }
        let few = lines.iter().map(FeatureCuts::n_cuts).sum::<usize>() <= MOST_CUTS;
        let sums = lines.into_iter().map(|line| (line.most, line.base));
        few.then(|| Self::Ends(EvaluatedCutBounds { prices, sums: sums.collect(), looked, base }))
    }

    fn error_costs(&self) -> (f64, f64) {
        match self {
            Self::Ends(ends) => ends.prices,
            Self::All(known) => known.prices,
        }
    }

    fn bound_table(&self) -> Cow<'_, SplitBoundTable> {
        match self {
            Self::Ends(ends) => Cow::Owned(ends.bound_table()),
            Self::All(known) => Cow::Borrowed(known),
        }
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        match self {
            Self::Ends(ends) => {
                let looked: usize =
                    ends.looked.iter().map(|ends| size_of::<CutBounds>() * ends.capacity()).sum();
                looked + ends.sums.iter().map(|sums| 16 * sums.0.capacity()).sum::<usize>()
            }
            Self::All(known) => known.lines.iter().map(|sides| 16 * sides.left.len()).sum(),
        }
    }
}

impl EvaluatedCutBounds {
    fn bound_table(&self) -> SplitBoundTable {
        let lines = self.sums.iter().zip(&self.looked);
        let bounds_of_line = |((most, base), ends): (&(Vec<f64>, Vec<f64>), &Vec<CutBounds>)| {
            ChildBounds::zeros(most.len())
                .propagate_evaluated_bounds(most, ends)
                .add_unavoidable_costs(base, self.base)
        };
        SplitBoundTable { prices: self.prices, lines: lines.map(bounds_of_line).collect(), claim: None }
    }
}

/// Propagates a bound from cut point to cut point, and lowers it by `step` each time.
///
/// Stops at a cut point whose bound is already at least as large.
fn propagate_bounds(
    bounds: &mut [f64],
    (first, others): (usize, impl Iterator<Item = usize>),
    step: impl Fn(usize, usize) -> f64,
) {
    let mut last = first;
    for cut in others {
        let bound = bounds[last] - step(last, cut);
        if bounds[cut] >= bound {
            return;
        }
        bounds[cut] = bound;
        last = cut;
    }
}

/// Interpolates the bounds on one child of every cut from two other cost ratios.
///
/// A bound is the linear combination of the two bounds with the factors `times`, minus the unavoidable cost
/// of the child. `free` computes this cost from `base`, the unavoidable cost of the left child. The bound is
/// then rounded up to an integer, and is at least 0.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn interpolate_bounds(
    (one, other): (&[f64], &[f64]),
    times: (f64, f64),
    free: impl Fn(f64) -> f64,
    base: &[f64],
) -> Vec<f64> {
    let bound = |((one, other), base): ((&f64, &f64), &f64)| {
        max_number(round_up_with_tolerance(times.0 * one + times.1 * other - free(*base)), 0.0)
    };
    one.iter().zip(other).zip(base).map(bound).collect()
}

/// Subtracts a tolerance from a lower bound, and rounds the result up to an integer.
///
/// The tolerance is far above rounding errors, so the result is a valid lower bound on integer costs.
#[inline]
fn round_up_with_tolerance(least: f64) -> f64 {
    (least - 1e-7 * (1.0 + least.abs())).ceil()
}

/// Returns the elements with the nearest cost ratio at or below `a / b`, and above `a / b`.
fn nearest_by_cost_ratio<T>(
    (a, b): (f64, f64),
    all: &[T],
    prices: impl Fn(&T) -> (f64, f64),
) -> [Option<&T>; 2] {
    let ratio = |element: &&T| prices(element).0 / prices(element).1;
    let by_ratio = |one: &&T, other: &&T| ratio(one).total_cmp(&ratio(other));
    let below = all.iter().filter(|element| ratio(element) <= a / b).max_by(by_ratio);
    let above = all.iter().filter(|element| ratio(element) > a / b).min_by(by_ratio);
    [below, above]
}

impl DerivedChildBounds {
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        known: &[SplitBoundTable],
        lines: &[FeatureCuts<'_, K>],
        base: f64,
    ) -> Self {
        let [below, above] = nearest_by_cost_ratio(prices, known, |known| known.prices);
        Self::interpolate(prices, [below, above], lines, base)
    }

    pub(crate) fn from_search_results<const K: usize>(
        prices: (f64, f64),
        seen: &[CostRatioSearchResult],
        lines: &[FeatureCuts<'_, K>],
        base: f64,
    ) -> Self {
        let known = nearest_by_cost_ratio(prices, seen, CostRatioSearchResult::error_costs)
            .map(|seen| seen.map(CostRatioSearchResult::bound_table));
        Self::interpolate(prices, known.each_ref().map(Option::as_deref), lines, base)
    }

    fn interpolate<'k, const K: usize>(
        prices: (f64, f64),
        [below, above]: [Option<&'k SplitBoundTable>; 2],
        lines: &[FeatureCuts<'_, K>],
        base: f64,
    ) -> Self {
        if below.is_none() && above.is_none() {
            return Self::default();
        }
        let or_axis = |known: Option<&'k SplitBoundTable>, axis| {
            known.map_or_else(|| Cow::Owned(SplitBoundTable::zero_bounds(axis, lines)), Cow::Borrowed)
        };
        let (one, other) = (or_axis(below, (0.0, 1.0)), or_axis(above, (1.0, 0.0)));
        let (p, q) = (one.prices, other.prices);
        let determinant = p.0 * q.1 - q.0 * p.1;
        let first = (prices.0 * q.1 - q.0 * prices.1) / determinant;
        let second = (p.0 * prices.1 - prices.0 * p.1) / determinant;
        let times = (first, second);
        let sides_of_line =
            |((line, one), other): ((&FeatureCuts<'_, K>, &ChildBounds), &ChildBounds)| ChildBounds {
                left: interpolate_bounds((&one.left, &other.left), times, |of_first| of_first, &line.base),
                right: interpolate_bounds(
                    (&one.right, &other.right),
                    times,
                    |of_first| base - of_first,
                    &line.base,
                ),
            };
        let lines = lines.iter().zip(&one.lines).zip(&other.lines).map(sides_of_line).collect();
        Self { lines, between: Some([one.claim, other.claim]) }
    }

    fn or_zero_bounds<const K: usize>(self, lines: &[FeatureCuts<'_, K>]) -> Self {
        if self.lines.len() == lines.len() {
            return self;
        }
        Self { lines: lines.iter().map(|line| ChildBounds::zeros(line.n_cuts())).collect(), ..self }
    }

    pub(crate) fn child_bounds(&self, line: usize, cut: usize) -> [f64; 2] {
        self.lines.get(line).map_or([0.0; 2], |sides| [sides.left[cut], sides.right[cut]])
    }

    /// Sorts features' lists of cuts by the smallest bound in each list, ascending.
    ///
    /// A good tree is then found early, and it rules out more of the later splits.
    pub(crate) fn sort_cut_lists_by_bound(&self, mut lines: Vec<usize>) -> Vec<usize> {
        let cost = |sides: &ChildBounds| {
            sides
                .left
                .iter()
                .zip(&sides.right)
                .map(|(left, right)| left + right)
                .fold(f64::INFINITY, min_number)
        };
        let least: Vec<f64> = self.lines.iter().map(cost).collect();
        if !least.is_empty() {
            lines.sort_by(|&a, &b| least[a].total_cmp(&least[b]).then(a.cmp(&b)));
        }
        lines
    }

    /// Removes cuts from both ends of a range if no tree with them costs less than `limit`.
    ///
    /// Returns the range of the remaining cuts, and a lower bound on the cost of trees with a removed cut.
    pub(crate) fn trim_cuts(
        &self,
        line: usize,
        cuts: Range<usize>,
        (before, behind): (CutBounds, CutBounds),
        limit: f64,
    ) -> (Range<usize>, f64) {
        let mut bound = f64::INFINITY;
        if self.lines.is_empty() {
            return (cuts, bound);
        }
        let least = |cut: usize| {
            let [left, right] = self.child_bounds(line, cut);
            left.max(before.left) + right.max(behind.right)
        };
        let (mut first, mut last) = (cuts.start, cuts.end);
        while first < last && least(first) >= limit {
            bound = bound.min(least(first));
            first += 1;
        }
        while first < last && least(last - 1) >= limit {
            bound = bound.min(least(last - 1));
            last -= 1;
        }
        (first..last, bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{SeedKey, random_below};

    fn propagate_reference(most: &[f64], ends: &[CutBounds]) -> ChildBounds {
        let ChildBounds { mut left, mut right } = ChildBounds::zeros(most.len());
        for end in ends {
            left[end.place - 1] = left[end.place - 1].max(end.left);
            right[end.place - 1] = right[end.place - 1].max(end.right);
        }
        for cut in 1..most.len() {
            left[cut] = left[cut].max(left[cut - 1]);
            right[cut] = right[cut].max(right[cut - 1] - (most[cut] - most[cut - 1]));
        }
        for cut in (1..most.len()).rev() {
            left[cut - 1] = left[cut - 1].max(left[cut] - (most[cut] - most[cut - 1]));
            right[cut - 1] = right[cut - 1].max(right[cut]);
        }
        ChildBounds { left, right }
    }

    #[test]
    fn bounds_are_propagated_as_by_the_reference() {
        let rng = &mut SeedKey::root(3).rng();
        for _ in 0..2_000 {
            let n = 1 + random_below(rng, 12);
            let mut sum = 0.0;
            let mut most = Vec::new();
            for _ in 0..n {
                sum += f64::from(random_below(rng, 5));
                most.push(sum);
            }
            let mut end = |_| {
                let [left, right] = [20, 20].map(|most| f64::from(random_below(rng, most)));
                CutBounds { place: 1 + random_below(rng, n) as usize, left, right }
            };
            let ends: Vec<CutBounds> = (0..4).map(&mut end).collect();
            let known = ChildBounds::zeros(most.len())
                .propagate_evaluated_bounds(&most, &ends[..2])
                .propagate_evaluated_bounds(&most, &ends[2..]);
            let plain = propagate_reference(&most, &ends);
            assert_eq!((known.left, known.right), (plain.left, plain.right), "{most:?} {ends:?}");
        }
    }

    #[test]
    fn interpolated_bounds_are_rounded_up_and_at_least_zero() {
        // If a bound is infinite at one cost ratio, it implies no bound at other cost ratios.
        let one = [2.0, 2.0, f64::INFINITY];
        assert_eq!(
            interpolate_bounds((&one, &[3.0; 3]), (0.5, 0.5), |base| base, &[0.0; 3]),
            [3.0, 3.0, 0.0]
        );
        let bounds =
            interpolate_bounds((&[8.0; 3], &[8.0; 3]), (0.5, 0.5), |base| 6.0 - base, &[4.0, -9.0, 2.5]);
        assert_eq!(bounds, [6.0, 0.0, 5.0]);
    }

    #[test]
    fn lines_are_sorted_by_bound_and_unchanged_without_bounds() {
        assert_eq!(DerivedChildBounds::default().sort_cut_lists_by_bound(vec![2, 0, 1]), [2, 0, 1]);
        let sides = |left: f64| ChildBounds { left: vec![left, 9.0], right: vec![1.0, 9.0] };
        let hint =
            DerivedChildBounds { lines: vec![sides(5.0), sides(0.0), sides(5.0), sides(2.0)], between: None };
        assert_eq!(hint.sort_cut_lists_by_bound(vec![0, 2, 3]), [3, 0, 2]);
        let none = ChildBounds { left: Vec::new(), right: Vec::new() };
        let hint = DerivedChildBounds { lines: vec![none, sides(0.0)], between: None };
        assert_eq!(hint.sort_cut_lists_by_bound(vec![0, 1]), [1, 0]);
    }
}
