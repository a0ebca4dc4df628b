//! Split selection of C4.5 (Quinlan 1993; Quinlan 1996 for the penalty of numeric splits).

use crate::alpha::AlphaNodeScorer;
use crate::criterion::{ColumnSelectionRule, Criterion};
use crate::entropy::Entropy;
use serde::{Deserialize, Serialize};

/// Selects thresholds by information gain, and columns by gain ratio.
///
/// By default, only columns whose gain is at least about the mean gain compete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct C45 {
    /// Whether only columns whose gain is at least the mean gain minus 1e-3 can be selected.
    pub average_gain: bool,
    /// Whether the gain of a numeric split is penalized.
    ///
    /// The penalty is `log2(number of feasible thresholds) / n` for n rows.
    pub mdl_penalty: bool,
}

impl Default for C45 {
    fn default() -> Self {
        Self { average_gain: true, mdl_penalty: true }
    }
}

impl Criterion for C45 {
    type Node = AlphaNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> AlphaNodeScorer {
        Entropy {}.node_scorer(totals)
    }

    fn column_selection_rule(&self) -> ColumnSelectionRule {
        ColumnSelectionRule::Ratio { penalty: self.mdl_penalty, average: self.average_gain }
    }
}
