//! The lower convex hull of what all trees of a family get wrong.
//!
//! The two kinds of error of a tree are a point. For every price of the one in terms of the other, the best tree is a vertex of
//! the lower convex hull of the points of all trees (Provost and Fawcett 2001 for the hull of given classifiers). Two vertices
//! name the only price at which a tree between them could be better; where none is, the edge is proven.

use crate::claim::Claim;
use crate::memory::{Among, Learnt, Memory};
use crate::plan::Plan;
use crate::prices::Prices;
use crate::sketch::Sketch;
use crate::solve::{Answer, Family, Tariff, solve_knowing, whole};
use crate::solver::Solver;
use crate::subset::Subset;
use crate::table::Table;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result, share};

/// Values in a table whose trees of depth two are searched at one price in less time than it takes to wake another thread.
const QUICK: usize = 1 << 12;

/// A vertex of the hull.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Units of the other class that are answered with the positive one.
    pub false_positives: f64,
    /// Units of the positive class that are answered with the other one.
    pub false_negatives: f64,
    /// A tree with these errors.
    pub plan: Plan,
}

/// What is proven for one price of errors: no tree costs less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Price of a false positive.
    pub false_positive: f64,
    /// Price of a false negative.
    pub false_negative: f64,
    /// The proven bound.
    pub bound: f64,
}

/// The hull, from the tree with the fewest false positives to that with the fewest false negatives.
#[derive(Debug)]
pub struct Hull {
    /// Strictly convex.
    pub vertices: Vec<Vertex>,
    /// What was proven, in the order of proof.
    pub slopes: Vec<Slope>,
    /// Why the search ended; the vertices are those of all trees if it is optimal.
    pub status: Status,
    /// What is known of the sides of cuts at the prices so far.
    pub(crate) memory: Memory,
    /// What shows the slopes, in their order; empty where only a part of the rows was looked at.
    pub claims: Vec<Claim>,
}

/// Prices of errors, the two classes in the order of the positive one first.
pub(crate) fn tariff(positive: usize, false_positive: f64, false_negative: f64) -> Tariff {
    let mut cells = vec![0.0; 4];
    cells[(1 - positive) * 2 + positive] = false_positive;
    cells[positive * 2 + 1 - positive] = false_negative;
    Tariff { cells, leaf: 0.0 }
}

impl Vertex {
    pub(crate) fn of(plan: Plan, positive: usize) -> Self {
        let confusion = plan.confusion();
        let false_positives = confusion[(1 - positive) * 2 + positive];
        let false_negatives = confusion[positive * 2 + 1 - positive];
        Self { false_positives, false_negatives, plan }
    }

    /// Both kinds of error.
    pub(crate) fn errors(&self) -> [f64; 2] {
        [self.false_positives, self.false_negatives]
    }

    pub(crate) fn cost(&self, false_positive: f64, false_negative: f64) -> f64 {
        false_positive * self.false_positives + false_negative * self.false_negatives
    }
}

/// Prices of the same ratio: whole numbers as small as can be, or the prices themselves if they are no whole numbers.
pub(crate) fn lowest(a: f64, b: f64) -> (f64, f64) {
    if a.fract() != 0.0 || b.fract() != 0.0 {
        return (a, b);
    }
    let (mut x, mut y) = (a, b);
    while y > 0.0 {
        (x, y) = (y, x % y);
    }
    if x > 0.0 { (a / x, b / x) } else { (a, b) }
}

/// Prices of the two ends of a hull: any number of the cheaper error is worth one of the dearer.
pub(crate) fn outer(table: &Table, positive: usize) -> [(f64, f64); 2] {
    let totals = table.totals();
    [(totals[positive] + 1.0, 1.0), (1.0, totals[1 - positive] + 1.0)]
}

/// The leaf of either class: trees without errors of one kind, so that every other tree lies between them or below.
fn leaves((table, subset): (&Table, &Subset), positive: usize, budget: &Budget<'_>) -> Vec<Vertex> {
    let leaf = |(fp, fal): (f64, f64)| {
        let prices: Prices<'_, 2, 1> = Prices::new(table, &tariff(positive, fp, fal).cells, 0.0);
        let solver = Solver { table, prices: &prices, min_weight: 0.0, budget };
        Vertex::of(solver.plan(&subset.rows, &Sketch::Leaf), positive)
    };
    outer(table, positive).map(leaf).into()
}

/// The hull of all trees, or what was found of it when the budget ends.
///
/// # Errors
/// [`Error::Unsupported`] for other than two classes; as [`crate::solve`].
pub fn hull(table: &Table, family: &Family, positive: usize, budget: &Budget<'_>) -> Result<Hull> {
    if table.n_classes() != 2 {
        return Err(Error::Unsupported("a hull is about two classes".into()));
    }
    proven(Memory::default(), table, family, positive, budget)
}

/// The same with some room to remember.
pub(crate) fn proven(
    memory: Memory,
    table: &Table,
    family: &Family,
    positive: usize,
    budget: &Budget<'_>,
) -> Result<Hull> {
    let (subset, _) = whole(table, budget)?;
    let mut hull = Hull { memory, ..Hull::empty() };
    let mut prices = hull.grow(leaves((table, &subset), positive, budget));
    while !prices.is_empty() && hull.goes_on() {
        prices = hull.look(&prices, (table, &subset), family, positive, budget)?;
    }
    Ok(hull)
}

impl Hull {
    pub(crate) fn empty() -> Self {
        Self {
            vertices: Vec::new(),
            slopes: Vec::new(),
            status: Status::Optimal,
            memory: Memory::default(),
            claims: Vec::new(),
        }
    }

    /// Solves for some prices, and gives those of the edges of which nothing is proven yet.
    pub(crate) fn look(
        &mut self,
        prices: &[(f64, f64)],
        (table, subset): (&Table, &Subset),
        family: &Family,
        positive: usize,
        budget: &Budget<'_>,
    ) -> Result<Vec<(f64, f64)>> {
        let room = self.memory.room_of_each(prices.len());
        let look = |&(fp, fal): &(f64, f64)| {
            let known = self.vertices.iter().map(|vertex| vertex.cost(fp, fal)).fold(f64::INFINITY, f64::min);
            let tariff = tariff(positive, fp, fal);
            let among = Among { prices: (fp, fal), memory: &self.memory, room };
            let (answer, more) = solve_knowing(table, family, &tariff, (subset, among), known, budget)?;
            Ok((known, answer, more))
        };
        let quick = family.max_depth <= 2 && table.n_rows() * table.n_features() <= QUICK;
        let looked: Vec<Result<(f64, Answer, Learnt)>> =
            if quick { prices.iter().map(look).collect() } else { share::map(prices, look) };
        let mut new = Vec::new();
        for (&(false_positive, false_negative), looked) in prices.iter().zip(looked) {
            let (known, Answer { better, bound, status, claim }, more) = looked?;
            self.memory.take(more, self.claims.len());
            self.claims.extend(claim);
            if status != Status::Optimal && self.goes_on() {
                self.status = status;
            }
            let bound =
                if status == Status::Optimal { better.as_ref().map_or(known, |of| of.1) } else { bound };
            self.slopes.push(Slope { false_positive, false_negative, bound });
            new.extend(better.map(|(plan, _)| Vertex::of(plan, positive)));
        }
        Ok(self.grow(new))
    }

    fn goes_on(&self) -> bool {
        matches!(self.status, Status::Optimal | Status::Heuristic)
    }

    /// Adds points, and gives the prices of the edges of which nothing is proven yet.
    fn grow(&mut self, new: Vec<Vertex>) -> Vec<(f64, f64)> {
        self.vertices.extend(new);
        let place = |of: &Vertex| (of.false_positives, of.false_negatives);
        self.vertices.sort_by(|a, b| {
            let (a, b) = (place(a), place(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut kept: Vec<Vertex> = Vec::with_capacity(self.vertices.len());
        for vertex in self.vertices.drain(..) {
            // Behind a point with fewer errors of one kind there must be fewer of the other.
            if kept.last().is_some_and(|last| vertex.false_negatives >= last.false_negatives) {
                continue;
            }
            while let [.., before, last] = &kept[..] {
                let (fp, fal) = edge(before, &vertex);
                if last.cost(fp, fal) < vertex.cost(fp, fal) {
                    break;
                }
                kept.pop();
            }
            kept.push(vertex);
        }
        self.vertices = kept;
        let heuristic = self.status == Status::Heuristic;
        let proven = |fp: f64, fal: f64, cost: f64| {
            self.slopes.iter().any(|of| {
                (of.false_positive, of.false_negative) == (fp, fal) && (heuristic || of.bound >= cost)
            })
        };
        let edges = self.vertices.windows(2).map(|two| (edge(&two[0], &two[1]), &two[0]));
        let open = edges.filter(|((fp, fal), vertex)| !proven(*fp, *fal, vertex.cost(*fp, *fal)));
        open.map(|(prices, _)| prices).collect()
    }

    /// Area over the hull in the square of both error rates, hence that under it as a ROC curve.
    pub fn area(&self, positives: f64, negatives: f64) -> f64 {
        let corners = [(0.0, positives), (negatives, 0.0)];
        let inner = self.vertices.iter().map(|of| (of.false_positives, of.false_negatives));
        let points: Vec<(f64, f64)> = std::iter::once(corners[0]).chain(inner).chain([corners[1]]).collect();
        let under: f64 =
            points.windows(2).map(|two| (two[1].0 - two[0].0) * (two[0].1 + two[1].1) / 2.0).sum();
        1.0 - under / (positives * negatives)
    }
}

/// The prices at which both points cost the same.
pub(crate) fn edge(one: &Vertex, other: &Vertex) -> (f64, f64) {
    lowest(one.false_negatives - other.false_negatives, other.false_positives - one.false_positives)
}
