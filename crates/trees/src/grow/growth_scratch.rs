//! Buffers that a worker reuses for all nodes.

use crate::binned::ClassHistogram;
use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::rows::training::TreeSample;

pub(crate) struct GrowthScratch {
    /// Bit set of the rows that go to branch 1; valid only for rows of the current node.
    pub(crate) right: Vec<u64>,
    pub(crate) branch: Vec<u32>,
    pub(crate) weight: Vec<f64>,
    pub(crate) tables: Vec<ClassHistogram>,
    pub(crate) codes: Vec<u32>,
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

    pub(crate) fn load_row_weights(&mut self, n_rows: usize, entries: &[FlaggedRow], weights: &[f64]) {
        self.weight.resize(n_rows, 0.0);
        for (&entry, &weight) in entries.iter().zip(weights) {
            self.weight[row_of_entry(entry)] = weight;
        }
    }
}
