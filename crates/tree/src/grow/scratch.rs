//! Memory that a worker uses again from node to node.

use crate::binned::BinTable;
use crate::rows::entry::{Entry, row_of};
use crate::rows::training::Training;

/// Scratch memory of one worker.
pub(crate) struct Scratch {
    /// Bit `row` says that the row goes to branch 1; holds sense for the rows of the current node only.
    pub(crate) right: Vec<u64>,
    /// Branch of each row, for splits with more than two.
    pub(crate) branch: Vec<u32>,
    /// Weight of each row of the current node, where rows are not whole.
    pub(crate) weight: Vec<f64>,
    /// Tables of bins that no node needs any more.
    pub(crate) tables: Vec<BinTable>,
    /// Codes of the classes of the current node.
    pub(crate) codes: Vec<u32>,
    /// Room for entries on the move.
    pub(crate) spare: Vec<Entry>,
}

impl Scratch {
    pub(crate) fn new(training: &Training<'_>) -> Self {
        let n_rows = training.table.classes.len();
        Self {
            right: vec![0; n_rows.div_ceil(64)],
            branch: Vec::new(),
            weight: Vec::new(),
            tables: Vec::new(),
            codes: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Makes the row weights of a node readable by row.
    pub(crate) fn load_weights(&mut self, n_rows: usize, entries: &[Entry], weights: &[f64]) {
        self.weight.resize(n_rows, 0.0);
        for (&entry, &weight) in entries.iter().zip(weights) {
            self.weight[row_of(entry)] = weight;
        }
    }
}
