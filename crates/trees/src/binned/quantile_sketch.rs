//! Binning of columns that are read in chunks.
//! A first pass sketches each column, and a second pass encodes chunks as bin codes.

use crate::binned::bin_edges::BinEdges;
use crate::binned::bins::insert_distinct_values;
use crate::binned::by_rows::copy_columns_to_row_major;
use crate::binned::column_sample::{ColumnSample, RowHashes, SerializedSample};
use crate::binned::level_codes::level_codes_to_bytes;
use crate::rows::training::TrainingTable;
use imbcore_core::{Column, Dataset, Error, Frame, Result, RunContext, Strided, memory, parallel};
use std::borrow::Cow;

/// Summary of a numeric column from which its bins are computed.
/// It depends only on the rows, not on their division into chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantileSketch {
    distinct: Option<Vec<f64>>,
    sample: ColumnSample,
    most: usize,
}

impl QuantileSketch {
    /// Creates an empty sketch for at most `most` bins.
    pub fn new(most: usize) -> Self {
        Self { distinct: Some(Vec::new()), sample: ColumnSample::default(), most }
    }

    /// Adds the values of consecutive rows, whose hashes are `hashes`.
    ///
    /// Missing values and rows of weight 0 are ignored.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Memory`].
    pub fn add_values(
        &mut self,
        hashes: &RowHashes,
        values: Strided<'_>,
        weights: Option<&[f64]>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let weighs = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
        let known = || values.iter().enumerate().filter(|&(row, value)| !value.is_nan() && weighs(row));
        if let Some(found) = &mut self.distinct
            && !insert_distinct_values(found, known().map(|(_, value)| value), self.most)
        {
            self.distinct = None;
        }
        let numbered = known().map(|(row, value)| (hashes.first + row as u32, value));
        self.sample.add_rows_with_known_hashes(hashes, numbered, ctl)
    }

    /// Returns the distinct values and the sample, which can be sent to another process.
    ///
    /// The distinct values are `None` if there are more distinct values than bins.
    pub fn to_parts(&self) -> (Option<&[f64]>, SerializedSample<'_>) {
        (self.distinct.as_deref(), self.sample.to_parts())
    }

    /// Restores a sketch from the result of [`Self::to_parts`], for at most `most` bins.
    pub fn from_parts(most: usize, distinct: Option<Vec<f64>>, sample: SerializedSample<'_>) -> Self {
        Self { distinct, sample: ColumnSample::from_parts(sample), most }
    }

    /// Adds a sketch of later rows of the table.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Memory`].
    pub fn add_later_sketch(&mut self, later: &Self, ctl: RunContext<'_>) -> Result<()> {
        self.distinct = self.distinct.take().filter(|_| later.distinct.is_some());
        if let (Some(found), Some(values)) = (&mut self.distinct, &later.distinct)
            && !insert_distinct_values(found, values.iter().copied(), self.most)
        {
            self.distinct = None;
        }
        self.sample.add_later_sample(&later.sample, ctl)
    }

    pub(crate) fn compute_edges(self, table: &TrainingTable<'_>, ctl: RunContext<'_>) -> Result<BinEdges> {
        match self.distinct {
            Some(distinct) => Ok(BinEdges { low: distinct.clone(), high: distinct }),
            None => self.sample.compute_edges(table, self.most, ctl),
        }
    }
}

/// Computes bin edges from sketches; for a nominal column, both are `None`.
///
/// `table` is the training table of `labels`, the data set with the labels and weights of the rows.
pub(crate) fn compute_edges_from_sketches(
    sketches: Vec<Option<QuantileSketch>>,
    (labels, table): (&Dataset<'_>, &TrainingTable<'_>),
    ctl: RunContext<'_>,
) -> Result<Vec<Option<BinEdges>>> {
    let n_weighing = (0..labels.n_rows()).filter(|&row| labels.weight(row) > 0.0).count();
    if table.n_usable_rows() < n_weighing {
        return Err(Error::Unsupported(
            "streamed training data cannot contain a class of weight 0; drop its rows, or set their sample_weight to 0".into(),
        ));
    }
    let edges =
        |sketch: Option<QuantileSketch>| sketch.map(|sketch| sketch.compute_edges(table, ctl)).transpose();
    parallel::try_map(sketches, edges)
}

/// Encoder of table chunks as bin codes; it also records the range of values in each bin.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamBinEncoder {
    columns: Vec<ColumnEncoder>,
}

#[derive(Clone, Debug, PartialEq)]
struct ColumnEncoder {
    edges: Option<BinEdges>,
    /// Range of values in each bin among rows with positive weight.
    /// The last bin is for missing values.
    seen: BinEdges,
}

impl StreamBinEncoder {
    /// Creates an encoder from the bin edges of each column; `None` for a nominal column.
    pub fn new(edges: Vec<Option<BinEdges>>) -> Self {
        let column = |edges: Option<BinEdges>| {
            let n_bins = edges.as_ref().map_or(0, BinEdges::len);
            ColumnEncoder { edges, seen: BinEdges::empty(n_bins + 1) }
        };
        Self { columns: edges.into_iter().map(column).collect() }
    }

    /// Encodes a chunk of rows as bytes in row-major order; see [`imbcore_core::BinnedFrame`].
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn encode(
        &mut self,
        frame: &Frame<'_>,
        weights: Option<&[f64]>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u8>> {
        let code = |(column, coder): (&Column<'_>, &mut ColumnEncoder)| {
            ctl.check()?;
            coder.encode(column, weights)
        };
        let narrow = parallel::try_map(frame.columns().iter().zip(&mut self.columns), code)?;
        let narrow: Vec<&[u8]> = narrow.iter().flatten().map(Vec::as_slice).collect();
        let mut rows = memory::filled(frame.n_rows() * narrow.len(), 0, "columns in bins")?;
        copy_columns_to_row_major(&mut rows, narrow.len(), 0, &narrow, ctl)?;
        Ok(rows)
    }

    /// Returns for every numeric column its bin edges and the ranges of the encoded values.
    ///
    /// For a nominal column, the item is `None`. The result can be sent to another process.
    pub fn to_parts(&self) -> impl Iterator<Item = Option<[&BinEdges; 2]>> {
        self.columns.iter().map(|column| Some([column.edges.as_ref()?, &column.seen]))
    }

    /// Restores an encoder from [`Self::to_parts`].
    pub fn from_parts(parts: Vec<Option<[BinEdges; 2]>>) -> Self {
        let column = |parts: Option<[BinEdges; 2]>| match parts {
            Some([edges, seen]) => ColumnEncoder { edges: Some(edges), seen },
            None => ColumnEncoder { edges: None, seen: BinEdges::empty(1) },
        };
        Self { columns: parts.into_iter().map(column).collect() }
    }

    /// Merges the value ranges that another encoder found in other rows.
    pub fn merge_value_ranges(&mut self, other: &Self) {
        for (own, other) in self.columns.iter_mut().zip(&other.columns) {
            own.seen.merge_value_ranges(&other.seen);
        }
    }

    /// Returns the smallest and largest encoded value in each bin of every numeric column.
    ///
    /// For a nominal column, the item is `None`. Rows of weight 0 are ignored.
    pub fn value_ranges(&self) -> impl Iterator<Item = Option<(&[f64], &[f64])>> {
        self.columns.iter().map(|column| {
            let n_bins = column.edges.as_ref()?.len();
            Some((&column.seen.low[..n_bins], &column.seen.high[..n_bins]))
        })
    }
}

impl ColumnEncoder {
    /// Encodes a column as one byte per row.
    /// Returns `None` for a nominal column with too many levels for one byte.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    fn encode(&mut self, column: &Column<'_>, weights: Option<&[f64]>) -> Result<Option<Vec<u8>>> {
        match (column, &self.edges) {
            (Column::Numeric(values), Some(edges)) => {
                let values = values.as_slice().map_or_else(|| values.iter().collect(), Cow::Borrowed);
                let codes = edges.bin_codes_of_values(&values)?;
                let weighs = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
                for (row, (&code, &value)) in codes.iter().zip(&*values).enumerate() {
                    if weighs(row) {
                        self.seen.extend_bin_range(code.into(), value);
                    }
                }
                Ok(Some(codes))
            }
            (&Column::Nominal { codes, levels }, None) => Ok(level_codes_to_bytes(codes, levels)),
            _ => Ok(None),
        }
    }
}
