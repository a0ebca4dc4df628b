//! Methods common to all native models.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{
    catch_pyo3_panic, error_to_exception, run_on_calling_thread, run_short, run_short_with_memory,
    run_without_gil,
};
use crate::costs::{CostArray, CostCellParts, cost_cells_of_rule, cost_matrix_array};
use crate::json_document::document_to_python;
use crate::training_args::{Codes, contiguous_slice};
use imbcore_core::reserve::MemoryReserve;
use imbcore_core::{CostRule, Dataset, Decision, Error, Frame, Result, RunContext};
use imbcore_export::{Dialect, ExportOutput, SqlRequest, TargetLanguage};
use imbcore_methods as methods;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Maximum numbers of rows and of cells (rows times columns) of a small frame.
///
/// The calling thread evaluates the model for small frames, which is faster than waking another thread.
const FEW: (usize, usize) = (16, 1 << 14);

type Table<'py> = Bound<'py, PyArray2<f64>>;

/// Feature contributions to predictions, `n_rows x n_features`, and the base value.
pub(crate) type Contributions<'py> = (Table<'py>, f64);

#[pyclass(frozen, subclass, module = "imbcore._imbcore.models")]
pub(crate) struct Model(pub(crate) methods::Model);

impl Model {
    /// Calls the closure `question` with the model and a frame.
    ///
    /// Small frames are processed on the calling thread. Larger frames are processed on a thread pool, while
    /// the calling thread waits for Ctrl-C.
    pub(crate) fn run_on_frame<T: Send>(
        &self,
        py: Python<'_>,
        frame: &FrameArg<'_>,
        n_threads: usize,
        question: impl FnOnce(&methods::Model, &Frame<'_>, RunContext<'_>) -> Result<T> + Send,
    ) -> PyResult<T> {
        let frame = frame.frame().map_err(error_to_exception)?;
        let model = &self.0;
        if frame.n_rows() <= FEW.0 && frame.n_rows() * frame.n_columns() <= FEW.1 {
            run_on_calling_thread(py, |ctl| question(model, &frame, ctl))
        } else {
            let cells = frame.n_rows().saturating_mul(frame.n_columns() + model.n_classes());
            run_without_gil(py, None, n_threads, |ctl| {
                let _reserve = MemoryReserve::for_data(cells.saturating_mul(size_of::<f64>()))?;
                question(model, &frame, ctl)
            })
        }
    }

    /// Estimated size in bytes of a forest that is exported as text; 0 for other models.
    ///
    /// Other models are usually small.
    fn exported_text_size(&self) -> usize {
        match self.0.fitted_estimator() {
            methods::FittedEstimator::Forest(forest) => forest.memory_size_bytes().saturating_mul(8),
            _ => 0,
        }
    }

    /// Feature contributions to the predictions, `n_rows x n_features`, and the base value.
    ///
    /// If background rows are given, the contributions are relative to them.
    pub(crate) fn contributions<'py>(
        &self,
        py: Python<'py>,
        frame: &FrameArg<'_>,
        background: Option<&FrameArg<'_>>,
        n_threads: usize,
        question: impl FnOnce(&Frame<'_>, Option<&Frame<'_>>, RunContext<'_>) -> Result<(Vec<f64>, f64)> + Send,
    ) -> PyResult<Contributions<'py>> {
        let width = self.0.schema().features.len();
        let others = background.map(FrameArg::frame).transpose().map_err(error_to_exception)?;
        let checked = |frame: &Frame<'_>, ctl: RunContext<'_>| {
            self.0.check_frame(frame)?;
            others.as_ref().map_or(Ok(()), |others| self.0.check_frame(others))?;
            question(frame, others.as_ref(), ctl)
        };
        let (found, base) = if others.is_none() {
            self.run_on_frame(py, frame, n_threads, |_, frame, ctl| checked(frame, ctl))?
        } else {
            let frame = frame.frame().map_err(error_to_exception)?;
            // With many background rows, even one row may take long. So Ctrl-C must be able to stop the
            // computation.
            run_without_gil(py, None, n_threads, |ctl| checked(&frame, ctl))?
        };
        let n_rows = found.len() / width;
        Ok((found.into_pyarray(py).reshape([n_rows, width])?, base))
    }

    /// Number of the given rows by rule (node or box) and class, `n_rules x n_classes`.
    pub(crate) fn rule_masses<'py>(
        &self,
        py: Python<'py>,
        frame: &FrameArg<'_>,
        codes: &Codes<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (frame, codes, n_classes) =
            (frame.frame().map_err(error_to_exception)?, contiguous_slice(codes)?, self.0.n_classes());
        let masses = run_without_gil(py, None, n_threads, |ctl| {
            self.0.rule_masses(&Dataset::new(frame.clone(), codes, n_classes, None)?, ctl)
        })?;
        let n_rules = masses.len() / n_classes;
        masses.into_pyarray(py).reshape([n_rules, n_classes])
    }
}

#[derive(IntoPyObject)]
enum ThresholdOut {
    Number(f64),
    Word(&'static str),
}

pub(crate) fn check_decimals(decimals: usize) -> PyResult<usize> {
    if decimals <= 400 {
        return Ok(decimals);
    }
    Err(error_to_exception(Error::parameter("export", "decimals", "a whole number of at most 400", decimals)))
}

#[pymethods]
impl Model {
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run_short(py, || self.0.to_bytes())?;
        catch_pyo3_panic(|| PyBytes::new(py, &bytes))
    }

    /// Class codes of the training rows after relabeling; empty if the method does not relabel.
    #[getter]
    fn relabelled<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.0.replaced_labels().to_vec().into_pyarray(py)
    }

    #[getter]
    fn method(&self) -> &str {
        self.0.method()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.0.fitted_estimator().kind()
    }

    #[getter]
    fn params(&self) -> String {
        self.0.params().to_string()
    }

    #[getter]
    fn cost_matrix<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        match self.0.decision() {
            Decision::Costs(rule) => cost_matrix_array(py, rule),
            _ => Ok(None),
        }
    }

    /// Row-major cells of a cost matrix that has table columns; `None` for other cost matrices.
    #[getter]
    fn cost_cells(&self) -> Option<Vec<CostCellParts>> {
        cost_cells_of_rule(self.0.decision())
    }

    /// Whether every prediction needs the costs of the rows as an argument.
    #[getter]
    fn costs_handed(&self) -> bool {
        matches!(self.0.decision(), Decision::Costs(CostRule::PerRow(_)))
    }

    #[getter]
    fn positive(&self) -> u32 {
        self.0.positive_class()
    }

    /// Threshold of the decision rule, or "prior" if each class has its prior as threshold.
    #[getter]
    fn threshold(&self) -> Option<ThresholdOut> {
        match self.0.decision() {
            Decision::Threshold { at, .. } => Some(ThresholdOut::Number(*at)),
            Decision::Prior(_) => Some(ThresholdOut::Word("prior")),
            _ => None,
        }
    }

    /// Rule that predicts classes if the model has neither a threshold nor costs.
    #[getter]
    fn class_rule(&self) -> &'static str {
        self.0.class_rule()
    }

    /// Threshold of each class; `None` if the classes have no separate thresholds.
    #[getter]
    fn thresholds(&self) -> Option<Vec<f64>> {
        match self.0.decision() {
            Decision::Thresholds(thresholds) => Some(thresholds.clone()),
            _ => None,
        }
    }

    /// Goal that determined the threshold, and its details; `None` without a goal.
    #[getter]
    fn chosen<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(chosen) = self.0.tuned_threshold() else { return Ok(None) };
        let document = run_short(py, || {
            serde_json::to_value(chosen).map_err(|error| Error::Internal(error.to_string()))
        })?;
        document_to_python(py, &document).map(Some)
    }

    /// Source and size of the calibration data; `None` if there is no calibration.
    #[getter]
    fn calibrated<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(calibrated) = self.0.calibration() else { return Ok(None) };
        let document = run_short(py, || {
            serde_json::to_value(&calibrated.facts).map_err(|error| Error::Internal(error.to_string()))
        })?;
        document_to_python(py, &document).map(Some)
    }

    #[getter]
    fn schema(&self, py: Python<'_>) -> PyResult<String> {
        run_short(py, || {
            serde_json::to_string(self.0.schema()).map_err(|error| Error::Internal(error.to_string()))
        })
    }

    fn sql<'py>(
        &self,
        py: Python<'py>,
        table: Vec<String>,
        keep: Vec<String>,
        dialect: &str,
        output: &str,
    ) -> PyResult<Bound<'py, PyString>> {
        let text = run_short_with_memory(py, self.exported_text_size(), || {
            let (dialect, output) = (Dialect::parse(dialect)?, ExportOutput::parse(output)?);
            self.0.to_sql(&SqlRequest { table, keep, dialect, output })
        })?;
        catch_pyo3_panic(|| PyString::new(py, &text))
    }

    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let text = run_short_with_memory(py, self.exported_text_size(), || self.0.to_json())?;
        catch_pyo3_panic(|| PyString::new(py, &text))
    }

    fn source<'py>(&self, py: Python<'py>, language: &str, name: &str) -> PyResult<Bound<'py, PyString>> {
        let text = run_short_with_memory(py, self.exported_text_size(), || {
            self.0.to_source(TargetLanguage::parse(language)?, name)
        })?;
        catch_pyo3_panic(|| PyString::new(py, &text))
    }

    #[getter]
    fn n_classes(&self) -> usize {
        self.0.n_classes()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.0.schema().features.len()
    }

    fn predict<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let codes = self.run_on_frame(py, &frame, n_threads, methods::Model::predict)?;
        Ok(codes.into_pyarray(py))
    }

    fn predict_by_costs<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        cost_matrix: CostArray<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let costs = cost_matrix
            .to_row_costs(frame.frame().map_err(error_to_exception)?.n_rows())
            .map_err(error_to_exception)?;
        let codes = self.run_on_frame(py, &frame, n_threads, |model, frame, ctl| {
            model.predict_by_costs(frame, &costs, ctl)
        })?;
        Ok(codes.into_pyarray(py))
    }

    fn predict_proba<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let proba = self.run_on_frame(py, &frame, n_threads, methods::Model::proba)?;
        let n_classes = self.0.n_classes();
        let n_rows = proba.len() / n_classes;
        proba.into_pyarray(py).reshape([n_rows, n_classes])
    }

    fn predict_proba_interval<'py>(
        &self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        n_threads: usize,
    ) -> PyResult<(Table<'py>, Table<'py>)> {
        let (low, high) = self.run_on_frame(py, &frame, n_threads, methods::Model::proba_interval)?;
        let n_classes = self.0.n_classes();
        let table = |values: Vec<f64>| {
            let n_rows = values.len() / n_classes;
            values.into_pyarray(py).reshape([n_rows, n_classes])
        };
        Ok((table(low)?, table(high)?))
    }
}

/// Quotes the name of a column or class if texts of rules must quote this name.
#[pyfunction]
pub(crate) fn quoted_name(name: &str) -> String {
    imbcore_core::quoted_name(name).into_owned()
}

/// Quotes the text of a level; texts of rules quote every level.
#[pyfunction]
pub(crate) fn quoted_text(text: &str) -> String {
    imbcore_core::quoted_text(text)
}
