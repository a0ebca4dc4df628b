//! Rows of a node in histogram-based growth: counting and partitioning.

use crate::binned::bin_branches::{BinBranches, partition_rows_by_bin};
use crate::binned::by_rows::{RowMajorBins, RowMajorColumn};
use crate::binned::class_histogram::{ClassHistogram, TOGETHER, fill_column_histograms};
use crate::grow::growth_scratch::GrowthScratch;
use crate::rows::class_sums::ClassSums;
use crate::rows::rank_table::FrequentAndRareRows;
use crate::rows::train_column::{FlaggedRow, RARE};
use crate::rows::training::{RowWeights, TreeSample};
use crate::settings::PARALLEL_WORK;
use crate::settings::SplitFeature;
use crate::split::search::{ColumnRows, NodeColumns, SplitFinder, SplitSearchInputs};
use crate::split::split_candidate::ColumnSplit;
use crate::split::split_candidate::NodeSplit;
use crate::split::split_plan::{ChildRows, PartitionedNode, SplitPlan};
use crate::tree::TreeSplit;
use imbcore_core::{Result, RunContext};
use rayon::prelude::*;
use std::ops::Range;

/// Minimum difference of two children's row counts for which histogram subtraction pays off.
///
/// Subtracting one histogram costs about as much as counting this number of rows.
const WORTH_SUBTRACTING: usize = 512;

/// Minimum number of rows per histogram cell for which children inherit histograms.
///
/// A histogram has one cell per bin and class. Histograms of nodes with fewer rows would use more memory than
/// the saved time justifies.
const ROWS_A_KEPT_CELL: usize = 8;

/// A row that was drawn several times has only one entry in the list of rows.
pub(crate) struct BinnedRows<'o> {
    bins: &'o RowMajorBins<'o>,
    entries: &'o mut [FlaggedRow],
    /// Buffer for growth without bins; empty if all nodes use bins.
    ///
    /// A row that was drawn several times is listed several times.
    room: &'o mut [FlaggedRow],
    /// Indices of the columns for which the node has a histogram, ascending.
    ///
    /// `tables` contains the histogram of each of these columns.
    columns: Vec<u32>,
    tables: Vec<ClassHistogram>,
}

impl<'o> BinnedRows<'o> {
    /// `room` must have one entry per draw if nodes may switch to growth without bins.
    pub(crate) fn for_root(
        bins: &'o RowMajorBins<'o>,
        entries: &'o mut [FlaggedRow],
        room: &'o mut [FlaggedRow],
    ) -> Self {
        Self { bins, entries, room, columns: Vec::new(), tables: Vec::new() }
    }

    /// The class codes in derived histograms are those of the parent.
    pub(crate) fn has_histograms(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Converts the rows for growth without bins; rows drawn several times are repeated.
    pub(crate) fn into_exact_growth_rows(
        self,
        training: &TreeSample<'_>,
        scratch: &mut GrowthScratch,
    ) -> FrequentAndRareRows<'o> {
        let Self { entries, room, mut tables, .. } = self;
        scratch.tables.append(&mut tables);
        let (mut end, mut n_frequent) = (0, 0);
        for rare in [false, true] {
            n_frequent = end;
            for &entry in entries.iter().filter(|&&entry| (entry & RARE != 0) == rare) {
                let copies = training.n_copies(entry) as usize;
                room[end..end + copies].fill(entry);
                end += copies;
            }
        }
        let (frequent, rest) = room.split_at_mut(n_frequent);
        FrequentAndRareRows { frequent, rare: &mut rest[..end - n_frequent] }
    }

    /// Finds the best split on the drawn features.
    ///
    /// Afterwards, the node has only the histograms that are needed to partition its rows or to derive the
    /// histograms of its children.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn find_split(
        &mut self,
        finder: &dyn SplitFinder,
        search: SplitSearchInputs<'_>,
        drawn: &[SplitFeature],
        scratch: &mut GrowthScratch,
    ) -> Result<Option<NodeSplit>> {
        let mut drawn_columns: Vec<u32> = drawn.iter().map(|feature| feature.column).collect();
        drawn_columns.sort_unstable();
        // A nominal column may be drawn several times, because each of its dummy features may be drawn.
        drawn_columns.dedup();
        if self.columns != drawn_columns {
            scratch.tables.append(&mut self.tables);
            self.tables = take_spare_histograms(drawn_columns.len(), scratch);
            self.columns = drawn_columns;
            self.fill_histograms(search.training, search.ctl)?;
        }
        let split = finder.find_split(search, drawn, self)?;
        let winner = split.as_ref().map(|split| split.column);
        let n_cells: usize = self.tables.iter().map(ClassHistogram::n_cells).sum();
        let many = self.entries.len() * self.tables.len() >= ROWS_A_KEPT_CELL * n_cells;
        if !(winner.is_some() && many && self.can_inherit_histograms(search.training)) {
            let winner = winner.map(|column| {
                (column as u32, self.tables.swap_remove(histogram_position(&self.columns, column)))
            });
            scratch.tables.append(&mut self.tables);
            (self.columns, self.tables) = winner.into_iter().unzip();
        }
        Ok(split)
    }

    /// Whether children can inherit histograms from this node.
    ///
    /// This requires histograms of all columns, and masses that are row counts times class weights.
    /// Otherwise, the subtraction of histograms would not be exact.
    fn can_inherit_histograms(&self, training: &TreeSample<'_>) -> bool {
        let all = self.columns.len() == self.bins.columns.len();
        all && matches!(training.table.weighing, RowWeights::ByClass(_))
    }

    fn fill_histograms(&mut self, training: &TreeSample<'_>, ctl: RunContext<'_>) -> Result<()> {
        let (bins, entries) = (self.bins, &*self.entries);
        let count = |(columns, tables): (&[u32], &mut [ClassHistogram])| {
            ctl.check()?;
            fill_column_histograms(bins, columns, tables, entries, training);
            Ok(())
        };
        if entries.len() * self.columns.len() >= ctl.task_size(PARALLEL_WORK) {
            self.columns.par_chunks(TOGETHER).zip(self.tables.par_chunks_mut(TOGETHER)).try_for_each(count)
        } else {
            self.columns.chunks(TOGETHER).zip(self.tables.chunks_mut(TOGETHER)).try_for_each(count)
        }
    }

    pub(crate) fn compute_split_plan(&self, search: SplitSearchInputs<'_>, split: &NodeSplit) -> SplitPlan {
        let SplitSearchInputs { training, settings, weights, .. } = search;
        let column = &self.bins.columns[split.column];
        let table = &self.tables[histogram_position(&self.columns, split.column)];
        let n_bins = column.n_bins;
        let known = table.occupied_bins().take_while(|&bin| bin < n_bins);
        let runs = split.branch_ranges(n_bins, known.map(|bin| (bin..bin + 1, bin as u32)));
        let add = |sums: &mut ClassSums, bins: Range<usize>| {
            bins.filter(|&bin| table.contains_rows(bin)).for_each(|bin| table.add_bin_to_sums(bin, sums));
        };
        let mut plan = SplitPlan::from_known_rows(training, settings, weights, split, runs, n_bins, add);
        if let Some(branch) = plan.missing_branch
            && table.contains_rows(n_bins)
        {
            table.add_bin_to_sums(n_bins, &mut plan.sums[branch]);
            weights.compute_masses(&mut plan.sums[branch]);
        }
        plan
    }

    /// `wanted` returns whether a child needs its rows, given the class sums of the child.
    ///
    /// If no child needs its rows, no row is moved, and the children get no rows.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn partition(
        mut self,
        search: SplitSearchInputs<'_>,
        split: &NodeSplit,
        wanted: impl Fn(&ClassSums) -> bool,
        scratch: &mut GrowthScratch,
    ) -> Result<PartitionedNode<Self>> {
        let training = search.training;
        let plan = self.compute_split_plan(search, split);
        let column = &self.bins.columns[split.column];
        let table = &self.tables[histogram_position(&self.columns, split.column)];
        let n_bins = column.n_bins;
        let wanted: Vec<bool> = plan.sums.iter().map(wanted).collect();
        let branches = BinBranches::new(&plan, n_bins, &wanted);
        let entries = std::mem::take(&mut self.entries);
        let parts = partition_rows_by_bin(entries, (self.bins, &column.codes), &branches, &mut scratch.spare);
        let threshold = numeric_split_threshold(split, column, table);
        let (bins, mut room) = (self.bins, std::mem::take(&mut self.room));
        let child = |(entries, sums): (_, &ClassSums)| {
            let child_room = room.split_off_mut(..sums.n_rows() as usize).unwrap_or_default();
            Self::for_root(bins, entries, child_room)
        };
        let mut children: Vec<Self> = parts.into_iter().zip(&plan.sums).map(child).collect();
        self.derive_child_histograms(&mut children, &wanted, search, scratch)?;
        let missing_child = plan.missing_branch_at_prediction();
        let set = plan.left_level_set(split, training, |bin| bin as u32);
        let cut = match (&split.found, threshold) {
            (ColumnSplit::FirstPositions(_), Some(threshold)) => TreeSplit::Below(threshold),
            (ColumnSplit::IsLevel(range), _) => TreeSplit::IsLevel(range.start as u32),
            (ColumnSplit::EachLevel(_), _) => TreeSplit::EachLevel,
            // The placeholder 0 is replaced by the offset of the level set when the tree is assembled.
            (ColumnSplit::InLevels(_), _) => TreeSplit::InLevels(0),
            _ => TreeSplit::Known,
        };
        let children =
            plan.sums.into_iter().zip(children).map(|(sums, rows)| ChildRows { rows, sums }).collect();
        Ok(PartitionedNode { cut, set, missing_child, children })
    }

    /// Counts the rows of the smaller child only, if subtraction saves time.
    ///
    /// The histograms of the larger child are those of the parent minus those of the smaller child.
    fn derive_child_histograms(
        mut self,
        children: &mut [Self],
        wanted: &[bool],
        SplitSearchInputs { training, ctl, .. }: SplitSearchInputs<'_>,
        scratch: &mut GrowthScratch,
    ) -> Result<()> {
        let serve = self.can_inherit_histograms(training);
        let mut tables_left = std::mem::take(&mut self.tables);
        if let [a, b] = children
            && serve
        {
            let (small, large, large_wanted) =
                if a.entries.len() <= b.entries.len() { (a, b, wanted[1]) } else { (b, a, wanted[0]) };
            if large_wanted && large.entries.len() >= small.entries.len() + WORTH_SUBTRACTING {
                small.columns.clone_from(&self.columns);
                small.tables = take_spare_histograms(self.columns.len(), scratch);
                small.fill_histograms(training, ctl)?;
                tables_left.iter_mut().zip(&small.tables).for_each(|(all, part)| all.subtract_sibling(part));
                large.columns = self.columns;
                large.tables = std::mem::take(&mut tables_left);
            }
        }
        scratch.tables.append(&mut tables_left);
        Ok(())
    }
}

impl NodeColumns for BinnedRows<'_> {
    fn rows_for_column_scan(
        &self,
        _search: &SplitSearchInputs<'_>,
        column: usize,
        _can_count: bool,
    ) -> Result<ColumnRows<'_>> {
        Ok(ColumnRows::Binned(
            &self.bins.columns[column],
            &self.tables[histogram_position(&self.columns, column)],
        ))
    }
}

fn numeric_split_threshold(
    split: &NodeSplit,
    column: &RowMajorColumn,
    table: &ClassHistogram,
) -> Option<f64> {
    let (ColumnSplit::FirstPositions(place), Some(edges)) = (&split.found, &column.edges) else {
        return None;
    };
    let below = (0..*place).rfind(|&bin| table.contains_rows(bin))?;
    let above = (*place..column.n_bins).find(|&bin| table.contains_rows(bin))?;
    Some(edges.threshold_between_bins(below, above))
}

fn histogram_position(columns: &[u32], column: usize) -> usize {
    columns.partition_point(|&counted| (counted as usize) < column)
}

fn take_spare_histograms(n: usize, scratch: &mut GrowthScratch) -> Vec<ClassHistogram> {
    let used = scratch.tables.len().saturating_sub(n);
    let mut tables = scratch.tables.split_off(used);
    tables.resize_with(n, ClassHistogram::default);
    tables
}
