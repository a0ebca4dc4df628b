//! Exact trees: certificates, and selection among the trees of the ROC convex hull.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::json_document::document_to_python;
use crate::models::model::Model;
use crate::models::tree::SingleTree;
use crate::training_args::{RunOptionsArg, TrainingArg};
use imbcore_core::{Dataset, Result};
use imbcore_methods as methods;
use imbcore_optimal_trees::{OptimalModel as Optimal, RateConstraint};
use pyo3::prelude::*;

#[pyclass(frozen, extends = SingleTree, module = "imbcore._imbcore.models")]
pub(crate) struct OptimalTreeModel;

/// Result of verifying exact trees and their certificate.
///
/// `bounds_hold` and `proves_optimal` are `None` if the verification did not decide them. `reason` is `None`
/// if the trees are proved to be optimal.
#[derive(IntoPyObject)]
struct TreeVerification {
    objective_holds: bool,
    bounds_hold: Option<bool>,
    proves_optimal: Option<bool>,
    reason: Option<String>,
}

impl OptimalTreeModel {
    fn model_and_tree<'a>(this: &'a Bound<'_, Self>) -> PyResult<(&'a Model, &'a Optimal)> {
        let model = this.as_super().as_super().get();
        Ok((model, model.0.exact_tree().map_err(error_to_exception)?))
    }

    fn with_selection<'py>(
        this: &Bound<'py, Self>,
        by: impl FnOnce(&methods::Model) -> Result<methods::Model> + Send,
    ) -> PyResult<Bound<'py, Self>> {
        let (model, _) = Self::model_and_tree(this)?;
        let base = PyClassInitializer::from(Model(run_short(this.py(), || by(&model.0))?));
        Bound::new(this.py(), base.add_subclass(SingleTree).add_subclass(Self))
    }
}

#[pymethods]
impl OptimalTreeModel {
    /// Certificate of optimality, with the numbers of errors of every tree.
    fn certificate<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (_, found) = Self::model_and_tree(this)?;
        document_to_python(this.py(), &run_short(this.py(), || Ok(found.proof_to_json()))?)
    }

    /// Statements of the certificate that a verifier can check; `None` if there are none.
    fn certificate_claims<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (_, found) = Self::model_and_tree(this)?;
        document_to_python(
            this.py(),
            &run_short(this.py(), || Ok(serde_json::json!(found.tree_certificate())))?,
        )
    }

    /// Verifies the trees and a certificate on the training rows.
    ///
    /// Without `certificate`, the certificate of the model is verified.
    fn verify(
        this: &Bound<'_, Self>,
        certificate: Option<&str>,
        training: TrainingArg<'_>,
        seconds: f64,
        options: RunOptionsArg,
    ) -> PyResult<TreeVerification> {
        let (rows, (model, _)) = (training.rows()?, Self::model_and_tree(this)?);
        let model = &model.0;
        let found = run_without_gil(this.py(), options.callback, options.n_threads, |ctl| {
            let data = Dataset::new(rows.frame.clone(), rows.codes, model.n_classes(), rows.weights)?;
            let weighing = (rows.class_weight.as_ref(), Some(&rows.costs));
            methods::verify_optimal_trees(model, certificate, &data, weighing, seconds, ctl)
        })?;
        Ok(TreeVerification {
            objective_holds: found.objective_holds,
            bounds_hold: found.bounds_hold,
            proves_optimal: found.proves_optimal,
            reason: found.reason,
        })
    }

    /// Index of the tree with the lowest total cost for the given costs of errors.
    fn cheapest(this: &Bound<'_, Self>, false_positive: f64, false_negative: f64) -> PyResult<usize> {
        Ok(Self::model_and_tree(this)?.1.min_cost_tree_index(false_positive, false_negative))
    }

    fn best_f(this: &Bound<'_, Self>, beta: f64) -> PyResult<usize> {
        Ok(Self::model_and_tree(this)?.1.max_f_beta_tree_index(beta))
    }

    /// Copy of the model that predicts by the best tree with a minimum recall or precision.
    ///
    /// The best tree has the fewest false positives for a minimum recall, and the fewest false negatives for
    /// a minimum precision.
    fn select_tree_with_rate<'py>(
        this: &Bound<'py, Self>,
        of_recall: bool,
        share: f64,
    ) -> PyResult<Bound<'py, Self>> {
        let floor = if of_recall { RateConstraint::Recall(share) } else { RateConstraint::Precision(share) };
        Self::with_selection(this, |model| model.select_tree_with_rate(floor))
    }

    fn select_tree<'py>(this: &Bound<'py, Self>, place: usize) -> PyResult<Bound<'py, Self>> {
        Self::with_selection(this, |model| model.select_tree(place))
    }
}
