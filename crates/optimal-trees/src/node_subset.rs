//! Rows of a node, sorted by every feature.

use crate::partial_tree::PartialTreeSplit;
use crate::ranked_table::{NO_VALUE, RankedFeature, RankedTable};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Result, radix_sort};

const LAST: u32 = 1 << 31;

#[derive(Clone, Debug)]
pub(crate) struct NodeSubset {
    /// Row indices, ascending.
    pub(crate) rows: Vec<u32>,
    /// For every ordered feature, the rows with a value, sorted by value.
    ///
    /// The last row of each value has the bit `LAST`.
    pub(crate) orders: Vec<Vec<u32>>,
    pub(crate) holes: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
pub(crate) struct RowSelection<'a> {
    pub(crate) subset: &'a NodeSubset,
    /// Mask of the rows in the first child, and whether the first child is selected.
    ///
    /// `None` selects all rows of the subset.
    side: Option<(&'a [bool], bool)>,
}

impl<'a> From<&'a NodeSubset> for RowSelection<'a> {
    fn from(subset: &'a NodeSubset) -> Self {
        Self { subset, side: None }
    }
}

impl<'a> RowSelection<'a> {
    pub(crate) fn for_child(subset: &'a NodeSubset, first: &'a [bool], side: bool) -> Self {
        Self { subset, side: Some((first, side)) }
    }

    #[inline]
    pub(crate) fn contains(self, row: usize) -> bool {
        self.side.is_none_or(|(first, side)| first[row] == side)
    }
}

#[inline]
pub(crate) fn decode_order_entry(entry: u32) -> (usize, bool) {
    ((entry & !LAST) as usize, entry & LAST != 0)
}

impl NodeSubset {
    pub(crate) fn all_rows_unsorted(table: &RankedTable) -> Self {
        let none = || vec![Vec::new(); table.n_features()];
        Self { rows: (0..table.n_rows() as u32).collect(), orders: none(), holes: none() }
    }

    /// Selects the rows of the table for which `keep` is true, and sorts them by every feature.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn new(
        table: &RankedTable,
        keep: impl Fn(usize) -> bool,
        budget: &SearchBudget<'_>,
    ) -> Result<Self> {
        let rows: Vec<u32> = (0..table.n_rows() as u32).filter(|&row| keep(row as usize)).collect();
        let (mut orders, mut holes) = (Vec::new(), Vec::new());
        for feature in 0..table.n_features() {
            budget.check_limits()?;
            let (mut order, mut without) = (Vec::new(), Vec::new());
            if let RankedFeature::Ordered { ranks, .. } = table.feature(feature) {
                without = rows.iter().copied().filter(|&row| ranks[row as usize] == NO_VALUE).collect();
                let known = rows.iter().map(|&row| (ranks[row as usize], row));
                let mut pairs: Vec<(u32, u32)> = known.filter(|pair| pair.0 != NO_VALUE).collect();
                radix_sort(&mut pairs, budget.run_context())?;
                order = pairs.into_iter().map(|pair| pair.1).collect();
                mark_value_ends(&mut order, ranks);
            }
            orders.push(order);
            holes.push(without);
        }
        Ok(Self { rows, orders, holes })
    }

    /// Partitions the rows into those of the first and those of the second child of a split.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn partition(
        &self,
        table: &RankedTable,
        split: &PartialTreeSplit,
        budget: &SearchBudget<'_>,
    ) -> Result<[Self; 2]> {
        self.partition_with(table, split, || budget.check_limits())
    }

    /// Like [`Self::partition`], but without the time limit, for use after the search.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn partition_without_time_limit(
        &self,
        table: &RankedTable,
        split: &PartialTreeSplit,
        budget: &SearchBudget<'_>,
    ) -> Result<[Self; 2]> {
        self.partition_with(table, split, || budget.check_cancelled())
    }

    /// For every row of the table, whether it is a row of the subset and goes to the first child.
    pub(crate) fn first_child_mask(&self, table: &RankedTable, split: &PartialTreeSplit) -> Vec<bool> {
        let mut first = vec![false; table.n_rows()];
        for &row in &self.rows {
            first[row as usize] = split.goes_to_first_child(table, row);
        }
        first
    }

    fn partition_with(
        &self,
        table: &RankedTable,
        split: &PartialTreeSplit,
        check: impl Fn() -> Result<()>,
    ) -> Result<[Self; 2]> {
        let first = self.first_child_mask(table, split);
        let n_first = self.rows.iter().filter(|&&row| first[row as usize]).count();
        let side = |side: bool| {
            let n = if side { n_first } else { self.rows.len() - n_first };
            let part = |rows: &Vec<u32>| {
                let mut kept = Vec::with_capacity(n.min(rows.len()));
                kept.extend(rows.iter().copied().filter(|&row| first[decode_order_entry(row).0] == side));
                kept
            };
            let mut orders = Vec::with_capacity(self.orders.len());
            for (feature, order) in self.orders.iter().enumerate() {
                check()?;
                let mut kept = part(order);
                if let RankedFeature::Ordered { ranks, .. } = table.feature(feature) {
                    mark_value_ends(&mut kept, ranks);
                }
                orders.push(kept);
            }
            Ok(Self { rows: part(&self.rows), orders, holes: self.holes.iter().map(part).collect() })
        };
        Ok([side(true)?, side(false)?])
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        let lists = self.orders.iter().chain(&self.holes).chain([&self.rows]);
        lists.map(|rows| 4 * rows.capacity()).sum()
    }

    pub(crate) fn weight(&self, table: &RankedTable) -> f64 {
        self.rows.iter().map(|&row| table.row_weight(row as usize)).sum()
    }
}

fn mark_value_ends(order: &mut [u32], ranks: &[u32]) {
    let mut next = None;
    for one in order.iter_mut().rev() {
        let row = *one & !LAST;
        let rank = ranks[row as usize];
        *one = if next == Some(rank) { row } else { row | LAST };
        next = Some(rank);
    }
}
