//! Export of fitted models as SQL queries.

mod expressions;
mod nest;
mod request;
mod shares;
mod steps;
mod tree;

use crate::formula::{ExportOutput, OutputSteps};
use crate::model::Model;
use imbcore_base::Result;
use imbcore_base::formula::ExprRef;
use imbcore_base::memory::text;
use imbcore_base::sql::{SqlNames, SqlQuery};
use steps::StepWriter;

pub use request::SqlRequest;

impl Model {
    /// A query that predicts the rows of a table as the model does.
    ///
    /// Rows with missing values that the model rejects get NULL.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model, name or label that cannot be exported;
    /// [`imbcore_base::Error::Parameter`] without a table name.
    pub fn to_sql(&self, request: &SqlRequest) -> Result<String> {
        let OutputSteps { draft, asked, refused } = self.steps(&[request.output])?;
        let (asked, refused) = (asked[0].step(), refused.map(ExprRef::step));
        let (dialect, output) = (request.dialect, request.output);
        let labels = match output {
            ExportOutput::Class => {
                self.schema().classes.iter().map(|class| dialect.label(class)).collect::<Result<_>>()?
            }
            ExportOutput::Proba => Vec::new(),
        };
        let table = (&request.table[..], &request.keep[..]);
        let query = SqlQuery::new(dialect, table, self.schema(), &draft.features())?;
        let coded = query.coded().clone();
        let words =
            SqlNames { dialect, features: &self.schema().features, raw: false, labels: &[], coded: &coded };
        let mut writer = StepWriter::new(query, words, draft.steps());
        // A leaf has one prediction, unless it depends on costs of the row.
        let one_way = !(self.decision().is_of_rows() && output == ExportOutput::Class);
        let outputs = match self.fitted().tree() {
            Some(tree) if one_way && !(tree.shares_missing() && self.accepts_missing()) => {
                tree::answers(self, tree, output, (&mut writer.query, SqlNames { labels: &labels, ..words }))?
            }
            _ => {
                if output == ExportOutput::Class {
                    writer.label(asked, &labels)?;
                }
                writer.write(asked, refused)?
            }
        };
        let refusal = refused.map(|refused| writer.refusal(refused)).transpose()?;
        let guarded = |output: &str| match &refusal {
            Some(refusal) => text(&["CASE WHEN ", refusal, " THEN NULL ELSE ", output, " END"]),
            None => text(&[output]),
        };
        let outputs = outputs.iter().map(|output| guarded(output.text())).collect::<Result<Vec<String>>>()?;
        writer.query.finish(outputs.into_iter().zip(self.output_names(output)))
    }
}
