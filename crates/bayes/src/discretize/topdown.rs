//! Top-down discretization by CAIM, CACC or Ameva.
//!
//! The best cut point is added while the criterion rises, or while there are fewer intervals than classes.
//! The criterion is a function of a sum of one term per interval. As published, a cut point changes only the
//! term of the interval that it splits. Intervals are then kept in a heap, ordered by the gain of their best
//! cut point. With the constants of the R package, each cut point changes the terms of all intervals, so all
//! candidates are evaluated again.

use super::cut_criterion::{CutCriterion, CutMeasure};
use super::value_profile::{ClassWeightCursor, STRETCH, ValueProfile};
use imbcore_core::{Result, RunContext};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// An improvement of the criterion that is smaller than this counts as a rounding error.
pub(super) const TIE: f64 = 1e-10;

/// Cut points, ascending.
///
/// If several candidates are equally good, the lowest is taken. A cut point is accepted if the criterion
/// rises, or if there were fewer intervals than classes before it. A cut point with a criterion of 0 is never
/// accepted. A column with a single class has no cut points.
pub(super) fn find_cut_points(
    profile: &ValueProfile,
    measure: CutMeasure,
    r_compat: bool,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    if profile.n_classes() < 2 {
        return Ok(Vec::new());
    }
    let mut criterion = CutCriterion::new(measure, r_compat, profile);
    let mut positions = if criterion.is_smoothed() {
        cut_positions_by_full_scan(profile, &mut criterion, ctl)?
    } else {
        cut_positions_by_heap(profile, &criterion, ctl)?
    };
    positions.sort_unstable();
    Ok(positions.into_iter().map(|at| profile.cut_point(at)).collect())
}

/// Best of the candidate cut points so far; candidates must be offered in ascending order.
#[derive(Default)]
struct BestCut {
    value: f64,
    at: Option<usize>,
}

impl BestCut {
    #[inline]
    fn update_if_better(&mut self, value: f64, at: usize) {
        if value > self.value + TIE {
            (self.value, self.at) = (value, Some(at));
        }
    }
}

/// An interval of values, ordered by the gain of its best cut point.
///
/// Of two intervals with equal gains, the one with the lower values is the greater, so that a heap returns it
/// first.
struct Interval {
    gain: f64,
    start: usize,
    end: usize,
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(Reverse(self.start).cmp(&Reverse(other.start)))
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Interval {}

struct CutScan<'a> {
    profile: &'a ValueProfile,
    criterion: &'a CutCriterion,
    ctl: RunContext<'a>,
}

impl CutScan<'_> {
    fn for_each_cut_gain(&self, start: usize, end: usize, mut see: impl FnMut(usize, f64)) -> Result<()> {
        let [lower, mut middle, upper] =
            [start, start, end].map(|position| self.profile.class_weights_below(position));
        let (lower, upper) = (lower.class_weights(), upper.class_weights());
        let whole = self.criterion.interval_term(lower, upper);
        for stretch in self.profile.cut_candidates_between(start, end).chunks(STRETCH) {
            self.ctl.check()?;
            for &at in stretch {
                middle.move_to(at as usize);
                let middle = middle.class_weights();
                let parts =
                    self.criterion.interval_term(lower, middle) + self.criterion.interval_term(middle, upper);
                see(at as usize, parts - whole);
            }
        }
        Ok(())
    }

    fn interval_with_best_cut(&self, start: usize, end: usize) -> Result<Option<Interval>> {
        if end - start < 2 {
            return Ok(None);
        }
        let mut gain = 0.0_f64;
        self.for_each_cut_gain(start, end, |_, of_cut| gain = gain.max(of_cut))?;
        Ok(Some(Interval { gain, start, end }))
    }
}

/// The interval with the best gain is split; then only its two parts are evaluated.
fn cut_positions_by_heap(
    profile: &ValueProfile,
    criterion: &CutCriterion,
    ctl: RunContext<'_>,
) -> Result<Vec<usize>> {
    let scan = CutScan { profile, criterion, ctl };
    let mut positions = Vec::new();
    let mut heap: BinaryHeap<Interval> =
        scan.interval_with_best_cut(0, profile.n_runs())?.into_iter().collect();
    let mut terms =
        criterion.interval_term(profile.class_weights_below(0).class_weights(), profile.total_weights());
    let mut reached = 0.0;
    while let Some(top) = heap.pop() {
        let n_intervals = positions.len() + 2;
        let value = |gain: f64| criterion.value(terms + gain, n_intervals);
        let best = value(top.gain);
        let interval = pop_lowest_tie(&mut heap, top, |gain| value(gain) + TIE >= best);
        let mut found = BestCut::default();
        if best <= value(0.0) + TIE {
            // Gains are never negative, so if no cut point has a positive gain, all are equally good.
            found.update_if_better(value(0.0), interval.start + 1);
        } else {
            scan.for_each_cut_gain(interval.start, interval.end, |at, gain| {
                found.update_if_better(value(gain), at);
            })?;
        }
        let Some(at) = found.at else { break };
        if found.value <= reached + TIE && n_intervals > profile.n_classes() {
            break;
        }
        reached = found.value;
        let (start, end) = (interval.start, interval.end);
        let below = [start, at, end].map(|position| profile.class_weights_below(position));
        let [lower, middle, upper] = below.each_ref().map(ClassWeightCursor::class_weights);
        terms += criterion.interval_term(lower, middle) + criterion.interval_term(middle, upper)
            - criterion.interval_term(lower, upper);
        positions.push(at);
        heap.extend(scan.interval_with_best_cut(start, at)?);
        heap.extend(scan.interval_with_best_cut(at, end)?);
    }
    Ok(positions)
}

/// Removes the interval with the lowest values among those whose gain equals that of `top`.
///
/// `top`, which is no longer in the heap, is one of these intervals. Returns the removed interval.
fn pop_lowest_tie(heap: &mut BinaryHeap<Interval>, top: Interval, equal: impl Fn(f64) -> bool) -> Interval {
    let mut lowest = top;
    let mut others = Vec::new();
    while heap.peek().is_some_and(|next| equal(next.gain)) {
        let Some(mut next) = heap.pop() else { break };
        if next.start < lowest.start {
            std::mem::swap(&mut lowest, &mut next);
        }
        others.push(next);
    }
    heap.extend(others);
    lowest
}

/// Each cut point changes the terms of all intervals, so all candidates are evaluated again.
fn cut_positions_by_full_scan(
    profile: &ValueProfile,
    criterion: &mut CutCriterion,
    ctl: RunContext<'_>,
) -> Result<Vec<usize>> {
    let mut positions: Vec<usize> = Vec::new();
    let mut reached = 0.0;
    loop {
        let n_intervals = positions.len() + 2;
        criterion.set_n_intervals(n_intervals);
        let mut bounds = vec![0];
        bounds.extend(&positions);
        bounds.push(profile.n_runs());
        let term = |start: usize, end: usize| {
            criterion.interval_term(
                profile.class_weights_below(start).class_weights(),
                profile.class_weights_below(end).class_weights(),
            )
        };
        let terms: f64 = bounds.windows(2).map(|two| term(two[0], two[1])).sum();
        let mut found = BestCut::default();
        for two in bounds.windows(2) {
            let whole = term(two[0], two[1]);
            let [lower, mut middle, upper] =
                [two[0], two[0], two[1]].map(|position| profile.class_weights_below(position));
            let (lower, upper) = (lower.class_weights(), upper.class_weights());
            for at in two[0] + 1..two[1] {
                if at % STRETCH == 0 {
                    ctl.check()?;
                }
                middle.move_to(at);
                let gain = criterion.interval_term(lower, middle.class_weights())
                    + criterion.interval_term(middle.class_weights(), upper)
                    - whole;
                found.update_if_better(criterion.value(terms + gain, n_intervals), at);
            }
        }
        let accepted = found.value > reached + TIE || n_intervals <= profile.n_classes();
        let Some(at) = found.at.filter(|_| accepted) else { return Ok(positions) };
        ctl.check()?;
        reached = found.value;
        let place = positions.partition_point(|&before| before < at);
        positions.insert(place, at);
    }
}
