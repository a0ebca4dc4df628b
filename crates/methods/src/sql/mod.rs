//! Fitted models as SQL queries.

mod answer;
mod boxes;
mod committee;
mod law;
mod request;
mod said;
mod tree;
mod used;

use crate::model::Model;
use imbcore_base::Result;

pub use request::{SqlOutput, SqlRequest};

impl Model {
    /// A query that answers the rows of a table as the model does. Rows that lack a value, where the model refuses them, are
    /// answered with NULL.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model, name or label that cannot be written; [`Error::Parameter`] without a table.
    pub fn to_sql(&self, request: &SqlRequest) -> Result<String> {
        match self.fitted().tree() {
            Some(tree) if !(tree.shares_missing() && self.takes_missing()) => {
                tree::write(self, tree, request)
            }
            _ => answer::write(self, request),
        }
    }
}
