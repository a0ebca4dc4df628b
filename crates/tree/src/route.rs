//! Sending rows down a tree.

use crate::tree::{Cut, Tree};
use imbcore_base::{Column, Frame, Result, RunCtl};
use rayon::prelude::*;

/// Rows routed between two looks at the stop flag.
const BLOCK: usize = 1 << 12;

/// Fills `out` for blocks of rows in parallel; `fill(rows, block)` writes `width` values a row.
pub(crate) fn by_blocks<T: Send + Clone + Default>(
    n_rows: usize,
    width: usize,
    ctl: RunCtl<'_>,
    fill: impl Fn(std::ops::Range<usize>, &mut [T]) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let mut out = vec![T::default(); n_rows * width];
    out.par_chunks_mut(BLOCK * width.max(1)).enumerate().try_for_each(|(index, block)| {
        ctl.check()?;
        let start = index * BLOCK;
        fill(start..start + block.len() / width.max(1), block)
    })?;
    Ok(out)
}

/// Child of `node` that `row` goes to; the missing child where it has no value.
pub(crate) fn next_node(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> usize {
    let branch = known_branch(tree, node, columns, row).unwrap_or_else(|| tree.missing_branch(node));
    tree.children(node).start + branch
}

/// Branch of a row, or none if it has no value to decide by. Leaves have branch 0.
pub(crate) fn known_branch(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> Option<usize> {
    let column = &columns[tree.column(node)];
    if matches!(tree.cut(node), Cut::Leaf) {
        return Some(0);
    }
    if column.is_missing(row) {
        return None;
    }
    match (tree.cut(node), column) {
        (Cut::Below(threshold), Column::Numeric(values)) => Some(usize::from(values.get(row) > threshold)),
        (Cut::IsLevel(level), Column::Nominal { codes, .. }) => Some(usize::from(codes[row] != level)),
        (Cut::EachLevel, Column::Nominal { codes, .. }) => Some(codes[row] as usize),
        _ => Some(0),
    }
}

/// Leaf of every row, where rows without a value go one way.
///
/// # Errors
/// [`imbcore_base::Error::Column`] for an infinity.
pub(crate) fn leaves(tree: &Tree, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
    if let Some(walk) = Walk::new(tree, frame.columns()) {
        if let Some(matrix) = frame.row_major() {
            return walk.leaves(frame, &RowMajor { matrix, n_columns: frame.n_columns() }, ctl);
        }
        return walk.leaves(frame, frame.columns(), ctl);
    }
    frame.check_finite()?;
    let columns = frame.columns();
    by_blocks(frame.n_rows(), 1, ctl, |rows, out| {
        for (row, leaf) in rows.zip(out) {
            let mut node = 0;
            while tree.cut(node) != Cut::Leaf {
                node = next_node(tree, node, columns, row);
            }
            *leaf = node as u32;
        }
        Ok(())
    })
}

/// Numbers by row and column.
trait Numbers: Sync {
    fn number(&self, row: usize, column: usize) -> f64;
}

struct RowMajor<'a> {
    matrix: &'a [f64],
    n_columns: usize,
}

impl Numbers for RowMajor<'_> {
    #[inline]
    fn number(&self, row: usize, column: usize) -> f64 {
        self.matrix[row * self.n_columns + column]
    }
}

impl Numbers for [Column<'_>] {
    #[inline]
    fn number(&self, row: usize, column: usize) -> f64 {
        match &self[column] {
            Column::Numeric(values) => values.get(row),
            // A walk splits on numeric columns only.
            Column::Nominal { .. } => f64::NAN,
        }
    }
}

/// Set on the number of a child that is a leaf.
const LEAF: u32 = 1 << 31;

/// One inner node of a purely numeric tree.
#[derive(Clone, Copy)]
struct Packed {
    threshold: f64,
    column: u32,
    children: [u32; 2],
}

/// A tree of numeric cuts only, packed for walking.
struct Walk {
    nodes: Vec<Packed>,
    root: u32,
    /// Whether rows without a value go to the second child.
    missing_right: Vec<bool>,
}

/// Rows that a walk keeps under way at a time.
const GROUP: usize = 64;

impl Walk {
    fn new(tree: &Tree, columns: &[Column<'_>]) -> Option<Self> {
        let is_numeric = |node| matches!(columns[tree.column(node)], Column::Numeric(_));
        let marked = |node: usize| if tree.cut(node) == Cut::Leaf { node as u32 | LEAF } else { node as u32 };
        let nodes = (0..tree.n_nodes())
            .map(|node| {
                let threshold = match tree.cut(node) {
                    Cut::Below(threshold) => threshold,
                    Cut::Known if is_numeric(node) => f64::INFINITY,
                    Cut::Leaf => {
                        return Some(Packed { threshold: 0.0, column: 0, children: [marked(node); 2] });
                    }
                    _ => return None,
                };
                let first = tree.children(node).start;
                let children = [marked(first), marked(first + 1)];
                Some(Packed { threshold, column: tree.column(node) as u32, children })
            })
            .collect::<Option<Vec<_>>>()?;
        let missing_right = (0..tree.n_nodes()).map(|node| tree.missing_branch(node) == 1).collect();
        Some(Self { nodes, root: marked(0), missing_right })
    }

    fn leaves<N: Numbers + ?Sized>(
        &self,
        frame: &Frame<'_>,
        numbers: &N,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<u32>> {
        by_blocks(frame.n_rows(), 1, ctl, |rows, out| {
            for (index, out) in out.chunks_mut(GROUP).enumerate() {
                let first = rows.start + index * GROUP;
                let content = frame.content(first..first + out.len());
                if content.infinite {
                    frame.check_finite()?;
                }
                if content.missing {
                    self.walk::<_, true>(numbers, first, out);
                } else {
                    self.walk::<_, false>(numbers, first, out);
                }
            }
            Ok(())
        })
    }

    /// Moves all rows of a group one level at a time; rows drop out at their leaves. The steps of different rows
    /// do not wait for each other, so their memory accesses overlap.
    fn walk<N: Numbers + ?Sized, const MISSING: bool>(&self, numbers: &N, first: usize, out: &mut [u32]) {
        out.fill(self.root & !LEAF);
        if self.root & LEAF != 0 {
            return;
        }
        // (row within the group, node it stands at)
        let mut under_way: [(u32, u32); GROUP] = std::array::from_fn(|row| (row as u32, self.root));
        let mut n_under_way = out.len();
        while n_under_way > 0 {
            let mut kept = 0;
            for place in 0..n_under_way {
                let (row, node) = under_way[place];
                let Packed { threshold, column, children } = self.nodes[node as usize];
                let number = numbers.number(first + row as usize, column as usize);
                let mut right = number > threshold;
                if MISSING && number.is_nan() {
                    right = self.missing_right[node as usize];
                }
                let next = children[usize::from(right)];
                out[row as usize] = next & !LEAF;
                under_way[kept] = (row, next);
                kept += usize::from(next & LEAF == 0);
            }
            n_under_way = kept;
        }
    }
}

/// Leaves of one row with their shares, where rows without a value go every way.
pub(crate) fn shares(
    tree: &Tree,
    columns: &[Column<'_>],
    row: usize,
    stack: &mut Vec<(usize, f64)>,
    mut reach: impl FnMut(usize, f64),
) {
    stack.clear();
    stack.push((0, 1.0));
    while let Some((node, share)) = stack.pop() {
        if tree.cut(node) == Cut::Leaf {
            reach(node, share);
            continue;
        }
        let children = tree.children(node);
        if let Some(branch) = known_branch(tree, node, columns, row) {
            stack.push((children.start + branch, share));
            continue;
        }
        // Children that training never reached have no mass of their own and get no share.
        let mass =
            |child: usize| if tree.rows(child) == 0 { 0.0 } else { tree.mass(child).iter().sum::<f64>() };
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
