//! Models as SQL: how databases spell names, text and numbers, and queries that are built step by step.

mod dialect;
mod expression;
mod number;
mod query;
mod words;

pub use dialect::Dialect;
pub use expression::Expression;
pub use query::{MOST_NESTED, Query};
pub use words::Words;
