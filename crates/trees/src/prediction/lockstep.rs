//! Traversal of threshold trees in which many rows advance together.
//!
//! If rows are traversed one by one, every step waits for a memory load, and the end of the loop is often
//! mispredicted. Therefore the top of the tree is evaluated completely for every row, as in
//! [`super::shallow_tree`] (Lucchese, Nardini, Orlando, Perego, Tonellotto and Venturini 2015, section 3).
//! This top subtree consists of the splits with the most training rows. It has at most 64 exits: the nodes
//! directly below it. In trees for rare classes, which are deep and unbalanced, the top subtree covers more
//! than half of all steps.
//!
//! Below the top subtree, many rows advance one step at a time, independently of each other. All indices are
//! masked to arrays of constant length, so that the compiler emits gather instructions if the processor has
//! them.

use crate::prediction::row_block::{CHUNK, ROOM, RowBlock};
use imbcore_core::{Result, memory};
use multiversion::multiversion;
use std::collections::BinaryHeap;

const NODES: &str = "nodes of trees laid out for many rows";

/// Maximum number of exits of the top subtree, which are the nodes directly below it.
const EXITS: usize = 64;

/// Number of rows that advance together.
/// After every `STEPS` steps, rows that have reached leaves are removed.
const LANES: usize = 64;
const STEPS: usize = 4;

/// Fixed lengths of the node arrays: for trees with few nodes, and for all other trees.
///
/// Node indices are masked to these lengths, so that no bounds checks are needed.
const SMALL: usize = 1 << 13;
const LARGE: usize = 1 << 18;

/// Minimum number of rows for which building the memory layout saves time.
/// In addition, there must be at least one row for every `NODES_A_ROW` nodes.
const FEWEST_ROWS: usize = 1 << 9;
const NODES_A_ROW: usize = 1 << 5;

/// Node of a tree, as input for the memory layout.
#[derive(Clone, Copy, Debug)]
pub struct LayoutNode {
    /// Number of training rows that reached the node.
    pub rows: u32,
    /// Split of the node, or its leaf index.
    pub split: LayoutSplit,
}

/// Split of a node, or its leaf index.
#[derive(Clone, Copy, Debug)]
pub enum LayoutSplit {
    /// Leaf, with its leaf index.
    Leaf(u32),
    /// Split by a threshold.
    /// Values at most the threshold go to node `child`, larger values to node `child + 1`.
    Below {
        /// Column of the split.
        column: u32,
        /// Threshold of the split.
        threshold: f64,
        /// Index of the first child.
        child: u32,
    },
    /// Split that is not a threshold.
    Other,
}

/// Trees in a memory layout for lockstep traversal.
#[derive(Debug, Default)]
pub struct LockstepTrees {
    /// Thresholds of all nodes below the top subtrees.
    /// A leaf has an infinite threshold, so that rows at a leaf stay there.
    thresholds: Vec<f64>,
    /// Column of each node in the low bits, and the index of its first child in the high bits.
    /// The first child of a leaf is the leaf itself.
    links: Vec<u32>,
    /// Leaf index of every leaf; 0 for other nodes.
    leaves: Vec<u32>,
    column_bits: u32,
    trees: Vec<Option<TreeLayout>>,
}

#[derive(Debug)]
struct TreeLayout {
    top: Vec<TopSubtreeNode>,
    /// Index of the tree's first node in the arrays.
    /// The first nodes are the exits, which are directly below the top subtree.
    start: usize,
    n_nodes: usize,
}

/// Split in the top subtree.
///
/// A row with a value above the threshold cannot reach the exits in the bit set `left`, which are below the
/// left child.
#[derive(Clone, Copy, Debug)]
struct TopSubtreeNode {
    column: u32,
    threshold: f64,
    left: u64,
}

/// Pairs of row and current node during a traversal; the buffer is reused between calls.
///
/// An array of pairs is faster than two arrays.
#[derive(Debug, Default)]
pub struct RowPositions(Vec<[u32; 2]>);

impl LockstepTrees {
    /// Returns whether building the layout saves time for this number of rows and nodes.
    pub fn is_lockstep_faster(n_rows: usize, n_nodes: usize) -> bool {
        n_rows >= FEWEST_ROWS && n_rows.saturating_mul(NODES_A_ROW) >= n_nodes
    }

    /// Builds the memory layout of trees on `n_columns` columns.
    ///
    /// # Errors
    /// Errors of the tree iterator, [`imbcore_core::Error::Memory`].
    pub fn new(n_columns: usize, trees: impl Iterator<Item = Result<Vec<LayoutNode>>>) -> Result<Self> {
        let mut all = Self { column_bits: usize::BITS - n_columns.leading_zeros(), ..Self::default() };
        for tree in trees {
            let tree = tree?;
            memory::reserve(&mut all.links, tree.len(), NODES)?;
            memory::reserve(&mut all.thresholds, tree.len(), NODES)?;
            memory::reserve(&mut all.leaves, tree.len(), NODES)?;
            let laid = all.add_tree(&tree);
            all.trees.push(laid);
        }
        let end = |tree: &TreeLayout| tree.start + if tree.n_nodes <= SMALL { SMALL } else { LARGE };
        let end = all.trees.iter().flatten().map(end).max().unwrap_or_default();
        all.thresholds.resize(end, 0.0);
        all.links.resize(end, 0);
        Ok(all)
    }

    /// Adds a tree; `None` if the tree has too many nodes, or a split without a threshold.
    fn add_tree(&mut self, tree: &[LayoutNode]) -> Option<TreeLayout> {
        let most = LARGE.min(u32::MAX as usize >> self.column_bits);
        if tree.len() > most || tree.iter().any(|step| matches!(step.split, LayoutSplit::Other)) {
            return None;
        }
        let (top, mut order) = select_top_subtree(tree);
        let start = self.links.len();
        self.links.resize(start + order.len(), 0);
        let mut open: Vec<usize> = (0..order.len()).rev().collect();
        while let Some(place) = open.pop() {
            self.links.resize(start + order.len(), 0);
            let LayoutSplit::Below { column, child, .. } = tree[order[place] as usize].split else {
                self.links[start + place] = (place as u32) << self.column_bits;
                continue;
            };
            let first = order.len();
            self.links[start + place] = (first as u32) << self.column_bits | column;
            order.extend([child, child + 1]);
            // The pair of children below the child with more training rows is placed next in memory.
            let [first_rows, second_rows] = [child, child + 1].map(|node| tree[node as usize].rows);
            let heavier = usize::from(second_rows > first_rows);
            open.extend([first + 1 - heavier, first + heavier]);
        }
        for &node in &order {
            let (threshold, leaf) = match tree[node as usize].split {
                LayoutSplit::Below { threshold, .. } => (threshold, 0),
                LayoutSplit::Leaf(leaf) => (f64::INFINITY, leaf),
                LayoutSplit::Other => (f64::INFINITY, 0),
            };
            self.thresholds.push(threshold);
            self.leaves.push(leaf);
        }
        Some(TreeLayout { top, start, n_nodes: order.len() })
    }

    /// Writes for every row of a block the index of the leaf that it reaches in one tree.
    ///
    /// Returns false, and writes nothing, if the tree or the block does not support lockstep traversal.
    pub fn write_leaves(
        &self,
        tree: usize,
        block: &RowBlock,
        walkers: &mut RowPositions,
        out: &mut [u32],
    ) -> bool {
        let (Some(laid), Some((values, stride))) = (&self.trees[tree], block.padded_values()) else {
            return false;
        };
        let traversal = RowTraversal {
            top: &laid.top,
            thresholds: &self.thresholds[laid.start..],
            links: &self.links[laid.start..],
            column_bits: self.column_bits,
            values,
            stride: stride as u32,
        };
        if laid.n_nodes <= SMALL {
            traverse_levels::<SMALL>(traversal, &mut walkers.0, out);
        } else {
            traverse_levels::<LARGE>(traversal, &mut walkers.0, out);
        }
        let leaves = &self.leaves[laid.start..];
        for leaf in out {
            *leaf = leaves[*leaf as usize];
        }
        true
    }
}

fn select_top_subtree(tree: &[LayoutNode]) -> (Vec<TopSubtreeNode>, Vec<u32>) {
    let mut inside = vec![false; tree.len()];
    let mut edge = BinaryHeap::from([(tree[0].rows, 0_u32)]);
    let mut n_exits = 1;
    while n_exits < EXITS
        && let Some((_, node)) = edge.pop()
    {
        if let LayoutSplit::Below { child, .. } = tree[node as usize].split {
            inside[node as usize] = true;
            n_exits += 1;
            edge.extend([child, child + 1].map(|node| (tree[node as usize].rows, node)));
        }
    }
    let (mut top, mut exits) = (Vec::new(), Vec::new());
    add_top_nodes(tree, 0, &inside, &mut top, &mut exits);
    (top, exits)
}

fn add_top_nodes(
    tree: &[LayoutNode],
    node: u32,
    inside: &[bool],
    top: &mut Vec<TopSubtreeNode>,
    exits: &mut Vec<u32>,
) {
    match tree[node as usize].split {
        LayoutSplit::Below { column, threshold, child } if inside[node as usize] => {
            let before = exits.len();
            add_top_nodes(tree, child, inside, top, exits);
            // The right subtree has at least one of the at most 64 exits, so both shifts are by fewer than 64
            // bits.
            let left = (1 << exits.len()) - (1 << before);
            top.push(TopSubtreeNode { column, threshold, left });
            add_top_nodes(tree, child + 1, inside, top, exits);
        }
        _ => exits.push(node),
    }
}

#[derive(Clone, Copy)]
struct RowTraversal<'t> {
    top: &'t [TopSubtreeNode],
    thresholds: &'t [f64],
    links: &'t [u32],
    column_bits: u32,
    values: &'t [f64; ROOM],
    stride: u32,
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
// The macro requires a named lifetime.
#[allow(clippy::needless_lifetimes)]
fn traverse_levels<'t, const NODES: usize>(
    walk: RowTraversal<'t>,
    walkers: &mut Vec<[u32; 2]>,
    out: &mut [u32],
) {
    walk.write_subtree_exits(out);
    walk.traverse_below_top::<NODES>(walkers, out);
}

// The functions of this block are always inlined, because they must be compiled for the instruction set of
// their caller.
#[allow(clippy::inline_always)]
impl RowTraversal<'_> {
    #[inline(always)]
    fn write_subtree_exits(&self, out: &mut [u32]) {
        for (chunk, out) in out.chunks_mut(CHUNK).enumerate() {
            let mut ruled_out = [0_u64; CHUNK];
            for &TopSubtreeNode { column, threshold, left } in self.top {
                let first = (column * self.stride) as usize + chunk * CHUNK;
                let values = &self.values[first..first + CHUNK];
                for (ruled_out, &value) in ruled_out.iter_mut().zip(values) {
                    *ruled_out |= if value > threshold { left } else { 0 };
                }
            }
            for (out, ruled_out) in out.iter_mut().zip(ruled_out) {
                *out = ruled_out.trailing_ones();
            }
        }
    }

    #[inline(always)]
    // With iterators instead of indices, the compiler vectorizes the unpacking of pairs, which is slower.
    #[allow(clippy::needless_range_loop)]
    fn traverse_below_top<const NODES: usize>(&self, walkers: &mut Vec<[u32; 2]>, out: &mut [u32]) {
        let (Some(thresholds), Some(links)) = (self.thresholds.first_chunk(), self.links.first_chunk())
        else {
            return;
        };
        let (thresholds, links): (&[f64; NODES], &[u32; NODES]) = (thresholds, links);
        let (values, stride, bits) = (self.values, self.stride, self.column_bits);
        let is_under_way = |node: u32| links[node as usize % NODES] >> bits != node;
        walkers.resize(out.len() + LANES, [0; 2]);
        let mut n = 0;
        for (row, &node) in out.iter().enumerate() {
            walkers[n] = [row as u32, node];
            n += usize::from(is_under_way(node));
        }
        while n > 0 {
            let mut kept = 0;
            for start in (0..n).step_by(LANES) {
                let Some(here) = walkers[start..].first_chunk::<LANES>() else { break };
                let (mut rows, mut nodes) = ([0; LANES], [0; LANES]);
                for lane in 0..LANES {
                    [rows[lane], nodes[lane]] = here[lane];
                }
                for _ in 0..STEPS {
                    for (node, row) in nodes.iter_mut().zip(rows) {
                        let place = *node as usize % NODES;
                        let link = links[place];
                        let column = link & ((1 << bits) - 1);
                        let value = values[(row + column * stride) as usize % ROOM];
                        *node = (link >> bits) + u32::from(value > thresholds[place]);
                    }
                }
                for lane in 0..LANES.min(n - start) {
                    let (row, node) = (rows[lane], nodes[lane]);
                    out[row as usize] = node;
                    walkers[kept] = [row, node];
                    kept += usize::from(is_under_way(node));
                }
            }
            n = kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Frame, SeedKey, random_below};

    /// Some thresholds equal values of the rows; the index of a leaf is its node index.
    fn drawn(n_leaves: usize, n_columns: u32, seed: u64) -> Vec<LayoutNode> {
        let mut rng = SeedKey::root(seed).rng();
        let mut tree = vec![LayoutNode { rows: 1 << 20, split: LayoutSplit::Leaf(0) }];
        let mut leaves = vec![0];
        while leaves.len() < n_leaves {
            // Mostly one of the last leaves is split, so that the tree is deep on one side.
            let span = if random_below(&mut rng, 4) > 0 { leaves.len().min(3) } else { leaves.len() };
            let node: usize =
                leaves.swap_remove(leaves.len() - 1 - random_below(&mut rng, span as u32) as usize);
            let (column, threshold) =
                (random_below(&mut rng, n_columns), f64::from(random_below(&mut rng, 33)) / 2.0);
            let child = tree.len();
            tree[node].split = LayoutSplit::Below { column, threshold, child: child as u32 };
            let rows = tree[node].rows;
            let left = random_below(&mut rng, rows.max(1));
            for (place, rows) in [left, rows - left].into_iter().enumerate() {
                tree.push(LayoutNode { rows, split: LayoutSplit::Leaf((child + place) as u32) });
                leaves.push(child + place);
            }
        }
        tree
    }

    fn reference_leaf(tree: &[LayoutNode], row: &[f64]) -> u32 {
        let mut node = 0;
        loop {
            match tree[node].split {
                LayoutSplit::Below { column, threshold, child } => {
                    node = child as usize + usize::from(row[column as usize] > threshold);
                }
                LayoutSplit::Leaf(leaf) => return leaf,
                LayoutSplit::Other => unreachable!(),
            }
        }
    }

    #[test]
    fn leaves_are_those_of_a_walk() {
        for width in [1, 7, 64] {
            let sizes = [1, 2, 63, 64, 65, 300, SMALL, SMALL + 70];
            let trees: Vec<_> = sizes.iter().map(|&size| drawn(size, width as u32, size as u64)).collect();
            let lockstep = LockstepTrees::new(width, trees.iter().cloned().map(Ok)).unwrap();
            let n = 333;
            let values: Vec<f64> = (0..(n * width) as u32)
                .map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 23) / 32.0)
                .map(|value| if value > 12.0 { value.floor() } else { value })
                .collect();
            let frame = Frame::from_row_major(&values, n, width).unwrap();
            let (mut block, mut walkers) = (RowBlock::default(), RowPositions::default());
            for rows in [0..n, 0..128, 130..131, 200..n] {
                block.load_rows(&frame, rows.clone(), true).unwrap();
                for (place, tree) in trees.iter().enumerate() {
                    let mut out = vec![7; rows.len()];
                    assert!(lockstep.write_leaves(place, &block, &mut walkers, &mut out));
                    let expected: Vec<u32> = values[rows.start * width..rows.end * width]
                        .chunks_exact(width)
                        .map(|row| reference_leaf(tree, row))
                        .collect();
                    assert_eq!(out, expected, "{} leaves, {width} columns", sizes[place]);
                }
            }
        }
    }

    #[test]
    fn unsupported_trees_and_blocks_are_rejected() {
        let mut other = drawn(5, 2, 3);
        other[0].split = LayoutSplit::Other;
        let trees = [drawn(9, 2, 1), other, drawn(LARGE, 2, 2)];
        let lockstep = LockstepTrees::new(2, trees.into_iter().map(Ok)).unwrap();
        let (mut block, mut walkers, mut out) = (RowBlock::default(), RowPositions::default(), [5, 5]);
        let mut routed = |values: &[f64], roomy| {
            block.load_rows(&Frame::from_row_major(values, 2, 2).unwrap(), 0..2, roomy).unwrap();
            [0, 1, 2].map(|tree| lockstep.write_leaves(tree, &block, &mut walkers, &mut out))
        };
        assert_eq!(routed(&[1.0, 2.0, 3.0, f64::NAN], true), [false; 3]);
        assert_eq!(routed(&[1.0, 2.0, 3.0, 4.0], false), [false; 3]);
        assert_eq!(routed(&[1.0, 2.0, 3.0, 4.0], true), [true, false, false]);
        assert!(
            LockstepTrees::is_lockstep_faster(FEWEST_ROWS, 100)
                && !LockstepTrees::is_lockstep_faster(FEWEST_ROWS - 1, 100)
        );
        assert!(!LockstepTrees::is_lockstep_faster(FEWEST_ROWS, FEWEST_ROWS * NODES_A_ROW + 1));
    }
}
