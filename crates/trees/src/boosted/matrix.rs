//! Binned columns, stored by rows to fill histograms and by columns to partition rows.

use crate::binned::{BinCodes, BinEdges, BinnedColumn, BinnedColumns, MOST_BINS};
use crate::prediction::tree_traversal::branch_of_row;
use crate::statistics::TargetStatisticTables;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Column, MISSING, Result, RunContext, memory};
use rayon::prelude::*;

/// Maximum number of columns per block.
///
/// The histograms of the columns in a block then stay in the inner caches.
pub(crate) const BLOCK_COLUMNS: usize = 16;

const TILE: usize = 1 << 12;

pub(crate) struct BoostedMatrix {
    pub(crate) columns: Vec<MatrixColumn>,
    pub(crate) blocks: Vec<BinBlock>,
    pub(crate) n_rows: usize,
    pub(crate) statistics: TargetStatisticTables,
}

#[derive(Clone)]
pub(crate) struct MatrixColumn {
    pub(crate) column: u32,
    pub(crate) codes: Vec<u8>,
    /// Number of bins for present values; missing values have this number as their bin code.
    pub(crate) n_bins: usize,
    pub(crate) kind: BinKind,
}

#[derive(Clone)]
pub(crate) enum BinKind {
    Numeric(BinEdges),
    Nominal(Vec<u8>),
    /// Target statistic that replaces a nominal column; each bin is a range of the statistic.
    Statistic {
        edges: BinEdges,
        table: u32,
        /// Index of the random order of rows that determines the statistics of training rows.
        order: u32,
    },
}

pub(crate) struct BinBlock {
    pub(crate) width: usize,
    /// Bin codes in row-major order, padded after the last row.
    /// The padding allows a read of [`BLOCK_COLUMNS`] bytes at each row.
    codes: Vec<u8>,
}

impl BoostedMatrix {
    /// Creates a matrix from binned columns.
    ///
    /// Columns for which `is_replaced` returns true are left out, because target statistics replace them.
    /// Constant columns are left out too.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn new(
        bins: BinnedColumns,
        is_replaced: impl Fn(usize) -> bool,
        n_rows: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let columns = bins.0.into_iter().enumerate().filter(|(column, _)| !is_replaced(*column));
        let columns = columns.filter_map(|(column, binned)| MatrixColumn::new(column, binned)).collect();
        Self::from_columns(columns, TargetStatisticTables::default(), n_rows, ctl)
    }

    /// Creates a matrix from columns, which are also copied to blocks.
    ///
    /// # Errors
    /// Same errors as [`Self::new`].
    pub(crate) fn from_columns(
        columns: Vec<MatrixColumn>,
        statistics: TargetStatisticTables,
        n_rows: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        // The block width aims at an even number of blocks, so that two threads have about equal work.
        let n_blocks = columns.len().div_ceil(2 * BLOCK_COLUMNS) * 2;
        let width = columns.len().div_ceil(n_blocks.max(1)).max(1);
        let blocks = columns
            .chunks(width)
            .map(|columns| BinBlock::new(columns, n_rows, ctl))
            .collect::<Result<_>>()?;
        Ok(Self { columns, blocks, n_rows, statistics })
    }

    /// Omits target statistics of random row orders other than `order`.
    pub(crate) fn splittable_columns(&self, order: u32) -> Vec<u32> {
        let is_candidate = |column: &MatrixColumn| match column.kind {
            BinKind::Statistic { order: own, .. } => own == order,
            _ => true,
        };
        (0..).zip(&self.columns).filter(|(_, column)| is_candidate(column)).map(|(place, _)| place).collect()
    }

    /// The tree was grown with the target statistics of the random row order `order`.
    pub(crate) fn training_leaf_of_rows(&self, tree: &Tree, columns: &[Column<'_>], order: u32) -> Vec<u32> {
        let split_bins = |node: usize| {
            let TreeSplit::StatisticAtMost { table, threshold } = tree.split(node) else { return None };
            self.columns.iter().find_map(|column| match &column.kind {
                BinKind::Statistic { edges, table: own, order: own_order }
                    if (*own, *own_order) == (table, order) =>
                {
                    Some((column, edges.high.partition_point(|&high| high <= threshold)))
                }
                _ => None,
            })
        };
        let splits: Vec<_> = (0..tree.n_nodes()).map(split_bins).collect();
        let leaf = |row: usize| {
            let mut node = 0;
            while !tree.is_leaf(node) {
                let branch = match splits[node] {
                    Some((column, n_left)) => usize::from(usize::from(column.codes[row]) >= n_left),
                    None => {
                        branch_of_row(tree, node, columns, row).unwrap_or_else(|| tree.missing_branch(node))
                    }
                };
                node = tree.children(node).start + branch;
            }
            node as u32
        };
        (0..self.n_rows).into_par_iter().map(leaf).collect()
    }

    pub(crate) fn block_width(&self) -> usize {
        self.blocks.first().map_or(1, |block| block.width)
    }
}

impl MatrixColumn {
    fn new(column: usize, binned: BinnedColumn) -> Option<Self> {
        let BinnedColumn { codes, n_bins, edges } = binned;
        let column = column as u32;
        let (codes, n_bins, kind) = match (codes, edges) {
            (BinCodes::Narrow(codes), Some(edges)) => (codes, n_bins, BinKind::Numeric(edges)),
            (BinCodes::Narrow(codes), None) => {
                (codes, n_bins, BinKind::Nominal((0..n_bins).map(|bin| bin as u8).collect()))
            }
            (BinCodes::Wide(levels), _) => {
                let bins = bins_of_levels(&levels, n_bins);
                let code = |&level: &u32| bins.get(level as usize).map_or(MOST_BINS as u8, |&bin| bin);
                (levels.iter().map(code).collect(), MOST_BINS, BinKind::Nominal(bins))
            }
        };
        Self { column, codes, n_bins, kind }.none_if_constant()
    }

    pub(crate) fn from_target_statistic(
        column: u32,
        binned: BinnedColumn,
        (table, order): (u32, u32),
    ) -> Option<Self> {
        let BinnedColumn { codes: BinCodes::Narrow(codes), n_bins, edges: Some(edges) } = binned else {
            return None;
        };
        Self { column, codes, n_bins, kind: BinKind::Statistic { edges, table, order } }.none_if_constant()
    }

    fn none_if_constant(self) -> Option<Self> {
        let first = self.codes.first().copied();
        self.codes.iter().any(|&code| Some(code) != first).then_some(self)
    }

    pub(crate) fn levels_in_bins(&self, bins: &[u8]) -> Vec<u32> {
        let BinKind::Nominal(bin_of) = &self.kind else { return Vec::new() };
        (0..).zip(bin_of).filter(|(_, bin)| bins.contains(bin)).map(|(level, _)| level).collect()
    }
}

/// Returns the bin of every level of a column with more levels than bins.
/// Each of the most frequent levels gets its own bin; all other levels share the last bin.
fn bins_of_levels(codes: &[u32], n_levels: usize) -> Vec<u8> {
    let mut rows = vec![0_u32; n_levels];
    for &code in codes.iter().filter(|&&code| code != MISSING && (code as usize) < n_levels) {
        rows[code as usize] += 1;
    }
    let mut order: Vec<usize> = (0..n_levels).collect();
    order.sort_by_key(|&level| std::cmp::Reverse(rows[level]));
    let mut bins = vec![MOST_BINS as u8 - 1; n_levels];
    for (bin, &level) in order.iter().take(MOST_BINS - 1).enumerate() {
        bins[level] = bin as u8;
    }
    bins
}

impl BinBlock {
    fn new(columns: &[MatrixColumn], n_rows: usize, ctl: RunContext<'_>) -> Result<Self> {
        let width = columns.len();
        let mut codes = memory::filled(n_rows * width + BLOCK_COLUMNS, 0, "columns in bins")?;
        codes[..n_rows * width].par_chunks_mut(TILE * width).enumerate().try_for_each(|(tile, out)| {
            ctl.check()?;
            for (index, column) in columns.iter().enumerate() {
                let column = &column.codes[tile * TILE..];
                for (row, &code) in out.chunks_exact_mut(width).zip(column) {
                    row[index] = code;
                }
            }
            Ok(())
        })?;
        Ok(Self { width, codes })
    }

    #[inline]
    pub(crate) fn row_bin_codes(&self, row: usize) -> [u8; BLOCK_COLUMNS] {
        let codes = self.codes[row * self.width..].first_chunk();
        // `codes` ends with padding, so that the slice is long enough also for the last row.
        codes.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_by_rows_are_those_by_columns() {
        let column = |seed: u32| BinnedColumn {
            codes: BinCodes::Narrow((0..5000_u32).map(|row| (row * seed % 7) as u8).collect()),
            n_bins: 7,
            edges: None,
        };
        let same = BinnedColumn { codes: BinCodes::Narrow(vec![3; 5000]), n_bins: 7, edges: None };
        let bins = BinnedColumns((1..20).map(column).chain([same]).collect());
        let matrix = BoostedMatrix::new(bins, |_| false, 5000, RunContext::silent()).unwrap();
        // The 7th, the 14th and the last column are constant, so the matrix does not contain them.
        assert_eq!(matrix.columns.len(), 17);
        assert_eq!(matrix.blocks.iter().map(|block| block.width).collect::<Vec<_>>(), [9, 8]);
        for row in 0..5000 {
            let of_row: Vec<u8> = matrix
                .blocks
                .iter()
                .flat_map(|block| &block.codes[row * block.width..(row + 1) * block.width])
                .copied()
                .collect();
            assert!(matrix.columns.iter().map(|column| column.codes[row]).eq(of_row));
        }
    }

    #[test]
    fn rare_levels_of_many_share_a_bin() {
        let levels: Vec<u32> = (0..300).chain([7, 7, 299, MISSING]).collect();
        let column =
            MatrixColumn::new(0, BinnedColumn { codes: BinCodes::Wide(levels), n_bins: 300, edges: None })
                .unwrap();
        assert_eq!((column.codes[7], column.codes[299], column.codes[303]), (0, 1, 255));
        assert_eq!(column.levels_in_bins(&[0]), [7]);
        assert_eq!(column.levels_in_bins(&[254]).len(), 300 - 254);
    }
}
