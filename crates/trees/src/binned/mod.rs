//! Histogram-based growth: numeric columns are binned into at most 255 bins.
//!
//! A node adds up the class sums of each bin in one pass over its rows. The split candidates are the
//! thresholds between bins, which are scored by the same code as in exact growth. Values are read only once,
//! to compute the bins; afterwards thresholds are computed from the bin edges. If every column has at most as
//! many distinct values as bins, the trees are bit-identical to trees of exact growth.

mod bins;
mod by_rows;
mod count;
mod divide;
mod edges;
mod levels;
mod quantiles;
mod rows;
mod sample;
mod scan;
mod sketch;

pub(crate) use bins::{BinCodes, BinnedColumn, BinnedColumns, distinct};
pub(crate) use by_rows::{RowMajorBins, RowMajorColumn};
pub(crate) use count::ClassHistogram;
pub use edges::BinEdges;
pub(crate) use edges::MOST_BINS;
pub(crate) use rows::BinnedRows;
pub use sample::{RowHashes, SampleParts};
pub(crate) use sketch::compute_edges_from_sketches;
pub use sketch::{QuantileSketch, StreamEncoder};
