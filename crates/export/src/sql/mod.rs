//! Export of models as SQL: names, literals and numbers of each dialect, and queries.

mod annotated_tree;
mod case_writer;
mod columns;
mod condition;
mod dialect;
mod exact_number;
mod expression;
mod fractional;
mod level_codes;
mod operations;
mod sql_names;
mod sql_query;
mod sql_request;
mod step_writer;

pub use annotated_tree::AnnotatedTree;
pub use condition::where_condition;
pub use dialect::Dialect;
pub use sql_request::SqlRequest;

use expression::SqlExpression;
use level_codes::LevelCodeColumnMap;
use sql_names::SqlNames;
use sql_query::{MOST_NESTED, SqlQuery};
