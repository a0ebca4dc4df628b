//! Models as SQL: names, text and numbers in each dialect, and queries built step by step.

mod codes;
mod columns;
mod dialect;
mod expression;
mod number;
mod query;
mod words;

pub use codes::LevelCodeMap;
pub use columns::require_columns;
pub use dialect::Dialect;
pub use expression::SqlExpression;
pub use query::{MOST_NESTED, SqlQuery};
pub use words::SqlNames;
