//! One column while it is being read, and when it is done.

use imbcore_base::memory::{filled, push};
use imbcore_base::{Error, MISSING, Result};
use std::collections::BTreeMap;

/// What memory for a column is asked for.
const COLUMN: &str = "a column of the file";

/// A column of a text file.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnText {
    /// Numbers, NaN = missing.
    Numeric(Vec<f64>),
    /// Words, as codes into their sorted list; [`MISSING`] = missing.
    Text {
        /// One code a row.
        codes: Vec<u32>,
        /// The different words in order of their code points. Sorted, not in order of appearance, so that
        /// the codes (and a model fitted on them) do not depend on the order of the rows.
        levels: Vec<String>,
    },
}

impl ColumnText {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(values) => values.len(),
            Self::Text { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What the user said about a column's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Free,
    Numeric,
    Text,
}

/// What became of one field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    Fine,
    /// A word in a column whose earlier fields were all numbers: the column has to be read again as text.
    Turned,
    /// A word in a column that must be numeric.
    NotANumber,
    /// Bytes that are no UTF-8.
    NotText,
}

enum Values {
    /// Nothing but missing fields so far; how many.
    Unknown(usize),
    Numeric(Vec<f64>),
    Text {
        codes: Vec<u32>,
        words: BTreeMap<Box<str>, u32>,
    },
    /// Turned; its fields no longer matter in this pass.
    Stale(usize),
}

/// A column under construction.
pub(crate) struct Builder {
    wish: Wish,
    values: Values,
}

impl Builder {
    pub(crate) fn new(wish: Wish) -> Self {
        let values = match wish {
            Wish::Free => Values::Unknown(0),
            Wish::Numeric => Values::Numeric(Vec::new()),
            Wish::Text => Values::Text { codes: Vec::new(), words: BTreeMap::new() },
        };
        Self { wish, values }
    }

    /// Takes the next field; `None` is a missing one.
    pub(crate) fn push(&mut self, field: Option<&[u8]>) -> Result<Taken> {
        if let Values::Unknown(gaps) = &mut self.values {
            let Some(bytes) = field else {
                *gaps += 1;
                return Ok(Taken::Fine);
            };
            self.values = match number(bytes) {
                Some(_) => Values::Numeric(filled(*gaps, f64::NAN, COLUMN)?),
                None => Values::Text { codes: filled(*gaps, MISSING, COLUMN)?, words: BTreeMap::new() },
            };
        }
        match &mut self.values {
            Values::Unknown(rows) | Values::Stale(rows) => *rows += 1,
            Values::Numeric(values) => match field.map(number) {
                None => push(values, f64::NAN, COLUMN)?,
                Some(Some(value)) => push(values, value, COLUMN)?,
                Some(None) if self.wish == Wish::Numeric => return Ok(Taken::NotANumber),
                Some(None) => {
                    self.values = Values::Stale(values.len() + 1);
                    return Ok(Taken::Turned);
                }
            },
            Values::Text { codes, words } => match field.map(std::str::from_utf8) {
                None => push(codes, MISSING, COLUMN)?,
                Some(Err(_)) => return Ok(Taken::NotText),
                Some(Ok(word)) => {
                    let code = words.get(word).copied().unwrap_or_else(|| {
                        let code = words.len() as u32;
                        words.insert(word.into(), code);
                        code
                    });
                    push(codes, code, COLUMN)?;
                }
            },
        }
        Ok(Taken::Fine)
    }

    /// The finished column.
    pub(crate) fn finish(self) -> Result<ColumnText> {
        match self.values {
            // A column without a single value says nothing about its kind; numeric needs no levels.
            Values::Unknown(rows) => Ok(ColumnText::Numeric(filled(rows, f64::NAN, COLUMN)?)),
            Values::Numeric(values) => Ok(ColumnText::Numeric(values)),
            Values::Text { mut codes, words } => {
                let mut sorted = vec![0; words.len()];
                for (rank, &code) in (0_u32..).zip(words.values()) {
                    sorted[code as usize] = rank;
                }
                for code in codes.iter_mut().filter(|code| **code != MISSING) {
                    *code = sorted[*code as usize];
                }
                Ok(ColumnText::Text { codes, levels: words.into_keys().map(String::from).collect() })
            }
            Values::Stale(_) => {
                Err(Error::Internal("a column that turned into text was not read again".into()))
            }
        }
    }
}

/// The number a field spells, if it spells one; infinities are numbers, "nan" is none.
fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse::<f64>().ok().filter(|value| !value.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(wish: Wish, fields: &[Option<&str>]) -> (Vec<Taken>, Result<ColumnText>) {
        let mut builder = Builder::new(wish);
        let taken = fields.iter().map(|field| builder.push(field.map(str::as_bytes)).unwrap()).collect();
        (taken, builder.finish())
    }

    #[test]
    fn codes_follow_sorted_words_and_gaps_before_the_first_word_count() {
        let (_, done) = column(Wish::Free, &[None, Some("b"), Some("a"), Some("b"), None]);
        let levels = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(done, Ok(ColumnText::Text { codes: vec![MISSING, 1, 0, 1, MISSING], levels }));
    }

    #[test]
    fn a_word_after_numbers_turns_a_free_column_and_breaks_a_numeric_one() {
        let (taken, done) = column(Wish::Free, &[Some("1"), Some("x"), Some("2")]);
        assert_eq!(taken, [Taken::Fine, Taken::Turned, Taken::Fine]);
        assert!(done.is_err());
        assert_eq!(column(Wish::Numeric, &[Some("x")]).0, [Taken::NotANumber]);
    }

    #[test]
    fn infinities_are_numbers_and_nan_is_not() {
        let (_, done) = column(Wish::Free, &[Some("-inf"), Some("1e3"), Some(".5"), Some("-2.")]);
        assert_eq!(done, Ok(ColumnText::Numeric(vec![f64::NEG_INFINITY, 1000.0, 0.5, -2.0])));
        assert_eq!(number(b"nan"), None);
    }
}
