//! Row counts and masses of the bins of one column at one node.
//!
//! The table of a node is the histogram of its rows over bins and classes. Where that pays, the table of the larger child is
//! the parent's less the smaller child's, so that a level of the tree counts at most half of its rows. Between two uses only cells of occupied bins
//! are not 0, so that clearing costs what was counted. Counting costs the rows, reading the occupied bins.

use crate::binned::bins::{BinnedColumn, Codes};
use crate::rows::entry::{Entry, RARE, row_of};
use crate::rows::sums::ClassSums;
use crate::rows::training::{Training, Weighing};

/// The class sums of every bin: `rows[bin * n_classes + class]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct BinTable {
    rows: Vec<u32>,
    /// Empty where rows of a class weigh alike: masses are then products.
    mass: Vec<f64>,
    /// Bit `bin` says that the bin holds rows; all other cells are 0.
    occupied: Vec<u64>,
    n_classes: usize,
}

impl BinTable {
    /// Counts `entries` by the bins of `column`, in place of what the table held.
    pub(crate) fn count(&mut self, column: &BinnedColumn, entries: &[Entry], training: &Training<'_>) {
        self.clear(column, training);
        match &column.codes {
            Codes::Narrow(bins) => self.count_bins(entries, training, |row| bins[row] as usize),
            Codes::Wide(bins) => self.count_bins(entries, training, |row| bins[row] as usize),
        }
        if !self.notes_each(entries) {
            self.note_occupied();
        }
    }

    /// Empties the table and fits it to a column.
    fn clear(&mut self, column: &BinnedColumn, training: &Training<'_>) {
        let n_classes = training.table.n_classes;
        if self.n_classes == n_classes {
            for bin in bits(&std::mem::take(&mut self.occupied)) {
                let cells = bin * n_classes..(bin + 1) * n_classes;
                self.rows[cells.clone()].fill(0);
                if let Some(mass) = self.mass.get_mut(cells) {
                    mass.fill(0.0);
                }
            }
        }
        let n_cells = (column.n_bins + 1) * n_classes;
        self.rows.resize(n_cells, 0);
        if let Weighing::ByRow(_) = training.table.weighing {
            self.mass.resize(n_cells, 0.0);
        }
        self.occupied.clear();
        self.occupied.resize(column.n_bins / 64 + 1, 0);
        self.n_classes = n_classes;
    }

    fn count_bins(&mut self, entries: &[Entry], training: &Training<'_>, bin: impl Fn(usize) -> usize) {
        match training.copies {
            None => self.count_copies(entries, training, bin, |_| 1),
            Some(copies) => self.count_copies(entries, training, bin, |row| copies[row]),
        }
    }

    fn count_copies(
        &mut self,
        entries: &[Entry],
        training: &Training<'_>,
        bin: impl Fn(usize) -> usize,
        copies: impl Fn(usize) -> u32,
    ) {
        let note = self.notes_each(entries);
        if self.n_classes == 2 && self.mass.is_empty() && !note {
            // The mark of a rare row is all there is to know of its class.
            let (frequent, cells) = (training.table.frequent, self.rows.as_mut_slice());
            for &entry in entries {
                let row = row_of(entry);
                cells[2 * bin(row) + (frequent ^ (entry >> 31) as usize)] += copies(row);
            }
            return;
        }
        for &entry in entries {
            let row = row_of(entry);
            let bin = bin(row);
            let class = if entry & RARE == 0 {
                training.table.frequent
            } else {
                training.table.classes[row] as usize
            };
            let cell = bin * self.n_classes + class;
            self.rows[cell] += copies(row);
            if let Some(mass) = self.mass.get_mut(cell) {
                *mass += training.table.weight_of(entry) * f64::from(copies(row));
            }
            if note {
                self.occupied[bin / 64] |= 1 << (bin % 64);
            }
        }
    }

    /// Whether bins are noted row by row; where rows outnumber them, all bins are looked at afterwards.
    fn notes_each(&self, entries: &[Entry]) -> bool {
        entries.len() * self.n_classes < self.rows.len()
    }

    fn note_occupied(&mut self) {
        for (bin, cells) in self.rows.chunks_exact(self.n_classes).enumerate() {
            let some = cells.iter().any(|&rows| rows > 0);
            self.occupied[bin / 64] |= u64::from(some) << (bin % 64);
        }
    }

    /// The table of a node from that of its parent and of its only sibling; row counts only.
    pub(crate) fn subtract(&mut self, sibling: &Self) {
        for (cell, part) in self.rows.iter_mut().zip(&sibling.rows) {
            *cell -= part;
        }
        self.occupied.fill(0);
        self.note_occupied();
    }

    /// Number of cells, occupied or not.
    pub(crate) fn n_cells(&self) -> usize {
        self.rows.len()
    }

    /// Whether a bin holds rows.
    pub(crate) fn holds(&self, bin: usize) -> bool {
        self.occupied[bin / 64] >> (bin % 64) & 1 == 1
    }

    /// The bins that hold rows, ascending.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        bits(&self.occupied)
    }

    /// Rows of each class in a bin.
    pub(crate) fn rows(&self, bin: usize) -> &[u32] {
        &self.rows[bin * self.n_classes..(bin + 1) * self.n_classes]
    }

    /// Adds a bin to class sums, whose masses must be settled afterwards.
    #[inline]
    pub(crate) fn add_to(&self, bin: usize, sums: &mut ClassSums) {
        for (sum, rows) in sums.rows.iter_mut().zip(self.rows(bin)) {
            *sum += rows;
        }
        let mass = self.mass.get(bin * self.n_classes..(bin + 1) * self.n_classes).unwrap_or_default();
        for (sum, mass) in sums.mass.iter_mut().zip(mass) {
            *sum += mass;
        }
    }
}

/// Places of the set bits, ascending.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(place * 64 + bit)
        })
    })
}
