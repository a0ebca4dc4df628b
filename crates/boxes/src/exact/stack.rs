//! Nodes of a branch and bound over boxes, in flat arrays.

use crate::exact::prices::Prices;

/// Stack of nodes: a header, four runs of codes each, and what pairs cost so far.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    words: Vec<u16>,
    charges: Vec<f64>,
    heads: Vec<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    start: usize,
    n_pos: usize,
    n_neg: usize,
    certain: [f64; 2],
    bound: f64,
}

/// What every box of a node pays under one weighting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paid {
    /// Price of the majority codes that all of them hit.
    pub certain: f64,
    /// What those take from the reward of each minority code; empty without prices of pairs.
    pub charged: Vec<f64>,
}

impl Paid {
    /// Nothing paid yet.
    pub(crate) fn nothing(prices: &Prices) -> Self {
        let n_charged = if prices.pairs.is_empty() { 0 } else { prices.pos.len() };
        Self { certain: 0.0, charged: vec![0.0; n_charged] }
    }

    /// One more majority code is hit for certain.
    #[inline]
    pub(crate) fn charge(&mut self, prices: &Prices, i: usize) {
        self.certain += prices.neg[i];
        if !self.charged.is_empty() {
            prices.pairs.of(i).iter().for_each(|&(p, price)| self.charged[usize::from(p)] += price);
        }
    }

    /// What is left of the reward of a minority code.
    #[inline]
    pub(crate) fn left(&self, prices: &Prices, p: u16) -> f64 {
        let reward = prices.pos[usize::from(p)];
        self.charged.get(usize::from(p)).map_or(reward, |charged| (reward - charged).max(0.0))
    }
}

/// A node taken apart, in buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub lo: Vec<u16>,
    pub hi: Vec<u16>,
    pub pos: Vec<u16>,
    pub neg: Vec<u16>,
    /// Under the query's prices and under the guard's.
    pub paid: [Paid; 2],
    pub bound: f64,
}

impl Stack {
    /// Whether no node is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Bounds of the nodes.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = f64> + '_ {
        self.heads.iter().map(|head| head.bound)
    }

    /// Puts a node on top.
    pub(crate) fn push(&mut self, node: &Node) {
        let start = self.words.len();
        for run in [&node.lo, &node.hi, &node.pos, &node.neg] {
            self.words.extend_from_slice(run);
        }
        for paid in &node.paid {
            self.charges.extend_from_slice(&paid.charged);
        }
        let [query, guard] = &node.paid;
        self.heads.push(Head {
            start,
            n_pos: node.pos.len(),
            n_neg: node.neg.len(),
            certain: [query.certain, guard.certain],
            bound: node.bound,
        });
    }

    /// Takes the top node apart, into a node of the same number of sides and charges; whether there was one.
    pub(crate) fn pop(&mut self, n_sides: usize, node: &mut Node) -> bool {
        let Some(head) = self.heads.pop() else { return false };
        let words = &self.words[head.start..];
        let (lo, rest) = words.split_at(n_sides);
        let (hi, rest) = rest.split_at(n_sides);
        let (pos, rest) = rest.split_at(head.n_pos);
        for (into, from) in [
            (&mut node.lo, lo),
            (&mut node.hi, hi),
            (&mut node.pos, pos),
            (&mut node.neg, &rest[..head.n_neg]),
        ] {
            into.clear();
            into.extend_from_slice(from);
        }
        for (paid, certain) in node.paid.iter_mut().zip(head.certain).rev() {
            paid.certain = certain;
            let from = self.charges.len() - paid.charged.len();
            paid.charged.copy_from_slice(&self.charges[from..]);
            self.charges.truncate(from);
        }
        node.bound = head.bound;
        self.words.truncate(head.start);
        true
    }
}
