//! Expression of a prediction, and its conversion to a vote.

use crate::builder::{ExprBuilder, ExprRef};
use imbcore_core::{Error, PriorShift, Result, Schema};

/// Conversion of a fitted model to an expression.
pub trait ToExpr {
    /// Expression of the prediction for one row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that cannot be expressed.
    fn to_expr(&self, builder: &mut ExprBuilder, features: FeatureMap<'_>) -> Result<ClassExpr>;

    /// Expression of the vote of this model as a member of an ensemble.
    ///
    /// # Errors
    /// Same errors as [`Self::to_expr`].
    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: FeatureMap<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        self.to_expr(builder, features)?.vote(builder, vote)
    }
}

/// The features of a model, restricted to those that an estimator uses.
#[derive(Clone, Copy, Debug)]
pub struct FeatureMap<'a> {
    /// The features.
    pub schema: &'a Schema,
    /// Index of each feature among the features of the model.
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
    /// Numbers of the vote: the probabilities, or 1 for the predicted class and 0 for the others.
    pub output: ExportOutput,
    /// Factor of all numbers.
    pub weight: f64,
    /// Number of classes.
    pub n_classes: usize,
}

/// Expression of a prediction for one row.
#[derive(Clone, Copy, Debug)]
pub struct ClassExpr {
    /// The probabilities; None if they cannot be expressed.
    pub proba: Option<ExprRef>,
    /// The predicted class.
    pub class: PredictedClass,
}

/// Predicted class of an estimator.
#[derive(Clone, Copy, Debug)]
pub enum PredictedClass {
    /// The class with the largest value, the lowest code of equal ones.
    Most(ExprRef),
    /// This class code.
    Code(ExprRef),
}

impl ClassExpr {
    /// Probabilities; the predicted class is the one with the largest probability.
    pub fn most(proba: ExprRef) -> Self {
        Self { proba: Some(proba), class: PredictedClass::Most(proba) }
    }

    /// Votes, whose largest determines the predicted class, and their corrected probabilities.
    pub fn corrected(builder: &mut ExprBuilder, votes: ExprRef, shift: Option<&PriorShift>) -> Self {
        let proba = shift.map_or(votes, |shift| builder.shifted(votes, shift.factors()));
        Self { proba: Some(proba), class: PredictedClass::Most(votes) }
    }

    /// The probabilities.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the probabilities cannot be expressed.
    pub fn proba(&self) -> Result<ExprRef> {
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
    pub fn class(&self, builder: &mut ExprBuilder) -> ExprRef {
        match self.class {
            PredictedClass::Most(values) => builder.first_largest(values),
            PredictedClass::Code(class) => class,
        }
    }

    /// The vote.
    ///
    /// # Errors
    /// Same errors as [`Self::proba`].
    pub fn vote(&self, builder: &mut ExprBuilder, vote: VoteSpec) -> Result<ExprRef> {
        let VoteSpec { output, weight, n_classes } = vote;
        if output == ExportOutput::Proba {
            let weight = builder.number(weight);
            return Ok(builder.times(weight, self.proba()?));
        }
        let class = self.class(builder);
        let row =
            |chosen: usize| (0..n_classes).map(|class| if class == chosen { weight } else { 0.0 }).collect();
        Ok(builder.look_up(&[class], vec![n_classes], (0..n_classes).map(row).collect()))
    }
}
