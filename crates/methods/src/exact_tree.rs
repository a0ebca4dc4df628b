//! Exact trees; a model has a single tree, or all trees of a ROC hull.

use crate::fitted::FittedEstimator;
use crate::model::Model;
use crate::resolved_costs::{resolve_costs, with_normalized_weights};
use imbcore_core::budget::StoppingLimits;
use imbcore_core::{ClassWeights, CostRule, Dataset, Decision, DecisionPlan, Error, Result, RunContext};
use imbcore_optimal_trees::{
    CertificateDocument, OptimalModel, OptimalTreeParams, RateConstraint, VerificationReport,
};

const METHOD: &str = "optimal_tree";

/// Verifies the trees of a model and a certificate of their optimality on the training data.
///
/// If `certificate` is None, the certificate in the model is verified.
///
/// # Errors
/// [`Error::Unsupported`] for a model of another family, [`Error::Data`] for an invalid certificate,
/// [`Error::Parameter`] for invalid costs or weights, [`Error::Cancelled`].
pub fn verify_optimal_trees(
    model: &Model,
    certificate: Option<&str>,
    data: &Dataset<'_>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&DecisionPlan>),
    seconds: f64,
    ctl: RunContext<'_>,
) -> Result<VerificationReport> {
    let tree = model.exact_tree()?;
    model.check_frame(data.frame())?;
    let given = certificate.map(CertificateDocument::parse).transpose()?;
    let params: OptimalTreeParams =
        serde_json::from_value(model.params().clone()).map_err(|error| Error::Internal(error.to_string()))?;
    let limits = StoppingLimits { seconds, ..StoppingLimits::default() };
    with_normalized_weights(None, (class_weight, costs), data, |class_weight, data| {
        let settled = resolve_costs(class_weight, costs, data, model.positive_class())?;
        let costs = settled.costs.as_ref().and_then(CostRule::matrix).cloned();
        let learner = params.check(METHOD)?.with_class_weight(settled.class_weight).with_costs(costs);
        let learner = learner.with_positive_class(Some(model.positive_class()));
        match &given {
            Some(stated) => learner.verify_document(tree, stated, data, limits, ctl),
            None => learner.verify(tree, None, data, limits, ctl),
        }
    })
}

impl Model {
    /// The exact tree of the model.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] for a model of another family.
    pub fn exact_tree(&self) -> Result<&OptimalModel> {
        self.fitted_estimator().optimal_tree().ok_or_else(|| self.unsupported_error("is not an exact tree"))
    }

    /// Returns an error unless the probabilities are those of a single tree.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] if the probabilities are combined from all trees of a ROC hull.
    pub fn require_selected_tree_proba(&self) -> Result<()> {
        if self.fitted_estimator().optimal_tree().is_none_or(OptimalModel::uses_single_tree) {
            return Ok(());
        }
        Err(self.unsupported_error("with objective=\"hull\" has probabilities of all its trees, which this operation does not support; select one of them with `select`"))
    }

    /// Returns the model that predicts by one tree of its ROC hull; `place` is its number.
    ///
    /// The returned model has no costs and no threshold.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] for a model of another family; [`imbcore_core::Error::Data`] if
    /// the hull has no tree of this number.
    pub fn select_tree(&self, place: usize) -> Result<Self> {
        self.with_selected_tree(self.exact_tree()?.with_predicting_tree(place)?)
    }

    /// Returns the model that predicts by the best tree of its ROC hull under a constraint.
    ///
    /// The constraint, `floor`, is a limit on a rate, such as a minimum recall. The returned model has no
    /// costs and no threshold.
    ///
    /// # Errors
    /// Same errors as [`Self::select_tree`].
    pub fn select_tree_with_rate(&self, floor: RateConstraint) -> Result<Self> {
        self.with_selected_tree(self.exact_tree()?.with_constrained_tree(floor)?)
    }

    fn with_selected_tree(&self, tree: OptimalModel) -> Result<Self> {
        let fitted = FittedEstimator::Optimal(tree);
        let (params, schema) = (self.params().clone(), self.schema().clone());
        let model =
            Self::new(self.method(), params, schema, fitted, Decision::Argmax, self.positive_class())?;
        model.with_class_priors(self.class_priors().clone())
    }
}
