//! Expression of a whole model.

use crate::expr_builder::{ExprBuilder, ExprRef};
use imbcore_core::Schema;

/// A model as expression steps, and the steps of its outputs.
#[derive(Clone, Debug)]
pub struct Formula<'m> {
    pub(crate) schema: &'m Schema,
    pub(crate) method: &'m str,
    pub(crate) builder: ExprBuilder,
    /// Steps that compute the outputs (probabilities, class code), in the requested order.
    pub(crate) outputs: Vec<ExprRef>,
    /// Step whose value marks rows without a prediction: for them it is not 0.
    ///
    /// The step is `None` if every row has a prediction.
    pub(crate) refused: Option<ExprRef>,
}

impl<'m> Formula<'m> {
    /// Creates a formula that keeps only the steps that the outputs and `refused` need.
    ///
    /// `refused` is a step whose value is not 0 for rows without a prediction.
    pub fn new(
        (method, schema): (&'m str, &'m Schema),
        builder: ExprBuilder,
        outputs: &[ExprRef],
        refused: Option<ExprRef>,
    ) -> Self {
        let wanted: Vec<ExprRef> = outputs.iter().copied().chain(refused).collect();
        let (builder, mut outputs) = builder.retain_steps(&wanted);
        let refused = refused.and_then(|_| outputs.pop());
        Self { schema, method, builder, outputs, refused }
    }
}
