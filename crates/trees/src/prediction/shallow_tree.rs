//! Traversal of shallow trees: every node is evaluated for every row.
//!
//! Thus no memory load depends on the result of an earlier comparison. Each leaf has one bit; the leftmost
//! leaf has the lowest bit. If the value of a row is above a node's threshold, the row cannot reach the
//! leaves in the node's left subtree. The row's leaf is the first leaf that remains (Lucchese, Nardini,
//! Orlando, Perego, Tonellotto and Venturini 2015, section 3).

use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Frame};
use multiversion::multiversion;

/// Maximum number of leaves; for larger trees, partitioning rows node by node is faster.
const MOST_LEAVES: usize = 8;

pub(crate) struct ShallowTree {
    /// Column and threshold of every internal node, and bits of the leaves in its left subtree.
    nodes: Vec<(usize, f64, u32)>,
    leaves: Vec<u32>,
}

impl ShallowTree {
    pub(crate) fn new(tree: &Tree) -> Option<Self> {
        if tree.n_nodes() >= 2 * MOST_LEAVES {
            return None;
        }
        let mut shallow =
            Self { nodes: Vec::with_capacity(MOST_LEAVES), leaves: Vec::with_capacity(MOST_LEAVES) };
        shallow.add_subtree(tree, 0).then_some(shallow)
    }

    /// Adds leaves from left to right; returns whether every split is a threshold.
    fn add_subtree(&mut self, tree: &Tree, node: usize) -> bool {
        match tree.split(node) {
            TreeSplit::Leaf => self.leaves.push(node as u32),
            TreeSplit::Below(threshold) => {
                let children = tree.children(node);
                let before = self.leaves.len();
                if !self.add_subtree(tree, children.start) {
                    return false;
                }
                let left = (1 << self.leaves.len()) - (1 << before);
                self.nodes.push((tree.column(node), threshold, left));
                return self.add_subtree(tree, children.start + 1);
            }
            _ => return false,
        }
        true
    }

    /// `first` is the first row of the block; no value may be missing.
    pub(crate) fn write_leaves(&self, frame: &Frame<'_>, first: usize, out: &mut [u32]) {
        out.fill(0);
        for &(column, threshold, left) in &self.nodes {
            let Column::Numeric(values) = &frame.columns()[column] else { continue };
            match values.slice_from_row(first) {
                (values, 1) => mask_unreachable_leaves(values, threshold, left, out),
                (values, stride) => {
                    for (out, &value) in out.iter_mut().zip(values.iter().step_by(stride)) {
                        *out |= if value > threshold { left } else { 0 };
                    }
                }
            }
        }
        if let [left, right] = self.leaves[..] {
            for out in out {
                *out = if *out == 0 { left } else { right };
            }
            return;
        }
        for out in out {
            *out = self.leaves[out.trailing_ones() as usize];
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn mask_unreachable_leaves(values: &[f64], threshold: f64, left: u32, out: &mut [u32]) {
    for (out, &value) in out.iter_mut().zip(values) {
        *out |= if value > threshold { left } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masses::NodeMasses;
    use crate::prediction::tree_traversal::next_node;
    use crate::tree::{ColumnKind, TreeArrays};
    use imbcore_core::{SeedKey, random_below};

    fn drawn(n_leaves: usize, seed: u64) -> Tree {
        let mut rng = SeedKey::root(seed).rng();
        let n = 2 * n_leaves - 1;
        let (mut kind, mut first_child) = (vec![0; n], vec![0; n]);
        let mut leaves = vec![0];
        for pair in 0..n_leaves as u32 - 1 {
            // One of the last two leaves, chosen at random, is split.
            let node =
                leaves.remove(leaves.len() - 1 - random_below(&mut rng, leaves.len().min(2) as u32) as usize);
            (kind[node], first_child[node]) = (1, 2 * pair + 1);
            leaves.extend([2 * pair as usize + 1, 2 * pair as usize + 2]);
            leaves.sort_unstable();
        }
        let arrays = TreeArrays {
            operand: (0..n).map(|_| f64::from(random_below(&mut rng, 9))).collect(),
            column: (0..n).map(|node| if kind[node] == 0 { 0 } else { random_below(&mut rng, 3) }).collect(),
            n_children: kind.iter().map(|&kind| 2 * u32::from(kind)).collect(),
            missing_child: (0..n).map(|node| random_below(&mut rng, 1 + u32::from(kind[node]))).collect(),
            rows: vec![1; n],
            gain: vec![0.0; n],
            mass: NodeMasses::Table(vec![1.0; 2 * n]),
            sets: Vec::new(),
            groups: Vec::new(),
            tables: Vec::new(),
            statistics: crate::statistics::TargetStatisticTables::default(),
            kind,
            first_child,
        };
        Tree::from_arrays(arrays, &[ColumnKind::Numeric; 3], 2).unwrap()
    }

    #[test]
    fn leaves_are_those_of_a_walk() {
        let values: Vec<f64> =
            (0..900_u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 22) / 90.0).collect();
        let by_rows = Frame::from_row_major(&values, 300, 3).unwrap();
        let by_columns = Frame::from_column_major(&values, 300, 3).unwrap();
        for seed in 0..60 {
            let tree = drawn(1 + seed as usize % MOST_LEAVES, seed);
            let shallow = ShallowTree::new(&tree).unwrap();
            for frame in [&by_rows, &by_columns] {
                for first in [0, 17] {
                    let mut out = vec![9; 300 - first];
                    shallow.write_leaves(frame, first, &mut out);
                    for (row, &leaf) in (first..).zip(&out) {
                        let mut node = 0;
                        while tree.split(node) != TreeSplit::Leaf {
                            node = next_node(&tree, node, frame.columns(), row);
                        }
                        assert_eq!(leaf as usize, node, "seed {seed}, row {row}");
                    }
                }
            }
        }
        assert!(ShallowTree::new(&drawn(MOST_LEAVES + 1, 3)).is_none());
    }
}
