//! Rule lists: a few rules chosen out of many, such as those of the trees of a forest (Bénard, Biau, Da Veiga and Scornet 2021).
//!
//! A rule is a box. Which rules are chosen is a mixed-integer program, so that no other choice among the same rules is better
//! on the training rows, for an F-measure or above a floor of precision or recall. A row is positive where some rule holds it.

mod choose;
mod chosen;
mod groups;
mod learner;
mod measure;
mod params;
mod program;
mod rules;
mod stored;

pub use chosen::Chosen;
pub use learner::RuleListLearner;
pub use params::{FBeta, Objective, ObjectiveName, Precision, Recall, RuleListParams};
pub use rules::{Asks, Path, Test};
