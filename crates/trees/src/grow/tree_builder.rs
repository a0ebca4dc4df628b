//! Tree builder: nodes are added in order of growth and renumbered at the end.

use crate::class_groups::ClassGroups;
use crate::masses::{ClassAmounts, MOST_IN_TABLE, NodeClassAmounts, NodeMasses, to_class_amounts};
use crate::rows::class_codes::NodeClassCoding;
use crate::rows::class_sums::ClassSums;
use crate::split::split_candidate::NodeSplit;
use crate::split::split_plan::{ChildRows, PartitionedNode};
use crate::tree::{Tree, TreeSplit};
use std::ops::Range;

/// Nodes in order of creation; the children of a node are adjacent.
pub(crate) struct TreeBuilder(Vec<BuilderNode>, MassStorageFormat);

#[derive(Clone, Copy)]
pub(crate) struct MassStorageFormat {
    /// Whether a node stores a list of its classes; otherwise, it stores all class masses.
    pub(crate) in_lists: bool,
    /// Whether the lists of classes contain row counts; otherwise, they contain masses.
    ///
    /// If the lists contain row counts, only leaves need a list: the counts of an internal node are the sums
    /// over its children.
    pub(crate) counts: bool,
}

impl MassStorageFormat {
    /// `counts` states whether masses are row counts times class weights.
    pub(crate) fn new(n_classes: usize, counts: bool) -> Self {
        Self { in_lists: n_classes > MOST_IN_TABLE, counts }
    }
}

struct BuilderNode {
    cut: TreeSplit,
    column: usize,
    children: Range<usize>,
    missing_child: usize,
    gain: f64,
    n_rows: u32,
    mass: Vec<f64>,
    list: ClassAmounts,
    set: Vec<u32>,
    group: Vec<u32>,
}

impl TreeBuilder {
    pub(crate) fn new(form: MassStorageFormat) -> Self {
        Self(Vec::new(), form)
    }

    /// `coding` maps the class codes in `sums` to classes of the table.
    pub(crate) fn add_leaf(&mut self, n_rows: u32, sums: &ClassSums, coding: &NodeClassCoding) {
        let MassStorageFormat { in_lists, counts } = self.1;
        let mass = if in_lists { Vec::new() } else { sums.mass.clone() };
        let list = if in_lists {
            to_class_amounts(sums, counts, |code| coding.class_of_code(code))
        } else {
            Vec::new()
        };
        self.0.push(BuilderNode {
            cut: TreeSplit::Leaf,
            column: 0,
            children: 0..0,
            missing_child: 0,
            gain: 0.0,
            n_rows,
            mass,
            list,
            set: Vec::new(),
            group: Vec::new(),
        });
    }

    /// A child without rows gets the masses of its parent.
    pub(crate) fn split_leaf<R>(
        &mut self,
        node: usize,
        split: &NodeSplit,
        division: &mut PartitionedNode<R>,
        parent: &ClassSums,
        coding: &NodeClassCoding,
    ) -> Range<usize> {
        let children = self.0.len()..self.0.len() + division.children.len();
        let parent_node = &mut self.0[node];
        parent_node.cut = division.cut;
        parent_node.column = split.column;
        parent_node.children = children.clone();
        parent_node.missing_child = division.missing_child;
        parent_node.gain = split.gain;
        parent_node.set = std::mem::take(&mut division.set);
        if !split.group.is_empty() {
            parent_node.group = split.group.iter().map(|&code| coding.class_of_code(code as usize)).collect();
            parent_node.group.sort_unstable();
        }
        if self.1.counts {
            parent_node.list = Vec::new();
        }
        for ChildRows { sums, .. } in &division.children {
            let n_rows = sums.n_rows();
            self.add_leaf(n_rows, if n_rows == 0 { parent } else { sums }, coding);
        }
        children
    }

    pub(crate) fn replace_leaf_by_subtree(&mut self, at: usize, mut subtree: Self) {
        // The root of the subtree replaces the leaf, and all other nodes of the subtree are appended. Their
        // indices therefore increase by the number of existing nodes minus 1.
        let offset = self.0.len() - 1;
        for node in &mut subtree.0 {
            node.children = node.children.start + offset..node.children.end + offset;
        }
        let mut nodes = subtree.0.into_iter();
        self.0.splice(at..=at, nodes.next());
        self.0.extend(nodes);
    }

    /// Converts the builder to a tree with nodes numbered depth first and adjacent siblings.
    /// Thus equal trees have equal arrays.
    pub(crate) fn into_tree(self, units: Vec<f64>, has_groups: bool) -> Tree {
        let n_classes = units.len();
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
            let place = TreeSplit::InLevels(sets.len() as u32);
            cut.push(if node.set.is_empty() { node.cut } else { place });
            sets.extend_from_slice(&node.set);
        }
        let groups = if has_groups {
            ClassGroups::new(nodes.iter().map(|node| &node.group[..]))
        } else {
            ClassGroups::default()
        };
        let mass = if self.1.in_lists {
            let mut lists = NodeClassAmounts::new(if self.1.counts { units } else { vec![1.0; n_classes] });
            for node in &nodes {
                lists.push(node.list.iter().copied());
            }
            NodeMasses::Lists(lists)
        } else {
            NodeMasses::Table(nodes.iter().flat_map(|node| node.mass.iter().copied()).collect())
        };
        Tree {
            n_classes,
            cut,
            column: nodes.iter().map(|node| node.column as u32).collect(),
            first_child,
            n_children: nodes.iter().map(|node| node.children.len() as u32).collect(),
            missing_child: nodes.iter().map(|node| node.missing_child as u32).collect(),
            rows: nodes.iter().map(|node| node.n_rows).collect(),
            gain: nodes.iter().map(|node| node.gain).collect(),
            mass,
            sets,
            groups,
            statistics: crate::statistics::TargetStatisticTables::default(),
        }
        .with_stored_total_masses()
    }
}
