//! Models as SQL: how databases spell names, text and numbers, and queries that are built step by step.

mod dialect;
mod number;
mod query;
mod sums;

pub use dialect::Dialect;
pub use query::Query;
pub use sums::Sums;
