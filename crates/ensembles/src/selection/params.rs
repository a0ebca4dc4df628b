//! Parameters of greedy ensemble selection.

use imbcore_core::budget::StoppingLimits;
use imbcore_core::{Error, Params, Result, params};
use serde::{Deserialize, Serialize};

/// Score of held-out predictions by which members are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionMetric {
    /// Mean log loss; smaller is better.
    LogLoss,
    /// Average precision of the positive class; larger is better.
    /// For more than two classes, the mean of the average precisions of all classes.
    AveragePrecision,
}

/// Handling of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingHandling {
    /// Each member handles missing values as its method does by default.
    Members,
    /// Missing values are not allowed.
    Error,
}

params! {
    /// Parameters of greedy ensemble selection.
    pub struct AutoParams {
        metric: SelectionMetric = SelectionMetric::LogLoss, "\"log_loss\" or \"average_precision\"",
            "Score of the held-out predictions by which the weights of the candidates are selected: the log loss, or \
             the average precision of the positive class (for more than two classes, the mean over the classes).";
        budget: Option<f64> = None, "a number above 0, or None",
            "Maximum total work of all fits. The work of a fit is rows times columns times trees, in millions. For a \
             method without trees, an equivalent number of trees is used. Candidates are fitted in a fixed order \
             until the total work would exceed the budget, so the model depends only on the data, the seed and the \
             budget. The first candidate is always fitted. None: no limit.";
        time_limit: Option<f64> = None, "seconds above 0 and at most a year, or None",
            "Maximum wall-clock time of all fits, in seconds. A candidate whose fits take more than half of the \
             remaining time is omitted with a warning, and the next candidate is fitted. The first candidate is \
             always fitted. The model depends on the speed of the machine only if a candidate is omitted for this \
             reason.";
        n_estimators: u32 = 100, "a whole number of at least 1",
            "Number of trees of every candidate forest in each inner fold.";
        missing: MissingHandling = MissingHandling::Members, "\"members\" or \"error\"",
            "Missing values. \"members\": each candidate handles missing values as its method does by default. \
             \"error\": missing values raise an error.";
        oob_score: bool = false, "True or False",
            "Whether the model keeps the held-out predictions of the training rows, and one score of these \
             predictions, computed by the parameter `metric`.";
    }
}

impl AutoParams {
    /// Checks the domains of the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, method: &str) -> Result<()> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: f64| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let in_year = |limit: f64| limit > 0.0 && limit <= StoppingLimits::LONGEST;
        require(self.n_estimators >= 1, "n_estimators", f64::from(self.n_estimators))?;
        // If the user sets no limit, the check gets the valid value 1.
        let budget = self.budget.unwrap_or(1.0);
        require(budget.is_finite() && budget > 0.0, "budget", budget)?;
        let limit = self.time_limit.unwrap_or(1.0);
        require(in_year(limit), "time_limit", limit)
    }
}
