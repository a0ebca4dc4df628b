//! Export of a model as an SQL query.

use super::step_writer::StepWriter;
use super::{AnnotatedTree, Dialect, SqlNames, SqlQuery};
use crate::class_expr::ExportOutput;
use crate::expr_builder::ExprRef;
use crate::formula::Formula;
use imbcore_core::memory::concat_strings;
use imbcore_core::{Error, Result};

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
    /// Components of the name of the table, such as schema and table.
    pub table: Vec<String>,
    /// Columns of the table to select in addition to the predictions.
    pub keep: Vec<String>,
    /// SQL dialect of the database.
    pub dialect: Dialect,
    /// Requested output.
    pub output: ExportOutput,
}

impl Formula<'_> {
    /// Writes a query that computes the predictions of the model for the rows of a table.
    ///
    /// The only output of the formula must be the requested output. If the model is a single tree, `tree` is
    /// written instead of the formula. The prediction is NULL for rows whose missing values the model
    /// rejects.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model, name or label that cannot be exported; [`Error::Parameter`]
    /// without a table name.
    pub fn to_sql(&self, request: &SqlRequest, tree: Option<&AnnotatedTree>) -> Result<String> {
        let (step, refused) = (self.outputs[0].step_index(), self.refused.map(ExprRef::step_index));
        let (dialect, output, schema) = (request.dialect, request.output, self.schema);
        let (labels, columns) = match output {
            ExportOutput::Class => {
                let labels =
                    schema.classes.iter().map(|class| dialect.label_literal(class)).collect::<Result<_>>()?;
                (labels, vec!["prediction".to_owned()])
            }
            ExportOutput::Proba => {
                (Vec::new(), schema.classes.iter().map(|class| format!("proba_{class}")).collect())
            }
        };
        let table = (&request.table[..], &request.keep[..]);
        let used = self.builder.features();
        let query = SqlQuery::new(dialect, table, schema, (&used, self.builder.lookup_tables()))?;
        let (coded, lookups) = (query.level_code_columns().clone(), query.lookup_column_names().to_vec());
        let features = &schema.features[..];
        let words = SqlNames { dialect, features, raw: false, labels: &[], coded: &coded, lookups: &lookups };
        let mut writer = StepWriter::new(query, words, self.builder.steps());
        let outputs = if let Some(tree) = tree {
            tree.write(output, &mut writer.query, SqlNames { labels: &labels, ..words })?
        } else {
            if output == ExportOutput::Class {
                writer.set_class_labels(step, &labels)?;
            }
            writer.write(step, refused)?
        };
        let refusal = refused.map(|refused| writer.nonzero_condition(refused)).transpose()?;
        let guarded = |output: &str| match &refusal {
            Some(refusal) => concat_strings(&["CASE WHEN ", refusal, " THEN NULL ELSE ", output, " END"]),
            None => concat_strings(&[output]),
        };
        let outputs = outputs.iter().map(|output| guarded(output.text())).collect::<Result<Vec<String>>>()?;
        writer.query.write_select(outputs.into_iter().zip(columns))
    }
}
