//! Buffers that a worker reuses for all nodes.

use crate::binned::ClassHistogram;
use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::rows::training::TreeSample;

/// Scratch buffers of one worker.
pub(crate) struct GrowthScratch {
    /// Bit set of the rows that go to branch 1; valid only for rows of the current node.
    pub(crate) right: Vec<u64>,
    /// Branch of each row, for splits with more than two branches.
    pub(crate) branch: Vec<u32>,
    /// Weight of each row at the current node, if rows may go to children in fractions.
    pub(crate) weight: Vec<f64>,
    /// Histograms of earlier nodes, whose memory is reused.
    pub(crate) tables: Vec<ClassHistogram>,
    /// For every class of the table, its code at the current node.
    pub(crate) codes: Vec<u32>,
    /// Buffer for partitioning lists of rows.
    pub(crate) spare: Vec<FlaggedRow>,
}

impl GrowthScratch {
    pub(crate) fn new(training: &TreeSample<'_>) -> Self {
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

    /// Copies the row weights of a node to an array indexed by row number.
    pub(crate) fn load_row_weights(&mut self, n_rows: usize, entries: &[FlaggedRow], weights: &[f64]) {
        self.weight.resize(n_rows, 0.0);
        for (&entry, &weight) in entries.iter().zip(weights) {
            self.weight[row_of_entry(entry)] = weight;
        }
    }
}
