//! Search for the tree with the largest F-measure, without the rest of the ROC hull.
//!
//! A tree has a larger F-measure than `f` if and only if it costs less than a limit, at error costs that
//! depend on `f`. Each tree that is found therefore gives the costs of the next search, until no better tree
//! exists (Dinkelbach 1967; Parambath, Usunier and Grandvalet 2014).

use crate::common_unit::nearest_fraction;
use crate::ranked_table::RankedTable;
use crate::solve::{TreeFamily, TreeSearchResult, solve_below_cost_limit};
use crate::tree_certificate::TreeClaim;
use crate::tree_hull::{Vertex, reduce_ratio, two_class_costs};
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result};

#[derive(Clone, Debug)]
pub(crate) struct FBetaSolution {
    pub(crate) vertex: Vertex,
    pub(crate) value: f64,
    pub(crate) bound: f64,
    pub(crate) status: SearchStatus,
    pub(crate) claim: Option<TreeClaim>,
    pub(crate) exact: bool,
}

/// The F-measure as a fraction of two numbers.
///
/// They are integers if `beta^2` and the ratio of the class units are fractions of small integers.
struct FBetaFraction {
    beta: (f64, f64),
    /// Weight of one unit of the negative and of the positive class, up to a common factor.
    unit: (f64, f64),
    positives: f64,
    whole: bool,
}

impl FBetaFraction {
    fn new(table: &RankedTable, positive: usize, beta: f64) -> Self {
        let to_fraction = |value: f64| {
            let (above, below) = nearest_fraction(value);
            let whole = (above / below - value).abs() <= 1e-12 * value;
            (if whole { (above, below) } else { (value, 1.0) }, whole)
        };
        let (beta, small) = to_fraction(beta * beta);
        let (unit, alike) =
            to_fraction(table.class_weight_unit(1 - positive) / table.class_weight_unit(positive));
        Self { beta, unit, positives: table.class_unit_totals()[positive], whole: small && alike }
    }

    fn numerator_and_denominator(&self, vertex: &Vertex) -> (f64, f64) {
        let (p, q) = self.beta;
        let missed = self.unit.1 * vertex.false_negatives;
        let above = (p + q) * (self.unit.1 * self.positives - missed);
        (above, above + p * missed + q * self.unit.0 * vertex.false_positives)
    }

    /// Error costs at which a tree costs less than `vertex` exactly if its F-measure is larger.
    ///
    /// The costs are integers if the F-measure is a fraction of integers.
    fn costs_for_larger_f_beta(&self, vertex: &Vertex) -> FBetaSearchCosts {
        let (above, below) = self.numerator_and_denominator(vertex);
        let (p, q) = self.beta;
        let (one, other) = (q * above * self.unit.0, (p * above + (p + q) * (below - above)) * self.unit.1);
        let (fp, fneg) = if self.whole { reduce_ratio(one, other) } else { (one, other) };
        let scale = if fp > 0.0 { one / fp } else { other / fneg };
        FBetaSearchCosts { fp, fneg, limit: vertex.cost(fp, fneg), share: scale / below }
    }

    fn has_larger_f_measure(&self, one: &Vertex, than: &Vertex) -> bool {
        let ratio = |vertex: &Vertex| {
            let (above, below) = self.numerator_and_denominator(vertex);
            above / below
        };
        ratio(one) > ratio(than)
    }
}

struct FBetaSearchCosts {
    fp: f64,
    fneg: f64,
    /// A tree has a larger F-measure than the earlier tree exactly if it costs less than `limit`.
    limit: f64,
    /// Factor that converts a cost difference to a difference of F-measures.
    ///
    /// If a tree costs d less than the limit, its F-measure is larger by `share * d / denominator`, where
    /// `denominator` is the denominator of its own F-measure.
    share: f64,
}

/// Finds the tree with the largest F-measure of the positive class.
///
/// The F-measure of a tree without true positives is 0.
///
/// # Errors
/// Same errors as [`crate::solve`].
pub(crate) fn best_f_measure_tree(
    table: &RankedTable,
    family: &TreeFamily,
    positive: usize,
    beta: f64,
    budget: &SearchBudget<'_>,
) -> Result<FBetaSolution> {
    let measure = FBetaFraction::new(table, positive, beta);
    // The iteration can start with any tree. The first tree minimizes errors that are weighted inversely to
    // the class totals.
    let totals = table.class_unit_totals();
    let (fp, fneg) = reduce_ratio(totals[positive], totals[1 - positive]);
    let TreeSearchResult { better, mut status, mut claim, .. } =
        solve_below_cost_limit(table, family, &two_class_costs(positive, fp, fneg), f64::INFINITY, budget)?;
    let none = || Error::Internal("no tree costs less than infinity".into());
    let mut vertex = Vertex::from_plan(better.ok_or_else(none)?.0, positive);
    let mut bound = 1.0;
    while matches!(status, SearchStatus::Optimal | SearchStatus::Heuristic) {
        let (above, below) = measure.numerator_and_denominator(&vertex);
        if above >= below {
            (bound, status) = (1.0, SearchStatus::Optimal);
            break;
        }
        let FBetaSearchCosts { fp, fneg, limit, share } = measure.costs_for_larger_f_beta(&vertex);
        let answer =
            solve_below_cost_limit(table, family, &two_class_costs(positive, fp, fneg), limit, budget)?;
        (status, claim) = (answer.status, answer.claim);
        // The denominator of the F-measure is smallest if no row is predicted positive.
        let least = measure.beta.0 * measure.unit.1 * measure.positives;
        let short = (limit - answer.bound).max(0.0);
        let more = if short > 0.0 { short * share / least } else { 0.0 };
        bound = (above / below + more).clamp(above / below, 1.0);
        let better = answer.better.map(|(plan, _)| Vertex::from_plan(plan, positive));
        // Because of rounding, the search could return a tree whose F-measure is no larger. The iteration
        // then stops.
        let Some(better) = better.filter(|better| measure.has_larger_f_measure(better, &vertex)) else {
            break;
        };
        vertex = better;
    }
    let (above, below) = measure.numerator_and_denominator(&vertex);
    let value = if below > 0.0 { above / below } else { 0.0 };
    let status =
        if status == SearchStatus::Heuristic && bound <= value { SearchStatus::Optimal } else { status };
    Ok(FBetaSolution { vertex, value, bound: bound.max(value), status, claim, exact: measure.whole })
}
