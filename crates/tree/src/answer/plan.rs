//! Export of a fitted tree as a step of a formula.

use crate::model::TreeModel;
use crate::tree::{Tree, TreeSplit};
use imbcore_base::formula::{ExportTree, Node, Split};

impl TreeModel {
    /// Exports the tree with the leaf values `says`.
    /// `columns` are the indices of the features that it uses.
    /// If values may be missing (`holes`) and the tree splits such rows into fractions, they go down all branches.
    pub fn plan(&self, columns: &[usize], holes: bool, says: impl Fn(usize) -> Vec<f64>) -> ExportTree {
        self.tree().plan(columns, self.shares_missing() && holes, says)
    }
}

impl Tree {
    /// Exports the tree; if `shared`, rows with missing values go down all branches as fractions.
    pub(crate) fn plan(
        &self,
        columns: &[usize],
        shared: bool,
        says: impl Fn(usize) -> Vec<f64>,
    ) -> ExportTree {
        let tree = self;
        let node = |node: usize| {
            let (cut, children) = (tree.cut(node), tree.children(node));
            if cut == TreeSplit::Leaf {
                return Node::Leaf { values: says(node) };
            }
            let mut levels = match cut {
                TreeSplit::IsLevel(level) => Some(vec![level]),
                TreeSplit::InLevels(set) => Some(tree.set_levels(set)),
                _ => None,
            };
            let at_most = if let TreeSplit::Below(threshold) = cut { Some(threshold) } else { None };
            // Children without training rows have no mass of their own and get no fraction.
            let masses: Vec<f64> = children.clone().map(|child| tree.reached_mass(child)).collect();
            let shared = shared && masses.iter().sum::<f64>() > 0.0;
            let missing = children.start + tree.missing_branch(node);
            let mut children: Vec<usize> = children.collect();
            if let (TreeSplit::InLevels(set), Some(held), false) = (cut, &mut levels, shared) {
                // The smaller side of a set is written. Rows that go down all branches use the original order of
                // children.
                let others = tree.levels_outside(set);
                if others.len() < held.len() {
                    *held = others;
                    children.reverse();
                }
            }
            Node::Split(Split {
                feature: columns[tree.column(node)],
                at_most,
                levels,
                missing,
                children,
                known: cut == TreeSplit::Known,
                masses: if shared { masses } else { Vec::new() },
            })
        };
        ExportTree { nodes: (0..tree.n_nodes()).map(node).collect() }
    }
}
