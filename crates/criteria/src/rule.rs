//! What a criterion is: a score of a table of class masses, prepared once a node.

use crate::track::CutTracker;
use imbcore_base::Result;

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

    /// The same branches where rows of mass `unknown` miss the value that is split on and are in no branch.
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

    /// Mass of the rows that miss the value.
    pub fn unknown(&self) -> f64 {
        self.unknown
    }
}

/// Entropy of the branch sizes in bits; the rows that miss the value count as one more branch.
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

/// Stands for the method in the errors of [`Criterion::check`], which cannot know who asks; the caller puts its
/// name there.
pub const METHOD: &str = "criterion";

/// How the winner among the columns of a node is picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The largest score.
    Score,
    /// Quinlan's rule for C4.5; the score is the information gain in bits.
    ///
    /// A numeric cut pays `log2(number of feasible cuts) / n` when `penalty` is set. With `average` set only
    /// columns whose gain reaches the mean gain (less 1e-3) compete. Of those the largest ratio of gain and
    /// split information wins.
    Ratio {
        /// Charge numeric columns for their choice of cuts.
        penalty: bool,
        /// Admit columns of at least average gain only.
        average: bool,
    },
}

/// What a criterion may know of the data when its parameters are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Number of classes.
    pub n_classes: usize,
    /// Whether splits with more than two branches can occur.
    pub multiway: bool,
}

/// A split criterion with its parameters.
///
/// Laws: the score of a split whose branches all have the class shares of the node is 0; relabelling classes
/// or reordering branches changes no score; branches without mass do not count, and classes without mass only where
/// the criterion has a reference law, which gives them a share too.
pub trait Criterion: Send + Sync + 'static {
    /// Scorer of one node.
    type Node: NodeScorer;

    /// Does the work that all splits of a node share; `totals` is the mass of each class.
    fn at_node(&self, totals: &[f64]) -> Self::Node;

    /// How the winner among columns is picked.
    fn choice(&self) -> Choice {
        Choice::Score
    }

    /// Whether every score is that of a bipartition of the classes, which [`NodeScorer::group`] tells.
    fn has_groups(&self) -> bool {
        false
    }

    /// Whether classes without mass count, so that a node must name them too.
    fn needs_all_classes(&self) -> bool {
        false
    }

    /// What a score counts in the whole tree: `weight x score` is the fall that a split brings to the sum over leaves
    /// of what the criterion measures, for scores that are falls of a mean over rows the mass of the node.
    ///
    /// `totals` is the mass of each class at the node, and `group` what [`NodeScorer::group`] told of the split.
    fn weight(&self, totals: &[f64], _group: &[u32]) -> f64 {
        mass(totals)
    }

    /// Whether the parameters are in their domain and fit the data.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Parameter`].
    fn check(&self, _facts: Facts) -> Result<()> {
        Ok(())
    }
}

/// Scores the splits of one node.
pub trait NodeScorer: 'static {
    /// Score of one split: larger is better, finite, at least 0.
    ///
    /// The branches' masses must add up to the totals that the node was prepared with.
    fn score(&mut self, branches: Branches<'_>) -> f64;

    /// Scores of cuts while rows pass from one side to the other, if the criterion has any that are quicker than tables.
    /// `rows` are those of each class, if rows of a class weigh the same.
    fn tracker(&self, _rows: Option<&[u32]>) -> Option<CutTracker> {
        None
    }

    /// Of a criterion that compares two groups of classes: the group, as of the last score, without the lowest
    /// class that has mass; ascending. Others answer nothing.
    fn group(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// Mass of a branch.
#[inline]
pub(crate) fn mass(branch: &[f64]) -> f64 {
    branch.iter().sum()
}
