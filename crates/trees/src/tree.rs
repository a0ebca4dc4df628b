//! Decision tree as flat arrays, with one entry per node.

use crate::bits;
use crate::class_groups::ClassGroups;
use crate::masses::NodeMasses;
use crate::statistics::TargetStatisticTables;
use imbcore_core::Column;
use imbcore_criteria::AnyCriterion;
use std::borrow::Cow;

/// Split of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreeSplit {
    /// The node is a leaf.
    Leaf,
    /// Rows with values at most the threshold go to child 0, larger values to child 1.
    Below(f64),
    /// Rows with a value in the column go to child 0, rows with a missing value to child 1.
    Known,
    /// Rows of this level go to child 0, rows of other levels to child 1.
    IsLevel(u32),
    /// Rows of a set of levels go to child 0, rows of other levels to child 1.
    /// The field is the offset of the set in the tree; see [`Tree::levels_in_set`].
    InLevels(u32),
    /// Rows of the level with code `k` go to child `k`.
    /// Missing values go to an additional last child, if there is one.
    EachLevel,
    /// Rows with a target statistic of at most the threshold go to child 0, others to child 1.
    ///
    /// Missing and unseen values have a statistic too, and go to a child by this statistic.
    StatisticAtMost {
        /// Index of the lookup table of the statistic.
        table: u32,
        /// Largest statistic with which a row goes to child 0.
        threshold: f64,
    },
}

/// Decision tree.
/// Node 0 is the root; the children of a node are adjacent and have larger indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(crate) n_classes: usize,
    pub(crate) cut: Vec<TreeSplit>,
    pub(crate) column: Vec<u32>,
    pub(crate) first_child: Vec<u32>,
    pub(crate) n_children: Vec<u32>,
    pub(crate) missing_child: Vec<u32>,
    /// For each node, the number of training rows with positive weight that reached it.
    pub(crate) rows: Vec<u32>,
    pub(crate) gain: Vec<f64>,
    pub(crate) mass: NodeMasses,
    /// Level sets of the splits [`TreeSplit::InLevels`], in node order.
    /// Each set consists of the number of levels of the column, followed by one bit per level.
    pub(crate) sets: Vec<u32>,
    pub(crate) groups: ClassGroups,
    /// Lookup tables for [`TreeSplit::StatisticAtMost`], shared by all trees of a model.
    pub(crate) statistics: TargetStatisticTables,
}

/// Arrays of a tree as plain numbers, for storage in files.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct TreeArrays {
    pub kind: Vec<u8>,
    pub operand: Vec<f64>,
    pub column: Vec<u32>,
    pub first_child: Vec<u32>,
    pub n_children: Vec<u32>,
    pub missing_child: Vec<u32>,
    pub rows: Vec<u32>,
    pub gain: Vec<f64>,
    pub mass: NodeMasses,
    pub sets: Vec<u32>,
    /// For every split, the number of classes in its class group, followed by these classes.
    /// The list is empty if no split has a group.
    pub groups: Vec<u32>,
    /// Index of the lookup table, for every split by a target statistic, in node order.
    pub tables: Vec<u32>,
    pub statistics: TargetStatisticTables,
}

impl TreeArrays {
    /// Creates a tree that consists of one leaf with this number of rows and these class masses.
    pub fn single_leaf(n_rows: u32, mass: Vec<f64>) -> Self {
        let (sets, groups, tables) = (Vec::new(), Vec::new(), Vec::new());
        let none = || vec![0];
        Self {
            kind: vec![0],
            operand: vec![0.0],
            column: none(),
            first_child: none(),
            n_children: none(),
            missing_child: none(),
            rows: vec![n_rows],
            gain: vec![0.0],
            mass: NodeMasses::Table(mass),
            sets,
            groups,
            tables,
            statistics: TargetStatisticTables::default(),
        }
    }
}

/// Type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordered numbers.
    Numeric,
    /// Nominal column; the field is its number of levels.
    Nominal(u32),
}

impl ColumnKind {
    /// Returns the kind of a data column.
    pub fn from_column(column: &Column<'_>) -> Self {
        match column {
            Column::Numeric(_) => Self::Numeric,
            Column::Nominal { levels, .. } => Self::Nominal(*levels),
        }
    }
}

impl Tree {
    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.cut.len()
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.cut.iter().filter(|cut| matches!(cut, TreeSplit::Leaf)).count()
    }

    /// Split of a node.
    pub fn split(&self, node: usize) -> TreeSplit {
        self.cut[node]
    }

    /// Column of a node's split; 0 for a leaf.
    pub fn column(&self, node: usize) -> usize {
        self.column[node] as usize
    }

    /// Indices of the children of a node, in branch order; empty for a leaf.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.first_child[node] as usize;
        first..first + self.n_children[node] as usize
    }

    /// Branch to which missing values go at a node's split.
    pub fn missing_branch(&self, node: usize) -> usize {
        self.missing_child[node] as usize
    }

    /// Number of training rows that reached a node.
    pub fn n_node_rows(&self, node: usize) -> u32 {
        self.rows[node]
    }

    /// Score of a node's split.
    pub fn split_gain(&self, node: usize) -> f64 {
        self.gain[node]
    }

    /// Returns whether the level set at offset `set` contains a level.
    #[inline]
    pub fn is_level_in_set(&self, set: u32, level: u32) -> bool {
        bits::contains(&self.sets[set as usize + 1..], level)
    }

    /// Returns the levels in the level set at offset `set`, ascending.
    pub fn levels_in_set(&self, set: u32) -> Vec<u32> {
        (0..self.sets[set as usize]).filter(|&level| self.is_level_in_set(set, level)).collect()
    }

    pub(crate) fn levels_outside_set(&self, set: u32) -> Vec<u32> {
        (0..self.sets[set as usize]).filter(|&level| !self.is_level_in_set(set, level)).collect()
    }

    /// Returns the levels that go to the first child, ascending.
    ///
    /// `None` if the split does not divide the levels of a column into two sets.
    pub fn left_levels(&self, node: usize) -> Option<Vec<u32>> {
        match self.cut[node] {
            TreeSplit::IsLevel(level) => Some(vec![level]),
            TreeSplit::InLevels(set) => Some(self.levels_in_set(set)),
            TreeSplit::StatisticAtMost { table, threshold } => {
                let table = self.statistics.table(table);
                Some((0..table.n_levels()).filter(|&level| table.value(level) <= threshold).collect())
            }
            _ => None,
        }
    }

    /// Returns the levels that go to the second child, ascending.
    ///
    /// `None` for splits by one level, and for splits that do not separate two sets of levels.
    pub(crate) fn right_levels(&self, node: usize) -> Option<Vec<u32>> {
        match self.cut[node] {
            TreeSplit::InLevels(set) => Some(self.levels_outside_set(set)),
            TreeSplit::StatisticAtMost { table, threshold } => {
                let table = self.statistics.table(table);
                Some((0..table.n_levels()).filter(|&level| table.value(level) > threshold).collect())
            }
            _ => None,
        }
    }

    pub(crate) fn target_statistic_tables(&self) -> &TargetStatisticTables {
        &self.statistics
    }

    #[inline]
    pub(crate) fn branch_by_level_statistic(&self, table: u32, threshold: f64, code: u32) -> usize {
        usize::from(self.statistics.table(table).value(code) > threshold)
    }

    /// Returns the class group that the split of a node separates from all other classes.
    ///
    /// Of the two groups that the split separates, this is the group without the lowest class at the node.
    /// The result is empty for leaves, and for criteria that do not compare groups of classes.
    pub fn class_group(&self, node: usize) -> Vec<u32> {
        self.groups.classes_of_node_group(node).to_vec()
    }

    /// Iterates over the leaves, in the order of the nodes.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.n_nodes()).filter(|&node| self.is_leaf(node))
    }

    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.cut[node] == TreeSplit::Leaf
    }

    /// Returns the stored level set at offset `set`: the number of levels, then the bit mask.
    pub(crate) fn stored_level_set(&self, set: u32) -> &[u32] {
        let start = set as usize;
        &self.sets[start..=start + bits::n_mask_words(self.sets[start])]
    }

    /// Returns the depth of every node; the root has depth 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.n_nodes()];
        for node in 0..self.n_nodes() {
            for child in self.children(node) {
                depths[child] = depths[node] + 1;
            }
        }
        depths
    }

    /// Returns the parent of every node; the root is its own parent.
    pub fn parents(&self) -> Vec<usize> {
        let mut parents = vec![0; self.n_nodes()];
        for node in 0..self.n_nodes() {
            for child in self.children(node) {
                parents[child] = node;
            }
        }
        parents
    }

    /// Returns the feature importances, normalized to sum 1 (all 0 if no split has a gain).
    ///
    /// The importance of a column is the sum over its splits of gain times node weight. `criterion` must be
    /// the criterion by which the tree was grown, because it computes the node weights; see
    /// [`Criterion::node_comparison_weight`].
    ///
    /// [`Criterion::node_comparison_weight`]: imbcore_criteria::Criterion::node_comparison_weight
    pub fn feature_importances(&self, n_columns: usize, criterion: &AnyCriterion) -> Vec<f64> {
        let mut importances = vec![0.0; n_columns];
        let mut weights = vec![0.0; self.n_nodes()];
        // Classes without mass at a node do not change its weight. So the weight is computed only from the
        // classes with mass and the classes of the class group.
        self.visit_sparse_node_masses(|node, classes, masses| {
            if self.is_leaf(node) {
                return;
            }
            let mut masses = Cow::Borrowed(masses);
            let place = |class: &u32| {
                classes.binary_search(class).unwrap_or_else(|_| {
                    masses.to_mut().push(0.0);
                    masses.len() - 1
                }) as u32
            };
            let group: Vec<u32> = self.groups.classes_of_node_group(node).iter().map(place).collect();
            weights[node] = criterion.node_comparison_weight(&masses, &group);
        });
        for node in (0..self.n_nodes()).filter(|&node| self.cut[node] != TreeSplit::Leaf) {
            importances[self.column(node)] += weights[node] * self.gain[node];
        }
        let total: f64 = importances.iter().sum();
        if total > 0.0 {
            for value in &mut importances {
                *value /= total;
            }
        }
        importances
    }

    /// Converts the tree to plain arrays.
    pub fn to_arrays(&self) -> TreeArrays {
        let (kind, operand) = self
            .cut
            .iter()
            .map(|cut| match *cut {
                TreeSplit::Leaf => (0, 0.0),
                TreeSplit::Below(threshold) => (1, threshold),
                TreeSplit::Known => (2, 0.0),
                TreeSplit::IsLevel(code) => (3, f64::from(code)),
                TreeSplit::EachLevel => (4, 0.0),
                TreeSplit::InLevels(set) => (5, f64::from(set)),
                TreeSplit::StatisticAtMost { threshold, .. } => (6, threshold),
            })
            .unzip();
        TreeArrays {
            kind,
            operand,
            column: self.column.clone(),
            first_child: self.first_child.clone(),
            n_children: self.n_children.clone(),
            missing_child: self.missing_child.clone(),
            rows: self.rows.clone(),
            gain: self.gain.clone(),
            mass: self.mass.clone(),
            sets: self.sets.clone(),
            groups: self.groups.serialize(|node| self.is_leaf(node)),
            tables: self.cut.iter().filter_map(statistic_table_index).collect(),
            statistics: self.statistics.clone(),
        }
    }
}

fn statistic_table_index(split: &TreeSplit) -> Option<u32> {
    if let TreeSplit::StatisticAtMost { table, .. } = split { Some(*table) } else { None }
}
