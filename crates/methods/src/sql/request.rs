//! What SQL is wanted of a model, and how its query begins and ends.

use crate::model::Model;
use imbcore_base::sql::{Dialect, Query};
use imbcore_base::{Error, Label, Result};

/// What a query answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SqlOutput {
    /// The class, as [`Model::predict`] does.
    #[default]
    Class,
    /// The probability of every class, as [`Model::proba`] does.
    Proba,
}

impl SqlOutput {
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
    pub output: SqlOutput,
}

/// Column of the answered classes.
pub(super) const PREDICTION: &str = "prediction";

impl Model {
    /// Begins a query with the features `used`.
    pub(super) fn query(&self, request: &SqlRequest, used: &[usize]) -> Result<Query> {
        Query::new(request.dialect, (&request.table, &request.keep), self.schema(), used)
    }

    /// Ends a query with its answers; rows without a value in `used` have none where the model refuses such rows.
    pub(super) fn answered(
        &self,
        query: Query,
        used: &[usize],
        answers: Vec<(String, String)>,
    ) -> Result<String> {
        if self.takes_missing() || used.is_empty() {
            return query.finish(&answers);
        }
        let dialect = query.dialect();
        let missing =
            |&feature: &usize| Ok(format!("{} IS NULL", dialect.name(self.schema().feature(feature))?));
        let missing = used.iter().map(missing).collect::<Result<Vec<String>>>()?.join(" OR ");
        let guarded = answers
            .into_iter()
            .map(|(answer, name)| (format!("CASE WHEN {missing} THEN NULL ELSE {answer} END"), name));
        query.finish(&guarded.collect::<Vec<_>>())
    }

    /// The classes as literals.
    pub(super) fn class_literals(&self, dialect: Dialect) -> Result<Vec<String>> {
        self.schema().classes.iter().map(|class| dialect.label(class)).collect()
    }

    /// The names of the columns of the probabilities.
    pub(super) fn proba_names(&self) -> Vec<String> {
        self.schema().classes.iter().map(|class: &Label| format!("proba_{class}")).collect()
    }
}
