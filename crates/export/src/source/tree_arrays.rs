//! Trees of a generated program as arrays with one entry per node.

use super::target_language::TargetLanguage;
use crate::step::{ExportTree, LookupTable, Node, Split};
use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{Result, RunContext, memory};

const ARRAYS: &str = "arrays of trees";

/// Value of [`NodeEntry::first_mass`] for nodes at which each row follows only one branch.
const ONE_WAY: u32 = u32::MAX;

/// A node of a tree; the program has one array per field, with one entry per node.
#[derive(Default)]
struct NodeEntry {
    kind: u32,
    feature: usize,
    bound: f64,
    /// Index of the first output value of a leaf, or of the first child of a split.
    first: usize,
    missing: usize,
    /// Index in `sets` of a split by levels, or index in `lookups` of a split by a lookup table.
    set: usize,
    /// Index at which the weights of the children start, or [`ONE_WAY`].
    ///
    /// Only nodes at which rows with missing values follow all branches have weights.
    first_mass: u32,
    n_children: usize,
}

#[derive(Default)]
pub(super) struct TreeArrayBuilder {
    nodes: Vec<NodeEntry>,
    values: Vec<f64>,
    sets: Vec<u32>,
    masses: Vec<f64>,
    /// Numbers of all lookup tables; a table assigns a number to each level of a feature.
    ///
    /// `lookup_starts` has the index of the first number of each table.
    lookups: Vec<f64>,
    lookup_starts: Vec<usize>,
}

impl TreeArrayBuilder {
    pub(super) fn new(lookups: &[LookupTable]) -> Self {
        let mut arrays = Self::default();
        for table in lookups {
            arrays.lookup_starts.push(arrays.lookups.len());
            arrays.lookups.extend(&table.values);
        }
        arrays
    }

    pub(super) fn has_lookup_tables(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// Appends a tree and returns the index of its root.
    pub(super) fn add_tree(&mut self, tree: &ExportTree) -> Result<usize> {
        let root = self.nodes.len();
        for node in &tree.nodes {
            let entry = match node {
                Node::Leaf { values } => {
                    let first = self.values.len();
                    memory::extend(&mut self.values, values, ARRAYS)?;
                    NodeEntry { first, first_mass: ONE_WAY, ..NodeEntry::default() }
                }
                Node::Split(split) => self.node_entry_for_split(split, root)?,
            };
            memory::push(&mut self.nodes, entry, ARRAYS)?;
        }
        Ok(root)
    }

    fn node_entry_for_split(&mut self, split: &Split, root: usize) -> Result<NodeEntry> {
        let mut set = self.sets.len();
        let kind = match (split.at_most, &split.levels) {
            (Some(_), _) if split.lookup.is_some() => {
                set =
                    split.lookup.and_then(|table| self.lookup_starts.get(table)).copied().unwrap_or_default();
                6
            }
            (Some(_), _) => 1,
            (_, Some(levels)) => {
                let words = levels.iter().max().map_or(0, |&most| most as usize / 32 + 1);
                memory::push(&mut self.sets, words as u32, ARRAYS)?;
                let start = self.sets.len();
                memory::reserve_exact(&mut self.sets, words, ARRAYS)?;
                self.sets.resize(start + words, 0);
                for &level in levels {
                    self.sets[start + level as usize / 32] |= 1 << (level % 32);
                }
                // The two children are adjacent nodes, and `split.levels` are the levels that go to
                // `split.children[0]`. For node kind 2, this child is the first of the two nodes. For node
                // kind 5, it is the second.
                if split.children.is_sorted() { 2 } else { 5 }
            }
            _ if split.known => 4,
            _ => 3,
        };
        let first_mass = if split.masses.is_empty() { ONE_WAY } else { self.masses.len() as u32 };
        memory::extend(&mut self.masses, &split.masses, ARRAYS)?;
        Ok(NodeEntry {
            kind,
            feature: split.feature,
            bound: split.at_most.unwrap_or_default(),
            first: root + split.children.iter().min().copied().unwrap_or_default(),
            missing: root + split.missing,
            set,
            first_mass,
            n_children: split.children.len(),
        })
    }

    /// Whether any split sends rows with missing values down several branches.
    pub(super) fn has_fractional_splits(&self) -> bool {
        !self.masses.is_empty()
    }

    /// Writes the arrays as source code; writes nothing if there are no trees.
    pub(super) fn write(&self, language: TargetLanguage, text: &mut TextBuffer) -> Result<()> {
        if self.nodes.is_empty() {
            return Ok(());
        }
        let ctl = RunContext::silent();
        let mut column = |name: &str, kind: &str, cell: &dyn Fn(&NodeEntry) -> String| {
            ctl.check()?;
            language.write_array(text, (name, kind), self.nodes.iter().map(cell))
        };
        column("KIND", "u8", &|node| node.kind.to_string())?;
        column("FEATURE", "u32", &|node| node.feature.to_string())?;
        column("BOUND", "f64", &|node| language.number_literal(node.bound))?;
        column("FIRST", "u32", &|node| node.first.to_string())?;
        column("MISSING", "u32", &|node| node.missing.to_string())?;
        column("SET", "u32", &|node| node.set.to_string())?;
        language.write_array(text, ("SETS", "u32"), self.sets.iter().map(ToString::to_string))?;
        language.write_array(text, ("VALUES", "f64"), language.number_literals(&self.values))?;
        if self.has_lookup_tables() {
            language.write_array(text, ("LOOKUPS", "f64"), language.number_literals(&self.lookups))?;
        }
        if self.has_fractional_splits() {
            let mut column = |name: &str, cell: &dyn Fn(&NodeEntry) -> String| {
                ctl.check()?;
                language.write_array(text, (name, "u32"), self.nodes.iter().map(cell))
            };
            column("FIRST_MASS", &|node| node.first_mass.to_string())?;
            column("N_CHILDREN", &|node| node.n_children.to_string())?;
            language.write_array(text, ("MASSES", "f64"), language.number_literals(&self.masses))?;
        }
        Ok(())
    }
}
