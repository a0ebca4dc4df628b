//! Parameters of an SQL export, and the names of its output columns.

use crate::formula::ExportOutput;
use crate::model::Model;
use imbcore_base::sql::Dialect;
use imbcore_base::{Error, Result};

impl ExportOutput {
    /// Parses a name.
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

/// Parameters of an SQL export.
#[derive(Clone, Debug)]
pub struct SqlRequest {
    /// The table: its name, or its qualified name in parts.
    pub table: Vec<String>,
    /// Columns of the table to select in addition to the predictions.
    pub keep: Vec<String>,
    /// SQL dialect of the database.
    pub dialect: Dialect,
    /// Requested output.
    pub output: ExportOutput,
}

impl Model {
    /// Names of the output columns.
    pub(super) fn output_names(&self, output: ExportOutput) -> Vec<String> {
        match output {
            ExportOutput::Class => vec!["prediction".to_owned()],
            ExportOutput::Proba => {
                self.schema().classes.iter().map(|class| format!("proba_{class}")).collect()
            }
        }
    }
}
