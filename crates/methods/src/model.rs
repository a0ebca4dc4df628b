//! A fitted model of any family and everything that prediction needs.
//!
//! A model combines the fitted estimator, the schema that encodes rows for it, and the decision rule that turns
//! probabilities into classes. It is immutable; equal models have equal bytes.

use crate::chosen::{FittedCalibration, TunedThreshold};
use crate::class_priors::{ClassPriors, most_probable};
use crate::fitted::FittedEstimator;
use crate::forests::tree_params;
use crate::recipe::ReplacedLabels;
use imbcore_core::{
    Classifier, Column, CostRule, Dataset, Decision, Error, FeatureKind, Frame, Result, RowCosts, RunContext,
    Schema,
};
use imbcore_criteria::{AnyCriterion, Gini};
use imbcore_ensembles::generic::{Ensemble, seen};
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
        let drawn = fitted.boxes().map_or(positive, BoxModel::positive);
        if positive as usize >= schema.classes.len() || drawn != positive {
            return Err(Error::damaged(
                "the positive class is none of the classes, or not that of the boxes",
            ));
        }
        let (method, chosen, calibrated, shares) = (method.to_owned(), None, None, ClassPriors::default());
        let relabelled = ReplacedLabels::default();
        Self { method, params, schema, fitted, decision, positive, chosen, shares, calibrated, relabelled }
            .label_leaves()
    }

    /// Labels tree leaves by the decision rule, so that rules and plots agree with `predict`.
    /// If costs differ between rows, the label is the most probable class.
    fn label_leaves(mut self) -> Result<Self> {
        if self.uses_estimator_class() {
            return Ok(self);
        }
        let n_classes = self.n_classes();
        let Self { fitted, decision, calibrated, .. } = &mut self;
        let decision = if decision.is_of_rows() { &Decision::Argmax } else { &*decision };
        let decide = |proba: &[f64]| decide_uncalibrated(calibrated.as_ref(), decision, proba, n_classes);
        match fitted {
            FittedEstimator::Tree(tree) | FittedEstimator::Constant(tree) => tree.answer_by(decide)?,
            FittedEstimator::Svr(tree) => tree.answer_by(decide)?,
            FittedEstimator::Optimal(tree) => tree.answer_by(decide)?,
            _ => {}
        }
        Ok(self)
    }

    /// Whether the model predicts the class of its estimator, usually the most probable one.
    fn uses_estimator_class(&self) -> bool {
        // A ROC hull selected this tree by cost, but the probabilities are those of all trees of the ROC
        // hull.
        let by_tree = matches!(&self.decision, Decision::Costs(rule) if rule.matrix().is_some())
            && self.fitted.optimal().is_some_and(|tree| !tree.speaks_by_tree());
        (self.decision == Decision::Argmax || by_tree) && self.calibrated.is_none()
    }

    /// Returns the model with another decision rule.
    pub(crate) fn with_decision(self, decision: Decision) -> Result<Self> {
        decision.check(self.n_classes())?;
        Self { decision, ..self }.label_leaves()
    }

    /// Returns the model with a fixed threshold for the positive class, replacing a tuned one.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a threshold outside [0, 1]; [`Error::Data`] unless there are two classes.
    pub fn with_threshold(&self, at: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&at) {
            return Err(Error::parameter("with_threshold", "threshold", "in [0, 1]", at));
        }
        let decision = Decision::Threshold { at, positive: self.positive };
        Ok(self.clone().with_decision(decision)?.with_tuning(None))
    }

    /// Returns the model with these class proportions.
    pub(crate) fn with_class_priors(self, shares: ClassPriors) -> Self {
        Self { shares, ..self }
    }

    /// Returns the model with the labels that replaced those of the data in training.
    pub(crate) fn of_labels(self, relabelled: ReplacedLabels) -> Self {
        Self { relabelled, ..self }
    }

    /// Class of every training row if training replaced the labels; not stored in model files.
    pub fn relabelled(&self) -> &[u32] {
        &self.relabelled.0
    }

    /// Weighted class proportions in training; empty if the model file does not have them.
    pub fn training_shares(&self) -> &[f64] {
        &self.shares.known
    }

    pub(crate) fn shares(&self) -> &ClassPriors {
        &self.shares
    }

    /// Returns the model with calibrated probabilities.
    pub(crate) fn with_calibration(self, calibrated: Option<FittedCalibration>) -> Result<Self> {
        if calibrated.as_ref().is_some_and(|found| found.curves.n_classes() != self.n_classes()) {
            return Err(Error::damaged("its calibration is for another number of classes"));
        }
        Self { calibrated, ..self }.label_leaves()
    }

    /// Returns the model with the record of how its threshold was chosen.
    pub(crate) fn with_tuning(self, chosen: Option<TunedThreshold>) -> Self {
        Self { chosen, ..self }
    }

    /// Converts indices of rows with positive weight to indices in a table of `n_rows` rows.
    pub fn place_rows(&mut self, rows: &[u32], n_rows: usize) {
        self.fitted.place_rows(rows, n_rows);
    }

    /// Returns the model without out-of-bag predictions and with parameter `name` set to false.
    pub(crate) fn without_out_of_bag(mut self, name: &str) -> Self {
        self.fitted.forget_out_of_bag();
        self.params[name] = Value::Bool(false);
        self
    }

    /// Registered name of its method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// All parameters, with defaults filled in.
    pub fn params(&self) -> &Value {
        &self.params
    }

    /// Names of features, levels and classes.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The fitted estimator.
    pub fn fitted(&self) -> &FittedEstimator {
        &self.fitted
    }

    /// Rule that turns class probabilities into classes.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Record of the tuned threshold, if there is one.
    pub fn chosen(&self) -> Option<&TunedThreshold> {
        self.chosen.as_ref()
    }

    /// The calibration of the probabilities, if there is one.
    pub fn calibrated(&self) -> Option<&FittedCalibration> {
        self.calibrated.as_ref()
    }

    /// Error for a request that this model cannot serve; `what` begins with a verb.
    pub fn unsupported(&self, what: &str) -> Error {
        let method = &self.method;
        Error::Unsupported(match self.fitted {
            FittedEstimator::Constant(_) => format!(
                "this model of method `{method}` {what}: it was fitted to rows of one class and always predicts it"
            ),
            _ => format!("a model of method `{method}` {what}"),
        })
    }

    /// Code of the positive class, to which thresholds, boxes, rules and scores refer.
    pub fn positive(&self) -> u32 {
        self.positive
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    /// Class probabilities, row-major, calibrated if the model has a calibration.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] if the frame is not like the training data.
    pub fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.check(frame)?;
        let mut proba = self.training_proba(frame, ctl)?;
        self.shares.apply(&mut proba);
        Ok(proba)
    }

    /// Probabilities for the class proportions of training.
    pub(crate) fn training_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.calibrate(self.fitted.proba(frame, ctl)?)
    }

    fn calibrate(&self, proba: Vec<f64>) -> Result<Vec<f64>> {
        match &self.calibrated {
            Some(calibrated) => calibrated.curves.apply(&proba),
            None => Ok(proba),
        }
    }

    /// Lower and upper bounds of the intervals of all probabilities, row-major.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the model was calibrated by a method with intervals, or if it was adapted to
    /// other class proportions; otherwise as [`Model::proba`].
    pub fn proba_interval(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
        let Some(calibrated) = &self.calibrated else {
            return Err(
                self.unsupported("has no intervals of probabilities; fit it with calibrate=\"venn_abers\"")
            );
        };
        if self.adapted().is_some() {
            return Err(self.unsupported(
                "has no intervals after adaptation: they hold for the class proportions of training",
            ));
        }
        self.check(frame)?;
        calibrated.curves.interval(&self.fitted.proba(frame, ctl)?)
    }

    /// Predicts class codes by the model's decision rule; by default the most probable class.
    ///
    /// # Errors
    /// Same errors as [`Model::proba`].
    pub fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        if self.uses_estimator_class() && self.adapted().is_none() {
            self.check(frame)?;
            return self.fitted.predict(frame, ctl);
        }
        Ok(self.answers(frame, ctl)?.0)
    }

    /// Predicts the class codes of least expected cost for costs given with the rows.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the model decides by a threshold; [`Error::Data`] for costs of other rows; otherwise
    /// as [`Model::proba`].
    pub fn predict_by_costs(
        &self,
        frame: &Frame<'_>,
        costs: &RowCosts<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>> {
        if matches!(self.decision, Decision::Threshold { .. } | Decision::Prior(_) | Decision::Thresholds(_))
        {
            return Err(self.unsupported(
                "that predicts by a threshold takes no cost_matrix in predict: fit it without threshold, or use \
                 imbcore.costs.minimum_expected_cost(model.predict_proba(X), cost_matrix)",
            ));
        }
        costs.check(frame.n_rows(), self.n_classes())?;
        costs.cheapest(&self.proba(frame, ctl)?)
    }

    /// Calibrates the estimator's probabilities and corrects them to the class proportions.
    pub(crate) fn finalize_proba(&self, proba: Vec<f64>) -> Result<Vec<f64>> {
        let mut proba = self.calibrate(proba)?;
        self.shares.apply(&mut proba);
        Ok(proba)
    }

    /// Predicted classes and probabilities: [`Self::predict`] and [`Self::proba`] in one pass.
    ///
    /// # Errors
    /// Same errors as [`Model::proba`].
    pub fn answers(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        if self.decision.is_of_rows() {
            let proba = self.proba(frame, ctl)?;
            return Ok((self.decision.decide_rows(&proba, self.n_classes(), frame)?, proba));
        }
        self.check(frame)?;
        let (own, proba) = if self.uses_estimator_class() {
            self.fitted.answers(frame, ctl)?
        } else {
            (Vec::new(), self.fitted.proba(frame, ctl)?)
        };
        self.settled(own, proba)
    }

    /// Whether the model predicts the same classes as its estimator.
    pub(crate) fn keeps_estimator_classes(&self) -> bool {
        // If the proportions did not change, the rounding of the correction must not break ties.
        let moved = self.shares.factors().is_some();
        self.uses_estimator_class() && (!moved || self.fitted.has_region_labels())
    }

    /// Final classes and probabilities, from those of the estimator, `own` and `proba`.
    /// `own` may be empty unless the model predicts the most probable class.
    pub(crate) fn settled(&self, own: Vec<u32>, proba: Vec<f64>) -> Result<(Vec<u32>, Vec<f64>)> {
        let proba = self.finalize_proba(proba)?;
        let answers = if self.keeps_estimator_classes() {
            own
        } else if self.uses_estimator_class() {
            most_probable(&proba, self.fitted.recalibration(), self.n_classes())
        } else {
            self.decision.decide(&proba, self.n_classes())?
        };
        Ok((answers, proba))
    }

    /// Class weights of the given rows in every node of a tree, or in every box; row-major.
    /// For boxes, the last entry is for the rows outside all boxes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model without a single tree or boxes; otherwise as [`Model::proba`].
    pub fn rule_masses(&self, data: &Dataset<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.check(data.frame())?;
        match self.fitted.boxes() {
            Some(boxes) => boxes.masses(data, ctl),
            None => self.single_tree()?.masses(data, ctl),
        }
    }

    /// Whether rows may have missing values.
    pub fn accepts_missing(&self) -> bool {
        innermost_params(&self.params).get("missing").is_none_or(|rule| rule != "error")
    }

    /// Checks that a frame has the columns that the model was fitted on.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`].
    pub fn check(&self, frame: &Frame<'_>) -> Result<()> {
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
            refuse_missing(frame)?;
        }
        Ok(())
    }

    /// Proportion of the total gain of the splits due to each feature, averaged over trees.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model without trees; [`Error::Format`] if the file names an unknown criterion.
    pub fn feature_importances(&self) -> Result<Vec<f64>> {
        if let Some(forest) = self.fitted.forest() {
            return Ok(forest.feature_importances().to_vec());
        }
        if let Some(trees) = self.fitted.boosted() {
            return Ok(trees.feature_importances());
        }
        // Methods with a fixed criterion have no such parameter; their gains are per unit of weight.
        let criterion = match innermost_params(&self.params).get("criterion") {
            None => AnyCriterion::Gini(Gini {}),
            Some(named) => serde_json::from_value(named.clone())
                .map_err(|error| Error::damaged(format!("parameter `criterion`: {error}")))?,
        };
        Ok(self.single_tree()?.tree().feature_importances(self.schema.features.len(), &criterion))
    }

    /// One member of a forest or ensemble as a model.
    /// A tree of a forest becomes a model of method `cart` with the tree parameters of the forest.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model of another kind; [`Error::Data`] if there is no such member.
    pub fn member(&self, tree: usize) -> Result<Self> {
        if let Some(ensemble) = self.fitted.ensemble() {
            return self.ensemble_member(ensemble, tree);
        }
        if let Some(selected) = self.fitted.selected() {
            return self.selected_member(selected, tree);
        }
        let Some(forest) = self.fitted.forest() else {
            return Err(self.unsupported("is not made of trees or other members"));
        };
        let mut params = tree_params(&self.params);
        if let Some(&alpha) = forest.alphas().get(tree) {
            let criterion = match self.params.get("reference") {
                None | Some(Value::Null) => json!({"name": "alpha", "alpha": alpha}),
                Some(reference) => json!({"name": "alpha_ext", "alpha": alpha, "reference": reference}),
            };
            params.insert("criterion".into(), criterion);
        }
        let fitted = FittedEstimator::Tree(forest.member(tree)?);
        let (schema, decision) = (self.schema.clone(), self.decision.clone());
        Self::new("cart", Value::Object(params), schema, fitted, decision, self.positive)
    }

    /// A member of an ensemble: a model of the base method, on the columns that it uses.
    fn ensemble_member(&self, ensemble: &Ensemble<FittedEstimator>, index: usize) -> Result<Self> {
        let Some(fitted) = ensemble.members().get(index) else {
            let n = ensemble.members().len();
            return Err(Error::Data(format!("the ensemble has {n} members, there is no member {index}")));
        };
        let method = self.params.get("estimator").and_then(Value::as_str);
        let (Some(method), Some(params)) = (method, inside(&self.params)) else {
            return Err(Error::damaged("the method of its members is missing"));
        };
        let columns = &ensemble.voting().columns[index];
        let (schema, decision) = (seen(&self.schema, columns), self.decision_for_columns(columns));
        Self::new(method, params.clone(), schema, fitted.clone(), decision, self.positive)
    }

    /// Decision rule of a member that uses these columns only (all if empty).
    /// If the costs of a row are in columns that the member does not use, the member predicts the most
    /// probable class.
    fn decision_for_columns(&self, columns: &[u32]) -> Decision {
        match &self.decision {
            Decision::Costs(CostRule::Columns(cells)) if !columns.is_empty() => cells
                .select_columns(columns)
                .map_or(Decision::Argmax, |cells| Decision::Costs(CostRule::Columns(cells))),
            decision => decision.clone(),
        }
    }
}

/// Decision on probabilities that are not calibrated yet.
fn decide_uncalibrated(
    calibrated: Option<&FittedCalibration>,
    decision: &Decision,
    proba: &[f64],
    n_classes: usize,
) -> Result<Vec<u32>> {
    match calibrated {
        Some(calibrated) => decision.decide(&calibrated.curves.apply(proba)?, n_classes),
        None => decision.decide(proba, n_classes),
    }
}

/// Rejects missing values for a model fitted with `missing="error"`.
pub(crate) fn refuse_missing(frame: &Frame<'_>) -> Result<()> {
    if !frame.has_missing() {
        return Ok(());
    }
    let has_missing = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
    let message =
        "has missing values (NaN), which a model fitted with missing=\"error\" rejects; impute them";
    let found = frame.columns().iter().position(has_missing);
    found.map_or(Ok(()), |column| Err(Error::Column { column, message: message.into() }))
}

/// Parameters of the base method inside those of another method.
pub(crate) fn inside(params: &Value) -> Option<&Value> {
    params.get("estimator_params").filter(|inner| inner.is_object())
}

/// Parameters of the innermost base method, with which its models were fitted.
fn innermost_params(mut params: &Value) -> &Value {
    while let Some(inner) = inside(params) {
        params = inner;
    }
    params
}
