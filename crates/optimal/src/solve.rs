//! The tree of least cost, with what is proven of it.

use crate::ahead::ahead_of;
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
    let largest = tariff.cells.iter().copied().fold(tariff.leaf, f64::max);
    if largest * (table.totals().iter().sum::<f64>() + 16.0) >= MOST_COST {
        return Err(Error::Unsupported("costs are too large to be added up exactly".into()));
    }
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
    let subset = Subset::new(table, |_| true);
    let (best, bound, status) = root(&solver, &subset, family, limit - base)?;
    let better = best.map(|best| (solver.plan(&best.sketch), base + best.value));
    Ok(Answer { better, bound: base + bound, status })
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
    let mut search = Search::new(solver, subset, depth, limit);
    let status = search.run().map_or_else(cancelled, |()| Ok(Status::Optimal))?;
    let bound = search.bound().min(leaf);
    Ok((search.best.take().or(best), bound, status))
}
