//! Search for the best tree of depth two in nearly linear time.
//!
//! For a root cut, the best splits of both children follow from prefix sums over the rows in the order of
//! every feature ([`crate::prefix_extremes`]). Several evenly spaced cuts are evaluated together. A tree with
//! a cut between two evaluated cuts costs at least as much as the left child of the first cut plus the right
//! child of the second. This rules out most intervals between cuts. The cuts of the other intervals are
//! evaluated in a few passes over the rows.
//!
//! If features are unrelated to the classes, many cuts remain. For the cuts of one interval, only some rows
//! are in different children for different cuts. Only these rows are then kept individually
//! ([`crate::active_rows`]). When intervals are halved repeatedly, each halving takes time proportional to
//! the rows of the remaining intervals. The total is at worst `n log n` for each pair of features, as with T2
//! (Auer, Holte and Maass 1995).

use crate::active_rows::{CompressedNodeRows, KeyInterval};
use crate::bound_reuse::{CostRatioSearchResult, DerivedChildBounds};
use crate::feature_cuts::{CutBounds, FeatureCuts};
use crate::node_subset::NodeSubset;
use crate::partial_tree::PartialTree;
use crate::root_search::CandidateSplit;
use crate::solver::{FoundTree, SubsetResult, TreeSolver};
use imbcore_core::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

struct FeatureCutSearch<'a, 'b, const K: usize, const P: usize> {
    solver: &'b TreeSolver<'a, K, P>,
    subset: &'b NodeSubset,
    totals: [f64; K],
    line: &'b FeatureCuts<'a, K>,
    keys: Cow<'b, [f64]>,
    limit: f64,
    best: Option<usize>,
    /// Cuts found so far that may cost less than the limit; `None` if they are not collected.
    kept: Option<Vec<CutBounds>>,
    /// Bounds from earlier searches, and the index of this feature's list of cuts in the bounds.
    hint: (&'b DerivedChildBounds, usize),
    looked: Vec<CutBounds>,
    /// Lower bound on the cost of all trees with a cut that was evaluated or ruled out.
    bound: f64,
}

#[derive(Clone, Debug)]
struct UnresolvedCutInterval {
    bound: f64,
    before: CutBounds,
    behind: CutBounds,
    cuts: Range<usize>,
}

/// If at most this number of cuts remain, rows are not compressed.
///
/// Compressing rows takes as long for each interval as one or two passes over the rows.
const FEW: usize = 256;

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    /// Finds the best tree of depth two that splits the root, if it costs less than `limit`.
    ///
    /// Also returns a lower bound on the cost of all such trees.
    pub(crate) fn solve_depth_two(
        &self,
        subset: &NodeSubset,
        limit: f64,
    ) -> Result<(Option<FoundTree>, f64)> {
        let lines = self.feature_cuts(subset)?;
        let (found, bound, _) =
            self.solve_depth_two_with_bounds(subset, limit, (&lines, &DerivedChildBounds::default()))?;
        Ok((found, bound))
    }

    /// Finds the best tree of depth two, using search results of other cost ratios.
    pub(crate) fn solve_depth_two_cached(
        &self,
        subset: &NodeSubset,
        limit: f64,
        (prices, seen): ((f64, f64), &[CostRatioSearchResult]),
    ) -> Result<(SubsetResult, Option<CostRatioSearchResult>)> {
        let (mut outcome, done) = self.single_leaf_result(subset, 2, limit);
        if done {
            return Ok((outcome, None));
        }
        let limit = outcome.best.as_ref().map_or(limit, |best| best.value);
        let lines = self.feature_cuts(subset)?;
        let base = self.prices.total_cost(&subset.rows).base;
        let hint = DerivedChildBounds::from_search_results(prices, seen, &lines, base);
        let (best, bound, looked) = self.solve_depth_two_with_bounds(subset, limit, (&lines, &hint))?;
        outcome.bound = outcome.bound.min(bound);
        outcome.best = best.or(outcome.best);
        Ok((outcome, CostRatioSearchResult::new(prices, lines, looked, hint, base)))
    }

    /// Like [`Self::solve_depth_two`], but uses bounds from earlier searches.
    ///
    /// Also returns the evaluated cuts of every feature's list of cuts, with their bounds.
    pub(crate) fn solve_depth_two_with_bounds(
        &self,
        subset: &NodeSubset,
        limit: f64,
        known: (&[FeatureCuts<'_, K>], &DerivedChildBounds),
    ) -> Result<(Option<FoundTree>, f64, Vec<Vec<CutBounds>>)> {
        let (found, bound, looked, ended) = self.search_depth_two_interruptible(subset, limit, known, false);
        ended.map(|()| (found, bound, looked))
    }

    /// Finds the best tree of depth two that costs less than `limit`.
    ///
    /// After an interrupt, returns the best tree so far, and the bound is not valid.
    pub(crate) fn solve_depth_two_interruptible(
        &self,
        subset: &NodeSubset,
        limit: f64,
    ) -> (Option<FoundTree>, f64, Result<()>) {
        let lines = match self.feature_cuts(subset) {
            Ok(lines) => lines,
            Err(error) => return (None, f64::NEG_INFINITY, Err(error)),
        };
        let (found, bound, _, ended) = self.search_depth_two_interruptible(
            subset,
            limit,
            (&lines, &DerivedChildBounds::default()),
            true,
        );
        (found, bound, ended)
    }

    /// Like [`Self::solve_depth_two_with_bounds`], but returns the best tree on interrupts.
    ///
    /// If `in_full` is true, the best splits of both children are computed as soon as a better root split is
    /// found. The returned tree is then complete.
    #[allow(clippy::type_complexity)]
    fn search_depth_two_interruptible(
        &self,
        subset: &NodeSubset,
        mut limit: f64,
        (lines, hint): (&[FeatureCuts<'_, K>], &DerivedChildBounds),
        in_full: bool,
    ) -> (Option<FoundTree>, f64, Vec<Vec<CutBounds>>, Result<()>) {
        let totals = self.prices.total_excess_costs(&subset.rows);
        let mut bound = f64::INFINITY;
        let mut best = None;
        let mut probes = Vec::with_capacity(lines.len());
        let mut looked = vec![Vec::new(); lines.len()];
        let walk = |place: usize, limit: f64, bound: f64| FeatureCutSearch {
            solver: self,
            subset,
            totals,
            line: &lines[place],
            keys: lines[place].row_keys(self.table, subset),
            limit,
            best: None,
            kept: None,
            hint: (hint, place),
            looked: Vec::new(),
            bound,
        };
        let tree = |(place, cut): (usize, usize), value: f64| {
            let sides = Box::new([PartialTree::Stump, PartialTree::Stump]);
            FoundTree { value, sketch: PartialTree::Split(lines[place].split_of_cut(cut), sides) }
        };
        let mut found = None;
        let mut search = || {
            // A root split that tests a single nominal level is rarely optimal. A bound from the best tree of
            // at most one split rules out most of these root splits.
            let stump = self.stump_bound_for_level_splits(subset, lines)?;
            let (levels, others): (Vec<usize>, Vec<usize>) =
                (0..lines.len()).partition(|&place| lines[place].is_single_level_cut());
            for place in hint.sort_cut_lists_by_bound(others).into_iter().chain(levels) {
                let least = lines[place].single_level_split_bound(self.prices.leaf, stump);
                if least >= limit {
                    bound = bound.min(least);
                    continue;
                }
                let mut walk = walk(place, limit, bound);
                let ends = walk.evaluate_spread_cuts();
                (limit, bound) = (walk.limit, walk.bound);
                best = walk.best.map(|cut| (place, cut)).or(best);
                if let (true, Some(cut)) = (in_full, walk.best) {
                    found = Some(self.fill_placeholders(subset, tree((place, cut), limit))?);
                }
                looked[place].extend(walk.looked);
                let ends = ends?;
                let least = ends.iter().map(|end| end.left + end.right).fold(f64::INFINITY, f64::min);
                probes.push((least, place, ends));
            }
            probes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (_, place, ends) in &probes {
                let (place, mut walk) = (*place, walk(*place, limit, bound));
                let open = walk.unresolved_intervals(ends);
                let divided = walk.search_intervals(open, None, lines[place].n_cuts());
                (limit, bound) = (walk.limit, walk.bound);
                best = walk.best.map(|cut| (place, cut)).or(best);
                if let (true, Some(cut)) = (in_full, walk.best) {
                    found = Some(self.fill_placeholders(subset, tree((place, cut), limit))?);
                }
                looked[place].extend(walk.looked);
                divided?;
            }
            Ok(())
        };
        let ended = search();
        let found = if in_full { found } else { best.map(|cut| tree(cut, limit)) };
        (found, bound, looked, ended)
    }

    /// Finds every root split of a tree of depth two that may cost less than `limit`.
    ///
    /// Each split is returned with lower bounds on the cost of its two children.
    pub(crate) fn candidate_splits_of_depth_two(
        &self,
        subset: &NodeSubset,
        limit: f64,
    ) -> Result<Vec<CandidateSplit>> {
        let totals = self.prices.total_excess_costs(&subset.rows);
        let mut survivors = Vec::new();
        let lines = self.feature_cuts(subset)?;
        let stump = self.stump_bound_for_level_splits(subset, &lines)?;
        for line in &lines {
            if line.single_level_split_bound(self.prices.leaf, stump) >= limit {
                continue;
            }
            let keys = line.row_keys(self.table, subset);
            let (kept, looked, bound) = (Some(Vec::new()), Vec::new(), f64::INFINITY);
            let hint = (&DerivedChildBounds::default(), 0);
            let mut walk = FeatureCutSearch {
                solver: self,
                subset,
                totals,
                line,
                keys,
                limit,
                best: None,
                kept,
                hint,
                looked,
                bound,
            };
            let ends = walk.evaluate_spread_cuts()?;
            let open = walk.unresolved_intervals(&ends);
            walk.search_intervals(open, None, line.n_cuts())?;
            survivors.extend(walk.kept.into_iter().flatten().map(|end| CandidateSplit::new(line, end)));
        }
        Ok(survivors)
    }

    /// Cost of the best tree of at most one split, ignoring the minimum leaf weight.
    ///
    /// It is needed only to rule out root splits that test a single nominal level. Without such splits it is
    /// 0.
    fn stump_bound_for_level_splits(&self, subset: &NodeSubset, lines: &[FeatureCuts<'_, K>]) -> Result<f64> {
        self.budget.check_limits()?;
        if lines.iter().any(FeatureCuts::is_single_level_cut) {
            self.stump_cost_without_min_weight(subset)
        } else {
            Ok(0.0)
        }
    }

    pub(crate) fn stump_cost_without_min_weight(&self, subset: &NodeSubset) -> Result<f64> {
        let totals = self.prices.total_excess_costs(&subset.rows);
        let keys = vec![0.0; self.table.n_rows()];
        let mut least = self.prices.leaf_cost(&totals);
        for feature in 0..self.table.n_features() {
            self.budget.check_limits()?;
            let found = self.feature_sum_extremes(subset, feature, &keys, &[0.0]);
            let low = found.left_low.map(|lane| lane[0]);
            let high = found.left_high.map(|lane| lane[0]);
            least = least.min(self.prices.stump_cost(&totals, &low, &high));
        }
        Ok(least)
    }
}

impl<const K: usize, const P: usize> FeatureCutSearch<'_, '_, K, P> {
    /// Number of cuts that are evaluated together, as many as fit into registers.
    const LANES: usize = if P == 1 { 16 } else { 8 };

    /// Evaluates a few cuts, spread over the feature's list of cuts.
    ///
    /// Returns their bounds, and the bounds at the positions before the first and after the last cut of the
    /// list.
    fn evaluate_spread_cuts(&mut self) -> Result<Vec<CutBounds>> {
        let [before, behind] = self.line.bounds_outside_cuts(self.solver.prices.leaf);
        let (hint, place) = self.hint;
        let (cuts, beyond) = hint.trim_cuts(place, 0..self.line.n_cuts(), (before, behind), self.limit);
        self.bound = self.bound.min(beyond);
        let picks = self.line.pick_spread_cuts(cuts, Self::LANES);
        let looked = if picks.is_empty() { Vec::new() } else { self.evaluate_cuts(&picks, None)? };
        Ok(std::iter::once(before).chain(looked).chain([behind]).collect())
    }

    fn evaluate_cuts(
        &mut self,
        picks: &[usize],
        packed: Option<&CompressedNodeRows<P>>,
    ) -> Result<Vec<CutBounds>> {
        match picks.len() {
            1 => self.evaluate_cuts_in_lanes::<1>(picks, packed),
            2..=8 => self.evaluate_cuts_in_lanes::<8>(picks, packed),
            _ if Self::LANES > 8 => self.evaluate_cuts_in_lanes::<16>(picks, packed),
            n => Err(Error::Internal(format!("cannot evaluate {n} cuts together"))),
        }
    }

    fn evaluate_cuts_in_lanes<const L: usize>(
        &mut self,
        picks: &[usize],
        packed: Option<&CompressedNodeRows<P>>,
    ) -> Result<Vec<CutBounds>> {
        let line = self.line;
        let last = picks.last().copied().unwrap_or_default();
        let cuts: [f64; L] = std::array::from_fn(|lane| line.at[picks.get(lane).copied().unwrap_or(last)]);
        let mut left = [f64::INFINITY; L];
        let mut right = [f64::INFINITY; L];
        let mut sides = [([0.0; K], [0.0; K]); L];
        for (side, &pick) in sides.iter_mut().zip(picks) {
            side.0 = line.first[pick];
            side.1 = std::array::from_fn(|predicted| self.totals[predicted] - line.first[pick][predicted]);
        }
        for feature in 0..self.solver.table.n_features() {
            // The budget is checked for each feature. One feature of a million rows takes about as long as
            // the reaction to an interrupt may take.
            self.solver.budget.check_limits()?;
            let found = match packed {
                Some(packed) => packed.feature_sum_extremes(feature, &cuts),
                None => self.solver.feature_sum_extremes(self.subset, feature, &self.keys, &cuts),
            };
            for lane in 0..picks.len() {
                let of_lane = |extremes: &[[f64; L]; P]| -> [f64; P] {
                    std::array::from_fn(|pair| extremes[pair][lane])
                };
                let prices = &self.solver.prices;
                let (low, high) = (of_lane(&found.left_low), of_lane(&found.left_high));
                left[lane] = left[lane].min(prices.stump_cost(&sides[lane].0, &low, &high));
                let (low, high) = (of_lane(&found.right_low), of_lane(&found.right_high));
                right[lane] = right[lane].min(prices.stump_cost(&sides[lane].1, &low, &high));
            }
        }
        let mut ends = Vec::with_capacity(picks.len());
        for (lane, &pick) in picks.iter().enumerate() {
            let end = CutBounds { place: pick + 1, left: left[lane], right: right[lane] };
            let value = end.left + end.right;
            self.bound = self.bound.min(value);
            if value < self.limit {
                match &mut self.kept {
                    Some(kept) => kept.push(end),
                    None => self.update_best(pick, value)?,
                }
            }
            ends.push(end);
        }
        self.looked.extend(&ends);
        Ok(ends)
    }

    fn compress_rows(&self, stretch: KeyInterval) -> Result<CompressedNodeRows<P>> {
        let look = || self.solver.budget.check_limits();
        CompressedNodeRows::new(
            self.solver.table,
            self.subset,
            (&self.keys, &self.solver.prices.lean),
            stretch,
            look,
        )
    }

    /// Makes the best tree with a given cut the best tree so far if it costs less than the limit.
    ///
    /// `value` is the cost of this tree without a minimum leaf weight. If there is a minimum leaf weight, the
    /// actual cost is computed first.
    fn update_best(&mut self, cut: usize, mut value: f64) -> Result<()> {
        if self.solver.min_weight > 0.0 {
            let split = self.line.split_of_cut(cut);
            let table = self.solver.table;
            let budget = self.solver.budget;
            let stump = |side: &NodeSubset| {
                let allowed = self.solver.is_leaf_weight_allowed(side.weight(table));
                if !allowed {
                    return Ok(f64::INFINITY);
                }
                Ok(self.solver.solve_stump_of_rows(side, &|| budget.check_limits())?.value)
            };
            let sides = self.subset.partition(table, &split, budget)?;
            value = sides.iter().map(stump).sum::<Result<f64>>()?;
        }
        if value < self.limit {
            self.limit = value;
            self.best = Some(cut);
        }
        Ok(())
    }

    fn unresolved_intervals(&mut self, ends: &[CutBounds]) -> Vec<UnresolvedCutInterval> {
        let mut open = Vec::new();
        for two in ends.windows(2) {
            let (before, behind) = (two[0], two[1]);
            if before.place + 1 == behind.place {
                continue;
            }
            let bound = before.left + behind.right;
            if bound >= self.limit {
                self.bound = self.bound.min(bound);
                continue;
            }
            let (cuts, beyond) = self.line.cuts_below_limit(before, behind, self.limit);
            self.bound = self.bound.min(beyond);
            let (hint, place) = self.hint;
            let (cuts, beyond) = hint.trim_cuts(place, cuts, (before, behind), self.limit);
            self.bound = self.bound.min(beyond);
            if !cuts.is_empty() {
                open.push(UnresolvedCutInterval { bound, before, behind, cuts });
            }
        }
        open
    }

    /// Evaluates evenly spaced cuts of all intervals, round by round, until no cut may be better.
    ///
    /// `last` is the number of remaining cuts in the previous round. If many cuts remain and a round rules
    /// out less than about 5 % of them, the intervals are searched separately with compressed rows.
    fn search_intervals(
        &mut self,
        mut open: Vec<UnresolvedCutInterval>,
        packed: Option<&CompressedNodeRows<P>>,
        mut last: usize,
    ) -> Result<()> {
        loop {
            let n: usize = open.iter().map(|interval| interval.cuts.len()).sum();
            if n == 0 {
                return Ok(());
            }
            if n > FEW && n > last / 20 * 19 {
                return self.search_halves(open, packed);
            }
            last = n;
            let mut picks: Vec<usize> = open.iter().flat_map(|interval| interval.cuts.clone()).collect();
            if n > Self::LANES {
                picks = (1..=Self::LANES).map(|part| picks[part * n / (Self::LANES + 1)]).collect();
            }
            let mut looked = self.evaluate_cuts(&picks, packed)?.into_iter().peekable();
            let mut rest = Vec::with_capacity(open.len() + picks.len());
            for UnresolvedCutInterval { before, behind, .. } in open {
                let mut ends = vec![before];
                while let Some(end) = looked.next_if(|end| end.place < behind.place) {
                    ends.push(end);
                }
                ends.push(behind);
                rest.extend(self.unresolved_intervals(&ends));
            }
            open = rest;
        }
    }

    /// Searches two halves of the list of intervals, the half with the smaller bound first.
    ///
    /// The rows are compressed for each half separately.
    fn search_halves(
        &mut self,
        mut open: Vec<UnresolvedCutInterval>,
        packed: Option<&CompressedNodeRows<P>>,
    ) -> Result<()> {
        let second = open.split_off(open.len().div_ceil(2));
        let least = |intervals: &[UnresolvedCutInterval]| {
            intervals.iter().map(|interval| interval.bound).fold(f64::INFINITY, f64::min)
        };
        let halves = if least(&second) < least(&open) { [second, open] } else { [open, second] };
        for half in halves {
            let half: Vec<UnresolvedCutInterval> = half
                .into_iter()
                .flat_map(|interval| self.unresolved_intervals(&[interval.before, interval.behind]))
                .collect();
            let (Some(first), Some(last)) = (half.first(), half.last()) else { continue };
            let stretch = (self.line.at[first.cuts.start], self.line.at[last.cuts.end - 1]);
            let narrow = match packed {
                Some(packed) => packed.narrow_to_interval(stretch),
                None => self.compress_rows(stretch)?,
            };
            if half.len() > 1 && half.iter().map(|interval| interval.cuts.len()).sum::<usize>() > FEW {
                self.search_halves(half, Some(&narrow))?;
            } else {
                self.search_intervals(half, Some(&narrow), usize::MAX)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "depth_two_tests.rs"]
mod tests;
