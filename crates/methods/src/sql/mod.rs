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
use imbcore_base::{Error, Result};

pub use request::{SqlOutput, SqlRequest};

impl Model {
    /// A query that answers the rows of a table as the model does. Rows that lack a value, where the model refuses them, are
    /// answered with NULL.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model, name or label that cannot be written; [`Error::Parameter`] without a table.
    pub fn to_sql(&self, request: &SqlRequest) -> Result<String> {
        // A leaf has one answer, unless that hangs on what the row costs.
        let of_rows = self.decision().is_of_rows();
        match self.fitted().tree() {
            Some(tree) if !(of_rows || tree.shares_missing() && self.takes_missing()) => {
                tree::write(self, tree, request)
            }
            _ => answer::write(self, request),
        }
    }

    /// What to say where costs are handed over with the rows.
    fn has_no_sql_of_costs(&self) -> Error {
        self.is_not(
            "whose costs come with the rows, as an array or from a function, is not written as SQL: name columns of X instead, \
             costs={\"alarm\": 5, \"miss\": \"amount\"}, or write output=\"proba\" and compare the expected costs in the query",
        )
    }
}
