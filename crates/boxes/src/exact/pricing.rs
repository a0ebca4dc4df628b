//! The best weighted box by branch and bound: the engine under every bound of Exact Boxes.
//!
//! A node is an interval of candidates for every side. What all its boxes cover at most, less what all of them hit at
//! least, bounds them (Eckstein, Hammer, Liu, Nediak and Simeone 2002, "The maximum box problem and its application
//! to data analysis", without their requirement that a box be pure). Nodes are kept in one flat stack.

use crate::exact::budget::Budget;
use crate::exact::codes::Codes;
use crate::exact::stack::{Node, Stack};
use imbcore_base::Result;

/// Weights of one pricing problem; the value of a box is what it covers less what it hits (plus its width).
#[derive(Clone, Debug, Default)]
pub(crate) struct Prices {
    /// Reward of each minority code.
    pub pos: Vec<f64>,
    /// Price of each majority code.
    pub neg: Vec<f64>,
}

/// A second weighting whose value must also exceed a floor: boxes that fail either test are not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a> {
    /// The second weights.
    pub prices: &'a Prices,
    /// Boxes at or below this value under `prices` are not wanted.
    pub floor: f64,
}

/// What is asked of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    /// The weights.
    pub prices: &'a Prices,
    /// Only boxes above this value are wanted.
    pub above: f64,
    /// A further condition.
    pub guard: Option<Guard<'a>>,
    /// Codes that matter besides those with a price: a leaf decides all of them.
    pub keep: Option<&'a Prices>,
}

/// A box and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Priced {
    /// Candidate of each side.
    pub at: Vec<u16>,
    /// Its value under the query's prices.
    pub value: f64,
}

/// Two values closer than this are the same; prices are sums of a few hundred numbers near 1.
pub(crate) const TIE: f64 = 1e-9;

/// What a search does with the boxes it meets.
pub(crate) trait Visit {
    /// A box worth `value`, above the threshold; returns the new threshold.
    fn meet(&mut self, at: &[u16], value: f64, above: f64) -> f64;
    /// A node in which no majority code is undecided; `at` is its best box.
    fn leaf(&mut self, at: &[u16], value: f64);
}

/// Keeps the best box.
#[derive(Debug, Default)]
pub(crate) struct Best(pub Option<Priced>);

impl Visit for Best {
    fn meet(&mut self, at: &[u16], value: f64, _: f64) -> f64 {
        self.0 = Some(Priced { at: at.to_vec(), value });
        value
    }
    fn leaf(&mut self, _: &[u16], _: f64) {}
}

/// A search that can be run in portions.
#[derive(Debug)]
pub(crate) struct Pricing<'a> {
    codes: &'a Codes,
    query: Query<'a>,
    above: f64,
    stack: Stack,
    node: Node,
    child: Node,
    /// Per side and candidate: what moving there loses for certain; what stopping before hits for certain; a share of
    /// every undecided majority code. Rows of `width` candidates.
    lost: Vec<f64>,
    single: Vec<f64>,
    shared: Vec<f64>,
    width: usize,
    low: Vec<u16>,
    high: Vec<u16>,
    /// Nodes looked at so far.
    pub nodes: u64,
}

impl<'a> Pricing<'a> {
    /// A search with its root on the stack.
    pub(crate) fn new<V: Visit>(codes: &'a Codes, query: Query<'a>, visit: &mut V) -> Self {
        let n = codes.n_sides;
        let width = codes.n_candidates.iter().copied().max().map_or(1, usize::from) + 1;
        let mut pricing = Self {
            codes,
            query,
            above: query.above,
            stack: Stack::default(),
            node: Node::default(),
            child: Node::default(),
            lost: vec![0.0; n * width],
            single: vec![0.0; n * width],
            shared: vec![0.0; n * width],
            width,
            low: vec![0; n],
            high: vec![0; n],
            nodes: 0,
        };
        let weights = [Some(query.prices), query.guard.map(|guard| guard.prices), query.keep];
        let wanted = |weight: &dyn Fn(&Prices) -> f64| weights.iter().flatten().any(|of| weight(of) > 0.0);
        let root = &mut pricing.child;
        root.lo = vec![0; n];
        root.hi = codes.n_candidates.iter().map(|&n| n - 1).collect();
        root.pos = (0..codes.n_pos()).filter(|&p| wanted(&|of| of.pos[p])).map(|p| p as u16).collect();
        root.neg = (0..codes.n_neg()).filter(|&i| wanted(&|of| of.neg[i])).map(|i| i as u16).collect();
        pricing.enter(visit);
        pricing
    }

    /// Runs to the end, looking at the clock between portions.
    ///
    /// # Errors
    /// Those of the budget; [`Self::open_bound`] then still holds.
    pub(crate) fn run<V: Visit>(&mut self, visit: &mut V, budget: &Budget<'_>) -> Result<()> {
        budget.check()?;
        while self.portion(visit, 128) {
            budget.check()?;
        }
        Ok(())
    }

    /// Looks at up to `limit` nodes; whether any are left.
    pub(crate) fn portion<V: Visit>(&mut self, visit: &mut V, limit: usize) -> bool {
        for _ in 0..limit {
            if !self.stack.pop(self.codes.n_sides, &mut self.node) {
                return false;
            }
            if self.node.bound > self.above + TIE {
                self.split(visit);
            }
        }
        !self.stack.is_empty()
    }

    /// No box that was not met is worth more than this.
    pub(crate) fn open_bound(&self) -> f64 {
        self.stack.bounds().fold(self.above, f64::max)
    }

    /// Branches on the wall that promises most.
    fn split<V: Visit>(&mut self, visit: &mut V) {
        let Some((side, at)) = self.choose() else { return };
        // The better child last, so that it is looked at first.
        let inner_loss = self.lost[side * self.width + usize::from(at)];
        let outer_loss = self.single[side * self.width + usize::from(at)];
        let inner_first = inner_loss > outer_loss;
        for inner in [inner_first, !inner_first] {
            self.child.clone_from(&self.node);
            if inner {
                self.child.lo[side] = at;
            } else {
                self.child.hi[side] = at - 1;
            }
            self.enter(visit);
        }
    }

    // Without `&` the comparisons of all sides are not done at once.
    #[allow(clippy::needless_bitwise_bool)]
    /// Tightens `child`, meets its box, and puts it on the stack if it may hold a wanted one.
    fn enter<V: Visit>(&mut self, visit: &mut V) {
        self.nodes += 1;
        let codes = self.codes;
        let has_width = !codes.side_width.is_empty();
        let child = &mut self.child;
        let n = codes.n_sides;
        let (low, high) = (&mut self.low[..n], &mut self.high[..n]);
        low.fill(u16::MAX);
        high.fill(0);
        let mut covered = 0.0;
        let mut covered_guard = 0.0;
        let guard = self.query.guard;
        child.pos.retain(|&p| {
            let lost = codes.lost(usize::from(p));
            let keep = lost.iter().zip(&child.lo).fold(true, |keep, (lost, lo)| keep & (lost > lo));
            if keep {
                for ((low, high), &lost) in low.iter_mut().zip(high.iter_mut()).zip(lost) {
                    *low = (*low).min(lost);
                    *high = (*high).max(lost);
                }
                covered += self.query.prices.pos[usize::from(p)];
                if let Some(guard) = guard {
                    covered_guard += guard.prices.pos[usize::from(p)];
                }
            }
            keep
        });
        if !has_width {
            if child.pos.is_empty() {
                return;
            }
            for side in 0..n {
                child.lo[side] = child.lo[side].max((low[side] - 1).min(child.hi[side]));
                child.hi[side] = child.hi[side].min(high[side] - 1);
            }
        } else if !codes.ordered(&child.lo) {
            return;
        }
        let mut width = 0.0;
        for (side, widths) in codes.side_width.iter().enumerate() {
            width += widths[usize::from(child.lo[side])];
        }
        high.fill(0);
        let mut undecided = 0.0;
        let mut certain = child.certain;
        let mut certain_guard = child.certain_guard;
        child.neg.retain(|&i| {
            let out = codes.out(usize::from(i));
            let mut inside = true;
            let mut may_leave = false;
            for ((&out, &lo), &hi) in out.iter().zip(&child.lo).zip(&child.hi) {
                inside &= out > lo;
                may_leave |= out <= hi;
            }
            let price = self.query.prices.neg[usize::from(i)];
            if inside && !may_leave {
                certain += price;
                if let Some(guard) = guard {
                    certain_guard += guard.prices.neg[usize::from(i)];
                }
            }
            let keep = inside && may_leave;
            if keep {
                undecided += price;
                for ((high, &out), &hi) in high.iter_mut().zip(out).zip(&child.hi) {
                    let reach = if out <= hi { out } else { 0 };
                    *high = (*high).max(reach);
                }
            }
            keep
        });
        (child.certain, child.certain_guard) = (certain, certain_guard);
        child.bound = covered - certain + width;
        if child.bound <= self.above + TIE {
            return;
        }
        if let Some(guard) = guard
            && covered_guard - certain_guard + width <= guard.floor + TIE
        {
            return;
        }
        for ((hi, &lo), &high) in child.hi.iter_mut().zip(&child.lo).zip(high.iter()) {
            *hi = lo.max(high);
        }
        let value = child.bound - undecided;
        let good = guard.is_none_or(|guard| {
            let undecided: f64 = child.neg.iter().map(|&i| guard.prices.neg[usize::from(i)]).sum();
            covered_guard - certain_guard - undecided + width > guard.floor + TIE
        });
        if value > self.above + TIE && good {
            self.above = visit.meet(&child.lo, value, self.above);
        }
        if child.neg.is_empty() {
            visit.leaf(&child.lo, value);
        } else if child.bound > self.above + TIE {
            self.stack.push(child);
        }
    }

    /// The wall to branch on.
    fn choose(&mut self) -> Option<(usize, u16)> {
        let (codes, node, width) = (self.codes, &self.node, self.width);
        let has_width = !codes.side_width.is_empty();
        for side in 0..codes.n_sides {
            let run =
                side * width + usize::from(node.lo[side])..side * width + usize::from(node.hi[side]) + 1;
            self.lost[run.clone()].fill(0.0);
            self.single[run.clone()].fill(0.0);
            self.shared[run].fill(0.0);
        }
        let active: Vec<usize> = (0..codes.n_sides).filter(|&side| node.lo[side] < node.hi[side]).collect();
        for &p in &node.pos {
            let weight = self.query.prices.pos[usize::from(p)];
            let lost = codes.lost(usize::from(p));
            for &side in &active {
                if lost[side] <= node.hi[side] {
                    self.lost[side * width + usize::from(lost[side])] += weight;
                }
            }
        }
        for &i in &node.neg {
            let price = self.query.prices.neg[usize::from(i)];
            let out = codes.out(usize::from(i));
            let ways = active.iter().filter(|&&side| out[side] <= node.hi[side]).count();
            let share = (price + 1e-6) / (ways * ways) as f64;
            for &side in &active {
                if out[side] <= node.hi[side] {
                    self.shared[side * width + usize::from(out[side])] += share;
                    if ways == 1 {
                        self.single[side * width + usize::from(out[side])] += price;
                    }
                }
            }
        }
        let mut best: Option<(f64, usize, u16)> = None;
        for &side in &active {
            let (lo, hi) = (node.lo[side], node.hi[side]);
            let at = |t: u16| side * width + usize::from(t);
            // Losses of moving in add up from outside, hits of stopping short from inside; keep the sums in place.
            let mut share = 0.0;
            for t in (lo + 1..=hi).rev() {
                if t < hi {
                    self.single[at(t)] += self.single[at(t + 1)];
                }
                share += self.shared[at(t)];
                // A candidate that keeps nobody out is no cut.
                self.shared[at(t)] = if self.shared[at(t)] > 0.0 { share } else { 0.0 };
            }
            for t in lo + 1..=hi {
                if t > lo + 1 {
                    self.lost[at(t)] += self.lost[at(t - 1)];
                }
                if self.shared[at(t)] == 0.0 {
                    continue;
                }
                let widths = if has_width {
                    codes.side_width[side][usize::from(lo)] - codes.side_width[side][usize::from(t)]
                } else {
                    0.0
                };
                let score = (self.lost[at(t)] + widths + 1e-6) * self.shared[at(t)];
                if best.is_none_or(|(top, _, _)| score > top) {
                    best = Some((score, side, t));
                }
            }
        }
        best.map(|(_, side, at)| (side, at))
    }
}

/// The best box that the query wants.
///
/// # Errors
/// Those of the budget.
pub(crate) fn best_box(codes: &Codes, query: Query<'_>, budget: &Budget<'_>) -> Result<Option<Priced>> {
    let mut best = Best::default();
    Pricing::new(codes, query, &mut best).run(&mut best, budget)?;
    Ok(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::budget::Limits;
    use crate::exact::column::Column;
    use crate::exact::problem::{Goal, Rows};
    use imbcore_base::{RunCtl, SeedKey, below};

    /// Every vector of candidates, the plain way.
    fn all_boxes(codes: &Codes) -> Vec<Vec<u16>> {
        codes.n_candidates.iter().fold(vec![Vec::new()], |boxes, &n| {
            boxes.iter().flat_map(|at| (0..n).map(move |t| [at.as_slice(), &[t]].concat())).collect()
        })
    }

    #[test]
    fn the_best_box_is_that_of_all_boxes() {
        let budget = Budget::start(Limits::default(), RunCtl::silent()).unwrap();
        for seed in 0..200 {
            let mut rng = SeedKey::root(seed).rng();
            let mut grid = |n: u32| f64::from(below(&mut rng, n));
            let columns: Vec<Vec<f64>> = (0..2).map(|_| (0..14).map(|_| grid(7) / 6.0).collect()).collect();
            let positive: Vec<bool> = (0..14).map(|row| row < 5).collect();
            let rows = Rows::new(&columns, &positive).unwrap();
            let codes = Codes::new(&rows, &Goal::default()).unwrap();
            let prices = Prices {
                pos: (0..codes.n_pos()).map(|_| grid(4)).collect(),
                neg: (0..codes.n_neg()).map(|_| grid(4) / 2.0).collect(),
            };
            let other = Prices { pos: prices.pos.iter().map(|_| grid(3)).collect(), neg: prices.neg.clone() };
            let value = |of: &Prices, at: &[u16]| {
                let column = Column::new(&codes, at.to_vec());
                column.pos.sum(&of.pos) - column.neg.sum(&of.neg)
            };
            for guard in [None, Some(Guard { prices: &other, floor: 1.0 })] {
                let wanted = |at: &Vec<u16>| {
                    value(&prices, at) > 1e-6
                        && guard.is_none_or(|guard| value(&other, at) > guard.floor + 1e-6)
                };
                let best = all_boxes(&codes)
                    .into_iter()
                    .filter(wanted)
                    .map(|at| value(&prices, &at))
                    .fold(0.0, f64::max);
                let query = Query { prices: &prices, above: 0.0, guard, keep: None };
                let found = best_box(&codes, query, &budget).unwrap();
                assert_eq!(found.map_or(0.0, |found| found.value), best, "seed {seed}");
            }
        }
    }
}
