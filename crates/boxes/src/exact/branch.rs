//! Where the search for the best box parts a node.
//!
//! Symbols are those of `pricing`. The tables hold what each code adds at its own candidate; a loop over the candidates of a
//! side turns them into sums in place, so a node costs `sides x (pos + neg + candidates)`.

use crate::bits::{has, ones};
use crate::exact::codes::Codes;
use crate::exact::prices::Prices;
use crate::exact::stack::Node;

/// How to part a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parting {
    /// No box of it is wanted.
    Nothing,
    /// Into itself between [`Branching::low`] and [`Branching::high`], where less is undecided.
    Narrow,
    /// Into the boxes whose `side` stands before `at`, and those whose stands there or further in.
    At {
        side: usize,
        at: u16,
        /// Whether the inner part promises less, so that it is put on the stack first.
        inner_first: bool,
    },
}

/// Tables over the candidates of a node, reused from node to node.
#[derive(Debug)]
pub(crate) struct Branching {
    /// Per side and candidate, in rows of `width` candidates; what lies outside a node's interval is of no meaning.
    table: Vec<Cell>,
    width: usize,
    /// Sides with more than one candidate, and the first cell of each.
    active: Vec<(usize, usize)>,
    /// Rewards left, by minority code, and the share of them by which pairs of codes that one side alone can keep out count.
    left: Vec<f64>,
    part: Vec<f64>,
    /// Majority codes that one side alone can keep out, with its cell.
    singles: Vec<(usize, usize)>,
    /// Each side's candidates between which boxes are wanted.
    pub low: Vec<u16>,
    pub high: Vec<u16>,
}

/// What stands at one candidate of a side.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// What moving there loses for certain.
    lost: f64,
    /// A share of every undecided majority code that stopping before cannot keep out on this side.
    shared: f64,
    /// What stopping before hits for certain: the prices alone, and with those of pairs.
    alone: f64,
    single: f64,
}

impl Branching {
    pub(crate) fn new(codes: &Codes) -> Self {
        let width = codes.n_candidates.iter().copied().max().map_or(1, usize::from) + 2;
        Self {
            table: vec![Cell::default(); codes.n_sides * width],
            width,
            active: Vec::new(),
            left: vec![0.0; codes.n_pos()],
            part: vec![0.0; codes.n_pos()],
            singles: Vec::new(),
            low: vec![0; codes.n_sides],
            high: vec![0; codes.n_sides],
        }
    }

    /// How to part a node whose boxes are wanted if they lose less than `slack` of its bound.
    ///
    /// A box that stands at `t` on one side loses `lost[t]`, the rewards of the codes with `r_s <= t`, and hits the codes
    /// with `e_s > t` that no other side can keep out: where that is `slack` or more at all candidates up to one, or from
    /// one on, the interval ends there.
    ///
    /// The wall is a `t` in `low + 1..=high` of a side. Its score is the product of what both parts lose: `lost[t]`, which
    /// the inner part cannot cover, and `shared[t]`, a part of the price of every code with `e_s >= t`, which the outer part
    /// cannot keep out on this side. A code that `w` sides can keep out counts with `1 / w^2` of its price.
    pub(crate) fn choose(&mut self, codes: &Codes, prices: &Prices, node: &Node, slack: f64) -> Parting {
        self.low.copy_from_slice(&node.lo);
        self.high.copy_from_slice(&node.hi);
        self.tally(codes, prices, node);
        let mut best: Option<(f64, usize, u16)> = None;
        let mut narrow = false;
        for active in 0..self.active.len() {
            let (side, first) = self.active[active];
            let (lo, hi) = (node.lo[side], node.hi[side]);
            let cells = &mut self.table[first + usize::from(lo)..=first + usize::from(hi) + 1];
            sum_up(cells);
            if codes.side_width.is_empty() {
                let wanted = |pair: &[Cell]| {
                    let hit = pair[1];
                    (pair[0].lost + hit.alone).max(hit.single) < slack
                };
                let Some(before) = cells.windows(2).position(wanted) else { return Parting::Nothing };
                let after = cells.windows(2).rev().position(wanted).unwrap_or(0);
                self.low[side] = lo + before as u16;
                self.high[side] = hi - after as u16;
                narrow |= before + after > 0;
            }
            let widths = codes.side_width.get(side);
            for t in self.low[side] + 1..=self.high[side] {
                let cell = cells[usize::from(t - lo)];
                // A candidate that keeps nobody out is no cut.
                if cell.shared == cells[usize::from(t - lo) + 1].shared {
                    continue;
                }
                let width = widths.map_or(0.0, |width| width[usize::from(lo)] - width[usize::from(t)]);
                let score = (cell.lost + width + 1e-6) * cell.shared;
                if best.is_none_or(|(top, _, _)| score > top) {
                    best = Some((score, side, t));
                }
            }
        }
        match best {
            Some((_, side, at)) => {
                let cell = self.table[side * self.width + usize::from(at)];
                // What the inner part cannot cover, against what the outer one hits for certain.
                Parting::At { side, at, inner_first: cell.lost > cell.single }
            }
            None if narrow => Parting::Narrow,
            None => Parting::Nothing,
        }
    }

    /// Fills the cells of the active sides with what each code adds at its own place.
    #[inline]
    fn tally(&mut self, codes: &Codes, prices: &Prices, node: &Node) {
        self.active.clear();
        for (side, (&lo, &hi)) in node.lo.iter().zip(&node.hi).enumerate() {
            if lo < hi {
                let first = side * self.width;
                self.active.push((side, first));
                self.table[first + usize::from(lo)..=first + usize::from(hi) + 1].fill(Cell::default());
            }
        }
        for p in ones(&node.pos) {
            let weight = node.paid[0].left(prices, p);
            self.left[p] = weight;
            if weight == 0.0 {
                continue;
            }
            let lost = codes.lost(p);
            for &(side, first) in &self.active {
                self.table[first + usize::from(lost[side])].lost += weight;
            }
        }
        self.singles.clear();
        for i in ones(&node.neg) {
            let out = codes.out(i);
            let mut ways = 0_u32;
            let mut last = 0;
            for &(side, first) in &self.active {
                let can = out[side] <= node.hi[side];
                ways += u32::from(can);
                last = if can { first + usize::from(out[side]) } else { last };
            }
            let on = |&&(p, _): &&(u16, f64)| has(&node.pos, usize::from(p));
            let taken = prices.pairs.of(i).iter().filter(on);
            let price =
                prices.neg[i] + taken.map(|&(p, price)| price.min(self.left[usize::from(p)])).sum::<f64>();
            if ways == 1 {
                self.singles.push((i, last));
            }
            let share = (price + 1e-6) / f64::from(ways * ways);
            for &(side, first) in &self.active {
                self.table[first + usize::from(out[side])].shared += share;
            }
        }
        self.tally_singles(prices, node);
    }

    /// What the codes cost that one side alone can keep out: of a reward they take together no more than is left.
    fn tally_singles(&mut self, prices: &Prices, node: &Node) {
        if !prices.pairs.is_empty() {
            self.part.fill(0.0);
            for &(i, _) in &self.singles {
                prices.pairs.of(i).iter().for_each(|&(p, price)| self.part[usize::from(p)] += price);
            }
            for p in ones(&node.pos) {
                self.part[p] = if self.part[p] > self.left[p] { self.left[p] / self.part[p] } else { 1.0 };
            }
        }
        for &(i, cell) in &self.singles {
            let on = |&&(p, _): &&(u16, f64)| has(&node.pos, usize::from(p));
            let taken = prices.pairs.of(i).iter().filter(on);
            let pairs: f64 = taken.map(|&(p, price)| price * self.part[usize::from(p)]).sum();
            self.table[cell].alone += prices.neg[i];
            self.table[cell].single += prices.neg[i] + pairs;
        }
    }
}

/// Makes losses of moving in add up from outside, and hits of stopping short from inside.
fn sum_up(cells: &mut [Cell]) {
    let n = cells.len() - 1;
    for t in 1..n {
        cells[t].lost += cells[t - 1].lost;
    }
    // What lies beyond the interval is not of it.
    cells[n] = Cell::default();
    for t in (1..n).rev() {
        let inner = cells[t + 1];
        let cell = &mut cells[t];
        cell.shared += inner.shared;
        cell.alone += inner.alone;
        cell.single += inner.single;
    }
}
