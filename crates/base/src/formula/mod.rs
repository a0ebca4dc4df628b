//! Intermediate representation of a fitted model.
//! It consists of steps from the values of a row to its probabilities and predicted class. Exports to other
//! languages and file formats are generated from it.
//!
//! Every step computes a few numbers for a row from those of earlier steps. Each model family is converted to
//! steps once; exporters read only the steps and are independent of the family.

mod draft;
mod step;

pub use draft::{ExprBuilder, ExprRef};
pub use step::{ComparisonOp, ExportRule, ExportTree, Node, Op, RuleCondition, Split, Step};
