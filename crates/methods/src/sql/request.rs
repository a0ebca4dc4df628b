//! What SQL is wanted of a model, and what its answers are called.

use crate::formula::Output;
use crate::model::Model;
use imbcore_base::sql::Dialect;
use imbcore_base::{Error, Result};

impl Output {
    /// Reads a name.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "class" => Ok(Self::Class),
            "proba" => Ok(Self::Proba),
            _ => {
                let got = format!("{name:?}");
                Err(Error::parameter("to_sql", "output", "\"class\" or \"proba\"", got))
            }
        }
    }
}

/// What SQL is wanted.
#[derive(Clone, Debug)]
pub struct SqlRequest {
    /// The table, by its name or by the names that lead to it.
    pub table: Vec<String>,
    /// Columns of the table that stand beside the answers.
    pub keep: Vec<String>,
    /// The database.
    pub dialect: Dialect,
    /// What is answered.
    pub output: Output,
}

impl Model {
    /// Names of the columns of the answers.
    pub(super) fn answer_names(&self, output: Output) -> Vec<String> {
        match output {
            Output::Class => vec!["prediction".to_owned()],
            Output::Proba => self.schema().classes.iter().map(|class| format!("proba_{class}")).collect(),
        }
    }
}
