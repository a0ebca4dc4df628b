//! Children of a split: their class sums, and their rows after the node is partitioned.

use crate::bits;
use crate::params::MissingRule;
use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::{FlaggedRow, TrainColumn, row_of_entry};
use crate::rows::training::TreeSample;
use crate::rows::weighting::AnyWeighting;
use crate::settings::{RowLayout, Settings};
use crate::split::monotone::MonotoneBounds;
use crate::split::split_candidate::{ColumnSplit, NodeSplit, level_ranges};
use crate::tree::TreeSplit;
use std::ops::Range;

pub(crate) struct SplitPlan {
    runs: Vec<(Range<usize>, usize)>,
    pub(crate) n_known: usize,
    /// Branch of missing values; `None` if they go to all branches in fractions.
    pub(crate) missing_branch: Option<usize>,
    /// For each child, the fraction of a row with a missing value that goes to this child.
    pub(crate) shares: Vec<f64>,
    pub(crate) sums: Vec<ClassSums>,
    /// Whether the rows of each child are already in the order that the child's node needs.
    ///
    /// In this order, the rows of the most frequent class come before all other rows.
    pub(crate) in_place: bool,
}

impl SplitPlan {
    /// `order` must contain the rows of the node, grouped by the branches of `split`.
    pub(crate) fn new(
        training: &TreeSample<'_>,
        settings: &Settings,
        weights: AnyWeighting<'_>,
        split: &NodeSplit,
        order: &[FlaggedRow],
    ) -> Self {
        let values = &training.table.columns[split.column];
        let n_known = order.partition_point(|&entry| !values.is_missing(row_of_entry(entry)));
        let codes: &[u32] = match values {
            TrainColumn::Nominal { codes, .. } => codes,
            TrainColumn::Numeric(_) => &[],
        };
        let runs = split.branch_ranges(n_known, level_ranges(codes, &order[..n_known]));
        let add = |sums: &mut ClassSums, run: Range<usize>| weights.add_entries(training, sums, &order[run]);
        let mut plan = Self::from_known_rows(training, settings, weights, split, runs, n_known, add);
        let by_value = matches!(split.found, ColumnSplit::ValueAtMost { .. });
        plan.in_place = by_value && settings.layout == RowLayout::Ranked && n_known == order.len();
        if n_known < order.len() {
            let missing = &order[n_known..];
            if let Some(branch) = plan.missing_branch {
                weights.add_entries(training, &mut plan.sums[branch], missing);
                weights.compute_masses(&mut plan.sums[branch]);
            } else {
                add_missing_fractions(training, weights, &mut plan.sums, &plan.shares, missing);
            }
        }
        plan
    }

    /// The closure `add` adds the rows in a range of positions to the class sums of a child.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn from_known_rows(
        training: &TreeSample<'_>,
        settings: &Settings,
        weights: AnyWeighting<'_>,
        split: &NodeSplit,
        runs: Vec<(Range<usize>, usize)>,
        n_known: usize,
        add: impl Fn(&mut ClassSums, Range<usize>),
    ) -> Self {
        let mut sums = vec![ClassSums::zero(training.n_classes()); split.n_branches()];
        for (run, branch) in &runs {
            add(&mut sums[*branch], run.clone());
        }
        for sums in &mut sums {
            weights.compute_masses(sums);
        }
        let mass: Vec<f64> = sums.iter().map(ClassSums::total_mass).collect();
        let fraction = settings.missing == MissingRule::Fraction;
        let missing_branch = (!fraction)
            .then(|| split.missing_branch.map_or_else(|| largest_branch(&sums), |branch| branch as usize));
        let known: f64 = mass.iter().sum();
        let shares: Vec<f64> = mass.iter().map(|&part| part / known).collect();
        Self { runs, n_known, missing_branch, shares, sums, in_place: false }
    }

    pub(crate) fn missing_branch_at_prediction(&self) -> usize {
        self.missing_branch.unwrap_or_else(|| largest_branch(&self.sums))
    }

    pub(crate) fn child_constraints<'s>(
        &self,
        guard: MonotoneBounds<'s>,
        split: &NodeSplit,
        parent: &ClassSums,
    ) -> Option<Vec<MonotoneBounds<'s>>> {
        child_constraints(guard, split, parent, self.sums.iter())
    }

    /// Stored levels of the left child; empty if the split is not by a set of levels.
    ///
    /// The closure `level_at` returns the level at a position. Levels absent from the node go to the child
    /// with more rows, or to the right child in ties.
    pub(crate) fn left_level_set(
        &self,
        split: &NodeSplit,
        training: &TreeSample<'_>,
        level_at: impl Fn(usize) -> u32,
    ) -> Vec<u32> {
        let (ColumnSplit::InLevels(left), TrainColumn::Nominal { levels, .. }) =
            (&split.found, &training.table.columns[split.column])
        else {
            return Vec::new();
        };
        if largest_branch(&self.sums) == 1 {
            return bits::encode_set_for_storage(left.iter().copied(), *levels);
        }
        let right =
            self.known_branch_ranges().filter(|&(_, branch)| branch == 1).map(|(run, _)| level_at(run.start));
        let mut set = bits::encode_set_for_storage(right, *levels);
        bits::complement(&mut set[1..], *levels);
        set
    }

    pub(crate) fn known_branch_ranges(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        self.runs.iter().cloned()
    }

    /// Ranges of positions with their branches; `n` is the number of positions.
    ///
    /// The last range has the rows with missing values. It is left out if rows with missing values go to all
    /// branches in fractions.
    pub(crate) fn all_branch_ranges(&self, n: usize) -> impl Iterator<Item = (Range<usize>, usize)> {
        let missing = self.missing_branch.map(|branch| (self.n_known..n, branch));
        self.known_branch_ranges().chain(missing)
    }
}

/// Returns the branch with the most rows, or the last such branch in ties.
/// As in scikit-learn, rows are counted without their weights.
fn largest_branch(sums: &[ClassSums]) -> usize {
    let sizes = sums.iter().map(ClassSums::n_rows).enumerate();
    sizes.max_by_key(|&(_, size)| size).map_or(0, |(branch, _)| branch)
}

fn add_missing_fractions(
    training: &TreeSample<'_>,
    weights: AnyWeighting<'_>,
    sums: &mut [ClassSums],
    shares: &[f64],
    missing: &[FlaggedRow],
) {
    let mut unknown = ClassSums::zero(training.n_classes());
    weights.add_entries(training, &mut unknown, missing);
    weights.compute_masses(&mut unknown);
    for (child, &share) in sums.iter_mut().zip(shares).filter(|&(_, &share)| share > 0.0) {
        for class in 0..training.n_classes() {
            child.rows[class] += unknown.rows[class];
            child.mass[class] += unknown.mass[class] * share;
        }
    }
}

pub(crate) struct ChildRows<R> {
    pub(crate) rows: R,
    pub(crate) sums: ClassSums,
}

pub(crate) struct PartitionedNode<R> {
    pub(crate) cut: TreeSplit,
    pub(crate) set: Vec<u32>,
    pub(crate) missing_child: usize,
    pub(crate) children: Vec<ChildRows<R>>,
}

impl<R> PartitionedNode<R> {
    pub(crate) fn child_constraints<'s>(
        &self,
        guard: MonotoneBounds<'s>,
        split: &NodeSplit,
        parent: &ClassSums,
    ) -> Option<Vec<MonotoneBounds<'s>>> {
        child_constraints(guard, split, parent, self.children.iter().map(|child| &child.sums))
    }

    pub(crate) fn map_rows<S>(self, form: impl Fn(R) -> S) -> PartitionedNode<S> {
        let Self { cut, set, missing_child, children } = self;
        let child = |ChildRows { rows, sums }: ChildRows<R>| ChildRows { rows: form(rows), sums };
        PartitionedNode { cut, set, missing_child, children: children.into_iter().map(child).collect() }
    }
}

fn child_constraints<'s, 'c>(
    guard: MonotoneBounds<'s>,
    split: &NodeSplit,
    parent: &ClassSums,
    children: impl Iterator<Item = &'c ClassSums>,
) -> Option<Vec<MonotoneBounds<'s>>> {
    let mass = |sums: &ClassSums| if sums.n_rows() == 0 { parent.mass.clone() } else { sums.mass.clone() };
    let masses: Vec<Vec<f64>> = children.map(mass).collect();
    let masses: Vec<&[f64]> = masses.iter().map(Vec::as_slice).collect();
    guard.child_bounds(split.column, split.found.is_numeric(), &masses)
}
