//! Subtree raising.
//! A node may be replaced by its largest branch, to which the siblings' rows are sent.

use super::pessimism::{ErrorBounds, SLACK};
use crate::prediction::route::known_branch;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Result, RunContext};

/// Row, or a fraction of one: index and mass.
type FractionalRow = (u32, f64);

/// Training data needed to reroute rows.
pub(crate) struct RaisingData<'a> {
    pub(crate) columns: &'a [Column<'a>],
    pub(crate) classes: &'a [u32],
    /// Rows of positive weight, ascending, with their weights.
    pub(crate) rows: Vec<(u32, f64)>,
    /// Whether missing values are split among branches.
    pub(crate) fraction: bool,
}

enum PruneTask {
    /// Task to prune the children of the node, then the node itself.
    Visit(usize, Vec<FractionalRow>),
    /// Task to decide about the node after all its children are pruned.
    Decide(usize, Vec<FractionalRow>),
}

/// C4.5's pruning with raising, bottom-up; a raised branch is pruned again with its new rows.
pub(super) fn prune_and_raise(
    tree: &mut Tree,
    limits: &ErrorBounds,
    mut training: RaisingData<'_>,
    ctl: RunContext<'_>,
) -> Result<()> {
    let rows = std::mem::take(&mut training.rows);
    let mut expected = vec![0.0; tree.n_nodes()];
    let mut tasks = vec![PruneTask::Visit(0, rows)];
    while let Some(task) = tasks.pop() {
        ctl.check()?;
        match task {
            PruneTask::Visit(node, _) if tree.cut(node) == TreeSplit::Leaf => {
                expected[node] = as_leaf(tree, limits, node);
            }
            PruneTask::Visit(node, rows) => {
                let parts = training.divide(tree, node, &rows);
                tasks.push(PruneTask::Decide(node, rows));
                let visit = |(child, part)| PruneTask::Visit(child, part);
                tasks.extend(tree.children(node).zip(parts).map(visit));
            }
            PruneTask::Decide(node, rows) => {
                let as_tree: f64 = expected[tree.children(node)].iter().sum();
                let as_leaf = as_leaf(tree, limits, node);
                let largest = largest_branch(tree, node);
                let as_branch = training.expected_errors(tree, limits, largest, &rows);
                if as_leaf <= as_tree.min(as_branch) + SLACK {
                    tree.make_leaf(node);
                    expected[node] = as_leaf;
                } else if as_branch <= as_tree + SLACK {
                    tree.raise(node, largest);
                    training.update_sums(tree, node, &rows);
                    tasks.push(PruneTask::Visit(node, rows));
                } else {
                    expected[node] = as_tree;
                }
            }
        }
    }
    Ok(())
}

fn as_leaf(tree: &Tree, limits: &ErrorBounds, node: usize) -> f64 {
    if tree.rows(node) == 0 { 0.0 } else { limits.errors(&tree.mass(node)) }
}

/// Returns the child with the largest mass; ties go to the last, as in Weka.
fn largest_branch(tree: &Tree, node: usize) -> usize {
    let mass = |child: usize| tree.reached_mass(child);
    let children = tree.children(node);
    children.clone().max_by(|&a, &b| mass(a).total_cmp(&mass(b))).unwrap_or(children.start)
}

impl RaisingData<'_> {
    /// Partitions the rows of a node among its children.
    fn divide(&self, tree: &Tree, node: usize, rows: &[FractionalRow]) -> Vec<Vec<FractionalRow>> {
        let mut parts = vec![Vec::new(); tree.children(node).len()];
        let mut unknown = Vec::new();
        for &(row, mass) in rows {
            match known_branch(tree, node, self.columns, row as usize) {
                Some(branch) => parts[branch].push((row, mass)),
                None if self.fraction => unknown.push((row, mass)),
                None => parts[tree.missing_branch(node)].push((row, mass)),
            }
        }
        if unknown.is_empty() {
            return parts;
        }
        let known: Vec<f64> = parts.iter().map(|part| part.iter().map(|&(_, mass)| mass).sum()).collect();
        let total: f64 = known.iter().sum();
        for (part, known) in parts.iter_mut().zip(known).filter(|(_, known)| *known > 0.0) {
            part.extend(unknown.iter().map(|&(row, mass)| (row, mass * known / total)));
        }
        if total == 0.0 {
            parts[tree.missing_branch(node)] = unknown;
        }
        parts
    }

    fn mass(&self, rows: &[FractionalRow], n_classes: usize) -> Vec<f64> {
        let mut mass = vec![0.0; n_classes];
        for &(row, share) in rows {
            mass[self.classes[row as usize] as usize] += share;
        }
        mass
    }

    /// Expected errors of the subtree of `top` if these rows reached it.
    fn expected_errors(&self, tree: &Tree, limits: &ErrorBounds, top: usize, rows: &[FractionalRow]) -> f64 {
        let mut sum = 0.0;
        let mut stack = vec![(top, rows.to_vec())];
        while let Some((node, rows)) = stack.pop() {
            if tree.cut(node) == TreeSplit::Leaf {
                sum += limits.errors(&self.mass(&rows, tree.n_classes()));
            } else {
                stack.extend(tree.children(node).zip(self.divide(tree, node, &rows)));
            }
        }
        sum
    }

    /// Recomputes the rows and masses of the subtree of `top`.
    /// Empty branches take the masses of their parent.
    fn update_sums(&self, tree: &mut Tree, top: usize, rows: &[FractionalRow]) {
        let mut stack = vec![(top, rows.to_vec())];
        while let Some((node, rows)) = stack.pop() {
            let mass = self.mass(&rows, tree.n_classes());
            tree.set_sums(node, rows.len() as u32, &mass);
            if tree.cut(node) == TreeSplit::Leaf {
                continue;
            }
            for (child, part) in tree.children(node).zip(self.divide(tree, node, &rows)) {
                if part.is_empty() {
                    tree.set_sums(child, 0, &mass);
                } else {
                    stack.push((child, part));
                }
            }
        }
    }
}
