//! Names that are one column in a database.

use super::Dialect;
use crate::error::{Error, Result};
use crate::schema::Schema;
use std::collections::BTreeMap;

/// Checks that each used feature has a column of its own in a table that has all features of a schema.
///
/// # Errors
/// [`Error::Unsupported`] if the name of another feature is a name of the same column.
pub fn require_columns(dialect: Dialect, schema: &Schema, used: &[usize]) -> Result<()> {
    let names = schema.features.iter().map(|feature| &feature.name[..]);
    match same_column(dialect, names, used.iter().map(|&feature| schema.feature(feature))) {
        None => Ok(()),
        Some((a, b)) => Err(Error::Unsupported(format!(
            "the features {a:?} and {b:?} are one column in this database, {}; rename one of them before the fit",
            dialect.column_rule()
        ))),
    }
}

/// Checks that the columns of a result are columns of their own.
///
/// # Errors
/// [`Error::Unsupported`] if two names are names of the same column.
pub(super) fn require_distinct<'n>(
    dialect: Dialect,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<()> {
    match same_column(dialect, names.clone(), names) {
        None => Ok(()),
        Some((a, b)) => Err(Error::Unsupported(format!(
            "the columns {a:?} and {b:?} of the query are one column in this database, {}; rename such classes before the fit, or \
             columns to keep in the table",
            dialect.column_rule()
        ))),
    }
}

/// Two of the names that are names of the same column, which is that of a used name.
fn same_column<'n>(
    dialect: Dialect,
    names: impl Iterator<Item = &'n str>,
    mut used: impl Iterator<Item = &'n str>,
) -> Option<(&'n str, &'n str)> {
    let mut columns: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        columns.entry(dialect.column_identity(name)).or_default().push(name);
    }
    used.find_map(|name| match columns.get(&dialect.column_identity(name)).map(Vec::as_slice) {
        Some(&[a, b, ..]) => Some((a, b)),
        _ => None,
    })
}
