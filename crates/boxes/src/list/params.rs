//! Parameters of rule lists.

use imbcore_base::Overrides;
use serde::{Deserialize, Serialize};

/// What the best choice of rules is best at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Objective {
    /// A word.
    Named(ObjectiveName),
    /// The F-measure of the positive class in which recall counts `f_beta` times as much as precision.
    FBeta(FBeta),
    /// The largest recall of at least this precision.
    Precision(Precision),
    /// The largest precision of at least this recall.
    Recall(Recall),
}

/// Objectives without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectiveName {
    /// The F-measure of the positive class.
    F1,
}

/// `{"f_beta": 2}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FBeta {
    /// How many times as much recall counts.
    pub f_beta: f64,
}

/// `{"precision": 0.5}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// Least share of positive rows among those answered so.
    pub precision: f64,
}

/// `{"recall": 0.9}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    /// Least share of the positive rows that is answered so.
    pub recall: f64,
}

imbcore_base::params! {
    /// What a rule list adds to the parameters of the trees whose rules it chooses from.
    pub struct RuleListParams {
        n_rules: u32 = 5, "a whole number of at least 1",
            "Most rules of the list.";
        objective: Objective = Objective::Named(ObjectiveName::F1),
            "\"f1\", or a dict such as {'f_beta': 2}, {'precision': 0.5} or {'recall': 0.9}",
            "What no other choice among the same rules is better at on the training rows: \"f1\" and `{\"f_beta\": 2}`, the F-measure of \
             the positive class, with f_beta above 0 and at most 64; `{\"precision\": 0.5}`, recall with at least this precision; \
             `{\"recall\": 0.9}`, precision with at least this recall; both in (0, 1].";
        n_estimators: u32 = 100, "a whole number of at least 1",
            "Trees of the forest whose rules are chosen from.";
        max_depth: u32 = 3, "a whole number from 1 to 3",
            "Most splits on the way to a rule; every node of a tree is one.";
        max_candidates: u32 = 50, "a whole number of at least 1",
            "Most rules to choose from, after those are gone that another one is better than at any price; taken in turns by \
             what they earn at different prices of a false positive.";
        time_limit: Option<f64> = Some(60.0), "seconds above 0 and at most a year, or None",
            "Seconds of wall clock for the choice; a fit that they end depends on the speed of the machine, any other does not.";
    }
}

impl Overrides for RuleListParams {
    /// The depth of the trees is the list's own, and trees that give rules only have no leaves to prune or to answer with.
    const HIDDEN: &'static [&'static str] = &[
        "max_depth",
        "max_leaf_nodes",
        "order",
        "redraw",
        "zero_gain",
        "leaf",
        "prior_weight",
        "missing",
        "monotonic_cst",
        "ccp_alpha",
        "ccp_risk",
    ];
}
