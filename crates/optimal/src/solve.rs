//! The tree of least cost, with what is proven of it.

use crate::plan::Plan;
use crate::prices::Prices;
use crate::search::Search;
use crate::sketch::Sketch;
use crate::solver::{Found, Solver};
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

/// The tree of least cost, or the best one when the budget ends.
///
/// # Errors
/// [`Error::Unsupported`] for more than eight classes or for costs too large to be added up exactly.
pub fn solve(table: &Table, family: &Family, tariff: &Tariff, budget: &Budget<'_>) -> Result<Solution> {
    let largest = tariff.cells.iter().copied().fold(tariff.leaf, f64::max);
    if largest * (table.totals().iter().sum::<f64>() + 16.0) >= MOST_COST {
        return Err(Error::Unsupported("costs are too large to be added up exactly".into()));
    }
    match table.n_classes() {
        ..=2 => of::<2, 1>(table, family, tariff, budget),
        3 => of::<3, 3>(table, family, tariff, budget),
        4 => of::<4, 6>(table, family, tariff, budget),
        5..=MOST_CLASSES => of::<8, 28>(table, family, tariff, budget),
        n => Err(Error::Unsupported(format!(
            "exact trees tell at most {MOST_CLASSES} classes apart, but y has {n}; use OVA (OVAClassifier, or method \"ova\")"
        ))),
    }
}

fn of<const K: usize, const P: usize>(
    table: &Table,
    family: &Family,
    tariff: &Tariff,
    budget: &Budget<'_>,
) -> Result<Solution> {
    let prices: Prices<K, P> = Prices::new(table, &tariff.cells, tariff.leaf);
    let solver = Solver { table, prices: &prices, min_weight: family.min_weight_leaf, budget };
    // Rows that cost the same whatever is answered change nothing, unless their weight counts.
    let subset = Subset::new(table, |row| family.min_weight_leaf > 0.0 || prices.most[row] > 0.0);
    let (best, bound, status) = root(&solver, &subset, family.max_depth)?;
    let base: f64 = prices.base.iter().sum();
    let plan = solver.plan(&best.sketch);
    Ok(Solution { plan, cost: base + best.value, bound: base + bound.min(best.value), status })
}

fn root<const K: usize, const P: usize>(
    solver: &Solver<'_, K, P>,
    subset: &Subset,
    depth: u32,
) -> Result<(Found, f64, Status)> {
    let (outcome, done) = solver.leaf(subset, depth, f64::INFINITY);
    let leaf = Found { value: outcome.bound, sketch: Sketch::Leaf };
    let mut best = outcome.best.unwrap_or(leaf);
    if done {
        return Ok((best, outcome.bound, Status::Optimal));
    }
    let trivial = 2.0 * solver.prices.leaf;
    let cancelled =
        |error: Error| if error == Error::Cancelled { Ok(solver.budget.reason()) } else { Err(error) };
    if depth <= 2 {
        return match solver.solve(subset, depth, f64::INFINITY) {
            Ok(found) => {
                let bound = found.bound;
                Ok((found.best.unwrap_or(best), bound, Status::Optimal))
            }
            Err(error) => Ok((best, trivial, cancelled(error)?)),
        };
    }
    match solver.greedy(subset, depth) {
        Ok(Some(found)) if found.value < best.value => best = found,
        Ok(_) => {}
        Err(error) => return Ok((best, trivial, cancelled(error)?)),
    }
    let mut search = Search::new(solver, subset, depth, best.value);
    let status = search.run().map_or_else(cancelled, |()| Ok(Status::Optimal))?;
    let bound = search.bound().min(outcome.bound);
    Ok((search.best.take().unwrap_or(best), bound, status))
}
