//! Expressions of fitted models, and their export as SQL, C, Rust and JSON.
//!
//! An expression is a sequence of steps that computes the probabilities and the predicted class of a row from
//! its feature values. Every step computes a few numbers from the numbers of earlier steps or from feature
//! values. Each model family implements [`ToExpr`]; the code for SQL, C, Rust and JSON reads only the steps.
#![forbid(unsafe_code)]

mod class_expr;
mod decision;
mod document;
mod expr_builder;
mod formula;
mod source;
mod sql;
mod step;

pub use class_expr::{ExportOutput, ExprFeatures, PredictedClass, PredictionExpr, ToExpr, VoteSpec};
pub use decision::{add_invalid_costs_flag, decided_class_expr};
pub use expr_builder::{ExprBuilder, ExprRef};
pub use formula::Formula;
pub use source::TargetLanguage;
pub use sql::{AnnotatedTree, Dialect, SqlRequest, where_condition};
pub use step::{ComparisonOp, ExportRule, ExportTree, LookupTable, Node, Op, RuleCondition, Split, Step};
