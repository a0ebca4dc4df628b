//! Decision rules from class probabilities to classes, and the use of costs in a fit.

use crate::calibrate::CalibrationMethod;
use crate::cost_rule::{CostCells, CostRule, RowCosts};
use crate::costs::Costs;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::goal::{THRESHOLD, ThresholdGoal};
use crate::learner::index_of_first_largest;
use crate::parallel;

const BLOCK: usize = 1024;

/// Rule that maps class probabilities to a predicted class.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Decision {
    /// Predicts the most probable class, the lowest code on ties.
    #[default]
    Argmax,
    /// Predicts the positive class if its probability is at least the threshold.
    /// Otherwise the other class is predicted. The rule is for two classes only.
    Threshold {
        /// Threshold.
        at: f64,
        /// Code of the positive class.
        positive: u32,
    },
    /// Predicts the class of least expected cost, the lowest code on ties.
    Costs(CostRule),
    /// Predicts the class with the largest ratio `P(c | x) / P(c)` of probability to prior.
    /// The list contains the priors `P(c)`; a class with prior 0 is never predicted.
    Prior(Vec<f64>),
    /// Predicts the class with the largest ratio of probability to threshold.
    /// On ties the lowest code is predicted; a class of threshold 0 is never predicted.
    Thresholds(Vec<f64>),
}

impl Decision {
    /// Predicts classes from row-major probabilities of the rows of a table.
    ///
    /// # Errors
    /// Same errors as [`Decision::decide`], and [`Error::Column`] for a row with an invalid cost.
    pub fn decide_rows(&self, proba: &[f64], n_classes: usize, frame: &Frame<'_>) -> Result<Vec<u32>> {
        match self {
            Self::Costs(CostRule::Columns(cells)) => {
                self.check(n_classes)?;
                cells.to_row_costs(frame)?.cheapest_classes(proba)
            }
            _ => self.decide(proba, n_classes),
        }
    }

    /// Whether costs differ by row, so that probabilities alone do not determine a prediction.
    pub fn has_row_dependent_costs(&self) -> bool {
        matches!(self, Self::Costs(CostRule::Columns(_) | CostRule::PerRow(_)))
    }

    /// Predicts classes from row-major probabilities.
    ///
    /// # Errors
    /// [`Error::Data`] if the decision is for another number of classes; [`Error::Unsupported`] if costs
    /// differ by row, so that the rows are also needed.
    pub fn decide(&self, proba: &[f64], n_classes: usize) -> Result<Vec<u32>> {
        self.check(n_classes)?;
        if let Self::Costs(rule) = self {
            let Some(costs) = rule.matrix() else { return Err(row_costs_needed_error()) };
            return RowCosts::with_one_matrix(costs, proba.len() / n_classes).cheapest_classes(proba);
        }
        let predict_row = |row: &[f64]| match self {
            Self::Argmax | Self::Costs(_) => index_of_first_largest(row),
            Self::Threshold { at, positive } if row[*positive as usize] >= *at => *positive,
            Self::Threshold { positive, .. } => 1 - positive,
            Self::Prior(reference) | Self::Thresholds(reference) => {
                let grown =
                    |(p, before): (&f64, &f64)| if *before > 0.0 { p / before } else { f64::NEG_INFINITY };
                index_of_first_largest(&row.iter().zip(reference).map(grown).collect::<Vec<_>>())
            }
        };
        let predict_rows = |rows: &[f64]| rows.chunks_exact(n_classes).map(predict_row).collect::<Vec<u32>>();
        Ok(parallel::map(proba.chunks(BLOCK * n_classes), predict_rows).concat())
    }

    /// Checks that the decision is for this number of classes.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub fn check(&self, n_classes: usize) -> Result<()> {
        match self {
            Self::Threshold { .. } if n_classes != 2 => {
                Err(Error::Data(format!("threshold needs 2 classes, but there are {n_classes}")))
            }
            Self::Threshold { positive: 2.., .. } => {
                Err(Error::Data("the threshold refers to a class that is not one of the two".into()))
            }
            Self::Costs(rule) => rule.check(n_classes),
            Self::Prior(of) | Self::Thresholds(of)
                if of.len() != n_classes || !of.iter().all(|p| (0.0..=1.0).contains(p)) =>
            {
                Err(Error::Data(format!(
                    "the decision needs a number in [0, 1] for each of {n_classes} classes"
                )))
            }
            _ => Ok(()),
        }
    }
}

fn row_costs_needed_error() -> Error {
    Error::Unsupported(
        "the costs were passed to fit as one matrix per row. Pass those of the new rows to predict as \
         cost_matrix=array of shape (n_rows, n_classes, n_classes); for folds and the command line, name columns of X in costs={...}"
            .into(),
    )
}

/// Costs as the user requests them, before the data are known.
#[derive(Clone, Debug, PartialEq)]
pub enum CostMatrixSpec {
    /// See [`Costs::balanced`].
    Balanced,
    /// See [`Costs::from_class_ratios`].
    Imbalance,
    /// Matrix given by the user.
    Given(Costs),
    /// Costs read from columns of the table.
    Columns(CostCells),
    /// A cost matrix for each row; the fields are the numbers of rows and of classes.
    PerRow(usize, usize),
}

/// Use of a cost matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostStrategy {
    /// Costs are used in prediction: the class of least expected cost is predicted.
    /// Probabilities do not change.
    #[default]
    Decision,
    /// Costs are used in training: they are converted to class weights (Ting 2002).
    Reweight,
}

impl CostStrategy {
    /// Parses a name.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "decision" => Ok(Self::Decision),
            "reweight" => Ok(Self::Reweight),
            _ => {
                let expected = "\"decision\" or \"reweight\"";
                Err(Error::parameter("fit", "cost_strategy", expected, format!("{name:?}")))
            }
        }
    }
}

/// Probability threshold of the positive class, or a rule to choose it from the data.
#[derive(Clone, Debug, PartialEq)]
pub enum Threshold {
    /// A given number.
    At(f64),
    /// Prediction relative to the prior: [`Decision::Prior`].
    Prior,
    /// The threshold that reaches a given goal on rows outside the training data.
    Goal(Box<ThresholdGoal>),
}

impl Threshold {
    /// Parses `"prior"`, or a goal as [`ThresholdGoal::parse`] does.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn parse(word: &str) -> Result<Self> {
        match word {
            "prior" => Ok(Self::Prior),
            _ => ThresholdGoal::parse(word).map(|goal| Self::Goal(Box::new(goal))),
        }
    }
}

/// Costs, threshold and calibration requested for a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionPlan {
    /// Misclassification costs.
    pub matrix: Option<CostMatrixSpec>,
    /// Use of the costs.
    pub strategy: CostStrategy,
    /// Probability threshold of the positive class.
    pub threshold: Option<Threshold>,
    /// Calibration applied to probabilities before any decision.
    pub calibration: Option<CalibrationMethod>,
}

impl DecisionPlan {
    /// Returns the cost rule for the rows of `data`; `None` without costs.
    ///
    /// # Errors
    /// [`Error::Data`] for costs of another number of classes or rows; [`Error::Column`] for a row with an
    /// invalid cost; [`Error::Parameter`] for costs per row with the strategy `reweight`;
    /// [`Error::Unsupported`] for costs per row if the training data are streamed.
    pub fn cost_rule(&self, data: &Dataset<'_>) -> Result<Option<CostRule>> {
        let rule = match &self.matrix {
            None => return Ok(None),
            Some(CostMatrixSpec::Balanced) => CostRule::Same(Costs::balanced(&data.class_masses())?),
            Some(CostMatrixSpec::Imbalance) => {
                CostRule::Same(Costs::from_class_ratios(&data.class_masses())?)
            }
            Some(CostMatrixSpec::Given(costs)) => CostRule::Same(costs.clone()),
            Some(CostMatrixSpec::Columns(_) | CostMatrixSpec::PerRow(..)) if data.is_sample() => {
                return Err(Error::Unsupported(
                    "costs per row are not supported for streamed training data. Pass one matrix for all rows, or call \
                     predict with cost_matrix"
                        .into(),
                ));
            }
            Some(CostMatrixSpec::Columns(cells)) => {
                cells.to_row_costs(data.frame())?;
                CostRule::Columns(cells.clone())
            }
            Some(CostMatrixSpec::PerRow(n_rows, _)) if *n_rows != data.n_rows() => {
                return Err(Error::Data(format!(
                    "cost_matrix has matrices for {n_rows} rows, but there are {}; if rows are split into folds, name columns \
                     of X instead, such as costs={{\"alarm\": 5, \"miss\": \"amount\"}}",
                    data.n_rows()
                )));
            }
            Some(CostMatrixSpec::PerRow(_, n_classes)) => CostRule::PerRow(*n_classes),
        };
        if rule.matrix().is_none() && self.strategy == CostStrategy::Reweight {
            let expected = "\"decision\" if costs differ by row (pass costs that depend on the row only as sample_weight=)";
            return Err(Error::parameter("fit", "cost_strategy", expected, "\"reweight\""));
        }
        rule.check(data.n_classes())?;
        Ok(Some(rule))
    }

    /// Copy of the settings without cost matrices that were passed for each row.
    ///
    /// The copy is for training on a subset of the rows, which does not use such matrices.
    #[must_use]
    pub fn without_row_costs(&self) -> Self {
        let matrix = self.matrix.clone().filter(|matrix| !matches!(matrix, CostMatrixSpec::PerRow(..)));
        Self { matrix, ..self.clone() }
    }

    /// Returns the decision rule; a threshold applies to class `positive`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a threshold outside [0, 1], or if costs already determine the decision;
    /// [`Error::Data`] for a threshold with more than two classes; [`Error::Unsupported`] for a threshold or
    /// calibration that requires a fitted model.
    pub fn decision(&self, rule: Option<&CostRule>, n_classes: usize, positive: u32) -> Result<Decision> {
        let deciding = rule.filter(|_| self.strategy == CostStrategy::Decision);
        let decision = match (&self.threshold, deciding) {
            (None, None) => Decision::Argmax,
            (None, Some(rule)) => Decision::Costs(rule.clone()),
            (Some(Threshold::At(at)), None) if (0.0..=1.0).contains(at) => {
                Decision::Threshold { at: *at, positive }
            }
            (Some(Threshold::At(threshold)), None) => {
                return Err(Error::parameter("fit", "threshold", THRESHOLD, threshold));
            }
            (Some(Threshold::Prior | Threshold::Goal(_)), None) => {
                return Err(Error::Unsupported(
                    "a threshold chosen from a fitted model (\"prior\", \"f1\", a goal) is not supported for models that are fitted \
                     in parts. Pass a number, or wrap the model in imbcore.decisions.ThresholdClassifier"
                        .into(),
                ));
            }
            (Some(threshold), Some(_)) => {
                let expected = "None if costs or cost_matrix decide (threshold={\"cost\": ...} alone chooses by costs and reports the expected cost; \
                                score_metrics and `imbcore score` measure the cost of any threshold; cost_strategy=\"reweight\" trains with costs)";
                let got = match threshold {
                    Threshold::At(threshold) => threshold.to_string(),
                    Threshold::Prior => "\"prior\"".into(),
                    Threshold::Goal(goal) => goal.to_string(),
                };
                return Err(Error::parameter("fit", "threshold", expected, got));
            }
        };
        if self.calibration.is_some() {
            return Err(Error::Unsupported(
                "calibrate is not supported for models that are fitted in parts. Wrap the model in imbcore.decisions.CalibratedClassifier"
                    .into(),
            ));
        }
        decision.check(n_classes)?;
        Ok(decision)
    }

    /// Class weights that represent the costs, if the strategy is `reweight`.
    ///
    /// # Errors
    /// Same errors as [`Costs::ting_class_weights`].
    pub fn class_weights_from_costs(
        &self,
        rule: Option<&CostRule>,
        data: &Dataset<'_>,
    ) -> Result<Option<Vec<f64>>> {
        let reweighing = rule.filter(|_| self.strategy == CostStrategy::Reweight);
        let Some(costs) = reweighing.and_then(CostRule::matrix) else { return Ok(None) };
        costs.ting_class_weights(&data.class_masses()).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost_rule::CostCell;
    use crate::frame::Column;

    fn plan(threshold: Option<Threshold>, strategy: CostStrategy) -> DecisionPlan {
        let costs = Costs::new(vec![0.0, 1.0, 4.0, 0.0], 2).unwrap();
        DecisionPlan { matrix: Some(CostMatrixSpec::Given(costs)), strategy, threshold, calibration: None }
    }

    #[test]
    fn a_threshold_is_reached_by_equality() {
        let proba = [0.7, 0.3, 0.71, 0.29];
        let threshold = |at, positive| Decision::Threshold { at, positive };
        assert_eq!(threshold(0.3, 1).decide(&proba, 2).unwrap(), [1, 0]);
        assert_eq!(threshold(0.71, 0).decide(&proba, 2).unwrap(), [1, 0]);
        assert_eq!(Decision::Argmax.decide(&proba, 2).unwrap(), [0, 0]);
        assert!(
            threshold(0.3, 1).decide(&[0.2, 0.3, 0.5], 3).is_err() && threshold(0.3, 2).check(2).is_err()
        );
    }

    #[test]
    fn prior_decision_predicts_the_class_with_the_largest_ratio() {
        let decision = Decision::Prior(vec![0.9, 0.1, 0.0]);
        assert_eq!(decision.decide(&[0.8, 0.2, 0.0, 0.95, 0.05, 0.0, 0.9, 0.1, 0.0], 3).unwrap(), [1, 0, 0]);
        assert!(decision.check(2).is_err() && Decision::Prior(vec![2.0, -1.0]).check(2).is_err());
        let words = plan(Some(Threshold::parse("f1").unwrap()), CostStrategy::Reweight);
        assert!(matches!(words.decision(None, 2, 1), Err(Error::Unsupported(_))));
        assert!(Threshold::parse("f3").is_err());
    }

    #[test]
    fn two_decisions_at_once_are_refused() {
        let both = plan(Some(Threshold::At(0.5)), CostStrategy::Decision);
        let costs = CostRule::Same(Costs::new(vec![0.0, 1.0, 4.0, 0.0], 2).unwrap());
        assert!(both.decision(Some(&costs), 2, 1).is_err());
        let weights = plan(Some(Threshold::At(0.5)), CostStrategy::Reweight);
        let decision = weights.decision(Some(&costs), 2, 0).unwrap();
        assert_eq!(decision, Decision::Threshold { at: 0.5, positive: 0 });
        let outside = DecisionPlan { threshold: Some(Threshold::At(1.5)), ..DecisionPlan::default() };
        assert!(matches!(outside.decision(None, 2, 1), Err(Error::Parameter { .. })));
        assert!(CostStrategy::parse("weights").is_err());
    }

    #[test]
    fn only_the_strategy_reweight_gives_weights() {
        let x = [0.0, 1.0, 2.0, 3.0];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &[0, 0, 0, 1], 2, None).unwrap();
        let reweight = plan(None, CostStrategy::Reweight);
        let costs = reweight.cost_rule(&data).unwrap();
        let weights = reweight.class_weights_from_costs(costs.as_ref(), &data).unwrap().unwrap();
        // C = (1, 4), n = (3, 1): 4 / 7 and 16 / 7.
        assert_eq!(weights, [4.0 / 7.0, 16.0 / 7.0]);
        let decide = plan(None, CostStrategy::Decision);
        assert_eq!(decide.class_weights_from_costs(costs.as_ref(), &data).unwrap(), None);
    }

    #[test]
    fn costs_per_row_need_rows_to_decide() {
        let x = [0.0, 1.0, 2.0, 30.0];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame.clone(), &[0, 0, 0, 1], 2, None).unwrap();
        let number = CostCell::Number;
        let cells = vec![number(0.0), number(1.0), CostCell::Column(0), number(0.0)];
        let matrix = Some(CostMatrixSpec::Columns(CostCells::new(cells, 2).unwrap()));
        let columns = DecisionPlan { matrix, ..DecisionPlan::default() };
        let decision = columns.decision(columns.cost_rule(&data).unwrap().as_ref(), 2, 1).unwrap();
        let proba = [0.9, 0.1].repeat(4);
        assert!(
            decision.has_row_dependent_costs()
                && matches!(decision.decide(&proba, 2), Err(Error::Unsupported(_)))
        );
        assert_eq!(decision.decide_rows(&proba, 2, &frame).unwrap(), [0, 0, 0, 1]);
        let reweigh = DecisionPlan { strategy: CostStrategy::Reweight, ..columns.clone() };
        assert!(matches!(reweigh.cost_rule(&data), Err(Error::Parameter { .. })));
        let bounded = DecisionPlan { threshold: Some(Threshold::At(0.5)), ..columns.clone() };
        assert!(bounded.decision(columns.cost_rule(&data).unwrap().as_ref(), 2, 1).is_err());
        let handed = |n_rows| DecisionPlan {
            matrix: Some(CostMatrixSpec::PerRow(n_rows, 2)),
            ..DecisionPlan::default()
        };
        assert_eq!(handed(4).cost_rule(&data).unwrap(), Some(CostRule::PerRow(2)));
        assert!(handed(5).cost_rule(&data).is_err());
        assert_eq!(handed(5).without_row_costs().cost_rule(&data).unwrap(), None);
        assert_eq!(columns.without_row_costs(), columns);
    }
}
