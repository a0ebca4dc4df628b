//! Boosted tree in the format used for prediction.

use crate::bits;
use crate::boosted::gradient_split::{BinSplit, GainSplit};
use crate::boosted::matrix::{BinKind, BoostedMatrix, MatrixColumn};
use crate::boosted::tree_grower::GrownNode;
use crate::class_groups::ClassGroups;
use crate::masses::NodeMasses;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{MISSING, midpoint};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoostedTree {
    pub(crate) tree: Tree,
    pub(crate) values: Vec<f64>,
    pub(crate) score: u32,
}

/// Returns the split, and the stored set of levels if the split is by a set of levels.
fn to_tree_split(found: &GainSplit, column: &MatrixColumn) -> (TreeSplit, Vec<u32>) {
    match (&found.cut, &column.kind) {
        (BinSplit::Upto(bin), BinKind::Numeric(edges)) => {
            (TreeSplit::Below(midpoint(edges.high[*bin], edges.low[bin + 1])), Vec::new())
        }
        (BinSplit::Upto(bin), BinKind::Statistic { edges, table, .. }) => {
            let threshold = midpoint(edges.high[*bin], edges.low[bin + 1]);
            (TreeSplit::StatisticAtMost { table: *table, threshold }, Vec::new())
        }
        (BinSplit::Set(bins), BinKind::Nominal(of_levels)) => {
            let levels = column.levels_in_bins(bins);
            match levels[..] {
                [level] => (TreeSplit::IsLevel(level), Vec::new()),
                // The placeholder 0 is replaced by the offset of the level set when the tree is assembled.
                _ => (
                    TreeSplit::InLevels(0),
                    bits::encode_set_for_storage(levels.iter().copied(), of_levels.len() as u32),
                ),
            }
        }
        _ => (TreeSplit::Known, Vec::new()),
    }
}

impl BoostedTree {
    pub(crate) fn new(
        (nodes, matrix): (&[GrownNode], &BoostedMatrix),
        rows: impl Fn(&GrownNode) -> u32,
        (values, mass): (Vec<f64>, Vec<f64>),
        score: u32,
    ) -> Self {
        let n = nodes.len();
        let n_classes = mass.len() / n;
        let mut tree = Tree {
            n_classes,
            cut: vec![TreeSplit::Leaf; n],
            column: vec![0; n],
            first_child: vec![0; n],
            n_children: vec![0; n],
            missing_child: vec![0; n],
            rows: nodes.iter().map(rows).collect(),
            gain: vec![0.0; n],
            mass: NodeMasses::Table(mass),
            sets: Vec::new(),
            groups: ClassGroups::default(),
            statistics: matrix.statistics.clone(),
        };
        for (index, node) in nodes.iter().enumerate() {
            let Some(split) = &node.split else { continue };
            let column = &matrix.columns[split.found.place];
            let (cut, set) = to_tree_split(&split.found, column);
            tree.cut[index] = if set.is_empty() { cut } else { TreeSplit::InLevels(tree.sets.len() as u32) };
            tree.sets.extend(set);
            tree.column[index] = column.column;
            tree.first_child[index] = split.first_child as u32;
            tree.n_children[index] = 2;
            tree.missing_child[index] = match cut {
                TreeSplit::StatisticAtMost { table, threshold } => {
                    tree.branch_by_level_statistic(table, threshold, MISSING) as u32
                }
                _ => u32::from(!split.found.missing_left),
            };
            tree.gain[index] = split.found.gain;
        }
        let mass = std::mem::replace(&mut tree.mass, NodeMasses::Table(Vec::new()));
        // An internal node whose children all have rows gets no list of class masses. With many classes, the
        // lists of all nodes would need much more memory than those of the leaves.
        let is_sum =
            |node: usize| tree.n_children[node] > 0 && tree.children(node).all(|child| tree.rows[child] > 0);
        tree.mass = mass.into_lists_without_sum_nodes(n_classes, is_sum);
        Self { tree: tree.with_stored_total_masses(), values, score }
    }
}
