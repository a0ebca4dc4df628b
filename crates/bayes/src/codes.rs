//! State codes of one column, stored with one byte per code if there are few states.

use imbcore_core::{Result, memory};
use std::borrow::Cow;
use std::ops::Range;

/// Code of a missing value.
pub const MISSING: u16 = u16::MAX;

const CODES: &str = "codes of the rows";

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateCodes {
    /// One byte per code; 255 stands for [`MISSING`].
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl StateCodes {
    /// Creates an empty column with capacity for `n_rows` codes of `n_states` states.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn with_capacity(n_states: u32, n_rows: usize) -> Result<Self> {
        if n_states < u32::from(u8::MAX) {
            return Ok(Self::Narrow(memory::try_with_capacity(n_rows, CODES)?));
        }
        Ok(Self::Wide(memory::try_with_capacity(n_rows, CODES)?))
    }

    /// Appends codes, each of which is a state number below the number of states, or [`MISSING`].
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn extend(&mut self, more: impl Iterator<Item = u16>) -> Result<()> {
        match self {
            Self::Wide(codes) => {
                for code in more {
                    memory::push(codes, code, CODES)?;
                }
            }
            Self::Narrow(codes) => {
                for code in more {
                    memory::push(codes, u8::try_from(code).unwrap_or(u8::MAX), CODES)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    pub(crate) fn get(&self, row: usize) -> u16 {
        match self {
            Self::Narrow(codes) => widen_code(codes[row]),
            Self::Wide(codes) => codes[row],
        }
    }

    pub(crate) fn find_invalid_code(&self, n_states: u32) -> Option<u16> {
        let strange = |code: u16| code != MISSING && u32::from(code) >= n_states;
        // All codes are first tested without early exit, because such a loop vectorizes. Only if some code is
        // invalid, a second loop finds it.
        let some = match self {
            Self::Narrow(codes) => codes.iter().fold(false, |found, &code| found | strange(widen_code(code))),
            Self::Wide(codes) => codes.iter().fold(false, |found, &code| found | strange(code)),
        };
        if some { (0..self.len()).map(|row| self.get(row)).find(|&code| strange(code)) } else { None }
    }

    pub(crate) fn codes_in_rows(&self, rows: Range<usize>) -> Cow<'_, [u16]> {
        match self {
            Self::Narrow(codes) => codes[rows].iter().map(|&code| widen_code(code)).collect(),
            Self::Wide(codes) => Cow::Borrowed(&codes[rows]),
        }
    }

    pub(crate) fn has_missing(&self) -> bool {
        match self {
            Self::Narrow(codes) => codes.contains(&u8::MAX),
            Self::Wide(codes) => codes.contains(&MISSING),
        }
    }
}

fn widen_code(code: u8) -> u16 {
    if code == u8::MAX { MISSING } else { u16::from(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_states_take_a_byte_and_read_alike() {
        let codes = [3, 0, MISSING, 253];
        let [narrow, wide] = [254, 255].map(|n_states| {
            let mut held = StateCodes::with_capacity(n_states, 4).unwrap();
            held.extend(codes.into_iter()).unwrap();
            held
        });
        assert!(matches!(narrow, StateCodes::Narrow(_)) && matches!(wide, StateCodes::Wide(_)));
        for held in [narrow, wide] {
            assert_eq!((held.len(), held.get(2), held.get(3), held.has_missing()), (4, MISSING, 253, true));
            assert_eq!(&*held.codes_in_rows(1..4), &codes[1..]);
        }
    }
}
