//! Search for the cheapest tree over some rows, with a depth and a cost limit.

use crate::node_subset::{NodeSubset, RowSelection};
use crate::partial_tree::{PartialTree, PartialTreeSplit, RankSplitTest};
use crate::prediction_costs::PredictionCosts;
use crate::ranked_table::RankedTable;
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

#[derive(Clone, Debug)]
pub(crate) struct FoundTree {
    pub(crate) value: f64,
    pub(crate) sketch: PartialTree,
}

#[derive(Clone, Debug)]
pub(crate) struct SubsetResult {
    pub(crate) best: Option<FoundTree>,
    /// Lower bound on the cost of every tree; the minimum leaf weight is ignored.
    ///
    /// The bound is at most the cost of the best tree.
    pub(crate) bound: f64,
}

#[derive(Debug)]
pub(crate) struct TreeSolver<'a, const K: usize, const P: usize> {
    pub(crate) table: &'a RankedTable,
    pub(crate) prices: &'a PredictionCosts<'a, K, P>,
    /// Lower bounds of a search without a minimum weight also hold with a minimum weight.
    pub(crate) min_weight: f64,
    pub(crate) budget: &'a SearchBudget<'a>,
}

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    /// Finds the best tree of depth at most `depth` that costs less than `limit`.
    ///
    /// Ties are resolved by the order of the search, which does not depend on the number of threads.
    pub(crate) fn solve(&self, subset: &NodeSubset, depth: u32, limit: f64) -> Result<SubsetResult> {
        let (mut outcome, done) = self.single_leaf_result(subset, depth, limit);
        if done {
            return Ok(outcome);
        }
        let limit = self.try_stump_before_deeper_trees(subset, depth, limit, &mut outcome)?;
        let (best, bound) = match depth {
            1 => self.solve_stump(subset, limit)?,
            2 => self.solve_depth_two(subset, limit)?,
            _ => self.solve_deep_tree(subset, depth, limit)?,
        };
        outcome.bound = outcome.bound.min(bound);
        if best.is_some() {
            outcome.best = best;
        }
        Ok(outcome)
    }

    /// Searches for the best tree of one split before deeper trees, and returns the new limit.
    ///
    /// Only a split above two leaves may test a set of levels. A deeper tree can separate the same levels one
    /// by one, but has more leaves. So this search is needed only if leaves have a cost and a feature is
    /// nominal.
    fn try_stump_before_deeper_trees(
        &self,
        subset: &NodeSubset,
        depth: u32,
        limit: f64,
        outcome: &mut SubsetResult,
    ) -> Result<f64> {
        let limit = outcome.best.as_ref().map_or(limit, |best| best.value);
        if depth < 2 || self.prices.leaf <= 0.0 || !self.table.has_nominal_features() {
            return Ok(limit);
        }
        let (best, bound) = self.solve_stump(subset, limit)?;
        outcome.bound = outcome.bound.min(bound);
        let Some(best) = best else { return Ok(limit) };
        let limit = best.value;
        outcome.best = Some(best);
        Ok(limit)
    }

    /// Finds the best tree of depth two that costs less than `limit`.
    ///
    /// After an interrupt, returns the best tree so far and the error.
    pub(crate) fn best_depth_two_so_far(
        &self,
        subset: &NodeSubset,
        limit: f64,
    ) -> (SubsetResult, Result<()>) {
        let (mut outcome, done) = self.single_leaf_result(subset, 2, limit);
        if done {
            return (outcome, Ok(()));
        }
        let limit = match self.try_stump_before_deeper_trees(subset, 2, limit, &mut outcome) {
            Ok(limit) => limit,
            Err(error) => return (outcome, Err(error)),
        };
        let (best, bound, ended) = self.solve_depth_two_interruptible(subset, limit);
        outcome.bound = outcome.bound.min(bound);
        outcome.best = best.or(outcome.best);
        (outcome, ended)
    }

    /// Returns the result for a single leaf, and whether the search can end with it.
    ///
    /// The search can end if no tree with a split can be better than both the leaf and `limit`.
    pub(crate) fn single_leaf_result(
        &self,
        subset: &NodeSubset,
        depth: u32,
        limit: f64,
    ) -> (SubsetResult, bool) {
        let value = self.prices.leaf_cost(&self.prices.total_excess_costs(&subset.rows));
        let best = (value < limit).then_some(FoundTree { value, sketch: PartialTree::Leaf });
        // A tree with a split costs at least as much as two leaves.
        let split = 2.0 * self.prices.leaf;
        let done = depth == 0 || split >= limit.min(value);
        let bound = if depth == 0 || split >= value {
            value
        } else if done {
            split
        } else {
            value
        };
        (SubsetResult { best, bound }, done)
    }

    fn solve_stump(&self, subset: &NodeSubset, limit: f64) -> Result<(Option<FoundTree>, f64)> {
        let stump = self.solve_stump_of_rows(subset, &|| self.budget.check_limits())?;
        let bound =
            if self.min_weight > 0.0 { self.stump_cost_without_min_weight(subset)? } else { stump.value };
        let found = FoundTree { value: stump.value, sketch: stump.sketch };
        Ok(((stump.value < limit).then_some(found), bound))
    }

    /// Replaces the placeholders of a tree by stumps.
    ///
    /// The time limit does not apply, because the search is already done.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if the user interrupts the run.
    pub(crate) fn fill_placeholders(
        &self,
        subset: &NodeSubset,
        FoundTree { value, sketch }: FoundTree,
    ) -> Result<FoundTree> {
        Ok(FoundTree { value, sketch: self.replace_placeholders(subset, sketch)? })
    }

    fn replace_placeholders(&self, subset: &NodeSubset, sketch: PartialTree) -> Result<PartialTree> {
        match sketch {
            PartialTree::Stump => {
                Ok(self.solve_stump_of_rows(subset, &|| self.budget.check_cancelled())?.sketch)
            }
            PartialTree::Split(split, sides) if sides.iter().any(PartialTree::has_placeholder) => {
                if let [PartialTree::Stump, PartialTree::Stump] = *sides {
                    return self.complete_two_stumps(subset, split);
                }
                let [first, second] = *sides;
                let rows = subset.partition_without_time_limit(self.table, &split, self.budget)?;
                let sides = [
                    self.replace_placeholders(&rows[0], first)?,
                    self.replace_placeholders(&rows[1], second)?,
                ];
                Ok(PartialTree::Split(split, Box::new(sides)))
            }
            sketch => Ok(sketch),
        }
    }

    /// Completes a root split whose two children are stumps.
    ///
    /// The stumps are searched in the sort orders of all rows, which is faster than sorting the children.
    fn complete_two_stumps(&self, subset: &NodeSubset, split: PartialTreeSplit) -> Result<PartialTree> {
        let first = subset.first_child_mask(self.table, &split);
        let side = |side: bool| {
            let rows = RowSelection::for_child(subset, &first, side);
            Ok(self.solve_stump_of_rows(rows, &|| self.budget.check_cancelled())?.sketch)
        };
        let sides = [side(true)?, side(false)?];
        Ok(PartialTree::Split(split, Box::new(sides)))
    }

    pub(crate) fn grow_complete_greedy_tree(
        &self,
        subset: &NodeSubset,
        depth: u32,
        ahead: u32,
    ) -> Result<Option<FoundTree>> {
        self.grow_greedy_tree(subset, depth, ahead)?
            .map(|found| self.fill_placeholders(subset, found))
            .transpose()
    }

    /// Finds a good tree in a short time.
    ///
    /// Every node takes the root split of the best tree of depth `ahead`.
    pub(crate) fn grow_greedy_tree(
        &self,
        subset: &NodeSubset,
        depth: u32,
        ahead: u32,
    ) -> Result<Option<FoundTree>> {
        let SubsetResult { best: Some(best), .. } = self.solve(subset, depth.min(ahead), f64::INFINITY)?
        else {
            return Ok(None);
        };
        if depth <= ahead {
            return Ok(Some(best));
        }
        let split = match &best.sketch {
            PartialTree::Leaf => return Ok(Some(best)),
            PartialTree::Split(split, _) if !matches!(split.test, RankSplitTest::Levels(_)) => split.clone(),
            // A split that tests a set of levels must have two leaves as children. The tree is grown further
            // below this node, so another split is chosen.
            _ => {
                match self
                    .solve_stump_with_level_sets(subset.into(), false, &|| self.budget.check_limits())?
                    .sketch
                {
                    PartialTree::Split(split, _) => split,
                    _ => return Ok(Some(best)),
                }
            }
        };
        let [first, second] = subset.partition(self.table, &split, self.budget)?;
        let (first, second) = (
            self.grow_greedy_tree(&first, depth - 1, ahead)?,
            self.grow_greedy_tree(&second, depth - 1, ahead)?,
        );
        let (Some(first), Some(second)) = (first, second) else { return Ok(Some(best)) };
        let value = first.value + second.value;
        let sketch = PartialTree::Split(split, Box::new([first.sketch, second.sketch]));
        Ok(Some(if value < best.value { FoundTree { value, sketch } } else { best }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::budget::StoppingLimits;
    use imbcore_core::{Column, Dataset, Error, Frame, Observer, Progress, RunContext};
    use std::sync::atomic::AtomicBool;

    struct NoObserver;

    impl Observer for NoObserver {
        fn progress(&self, _: Progress) {}
    }

    #[test]
    fn completing_a_tree_checks_the_budget_per_feature_and_ignores_the_clock() {
        let columns: Vec<Vec<f64>> =
            (1..5_u32).map(|step| (0..60).map(|row| f64::from(row * step * 7 % 31)).collect()).collect();
        let classes: Vec<u32> =
            (0..60).map(|row| u32::from((columns[0][row] > 15.0) != (columns[1][row] > 9.0))).collect();
        let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
        let prices: PredictionCosts<'_, 2, 1> = PredictionCosts::new(&table, &[0.0, 1.0, 1.0, 0.0], 0.0);
        let budget = SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
        let solver = TreeSolver { table: &table, prices: &prices, min_weight: 0.0, budget: &budget };
        let subset = NodeSubset::new(&table, |_| true, &budget).unwrap();
        let found = solver.solve(&subset, 2, f64::INFINITY).unwrap().best.unwrap();
        assert!(found.sketch.has_placeholder());
        let before = budget.n_checks();
        let complete = solver.fill_placeholders(&subset, found.clone()).unwrap();
        assert!(!complete.sketch.has_placeholder() && budget.n_checks() - before >= 8);
        let over = StoppingLimits { max_checks: Some(0), ..StoppingLimits::default() };
        let over = SearchBudget::start("test", over, RunContext::silent()).unwrap();
        let late = TreeSolver { budget: &over, ..solver };
        assert_eq!(late.fill_placeholders(&subset, found.clone()).unwrap().sketch, complete.sketch);
        let stop = AtomicBool::new(true);
        let stopped =
            SearchBudget::start("test", StoppingLimits::default(), RunContext::new(&NoObserver, &stop))
                .unwrap();
        let late = TreeSolver { budget: &stopped, ..late };
        assert_eq!(late.fill_placeholders(&subset, found).unwrap_err(), Error::Cancelled);
    }
}
