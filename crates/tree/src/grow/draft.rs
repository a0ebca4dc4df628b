//! Tree builder: nodes are added in order of growth and renumbered at the end.

use crate::bits;
use crate::rows::sums::ClassSums;
use crate::split::candidate::Split;
use crate::split::plan::{Division, Share};
use crate::tree::{Cut, Tree};
use std::ops::Range;

/// Nodes in order of creation; the children of a node are neighbours.
#[derive(Default)]
pub(crate) struct Draft(Vec<DraftNode>);

struct DraftNode {
    cut: Cut,
    column: usize,
    children: Range<usize>,
    missing_child: usize,
    gain: f64,
    sums: ClassSums,
    /// Levels that go to the first child, as the tree keeps them.
    set: Vec<u32>,
    /// Classes that the split tells from the others, where they are kept.
    group: Vec<u32>,
}

impl Draft {
    pub(crate) fn push(&mut self, sums: ClassSums) {
        self.0.push(DraftNode {
            cut: Cut::Leaf,
            column: 0,
            children: 0..0,
            missing_child: 0,
            gain: 0.0,
            sums,
            set: Vec::new(),
            group: Vec::new(),
        });
    }

    /// Turns a leaf into a split and returns the new children.
    /// Empty branches take the masses of their parent.
    pub(crate) fn split<R>(
        &mut self,
        node: usize,
        split: Split,
        division: &mut Division<R>,
        parent: &ClassSums,
    ) -> Range<usize> {
        let children = self.0.len()..self.0.len() + division.children.len();
        let parent_node = &mut self.0[node];
        parent_node.cut = division.cut;
        parent_node.column = split.column;
        parent_node.children = children.clone();
        parent_node.missing_child = division.missing_child;
        parent_node.gain = split.gain;
        parent_node.set = std::mem::take(&mut division.set);
        parent_node.group = split.group;
        for Share { sums, .. } in &division.children {
            let mass = if sums.n_rows() == 0 { &parent.mass } else { &sums.mass };
            self.push(ClassSums { rows: sums.rows.clone(), mass: mass.clone() });
        }
        children
    }

    /// Replaces the leaf `at` by the subtree grown from it.
    pub(crate) fn graft(&mut self, at: usize, mut subtree: Self) {
        // The subtree's root replaces the leaf, so the offset of its other nodes is one less.
        let offset = self.0.len() - 1;
        for node in &mut subtree.0 {
            node.children = node.children.start + offset..node.children.end + offset;
        }
        let mut nodes = subtree.0.into_iter();
        self.0.splice(at..=at, nodes.next());
        self.0.extend(nodes);
    }

    /// Numbers the nodes depth first, siblings side by side, so that equal trees have equal arrays.
    pub(crate) fn into_tree(self, n_classes: usize, has_groups: bool) -> Tree {
        let mut nodes = vec![&self.0[0]];
        let mut first_child = vec![0; self.0.len()];
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            let children = &self.0[nodes[node].children.clone()];
            if !children.is_empty() {
                first_child[node] = nodes.len() as u32;
                stack.extend((nodes.len()..nodes.len() + children.len()).rev());
                nodes.extend(children);
            }
        }
        let mut sets = Vec::new();
        let mut cut = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let place = Cut::InLevels(sets.len() as u32);
            cut.push(if node.set.is_empty() { node.cut } else { place });
            sets.extend_from_slice(&node.set);
        }
        let group = |node: &&DraftNode| bits::set(node.group.iter().copied(), n_classes as u32);
        let groups = if has_groups { nodes.iter().flat_map(group).collect() } else { Vec::new() };
        Tree {
            n_classes,
            cut,
            column: nodes.iter().map(|node| node.column as u32).collect(),
            first_child,
            n_children: nodes.iter().map(|node| node.children.len() as u32).collect(),
            missing_child: nodes.iter().map(|node| node.missing_child as u32).collect(),
            rows: nodes.iter().map(|node| node.sums.n_rows()).collect(),
            gain: nodes.iter().map(|node| node.gain).collect(),
            mass: nodes.iter().flat_map(|node| node.sums.mass.iter().copied()).collect(),
            sets,
            groups,
        }
    }
}
