//! What a checker of proofs needs to know of scores and rules.

use crate::score::Score;
use crate::search::Rules;

/// What families score, what those with parents are worth more, and the rules of graphs.
#[derive(Clone, Debug)]
pub(crate) struct Scoring {
    pub(crate) score: Score,
    pub(crate) bonus: Vec<f64>,
    pub(crate) rules: Rules,
}
