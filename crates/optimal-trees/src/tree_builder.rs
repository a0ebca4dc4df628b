//! Conversion of tree plans to the trees of the crate `imbcore-trees`.

use crate::tree_plan::{PlanNode, PlanSplit, TreePlan};
use imbcore_core::Result;
use imbcore_trees::{ColumnKind, LeafEstimate, NodeMasses, Tree, TreeArrays, TreeModel};

/// Builds a model from a tree; `answers` has the predicted class of each node.
pub(crate) fn build_model(tree: Tree, answers: &[u32]) -> Result<TreeModel> {
    let mut model = TreeModel::new(tree, LeafEstimate::Frequency, 1.0, false);
    model.set_decision_rule(|_| Ok(answers.to_vec()))?;
    Ok(model)
}

/// The gain of a split is the decrease of the Gini impurity.
pub(crate) fn build_tree(plan: &TreePlan, columns: &[ColumnKind], n_classes: usize) -> Result<Tree> {
    let mut arrays = TreeArrays::single_leaf(0, Vec::new());
    arrays.kind.clear();
    arrays.operand.clear();
    for list in [
        &mut arrays.column,
        &mut arrays.first_child,
        &mut arrays.n_children,
        &mut arrays.missing_child,
        &mut arrays.rows,
    ] {
        list.clear();
    }
    arrays.gain.clear();
    for node in &plan.nodes {
        let (kind, operand) = match &node.cut {
            PlanSplit::Leaf => (0, 0.0),
            PlanSplit::Below(threshold) => (1, *threshold),
            PlanSplit::Known => (2, 0.0),
            PlanSplit::IsLevel(level) => (3, f64::from(*level)),
            PlanSplit::InLevels(levels) => {
                let start = arrays.sets.len() as f64;
                if let Some(ColumnKind::Nominal(n_levels)) = columns.get(node.feature) {
                    arrays.sets.extend(encode_level_set(levels, *n_levels));
                }
                (5, start)
            }
        };
        let splits = node.cut != PlanSplit::Leaf;
        arrays.kind.push(kind);
        arrays.operand.push(operand);
        arrays.column.push(node.feature as u32);
        arrays.first_child.push(node.first_child as u32);
        arrays.n_children.push(if splits { 2 } else { 0 });
        arrays.missing_child.push(node.missing_child as u32);
        arrays.rows.push(node.n_rows);
        arrays.gain.push(if splits { node_gain(plan, node) } else { 0.0 });
    }
    arrays.mass = NodeMasses::Table(plan.nodes.iter().flat_map(|node| node.mass.iter().copied()).collect());
    Tree::from_arrays(arrays, columns, n_classes)
}

/// Set of levels as numbers: the number of all levels, then a bit set in 32-bit words.
fn encode_level_set(levels: &[u32], n_levels: u32) -> Vec<u32> {
    let mut words = vec![0; n_levels.div_ceil(u32::BITS) as usize];
    for level in levels {
        words[(level / u32::BITS) as usize] |= 1 << (level % u32::BITS);
    }
    std::iter::once(n_levels).chain(words).collect()
}

fn node_gain(plan: &TreePlan, node: &PlanNode) -> f64 {
    let total = |mass: &[f64]| mass.iter().sum::<f64>();
    let spread = |mass: &[f64]| {
        let all = total(mass);
        all - mass.iter().map(|value| value * value / all).sum::<f64>()
    };
    let sides = &plan.nodes[node.first_child..node.first_child + 2];
    let left = sides.iter().map(|side| spread(&side.mass)).sum::<f64>();
    ((spread(&node.mass) - left) / total(&node.mass)).max(0.0)
}
