//! Compact storage of many trees.
//!
//! Traversal needs 16 bytes per node. All other values are stored only for the nodes that need them.
//!
//! The mass of a class in a node is the sum of the weights of its training rows there. Masses are stored only
//! for leaves and roots, because the masses of an inner node are sums over its leaves. Gains are stored only
//! for inner nodes. A two-class forest needs 28 bytes per threshold split and 36 per leaf. Other splits need
//! more.

use crate::leaf_value_table::{LeafValueTable, LeafValues};
use crate::node_masses::{LEAF, node_class_masses};
use crate::partition_rows::partition_rows;
use imbcore_core::{Result, memory};
use imbcore_trees::{LayoutNode, LayoutSplit, NodeMasses, RowBlock, TargetStatisticTables, Tree, TreeArrays};
use std::ops::Range;

/// Value of [`TreeArrays::kind`] for a threshold split.
const BELOW: u8 = 1;

/// Flags in [`Node::column`], whose lower bits are the index of the column.
const IS_LEAF: u32 = 1 << 31;
const IS_OTHER: u32 = 1 << 30;
const MISSING_RIGHT: u32 = 1 << 29;

const TREES: &str = "the trees of a forest";

pub(crate) const MOST_COLUMNS: usize = 1 << 29;

/// Node of a tree in 16 bytes, with all numbers that routing a row needs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// Threshold of a threshold split.
    ///
    /// For another split, it is the index of the split in [`CompactForest::others`]. For a leaf, it has no
    /// meaning.
    operand: f64,
    column: u32,
    /// Index of the first child among the nodes of the tree.
    ///
    /// For a leaf, it is the index of the leaf among the leaves of the tree.
    child: u32,
}

impl Node {
    fn column(self) -> usize {
        (self.column & !(IS_OTHER | MISSING_RIGHT)) as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct NonThresholdSplit {
    kind: u8,
    operand: f64,
    n_children: u32,
    missing_child: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompactForest {
    n_classes: usize,
    nodes: Vec<Node>,
    others: Vec<NonThresholdSplit>,
    inner_rows: Vec<u32>,
    gain: Vec<f64>,
    leaf_rows: Vec<u32>,
    leaf_mass: LeafValueTable,
    root_mass: Vec<f64>,
    sets: Vec<u32>,
    groups: Vec<u32>,
    starts: Vec<usize>,
    leaves_before: Vec<usize>,
    sets_before: Vec<usize>,
    groups_before: Vec<usize>,
}

impl CompactForest {
    pub(crate) fn new(n_classes: usize) -> Self {
        Self { n_classes, leaf_mass: LeafValueTable::new(n_classes), ..Self::default() }
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.n_classes
    }

    pub(crate) fn renumber_columns(&mut self, columns: &[u32]) {
        const FLAGS: u32 = IS_OTHER | MISSING_RIGHT;
        for node in self.nodes.iter_mut().filter(|node| node.column & IS_LEAF == 0) {
            node.column = node.column & FLAGS | columns[(node.column & !FLAGS) as usize];
        }
    }

    pub(crate) fn n_trees(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn n_leaves(&self) -> usize {
        self.leaf_rows.len()
    }

    pub(crate) fn root_class_masses(&self, tree: usize) -> &[f64] {
        &self.root_mass[tree * self.n_classes..(tree + 1) * self.n_classes]
    }

    pub(crate) fn node_depths(&self, tree: usize) -> Vec<u32> {
        let start = self.starts[tree];
        let end = self.starts.get(tree + 1).copied().unwrap_or(self.nodes.len());
        let mut depths = vec![0; end - start];
        for (place, &node) in self.nodes[start..end].iter().enumerate() {
            if node.column & IS_LEAF == 0 {
                for child in 0..self.non_threshold_split(node).n_children as usize {
                    depths[node.child as usize + child] = depths[place] + 1;
                }
            }
        }
        depths
    }

    /// Reserves exactly the needed memory, because doubled capacities may not fit into memory.
    pub(crate) fn reserve_for_forests<'a>(
        &mut self,
        others: impl Iterator<Item = &'a Self> + Clone,
    ) -> Result<()> {
        fn reserve_for_lists<'a, T: 'a>(
            list: &mut Vec<T>,
            others: impl Iterator<Item = &'a CompactForest>,
            its: impl Fn(&'a CompactForest) -> &'a [T],
        ) -> Result<()> {
            memory::reserve_exact(list, others.map(|other| its(other).len()).sum(), TREES)
        }
        reserve_for_lists(&mut self.nodes, others.clone(), |other| &other.nodes)?;
        reserve_for_lists(&mut self.others, others.clone(), |other| &other.others)?;
        reserve_for_lists(&mut self.inner_rows, others.clone(), |other| &other.inner_rows)?;
        reserve_for_lists(&mut self.gain, others.clone(), |other| &other.gain)?;
        reserve_for_lists(&mut self.leaf_rows, others.clone(), |other| &other.leaf_rows)?;
        self.leaf_mass.reserve(others.clone().map(|other| &other.leaf_mass), TREES)?;
        reserve_for_lists(&mut self.root_mass, others.clone(), |other| &other.root_mass)?;
        reserve_for_lists(&mut self.sets, others.clone(), |other| &other.sets)?;
        reserve_for_lists(&mut self.groups, others, |other| &other.groups)
    }

    pub(crate) fn reserve_nodes(&mut self, n_inner: usize, n_leaves: usize) -> Result<()> {
        memory::reserve_exact(&mut self.nodes, n_inner + n_leaves, TREES)?;
        memory::reserve_exact(&mut self.inner_rows, n_inner, TREES)?;
        memory::reserve_exact(&mut self.gain, n_inner, TREES)?;
        memory::reserve_exact(&mut self.leaf_rows, n_leaves, TREES)
    }

    pub(crate) fn reserve_masses(&mut self, leaves: &LeafValueTable) -> Result<()> {
        self.leaf_mass.reserve(std::iter::once(leaves), TREES)
    }

    pub(crate) fn push_tree(&mut self, tree: &TreeArrays, masses: &Tree) {
        self.starts.push(self.nodes.len());
        let leaves_before = self.n_leaves();
        self.leaves_before.push(leaves_before);
        self.root_mass.extend_from_slice(&masses.class_masses(0));
        self.sets_before.push(self.sets.len());
        self.sets.extend_from_slice(&tree.sets);
        self.groups_before.push(self.groups.len());
        self.groups.extend_from_slice(&tree.groups);
        for (node, &kind) in tree.kind.iter().enumerate() {
            let missing_child = tree.missing_child[node];
            let (operand, column, child) = match kind {
                LEAF => {
                    let leaf = self.n_leaves() - leaves_before;
                    if self.leaf_mass.has_sparse_leaves() {
                        self.leaf_mass.push_sparse_leaf(masses.present_class_masses(node));
                    } else {
                        self.leaf_mass.push_dense_leaf(&masses.class_masses(node));
                    }
                    self.leaf_rows.push(tree.rows[node]);
                    (0.0, IS_LEAF, leaf as u32)
                }
                BELOW => {
                    let mark = if missing_child == 1 { MISSING_RIGHT } else { 0 };
                    (tree.operand[node], tree.column[node] | mark, tree.first_child[node])
                }
                _ => {
                    let place = self.others.len();
                    let (operand, n_children) = (tree.operand[node], tree.n_children[node]);
                    self.others.push(NonThresholdSplit { kind, operand, n_children, missing_child });
                    (place as f64, tree.column[node] | IS_OTHER, tree.first_child[node])
                }
            };
            if kind != LEAF {
                self.gain.push(tree.gain[node]);
                self.inner_rows.push(tree.rows[node]);
            }
            self.nodes.push(Node { operand, column, child });
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let (nodes, leaves, others) = (self.nodes.len(), self.n_leaves(), self.others.len());
        self.starts.extend(other.starts.iter().map(|start| start + nodes));
        self.leaves_before.extend(other.leaves_before.iter().map(|before| before + leaves));
        self.sets_before.extend(other.sets_before.iter().map(|before| before + self.sets.len()));
        self.groups_before.extend(other.groups_before.iter().map(|before| before + self.groups.len()));
        self.sets.extend_from_slice(&other.sets);
        self.groups.extend_from_slice(&other.groups);
        self.nodes.extend(other.nodes.iter().map(|&node| match node.column & IS_OTHER {
            0 => node,
            _ => Node { operand: node.operand + others as f64, ..node },
        }));
        self.inner_rows.extend_from_slice(&other.inner_rows);
        self.leaf_rows.extend_from_slice(&other.leaf_rows);
        self.others.extend_from_slice(&other.others);
        self.gain.extend_from_slice(&other.gain);
        self.leaf_mass.append(&other.leaf_mass);
        self.root_mass.extend_from_slice(&other.root_mass);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.inner_rows.shrink_to_fit();
        self.leaf_rows.shrink_to_fit();
        self.others.shrink_to_fit();
        self.gain.shrink_to_fit();
        self.leaf_mass.shrink_to_fit();
        self.root_mass.shrink_to_fit();
        self.sets.shrink_to_fit();
        self.groups.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.leaves_before.shrink_to_fit();
        self.sets_before.shrink_to_fit();
        self.groups_before.shrink_to_fit();
    }

    pub(crate) fn memory_size_bytes(&self) -> usize {
        use std::mem::size_of_val;
        size_of_val(&*self.nodes)
            + size_of_val(&*self.inner_rows)
            + size_of_val(&*self.leaf_rows)
            + size_of_val(&*self.others)
            + size_of_val(&*self.gain)
            + self.leaf_mass.memory_size_bytes()
            + size_of_val(&*self.root_mass)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.leaves_before)
            + size_of_val(&*self.sets)
            + size_of_val(&*self.sets_before)
            + size_of_val(&*self.groups)
            + size_of_val(&*self.groups_before)
    }

    /// Leaves are numbered over all trees of the forest.
    pub(crate) fn layout_nodes(&self, tree: usize) -> Vec<LayoutNode> {
        let start = self.starts[tree];
        let end = self.starts.get(tree + 1).copied().unwrap_or(self.nodes.len());
        let (mut leaf, mut inner) = (self.leaves_before[tree], start - self.leaves_before[tree]);
        let step = |node: &Node| {
            if node.column & IS_LEAF != 0 {
                leaf += 1;
                return LayoutNode {
                    rows: self.leaf_rows[leaf - 1],
                    split: LayoutSplit::Leaf(leaf as u32 - 1),
                };
            }
            inner += 1;
            let way = match node.column & IS_OTHER {
                0 => LayoutSplit::Below {
                    column: node.column() as u32,
                    threshold: node.operand,
                    child: node.child,
                },
                _ => LayoutSplit::Other,
            };
            LayoutNode { rows: self.inner_rows[inner - 1], split: way }
        };
        self.nodes[start..end].iter().map(step).collect()
    }

    /// Finds the leaves that the rows of a block reach; passes each leaf and its rows to `visit`.
    ///
    /// A leaf may be passed several times, with different rows.
    pub(crate) fn visit_reached_leaves(
        &self,
        tree: usize,
        block: &RowBlock,
        rows: &mut Vec<u32>,
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        let nodes = &self.nodes[self.starts[tree]..];
        rows.clear();
        rows.extend(0..block.n_rows() as u32);
        let mut stack = vec![(nodes[0], 0..rows.len())];
        while let Some((node, here)) = stack.pop() {
            let part = &mut rows[here.clone()];
            let is_two = node.column & IS_OTHER == 0 || self.non_threshold_split(node).n_children == 2;
            if node.column & IS_LEAF != 0 {
                visit(self.leaves_before[tree] + node.child as usize, part);
            } else if let ([_], _) | (_, false) = (&*part, is_two) {
                for row in part {
                    visit(self.find_leaf(tree, node, block, *row), std::slice::from_ref(row));
                }
            } else {
                let middle = here.start + self.partition_rows(tree, node, block, part);
                let child = node.child as usize;
                let halves = [(child + 1, middle..here.end), (child, here.start..middle)];
                let halves = halves.into_iter().filter(|(_, part)| !part.is_empty());
                stack.extend(halves.map(|(child, part)| (nodes[child], part)));
            }
        }
    }

    fn find_leaf(&self, tree: usize, mut node: Node, block: &RowBlock, row: u32) -> usize {
        let nodes = &self.nodes[self.starts[tree]..];
        while node.column & IS_LEAF == 0 {
            let value = block.column(node.column())[row as usize];
            node = nodes[node.child as usize + self.child_index_for_value(tree, node, value)];
        }
        self.leaves_before[tree] + node.child as usize
    }

    /// Moves the rows of the first of two children to the front, and returns their number.
    fn partition_rows(&self, tree: usize, node: Node, block: &RowBlock, rows: &mut [u32]) -> usize {
        let values = block.column(node.column());
        if node.column & IS_OTHER != 0 {
            return partition_rows(rows, |row| {
                self.child_index_for_value(tree, node, values[row as usize]) == 0
            });
        }
        if !block.has_missing() {
            return partition_rows(rows, |row| values[row as usize] <= node.operand);
        }
        let missing_left = node.column & MISSING_RIGHT == 0;
        partition_rows(rows, |row| {
            let value = values[row as usize];
            (value <= node.operand) | (value.is_nan() & missing_left)
        })
    }

    #[inline]
    fn child_index_for_value(&self, tree: usize, node: Node, value: f64) -> usize {
        if node.column & IS_OTHER != 0 {
            return self.non_threshold_child_index(tree, node, value);
        }
        if value.is_nan() {
            usize::from(node.column & MISSING_RIGHT != 0)
        } else {
            usize::from(value > node.operand)
        }
    }

    // Level codes are nonnegative integers, so their conversion from `f64` is exact.
    #[allow(clippy::cast_sign_loss)]
    fn non_threshold_child_index(&self, tree: usize, node: Node, value: f64) -> usize {
        let other = &self.others[node.operand as usize];
        if value.is_nan() {
            return other.missing_child as usize;
        }
        match other.kind {
            2 => 0,
            3 => usize::from(value != other.operand),
            5 => usize::from(
                !self.level_set_contains(self.sets_before[tree] + other.operand as usize, value as usize),
            ),
            _ => value as usize,
        }
    }

    /// Whether the set of levels that starts at index `place` of `sets` contains a level.
    /// A set consists of its number of levels, followed by one bit per level.
    fn level_set_contains(&self, place: usize, level: usize) -> bool {
        level < self.sets[place] as usize && self.sets[place + 1 + level / 32] >> (level % 32) & 1 == 1
    }

    pub(crate) fn leaf_indices_of_tree(&self, tree: usize) -> Range<usize> {
        let end = self.leaves_before.get(tree + 1).copied().unwrap_or(self.n_leaves());
        self.leaves_before[tree]..end
    }

    /// Class masses of a leaf; its index counts the leaves of all trees.
    pub(crate) fn leaf_class_masses(&self, leaf: usize) -> LeafValues<'_> {
        self.leaf_mass.leaf_values(leaf)
    }

    pub(crate) fn all_leaf_class_masses(&self) -> &LeafValueTable {
        &self.leaf_mass
    }

    pub(crate) fn mean_row_weight_in_leaf(&self, leaf: usize) -> f64 {
        match self.leaf_rows[leaf] {
            0 => 1.0,
            rows => self.leaf_class_masses(leaf).sum_over_classes() / f64::from(rows),
        }
    }

    pub(crate) fn unpack_tree_arrays(&self, tree: usize) -> TreeArrays {
        let start = self.starts[tree];
        let end = self.starts.get(tree + 1).copied().unwrap_or(self.nodes.len());
        let (mut leaves, mut inner) = (self.leaves_before[tree], start - self.leaves_before[tree]);
        let n = end - start;
        let mut arrays = TreeArrays {
            kind: vec![LEAF; n],
            operand: vec![0.0; n],
            column: vec![0; n],
            first_child: vec![0; n],
            n_children: vec![0; n],
            missing_child: vec![0; n],
            rows: vec![0; n],
            gain: vec![0.0; n],
            mass: NodeMasses::Table(Vec::new()),
            sets: slice_tree_words(&self.sets, &self.sets_before, tree),
            groups: slice_tree_words(&self.groups, &self.groups_before, tree),
            tables: Vec::new(),
            statistics: TargetStatisticTables::default(),
        };
        for (place, node) in self.nodes[start..end].iter().enumerate() {
            if node.column & IS_LEAF != 0 {
                arrays.rows[place] = self.leaf_rows[leaves];
                leaves += 1;
                continue;
            }
            let split = self.non_threshold_split(*node);
            arrays.kind[place] = split.kind;
            arrays.operand[place] = split.operand;
            arrays.column[place] = node.column & !(IS_OTHER | MISSING_RIGHT);
            arrays.first_child[place] = node.child;
            arrays.n_children[place] = split.n_children;
            arrays.missing_child[place] = split.missing_child;
            arrays.gain[place] = self.gain[inner];
            arrays.rows[place] = self.inner_rows[inner];
            inner += 1;
        }
        arrays.mass = node_class_masses(
            &arrays,
            self.root_class_masses(tree),
            (&self.leaf_mass, self.leaves_before[tree]),
        );
        arrays
    }
}

impl CompactForest {
    fn non_threshold_split(&self, node: Node) -> NonThresholdSplit {
        if node.column & IS_OTHER != 0 {
            // Indices are nonnegative integers, so their conversion from `f64` is exact.
            #[allow(clippy::cast_sign_loss)]
            return self.others[node.operand as usize];
        }
        let missing_child = u32::from(node.column & MISSING_RIGHT != 0);
        NonThresholdSplit { kind: BELOW, operand: node.operand, n_children: 2, missing_child }
    }
}

fn slice_tree_words(words: &[u32], before: &[usize], tree: usize) -> Vec<u32> {
    let end = before.get(tree + 1).copied().unwrap_or(words.len());
    words[before[tree]..end].to_vec()
}
