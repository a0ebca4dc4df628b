//! A grown decision tree as flat arrays, one entry a node.

use crate::bits;
use crate::masses::NodeMasses;
use imbcore_base::Column;
use imbcore_criteria::AnyCriterion;

/// How a node sends rows to its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// The node is a leaf.
    Leaf,
    /// Values at most the threshold go to child 0, larger ones to child 1.
    Below(f64),
    /// Rows with a value go to child 0, rows without to child 1.
    Known,
    /// Rows of this level go to child 0, other levels to child 1.
    IsLevel(u32),
    /// Rows of these levels go to child 0, other levels to child 1. The number says where the tree keeps the set:
    /// see [`Tree::set_levels`].
    InLevels(u32),
    /// Level `code` goes to child `code`; one more child, if there is one, takes the rows without a value.
    EachLevel,
}

/// A tree; node 0 is the root, the children of a node are neighbours and come after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(crate) n_classes: usize,
    pub(crate) cut: Vec<Cut>,
    pub(crate) column: Vec<u32>,
    pub(crate) first_child: Vec<u32>,
    pub(crate) n_children: Vec<u32>,
    /// Child that takes rows without a value.
    pub(crate) missing_child: Vec<u32>,
    /// Training rows (with positive weight) that reached the node.
    pub(crate) rows: Vec<u32>,
    /// Score of the node's split; 0 for leaves.
    pub(crate) gain: Vec<f64>,
    /// Class masses of every node.
    pub(crate) mass: NodeMasses,
    /// The sets of [`Cut::InLevels`] in the order of their nodes: number of levels, then a bit a level.
    pub(crate) sets: Vec<u32>,
    /// A bit a class, so many words a node: the class group that the node's split tells from the others. Empty
    /// for criteria that compare no groups.
    pub(crate) groups: Vec<u32>,
}

/// The arrays of a tree as plain numbers, for files.
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
    pub groups: Vec<u32>,
}

impl TreeArrays {
    /// A tree of one leaf, which holds so many rows and the given mass of each class.
    pub fn leaf(n_rows: u32, mass: Vec<f64>) -> Self {
        let (sets, groups) = (Vec::new(), Vec::new());
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
        }
    }
}

/// What kind of values a column holds, as far as a tree must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Ordered numbers.
    Numeric,
    /// This many unordered levels.
    Nominal(u32),
}

impl ColumnKind {
    /// The kind of a column.
    pub fn of(column: &Column<'_>) -> Self {
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
        self.cut.iter().filter(|cut| matches!(cut, Cut::Leaf)).count()
    }

    /// How a node splits.
    pub fn cut(&self, node: usize) -> Cut {
        self.cut[node]
    }

    /// Column that a node splits on; 0 for a leaf.
    pub fn column(&self, node: usize) -> usize {
        self.column[node] as usize
    }

    /// Children of a node, in branch order.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.first_child[node] as usize;
        first..first + self.n_children[node] as usize
    }

    /// Branch that rows without a value take.
    pub fn missing_branch(&self, node: usize) -> usize {
        self.missing_child[node] as usize
    }

    /// Training rows that reached a node.
    pub fn rows(&self, node: usize) -> u32 {
        self.rows[node]
    }

    /// Score of a node's split.
    pub fn gain(&self, node: usize) -> f64 {
        self.gain[node]
    }

    /// Whether a set of levels, as [`Cut::InLevels`] names it, holds a level.
    #[inline]
    pub fn set_holds(&self, set: u32, level: u32) -> bool {
        bits::holds(&self.sets[set as usize + 1..], level)
    }

    /// The levels of a set that [`Cut::InLevels`] names, ascending.
    pub fn set_levels(&self, set: u32) -> Vec<u32> {
        (0..self.sets[set as usize]).filter(|&level| self.set_holds(set, level)).collect()
    }

    /// The levels of the column that are not in a set, ascending.
    pub(crate) fn levels_outside(&self, set: u32) -> Vec<u32> {
        (0..self.sets[set as usize]).filter(|&level| !self.set_holds(set, level)).collect()
    }

    /// The classes that a node's split tells from the others, as the criterion saw it: the side without the lowest
    /// class that has mass. Empty for leaves and for criteria that compare no groups of classes.
    pub fn class_group(&self, node: usize) -> Vec<u32> {
        let group = &self.groups[self.group_range(node)];
        (0..self.n_classes as u32).filter(|&class| bits::holds(group, class)).collect()
    }

    /// Words of a node's class group; none where the tree keeps no groups.
    pub(crate) fn group_range(&self, node: usize) -> std::ops::Range<usize> {
        let words = if self.groups.is_empty() { 0 } else { bits::words(self.n_classes as u32) };
        node * words..(node + 1) * words
    }

    /// Words of a set of levels, their number first.
    pub(crate) fn set(&self, set: u32) -> &[u32] {
        let start = set as usize;
        &self.sets[start..=start + bits::words(self.sets[start])]
    }

    /// Depth of every node; the root has 0.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.n_nodes()];
        for node in 0..self.n_nodes() {
            for child in self.children(node) {
                depths[child] = depths[node] + 1;
            }
        }
        depths
    }

    /// Parent of every node; the root is its own.
    pub fn parents(&self) -> Vec<usize> {
        let mut parents = vec![0; self.n_nodes()];
        for node in 0..self.n_nodes() {
            for child in self.children(node) {
                parents[child] = node;
            }
        }
        parents
    }

    /// Sum over nodes of the gain times what it counts in the whole tree, a column each, scaled to add up to 1 (all 0
    /// without splits). `criterion` is the one that the tree was grown by; see [`Criterion::weight`].
    ///
    /// [`Criterion::weight`]: imbcore_criteria::Criterion::weight
    pub fn feature_importances(&self, n_columns: usize, criterion: &AnyCriterion) -> Vec<f64> {
        let mut importances = vec![0.0; n_columns];
        let mut weights = vec![0.0; self.n_nodes()];
        self.each_mass(|node, mass| {
            if self.cut[node] != Cut::Leaf {
                weights[node] = criterion.weight(mass, &self.class_group(node));
            }
        });
        for node in (0..self.n_nodes()).filter(|&node| self.cut[node] != Cut::Leaf) {
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

    /// The same tree as plain arrays.
    pub fn to_arrays(&self) -> TreeArrays {
        let (kind, operand) = self
            .cut
            .iter()
            .map(|cut| match *cut {
                Cut::Leaf => (0, 0.0),
                Cut::Below(threshold) => (1, threshold),
                Cut::Known => (2, 0.0),
                Cut::IsLevel(code) => (3, f64::from(code)),
                Cut::EachLevel => (4, 0.0),
                Cut::InLevels(set) => (5, f64::from(set)),
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
            groups: self.groups.clone(),
        }
    }
}
