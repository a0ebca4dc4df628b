//! Codes of the classes at a node.
//!
//! Deep in a tree with many classes, most nodes contain few of the classes. The classes of such a node are
//! renumbered, so that its row counts, histograms and scores take time and memory linear in the number of
//! these classes. The order of the classes does not change, so rounding errors do not change either.

use crate::masses::MOST_IN_TABLE;
use crate::rows::class_sums::ClassSums;
use crate::rows::table::{RowWeights, TrainingTable};
use std::sync::Arc;

/// Classes at a node, in the order of their codes there; `None` if no class was renumbered.
#[derive(Clone, Default)]
pub(crate) struct NodeClassCoding(Option<Arc<ClassSubset>>);

struct ClassSubset {
    classes: Vec<u32>,
    /// Row weight of each class, if all rows of a class have the same weight; otherwise empty.
    weights: Vec<f64>,
}

/// Map from classes to the codes by which a node counts its training rows.
#[derive(Clone, Copy)]
pub(crate) struct ClassCodes<'c> {
    /// Code of every class at the node; `None` if no class was renumbered.
    ///
    /// Classes that do not occur at the node have arbitrary codes.
    pub(crate) of_class: Option<&'c [u32]>,
    pub(crate) n_classes: usize,
    /// Code, at the node, of the class that is most frequent in the whole table.
    ///
    /// If no row of the node has this class, the code is 0 and `has_frequent` is false.
    pub(crate) frequent: usize,
    pub(crate) has_frequent: bool,
}

impl<'c> ClassCodes<'c> {
    pub(crate) fn for_table(table: &TrainingTable<'_>) -> Self {
        Self { of_class: None, n_classes: table.n_classes, frequent: table.frequent, has_frequent: true }
    }

    pub(crate) fn for_node(
        coding: &NodeClassCoding,
        table: &TrainingTable<'_>,
        room: &'c mut Vec<u32>,
    ) -> Self {
        let Some(own) = &coding.0 else { return Self::for_table(table) };
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

impl NodeClassCoding {
    pub(crate) fn class_of_code(&self, code: usize) -> u32 {
        self.0.as_ref().map_or(code as u32, |own| own.classes[code])
    }

    /// Returns the weight of each class code at the node; `None` if no class was renumbered.
    ///
    /// The list is empty if rows of the same class have different weights.
    pub(crate) fn class_weights_by_code(&self) -> Option<&[f64]> {
        self.0.as_ref().map(|own| &own.weights[..])
    }

    /// Renumbers the classes that have rows at a node.
    ///
    /// Nothing changes if the table has few classes, or if more than half of the codes have rows.
    pub(crate) fn renumber_classes(&self, sums: ClassSums, table: &TrainingTable<'_>) -> (Self, ClassSums) {
        let n_present = sums.rows.iter().filter(|&&rows| rows > 0).count();
        if table.n_classes <= MOST_IN_TABLE || 2 * n_present > sums.rows.len() {
            return (self.clone(), sums);
        }
        let present = || sums.rows.iter().zip(&sums.mass).enumerate().filter(|(_, (rows, _))| **rows > 0);
        let classes: Vec<u32> = present().map(|(code, _)| self.class_of_code(code)).collect();
        let weights = match &table.weighing {
            RowWeights::ByClass(weights) => classes.iter().map(|&class| weights[class as usize]).collect(),
            RowWeights::ByRow(_) => Vec::new(),
        };
        let (rows, mass) = present().map(|(_, (&rows, &mass))| (rows, mass)).unzip();
        (Self(Some(Arc::new(ClassSubset { classes, weights }))), ClassSums { rows, mass })
    }
}
