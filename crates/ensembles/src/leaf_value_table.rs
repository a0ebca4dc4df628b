//! Class masses or predictions of all leaves of many trees.

use imbcore_core::{Result, memory};
use imbcore_trees::{MOST_IN_TABLE, NodeClassAmounts};
use std::ops::Range;

const LEAVES: &str = "leaves of a forest";

/// A number per leaf and class: the mass of the class in the leaf, or the leaf's prediction.
///
/// The mass of a class in a leaf is the sum of the weights of its training rows there. For few classes the
/// numbers are a table, `n_leaves x n_classes`. For many classes, most leaves contain few of them, so every
/// leaf has a list of the classes whose number is not 0. Together, the lists of masses of a tree usually have
/// at most as many entries as the tree has training rows. They have more if rows with missing values go to
/// several leaves, or if leaves without rows repeat the masses of their parents.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeafValueTable {
    n_classes: usize,
    /// For each leaf, the end of its list in `classes` and `numbers`; empty for a table.
    ends: Vec<usize>,
    classes: Vec<u32>,
    numbers: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LeafValues<'c> {
    Row(&'c [f64]),
    /// Ascending classes, and the number of each; the numbers of all other classes are 0.
    List(&'c [u32], &'c [f64]),
}

impl LeafValueTable {
    pub(crate) fn new(n_classes: usize) -> Self {
        Self { n_classes, ..Self::default() }
    }

    /// Reads arrays from an untrusted file.
    /// `sizes` has the length of each leaf's list, and `classes` and `numbers` have the entries of all lists.
    /// For a table, `sizes` and `classes` are empty. Returns `None` if the lengths are inconsistent. The
    /// values of lists are checked when the tree is built.
    pub(crate) fn from_arrays(
        n_classes: usize,
        n_leaves: usize,
        (sizes, classes, numbers): (&[u32], &[u32], &[f64]),
    ) -> Result<Option<Self>> {
        let mut cells = Self::new(n_classes);
        let whole = if cells.has_sparse_leaves() {
            let mut end = 0;
            for &size in sizes {
                end = (size as usize).saturating_add(end);
                memory::push(&mut cells.ends, end, LEAVES)?;
            }
            sizes.len() == n_leaves && end == classes.len() && end == numbers.len()
        } else {
            sizes.is_empty() && classes.is_empty() && Some(numbers.len()) == n_leaves.checked_mul(n_classes)
        };
        memory::extend(&mut cells.classes, classes, LEAVES)?;
        memory::extend(&mut cells.numbers, numbers, LEAVES)?;
        Ok(whole.then_some(cells))
    }

    pub(crate) fn to_arrays(&self) -> (Vec<u32>, &[u32], &[f64]) {
        let sizes = (0..self.ends.len()).map(|leaf| self.leaf_range(leaf).len() as u32).collect();
        (sizes, &self.classes, &self.numbers)
    }

    pub(crate) fn has_sparse_leaves(&self) -> bool {
        self.n_classes > MOST_IN_TABLE
    }

    pub(crate) fn push_sparse_leaf(&mut self, list: impl IntoIterator<Item = (u32, f64)>) {
        for (class, number) in list {
            self.classes.push(class);
            self.numbers.push(number);
        }
        self.ends.push(self.numbers.len());
    }

    pub(crate) fn push_dense_leaf(&mut self, row: &[f64]) {
        if self.has_sparse_leaves() {
            self.push_sparse_leaf((0..).zip(row.iter().copied()).filter(|cell| cell.1 != 0.0));
        } else {
            self.numbers.extend_from_slice(row);
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let before = self.numbers.len();
        self.ends.extend(other.ends.iter().map(|end| end + before));
        self.classes.extend_from_slice(&other.classes);
        self.numbers.extend_from_slice(&other.numbers);
    }

    pub(crate) fn reserve<'a>(
        &mut self,
        others: impl Iterator<Item = &'a Self> + Clone,
        purpose: &'static str,
    ) -> Result<()> {
        memory::reserve_exact(&mut self.ends, others.clone().map(|other| other.ends.len()).sum(), purpose)?;
        memory::reserve_exact(
            &mut self.classes,
            others.clone().map(|other| other.classes.len()).sum(),
            purpose,
        )?;
        memory::reserve_exact(&mut self.numbers, others.map(|other| other.numbers.len()).sum(), purpose)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.ends.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.numbers.shrink_to_fit();
    }

    pub(crate) fn memory_size_bytes(&self) -> usize {
        size_of_val(&*self.ends) + size_of_val(&*self.classes) + size_of_val(&*self.numbers)
    }

    fn leaf_range(&self, leaf: usize) -> Range<usize> {
        if self.has_sparse_leaves() {
            let start = if leaf == 0 { 0 } else { self.ends[leaf - 1] };
            start..self.ends[leaf]
        } else {
            leaf * self.n_classes..(leaf + 1) * self.n_classes
        }
    }

    #[inline]
    pub(crate) fn leaf_values(&self, leaf: usize) -> LeafValues<'_> {
        let range = self.leaf_range(leaf);
        if self.has_sparse_leaves() {
            LeafValues::List(&self.classes[range.clone()], &self.numbers[range])
        } else {
            LeafValues::Row(&self.numbers[range])
        }
    }

    pub(crate) fn two_class_leaf_values(&self) -> &[[f64; 2]] {
        self.numbers.as_chunks::<2>().0
    }

    #[inline]
    pub(crate) fn add_leaf_to_sums(&self, leaf: usize, sums: &mut [f64]) {
        match self.leaf_values(leaf) {
            LeafValues::Row(row) => add_elementwise(sums, row),
            LeafValues::List(classes, numbers) => {
                classes.iter().zip(numbers).for_each(|(&class, number)| sums[class as usize] += number);
            }
        }
    }
}

impl LeafValues<'_> {
    pub(crate) fn sum_over_classes(self) -> f64 {
        let (Self::Row(numbers) | Self::List(_, numbers)) = self;
        numbers.iter().sum()
    }

    pub(crate) fn append_to_class_amounts(self, lists: &mut NodeClassAmounts) {
        match self {
            Self::Row(row) => lists.push_masses(row),
            Self::List(classes, numbers) => {
                lists.push(classes.iter().copied().zip(numbers.iter().copied()));
            }
        }
    }

    /// Returns one number for every class; a list is expanded into the buffer `room`.
    pub(crate) fn dense_row<'r>(&'r self, n_classes: usize, room: &'r mut Vec<f64>) -> &'r [f64] {
        match *self {
            Self::Row(row) => row,
            Self::List(classes, numbers) => {
                room.clear();
                room.resize(n_classes, 0.0);
                classes.iter().zip(numbers).for_each(|(&class, &number)| room[class as usize] = number);
                room
            }
        }
    }
}

#[inline]
pub(crate) fn add_elementwise(sums: &mut [f64], answer: &[f64]) {
    if let ([first, second], [a, b]) = (&mut *sums, answer) {
        // Two classes are the usual case and need no loop.
        *first += a;
        *second += b;
        return;
    }
    sums.iter_mut().zip(answer).for_each(|(sum, part)| *sum += part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(n_classes: usize) -> LeafValueTable {
        let mut cells = LeafValueTable::new(n_classes);
        let mut row = vec![0.0; n_classes];
        row[1] = 3.0;
        cells.push_dense_leaf(&row);
        row[1] = 0.0;
        (row[0], row[n_classes - 1]) = (0.5, 2.0);
        cells.push_dense_leaf(&row);
        cells
    }

    #[test]
    fn tables_and_lists_give_the_same_numbers() {
        for n_classes in [3, MOST_IN_TABLE, MOST_IN_TABLE + 1, 1000] {
            let mut cells = both(n_classes);
            cells.append(&both(n_classes));
            let mut room = Vec::new();
            for leaf in 0..4 {
                let mut sums = vec![0.0; n_classes];
                cells.add_leaf_to_sums(leaf, &mut sums);
                assert_eq!(cells.leaf_values(leaf).dense_row(n_classes, &mut room), sums);
                assert_eq!(cells.leaf_values(leaf).sum_over_classes(), if leaf % 2 == 0 { 3.0 } else { 2.5 });
            }
            let (sizes, classes, numbers) = cells.to_arrays();
            let read = LeafValueTable::from_arrays(n_classes, 4, (&sizes, classes, numbers));
            assert_eq!(read.unwrap().as_ref(), Some(&cells));
            assert_eq!(LeafValueTable::from_arrays(n_classes, 5, (&sizes, classes, numbers)).unwrap(), None);
            assert_eq!(
                LeafValueTable::from_arrays(n_classes, 4, (&sizes, classes, &numbers[1..])).unwrap(),
                None
            );
        }
    }

    #[test]
    fn lists_of_many_classes_have_the_length_of_their_classes() {
        assert_eq!(both(1000).memory_size_bytes(), both(1_000_000).memory_size_bytes());
        assert_eq!(both(1000).numbers.len(), 3);
    }
}
