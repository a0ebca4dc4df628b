//! Data tables of small integer codes.

pub use crate::codes::MISSING;
use crate::codes::StateCodes;
use imbcore_core::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Discrete data by column: codes `0..levels` or [`MISSING`], and optional row weights.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscreteTable {
    columns: Vec<StateCodes>,
    levels: Vec<u32>,
    n_rows: usize,
    weights: Option<Vec<f64>>,
    /// Position of each column in the order of the names; `None` if the columns have no names.
    name_ranks: Option<Vec<u32>>,
}

impl DiscreteTable {
    /// Builds a table from columns; `levels[i]` is the declared number of states of column `i`.
    ///
    /// Not all declared states need to occur.
    ///
    /// # Errors
    /// [`Error::Column`] for columns of different lengths, for no or too many states, and for a code that is
    /// not below the number of states.
    pub fn new(columns: Vec<Vec<u16>>, levels: Vec<u32>) -> Result<Self> {
        Self::from_codes(columns.into_iter().map(StateCodes::Wide).collect(), levels)
    }

    pub(crate) fn from_codes(columns: Vec<StateCodes>, levels: Vec<u32>) -> Result<Self> {
        if columns.len() != levels.len() {
            return Err(Error::Internal("a discrete table needs a number of states for every column".into()));
        }
        let n_rows = columns.first().map_or(0, StateCodes::len);
        for (column, (codes, &levels)) in columns.iter().zip(&levels).enumerate() {
            let fail = |message: String| Err(Error::Column { column, message });
            if codes.len() != n_rows {
                return fail(format!("has {} rows, but column 0 has {n_rows}", codes.len()));
            }
            if levels == 0 || levels >= u32::from(MISSING) {
                return fail(format!("has {levels} states; from 1 to {} are possible", MISSING - 1));
            }
            if let Some(code) = codes.find_invalid_code(levels) {
                return fail(format!("has the code {code}, but only {levels} states"));
            }
        }
        Ok(Self { columns, levels, n_rows, weights: None, name_ranks: None })
    }

    /// The same rows with the given weights, which must be positive.
    #[must_use]
    pub fn with_weights(self, weights: Vec<f64>) -> Self {
        debug_assert_eq!(weights.len(), self.n_rows);
        Self { weights: Some(weights), ..self }
    }

    /// The same rows with names of the columns.
    ///
    /// Names order columns with equal counts.
    #[must_use]
    pub fn with_names(self, names: &[&str]) -> Self {
        debug_assert_eq!(names.len(), self.columns.len());
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| compare_names(names[a], names[b]));
        let mut ranks = vec![0; names.len()];
        for (rank, &column) in order.iter().enumerate() {
            ranks[column] = rank as u32;
        }
        Self { name_ranks: Some(ranks), ..self }
    }

    /// Position of a column in the order of the names.
    ///
    /// Without names, it is the position in the table.
    pub(crate) fn name_rank(&self, column: u32) -> u32 {
        self.name_ranks.as_ref().map_or(column, |ranks| ranks[column as usize])
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Codes of one column.
    pub fn codes(&self, column: usize) -> Cow<'_, [u16]> {
        self.codes_in_rows(column, 0..self.n_rows)
    }

    #[inline]
    pub(crate) fn codes_in_rows(&self, column: usize, rows: Range<usize>) -> Cow<'_, [u16]> {
        self.columns[column].codes_in_rows(rows)
    }

    #[inline]
    pub(crate) fn code(&self, column: usize, row: usize) -> u16 {
        self.columns[column].get(row)
    }

    /// Replaces the codes of a column; `codes` must have one valid code per row.
    pub(crate) fn replace_codes(&mut self, column: usize, codes: Vec<u16>) {
        debug_assert_eq!(codes.len(), self.n_rows);
        self.columns[column] = StateCodes::Wide(codes);
    }

    /// Declared number of states of each column.
    pub fn n_states_by_column(&self) -> &[u32] {
        &self.levels
    }

    /// Row weights, if any.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Sum of the row weights; the number of rows if there are no weights.
    pub fn total_weight(&self) -> f64 {
        self.weights.as_ref().map_or(self.n_rows as f64, |weights| weights.iter().sum())
    }

    pub(crate) fn has_missing(&self, column: usize) -> bool {
        self.columns[column].has_missing()
    }

    /// Table with the given rows in the given order; rows may be repeated.
    #[must_use]
    pub fn select_rows(&self, rows: &[u32]) -> Self {
        let pick =
            |codes: &StateCodes| StateCodes::Wide(rows.iter().map(|&row| codes.get(row as usize)).collect());
        Self {
            columns: self.columns.iter().map(pick).collect(),
            levels: self.levels.clone(),
            n_rows: rows.len(),
            weights: self.weights.as_ref().map(|all| rows.iter().map(|&row| all[row as usize]).collect()),
            name_ranks: self.name_ranks.clone(),
        }
    }
}

/// Compares names; digits compare as whole numbers, so that `x2` is before `x10`.
fn compare_names(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) {
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let (one, two) = (split_number(&mut left), split_number(&mut right));
            one.len().cmp(&two.len()).then(one.cmp(two))
        } else {
            (left, right) = (&left[first.len_utf8()..], &right[second.len_utf8()..]);
            first.cmp(&second)
        };
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Removes the digits at the start of a text and returns them without leading zeros.
fn split_number<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let digits = &text[..end];
    *text = &text[end..];
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_columns_are_named() {
        let message = |columns, levels| DiscreteTable::new(columns, levels).unwrap_err().to_string();
        assert!(message(vec![vec![0, 1], vec![0]], vec![2, 1]).contains("column 1: has 1 rows"));
        assert!(message(vec![vec![0, 2]], vec![2]).contains("the code 2, but only 2 states"));
        assert!(message(vec![vec![]], vec![0]).contains("0 states"));
    }

    #[test]
    fn names_are_ordered_with_numbers_as_numbers() {
        let mut names = ["x10", "x2", "a", "x02", "b1c", "b1", "x2", "10", "x", "\u{e9}", ""];
        names.sort_by(|a, b| compare_names(a, b));
        assert_eq!(names, ["", "10", "a", "b1", "b1c", "x", "x02", "x2", "x2", "x10", "\u{e9}"]);
        let table = DiscreteTable::new(vec![vec![0]; 3], vec![2; 3]).unwrap();
        let ranks = |table: &DiscreteTable| [0, 1, 2].map(|column| table.name_rank(column));
        assert_eq!(ranks(&table), [0, 1, 2]);
        assert_eq!(ranks(&table.with_names(&["n10", "n9", "k"]).select_rows(&[0])), [2, 1, 0]);
    }

    #[test]
    fn taken_rows_keep_their_weights() {
        let table =
            DiscreteTable::new(vec![vec![0, 1, MISSING]], vec![2]).unwrap().with_weights(vec![1.0, 2.0, 3.0]);
        let taken = table.select_rows(&[2, 2, 1]);
        assert_eq!(*taken.codes(0), [MISSING, MISSING, 1]);
        assert_eq!((taken.total_weight(), taken.n_rows()), (8.0, 3));
        assert!(taken.has_missing(0) && !table.select_rows(&[0]).has_missing(0));
    }
}
