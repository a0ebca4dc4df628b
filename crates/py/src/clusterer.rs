//! Clustering algorithms that are implemented in Python.

use crate::calls::MainThread;
use imbcore_core::Result;
use imbcore_rules::{ClusterPoints, Clusterer};
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::fmt;

/// Clustering algorithm in Python: `labels(points, weights, n_boxes, seed)` returns an array.
///
/// The array has the cluster label of every point.
pub(crate) struct PythonClusterer<'a> {
    pub(crate) object: &'a Py<PyAny>,
    pub(crate) caller: &'a MainThread,
}

impl fmt::Debug for PythonClusterer<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PythonClusterer")
    }
}

impl Clusterer for PythonClusterer<'_> {
    fn assign_clusters(&self, points: ClusterPoints, n_boxes: u32, seed: u32) -> Result<Vec<i64>> {
        let object = Python::attach(|py| self.object.clone_ref(py));
        self.caller.run_task(move |py| {
            let ClusterPoints { values, width, weights } = points;
            let n_rows = values.len().checked_div(width).unwrap_or_default();
            let values = values.into_pyarray(py).reshape([n_rows, width])?;
            let weights = weights.map(|weights| weights.into_pyarray(py));
            let found = object.call_method1(py, "labels", (values, weights, n_boxes, seed))?;
            let labels: PyReadonlyArray1<'_, i64> = found.extract(py)?;
            Ok(labels.as_array().iter().copied().collect())
        })
    }
}
