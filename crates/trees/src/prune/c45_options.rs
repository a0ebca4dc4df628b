//! Post-processing of trees by C4.5: pruning, and thresholds that are training values.

use super::c45::C45Pruning;
use super::subtree_raising::RaisingData;
use crate::rows::train_column::{TrainColumn, row_of_entry};
use crate::rows::training::TreeSample;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, Result, RunContext};
use serde::{Deserialize, Serialize};

/// Position of a numeric threshold between two neighboring training values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThresholdPlacement {
    /// The threshold is the midpoint of the two values.
    Midpoint,
    /// The threshold is the largest training value that does not exceed the midpoint.
    /// This is the rule of C4.5 and Weka.
    Data,
}

/// Checked settings that distinguish C4.5 from other trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45Options {
    pub(crate) c45_min: bool,
    pub(crate) min_value_difference: f64,
    pub(crate) threshold_placement: ThresholdPlacement,
    pub(crate) pruning: C45Pruning,
}

impl C45Options {
    pub(crate) fn prune_and_place_thresholds(
        &self,
        tree: Tree,
        training: &TreeSample<'_>,
        fraction: bool,
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        let columns: Vec<Column<'_>> = training.table.columns.iter().map(TrainColumn::as_column).collect();
        let rows = || RaisingData {
            columns: &columns,
            classes: training.table.classes,
            rows: training
                .entries
                .iter()
                .map(|&entry| (row_of_entry(entry) as u32, training.table.weight_of(entry)))
                .collect(),
            fraction,
        };
        let mut tree = self.pruning.prune(tree, rows, ctl)?;
        if self.threshold_placement == ThresholdPlacement::Data {
            lower_thresholds_to_values(&mut tree, training);
        }
        Ok(tree)
    }
}

/// Lowers every threshold to the largest training value that does not exceed it.
///
/// Each training row still goes to the same child as before.
fn lower_thresholds_to_values(tree: &mut Tree, training: &TreeSample<'_>) {
    for (column, values) in training.table.columns.iter().enumerate() {
        let TrainColumn::Numeric(values) = values else { continue };
        let cuts: Vec<usize> = (0..tree.n_nodes()).filter(|&node| tree.column(node) == column).collect();
        if cuts.is_empty() {
            continue;
        }
        let values = values.strided_values();
        let all = training.entries.iter().map(|&entry| values.get(row_of_entry(entry)));
        let mut known: Vec<f64> = all.filter(|value| !value.is_nan()).collect();
        known.sort_unstable_by(f64::total_cmp);
        for node in cuts {
            if let TreeSplit::Below(threshold) = tree.cut[node] {
                let n_below = known.partition_point(|&value| value <= threshold);
                let lowered = n_below.checked_sub(1).map_or(threshold, |last| known[last]);
                tree.cut[node] = TreeSplit::Below(lowered);
            }
        }
    }
}
