//! Trees as arrays with one entry per node.

use super::language::TargetLanguage;
use imbcore_base::formula::{ExportTree, Node, Split};

/// Marks nodes that send each row down one branch.
const ONE_WAY: u32 = u32::MAX;

/// All trees of a program.
#[derive(Default)]
pub(super) struct TreeArrayBuilder {
    kind: Vec<u8>,
    feature: Vec<u32>,
    bound: Vec<f64>,
    /// For a leaf, the start of its values; for a split, its first child.
    first: Vec<u32>,
    missing: Vec<u32>,
    /// Start of a split's level set, or of its child weights for fractional rows.
    set: Vec<u32>,
    shared: Vec<u32>,
    n_children: Vec<u32>,
    values: Vec<f64>,
    sets: Vec<u32>,
    masses: Vec<f64>,
}

impl TreeArrayBuilder {
    /// Appends a tree and returns its root.
    pub(super) fn add_tree(&mut self, plan: &ExportTree) -> usize {
        let root = self.kind.len();
        for node in &plan.nodes {
            match node {
                Node::Leaf { values } => {
                    let first = self.values.len() as u32;
                    self.push(0, (0, 0.0), [first, 0, 0, ONE_WAY, 0]);
                    self.values.extend_from_slice(values);
                }
                Node::Split(split) => self.split(split, root as u32),
            }
        }
        root
    }

    fn split(&mut self, split: &Split, root: u32) {
        let set = self.sets.len() as u32;
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
        let shared = if split.masses.is_empty() { ONE_WAY } else { self.masses.len() as u32 };
        self.masses.extend_from_slice(&split.masses);
        let first = root + split.children.iter().copied().min().unwrap_or_default() as u32;
        let places = [first, root + split.missing as u32, set, shared, split.children.len() as u32];
        self.push(kind, (split.feature as u32, split.at_most.unwrap_or_default()), places);
    }

    fn push(&mut self, kind: u8, (feature, bound): (u32, f64), [first, missing, set, shared, n]: [u32; 5]) {
        self.kind.push(kind);
        self.feature.push(feature);
        self.bound.push(bound);
        self.first.push(first);
        self.missing.push(missing);
        self.set.push(set);
        self.shared.push(shared);
        self.n_children.push(n);
    }

    /// Whether any split sends rows down several branches.
    pub(super) fn shares(&self) -> bool {
        !self.masses.is_empty()
    }

    /// The arrays as source code; empty if there are no trees.
    pub(super) fn written(&self, language: TargetLanguage) -> String {
        if self.kind.is_empty() {
            return String::new();
        }
        let whole = |numbers: &[u32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let doubles = |numbers: &[f64]| numbers.iter().map(|&n| language.number(n)).collect::<Vec<_>>();
        let kinds: Vec<String> = self.kind.iter().map(ToString::to_string).collect();
        let mut text = language.array("KIND", "u8", &kinds);
        text += &language.array("FEATURE", "u32", &whole(&self.feature));
        text += &language.array("BOUND", "f64", &doubles(&self.bound));
        text += &language.array("FIRST", "u32", &whole(&self.first));
        text += &language.array("MISSING", "u32", &whole(&self.missing));
        text += &language.array("SET", "u32", &whole(&self.set));
        text += &language.array("SETS", "u32", &whole(&self.sets));
        text += &language.array("VALUES", "f64", &doubles(&self.values));
        if self.shares() {
            text += &language.array("SHARED", "u32", &whole(&self.shared));
            text += &language.array("N_CHILDREN", "u32", &whole(&self.n_children));
            text += &language.array("MASSES", "f64", &doubles(&self.masses));
        }
        text
    }
}
