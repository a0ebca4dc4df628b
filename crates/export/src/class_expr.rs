//! Expression of a prediction, and its conversion to the vote of an ensemble member.

use crate::expr_builder::{ExprBuilder, ExprRef};
use imbcore_core::{Error, PriorShift, Result, Schema};

/// Conversion of a fitted model to an expression.
pub trait ToExpr {
    /// Expression of the prediction for one row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that cannot be expressed.
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr>;

    /// Expression of the vote of this model as a member of an ensemble.
    ///
    /// # Errors
    /// Same errors as [`Self::to_expr`].
    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        self.to_expr(builder, features)?.to_vote_expr(builder, vote)
    }
}

/// The features that an estimator within a model uses, and their positions in the model.
#[derive(Clone, Copy, Debug)]
pub struct ExprFeatures<'a> {
    /// The features of the estimator.
    pub schema: &'a Schema,
    /// For each feature of the estimator, its index among all features of the model.
    pub columns: &'a [usize],
    /// Whether rows may have missing values.
    pub may_be_missing: bool,
}

/// Requested output of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportOutput {
    /// The predicted class.
    #[default]
    Class,
    /// The probability of every class.
    Proba,
}

/// Vote of a member of an ensemble: a number for each class.
#[derive(Clone, Copy, Debug)]
pub struct VoteSpec {
    /// Kind of vote: class probabilities, or 1 for the predicted class and 0 for other classes.
    pub output: ExportOutput,
    /// Factor by which the numbers of the vote are multiplied.
    pub weight: f64,
    /// Number of classes.
    pub n_classes: usize,
}

/// Expression of a prediction for one row.
#[derive(Clone, Copy, Debug)]
pub struct PredictionExpr {
    /// Expression of the class probabilities; `None` if the model has no such expression.
    pub proba: Option<ExprRef>,
    /// The predicted class.
    pub class: PredictedClass,
}

/// Predicted class of an estimator.
#[derive(Clone, Copy, Debug)]
pub enum PredictedClass {
    /// The class with the largest of the numbers that the given step computes.
    ///
    /// The lowest class code is taken on ties.
    Most(ExprRef),
    /// The class whose code the given step computes.
    Code(ExprRef),
}

impl PredictionExpr {
    /// Creates the expression from probabilities: the class of largest probability is predicted.
    pub fn from_proba(proba: ExprRef) -> Self {
        Self { proba: Some(proba), class: PredictedClass::Most(proba) }
    }

    /// Creates the expression from class votes: the class with the largest vote is predicted.
    ///
    /// The probabilities are the votes, corrected by the prior shift if there is one.
    pub fn from_votes(builder: &mut ExprBuilder, votes: ExprRef, shift: Option<&PriorShift>) -> Self {
        let proba = shift.map_or(votes, |shift| builder.reweight(votes, shift.factors()));
        Self { proba: Some(proba), class: PredictedClass::Most(votes) }
    }

    /// The probabilities.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the probabilities cannot be expressed.
    pub fn proba_expr(&self) -> Result<ExprRef> {
        self.proba.ok_or_else(|| {
            Error::Unsupported(
                "probabilities of nested boxes cannot be exported; export the boxes alone, with to_sql() or rules(), use \
                 output=\"class\" for a model without a threshold, costs or calibration, or fit with method=\"prim\" or \
                 \"exact_boxes\""
                    .into(),
            )
        })
    }

    /// The code of the predicted class.
    pub fn class_code_expr(&self, builder: &mut ExprBuilder) -> ExprRef {
        match self.class {
            PredictedClass::Most(values) => builder.index_of_first_largest(values),
            PredictedClass::Code(class) => class,
        }
    }

    /// Converts the prediction to a vote.
    ///
    /// # Errors
    /// Same errors as [`Self::proba_expr`].
    pub fn to_vote_expr(&self, builder: &mut ExprBuilder, vote: VoteSpec) -> Result<ExprRef> {
        let VoteSpec { output, weight, n_classes } = vote;
        if output == ExportOutput::Proba {
            let weight = builder.constant_number(weight);
            return Ok(builder.times(weight, self.proba_expr()?));
        }
        let class = self.class_code_expr(builder);
        let row =
            |chosen: usize| (0..n_classes).map(|class| if class == chosen { weight } else { 0.0 }).collect();
        Ok(builder.look_up_table_row(&[class], vec![n_classes], (0..n_classes).map(row).collect()))
    }
}
