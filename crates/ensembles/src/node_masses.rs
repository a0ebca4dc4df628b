//! Class masses of all nodes of a tree, computed from the masses of its leaves.

use crate::leaf_value_table::{LeafValueTable, LeafValues};
use imbcore_trees::{NodeClassAmounts, NodeMasses, TreeArrays};

/// Value of [`TreeArrays::kind`] of a leaf.
pub(crate) const LEAF: u8 = 0;

/// Masses of all classes in all nodes of a tree; a mass is a sum of training weights.
///
/// `leaf_mass` has the masses of the leaves of all trees; those of this tree start at leaf `first`. The root
/// gets the masses `root`. If `leaf_mass` is a table, the masses of other inner nodes are the sums over their
/// children. If `leaf_mass` has lists, other inner nodes get empty lists.
///
/// A child that no training row reached repeats the masses of its parent, so the sums ignore this child.
/// Invalid links to children are skipped here, and `Tree::from_arrays` rejects them later.
pub(crate) fn node_class_masses(
    arrays: &TreeArrays,
    root: &[f64],
    (leaf_mass, first): (&LeafValueTable, usize),
) -> NodeMasses {
    let (n_nodes, c) = (arrays.kind.len(), root.len());
    let mut leaves = first..;
    let mut next_leaf = || leaf_mass.leaf_values(leaves.next().unwrap_or_default());
    if leaf_mass.has_sparse_leaves() {
        let mut lists = NodeClassAmounts::new(vec![1.0; c]);
        for (node, &kind) in arrays.kind.iter().enumerate() {
            let own = if kind == LEAF { next_leaf() } else { LeafValues::List(&[], &[]) };
            if node == 0 { lists.push_masses(root) } else { own.append_to_class_amounts(&mut lists) }
        }
        return NodeMasses::Lists(lists);
    }
    let mut table = Vec::with_capacity(n_nodes * c);
    for &kind in &arrays.kind {
        if kind == LEAF
            && let LeafValues::Row(own) = next_leaf()
        {
            table.extend_from_slice(own);
        } else {
            table.resize(table.len() + c, 0.0);
        }
    }
    for node in (0..n_nodes).rev().filter(|&node| arrays.kind[node] != LEAF) {
        let first = arrays.first_child[node] as usize;
        let children =
            first.min(n_nodes)..first.saturating_add(arrays.n_children[node] as usize).min(n_nodes);
        let reached = |&child: &usize| child > node && arrays.rows[child] > 0;
        let mut mass = vec![0.0; c];
        for child in children.clone().filter(reached) {
            for (sum, part) in mass.iter_mut().zip(&table[child * c..]) {
                *sum += part;
            }
        }
        table[node * c..(node + 1) * c].copy_from_slice(&mass);
    }
    table[..c].copy_from_slice(root);
    NodeMasses::Table(table)
}
