//! The published JSON of a model.

use super::Formula;
use crate::model::Model;
use imbcore_base::formula::{Step, Vector};
use imbcore_base::{Error, Feature, FeatureKind, Label, Result};
use serde::Serialize;

/// Number of the form, which changes whenever a reader of it would have to.
const VERSION: u32 = 1;

/// The document.
#[derive(Serialize)]
struct Document<'m> {
    format: &'static str,
    version: u32,
    method: &'m str,
    features: &'m [Feature],
    classes: &'m [Label],
    positive: u32,
    proba: usize,
    answer: usize,
    refused: Option<usize>,
    steps: &'m [Step],
}

impl Model {
    /// The model as JSON: all that its answers follow from.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that cannot be written out.
    pub fn to_json(&self) -> Result<String> {
        let Formula { schema, method, positive, draft, proba, answer, refused } = self.formula()?;
        if let Some(feature) = schema.features.iter().find(|feature| !is_spelt(feature)) {
            let message =
                format!("feature {:?} has a level that is no finite number; fit with text", feature.name);
            return Err(Error::Unsupported(message));
        }
        let document = Document {
            format: "imbcore-model",
            version: VERSION,
            method,
            features: &schema.features,
            classes: &schema.classes,
            positive,
            proba: proba.step(),
            answer: answer.step(),
            refused: refused.map(Vector::step),
            steps: draft.steps(),
        };
        serde_json::to_string(&document).map_err(|error| Error::Internal(error.to_string()))
    }
}

/// Whether JSON has words for its levels.
fn is_spelt(feature: &Feature) -> bool {
    match &feature.kind {
        FeatureKind::Numeric => true,
        FeatureKind::Nominal { levels } => {
            levels.iter().all(|level| !matches!(level, Label::Float(value) if !value.is_finite()))
        }
    }
}
