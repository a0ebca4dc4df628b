//! Statistical tests between methods.

// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::slice;
use crate::border::{quick, run};
use imbcore_base::{SeedKey, nearest};
use imbcore_eval::{self as eval, Adjustment, Alternative, PostHoc, TestMethod, ZeroMethod};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type FloatArray<'py> = Bound<'py, PyArray1<f64>>;
type Paired<'py> = (Vec<(usize, usize)>, [FloatArray<'py>; 3]);
type Ranked<'py> = (Bound<'py, PyArray2<f64>>, FloatArray<'py>, f64, [f64; 8]);

fn post_hoc(test: &str) -> imbcore_base::Result<PostHoc> {
    match test {
        "nemenyi" => Ok(PostHoc::Nemenyi),
        "bonferroni-dunn" => Ok(PostHoc::BonferroniDunn),
        _ => Err(nearest("test", test, ["nemenyi", "bonferroni-dunn"])),
    }
}

/// Friedman test: ranks, average ranks, tie factor, and statistics with p-values.
///
/// The statistics are [chi2, p, F, p, corrected chi2, p, corrected F, p].
#[pyfunction]
pub(crate) fn friedman<'py>(py: Python<'py>, table: PyReadonlyArray2<'_, f64>) -> PyResult<Ranked<'py>> {
    let (n_sets, n_methods) = (table.shape()[0], table.shape()[1]);
    let values: Vec<f64> = table.as_array().iter().copied().collect();
    let found = quick(py, || eval::Friedman::new(&values, n_methods))?;
    let tested = [found.chi2, found.f, found.chi2_ties, found.f_ties];
    let numbers = std::array::from_fn(|i| if i % 2 == 0 { tested[i / 2].statistic } else { tested[i / 2].p });
    let ranks = PyArray1::from_vec(py, found.ranks).reshape([n_sets, n_methods])?;
    Ok((ranks, PyArray1::from_vec(py, found.average_ranks), found.tie_factor, numbers))
}

#[pyfunction]
pub(crate) fn critical_difference(
    py: Python<'_>,
    n_methods: usize,
    n_sets: usize,
    level: f64,
    test: &str,
) -> PyResult<f64> {
    quick(py, || post_hoc(test)?.critical_difference(n_methods, n_sets, level))
}

/// Results of the signed-rank test.
///
/// Number ranked, rank sums of positive and of negative differences, p, and whether p is exact.
#[pyfunction]
pub(crate) fn wilcoxon(
    py: Python<'_>,
    differences: Numbers<'_>,
    zeros: &str,
    method: &str,
    alternative: &str,
) -> PyResult<(usize, f64, f64, f64, bool)> {
    let differences = slice(&differences);
    let found = quick(py, || {
        let (zeros, method) = (ZeroMethod::parse(zeros)?, TestMethod::parse(method)?);
        eval::wilcoxon(&differences, zeros, method, Alternative::parse(alternative)?)
    })?;
    Ok((found.n, found.plus, found.minus, found.p, found.exact))
}

/// Wins, losses, ties and p.
#[pyfunction]
pub(crate) fn sign_test(
    py: Python<'_>,
    differences: Numbers<'_>,
    alternative: &str,
) -> PyResult<(usize, usize, usize, f64)> {
    let differences = slice(&differences);
    let found = quick(py, || eval::sign_test(&differences, Alternative::parse(alternative)?))?;
    Ok((found.wins, found.losses, found.ties, found.p))
}

#[pyfunction]
pub(crate) fn hodges_lehmann(py: Python<'_>, differences: Numbers<'_>) -> PyResult<f64> {
    let differences = slice(&differences);
    quick(py, || eval::hodges_lehmann(&differences))
}

/// Estimate, lower end, upper end, and level reached.
#[pyfunction]
pub(crate) fn hodges_lehmann_interval(
    py: Python<'_>,
    differences: Numbers<'_>,
    level: f64,
    method: &str,
) -> PyResult<(f64, f64, f64, f64)> {
    let differences = slice(&differences);
    let found = quick(py, || eval::hodges_lehmann_interval(&differences, level, TestMethod::parse(method)?))?;
    Ok((found.estimate, found.low, found.high, found.level))
}

/// Pairs of methods, and their z, p and adjusted p-values.
#[pyfunction]
#[pyo3(signature = (average_ranks, n_sets, control, adjust))]
pub(crate) fn pairwise<'py>(
    py: Python<'py>,
    average_ranks: Numbers<'_>,
    n_sets: usize,
    control: Option<usize>,
    adjust: &str,
) -> PyResult<Paired<'py>> {
    let ranks = slice(&average_ranks);
    let (pairs, adjusted) = quick(py, || {
        let pairs = eval::pairwise(&ranks, n_sets, control)?;
        let p: Vec<f64> = pairs.iter().map(|(_, tested)| tested.p).collect();
        let adjusted = Adjustment::parse(adjust)?.apply(&p)?;
        Ok((pairs, adjusted))
    })?;
    let column = |field: fn(&eval::Pair) -> f64| PyArray1::from_iter(py, pairs.iter().map(field));
    let numbers =
        [column(|pair| pair.1.statistic), column(|pair| pair.1.p), PyArray1::from_vec(py, adjusted)];
    Ok((pairs.iter().map(|pair| pair.0).collect(), numbers))
}

#[pyfunction]
pub(crate) fn adjust_p_values<'py>(
    py: Python<'py>,
    p: Numbers<'_>,
    method: &str,
) -> PyResult<FloatArray<'py>> {
    let p = slice(&p);
    let adjusted = quick(py, || Adjustment::parse(method)?.apply(&p))?;
    Ok(PyArray1::from_vec(py, adjusted))
}

/// Groups of methods that a critical difference does not separate, by index, best first.
#[pyfunction]
pub(crate) fn rank_groups(
    py: Python<'_>,
    average_ranks: Numbers<'_>,
    difference: f64,
) -> PyResult<Vec<Vec<usize>>> {
    let ranks = slice(&average_ranks);
    quick(py, || eval::rank_groups(&ranks, difference))
}

/// The statistics and p-values t, p, F, p.
#[pyfunction]
pub(crate) fn five_by_two(py: Python<'_>, differences: Numbers<'_>) -> PyResult<(f64, f64, f64, f64)> {
    let differences = slice(&differences);
    let found = quick(py, || eval::five_by_two(&differences))?;
    Ok((found.t.statistic, found.t.p, found.f.statistic, found.f.p))
}

/// Mean, t and p.
#[pyfunction]
pub(crate) fn corrected_t(
    py: Python<'_>,
    differences: Numbers<'_>,
    test_to_train: f64,
    alternative: &str,
) -> PyResult<(f64, f64, f64)> {
    let differences = slice(&differences);
    let found =
        quick(py, || eval::corrected_t(&differences, test_to_train, Alternative::parse(alternative)?))?;
    Ok((found.mean, found.tested.statistic, found.tested.p))
}

/// Probabilities less, equivalent, greater.
#[pyfunction]
pub(crate) fn bayesian_t(
    py: Python<'_>,
    differences: Numbers<'_>,
    test_to_train: f64,
    rope: f64,
) -> PyResult<(f64, f64, f64)> {
    let differences = slice(&differences);
    let found = quick(py, || eval::bayesian_t(&differences, test_to_train, rope))?;
    Ok((found.less, found.equivalent, found.greater))
}

/// Probabilities less, equivalent, greater.
#[pyfunction]
pub(crate) fn bayesian_signed_rank(
    py: Python<'_>,
    differences: Numbers<'_>,
    rope: f64,
    prior: f64,
    draws: u32,
    seed: u64,
) -> PyResult<(f64, f64, f64)> {
    let differences = slice(&differences);
    let posterior = eval::Posterior { rope, prior, draws };
    let found = run(py, None, 1, |ctl| {
        eval::bayesian_signed_rank(&differences, posterior, SeedKey::root(seed), ctl)
    })?;
    Ok((found.less, found.equivalent, found.greater))
}
