//! Branching rule of the best-box search.
//!
//! Symbols as in `pricing`. If every box of a node loses too much (`losses`), the node is pruned. Otherwise tables of
//! one side after the other store the contribution of each code at its own candidate, and a prefix sum over the
//! candidates gives the totals. A node costs `sides x (pos + neg + candidates)`.

use crate::bits::{has, ones};
use crate::exact::codes::EncodedRows;
use crate::exact::losses::LossBounds;
use crate::exact::prices::PricingWeights;
use crate::exact::stack::Node;

/// Branching decision for a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BranchDecision {
    /// Prune the node: none of its boxes can have a value above the threshold of the search.
    Nothing,
    /// Shrink the node to [`Branching::low`] and [`Branching::high`], without branching.
    Narrow,
    /// Branch into two children, with the candidate of `side` before `at`, and at least `at`.
    At {
        side: usize,
        at: u16,
        /// Whether the inner child (the boxes with `side` at `at` or further in) loses more.
        /// It is then pushed first and explored last.
        inner_first: bool,
    },
}

/// Tables of the row groups and the candidates of a node.
/// The tables are reused for all nodes.
#[derive(Debug)]
pub(crate) struct Branching {
    /// Sides with more than one candidate.
    active: Vec<usize>,
    /// Minority row groups that some box covers, with their positive remaining reward.
    covered: Vec<(usize, f64)>,
    /// Majority row groups that some, but not all boxes of the node hit.
    /// Each has the weight that it adds to an entry of `shared`.
    undecided: Vec<(usize, f64)>,
    losses: LossBounds,
    /// For each candidate of one side, a lower bound on the loss of a box with this candidate.
    lost: Vec<f64>,
    /// For each candidate of one side, a lower bound on the loss beyond the bound of `losses`.
    further: Vec<f64>,
    /// Weight of the undecided row groups that no earlier candidate of one side excludes.
    /// These row groups are first excluded at the candidate or further in.
    shared: Vec<f64>,
    /// Range of candidates of each side that contains all boxes above the threshold.
    pub low: Vec<u16>,
    pub high: Vec<u16>,
}

impl Branching {
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

    /// Chooses how to branch.
    /// A box is of interest if its value is less than `slack` below the bound of the node.
    ///
    /// `weighting` selects the objective or the guard constraint. Candidates at the ends of a side are
    /// removed if all boxes there lose at least `slack`.
    ///
    /// The branching point is a `t` in `low + 1..=high` of a side. Its score is the product of the losses of
    /// both children: `lost[t]`, which the inner child cannot cover, and `shared[t]`, a fraction of the cost
    /// of every code that the side first excludes at `t` or further in, which the outer child cannot exclude
    /// on this side. A code that `w` sides can exclude counts with `1 / w^2` of its cost.
    pub(crate) fn choose(
        &mut self,
        codes: &EncodedRows,
        (prices, weighting): (&PricingWeights, usize),
        node: &Node,
        slack: f64,
    ) -> BranchDecision {
        self.low.copy_from_slice(&node.lo);
        self.high.copy_from_slice(&node.hi);
        self.gather(codes, (prices, weighting), node);
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
                // A candidate that excludes no further row group is not a branching point.
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

    /// Whether all boxes of the last node of [`Self::choose`] lose at least `slack`.
    pub(crate) fn hopeless(
        &mut self,
        codes: &EncodedRows,
        (prices, weighting): (&PricingWeights, usize),
        node: &Node,
        slack: f64,
    ) -> bool {
        self.losses.start(prices, node, &node.paid[weighting]);
        for i in ones(&node.neg) {
            self.losses.note(codes, node, i);
        }
        self.losses.raise_dual_values(codes, prices, node, &self.active, slack) >= slack
    }

    /// Collects the undecided sides and codes.
    #[inline]
    fn gather(&mut self, codes: &EncodedRows, (prices, weighting): (&PricingWeights, usize), node: &Node) {
        self.active.clear();
        self.active.extend((0..codes.n_sides).filter(|&side| node.lo[side] < node.hi[side]));
        self.losses.start(prices, node, &node.paid[weighting]);
        let left = &self.losses.rest;
        self.covered.clear();
        self.covered.extend(ones(&node.pos).map(|p| (p, left[p])).filter(|(_, left)| *left > 0.0));
        self.undecided.clear();
        for i in ones(&node.neg) {
            let ways = f64::from(self.losses.note(codes, node, i));
            let left = &self.losses.rest;
            let taken = prices.pairs.for_hit(i).iter().filter(|(p, _)| has(&node.pos, usize::from(*p)));
            let price = prices.neg[i] + taken.map(|&(p, price)| price.min(left[usize::from(p)])).sum::<f64>();
            self.undecided.push((i, (price + 1e-6) / (ways * ways)));
        }
    }

    /// Fills `lost`, `further` and `shared` for a side.
    #[inline]
    fn fill_side_tables(&mut self, codes: &EncodedRows, node: &Node, side: usize) {
        let (lo, hi) = (usize::from(node.lo[side]), usize::from(node.hi[side]));
        let (lost, further, shared) = (&mut self.lost, &mut self.further, &mut self.shared);
        lost[lo..=hi].fill(0.0);
        further[lo..=hi].copy_from_slice(&self.losses.further(side)[lo..=hi]);
        shared[lo..=hi].fill(0.0);
        let (lost_at, out_at) = (codes.losing_candidates_on(side), codes.excluding_candidates_on(side));
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
        // Candidates beyond the interval do not belong to the node.
        shared[hi + 1] = 0.0;
        for t in (lo + 1..=hi).rev() {
            shared[t] += shared[t + 1];
        }
    }
}
