//! Boxes by intervals of wall positions, on raw values: the search of the checkers, slow, plain, and none of the fit's.

use crate::exact::problem::{Goal, ROUNDING, Rows};
use imbcore_base::budget::Budget;
use imbcore_base::{Error, Result};

/// Most rows in the boxes of a list, for which prices that rule out little would ask.
const MOST_LISTED: usize = 1 << 26;

/// What boxes get for the rows they cover and pay for those they hit, by row.
#[derive(Clone, Debug)]
pub(crate) struct Charges {
    /// Reward of a minority row.
    pub reward: Vec<f64>,
    /// What a hit costs whatever is covered.
    pub price: Vec<f64>,
    /// What a hit takes from the rewards of covered rows, none of which falls below 0, by the row that is hit.
    pub pairs: Vec<Vec<(usize, f64)>>,
}

impl Charges {
    /// Those of one of `m` boxes, which together pay a price at most once.
    pub(crate) fn of_one(&self, m: usize) -> Self {
        let price = self.price.iter().map(|price| price / m as f64).collect();
        Self { price, ..self.clone() }
    }

    /// Rewards of the rows `covered` less what the rows `hit` cost.
    fn earned(&self, covered: &[usize], hit: &[usize]) -> f64 {
        let mut left = self.reward.clone();
        for &(covered, price) in hit.iter().flat_map(|&row| &self.pairs[row]) {
            left[covered] -= price;
        }
        let paid: f64 = hit.iter().map(|&row| self.price[row]).sum();
        covered.iter().map(|&row| left[row].max(0.0)).sum::<f64>() - paid
    }
}

/// The rows that matter, and how far a wall keeps from those it separates.
pub(crate) struct Plain<'a> {
    pub rows: &'a Rows<'a>,
    /// Minority rows and majority rows.
    pub pos: Vec<usize>,
    pub neg: Vec<usize>,
    /// A majority row is kept out if it lies so far beyond the hull of what a box covers.
    pub gap: f64,
}

/// A box by its rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rowed {
    pub covered: Vec<usize>,
    pub hit: Vec<usize>,
}

/// Interval of positions of each side's hull edge, in mirrored coordinates.
struct Region {
    outer: Vec<f64>,
    inner: Vec<f64>,
}

impl<'a> Plain<'a> {
    /// All rows.
    pub(crate) fn of_all(rows: &'a Rows<'a>, goal: &Goal) -> Self {
        let gap = 2.0 * goal.wall() - ROUNDING;
        Self { rows, pos: rows.of_class(true), neg: rows.of_class(false), gap }
    }

    /// The largest value of a box, or `above` if none is larger.
    pub(crate) fn best(&self, charges: &Charges, above: f64, budget: &Budget<'_>) -> Result<f64> {
        let mut top = above;
        self.walk(charges, budget, |_, value| {
            top = top.max(value);
            top
        })?;
        Ok(top)
    }

    /// Boxes worth more than `above` to which no minority row can be added without a further hit; others are no better than
    /// one of them, whatever rows are worth.
    pub(crate) fn list(&self, charges: &Charges, above: f64, budget: &Budget<'_>) -> Result<Vec<Rowed>> {
        let (mut found, mut n_rows) = (Vec::new(), 0);
        self.walk(charges, budget, |leaf, _| {
            n_rows += leaf.as_ref().map_or(0, |of: &Rowed| of.covered.len() + of.hit.len());
            found.extend(leaf);
            // Beyond the limit every region is done at once.
            if n_rows > MOST_LISTED { f64::INFINITY } else { above }
        })?;
        if n_rows > MOST_LISTED {
            return Err(Error::Memory {
                bytes: n_rows * size_of::<usize>(),
                what: "the boxes that a proof lists",
            });
        }
        found.sort_unstable();
        found.dedup();
        let mut full = Vec::new();
        for of in found {
            if self.is_full(&of, budget)? {
                full.push(of);
            }
        }
        Ok(full)
    }

    /// Goes through all regions that may hold boxes worth more than what `meet` says when it is given the value of the widest
    /// box of a region, and that box where all boxes of the region hit the same.
    fn walk(
        &self,
        charges: &Charges,
        budget: &Budget<'_>,
        mut meet: impl FnMut(Option<Rowed>, f64) -> f64,
    ) -> Result<()> {
        let sides = 2 * self.rows.n_features();
        let edge = |side: usize, pick: fn(f64, f64) -> f64, from: f64| {
            self.pos.iter().map(|&row| self.x(side, row)).fold(from, pick)
        };
        let mut above = meet(None, f64::NEG_INFINITY);
        let mut open = vec![Region {
            outer: (0..sides).map(|side| edge(side, f64::min, f64::INFINITY)).collect(),
            inner: (0..sides).map(|side| edge(side, f64::max, f64::NEG_INFINITY)).collect(),
        }];
        while let Some(region) = open.pop() {
            budget.check()?;
            let possible: Vec<usize> =
                self.pos.iter().copied().filter(|&row| self.beyond(row, &region.outer)).collect();
            let inside = self.reached(&self.neg, &region.outer);
            let certain = self.reached(&inside, &region.inner);
            if possible.is_empty() || charges.earned(&possible, &certain) <= above + 1e-9 {
                continue;
            }
            let value = charges.earned(&possible, &inside);
            let undecided: Vec<usize> =
                inside.into_iter().filter(|row| certain.binary_search(row).is_err()).collect();
            let cut = self.cut(charges, &region, &possible, &undecided);
            // Where no side can keep anyone out, all boxes of the region hit the same.
            above = meet(cut.is_none().then(|| self.hull(possible)), value);
            if let Some((side, below, at)) = cut {
                let mut stop = Region { outer: region.outer.clone(), inner: region.inner.clone() };
                stop.inner[side] = below;
                let mut cut = region;
                cut.outer[side] = at;
                open.extend([stop, cut]);
            }
        }
        Ok(())
    }

    /// A side, the last position before a cut and the cut: what it loses times what it keeps out is largest.
    fn cut(
        &self,
        charges: &Charges,
        region: &Region,
        possible: &[usize],
        undecided: &[usize],
    ) -> Option<(usize, f64, f64)> {
        let mut best: Option<(f64, usize, f64, f64)> = None;
        for side in 0..region.outer.len() {
            let mut at: Vec<(f64, f64)> =
                possible.iter().map(|&row| (self.x(side, row), charges.reward[row])).collect();
            at.push((region.outer[side], 0.0));
            at.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut out: Vec<f64> = undecided.iter().map(|&row| self.x(side, row)).collect();
            out.sort_by(f64::total_cmp);
            let mut lost = 0.0;
            for pair in at.windows(2).take_while(|pair| pair[1].0 <= region.inner[side]) {
                lost += pair[0].1;
                if pair[0].0 == pair[1].0 {
                    continue;
                }
                let out = out.partition_point(|&x| x <= pair[1].0 - self.gap);
                let gain = (lost + 1e-6) * out as f64;
                if out > 0 && best.is_none_or(|(top, ..)| gain > top) {
                    best = Some((gain, side, pair[0].0, pair[1].0));
                }
            }
        }
        best.map(|(_, side, below, at)| (side, below, at))
    }

    /// The smallest box of some rows.
    fn hull(&self, covered: Vec<usize>) -> Rowed {
        let hit = self.reached(&self.neg, &self.edges(&covered));
        Rowed { covered, hit }
    }

    fn edges(&self, covered: &[usize]) -> Vec<f64> {
        let edge = |side| covered.iter().map(|&row| self.x(side, row)).fold(f64::INFINITY, f64::min);
        (0..2 * self.rows.n_features()).map(edge).collect()
    }

    /// Whether every further minority row costs a further hit.
    fn is_full(&self, of: &Rowed, budget: &Budget<'_>) -> Result<bool> {
        let edges = self.edges(&of.covered);
        let more = |row: usize| -> Vec<f64> {
            edges.iter().enumerate().map(|(side, edge)| edge.min(self.x(side, row))).collect()
        };
        for &row in self.pos.iter().filter(|row| of.covered.binary_search(row).is_err()) {
            budget.check()?;
            if self.reached(&self.neg, &more(row)).len() <= of.hit.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn x(&self, side: usize, row: usize) -> f64 {
        let x = self.rows.columns()[side / 2][row];
        if side.is_multiple_of(2) { x } else { -x }
    }

    fn beyond(&self, row: usize, edges: &[f64]) -> bool {
        edges.iter().enumerate().all(|(side, &edge)| self.x(side, row) >= edge)
    }

    /// Those of `rows` that a hull with these edges does not keep out.
    fn reached(&self, rows: &[usize], edges: &[f64]) -> Vec<usize> {
        let reached =
            |row: usize| edges.iter().enumerate().all(|(side, &edge)| self.x(side, row) > edge - self.gap);
        rows.iter().copied().filter(|&row| reached(row)).collect()
    }
}
