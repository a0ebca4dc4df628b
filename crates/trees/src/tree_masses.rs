//! Reading and replacing the class masses of the nodes of a tree.
//!
//! The masses are stored in a table or, with many classes, in lists.

use crate::masses::{ClassAmounts, NodeClassAmounts, NodeMasses, add_class_amounts};
use crate::tree::Tree;
use std::borrow::Cow;

impl Tree {
    /// Returns the class masses of a node.
    /// With many classes, the time is linear in the number of nodes below it. For the masses of all nodes,
    /// use [`Tree::visit_node_masses`].
    pub fn class_masses(&self, node: usize) -> Cow<'_, [f64]> {
        match &self.mass {
            NodeMasses::Table(table) => {
                Cow::Borrowed(&table[node * self.n_classes..(node + 1) * self.n_classes])
            }
            NodeMasses::Lists(lists) => {
                let mut mass = vec![0.0; self.n_classes];
                let mut stack = vec![node];
                while let Some(node) = stack.pop() {
                    match lists.stored_amounts(node) {
                        Some(list) => list.iter().for_each(|&(class, amount)| mass[class as usize] += amount),
                        None => stack.extend(self.children(node).filter(|&child| self.rows[child] > 0)),
                    }
                }
                mass.iter_mut().zip(&lists.units).for_each(|(mass, unit)| *mass *= unit);
                Cow::Owned(mass)
            }
        }
    }

    /// Returns the classes with mass at a node, ascending, and their masses.
    /// If masses are stored in lists, a leaf takes time linear in the number of these classes. Other nodes
    /// take the time of [`Tree::class_masses`].
    pub fn present_class_masses(&self, node: usize) -> ClassAmounts {
        let with_mass = |list: &ClassAmounts, units: &[f64]| {
            let masses = list.iter().map(|&(class, amount)| (class, amount * units[class as usize]));
            masses.filter(|cell| cell.1 != 0.0).collect()
        };
        if let NodeMasses::Lists(lists) = &self.mass
            && let Some(list) = lists.stored_amounts(node)
        {
            return with_mass(&list, &lists.units);
        }
        (0..).zip(self.class_masses(node).iter().copied()).filter(|cell| cell.1 != 0.0).collect()
    }

    /// Total mass of a node.
    pub fn total_mass(&self, node: usize) -> f64 {
        match &self.mass {
            NodeMasses::Lists(lists) if lists.changed.is_empty() => lists.totals[node],
            _ => self.class_masses(node).iter().sum(),
        }
    }

    /// Mass of the training rows that reached a node.
    /// The result is 0 if no row reached the node. Such a node stores the masses of its parent.
    pub(crate) fn mass_reaching_node(&self, node: usize) -> f64 {
        if self.n_node_rows(node) == 0 { 0.0 } else { self.total_mass(node) }
    }

    /// Calls `visit` with the class masses of every node, from the last node to the first.
    pub fn visit_node_masses(&self, mut visit: impl FnMut(usize, &[f64])) {
        let NodeMasses::Lists(_) = &self.mass else {
            (0..self.n_nodes()).rev().for_each(|node| visit(node, &self.class_masses(node)));
            return;
        };
        let mut all = vec![0.0; self.n_classes];
        self.visit_sparse_node_masses(|node, classes, masses| {
            classes.iter().zip(masses).for_each(|(&class, &mass)| all[class as usize] = mass);
            visit(node, &all);
            for &class in classes {
                all[class as usize] = 0.0;
            }
        });
    }

    /// Calls `visit` with the classes and masses of every node, from the last node to the first.
    /// The classes are ascending. With many classes, only classes that occur at the node are listed.
    pub(crate) fn visit_sparse_node_masses(&self, mut visit: impl FnMut(usize, &[u32], &[f64])) {
        let NodeMasses::Lists(lists) = &self.mass else {
            let classes: Vec<u32> = (0..self.n_classes as u32).collect();
            (0..self.n_nodes()).rev().for_each(|node| visit(node, &classes, &self.class_masses(node)));
            return;
        };
        // `waiting` contains the class lists of visited nodes whose parents are not visited yet. These nodes
        // have disjoint rows, so their lists are short in total. Only the lists of nodes without rows stay in
        // `waiting`.
        let mut waiting: Vec<Option<ClassAmounts>> = vec![None; self.n_nodes()];
        let (mut classes, mut masses) = (Vec::new(), Vec::new());
        for node in (0..self.n_nodes()).rev() {
            let children = self.children(node).filter(|&child| self.rows[child] > 0);
            let below: Vec<ClassAmounts> = children.filter_map(|child| waiting[child].take()).collect();
            let list = match lists.stored_amounts(node) {
                Some(list) => list.into_owned(),
                None => {
                    below.into_iter().reduce(|sum, list| add_class_amounts(&sum, &list)).unwrap_or_default()
                }
            };
            classes.clear();
            masses.clear();
            classes.extend(list.iter().map(|&(class, _)| class));
            masses.extend(list.iter().map(|&(class, amount)| amount * lists.units[class as usize]));
            visit(node, &classes, &masses);
            waiting[node] = Some(list);
        }
    }

    pub(crate) fn map_node_masses(&self, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut numbers = vec![0.0; self.n_nodes()];
        self.visit_node_masses(|node, mass| numbers[node] = of(mass));
        numbers
    }

    pub(crate) fn with_stored_total_masses(mut self) -> Self {
        if matches!(self.mass, NodeMasses::Lists(_)) {
            let mut totals = vec![0.0; self.n_nodes()];
            self.visit_sparse_node_masses(|node, _, masses| totals[node] = masses.iter().sum());
            if let NodeMasses::Lists(lists) = &mut self.mass {
                lists.totals = totals;
            }
        }
        self
    }

    /// Lists of new masses are stored separately until [`Tree::remove_unreachable`].
    pub(crate) fn set_class_masses(&mut self, node: usize, mass: &[f64]) {
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

    /// Stores the masses of a node, so that changes to the nodes below it do not change them.
    ///
    /// A table of masses already has this property.
    pub(crate) fn store_class_masses(&mut self, node: usize) {
        if let NodeMasses::Lists(lists) = &self.mass
            && lists.stored_amounts(node).is_none()
        {
            let mass = self.class_masses(node).into_owned();
            self.set_class_masses(node, &mass);
        }
    }

    pub(crate) fn masses_of_nodes(&self, kept: &[usize]) -> NodeMasses {
        match &self.mass {
            NodeMasses::Table(_) => NodeMasses::Table(
                kept.iter().flat_map(|&node| self.class_masses(node).into_owned()).collect(),
            ),
            NodeMasses::Lists(lists) => {
                let mut part = NodeClassAmounts::new(lists.units.clone());
                for &node in kept {
                    part.push(lists.stored_amounts(node).map_or_else(Vec::new, Cow::into_owned));
                }
                NodeMasses::Lists(part)
            }
        }
    }
}
