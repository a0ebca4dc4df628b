//! Boosted tree in the format used for prediction.

use crate::bits;
use crate::boosted::cut::{BinCut, Found};
use crate::boosted::grow::Grown;
use crate::boosted::matrix::{Coded, Kind, Matrix};
use crate::masses::NodeMasses;
use crate::tree::{Cut, Tree};
use imbcore_base::midpoint;

/// Tree, and the values that its nodes add to one of the scores of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) tree: Tree,
    /// One value per node; only those of leaves are used.
    pub(crate) values: Vec<f64>,
    /// Index of the score.
    pub(crate) score: u32,
}

/// Returns the split of a node in terms of the data.
/// Also returns the levels that go to the first child.
fn cut_of(found: &Found, column: &Coded) -> (Cut, Vec<u32>) {
    match (&found.cut, &column.kind) {
        (BinCut::Upto(bin), Kind::Numeric(edges)) => {
            (Cut::Below(midpoint(edges.high[*bin], edges.low[bin + 1])), Vec::new())
        }
        (BinCut::Set(bins), Kind::Nominal(of_levels)) => {
            let levels = column.levels(bins);
            match levels[..] {
                [level] => (Cut::IsLevel(level), Vec::new()),
                // The offset of the set is filled in later.
                _ => (Cut::InLevels(0), bits::listed(levels.iter().copied(), of_levels.len() as u32)),
            }
        }
        _ => (Cut::Known, Vec::new()),
    }
}

impl Member {
    /// Builds a tree from nodes in order of creation, with their values and class masses.
    pub(crate) fn new(
        (nodes, matrix): (&[Grown], &Matrix),
        rows: impl Fn(&Grown) -> u32,
        (values, mass): (Vec<f64>, Vec<f64>),
        score: u32,
    ) -> Self {
        let n = nodes.len();
        let n_classes = mass.len() / n;
        let mut tree = Tree {
            n_classes,
            cut: vec![Cut::Leaf; n],
            column: vec![0; n],
            first_child: vec![0; n],
            n_children: vec![0; n],
            missing_child: vec![0; n],
            rows: nodes.iter().map(rows).collect(),
            gain: vec![0.0; n],
            mass: NodeMasses::Table(mass),
            sets: Vec::new(),
            groups: Vec::new(),
        };
        for (index, node) in nodes.iter().enumerate() {
            let Some(split) = &node.split else { continue };
            let column = &matrix.columns[split.found.place];
            let (cut, set) = cut_of(&split.found, column);
            tree.cut[index] = if set.is_empty() { cut } else { Cut::InLevels(tree.sets.len() as u32) };
            tree.sets.extend(set);
            tree.column[index] = column.column;
            tree.first_child[index] = split.first_child as u32;
            tree.n_children[index] = 2;
            tree.missing_child[index] = u32::from(!split.found.missing_left);
            tree.gain[index] = split.found.gain;
        }
        tree.mass = tree.mass.settled(n_classes);
        Self { tree: tree.with_totals(), values, score }
    }
}
