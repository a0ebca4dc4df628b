//! The bound by columns: a linear program over boxes, priced by branch and bound.
//!
//! For any prices `0 <= pi_p <= m_p`, `c n- + sum (m_p - pi_p) + K max(0, max_B [pi(B) - (c / K) hit(B) - box_cost])`
//! bounds every drawing of `K` boxes: each used box pays `c / K` for a hit that costs `c` once. The best prices solve
//! `min sum (m_p - pi_p) + K sigma, sigma >= pi(B) - cost(B)` over the boxes found so far, so that the variables of
//! that program, not its dual values, are what is needed. Where all boxes are there, `max(0, .)` goes.

use crate::exact::budget::Budget;
use crate::exact::codes::Codes;
use crate::exact::column::{Column, Tariff};
use crate::exact::pricing::{Prices, Query, best_box};
use imbcore_base::{Error, Result};
use imbcore_mip::{MipLimits, MipModel, Sense, solve};

/// Prices and what they prove.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dual {
    /// Boxes the bound is for.
    pub n_boxes: usize,
    /// Reward of each minority code.
    pub pi: Vec<f64>,
    /// The most any box earns under `pi`, less its costs.
    pub sigma: f64,
    /// The bound on every drawing.
    pub bound: f64,
}

impl Dual {
    /// The prices of a box: `pi`, and `c / K` a hit.
    pub(crate) fn prices(&self, codes: &Codes, tariff: &Tariff) -> Prices {
        let share = tariff.hit / self.n_boxes as f64;
        Prices { pos: self.pi.clone(), neg: codes.neg_mass.iter().map(|mass| mass * share).collect() }
    }
}

/// What a bound holds besides boxes: `sum_p (m_p - pi_p) + c n-`.
fn rest(codes: &Codes, tariff: &Tariff, pi: &[f64]) -> f64 {
    codes.pos_mass.iter().zip(pi).map(|(mass, pi)| mass - pi).sum::<f64>() + tariff.base(codes)
}

/// Improves the bound until the linear program over `pool`, which grows, is solved.
///
/// `known` is a bound from elsewhere; the search also ends once the bound is below `enough`. On a cancellation the
/// best bound so far is returned with `false`.
pub(crate) fn generate(
    codes: &Codes,
    tariff: &Tariff,
    pool: &mut Vec<Column>,
    enough: f64,
    budget: &Budget<'_>,
) -> Result<(Dual, bool)> {
    let n_boxes = tariff.n_boxes;
    let mut best = Dual { n_boxes, pi: codes.pos_mass.clone(), sigma: f64::INFINITY, bound: f64::INFINITY };
    match improve(codes, tariff, pool, enough, &mut best, budget) {
        Ok(()) => Ok((best, true)),
        Err(Error::Cancelled) => Ok((best, false)),
        Err(error) => Err(error),
    }
}

fn improve(
    codes: &Codes,
    tariff: &Tariff,
    pool: &mut Vec<Column>,
    enough: f64,
    best: &mut Dual,
    budget: &Budget<'_>,
) -> Result<()> {
    while best.bound >= enough {
        let (pi, sigma) = master(codes, tariff, pool, budget)?;
        if rest(codes, tariff, &pi) + tariff.n_boxes as f64 * sigma >= best.bound - 1e-7 {
            return Ok(());
        }
        // Prices half way to the best ones so far swing less than the program's own (Wentges 1997); where they give
        // neither a better bound nor a new column, the program's own are used.
        let half: Vec<f64> = pi.iter().zip(&best.pi).map(|(new, old)| 0.5 * (new + old)).collect();
        let new_column = (best.bound.is_finite()
            && step(codes, tariff, pool, half, (&pi, sigma), best, budget)?)
            || step(codes, tariff, pool, pi.clone(), (&pi, sigma), best, budget)?;
        if !new_column {
            return Ok(());
        }
    }
    Ok(())
}

/// Prices at `mix`; whether that gave a better bound or a column that the program's own prices miss.
fn step(
    codes: &Codes,
    tariff: &Tariff,
    pool: &mut Vec<Column>,
    mix: Vec<f64>,
    own: (&[f64], f64),
    best: &mut Dual,
    budget: &Budget<'_>,
) -> Result<bool> {
    let trial = Dual { n_boxes: tariff.n_boxes, pi: mix, sigma: 0.0, bound: 0.0 };
    let prices = trial.prices(codes, tariff);
    let query = Query { prices: &prices, above: tariff.floor(), guard: None, keep: None };
    let found = best_box(codes, query, budget)?;
    let sigma = found.as_ref().map_or(0.0, |found| found.value - tariff.per_box);
    let bound = rest(codes, tariff, &trial.pi) + tariff.n_boxes as f64 * sigma;
    let better = bound < best.bound - 1e-9;
    if better {
        *best = Dual { sigma, bound, ..trial };
    }
    let Some(found) = found else { return Ok(better) };
    let column = Column::new(codes, found.at).grown(codes);
    let share = tariff.hit / tariff.n_boxes as f64;
    let cuts = column.pos.sum(own.0) - cost(codes, tariff, share, &column) > own.1 + 1e-9;
    if cuts {
        pool.push(column);
    }
    Ok(better || cuts)
}

fn cost(codes: &Codes, tariff: &Tariff, share: f64, column: &Column) -> f64 {
    tariff.per_box + share * column.neg.sum(&codes.neg_mass) - column.width(codes)
}

/// Minimises the bound over the boxes found so far: prices and `sigma`.
fn master(codes: &Codes, tariff: &Tariff, pool: &[Column], budget: &Budget<'_>) -> Result<(Vec<f64>, f64)> {
    let mut model = MipModel::new(Sense::Minimise);
    let pi: Vec<_> = codes.pos_mass.iter().map(|&mass| model.continuous(0.0, mass, -1.0)).collect();
    let share = tariff.hit / tariff.n_boxes as f64;
    let costs: Vec<f64> = pool.iter().map(|column| cost(codes, tariff, share, column)).collect();
    let largest = codes.pos_mass.iter().sum::<f64>() + costs.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let lowest = if tariff.all_present { -largest } else { 0.0 };
    let sigma = model.continuous(lowest, largest, tariff.n_boxes as f64);
    for (column, &cost) in pool.iter().zip(&costs) {
        let mut entries: Vec<_> = column.pos.iter().map(|p| (pi[p], 1.0)).collect();
        entries.push((sigma, -1.0));
        model.at_most(&entries, cost);
    }
    budget.check()?;
    let limits = MipLimits { seconds: budget.left().as_secs_f64().max(0.1), ..MipLimits::default() };
    let outcome = solve(&model, &limits, None, budget.ctl())?;
    // Out of time: the caller keeps the bound it has.
    let found = outcome.found.ok_or(Error::Cancelled)?;
    Ok((pi.iter().map(|&col| found.x[col.index()]).collect(), found.x[sigma.index()]))
}
