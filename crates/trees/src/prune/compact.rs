//! Changes to fitted trees: nodes become leaves or are replaced by a child.
//!
//! Afterwards, unreachable nodes are removed, and the other nodes are numbered depth first, with adjacent
//! siblings.

use crate::tree::{Tree, TreeSplit};

impl Tree {
    /// The node's descendants become unreachable; [`Tree::remove_unreachable`] removes them.
    pub(super) fn make_leaf(&mut self, node: usize) {
        self.store_class_masses(node);
        self.cut[node] = TreeSplit::Leaf;
        self.column[node] = 0;
        self.first_child[node] = 0;
        self.n_children[node] = 0;
        self.missing_child[node] = 0;
        self.gain[node] = 0.0;
        self.groups.remove_group(node);
    }

    /// Replaces the split of `node` by the split of `child`.
    /// The class masses of `node` do not change. [`Tree::remove_unreachable`] removes nodes that become
    /// unreachable.
    pub(super) fn replace_by_child(&mut self, node: usize, child: usize) {
        self.store_class_masses(node);
        self.cut[node] = self.cut[child];
        self.column[node] = self.column[child];
        self.first_child[node] = self.first_child[child];
        self.n_children[node] = self.n_children[child];
        self.missing_child[node] = self.missing_child[child];
        self.gain[node] = self.gain[child];
        self.groups.copy_group(node, child);
    }

    pub(super) fn set_rows_and_masses(&mut self, node: usize, rows: u32, mass: &[f64]) {
        self.rows[node] = rows;
        self.set_class_masses(node, mass);
    }

    /// Returns the tree of reachable nodes, numbered depth first with adjacent siblings.
    pub(super) fn remove_unreachable(&self) -> Self {
        let mut kept = vec![0];
        let mut first_child = vec![0];
        let mut stack = vec![0];
        while let Some(place) = stack.pop() {
            let children = self.children(kept[place]);
            if !children.is_empty() {
                first_child[place] = kept.len() as u32;
                stack.extend((kept.len()..kept.len() + children.len()).rev());
                kept.extend(children);
                first_child.resize(kept.len(), 0);
            }
        }
        let mut sets = Vec::new();
        let mut moved = |&node: &usize| match self.cut[node] {
            TreeSplit::InLevels(set) => {
                let place = sets.len() as u32;
                sets.extend_from_slice(self.stored_level_set(set));
                TreeSplit::InLevels(place)
            }
            other => other,
        };
        Self {
            n_classes: self.n_classes,
            cut: kept.iter().map(&mut moved).collect(),
            column: select_values(&self.column, &kept),
            first_child,
            n_children: select_values(&self.n_children, &kept),
            missing_child: select_values(&self.missing_child, &kept),
            rows: select_values(&self.rows, &kept),
            gain: select_values(&self.gain, &kept),
            mass: self.masses_of_nodes(&kept),
            sets,
            groups: self.groups.groups_of_nodes(&kept),
            statistics: self.statistics.clone(),
        }
        .with_stored_total_masses()
    }

    /// Returns the tree in which the given nodes are leaves.
    #[must_use]
    pub fn collapse_to_leaves(&self, nodes: impl IntoIterator<Item = u32>) -> Self {
        let mut felled = self.clone();
        let mut gone = vec![false; self.n_nodes()];
        nodes.into_iter().for_each(|node| gone[node as usize] = true);
        // Parents come before their children. A given node below another given node is skipped, since it is
        // removed with the other descendants.
        for node in 0..self.n_nodes() {
            if gone[node] {
                self.children(node).for_each(|child| gone[child] = true);
            }
        }
        let parents = self.parents();
        for node in (0..self.n_nodes()).filter(|&node| gone[node] && (node == 0 || !gone[parents[node]])) {
            felled.make_leaf(node);
        }
        felled.remove_unreachable()
    }
}

fn select_values<T: Copy>(values: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().map(|&node| values[node]).collect()
}
