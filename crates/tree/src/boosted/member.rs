//! A tree that has grown, in the form in which it answers.

use crate::bits;
use crate::boosted::cut::{BinCut, Found};
use crate::boosted::grow::Grown;
use crate::boosted::matrix::{Coded, Kind, Matrix};
use crate::masses::NodeMasses;
use crate::tree::{Cut, Tree};
use imbcore_base::midpoint;

/// A tree, and what its nodes add to one of the scores of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) tree: Tree,
    /// One a node; only those of leaves count.
    pub(crate) values: Vec<f64>,
    /// Which score.
    pub(crate) score: u32,
}

/// The cut of a node in terms of the data, and the levels that go to the first child.
fn cut_of(found: &Found, column: &Coded) -> (Cut, Vec<u32>) {
    match (&found.cut, &column.kind) {
        (BinCut::Upto(bin), Kind::Numeric(edges)) => {
            (Cut::Below(midpoint(edges.high[*bin], edges.low[bin + 1])), Vec::new())
        }
        (BinCut::Set(bins), Kind::Nominal(of_levels)) => {
            let levels = column.levels(bins);
            match levels[..] {
                [level] => (Cut::IsLevel(level), Vec::new()),
                // The tree knows where the set lies when it is whole.
                _ => (Cut::InLevels(0), bits::listed(levels.iter().copied(), of_levels.len() as u32)),
            }
        }
        _ => (Cut::Known, Vec::new()),
    }
}

impl Member {
    /// Of nodes in the order in which they were made, with what each adds and the mass of every class in it.
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
        for (at, node) in nodes.iter().enumerate() {
            let Some(split) = &node.split else { continue };
            let column = &matrix.columns[split.found.place];
            let (cut, set) = cut_of(&split.found, column);
            tree.cut[at] = if set.is_empty() { cut } else { Cut::InLevels(tree.sets.len() as u32) };
            tree.sets.extend(set);
            tree.column[at] = column.column;
            tree.first_child[at] = split.first_child as u32;
            tree.n_children[at] = 2;
            tree.missing_child[at] = u32::from(!split.found.missing_left);
            tree.gain[at] = split.found.gain;
        }
        tree.mass = tree.mass.settled(n_classes);
        Self { tree: tree.with_totals(), values, score }
    }
}
