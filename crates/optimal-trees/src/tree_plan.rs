//! Plan of a tree, the result of the search: nodes with their training rows and predictions.

use crate::partial_tree::{PartialTree, PartialTreeSplit, RankSplitTest};
use crate::prediction_costs::add_elementwise;
use crate::ranked_table::{NO_VALUE, RankedFeature, RankedTable};
use crate::solver::TreeSolver;
use std::borrow::Cow;

/// Test of a node; rows that satisfy it go to the first child.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanSplit {
    /// The node is a leaf.
    Leaf,
    /// The value is at most this threshold.
    Below(f64),
    /// The value is not missing.
    Known,
    /// The value is this level.
    IsLevel(u32),
    /// The value is one of these levels, which ascend.
    InLevels(Vec<u32>),
}

/// Node of a tree plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanNode {
    /// Test of the node.
    pub cut: PlanSplit,
    /// Index of the column that the node tests; 0 for a leaf.
    pub feature: usize,
    /// Index of the first child, which the second child follows; 0 for a leaf.
    pub first_child: usize,
    /// Child to which rows with a missing value go: 0 for the first child, 1 for the second.
    pub missing_child: usize,
    /// Number of training rows of positive weight in the node.
    pub n_rows: u32,
    /// Weight of the training rows in the node, by class.
    pub mass: Vec<f64>,
    /// Weight of the training rows in the node by class, in units of the class.
    pub units: Vec<f64>,
    /// Predicted class: the one that costs least, unless the search has fixed another class.
    pub answer: u32,
}

/// Tree as a list of nodes, with the root first.
///
/// The two children of a node are adjacent and come after the node.
#[derive(Clone, Debug, PartialEq)]
pub struct TreePlan {
    /// The nodes.
    pub nodes: Vec<PlanNode>,
}

impl TreePlan {
    /// The leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &PlanNode> {
        self.nodes.iter().filter(|node| node.cut == PlanSplit::Leaf)
    }

    /// Weight by true and predicted class, with the index `class * n_classes + predicted`.
    ///
    /// Weights are in units of the true class.
    pub fn confusion_matrix(&self) -> Vec<f64> {
        let n_classes = self.nodes.first().map_or(0, |root| root.units.len());
        let mut confusion = vec![0.0; n_classes * n_classes];
        for leaf in self.leaves() {
            for (class, units) in leaf.units.iter().enumerate() {
                confusion[class * n_classes + leaf.answer as usize] += units;
            }
        }
        confusion
    }
}

struct PlanNodeBuilder<const K: usize> {
    node: PlanNode,
    cost: [f64; K],
    below: Option<Box<[Self; 2]>>,
}

impl<const K: usize> PlanNodeBuilder<K> {
    fn empty_leaf(n_classes: usize) -> Self {
        let (mass, units) = (vec![0.0; n_classes], vec![0.0; n_classes]);
        let (cut, feature, first_child, missing_child) = (PlanSplit::Leaf, 0, 0, 0);
        let node = PlanNode { cut, feature, first_child, missing_child, n_rows: 0, mass, units, answer: 0 };
        Self { node, cost: [0.0; K], below: None }
    }

    #[inline]
    fn add_row(&mut self, n_rows: u32, mass: &[f64], units: &[f64], cost: &[f64; K]) {
        self.node.n_rows += n_rows;
        self.node.mass.iter_mut().zip(mass).for_each(|(sum, more)| *sum += more);
        self.node.units.iter_mut().zip(units).for_each(|(sum, more)| *sum += more);
        add_elementwise(&mut self.cost, cost);
    }

    fn cheapest_prediction(&self) -> u32 {
        let answers = 0..self.node.units.len();
        answers
            .reduce(|least, label| if self.cost[label] < self.cost[least] { label } else { least })
            .unwrap_or(0) as u32
    }

    fn total_weight(&self) -> f64 {
        self.node.mass.iter().sum()
    }
}

impl<const K: usize, const P: usize> TreeSolver<'_, K, P> {
    /// Builds the plan of a tree over some rows; a placeholder for a stump becomes a leaf.
    ///
    /// Sorted orders of the features are not needed. So this is fast after an interrupt, even for a million
    /// rows.
    pub(crate) fn build_plan(&self, rows: &[u32], sketch: &PartialTree) -> TreePlan {
        let mut all = vec![self.build_plan_node(rows, sketch)];
        let mut next = 0;
        while next < all.len() {
            if let Some(below) = all[next].below.take() {
                all[next].node.first_child = all.len();
                all.extend(*below);
            }
            next += 1;
        }
        TreePlan { nodes: all.into_iter().map(|one| one.node).collect() }
    }

    /// Builds a node and its descendants.
    ///
    /// Each row is added to its leaf only; sums of other nodes are computed from their children.
    fn build_plan_node(&self, rows: &[u32], sketch: &PartialTree) -> PlanNodeBuilder<K> {
        let mut all = PlanNodeBuilder::empty_leaf(self.table.n_classes());
        if let PartialTree::Split(split, sides) = sketch {
            let (split, sides) = normalize_empty_level_set(split, sides);
            let (first, second): (Vec<u32>, Vec<u32>) =
                rows.iter().partition(|&&row| split.goes_to_first_child(self.table, row));
            let below = [self.build_plan_node(&first, sides[0]), self.build_plan_node(&second, sides[1])];
            for PlanNodeBuilder { node, cost, .. } in &below {
                all.add_row(node.n_rows, &node.mass, &node.units, cost);
            }
            all.node.cut = to_plan_split(self.table, rows, &split);
            all.node.feature = split.feature;
            all.node.missing_child = usize::from(if has_missing(self.table, rows, split.feature) {
                !split.missing_first
            } else {
                below[1].total_weight() > below[0].total_weight()
            });
            all.below = Some(Box::new(below));
        } else {
            for row in rows.iter().map(|&row| row as usize) {
                let cost = &self.prices.row_cost(row).cost;
                all.add_row(
                    self.table.n_joined_training_rows(row),
                    self.table.row_class_masses(row),
                    self.table.row_class_units(row),
                    cost,
                );
            }
        }
        all.node.answer =
            if let PartialTree::Answer(answer) = sketch { *answer } else { all.cheapest_prediction() };
        all
    }
}

/// Converts a split with an empty set of levels, which separates only missing values.
///
/// The result tests whether the value is present, as trees require, and has the children in reverse order.
fn normalize_empty_level_set<'s>(
    split: &'s PartialTreeSplit,
    sides: &'s [PartialTree; 2],
) -> (Cow<'s, PartialTreeSplit>, [&'s PartialTree; 2]) {
    let [first, second] = sides;
    match &split.test {
        RankSplitTest::Levels(levels) if levels.is_empty() => {
            let turned =
                PartialTreeSplit { feature: split.feature, test: RankSplitTest::Known, missing_first: false };
            (Cow::Owned(turned), [second, first])
        }
        _ => (Cow::Borrowed(split), [first, second]),
    }
}

fn has_missing(table: &RankedTable, rows: &[u32], feature: usize) -> bool {
    let feature = table.feature(feature);
    let hole = match feature {
        RankedFeature::Ordered { .. } => NO_VALUE,
        RankedFeature::Levels { n_levels, .. } => *n_levels,
    };
    rows.iter().any(|&row| feature.codes()[row as usize] == hole)
}

fn to_plan_split(table: &RankedTable, rows: &[u32], split: &PartialTreeSplit) -> PlanSplit {
    match &split.test {
        RankSplitTest::Known => PlanSplit::Known,
        RankSplitTest::Level(level) => PlanSplit::IsLevel(*level),
        RankSplitTest::Levels(levels) if levels.len() == 1 => PlanSplit::IsLevel(levels[0]),
        RankSplitTest::Levels(levels) => PlanSplit::InLevels(levels.clone()),
        RankSplitTest::Below(rank) => {
            let codes = table.feature(split.feature).codes();
            let ranks = || rows.iter().map(|&row| codes[row as usize]).filter(|&rank| rank != NO_VALUE);
            let below = ranks().filter(|other| other <= rank).max();
            let above = ranks().filter(|other| other > rank).min();
            match (below, above) {
                (Some(below), Some(above)) => {
                    PlanSplit::Below(table.threshold_between_ranks(split.feature, below, above))
                }
                // One of the children has only rows with a missing value, so the split tests whether the
                // value is present.
                _ => PlanSplit::Known,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node_subset::NodeSubset;
    use crate::prediction_costs::PredictionCosts;
    use imbcore_core::budget::{SearchBudget, StoppingLimits};
    use imbcore_core::{Column, Dataset, Frame, RunContext, SeedKey, random_below};

    /// Asserts that a node and its descendants have the sums over their rows.
    fn tells_of<const K: usize, const P: usize>(
        solver: &TreeSolver<'_, K, P>,
        (plan, index): (&TreePlan, usize),
        (rows, sketch): (Vec<u32>, &PartialTree),
    ) {
        let (node, table) = (&plan.nodes[index], solver.table);
        let sum = |value: &dyn Fn(usize) -> f64| rows.iter().map(|&row| value(row as usize)).sum::<f64>();
        let n_rows = sum(&|row| f64::from(table.n_joined_training_rows(row)));
        assert_eq!(f64::from(node.n_rows), n_rows);
        for class in 0..table.n_classes() {
            assert_eq!(node.mass[class], sum(&|row| table.row_class_masses(row)[class]));
            assert_eq!(node.units[class], sum(&|row| table.row_class_units(row)[class]));
        }
        let costs = solver.prices.total_excess_costs(&rows);
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(node.answer as usize, costs.iter().position(|&cost| cost == least).unwrap());
        let PartialTree::Split(split, sides) = sketch else {
            assert_eq!(node.cut, PlanSplit::Leaf);
            return;
        };
        let holes = has_missing(table, &rows, split.feature);
        let (first, second): (Vec<u32>, Vec<u32>) =
            rows.iter().partition(|&&row| split.goes_to_first_child(table, row));
        let weight = |rows: &[u32]| rows.iter().map(|&row| table.row_weight(row as usize)).sum::<f64>();
        let heavier = usize::from(weight(&second) > weight(&first));
        let missing_child = if holes { usize::from(!split.missing_first) } else { heavier };
        assert_eq!((node.feature, node.missing_child), (split.feature, missing_child));
        tells_of(solver, (plan, node.first_child), (first, &sides[0]));
        tells_of(solver, (plan, node.first_child + 1), (second, &sides[1]));
    }

    #[test]
    fn every_node_contains_the_sums_of_its_rows() {
        let rng = &mut SeedKey::root(8).rng();
        for _ in 0..20 {
            let mut value =
                |_| if random_below(rng, 9) == 0 { f64::NAN } else { f64::from(random_below(rng, 40)) };
            let columns: Vec<Vec<f64>> = (0..3).map(|_| (0..120).map(&mut value).collect()).collect();
            let classes: Vec<u32> = (0..120).map(|_| random_below(rng, 3)).collect();
            let weights: Vec<f64> = (0..120).map(|_| f64::from(1 + random_below(rng, 4))).collect();
            let frame =
                Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
            let data = Dataset::new(frame, &classes, 3, Some(&weights)).unwrap();
            let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
            let cells = [0.0, 2.0, 1.0, 1.0, 0.0, 3.0, 2.0, 1.0, 0.0];
            let prices: PredictionCosts<'_, 3, 3> = PredictionCosts::new(&table, &cells, 0.0);
            let budget =
                SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
            let solver = TreeSolver { table: &table, prices: &prices, min_weight: 0.0, budget: &budget };
            let subset = NodeSubset::new(&table, |_| true, &budget).unwrap();
            let found = solver.solve(&subset, 3, f64::INFINITY).unwrap().best.unwrap();
            let found = solver.fill_placeholders(&subset, found).unwrap();
            let plan = solver.build_plan(&subset.rows, &found.sketch);
            assert!(plan.nodes.len() > 9);
            tells_of(&solver, (&plan, 0), (subset.rows.clone(), &found.sketch));
        }
    }
}
