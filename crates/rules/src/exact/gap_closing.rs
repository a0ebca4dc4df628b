//! Closes the gap between the bound and the best set of boxes by enumeration of boxes.
//!
//! The dual values are `(pi, sigma)`, where `sigma` is the largest value of a box minus its cost. The slack
//! of a box is `sigma - (pi(B) - cost(B)) >= 0`. A set of `K` boxes has at most the value of the bound minus
//! the slacks of its boxes. (Sets with fewer boxes are handled separately, see
//! [`BoundWithDualValues::bound_with_fewer_boxes`].) So every set with a value of at least `need` has a box
//! with a slack of at most `(bound - need) / K`. Such boxes are listed, and the best completion of each box
//! to a set of boxes is searched. If two or more boxes must be added, the search uses dual values of its own
//! ([`crate::exact::completion_dual`]). If one box must be added, it is found by one branch and bound. The
//! box must add at least the difference between `need` and the value of the other boxes. Its slack must be at
//! most `bound - need` minus the slacks of the other boxes. Each of the two conditions prunes nodes that the
//! other condition cannot prune.
//!
//! Invariant of the loop of [`GapClosingSearch::run`]: every set with a value of at least `need` and a box of
//! slack at most `done` has been examined. All other sets have at most the value `bound - K done`, to which
//! the bound is therefore lowered. The next list has the boxes with a slack in `(done, until]`. The step of
//! `until` doubles while lists are short. [`GapClosingSearch::best_boxes_from_group`] and
//! [`GapClosingSearch::find_best_completion`] are mutually recursive. The first function chooses the box with
//! the least slack. The second searches for the other boxes under the remaining weights. The cost is one
//! branch and bound per list, and one per box or group of boxes in a list.

use crate::bit_set::BitSet;
use crate::exact::box_column::BoxColumn;
use crate::exact::box_listing::{BoxListingParams, BoxWithSlack};
use crate::exact::completion_dual::{CompletionDual, CompletionDualSearch};
use crate::exact::completion_trace::CompletionSearchTrace;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::incumbent::Incumbent;
use crate::exact::local_search::{ScoredDrawing, improve_box_by_box};
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing::{BoxVisitor, MinimumValueConstraint, PricingQuery, PricingSearch};
use crate::exact::pricing_weights::{BoundWithDualValues, PricingWeights, ROUND};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result, parallel};

/// Number of listed boxes in a group; one search tests all boxes of a group together.
const GROUP: usize = 4;
/// Maximum number of nodes of the search that tests a group of listed boxes together.
///
/// If the search needs more nodes, the group is divided into two halves. If the boxes of a group differ a
/// lot, one joint test can take longer than one test per box.
const TESTED: u64 = 1024;
/// Number of groups of boxes that are completed in parallel before the best set is updated.
///
/// The number is fixed, so that results do not depend on the number of threads.
const SIDE_BY_SIDE: usize = 64;
/// Maximum lengths of the list of first boxes of a set, and of the list of further boxes.
///
/// The first box has the least slack of all `K` boxes of the set. Each thread has a list of further boxes.
const LISTS: [usize; 2] = [1 << 19, 1 << 14];
const SAMPLED: usize = 16;
/// Divisor of the node limit: listing the boxes may use at most `1 / LOOK` of the limit.
const LOOK: u64 = 32;
const HANDED_ON: usize = 300;

type CompletionBoxes = (f64, Vec<BoxColumn>);

struct ExistenceVisitor(bool);

impl BoxVisitor for ExistenceVisitor {
    fn visit_box(&mut self, _: &[u16], _: f64, _: f64) -> f64 {
        self.0 = true;
        f64::INFINITY
    }
}

pub(crate) struct GapClosingSearch<'a> {
    codes: &'a EncodedRows,
    tariff: &'a ObjectiveTerms,
    dual: &'a BoundWithDualValues,
    budget: &'a SearchBudget<'a>,
    lists: [usize; 2],
    look: u64,
}

impl<'a> GapClosingSearch<'a> {
    pub(crate) fn new(
        codes: &'a EncodedRows,
        tariff: &'a ObjectiveTerms,
        dual: &'a BoundWithDualValues,
        budget: &'a SearchBudget<'a>,
    ) -> Self {
        Self { codes, tariff, dual, budget, lists: LISTS, look: LOOK }
    }

    fn min_improving_value(&self, best: &ScoredDrawing) -> f64 {
        self.tariff.min_improving_value_all_boxes(best.value, self.budget.optimality_gap_limit())
    }

    /// Improves the best set until no set of `K` boxes is better by more than the accepted gap.
    ///
    /// Also lowers `bound`, the upper bound on the value of any set of at most `K` boxes.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if a limit is reached or the run is cancelled. The best set of boxes and the
    /// bound are then still valid.
    pub(crate) fn run(&self, known: &mut Incumbent, bound: &mut f64) -> Result<()> {
        let Incumbent { best, pool, .. } = known;
        let weights = self.tariff.first_box_weights(self.codes);
        let last = self.max_slack(best);
        let mut trail = CompletionSearchTrace::new(&[], u64::MAX);
        self.slack_listing_params(&weights).for_each_box_list(
            last / 16.0,
            last,
            &mut trail,
            |list, done, _| {
                self.complete_listed_boxes(&list, &weights, pool, best)?;
                self.tighten_upper_bound(bound, best, done);
                Ok(self.max_slack(best))
            },
        )
    }

    /// Upper bound on the least slack among the boxes of any set that improves on `best`.
    fn max_slack(&self, best: &ScoredDrawing) -> f64 {
        (self.dual.bound - self.min_improving_value(best) + ROUND) / self.dual.n_boxes as f64
    }

    /// Lowers the bound after all sets that have a box of slack less than `done` were examined.
    ///
    /// In every other set each box has a slack of at least `done`. Sets with fewer than `K` boxes have a
    /// bound of their own.
    fn tighten_upper_bound(&self, bound: &mut f64, best: &ScoredDrawing, done: f64) {
        let mut open = self.dual.bound - self.dual.n_boxes as f64 * done;
        if !self.tariff.all_present {
            open = open.max(self.dual.bound_with_fewer_boxes());
        }
        let closed = self.tariff.bound_if_no_improvement(best.value, self.budget.optimality_gap_limit());
        *bound = bound.min(open.max(closed));
    }

    /// Estimates whether [`Self::run`] takes at most `most` nodes.
    ///
    /// The estimate uses an evenly spaced sample of the groups of boxes.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if a limit is reached or the run is cancelled.
    pub(crate) fn is_within_node_limit(&self, known: &Incumbent, most: u64) -> Result<bool> {
        let weights = self.tariff.first_box_weights(self.codes);
        let mut trail = CompletionSearchTrace::new(&[], most / self.look);
        let list = match self
            .slack_listing_params(&weights)
            .list_boxes_up_to_slack(self.max_slack(&known.best), &mut trail)
        {
            Err(Error::Cancelled) if trail.is_node_limit_exceeded() => None,
            list => list?,
        };
        let Some(list) = list else { return Ok(false) };
        let n_groups = list.len().div_ceil(GROUP);
        // The number of sampled groups is small enough that the sample itself stays within `most` nodes.
        let n = n_groups.isqrt().min(SAMPLED);
        let sample: Vec<&[BoxWithSlack]> = (0..n)
            .map(|at| (2 * at + 1) * n_groups / (2 * n) * GROUP)
            .map(|first| &list[first..list.len().min(first + GROUP)])
            .collect();
        let most = most / n_groups.max(1) as u64 * n as u64;
        let at_hand: Vec<&BoxColumn> = known.pool.iter().collect();
        let taken = parallel::try_map(sample, |group| {
            let mut trail = CompletionSearchTrace::new(&at_hand, most);
            match self.find_better_set_from_group(group, &weights, &known.best, &mut trail) {
                Err(Error::Cancelled) if trail.is_node_limit_exceeded() => {}
                ended => drop(ended?),
            }
            Ok(trail.nodes)
        })?;
        Ok(taken.into_iter().sum::<u64>() <= most)
    }

    fn slack_listing_params<'b>(&'b self, weights: &'b PricingWeights) -> BoxListingParams<'b> {
        BoxListingParams {
            codes: self.codes,
            budget: self.budget,
            prices: &self.dual.prices,
            top: self.dual.sigma + self.tariff.per_box,
            guard: None,
            keep: weights,
            maximal_only: true,
            most: self.lists[0],
        }
    }

    /// Reuses boxes of one batch in the next; batches do not depend on the number of threads.
    fn complete_listed_boxes(
        &self,
        list: &[BoxWithSlack],
        weights: &PricingWeights,
        pool: &[BoxColumn],
        best: &mut ScoredDrawing,
    ) -> Result<()> {
        let groups: Vec<&[BoxWithSlack]> = list.chunks(GROUP).collect();
        let mut met: Vec<BoxColumn> = Vec::new();
        for side_by_side in groups.chunks(SIDE_BY_SIDE) {
            let at_hand: Vec<&BoxColumn> = pool.iter().chain(&met).collect();
            let found: Vec<Result<(Option<CompletionBoxes>, Vec<BoxColumn>)>> =
                parallel::map(side_by_side, |group| {
                    let mut trail = CompletionSearchTrace::new(&at_hand, u64::MAX);
                    let found = self.find_better_set_from_group(group, weights, best, &mut trail)?;
                    Ok((found, trail.met))
                });
            met = Vec::new();
            let mut improved = false;
            for found in found {
                let (family, more) = found?;
                met.extend(more);
                if let Some((_, boxes)) = family {
                    let boxes = boxes
                        .into_iter()
                        .map(|column| column.expand_without_new_hits(self.codes, self.budget));
                    let boxes = boxes.collect::<Result<_>>()?;
                    improved |= best.replace_if_better(ScoredDrawing::new(self.codes, self.tariff, boxes));
                }
            }
            met.sort_unstable();
            met.dedup();
            met.truncate(HANDED_ON);
            if improved {
                let polished = improve_box_by_box(self.codes, self.tariff, best.boxes.clone(), self.budget)?;
                best.replace_if_better(polished);
            }
        }
        Ok(())
    }

    /// Finds the best set of boxes whose box of least slack is in the given group of boxes.
    ///
    /// Returns `None` if no such set improves on `best`.
    fn find_better_set_from_group(
        &self,
        group: &[BoxWithSlack],
        weights: &PricingWeights,
        best: &ScoredDrawing,
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<CompletionBoxes>> {
        let base = self.tariff.empty_set_value(self.codes);
        let bound = self.dual.bound - base;
        let level = CompletionDual { prices: self.dual.prices.clone(), sigma: self.dual.sigma, bound };
        let need = self.min_improving_value(best) - base;
        self.best_boxes_from_group(self.dual.n_boxes, group, weights, need, &level, trail)
    }

    /// Finds the `k` boxes with the largest total value whose box of least slack is in `group`.
    ///
    /// The total value must be at least `need`.
    ///
    /// If `k` is 2, all boxes of `group` are first tested together under optimistic assumptions. The first
    /// box has the largest value of a box in `group`. It covers only the minority rows that all boxes of
    /// `group` cover, and hits all majority rows that any of them hits. If no second box is good enough under
    /// these assumptions, `group` is pruned.
    fn best_boxes_from_group(
        &self,
        k: usize,
        group: &[BoxWithSlack],
        weights: &PricingWeights,
        need: f64,
        level: &CompletionDual,
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<CompletionBoxes>> {
        let least = group.iter().map(|candidate| candidate.slack).fold(f64::INFINITY, f64::min);
        let spare = level.bound - need - least * (k - 1) as f64;
        if least > spare + ROUND {
            return Ok(None);
        }
        let floor = level.sigma + self.tariff.per_box - spare - ROUND;
        let guard = MinimumValueConstraint { prices: &level.prices, floor };
        if let [one] = group {
            let (gain, left) = self.tariff.value_and_remaining_weights(self.codes, weights, &one.column);
            let more = self.find_best_completion(k - 1, &left, need - gain, (&level.prices, guard), trail)?;
            return Ok(more.map(|(more, mut boxes)| {
                boxes.push(one.column.clone());
                (gain + more, boxes)
            }));
        }
        let (gain, left) = self.optimistic_weights(weights, group);
        if k == 2 && need - gain > ROUND && self.has_no_box_with_value(&left, need - gain, guard, trail)? {
            return Ok(None);
        }
        let (first, second) = group.split_at(group.len() / 2);
        let one = self.best_boxes_from_group(k, first, weights, need, level, trail)?;
        let need = one.as_ref().map_or(need, |(gain, _)| gain + self.tariff.stride);
        Ok(self.best_boxes_from_group(k, second, weights, need, level, trail)?.or(one))
    }

    /// Returns the largest value of a box in `group`, and optimistic weights for further boxes.
    ///
    /// After any box of `group` is chosen, the rewards for further boxes are at most those in the returned
    /// weights, and the costs of further boxes are at least those in the returned weights.
    fn optimistic_weights(&self, weights: &PricingWeights, group: &[BoxWithSlack]) -> (f64, PricingWeights) {
        let mut top = f64::NEG_INFINITY;
        let (mut pos, mut neg) =
            (BitSet::full(self.codes.n_minority_groups()), BitSet::empty(self.codes.n_majority_groups()));
        for BoxWithSlack { column, .. } in group {
            top = top.max(weights.box_value(self.codes, column) - self.tariff.per_box);
            pos.intersect_with(&column.pos);
            neg.union_with(&column.neg);
        }
        let mut left = weights.clone();
        pos.iter().for_each(|p| left.pos[p] = 0.0);
        neg.iter().for_each(|i| left.neg[i] = 0.0);
        (top, left)
    }

    /// Whether a search proves that no single box has at least the value `need` under `weights`.
    ///
    /// The result is false if the search reaches its node limit.
    fn has_no_box_with_value(
        &self,
        weights: &PricingWeights,
        need: f64,
        guard: MinimumValueConstraint<'_>,
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<bool> {
        let above = need + self.tariff.per_box - ROUND;
        let query = PricingQuery { prices: weights, above, guard: Some(guard), keep: None };
        let mut any = ExistenceVisitor(false);
        let mut pricing = PricingSearch::new(self.codes, query, &mut any);
        while trail.continue_search(&mut pricing, &mut any, self.budget)? {
            if any.0 || pricing.nodes > TESTED {
                return Ok(false);
            }
        }
        Ok(!any.0)
    }

    /// Finds the `k` boxes of the largest total value under `weights`.
    ///
    /// Returns `None` if the total value is less than `need`.
    fn find_best_completion(
        &self,
        k: usize,
        weights: &PricingWeights,
        mut need: f64,
        (parent, guard): (&PricingWeights, MinimumValueConstraint<'_>),
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<CompletionBoxes>> {
        if k == 0 {
            return Ok((need <= ROUND).then(|| (0.0, Vec::new())));
        }
        if k == 1 {
            let above = need + self.tariff.per_box - ROUND;
            let query = PricingQuery { prices: weights, above, guard: Some(guard), keep: None };
            let found = trail.find_best_box(self.codes, query, self.budget)?;
            return Ok(found.map(|f| (f.value - self.tariff.per_box, vec![BoxColumn::new(self.codes, f.at)])));
        }
        let mut best = None;
        let levels = CompletionDualSearch { codes: self.codes, tariff: self.tariff, budget: self.budget };
        let Some(level) = levels.find_dual_values(k, weights, need, (parent, guard), trail)? else {
            return Ok(best);
        };
        let firsts = BoxListingParams {
            codes: self.codes,
            budget: self.budget,
            prices: &level.prices,
            top: level.sigma + self.tariff.per_box,
            guard: Some(guard),
            keep: weights,
            maximal_only: false,
            most: self.lists[1],
        };
        let last = |need: f64| (level.bound - need + ROUND) / k as f64;
        firsts.for_each_box_list(last(need), last(need), trail, |list, _, trail| {
            for group in list.chunks(GROUP) {
                if let Some((gain, boxes)) =
                    self.best_boxes_from_group(k, group, weights, need, &level, trail)?
                {
                    need = gain + self.tariff.stride;
                    best = Some((gain, boxes));
                }
            }
            Ok(last(need))
        })?;
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::problem::BoxObjective;
    use crate::exact::random_problems::{draw_random_problem, list_all_boxes, random_integer_generator};
    use imbcore_core::RunContext;
    use imbcore_core::budget::StoppingLimits;

    fn max_total_value(
        codes: &EncodedRows,
        tariff: &ObjectiveTerms,
        k: usize,
        boxes: &[BoxColumn],
        chosen: &mut Vec<BoxColumn>,
    ) -> f64 {
        let mut best = tariff.objective_value(codes, chosen);
        for (place, one) in boxes.iter().enumerate().filter(|_| k > 0) {
            chosen.push(one.clone());
            best = best.max(max_total_value(codes, tariff, k - 1, &boxes[place + 1..], chosen));
            chosen.pop();
        }
        best
    }

    /// A bound for sets of three boxes.
    ///
    /// The rewards are the full weights of the rows, and each of the three boxes pays a third of the cost of
    /// a hit.
    fn of_three(codes: &EncodedRows, tariff: &ObjectiveTerms, boxes: &[BoxColumn]) -> BoundWithDualValues {
        let PricingWeights { pos, neg, .. } = tariff.first_box_weights(codes);
        let prices = PricingWeights::without_pairs(pos, neg.iter().map(|cost| cost / 3.0).collect());
        let value = |column: &BoxColumn| prices.box_value(codes, column) - tariff.per_box;
        let sigma = boxes.iter().map(value).fold(0.0, f64::max);
        BoundWithDualValues { n_boxes: 3, prices, sigma, bound: tariff.empty_set_value(codes) + 3.0 * sigma }
    }

    fn maximal(codes: &EncodedRows) -> Vec<BoxColumn> {
        let boxes = list_all_boxes(codes).into_iter().map(|at| BoxColumn::new(codes, at));
        boxes.filter(|column| column.is_maximal(codes)).collect()
    }

    fn three() -> BoxObjective {
        BoxObjective { n_boxes: 3, majority_weight: 0.5, ..BoxObjective::default() }
    }

    #[test]
    fn cost_estimate_follows_group_sizes() {
        let budget =
            SearchBudget::start("exact_boxes", StoppingLimits::default(), RunContext::silent()).unwrap();
        let (goal, tariff) = (three(), ObjectiveTerms::new(&three(), Some(20.0)));
        let (mut of_one_group, mut of_more) = (0, 0);
        for seed in 0..200 {
            let (codes, _) =
                draw_random_problem(&mut random_integer_generator(seed), 2, (6, 14), &goal, false);
            let dual = of_three(&codes, &tariff, &maximal(&codes));
            let closing =
                GapClosingSearch { look: 1, ..GapClosingSearch::new(&codes, &tariff, &dual, &budget) };
            let mut known = Incumbent::initial(&codes, &tariff);
            closing.run(&mut known, &mut dual.bound.clone()).unwrap();
            let mut trail = CompletionSearchTrace::new(&[], u64::MAX);
            let weights = tariff.first_box_weights(&codes);
            let list = closing
                .slack_listing_params(&weights)
                .list_boxes_up_to_slack(closing.max_slack(&known.best), &mut trail);
            let (list, listed) = (list.unwrap().unwrap(), trail.nodes);
            let is_short = |most: u64| closing.is_within_node_limit(&known, most).unwrap();
            assert!(is_short(u64::MAX) && !is_short(listed - 1), "seed {seed}");
            if list.len() > GROUP {
                of_more += u32::from(!is_short(listed));
            } else if !list.is_empty() {
                closing.find_better_set_from_group(&list, &weights, &known.best, &mut trail).unwrap();
                let taken = trail.nodes - listed;
                assert!(is_short(taken.max(listed)), "seed {seed}");
                if taken > listed {
                    assert!(!is_short(taken - 1), "seed {seed}");
                    of_one_group += 1;
                }
            }
        }
        assert!(of_one_group > 10 && of_more > 10, "{of_one_group} {of_more}");
    }

    #[test]
    fn short_lists_find_the_optimum() {
        let budget =
            SearchBudget::start("exact_boxes", StoppingLimits::default(), RunContext::silent()).unwrap();
        let (goal, tariff) = (three(), ObjectiveTerms::new(&three(), Some(20.0)));
        let mut of_all = 0;
        for seed in 0..60 {
            let (codes, _) =
                draw_random_problem(&mut random_integer_generator(seed), 2, (6, 14), &goal, false);
            let boxes = maximal(&codes);
            let [best, of_fewer] =
                [3, 2].map(|k| max_total_value(&codes, &tariff, k, &boxes, &mut Vec::new()));
            let dual = of_three(&codes, &tariff, &boxes);
            for lists in [[1, 1], [2, 3], LISTS] {
                let closing =
                    GapClosingSearch { lists, ..GapClosingSearch::new(&codes, &tariff, &dual, &budget) };
                let (mut known, mut bound) = (Incumbent::initial(&codes, &tariff), dual.bound);
                closing.run(&mut known, &mut bound).unwrap();
                assert!(bound >= best, "seed {seed}, {lists:?}: {bound} and {best}");
                // The search examines only sets with exactly three boxes, the maximum number.
                assert!(known.best.value == best || best == of_fewer, "seed {seed}, {lists:?}");
            }
            of_all += u32::from(best > of_fewer);
        }
        assert!(of_all > 20, "{of_all}");
    }
}
