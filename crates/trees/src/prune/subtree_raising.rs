//! Subtree raising.
//! A node is replaced by its largest child, to which the rows of the other children are sent.

use super::error_based::{ErrorBounds, SLACK};
use crate::prediction::tree_traversal::branch_of_row;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Result, RunContext};

type FractionalRow = (u32, f64);

pub(crate) struct RaisingData<'a> {
    pub(crate) columns: &'a [Column<'a>],
    pub(crate) classes: &'a [u32],
    pub(crate) rows: Vec<(u32, f64)>,
    pub(crate) fraction: bool,
}

enum PruneTask {
    /// Task to prune the children of the node and then the node itself.
    Visit(usize, Vec<FractionalRow>),
    /// Task to prune, raise or keep the node, whose children are already pruned.
    Decide(usize, Vec<FractionalRow>),
}

/// Prunes bottom-up with raising, as C4.5 does.
/// A raised child replaces its parent, gets the parent's rows, and is pruned again.
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
            PruneTask::Visit(node, _) if tree.split(node) == TreeSplit::Leaf => {
                expected[node] = leaf_errors(tree, limits, node);
            }
            PruneTask::Visit(node, rows) => {
                let parts = training.partition(tree, node, &rows);
                tasks.push(PruneTask::Decide(node, rows));
                let visit = |(child, part)| PruneTask::Visit(child, part);
                tasks.extend(tree.children(node).zip(parts).map(visit));
            }
            PruneTask::Decide(node, rows) => {
                let as_tree: f64 = expected[tree.children(node)].iter().sum();
                let as_leaf = leaf_errors(tree, limits, node);
                let largest = largest_branch(tree, node);
                let as_branch = training.expected_errors(tree, limits, largest, &rows);
                if as_leaf <= as_tree.min(as_branch) + SLACK {
                    tree.make_leaf(node);
                    expected[node] = as_leaf;
                } else if as_branch <= as_tree + SLACK {
                    tree.replace_by_child(node, largest);
                    training.recompute_subtree_masses(tree, node, &rows);
                    tasks.push(PruneTask::Visit(node, rows));
                } else {
                    expected[node] = as_tree;
                }
            }
        }
    }
    Ok(())
}

fn leaf_errors(tree: &Tree, limits: &ErrorBounds, node: usize) -> f64 {
    if tree.n_node_rows(node) == 0 { 0.0 } else { limits.expected_errors(&tree.class_masses(node)) }
}

/// Returns the child of `node` with the largest mass; ties go to the last child, as in Weka.
fn largest_branch(tree: &Tree, node: usize) -> usize {
    let mass = |child: usize| tree.mass_reaching_node(child);
    let children = tree.children(node);
    children.clone().max_by(|&a, &b| mass(a).total_cmp(&mass(b))).unwrap_or(children.start)
}

impl RaisingData<'_> {
    fn partition(&self, tree: &Tree, node: usize, rows: &[FractionalRow]) -> Vec<Vec<FractionalRow>> {
        let mut parts = vec![Vec::new(); tree.children(node).len()];
        let mut unknown = Vec::new();
        for &(row, mass) in rows {
            match branch_of_row(tree, node, self.columns, row as usize) {
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

    fn class_masses_of_rows(&self, rows: &[FractionalRow], n_classes: usize) -> Vec<f64> {
        let mut mass = vec![0.0; n_classes];
        for &(row, share) in rows {
            mass[self.classes[row as usize] as usize] += share;
        }
        mass
    }

    fn expected_errors(&self, tree: &Tree, limits: &ErrorBounds, top: usize, rows: &[FractionalRow]) -> f64 {
        let mut sum = 0.0;
        let mut stack = vec![(top, rows.to_vec())];
        while let Some((node, rows)) = stack.pop() {
            if tree.split(node) == TreeSplit::Leaf {
                sum += limits.expected_errors(&self.class_masses_of_rows(&rows, tree.n_classes()));
            } else {
                stack.extend(tree.children(node).zip(self.partition(tree, node, &rows)));
            }
        }
        sum
    }

    /// A node without rows gets the masses of its parent.
    ///
    /// Nodes below it are not updated, because pruning then turns it into a leaf.
    fn recompute_subtree_masses(&self, tree: &mut Tree, top: usize, rows: &[FractionalRow]) {
        let mut stack = vec![(top, rows.to_vec())];
        while let Some((node, rows)) = stack.pop() {
            let mass = self.class_masses_of_rows(&rows, tree.n_classes());
            tree.set_rows_and_masses(node, rows.len() as u32, &mass);
            if tree.split(node) == TreeSplit::Leaf {
                continue;
            }
            for (child, part) in tree.children(node).zip(self.partition(tree, node, &rows)) {
                if part.is_empty() {
                    tree.set_rows_and_masses(child, 0, &mass);
                } else {
                    stack.push((child, part));
                }
            }
        }
    }
}
