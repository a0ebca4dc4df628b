//! Parameters of rule lists.

use imbcore_core::OuterParams;
use serde::{Deserialize, Serialize};

/// Objective of the choice of rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RuleObjective {
    /// An objective without parameter.
    Named(RuleObjectiveName),
    /// F-measure of the positive class; `f_beta` is the weight of recall relative to precision.
    FBeta(RuleFBeta),
    /// Maximum recall with at least a given precision.
    Precision(PrecisionConstraint),
    /// Maximum precision with at least a given recall.
    Recall(RecallConstraint),
}

/// Objectives without a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleObjectiveName {
    /// F-measure of the positive class.
    F1,
}

/// `{"f_beta": 2}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFBeta {
    /// Weight of recall relative to precision.
    pub f_beta: f64,
}

/// `{"precision": 0.5}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecisionConstraint {
    /// Minimum precision of the predicted positives.
    pub precision: f64,
}

/// `{"recall": 0.9}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecallConstraint {
    /// Minimum recall of the positive rows.
    pub recall: f64,
}

imbcore_core::params! {
    /// Parameters of a rule list.
    /// The trees that provide its rules have parameters of their own.
    pub struct RuleListParams {
        n_rules: u32 = 5, "a whole number of at least 1",
            "Maximum number of rules.";
        objective: RuleObjective = RuleObjective::Named(RuleObjectiveName::F1),
            "\"f1\", or a dict such as {'f_beta': 2}, {'precision': 0.5} or {'recall': 0.9}",
            "Measure that the choice of rules provably maximizes on the training rows. \"f1\" or `{\"f_beta\": 2}`: \
             F-measure of the positive class, with f_beta above 0 and at most 64. `{\"precision\": 0.5}`: recall, \
             among the lists with at least this precision. `{\"recall\": 0.9}`: precision, among the lists with at \
             least this recall. The precision and the recall are in (0, 1].";
        n_estimators: u32 = 100, "a whole number of at least 1",
            "Number of trees in the forest that provides the candidate rules.";
        max_depth: u32 = 3, "a whole number from 1 to 3",
            "Maximum depth of the trees, which is also the maximum number of conditions in a rule.";
        max_candidates: u32 = 50, "a whole number of at least 1",
            "Maximum number of candidate rules after dominated rules are removed. The rules are ranked several times \
             by the weight of their true positives minus a cost times the weight of their false positives, with a \
             different cost in each ranking. The candidates are taken from these rankings in turn.";
        time_limit: Option<f64> = Some(10.0), "seconds above 0 and at most a year, or None",
            "Time limit of the choice of rules, in seconds; the result depends on the speed of the machine only if \
             the limit is reached.";
    }
}

impl OuterParams for RuleListParams {
    /// Tree parameters that a user of a rule list cannot set.
    ///
    /// A rule list has a parameter `max_depth` of its own, and it uses neither leaf values nor pruning.
    const HIDDEN: &'static [&'static str] = &[
        "max_depth",
        "max_leaf_nodes",
        "growth_order",
        "redraw_features",
        "allow_zero_gain_splits",
        "leaf_estimate",
        "prior_weight",
        "missing",
        "monotonic_cst",
        "ccp_alpha",
        "ccp_criterion",
    ];
}
