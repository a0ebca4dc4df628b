//! Trees as arrays with one entry per node.

use super::language::TargetLanguage;
use crate::step::{ExportTree, Node, Split};

/// Marks nodes that send each row down one branch.
const ONE_WAY: u32 = u32::MAX;

/// A node as one entry of each array.
#[derive(Default)]
struct NodeEntry {
    kind: u32,
    feature: usize,
    bound: f64,
    /// For a leaf, the start of its values; for a split, its first child.
    first: usize,
    missing: usize,
    /// Start of the level set of a split by levels.
    set: usize,
    /// Start of the child weights of a split with fractional rows.
    first_mass: u32,
    n_children: usize,
}

/// All trees of a program.
#[derive(Default)]
pub(super) struct TreeArrayBuilder {
    nodes: Vec<NodeEntry>,
    values: Vec<f64>,
    sets: Vec<u32>,
    masses: Vec<f64>,
}

impl TreeArrayBuilder {
    /// Appends a tree and returns its root.
    pub(super) fn add_tree(&mut self, tree: &ExportTree) -> usize {
        let root = self.nodes.len();
        for node in &tree.nodes {
            let entry = match node {
                Node::Leaf { values } => {
                    let first = self.values.len();
                    self.values.extend_from_slice(values);
                    NodeEntry { first, first_mass: ONE_WAY, ..NodeEntry::default() }
                }
                Node::Split(split) => self.split(split, root),
            };
            self.nodes.push(entry);
        }
        root
    }

    fn split(&mut self, split: &Split, root: usize) -> NodeEntry {
        let set = self.sets.len();
        let kind = match (split.at_most, &split.levels) {
            (Some(_), _) => 1,
            (_, Some(levels)) => {
                let words = levels.iter().max().map_or(0, |&most| most as usize / 32 + 1);
                self.sets.push(words as u32);
                let start = self.sets.len();
                self.sets.resize(start + words, 0);
                for &level in levels {
                    self.sets[start + level as usize / 32] |= 1 << (level % 32);
                }
                // The second child takes the levels of the set if the other side was the larger one.
                if split.children.is_sorted() { 2 } else { 5 }
            }
            _ if split.known => 4,
            _ => 3,
        };
        let first_mass = if split.masses.is_empty() { ONE_WAY } else { self.masses.len() as u32 };
        self.masses.extend_from_slice(&split.masses);
        NodeEntry {
            kind,
            feature: split.feature,
            bound: split.at_most.unwrap_or_default(),
            first: root + split.children.iter().min().copied().unwrap_or_default(),
            missing: root + split.missing,
            set,
            first_mass,
            n_children: split.children.len(),
        }
    }

    /// Whether any split sends rows down several branches.
    pub(super) fn shares(&self) -> bool {
        !self.masses.is_empty()
    }

    /// The arrays as source code; empty if there are no trees.
    pub(super) fn written(&self, language: TargetLanguage) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let array = |name: &str, kind: &str, cells: Vec<String>| language.array(name, kind, &cells);
        let column = |name: &str, kind: &str, cell: &dyn Fn(&NodeEntry) -> String| {
            array(name, kind, self.nodes.iter().map(cell).collect())
        };
        let doubles = |numbers: &[f64]| numbers.iter().map(|&number| language.number(number)).collect();
        let mut text = column("KIND", "u8", &|node| node.kind.to_string());
        text += &column("FEATURE", "u32", &|node| node.feature.to_string());
        text += &column("BOUND", "f64", &|node| language.number(node.bound));
        text += &column("FIRST", "u32", &|node| node.first.to_string());
        text += &column("MISSING", "u32", &|node| node.missing.to_string());
        text += &column("SET", "u32", &|node| node.set.to_string());
        text += &array("SETS", "u32", self.sets.iter().map(ToString::to_string).collect());
        text += &array("VALUES", "f64", doubles(&self.values));
        if self.shares() {
            text += &column("FIRST_MASS", "u32", &|node| node.first_mass.to_string());
            text += &column("N_CHILDREN", "u32", &|node| node.n_children.to_string());
            text += &array("MASSES", "f64", doubles(&self.masses));
        }
        text
    }
}
