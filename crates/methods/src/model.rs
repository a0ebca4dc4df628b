//! Fitted model of any family, with all data that predictions need.
//!
//! A model combines the fitted estimator, the schema that encodes rows for the estimator, and the decision
//! rule that turns probabilities into classes. Equal models give model files with equal bytes.

use crate::class_priors::{ClassPriors, most_probable};
use crate::fitted::FittedEstimator;
use crate::forests::cart_params_of_forest;
use crate::method::ReplacedLabels;
use crate::tuned_threshold::{FittedCalibration, TunedThreshold};
use imbcore_core::{
    Classifier, Column, CostRule, Dataset, Decision, Error, FeatureKind, Frame, Result, RowCosts, RunContext,
    Schema,
};
use imbcore_criteria::{AnyCriterion, Gini};
use imbcore_ensembles::generic::{Ensemble, restrict_schema};
use imbcore_rules::BoxModel;
use serde_json::{Value, json};

/// A fitted model: method, parameters, schema, estimator and decision rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    method: String,
    params: Value,
    pub(crate) schema: Schema,
    fitted: FittedEstimator,
    decision: Decision,
    positive: u32,
    chosen: Option<TunedThreshold>,
    shares: ClassPriors,
    calibrated: Option<FittedCalibration>,
    relabelled: ReplacedLabels,
}

impl Model {
    pub(crate) fn new(
        method: &str,
        params: Value,
        schema: Schema,
        fitted: FittedEstimator,
        decision: Decision,
        positive: u32,
    ) -> Result<Self> {
        if schema.classes.len() != fitted.n_classes() {
            return Err(Error::Internal("the schema's classes are not those of the model".into()));
        }
        decision.check(fitted.n_classes())?;
        let drawn = fitted.boxes().map_or(positive, BoxModel::positive_class);
        if positive as usize >= schema.classes.len() || drawn != positive {
            return Err(Error::damaged(
                "the positive class is none of the classes, or not that of the boxes",
            ));
        }
        let (method, chosen, calibrated, shares) = (method.to_owned(), None, None, ClassPriors::default());
        let relabelled = ReplacedLabels::default();
        Self { method, params, schema, fitted, decision, positive, chosen, shares, calibrated, relabelled }
            .with_labeled_leaves()
    }

    /// Sets the classes of leaves, which rules and plots show, to the predicted classes.
    fn with_labeled_leaves(mut self) -> Result<Self> {
        let keeps_labels = self.prior_adaptation().is_none() || self.fitted.has_region_labels();
        if self.uses_estimator_class() && keeps_labels {
            return Ok(self);
        }
        let n_classes = self.n_classes();
        let Self { fitted, decision, calibrated, shares, .. } = &mut self;
        let decision = if decision.has_row_dependent_costs() { &Decision::Argmax } else { &*decision };
        let decide = |proba: &[f64]| {
            let curves = calibrated.as_ref().map(|found| &found.curves);
            let mut proba = curves.map_or_else(|| Ok(proba.to_vec()), |curves| curves.apply(proba))?;
            shares.adapt_proba(&mut proba);
            decision.decide(&proba, n_classes)
        };
        match fitted {
            FittedEstimator::Tree(one) | FittedEstimator::Constant(one) => one.set_decision_rule(decide)?,
            FittedEstimator::Svr(tree) => tree.set_decision_rule(decide)?,
            FittedEstimator::Optimal(tree) => tree.set_decision_rule(decide)?,
            _ => {}
        }
        Ok(self)
    }

    /// Whether the estimator's own classes are predicted, without a rule on probabilities.
    fn uses_estimator_class(&self) -> bool {
        // If costs selected a tree of a ROC hull, its leaf labels are the predictions. The probabilities come
        // from all trees, so the costs must not be applied to them.
        let by_tree = matches!(&self.decision, Decision::Costs(rule) if rule.matrix().is_some())
            && self.fitted.optimal_tree().is_some_and(|tree| !tree.uses_single_tree());
        let keeps_classes = self.calibrated.is_none() || self.fitted.has_region_labels();
        (self.decision == Decision::Argmax || by_tree) && keeps_classes
    }

    /// Rule that predicts classes if there are no threshold and no costs.
    ///
    /// It is `labels`, `votes` or `most_probable`. Calibration replaces `votes` by `most_probable`.
    pub fn class_rule(&self) -> &'static str {
        let own = self.fitted.class_rule();
        if self.calibrated.is_some() && own == "votes" { "most_probable" } else { own }
    }

    pub(crate) fn with_decision(self, decision: Decision) -> Result<Self> {
        decision.check(self.n_classes())?;
        Self { decision, ..self }.with_labeled_leaves()
    }

    /// Returns the model with threshold `at` for the positive class, without a tuning record.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a threshold outside [0, 1]; [`Error::Data`] unless there are two classes.
    pub fn with_threshold(&self, at: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&at) {
            return Err(Error::parameter("with_threshold", "threshold", "in [0, 1]", at));
        }
        let decision = Decision::Threshold { at, positive: self.positive };
        Ok(self.clone().with_decision(decision)?.with_tuning_record(None))
    }

    pub(crate) fn with_class_priors(self, shares: ClassPriors) -> Result<Self> {
        Self { shares, ..self }.with_labeled_leaves()
    }

    pub(crate) fn with_replaced_labels(self, relabelled: ReplacedLabels) -> Self {
        Self { relabelled, ..self }
    }

    /// Labels that replaced the given labels in training, one per row; model files lack them.
    pub fn replaced_labels(&self) -> &[u32] {
        &self.relabelled.0
    }

    /// Weighted class proportions in training; empty if the model file does not have them.
    pub fn training_priors(&self) -> &[f64] {
        &self.shares.known
    }

    pub(crate) fn class_priors(&self) -> &ClassPriors {
        &self.shares
    }

    pub(crate) fn with_calibration(self, calibrated: Option<FittedCalibration>) -> Result<Self> {
        if calibrated.as_ref().is_some_and(|found| found.curves.n_classes() != self.n_classes()) {
            return Err(Error::damaged("its calibration is for another number of classes"));
        }
        Self { calibrated, ..self }.with_labeled_leaves()
    }

    pub(crate) fn with_tuning_record(self, chosen: Option<TunedThreshold>) -> Self {
        Self { chosen, ..self }
    }

    /// Moves out-of-bag predictions of the rows `rows` to a table with `n_rows` rows.
    pub fn map_out_of_bag_rows(&mut self, rows: &[u32], n_rows: usize) {
        self.fitted.map_out_of_bag_rows(rows, n_rows);
    }

    /// Removes out-of-bag predictions; the parameter called `name` becomes false.
    pub(crate) fn without_out_of_bag(mut self, name: &str) -> Self {
        self.fitted.discard_out_of_bag();
        self.params[name] = Value::Bool(false);
        self
    }

    /// Name of the method in the registry.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// All parameters of the method, with defaults filled in.
    pub fn params(&self) -> &Value {
        &self.params
    }

    /// Names of features, levels and classes.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The fitted estimator.
    pub fn fitted_estimator(&self) -> &FittedEstimator {
        &self.fitted
    }

    /// Rule that turns class probabilities into classes.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Record of the tuned threshold, if there is one.
    pub fn tuned_threshold(&self) -> Option<&TunedThreshold> {
        self.chosen.as_ref()
    }

    /// The calibration of the probabilities, if there is one.
    pub fn calibration(&self) -> Option<&FittedCalibration> {
        self.calibrated.as_ref()
    }

    /// Error for an operation that this model does not support.
    /// `what` is a verb phrase that completes a sentence about the model, such as "is not a forest".
    pub fn unsupported_error(&self, what: &str) -> Error {
        let method = &self.method;
        Error::Unsupported(match self.fitted {
            FittedEstimator::Constant(_) => format!(
                "this model of method `{method}` {what}: it was fitted to rows of one class and always predicts it"
            ),
            _ => format!("a model of method `{method}` {what}"),
        })
    }

    /// Code of the positive class, to which thresholds, boxes, rules and scores refer.
    pub fn positive_class(&self) -> u32 {
        self.positive
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    /// Class probabilities, row-major, calibrated if the model has a calibration.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] unless the frame has the columns of the training data.
    pub fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.check_frame(frame)?;
        let mut proba = self.proba_before_adaptation(frame, ctl)?;
        self.shares.adapt_proba(&mut proba);
        Ok(proba)
    }

    /// Calibrated probabilities for the class proportions in training, even of an adapted model.
    pub(crate) fn proba_before_adaptation(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.calibrate(self.fitted.proba(frame, ctl)?)
    }

    fn calibrate(&self, proba: Vec<f64>) -> Result<Vec<f64>> {
        match &self.calibrated {
            Some(calibrated) => calibrated.curves.apply(&proba),
            None => Ok(proba),
        }
    }

    /// Lower and upper ends of the intervals of the class probabilities, each row-major.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the model was not calibrated by a method with intervals, or was adapted to
    /// other class proportions; otherwise the same errors as [`Model::proba`].
    pub fn proba_interval(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
        let Some(calibrated) = &self.calibrated else {
            return Err(self.unsupported_error(
                "has no intervals of probabilities; fit it with calibrate=\"venn_abers\"",
            ));
        };
        if self.prior_adaptation().is_some() {
            return Err(self.unsupported_error(
                "has no intervals after adaptation: they hold for the class proportions of training",
            ));
        }
        self.check_frame(frame)?;
        calibrated.curves.interval(&self.fitted.proba(frame, ctl)?)
    }

    /// Predicts class codes by the decision rule.
    ///
    /// Without threshold and costs, it is that of [`Self::class_rule`].
    ///
    /// # Errors
    /// Same errors as [`Model::proba`].
    pub fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        if self.uses_estimator_class() && self.prior_adaptation().is_none() {
            self.check_frame(frame)?;
            return self.fitted.predict(frame, ctl);
        }
        Ok(self.predict_with_proba(frame, ctl)?.0)
    }

    /// Predicts for each row the class of least expected cost, by the cost matrix of the row.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the model predicts by a threshold; [`Error::Data`] if the number of rows or
    /// classes differs between the costs and the frame; otherwise the same errors as [`Model::proba`].
    pub fn predict_by_costs(
        &self,
        frame: &Frame<'_>,
        costs: &RowCosts<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>> {
        if matches!(self.decision, Decision::Threshold { .. } | Decision::Prior(_) | Decision::Thresholds(_))
        {
            return Err(self.unsupported_error(
                "that predicts by a threshold takes no cost_matrix in predict: fit it without threshold, or use \
                 imbcore.costs.minimum_expected_cost(model.predict_proba(X), cost_matrix)",
            ));
        }
        costs.check(frame.n_rows(), self.n_classes())?;
        costs.cheapest_classes(&self.proba(frame, ctl)?)
    }

    pub(crate) fn finalize_proba(&self, proba: Vec<f64>) -> Result<Vec<f64>> {
        let mut proba = self.calibrate(proba)?;
        self.shares.adapt_proba(&mut proba);
        Ok(proba)
    }

    /// Predicted classes and probabilities: [`Self::predict`] and [`Self::proba`] in one pass.
    ///
    /// # Errors
    /// Same errors as [`Model::proba`].
    pub fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        if self.decision.has_row_dependent_costs() {
            let proba = self.proba(frame, ctl)?;
            return Ok((self.decision.decide_rows(&proba, self.n_classes(), frame)?, proba));
        }
        self.check_frame(frame)?;
        let (own, proba) = if self.uses_estimator_class() {
            self.fitted.predict_with_proba(frame, ctl)?
        } else {
            (Vec::new(), self.fitted.proba(frame, ctl)?)
        };
        self.final_predictions(own, proba)
    }

    pub(crate) fn predicts_estimator_classes(&self) -> bool {
        // If the class proportions did not change, the predicted classes of the estimator are kept.
        // Predictions from the probabilities would differ from them only in ties.
        let moved = self.shares.prior_ratios().is_some();
        self.uses_estimator_class() && (!moved || self.fitted.has_region_labels())
    }

    /// The model's classes and probabilities, from those of the estimator.
    ///
    /// The estimator's classes, `own`, may be empty if a decision rule determines the classes.
    pub(crate) fn final_predictions(&self, own: Vec<u32>, proba: Vec<f64>) -> Result<(Vec<u32>, Vec<f64>)> {
        let proba = self.finalize_proba(proba)?;
        let answers = if self.predicts_estimator_classes() {
            own
        } else if self.uses_estimator_class() {
            most_probable(&proba, self.fitted.prior_correction(), self.n_classes())
        } else {
            self.decision.decide(&proba, self.n_classes())?
        };
        Ok((answers, proba))
    }

    /// Total weight of the given rows of each class in every tree node or box, row-major.
    ///
    /// For a model of boxes, the last entry is for the rows outside all boxes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the model is a single tree or has boxes; otherwise as [`Model::proba`].
    pub fn rule_masses(&self, data: &Dataset<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.check_frame(data.frame())?;
        match self.fitted.boxes() {
            Some(boxes) => boxes.class_weights_by_box(data, ctl),
            None => self.require_single_tree()?.sum_masses_by_node_and_class(data, ctl),
        }
    }

    /// Whether the model accepts rows with missing values.
    pub fn accepts_missing(&self) -> bool {
        innermost_params(&self.params).get("missing").is_none_or(|rule| rule != "error")
    }

    /// Checks that a frame has the columns of the training data and only allowed missing values.
    ///
    /// # Errors
    /// [`Error::Data`] for a wrong number of columns; [`Error::Column`] for an invalid column.
    pub fn check_frame(&self, frame: &Frame<'_>) -> Result<()> {
        let features = &self.schema.features;
        if frame.n_columns() != features.len() {
            let message = format!(
                "X has {} features, but the model was fitted on {}",
                frame.n_columns(),
                features.len()
            );
            return Err(Error::Data(message));
        }
        for (index, (column, feature)) in frame.columns().iter().zip(features).enumerate() {
            let fits = match (column, &feature.kind) {
                (Column::Numeric(_), FeatureKind::Numeric) => true,
                (Column::Nominal { codes, .. }, FeatureKind::Nominal { levels }) => {
                    codes.iter().all(|&code| code == imbcore_core::MISSING || (code as usize) < levels.len())
                }
                _ => false,
            };
            if !fits {
                let message = "is of another kind (numeric or nominal) than in training".into();
                return Err(Error::Column { column: index, message });
            }
        }
        if !self.accepts_missing() {
            check_no_missing(frame)?;
        }
        Ok(())
    }

    /// For each feature, its fraction of the total gain; for forests, a mean over trees.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the model is a single tree, a forest or boosted trees; [`Error::Format`]
    /// for an unknown criterion.
    pub fn feature_importances(&self) -> Result<Vec<f64>> {
        if let Some(forest) = self.fitted.forest() {
            return Ok(forest.feature_importances().to_vec());
        }
        if let Some(trees) = self.fitted.boosted() {
            return Ok(trees.feature_importances());
        }
        // Methods without the parameter `criterion` store gains per unit of weight, as for the Gini index.
        let criterion = match innermost_params(&self.params).get("criterion") {
            None => AnyCriterion::Gini(Gini {}),
            Some(named) => serde_json::from_value(named.clone())
                .map_err(|error| Error::damaged(format!("parameter `criterion`: {error}")))?,
        };
        Ok(self.require_single_tree()?.tree().feature_importances(self.schema.features.len(), &criterion))
    }

    /// Converts one member of a forest or ensemble to a model.
    /// A tree of a forest becomes a model of method `cart` with the tree parameters of the forest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model without members; [`Error::Data`] for an invalid member number.
    pub fn member(&self, tree: usize) -> Result<Self> {
        if let Some(ensemble) = self.fitted.ensemble() {
            return self.ensemble_member(ensemble, tree);
        }
        if let Some(selected) = self.fitted.selected_ensemble() {
            return self.selected_member(selected, tree);
        }
        let Some(forest) = self.fitted.forest() else {
            return Err(self.unsupported_error("is not made of trees or other members"));
        };
        let mut params = cart_params_of_forest(&self.params);
        if let Some(&alpha) = forest.criterion_alpha_by_tree().get(tree) {
            let criterion = match self.params.get("reference") {
                None | Some(Value::Null) => json!({"name": "alpha", "alpha": alpha}),
                Some(reference) => json!({"name": "alpha_ext", "alpha": alpha, "reference": reference}),
            };
            params.insert("criterion".into(), criterion);
        }
        let fitted = FittedEstimator::Tree(forest.expand_tree_model(tree)?);
        let (schema, decision) = (self.schema.clone(), self.decision.clone());
        Self::new("cart", Value::Object(params), schema, fitted, decision, self.positive)
    }

    fn ensemble_member(&self, ensemble: &Ensemble<FittedEstimator>, index: usize) -> Result<Self> {
        let Some(fitted) = ensemble.members().get(index) else {
            let n = ensemble.members().len();
            return Err(Error::Data(format!("the ensemble has {n} members, there is no member {index}")));
        };
        let method = self.params.get("estimator").and_then(Value::as_str);
        let (Some(method), Some(params)) = (method, base_method_params(&self.params)) else {
            return Err(Error::damaged("the method of its members is missing"));
        };
        let columns = &ensemble.voting().columns[index];
        let (schema, decision) = (restrict_schema(&self.schema, columns), self.decision_of_member(columns));
        Self::new(method, params.clone(), schema, fitted.clone(), decision, self.positive)
    }

    /// Decision rule of a member that uses only some columns; an empty list means all columns.
    ///
    /// If the costs are in columns that the member does not use, it predicts the most probable class.
    fn decision_of_member(&self, columns: &[u32]) -> Decision {
        match &self.decision {
            Decision::Costs(CostRule::Columns(cells)) if !columns.is_empty() => cells
                .renumber_columns(columns)
                .map_or(Decision::Argmax, |cells| Decision::Costs(CostRule::Columns(cells))),
            decision => decision.clone(),
        }
    }
}

pub(crate) fn check_no_missing(frame: &Frame<'_>) -> Result<()> {
    if !frame.has_missing() {
        return Ok(());
    }
    let has_missing = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
    let message =
        "has missing values (NaN), which a model fitted with missing=\"error\" rejects; impute them";
    let found = frame.columns().iter().position(has_missing);
    found.map_or(Ok(()), |column| Err(Error::Column { column, message: message.into() }))
}

/// Parameters of the base method, nested in the parameters of an ensemble or decomposition.
pub(crate) fn base_method_params(params: &Value) -> Option<&Value> {
    params.get("estimator_params").filter(|inner| inner.is_object())
}

/// Parameters of the innermost base method, or of the method itself if it has no base method.
fn innermost_params(mut params: &Value) -> &Value {
    while let Some(inner) = base_method_params(params) {
        params = inner;
    }
    params
}
