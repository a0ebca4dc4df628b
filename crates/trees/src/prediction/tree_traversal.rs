//! Traversal of a tree by many rows, which are processed in blocks.

use crate::prediction::lockstep::{LayoutNode, LayoutSplit, LockstepTrees, RowPositions};
use crate::prediction::row_block::{RowBlock as Columns, has_missing};
use crate::prediction::shallow_tree::ShallowTree;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Frame, Result, RunContext, memory, parallel};

const BLOCK: usize = 1 << 11;

/// Maximum number of columns with which the lockstep traversal of a single tree is used.
///
/// The lockstep traversal copies all columns of a block. With more columns, values are read in place, because
/// the tree uses only some of the columns.
const MAX_TRANSPOSED_COLUMNS: usize = 32;

/// `fill(rows, block)` writes `width` values for each row in `rows` to `block`.
pub(crate) fn compute_in_blocks<T: Send + Clone + Default>(
    n_rows: usize,
    width: usize,
    ctl: RunContext<'_>,
    fill: impl Fn(std::ops::Range<usize>, &mut [T]) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let mut out = memory::filled(n_rows * width, T::default(), "predictions")?;
    fill_in_blocks(&mut out, width, ctl, fill)?;
    Ok(out)
}

pub(crate) fn fill_in_blocks<T: Send>(
    out: &mut [T],
    width: usize,
    ctl: RunContext<'_>,
    fill: impl Fn(std::ops::Range<usize>, &mut [T]) -> Result<()> + Sync,
) -> Result<()> {
    let block_rows = ctl.task_size(BLOCK);
    parallel::try_map(out.chunks_mut(block_rows * width.max(1)).enumerate(), |(index, block)| {
        ctl.check()?;
        let start = index * block_rows;
        fill(start..start + block.len() / width.max(1), block)
    })?;
    Ok(())
}

pub(crate) struct TreeTraversal<'t> {
    tree: &'t Tree,
    lockstep: Option<LockstepTrees>,
}

#[derive(Default)]
struct TraversalBuffers {
    columns: Columns,
    walkers: RowPositions,
    leaves: Vec<u32>,
}

impl<'t> TreeTraversal<'t> {
    pub(crate) fn new(tree: &'t Tree, frame: &Frame<'_>) -> Result<Self> {
        let pays = frame.n_columns() <= MAX_TRANSPOSED_COLUMNS
            && ShallowTree::new(tree).is_none()
            && LockstepTrees::is_lockstep_faster(frame.n_rows(), tree.n_nodes());
        let lay_out = || LockstepTrees::new(frame.n_columns(), std::iter::once(Ok(list_layout_nodes(tree))));
        Ok(Self { tree, lockstep: pays.then(lay_out).transpose()? })
    }

    /// Computes `width` values for every row from the leaf that the row reaches, block by block.
    ///
    /// The closure `say` receives a list of leaves, and writes `width` values for each leaf.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity; [`imbcore_core::Error::Cancelled`],
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn map_leaves<T: Send + Clone + Default>(
        &self,
        frame: &Frame<'_>,
        width: usize,
        ctl: RunContext<'_>,
        say: impl Fn(&[u32], &mut [T]) + Sync,
    ) -> Result<Vec<T>> {
        let mut out = memory::filled(frame.n_rows() * width, T::default(), "predictions")?;
        let size = ctl.task_size(BLOCK.min(Columns::block_size(frame.n_columns())));
        let blocks = out.chunks_mut(size * width.max(1)).enumerate();
        parallel::try_map_with(blocks, TraversalBuffers::default, |scratch, (index, out)| {
            ctl.check()?;
            let start = index * size;
            self.find_leaves(frame, start..start + out.len() / width.max(1), scratch)?;
            say(&scratch.leaves, out);
            Ok(())
        })?;
        Ok(out)
    }

    fn find_leaves(
        &self,
        frame: &Frame<'_>,
        rows: std::ops::Range<usize>,
        TraversalBuffers { columns, walkers, leaves }: &mut TraversalBuffers,
    ) -> Result<()> {
        let missing = has_missing(frame, rows.clone())?;
        leaves.resize(rows.len(), 0);
        if let Some(lockstep) = self.lockstep.as_ref().filter(|_| !missing) {
            columns.fill(frame, rows.clone(), missing, true);
            if lockstep.write_leaves(0, columns, walkers, leaves) {
                return Ok(());
            }
        }
        write_block_leaves(self.tree, frame, (rows.start, missing), leaves);
        Ok(())
    }
}

/// Lists the nodes of a tree for the lockstep layout; a leaf is identified by its node index.
fn list_layout_nodes(tree: &Tree) -> Vec<LayoutNode> {
    let way = |node: usize| match tree.split(node) {
        TreeSplit::Leaf => LayoutSplit::Leaf(node as u32),
        TreeSplit::Below(threshold) => LayoutSplit::Below {
            column: tree.column(node) as u32,
            threshold,
            child: tree.children(node).start as u32,
        },
        _ => LayoutSplit::Other,
    };
    (0..tree.n_nodes()).map(|node| LayoutNode { rows: tree.n_node_rows(node), split: way(node) }).collect()
}

pub(crate) fn next_node(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> usize {
    let branch = branch_of_row(tree, node, columns, row).unwrap_or_else(|| tree.missing_branch(node));
    tree.children(node).start + branch
}

/// Branch to which a row goes; `None` if the value is missing.
///
/// At a split by a target statistic, missing values have a branch. The result is 0 if the node is a leaf.
pub(crate) fn branch_of_row(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> Option<usize> {
    let column = &columns[tree.column(node)];
    match (tree.split(node), column) {
        (TreeSplit::Leaf, _) => return Some(0),
        (TreeSplit::StatisticAtMost { table, threshold }, Column::Nominal { codes, .. }) => {
            return Some(tree.branch_by_level_statistic(table, threshold, codes[row]));
        }
        _ => {}
    }
    if column.is_missing(row) {
        return None;
    }
    match (tree.split(node), column) {
        (TreeSplit::Below(threshold), Column::Numeric(values)) => {
            Some(usize::from(values.get(row) > threshold))
        }
        (TreeSplit::IsLevel(level), Column::Nominal { codes, .. }) => Some(usize::from(codes[row] != level)),
        (TreeSplit::InLevels(set), Column::Nominal { codes, .. }) => {
            Some(usize::from(!tree.is_level_in_set(set, codes[row])))
        }
        (TreeSplit::EachLevel, Column::Nominal { codes, .. }) => Some(codes[row] as usize),
        _ => Some(0),
    }
}

/// Returns the leaf of every row; each row goes to only one child at every split.
///
/// # Errors
/// [`imbcore_core::Error::Column`] for an infinity; [`imbcore_core::Error::Cancelled`],
/// [`imbcore_core::Error::Memory`].
pub(crate) fn leaf_of_rows(tree: &Tree, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
    TreeTraversal::new(tree, frame)?.map_leaves(frame, 1, ctl, |leaves, out| out.copy_from_slice(leaves))
}

/// `first` is the first row; `may_miss` states whether any value in the block is missing.
pub(crate) fn write_block_leaves(
    tree: &Tree,
    frame: &Frame<'_>,
    (first, may_miss): (usize, bool),
    out: &mut [u32],
) {
    match ShallowTree::new(tree) {
        Some(tree) if !may_miss => tree.write_leaves(frame, first, out),
        _ => PartitionTraversal { tree, frame, first, may_miss }.write_leaves(out),
    }
}

/// Traversal that partitions a block of rows node by node.
///
/// At each node, the rows are partitioned in place, as in training. The column and threshold of the node stay
/// in registers. Rows are independent of each other, so the processor overlaps their steps. If a row were
/// traversed from the root to its leaf, each step would have to wait for the previous one.
struct PartitionTraversal<'t> {
    tree: &'t Tree,
    frame: &'t Frame<'t>,
    first: usize,
    may_miss: bool,
}

impl PartitionTraversal<'_> {
    fn write_leaves(&self, out: &mut [u32]) {
        let mut rows: Vec<u32> = (0..out.len() as u32).collect();
        let mut stack = vec![(0, 0..rows.len())];
        while let Some((node, here)) = stack.pop() {
            let children = self.tree.children(node);
            let part = &mut rows[here.clone()];
            if children.is_empty() {
                for &row in &*part {
                    out[row as usize] = node as u32;
                }
                continue;
            }
            if self.tree.split(node) == TreeSplit::EachLevel {
                let branch = |&row: &u32| self.branch(node, row);
                part.sort_unstable_by_key(branch);
                let mut start = here.start;
                for group in part.chunk_by(|a, b| branch(a) == branch(b)) {
                    stack.push((children.start + branch(&group[0]), start..start + group.len()));
                    start += group.len();
                }
                continue;
            }
            let middle = here.start + self.partition_node(node, part);
            let halves = [(children.start + 1, middle..here.end), (children.start, here.start..middle)];
            stack.extend(halves.into_iter().filter(|(_, part)| !part.is_empty()));
        }
    }

    fn branch(&self, node: usize, row: u32) -> usize {
        let row = self.first + row as usize;
        branch_of_row(self.tree, node, self.frame.columns(), row)
            .unwrap_or_else(|| self.tree.missing_branch(node))
    }

    /// Rows of the first child come first; returns their number.
    fn partition_node(&self, node: usize, rows: &mut [u32]) -> usize {
        let column = self.tree.column(node);
        match (self.tree.split(node), &self.frame.columns()[column]) {
            (TreeSplit::Below(threshold), Column::Numeric(values)) if !self.may_miss => {
                let (data, stride) = values.slice_from_row(self.first);
                partition_rows(rows, |row| data[row as usize * stride] <= threshold)
            }
            (TreeSplit::IsLevel(level), Column::Nominal { codes, .. }) if !self.may_miss => {
                let codes = &codes[self.first..];
                partition_rows(rows, |row| codes[row as usize] == level)
            }
            (TreeSplit::InLevels(set), Column::Nominal { codes, .. }) if !self.may_miss => {
                let codes = &codes[self.first..];
                partition_rows(rows, |row| self.tree.is_level_in_set(set, codes[row as usize]))
            }
            (TreeSplit::StatisticAtMost { table, threshold }, Column::Nominal { codes, .. }) => {
                let codes = &codes[self.first..];
                partition_rows(rows, |row| {
                    self.tree.branch_by_level_statistic(table, threshold, codes[row as usize]) == 0
                })
            }
            _ => partition_rows(rows, |row| self.branch(node, row) == 0),
        }
    }
}

/// Lomuto's partition without conditional jumps, because the side of a row is unpredictable.
#[inline]
// With `swap`, the compiler reads `rows[place]` again after a store to `rows`, which is slower.
#[allow(clippy::manual_swap)]
fn partition_rows(rows: &mut [u32], is_left: impl Fn(u32) -> bool) -> usize {
    let mut n_left = 0;
    for place in 0..rows.len() {
        let row = rows[place];
        rows[place] = rows[n_left];
        rows[n_left] = row;
        n_left += usize::from(is_left(row));
    }
    n_left
}

/// At a missing value, fractions of the row go to the children.
pub(crate) fn for_each_leaf_fraction(
    tree: &Tree,
    columns: &[Column<'_>],
    row: usize,
    stack: &mut Vec<(usize, f64)>,
    mut reach: impl FnMut(usize, f64),
) {
    stack.clear();
    stack.push((0, 1.0));
    while let Some((node, share)) = stack.pop() {
        if tree.split(node) == TreeSplit::Leaf {
            reach(node, share);
            continue;
        }
        let children = tree.children(node);
        if let Some(branch) = branch_of_row(tree, node, columns, row) {
            stack.push((children.start + branch, share));
            continue;
        }
        // The fractions are proportional to the masses of the children. The mass is 0 for children that no
        // training row reached.
        let mass = |child: usize| tree.mass_reaching_node(child);
        let total: f64 = children.clone().map(mass).sum();
        if total > 0.0 {
            stack.extend(
                children.rev().map(|child| (child, share * mass(child) / total)).filter(|part| part.1 > 0.0),
            );
        } else {
            stack.push((children.start + tree.missing_branch(node), share));
        }
    }
}
