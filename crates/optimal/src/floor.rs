//! The best tree under a floor: the fewest false positives with enough recall, or the most recall with enough precision.
//!
//! A floor mostly lies between two corners of the hull. The edge between them bounds what a tree under the floor can be worth,
//! and a better tree than the corner that meets the floor costs little more than the edge does, at its price. All such trees
//! are listed ([`crate::front`]), with a limit that falls with every better one: Lagrangian relaxation closed by enumeration
//! (Handler and Zang 1980, for shortest paths under a constraint).

use crate::claim::Claim;
use crate::front::{Fronts, Point};
use crate::hull::{Hull, Vertex, edge, outer, tariff};
use crate::prices::Prices;
use crate::search::{Cut, ROUND, Search};
use crate::solve::{Family, whole};
use crate::solver::Solver;
use crate::subset::Subset;
use crate::table::Table;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result, share};
use serde::{Deserialize, Serialize};

/// What a tree has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Floor {
    /// This share of the positive class is found; then false positives are few.
    Recall(f64),
    /// This share of the alarms is right; then false negatives are few. A tree without alarms has any precision.
    Precision(f64),
}

/// The best tree under a floor.
#[derive(Clone, Debug)]
pub struct AtFloor {
    /// The tree.
    pub vertex: Vertex,
    /// No tree under the floor has fewer errors, in units, of the kind that is to be few.
    pub bound: f64,
    /// Why the search ended.
    pub status: Status,
    /// What shows the slopes of the edge between which and the floor all trees were listed.
    pub claims: Vec<Claim>,
}

/// A floor over the errors of a table, in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Under {
    pub(crate) floor: Floor,
    pub(crate) positives: f64,
    /// Weights of a unit of the other class and of the positive one.
    pub(crate) unit: [f64; 2],
}

/// Shares that differ by less are equal.
const SLACK: f64 = 1e-9;

impl Under {
    fn new(floor: Floor, table: &Table, positive: usize) -> Self {
        let unit = [table.unit(1 - positive), table.unit(positive)];
        Self { floor, positives: table.totals()[positive], unit }
    }

    /// Whether the floor is met.
    pub(crate) fn meets(&self, [fp, fal]: [f64; 2]) -> bool {
        let hits = (self.positives - fal) * self.unit[1];
        match self.floor {
            Floor::Recall(recall) => hits >= (recall - SLACK) * self.positives * self.unit[1],
            Floor::Precision(share) => hits >= (share - SLACK) * (hits + fp * self.unit[0]),
        }
    }

    /// Which error is to be few: 0, false positives; 1, false negatives.
    pub(crate) fn kind(&self) -> usize {
        usize::from(matches!(self.floor, Floor::Precision(_)))
    }

    /// Fewer of the errors that are to be few, or as many and fewer of the others.
    fn better(&self, one: [f64; 2], other: [f64; 2]) -> bool {
        let kind = self.kind();
        one[kind] < other[kind] || (one[kind] == other[kind] && one[1 - kind] < other[1 - kind])
    }

    /// Most errors of the other kind under the floor, with so many of the kind that is to be few.
    fn most(&self, few: f64) -> f64 {
        match self.floor {
            Floor::Recall(recall) => (1.0 - recall + SLACK) * self.positives,
            Floor::Precision(share) if share > SLACK => {
                let hits = (self.positives - few) * self.unit[1];
                hits * (1.0 - share + SLACK) / ((share - SLACK) * self.unit[0])
            }
            Floor::Precision(_) => f64::INFINITY,
        }
    }

    /// A cost that trees with at most so many errors of the kind that is to be few stay below under the floor.
    fn limit(&self, few: f64, prices: [f64; 2]) -> f64 {
        let kind = self.kind();
        let cost = |few: f64| prices[kind] * few + prices[1 - kind] * self.most(few);
        (cost(few).max(cost(0.0)) + 0.5).ceil()
    }

    /// Fewest errors of the kind that is to be few, where no tree costs less than a bound.
    pub(crate) fn least(&self, prices: [f64; 2], bound: f64) -> f64 {
        let kind = self.kind();
        // What an error of the kind costs with the others that it makes room for.
        let (none, one) = (self.most(0.0), self.most(1.0));
        let step = prices[kind] + prices[1 - kind] * (one - none);
        let rest = bound - prices[1 - kind] * none;
        if step > 0.0 && rest.is_finite() { (rest / step - 1e-6).ceil().max(0.0) } else { 0.0 }
    }
}

/// The best tree under a floor, or the best one when the budget ends.
///
/// # Errors
/// [`Error::Unsupported`] for other than two classes; as [`crate::solve`].
pub fn at_floor(
    table: &Table,
    family: &Family,
    positive: usize,
    floor: Floor,
    budget: &Budget<'_>,
) -> Result<AtFloor> {
    if table.n_classes() != 2 {
        return Err(Error::Unsupported("a floor is about two classes".into()));
    }
    let under = Under::new(floor, table, positive);
    let mut hull = Hull::empty();
    let (subset, _) = whole(table, budget)?;
    let mut prices = outer(table, positive).to_vec();
    while !prices.is_empty() && hull.status == Status::Optimal {
        let open = hull.look(&prices, (table, &subset), family, positive, budget)?;
        prices = across(&hull, &under).into_iter().filter(|edge| open.contains(edge)).collect();
    }
    let least = |hull: &Hull| {
        let of = |slope: &crate::hull::Slope| {
            under.least([slope.false_positive, slope.false_negative], slope.bound)
        };
        hull.slopes.iter().map(of).fold(0.0, f64::max)
    };
    let mut best: Option<Vertex> = None;
    for vertex in hull.vertices.iter().filter(|of| under.meets(of.errors())) {
        if best.as_ref().is_none_or(|best| under.better(vertex.errors(), best.errors())) {
            best = Some(vertex.clone());
        }
    }
    let (bound, status, claims) = (least(&hull), hull.status, std::mem::take(&mut hull.claims));
    let Some(vertex) = best else {
        return fallback(table, family, positive, (&under, bound, status), budget);
    };
    let found = AtFloor { vertex, bound, status, claims };
    match across(&hull, &under) {
        Some(edge) if status == Status::Optimal => {
            between((table, &subset), family, positive, (&under, edge), found, budget)
        }
        _ if status == Status::Optimal => {
            let bound = found.vertex.errors()[under.kind()];
            Ok(AtFloor { bound, ..found })
        }
        _ => Ok(found),
    }
}

/// Prices of the edge of a hull that crosses the floor.
fn across(hull: &Hull, under: &Under) -> Option<(f64, f64)> {
    let meets = |vertex: &Vertex| under.meets(vertex.errors());
    hull.vertices.windows(2).find(|two| meets(&two[0]) != meets(&two[1])).map(|two| edge(&two[0], &two[1]))
}

/// A leaf, which meets any floor by an alarm for every row or for none, where the search had no time for more.
fn fallback(
    table: &Table,
    family: &Family,
    positive: usize,
    (under, bound, status): (&Under, f64, Status),
    budget: &Budget<'_>,
) -> Result<AtFloor> {
    let leaf = Family { max_depth: 0, lookahead: None, ..*family };
    let (fp, fal) = outer(table, positive)[1 - under.kind()];
    let solution = crate::solve::solve(table, &leaf, &tariff(positive, fp, fal), budget)?;
    let vertex = Vertex::of(solution.plan, positive);
    Ok(AtFloor { vertex, bound, status, claims: Vec::new() })
}

/// Lists the trees near an edge of the hull that crosses the floor.
fn between(
    (table, subset): (&Table, &Subset),
    family: &Family,
    positive: usize,
    (under, (fp, fal)): (&Under, (f64, f64)),
    found: AtFloor,
    budget: &Budget<'_>,
) -> Result<AtFloor> {
    let tariff = tariff(positive, fp, fal);
    let prices: Prices<'_, 2, 1> = Prices::new(table, &tariff.cells, 0.0);
    let solver = Solver { table, prices: &prices, min_weight: family.min_weight_leaf, budget };
    let fronts = Fronts { solver: &solver, positive, prices: [fp, fal] };
    let kind = under.kind();
    let mut hunt = Hunt {
        fronts: &fronts,
        base: fronts.base(subset),
        subset,
        depth: family.max_depth,
        under,
        errors: found.vertex.errors(),
        best: None,
    };
    let status = match hunt.run(found.bound) {
        Ok(()) => Status::Optimal,
        Err(Error::Cancelled) => budget.reason(),
        Err(error) => return Err(error),
    };
    let vertex = match hunt.best {
        Some(point) => Vertex::of(solver.plan(&subset.rows, &point.sketch), positive),
        None => found.vertex,
    };
    let bound = if status == Status::Optimal { vertex.errors()[kind] } else { found.bound };
    Ok(AtFloor { vertex, bound, status, claims: found.claims })
}

/// The best tree under a floor while it is sought.
struct Hunt<'a, 'b> {
    fronts: &'b Fronts<'a, 'b>,
    subset: &'b Subset,
    base: f64,
    depth: u32,
    under: &'b Under,
    /// Errors of the best tree so far.
    errors: [f64; 2],
    best: Option<Point>,
}

impl Hunt<'_, '_> {
    /// What a better tree costs less than.
    fn limit(&self) -> f64 {
        let few = self.errors[self.under.kind()] - 1.0;
        self.under.limit(few, self.fronts.prices) - self.base
    }

    fn run(&mut self, bound: f64) -> Result<()> {
        if self.errors[self.under.kind()] <= bound {
            return Ok(());
        }
        if self.depth <= 1 {
            let front = self.fronts.of(self.subset, self.depth, self.limit())?;
            front.points.into_iter().for_each(|point| self.offer(point));
            return Ok(());
        }
        if self.depth == 2 {
            let mut cuts = self.fronts.cuts(self.subset, 2, self.limit())?;
            cuts.sort_by(|a, b| (a.left + a.right).total_cmp(&(b.left + b.right)));
            return self.try_all(&cuts);
        }
        let mut search = Search::new(self.fronts.solver, self.subset, self.depth, self.limit())?.keeping();
        while !search.done() {
            search.round(ROUND)?;
            self.try_all(&search.taken())?;
            search.lower(self.limit());
        }
        Ok(())
    }

    /// Looks for better trees behind each of some splits of the root, several at a time below one limit, so that nothing
    /// depends on the number of threads.
    fn try_all(&mut self, cuts: &[Cut]) -> Result<()> {
        for cuts in cuts.chunks(ROUND) {
            let limit = self.limit();
            let try_one = |cut: &Cut| {
                if cut.left + cut.right >= limit {
                    return Ok(None);
                }
                let points = self.fronts.joined(self.subset, cut, self.depth, limit)?;
                let meeting = points.into_iter().filter(|point| self.under.meets(point.errors));
                let better = |one: Point, other: Point| {
                    if self.under.better(other.errors, one.errors) { other } else { one }
                };
                Ok(meeting.reduce(better))
            };
            let tried: Vec<Result<Option<Point>>> = share::map(cuts, try_one);
            let mut failed = None;
            for tried in tried {
                match tried {
                    Ok(point) => point.into_iter().for_each(|point| self.offer(point)),
                    Err(error) => failed = Some(error),
                }
            }
            failed.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    fn offer(&mut self, point: Point) {
        if self.under.meets(point.errors) && self.under.better(point.errors, self.errors) {
            self.errors = point.errors;
            self.best = Some(point);
        }
    }
}
