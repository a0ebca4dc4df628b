//! Logistic regression with a ridge penalty on encoded columns.
//!
//! Numeric columns become standardized values, one-hot quantile bins or piecewise linear splines, and nominal
//! columns become one-hot levels ([`encoding`]). The encoded rows are sparse ([`design`]). The coefficients
//! minimize the penalized log loss ([`objective`]) by quasi-Newton steps that start from a factorized Hessian
//! ([`lbfgs`]). Sums over rows use fixed blocks, so that a fit does not depend on the number of threads.
#![forbid(unsafe_code)]
#![expect(
    clippy::inline_always,
    reason = "loops over the values of a row are compiled for the vector instructions of their caller"
)]

mod curvature;
mod design;
mod encoding;
mod formula;
mod hessian;
mod lbfgs;
mod learner;
mod loss;
mod model;
mod objective;
mod params;
mod penalty;
mod quantiles;
mod row_curvature;
mod scaling;
mod stored;
mod training;
mod vectors;

pub use learner::LogisticLearner;
pub use model::LogisticModel;
pub use params::{LogisticMissingPolicy, LogisticParams, NumericBasis, PenaltyChoice, PenaltyRule};
