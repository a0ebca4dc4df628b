//! Columns that come in pieces: first what their bins are made of is kept of each, then pieces become codes of those bins.

use crate::binned::bins::gather;
use crate::binned::by_rows::set;
use crate::binned::edges::Edges;
use crate::binned::levels::bytes_of_levels;
use crate::binned::sample::{RowHashes, Sample, SampleParts};
use crate::rows::training::Table;
use imbcore_base::{Column, Dataset, Error, Frame, Result, RunCtl, Strided, memory, share};
use std::borrow::Cow;

/// What is kept of a numeric column until its bins are made: a function of its rows, however they were cut into pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// All distinct values, while they are at most as many as bins.
    distinct: Option<Vec<f64>>,
    sample: Sample,
    most: usize,
}

impl Sketch {
    /// Of no row, for at most so many bins.
    pub fn new(most: usize) -> Self {
        Self { distinct: Some(Vec::new()), sample: Sample::default(), most }
    }

    /// Takes the values of the rows of which `hashes` are; rows of weight 0 are no rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn add(
        &mut self,
        hashes: &RowHashes,
        values: Strided<'_>,
        weights: Option<&[f64]>,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let weighs = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
        let known = || values.iter().enumerate().filter(|&(row, value)| !value.is_nan() && weighs(row));
        if let Some(found) = &mut self.distinct
            && !gather(found, known().map(|(_, value)| value), self.most)
        {
            self.distinct = None;
        }
        let numbered = known().map(|(row, value)| (hashes.first + row as u32, value));
        self.sample.add_hashed(hashes, numbered, ctl)
    }

    /// What it is, for a way to another process: all distinct values, where they are few, and the sample.
    pub fn parts(&self) -> (Option<&[f64]>, SampleParts<'_>) {
        (self.distinct.as_deref(), self.sample.parts())
    }

    /// Of what [`Self::parts`] gave, for at most so many bins.
    pub fn of_parts(most: usize, distinct: Option<Vec<f64>>, sample: SampleParts<'_>) -> Self {
        Self { distinct, sample: Sample::of_parts(sample), most }
    }

    /// Takes what was kept of later rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn join(&mut self, later: &Self, ctl: RunCtl<'_>) -> Result<()> {
        self.distinct = self.distinct.take().filter(|_| later.distinct.is_some());
        if let (Some(found), Some(values)) = (&mut self.distinct, &later.distinct)
            && !gather(found, values.iter().copied(), self.most)
        {
            self.distinct = None;
        }
        self.sample.join(&later.sample, ctl)
    }

    /// The bins; weights are those of `table`.
    pub(crate) fn edges(self, table: &Table<'_>, ctl: RunCtl<'_>) -> Result<Edges> {
        match self.distinct {
            Some(distinct) => Ok(Edges { low: distinct.clone(), high: distinct }),
            None => self.sample.edges(table, self.most, ctl),
        }
    }
}

/// The bins of all columns of a table of which `labels` has the labels and weights, and `table` what growth makes of them;
/// nominal columns have none to be made.
pub(crate) fn edges_of(
    sketches: Vec<Option<Sketch>>,
    (labels, table): (&Dataset<'_>, &Table<'_>),
    ctl: RunCtl<'_>,
) -> Result<Vec<Option<Edges>>> {
    let n_weighing = (0..labels.n_rows()).filter(|&row| labels.weight(row) > 0.0).count();
    if table.n_usable() < n_weighing {
        return Err(Error::Unsupported(
            "rows that are read by pieces have no class of weight 0; drop its rows, or give them sample_weight 0".into(),
        ));
    }
    let edges = |sketch: Option<Sketch>| sketch.map(|sketch| sketch.edges(table, ctl)).transpose();
    share::try_map(sketches, edges)
}

/// Turns pieces of a table into codes of bins that are known, and finds what values each bin holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Coder {
    columns: Vec<CoderColumn>,
}

#[derive(Clone, Debug, PartialEq)]
struct CoderColumn {
    /// Of a numeric column; none of a nominal one.
    edges: Option<Edges>,
    /// The values that rows with weight have in each bin, and in one more those that are missing.
    seen: Edges,
}

impl Coder {
    /// With these bins of every column, none of nominal ones.
    pub fn new(edges: Vec<Option<Edges>>) -> Self {
        let column = |edges: Option<Edges>| {
            let n_bins = edges.as_ref().map_or(0, Edges::len);
            CoderColumn { edges, seen: Edges::unseen(n_bins + 1) }
        };
        Self { columns: edges.into_iter().map(column).collect() }
    }

    /// The codes of a piece of the rows, row after row; see [`imbcore_base::Coded`].
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Cancelled`].
    pub fn code(&mut self, frame: &Frame<'_>, weights: Option<&[f64]>, ctl: RunCtl<'_>) -> Result<Vec<u8>> {
        let code = |(column, own): (&Column<'_>, &mut CoderColumn)| {
            ctl.check()?;
            Ok(own.code(column, weights))
        };
        let narrow = share::try_map(frame.columns().iter().zip(&mut self.columns), code)?;
        let narrow: Vec<&[u8]> = narrow.iter().flatten().map(Vec::as_slice).collect();
        let mut rows = memory::filled(frame.n_rows() * narrow.len(), 0, "columns in bins")?;
        set(&mut rows, narrow.len(), 0, &narrow, ctl)?;
        Ok(rows)
    }

    /// What it is, for a way to another process: of every numeric column its bins, and those seen so far with one more.
    pub fn parts(&self) -> impl Iterator<Item = Option<[&Edges; 2]>> {
        self.columns.iter().map(|column| Some([column.edges.as_ref()?, &column.seen]))
    }

    /// Of what [`Self::parts`] gave.
    pub fn of_parts(parts: Vec<Option<[Edges; 2]>>) -> Self {
        let column = |parts: Option<[Edges; 2]>| match parts {
            Some([edges, seen]) => CoderColumn { edges: Some(edges), seen },
            None => CoderColumn { edges: None, seen: Edges::unseen(1) },
        };
        Self { columns: parts.into_iter().map(column).collect() }
    }

    /// Takes what was found in other rows.
    pub fn join(&mut self, other: &Self) {
        for (own, other) in self.columns.iter_mut().zip(&other.columns) {
            own.seen.join(&other.seen);
        }
    }

    /// Of every numeric column the smallest and the largest value in each bin, as far as rows were coded.
    pub fn seen(&self) -> impl Iterator<Item = Option<(&[f64], &[f64])>> {
        self.columns.iter().map(|column| {
            let n_bins = column.edges.as_ref()?.len();
            Some((&column.seen.low[..n_bins], &column.seen.high[..n_bins]))
        })
    }
}

impl CoderColumn {
    /// A byte a row; none where that does not hold the levels of a nominal column.
    fn code(&mut self, column: &Column<'_>, weights: Option<&[f64]>) -> Option<Vec<u8>> {
        match (column, &self.edges) {
            (Column::Numeric(values), Some(edges)) => {
                let values = values.as_slice().map_or_else(|| values.iter().collect(), Cow::Borrowed);
                let codes = edges.bins(&values);
                let weighs = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
                for (row, (&code, &value)) in codes.iter().zip(&*values).enumerate() {
                    if weighs(row) {
                        self.seen.see(code.into(), value);
                    }
                }
                Some(codes)
            }
            (&Column::Nominal { codes, levels }, None) => bytes_of_levels(codes, levels),
            _ => None,
        }
    }
}
