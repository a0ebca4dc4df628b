//! Rule lists: a few rules chosen from many candidates, such as the paths of a forest.
//!
//! Candidate rules are generated as in Bénard, Biau, Da Veiga and Scornet (2021). A rule is a box, and a row
//! is predicted positive if at least one rule matches it. A mixed-integer program chooses rules on the
//! training rows. It maximizes the F-measure, the recall under a minimum precision, or the precision under a
//! minimum recall.

mod choose;
mod chosen;
mod groups;
mod learner;
mod measure;
mod params;
mod program;
mod rules;
mod stored;

pub use chosen::RuleSetResult;
pub use learner::RuleListLearner;
pub use params::{
    PrecisionConstraint, RecallConstraint, RuleFBeta, RuleListParams, RuleObjective, RuleObjectiveName,
};
pub use rules::{PathTest, TestCondition, TestPath};
