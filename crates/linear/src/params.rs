//! Parameters of logistic regression.

use serde::{Deserialize, Serialize};

/// Choice of C, the inverse strength of the penalty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PenaltyChoice {
    /// A named rule chooses C.
    Named(PenaltyRule),
    /// The user gives C.
    Given(f64),
}

/// Named rule for the choice of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PenaltyRule {
    /// C with the smallest log loss on inner folds, or 1 if no inner folds are possible.
    Auto,
}

/// Encoding of numeric columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumericBasis {
    /// Piecewise linear spline with knots at quantiles.
    Spline,
    /// One-hot bins between quantiles.
    Quantile,
    /// Standardized values.
    Linear,
}

/// Handling of missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogisticMissingPolicy {
    /// Missing values have a separate column in the design matrix.
    Indicator,
    /// Missing values are not allowed.
    Error,
}

imbcore_core::params! {
    /// Parameters of logistic regression.
    #[allow(non_snake_case)]
    pub struct LogisticParams {
        C: PenaltyChoice = PenaltyChoice::Named(PenaltyRule::Auto), "\"auto\" or a number in [1e-30, 1e30]",
            "Inverse strength of the ridge penalty, as in scikit-learn: the fit minimizes C times the weighted sum of \
             the log losses plus half the sum of the squared coefficients without the intercepts. \"auto\": the value \
             with the smallest log loss on inner folds, or 1 if there are too few rows for inner folds.";
        numeric: NumericBasis = NumericBasis::Spline, "\"spline\", \"quantile\" or \"linear\"",
            "Encoding of numeric columns. \"spline\": piecewise linear functions with knots at quantiles, constant \
             beyond the outer knots; the penalty applies to the change between neighboring knots. \"quantile\": \
             one-hot bins between quantiles. \"linear\": values with mean 0 and standard deviation 1.";
        n_knots: u32 = 9, "a whole number from 2 to 1000",
            "Maximum number of knots of a column if numeric=\"spline\"; the outer knots are the smallest and the \
             largest value.";
        n_bins: u32 = 10, "a whole number from 2 to 1000",
            "Maximum number of bins of a column if numeric=\"quantile\".";
        penalty_folds: u32 = 5, "a whole number of at least 2",
            "Maximum number of inner folds for C=\"auto\"; there are at most as many folds as rows of the smallest class. \
             With times, all folds are used. Otherwise the folds are held out in turn, until 500 rows of the smallest \
             class have been held out; with groups, 500 groups of this class.";
        missing: LogisticMissingPolicy = LogisticMissingPolicy::Indicator, "\"indicator\" or \"error\"",
            "Missing values. \"indicator\": a missing value of a numeric column is replaced with the median \
             (numeric=\"spline\") or the mean (\"linear\"), or is in no bin (\"quantile\"). For a nominal column, the \
             0/1 columns of all levels are 0. Each column with missing values in training also has a coefficient for \
             missing values. \"error\" raises an error.";
    }
}
