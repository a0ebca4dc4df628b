//! Search for boxes that the verifiers use, on the scaled values of the rows.
//!
//! It is slow and simple, and shares no search code with the fit.

use crate::exact::problem::{BoxObjective, ROUNDING, ScaledRows};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result};

/// Maximum number of covered and hit rows, summed over all boxes of a list.
///
/// This limits the memory of the list. Dual values that prove only a weak bound would lead to longer lists.
const MOST_LISTED: usize = 1 << 26;

#[derive(Clone, Debug)]
pub(crate) struct RowRewards {
    pub reward: Vec<f64>,
    /// Cost of hitting a majority row, whatever other rows the box covers.
    pub price: Vec<f64>,
    /// For each majority row, the amounts that a hit takes from rewards of covered minority rows.
    ///
    /// A reward is not reduced below 0.
    pub pairs: Vec<Vec<(usize, f64)>>,
}

impl RowRewards {
    /// A box pays the fraction `1 / m` of `price`.
    pub(crate) fn rewards_per_box(&self, m: usize) -> Self {
        let price = self.price.iter().map(|price| price / m as f64).collect();
        Self { price, ..self.clone() }
    }

    fn box_value(&self, covered: &[usize], hit: &[usize]) -> f64 {
        let mut left = self.reward.clone();
        for &(covered, price) in hit.iter().flat_map(|&row| &self.pairs[row]) {
            left[covered] -= price;
        }
        let paid: f64 = hit.iter().map(|&row| self.price[row]).sum();
        covered.iter().map(|&row| left[row].max(0.0)).sum::<f64>() - paid
    }
}

pub(crate) struct ReferenceSearch<'a> {
    pub rows: &'a ScaledRows<'a>,
    /// Row numbers of the minority rows, ascending; `neg` has those of the majority rows.
    pub pos: Vec<usize>,
    pub neg: Vec<usize>,
    /// Minimum distance of an excluded majority row from the hull of the covered rows.
    pub gap: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CoveredAndHitRows {
    pub covered: Vec<usize>,
    pub hit: Vec<usize>,
}

/// Region of the search: for each side of a box, the outermost and the innermost position.
///
/// The positions of upper sides are negated.
struct SidePositionRegion {
    outer: Vec<f64>,
    inner: Vec<f64>,
}

impl<'a> ReferenceSearch<'a> {
    pub(crate) fn for_all_rows(rows: &'a ScaledRows<'a>, goal: &BoxObjective) -> Self {
        let gap = 2.0 * goal.strict_margin() - ROUNDING;
        Self { rows, pos: rows.rows_of_class(true), neg: rows.rows_of_class(false), gap }
    }

    /// The largest value of a box, or `above` if no box has a larger value.
    pub(crate) fn best_box_value(
        &self,
        charges: &RowRewards,
        above: f64,
        budget: &SearchBudget<'_>,
    ) -> Result<f64> {
        let mut top = above;
        self.branch_and_bound(charges, budget, |_, value| {
            top = top.max(value);
            top
        })?;
        Ok(top)
    }

    /// Lists boxes above the value `above` that cannot cover another row without a new hit.
    ///
    /// A new hit is a further majority row in the box. For any row weights, every other box above this value
    /// is at most as good as one of these boxes.
    pub(crate) fn list_maximal_boxes(
        &self,
        charges: &RowRewards,
        above: f64,
        budget: &SearchBudget<'_>,
    ) -> Result<Vec<CoveredAndHitRows>> {
        let (mut found, mut n_rows) = (Vec::new(), 0);
        self.branch_and_bound(charges, budget, |leaf, _| {
            n_rows += leaf.as_ref().map_or(0, |rows: &CoveredAndHitRows| rows.covered.len() + rows.hit.len());
            found.extend(leaf);
            // If the listed boxes have too many rows, the threshold becomes infinite, which ends the search.
            if n_rows > MOST_LISTED { f64::INFINITY } else { above }
        })?;
        if n_rows > MOST_LISTED {
            return Err(Error::Memory {
                bytes: n_rows * size_of::<usize>(),
                what: "the boxes listed in a proof",
            });
        }
        found.sort_unstable();
        found.dedup();
        let mut full = Vec::new();
        for of in found {
            if self.is_maximal(&of, budget)? {
                full.push(of);
            }
        }
        Ok(full)
    }

    /// Branch and bound over all regions that can contain boxes with a value above a threshold.
    ///
    /// For each region, `meet` receives the value of the region's widest box, and returns the new threshold.
    /// If all boxes of the region hit the same rows, `meet` also receives the widest box itself. Before the
    /// search, `meet` is called without a box and returns the first threshold.
    fn branch_and_bound(
        &self,
        charges: &RowRewards,
        budget: &SearchBudget<'_>,
        mut meet: impl FnMut(Option<CoveredAndHitRows>, f64) -> f64,
    ) -> Result<()> {
        let sides = 2 * self.rows.n_features();
        let edge = |side: usize, pick: fn(f64, f64) -> f64, from: f64| {
            self.pos.iter().map(|&row| self.side_coordinate(side, row)).fold(from, pick)
        };
        let mut above = meet(None, f64::NEG_INFINITY);
        let mut open = vec![SidePositionRegion {
            outer: (0..sides).map(|side| edge(side, f64::min, f64::INFINITY)).collect(),
            inner: (0..sides).map(|side| edge(side, f64::max, f64::NEG_INFINITY)).collect(),
        }];
        while let Some(region) = open.pop() {
            budget.check_limits()?;
            let possible: Vec<usize> =
                self.pos.iter().copied().filter(|&row| self.is_row_within_box(row, &region.outer)).collect();
            let inside = self.rows_within_box(&self.neg, &region.outer);
            let certain = self.rows_within_box(&inside, &region.inner);
            if possible.is_empty() || charges.box_value(&possible, &certain) <= above + 1e-9 {
                continue;
            }
            let value = charges.box_value(&possible, &inside);
            let undecided: Vec<usize> =
                inside.into_iter().filter(|row| certain.binary_search(row).is_err()).collect();
            let cut = self.branching_point(charges, &region, &possible, &undecided);
            // If there is no branching point, no side can exclude another row. All boxes of the region then
            // hit the same rows.
            above = meet(cut.is_none().then(|| self.smallest_box_around(possible)), value);
            if let Some((side, below, at)) = cut {
                let mut stop =
                    SidePositionRegion { outer: region.outer.clone(), inner: region.inner.clone() };
                stop.inner[side] = below;
                let mut cut = region;
                cut.outer[side] = at;
                open.extend([stop, cut]);
            }
        }
        Ok(())
    }

    /// Chooses the side and the position at which a region is divided into two parts.
    ///
    /// Returns the side, the innermost position of the outer part, and the outermost position of the inner
    /// part. The choice maximizes the product of two numbers: the reward that the inner part loses, and the
    /// number of rows that the inner part excludes.
    fn branching_point(
        &self,
        charges: &RowRewards,
        region: &SidePositionRegion,
        possible: &[usize],
        undecided: &[usize],
    ) -> Option<(usize, f64, f64)> {
        let mut best: Option<(f64, usize, f64, f64)> = None;
        for side in 0..region.outer.len() {
            let mut at: Vec<(f64, f64)> =
                possible.iter().map(|&row| (self.side_coordinate(side, row), charges.reward[row])).collect();
            at.push((region.outer[side], 0.0));
            at.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut out: Vec<f64> = undecided.iter().map(|&row| self.side_coordinate(side, row)).collect();
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

    fn smallest_box_around(&self, covered: Vec<usize>) -> CoveredAndHitRows {
        let hit = self.rows_within_box(&self.neg, &self.hull_sides(&covered));
        CoveredAndHitRows { covered, hit }
    }

    fn hull_sides(&self, covered: &[usize]) -> Vec<f64> {
        let edge =
            |side| covered.iter().map(|&row| self.side_coordinate(side, row)).fold(f64::INFINITY, f64::min);
        (0..2 * self.rows.n_features()).map(edge).collect()
    }

    fn is_maximal(&self, of: &CoveredAndHitRows, budget: &SearchBudget<'_>) -> Result<bool> {
        let edges = self.hull_sides(&of.covered);
        let more = |row: usize| -> Vec<f64> {
            edges.iter().enumerate().map(|(side, edge)| edge.min(self.side_coordinate(side, row))).collect()
        };
        for &row in self.pos.iter().filter(|row| of.covered.binary_search(row).is_err()) {
            budget.check_limits()?;
            if self.rows_within_box(&self.neg, &more(row)).len() <= of.hit.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn side_coordinate(&self, side: usize, row: usize) -> f64 {
        let x = self.rows.columns()[side / 2][row];
        if side.is_multiple_of(2) { x } else { -x }
    }

    fn is_row_within_box(&self, row: usize, edges: &[f64]) -> bool {
        edges.iter().enumerate().all(|(side, &edge)| self.side_coordinate(side, row) >= edge)
    }

    fn rows_within_box(&self, rows: &[usize], edges: &[f64]) -> Vec<usize> {
        let reached = |row: usize| {
            edges.iter().enumerate().all(|(side, &edge)| self.side_coordinate(side, row) > edge - self.gap)
        };
        rows.iter().copied().filter(|&row| reached(row)).collect()
    }
}
