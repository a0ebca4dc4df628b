//! Conversion between compact forests and the arrays of a model file, with validation.

use crate::compact_forest::{CompactForest, MOST_COLUMNS};
use crate::leaf_value_table::LeafValueTable;
use crate::node_masses::{LEAF, node_class_masses};
use imbcore_core::{Error, Result, RunContext};
use imbcore_trees::{ColumnKind, NodeMasses, TargetStatisticTables, Tree, TreeArrays};

/// A compact forest as arrays of plain numbers, for model files.
///
/// The mass of a class in a node is the sum of the weights of its training rows there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ForestArrays {
    /// Per tree: number of nodes.
    pub nodes: Vec<u32>,
    /// One entry per tree and class: mass of the class at the root.
    pub root_mass: Vec<f64>,
    /// One entry per node: kind of its split, as in [`TreeArrays`].
    pub kind: Vec<u8>,
    /// Per node: number of training rows.
    pub rows: Vec<u32>,
    /// Per inner node.
    pub operand: Vec<f64>,
    pub column: Vec<u32>,
    pub first_child: Vec<u32>,
    pub n_children: Vec<u32>,
    pub missing_child: Vec<u32>,
    pub gain: Vec<f64>,
    /// Masses of the leaves, as in [`LeafValueTable::to_arrays`].
    pub leaf_sizes: Vec<u32>,
    pub leaf_classes: Vec<u32>,
    pub leaf_mass: Vec<f64>,
    /// One entry per tree: number of 32-bit words that belong to the tree in `sets`.
    ///
    /// `group_words` has the same number for `groups`. As in [`TreeArrays`], `sets` are sets of nominal
    /// levels, and `groups` are groups of classes.
    pub set_words: Vec<u32>,
    pub group_words: Vec<u32>,
    pub sets: Vec<u32>,
    pub groups: Vec<u32>,
}

impl CompactForest {
    pub(crate) fn to_arrays(&self) -> ForestArrays {
        let mut arrays = ForestArrays::default();
        let (leaf_sizes, leaf_classes, leaf_mass) = self.all_leaf_class_masses().to_arrays();
        arrays.leaf_sizes = leaf_sizes;
        arrays.leaf_classes.extend_from_slice(leaf_classes);
        arrays.leaf_mass.extend_from_slice(leaf_mass);
        for (number, tree) in (0..self.n_trees()).map(|tree| (tree, self.unpack_tree_arrays(tree))) {
            arrays.nodes.push(tree.kind.len() as u32);
            arrays.root_mass.extend_from_slice(self.root_class_masses(number));
            for (node, &kind) in tree.kind.iter().enumerate() {
                if kind != LEAF {
                    arrays.operand.push(tree.operand[node]);
                    arrays.column.push(tree.column[node]);
                    arrays.first_child.push(tree.first_child[node]);
                    arrays.n_children.push(tree.n_children[node]);
                    arrays.missing_child.push(tree.missing_child[node]);
                    arrays.gain.push(tree.gain[node]);
                }
            }
            arrays.set_words.push(tree.sets.len() as u32);
            arrays.group_words.push(tree.groups.len() as u32);
            arrays.sets.extend_from_slice(&tree.sets);
            arrays.groups.extend_from_slice(&tree.groups);
            arrays.kind.extend_from_slice(&tree.kind);
            arrays.rows.extend_from_slice(&tree.rows);
        }
        arrays
    }

    /// Reads trees from untrusted arrays, each validated by [`Tree::from_arrays`].
    pub(crate) fn from_arrays(
        arrays: &ForestArrays,
        columns: &[ColumnKind],
        n_classes: usize,
    ) -> Result<Self> {
        let n_nodes = arrays.kind.len();
        let n_leaves = count_leaves(&arrays.kind);
        let n_inner = n_nodes - n_leaves;
        let per_inner = [
            arrays.operand.len(),
            arrays.column.len(),
            arrays.first_child.len(),
            arrays.n_children.len(),
            arrays.missing_child.len(),
            arrays.gain.len(),
        ];
        let sum = |words: &[u32]| words.iter().map(|&words| words as usize).sum::<usize>();
        let whole = sum(&arrays.nodes) == n_nodes
            && !arrays.nodes.is_empty()
            && !arrays.nodes.contains(&0)
            && arrays.rows.len() == n_nodes
            && per_inner.iter().all(|&length| length == n_inner)
            && Some(arrays.root_mass.len()) == arrays.nodes.len().checked_mul(n_classes)
            && arrays.set_words.len() == arrays.nodes.len()
            && arrays.group_words.len() == arrays.nodes.len()
            && sum(&arrays.set_words) == arrays.sets.len()
            && sum(&arrays.group_words) == arrays.groups.len()
            && n_classes > 0
            && columns.len() <= MOST_COLUMNS;
        if !whole {
            return damaged_forest_error("arrays of a forest have inconsistent lengths");
        }
        let masses = (&*arrays.leaf_sizes, &*arrays.leaf_classes, &*arrays.leaf_mass);
        let Some(leaf_mass) = LeafValueTable::from_arrays(n_classes, n_leaves, masses)? else {
            return damaged_forest_error("arrays of a forest have inconsistent lengths");
        };
        let mut packed = Self::new(n_classes);
        packed.reserve_masses(&leaf_mass)?;
        packed.reserve_nodes(n_inner, n_leaves)?;
        let (mut before, ctl) = (TreeArrayOffsets::default(), RunContext::silent());
        for (tree, &n) in arrays.nodes.iter().enumerate() {
            ctl.check()?;
            let kinds = &arrays.kind[before.nodes..before.nodes + n as usize];
            let leaves = count_leaves(kinds);
            // Every split has at least two branches. A damaged file could contain a chain of a million nodes,
            // each with a single child. Class masses of inner nodes are computed, not read, so a chain would
            // need far more memory than its file.
            if 2 * leaves <= kinds.len() {
                return damaged_forest_error("a tree of the forest has a node with a single child");
            }
            let expanded = arrays.extract_tree_arrays(tree, &before, (&leaf_mass, n_classes))?;
            let checked = Tree::from_arrays(expanded.clone(), columns, n_classes)?;
            packed.push_tree(&expanded, &checked);
            before.nodes += kinds.len();
            before.inner += kinds.len() - leaves;
            before.leaves += leaves;
            before.sets += arrays.set_words[tree] as usize;
            before.groups += arrays.group_words[tree] as usize;
        }
        packed.shrink_to_fit();
        Ok(packed)
    }
}

#[derive(Default)]
struct TreeArrayOffsets {
    nodes: usize,
    inner: usize,
    leaves: usize,
    sets: usize,
    groups: usize,
}

impl ForestArrays {
    fn extract_tree_arrays(
        &self,
        tree: usize,
        before: &TreeArrayOffsets,
        (leaf_mass, c): (&LeafValueTable, usize),
    ) -> Result<TreeArrays> {
        let n = self.nodes[tree] as usize;
        let nodes = before.nodes..before.nodes + n;
        let mut inner = before.inner;
        let mut arrays = TreeArrays {
            kind: self.kind[nodes.clone()].to_vec(),
            operand: vec![0.0; n],
            column: vec![0; n],
            first_child: vec![0; n],
            n_children: vec![0; n],
            missing_child: vec![0; n],
            rows: self.rows[nodes].to_vec(),
            gain: vec![0.0; n],
            mass: NodeMasses::Table(Vec::new()),
            sets: self.sets[before.sets..before.sets + self.set_words[tree] as usize].to_vec(),
            groups: self.groups[before.groups..before.groups + self.group_words[tree] as usize].to_vec(),
            tables: Vec::new(),
            statistics: TargetStatisticTables::default(),
        };
        for node in 0..n {
            if arrays.kind[node] == LEAF {
                continue;
            }
            arrays.operand[node] = self.operand[inner];
            arrays.column[node] = self.column[inner];
            arrays.first_child[node] = self.first_child[inner];
            arrays.missing_child[node] = self.missing_child[inner];
            arrays.gain[node] = self.gain[inner];
            arrays.n_children[node] = self.n_children[inner];
            inner += 1;
        }
        // `node_class_masses` visits every child of every node. This check limits the number of children, and
        // thereby the time of `node_class_masses` for damaged files.
        if arrays.n_children.iter().map(|&children| children as usize).sum::<usize>() + 1 != n {
            return damaged_forest_error("a tree of the forest has nodes without a parent, or with two");
        }
        let root = &self.root_mass[tree * c..(tree + 1) * c];
        arrays.mass = node_class_masses(&arrays, root, (leaf_mass, before.leaves));
        Ok(arrays)
    }
}

fn damaged_forest_error<T>(what: &str) -> Result<T> {
    Err(Error::damaged(what))
}

fn count_leaves(kinds: &[u8]) -> usize {
    kinds.iter().map(|&kind| usize::from(kind == LEAF)).sum()
}
