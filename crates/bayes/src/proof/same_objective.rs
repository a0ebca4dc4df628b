//! Comparison of the objectives of two searches.

use crate::search::StructureSettings;
use crate::table::DiscreteTable;
use imbcore_base::Result;

/// Whether two searches look for the same graph: by the same score, rules and class.
///
/// # Errors
/// [`imbcore_base::Error::Unsupported`] for scores without bounds, [`imbcore_base::Error::Data`] for rules that do not fit the
/// table.
pub fn same_objective(
    table: &DiscreteTable,
    one: (&StructureSettings, Option<u32>),
    other: (&StructureSettings, Option<u32>),
) -> Result<bool> {
    let (one, other) = (one.0.plain_scoring(table, one.1)?, other.0.plain_scoring(table, other.1)?);
    Ok(one.score.is_same(&other.score) && one.bonus == other.bonus && one.rules == other.rules)
}
