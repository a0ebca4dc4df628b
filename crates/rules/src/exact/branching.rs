//! Branching rule of the branch and bound search for the best box.
//!
//! A side is a lower or upper bound of a box, and its candidates are its possible positions. A row group has
//! all rows of one class with equal codes; no box separates them. The symbols are those of `pricing`.
//!
//! The loss of a box is the upper bound of its node minus the value of the box. A lower bound on the loss of
//! every box of the node is computed first (`loss_bounds`). If this bound is too large, the node is pruned.
//! Otherwise tables are filled for one side after the other. They store the contribution of each row group at
//! the candidate of the side that first excludes the group. Sums over the candidates give the totals. A node
//! costs `sides x (pos + neg + candidates)` operations, with `pos` minority and `neg` majority row groups.

use crate::bit_set::{contains, members};
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::loss_bounds::LossBounds;
use crate::exact::node_stack::Node;
use crate::exact::pricing_weights::PricingWeights;

#[derive(Clone, Copy, Debug)]
pub(crate) enum BranchDecision {
    /// Prune the node: no unvisited box in it can have a value above the threshold.
    Nothing,
    /// Shrink the node to [`BranchingTables::low`] and [`BranchingTables::high`].
    Narrow,
    /// Branch into two children that divide the candidate positions of one side of a box.
    ///
    /// One child has the positions of `side` below `at`, the other has the rest.
    At {
        side: usize,
        at: u16,
        /// Whether the child with the inner positions of the side has the larger loss.
        ///
        /// This child is then pushed first and explored last.
        inner_first: bool,
    },
}

#[derive(Debug)]
pub(crate) struct BranchingTables {
    active: Vec<usize>,
    /// Groups of minority rows that some box of the node covers, and their remaining rewards.
    covered: Vec<(usize, f64)>,
    /// Groups of equal majority rows that some boxes of the node hit and others exclude.
    ///
    /// The number beside each group is its contribution to the sums in `shared`.
    undecided: Vec<(usize, f64)>,
    losses: LossBounds,
    /// For each position of one side, the sum of the rewards of the minority groups it excludes.
    lost: Vec<f64>,
    /// For each position of one side of a box, a lower bound on the further loss of boxes there.
    ///
    /// The further loss is the part of the loss above the lower bound for all boxes of the node.
    further: Vec<f64>,
    /// For each position of one side of a box, the estimated loss if the side stays farther out.
    ///
    /// It is the sum of the contributions in `undecided` of the groups that the side excludes only at this
    /// position or further in.
    shared: Vec<f64>,
    /// For each side, the first and last position of the boxes that can exceed the threshold.
    pub low: Vec<u16>,
    pub high: Vec<u16>,
}

impl BranchingTables {
    pub(crate) fn new(codes: &EncodedRows) -> Self {
        let width = codes.n_candidates.iter().copied().max().map_or(1, usize::from) + 2;
        Self {
            active: Vec::new(),
            covered: Vec::new(),
            undecided: Vec::new(),
            losses: LossBounds::new(codes, width),
            lost: vec![0.0; width],
            further: vec![0.0; width],
            shared: vec![0.0; width],
            low: vec![0; codes.n_sides],
            high: vec![0; codes.n_sides],
        }
    }

    /// Prunes a node, shrinks it, or chooses its branching point.
    ///
    /// Only boxes with a loss less than `slack` are of interest. A candidate at an end of a side is removed
    /// if all boxes with this candidate lose at least `slack`. If `weighting` is 0, the losses use the
    /// weights of the search. If it is 1, they use the weights of the additional constraint of the search
    /// (the guard).
    ///
    /// A branching point is a candidate `t` in `low + 1..=high` of a side. Its score is the product of the
    /// losses of both children:
    /// - The inner child loses `lost[t]`, the remaining rewards of the groups of minority rows that it cannot
    ///   cover.
    /// - The outer child cannot exclude the undecided groups of majority rows that the side excludes only at
    ///   `t` or further in. Its loss is estimated by `shared[t]`, the sum of the costs of these groups. A
    ///   group that `w` sides can exclude counts with `1 / w^2` of its cost.
    pub(crate) fn choose_branch_decision(
        &mut self,
        codes: &EncodedRows,
        (prices, weighting): (&PricingWeights, usize),
        node: &Node,
        slack: f64,
    ) -> BranchDecision {
        self.low.copy_from_slice(&node.lo);
        self.high.copy_from_slice(&node.hi);
        self.collect_undecided_groups(codes, (prices, weighting), node);
        let least = self.losses.raise_dual_values(codes, prices, node, &self.active, slack);
        if least >= slack {
            return BranchDecision::Nothing;
        }
        let mut best: Option<(f64, BranchDecision)> = None;
        let mut narrow = false;
        for at in 0..self.active.len() {
            let side = self.active[at];
            self.fill_side_tables(codes, node, side);
            let widths = codes.side_width.get(side);
            let width =
                |at: usize| widths.map_or(0.0, |widths| widths[usize::from(node.lo[side])] - widths[at]);
            let wanted = |t: &u16| {
                let t = usize::from(*t);
                self.lost[t].max(least + self.further[t]) + width(t) < slack
            };
            let (lo, hi) = (node.lo[side], node.hi[side]);
            let Some(low) = (lo..=hi).find(wanted) else { return BranchDecision::Nothing };
            let high = (low..=hi).rev().find(wanted).unwrap_or(low);
            narrow |= (low, high) != (lo, hi);
            (self.low[side], self.high[side]) = (low, high);
            for t in low + 1..=high {
                let place = usize::from(t);
                // If no group of majority rows is first excluded at this candidate, it is not a branching
                // point.
                if self.shared[place] == self.shared[place + 1] {
                    continue;
                }
                let score = (self.lost[place] + width(place) + 1e-6) * self.shared[place];
                if best.as_ref().is_none_or(|(top, _)| score > *top) {
                    let inner_first = self.lost[place] > self.shared[place];
                    best = Some((score, BranchDecision::At { side, at: t, inner_first }));
                }
            }
        }
        match best {
            Some((_, parting)) => parting,
            None if narrow => BranchDecision::Narrow,
            None => BranchDecision::Nothing,
        }
    }

    /// Whether a lower bound proves that every box of `node` has a loss of at least `slack`.
    ///
    /// [`Self::choose_branch_decision`] must have been called for this node before.
    pub(crate) fn is_node_loss_at_least(
        &mut self,
        codes: &EncodedRows,
        (prices, weighting): (&PricingWeights, usize),
        node: &Node,
        slack: f64,
    ) -> bool {
        self.losses.reset_for_node(prices, node, &node.paid[weighting]);
        for i in members(&node.neg) {
            self.losses.add_undecided_group(codes, node, i);
        }
        self.losses.raise_dual_values(codes, prices, node, &self.active, slack) >= slack
    }

    #[inline]
    fn collect_undecided_groups(
        &mut self,
        codes: &EncodedRows,
        (prices, weighting): (&PricingWeights, usize),
        node: &Node,
    ) {
        self.active.clear();
        self.active.extend((0..codes.n_sides).filter(|&side| node.lo[side] < node.hi[side]));
        self.losses.reset_for_node(prices, node, &node.paid[weighting]);
        let left = &self.losses.rest;
        self.covered.clear();
        self.covered.extend(members(&node.pos).map(|p| (p, left[p])).filter(|(_, left)| *left > 0.0));
        self.undecided.clear();
        for i in members(&node.neg) {
            let ways = f64::from(self.losses.add_undecided_group(codes, node, i));
            let left = &self.losses.rest;
            let taken = prices
                .pairs
                .pairs_of_majority_group(i)
                .iter()
                .filter(|(p, _)| contains(&node.pos, usize::from(*p)));
            let price = prices.neg[i] + taken.map(|&(p, price)| price.min(left[usize::from(p)])).sum::<f64>();
            self.undecided.push((i, (price + 1e-6) / (ways * ways)));
        }
    }

    #[inline]
    fn fill_side_tables(&mut self, codes: &EncodedRows, node: &Node, side: usize) {
        let (lo, hi) = (usize::from(node.lo[side]), usize::from(node.hi[side]));
        let (lost, further, shared) = (&mut self.lost, &mut self.further, &mut self.shared);
        lost[lo..=hi].fill(0.0);
        further[lo..=hi].copy_from_slice(&self.losses.loss_increases(side)[lo..=hi]);
        shared[lo..=hi].fill(0.0);
        let (lost_at, out_at) =
            (codes.minority_exclusions_by_side(side), codes.majority_exclusions_by_side(side));
        for &(p, left) in &self.covered {
            let at = usize::from(lost_at[p]);
            lost[at] += left;
            further[at] += self.losses.rest[p];
        }
        for &(i, share) in &self.undecided {
            shared[usize::from(out_at[i])] += share;
        }
        for t in lo + 1..=hi {
            lost[t] += lost[t - 1];
            further[t] += further[t - 1];
        }
        // The sums run from the innermost position `hi` of the node outwards and start at 0.
        shared[hi + 1] = 0.0;
        for t in (lo + 1..=hi).rev() {
            shared[t] += shared[t + 1];
        }
    }
}
