//! Trees for many rows: greedy growth with exact lookahead, and a lower bound on the cost.
//!
//! Each node takes the root split of the best tree of the lookahead depth. Its children are grown in the same
//! way (a rolling form of the lookahead of SPLIT, Babbar et al. 2025). Costs are at least 0. So every tree
//! costs at least as much on all rows as on a subsample. On the subsample, no tree costs less than its best
//! tree. An exact search on at most 20,480 rows therefore gives a lower bound on the cost of every tree.

use crate::node_subset::NodeSubset;
use crate::root_search::RootSplitSearch;
use crate::solver::{FoundTree, TreeSolver};
use imbcore_core::budget::SearchStatus;
use imbcore_core::{Error, Result};

/// Maximum number of sampled rows in the search for a lower bound at depth three.
///
/// For each further level of depth, the maximum is divided by four.
const ROWS: usize = 20_480;

const ROUNDS: usize = 64;

/// Grows a tree greedily with lookahead; returns it if it costs less than `limit`.
///
/// Also returns a lower bound on the cost of every tree, and the status.
///
/// # Errors
/// [`Error::Cancelled`] if the budget ends before a tree is found.
pub(crate) fn grow_with_lookahead<const K: usize, const P: usize>(
    solver: &TreeSolver<'_, K, P>,
    subset: &NodeSubset,
    (depth, ahead): (u32, u32),
    limit: f64,
) -> Result<(Option<FoundTree>, f64, SearchStatus)> {
    let found = solver.grow_complete_greedy_tree(subset, depth, ahead)?.filter(|found| found.value < limit);
    let limit = found.as_ref().map_or(limit, |found| found.value);
    let most = ROWS >> (2 * depth.saturating_sub(3));
    let few = NodeSubset::new(solver.table, downsampling_filter(solver, subset, most), solver.budget)?;
    let mut search = RootSplitSearch::new(solver, &few, depth, limit)?;
    let ended = search.run_rounds(ROUNDS);
    let leaf = solver.prices.leaf_cost(&solver.prices.total_excess_costs(&few.rows));
    let bound = search.lower_bound().min(leaf).min(limit);
    let status = match ended {
        Ok(()) if bound >= limit => SearchStatus::Optimal,
        Ok(()) => SearchStatus::Heuristic,
        Err(Error::Cancelled) => solver.budget.stop_reason(),
        Err(error) => return Err(error),
    };
    Ok((found, bound, status))
}

/// Returns a filter that keeps at most `most` rows.
///
/// Rows for which all predictions cost the same are removed. The other rows are grouped by their cheapest
/// prediction. The filter keeps the same number of evenly spaced rows of each group, or all rows of a group
/// with fewer rows.
fn downsampling_filter<const K: usize, const P: usize>(
    solver: &TreeSolver<'_, K, P>,
    subset: &NodeSubset,
    most: usize,
) -> impl Fn(usize) -> bool + use<K, P> {
    let mut groups = vec![Vec::new(); K];
    for &row in subset.rows.iter().filter(|&&row| solver.prices.row_cost(row as usize).most > 0.0) {
        let cost = &solver.prices.row_cost(row as usize).cost;
        groups[cost.iter().position(|&cost| cost <= 0.0).unwrap_or(0)].push(row);
    }
    groups.sort_by_key(Vec::len);
    let mut kept = vec![false; solver.table.n_rows()];
    let mut room = most;
    for (place, rows) in groups.iter().enumerate() {
        let n = rows.len().min(room / (K - place));
        room -= n;
        (0..n).for_each(|position| kept[rows[position * rows.len() / n] as usize] = true);
    }
    move |row| kept[row]
}
