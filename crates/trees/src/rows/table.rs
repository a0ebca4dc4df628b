//! Table that all trees of a data set share.

use crate::rows::entry::TrainColumn;
use crate::rows::ranks::RankTable;
use imbcore_core::BinnedFrame;

/// Weights of rows.
pub(crate) enum RowWeights {
    /// Equal weights within each class: masses are exact products of a count and a weight.
    ByClass(Vec<f64>),
    /// Separate weight of each row.
    ByRow(Vec<f64>),
}

/// Training table shared by all trees grown from one data set.
pub(crate) struct TrainingTable<'a> {
    pub(crate) columns: Vec<TrainColumn<'a>>,
    pub(crate) classes: &'a [u32],
    pub(crate) n_classes: usize,
    /// Most frequent class; the lowest one in ties.
    pub(crate) frequent: usize,
    pub(crate) weighing: RowWeights,
    /// Rows with positive weight, ascending; `None` if these are all rows.
    pub(crate) usable: Option<Vec<u32>>,
    /// Bin codes of the rows, if the data set is already binned.
    pub(crate) coded: Option<&'a BinnedFrame<'a>>,
    /// Ranks of the values, if growth uses them.
    pub(crate) ranks: RankTable,
}
