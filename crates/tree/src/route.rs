//! Sending rows down a tree.

use crate::tree::{Cut, Tree};
use imbcore_base::{Column, Frame, Result, RunCtl, Strided};
use rayon::prelude::*;

/// Rows routed between two looks at the stop flag.
const BLOCK: usize = 1 << 12;

/// Rows walked side by side, so that the waits for memory of one overlap with the steps of the others.
const LANES: usize = 8;

/// Fills `out` for blocks of rows in parallel; `fill(rows, block)` writes `width` values a row.
pub(crate) fn by_blocks<T: Send + Clone + Default>(
    n_rows: usize,
    width: usize,
    ctl: RunCtl<'_>,
    fill: impl Fn(std::ops::Range<usize>, &mut [T]) + Sync,
) -> Result<Vec<T>> {
    let mut out = vec![T::default(); n_rows * width];
    out.par_chunks_mut(BLOCK * width.max(1)).enumerate().try_for_each(|(index, block)| {
        ctl.check()?;
        let start = index * BLOCK;
        fill(start..start + block.len() / width.max(1), block);
        Ok(())
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
pub(crate) fn leaves(tree: &Tree, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
    if let Some(steps) = Steps::new(tree, frame) {
        return by_blocks(frame.n_rows(), 1, ctl, |rows, out| steps.walk(rows, out));
    }
    let columns = frame.columns();
    by_blocks(frame.n_rows(), 1, ctl, |rows, out| {
        for (row, leaf) in rows.zip(out) {
            let mut node = 0;
            while tree.cut(node) != Cut::Leaf {
                node = next_node(tree, node, columns, row);
            }
            *leaf = node as u32;
        }
    })
}

/// One node of a purely numeric tree, in sixteen bytes. A leaf leads to itself.
#[derive(Clone, Copy)]
struct Step {
    threshold: f64,
    column: u32,
    /// First child.
    next: u32,
}

/// A tree of numeric cuts only, packed for walking.
struct Steps<'f> {
    steps: Vec<Step>,
    /// Whether rows without a value go to the second child.
    missing_right: Vec<bool>,
    columns: Vec<Strided<'f>>,
    depth: u32,
}

impl<'f> Steps<'f> {
    fn new(tree: &Tree, frame: &Frame<'f>) -> Option<Self> {
        let columns = frame
            .columns()
            .iter()
            .map(|column| match column {
                Column::Numeric(values) => Some(*values),
                Column::Nominal { .. } => None,
            })
            .collect::<Option<Vec<_>>>()?;
        let steps = (0..tree.n_nodes())
            .map(|node| match tree.cut(node) {
                // Every number is at most infinity, so a leaf always takes its own first "child".
                Cut::Leaf => Some(Step { threshold: f64::INFINITY, column: 0, next: node as u32 }),
                Cut::Below(threshold) => {
                    let next = tree.children(node).start as u32;
                    Some(Step { threshold, column: tree.column(node) as u32, next })
                }
                Cut::Known => {
                    let next = tree.children(node).start as u32;
                    Some(Step { threshold: f64::INFINITY, column: tree.column(node) as u32, next })
                }
                _ => None,
            })
            .collect::<Option<Vec<_>>>()?;
        let missing_right = (0..tree.n_nodes())
            .map(|node| tree.cut(node) != Cut::Leaf && tree.missing_branch(node) == 1)
            .collect();
        let depth = tree.depths().into_iter().max().unwrap_or_default();
        Some(Self { steps, missing_right, columns, depth })
    }

    #[inline]
    fn step(&self, node: u32, row: usize) -> u32 {
        let step = self.steps[node as usize];
        let value = self.columns[step.column as usize].get(row);
        let right = if value.is_nan() { self.missing_right[node as usize] } else { value > step.threshold };
        step.next + u32::from(right)
    }

    fn walk(&self, rows: std::ops::Range<usize>, out: &mut [u32]) {
        for (group, leaves) in out.chunks_mut(LANES).enumerate() {
            let first = rows.start + group * LANES;
            for _ in 0..self.depth {
                let mut moved = 0;
                for (lane, node) in leaves.iter_mut().enumerate() {
                    let next = self.step(*node, first + lane);
                    moved |= next ^ *node;
                    *node = next;
                }
                if moved == 0 {
                    break;
                }
            }
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
