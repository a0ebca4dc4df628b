//! Integer codes for columns with many levels, which keep the text of a query short.
//!
//! The query joins the rows with a table that contains each level and its code. A split by levels tests the
//! code against a set of codes. The set is written as text in the shorter of two forms:
//! - A comma-separated list of codes. For this form, the table contains each code between commas.
//! - A bit set in hexadecimal digits. For this form, the table contains, for each code, the position of its
//!   digit in the bit set, and all hexadecimal digits in which the bit of the code is set.

use super::Dialect;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Largest number of levels of a column that is not converted to codes.
/// Conditions with the levels themselves are easier to read.
const MOST_LEVELS: usize = 64;
/// Number of bits of a hexadecimal digit.
const DIGIT_BITS: usize = 4;

pub(super) type LevelCodeColumnMap = BTreeMap<usize, LevelCodeColumns>;

/// Quoted names of the three query columns of a nominal feature with many levels.
#[derive(Clone, Debug)]
pub(super) struct LevelCodeColumns {
    /// Column with the code between commas, as in a comma-separated list of codes.
    pub(super) item: String,
    /// Column with the position of the code's digit in a bit set, counted from 1.
    pub(super) place: String,
    /// Column with all hexadecimal digits in which the bit of the code is set.
    pub(super) digits: String,
    pub(super) n_levels: usize,
}

pub(super) fn has_coded_levels(n_levels: usize) -> bool {
    n_levels > MOST_LEVELS
}

/// Row of the level table for one level: its code, and the [`LevelCodeColumns`].
pub(super) fn level_code_cells(code: usize) -> [String; 4] {
    let bit = 1 << (code % DIGIT_BITS);
    let digits: String = (0..16_u32)
        .filter(|digit| digit & bit != 0)
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect();
    [code.to_string(), format!("',{code},'"), (code / DIGIT_BITS + 1).to_string(), format!("'{digits}'")]
}

impl LevelCodeColumns {
    /// SQL test that the code of a row is in a set or, if `inside` is false, that it is not.
    ///
    /// The codes of the set are ascending.
    pub(super) fn level_condition(&self, codes: &[u32], inside: bool, dialect: Dialect) -> String {
        let list = codes.iter().fold(String::from(","), |mut list, code| {
            // Writing to a string cannot fail.
            let _ = write!(list, "{code},");
            list
        });
        let n_digits = self.n_levels.div_ceil(DIGIT_BITS);
        if list.len() <= n_digits {
            return dialect.contains_text_condition(&format!("'{list}'"), &self.item, inside);
        }
        let mut digits = vec![0_u32; n_digits];
        for &code in codes {
            if let Some(digit) = digits.get_mut(code as usize / DIGIT_BITS) {
                *digit |= 1 << (code as usize % DIGIT_BITS);
            }
        }
        let digits: String = digits.into_iter().filter_map(|digit| char::from_digit(digit, 16)).collect();
        let digit = format!("SUBSTR('{digits}', {}, 1)", self.place);
        dialect.contains_text_condition(&self.digits, &digit, inside)
    }
}
