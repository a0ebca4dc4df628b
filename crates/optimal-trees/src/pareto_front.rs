//! Pareto front of trees over some rows: false positives against false negatives.
//!
//! A constraint, such as a minimum recall, mostly lies between two vertices of the ROC hull. At the error
//! costs of the edge between them, the best feasible tree costs only a little more than these vertices. The
//! front has all nondominated trees with a cost below a limit. Both children of such a tree are nondominated,
//! too. Each child costs less than the limit of the tree minus a lower bound on the other child. The search
//! for the cheapest tree therefore also finds the front, if it keeps all trees below the limit and does not
//! lower the limit.

use crate::node_subset::NodeSubset;
use crate::partial_tree::{PartialTree, PartialTreeSplit};
use crate::root_search::{CandidateSplit, RootSplitSearch};
use crate::solver::TreeSolver;
use crate::stump::{SplitEnumerator, SplitSums, level_set_split};
use imbcore_core::Result;

/// A tree with its false positives and false negatives, in units of the classes.
#[derive(Clone, Debug)]
pub(crate) struct ParetoPoint {
    pub(crate) errors: [f64; 2],
    pub(crate) sketch: PartialTree,
}

/// Trees that no other tree dominates by having at most as many errors of both kinds.
///
/// They are sorted by their false positives.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParetoFront {
    pub(crate) points: Vec<ParetoPoint>,
}

pub(crate) struct ParetoSearch<'a, 'b> {
    pub(crate) solver: &'b TreeSolver<'a, 2, 1>,
    pub(crate) positive: usize,
    /// Costs of a false positive and of a false negative.
    pub(crate) prices: [f64; 2],
}

impl ParetoFront {
    /// Adds a tree unless another tree has at most as many errors of both kinds.
    pub(crate) fn add_tree(&mut self, errors: [f64; 2], sketch: impl FnOnce() -> PartialTree) {
        let position = self.points.partition_point(|point| point.errors[0] <= errors[0]);
        if position > 0 && self.points[position - 1].errors[1] <= errors[1] {
            return;
        }
        // A tree with equally many errors of the first kind and more errors of the second kind is also
        // removed.
        let from = position - usize::from(position > 0 && self.points[position - 1].errors[0] == errors[0]);
        let beaten = self.points[position..].partition_point(|point| point.errors[1] >= errors[1]);
        self.points.splice(from..position + beaten, [ParetoPoint { errors, sketch: sketch() }]);
    }
}

impl ParetoSearch<'_, '_> {
    /// Cost of a tree with these errors, minus `base`, the least possible cost of its rows.
    fn excess_tree_cost(&self, errors: [f64; 2], base: f64) -> f64 {
        self.prices[0] * errors[0] + self.prices[1] * errors[1] - base
    }

    pub(crate) fn unavoidable_cost(&self, subset: &NodeSubset) -> f64 {
        self.solver.prices.total_cost(&subset.rows).base
    }

    /// Computes the nondominated trees up to depth `depth` with an excess cost below `limit`.
    ///
    /// The excess cost is the cost above [`Self::unavoidable_cost`].
    pub(crate) fn compute_front(&self, subset: &NodeSubset, depth: u32, limit: f64) -> Result<ParetoFront> {
        let mut front = ParetoFront::default();
        if depth <= 1 {
            self.add_leaves_and_stumps(subset, depth, limit, &mut front)?;
            return Ok(front);
        }
        self.add_leaves_and_stumps(subset, 0, limit, &mut front)?;
        let base = self.unavoidable_cost(subset);
        for cut in self.candidate_splits(subset, depth, limit)? {
            for point in self.combine_children(subset, &cut, depth, limit)? {
                if self.excess_tree_cost(point.errors, base) < limit {
                    front.add_tree(point.errors, || point.sketch);
                }
            }
        }
        Ok(front)
    }

    pub(crate) fn candidate_splits(
        &self,
        subset: &NodeSubset,
        depth: u32,
        limit: f64,
    ) -> Result<Vec<CandidateSplit>> {
        if depth == 2 {
            return self.solver.candidate_splits_of_depth_two(subset, limit);
        }
        let mut search = RootSplitSearch::new(self.solver, subset, depth, limit)?.with_cut_collection();
        while !search.is_complete() {
            search.divide_intervals(1)?;
        }
        Ok(search.take_collected_cuts())
    }

    pub(crate) fn combine_children(
        &self,
        subset: &NodeSubset,
        cut: &CandidateSplit,
        depth: u32,
        limit: f64,
    ) -> Result<Vec<ParetoPoint>> {
        let solver = self.solver;
        let sides = subset.partition(solver.table, &cut.split, solver.budget)?;
        if sides.iter().any(|side| !solver.is_leaf_weight_allowed(side.weight(solver.table))) {
            return Ok(Vec::new());
        }
        let first = self.compute_front(&sides[0], depth - 1, limit - cut.right)?;
        let second = self.compute_front(&sides[1], depth - 1, limit - cut.left)?;
        let mut pairs = Vec::with_capacity(first.points.len() * second.points.len());
        for one in &first.points {
            for other in &second.points {
                let errors = [one.errors[0] + other.errors[0], one.errors[1] + other.errors[1]];
                let sides = Box::new([one.sketch.clone(), other.sketch.clone()]);
                pairs.push(ParetoPoint { errors, sketch: PartialTree::Split(cut.split.clone(), sides) });
            }
        }
        Ok(pairs)
    }

    fn leaf_pair_errors(&self, units: &SplitSums<2>) -> [([f64; 2], u32); 2] {
        let (positive, other) = (self.positive, 1 - self.positive);
        [([units.sum[other], 0.0], positive as u32), ([0.0, units.sum[positive]], other as u32)]
    }

    fn add_leaves_and_stumps(
        &self,
        subset: &NodeSubset,
        depth: u32,
        limit: f64,
        front: &mut ParetoFront,
    ) -> Result<()> {
        let solver = self.solver;
        let of_row =
            |row: usize| [solver.table.row_class_units(row)[0], solver.table.row_class_units(row)[1]];
        let splits = SplitEnumerator {
            table: solver.table,
            rows: subset.into(),
            of_row,
            min_weight: solver.min_weight,
        };
        let (all, base) = (splits.total_sums(), self.unavoidable_cost(subset));
        for (errors, answer) in self.leaf_pair_errors(&all) {
            if self.excess_tree_cost(errors, base) < limit {
                front.add_tree(errors, || PartialTree::Answer(answer));
            }
        }
        if depth == 0 {
            return Ok(());
        }
        let mut offer =
            |first: &SplitSums<2>, second: &SplitSums<2>, split: &dyn Fn() -> PartialTreeSplit| {
                let (first, second) = (self.leaf_pair_errors(first), self.leaf_pair_errors(second));
                // Only children with different predictions are combined. With equal predictions, the split is
                // the same as a single leaf.
                for (one, other) in [(&first[0], &second[1]), (&first[1], &second[0])] {
                    let errors = [one.0[0] + other.0[0], one.0[1] + other.0[1]];
                    if self.excess_tree_cost(errors, base) < limit {
                        let sides = || Box::new([PartialTree::Answer(one.1), PartialTree::Answer(other.1)]);
                        front.add_tree(errors, || PartialTree::Split(split(), sides()));
                    }
                }
            };
        for feature in 0..solver.table.n_features() {
            solver.budget.check_limits()?;
            let Some(levels) = splits.for_each_split(&all, feature, &mut offer) else { continue };
            for chosen in self.nondominated_level_sets(&levels, base, limit) {
                let mut first = SplitSums::NONE;
                levels.iter().zip(&chosen).filter(|pair| *pair.1).for_each(|(level, _)| first.add(level));
                splits.visit_if_allowed(&all, &first, &|| level_set_split(feature, &chosen), &mut offer);
            }
        }
        Ok(())
    }

    /// Nondominated sets of levels to predict positive, with an excess cost below `limit`.
    ///
    /// A set is dominated if another set has at most as many errors of both kinds.
    fn nondominated_level_sets(&self, levels: &[SplitSums<2>], base: f64, limit: f64) -> Vec<Vec<bool>> {
        let least = |level: &SplitSums<2>| {
            self.leaf_pair_errors(level)
                .iter()
                .map(|answer| self.excess_tree_cost(answer.0, 0.0))
                .fold(f64::INFINITY, f64::min)
        };
        let mut rest: f64 = levels.iter().map(least).sum();
        let mut sets: Vec<([f64; 2], Vec<bool>)> = vec![([0.0; 2], Vec::new())];
        for level in levels {
            rest -= least(level);
            let mut grown = Vec::with_capacity(2 * sets.len());
            for (errors, set) in &sets {
                for ((more, _), chosen) in self.leaf_pair_errors(level).iter().zip([true, false]) {
                    let errors = [errors[0] + more[0], errors[1] + more[1]];
                    if (chosen && level.n_rows == 0) || self.excess_tree_cost(errors, base) + rest >= limit {
                        continue;
                    }
                    grown.push((errors, set.iter().copied().chain([chosen]).collect()));
                }
            }
            grown.sort_by(|(a, _): &([f64; 2], Vec<bool>), (b, _)| {
                a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
            });
            let mut fewest = f64::INFINITY;
            grown.retain(|(errors, _)| {
                let kept = errors[1] < fewest;
                fewest = fewest.min(errors[1]);
                kept
            });
            sets = grown;
        }
        sets.into_iter().map(|(_, set)| set).collect()
    }
}
