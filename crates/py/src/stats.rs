//! Statistical tests between methods.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::{run_short, run_without_gil};
use imbcore_core::SeedKey;
use imbcore_metrics::{self as eval, Alternative, SignedRankMethod};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;

#[pyfunction]
pub(crate) fn hodges_lehmann(py: Python<'_>, differences: Numbers<'_>) -> PyResult<f64> {
    let differences = contiguous_values(&differences);
    run_short(py, || eval::hodges_lehmann(&differences))
}

/// Hodges-Lehmann estimate, ends of its confidence interval, and the actual confidence level.
#[pyfunction]
pub(crate) fn hodges_lehmann_interval(
    py: Python<'_>,
    differences: Numbers<'_>,
    level: f64,
    method: &str,
) -> PyResult<(f64, f64, f64, f64)> {
    let differences = contiguous_values(&differences);
    let found = run_short(py, || {
        eval::hodges_lehmann_interval(&differences, level, SignedRankMethod::parse(method)?)
    })?;
    Ok((found.estimate, found.low, found.high, found.level))
}

/// Corrected resampled t-test: mean of the differences, t statistic, and p-value.
#[pyfunction]
pub(crate) fn corrected_t(
    py: Python<'_>,
    differences: Numbers<'_>,
    test_to_train: f64,
    alternative: &str,
) -> PyResult<(f64, f64, f64)> {
    let differences = contiguous_values(&differences);
    let found =
        run_short(py, || eval::corrected_t(&differences, test_to_train, Alternative::parse(alternative)?))?;
    Ok((found.mean, found.t, found.p))
}

/// Bayesian t-test: probabilities that the difference is below, within or above the ROPE.
///
/// The region of practical equivalence (ROPE) is the interval `[-rope, rope]`.
#[pyfunction]
pub(crate) fn bayesian_t(
    py: Python<'_>,
    differences: Numbers<'_>,
    test_to_train: f64,
    rope: f64,
) -> PyResult<(f64, f64, f64)> {
    let differences = contiguous_values(&differences);
    let found = run_short(py, || eval::bayesian_t(&differences, test_to_train, rope))?;
    Ok((found.less, found.equivalent, found.greater))
}

/// Bayesian signed-rank test: probabilities of a difference below, within or above the ROPE.
///
/// The region of practical equivalence (ROPE) is the interval `[-rope, rope]`.
#[pyfunction]
pub(crate) fn bayesian_signed_rank(
    py: Python<'_>,
    differences: Numbers<'_>,
    rope: f64,
    prior: f64,
    draws: u32,
    seed: u64,
) -> PyResult<(f64, f64, f64)> {
    let differences = contiguous_values(&differences);
    let posterior = eval::SignedRankPosteriorParams { rope, prior, draws };
    let found = run_without_gil(py, None, 1, |ctl| {
        eval::bayesian_signed_rank(&differences, posterior, SeedKey::root(seed), ctl)
    })?;
    Ok((found.less, found.equivalent, found.greater))
}
