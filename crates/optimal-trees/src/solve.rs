//! Search for the tree of least cost, with its proof.

use crate::bound_cache::{CacheUpdate, SearchContext};
use crate::bound_reuse::{DerivedChildBounds, SplitBoundTable};
use crate::lookahead::grow_with_lookahead;
use crate::node_subset::NodeSubset;
use crate::prediction_costs::PredictionCosts;
use crate::ranked_table::{MOST_CLASSES, RankedTable, check_n_classes};
use crate::root_search::RootSplitSearch;
use crate::solver::{FoundTree, SubsetResult, TreeSolver};
use crate::tree_certificate::{SplitBound, TreeClaim};
use crate::tree_plan::TreePlan;
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result};

/// Family of trees among which the best tree is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeFamily {
    /// Maximum number of splits from the root to a leaf.
    pub max_depth: u32,
    /// Minimum weight of a leaf.
    pub min_weight_leaf: f64,
    /// Depth of lookahead, for approximate search of deeper trees.
    ///
    /// Every node takes the root split of the best tree of this depth. The tree is proven optimal only if its
    /// cost equals a bound from a subsample of the rows.
    pub lookahead: Option<u32>,
}

/// Costs of predictions, per unit of weight of each class, and cost of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeCosts {
    /// Cost matrix with the index `class * n_classes + predicted`.
    pub cells: Vec<f64>,
    /// Cost of a leaf.
    pub leaf: f64,
}

/// A tree and its proof.
#[derive(Clone, Debug)]
pub struct TreeSolution {
    /// The best tree found.
    pub plan: TreePlan,
    /// Cost of the tree.
    pub cost: f64,
    /// Lower bound on the cost of every tree of the family.
    pub bound: f64,
    /// Why the search ended.
    pub status: SearchStatus,
    /// Claim that proves the bound; `None` if only a subsample of the rows was searched.
    pub claim: Option<TreeClaim>,
}

#[derive(Clone, Debug)]
pub(crate) struct TreeSearchResult {
    pub(crate) better: Option<(TreePlan, f64)>,
    /// Lower bound on the cost of every tree.
    ///
    /// The maximum rounding error of costs is subtracted.
    pub(crate) bound: f64,
    pub(crate) status: SearchStatus,
    pub(crate) claim: Option<TreeClaim>,
}

type RootSearchResult = (Option<FoundTree>, f64, SearchStatus, Vec<SplitBound>);

/// Finds the tree of least cost.
///
/// If the budget ends before the proof, returns the best tree so far.
///
/// # Errors
/// [`Error::Unsupported`] for more than eight classes, or if the sum of the costs of all rows is infinite.
pub fn solve(
    table: &RankedTable,
    family: &TreeFamily,
    tariff: &TreeCosts,
    budget: &SearchBudget<'_>,
) -> Result<TreeSolution> {
    let TreeSearchResult { better, bound, status, claim } =
        solve_below_cost_limit(table, family, tariff, f64::INFINITY, budget)?;
    let (plan, cost) = better.ok_or_else(|| Error::Internal("no tree costs less than infinity".into()))?;
    Ok(TreeSolution { plan, cost, bound, status, claim })
}

/// Finds the tree of least cost, if it costs less than `limit`.
///
/// # Errors
/// Same errors as [`solve`].
pub(crate) fn solve_below_cost_limit(
    table: &RankedTable,
    family: &TreeFamily,
    tariff: &TreeCosts,
    limit: f64,
    budget: &SearchBudget<'_>,
) -> Result<TreeSearchResult> {
    check_costs_finite(table, tariff)?;
    match table.n_classes() {
        ..=2 => solve_with_class_count::<2, 1>(table, family, tariff, limit, budget),
        3 => solve_with_class_count::<3, 3>(table, family, tariff, limit, budget),
        4 => solve_with_class_count::<4, 6>(table, family, tariff, limit, budget),
        5..=MOST_CLASSES => solve_with_class_count::<8, 28>(table, family, tariff, limit, budget),
        n => check_n_classes(n)
            .and_then(|()| Err(Error::Internal("a number of classes without a search".into()))),
    }
}

fn check_costs_finite(table: &RankedTable, tariff: &TreeCosts) -> Result<()> {
    let largest = tariff.cells.iter().copied().fold(tariff.leaf, f64::max);
    if (largest * (table.class_unit_totals().iter().sum::<f64>() + 16.0)).is_finite() {
        return Ok(());
    }
    Err(Error::Unsupported(
        "the sum of the costs of all rows is infinite; divide all costs by a constant".into(),
    ))
}

fn solve_with_class_count<const K: usize, const P: usize>(
    table: &RankedTable,
    family: &TreeFamily,
    tariff: &TreeCosts,
    limit: f64,
    budget: &SearchBudget<'_>,
) -> Result<TreeSearchResult> {
    let prices: PredictionCosts<'_, K, P> = PredictionCosts::new(table, &tariff.cells, tariff.leaf);
    let solver = TreeSolver { table, prices: &prices, min_weight: family.min_weight_leaf, budget };
    let (subset, ordered) = sort_all_rows(table, budget)?;
    let base = prices.total_cost(&subset.rows).base;
    // Rounding lowers the scaled cost of a tree by at most `slack`. If its integer cost is below the new
    // limit, its actual cost is therefore below the given limit.
    let limit = limit * prices.scale - prices.slack;
    let (best, bound, status, cuts) = if ordered {
        search_root(&solver, &subset, family, (limit - base, base))?
    } else {
        (solver.single_leaf_result(&subset, 0, limit - base).0.best, 0.0, budget.stop_reason(), Vec::new())
    };
    let bound = base + bound;
    let every_row = family.lookahead.is_none_or(|ahead| ahead >= family.max_depth);
    let claim = every_row.then(|| TreeClaim::new(&tariff.cells, tariff.leaf, bound, cuts));
    let reached = best.as_ref().map_or(limit, |best| base + best.value);
    // The bound of a `TreeClaim` ignores the minimum leaf weight, so it may be lower than the proven bound.
    let proven = if status == SearchStatus::Optimal { reached } else { bound };
    let bound = if prices.slack > 0.0 { (proven - prices.slack).max(0.0) / prices.scale } else { proven };
    let better =
        best.map(|best| (solver.build_plan(&subset.rows, &best.sketch), (base + best.value) / prices.scale));
    Ok(TreeSearchResult { better, bound, status, claim })
}

/// Returns all rows, and whether they were sorted before the budget ended.
///
/// If they are not sorted, every search ends at its first check of the budget.
pub(crate) fn sort_all_rows(table: &RankedTable, budget: &SearchBudget<'_>) -> Result<(NodeSubset, bool)> {
    match NodeSubset::new(table, |_| true, budget) {
        Ok(subset) => Ok((subset, true)),
        Err(Error::Cancelled) => Ok((NodeSubset::all_rows_unsorted(table), false)),
        Err(error) => Err(error),
    }
}

/// Like [`solve_below_cost_limit`] for two classes, but uses bounds from other cost ratios.
///
/// Also returns the bounds that this search adds to the cache.
pub(crate) fn solve_with_cache(
    table: &RankedTable,
    family: &TreeFamily,
    tariff: &TreeCosts,
    (subset, among): (&NodeSubset, SearchContext<'_>),
    limit: f64,
    budget: &SearchBudget<'_>,
) -> Result<(TreeSearchResult, CacheUpdate)> {
    if family.max_depth < 2 || family.lookahead.is_some() {
        return Ok((solve_below_cost_limit(table, family, tariff, limit, budget)?, CacheUpdate::default()));
    }
    check_costs_finite(table, tariff)?;
    let costs: PredictionCosts<'_, 2, 1> = PredictionCosts::new(table, &tariff.cells, 0.0);
    if costs.slack > 0.0 {
        // Bounds from other cost ratios hold only for costs that were not rounded.
        return Ok((solve_below_cost_limit(table, family, tariff, limit, budget)?, CacheUpdate::default()));
    }
    let solver = TreeSolver { table, prices: &costs, min_weight: family.min_weight_leaf, budget };
    let base = costs.total_cost(&subset.rows).base;
    let (SubsetResult { best: leaf, bound: value }, done) =
        solver.single_leaf_result(subset, family.max_depth, limit - base);
    let answer = |best: Option<FoundTree>, bound: f64, status: SearchStatus| {
        let better = best.map(|best| (solver.build_plan(&subset.rows, &best.sketch), base + best.value));
        let bound = base + bound;
        let claim = Some(TreeClaim::new(&tariff.cells, tariff.leaf, bound, Vec::new()));
        TreeSearchResult { better, bound, status, claim }
    };
    if done {
        return Ok((answer(leaf, value, SearchStatus::Optimal), CacheUpdate::default()));
    }
    let limit = (limit - base).min(value);
    if family.max_depth == 2 {
        let lines = match solver.feature_cuts(subset) {
            Err(Error::Cancelled) => {
                return Ok((answer(leaf, 0.0, budget.stop_reason()), CacheUpdate::default()));
            }
            lines => lines?,
        };
        let hint = DerivedChildBounds::new(among.prices, &among.memory.root, &lines, base);
        let found = solver.solve_depth_two_with_bounds(subset, limit, (&lines, &hint)).and_then(
            |(best, bound, looked)| {
                Ok((best.map(|best| solver.fill_placeholders(subset, best)).transpose()?, bound, looked))
            },
        );
        return match found {
            Ok((best, bound, looked)) => {
                let root = SplitBoundTable::new(among.prices, &lines, &looked, hint, base);
                let learned = CacheUpdate::from_root_bounds(root);
                Ok((answer(best.or(leaf), bound.min(value), SearchStatus::Optimal), learned))
            }
            Err(Error::Cancelled) => Ok((answer(leaf, 0.0, budget.stop_reason()), CacheUpdate::default())),
            Err(error) => Err(error),
        };
    }
    let start =
        if limit == value { solver.grow_complete_greedy_tree(subset, family.max_depth, 2) } else { Ok(None) };
    let start = match start {
        Ok(found) => found.filter(|found| found.value < limit),
        Err(Error::Cancelled) => {
            return Ok((answer(leaf, 0.0, budget.stop_reason()), CacheUpdate::default()));
        }
        Err(error) => return Err(error),
    };
    let limit = start.as_ref().map_or(limit, |found| found.value);
    let search = match RootSplitSearch::new(&solver, subset, family.max_depth, limit) {
        Err(Error::Cancelled) => {
            return Ok((answer(start.or(leaf), 0.0, budget.stop_reason()), CacheUpdate::default()));
        }
        search => search?,
    };
    let mut search = search.with_complete_trees().with_earlier_bounds(among, base);
    let status = match search.run() {
        Ok(()) => SearchStatus::Optimal,
        Err(Error::Cancelled) => budget.stop_reason(),
        Err(error) => return Err(error),
    };
    let bound = search.lower_bound().min(value);
    let claim = TreeClaim::new(&tariff.cells, tariff.leaf, base + bound, search.solved_split_bounds(base));
    let claim = claim.with_bracketing_claims(search.bracketing_claim_indices());
    let learned = search.take_cache_update(among.prices, base);
    let answer = answer(search.best.take().or(start).or(leaf), bound, status);
    Ok((TreeSearchResult { claim: Some(claim), ..answer }, learned))
}

fn search_root<const K: usize, const P: usize>(
    solver: &TreeSolver<'_, K, P>,
    subset: &NodeSubset,
    family: &TreeFamily,
    (limit, base): (f64, f64),
) -> Result<RootSearchResult> {
    let depth = family.max_depth;
    let (SubsetResult { mut best, bound: leaf }, done) = solver.single_leaf_result(subset, depth, limit);
    let none = Vec::new();
    if done {
        return Ok((best, leaf, SearchStatus::Optimal, none));
    }
    let trivial = 2.0 * solver.prices.leaf;
    let cancelled =
        |error: Error| if error == Error::Cancelled { Ok(solver.budget.stop_reason()) } else { Err(error) };
    if let Some(ahead) = family.lookahead.filter(|&ahead| ahead < depth) {
        return match grow_with_lookahead(solver, subset, (depth, ahead), limit.min(leaf)) {
            Ok((found, bound, status)) => Ok((found.or(best), bound, status, none)),
            Err(error) => Ok((best, trivial, cancelled(error)?, none)),
        };
    }
    if depth == 2 {
        // The best stump (tree of one split) takes only one pass over every feature. An interrupted search
        // returns at least this tree.
        let start = match solver.solve_stump_of_rows(subset, &|| solver.budget.check_limits()) {
            Ok(stump) => (stump.value < limit.min(leaf))
                .then_some(FoundTree { value: stump.value, sketch: stump.sketch }),
            Err(error) => return Ok((best, trivial, cancelled(error)?, none)),
        };
        let (SubsetResult { best: found, bound }, ended) = solver.best_depth_two_so_far(subset, limit);
        let (bound, status) = match ended {
            Ok(()) => (bound, SearchStatus::Optimal),
            Err(error) => {
                best = start
                    .filter(|start| found.as_ref().is_none_or(|found| start.value < found.value))
                    .or(best);
                (trivial, cancelled(error)?)
            }
        };
        let found = found.filter(|found| best.as_ref().is_none_or(|best| found.value < best.value));
        // Only the user can interrupt the computation of the stumps; the time limit does not apply to it.
        return match found.map(|best| solver.fill_placeholders(subset, best)).transpose() {
            Ok(found) => Ok((found.or(best), bound, status, none)),
            Err(error) => Ok((best, trivial, cancelled(error)?, none)),
        };
    }
    if depth < 2 {
        let found = solver.solve(subset, depth, limit).and_then(|SubsetResult { best, bound }| {
            Ok((best.map(|best| solver.fill_placeholders(subset, best)).transpose()?, bound))
        });
        return match found {
            Ok((best, bound)) => Ok((best, bound, SearchStatus::Optimal, none)),
            Err(error) => Ok((best, trivial, cancelled(error)?, none)),
        };
    }
    let mut limit = limit.min(leaf);
    if limit == leaf {
        match solver.grow_complete_greedy_tree(subset, depth, 2) {
            Ok(Some(found)) if found.value < limit => {
                limit = found.value;
                best = Some(found);
            }
            Ok(_) => {}
            Err(error) => return Ok((best, trivial, cancelled(error)?, none)),
        }
    }
    let mut search = match RootSplitSearch::new(solver, subset, depth, limit) {
        Ok(search) => search.with_complete_trees(),
        Err(error) => return Ok((best, trivial, cancelled(error)?, none)),
    };
    let status = search.run().map_or_else(cancelled, |()| Ok(SearchStatus::Optimal))?;
    let cuts = search.solved_split_bounds(base);
    let bound = search.lower_bound().min(leaf);
    let best = search.best.take().or(best);
    // `bound` holds only for trees whose splits test single levels. The best tree can split by sets of
    // levels, and can then cost less than `bound`.
    let bound = best.as_ref().map_or(bound, |best| bound.min(best.value));
    Ok((best, bound, status, cuts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::budget::StoppingLimits;
    use imbcore_core::{Column, Dataset, Frame, RunContext, SeedKey, random_below};

    /// An interrupted search returns the best tree so far.
    ///
    /// A limit on the number of budget checks replaces the time limit.
    #[test]
    fn an_interrupted_search_of_depth_two_has_the_best_tree_so_far() {
        let rng = &mut SeedKey::root(3).rng();
        let n_features = 300_u32;
        let columns: Vec<Vec<f64>> = (0..n_features)
            .map(|_| (0..60).map(|_| f64::from(random_below(rng, 1 << 20))).collect())
            .collect();
        let classes: Vec<u32> = (0..60).map(|_| random_below(rng, 2)).collect();
        let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
        let tariff = TreeCosts { cells: vec![0.0, 1.0, 1.0, 0.0], leaf: 0.0 };
        let family = |max_depth| TreeFamily { max_depth, min_weight_leaf: 0.0, lookahead: None };
        let within = |max_depth, max_checks: Option<u64>| {
            let limits = StoppingLimits { max_checks, ..StoppingLimits::default() };
            let budget = SearchBudget::start("test", limits, RunContext::silent()).unwrap();
            solve(&table, &family(max_depth), &tariff, &budget).unwrap()
        };
        let [leaf, stump] = [0, 1].map(|depth| within(depth, None).cost);
        assert!(stump < leaf);
        let mut last = leaf;
        // The budget is checked for each feature in four passes: to sort it, for the best stump, for its
        // cuts, and for its pairs with other features.
        for (passes, most) in [(1, leaf), (2, stump), (3, stump), (9, stump - 1.0), (40, stump - 1.0)] {
            let found = within(2, Some(passes * u64::from(n_features) + 20));
            assert_ne!(found.status, SearchStatus::Optimal);
            assert!(found.cost <= most && found.cost <= last, "{passes}: {} {most} {last}", found.cost);
            assert!(found.bound <= found.cost);
            last = found.cost;
        }
    }
}
