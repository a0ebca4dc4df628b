//! Trait that the parameters of every method implement.
//!
//! A family implements [`Method`] for its parameters; the registry calls it by the method's name. A method that fits
//! a base method receives the registry as [`MethodRegistry`], so that it need not import the registry, which imports
//! it.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::MemoryEstimator;
use crate::start::WarmStart;
use imbcore_bayes::DiscretizeSettings;
use imbcore_bayes::classifier::EncodedStream;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{CostRule, Costs, Dataset, Error, Label, Params, Result, RunContext, SeedKey};
use imbcore_ensembles::generic::{BaseLearner, FittedMembers, TrainingContext};
use imbcore_rules::{Clusterer, RowSource};
use imbcore_trees::{BinEdges, QuantileSketch};
use serde_json::{Map, Value};

/// Parameters that can fit their family of models.
pub(crate) trait Method: Params {
    /// Relation of the method to other methods.
    const ROLE: MethodRole = MethodRole::Learner;

    /// Whether a fit may read few rows and can select them before it reads any column.
    const DRAWS: bool = false;

    /// Lower bound of the memory of a fit, computed from the size of the table.
    const MEMORY: MemoryEstimator = |_, _, _| MemoryEstimate::default();

    /// Fills in the defaults of the base method, if there is one.
    fn complete(self, _method: &'static str, _others: &dyn MethodRegistry) -> Result<Self> {
        Ok(self)
    }

    /// Fills in parameters whose value depends on the data.
    fn settled(self, _data: &Dataset<'_>) -> Self {
        self
    }

    /// Checks the parameters and fits.
    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator>;

    /// Rows of each class that a fit reads, if the method [`draws`](Method::DRAWS).
    fn draw(self, method: &'static str, _run: FitRun<'_, '_>) -> Result<Vec<Vec<u32>>> {
        Err(reads_all_rows(method))
    }

    /// Like [`Method::fit`], but also returns the labels if training replaced those of the data.
    fn fit_telling(
        self,
        method: &'static str,
        run: FitRun<'_, '_>,
    ) -> Result<(FittedEstimator, ReplacedLabels)> {
        Ok((self.fit(method, run)?, ReplacedLabels::default()))
    }

    /// Discretization settings, if the method can be fitted to chunks of rows.
    fn cuts_of_pieces(self, method: &'static str) -> Result<DiscretizeSettings> {
        Err(all_rows_error(method))
    }

    /// Fits to rows read in chunks.
    fn fit_pieces(
        self,
        method: &'static str,
        _rows: EncodedStream,
        _run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        Err(all_rows_error(method))
    }

    /// Maximum number of bins per column, if the method reads numbers only as bins.
    fn bins(&self, method: &'static str) -> Result<usize> {
        Err(needs_values(method))
    }

    /// Bin edges of columns read in chunks; `_run` has the labels and weights of all rows.
    fn edges(
        self,
        method: &'static str,
        _sketches: Vec<Option<QuantileSketch>>,
        _run: FitRun<'_, '_>,
    ) -> Result<Vec<Option<BinEdges>>> {
        Err(needs_values(method))
    }

    /// Fits to rows that can be read in chunks repeatedly.
    fn fit_rows(
        self,
        method: &'static str,
        _rows: LabeledRowStream<'_>,
        _run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        Err(all_rows_error(method))
    }

    /// Fits an ensemble whose members are trained by a caller-supplied learner.
    fn assemble<T: BaseLearner>(
        self,
        method: &'static str,
        _base_learner: &T,
        _training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        Err(Error::Internal(format!("{method} is not an ensemble and cannot use external base learners")))
    }
}

fn all_rows_error(method: &str) -> Error {
    Error::Unsupported(format!("{method} needs all rows in memory"))
}

/// Error for a method that cannot be fitted from bins alone.
fn needs_values(method: &str) -> Error {
    Error::Unsupported(format!("{method} reads the values of all rows at once"))
}

/// Error for a method that cannot select its rows before reading them.
pub(crate) fn reads_all_rows(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} learns from all rows at once, so it cannot be fitted to rows that are read in chunks; balanced_random_forest, \
         or a forest with a small max_samples, reads a small part of them, and every method takes a sample that fits into memory"
    ))
}

/// Rows read in chunks, and the class code of each row.
///
/// If remote workers hold the rows, only the class codes are available here.
#[derive(Clone, Copy)]
pub struct LabeledRowStream<'a> {
    /// The rows.
    pub pieces: &'a dyn RowSource,
    /// Class codes of the rows.
    pub classes: &'a [u32],
}

/// Class of every training row, if training replaced the labels; otherwise empty.
///
/// Model files do not store these classes, so models are compared without them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplacedLabels(pub(crate) Vec<u32>);

impl PartialEq for ReplacedLabels {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Relation of a method to other methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodRole {
    /// The method fits directly, to two classes or more.
    Learner,
    /// The method fits a base method to two classes at a time.
    Decomposition,
    /// The method fits a base method to data changed by a cost matrix.
    /// The costs are not used again.
    Costly,
    /// The method fits a base method to many bags of the rows.
    Ensemble,
    /// The method fits many methods to inner folds and selects an ensemble of them.
    /// It has out-of-fold predictions of the training rows.
    Selection,
}

/// All methods by name, for methods that fit a base method.
pub(crate) trait MethodRegistry: Sync {
    /// All parameters of a method, with defaults filled in, and its role.
    fn complete(&self, name: &str, given: &Map<String, Value>) -> Result<(Map<String, Value>, MethodRole)>;

    /// Fits a method.
    fn fit(&self, name: &str, params: &Map<String, Value>, run: FitRun<'_, '_>) -> Result<FittedEstimator>;
}

/// One fit of one method.
pub(crate) struct FitRun<'r, 'd> {
    pub(crate) data: &'r Dataset<'d>,
    /// Labels of the class codes.
    pub(crate) labels: &'r [Label],
    pub(crate) class_weight: Option<Vec<f64>>,
    /// Costs of errors, if they are given and not part of the weights.
    pub(crate) costs: Option<&'r CostRule>,
    pub(crate) positive: u32,
    pub(crate) key: SeedKey,
    /// Whether rows of a single class give a constant model.
    pub(crate) constant: bool,
    /// Existing members with which a warm start begins, if the model is an ensemble.
    pub(crate) start: WarmStart<'r>,
    pub(crate) ctl: RunContext<'r>,
    /// Methods that this one may fit as a base method.
    pub(crate) others: &'r dyn MethodRegistry,
    /// Clustering that replaces the method's own algorithm; members of an ensemble have none.
    pub(crate) clusterer: Option<&'r dyn Clusterer>,
}

impl<'r> FitRun<'r, '_> {
    /// Costs of errors, if they are the same for all rows.
    pub(crate) fn matrix(&self) -> Option<&'r Costs> {
        self.costs.and_then(CostRule::matrix)
    }
}
