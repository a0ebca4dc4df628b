//! Rows of a node in exact growth, and their partition among its children.
//!
//! A tree uses one of three layouts:
//! - Presorted: rows are sorted once by every column and partitioned stably at every split.
//! - Listed: each row of a node is stored with a weight, so that a row may be split into fractions.
//! - Ranked: rows are in ascending order of their row numbers; a node sorts them by the ranks of a column
//!   only if needed.

use crate::binned::RowMajorBins;
use crate::grow::growth_scratch::GrowthScratch;
use crate::rows::partition::{partition_in_place, partition_into_branches};
use crate::rows::presort::entries_sorted_by_column;
use crate::rows::rank_table::FrequentAndRareRows;
use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::rows::training::TreeSample;
use crate::settings::PARALLEL_WORK;
use crate::split::search::{ColumnRows, NodeColumns, SplitSearchInputs};
use crate::split::split_candidate::{ColumnSplit, NodeSplit};
use crate::split::split_plan::{ChildRows, SplitPlan};
use imbcore_core::{Result, RunContext, parallel};
use rayon::prelude::*;
use std::borrow::Cow;

pub(crate) enum TrainingLayout<'b> {
    /// Rows of the tree sorted by every column; empty if nodes sort their rows themselves.
    Sorted(Vec<Vec<FlaggedRow>>),
    Binned(&'b RowMajorBins<'b>),
}

pub(crate) enum NodeRows<'o> {
    /// One list of the node's rows for every column, sorted by this column.
    Presorted(Vec<&'o mut [FlaggedRow]>),
    /// Ascending rows with their weights at this node, which may be fractions.
    Listed { entries: Vec<FlaggedRow>, weights: Vec<f64> },
    /// Ascending rows, which are sorted by the ranks of a column if needed.
    Ranked(FrequentAndRareRows<'o>),
}

impl NodeRows<'_> {
    pub(crate) fn rows_sorted_by_column(
        &self,
        training: &TreeSample<'_>,
        column: usize,
        ctl: RunContext<'_>,
    ) -> Result<Cow<'_, [FlaggedRow]>> {
        Ok(match self {
            Self::Presorted(orders) => Cow::Borrowed(&*orders[column]),
            Self::Listed { entries, .. } => {
                Cow::Owned(entries_sorted_by_column(entries, &training.table.columns[column], ctl)?)
            }
            Self::Ranked(rows) => Cow::Owned(match training.table.ranks.column_ranks(column) {
                [] => entries_sorted_by_column(&rows.all_entries(), &training.table.columns[column], ctl)?,
                ranks => rows.rows_sorted_by_rank(ranks, ctl)?,
            }),
        })
    }

    /// Returns the node's rows in an order in which the rows of a branch form contiguous ranges.
    pub(crate) fn rows_grouped_by_branch(
        &self,
        training: &TreeSample<'_>,
        split: &mut NodeSplit,
        ctl: RunContext<'_>,
    ) -> Result<Vec<FlaggedRow>> {
        match (self, &split.found) {
            (Self::Ranked(rows), &ColumnSplit::RankBelow(bound)) => {
                let (order, n_left) =
                    rows.partition_by_rank(training.table.ranks.column_ranks(split.column), bound);
                split.found = ColumnSplit::FirstPositions(n_left);
                Ok(order)
            }
            (Self::Ranked(rows), &ColumnSplit::ValueAtMost { bound, n_left }) => {
                Ok(rows.partition_by_value(training.table.numeric_values(split.column), bound, n_left))
            }
            // Without ranks, the rows are not sorted by value, because only the rows with missing values must
            // be separated.
            (Self::Ranked(rows), ColumnSplit::Known)
                if training.table.is_numeric(split.column)
                    && training.table.ranks.column_ranks(split.column).is_empty() =>
            {
                let values = training.table.numeric_values(split.column);
                Ok(rows.partition_by_value(values, f64::INFINITY, 0))
            }
            _ => Ok(self.rows_sorted_by_column(training, split.column, ctl)?.into_owned()),
        }
    }

    /// `wanted` has one flag per child; rows of a child that is not wanted may be left out.
    pub(crate) fn partition(
        self,
        plan: SplitPlan,
        training: &TreeSample<'_>,
        order: &[FlaggedRow],
        wanted: &[bool],
        scratch: &mut GrowthScratch,
        ctl: RunContext<'_>,
    ) -> Vec<ChildRows<Self>> {
        let parts = match self {
            NodeRows::Presorted(orders) => {
                if plan.sums.len() == 2 {
                    mark_right_rows(&plan, order, scratch);
                    let sizes = [plan.sums[0].n_rows() as usize, plan.sums[1].n_rows() as usize];
                    partition_binary(orders, &scratch.right, sizes, [wanted[0], wanted[1]], ctl)
                } else {
                    mark_branch_of_rows(&plan, training, order, scratch);
                    let sizes: Vec<usize> = plan.sums.iter().map(|sums| sums.n_rows() as usize).collect();
                    partition_multiway(orders, &scratch.branch, &sizes)
                }
            }
            NodeRows::Ranked(rows) => {
                let frequent: Vec<usize> =
                    plan.sums.iter().map(|sums| training.n_frequent_class_rows(sums) as usize).collect();
                let rare: Vec<usize> =
                    plan.sums.iter().zip(&frequent).map(|(sums, n)| sums.n_rows() as usize - n).collect();
                if plan.in_place {
                    let n_left = plan.sums[0].n_rows() as usize;
                    let (left, right) = order.split_at(n_left);
                    let (frequent_left, rare_left) = left.split_at(frequent[0]);
                    let (frequent_right, rare_right) = right.split_at(frequent[1]);
                    let frequent = copy_branches_into_list(rows.frequent, [frequent_left, frequent_right]);
                    combine_rank_lists(frequent, copy_branches_into_list(rows.rare, [rare_left, rare_right]))
                } else if plan.sums.len() == 2 {
                    mark_right_rows(&plan, order, scratch);
                    let wanted = [wanted[0], wanted[1]];
                    let GrowthScratch { right, spare, .. } = scratch;
                    let frequent =
                        partition_in_place(spare, rows.frequent, right, [frequent[0], frequent[1]], wanted);
                    let rare = partition_in_place(spare, rows.rare, right, [rare[0], rare[1]], wanted);
                    combine_rank_lists([frequent.0, frequent.1], [rare.0, rare.1])
                } else {
                    mark_branch_of_rows(&plan, training, order, scratch);
                    let branch = |row: usize| scratch.branch[row] as usize;
                    let frequent = partition_into_branches(rows.frequent, branch, &frequent);
                    combine_rank_lists(frequent, partition_into_branches(rows.rare, branch, &rare))
                }
            }
            NodeRows::Listed { entries, weights } => {
                mark_branch_of_rows(&plan, training, order, scratch);
                partition_fractional_rows(&plan, &entries, &weights, &scratch.branch)
            }
        };
        plan.sums.into_iter().zip(parts).map(|(sums, rows)| ChildRows { rows, sums }).collect()
    }
}

/// Marker of a row that is split into fractions among the branches.
const EVERY_BRANCH: u32 = u32::MAX;

fn mark_right_rows(plan: &SplitPlan, order: &[FlaggedRow], scratch: &mut GrowthScratch) {
    for (run, branch) in plan.all_branch_ranges(order.len()) {
        for &entry in &order[run] {
            let (word, bit) = (row_of_entry(entry) / 64, row_of_entry(entry) % 64);
            if branch == 1 {
                scratch.right[word] |= 1 << bit;
            } else {
                scratch.right[word] &= !(1 << bit);
            }
        }
    }
}

fn mark_branch_of_rows(
    plan: &SplitPlan,
    training: &TreeSample<'_>,
    order: &[FlaggedRow],
    scratch: &mut GrowthScratch,
) {
    scratch.branch.resize(training.table.classes.len(), 0);
    for &entry in &order[plan.n_known..] {
        scratch.branch[row_of_entry(entry)] = EVERY_BRANCH;
    }
    for (run, branch) in plan.all_branch_ranges(order.len()) {
        for &entry in &order[run] {
            scratch.branch[row_of_entry(entry)] = branch as u32;
        }
    }
}

fn partition_fractional_rows<'o>(
    plan: &SplitPlan,
    entries: &[FlaggedRow],
    weights: &[f64],
    branch: &[u32],
) -> Vec<NodeRows<'o>> {
    (0..plan.sums.len())
        .map(|child| {
            let mut list = Vec::with_capacity(plan.sums[child].n_rows() as usize);
            let mut kept = Vec::with_capacity(list.capacity());
            for (&entry, &weight) in entries.iter().zip(weights) {
                let share = match branch[row_of_entry(entry)] {
                    EVERY_BRANCH => plan.shares[child],
                    branch if branch as usize == child => 1.0,
                    _ => 0.0,
                };
                if share > 0.0 {
                    list.push(entry);
                    kept.push(weight * share);
                }
            }
            NodeRows::Listed { entries: list, weights: kept }
        })
        .collect()
}

impl NodeColumns for NodeRows<'_> {
    fn rows_for_column_scan(
        &self,
        search: &SplitSearchInputs<'_>,
        column: usize,
        can_count: bool,
    ) -> Result<ColumnRows<'_>> {
        let by_value = search.settings.splitter.is_random() && search.training.table.is_numeric(column);
        Ok(match self {
            Self::Ranked(rows) if by_value => ColumnRows::Unordered([&*rows.frequent, &*rows.rare]),
            Self::Listed { entries, .. } if by_value => ColumnRows::Unordered([entries, &[]]),
            Self::Ranked(rows) if can_count => ColumnRows::Ranked(rows),
            _ => ColumnRows::Sorted(self.rows_sorted_by_column(search.training, column, search.ctl)?),
        })
    }
}

fn partition_binary<'o>(
    orders: Vec<&'o mut [FlaggedRow]>,
    right: &[u64],
    sizes: [usize; 2],
    wanted: [bool; 2],
    ctl: RunContext<'_>,
) -> Vec<NodeRows<'o>> {
    let work = orders.len() * (sizes[0] + sizes[1]);
    let divide = |spare: &mut Vec<FlaggedRow>, order: &'o mut [FlaggedRow]| {
        partition_in_place(spare, order, right, sizes, wanted)
    };
    let (lefts, rights): (Vec<_>, Vec<_>) = if work >= ctl.task_size(PARALLEL_WORK) {
        orders.into_par_iter().map_init(Vec::new, divide).unzip()
    } else {
        let mut spare = Vec::new();
        orders.into_iter().map(|order| divide(&mut spare, order)).unzip()
    };
    vec![NodeRows::Presorted(lefts), NodeRows::Presorted(rights)]
}

fn copy_branches_into_list<'o>(
    list: &'o mut [FlaggedRow],
    [first, second]: [&[FlaggedRow]; 2],
) -> [&'o mut [FlaggedRow]; 2] {
    let (left, right) = list.split_at_mut(first.len());
    left.copy_from_slice(first);
    right.copy_from_slice(second);
    [left, right]
}

fn combine_rank_lists<'o>(
    frequent: impl IntoIterator<Item = &'o mut [FlaggedRow]>,
    rare: impl IntoIterator<Item = &'o mut [FlaggedRow]>,
) -> Vec<NodeRows<'o>> {
    let branch = |(frequent, rare)| NodeRows::Ranked(FrequentAndRareRows { frequent, rare });
    frequent.into_iter().zip(rare).map(branch).collect()
}

fn partition_multiway<'o>(
    orders: Vec<&'o mut [FlaggedRow]>,
    branch: &[u32],
    sizes: &[usize],
) -> Vec<NodeRows<'o>> {
    let divide =
        |order: &'o mut [FlaggedRow]| partition_into_branches(order, |row| branch[row] as usize, sizes);
    let by_column = parallel::map(orders, divide);
    let mut by_branch: Vec<Vec<&'o mut [FlaggedRow]>> =
        sizes.iter().map(|_| Vec::with_capacity(by_column.len())).collect();
    for parts in by_column {
        for (child, part) in by_branch.iter_mut().zip(parts) {
            child.push(part);
        }
    }
    by_branch.into_iter().map(NodeRows::Presorted).collect()
}
