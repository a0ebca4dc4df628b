//! Export of a model as JSON.

use crate::expr_builder::ExprRef;
use crate::formula::Formula;
use crate::step::{LookupTable, Step};
use imbcore_core::text_buffer::ByteBuffer;
use imbcore_core::{Error, Feature, FeatureKind, Label, Result};
use serde::Serialize;

/// Version of the JSON format; it increases with every change that affects its readers.
const VERSION: u32 = 1;

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
    lookups: &'m [LookupTable],
    steps: &'m [Step],
}

impl Formula<'_> {
    /// Exports the model as JSON that contains everything its predictions depend on.
    /// The outputs of the formula must be the probabilities and the class code. `positive` is the code of the
    /// positive class.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a level that JSON cannot represent.
    pub fn to_json(&self, positive: u32) -> Result<String> {
        let Self { schema, method, builder, outputs, refused } = self;
        if let Some(feature) = schema.features.iter().find(|feature| !has_json_representable_levels(feature))
        {
            let message =
                format!("feature {:?} has a level that is not a finite number; fit with text", feature.name);
            return Err(Error::Unsupported(message));
        }
        let document = Document {
            format: "imbcore-model",
            version: VERSION,
            method,
            features: &schema.features,
            classes: &schema.classes,
            positive,
            proba: outputs[0].step_index(),
            answer: outputs[1].step_index(),
            refused: refused.map(ExprRef::step_index),
            lookups: builder.lookup_tables(),
            steps: builder.steps(),
        };
        let mut buffer = ByteBuffer::default();
        serde_json::to_writer(&mut buffer, &document).map_err(|error| {
            let bytes = 2 * buffer.bytes.len();
            if error.is_io() { Error::Memory { bytes, what: "a text" } } else { internal_error(error) }
        })?;
        String::from_utf8(buffer.bytes).map_err(internal_error)
    }
}

fn internal_error(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}

/// Whether JSON can represent the levels of a feature: they must not be infinite or NaN.
fn has_json_representable_levels(feature: &Feature) -> bool {
    match &feature.kind {
        FeatureKind::Numeric => true,
        FeatureKind::Nominal { levels } => {
            levels.iter().all(|level| !matches!(level, Label::Float(value) if !value.is_finite()))
        }
    }
}
