//! Lower convex hull of the errors of all trees of a family, which is their ROC hull.
//!
//! The false positives and false negatives of a tree are a point. At every cost ratio, the best tree is a
//! vertex of the lower convex hull of the points of all trees (Provost and Fawcett 2001, for the ROC hull of
//! given classifiers). A tree between two neighboring vertices can be better than both only at one cost
//! ratio, which the two vertices determine. If a search at this ratio finds no better tree, the edge between
//! the vertices is proven.

use crate::bound_cache::{BoundCache, CacheUpdate, SearchContext};
use crate::node_subset::NodeSubset;
use crate::partial_tree::PartialTree;
use crate::prediction_costs::PredictionCosts;
use crate::ranked_table::RankedTable;
use crate::solve::{TreeCosts, TreeFamily, TreeSearchResult, solve_with_cache, sort_all_rows};
use crate::solver::TreeSolver;
use crate::tree_certificate::TreeClaim;
use crate::tree_plan::TreePlan;
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result, parallel};

/// Maximum product of the numbers of rows and features for a search in a single thread.
///
/// Such a search at depth two and one cost ratio takes less time than waking a thread.
const QUICK: usize = 1 << 12;

/// Vertex of the ROC hull: the errors of a tree, and the tree.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Weight of the negative rows that are predicted positive, in units of the class.
    pub false_positives: f64,
    /// Weight of the positive rows that are predicted negative, in units of the class.
    pub false_negatives: f64,
    /// The tree with these errors.
    pub plan: TreePlan,
}

/// Proven lower bound on the cost of every tree at one cost ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRatioLowerBound {
    /// Cost of a false positive.
    pub false_positive: f64,
    /// Cost of a false negative.
    pub false_negative: f64,
    /// Lower bound on the cost of every tree, if errors have these two costs.
    pub bound: f64,
}

/// Lower convex hull of trees, from the fewest false positives to the fewest false negatives.
#[derive(Debug)]
pub struct TreeHull {
    /// The vertices; no three of them lie on a line.
    pub vertices: Vec<Vertex>,
    /// Proven lower bounds, one for each cost ratio, in the order of proof.
    pub slopes: Vec<CostRatioLowerBound>,
    /// Reason why the search ended.
    ///
    /// If the status is optimal, no tree lies below the hull.
    pub status: SearchStatus,
    pub(crate) memory: BoundCache,
    /// Claims that prove the lower bounds, one for each cost ratio, in the order of proof.
    ///
    /// Empty if only a subsample of the rows was searched.
    pub claims: Vec<TreeClaim>,
}

pub(crate) fn two_class_costs(positive: usize, false_positive: f64, false_negative: f64) -> TreeCosts {
    let mut cells = vec![0.0; 4];
    cells[(1 - positive) * 2 + positive] = false_positive;
    cells[positive * 2 + 1 - positive] = false_negative;
    TreeCosts { cells, leaf: 0.0 }
}

impl Vertex {
    pub(crate) fn from_plan(plan: TreePlan, positive: usize) -> Self {
        let confusion = plan.confusion_matrix();
        let false_positives = confusion[(1 - positive) * 2 + positive];
        let false_negatives = confusion[positive * 2 + 1 - positive];
        Self { false_positives, false_negatives, plan }
    }

    pub(crate) fn error_weights(&self) -> [f64; 2] {
        [self.false_positives, self.false_negatives]
    }

    pub(crate) fn cost(&self, false_positive: f64, false_negative: f64) -> f64 {
        false_positive * self.false_positives + false_negative * self.false_negatives
    }
}

/// Divides two integer costs by their greatest common divisor; other costs do not change.
pub(crate) fn reduce_ratio(a: f64, b: f64) -> (f64, f64) {
    if a.fract() != 0.0 || b.fract() != 0.0 {
        return (a, b);
    }
    let (mut x, mut y) = (a, b);
    while y > 0.0 {
        (x, y) = (y, x % y);
    }
    if x > 0.0 { (a / x, b / x) } else { (a, b) }
}

/// Error costs at which the two end vertices of a ROC hull are optimal.
///
/// One error of the expensive kind costs more than all errors of the other kind together.
pub(crate) fn error_costs_of_end_vertices(table: &RankedTable, positive: usize) -> [(f64, f64); 2] {
    let totals = table.class_unit_totals();
    [(totals[positive] + 1.0, 1.0), (1.0, totals[1 - positive] + 1.0)]
}

/// The trees that predict every row negative, and every row positive.
///
/// The hull starts with these two vertices. Every other vertex of the hull lies below the line between them.
fn single_leaf_vertices(
    (table, subset): (&RankedTable, &NodeSubset),
    positive: usize,
    budget: &SearchBudget<'_>,
) -> Vec<Vertex> {
    let leaf = |(fp, fneg): (f64, f64)| {
        let prices: PredictionCosts<'_, 2, 1> =
            PredictionCosts::new(table, &two_class_costs(positive, fp, fneg).cells, 0.0);
        let solver = TreeSolver { table, prices: &prices, min_weight: 0.0, budget };
        Vertex::from_plan(solver.build_plan(&subset.rows, &PartialTree::Leaf), positive)
    };
    error_costs_of_end_vertices(table, positive).map(leaf).into()
}

/// Computes the ROC hull of all trees, or only a part of it if the budget ends first.
///
/// # Errors
/// [`Error::Unsupported`] unless there are two classes, and the errors of [`crate::solve`].
pub fn compute_hull(
    table: &RankedTable,
    family: &TreeFamily,
    positive: usize,
    budget: &SearchBudget<'_>,
) -> Result<TreeHull> {
    if table.n_classes() != 2 {
        return Err(Error::Unsupported("a hull requires two classes".into()));
    }
    compute_hull_with_cache(BoundCache::default(), table, family, positive, budget)
}

pub(crate) fn compute_hull_with_cache(
    memory: BoundCache,
    table: &RankedTable,
    family: &TreeFamily,
    positive: usize,
    budget: &SearchBudget<'_>,
) -> Result<TreeHull> {
    let (subset, _) = sort_all_rows(table, budget)?;
    let mut hull = TreeHull { memory, ..TreeHull::empty() };
    let mut prices = hull.add_vertices(single_leaf_vertices((table, &subset), positive, budget));
    while !prices.is_empty() && hull.can_continue_search() {
        prices = hull.solve_cost_ratios(&prices, (table, &subset), family, positive, budget)?;
    }
    Ok(hull)
}

impl TreeHull {
    pub(crate) fn empty() -> Self {
        Self {
            vertices: Vec::new(),
            slopes: Vec::new(),
            status: SearchStatus::Optimal,
            memory: BoundCache::default(),
            claims: Vec::new(),
        }
    }

    /// Searches at the given error costs and updates the hull.
    ///
    /// Returns the error costs of the edges that are not yet proven.
    pub(crate) fn solve_cost_ratios(
        &mut self,
        prices: &[(f64, f64)],
        (table, subset): (&RankedTable, &NodeSubset),
        family: &TreeFamily,
        positive: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<Vec<(f64, f64)>> {
        let room = self.memory.byte_budget_per_search(prices.len());
        let look = |&(fp, fneg): &(f64, f64)| {
            let known =
                self.vertices.iter().map(|vertex| vertex.cost(fp, fneg)).fold(f64::INFINITY, f64::min);
            let tariff = two_class_costs(positive, fp, fneg);
            let among = SearchContext { prices: (fp, fneg), memory: &self.memory, room };
            let (answer, more) = solve_with_cache(table, family, &tariff, (subset, among), known, budget)?;
            Ok((known, answer, more))
        };
        let quick = family.max_depth <= 2 && table.n_rows() * table.n_features() <= QUICK;
        let looked: Vec<Result<(f64, TreeSearchResult, CacheUpdate)>> =
            if quick { prices.iter().map(look).collect() } else { parallel::map(prices, look) };
        let mut new = Vec::new();
        for (&(false_positive, false_negative), looked) in prices.iter().zip(looked) {
            let (known, TreeSearchResult { better, bound, status, claim }, more) = looked?;
            self.memory.add_update(more, self.claims.len());
            self.claims.extend(claim);
            if status != SearchStatus::Optimal && self.can_continue_search() {
                self.status = status;
            }
            let bound = if status == SearchStatus::Optimal {
                better.as_ref().map_or(known, |better| better.1)
            } else {
                bound
            };
            self.slopes.push(CostRatioLowerBound { false_positive, false_negative, bound });
            new.extend(better.map(|(plan, _)| Vertex::from_plan(plan, positive)));
        }
        Ok(self.add_vertices(new))
    }

    fn can_continue_search(&self) -> bool {
        matches!(self.status, SearchStatus::Optimal | SearchStatus::Heuristic)
    }

    /// Adds vertices to the hull, and removes vertices that are no longer on it.
    ///
    /// Returns the error costs of the edges that are not yet proven.
    fn add_vertices(&mut self, new: Vec<Vertex>) -> Vec<(f64, f64)> {
        self.vertices.extend(new);
        let place = |vertex: &Vertex| (vertex.false_positives, vertex.false_negatives);
        self.vertices.sort_by(|a, b| {
            let (a, b) = (place(a), place(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut kept: Vec<Vertex> = Vec::with_capacity(self.vertices.len());
        for vertex in self.vertices.drain(..) {
            // The vertices are sorted by false positives. On the hull, false negatives decrease in this
            // order, so a vertex with at least as many false negatives as the previous one is dropped.
            if kept.last().is_some_and(|last| vertex.false_negatives >= last.false_negatives) {
                continue;
            }
            while let [.., before, last] = &kept[..] {
                let (fp, fneg) = error_costs_of_edge(before, &vertex);
                if last.cost(fp, fneg) < vertex.cost(fp, fneg) {
                    break;
                }
                kept.pop();
            }
            kept.push(vertex);
        }
        self.vertices = kept;
        let heuristic = self.status == SearchStatus::Heuristic;
        let proven = |fp: f64, fneg: f64, cost: f64| {
            self.slopes.iter().any(|slope| {
                (slope.false_positive, slope.false_negative) == (fp, fneg)
                    && (heuristic || slope.bound >= cost)
            })
        };
        let edges = self.vertices.windows(2).map(|two| (error_costs_of_edge(&two[0], &two[1]), &two[0]));
        let open = edges.filter(|((fp, fneg), vertex)| !proven(*fp, *fneg, vertex.cost(*fp, *fneg)));
        open.map(|(prices, _)| prices).collect()
    }

    /// Area under the ROC curve that connects the vertices.
    ///
    /// It is 1 minus the area below the hull in the plane of the two error rates.
    pub fn area(&self, positives: f64, negatives: f64) -> f64 {
        let corners = [(0.0, positives), (negatives, 0.0)];
        let inner = self.vertices.iter().map(|vertex| (vertex.false_positives, vertex.false_negatives));
        let points: Vec<(f64, f64)> = std::iter::once(corners[0]).chain(inner).chain([corners[1]]).collect();
        let under: f64 =
            points.windows(2).map(|two| (two[1].0 - two[0].0) * (two[0].1 + two[1].1) / 2.0).sum();
        1.0 - under / (positives * negatives)
    }
}

/// Costs of a false positive and of a false negative at which both vertices cost the same.
pub(crate) fn error_costs_of_edge(one: &Vertex, other: &Vertex) -> (f64, f64) {
    reduce_ratio(one.false_negatives - other.false_negatives, other.false_positives - one.false_positives)
}
