//! Features that a model asks about.

use crate::fitted::Fitted;
use crate::model::Model;
use imbcore_base::{CostCell, CostRule, Decision};
use imbcore_tree::{Cut, TreeModel};
use std::collections::BTreeSet;

impl Model {
    /// Features that hold what answers to a row cost.
    pub(super) fn cost_columns(&self) -> BTreeSet<usize> {
        let Decision::Costs(CostRule::Columns(cells)) = self.decision() else { return BTreeSet::new() };
        let column = |cell: &CostCell| match cell {
            CostCell::Column(column) => Some(*column as usize),
            CostCell::Number(_) => None,
        };
        cells.cells().iter().filter_map(column).collect()
    }
}

/// Features that what was fitted asks about, ascending.
pub(super) fn features(fitted: &Fitted) -> Vec<usize> {
    let mut found = BTreeSet::new();
    gather(fitted, &mut found);
    found.into_iter().collect()
}

fn gather(fitted: &Fitted, found: &mut BTreeSet<usize>) {
    match fitted {
        Fitted::Tree(tree) | Fitted::Constant(tree) => of_tree(tree, found),
        Fitted::Svr(tree) => of_tree(tree.tree(), found),
        Fitted::Optimal(tree) => of_tree(tree.tree(), found),
        Fitted::Forest(forest) => {
            for tree in (0..forest.n_trees()).filter_map(|tree| forest.member(tree).ok()) {
                of_tree(&tree, found);
            }
        }
        Fitted::Boxes(boxes) => found.extend(boxes.bounded()),
        Fitted::Bayes(networks) => found.extend(networks.features()),
        Fitted::Committee(committee) => {
            for (member, columns) in committee.members().iter().zip(&committee.ballot().columns) {
                let mut own = BTreeSet::new();
                gather(member, &mut own);
                let of_table = |place: usize| columns.get(place).map_or(place, |&column| column as usize);
                found.extend(own.into_iter().map(of_table));
            }
        }
        Fitted::Decomposed(_) => {}
    }
}

fn of_tree(tree: &TreeModel, found: &mut BTreeSet<usize>) {
    let tree = tree.tree();
    found.extend(
        (0..tree.n_nodes()).filter(|&node| tree.cut(node) != Cut::Leaf).map(|node| tree.column(node)),
    );
}
