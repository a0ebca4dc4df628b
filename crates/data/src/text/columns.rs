//! Builder of one column, and the finished column.

use super::column_kinds::TextColumnKind;
use super::token_form::{NumberNotation, parse_boolean};
use imbcore_core::memory::push;
use imbcore_core::{MISSING, Result};
use std::collections::BTreeMap;

const COLUMN: &str = "a column of the file";

/// A column of a text file.
#[derive(Clone, Debug, PartialEq)]
pub enum TextColumnValues {
    /// Numbers; NaN is missing.
    Numeric(Vec<f64>),
    /// Text: for each row an index into the sorted levels, or [`MISSING`] for a missing value.
    Text {
        /// One code per row.
        codes: Vec<u32>,
        /// Distinct levels in order of their code points.
        ///
        /// They are sorted so that the codes, and a model fitted on them, do not depend on the row order.
        levels: Vec<String>,
    },
}

impl TextColumnValues {
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

pub(crate) enum ColumnBuilder {
    Numeric { kind: TextColumnKind, values: Vec<f64> },
    Text { codes: Vec<u32>, levels: BTreeMap<Box<str>, u32> },
}

impl ColumnBuilder {
    pub(crate) fn new(kind: TextColumnKind) -> Self {
        match kind {
            TextColumnKind::Text => Self::Text { codes: Vec::new(), levels: BTreeMap::new() },
            kind => Self::Numeric { kind, values: Vec::new() },
        }
    }

    /// Appends a field, which is `None` if it is missing.
    ///
    /// Returns false if the value of the field does not fit the column type.
    pub(crate) fn push(&mut self, field: Option<&str>, notation: NumberNotation) -> Result<bool> {
        match self {
            Self::Numeric { kind, values } => {
                let Some(field) = field else {
                    push(values, f64::NAN, COLUMN)?;
                    return Ok(true);
                };
                let value = match kind {
                    TextColumnKind::Boolean => parse_boolean(field).map(f64::from),
                    TextColumnKind::Empty => None,
                    _ => notation.parse_number(field),
                };
                push(values, value.unwrap_or(f64::NAN), COLUMN)?;
                Ok(value.is_some())
            }
            Self::Text { codes, levels } => {
                let code = match field {
                    None => MISSING,
                    Some(field) => levels.get(field).copied().unwrap_or_else(|| {
                        let code = levels.len() as u32;
                        levels.insert(field.into(), code);
                        code
                    }),
                };
                push(codes, code, COLUMN)?;
                Ok(true)
            }
        }
    }

    /// Sorts the levels and renumbers the codes accordingly.
    pub(crate) fn finish(self) -> TextColumnValues {
        match self {
            Self::Numeric { values, .. } => TextColumnValues::Numeric(values),
            Self::Text { mut codes, levels } => {
                let mut sorted = vec![0; levels.len()];
                for (rank, &code) in (0_u32..).zip(levels.values()) {
                    sorted[code as usize] = rank;
                }
                for code in codes.iter_mut().filter(|code| **code != MISSING) {
                    *code = sorted[*code as usize];
                }
                TextColumnValues::Text { codes, levels: levels.into_keys().map(String::from).collect() }
            }
        }
    }
}
