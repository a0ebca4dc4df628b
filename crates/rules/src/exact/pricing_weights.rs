//! Rewards and costs of rows in the search for a box, and bounds proven by dual values.

use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;

pub(crate) const ROUND: f64 = 1e-7;

/// Dual values of pairs of row groups, grouped by the majority row group of the pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PairDuals {
    start: Vec<u32>,
    of: Vec<(u16, f64)>,
}

impl PairDuals {
    /// Builds the pairs from triples that are sorted by majority row group.
    ///
    /// A triple has a majority row group, a minority row group, and the dual value of this pair.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    #[inline]
    pub(crate) fn pairs_of_majority_group(&self, i: usize) -> &[(u16, f64)] {
        if self.of.is_empty() { &[] } else { &self.of[self.start[i] as usize..self.start[i + 1] as usize] }
    }
}

/// Weights of one search for the best box (a pricing problem).
///
/// A box gets the rewards of the groups of equal minority rows that it covers. It pays the costs of the
/// groups of majority rows that it hits. Each pair of a covered and a hit group reduces the reward by the
/// dual value of the pair, but not below 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PricingWeights {
    /// Reward for covering each group of equal minority rows.
    pub pos: Vec<f64>,
    /// Cost of hitting each group of equal majority rows.
    pub neg: Vec<f64>,
    pub pairs: PairDuals,
}

impl PricingWeights {
    pub(crate) fn without_pairs(pos: Vec<f64>, neg: Vec<f64>) -> Self {
        Self { pos, neg, pairs: PairDuals::default() }
    }

    /// Groups of minority rows with a positive remaining reward in a box, and the box's value.
    ///
    /// The value does not contain the reward for the width of the box.
    pub(crate) fn rewarded_groups_and_value(&self, column: &BoxColumn) -> (Vec<usize>, f64) {
        let mut left = vec![0.0; self.pos.len()];
        column.pos.iter().for_each(|p| left[p] = self.pos[p]);
        for i in column.neg.iter() {
            self.pairs
                .pairs_of_majority_group(i)
                .iter()
                .for_each(|&(p, price)| left[usize::from(p)] -= price);
        }
        let taken: Vec<usize> = column.pos.iter().filter(|&p| left[p] > 0.0).collect();
        let earned: f64 = taken.iter().map(|&p| left[p]).sum();
        (taken, earned - column.neg.sum_weights(&self.neg))
    }

    pub(crate) fn box_value(&self, codes: &EncodedRows, column: &BoxColumn) -> f64 {
        let earned = if self.pairs.is_empty() {
            column.pos.sum_weights(&self.pos) - column.neg.sum_weights(&self.neg)
        } else {
            self.rewarded_groups_and_value(column).1
        };
        earned + column.width_reward(codes)
    }

    /// Computes dual values for `k` further boxes of a set from those of `k + 1` boxes in `self`.
    ///
    /// `weights` are the weights that the chosen boxes of the set leave. A covered group of minority rows has
    /// no weight left, so its reward and the dual values of its pairs are 0. The remaining cost of each group
    /// of majority rows is divided among its other pairs and the `k` boxes, in the same proportions as in
    /// `self`.
    pub(crate) fn duals_for_further_boxes(&self, weights: &Self, k: usize) -> Self {
        let k = k as f64;
        let pos: Vec<f64> = self.pos.iter().zip(&weights.pos).map(|(pi, mass)| pi.min(*mass)).collect();
        if self.pairs.is_empty() {
            return Self::without_pairs(pos, weights.neg.iter().map(|cost| cost / k).collect());
        }
        let (mut neg, mut triples) = (Vec::with_capacity(self.neg.len()), Vec::new());
        for (i, (&alone, &cost)) in self.neg.iter().zip(&weights.neg).enumerate() {
            // In `self`, the cost of a hit is divided among `k + 1` boxes. The factor undoes this division.
            let alone = alone * (k + 1.0);
            let open = || {
                self.pairs
                    .pairs_of_majority_group(i)
                    .iter()
                    .filter(|(p, _)| weights.pos[usize::from(*p)] > 0.0)
            };
            let total = alone + open().map(|(_, price)| price).sum::<f64>();
            let scale = if total > 0.0 { cost / total } else { 0.0 };
            neg.push(if total > 0.0 { alone * scale / k } else { cost / k });
            triples.extend(open().map(|&(p, price)| (i, p, price * scale)));
        }
        Self { pos, neg, pairs: PairDuals::new(self.neg.len(), triples.into_iter()) }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoundWithDualValues {
    pub n_boxes: usize,
    /// The values `pi`, `rho_i0 / K` and `rho_ip`.
    pub prices: PricingWeights,
    /// Largest value of a box at these dual values, after the cost of one box is subtracted.
    pub sigma: f64,
    pub bound: f64,
}

impl BoundWithDualValues {
    /// Upper bound on the value of sets with fewer than `n_boxes` boxes.
    ///
    /// It is valid only if [`Self::sigma`] is at least 0.
    pub(crate) fn bound_with_fewer_boxes(&self) -> f64 {
        self.bound - self.sigma
    }
}
