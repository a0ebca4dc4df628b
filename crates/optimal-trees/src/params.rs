//! Parameters of optimal trees.

use serde::{Deserialize, Serialize};

/// Objective that the tree provably optimizes on the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeObjective {
    /// Objective that has no parameter.
    Named(TreeObjectiveName),
    /// F-measure of the positive class; recall counts `f_beta` times as much as precision.
    FBeta(FBetaObjective),
    /// Fewest false positives, with at least a given recall.
    Recall(MinRecall),
    /// Largest recall, with at least a given precision.
    Precision(MinPrecision),
}

impl TreeObjective {
    /// Whether the search needs integer weights.
    ///
    /// If it does, weights that are not multiples of a common unit are rounded.
    pub(crate) fn needs_integer_weights(self) -> bool {
        match self {
            Self::Named(TreeObjectiveName::Cost | TreeObjectiveName::F1) | Self::FBeta(_) => false,
            Self::Named(TreeObjectiveName::Hull) | Self::Recall(_) | Self::Precision(_) => true,
        }
    }
}

/// Objectives without a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeObjectiveName {
    /// Least misclassification cost under the cost matrix.
    Cost,
    /// F1 measure of the positive class.
    F1,
    /// ROC hull: every tree that is optimal at some cost of a false negative.
    Hull,
}

/// `{"f_beta": 2}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FBetaObjective {
    /// Importance of recall relative to precision.
    pub f_beta: f64,
}

/// `{"recall": 0.9}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinRecall {
    /// Minimum recall of the positive class.
    pub recall: f64,
}

/// `{"precision": 0.5}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinPrecision {
    /// Minimum precision of the positive class.
    pub precision: f64,
}

/// Treatment of missing values in the column that a split tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingHandling {
    /// A missing value causes an error.
    Error,
    /// All rows with a missing value go to the child that gives the better objective.
    Direction,
}

imbcore_core::params! {
    /// Parameters of optimal trees.
    pub struct OptimalTreeParams {
        objective: TreeObjective = TreeObjective::Named(TreeObjectiveName::Cost),
            "\"cost\", \"f1\" or \"hull\", or {'f_beta': b} with b above 0 and at most 64, {'recall': r} or {'precision': p} with r and p from 0 to 1",
            "Objective that the tree provably optimizes on the training rows. \"cost\": minimum cost of the errors \
             by `cost_matrix`; by default each error costs 1. \"f1\" or `{\"f_beta\": 2}`: maximum F-measure of the \
             positive class. `{\"recall\": 0.9}`: minimum weight of false positives among the trees with at least \
             this recall. `{\"precision\": 0.5}`: maximum recall among the trees with at least this precision. \
             \"hull\": minimum cost; the fit also finds the best tree for every other cost of a false negative. All \
             objectives except \"cost\" require two classes.";
        max_depth: u32 = 2, "a whole number from 1 to 4",
            "Maximum number of splits from the root to a leaf.";
        min_weight_leaf: f64 = 0.0, "a number of at least 0",
            "Minimum sum of weights in each child of a split. If it is above 0, a split of a nominal feature \
             separates a single level from the others.";
        min_weight_fraction_leaf: f64 = 0.0, "a number in [0, 0.5]",
            "Minimum sum of weights in each child, as a fraction of the sum of all weights.";
        leaf_cost: f64 = 0.0, "a number of at least 0",
            "Cost of each leaf: a split must reduce the cost of the errors by more than this value. Only for \
             objective=\"cost\".";
        missing: MissingHandling = MissingHandling::Direction, "\"error\" or \"direction\"",
            "Missing values: \"error\" raises an error; \"direction\" sends missing values to the child that gives \
             the better objective.";
        lookahead: Option<u32> = None, "None, or a whole number from 1 to 3",
            "None: the search is exact. A number below max_depth: depth of a heuristic search, which is faster for \
             data with many rows. Each node uses the root split of the best tree of this depth; its children are \
             grown in the same way. `bound_` then comes from an exact search on at most 20,480 rows, and `status_` \
             is \"heuristic\" unless the tree reaches this bound. Not supported with a minimum recall or precision.";
        time_limit: Option<f64> = Some(300.0), "seconds above 0 and at most a year, or None",
            "Maximum wall-clock time in seconds. The result depends on the speed of the machine only if the limit is \
             reached.";
    }
}
