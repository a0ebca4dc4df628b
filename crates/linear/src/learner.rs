//! Training of logistic regression: encoding, choice of the penalty, and minimization.

use crate::lbfgs::{ACCURATE, HessianCache};
use crate::model::LogisticModel;
use crate::params::{LogisticMissingPolicy, LogisticParams, PenaltyChoice};
use crate::penalty;
use crate::training::TrainingRows;
use imbcore_core::{Dataset, Error, Learner, Params, Result, RunContext, SeedKey};

/// Value of C if the table has too few rows to choose C on held-out rows.
const UNTESTED: f64 = 1.0;

/// Learner for logistic regression with checked parameters.
#[derive(Clone, Debug)]
pub struct LogisticLearner {
    method: &'static str,
    params: LogisticParams,
    class_weight: Option<Vec<f64>>,
}

impl LogisticLearner {
    pub(crate) fn new(method: &'static str, params: LogisticParams) -> Self {
        Self { method, params, class_weight: None }
    }

    /// Sets the class weights, by which the weights of the rows are multiplied.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    fn check_missing(&self, training: &TrainingRows<'_, '_>) -> Result<()> {
        if self.params.missing == LogisticMissingPolicy::Indicator {
            return Ok(());
        }
        let columns = training.data.frame().columns();
        let has_missing = |column: &imbcore_core::Column<'_>| {
            training.rows.iter().any(|&row| column.is_missing(row as usize))
        };
        match columns.iter().position(has_missing) {
            Some(column) => {
                let message = "has missing values (NaN), which missing=\"error\" does not allow; impute them, or use \
                               missing=\"indicator\"";
                Err(Error::Column { column, message: message.into() })
            }
            None => Ok(()),
        }
    }

    /// Returns C, and the candidate values of C with their losses.
    ///
    /// The list of candidates is empty if the user gives C, or if no rows can be held out.
    fn resolve_penalty(
        &self,
        training: &TrainingRows<'_, '_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(f64, Vec<(f64, f64)>)> {
        if let PenaltyChoice::Given(value) = self.params.C {
            return Ok((value, Vec::new()));
        }
        if let Some(chosen) = penalty::choose_penalty(training, self.params.penalty_folds, key, ctl)? {
            return Ok(chosen);
        }
        if !training.data.dependence().is_none() {
            ctl.warn(format!(
                "{}: the groups or times allow no inner folds, so C=\"auto\" uses C={UNTESTED} without a comparison; set C, or \
                 provide more groups or times",
                self.method
            ));
        }
        Ok((UNTESTED, Vec::new()))
    }
}

impl Learner for LogisticLearner {
    type Model = LogisticModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<LogisticModel> {
        let training = TrainingRows::new(&self.params, data, self.class_weight.as_deref());
        self.check_missing(&training)?;
        let (value, path) = self.resolve_penalty(&training, key, ctl)?;
        let encoded = training.encode(ctl)?;
        let mut cache = HessianCache::default();
        let minimum = encoded.minimize(value, encoded.initial_coefficients(), ACCURATE, &mut cache, ctl)?;
        if !minimum.converged {
            ctl.warn(format!(
                "{}: the coefficients did not converge with C={value}; use a smaller C",
                self.method
            ));
        }
        let predictor = encoded.predictor(&minimum.coefficients, data.n_classes());
        LogisticModel::new(predictor, value, path, (data.frame(), &training.rows, &training.weights), ctl)
    }
}

impl LogisticParams {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<LogisticLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        if let PenaltyChoice::Given(value) = self.C {
            require((1e-30..=1e30).contains(&value), "C", &value)?;
        }
        require((2..=1000).contains(&self.n_knots), "n_knots", &self.n_knots)?;
        require((2..=1000).contains(&self.n_bins), "n_bins", &self.n_bins)?;
        require(self.penalty_folds >= 2, "penalty_folds", &self.penalty_folds)?;
        Ok(LogisticLearner::new(method, self))
    }
}
