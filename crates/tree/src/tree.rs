//! A grown decision tree as flat arrays, one entry a node.

use imbcore_base::{Column, Error, Result};

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
    /// Level `code` goes to child `code`.
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
    /// Class masses, `n_nodes x n_classes`.
    pub(crate) mass: Vec<f64>,
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
    pub mass: Vec<f64>,
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

    /// Class masses of a node.
    pub fn mass(&self, node: usize) -> &[f64] {
        &self.mass[node * self.n_classes..(node + 1) * self.n_classes]
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

    /// Sum over nodes of node mass times gain, a column each, scaled to add up to 1 (all 0 without splits).
    ///
    /// The gain is the criterion's score: for `hellinger` the squared distance, not an impurity decrease.
    pub fn feature_importances(&self, n_columns: usize) -> Vec<f64> {
        let mut importances = vec![0.0; n_columns];
        for node in (0..self.n_nodes()).filter(|&node| self.cut[node] != Cut::Leaf) {
            importances[self.column(node)] += self.mass(node).iter().sum::<f64>() * self.gain[node];
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
        }
    }

    /// A tree from arrays of unknown origin, checked so that every later use is safe and ends.
    ///
    /// # Errors
    /// [`Error::Format`] naming the broken rule.
    pub fn from_arrays(arrays: TreeArrays, columns: &[ColumnKind], n_classes: usize) -> Result<Self> {
        let n_nodes = arrays.kind.len();
        let lengths = [
            arrays.operand.len(),
            arrays.column.len(),
            arrays.first_child.len(),
            arrays.n_children.len(),
            arrays.missing_child.len(),
            arrays.rows.len(),
            arrays.gain.len(),
        ];
        let enough_mass = Some(arrays.mass.len()) == n_nodes.checked_mul(n_classes);
        if n_nodes == 0 || lengths.iter().any(|&length| length != n_nodes) || !enough_mass {
            return broken("arrays of a tree have different lengths");
        }
        let cut = (0..n_nodes)
            .map(|node| {
                let kind = columns.get(arrays.column[node] as usize);
                cut_of(arrays.kind[node], arrays.operand[node], kind, arrays.n_children[node])
            })
            .collect::<Result<Vec<_>>>()?;
        let tree = Self {
            n_classes,
            cut,
            column: arrays.column,
            first_child: arrays.first_child,
            n_children: arrays.n_children,
            missing_child: arrays.missing_child,
            rows: arrays.rows,
            gain: arrays.gain,
            mass: arrays.mass,
        };
        tree.check_links()?;
        tree.check_numbers()?;
        Ok(tree)
    }

    /// Children come after their parent and every node but the root has exactly one parent.
    fn check_links(&self) -> Result<()> {
        let n_nodes = self.n_nodes();
        let mut claimed = vec![false; n_nodes];
        for node in 0..n_nodes {
            if self.n_children[node] == 0 {
                continue;
            }
            let first = self.first_child[node] as usize;
            let end = first.saturating_add(self.n_children[node] as usize);
            if first <= node || end > n_nodes || self.missing_child[node] >= self.n_children[node] {
                return broken("a node has children outside the tree");
            }
            for claim in &mut claimed[first..end] {
                if std::mem::replace(claim, true) {
                    return broken("a node has two parents");
                }
            }
        }
        if claimed.iter().filter(|&&claim| claim).count() + 1 == n_nodes {
            Ok(())
        } else {
            broken("a node has no parent")
        }
    }

    fn check_numbers(&self) -> Result<()> {
        let valid = |value: &f64| value.is_finite() && *value >= 0.0;
        if !self.mass.iter().all(valid) || !self.gain.iter().all(valid) {
            return broken("a mass or gain is not a number of at least 0");
        }
        let positive = |mass: &[f64]| {
            let total = mass.iter().sum::<f64>();
            total > 0.0 && total.is_finite()
        };
        if (0..self.n_nodes()).all(|node| positive(self.mass(node))) {
            Ok(())
        } else {
            broken("a node has no mass")
        }
    }
}

fn broken<T>(what: &str) -> Result<T> {
    Err(Error::Format(format!("the model file is damaged: {what}")))
}

fn cut_of(kind: u8, operand: f64, column: Option<&ColumnKind>, n_children: u32) -> Result<Cut> {
    match (kind, column, n_children) {
        (0, _, 0) => Ok(Cut::Leaf),
        (1, Some(ColumnKind::Numeric), 2) if operand.is_finite() => Ok(Cut::Below(operand)),
        (2, Some(_), 2) => Ok(Cut::Known),
        (3, Some(&ColumnKind::Nominal(levels)), 2)
            if operand.fract() == 0.0 && (0.0..f64::from(levels)).contains(&operand) =>
        {
            // Within 0..levels, so neither sign nor fraction is lost.
            #[allow(clippy::cast_sign_loss)]
            Ok(Cut::IsLevel(operand as u32))
        }
        (4, Some(&ColumnKind::Nominal(levels)), n) if n == levels && n > 0 => Ok(Cut::EachLevel),
        _ => broken("a node has an impossible split"),
    }
}
