//! Rows that reach a node, in the order of every feature.

use crate::sketch::Split;
use crate::table::{Feature, NO_VALUE, Table};

/// Marks, in an order, the last row of its value.
const LAST: u32 = 1 << 31;

/// Rows that reach a node.
#[derive(Clone, Debug)]
pub(crate) struct Subset {
    /// The rows, ascending.
    pub(crate) rows: Vec<u32>,
    /// For every ordered feature the rows with a value by their values, the last of each value marked.
    pub(crate) orders: Vec<Vec<u32>>,
    /// For every ordered feature the rows without a value.
    pub(crate) holes: Vec<Vec<u32>>,
}

/// A row of an order, and whether it is the last of its value.
#[inline]
pub(crate) fn entry(entry: u32) -> (usize, bool) {
    ((entry & !LAST) as usize, entry & LAST != 0)
}

impl Subset {
    /// Those of all rows that `keep`.
    pub(crate) fn new(table: &Table, keep: impl Fn(usize) -> bool) -> Self {
        let rows: Vec<u32> = (0..table.n_rows() as u32).filter(|&row| keep(row as usize)).collect();
        let (mut orders, mut holes) = (Vec::new(), Vec::new());
        for feature in 0..table.n_features() {
            let (mut order, mut without) = (Vec::new(), Vec::new());
            if let Feature::Ordered { ranks, .. } = table.feature(feature) {
                (order, without) = rows.iter().partition(|&&row| ranks[row as usize] != NO_VALUE);
                order.sort_by_key(|&row| (ranks[row as usize], row));
                mark(&mut order, ranks);
            }
            orders.push(order);
            holes.push(without);
        }
        Self { rows, orders, holes }
    }

    /// The rows on the first side of a split, and those on the second one.
    pub(crate) fn sides(&self, table: &Table, split: &Split) -> [Self; 2] {
        let mut first = vec![false; table.n_rows()];
        for &row in &self.rows {
            first[row as usize] = split.takes(table, row);
        }
        [true, false].map(|side| {
            let part =
                |rows: &Vec<u32>| rows.iter().copied().filter(|&row| first[row as usize] == side).collect();
            let mut orders = Vec::with_capacity(self.orders.len());
            for (feature, order) in self.orders.iter().enumerate() {
                let rows = order.iter().map(|row| row & !LAST);
                let mut kept: Vec<u32> = rows.filter(|&row| first[row as usize] == side).collect();
                if let Feature::Ordered { ranks, .. } = table.feature(feature) {
                    mark(&mut kept, ranks);
                }
                orders.push(kept);
            }
            Self { rows: part(&self.rows), orders, holes: self.holes.iter().map(part).collect() }
        })
    }

    /// Weight of the rows.
    pub(crate) fn weight(&self, table: &Table) -> f64 {
        self.rows.iter().map(|&row| table.weight(row as usize)).sum()
    }
}

fn mark(order: &mut [u32], ranks: &[u32]) {
    for at in 0..order.len() {
        let next = order.get(at + 1).map(|&row| ranks[row as usize]);
        if next != Some(ranks[order[at] as usize]) {
            order[at] |= LAST;
        }
    }
}
