//! Training table that all trees grown on a data set share.

use crate::rows::rank_table::RankTable;
use crate::rows::train_column::TrainColumn;
use imbcore_core::BinnedFrame;

pub(crate) enum RowWeights {
    /// One weight for all rows of a class: a class mass is a row count times this weight.
    ByClass(Vec<f64>),
    ByRow(Vec<f64>),
}

pub(crate) struct TrainingTable<'a> {
    pub(crate) columns: Vec<TrainColumn<'a>>,
    pub(crate) classes: &'a [u32],
    pub(crate) n_classes: usize,
    /// Class with the most rows of positive weight; the lowest such class in ties.
    pub(crate) frequent: usize,
    pub(crate) weighing: RowWeights,
    /// Rows with positive weight, ascending; `None` if all rows have positive weight.
    pub(crate) usable: Option<Vec<u32>>,
    /// Bin codes of the rows, if the user passed binned columns.
    pub(crate) coded: Option<&'a BinnedFrame<'a>>,
    pub(crate) ranks: RankTable,
}
