//! Collectors, which receive the rows that a nearest-neighbor search finds.
//!
//! A search passes rows to a collector. The collector stores the results and limits the search radius.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Collector of the rows that a search finds near one query row.
///
/// The search offers each row at most once, in any order. It offers every row whose squared distance is at
/// most [`NeighborCollector::max_squared_distance`]. Rows at exactly this distance are included, because the
/// row number breaks ties.
pub(crate) trait NeighborCollector: Send {
    /// Squared search radius; negative if the search can stop.
    ///
    /// It never increases during a search.
    fn max_squared_distance(&self) -> f64;

    fn offer(&mut self, row: u32, distance: f64);
}

/// Converts a nonnegative distance to an integer; larger distances give larger integers.
fn distance_sort_key(distance: f64) -> u64 {
    distance.to_bits()
}

/// Maximum initial capacity of the heap, so that a large `k` does not reserve much memory.
const AT_FIRST: usize = 1 << 10;

/// Collects the k nearest rows; ties are broken by row number.
#[derive(Debug)]
pub(crate) struct NearestCollector {
    k: usize,
    farthest_first: BinaryHeap<(u64, u32)>,
}

impl NearestCollector {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, farthest_first: BinaryHeap::with_capacity(k.min(AT_FIRST) + 1) }
    }

    pub(crate) fn into_rows(self) -> impl Iterator<Item = u32> {
        self.farthest_first.into_sorted_vec().into_iter().map(|(_, row)| row)
    }
}

impl NeighborCollector for NearestCollector {
    fn max_squared_distance(&self) -> f64 {
        match self.farthest_first.peek() {
            Some(&(key, _)) if self.farthest_first.len() == self.k => f64::from_bits(key),
            None if self.k == 0 => -1.0,
            _ => f64::INFINITY,
        }
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let entry = (distance_sort_key(distance), row);
        if self.farthest_first.len() < self.k {
            self.farthest_first.push(entry);
        } else if let Some(mut farthest) = self.farthest_first.peek_mut()
            && entry < *farthest
        {
            *farthest = entry;
            // Dropping `farthest` restores the heap order.
            drop::<PeekMut<'_, _>>(farthest);
        }
    }
}

/// A row and its squared distance; neighbors are ordered by distance, then by row number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) distance: f64,
    pub(crate) row: u32,
}

impl Neighbor {
    /// Placeholder for a neighbor that does not exist; it is farther away than every row.
    pub(crate) const NONE: Self = Self { distance: f64::INFINITY, row: u32::MAX };

    pub(crate) fn is_before(self, other: Self) -> bool {
        (self.distance, self.row) < (other.distance, other.row)
    }
}

impl NeighborCollector for Neighbor {
    fn max_squared_distance(&self) -> f64 {
        self.distance
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let found = Self { distance, row };
        if found.is_before(*self) {
            *self = found;
        }
    }
}

/// Collects one row that is nearer than the row `bound`; ties are broken by row number.
///
/// The search stops as soon as it finds such a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloserNeighborCollector {
    pub(crate) bound: Neighbor,
    pub(crate) found: Option<Neighbor>,
}

impl NeighborCollector for CloserNeighborCollector {
    fn max_squared_distance(&self) -> f64 {
        if self.found.is_some() { -1.0 } else { self.bound.distance }
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let near = Neighbor { distance, row };
        if self.found.is_none() && near.is_before(self.bound) {
            self.found = Some(near);
        }
    }
}

/// Collects the rows at the smallest distance that are of another class than the query.
///
/// Rows of the query's class count for the smallest distance, too, but are not collected.
#[derive(Debug)]
pub(crate) struct NearestOtherClassCollector<'a> {
    classes: &'a [u32],
    own: u32,
    pub(crate) least: f64,
    pub(crate) others: Vec<u32>,
}

impl<'a> NearestOtherClassCollector<'a> {
    pub(crate) fn new(classes: &'a [u32], row: u32) -> Self {
        Self { classes, own: classes[row as usize], least: f64::INFINITY, others: Vec::new() }
    }
}

impl NeighborCollector for NearestOtherClassCollector<'_> {
    fn max_squared_distance(&self) -> f64 {
        self.least
    }

    fn offer(&mut self, row: u32, distance: f64) {
        if distance < self.least {
            self.least = distance;
            self.others.clear();
        }
        if self.classes[row as usize] != self.own {
            self.others.push(row);
        }
    }
}
