//! Histogram-based growth: numeric columns are binned into at most 255 bins.
//!
//! A node adds up the row counts and class masses of each bin in one pass over its rows. The split candidates
//! are the thresholds between bins, which are scored by the same code as in growth without bins (exact
//! growth). Thresholds are computed from the bin edges. Column values are read to compute the bins, and at
//! nodes that are small enough for exact splits.
//!
//! The trees are bit-identical to trees of exact growth under two conditions. Every column must have at most
//! as many distinct values as bins, and every sample weight must be 0 or 1 (class weights are allowed).

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
pub(crate) use bins::{BinCodes, BinnedColumn, BinnedColumns, distinct_values_up_to};
pub(crate) use by_rows::{RowMajorBins, RowMajorColumn};
pub(crate) use class_histogram::ClassHistogram;
pub use column_sample::{RowHashes, SerializedSample};
pub(crate) use quantile_sketch::compute_edges_from_sketches;
pub use quantile_sketch::{QuantileSketch, StreamBinEncoder};
