//! Comparison of the scores and constraints of two structure searches.

use crate::search::StructureSettings;
use crate::table::DiscreteTable;
use imbcore_core::Result;

/// Whether two searches maximize the same score under the same constraints.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] for scores without upper bounds,
/// [`imbcore_core::Error::Data`] for constraints that do not fit the table.
pub fn is_same_objective(
    table: &DiscreteTable,
    one: (&StructureSettings, Option<u32>),
    other: (&StructureSettings, Option<u32>),
) -> Result<bool> {
    let (one, other) = (one.0.proof_objective(table, one.1)?, other.0.proof_objective(table, other.1)?);
    Ok(one.score.has_same_scores_as(&other.score) && one.bonus == other.bonus && one.rules == other.rules)
}
