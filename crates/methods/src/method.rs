//! Trait that the parameters of every method implement.
//!
//! Each family of models implements [`Method`] for its parameters. The registry finds the parameters by the
//! name of the method and calls [`Method`]. A method that fits a base method gets the registry as an argument
//! of type [`MethodRegistry`]. It cannot import the registry, because the registry imports the method.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::MemoryEstimator;
use crate::warm_start::WarmStart;
use imbcore_bayes::DiscretizeSettings;
use imbcore_bayes::classifier::EncodedRowBuffer;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{CostRule, Costs, Dataset, Error, Label, Params, Result, RunContext, SeedKey};
use imbcore_ensembles::generic::{BaseLearner, FittedMembers, TrainingContext};
use imbcore_rules::{Clusterer, RowSource};
use imbcore_trees::{BinEdges, QuantileSketch};
use serde_json::{Map, Value};

/// Parameters of a method, with the operations that fit its models.
pub(crate) trait Method: Params {
    const ROLE: MethodRole = MethodRole::Learner;

    /// Whether classes and weights alone determine the sample of rows that a fit uses.
    const DRAWS: bool = false;

    /// Function that computes a lower bound on the memory of a fit.
    const MEMORY: MemoryEstimator = |_, _, _| MemoryEstimate::default();

    fn with_base_method_defaults(self, _method: &'static str, _others: &dyn MethodRegistry) -> Result<Self> {
        Ok(self)
    }

    fn with_data_defaults(self, _data: &Dataset<'_>) -> Self {
        self
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator>;

    /// Row numbers, by class, of the rows that a fit needs; an error unless [`Method::DRAWS`].
    fn draw_rows(self, method: &'static str, _run: FitRun<'_, '_>) -> Result<Vec<Vec<u32>>> {
        Err(all_rows_needed_error(method))
    }

    /// Like [`Method::fit`], but also returns new labels, if the method replaced the labels.
    fn fit_returning_new_labels(
        self,
        method: &'static str,
        run: FitRun<'_, '_>,
    ) -> Result<(FittedEstimator, ReplacedLabels)> {
        Ok((self.fit(method, run)?, ReplacedLabels::default()))
    }

    /// Discretization settings for [`Method::fit_encoded_stream`]; an error if not supported.
    fn chunk_discretize_settings(self, method: &'static str) -> Result<DiscretizeSettings> {
        Err(all_rows_in_memory_error(method))
    }

    /// Fits to discretized rows that are read once, in chunks.
    fn fit_encoded_stream(
        self,
        method: &'static str,
        _rows: EncodedRowBuffer,
        _run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        Err(all_rows_in_memory_error(method))
    }

    /// Maximum number of bins per column; an error if the method needs the numbers themselves.
    fn max_bins(&self, method: &'static str) -> Result<usize> {
        Err(needs_values_error(method))
    }

    /// Bin edges of columns, from sketches of the values and from all labels and weights.
    fn bin_edges(
        self,
        method: &'static str,
        _sketches: Vec<Option<QuantileSketch>>,
        _run: FitRun<'_, '_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        Err(needs_values_error(method))
    }

    /// Fits to rows with their values (not bins), which can be read in chunks repeatedly.
    fn fit_row_stream(
        self,
        method: &'static str,
        _rows: LabeledRowStream<'_>,
        _run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        Err(all_rows_in_memory_error(method))
    }

    /// Fits an ensemble whose members are trained by a caller-supplied learner.
    fn fit_with_external_learner<T: BaseLearner>(
        self,
        method: &'static str,
        _base_learner: &T,
        _training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        Err(Error::Internal(format!("{method} is not an ensemble and cannot use external base learners")))
    }
}

fn all_rows_in_memory_error(method: &str) -> Error {
    Error::Unsupported(format!("{method} needs all rows in memory"))
}

fn needs_values_error(method: &str) -> Error {
    Error::Unsupported(format!("{method} reads the values of all rows at once"))
}

pub(crate) fn all_rows_needed_error(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} learns from all rows at once, so it cannot be fitted to rows that are read in chunks; balanced_random_forest, \
         or a forest with a small max_samples, reads a small part of them, and every method takes a sample that fits into memory"
    ))
}

/// Rows read in chunks, and the class code of each row.
///
/// The rows may be held by remote workers, but the class codes are always in local memory.
#[derive(Clone, Copy)]
pub struct LabeledRowStream<'a> {
    /// The rows.
    pub pieces: &'a dyn RowSource,
    /// Class codes of the rows.
    pub classes: &'a [u32],
}

/// Labels that replaced the given labels in training, one per row; empty without replacement.
///
/// Model files do not store these labels, so comparisons of models ignore them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplacedLabels(pub(crate) Vec<u32>);

impl PartialEq for ReplacedLabels {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Category of a method: whether, and how, it fits other methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodRole {
    Learner,
    Decomposition,
    /// The method changes the labels by a cost matrix, and fits a base method to the new labels.
    ///
    /// Predictions do not apply the costs again.
    Costly,
    Ensemble,
    /// The method fits many methods to inner folds, and selects an ensemble of their models.
    ///
    /// The ensemble has out-of-fold predictions of the training rows.
    Selection,
}

/// Access to all methods by name, for methods that fit a base method.
pub(crate) trait MethodRegistry: Sync {
    /// Adds defaults to the parameters of a method; also returns the category of the method.
    fn full_params_and_role(
        &self,
        name: &str,
        given: &Map<String, Value>,
    ) -> Result<(Map<String, Value>, MethodRole)>;

    fn fit(&self, name: &str, params: &Map<String, Value>, run: FitRun<'_, '_>) -> Result<FittedEstimator>;
}

pub(crate) struct FitRun<'r, 'd> {
    pub(crate) data: &'r Dataset<'d>,
    pub(crate) labels: &'r [Label],
    pub(crate) class_weight: Option<Vec<f64>>,
    /// Costs of errors; `None` without costs, or if they were converted to class weights.
    pub(crate) costs: Option<&'r CostRule>,
    pub(crate) positive: u32,
    pub(crate) key: SeedKey,
    /// Whether rows of a single class give a constant model instead of an error.
    pub(crate) constant: bool,
    /// Members of an earlier fit that this fit reuses (warm start).
    pub(crate) start: WarmStart<'r>,
    pub(crate) ctl: RunContext<'r>,
    pub(crate) others: &'r dyn MethodRegistry,
    /// Clustering algorithm that replaces the default one; `None` for members of ensembles.
    pub(crate) clusterer: Option<&'r dyn Clusterer>,
}

impl<'r> FitRun<'r, '_> {
    /// The cost matrix, if there is one and it is the same for all rows.
    pub(crate) fn cost_matrix(&self) -> Option<&'r Costs> {
        self.costs.and_then(CostRule::matrix)
    }
}
