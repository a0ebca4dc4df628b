//! Export of models as SQL: names, literals and numbers of each dialect, and queries.

mod case;
mod codes;
mod columns;
mod condition;
mod dialect;
mod expression;
mod fractional;
mod names;
mod number;
mod operations;
mod query;
mod request;
mod steps;
mod tree;

pub use condition::where_condition;
pub use dialect::Dialect;
pub use request::SqlRequest;
pub use tree::AnnotatedTree;

use codes::LevelCodeMap;
use expression::SqlExpression;
use names::SqlNames;
use query::{MOST_NESTED, SqlQuery};
