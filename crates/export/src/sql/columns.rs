//! Checks for different names that denote the same column in a database.

use super::Dialect;
use imbcore_core::Schema;
use imbcore_core::{Error, Result};
use std::collections::BTreeMap;

/// Checks that the name of each used feature denotes only one column of the table.
/// The table has a column for every feature of the schema.
pub(super) fn check_columns_unambiguous(dialect: Dialect, schema: &Schema, used: &[usize]) -> Result<()> {
    let names = schema.features.iter().map(|feature| &feature.name[..]);
    match find_ambiguous_names(dialect, names, used.iter().map(|&feature| schema.feature_name(feature))) {
        None => Ok(()),
        Some((a, b)) => Err(Error::Unsupported(format!(
            "the features {a:?} and {b:?} denote the same column in this database, {}; rename one of them before the fit",
            dialect.ambiguous_names_reason()
        ))),
    }
}

/// Checks that the names of the result columns denote distinct columns.
pub(super) fn require_distinct_columns<'n>(
    dialect: Dialect,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<()> {
    match find_ambiguous_names(dialect, names.clone(), names) {
        None => Ok(()),
        Some((a, b)) => Err(Error::Unsupported(format!(
            "the columns {a:?} and {b:?} of the query denote the same column in this database, {}; rename such classes before the fit, or \
             columns to keep in the table",
            dialect.ambiguous_names_reason()
        ))),
    }
}

/// Finds two names that denote the same column; at least one of them must be a used name.
fn find_ambiguous_names<'n>(
    dialect: Dialect,
    names: impl Iterator<Item = &'n str>,
    mut used: impl Iterator<Item = &'n str>,
) -> Option<(&'n str, &'n str)> {
    let mut columns: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        columns.entry(dialect.canonical_column_name(name)).or_default().push(name);
    }
    used.find_map(|name| match columns.get(&dialect.canonical_column_name(name)).map(Vec::as_slice) {
        Some(&[a, b, ..]) => Some((a, b)),
        _ => None,
    })
}
