//! Codes of the classes at a node.
//!
//! Deep in a tree of many classes most nodes hold few of them. There classes are numbered anew, so that sums, tables and
//! scores of a node take time and memory in proportion to its own classes. Their order stays: sums round as before.

use crate::masses::MOST_IN_TABLE;
use crate::rows::sums::ClassSums;
use crate::rows::training::{Table, Weighing};
use std::sync::Arc;

/// The classes at a node, in the order of their codes.
#[derive(Clone, Default)]
pub(crate) struct NodeCoding(Option<Arc<Classes>>);

/// Some of the classes, ascending.
struct Classes {
    classes: Vec<u32>,
    /// Weight of a row of each, if rows of a class weigh the same.
    weights: Vec<f64>,
}

/// What training rows are counted by: all classes, or those of a node.
#[derive(Clone, Copy)]
pub(crate) struct Codes<'c> {
    /// Code of every class at the node; others have any. None for all classes.
    pub(crate) of_class: Option<&'c [u32]>,
    pub(crate) n_classes: usize,
    /// Code of the most frequent class of the table. 0 if the node has no row of it, and then `has_frequent` is false.
    pub(crate) frequent: usize,
    pub(crate) has_frequent: bool,
}

impl<'c> Codes<'c> {
    /// Those of all classes of a table.
    pub(crate) fn of_table(table: &Table<'_>) -> Self {
        Self { of_class: None, n_classes: table.n_classes, frequent: table.frequent, has_frequent: true }
    }

    /// Those of a node; `room` has a place for every class.
    pub(crate) fn of_node(coding: &NodeCoding, table: &Table<'_>, room: &'c mut Vec<u32>) -> Self {
        let Some(own) = &coding.0 else { return Self::of_table(table) };
        room.resize(table.n_classes, 0);
        for (&class, code) in own.classes.iter().zip(0..) {
            room[class as usize] = code;
        }
        let frequent = own.classes.binary_search(&(table.frequent as u32));
        Self {
            of_class: Some(room),
            n_classes: own.classes.len(),
            frequent: frequent.unwrap_or(0),
            has_frequent: frequent.is_ok(),
        }
    }
}

impl NodeCoding {
    /// The class of a code.
    pub(crate) fn class(&self, code: usize) -> u32 {
        self.0.as_ref().map_or(code as u32, |own| own.classes[code])
    }

    /// Weights of the classes; none where they are those of the table.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.0.as_ref().map(|own| &own.weights[..])
    }

    /// The sums of a node with codes for the classes that it holds, if those are at most half of the coded ones.
    pub(crate) fn narrowed(&self, sums: ClassSums, table: &Table<'_>) -> (Self, ClassSums) {
        let n_present = sums.rows.iter().filter(|&&rows| rows > 0).count();
        if table.n_classes <= MOST_IN_TABLE || 2 * n_present > sums.rows.len() {
            return (self.clone(), sums);
        }
        let present = || sums.rows.iter().zip(&sums.mass).enumerate().filter(|(_, (rows, _))| **rows > 0);
        let classes: Vec<u32> = present().map(|(code, _)| self.class(code)).collect();
        let weights = match &table.weighing {
            Weighing::ByClass(weights) => classes.iter().map(|&class| weights[class as usize]).collect(),
            Weighing::ByRow(_) => Vec::new(),
        };
        let (rows, mass) = present().map(|(_, (&rows, &mass))| (rows, mass)).unzip();
        (Self(Some(Arc::new(Classes { classes, weights }))), ClassSums { rows, mass })
    }
}
