//! Rule lists: a few rules chosen from many candidates, such as the paths of a forest.
//!
//! Candidate rules are generated as in Bénard, Biau, Da Veiga and Scornet (2021). A rule is a box, and a row
//! is predicted positive if at least one rule matches it. A mixed-integer program chooses rules on the
//! training rows. It maximizes the F-measure, the recall under a minimum precision, or the precision under a
//! minimum recall.

mod candidate_rules;
mod learner;
mod params;
mod ratio_objective;
mod rule_pool;
mod rule_program;
mod rule_search;
mod rule_set;
mod stored;

pub use candidate_rules::{PathTest, TestCondition, TestPath};
pub use learner::RuleListLearner;
pub use params::{
    PrecisionConstraint, RecallConstraint, RuleFBeta, RuleListParams, RuleObjective, RuleObjectiveName,
};
pub use rule_set::RuleSetResult;
