//! The choice that C4.5 makes (Quinlan 1993; 1996 for the penalty).

use crate::alpha::AlphaNode;
use crate::entropy::Entropy;
use crate::rule::{Choice, Criterion};
use serde::{Deserialize, Serialize};

/// Cuts by information gain, columns by gain ratio among those of at least average gain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct C45 {
    /// Only columns whose gain reaches the mean gain compete.
    pub average_gain: bool,
    /// A numeric cut pays `log2(number of feasible cuts) / n`.
    pub mdl_penalty: bool,
}

impl Default for C45 {
    fn default() -> Self {
        Self { average_gain: true, mdl_penalty: true }
    }
}

impl Criterion for C45 {
    type Node = AlphaNode;

    fn at_node(&self, totals: &[f64]) -> AlphaNode {
        Entropy {}.at_node(totals)
    }

    fn choice(&self) -> Choice {
        Choice::Ratio { penalty: self.mdl_penalty, average: self.average_gain }
    }
}
