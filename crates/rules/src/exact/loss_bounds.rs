//! Lower bound on the loss of every box of a branch-and-bound node.
//!
//! The loss of a box is the upper bound of its node minus the value of the box. Row groups have all rows of
//! one class with equal codes. Side `s` excludes minority row group `p` from candidate `r_s(p)` on, and
//! majority row group `i` from candidate `e_s(i)` on. The other symbols are those of `pricing`.
//!
//! A box loses the rewards of the minority row groups that it does not cover, and the cost of the undecided
//! majority row groups that it hits. Each undecided majority row group `i` is hit, or some side `s` is at
//! `e_s(i)` or further in. That side then loses all minority row groups with `r_s(p) <= e_s(i)`. The smallest
//! loss under these conditions is bounded by a covering linear program.
//!
//! The dual of this program has a value `v_i` for each `i`, at most the cost of a hit of `i`. It distributes
//! each reward `pi_p` over the sides in parts `u_ps` with `sum_s u_ps <= pi_p`. The constraints are
//! `sum_{e_s(i) <= t} v_i <= sum_{r_s(p) <= t} u_ps` for every side `s` and every `t`. So excluding row
//! groups costs at least the sum of their dual values, and every box of the node loses at least the sum of
//! all dual values. The dual values are raised one after the other. Row groups that few sides can exclude
//! come first (dual ascent, Erlenkotter 1978, "A dual-based procedure for uncapacitated facility location").
//! A hit of `i` also reduces the rewards of the minority row groups in pairs with `i`. This reduction of
//! `pi_p` is one more part `u`, and the limit of `v_i` increases by it.
//!
//! A box with side `s` at `t` loses at least the sum of all dual values plus a further loss. The further loss
//! is the undistributed rest of the rewards with `r_s(p) <= t`, plus their parts on `s`, minus the dual
//! values of the majority row groups that `s` excludes ([`LossBounds::loss_increases`]).

use crate::bit_set::{contains, members};
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::node_stack::{Node, NodeBoundTerms};
use crate::exact::pricing_weights::PricingWeights;

/// If more sides than this can exclude a group of majority rows, its dual value is 0.
const MOST_WAYS: usize = 4;
/// Dual values and parts of rewards below this number are rounding errors.
const NOTHING: f64 = 1e-12;

#[derive(Debug)]
pub(crate) struct LossBounds {
    /// For each group of equal minority rows, the part of its reward that no dual value uses yet.
    ///
    /// `alive` is the set of groups for which this part is positive.
    pub rest: Vec<f64>,
    alive: Vec<u64>,
    /// Undecided groups of majority rows, one list per number of sides that can exclude them.
    ///
    /// With each list of groups comes a list of the sides that can exclude them, group by group.
    few: [(Vec<u32>, Vec<u16>); MOST_WAYS],
    /// Amounts that the current group of majority rows uses of the rewards of minority rows.
    ///
    /// `paired` has the amounts of its pairs, and `taken` the amounts of each side that can exclude the
    /// group.
    paired: Vec<(u32, f64)>,
    taken: [Vec<(u32, f64)>; MOST_WAYS],
    /// Values of [`Self::loss_increases`], with the index `[side * width + candidate]`.
    moved: Vec<f64>,
    width: usize,
}

impl LossBounds {
    /// Creates the tables; every side must have fewer than `width` candidate positions.
    pub(crate) fn new(codes: &EncodedRows, width: usize) -> Self {
        Self {
            rest: vec![0.0; codes.n_minority_groups()],
            alive: Vec::new(),
            few: Default::default(),
            paired: Vec::new(),
            taken: Default::default(),
            moved: vec![0.0; codes.n_sides * width],
            width,
        }
    }

    pub(crate) fn reset_for_node(&mut self, prices: &PricingWeights, node: &Node, paid: &NodeBoundTerms) {
        self.alive.clear();
        self.alive.extend_from_slice(&node.pos);
        for p in members(&node.pos) {
            self.rest[p] = paid.remaining_reward(prices, p);
        }
        for (sides, ways) in &mut self.few {
            sides.clear();
            ways.clear();
        }
    }

    #[inline]
    pub(crate) fn add_undecided_group(&mut self, codes: &EncodedRows, node: &Node, i: usize) -> u16 {
        // A side with only one position in the node cannot exclude undecided rows.
        let sides = || codes.exclusions_of_majority_group(i).iter().zip(&node.hi);
        let ways: u16 = sides().map(|(out, hi)| u16::from(out <= hi)).sum();
        if let Some((of, places)) = self.few.get_mut(usize::from(ways).wrapping_sub(1)) {
            of.push(i as u32);
            places
                .extend(sides().enumerate().filter(|(_, (out, hi))| out <= hi).map(|(side, _)| side as u16));
        }
        ways
    }

    /// Raises the dual values of the undecided majority row groups one by one; returns their sum.
    ///
    /// The function stops early if the sum is at least `enough`.
    pub(crate) fn raise_dual_values(
        &mut self,
        codes: &EncodedRows,
        prices: &PricingWeights,
        node: &Node,
        active: &[usize],
        enough: f64,
    ) -> f64 {
        for &side in active {
            let first = side * self.width;
            let (lo, hi) = (first + usize::from(node.lo[side]), first + usize::from(node.hi[side]));
            self.moved[lo..=hi].fill(0.0);
        }
        let few = std::mem::take(&mut self.few);
        let mut sum = 0.0;
        'all: for (ways, (of, sides)) in few.iter().enumerate() {
            for (&i, sides) in of.iter().zip(sides.chunks_exact(ways + 1)) {
                sum += self.raise_dual_value(codes, prices, &node.pos, i as usize, sides);
                if sum >= enough {
                    break 'all;
                }
            }
        }
        self.few = few;
        sum
    }

    /// Further loss that each candidate of a side adds, compared with the previous candidate.
    ///
    /// It counts the row groups that this candidate excludes and the previous candidate does not exclude. A
    /// minority row group adds the part of its reward that dual values use on this side, without the unused
    /// part. A majority row group subtracts its dual value.
    pub(crate) fn loss_increases(&self, side: usize) -> &[f64] {
        &self.moved[side * self.width..(side + 1) * self.width]
    }

    /// Raises the dual value of majority row group `i` and returns its new value.
    ///
    /// The value has two limits. It is at most the cost of hitting the group plus the amounts that its pairs
    /// can use of rewards. For each side that can exclude the group, it is at most the sum of the unused
    /// parts of the rewards that the side loses if it excludes the group.
    fn raise_dual_value(
        &mut self,
        codes: &EncodedRows,
        prices: &PricingWeights,
        pos: &[u64],
        i: usize,
        sides: &[u16],
    ) -> f64 {
        let out = codes.exclusions_of_majority_group(i);
        self.paired.clear();
        let mut price = prices.neg[i];
        for &(p, most) in
            prices.pairs.pairs_of_majority_group(i).iter().filter(|(p, _)| contains(pos, usize::from(*p)))
        {
            let share = most.min(self.rest[usize::from(p)]);
            self.rest[usize::from(p)] -= share;
            price += share;
            self.paired.push((u32::from(p), share));
        }
        let full = price;
        if full <= NOTHING {
            return 0.0;
        }
        self.taken.iter_mut().for_each(Vec::clear);
        for (at, &side) in sides.iter().enumerate() {
            let given =
                self.use_rewards_lost_by_side(codes, usize::from(side), out[usize::from(side)], price, at);
            if given < price {
                // Every side in `sides` must use the same amount of rewards, the dual value. If `side` can
                // use only a smaller amount, the sides before it return the difference.
                let part = if given > NOTHING { given / price } else { 0.0 };
                self.taken[..at]
                    .iter_mut()
                    .for_each(|taken| release_part_of_rewards(taken, &mut self.rest, part));
                price *= part;
            }
            if price <= 0.0 {
                break;
            }
        }
        // The pairs need to contribute only the part of the dual value above `prices.neg`, which is the cost
        // of the hit without pairs.
        let paired = full - prices.neg[i];
        if paired > 0.0 && price < full {
            let part = ((price - prices.neg[i]).max(0.0) / paired).min(1.0);
            release_part_of_rewards(&mut self.paired, &mut self.rest, part);
        }
        self.record_loss_increases(codes, price, out, sides);
        price
    }

    /// Uses up to `price` of the unused rewards that `side` loses at position `e`.
    ///
    /// Returns the amount that was used. `at` is the index of the list in which the amounts are recorded.
    #[inline]
    fn use_rewards_lost_by_side(
        &mut self,
        codes: &EncodedRows,
        side: usize,
        e: u16,
        price: f64,
        at: usize,
    ) -> f64 {
        let taken = &mut self.taken[at];
        let mut missing = price;
        for (place, (alive, still)) in
            self.alive.iter().zip(codes.minority_groups_within_side(side, e)).enumerate()
        {
            for p in members(&[alive & !still]).map(|bit| 64 * place + bit) {
                let share = self.rest[p].min(missing);
                self.rest[p] -= share;
                taken.push((p as u32, share));
                missing -= share;
                if missing <= 0.0 {
                    return price;
                }
            }
        }
        price - missing
    }

    #[inline]
    fn record_loss_increases(&mut self, codes: &EncodedRows, price: f64, out: &[u16], sides: &[u16]) {
        let used_up = |rest: &[f64], alive: &mut [u64], p: usize| {
            if rest[p] <= NOTHING {
                alive[p / 64] &= !(1 << (p % 64));
            }
        };
        self.paired.iter().for_each(|&(p, _)| used_up(&self.rest, &mut self.alive, p as usize));
        for (taken, &side) in self.taken.iter().zip(sides) {
            let side = usize::from(side);
            let row = &mut self.moved[side * self.width..(side + 1) * self.width];
            let lost = codes.minority_exclusions_by_side(side);
            for &(p, share) in taken {
                row[usize::from(lost[p as usize])] += share;
                used_up(&self.rest, &mut self.alive, p as usize);
            }
            row[usize::from(out[side])] -= price;
        }
    }
}

/// Reduces the used amounts of rewards to the fraction `part`; the rest is unused again.
fn release_part_of_rewards(taken: &mut [(u32, f64)], rest: &mut [f64], part: f64) {
    for (p, share) in taken {
        rest[*p as usize] += *share * (1.0 - part);
        *share *= part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::box_column::BoxColumn;
    use crate::exact::problem::BoxObjective;
    use crate::exact::random_problems::{draw_random_problem, list_all_boxes, random_integer_generator};

    #[test]
    fn loss_bound_is_a_lower_bound() {
        let (mut exact, mut with_pairs, mut narrowed) = (0, 0, 0);
        for seed in 0..300 {
            let (codes, prices) = draw_random_problem(
                &mut random_integer_generator(seed),
                2,
                (7, 16),
                &BoxObjective::default(),
                seed % 2 == 0,
            );
            let words = |n: usize| crate::bit_set::BitSet::full(n).words().to_vec();
            let paid =
                NodeBoundTerms { rewards: prices.pos.iter().sum(), ..NodeBoundTerms::without_hits(&prices) };
            let node = Node {
                lo: vec![0; codes.n_sides],
                hi: codes.n_candidates.iter().map(|n| n - 1).collect(),
                pos: words(codes.n_minority_groups()),
                neg: words(codes.n_majority_groups()),
                paid: [paid.clone(), paid],
                bound: 0.0,
            };
            let active: Vec<usize> = (0..codes.n_sides).filter(|&side| node.hi[side] > 0).collect();
            let width = codes.n_candidates.iter().copied().max().map_or(0, usize::from) + 2;
            let mut losses = LossBounds::new(&codes, width);
            losses.reset_for_node(&prices, &node, &node.paid[0]);
            for i in 0..codes.n_majority_groups() {
                losses.add_undecided_group(&codes, &node, i);
            }
            let sum = losses.raise_dual_values(&codes, &prices, &node, &active, f64::INFINITY);
            let mut least = f64::INFINITY;
            for at in list_all_boxes(&codes) {
                let loss = node.paid[0].value_bound()
                    - prices.box_value(&codes, &BoxColumn::new(&codes, at.clone()));
                least = least.min(loss);
                for &side in &active {
                    let beyond = usize::from(at[side]);
                    let left = (0..codes.n_minority_groups())
                        .filter(|&p| codes.exclusions_of_minority_group(p)[side] <= at[side]);
                    let further = losses.loss_increases(side)[..=beyond].iter().sum::<f64>()
                        + left.map(|p| losses.rest[p]).sum::<f64>();
                    assert!(loss >= sum + further - 1e-9, "seed {seed}: {loss}, {sum} and {further}");
                    narrowed += u32::from(further > 0.1);
                }
            }
            assert!(least >= sum - 1e-9, "seed {seed}: {least} and {sum}");
            exact += u32::from(sum > 0.0 && least < sum + 1e-9);
            with_pairs += u32::from(sum > 0.0 && !prices.pairs.is_empty());
        }
        assert!(exact > 10 && with_pairs > 100 && narrowed > 10_000, "{exact} {with_pairs} {narrowed}");
    }
}
