//! Class masses of the nodes of a tree.
//!
//! The mass of a class is the total weight of its rows. For few classes, a tree stores a table of masses,
//! `n_nodes x n_classes`. With many classes, most nodes contain few of the classes, and most cells of a table
//! would be 0. Then every node has a list of the classes that occur in it. Internal nodes whose masses are
//! the sums over their children have no list. If no row is split into fractions and every leaf has training
//! rows, the lists of all leaves together are at most as long as the list of training rows.

use crate::rows::class_sums::ClassSums;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Maximum number of classes for which a tree stores a table.
pub const MOST_IN_TABLE: usize = 16;

/// Class masses of the nodes of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeMasses {
    /// Table of class masses, `n_nodes x n_classes`.
    Table(Vec<f64>),
    /// Lists of the classes that occur in each node, for many classes.
    Lists(NodeClassAmounts),
}

/// Concatenated lists of classes and amounts (row counts or masses) of all nodes.
/// An internal node without a list has the sum of the lists of its children. Children without training rows
/// are left out of this sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeClassAmounts {
    /// Position after the last entry of every node's list.
    pub ends: Vec<u32>,
    /// Classes of the lists, ascending within each list.
    pub classes: Vec<u32>,
    /// Row count or mass for each entry of `classes`.
    pub amounts: Vec<f64>,
    /// Factor of each class that converts amounts to masses.
    ///
    /// If all rows of a class have equal weight and no row is split into fractions, amounts are row counts,
    /// and sums over children are exact. Otherwise amounts are masses, and all factors are 1.
    pub units: Vec<f64>,
    pub(crate) totals: Vec<f64>,
    /// Lists that replace the stored lists of some nodes while a tree is pruned.
    pub(crate) changed: BTreeMap<usize, ClassAmounts>,
}

/// Classes, ascending, with their amounts (row counts or masses).
pub type ClassAmounts = Vec<(u32, f64)>;

pub(crate) fn to_class_amounts(
    sums: &ClassSums,
    counts: bool,
    class_of: impl Fn(usize) -> u32,
) -> ClassAmounts {
    let cells = sums.rows.iter().zip(&sums.mass).enumerate();
    let present = cells.filter(|(_, (rows, mass))| **rows > 0 || **mass > 0.0);
    present
        .map(|(class, (&rows, &mass))| (class_of(class), if counts { f64::from(rows) } else { mass }))
        .collect()
}

pub(crate) fn add_class_amounts(one: &ClassAmounts, other: &ClassAmounts) -> ClassAmounts {
    let mut sum = Vec::with_capacity(one.len().max(other.len()));
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    loop {
        match (one.peek(), other.peek()) {
            (Some(&&(a, x)), Some(&&(b, y))) => {
                let class = a.min(b);
                let x = if a == class { one.next().map_or(x, |cell| cell.1) } else { 0.0 };
                let y = if b == class { other.next().map_or(y, |cell| cell.1) } else { 0.0 };
                sum.push((class, x + y));
            }
            (Some(_), None) => sum.extend(one.by_ref()),
            (None, Some(_)) => sum.extend(other.by_ref()),
            (None, None) => return sum,
        }
    }
}

impl NodeClassAmounts {
    /// Creates storage without any list; `units` are the factors that convert amounts to masses.
    pub fn new(units: Vec<f64>) -> Self {
        Self { units, ..Self::default() }
    }

    /// Appends the list of the next node: pairs of a class and its row count or mass.
    ///
    /// The list is empty for an internal node whose masses are the sums over its children.
    pub fn push(&mut self, list: impl IntoIterator<Item = (u32, f64)>) {
        for (class, amount) in list {
            self.classes.push(class);
            self.amounts.push(amount);
        }
        self.ends.push(self.classes.len() as u32);
    }

    /// Appends the list of the next node, given the mass of every class.
    ///
    /// Classes of mass 0 are left out. `mass` is empty for an internal node whose masses are the sums over
    /// its children.
    pub fn push_masses(&mut self, mass: &[f64]) {
        self.push((0..).zip(mass.iter().copied()).filter(|cell| cell.1 != 0.0));
    }

    pub(crate) fn stored_amounts(&self, node: usize) -> Option<Cow<'_, ClassAmounts>> {
        if let Some(changed) = self.changed.get(&node) {
            return Some(Cow::Borrowed(changed));
        }
        let start = if node == 0 { 0 } else { self.ends[node - 1] as usize };
        let cells = start..self.ends[node] as usize;
        let pairs =
            || self.classes[cells.clone()].iter().copied().zip(self.amounts[cells.clone()].iter().copied());
        (!cells.is_empty()).then(|| Cow::Owned(pairs().collect()))
    }

    /// Returns whether the arrays fit `n_nodes` nodes and every leaf has a list.
    pub(crate) fn is_consistent(
        &self,
        n_nodes: usize,
        n_classes: usize,
        is_leaf: impl Fn(usize) -> bool,
    ) -> bool {
        let whole = self.ends.len() == n_nodes
            && self.ends.is_sorted()
            && self.ends.last().is_none_or(|&end| end as usize == self.classes.len())
            && self.amounts.len() == self.classes.len()
            && self.units.len() == n_classes
            && self.units.iter().all(|unit| unit.is_finite() && *unit >= 0.0);
        whole
            && (0..n_nodes).all(|node| {
                let start = if node == 0 { 0 } else { self.ends[node - 1] as usize };
                let classes = &self.classes[start..self.ends[node] as usize];
                classes.is_sorted_by(|a, b| a < b)
                    && classes.last().is_none_or(|&last| (last as usize) < n_classes)
                    && !(classes.is_empty() && is_leaf(node))
            })
    }
}

impl NodeMasses {
    pub(crate) fn into_lists_if_many_classes(self, n_classes: usize) -> Self {
        self.into_lists_without_sum_nodes(n_classes, |_| false)
    }

    /// Nodes with `is_sum` get no list: their masses are the sums over their children.
    pub(crate) fn into_lists_without_sum_nodes(
        self,
        n_classes: usize,
        is_sum: impl Fn(usize) -> bool,
    ) -> Self {
        match self {
            Self::Table(table) if n_classes > MOST_IN_TABLE => {
                let mut lists = NodeClassAmounts::new(vec![1.0; n_classes]);
                for (node, mass) in table.chunks_exact(n_classes).enumerate() {
                    lists.push_masses(if is_sum(node) { &[] } else { mass });
                }
                Self::Lists(lists)
            }
            other => other,
        }
    }

    pub(crate) fn is_consistent(
        &self,
        n_nodes: usize,
        n_classes: usize,
        is_leaf: impl Fn(usize) -> bool,
    ) -> bool {
        match self {
            Self::Table(table) => Some(table.len()) == n_nodes.checked_mul(n_classes),
            Self::Lists(lists) => lists.is_consistent(n_nodes, n_classes, is_leaf),
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        let (Self::Table(cells) | Self::Lists(NodeClassAmounts { amounts: cells, .. })) = self;
        cells.iter().all(|cell| cell.is_finite() && *cell >= 0.0)
    }
}
