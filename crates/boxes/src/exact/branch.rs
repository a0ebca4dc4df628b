//! Where the search for the best box parts a node.
//!
//! Symbols are those of `pricing`. At the top of the loop over a side the three rows hold what each code adds at its own
//! candidate; the loop turns them into sums in place, so a node costs `sides x (pos + neg + candidates)`.

use crate::exact::codes::Codes;
use crate::exact::prices::Prices;
use crate::exact::stack::Node;

/// A wall to part a node at: into the boxes whose `side` stands before `at`, and those whose stands there or further in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    pub side: usize,
    pub at: u16,
    /// Whether the inner part promises less, so that it is put on the stack first.
    pub inner_first: bool,
}

/// Tables over the candidates of a node, reused from node to node.
#[derive(Debug)]
pub(crate) struct Branching {
    /// Per side and candidate: what moving there loses for certain; what stopping before hits for certain; a share of
    /// every undecided majority code. Rows of `width` candidates.
    lost: Vec<f64>,
    single: Vec<f64>,
    shared: Vec<f64>,
    width: usize,
    /// Rewards left, by minority code.
    left: Vec<f64>,
}

impl Branching {
    pub(crate) fn new(codes: &Codes) -> Self {
        let width = codes.n_candidates.iter().copied().max().map_or(1, usize::from) + 1;
        let row = || vec![0.0; codes.n_sides * width];
        Self { lost: row(), single: row(), shared: row(), width, left: vec![0.0; codes.n_pos()] }
    }

    /// The wall to branch on: `t` in `lo + 1..=hi` of a side, which parts the node into `hi = t - 1` and `lo = t`.
    ///
    /// The score is the product of what both children lose: `lost[t]`, the rewards of the codes with `r_s <= t`, which the
    /// inner child cannot cover, and `shared[t]`, a part of the price of every code with `e_s >= t`, which the outer child
    /// cannot keep out on this side. A code that `w` sides can keep out counts with `1 / w^2` of its price; with `w = 1` it
    /// is hit for certain (`single`). Sums over candidates are made in place, from the rows' own places.
    pub(crate) fn choose(&mut self, codes: &Codes, prices: &Prices, node: &Node) -> Option<Wall> {
        let (lo, hi) = (&node.lo, &node.hi);
        let active: Vec<usize> = (0..codes.n_sides).filter(|&side| lo[side] < hi[side]).collect();
        self.tally(codes, prices, node, &active);
        let width = self.width;
        let has_width = !codes.side_width.is_empty();
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
        best.map(|(_, side, at)| {
            let place = side * width + usize::from(at);
            // What the inner child cannot cover, against what the outer one hits for certain.
            Wall { side, at, inner_first: self.lost[place] > self.single[place] }
        })
    }

    /// Fills `lost`, `single` and `shared` of the active sides with what each code adds at its own place.
    #[inline]
    fn tally(&mut self, codes: &Codes, prices: &Prices, node: &Node, active: &[usize]) {
        let width = self.width;
        for side in 0..codes.n_sides {
            let run =
                side * width + usize::from(node.lo[side])..side * width + usize::from(node.hi[side]) + 1;
            self.lost[run.clone()].fill(0.0);
            self.single[run.clone()].fill(0.0);
            self.shared[run].fill(0.0);
        }
        self.left.fill(0.0);
        for &p in &node.pos {
            let weight = node.paid[0].left(prices, p);
            self.left[usize::from(p)] = weight;
            let lost = codes.lost(usize::from(p));
            for &side in active {
                if lost[side] <= node.hi[side] {
                    self.lost[side * width + usize::from(lost[side])] += weight;
                }
            }
        }
        for &i in &node.neg {
            let price = prices.price_of(usize::from(i), &self.left);
            let out = codes.out(usize::from(i));
            let ways = active.iter().filter(|&&side| out[side] <= node.hi[side]).count();
            let share = (price + 1e-6) / (ways * ways) as f64;
            for &side in active {
                if out[side] <= node.hi[side] {
                    self.shared[side * width + usize::from(out[side])] += share;
                    if ways == 1 {
                        self.single[side * width + usize::from(out[side])] += price;
                    }
                }
            }
        }
    }
}
