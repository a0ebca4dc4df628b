//! Training of boosted trees: checks, binning, choice of the number of rounds, and boosting.

use crate::binned::{BinEdges, BinnedColumns, MOST_BINS, QuantileSketch, compute_edges_from_sketches};
use crate::boosted::booster::{Booster, BoostingTask, smallest_class_mass};
use crate::boosted::calibration::{CalibrationData, InnerFoldModels};
use crate::boosted::constraints::BoostingConstraints;
use crate::boosted::cost_differences::CostDerivedLabels;
use crate::boosted::dropout::Dropout;
use crate::boosted::loss::{Loss, RankingKind};
use crate::boosted::matrix::BoostedMatrix;
use crate::boosted::model::BoostedModel;
use crate::boosted::params::{
    BoostedMissingRule, BoostedObjective, BoostedParams, RoundCount, RoundCountRule, StoppingScore,
};
use crate::boosted::regularization::Regularization;
use crate::boosted::row_sampling::RowSampling;
use crate::boosted::stopping::{EarlyStopping, StoppingScorePath};
use crate::boosted::target_encoder::TargetEncoder;
use crate::rows::training::TrainingTable;
use crate::tree::ColumnKind;
use imbcore_core::{
    CostRule, Dataset, Error, Learner, Params, PriorShift, Result, RunContext, SeedKey, tags,
};

use std::sync::Arc;

/// Number of rounds if this number cannot be chosen because no rows can be held out.
///
/// It is limited by the parameter `max_rounds`.
const UNJUDGED: u32 = 100;

impl BoostedParams {
    /// Checks the parameters as far as possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<BoostedLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        require((0.0..=10.0).contains(&self.focal_gamma), "focal_gamma", &self.focal_gamma)?;
        require(self.n_rounds != RoundCount::Given(0), "n_rounds", &0)?;
        require(self.stopping_folds >= 2, "stopping_folds", &self.stopping_folds)?;
        for (name, value) in [
            ("max_rounds", self.max_rounds),
            ("early_stopping_rounds", self.early_stopping_rounds),
            ("min_samples_leaf", self.min_samples_leaf),
            ("max_depth", self.max_depth.unwrap_or(1)),
        ] {
            require(value >= 1, name, &value)?;
        }
        let leaves = self.max_leaf_nodes.unwrap_or(2);
        require(leaves >= 2, "max_leaf_nodes", &leaves)?;
        for (name, value) in [("subsample", self.subsample), ("colsample_bytree", self.colsample_bytree)] {
            require(value > 0.0 && value <= 1.0, name, &value)?;
        }
        let rate = self.learning_rate;
        require(rate > 0.0 && rate <= 1e6, "learning_rate", &rate)?;
        require((0.0..1.0).contains(&self.top_rate), "top_rate", &self.top_rate)?;
        require((0.0..1.0).contains(&self.dropout_rate), "dropout_rate", &self.dropout_rate)?;
        require((0.0..=1.0).contains(&self.skip_dropout), "skip_dropout", &self.skip_dropout)?;
        let most = 1.0 - self.top_rate;
        require(self.other_rate > 0.0 && self.other_rate <= most, "other_rate", &self.other_rate)?;
        for (name, value) in [
            ("min_child_weight", self.min_child_weight),
            ("min_split_gain", self.min_split_gain),
            ("random_strength", self.random_strength),
            ("early_stopping_min_delta", self.early_stopping_min_delta),
            ("reg_lambda", self.reg_lambda),
            ("reg_alpha", self.reg_alpha),
            ("level_smoothing", self.level_smoothing),
        ] {
            require(value.is_finite() && value >= 0.0, name, &value)?;
        }
        let signs = self.monotonic_cst.as_deref().unwrap_or_default();
        require(signs.iter().all(|sign| sign.abs() <= 1), "monotonic_cst", &format_args!("{signs:?}"))?;
        require((2..=MOST_BINS as u32).contains(&self.max_bins), "max_bins", &self.max_bins)?;
        Ok(BoostedLearner { method, params: self, class_weight: None, positive: 1, costs: None })
    }

    fn dropout(&self) -> Dropout {
        Dropout { rate: self.dropout_rate, skip: self.skip_dropout }
    }

    fn regularization(&self) -> Regularization {
        let whole = |limit: Option<u32>| limit.map_or(usize::MAX, |limit| limit as usize);
        Regularization {
            max_leaves: whole(self.max_leaf_nodes),
            max_depth: whole(self.max_depth),
            min_rows: self.min_samples_leaf,
            min_hessian: self.min_child_weight,
            min_split_gain: self.min_split_gain,
            random_strength: self.random_strength,
            lambda: self.reg_lambda,
            alpha: self.reg_alpha,
            smoothing: self.level_smoothing,
            rate: self.learning_rate,
        }
    }
}

/// Learner for boosted trees with checked parameters.
#[derive(Clone, Debug)]
pub struct BoostedLearner {
    method: &'static str,
    params: BoostedParams,
    class_weight: Option<Vec<f64>>,
    positive: u32,
    costs: Option<CostRule>,
}

impl BoostedLearner {
    /// Sets class weights, by which the weights of the rows are multiplied.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Sets the positive class for ranking losses and for early stopping by average precision.
    #[must_use]
    pub fn with_positive_class(self, positive: u32) -> Self {
        Self { positive, ..self }
    }

    /// Sets the misclassification costs for `objective="cost"`.
    #[must_use]
    pub fn with_costs(self, costs: Option<CostRule>) -> Self {
        Self { costs, ..self }
    }

    /// Computes the bins of columns that are read in chunks, from their sketches.
    /// `labels` contains the labels and weights of the table.
    ///
    /// # Errors
    /// Errors in the labels or weights.
    pub fn bin_edges_from_sketches(
        &self,
        labels: &Dataset<'_>,
        sketches: Vec<Option<QuantileSketch>>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        if let Some(rows) = self.compute_cost_labels(labels)? {
            let labels = labels.relabeled(&rows.labels, &rows.weights)?;
            return compute_edges_from_sketches(
                sketches,
                (&labels, &TrainingTable::new(&labels, None)?),
                ctl,
            );
        }
        let table = TrainingTable::new(labels, self.class_weight.as_deref())?;
        compute_edges_from_sketches(sketches, (labels, &table), ctl)
    }

    fn loss(&self, n_classes: usize) -> Result<Loss> {
        let refuse = |name, expected: &str, got| Err(Error::parameter(self.method, name, expected, got));
        let BoostedParams { objective, stopping_score, focal_gamma, .. } = self.params;
        let several = "\"log_loss\" or \"balanced\" with more than two classes";
        let ranking_loss = |of| Loss::Order { of, slope: 1.0, level: 0.0 };
        match (objective, n_classes) {
            (BoostedObjective::Focal, 2) => Ok(Loss::Focal { gamma: focal_gamma, level: 0.0 }),
            (BoostedObjective::PairwiseAuc, 2) => Ok(ranking_loss(RankingKind::Pairs)),
            (BoostedObjective::SmoothAp, 2) => Ok(ranking_loss(RankingKind::Precision)),
            (_, 2) => Ok(Loss::Logistic),
            (BoostedObjective::Cost, _) => refuse("objective", several, "\"cost\""),
            (BoostedObjective::Focal, _) => refuse("objective", several, "\"focal\""),
            (BoostedObjective::PairwiseAuc, _) => refuse("objective", several, "\"pairwise_auc\""),
            (BoostedObjective::SmoothAp, _) => refuse("objective", several, "\"smooth_ap\""),
            _ if stopping_score == StoppingScore::AveragePrecision => {
                refuse("stopping_score", "\"log_loss\" with more than two classes", "\"average_precision\"")
            }
            _ => Ok(Loss::Softmax),
        }
    }

    fn check_missing_allowed(&self, table: &TrainingTable<'_>) -> Result<()> {
        if self.params.missing == BoostedMissingRule::Direction {
            return Ok(());
        }
        match table.columns_with_missing().iter().position(|&misses| misses) {
            Some(column) => {
                let message = "has missing values (NaN), which missing=\"error\" does not allow; impute them, or use \
                               missing=\"direction\"";
                Err(Error::Column { column, message: message.into() })
            }
            None => Ok(()),
        }
    }

    fn compute_cost_labels<'d>(&self, data: &Dataset<'d>) -> Result<Option<CostDerivedLabels<'d>>> {
        if self.params.objective != BoostedObjective::Cost {
            return Ok(None);
        }
        self.loss(data.n_classes())?;
        let rule = (self.method, self.costs.as_ref());
        CostDerivedLabels::new(rule, data, self.class_weight.as_deref()).map(Some)
    }

    /// Inner folds choose the number of rounds, or calibrate the scores of a ranking loss.
    fn choose_round_count<'t>(
        &self,
        task: &'t BoostingTask<'t>,
        rows: &[u32],
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(u32, Option<(StoppingScorePath, InnerFoldModels<'t>)>)> {
        let BoostedParams {
            n_rounds,
            stopping_score,
            stopping_folds,
            early_stopping_rounds,
            early_stopping_min_delta,
            max_rounds,
            ..
        } = self.params;
        let of_order = matches!(task.loss, Loss::Order { .. });
        let (given, most) = match n_rounds {
            RoundCount::Given(rounds) if !of_order => return Ok((rounds, None)),
            // Ranking scores are not log-odds; held-out rows are needed to convert them to probabilities.
            RoundCount::Given(rounds) => (true, rounds),
            RoundCount::Named(RoundCountRule::Auto) => (false, max_rounds),
        };
        let stopping = EarlyStopping {
            score: stopping_score,
            positive: self.positive,
            folds: stopping_folds,
            of_order,
            given,
            patience: early_stopping_rounds,
            delta: early_stopping_min_delta,
            most,
        };
        let path = stopping.run_inner_folds(task, rows, key, ctl)?;
        if path.is_none() && !task.dependence.is_none() {
            let instead = if given {
                "scores are converted to probabilities on training rows".to_owned()
            } else {
                format!("n_rounds=\"auto\" uses {} rounds without a test; set n_rounds", UNJUDGED.min(most))
            };
            ctl.warn(format!(
                "{}: the groups or times allow no inner folds, so {instead}, or provide more groups or times",
                self.method
            ));
        }
        let unjudged = if given { most } else { UNJUDGED.min(most) };
        Ok((path.as_ref().map_or(unjudged, |(path, _)| path.rounds), path))
    }
}

fn class_weight_factors(objective: BoostedObjective, masses: &[f64]) -> Vec<f64> {
    let present = masses.iter().filter(|&&mass| mass > 0.0).count() as f64;
    let total: f64 = masses.iter().sum();
    let factor = |&mass: &f64| match objective {
        BoostedObjective::Balanced if mass > 0.0 => total / (present * mass),
        _ => 1.0,
    };
    masses.iter().map(factor).collect()
}

impl Learner for BoostedLearner {
    type Model = BoostedModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<BoostedModel> {
        self.fit_from_earlier_model(None, data, key, ctl)
    }
}

impl BoostedLearner {
    /// Fits like [`Learner::fit`], but takes the first rounds from an earlier model.
    ///
    /// The earlier model must have the same rows, seed and parameters except for the number of rounds. The
    /// result equals a fit from scratch.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`]; [`Error::Parameter`] if there is an earlier model and dropout is on.
    pub fn fit_from_earlier_model(
        &self,
        before: Option<&BoostedModel>,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BoostedModel> {
        if before.is_some() && self.params.dropout().is_enabled() {
            let expected = "0 to continue an earlier fit, because dropout would change its rounds; fit from scratch instead";
            return Err(Error::parameter(self.method, "dropout_rate", expected, self.params.dropout_rate));
        }
        let Some(rows) = self.compute_cost_labels(data)? else {
            return self.fit_with_cost_labels(before, (data, self.class_weight.as_deref(), None), key, ctl);
        };
        let labeled = data.relabeled(&rows.labels, &rows.weights)?;
        self.fit_with_cost_labels(before, (&labeled, None, Some(&rows)), key, ctl)
    }

    fn fit_with_cost_labels(
        &self,
        before: Option<&BoostedModel>,
        (data, class_weight, cost_labels): (&Dataset<'_>, Option<&[f64]>, Option<&CostDerivedLabels<'_>>),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BoostedModel> {
        let n_classes = data.n_classes();
        let loss = self.loss(n_classes)?;
        let table = TrainingTable::new(data, class_weight)?;
        self.check_missing_allowed(&table)?;
        let rules = &BoostingConstraints::new(self.method, &self.params, &table)?;
        let max_bins = self.params.max_bins as usize;
        let bins = BinnedColumns::new(&table, max_bins, ctl)?;
        let rows: Vec<u32> = table.usable_rows().map(|row| row as u32).collect();
        let encoder =
            TargetEncoder::new(&table, data.dependence(), self.params.categorical_split, max_bins, key);
        let plain = BoostedMatrix::new(bins, |column| encoder.is_encoded(column), table.classes.len(), ctl)?;
        let matrix = &encoder.training_matrix(plain, &rows, ctl)?;
        let (classes, weighing) = (table.classes, &table.weighing);
        let limits = self.params.regularization();
        let draw = RowSampling::new(&self.params);
        let plain = vec![1.0; n_classes];
        let limits = &limits;
        let task = BoostingTask {
            matrix,
            encoder: &encoder,
            classes,
            dependence: data.dependence(),
            n_classes,
            weighing,
            factors: &plain,
            cost_labels,
            loss,
            positive: self.positive,
            lesser: 0.0,
            shift: None,
            limits,
            rules,
            draw,
            dropout: self.params.dropout(),
            columns: self.params.colsample_bytree,
        };
        let masses = task.class_masses(&rows);
        let factors = class_weight_factors(self.params.objective, &masses);
        let trained: Vec<f64> = masses.iter().zip(&factors).map(|(mass, factor)| mass * factor).collect();
        let shift = PriorShift::from_proportions(&trained, &masses);
        let task = BoostingTask {
            factors: &factors,
            lesser: smallest_class_mass(&masses),
            shift: shift.as_ref(),
            ..task
        };
        let (n_rounds, judged) = self.choose_round_count(&task, &rows, key, ctl)?;
        let (path, held_out) = judged.unzip();
        let mut booster = Booster::new(&task, Arc::clone(matrix), rows, Vec::new())?;
        let known = before.map_or(0, |model| model.n_rounds().min(n_rounds as usize));
        let mut members =
            before.map_or_else(Vec::new, |model| model.members[..known * model.n_scores()].to_vec());
        booster.add_earlier_tree_scores(&members, (data.frame(), key), ctl)?;
        for round in known as u32..n_rounds {
            let newest = booster.train_round(key.child(tags::boosted::ROUND, round), ctl)?;
            newest.append_trees_to(&mut members, booster.start.len());
            ctl.report_progress("rounds", u64::from(round) + 1, u64::from(n_rounds));
        }
        let chosen =
            path.as_ref().filter(|_| self.params.n_rounds == RoundCount::Named(RoundCountRule::Auto));
        let scores = chosen.map_or_else(Vec::new, |path| path.scores.clone());
        let columns = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let start = booster.start.clone();
        let statistics = matrix.statistics.clone();
        let (shift, cost_differences) = (None, cost_labels.map(|rows| rows.rule.clone()));
        let model = BoostedModel {
            members,
            columns,
            n_classes,
            loss,
            start,
            shift,
            cost_differences,
            path: scores,
            statistics,
        };
        // For the log loss and the cost objective, the residuals of the training rows sum to about zero.
        // Without held-out rows, no correction is therefore needed.
        if path.is_none()
            && matches!(self.params.objective, BoostedObjective::LogLoss | BoostedObjective::Cost)
        {
            return Ok(model);
        }
        let evidence = CalibrationData { trained: booster.predictions(true), held_out };
        if matches!(loss, Loss::Order { .. }) {
            return Ok(model.with_calibration_line(evidence.fit_calibration_line()?));
        }
        Ok(model.with_base_rate_correction(&evidence.base_rate_factors(n_classes)?, (&trained, &masses)))
    }
}
