//! Expression of a whole model.

use crate::builder::{ExprBuilder, ExprRef};
use imbcore_core::Schema;

/// A model as expression steps, and the steps of its outputs.
#[derive(Clone, Debug)]
pub struct Formula<'m> {
    pub(crate) schema: &'m Schema,
    pub(crate) method: &'m str,
    pub(crate) builder: ExprBuilder,
    /// The requested outputs, in their order: the probabilities, or the code of the class.
    pub(crate) outputs: Vec<ExprRef>,
    /// Step whose value is not 0 for rows without a prediction; None if all rows have one.
    pub(crate) refused: Option<ExprRef>,
}

impl<'m> Formula<'m> {
    /// Keeps the steps that the outputs need.
    /// `refused` is not 0 for rows without prediction.
    pub fn new(
        (method, schema): (&'m str, &'m Schema),
        builder: ExprBuilder,
        outputs: &[ExprRef],
        refused: Option<ExprRef>,
    ) -> Self {
        let wanted: Vec<ExprRef> = outputs.iter().copied().chain(refused).collect();
        let (builder, mut outputs) = builder.kept(&wanted);
        let refused = refused.and_then(|_| outputs.pop());
        Self { schema, method, builder, outputs, refused }
    }
}
