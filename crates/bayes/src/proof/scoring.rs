//! What a checker of proofs needs to know of scores and rules.

use crate::score::Score;
use crate::search::Rules;
use crate::table::DiscreteTable;

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
