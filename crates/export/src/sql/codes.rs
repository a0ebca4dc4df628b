//! Columns with many levels as integer codes, by a join with a table of their levels.
//!
//! Each level is written once, in this table, and a set of levels as a short text of codes: a list of them, or
//! their bits in hexadecimal digits, whichever is shorter. For every level the table contains the text that
//! matches its code in such a list, the position of its digit, and all digits in which its bit is set.

use super::Dialect;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Largest number of levels for which a column keeps its values.
/// Lists of few levels are easier to read.
const MOST_LEVELS: usize = 64;
/// Bits of a hexadecimal digit.
const DIGIT_BITS: usize = 4;

/// Columns of codes of a query, by feature.
pub(super) type LevelCodeMap = BTreeMap<usize, LevelCodes>;

/// Quoted names of the columns of a feature that is read as codes.
#[derive(Clone, Debug)]
pub(super) struct LevelCodes {
    /// Column with the code between commas, as it occurs in a list of codes.
    pub(super) item: String,
    /// Column with the position of the digit of the code, counted from 1.
    pub(super) place: String,
    /// Column with the digits in which the bit of the code is set.
    pub(super) digits: String,
    /// Number of levels.
    pub(super) n_levels: usize,
}

/// Whether a feature with this number of levels is read as codes.
pub(super) fn is_coded(n_levels: usize) -> bool {
    n_levels > MOST_LEVELS
}

/// Cells of a code in the table of levels: the code, and the columns of [`LevelCodes`].
pub(super) fn cells(code: usize) -> [String; 4] {
    let bit = 1 << (code % DIGIT_BITS);
    let digits: String = (0..16_u32)
        .filter(|digit| digit & bit != 0)
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect();
    [code.to_string(), format!("',{code},'"), (code / DIGIT_BITS + 1).to_string(), format!("'{digits}'")]
}

impl LevelCodes {
    /// Test for membership in a set of codes, or for its negation. Codes are ascending.
    pub(super) fn test(&self, codes: &[u32], inside: bool, dialect: Dialect) -> String {
        let list = codes.iter().fold(String::from(","), |mut list, code| {
            // Writing to a string cannot fail.
            let _ = write!(list, "{code},");
            list
        });
        let n_digits = self.n_levels.div_ceil(DIGIT_BITS);
        if list.len() <= n_digits {
            return dialect.contains_text(&format!("'{list}'"), &self.item, inside);
        }
        let mut digits = vec![0_u32; n_digits];
        for &code in codes {
            if let Some(digit) = digits.get_mut(code as usize / DIGIT_BITS) {
                *digit |= 1 << (code as usize % DIGIT_BITS);
            }
        }
        let digits: String = digits.into_iter().filter_map(|digit| char::from_digit(digit, 16)).collect();
        let digit = format!("SUBSTR('{digits}', {}, 1)", self.place);
        dialect.contains_text(&self.digits, &digit, inside)
    }
}
