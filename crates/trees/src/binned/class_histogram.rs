//! Histogram of one column at one node: row counts and masses per bin and class.
//!
//! The mass of a class in a bin is the total weight of its rows. In a binary split, the histogram of the node
//! minus that of its smaller child is the histogram of the larger child. If this subtraction saves time, only
//! the rows of the smaller child are counted, which are at most half of the rows of the node. Counting takes
//! time linear in the number of rows. Reading and clearing take time linear in the number of bins that
//! contain rows, because all other cells are 0.

use crate::binned::by_rows::{BinCodeLocation, RowMajorBins, RowMajorColumn};
use crate::rows::class_codes::ClassCodes;
use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::{FlaggedRow, RARE, row_of_entry};
use crate::rows::training::{RowWeights, TreeSample};

/// Row counts and masses by bin and class: `rows[bin * n_classes + class]`.
///
/// `class` is the code of the class at the node. If few classes occur at a node, only these classes have
/// codes ([`ClassCodes`]).
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassHistogram {
    rows: Vec<u32>,
    /// Masses in the same order as `rows`; empty if all rows of a class have equal weight.
    ///
    /// If the list is empty, a mass is the row count times the weight of the class.
    mass: Vec<f64>,
    /// Bit `bin` is set if the bin contains rows; the counts of all other bins are 0.
    occupied: Vec<u64>,
    n_classes: usize,
}

const BINS: usize = 256;

pub(crate) const TOGETHER: usize = 4;

pub(crate) fn fill_column_histograms(
    bins: &RowMajorBins,
    columns: &[u32],
    tables: &mut [ClassHistogram],
    entries: &[FlaggedRow],
    training: &TreeSample<'_>,
) {
    let mut together = Vec::new();
    for (&column, table) in columns.iter().zip(tables) {
        let column = &bins.columns[column as usize];
        table.reset(column, training);
        match column.codes {
            BinCodeLocation::InRow(place)
                if table.stores_two_class_counts(training) && !table.marks_bins_while_counting(entries) =>
            {
                together.push((place, table));
            }
            _ => table.count_rows_by_bin(column, bins, entries, training),
        }
    }
    for group in together.chunks_mut(TOGETHER) {
        match group {
            [a, b, c, d] => fill_two_class_histograms([a, b, c, d], bins, entries, training),
            [a, b, c] => fill_two_class_histograms([a, b, c], bins, entries, training),
            [a, b] => fill_two_class_histograms([a, b], bins, entries, training),
            [a] => fill_two_class_histograms([a], bins, entries, training),
            _ => {}
        }
    }
}

/// `columns` has, for each column, the byte offset in a row of `bins`, and the histogram.
fn fill_two_class_histograms<const N: usize>(
    columns: [&mut (usize, &mut ClassHistogram); N],
    bins: &RowMajorBins,
    entries: &[FlaggedRow],
    training: &TreeSample<'_>,
) {
    match training.copies {
        None => fill_two_class_with_copies(columns, bins, entries, training, |_| 1),
        Some(copies) => {
            fill_two_class_with_copies(columns, bins, entries, training, |row| copies[row].into());
        }
    }
}

fn fill_two_class_with_copies<const N: usize>(
    columns: [&mut (usize, &mut ClassHistogram); N],
    bins: &RowMajorBins,
    entries: &[FlaggedRow],
    training: &TreeSample<'_>,
    copies: impl Fn(usize) -> u32,
) {
    let frequent = training.table.frequent as u32;
    let mut places = [0; N];
    // One number stores the counts of both classes of a bin. The number of bins is constant, which avoids
    // bounds checks.
    let mut cells = [[0_u64; BINS]; N];
    for (place, column) in places.iter_mut().zip(&columns) {
        *place = column.0;
    }
    for &entry in entries {
        let row = row_of_entry(entry);
        // The top bit of an entry marks rows outside the most frequent class, so it determines the class if
        // there are only two.
        let times = u64::from(copies(row)) << (32 * ((frequent ^ (entry >> 31)) & 1));
        let codes = bins.row_bin_codes(row);
        for (cells, &place) in cells.iter_mut().zip(&places) {
            cells[usize::from(codes[place])] += times;
        }
    }
    for ((_, table), cells) in columns.into_iter().zip(&cells) {
        table.set_two_class_counts(cells);
    }
}

impl ClassHistogram {
    /// The histogram must be empty.
    fn count_rows_by_bin(
        &mut self,
        column: &RowMajorColumn,
        bins: &RowMajorBins,
        entries: &[FlaggedRow],
        training: &TreeSample<'_>,
    ) {
        match &column.codes {
            &BinCodeLocation::InRow(place) => {
                self.count_bins(entries, training, |row| bins.bin_code(row, place).into());
            }
            BinCodeLocation::Separate(codes) => self.count_bins(entries, training, |row| codes[row] as usize),
        }
        if !self.marks_bins_while_counting(entries) {
            self.mark_occupied_bins();
        }
    }

    /// The lower half of a cell counts the first class, the upper half the second class.
    fn set_two_class_counts(&mut self, cells: &[u64; BINS]) {
        for (rows, cell) in self.rows.chunks_exact_mut(2).zip(cells) {
            rows.copy_from_slice(&[*cell as u32, (cell >> 32) as u32]);
        }
        for (word, cells) in self.occupied.iter_mut().zip(cells.chunks(64)) {
            *word = (0..).zip(cells).fold(0, |word, (bit, &cell)| word | u64::from(cell != 0) << bit);
        }
    }

    fn stores_two_class_counts(&self, training: &TreeSample<'_>) -> bool {
        training.table.n_classes == 2 && self.mass.is_empty()
    }

    fn reset(&mut self, column: &RowMajorColumn, training: &TreeSample<'_>) {
        // The old counts are cleared with the old number of classes, because another node may have other
        // classes.
        for bin in set_bit_positions(&self.occupied) {
            let cells = bin * self.n_classes..(bin + 1) * self.n_classes;
            self.rows[cells.clone()].fill(0);
            if let Some(mass) = self.mass.get_mut(cells) {
                mass.fill(0.0);
            }
        }
        let n_classes = training.n_classes();
        let n_cells = (column.n_bins + 1) * n_classes;
        self.rows.resize(n_cells, 0);
        if let RowWeights::ByRow(_) = training.table.weighing {
            self.mass.resize(n_cells, 0.0);
        }
        self.occupied.clear();
        self.occupied.resize(column.n_bins / 64 + 1, 0);
        self.n_classes = n_classes;
    }

    fn count_bins(
        &mut self,
        entries: &[FlaggedRow],
        training: &TreeSample<'_>,
        bin: impl Fn(usize) -> usize,
    ) {
        match training.copies {
            None => self.count_bins_with_copies(entries, training, bin, |_| 1),
            Some(copies) => self.count_bins_with_copies(entries, training, bin, |row| copies[row].into()),
        }
    }

    fn count_bins_with_copies(
        &mut self,
        entries: &[FlaggedRow],
        training: &TreeSample<'_>,
        bin: impl Fn(usize) -> usize,
        copies: impl Fn(usize) -> u32,
    ) {
        let note = self.marks_bins_while_counting(entries);
        let ClassCodes { of_class, frequent, .. } = training.codes;
        for &entry in entries {
            let row = row_of_entry(entry);
            let bin = bin(row);
            let class = if entry & RARE == 0 {
                frequent
            } else {
                let class = training.table.classes[row] as usize;
                of_class.map_or(class, |codes| codes[class] as usize)
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

    /// If there are at least as many rows as bins, it is faster to mark the bins after counting.
    fn marks_bins_while_counting(&self, entries: &[FlaggedRow]) -> bool {
        entries.len() * self.n_classes < self.rows.len()
    }

    fn mark_occupied_bins(&mut self) {
        for (bin, cells) in self.rows.chunks_exact(self.n_classes).enumerate() {
            let some = cells.iter().any(|&rows| rows > 0);
            self.occupied[bin / 64] |= u64::from(some) << (bin % 64);
        }
    }

    /// Subtracts only row counts; the histograms must have no masses.
    pub(crate) fn subtract_sibling(&mut self, sibling: &Self) {
        for (cell, part) in self.rows.iter_mut().zip(&sibling.rows) {
            *cell -= part;
        }
        self.occupied.fill(0);
        self.mark_occupied_bins();
    }

    pub(crate) fn n_cells(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn contains_rows(&self, bin: usize) -> bool {
        self.occupied[bin / 64] >> (bin % 64) & 1 == 1
    }

    pub(crate) fn occupied_bins(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        set_bit_positions(&self.occupied)
    }

    pub(crate) fn class_counts(&self, bin: usize) -> &[u32] {
        &self.rows[bin * self.n_classes..(bin + 1) * self.n_classes]
    }

    /// The caller must compute the masses of `sums` before reading them.
    #[inline]
    pub(crate) fn add_bin_to_sums(&self, bin: usize, sums: &mut ClassSums) {
        for (sum, rows) in sums.rows.iter_mut().zip(self.class_counts(bin)) {
            *sum += rows;
        }
        let mass = self.mass.get(bin * self.n_classes..(bin + 1) * self.n_classes).unwrap_or_default();
        for (sum, mass) in sums.mass.iter_mut().zip(mass) {
            *sum += mass;
        }
    }
}

fn set_bit_positions(words: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(place * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::class_codes::NodeClassCoding;
    use crate::rows::training::{DrawnRows, TrainingTable};
    use imbcore_core::{Column, Dataset, Frame, RunContext};

    #[test]
    fn tables_have_the_classes_of_their_node() {
        let x: Vec<f64> = (0..60).map(|row| f64::from(row % 20)).collect();
        let classes: Vec<u32> = (0..60).map(|row| [7, 500, 999, 999][row % 4]).collect();
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::with_single_class_allowed(frame, &classes, 1000, None).unwrap();
        let table = TrainingTable::new(&data, None).unwrap();
        let bins = RowMajorBins::new(&table, 255, RunContext::silent()).unwrap();
        let all = TreeSample::new(&table, DrawnRows::All);
        let (coding, sums) = NodeClassCoding::default().renumber_classes(all.class_sums(), &table);
        assert_eq!(sums.rows, [15, 15, 30]);
        let mut room = Vec::new();
        let node = all.with_node_class_codes(ClassCodes::for_node(&coding, &table, &mut room));
        let mut counts = [ClassHistogram::default()];
        for _ in 0..2 {
            fill_column_histograms(&bins, &[0], &mut counts, &all.entries, &all);
            let whole = counts[0].clone();
            assert_eq!(whole.n_cells(), 21 * 1000);
            fill_column_histograms(&bins, &[0], &mut counts, &all.entries, &node);
            assert_eq!(counts[0].n_cells(), 21 * 3);
            for bin in 0..21 {
                assert_eq!(counts[0].contains_rows(bin), bin < 20);
                let rows = [7, 500, 999].map(|class| whole.class_counts(bin)[class]);
                assert_eq!(counts[0].class_counts(bin), rows);
                assert_eq!(whole.class_counts(bin).iter().sum::<u32>(), rows.iter().sum::<u32>());
            }
        }
    }
}
