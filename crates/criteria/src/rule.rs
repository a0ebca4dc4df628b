//! Split criterion: a score of a table of class masses, prepared once per node.

use crate::track::CutTracker;
pub(crate) use crate::track::mass;
use imbcore_core::Result;

/// Class masses of the branches of one candidate split.
#[derive(Clone, Copy, Debug)]
pub struct Branches<'a> {
    table: &'a [f64],
    n_classes: usize,
    unknown: f64,
}

impl<'a> Branches<'a> {
    /// A branch-major table: `table[branch * n_classes + class]`.
    pub fn new(table: &'a [f64], n_classes: usize) -> Self {
        Self { table, n_classes, unknown: 0.0 }
    }

    /// The same branches, with additional rows of mass `unknown` that are in no branch.
    ///
    /// The split feature is missing in these rows.
    #[must_use]
    pub fn with_unknown(self, unknown: f64) -> Self {
        Self { unknown, ..self }
    }

    /// The branches in order, each as its class masses.
    #[inline]
    pub fn each(&self) -> std::slice::ChunksExact<'a, f64> {
        self.table.chunks_exact(self.n_classes)
    }

    /// Number of branches.
    pub fn len(&self) -> usize {
        self.table.len() / self.n_classes
    }

    /// Whether there are no branches.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Class masses of one branch.
    #[inline]
    pub fn branch(&self, branch: usize) -> &'a [f64] {
        &self.table[branch * self.n_classes..(branch + 1) * self.n_classes]
    }

    /// Mass of the rows with a missing value.
    pub fn unknown(&self) -> f64 {
        self.unknown
    }
}

/// Entropy of the branch sizes in bits.
///
/// Rows with a missing value count as an additional branch.
pub fn split_info(branches: Branches<'_>) -> f64 {
    let known: f64 = branches.each().map(mass).sum();
    let total = known + branches.unknown();
    branches
        .each()
        .map(mass)
        .chain([branches.unknown()])
        .filter(|&part| part > 0.0)
        .map(|part| -(part / total) * (part / total).log2())
        .sum()
}

/// Placeholder for the method name in errors of [`Criterion::check`]; the caller replaces it.
pub const METHOD: &str = "criterion";

/// Rule that selects the best column of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionRule {
    /// The largest score.
    Score,
    /// Quinlan's rule for C4.5; the score is the information gain in bits.
    ///
    /// If `penalty` is set, a numeric split is penalized by `log2(number of feasible thresholds) / n`. If
    /// `average` is set, only columns whose gain reaches the mean gain (minus 1e-3) compete. Among these the
    /// largest gain ratio wins.
    Ratio {
        /// Whether numeric columns are penalized for their number of thresholds.
        penalty: bool,
        /// Whether only columns whose gain is at least the mean gain can be selected.
        average: bool,
    },
}

/// Properties of the data for checking a criterion's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataProperties {
    /// Number of classes.
    pub n_classes: usize,
    /// Whether splits with more than two branches can occur.
    pub multiway: bool,
}

/// A split criterion with its parameters.
///
/// Invariants: the score of a split whose branches all have the class proportions of the node is 0. Relabeling
/// classes or reordering branches changes no score. Branches without mass are ignored. Classes without mass are
/// ignored too, unless the criterion has a reference distribution, which may give them a proportion.
pub trait Criterion: Send + Sync + 'static {
    /// Scorer of one node.
    type Node: NodeScorer;

    /// Prepares the computations shared by all splits of a node.
    ///
    /// `totals` is the mass of each class.
    fn at_node(&self, totals: &[f64]) -> Self::Node;

    /// Rule that selects the best column.
    fn choice(&self) -> SelectionRule {
        SelectionRule::Score
    }

    /// Whether every score belongs to a bipartition of the classes.
    ///
    /// [`NodeScorer::group`] returns it.
    fn has_groups(&self) -> bool {
        false
    }

    /// Whether classes without mass affect scores; the totals of a node must then include them.
    fn needs_all_classes(&self) -> bool {
        false
    }

    /// Weight of a score within the whole tree.
    ///
    /// `weight x score` is the decrease, by a split, of the criterion's sum over leaves. If the score is the
    /// decrease of a mean over rows, the weight is the mass of the node. `totals` is the mass of each class
    /// at the node, and `group` the result of [`NodeScorer::group`] for the split.
    fn weight(&self, totals: &[f64], _group: &[u32]) -> f64 {
        mass(totals)
    }

    /// Checks that the parameters are in their ranges and fit the data.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Parameter`].
    fn check(&self, _facts: DataProperties) -> Result<()> {
        Ok(())
    }
}

/// Scorer of the splits of one node.
pub trait NodeScorer: 'static {
    /// Score of one split: larger is better, finite, at least 0.
    ///
    /// The masses of the branches must sum to the totals given when the node was prepared.
    fn score(&mut self, branches: Branches<'_>) -> f64;

    /// Incremental scores of the thresholds of a column, if the criterion has these; else `None`.
    /// `rows` are the numbers of rows of each class, if all rows of a class have the same weight.
    fn tracker(&self, _rows: Option<&[u32]>) -> Option<CutTracker> {
        None
    }

    /// Group of classes that the last score separates from the others.
    ///
    /// It is the side without the lowest class that has mass; its classes are ascending. It is empty if the criterion
    /// does not compare groups.
    fn group(&self) -> Vec<u32> {
        Vec::new()
    }
}
