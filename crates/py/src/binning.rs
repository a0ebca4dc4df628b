//! Binning of a table that Python reads in batches.
//!
//! Quantile sketches of all batches determine the bins. Then the rows of all batches are encoded by the bins.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::arrays::FrameArg;
use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::training_args::{RunOptionsArg, TrainingArg, Weights, contiguous_slice};
use imbcore_core::{Column, Error, RunContext, SeedKey, parallel};
use imbcore_methods::{self as methods, FitContext};
use imbcore_trees::{BinEdges, QuantileSketch, RowHashes, StreamBinEncoder};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

type BinRanges<'py> = Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)>;

/// Bytes of an array of numbers; processes exchange sketches and bins in this form.
type Bytes<'py> = Bound<'py, PyBytes>;
type SketchParts<'py> = (Option<Bytes<'py>>, Bytes<'py>, Bytes<'py>, u64, bool);
type EdgesParts<'py> = (Bytes<'py>, Bytes<'py>);
type EncoderParts<'py> = Vec<Option<(EdgesParts<'py>, EdgesParts<'py>)>>;
type BinningParts<'py> = (usize, Vec<Option<SketchParts<'py>>>, Option<EncoderParts<'py>>);

/// Binning of a table: quantile sketches before [`Binning::fit`], and bins afterward.
#[pyclass(module = "imbcore._imbcore.models")]
pub(crate) struct Binning {
    most: usize,
    sketches: Vec<Option<QuantileSketch>>,
    coder: Option<StreamBinEncoder>,
}

#[pymethods]
impl Binning {
    /// Creates an empty quantile sketch for every numeric column of a table.
    ///
    /// `nominal` states for each column whether it is nominal. `params` are the parameters of `method`, which
    /// include the maximum number of bins. `training` has the labels of all rows, or a single row for each
    /// class if the rows are not in memory.
    #[new]
    #[pyo3(signature = (method, params, training, nominal))]
    fn new(
        py: Python<'_>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        nominal: Vec<bool>,
    ) -> PyResult<Self> {
        let rows = training.rows()?;
        let most = run_short(py, || {
            rows.with_dataset(|_, schema| {
                let task = rows.fit_task(method, params, SeedKey::root(0), FitContext::default());
                methods::max_bins(&task, &schema)
            })
        })?;
        let sketch = |nominal: bool| (!nominal).then(|| QuantileSketch::new(most));
        Ok(Self { most, sketches: nominal.into_iter().map(sketch).collect(), coder: None })
    }

    /// Adds a batch of rows to the sketches; `first` is the number of its first row in the table.
    #[pyo3(signature = (frame, first, sample_weight, options))]
    fn add_rows(
        &mut self,
        py: Python<'_>,
        frame: FrameArg<'_>,
        first: u32,
        sample_weight: Weights<'_>,
        options: RunOptionsArg,
    ) -> PyResult<()> {
        let frame = frame.frame().map_err(error_to_exception)?;
        let weights = sample_weight.as_ref().map(contiguous_slice).transpose()?;
        let sketches = &mut self.sketches;
        run_without_gil(py, None, options.n_threads, |ctl| {
            frame.check_finite()?;
            let hashes = RowHashes::new(first, frame.n_rows());
            let columns = frame.columns().iter().zip(sketches).collect::<Vec<_>>();
            parallel::try_map(columns, |(column, sketch)| match (column, sketch) {
                (Column::Numeric(values), Some(sketch)) => sketch.add_values(&hashes, *values, weights, ctl),
                (Column::Nominal { .. }, None) => Ok(()),
                _ => Err(Error::Internal("a batch has columns of other types".into())),
            })
            .map(drop)
        })
    }

    /// Computes the bins from the sketches; `training` has the labels and weights of all rows.
    #[pyo3(signature = (method, params, training, options))]
    fn fit(
        &mut self,
        py: Python<'_>,
        method: &str,
        params: &str,
        training: TrainingArg<'_>,
        options: RunOptionsArg,
    ) -> PyResult<()> {
        let (rows, key) = (training.rows()?, options.seed_key());
        let sketches = std::mem::take(&mut self.sketches);
        let edges = run_without_gil(py, None, options.n_threads, |ctl| {
            rows.with_dataset(|data, schema| {
                let task = rows.fit_task(method, params, key, FitContext::default());
                methods::bin_edges(&task, sketches, data, &schema, ctl)
            })
        })?;
        self.coder = Some(StreamBinEncoder::new(edges));
        Ok(())
    }

    /// Encodes rows as bin indices: an array of shape (`n_rows`, `n_coded_columns`).
    #[pyo3(signature = (frame, sample_weight, options))]
    fn encode<'py>(
        &mut self,
        py: Python<'py>,
        frame: FrameArg<'_>,
        sample_weight: Weights<'_>,
        options: RunOptionsArg,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let frame = frame.frame().map_err(error_to_exception)?;
        let weights = sample_weight.as_ref().map(contiguous_slice).transpose()?;
        let coder = &mut self.coder;
        let codes = run_without_gil(py, None, options.n_threads, |ctl| {
            let coder = coder.as_mut().ok_or_else(|| Error::Internal("there are no bins yet".into()))?;
            coder.encode(&frame, weights, ctl)
        })?;
        let shape = [frame.n_rows(), codes.len() / frame.n_rows().max(1)];
        codes.into_pyarray(py).reshape(shape)
    }

    /// Merges the binning `later`, which has processed later rows, into this one.
    ///
    /// Before the bins are fitted, the sketches are merged. Afterward, the value ranges of each bin are
    /// merged.
    #[pyo3(signature = (later))]
    fn merge(&mut self, py: Python<'_>, later: PyRef<'_, Self>) -> PyResult<()> {
        let later = &*later;
        run_short(py, || {
            for (sketch, later) in self.sketches.iter_mut().zip(&later.sketches) {
                if let (Some(sketch), Some(later)) = (sketch, later) {
                    sketch.add_later_sketch(later, RunContext::silent())?;
                }
            }
            if let (Some(coder), Some(later)) = (&mut self.coder, &later.coder) {
                coder.merge_value_ranges(later);
            }
            Ok(())
        })
    }

    /// State of the object, for the transfer to another process.
    fn to_parts<'py>(&self, py: Python<'py>) -> BinningParts<'py> {
        let bytes = |numbers: &[f64]| to_le_bytes(py, numbers.iter().map(|number| number.to_le_bytes()));
        let sketch = |sketch: &QuantileSketch| {
            let (distinct, (rows, values, bound, partial)) = sketch.to_parts();
            let rows = to_le_bytes(py, rows.iter().map(|row| row.to_le_bytes()));
            (distinct.map(bytes), rows, bytes(&values), bound, partial)
        };
        let edges = |edges: &BinEdges| (bytes(&edges.low), bytes(&edges.high));
        let column = |both: Option<[&BinEdges; 2]>| both.map(|[own, seen]| (edges(own), edges(seen)));
        let sketches = self.sketches.iter().map(|kept| kept.as_ref().map(sketch)).collect();
        let coder = self.coder.as_ref().map(|coder| coder.to_parts().map(column).collect());
        (self.most, sketches, coder)
    }

    #[staticmethod]
    fn from_parts(
        most: usize,
        sketches: Vec<Option<SketchParts<'_>>>,
        coder: Option<EncoderParts<'_>>,
    ) -> Self {
        let floats = |bytes: &Bytes<'_>| from_le_bytes(bytes, f64::from_le_bytes);
        let sketch = |(distinct, rows, values, bound, partial): SketchParts<'_>| {
            let rows = from_le_bytes(&rows, u32::from_le_bytes);
            let sample = (rows.into(), floats(&values).into(), bound, partial);
            QuantileSketch::from_parts(most, distinct.as_ref().map(floats), sample)
        };
        let edges = |(low, high): &EdgesParts<'_>| BinEdges { low: floats(low), high: floats(high) };
        let column = |both: Option<(EdgesParts<'_>, EdgesParts<'_>)>| {
            both.map(|(own, seen)| [edges(&own), edges(&seen)])
        };
        Self {
            most,
            sketches: sketches.into_iter().map(|kept| kept.map(sketch)).collect(),
            coder: coder
                .map(|columns| StreamBinEncoder::from_parts(columns.into_iter().map(column).collect())),
        }
    }

    /// Smallest and largest value of each bin among the encoded rows, for every numeric column.
    ///
    /// Rows of weight 0 are ignored.
    fn edges<'py>(&self, py: Python<'py>) -> Vec<BinRanges<'py>> {
        let arrays =
            |(low, high): (&[f64], &[f64])| (PyArray1::from_slice(py, low), PyArray1::from_slice(py, high));
        self.coder.iter().flat_map(StreamBinEncoder::value_ranges).map(|edges| edges.map(arrays)).collect()
    }
}

fn to_le_bytes<const N: usize>(py: Python<'_>, numbers: impl Iterator<Item = [u8; N]>) -> Bytes<'_> {
    PyBytes::new(py, &numbers.flatten().collect::<Vec<u8>>())
}

fn from_le_bytes<T, const N: usize>(bytes: &Bytes<'_>, number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_bytes().as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}
