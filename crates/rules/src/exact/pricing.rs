//! Branch and bound search for the box with the largest value under given weights.
//!
//! It computes every bound of the formulation `columns`. A side is a lower or upper bound of a box, and its
//! candidates are the positions that the search considers. A row group has all rows of one class with equal
//! codes; no box separates them. A node is an interval of candidates for every side. The upper bound of a
//! node is a difference: the rewards of all minority row groups that at least one of its boxes covers, minus
//! the costs of the majority row groups that all of its boxes hit. The search follows Eckstein, Hammer, Liu,
//! Nediak and Simeone 2002, "The maximum box problem and its application to data analysis". Unlike in that
//! paper, a box may hit majority rows.
//!
//! Side `s` of a box is at candidate `t_s`, counted inwards. Minority row group `p` is lost if
//! `t_s >= r_s(p)` (`codes.lost_at`). Majority row group `i` is excluded if `t_s >= e_s(i)` (`codes.out_at`).
//! A node is `lo_s <= t_s <= hi_s`. `pos` has the groups `p` with `r_s(p) > lo_s` on every side, which some
//! box covers. A majority row group `i` with `e_s(i) > hi_s` on every side is certainly hit, and its cost is
//! paid (`paid`). If `e_s(i) <= lo_s` on some side, the group is excluded. `neg` has all other majority row
//! groups, which are undecided.
//!
//! Invariants for every node on the stack: `bound`, the remaining rewards of `pos` minus the paid costs plus
//! `width(lo)`, is at least the value of each of its boxes. The box at `lo` was visited. A box is wanted if
//! it satisfies the constraints and its value is above `above`. Every wanted box is in a node on the stack,
//! or at most as good as a visited box. `pos` and `neg` are bit sets. A node costs sides times words of bit
//! sets, and branching costs sides times row groups (`branching`). Nodes are in one flat stack.

use crate::bit_set::{BitSet, members};
use crate::exact::branching::{BranchDecision, BranchingTables};
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::node_stack::{Node, NodeBoundTerms, NodeStack};
use crate::exact::pricing_weights::PricingWeights;
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

/// Constraint on boxes: their value under a second list of weights must exceed a minimum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinimumValueConstraint<'a> {
    pub prices: &'a PricingWeights,
    /// Boxes whose value under the second list of weights is at most this number are skipped.
    pub floor: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PricingQuery<'a> {
    pub prices: &'a PricingWeights,
    /// Threshold of the search: only boxes with a larger value are reported.
    pub above: f64,
    pub guard: Option<MinimumValueConstraint<'a>>,
    /// Third list of weights, which does not change the value of a box.
    ///
    /// Boxes count as different if they differ in groups of rows with a positive weight in this list.
    pub keep: Option<&'a PricingWeights>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PricedBox {
    pub at: Vec<u16>,
    pub value: f64,
}

/// Largest difference at which two values of boxes count as equal.
///
/// Values are sums of a few hundred numbers near 1.
pub(crate) const TIE: f64 = 1e-9;

pub(crate) trait BoxVisitor {
    /// Called for each box with a `value` above the threshold; returns the new threshold.
    fn visit_box(&mut self, at: &[u16], value: f64, above: f64) -> f64;
    /// Called for each leaf, a node whose boxes all hit the same groups of equal majority rows.
    ///
    /// `_at` has the candidate positions of the best box of the leaf, and `_value` is the value of this box.
    fn visit_leaf(&mut self, _at: &[u16], _value: f64) {}
}

#[derive(Debug, Default)]
pub(crate) struct BestBoxVisitor(pub Option<PricedBox>);

impl BoxVisitor for BestBoxVisitor {
    fn visit_box(&mut self, at: &[u16], value: f64, _: f64) -> f64 {
        self.0 = Some(PricedBox { at: at.to_vec(), value });
        value
    }
}

#[derive(Debug)]
pub(crate) struct PricingSearch<'a> {
    codes: &'a EncodedRows,
    query: PricingQuery<'a>,
    above: f64,
    stack: NodeStack,
    node: Node,
    child: Node,
    branching: BranchingTables,
    certain: Vec<u64>,
    left: Vec<f64>,
    /// Number of nodes examined so far.
    ///
    /// `counted` is this number at the last call of [`Self::take_new_node_count`].
    pub nodes: u64,
    counted: u64,
}

impl<'a> PricingSearch<'a> {
    pub(crate) fn new<V: BoxVisitor>(codes: &'a EncodedRows, query: PricingQuery<'a>, visit: &mut V) -> Self {
        let n = codes.n_sides;
        let mut pricing = Self {
            codes,
            query,
            above: query.above,
            stack: NodeStack::default(),
            node: Node::default(),
            child: Node::default(),
            branching: BranchingTables::new(codes),
            certain: Vec::new(),
            left: vec![0.0; codes.n_minority_groups()],
            nodes: 0,
            counted: 0,
        };
        let weights = [Some(query.prices), query.guard.map(|guard| guard.prices), query.keep];
        let priced = |prices: &PricingWeights, i: usize| {
            prices.neg[i] > 0.0 || !prices.pairs.pairs_of_majority_group(i).is_empty()
        };
        let pos = BitSet::from_predicate(codes.n_minority_groups(), |p| {
            weights.iter().flatten().any(|prices| prices.pos[p] > 0.0)
        });
        let neg = BitSet::from_predicate(codes.n_majority_groups(), |i| {
            weights.iter().flatten().any(|prices| priced(prices, i))
        });
        let root = &mut pricing.child;
        root.lo = vec![0; n];
        root.hi = codes.n_candidates.iter().map(|&n| n - 1).collect();
        (root.pos, root.neg) = (pos.words().to_vec(), neg.words().to_vec());
        let nothing =
            |prices: Option<&PricingWeights>| prices.map(NodeBoundTerms::without_hits).unwrap_or_default();
        root.paid =
            [NodeBoundTerms::without_hits(query.prices), nothing(query.guard.map(|guard| guard.prices))];
        for (paid, prices) in
            root.paid.iter_mut().zip([Some(query.prices), query.guard.map(|guard| guard.prices)])
        {
            paid.rewards = prices.map_or(0.0, |prices| pos.sum_weights(&prices.pos));
        }
        // No rows are excluded at the outermost candidates, so the root has all groups of equal rows with a
        // positive weight.
        pricing.node = pricing.child.clone();
        pricing.process_child(visit);
        pricing
    }

    /// Runs the search to the end, with checks of the budget.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] at a limit; [`Self::unvisited_value_bound`] stays valid.
    pub(crate) fn run<V: BoxVisitor>(&mut self, visit: &mut V, budget: &SearchBudget<'_>) -> Result<()> {
        budget.check_limits()?;
        while self.run_until_check(visit) {
            budget.check_limits()?;
        }
        Ok(())
    }

    pub(crate) fn run_until_check<V: BoxVisitor>(&mut self, visit: &mut V) -> bool {
        for _ in 0..self.codes.nodes_per_check() {
            if !self.stack.pop(&mut self.node) {
                return false;
            }
            if self.node.bound > self.above + TIE {
                self.split_node(visit);
            }
        }
        !self.stack.is_empty()
    }

    pub(crate) fn take_new_node_count(&mut self) -> u64 {
        self.nodes - std::mem::replace(&mut self.counted, self.nodes)
    }

    /// Upper bound on the values of all boxes that the search has not visited yet.
    pub(crate) fn unvisited_value_bound(&self) -> f64 {
        self.stack.node_bounds().fold(self.above, f64::max)
    }

    fn split_node<V: BoxVisitor>(&mut self, visit: &mut V) {
        let slack = self.node.bound - self.above - TIE;
        let mut first = ((self.query.prices, 0), slack);
        let mut second = None;
        if let Some(guard) = self.query.guard {
            let slack =
                self.node.paid[1].value_bound() + self.width_reward_bound(&self.node.lo) - guard.floor - TIE;
            second = Some(((guard.prices, 1), slack));
            if slack < first.1 {
                second = Some(std::mem::replace(&mut first, ((guard.prices, 1), slack)));
            }
        }
        let parting = self.branching.choose_branch_decision(self.codes, first.0, &self.node, first.1);
        if let Some((weights, slack)) = second
            && !matches!(parting, BranchDecision::Nothing)
            && self.branching.is_node_loss_at_least(self.codes, weights, &self.node, slack)
        {
            return;
        }
        match parting {
            BranchDecision::Nothing => {}
            BranchDecision::Narrow => self.build_and_process_child(None, visit),
            BranchDecision::At { side, at, inner_first } => {
                // The child with the smaller loss is pushed last, so that it is examined first.
                for inner in [inner_first, !inner_first] {
                    self.build_and_process_child(Some((side, at, inner)), visit);
                }
            }
        }
    }

    fn width_reward_bound(&self, at: &[u16]) -> f64 {
        self.codes.side_width.iter().zip(at).map(|(widths, &at)| widths[usize::from(at)]).sum()
    }

    /// Enters a child of the current node: the shrunk node, or one of its two parts.
    ///
    /// `wall` gives the branching point as side and candidate, and whether the child is the inner part.
    fn build_and_process_child<V: BoxVisitor>(&mut self, wall: Option<(usize, u16, bool)>, visit: &mut V) {
        self.child.clone_from(&self.node);
        self.child.lo.copy_from_slice(&self.branching.low);
        self.child.hi.copy_from_slice(&self.branching.high);
        match wall {
            Some((side, at, true)) => self.child.lo[side] = at,
            Some((side, at, false)) => self.child.hi[side] = at - 1,
            None => {}
        }
        self.process_child(visit);
    }

    /// Shrinks `child`, visits its largest box, and pushes `child` if another box can be better.
    ///
    /// If the objective has no reward for width, the candidates of each side are first moved:
    /// - The outermost candidate `lo` moves inwards while no remaining minority row is lost.
    /// - The innermost candidate `hi` moves outwards until a remaining minority row is covered.
    ///
    /// With any objective, `hi` then moves outwards to the last candidate that excludes another group of
    /// equal majority rows. Each box that is removed is at most as good as a box that remains.
    fn process_child<V: BoxVisitor>(&mut self, visit: &mut V) {
        self.nodes += 1;
        let (codes, query) = (self.codes, self.query);
        let has_width = !codes.side_width.is_empty();
        self.remove_excluded_groups();
        if has_width && !codes.has_ordered_bounds(&self.child.lo)
            || !has_width && self.child.pos.iter().all(|&word| word == 0)
        {
            return;
        }
        let width = self.width_reward_bound(&self.child.lo);
        if self.child.paid[0].value_bound() + width <= self.above + TIE {
            return;
        }
        loop {
            if !has_width {
                self.tighten_to_minority_groups();
            }
            if !self.update_child_row_groups() {
                break;
            }
        }
        let bound = self.child.paid[0].value_bound() + width;
        self.child.bound = bound;
        if bound <= self.above + TIE {
            return;
        }
        let most_guard = self.child.paid[1].value_bound() + width;
        if query.guard.is_some_and(|guard| most_guard <= guard.floor + TIE) {
            return;
        }
        self.tighten_inner_candidates();
        let Node { lo, pos, neg, paid: [paid, paid_guard], .. } = &self.child;
        // The box at the outermost candidates `lo` covers all groups of minority rows in `pos` and hits all
        // groups of majority rows in `neg`.
        let left = &mut self.left;
        let value = box_value_if_above(query.prices, pos, neg, paid, bound, self.above + TIE, left);
        if let Some(value) = value
            && query.guard.is_none_or(|guard| {
                box_value_if_above(guard.prices, pos, neg, paid_guard, most_guard, guard.floor + TIE, left)
                    .is_some()
            })
        {
            self.above = visit.visit_box(lo, value, self.above);
        }
        if neg.iter().all(|&word| word == 0) {
            visit.visit_leaf(lo, bound);
        } else if bound > self.above + TIE {
            self.stack.push(&self.child);
        }
    }

    #[inline]
    fn remove_excluded_groups(&mut self) {
        let (codes, query) = (self.codes, self.query);
        let Node { lo, pos, paid: [paid, paid_guard], .. } = &mut self.child;
        for (side, (&lo, &before)) in lo.iter().zip(&self.node.lo).enumerate() {
            if lo == before {
                continue;
            }
            for (place, (word, still)) in
                pos.iter_mut().zip(codes.minority_groups_within_side(side, lo)).enumerate()
            {
                for p in members(&[*word & !still]).map(|bit| 64 * place + bit) {
                    paid.rewards -= paid.remaining_reward(query.prices, p);
                    if let Some(guard) = query.guard {
                        paid_guard.rewards -= paid_guard.remaining_reward(guard.prices, p);
                    }
                }
                *word &= still;
            }
        }
    }

    /// Shrinks `child` to candidates that matter for its remaining minority rows.
    ///
    /// The outermost candidate moves inwards while no minority row is lost. The innermost candidate moves
    /// outwards until some minority row is covered.
    #[inline]
    fn tighten_to_minority_groups(&mut self) {
        let codes = self.codes;
        let Node { lo, hi, pos, .. } = &mut self.child;
        for (side, (lo, hi)) in lo.iter_mut().zip(hi).enumerate() {
            while lo < hi
                && pos.iter().zip(codes.minority_groups_within_side(side, *lo + 1)).all(|(a, b)| a & !b == 0)
            {
                *lo += 1;
            }
            while lo < hi
                && pos.iter().zip(codes.minority_groups_within_side(side, *hi)).all(|(a, b)| a & b == 0)
            {
                *hi -= 1;
            }
        }
    }

    /// Updates the groups of equal rows in `child` after its candidates have changed.
    ///
    /// Removes the majority groups that no box hits. Also removes the majority groups that all boxes hit, and
    /// adds their cost to the node. Returns whether minority groups without remaining reward were removed.
    #[inline]
    fn update_child_row_groups(&mut self) -> bool {
        let (codes, query) = (self.codes, self.query);
        let Node { lo, hi, pos, neg, paid: [paid, paid_guard], .. } = &mut self.child;
        let keep = |words: &mut [u64], other: &[u64]| {
            words.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
        };
        for (side, (&lo, &before)) in lo.iter().zip(&self.node.lo).enumerate() {
            if lo != before {
                keep(neg, codes.majority_groups_within_side(side, lo));
            }
        }
        self.certain.clear();
        self.certain.extend_from_slice(neg);
        for (side, &hi) in hi.iter().enumerate() {
            keep(&mut self.certain, codes.majority_groups_within_side(side, hi));
        }
        let mut used_up = false;
        for i in members(&self.certain) {
            used_up |= paid.charge_hit_cost(query.prices, i, pos);
            if let Some(guard) = query.guard {
                paid_guard.charge_hit_cost(guard.prices, i, pos);
            }
        }
        neg.iter_mut().zip(&self.certain).for_each(|(word, certain)| *word &= !certain);
        // With an additional constraint (`guard`) or a third list of weights (`keep`), a group of minority
        // rows without remaining reward can still matter and is not removed.
        used_up &= query.guard.is_none() && query.keep.is_none();
        if used_up {
            for (place, word) in pos.iter_mut().enumerate() {
                for p in members(&[*word]) {
                    if paid.remaining_reward(query.prices, 64 * place + p) == 0.0 {
                        *word &= !(1 << p);
                    }
                }
            }
        }
        used_up
    }

    /// Removes the inner candidates of `child` that exclude no other undecided majority rows.
    #[inline]
    fn tighten_inner_candidates(&mut self) {
        let codes = self.codes;
        let Node { lo, hi, neg, .. } = &mut self.child;
        for (side, (&mut lo, hi)) in lo.iter_mut().zip(hi).enumerate() {
            let mut at = codes.majority_groups_within_side(side, *hi);
            while lo < *hi {
                let before = codes.majority_groups_within_side(side, *hi - 1);
                if neg.iter().zip(at).zip(before).any(|((neg, at), before)| neg & before & !at != 0) {
                    break;
                }
                *hi -= 1;
                at = before;
            }
        }
    }
}

/// Value of the box that covers the groups `pos` of minority rows and hits the groups `neg`.
///
/// Returns `None` if the value is at most `floor`. `most` is the value of the box before the costs of hitting
/// `neg`, which are groups of majority rows, are subtracted.
fn box_value_if_above(
    prices: &PricingWeights,
    pos: &[u64],
    neg: &[u64],
    paid: &NodeBoundTerms,
    most: f64,
    floor: f64,
    left: &mut [f64],
) -> Option<f64> {
    let mut value = most;
    for i in members(neg) {
        value -= prices.neg[i];
        if value <= floor {
            return None;
        }
    }
    if !prices.pairs.is_empty() {
        left.fill(0.0);
        members(pos).for_each(|p| left[p] = paid.remaining_reward(prices, p));
        for i in members(neg) {
            for &(p, price) in prices.pairs.pairs_of_majority_group(i) {
                let left = &mut left[usize::from(p)];
                value -= price.min(*left);
                *left = (*left - price).max(0.0);
            }
            if value <= floor {
                return None;
            }
        }
    }
    (value > floor).then_some(value)
}

/// Finds the box with the largest value above the threshold of the search.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled.
pub(crate) fn find_best_box(
    codes: &EncodedRows,
    query: PricingQuery<'_>,
    budget: &SearchBudget<'_>,
) -> Result<Option<PricedBox>> {
    let mut best = BestBoxVisitor::default();
    PricingSearch::new(codes, query, &mut best).run(&mut best, budget)?;
    Ok(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::box_column::BoxColumn;
    use crate::exact::problem::BoxObjective;
    use crate::exact::random_problems::{draw_random_problem, list_all_boxes, random_integer_generator};
    use imbcore_core::RunContext;
    use imbcore_core::budget::StoppingLimits;

    #[test]
    fn best_box_matches_enumeration() {
        let budget =
            SearchBudget::start("exact_boxes", StoppingLimits::default(), RunContext::silent()).unwrap();
        for seed in 0..200 {
            let mut draw = random_integer_generator(seed);
            let (codes, prices) =
                draw_random_problem(&mut draw, 2, (5, 14), &BoxObjective::default(), seed % 2 == 0);
            let rewards = prices.pos.iter().map(|_| f64::from(draw(3))).collect();
            let other = PricingWeights::without_pairs(rewards, prices.neg.clone());
            let value = |weights: &PricingWeights, at: &[u16]| {
                weights.box_value(&codes, &BoxColumn::new(&codes, at.to_vec()))
            };
            for guard in [None, Some(MinimumValueConstraint { prices: &other, floor: 1.0 })] {
                let wanted = |at: &Vec<u16>| {
                    value(&prices, at) > 1e-6
                        && guard.is_none_or(|guard| value(&other, at) > guard.floor + 1e-6)
                };
                let best = list_all_boxes(&codes)
                    .into_iter()
                    .filter(wanted)
                    .map(|at| value(&prices, &at))
                    .fold(0.0, f64::max);
                let query = PricingQuery { prices: &prices, above: 0.0, guard, keep: None };
                let found = find_best_box(&codes, query, &budget).unwrap();
                assert_eq!(found.map_or(0.0, |found| found.value), best, "seed {seed}");
            }
        }
    }
}
