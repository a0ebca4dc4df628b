//! A bound that others can check, and a slow, plain checker that shares no code with the search.

use crate::exact::budget::{Budget, Limits};
use crate::exact::codes::Codes;
use crate::exact::columns::Dual;
use crate::exact::problem::{Goal, ROUNDING, Rows, Walls, score};
use imbcore_base::{Error, Result, RunCtl};

/// Prices that bound every drawing of at most `n_boxes` boxes:
/// `c n- + sum (weight - reward) + n_boxes max(0, sigma)`, where no box earns more than `sigma` if it is paid the reward of
/// each minority row it covers and pays `c / n_boxes` a hit and the price of a box.
///
/// What lies between this bound and the proven one was closed by listing and completing boxes; that part can only be
/// run again, by [`crate::exact::solve`] with the drawing as start.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Boxes the bound is for.
    pub n_boxes: usize,
    /// Reward of each row, between 0 and its weight; 0 for majority rows.
    pub reward: Vec<f64>,
    /// The most that a box earns.
    pub sigma: f64,
    /// The bound.
    pub bound: f64,
}

/// What a checker found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What the drawing is worth by its definition.
    pub objective: f64,
    /// The bound that the prices prove; none if the checker ran out of time.
    pub bound: Option<f64>,
}

impl Certificate {
    pub(crate) fn new(rows: &Rows<'_>, codes: &Codes, dual: &Dual) -> Self {
        let mut reward = vec![0.0; rows.n_rows()];
        for &(row, code) in &codes.pos_rows {
            reward[row] = dual.prices.pos[code] / codes.pos_mass[code] * rows.weight(row);
        }
        // A row that no box can cover is in the way of nothing: its reward may be its weight, and adds nothing to the bound.
        for row in rows.of_class(true) {
            if codes.pos_rows.binary_search_by_key(&row, |&(row, _)| row).is_err() {
                reward[row] = rows.weight(row);
            }
        }
        Self { n_boxes: dual.n_boxes, reward, sigma: dual.sigma, bound: dual.bound }
    }
}

/// Values of a drawing and of a certificate from the rows alone.
///
/// # Errors
/// [`Error::Data`] for rewards out of `[0, weight]` or of a wrong number, [`Error::Unsupported`] with a reward for width,
/// for which certificates are not made, [`Error::Cancelled`] and [`Error::Parameter`] of the limits.
pub fn verify(
    rows: &Rows<'_>,
    goal: &Goal,
    boxes: &[Walls],
    certificate: &Certificate,
    limits: Limits,
    ctl: RunCtl<'_>,
) -> Result<Verdict> {
    if goal.expand > 0.0 {
        return Err(Error::Unsupported("certificates are made for expand = 0 only".into()));
    }
    let reward = &certificate.reward;
    let fits = |(row, reward): (usize, &f64)| {
        let weight = rows.weight(row);
        (-1e-9 * weight..=weight * (1.0 + 1e-9)).contains(reward)
    };
    if reward.len() != rows.n_rows() || !reward.iter().enumerate().all(fits) {
        return Err(Error::Data("a certificate needs one reward a row, between 0 and its weight".into()));
    }
    let budget = Budget::start(limits, ctl)?;
    let objective = score(rows, goal, boxes).objective;
    let spare: f64 = rows.of_class(true).iter().map(|&row| rows.weight(row) - reward[row]).sum();
    let k = certificate.n_boxes as f64;
    let plain = Plain { rows, reward, price: goal.majority_weight / k, gap: 2.0 * goal.wall() - ROUNDING };
    let top = match plain.best(goal.box_cost.max(0.0), &budget) {
        Ok(top) => top - goal.box_cost,
        Err(Error::Cancelled) if ctl.check().is_ok() => return Ok(Verdict { objective, bound: None }),
        Err(error) => return Err(error),
    };
    let bound = goal.majority_weight * rows.total(false) + spare + k * top.max(0.0);
    Ok(Verdict { objective, bound: Some(bound) })
}

/// Maximum box by intervals of wall positions, on raw values.
struct Plain<'a> {
    rows: &'a Rows<'a>,
    reward: &'a [f64],
    price: f64,
    gap: f64,
}

/// Interval of positions of each side's hull edge, in mirrored coordinates, and the rows not yet decided.
struct Node {
    outer: Vec<f64>,
    inner: Vec<f64>,
}

impl Plain<'_> {
    fn weigh(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| self.rows.weight(row)).sum()
    }

    fn x(&self, side: usize, row: usize) -> f64 {
        let x = self.rows.columns()[side / 2][row];
        if side.is_multiple_of(2) { x } else { -x }
    }

    /// The largest value of a box, or `above` if none is larger.
    fn best(&self, above: f64, budget: &Budget<'_>) -> Result<f64> {
        let sides = 2 * self.rows.n_features();
        let pos = self.rows.of_class(true);
        let (mut top, mut open) = (above, Vec::new());
        let edge = |side: usize, pick: fn(f64, f64) -> f64, from: f64| {
            pos.iter().map(|&row| self.x(side, row)).fold(from, pick)
        };
        open.push(Node {
            outer: (0..sides).map(|side| edge(side, f64::min, f64::INFINITY)).collect(),
            inner: (0..sides).map(|side| edge(side, f64::max, f64::NEG_INFINITY)).collect(),
        });
        let neg = self.rows.of_class(false);
        while let Some(node) = open.pop() {
            budget.check()?;
            let beyond = |row: usize, edge: &[f64]| (0..sides).all(|side| self.x(side, row) >= edge[side]);
            let reached =
                |row: usize, edge: &[f64]| (0..sides).all(|side| self.x(side, row) > edge[side] - self.gap);
            let possible: Vec<usize> = pos.iter().copied().filter(|&row| beyond(row, &node.outer)).collect();
            let inside: Vec<usize> = neg.iter().copied().filter(|&row| reached(row, &node.outer)).collect();
            let (certain, undecided): (Vec<usize>, Vec<usize>) =
                inside.iter().partition(|&&row| reached(row, &node.inner));
            let covered: f64 = possible.iter().map(|&row| self.reward[row]).sum();
            let bound = covered - self.price * self.weigh(&certain);
            if bound <= top + 1e-9 {
                continue;
            }
            top = top.max(bound - self.price * self.weigh(&undecided));
            if let Some((side, below, at)) = self.cut(&node, &possible, &undecided) {
                let mut stop = Node { outer: node.outer.clone(), inner: node.inner.clone() };
                stop.inner[side] = below;
                let mut cut = node;
                cut.outer[side] = at;
                open.extend([stop, cut]);
            }
        }
        Ok(top)
    }

    /// A side, the last position before a cut and the cut: what it loses times what it keeps out is largest.
    fn cut(&self, node: &Node, possible: &[usize], undecided: &[usize]) -> Option<(usize, f64, f64)> {
        let mut best: Option<(f64, usize, f64, f64)> = None;
        for side in 0..node.outer.len() {
            let mut at: Vec<f64> = possible.iter().map(|&row| self.x(side, row)).collect();
            at.push(node.outer[side]);
            at.retain(|&at| at <= node.inner[side]);
            at.sort_by(f64::total_cmp);
            at.dedup();
            for pair in at.windows(2) {
                let lost: f64 = possible
                    .iter()
                    .filter(|&&row| self.x(side, row) < pair[1])
                    .map(|&row| self.reward[row])
                    .sum();
                let out = undecided.iter().filter(|&&row| self.x(side, row) <= pair[1] - self.gap).count();
                let gain = (lost + 1e-6) * out as f64;
                if out > 0 && best.is_none_or(|(top, ..)| gain > top) {
                    best = Some((gain, side, pair[0], pair[1]));
                }
            }
        }
        best.map(|(_, side, below, at)| (side, below, at))
    }
}
