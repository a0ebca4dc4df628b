//! Score and constraints that a proof checker needs.

use crate::score::FamilyScorer;
use crate::search::ArcConstraints;
use crate::table::DiscreteTable;

#[derive(Clone, Debug)]
pub(crate) struct ProofObjective {
    pub(crate) score: FamilyScorer,
    pub(crate) bonus: Vec<f64>,
    pub(crate) rules: ArcConstraints,
}

impl ProofObjective {
    /// Upper bound on the absolute value of each term of a score other than its penalty.
    pub(crate) fn score_term_bound(&self, table: &DiscreteTable) -> f64 {
        let levels = table.n_states_by_column().iter().copied().max().unwrap_or(1);
        self.bonus.iter().map(|bonus| bonus.abs()).sum::<f64>()
            + self.score.score_term_bound(table.total_weight(), levels)
    }
}
