//! Curves of one class against the rest, and thresholds on its scores.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::contiguous_values;
use crate::calls::run_short;
use crate::json_document::document_to_python;
use crate::metrics::{Codes, FloatArray, Matrix, Numbers, optional_values, row_major_values};
use crate::training_args::DependenceArg;
use imbcore_core::SeedKey;
use imbcore_metrics as eval;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Result of [`Sweep::thinned`]: points, number of thresholds, sizes of the largest steps.
type DownsampledCurve<'py> = (Bound<'py, PyArray2<f64>>, usize, (f64, f64, f64));

/// Confusion counts of a class against the others, at every threshold on its scores.
#[pyclass(frozen, module = "imbcore._imbcore")]
pub(crate) struct Sweep(eval::ThresholdSweep);

#[pymethods]
impl Sweep {
    #[new]
    #[pyo3(signature = (truth, positive, scores, sample_weight))]
    fn new(
        py: Python<'_>,
        truth: Codes<'_>,
        positive: u32,
        scores: Numbers<'_>,
        sample_weight: Option<Numbers<'_>>,
    ) -> PyResult<Self> {
        let (truth, scores, weight) =
            (contiguous_values(&truth), contiguous_values(&scores), optional_values(sample_weight.as_ref()));
        run_short(py, || Ok(Self(eval::ThresholdSweep::new(&truth, positive, &scores, weight.as_deref())?)))
    }

    /// Sweep over all pairs of row and class, with the score of each pair (micro-average).
    #[staticmethod]
    #[pyo3(signature = (truth, scores, sample_weight))]
    fn micro(
        py: Python<'_>,
        truth: Codes<'_>,
        scores: Matrix<'_>,
        sample_weight: Option<Numbers<'_>>,
    ) -> PyResult<Self> {
        let (truth, (scores, n), weight) =
            (contiguous_values(&truth), row_major_values(&scores), optional_values(sample_weight.as_ref()));
        run_short(py, || Ok(Self(eval::micro_average_sweep(&truth, &scores, n, weight.as_deref())?)))
    }

    #[getter]
    fn positives(&self) -> f64 {
        self.0.positives()
    }

    #[getter]
    fn negatives(&self) -> f64 {
        self.0.negatives()
    }

    fn roc<'py>(
        &self,
        py: Python<'py>,
        drop_intermediate: bool,
    ) -> PyResult<(FloatArray<'py>, FloatArray<'py>, FloatArray<'py>)> {
        let points = run_short(py, || Ok(self.0.roc(drop_intermediate)))?;
        let column = |field: fn(&eval::RocPoint) -> f64| PyArray1::from_iter(py, points.iter().map(field));
        Ok((column(|p| p.fpr), column(|p| p.tpr), column(|p| p.threshold)))
    }

    fn precision_recall<'py>(
        &self,
        py: Python<'py>,
        drop_intermediate: bool,
    ) -> PyResult<(FloatArray<'py>, FloatArray<'py>, FloatArray<'py>)> {
        let [precision, recall, thresholds] =
            run_short(py, || Ok(self.0.precision_recall_arrays(drop_intermediate)))?
                .map(|values| PyArray1::from_vec(py, values));
        Ok((precision, recall, thresholds))
    }

    fn auc(&self) -> f64 {
        self.0.auc()
    }

    fn auh(&self) -> f64 {
        self.0.area_under_hull()
    }

    fn average_precision(&self) -> f64 {
        self.0.average_precision()
    }

    fn pr_auc(&self) -> f64 {
        self.0.pr_auc()
    }

    /// Precision and recall of the `k` rows with the largest scores.
    fn at_most(&self, py: Python<'_>, k: f64) -> PyResult<(f64, f64)> {
        run_short(py, || self.0.precision_recall_at_k(k))
    }

    /// Gains table for `n` slices of the rows, by descending score.
    ///
    /// Its columns are rows, positives, gain, lift and threshold.
    fn gains<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let slices = run_short(py, || self.0.gain_slices(n))?;
        let cells =
            slices.iter().flat_map(|one| [one.rows, one.positives, one.gain, one.lift, one.threshold]);
        PyArray1::from_iter(py, cells).reshape([n, 5])
    }

    fn partial_auc(
        &self,
        py: Python<'_>,
        max_fpr: Option<f64>,
        min_recall: f64,
        standardized: bool,
    ) -> PyResult<f64> {
        let part = max_fpr.map_or(eval::AucRegion::MinRecall(min_recall), eval::AucRegion::MaxFpr);
        run_short(py, || self.0.partial_auc(part, standardized))
    }

    fn cost_curve<'py>(&self, py: Python<'py>) -> PyResult<Option<(FloatArray<'py>, FloatArray<'py>)>> {
        let vertices = run_short(py, || Ok(self.0.cost_curve()))?;
        let column = |axis: fn(&(f64, f64)) -> f64, vertices: &[(f64, f64)]| {
            PyArray1::from_iter(py, vertices.iter().map(axis))
        };
        Ok(vertices.map(|vertices| (column(|v| v.0, &vertices), column(|v| v.1, &vertices))))
    }

    fn brier_curve<'py>(&self, py: Python<'py>, costs: Numbers<'_>) -> PyResult<FloatArray<'py>> {
        let costs = contiguous_values(&costs);
        Ok(PyArray1::from_vec(py, run_short(py, || self.0.brier_curve(&costs))?))
    }

    fn net_benefit<'py>(
        &self,
        py: Python<'py>,
        thresholds: Numbers<'_>,
    ) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
        let thresholds = contiguous_values(&thresholds);
        let (model, all) = run_short(py, || self.0.net_benefit(&thresholds))?;
        Ok((PyArray1::from_vec(py, model), PyArray1::from_vec(py, all)))
    }

    fn h_measure(&self) -> f64 {
        self.0.h_measure()
    }

    /// Selects some thresholds of the sweep, for plotting.
    ///
    /// Returns the points, the number of all thresholds, and three sizes of steps. A point has a threshold,
    /// the true and the false positives, and the rank of the score gap around the threshold. A step leads
    /// from a point to the next point, if thresholds between them are dropped. The sizes are maxima over all
    /// steps: of the weight of rows, of the weight of positives, and of the weight of rows divided by the
    /// weight of the rows that are predicted positive after the step.
    fn thinned<'py>(
        &self,
        py: Python<'py>,
        most: usize,
        asked: Vec<f64>,
        highest: f64,
    ) -> PyResult<DownsampledCurve<'py>> {
        let found = run_short(py, || Ok(self.0.downsample_thresholds(most, &asked, highest)))?;
        let cells = found.points.iter().flat_map(|one| [one.threshold, one.tp, one.fp, one.width as f64]);
        let points = PyArray1::from_iter(py, cells).reshape([found.points.len(), 4])?;
        let (rows, positives) = found.most_passed;
        Ok((points, found.of, (rows, positives, found.largest_step)))
    }

    /// Histogram of the scores, with a row per bin: lower end, upper end, positives, negatives.
    fn histogram<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bins = run_short(py, || Ok(self.0.histogram(n)))?;
        let cells = bins.iter().flat_map(|bin| [bin.low, bin.high, bin.positives, bin.negatives]);
        PyArray1::from_iter(py, cells).reshape([bins.len(), 4])
    }

    fn best_threshold(&self, py: Python<'_>, metric: &str, beta: f64) -> PyResult<(f64, f64)> {
        run_short(py, || Ok(self.0.best_threshold(eval::BinaryScore::parse(metric, beta)?)))
    }
}

/// Finds a threshold that meets a goal on these rows or, with a guarantee, on future rows.
///
/// Also returns the expected performance at the threshold and, if `groups` is given, the performance by
/// group. `groups` has the group of each row of `scores`, and a seed. `alert_rows` has the times and groups
/// of all rows of the data, and the position in the data of each row of `scores`.
/// Maps scores of one model to the scale of another model.
///
/// `of_one` and `of_other` are the scores of both models for rows to which both were fitted. With too few
/// rows, the scores are returned unchanged.
#[pyfunction]
pub(crate) fn map_score_scale<'py>(
    py: Python<'py>,
    of_one: Numbers<'_>,
    of_other: Numbers<'_>,
    scores: Numbers<'_>,
) -> Bound<'py, PyArray1<f64>> {
    let map = eval::ScoreScaleMap::new(&contiguous_values(&of_one), &contiguous_values(&of_other));
    let scores = contiguous_values(&scores);
    PyArray1::from_iter(py, scores.iter().map(|&score| map.as_ref().map_or(score, |map| map.apply(score))))
}

#[pyfunction]
#[pyo3(signature = (goal, truth, positive, scores, sample_weight, alert_rows, groups=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn threshold_for<'py>(
    py: Python<'py>,
    goal: &str,
    truth: Codes<'_>,
    positive: u32,
    scores: Numbers<'_>,
    sample_weight: Option<Numbers<'_>>,
    alert_rows: Option<(Numbers<'_>, Option<Codes<'_>>, Codes<'_>)>,
    groups: Option<(Codes<'_>, u64)>,
) -> PyResult<(f64, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let alerts = alert_rows.as_ref();
    let alerts = alerts.map(|(times, groups, rows)| {
        (contiguous_values(times), groups.as_ref().map(contiguous_values), contiguous_values(rows))
    });
    let (truth, scores, weights) =
        (contiguous_values(&truth), contiguous_values(&scores), optional_values(sample_weight.as_ref()));
    let groups = groups.as_ref().map(|(codes, seed)| (contiguous_values(codes), *seed));
    let (at, expected, by_group) = run_short(py, || {
        let goal = imbcore_core::ThresholdGoal::parse(goal)?;
        let alert_rows = alerts.as_ref().map(|(times, groups, rows)| eval::RowTimesAndGroups {
            times,
            groups: groups.as_deref(),
            predicted: rows,
        });
        let groups =
            groups.as_ref().map(|(codes, seed)| eval::HeldOutGroups { codes, key: SeedKey::root(*seed) });
        let rows = eval::HeldOutRows { truth: &truth, positive, scores: &scores, groups };
        let found = eval::find_threshold(&goal, &rows, weights.as_deref(), alert_rows)?;
        Ok((
            found.at,
            performance_to_json(&found.expected)?,
            found.by_group.as_ref().map(performance_to_json).transpose()?,
        ))
    })?;
    Ok((
        at,
        document_to_python(py, &expected)?,
        by_group.map(|found| document_to_python(py, &found)).transpose()?,
    ))
}

/// Checks that there are enough rows or groups for the guarantee of a threshold goal.
///
/// Scores are not needed. Returns a text that states the assumption of the guarantee, or `None` if the goal
/// has no guarantee or the rows have neither groups nor times.
#[pyfunction]
pub(crate) fn check_guarantee(
    py: Python<'_>,
    goal: &str,
    truth: Codes<'_>,
    positive: u32,
    dependence: DependenceArg<'_>,
    seed: u64,
) -> PyResult<Option<String>> {
    let (truth, parts) = (contiguous_values(&truth), dependence.parts()?);
    run_short(py, || {
        let goal = imbcore_core::ThresholdGoal::parse(goal)?;
        let dependence = parts.to_row_dependence(truth.len())?;
        let Some(guarantee) = goal.guarantee else { return Ok(None) };
        let groups = dependence.groups().map(|codes| eval::HeldOutGroups { codes, key: SeedKey::root(seed) });
        let scores = vec![0.0; truth.len()];
        eval::HeldOutRows { truth: &truth, positive, scores: &scores, groups }
            .check_enough_data(&goal.aim, guarantee)?;
        Ok(eval::guarantee_assumption_text(&goal.aim, guarantee.max_group_size, dependence))
    })
}

/// Performance of a threshold on these rows, and by group if `groups` is given.
#[pyfunction]
pub(crate) fn performance_at<'py>(
    py: Python<'py>,
    goal: &str,
    threshold: f64,
    truth: Codes<'_>,
    positive: u32,
    scores: Numbers<'_>,
    groups: Option<Codes<'_>>,
) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let (truth, scores) = (contiguous_values(&truth), contiguous_values(&scores));
    let groups = groups.as_ref().map(|codes| contiguous_values(codes));
    let (expected, by_group) = run_short(py, || {
        let goal = imbcore_core::ThresholdGoal::parse(goal)?;
        let groups = groups.as_ref().map(|codes| eval::HeldOutGroups { codes, key: SeedKey::root(0) });
        let rows = eval::HeldOutRows { truth: &truth, positive, scores: &scores, groups };
        let (expected, by_group) = eval::performance_at_threshold(&goal.aim, threshold, &rows)?;
        Ok((performance_to_json(&expected)?, by_group.as_ref().map(performance_to_json).transpose()?))
    })?;
    Ok((
        document_to_python(py, &expected)?,
        by_group.map(|found| document_to_python(py, &found)).transpose()?,
    ))
}

fn performance_to_json(found: &eval::ExpectedPerformance) -> imbcore_core::Result<serde_json::Value> {
    serde_json::to_value(found).map_err(|error| imbcore_core::Error::Internal(error.to_string()))
}

/// Mean of several ROC curves: false positive rates, and true positive rates.
#[pyfunction]
pub(crate) fn mean_roc<'py>(
    py: Python<'py>,
    sweeps: Vec<Bound<'py, Sweep>>,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let sweeps: Vec<&eval::ThresholdSweep> = sweeps.iter().map(|sweep| &sweep.get().0).collect();
    let points = run_short(py, || Ok(eval::macro_average_roc(&sweeps)))?;
    let column = |axis: fn(&(f64, f64)) -> f64| PyArray1::from_iter(py, points.iter().map(axis));
    Ok((column(|point| point.0), column(|point| point.1)))
}
