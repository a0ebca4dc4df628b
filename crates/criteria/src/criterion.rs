//! Interface of split criteria, which score tables of class masses.
//!
//! Computations that all splits of a node share are made once per node.

use crate::threshold_scorer::ThresholdScorer;
pub(crate) use crate::threshold_scorer::{branch_mass, entropy_of_parts};
use imbcore_core::Result;
use std::f64::consts::LN_2;

/// Class masses of the branches of one candidate split.
#[derive(Clone, Copy, Debug)]
pub struct BranchMasses<'a> {
    table: &'a [f64],
    n_classes: usize,
    unknown: f64,
}

impl<'a> BranchMasses<'a> {
    /// Branches with the class masses `table[branch * n_classes + class]`.
    pub fn new(table: &'a [f64], n_classes: usize) -> Self {
        Self { table, n_classes, unknown: 0.0 }
    }

    /// Sets `unknown` as the mass of the rows that have no value of the split feature.
    ///
    /// These rows are in no branch.
    #[must_use]
    pub fn with_missing_mass(self, unknown: f64) -> Self {
        Self { unknown, ..self }
    }

    #[inline]
    pub(crate) fn iter_branches(&self) -> std::slice::ChunksExact<'a, f64> {
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
    pub fn class_masses(&self, branch: usize) -> &'a [f64] {
        &self.table[branch * self.n_classes..(branch + 1) * self.n_classes]
    }

    pub(crate) fn missing_mass(&self) -> f64 {
        self.unknown
    }
}

/// Split information: the entropy of the distribution of the mass over the branches, in bits.
///
/// Rows in which the split feature is missing count as an additional branch.
pub fn split_info(branches: BranchMasses<'_>) -> f64 {
    entropy_of_parts(branches.iter_branches().map(branch_mass).chain([branches.missing_mass()])) / LN_2
}

/// Placeholder for the method name in errors of [`Criterion::check`]; the caller replaces it.
pub const METHOD: &str = "criterion";

/// Rule that selects the best column of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnSelectionRule {
    /// The largest score.
    Score,
    /// Quinlan's rule for C4.5: the largest gain ratio.
    ///
    /// The score must be the information gain in bits.
    Ratio {
        /// Whether `log2(number of feasible thresholds) / n` is subtracted from numeric gains.
        ///
        /// `n` is the number of rows.
        penalty: bool,
        /// Whether only columns whose gain is at least the mean gain minus 1e-3 can be selected.
        average: bool,
    },
}

/// Properties of the data that limit the parameters of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataProperties {
    /// Number of classes.
    pub n_classes: usize,
    /// Whether splits with more than two branches can occur.
    pub multiway: bool,
}

/// A split criterion with its parameters.
///
/// Invariants: the score of a split whose branches all have the class proportions of the node is 0.
/// Reordering branches changes no score. Relabeling classes changes no score either, if a given reference
/// distribution is relabeled too. Branches without mass are ignored. Classes without mass are ignored too,
/// unless the criterion has a reference distribution, which may give them a proportion.
pub trait Criterion: Send + Sync + 'static {
    /// Scorer of the splits of one node.
    type Node: NodeScorer;

    /// Prepares the computations shared by all splits of a node.
    ///
    /// `totals` is the mass of each class.
    fn node_scorer(&self, totals: &[f64]) -> Self::Node;

    /// Rule that selects the best column.
    fn column_selection_rule(&self) -> ColumnSelectionRule {
        ColumnSelectionRule::Score
    }

    /// Whether the score of a split compares two groups of classes, chosen for this split.
    ///
    /// [`NodeScorer::last_split_class_group`] returns one of the two groups.
    fn compares_two_class_groups(&self) -> bool {
        false
    }

    /// Whether classes without mass affect scores.
    ///
    /// If so, the class masses given to [`Criterion::node_scorer`] must include the zeros of these classes.
    fn depends_on_absent_classes(&self) -> bool {
        false
    }

    /// Weight that makes the scores of different nodes of a tree comparable.
    ///
    /// A split decreases the sum of the impurities of all leaves in proportion to `weight x score`. If the
    /// score is the decrease of a mean impurity of the rows, the weight is the mass of the node. `totals` is
    /// the mass of each class at the node, and `group` is the result of
    /// [`NodeScorer::last_split_class_group`] for the split.
    fn node_comparison_weight(&self, totals: &[f64], _group: &[u32]) -> f64 {
        branch_mass(totals)
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
    /// The class masses of the branches must sum to the `totals` given to [`Criterion::node_scorer`].
    fn score(&mut self, branches: BranchMasses<'_>) -> f64;

    /// Creates a scorer that updates its score from each threshold of a column to the next.
    ///
    /// Returns `None` if the criterion has no such scorer. The argument is the number of rows of each class,
    /// or `None` if rows of the same class differ in weight.
    fn threshold_scorer(&self, _rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        None
    }

    /// Group of classes that the last scored split separates from the other classes.
    ///
    /// Of the two groups, the group that does not contain the lowest class with mass is returned. Its classes
    /// are ascending. The result is empty if the criterion does not compare groups.
    fn last_split_class_group(&self) -> Vec<u32> {
        Vec::new()
    }
}
