//! Histogram-based growth: numeric columns are binned into at most 255 bins.
//!
//! A node adds up the class sums of each bin in one pass over its rows. The split candidates are the
//! thresholds between bins, which are scored by the same code as in exact growth. Values are read only once,
//! to compute the bins; afterwards thresholds are computed from the bin edges. If every column has at most as
//! many distinct values as bins, the trees are bit-identical to trees of exact growth.

mod bin_branches;
mod bin_edges;
mod binned_rows;
mod bins;
mod by_rows;
mod class_histogram;
mod column_sample;
mod level_codes;
mod quantile_sketch;
mod quantiles;
mod scan;

pub use bin_edges::BinEdges;
pub(crate) use bin_edges::MOST_BINS;
pub(crate) use binned_rows::BinnedRows;
pub(crate) use bins::{BinCodes, BinnedColumn, BinnedColumns, distinct_values};
pub(crate) use by_rows::{RowMajorBins, RowMajorColumn};
pub(crate) use class_histogram::ClassHistogram;
pub use column_sample::{RowHashes, SampleParts};
pub(crate) use quantile_sketch::compute_edges_from_sketches;
pub use quantile_sketch::{QuantileSketch, StreamEncoder};
