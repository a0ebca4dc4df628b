//! Stack of branch-and-bound nodes of the search for boxes, stored in flat arrays.

use crate::bit_set::contains;
use crate::exact::pricing_weights::PricingWeights;

#[derive(Debug, Default)]
pub(crate) struct NodeStack {
    candidates: Vec<u16>,
    words: Vec<u64>,
    charges: Vec<f64>,
    heads: Vec<NodeHeader>,
}

#[derive(Clone, Copy, Debug)]
struct NodeHeader {
    certain: [f64; 2],
    rewards: [f64; 2],
    bound: f64,
}

/// Terms of the upper bound on the values of the boxes of a node, under one list of weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeBoundTerms {
    /// Cost of the groups of equal majority rows that every box of the search node hits.
    pub certain: f64,
    /// Sum of the remaining rewards of the minority rows that some box of the node covers.
    ///
    /// The remaining reward of a row group is its reward minus the amount in `charged`, but at least 0.
    pub rewards: f64,
    /// For each group of minority rows, the reduction of its reward in all boxes of the node.
    ///
    /// The reduction is the sum of the dual values of the group's pairs with groups of majority rows that
    /// every box of the node hits. The vector is empty if there are no pairs.
    pub charged: Vec<f64>,
}

impl NodeBoundTerms {
    /// Terms of a node in which no majority row is hit by all boxes; the caller sets `rewards`.
    pub(crate) fn without_hits(prices: &PricingWeights) -> Self {
        let n_charged = if prices.pairs.is_empty() { 0 } else { prices.pos.len() };
        Self { certain: 0.0, rewards: 0.0, charged: vec![0.0; n_charged] }
    }

    /// Adds the cost of group `i` of majority rows, which all boxes of the node hit.
    ///
    /// Returns whether the remaining reward of a group of minority rows in `pos` becomes 0.
    #[inline]
    pub(crate) fn charge_hit_cost(&mut self, prices: &PricingWeights, i: usize, pos: &[u64]) -> bool {
        self.certain += prices.neg[i];
        let mut used_up = false;
        if !self.charged.is_empty() {
            for &(p, price) in prices.pairs.pairs_of_majority_group(i) {
                let before = self.remaining_reward(prices, usize::from(p));
                self.charged[usize::from(p)] += price;
                if contains(pos, usize::from(p)) {
                    let left = self.remaining_reward(prices, usize::from(p));
                    self.rewards -= before - left;
                    used_up |= left == 0.0;
                }
            }
        }
        used_up
    }

    #[inline]
    pub(crate) fn remaining_reward(&self, prices: &PricingWeights, p: usize) -> f64 {
        let reward = prices.pos[p];
        self.charged.get(p).map_or(reward, |charged| (reward - charged).max(0.0))
    }

    /// Upper bound on the value of any box of the node, without the reward for its width.
    #[inline]
    pub(crate) fn value_bound(&self) -> f64 {
        self.rewards - self.certain
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub lo: Vec<u16>,
    pub hi: Vec<u16>,
    /// Groups of equal minority rows that some box of the node covers, as a bit set.
    ///
    /// `neg` is the bit set of the groups of majority rows that some boxes of the node hit and others
    /// exclude.
    pub pos: Vec<u64>,
    pub neg: Vec<u64>,
    /// Terms of the upper bound on the values of the boxes of the node.
    ///
    /// The first entry is for the weights of the search, the second for the weights of its additional
    /// constraint (the guard).
    pub paid: [NodeBoundTerms; 2],
    pub bound: f64,
}

impl NodeStack {
    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub(crate) fn node_bounds(&self) -> impl Iterator<Item = f64> + '_ {
        self.heads.iter().map(|head| head.bound)
    }

    pub(crate) fn push(&mut self, node: &Node) {
        self.candidates.extend_from_slice(&node.lo);
        self.candidates.extend_from_slice(&node.hi);
        self.words.extend_from_slice(&node.pos);
        self.words.extend_from_slice(&node.neg);
        for paid in &node.paid {
            self.charges.extend_from_slice(&paid.charged);
        }
        let [query, guard] = &node.paid;
        self.heads.push(NodeHeader {
            certain: [query.certain, guard.certain],
            rewards: [query.rewards, guard.rewards],
            bound: node.bound,
        });
    }

    /// `node` must have the same dimensions as the nodes of the stack.
    pub(crate) fn pop(&mut self, node: &mut Node) -> bool {
        let Some(head) = self.heads.pop() else { return false };
        pop_slice_into(&mut self.candidates, &mut node.hi);
        pop_slice_into(&mut self.candidates, &mut node.lo);
        pop_slice_into(&mut self.words, &mut node.neg);
        pop_slice_into(&mut self.words, &mut node.pos);
        for (which, paid) in node.paid.iter_mut().enumerate().rev() {
            paid.certain = head.certain[which];
            paid.rewards = head.rewards[which];
            pop_slice_into(&mut self.charges, &mut paid.charged);
        }
        node.bound = head.bound;
        true
    }
}

fn pop_slice_into<T: Copy>(from: &mut Vec<T>, into: &mut [T]) {
    let start = from.len() - into.len();
    into.copy_from_slice(&from[start..]);
    from.truncate(start);
}
