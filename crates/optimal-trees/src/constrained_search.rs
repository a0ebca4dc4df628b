//! The best tree with at least a given recall or a given precision.
//!
//! Under a minimum recall, the best tree has the fewest false positives. Under a minimum precision, it has
//! the largest recall. The constraint mostly lies between two vertices of the ROC hull, of which only one is
//! feasible. The edge between them bounds the objective of every feasible tree. The edge determines costs of
//! the two kinds of errors. At these costs, a feasible tree that is better than the feasible vertex costs
//! only a little more than the trees on the edge. All trees up to a cost limit are therefore enumerated
//! ([`crate::pareto_front`]), and the limit falls with every better tree. This is Lagrangian relaxation
//! closed by enumeration (Handler and Zang 1980, for constrained shortest paths).

use crate::node_subset::NodeSubset;
use crate::pareto_front::{ParetoPoint, ParetoSearch};
use crate::prediction_costs::PredictionCosts;
use crate::ranked_table::RankedTable;
use crate::root_search::{CandidateSplit, ROUND, RootSplitSearch};
use crate::solve::{TreeFamily, sort_all_rows};
use crate::solver::TreeSolver;
use crate::tree_certificate::TreeClaim;
use crate::tree_hull::{TreeHull, Vertex, error_costs_of_edge, error_costs_of_end_vertices, two_class_costs};
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result, parallel};
use serde::{Deserialize, Serialize};

/// Minimum recall or minimum precision of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateConstraint {
    /// Minimum recall; the false positives are minimized.
    Recall(f64),
    /// Minimum precision; the false negatives are minimized.
    ///
    /// A tree that predicts no row positive satisfies the constraint.
    Precision(f64),
}

/// Best tree that satisfies a constraint.
#[derive(Clone, Debug)]
pub struct ConstrainedSolution {
    /// The tree with its errors.
    pub vertex: Vertex,
    /// Lower bound on the weight of the minimized errors (false positives or false negatives).
    ///
    /// It holds for every tree that satisfies the constraint. The weight is in units of the class whose rows
    /// have these errors.
    pub bound: f64,
    /// Why the search ended.
    pub status: SearchStatus,
    /// Claims that prove the edges of the ROC hull near the constraint.
    ///
    /// No claim covers the trees between these edges and the constraint. The search enumerated these trees.
    pub claims: Vec<TreeClaim>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledConstraint {
    pub(crate) floor: RateConstraint,
    pub(crate) positives: f64,
    /// Weight of a unit of the negative and of the positive class.
    pub(crate) unit: [f64; 2],
}

/// Absolute tolerance in comparisons with the minimum recall or precision.
const SLACK: f64 = 1e-9;

impl ScaledConstraint {
    fn new(floor: RateConstraint, table: &RankedTable, positive: usize) -> Self {
        let unit = [table.class_weight_unit(1 - positive), table.class_weight_unit(positive)];
        Self { floor, positives: table.class_unit_totals()[positive], unit }
    }

    pub(crate) fn is_satisfied_by(&self, [fp, fneg]: [f64; 2]) -> bool {
        let hits = (self.positives - fneg) * self.unit[1];
        match self.floor {
            RateConstraint::Recall(recall) => hits >= (recall - SLACK) * self.positives * self.unit[1],
            RateConstraint::Precision(share) => hits >= (share - SLACK) * (hits + fp * self.unit[0]),
        }
    }

    /// Kind of error that is minimized: 0 for false positives, 1 for false negatives.
    pub(crate) fn minimized_error_kind(&self) -> usize {
        usize::from(matches!(self.floor, RateConstraint::Precision(_)))
    }

    fn is_better(&self, one: [f64; 2], other: [f64; 2]) -> bool {
        let kind = self.minimized_error_kind();
        one[kind] < other[kind] || (one[kind] == other[kind] && one[1 - kind] < other[1 - kind])
    }

    /// Largest weight of the errors of the other kind in a feasible tree.
    ///
    /// `few` is the weight of the tree's errors of the minimized kind.
    fn max_errors_of_other_kind(&self, few: f64) -> f64 {
        match self.floor {
            RateConstraint::Recall(recall) => (1.0 - recall + SLACK) * self.positives,
            RateConstraint::Precision(share) if share > SLACK => {
                let hits = (self.positives - few) * self.unit[1];
                hits * (1.0 - share + SLACK) / ((share - SLACK) * self.unit[0])
            }
            RateConstraint::Precision(_) => f64::INFINITY,
        }
    }

    /// Number above the cost of each feasible tree with at most `few` errors of minimized kind.
    fn cost_limit(&self, few: f64, prices: [f64; 2]) -> f64 {
        let kind = self.minimized_error_kind();
        let cost = |few: f64| prices[kind] * few + prices[1 - kind] * self.max_errors_of_other_kind(few);
        (cost(few).max(cost(0.0)) + 0.5).ceil()
    }

    /// Lower bound on the errors of the minimized kind in any feasible tree.
    ///
    /// It follows from `bound`, a lower bound on the cost of every tree at the error costs `prices`.
    pub(crate) fn minimized_error_bound(&self, prices: [f64; 2], bound: f64) -> f64 {
        let kind = self.minimized_error_kind();
        // `step` is the cost of one more error of the minimized kind. It includes the cost of the errors of
        // the other kind that the constraint then allows in addition.
        let (none, one) = (self.max_errors_of_other_kind(0.0), self.max_errors_of_other_kind(1.0));
        let step = prices[kind] + prices[1 - kind] * (one - none);
        let rest = bound - prices[1 - kind] * none;
        if step > 0.0 && rest.is_finite() { (rest / step - 1e-6).ceil().max(0.0) } else { 0.0 }
    }
}

/// Finds the best tree that satisfies a constraint.
///
/// If the budget ends before the proof, returns the best tree so far.
///
/// # Errors
/// [`Error::Unsupported`] if the number of classes is not 2; otherwise the same errors as [`crate::solve`].
pub fn find_best_constrained_tree(
    table: &RankedTable,
    family: &TreeFamily,
    positive: usize,
    floor: RateConstraint,
    budget: &SearchBudget<'_>,
) -> Result<ConstrainedSolution> {
    if table.n_classes() != 2 {
        return Err(Error::Unsupported("a minimum recall or precision requires two classes".into()));
    }
    let under = ScaledConstraint::new(floor, table, positive);
    let mut hull = TreeHull::empty();
    let (subset, _) = sort_all_rows(table, budget)?;
    let mut prices = error_costs_of_end_vertices(table, positive).to_vec();
    while !prices.is_empty() && hull.status == SearchStatus::Optimal {
        let open = hull.solve_cost_ratios(&prices, (table, &subset), family, positive, budget)?;
        prices =
            feasibility_edge_costs(&hull, &under).into_iter().filter(|edge| open.contains(edge)).collect();
    }
    let least = |hull: &TreeHull| {
        let lower_bound = |slope: &crate::tree_hull::CostRatioLowerBound| {
            under.minimized_error_bound([slope.false_positive, slope.false_negative], slope.bound)
        };
        hull.slopes.iter().map(lower_bound).fold(0.0, f64::max)
    };
    let mut best: Option<Vertex> = None;
    for vertex in hull.vertices.iter().filter(|vertex| under.is_satisfied_by(vertex.error_weights())) {
        if best.as_ref().is_none_or(|best| under.is_better(vertex.error_weights(), best.error_weights())) {
            best = Some(vertex.clone());
        }
    }
    let (bound, status, claims) = (least(&hull), hull.status, std::mem::take(&mut hull.claims));
    let Some(vertex) = best else {
        return feasible_leaf_solution(table, family, positive, (&under, bound, status), budget);
    };
    let found = ConstrainedSolution { vertex, bound, status, claims };
    match feasibility_edge_costs(&hull, &under) {
        Some(edge) if status == SearchStatus::Optimal => {
            enumerate_trees_near_edge((table, &subset), family, positive, (&under, edge), found, budget)
        }
        _ if status == SearchStatus::Optimal => {
            let bound = found.vertex.error_weights()[under.minimized_error_kind()];
            Ok(ConstrainedSolution { bound, ..found })
        }
        _ => Ok(found),
    }
}

fn feasibility_edge_costs(hull: &TreeHull, under: &ScaledConstraint) -> Option<(f64, f64)> {
    let meets = |vertex: &Vertex| under.is_satisfied_by(vertex.error_weights());
    hull.vertices
        .windows(2)
        .find(|two| meets(&two[0]) != meets(&two[1]))
        .map(|two| error_costs_of_edge(&two[0], &two[1]))
}

/// Returns a single leaf that satisfies the constraint, if no feasible tree was found.
///
/// The leaf predicts every row positive for a minimum recall, and negative for a minimum precision.
fn feasible_leaf_solution(
    table: &RankedTable,
    family: &TreeFamily,
    positive: usize,
    (under, bound, status): (&ScaledConstraint, f64, SearchStatus),
    budget: &SearchBudget<'_>,
) -> Result<ConstrainedSolution> {
    let leaf = TreeFamily { max_depth: 0, lookahead: None, ..*family };
    let (fp, fneg) = error_costs_of_end_vertices(table, positive)[1 - under.minimized_error_kind()];
    let solution = crate::solve::solve(table, &leaf, &two_class_costs(positive, fp, fneg), budget)?;
    let vertex = Vertex::from_plan(solution.plan, positive);
    Ok(ConstrainedSolution { vertex, bound, status, claims: Vec::new() })
}

fn enumerate_trees_near_edge(
    (table, subset): (&RankedTable, &NodeSubset),
    family: &TreeFamily,
    positive: usize,
    (under, (fp, fneg)): (&ScaledConstraint, (f64, f64)),
    found: ConstrainedSolution,
    budget: &SearchBudget<'_>,
) -> Result<ConstrainedSolution> {
    let tariff = two_class_costs(positive, fp, fneg);
    let prices: PredictionCosts<'_, 2, 1> = PredictionCosts::new(table, &tariff.cells, 0.0);
    let solver = TreeSolver { table, prices: &prices, min_weight: family.min_weight_leaf, budget };
    let fronts = ParetoSearch { solver: &solver, positive, prices: [fp, fneg] };
    let kind = under.minimized_error_kind();
    let mut hunt = ConstrainedSearch {
        fronts: &fronts,
        base: fronts.unavoidable_cost(subset),
        subset,
        depth: family.max_depth,
        under,
        errors: found.vertex.error_weights(),
        best: None,
    };
    let status = match hunt.run(found.bound) {
        Ok(()) => SearchStatus::Optimal,
        Err(Error::Cancelled) => budget.stop_reason(),
        Err(error) => return Err(error),
    };
    let vertex = match hunt.best {
        Some(point) => Vertex::from_plan(solver.build_plan(&subset.rows, &point.sketch), positive),
        None => found.vertex,
    };
    let bound = if status == SearchStatus::Optimal { vertex.error_weights()[kind] } else { found.bound };
    Ok(ConstrainedSolution { vertex, bound, status, claims: found.claims })
}

struct ConstrainedSearch<'a, 'b> {
    fronts: &'b ParetoSearch<'a, 'b>,
    subset: &'b NodeSubset,
    base: f64,
    depth: u32,
    under: &'b ScaledConstraint,
    errors: [f64; 2],
    best: Option<ParetoPoint>,
}

impl ConstrainedSearch<'_, '_> {
    /// Cost limit for the search for a tree that is better than the best tree so far.
    ///
    /// Every feasible tree with fewer errors of the minimized kind than the best tree so far costs less.
    fn cost_limit(&self) -> f64 {
        let few = self.errors[self.under.minimized_error_kind()] - 1.0;
        self.under.cost_limit(few, self.fronts.prices) - self.base
    }

    fn run(&mut self, bound: f64) -> Result<()> {
        if self.errors[self.under.minimized_error_kind()] <= bound {
            return Ok(());
        }
        if self.depth <= 1 {
            let front = self.fronts.compute_front(self.subset, self.depth, self.cost_limit())?;
            front.points.into_iter().for_each(|point| self.update_best(point));
            return Ok(());
        }
        if self.depth == 2 {
            let mut cuts = self.fronts.candidate_splits(self.subset, 2, self.cost_limit())?;
            cuts.sort_by(|a, b| (a.left + a.right).total_cmp(&(b.left + b.right)));
            return self.try_splits(&cuts);
        }
        let mut search =
            RootSplitSearch::new(self.fronts.solver, self.subset, self.depth, self.cost_limit())?
                .with_cut_collection();
        while !search.is_complete() {
            search.divide_intervals(ROUND)?;
            self.try_splits(&search.take_collected_cuts())?;
            search.tighten_cost_limit(self.cost_limit());
        }
        Ok(())
    }

    /// Searches for better feasible trees with the given root splits.
    ///
    /// Splits are tried in batches, and all splits of a batch have the same limit. The result therefore does
    /// not depend on the number of threads.
    fn try_splits(&mut self, cuts: &[CandidateSplit]) -> Result<()> {
        for cuts in cuts.chunks(ROUND) {
            let limit = self.cost_limit();
            let try_one = |cut: &CandidateSplit| {
                if cut.left + cut.right >= limit {
                    return Ok(None);
                }
                let points = self.fronts.combine_children(self.subset, cut, self.depth, limit)?;
                let meeting = points.into_iter().filter(|point| self.under.is_satisfied_by(point.errors));
                let better = |one: ParetoPoint, other: ParetoPoint| {
                    if self.under.is_better(other.errors, one.errors) { other } else { one }
                };
                Ok(meeting.reduce(better))
            };
            let tried: Vec<Result<Option<ParetoPoint>>> = parallel::map(cuts, try_one);
            let mut failed = None;
            for tried in tried {
                match tried {
                    Ok(point) => point.into_iter().for_each(|point| self.update_best(point)),
                    Err(error) => failed = Some(error),
                }
            }
            failed.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    fn update_best(&mut self, point: ParetoPoint) {
        if self.under.is_satisfied_by(point.errors) && self.under.is_better(point.errors, self.errors) {
            self.errors = point.errors;
            self.best = Some(point);
        }
    }
}
