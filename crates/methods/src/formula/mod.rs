//! Export of fitted models as expression steps.
//!
//! [`Formula`] is the basis of files for other languages and libraries.

mod class_expr;
mod decide;
mod decomposed;
mod document;
mod ensemble;
mod probability;

use crate::model::Model;
use imbcore_base::formula::{ExprBuilder, ExprRef};
use imbcore_base::{Result, Schema};

/// A model as expression steps, and the steps of its outputs.
pub(crate) struct Formula<'m> {
    pub(crate) schema: &'m Schema,
    pub(crate) method: &'m str,
    pub(crate) positive: u32,
    pub(crate) draft: ExprBuilder,
    /// The probabilities of the classes.
    pub(crate) proba: ExprRef,
    /// The code of the predicted class.
    pub(crate) answer: ExprRef,
    /// Not 0 for rows without prediction; None if all rows have one.
    pub(crate) refused: Option<ExprRef>,
}

/// Requested output of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportOutput {
    /// The class, as [`Model::predict`] does.
    #[default]
    Class,
    /// The probability of every class, as [`Model::proba`] does.
    Proba,
}

/// Expression steps of the requested outputs.
pub(crate) struct OutputSteps {
    pub(crate) draft: ExprBuilder,
    /// Code of the class, or the probabilities, in the order of the request.
    pub(crate) asked: Vec<ExprRef>,
    /// Not 0 for rows without prediction; None if all rows have one.
    pub(crate) refused: Option<ExprRef>,
}

impl Model {
    /// Converts the model to expression steps.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model that cannot be exported.
    pub(crate) fn formula(&self) -> Result<Formula<'_>> {
        let OutputSteps { draft, asked, refused } =
            self.steps(&[ExportOutput::Proba, ExportOutput::Class])?;
        let (schema, method, positive) = (self.schema(), self.method(), self.positive());
        Ok(Formula { schema, method, positive, draft, proba: asked[0], answer: asked[1], refused })
    }

    /// Converts the model to the steps of the requested outputs.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model that cannot be exported.
    pub(crate) fn steps(&self, outputs: &[ExportOutput]) -> Result<OutputSteps> {
        let columns: Vec<usize> = (0..self.schema().features.len()).collect();
        let mut draft = ExprBuilder::default();
        let expr = self.class_expr(&mut draft, &columns)?;
        let mut asked = Vec::with_capacity(outputs.len());
        for output in outputs {
            asked.push(match output {
                ExportOutput::Proba => expr.proba()?,
                ExportOutput::Class => decide::answer(self, &mut draft, &expr)?,
            });
        }
        let features = if self.accepts_missing() { Vec::new() } else { draft.features() };
        let refuses = !features.is_empty() || !expr.needed.is_empty();
        let refused = refuses.then(|| draft.any_missing(features, &expr.needed));
        let refused = if outputs.contains(&ExportOutput::Class) {
            decide::refused(self, &mut draft, refused)
        } else {
            refused
        };
        let wanted: Vec<ExprRef> = asked.iter().copied().chain(refused).collect();
        let (draft, mut asked) = draft.kept(&wanted);
        let refused = refused.and_then(|_| asked.pop());
        Ok(OutputSteps { draft, asked, refused })
    }
}
