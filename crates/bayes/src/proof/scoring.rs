//! What a checker of proofs needs to know of scores and rules.

use crate::score::Score;
use crate::search::{Rules, StructureSettings};
use crate::table::DiscreteTable;
use imbcore_base::Result;

/// What families score, what those with parents are worth more, and the rules of graphs.
#[derive(Clone, Debug)]
pub(crate) struct Scoring {
    pub(crate) score: Score,
    pub(crate) bonus: Vec<f64>,
    pub(crate) rules: Rules,
}

impl Scoring {
    /// Largest number in the sums of a family without parents, other than those of many parameters.
    pub(crate) fn largest(&self, table: &DiscreteTable) -> f64 {
        let levels = table.levels().iter().copied().max().unwrap_or(1);
        self.bonus.iter().map(|bonus| bonus.abs()).sum::<f64>() + self.score.largest(table.total(), levels)
    }
}

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
