//! The tree of least cost, with what is proven of it.

use crate::ahead::ahead_of;
use crate::knowledge::{Hint, Knowledge};
use crate::plan::Plan;
use crate::prices::Prices;
use crate::search::Search;
use crate::solver::{Found, Outcome, Solver};
use crate::subset::Subset;
use crate::table::Table;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result};

/// The trees among which the best one is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// Most splits from the root to a leaf.
    pub max_depth: u32,
    /// Least weight of a leaf.
    pub min_weight_leaf: f64,
    /// A deeper tree takes the root of the best tree of this depth at every node, and is good rather than best.
    pub lookahead: Option<u32>,
}

/// What trees cost: whole numbers, for units of the classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tariff {
    /// `class * n_classes + answer`.
    pub cells: Vec<f64>,
    /// A leaf.
    pub leaf: f64,
}

/// A tree and what is proven of it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best tree found.
    pub plan: Plan,
    /// Its cost.
    pub cost: f64,
    /// No tree of the family costs less.
    pub bound: f64,
    /// Why the search ended.
    pub status: Status,
}

/// Classes that can be told apart.
const MOST_CLASSES: usize = 8;

/// Costs of which a double holds every sum.
const MOST_COST: f64 = 4_503_599_627_370_496.0;

/// What a search below a limit found.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// A tree that costs less, and what it costs.
    pub(crate) better: Option<(Plan, f64)>,
    /// No tree costs less.
    pub(crate) bound: f64,
    pub(crate) status: Status,
}

/// The tree of least cost, or the best one when the budget ends.
///
/// # Errors
/// [`Error::Unsupported`] for more than eight classes or for costs too large to be added up exactly.
pub fn solve(table: &Table, family: &Family, tariff: &Tariff, budget: &Budget<'_>) -> Result<Solution> {
    let Answer { better, bound, status } = solve_below(table, family, tariff, f64::INFINITY, budget)?;
    let (plan, cost) = better.ok_or_else(|| Error::Internal("no tree costs less than infinity".into()))?;
    Ok(Solution { plan, cost, bound, status })
}

/// The tree of least cost, if it is less than `limit`.
///
/// # Errors
/// As [`solve`].
pub(crate) fn solve_below(
    table: &Table,
    family: &Family,
    tariff: &Tariff,
    limit: f64,
    budget: &Budget<'_>,
) -> Result<Answer> {
    check(table, tariff)?;
    match table.n_classes() {
        ..=2 => of::<2, 1>(table, family, tariff, limit, budget),
        3 => of::<3, 3>(table, family, tariff, limit, budget),
        4 => of::<4, 6>(table, family, tariff, limit, budget),
        5..=MOST_CLASSES => of::<8, 28>(table, family, tariff, limit, budget),
        n => Err(Error::Unsupported(format!(
            "exact trees tell at most {MOST_CLASSES} classes apart, but y has {n}; use OVA (OVAClassifier, or method \"ova\")"
        ))),
    }
}

fn check(table: &Table, tariff: &Tariff) -> Result<()> {
    let largest = tariff.cells.iter().copied().fold(tariff.leaf, f64::max);
    if largest * (table.totals().iter().sum::<f64>() + 16.0) >= MOST_COST {
        return Err(Error::Unsupported("costs are too large to be added up exactly".into()));
    }
    Ok(())
}

fn of<const K: usize, const P: usize>(
    table: &Table,
    family: &Family,
    tariff: &Tariff,
    limit: f64,
    budget: &Budget<'_>,
) -> Result<Answer> {
    let prices: Prices<K, P> = Prices::new(table, &tariff.cells, tariff.leaf);
    let solver = Solver { table, prices: &prices, min_weight: family.min_weight_leaf, budget };
    let base: f64 = prices.base.iter().sum();
    let (subset, ordered) = whole(table, budget)?;
    let (best, bound, status) = if ordered {
        root(&solver, &subset, family, limit - base)?
    } else {
        (solver.leaf(&subset, 0, limit - base).0.best, 0.0, budget.reason())
    };
    let better = best.map(|best| Ok((solver.plan(&subset, &best.sketch)?, base + best.value)));
    Ok(Answer { better: better.transpose()?, bound: base + bound, status })
}

/// All rows, and whether there was time to order them; a budget that left none ends every search at its first look.
pub(crate) fn whole(table: &Table, budget: &Budget<'_>) -> Result<(Subset, bool)> {
    match Subset::new(table, |_| true, budget) {
        Ok(subset) => Ok((subset, true)),
        Err(Error::Cancelled) => Ok((Subset::unordered(table), false)),
        Err(error) => Err(error),
    }
}

/// As [`solve_below`] for two classes, with what is known from other prices of errors; and what is known then.
pub(crate) fn solve_knowing(
    table: &Table,
    family: &Family,
    (tariff, prices): (&Tariff, (f64, f64)),
    (subset, known): (&Subset, &[Knowledge]),
    limit: f64,
    budget: &Budget<'_>,
) -> Result<(Answer, Option<Knowledge>)> {
    if family.max_depth < 2 || family.lookahead.is_some() {
        return Ok((solve_below(table, family, tariff, limit, budget)?, None));
    }
    check(table, tariff)?;
    let costs: Prices<2, 1> = Prices::new(table, &tariff.cells, 0.0);
    let solver = Solver { table, prices: &costs, min_weight: family.min_weight_leaf, budget };
    let base: f64 = costs.base.iter().sum();
    let (Outcome { best: leaf, bound: value }, done) = solver.leaf(subset, family.max_depth, limit - base);
    let answer = |best: Option<Found>, bound: f64, status: Status| {
        let better = best.map(|best| Ok((solver.plan(subset, &best.sketch)?, base + best.value)));
        Ok(Answer { better: better.transpose()?, bound: base + bound, status })
    };
    if done {
        return Ok((answer(leaf, value, Status::Optimal)?, None));
    }
    let limit = (limit - base).min(value);
    if family.max_depth == 2 {
        let lines = match solver.lines(subset) {
            Err(Error::Cancelled) => return Ok((answer(leaf, 0.0, budget.reason())?, None)),
            lines => lines?,
        };
        let hint = Hint::new(prices, known, &lines, base);
        return match solver.two_of(subset, limit, (&lines, &hint)) {
            Ok((best, bound, looked)) => {
                let knowledge = Knowledge::new(prices, &lines, &looked, hint, base);
                Ok((answer(best.or(leaf), bound.min(value), Status::Optimal)?, knowledge))
            }
            Err(Error::Cancelled) => Ok((answer(leaf, 0.0, budget.reason())?, None)),
            Err(error) => Err(error),
        };
    }
    let start = if limit == value { solver.greedy(subset, family.max_depth, 2) } else { Ok(None) };
    let start = match start {
        Ok(found) => found.filter(|found| found.value < limit),
        Err(Error::Cancelled) => return Ok((answer(leaf, 0.0, budget.reason())?, None)),
        Err(error) => return Err(error),
    };
    let limit = start.as_ref().map_or(limit, |found| found.value);
    let search = match Search::new(&solver, subset, family.max_depth, limit) {
        Err(Error::Cancelled) => return Ok((answer(start.or(leaf), 0.0, budget.reason())?, None)),
        search => search?,
    };
    let mut search = search.hinted(prices, known, base);
    let status = match search.run() {
        Ok(()) => Status::Optimal,
        Err(Error::Cancelled) => budget.reason(),
        Err(error) => return Err(error),
    };
    let bound = search.bound().min(value);
    let knowledge = search.knowledge(prices, base);
    Ok((answer(search.best.take().or(start).or(leaf), bound, status)?, knowledge))
}

/// The best tree below a limit, a bound, and why the search ended.
fn root<const K: usize, const P: usize>(
    solver: &Solver<'_, K, P>,
    subset: &Subset,
    family: &Family,
    limit: f64,
) -> Result<(Option<Found>, f64, Status)> {
    let depth = family.max_depth;
    let (Outcome { mut best, bound: leaf }, done) = solver.leaf(subset, depth, limit);
    if done {
        return Ok((best, leaf, Status::Optimal));
    }
    let trivial = 2.0 * solver.prices.leaf;
    let cancelled =
        |error: Error| if error == Error::Cancelled { Ok(solver.budget.reason()) } else { Err(error) };
    if let Some(ahead) = family.lookahead.filter(|&ahead| ahead < depth) {
        return match ahead_of(solver, subset, (depth, ahead), limit.min(leaf)) {
            Ok((found, bound, status)) => Ok((found.or(best), bound, status)),
            Err(error) => Ok((best, trivial, cancelled(error)?)),
        };
    }
    if depth <= 2 {
        return match solver.solve(subset, depth, limit) {
            Ok(found) => Ok((found.best, found.bound, Status::Optimal)),
            Err(error) => Ok((best, trivial, cancelled(error)?)),
        };
    }
    let mut limit = limit.min(leaf);
    if limit == leaf {
        match solver.greedy(subset, depth, 2) {
            Ok(Some(found)) if found.value < limit => {
                limit = found.value;
                best = Some(found);
            }
            Ok(_) => {}
            Err(error) => return Ok((best, trivial, cancelled(error)?)),
        }
    }
    let mut search = match Search::new(solver, subset, depth, limit) {
        Ok(search) => search,
        Err(error) => return Ok((best, trivial, cancelled(error)?)),
    };
    let status = search.run().map_or_else(cancelled, |()| Ok(Status::Optimal))?;
    let bound = search.bound().min(leaf);
    Ok((search.best.take().or(best), bound, status))
}
