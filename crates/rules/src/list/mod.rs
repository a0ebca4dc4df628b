//! Rule lists: a few rules chosen from many, such as those of a forest.
//!
//! Candidate rules are generated as in Bénard, Biau, Da Veiga and Scornet (2021). A rule is a box, and a row is
//! positive if at least one rule matches it. A mixed-integer program chooses the rules with the best F-measure, or the
//! best recall or precision subject to a minimum of the other, on the training rows.

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
