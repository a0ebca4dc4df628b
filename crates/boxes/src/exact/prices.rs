//! Rewards and prices that a box is weighed by, and the bounds they prove.

use crate::exact::codes::Codes;
use crate::exact::column::Column;

/// Rounding of sums of prices.
pub(crate) const ROUND: f64 = 1e-7;

/// What a box pays for a hit only as far as a certain minority code is covered by it too: a list for each majority code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pairs {
    start: Vec<u32>,
    of: Vec<(u16, f64)>,
}

impl Pairs {
    /// From triples of majority code, minority code and price, the first ascending.
    pub(crate) fn new(n_neg: usize, triples: impl Iterator<Item = (usize, u16, f64)>) -> Self {
        let mut pairs = Self { start: vec![0], of: Vec::new() };
        for (i, p, price) in triples.filter(|triple| triple.2 > 0.0) {
            while pairs.start.len() <= i {
                pairs.start.push(pairs.of.len() as u32);
            }
            pairs.of.push((p, price));
        }
        while pairs.start.len() <= n_neg {
            pairs.start.push(pairs.of.len() as u32);
        }
        if pairs.of.is_empty() { Self::default() } else { pairs }
    }

    /// Whether no pair has a price.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Minority codes with a price at the majority code `i`, and the prices.
    #[inline]
    pub(crate) fn of(&self, i: usize) -> &[(u16, f64)] {
        if self.of.is_empty() { &[] } else { &self.of[self.start[i] as usize..self.start[i + 1] as usize] }
    }
}

/// Weights of one pricing problem. A box earns the rewards of what it covers, less the prices of what it hits; the
/// reward of a minority code sinks by the pair prices of the hits, not below 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Prices {
    /// Reward of each minority code.
    pub pos: Vec<f64>,
    /// Price of each majority code.
    pub neg: Vec<f64>,
    /// Prices of pairs.
    pub pairs: Pairs,
}

impl Prices {
    /// Prices without pairs.
    pub(crate) fn plain(pos: Vec<f64>, neg: Vec<f64>) -> Self {
        Self { pos, neg, pairs: Pairs::default() }
    }

    /// Minority codes that `column` covers with a reward left, and what it earns, without its width.
    pub(crate) fn rewards(&self, column: &Column) -> (Vec<usize>, f64) {
        let mut left = vec![0.0; self.pos.len()];
        column.pos.iter().for_each(|p| left[p] = self.pos[p]);
        for i in column.neg.iter() {
            self.pairs.of(i).iter().for_each(|&(p, price)| left[usize::from(p)] -= price);
        }
        let taken: Vec<usize> = column.pos.iter().filter(|&p| left[p] > 0.0).collect();
        let earned: f64 = taken.iter().map(|&p| left[p]).sum();
        (taken, earned - column.neg.sum(&self.neg))
    }

    /// What the box earns, its width included.
    pub(crate) fn value(&self, codes: &Codes, column: &Column) -> f64 {
        let earned = if self.pairs.is_empty() {
            column.pos.sum(&self.pos) - column.neg.sum(&self.neg)
        } else {
            self.rewards(column).1
        };
        earned + column.width(codes)
    }

    /// Prices for `k` boxes once others have taken what `weights` no longer hold: what is covered pays no pairs, and
    /// what each majority code still costs is shared by the pairs and the boxes that are left.
    pub(crate) fn rest(&self, weights: &Self, k: usize) -> Self {
        let k = k as f64;
        let pos: Vec<f64> = self.pos.iter().zip(&weights.pos).map(|(pi, mass)| pi.min(*mass)).collect();
        if self.pairs.is_empty() {
            return Self::plain(pos, weights.neg.iter().map(|cost| cost / k).collect());
        }
        let (mut neg, mut triples) = (Vec::with_capacity(self.neg.len()), Vec::new());
        for (i, (&alone, &cost)) in self.neg.iter().zip(&weights.neg).enumerate() {
            // Charged to one box of k + 1 before.
            let alone = alone * (k + 1.0);
            let open = || self.pairs.of(i).iter().filter(|(p, _)| weights.pos[usize::from(*p)] > 0.0);
            let total = alone + open().map(|(_, price)| price).sum::<f64>();
            let scale = if total > 0.0 { cost / total } else { 0.0 };
            neg.push(if total > 0.0 { alone * scale / k } else { cost / k });
            triples.extend(open().map(|&(p, price)| (i, p, price * scale)));
        }
        Self { pos, neg, pairs: Pairs::new(self.neg.len(), triples.into_iter()) }
    }
}

/// Prices and what they prove.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dual {
    /// Boxes the bound is for.
    pub n_boxes: usize,
    /// `pi`, `rho_i0 / K` and `rho_ip`.
    pub prices: Prices,
    /// The most any box earns under these prices, less its cost.
    pub sigma: f64,
    /// The bound on every drawing.
    pub bound: f64,
}

impl Dual {
    /// No drawing of fewer boxes is worth more: one that is not there has the slack of what a box earns at most.
    pub(crate) fn bound_of_fewer(&self) -> f64 {
        self.bound - self.sigma
    }
}
