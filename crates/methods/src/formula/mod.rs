//! Fitted models written out as steps: [`Formula`], which files for other languages and libraries are made of.

mod committee;
mod decide;
mod decomposed;
mod document;
mod law;
mod said;

use crate::model::Model;
use imbcore_base::formula::{Draft, Vector};
use imbcore_base::{Result, Schema};

/// A model as steps, and which of them say what.
pub(crate) struct Formula<'m> {
    pub(crate) schema: &'m Schema,
    pub(crate) method: &'m str,
    pub(crate) positive: u32,
    pub(crate) draft: Draft,
    /// The probabilities of the classes.
    pub(crate) proba: Vector,
    /// The number of the answered class.
    pub(crate) answer: Vector,
    /// Not 0 where a row has no answer; none where all rows have one.
    pub(crate) refused: Option<Vector>,
}

/// What is asked of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// The class, as [`Model::predict`] does.
    #[default]
    Class,
    /// The probability of every class, as [`Model::proba`] does.
    Proba,
}

/// Steps to what is asked of a model.
pub(crate) struct Steps {
    pub(crate) draft: Draft,
    /// The number of the class, or the probabilities, as they were asked for.
    pub(crate) asked: Vec<Vector>,
    /// Not 0 where a row has no answer; none where all rows have one.
    pub(crate) refused: Option<Vector>,
}

impl Model {
    /// The model as steps.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model that has none.
    pub(crate) fn formula(&self) -> Result<Formula<'_>> {
        let Steps { draft, asked, refused } = self.steps(&[Output::Proba, Output::Class])?;
        let (schema, method, positive) = (self.schema(), self.method(), self.positive());
        Ok(Formula { schema, method, positive, draft, proba: asked[0], answer: asked[1], refused })
    }

    /// The steps to what is asked.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model that has none.
    pub(crate) fn steps(&self, outputs: &[Output]) -> Result<Steps> {
        let columns: Vec<usize> = (0..self.schema().features.len()).collect();
        let mut draft = Draft::default();
        let said = self.said(&mut draft, &columns)?;
        let mut asked = Vec::with_capacity(outputs.len());
        for output in outputs {
            asked.push(match output {
                Output::Proba => said.proba()?,
                Output::Class => decide::answer(self, &mut draft, &said)?,
            });
        }
        let features = if self.takes_missing() { Vec::new() } else { draft.features() };
        let refuses = !features.is_empty() || !said.needed.is_empty();
        let refused = refuses.then(|| draft.any_missing(features, &said.needed));
        let refused = if outputs.contains(&Output::Class) {
            decide::refused(self, &mut draft, refused)
        } else {
            refused
        };
        let wanted: Vec<Vector> = asked.iter().copied().chain(refused).collect();
        let (draft, mut asked) = draft.kept(&wanted);
        let refused = refused.and_then(|_| asked.pop());
        Ok(Steps { draft, asked, refused })
    }
}
