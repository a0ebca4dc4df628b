//! Rule lists: each path of a forest is a candidate rule, and a few rules are selected.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method};
use imbcore_core::{CompositeParams, Dataset, Result};
use imbcore_criteria::{AnyCriterion, Hellinger};
use imbcore_ensembles::{ForestLearner, ForestModel, ForestParams, TreeCount};
use imbcore_rules::RuleListParams;
use imbcore_rules::list::{PathTest, TestCondition, TestPath};
use imbcore_trees::{
    CategoricalSplit, ColumnKind, MaxFeatures, MaxFeaturesRule, Tree, TreeParams, TreeSplit,
};

/// Default parameters: the candidate rules are paths of a random forest of Hellinger trees.
pub(crate) fn rule_list_params() -> CompositeParams<RuleListParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::Hellinger(Hellinger {}),
        max_features: Some(MaxFeatures::Named(MaxFeaturesRule::Sqrt)),
        min_samples_leaf: 3,
        categorical_split: CategoricalSplit::Subset,
        ..TreeParams::cart()
    };
    CompositeParams::new(RuleListParams::default(), trees)
}

impl Method for CompositeParams<RuleListParams, TreeParams> {
    const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::forest_memory(params, table);

    fn with_data_defaults(self, data: &Dataset<'_>) -> Self {
        Self { inner: self.inner.resolve_auto(data), ..self }
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let FitRun { data, key, ctl, .. } = run;
        let own = self.own;
        let forest =
            ForestParams { n_estimators: TreeCount::Given(own.n_estimators), ..ForestParams::default() };
        let trees = TreeParams { max_depth: Some(own.max_depth), ..self.inner };
        let list = own
            .check(method)?
            .with_class_weight(run.class_weight.clone())
            .with_positive_class(Some(run.positive));
        let trees = trees.check(method)?.with_class_weight(run.class_weight);
        let forest = ForestLearner::new(method, forest.check(method)?, trees);
        let columns: Vec<ColumnKind> = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let grow = || root_paths(&forest.fit_more_trees(None, data, key, ctl)?, &columns);
        Ok(FittedEstimator::Boxes(list.fit(data, grow, ctl)?))
    }
}

/// Paths from the root to all other nodes of every tree, except paths that no box expresses.
fn root_paths(forest: &ForestModel, columns: &[ColumnKind]) -> Result<Vec<TestPath>> {
    let mut all = Vec::new();
    for number in 0..forest.n_trees() {
        let member = forest.expand_tree_model(number)?;
        let tree = member.tree();
        let mut to: Vec<Option<TestPath>> = vec![None; tree.n_nodes()];
        to[0] = Some(Vec::new());
        for node in 0..tree.n_nodes() {
            let Some(path) = to[node].clone() else { continue };
            for (branch, child) in tree.children(node).enumerate() {
                to[child] = branch_tests(tree, node, branch, columns)
                    .map(|test| path.iter().cloned().chain(test).collect());
            }
        }
        all.extend(to.into_iter().skip(1).flatten());
    }
    Ok(all)
}

/// Tests that a row must pass to follow a branch of a node.
///
/// The list is empty if the branch adds no test. The result is `None` if no box can express the branch, for
/// example because it requires a missing value.
fn branch_tests(tree: &Tree, node: usize, branch: usize, columns: &[ColumnKind]) -> Option<TestPath> {
    let feature = tree.column(node);
    let levels = match columns[feature] {
        ColumnKind::Nominal(levels) => levels,
        ColumnKind::Numeric => 0,
    };
    let first = branch == 0;
    let one_of = |among: &dyn Fn(u32) -> bool| {
        TestCondition::OneOf((0..levels).filter(|&level| among(level) == first).collect())
    };
    let asks = match tree.split(node) {
        // This branch excludes only rows with missing values, and a box cannot express this. The branch
        // therefore adds no test.
        TreeSplit::Known if first => return Some(Vec::new()),
        TreeSplit::Below(threshold) if first => TestCondition::AtMost(threshold),
        TreeSplit::Below(threshold) => TestCondition::Above(threshold),
        TreeSplit::IsLevel(level) => one_of(&|other| other == level),
        TreeSplit::InLevels(set) => one_of(&|level| tree.is_level_in_set(set, level)),
        TreeSplit::StatisticAtMost { .. } => {
            let held = tree.left_levels(node).unwrap_or_default();
            one_of(&|level| held.binary_search(&level).is_ok())
        }
        TreeSplit::EachLevel if branch < levels as usize => TestCondition::OneOf(vec![branch as u32]),
        TreeSplit::Leaf | TreeSplit::Known | TreeSplit::EachLevel => return None,
    };
    let or_missing = tree.missing_branch(node) == branch;
    Some(vec![PathTest { feature, asks, or_missing }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_trees::{NodeMasses, TreeArrays};

    #[test]
    fn every_branch_gives_its_test() {
        let leaf = TreeArrays::single_leaf(4, vec![2.0, 2.0]);
        let arrays = TreeArrays {
            kind: vec![1, 3, 0, 0, 0],
            operand: vec![1.5, 2.0, 0.0, 0.0, 0.0],
            column: vec![0, 1, 0, 0, 0],
            first_child: vec![1, 3, 0, 0, 0],
            n_children: vec![2, 2, 0, 0, 0],
            missing_child: vec![1, 0, 0, 0, 0],
            rows: vec![4, 2, 2, 1, 1],
            gain: vec![0.5, 0.5, 0.0, 0.0, 0.0],
            mass: NodeMasses::Table(vec![2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]),
            ..leaf
        };
        let columns = [ColumnKind::Numeric, ColumnKind::Nominal(3)];
        let tree = Tree::from_arrays(arrays, &columns, 2).unwrap();
        let path_to = |node, branch| branch_tests(&tree, node, branch, &columns).unwrap().remove(0);
        let test = |feature, asks, or_missing| PathTest { feature, asks, or_missing };
        assert_eq!(path_to(0, 0), test(0, TestCondition::AtMost(1.5), false));
        assert_eq!(path_to(0, 1), test(0, TestCondition::Above(1.5), true));
        assert_eq!(path_to(1, 0), test(1, TestCondition::OneOf(vec![2]), true));
        assert_eq!(path_to(1, 1), test(1, TestCondition::OneOf(vec![0, 1]), false));
        assert_eq!(branch_tests(&tree, 2, 0, &columns), None);
    }
}
