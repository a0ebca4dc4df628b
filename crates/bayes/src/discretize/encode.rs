//! Encoding of data tables as state codes.

use super::column_rule::{ColumnStates, Discretizer};
use super::params::UnseenLevelPolicy;
use crate::table::MISSING;
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Column, Error, Frame, Result, RunContext, memory, parallel};
use std::ops::Range;

/// Number of columns of a row-major matrix that are converted to codes together.
///
/// The matrix is read in blocks of this many columns and `ROWS` rows, so each cache line is read only once.
const COLUMNS: usize = 8;
const ROWS: usize = 1 << 12;

impl Discretizer {
    /// Codes of the given columns of a table, one list per column.
    ///
    /// # Errors
    /// [`Error::Data`] if the number of columns differs from training. [`Error::Column`] for a column that is
    /// numeric here but was nominal in training, or the reverse. [`Error::Column`] for a level that did not
    /// occur in training, with [`UnseenLevelPolicy::Error`]. [`Error::Memory`] and [`Error::Cancelled`].
    pub fn encode(&self, frame: &Frame<'_>, columns: &[usize], ctl: RunContext<'_>) -> Result<Vec<Vec<u16>>> {
        if frame.n_columns() != self.columns.len() {
            return Err(Error::Data(format!(
                "X has {} features, but {} were discretized in training",
                frame.n_columns(),
                self.columns.len()
            )));
        }
        // The codes of all columns are in memory at the end, so memory is checked for the sum of their sizes.
        let bytes = frame.n_rows().saturating_mul(columns.len()).saturating_mul(size_of::<u16>());
        let purpose = format!("{} columns of {} rows", columns.len(), frame.n_rows());
        MemoryEstimate::default()
            .with_bytes(bytes, purpose, "use fewer rows or columns")
            .check("the discretization")?;
        let is_strided = |&column: &usize| match &frame.columns()[column] {
            Column::Numeric(values) => values.as_slice().is_none(),
            Column::Nominal { .. } => false,
        };
        let together = if columns.iter().any(is_strided) { COLUMNS } else { 1 };
        let blocks = parallel::try_map(columns.chunks(together), |block| {
            let empty = |_| memory::try_with_capacity(frame.n_rows(), "codes of a column");
            let mut codes = block.iter().map(empty).collect::<Result<Vec<_>>>()?;
            for start in (0..frame.n_rows()).step_by(ROWS) {
                ctl.check()?;
                let rows = start..(start + ROWS).min(frame.n_rows());
                for (&column, codes) in block.iter().zip(&mut codes) {
                    self.encode_rows(frame, column, rows.clone(), codes)?;
                }
            }
            Ok(codes)
        })?;
        Ok(blocks.into_iter().flatten().collect())
    }

    fn encode_rows(
        &self,
        frame: &Frame<'_>,
        column: usize,
        rows: Range<usize>,
        into: &mut Vec<u16>,
    ) -> Result<()> {
        let rule = &self.columns[column];
        let gap = if rule.gap_state { rule.n_states() as u16 - 1 } else { MISSING };
        match (&frame.columns()[column], &rule.values) {
            (Column::Numeric(values), ColumnStates::Cuts(cuts)) => {
                let code = |value: f64| if value.is_nan() { gap } else { bin_of_value(cuts, value) };
                match values.as_slice() {
                    Some(values) => into.extend(values[rows].iter().map(|&value| code(value))),
                    None => into.extend(rows.map(|row| code(values.get(row)))),
                }
            }
            (Column::Nominal { codes, .. }, ColumnStates::Levels(seen)) => {
                let code = |&code: &u32| match seen.get(code as usize) {
                    Some(true) => code as u16,
                    _ => gap,
                };
                if self.handle_unknown == UnseenLevelPolicy::Error {
                    check_unseen_levels(&codes[rows.clone()], seen, column, rows.start)?;
                }
                into.extend(codes[rows].iter().map(code));
            }
            (_, ColumnStates::Cuts(_)) => return Err(column_kind_error(column, "numbers")),
            (_, ColumnStates::Levels(_)) => return Err(column_kind_error(column, "levels")),
        }
        Ok(())
    }
}

#[inline]
fn bin_of_value(cuts: &[f64], value: f64) -> u16 {
    if cuts.len() <= 16 {
        return cuts.iter().map(|&cut| u16::from(cut < value)).sum();
    }
    cuts.partition_point(|&cut| cut < value) as u16
}

fn column_kind_error(column: usize, then: &str) -> Error {
    Error::Column { column, message: format!("contained {then} in training, but does not now") }
}

fn check_unseen_levels(codes: &[u32], seen: &[bool], column: usize, first_row: usize) -> Result<()> {
    let known = |code: u32| code == imbcore_core::MISSING || seen.get(code as usize) == Some(&true);
    match codes.iter().position(|&code| !known(code)) {
        None => Ok(()),
        Some(at) => Err(Error::Column {
            column,
            message: format!(
                "has a level that did not occur in training (first in row {}); with handle_unknown=\"missing\" such levels are missing \
                 values",
                first_row + at
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::column_rule::ColumnRule;
    use super::*;

    fn discretizer(gap_state: bool, handle_unknown: UnseenLevelPolicy) -> Discretizer {
        let rule = |values| ColumnRule { values, gap_state };
        let columns = vec![
            rule(ColumnStates::Cuts(vec![1.0, 2.0])),
            rule(ColumnStates::Levels(vec![true, false, true])),
        ];
        Discretizer { columns, handle_unknown }
    }

    const NONE: u32 = imbcore_core::MISSING;
    const NUMBERS: [f64; 5] = [1.0, 1.5, f64::NAN, 9.0, -9.0];
    const CODES: [u32; 5] = [2, 1, NONE, 0, 0];

    fn frame() -> Frame<'static> {
        let nominal = Column::Nominal { codes: &CODES, levels: 4 };
        Frame::new(vec![Column::from_numbers(&NUMBERS), nominal]).unwrap()
    }

    #[test]
    fn values_fall_into_bins_and_unseen_levels_are_missing() {
        let codes = |gap_state| {
            discretizer(gap_state, UnseenLevelPolicy::Missing)
                .encode(&frame(), &[0, 1], RunContext::silent())
                .unwrap()
        };
        assert_eq!(codes(false), [[0, 1, MISSING, 2, 0], [2, MISSING, MISSING, 0, 0]]);
        assert_eq!(codes(true), [[0, 1, 3, 2, 0], [2, 3, 3, 0, 0]]);
    }

    #[test]
    fn unseen_levels_and_other_kinds_are_refused() {
        let strict = discretizer(false, UnseenLevelPolicy::Error);
        let message = |columns: &[usize]| strict.encode(&frame(), columns, RunContext::silent());
        assert!(
            message(&[1])
                .unwrap_err()
                .to_string()
                .contains("column 1: has a level that did not occur in training")
        );
        assert!(message(&[0]).is_ok());
        let swapped =
            Frame::new(vec![Column::from_numbers(&NUMBERS), Column::from_numbers(&NUMBERS)]).unwrap();
        assert!(strict.encode(&swapped, &[1], RunContext::silent()).is_err());
        let narrow = Frame::new(vec![Column::from_numbers(&NUMBERS)]).unwrap();
        assert!(strict.encode(&narrow, &[0], RunContext::silent()).is_err());
    }

    #[test]
    fn many_cuts_are_searched_as_few_are_counted() {
        let cuts: Vec<f64> = (0..40).map(f64::from).collect();
        for value in [-1.0, 0.0, 0.5, 15.0, 15.1, 39.0, 40.0] {
            let counted = cuts.iter().filter(|&&cut| cut < value).count();
            assert_eq!(bin_of_value(&cuts, value) as usize, counted);
        }
    }
}
