//! Expressions of fitted models, and SQL, C, Rust and JSON written from them.
//!
//! An expression is a sequence of steps from the values of a row to its probabilities and predicted class. Every
//! step computes a few numbers for a row from those of earlier steps. Each model family implements [`ToExpr`];
//! the back ends read only the steps and are independent of the family.
#![forbid(unsafe_code)]

mod builder;
mod class_expr;
mod decision;
mod document;
mod formula;
mod source;
mod sql;
mod step;

pub use builder::{ExprBuilder, ExprRef};
pub use class_expr::{ClassExpr, ExportOutput, FeatureMap, PredictedClass, ToExpr, VoteSpec};
pub use decision::{decide, invalid_costs};
pub use formula::Formula;
pub use source::TargetLanguage;
pub use sql::{AnnotatedTree, Dialect, SqlRequest, where_condition};
pub use step::{ComparisonOp, ExportRule, ExportTree, LookupTable, Node, Op, RuleCondition, Split, Step};
