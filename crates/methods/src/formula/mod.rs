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

impl Model {
    /// The model as steps.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for a model that has none.
    pub(crate) fn formula(&self) -> Result<Formula<'_>> {
        if self.decision().is_of_rows() {
            return Err(self.is_not(
                "that answers each row by costs of its own is written as SQL only: fit it without costs, and compare the expected costs \
                 where its probabilities are",
            ));
        }
        let columns: Vec<usize> = (0..self.schema().features.len()).collect();
        let mut draft = Draft::default();
        let said = self.said(&mut draft, &columns)?;
        let answer = decide::answer(self, &mut draft, &said);
        let asked = if self.takes_missing() { Vec::new() } else { draft.features() };
        let refuses = !asked.is_empty() || !said.needed.is_empty();
        let refused = refuses.then(|| draft.any_missing(asked, &said.needed));
        let (schema, method, positive) = (self.schema(), self.method(), self.positive());
        let wanted: Vec<Vector> = [said.proba, answer].into_iter().chain(refused).collect();
        let (draft, kept) = draft.kept(&wanted);
        let (proba, answer, refused) = (kept[0], kept[1], kept.get(2).copied());
        Ok(Formula { schema, method, positive, draft, proba, answer, refused })
    }
}
