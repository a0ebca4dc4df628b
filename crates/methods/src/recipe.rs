//! What the parameters of a method must be able to do.
//!
//! A family implements [`Recipe`] for its parameters; the registry calls it by the method's name. A method that fits others
//! gets the list of methods handed in as [`Others`], and so does not import the registry that imports it.

use crate::fitted::Fitted;
use crate::memory_estimate::Estimator;
use crate::start::Start;
use imbcore_base::memory_estimate::MemoryEstimate;
use imbcore_base::{CostRule, Costs, Dataset, Error, Label, Params, Result, RunCtl, SeedKey};
use imbcore_bayes::DiscretizeSettings;
use imbcore_bayes::classifier::CodedRows;
use imbcore_boxes::{Clusterer, Pieces};
use imbcore_ensemble::committee::{Assembled, Teacher, Training};
use imbcore_tree::{Edges, Sketch};
use serde_json::{Map, Value};

/// Parameters that know how to fit their family of models.
pub(crate) trait Recipe: Params {
    /// How the method stands to others.
    const ROLE: Role = Role::Learner;

    /// Whether a fit may read few of many rows, and knows which before it reads any column.
    const DRAWS: bool = false;

    /// Memory that a fit to a table of some size needs at least.
    const MEMORY: Estimator = |_, _, _| MemoryEstimate::default();

    /// The same parameters with the defaults of the method inside filled in, where there is one.
    fn complete(self, _method: &'static str, _others: &dyn Others) -> Result<Self> {
        Ok(self)
    }

    /// The same parameters with those told that follow from the data.
    fn settled(self, _data: &Dataset<'_>) -> Self {
        self
    }

    /// Checks the parameters and fits.
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted>;

    /// Which rows of each class a fit reads, where the method [`draws`](Recipe::DRAWS).
    fn draw(self, method: &'static str, _run: Run<'_, '_>) -> Result<Vec<Vec<u32>>> {
        Err(reads_all_rows(method))
    }

    /// As [`Recipe::fit`], with the labels that the model learnt where they are not those of the data.
    fn fit_telling(self, method: &'static str, run: Run<'_, '_>) -> Result<(Fitted, Relabelled)> {
        Ok((self.fit(method, run)?, Relabelled::default()))
    }

    /// How columns become states, where the method learns from pieces of the rows.
    fn cuts_of_pieces(self, method: &'static str) -> Result<DiscretizeSettings> {
        Err(needs_rows(method))
    }

    /// Fits to rows that came in pieces.
    fn fit_pieces(self, method: &'static str, _rows: CodedRows, _run: Run<'_, '_>) -> Result<Fitted> {
        Err(needs_rows(method))
    }

    /// Into how many bins at most the method puts a column, where it reads nothing else of numbers.
    fn bins(&self, method: &'static str) -> Result<usize> {
        Err(needs_values(method))
    }

    /// The bins of columns that came in pieces; the run has the labels and weights of all rows.
    fn edges(
        self,
        method: &'static str,
        _sketches: Vec<Option<Sketch>>,
        _run: Run<'_, '_>,
    ) -> Result<Vec<Option<Edges>>> {
        Err(needs_values(method))
    }

    /// Fits to rows that come in pieces, as often as they are asked for.
    fn fit_rows(self, method: &'static str, _rows: ReadRows<'_>, _run: Run<'_, '_>) -> Result<Fitted> {
        Err(needs_rows(method))
    }

    /// Has a committee taught by someone else, where the model is one.
    fn assemble<T: Teacher>(
        self,
        method: &'static str,
        _teacher: &T,
        _training: &Training<'_, '_>,
    ) -> Result<Assembled<T::Member>> {
        Err(Error::Internal(format!("{method} is no committee, so nobody else can teach its members")))
    }
}

fn needs_rows(method: &str) -> Error {
    Error::Unsupported(format!("{method} needs all rows in memory"))
}

/// What is to be said of a method that reads more than bins.
fn needs_values(method: &str) -> Error {
    Error::Unsupported(format!("{method} reads the values of all rows at once"))
}

/// What is to be said of a method that does not know its rows beforehand.
pub(crate) fn reads_all_rows(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} learns from all rows at once, so it cannot be fitted to rows that are read by pieces; balanced_random_forest, \
         or a forest with a small max_samples, reads few of many, and every method takes a sample that fits into memory"
    ))
}

/// Rows that come in pieces, and the class code of each; of rows that others hold they know the codes.
#[derive(Clone, Copy)]
pub struct ReadRows<'a> {
    /// The rows.
    pub pieces: &'a dyn Pieces,
    /// Their classes.
    pub classes: &'a [u32],
}

/// Class of every training row that a model learnt in place of those of the data; empty where it learnt those. A model file
/// does not hold them, so models are equal whatever they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relabelled(pub(crate) Vec<u32>);

impl PartialEq for Relabelled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// How a method stands to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It learns by itself, from two classes or more.
    Learner,
    /// It fits another method to two classes at a time.
    Decomposition,
    /// It fits another method to data changed by a cost matrix, which it uses up.
    Costly,
    /// It fits another method to many bags of the rows.
    Committee,
}

/// All methods by name, for those that fit another one.
pub(crate) trait Others: Sync {
    /// All parameters of a method as it will use them, and its role.
    fn complete(&self, name: &str, given: &Map<String, Value>) -> Result<(Map<String, Value>, Role)>;

    /// Fits a method.
    fn fit(&self, name: &str, params: &Map<String, Value>, run: Run<'_, '_>) -> Result<Fitted>;
}

/// One fit of one method.
pub(crate) struct Run<'r, 'd> {
    pub(crate) data: &'r Dataset<'d>,
    /// What the class codes stand for.
    pub(crate) labels: &'r [Label],
    pub(crate) class_weight: Option<Vec<f64>>,
    /// What errors cost, where that is given and not in the weights.
    pub(crate) costs: Option<&'r CostRule>,
    pub(crate) positive: u32,
    pub(crate) key: SeedKey,
    /// Whether rows of a single class give a constant model.
    pub(crate) constant: bool,
    /// With which members the fit begins, where the model is one of many.
    pub(crate) start: Start<'r>,
    pub(crate) ctl: RunCtl<'r>,
    /// The methods that this one may fit inside.
    pub(crate) others: &'r dyn Others,
    /// What clusters rows in place of the method's own algorithm; members have none.
    pub(crate) clusterer: Option<&'r dyn Clusterer>,
}

impl<'r> Run<'r, '_> {
    /// What errors cost, where that is the same for all rows.
    pub(crate) fn matrix(&self) -> Option<&'r Costs> {
        self.costs.and_then(CostRule::matrix)
    }
}
