//! What a search collects: it is offered every row that may matter, and says how far a row may lie to matter.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// One search around one row.
///
/// Rows are offered in any order and at most once. One at most [`Visit::limit`] away is offered for certain, also when it
/// is just as far: the row number may decide. Farther ones may or may not be.
pub(crate) trait Visit: Send {
    /// The largest squared distance that matters now; never grows. Negative once nothing matters any more.
    fn limit(&self) -> f64;

    /// A row and its squared distance, at most the limit.
    fn offer(&mut self, row: u32, distance: f64);
}

/// A squared distance as a whole number of the same order.
fn key(distance: f64) -> u64 {
    distance.to_bits()
}

/// Places that are there before any row is: a user may ask for more neighbours than memory holds.
const AT_FIRST: usize = 1 << 10;

/// The k nearest rows, ties by row number.
#[derive(Debug)]
pub(crate) struct Nearest {
    k: usize,
    farthest_first: BinaryHeap<(u64, u32)>,
}

impl Nearest {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, farthest_first: BinaryHeap::with_capacity(k.min(AT_FIRST) + 1) }
    }

    /// The rows, nearest first.
    pub(crate) fn into_rows(self) -> impl Iterator<Item = u32> {
        self.farthest_first.into_sorted_vec().into_iter().map(|(_, row)| row)
    }
}

impl Visit for Nearest {
    fn limit(&self) -> f64 {
        match self.farthest_first.peek() {
            Some(&(key, _)) if self.farthest_first.len() == self.k => f64::from_bits(key),
            None if self.k == 0 => -1.0,
            _ => f64::INFINITY,
        }
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let entry = (key(distance), row);
        if self.farthest_first.len() < self.k {
            self.farthest_first.push(entry);
        } else if let Some(mut farthest) = self.farthest_first.peek_mut()
            && entry < *farthest
        {
            *farthest = entry;
            // Restores the order.
            drop::<PeekMut<'_, _>>(farthest);
        }
    }
}

/// A row and how far it is; the order of neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) distance: f64,
    pub(crate) row: u32,
}

impl Near {
    /// Farther than any row.
    pub(crate) const NONE: Self = Self { distance: f64::INFINITY, row: u32::MAX };

    /// Whether it comes before the other among neighbours.
    pub(crate) fn before(self, other: Self) -> bool {
        (self.distance, self.row) < (other.distance, other.row)
    }
}

/// The nearest row alone.
impl Visit for Near {
    fn limit(&self) -> f64 {
        self.distance
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let found = Self { distance, row };
        if found.before(*self) {
            *self = found;
        }
    }
}

/// Any row that comes before a given one among neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub(crate) bound: Near,
    pub(crate) found: Option<Near>,
}

impl Visit for Before {
    fn limit(&self) -> f64 {
        if self.found.is_some() { -1.0 } else { self.bound.distance }
    }

    fn offer(&mut self, row: u32, distance: f64) {
        let near = Near { distance, row };
        if self.found.is_none() && near.before(self.bound) {
            self.found = Some(near);
        }
    }
}

/// All rows of other classes at the least distance of any row.
#[derive(Debug)]
pub(crate) struct Tied<'a> {
    classes: &'a [u32],
    own: u32,
    pub(crate) least: f64,
    pub(crate) others: Vec<u32>,
}

impl<'a> Tied<'a> {
    pub(crate) fn new(classes: &'a [u32], row: u32) -> Self {
        Self { classes, own: classes[row as usize], least: f64::INFINITY, others: Vec::new() }
    }
}

impl Visit for Tied<'_> {
    fn limit(&self) -> f64 {
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
