//! Class masses of the nodes of a tree.
//!
//! For few classes, a tree stores a table, `n_nodes x n_classes`. With many classes, most nodes contain few of
//! them, and a table would be mostly zero. Then every node has a list of its classes, except internal nodes whose
//! masses are the sums over their children. The lists of all leaves together are at most as long as the training
//! rows, for any depth of the tree.

use crate::rows::sums::ClassSums;
use crate::tree::Tree;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Maximum number of classes for which a tree stores a table.
pub const MOST_IN_TABLE: usize = 16;

/// Class masses of the nodes of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeMasses {
    /// Table, `n_nodes x n_classes`.
    Table(Vec<f64>),
    /// Lists of the classes at each node.
    Lists(ClassLists),
}

/// Concatenated lists of classes and amounts of all nodes.
/// An internal node without a list has the sums over those of its children that training rows reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassLists {
    /// End of every node's list.
    pub ends: Vec<u32>,
    /// Classes of the lists, ascending within each list.
    pub classes: Vec<u32>,
    /// Amount of each class in a list.
    pub amounts: Vec<f64>,
    /// Mass of an amount of 1, by class.
    /// If all rows of a class have equal weight, amounts are row counts, and sums over children are exact.
    pub units: Vec<f64>,
    /// Mass of every node.
    pub(crate) totals: Vec<f64>,
    /// Replacements for lists of nodes, used while a tree is pruned.
    pub(crate) changed: BTreeMap<usize, ClassList>,
}

/// Ascending classes with their amounts.
pub(crate) type ClassList = Vec<(u32, f64)>;

/// Converts class sums to a list; amounts are rows if `counts`, otherwise masses.
pub(crate) fn listed(sums: &ClassSums, counts: bool, class_of: impl Fn(usize) -> u32) -> ClassList {
    let cells = sums.rows.iter().zip(&sums.mass).enumerate();
    let present = cells.filter(|(_, (rows, mass))| **rows > 0 || **mass > 0.0);
    present
        .map(|(class, (&rows, &mass))| (class_of(class), if counts { f64::from(rows) } else { mass }))
        .collect()
}

/// Adds two lists.
fn merged(one: &ClassList, other: &ClassList) -> ClassList {
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

impl ClassLists {
    /// Creates empty lists, given the mass of an amount of 1 by class.
    pub fn new(units: Vec<f64>) -> Self {
        Self { units, ..Self::default() }
    }

    /// Appends the list of a node.
    /// It is empty for an internal node with the sums over its children.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = (u32, f64)>) {
        for (class, amount) in list {
            self.classes.push(class);
            self.amounts.push(amount);
        }
        self.ends.push(self.classes.len() as u32);
    }

    /// Appends the masses of all classes of a node.
    /// They are empty for an internal node with the sums over its children.
    pub fn push_masses(&mut self, mass: &[f64]) {
        self.push((0..).zip(mass.iter().copied()).filter(|cell| cell.1 != 0.0));
    }

    /// Returns the list of a node, if it has one.
    fn own(&self, node: usize) -> Option<Cow<'_, ClassList>> {
        if let Some(changed) = self.changed.get(&node) {
            return Some(Cow::Borrowed(changed));
        }
        let start = if node == 0 { 0 } else { self.ends[node - 1] as usize };
        let cells = start..self.ends[node] as usize;
        let pairs =
            || self.classes[cells.clone()].iter().copied().zip(self.amounts[cells.clone()].iter().copied());
        (!cells.is_empty()).then(|| Cow::Owned(pairs().collect()))
    }

    /// Returns whether the arrays are consistent for `n_nodes` nodes; leaves need a list.
    pub(crate) fn is_whole(&self, n_nodes: usize, n_classes: usize, is_leaf: impl Fn(usize) -> bool) -> bool {
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

impl Tree {
    /// Returns the class masses of a node.
    /// With many classes, the time is linear in the nodes below it; for all nodes use [`Tree::each_mass`].
    pub fn mass(&self, node: usize) -> Cow<'_, [f64]> {
        match &self.mass {
            NodeMasses::Table(table) => {
                Cow::Borrowed(&table[node * self.n_classes..(node + 1) * self.n_classes])
            }
            NodeMasses::Lists(lists) => {
                let mut mass = vec![0.0; self.n_classes];
                let mut stack = vec![node];
                while let Some(node) = stack.pop() {
                    match lists.own(node) {
                        Some(list) => list.iter().for_each(|&(class, amount)| mass[class as usize] += amount),
                        None => stack.extend(self.children(node).filter(|&child| self.rows[child] > 0)),
                    }
                }
                mass.iter_mut().zip(&lists.units).for_each(|(mass, unit)| *mass *= unit);
                Cow::Owned(mass)
            }
        }
    }

    /// Total mass of a node.
    pub fn total_mass(&self, node: usize) -> f64 {
        match &self.mass {
            NodeMasses::Lists(lists) if lists.changed.is_empty() => lists.totals[node],
            _ => self.mass(node).iter().sum(),
        }
    }

    /// Mass of the training rows that reached a node; 0 if it repeats the masses of its parent.
    pub(crate) fn reached_mass(&self, node: usize) -> f64 {
        if self.rows(node) == 0 { 0.0 } else { self.total_mass(node) }
    }

    /// Calls `visit` with the class masses of every node, from the last node to the first.
    pub fn each_mass(&self, mut visit: impl FnMut(usize, &[f64])) {
        let NodeMasses::Lists(lists) = &self.mass else {
            (0..self.n_nodes()).rev().for_each(|node| visit(node, &self.mass(node)));
            return;
        };
        // Lists of nodes whose parents are not visited yet. Their rows are disjoint, so the lists are short.
        let mut waiting: Vec<Option<ClassList>> = vec![None; self.n_nodes()];
        let mut mass = vec![0.0; self.n_classes];
        for node in (0..self.n_nodes()).rev() {
            let children = self.children(node).filter(|&child| self.rows[child] > 0);
            let below: Vec<ClassList> = children.filter_map(|child| waiting[child].take()).collect();
            let list = match lists.own(node) {
                Some(list) => list.into_owned(),
                None => below.into_iter().reduce(|sum, list| merged(&sum, &list)).unwrap_or_default(),
            };
            for &(class, amount) in &list {
                mass[class as usize] = amount * lists.units[class as usize];
            }
            visit(node, &mass);
            for &(class, _) in &list {
                mass[class as usize] = 0.0;
            }
            waiting[node] = Some(list);
        }
    }

    /// Computes a number for every node from its class masses.
    pub(crate) fn of_masses(&self, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut numbers = vec![0.0; self.n_nodes()];
        self.each_mass(|node, mass| numbers[node] = of(mass));
        numbers
    }

    /// Returns the tree with precomputed total masses.
    pub(crate) fn with_totals(mut self) -> Self {
        if matches!(self.mass, NodeMasses::Lists(_)) {
            let totals = self.of_masses(|mass| mass.iter().sum());
            if let NodeMasses::Lists(lists) = &mut self.mass {
                lists.totals = totals;
            }
        }
        self
    }

    /// Replaces the class masses of a node until [`Tree::compact`].
    pub(crate) fn set_mass(&mut self, node: usize, mass: &[f64]) {
        match &mut self.mass {
            NodeMasses::Table(table) => {
                table[node * self.n_classes..(node + 1) * self.n_classes].copy_from_slice(mass);
            }
            NodeMasses::Lists(lists) => {
                let cells = mass.iter().zip(&lists.units).enumerate();
                let present = cells.filter(|(_, (mass, _))| **mass > 0.0);
                let list = present.map(|(class, (mass, unit))| (class as u32, mass / unit)).collect();
                lists.changed.insert(node, list);
            }
        }
    }

    /// Fixes the masses of a node, so that changes below it have no effect.
    pub(crate) fn hold_mass(&mut self, node: usize) {
        if let NodeMasses::Lists(lists) = &self.mass
            && lists.own(node).is_none()
        {
            let mass = self.mass(node).into_owned();
            self.set_mass(node, &mass);
        }
    }

    /// Returns the masses of some of the nodes.
    pub(crate) fn kept_masses(&self, kept: &[usize]) -> NodeMasses {
        match &self.mass {
            NodeMasses::Table(_) => {
                NodeMasses::Table(kept.iter().flat_map(|&node| self.mass(node).into_owned()).collect())
            }
            NodeMasses::Lists(lists) => {
                let mut part = ClassLists::new(lists.units.clone());
                for &node in kept {
                    part.push(lists.own(node).map_or_else(Vec::new, Cow::into_owned));
                }
                NodeMasses::Lists(part)
            }
        }
    }
}

impl NodeMasses {
    /// Converts a table to the storage format for `n_classes` classes.
    pub(crate) fn settled(self, n_classes: usize) -> Self {
        match self {
            Self::Table(table) if n_classes > MOST_IN_TABLE => {
                let mut lists = ClassLists::new(vec![1.0; n_classes]);
                for mass in table.chunks_exact(n_classes) {
                    lists.push_masses(mass);
                }
                Self::Lists(lists)
            }
            other => other,
        }
    }

    /// Returns whether there are masses for all nodes and classes.
    pub(crate) fn is_whole(&self, n_nodes: usize, n_classes: usize, is_leaf: impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Table(table) => Some(table.len()) == n_nodes.checked_mul(n_classes),
            Self::Lists(lists) => lists.is_whole(n_nodes, n_classes, is_leaf),
        }
    }

    /// Returns whether all masses are finite and nonnegative.
    pub(crate) fn is_valid(&self) -> bool {
        let (Self::Table(cells) | Self::Lists(ClassLists { amounts: cells, .. })) = self;
        cells.iter().all(|cell| cell.is_finite() && *cell >= 0.0)
    }
}
