//! Upper bound by column generation, with pricing by branch and bound.
//!
//! A set of boxes assigns every covered minority row group to one of its boxes. So a majority row group `i`
//! is hit
//! at least as often as the box that got the minority row group `p` hits it, and at least `1 / K` times as
//! often as it is hit by all boxes:
//!
//! `max sum m(A) lambda - box_cost sum lambda - c sum m_i h_i` over boxes `B` with the codes `A` they got,
//! subject to
//! - `sum_{A with p} lambda <= 1` (dual value `u_p`),
//! - `sum lambda <= K` (`sigma`),
//! - `sum_{B hits i} lambda / K <= h_i` (`rho_i0`),
//! - `sum_{B hits i, A with p} lambda <= h_i` (`rho_ip`).
//!
//! For any dual values with `0 <= pi_p = m_p - u_p <= m_p` and `rho_i0 + sum_p rho_ip <= c m_i`, every set of
//! boxes of `K`
//! boxes has at most the value `c n- + sum u_p + K max(0, max_B v(B))` with
//! `v(B) = sum_{p in B} max(0, pi_p - sum_{i hit} rho_ip) - sum_{i hit} rho_i0 / K - box_cost`.
//!
//! Without the constraints of pairs of row groups this is the bound of a maximum coverage program, in which a
//! hit by one box costs
//! only `c / K`. If all boxes are present, `max(0, .)` is dropped. Violated constraints of pairs of row
//! groups are added to the
//! program, and columns with `v(B)` above `sigma`. Most columns come from coordinate ascent (`ascent`), which
//! is
//! cheap but proves nothing, so that few exact pricing searches are needed.

use crate::exact::ascent::CoordinateAscent;
use crate::exact::closing::GapClosing;
use crate::exact::codes::EncodedRows;
use crate::exact::column::BoxColumn;
use crate::exact::incumbent::Incumbent;
use crate::exact::master::{BoxMaster, DualPoint};
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::prices::{BoundDual, PricingWeights, ROUND};
use crate::exact::pricing::{BoxVisitor, PricingQuery, PricingSearch};
use crate::exact::search::beam_search;
use imbcore_core::budget::Budget;
use imbcore_core::{Error, Result, share};

/// Weight of the best dual point in its convex combination with that of the program.
///
/// In each round, boxes are also searched at this combination (Wentges 1997).
const SHARE: f64 = 0.6;
/// Trust region: maximum change of a dual value per round, relative to its largest value.
///
/// The second value applies after the bound has stalled with pairs of row groups (Marsten, Hogan and
/// Blankenship 1975).
const REACH: [f64; 2] = [0.05, 0.01];
/// Number of boxes that a round searches at the dual point of the program.
///
/// Additional boxes would mostly be similar to these.
const BOXES: usize = 5;
/// Ratio of search nodes of the last bound to linear programs before the next bound.
///
/// These linear programs are solved with boxes from coordinate ascent.
const NODES: u64 = 2048;
/// Minimum and maximum number of linear programs before the next bound.
///
/// These linear programs are solved with boxes from coordinate ascent.
const GUESSES: std::ops::RangeInclusive<u64> = 3..=10;
/// Numbers of starts of coordinate ascent.
///
/// The starts are from the pool, and from the solution of the linear program.
const CLIMBING: [usize; 2] = [20, 10];
/// Maximum number of boxes from coordinate ascent that are added to the linear program.
const JOINING: usize = 10;
/// Number of boxes of the pool that are added to the linear program in a round.
const RECALLED: usize = 50;
/// Number of rounds, without and with pairs of row groups, over which progress is measured.
///
/// After that many rounds with pairs of row groups, the sets of boxes below the bound are enumerated if this
/// is estimated to take at most as many nodes as the bound took so far.
const PATIENCE: [usize; 2] = [3, 16];
/// Fraction of the gap by which the last [`PATIENCE`] rounds must reduce the bound.
///
/// The bound has stalled if the reduction is less.
const WORTH: f64 = 0.15;
/// Number of rounds with too little progress after which sets of boxes are always enumerated.
///
/// These are the sets of boxes below the bound.
const LONG: usize = 64;
/// Cost of the linear programs of a round, as a number of search nodes.
const ROUND_NODES: u64 = 16_384;
/// Number of sets of boxes of the pool that are improved by local search.
///
/// The sets of boxes are improved before the size of the enumeration is estimated.
const POLISHED: usize = 4;

/// Improves the bound for sets of `tariff.n_boxes` boxes by column generation.
///
/// The loop ends if the linear program is solved, if the bound improves too little, or if it proves the best
/// known set of boxes optimal. The best set of boxes and the pool are updated on the way.
///
/// On a cancellation the best bound so far is returned with `false`.
pub(crate) fn generate(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    known: &mut Incumbent,
    budget: &Budget<'_>,
) -> Result<(BoundDual, bool)> {
    let prices = PricingWeights::plain(codes.pos_mass.clone(), Vec::new());
    let dual = BoundDual { n_boxes: tariff.n_boxes, prices, sigma: f64::INFINITY, bound: f64::INFINITY };
    let mut rounds =
        ColumnGeneration { codes, tariff, budget, dual, at: None, nodes: 0, spent: 0, near: false };
    match rounds.run(known) {
        Ok(()) => Ok((rounds.dual, true)),
        Err(Error::Cancelled) => Ok((rounds.dual, false)),
        Err(error) => Err(error),
    }
}

/// State of the column generation.
struct ColumnGeneration<'a> {
    codes: &'a EncodedRows,
    tariff: &'a ObjectiveTerms,
    budget: &'a Budget<'a>,
    /// The best bound so far, and its dual point.
    dual: BoundDual,
    at: Option<DualPoint>,
    /// Nodes of the last bound.
    nodes: u64,
    /// Cost of all rounds, in nodes.
    spent: u64,
    /// Whether the bound has stopped improving in the program with pairs of row groups.
    near: bool,
}

impl ColumnGeneration<'_> {
    fn run(&mut self, known: &mut Incumbent) -> Result<()> {
        let mut master = BoxMaster::new(self.codes, self.tariff, &known.pool);
        // Constraints of pairs of row groups are added once the program without them is nearly solved.
        let mut with_pairs = false;
        let mut bounds: Vec<f64> = Vec::new();
        let mut used = Vec::new();
        loop {
            let enough = self.tariff.need(known.best.value, self.budget.gap()) - ROUND;
            if self.dual.bound < enough {
                return Ok(());
            }
            let gap = self.dual.bound - enough;
            let Some(point) = self.solve(&mut master, with_pairs, &mut used, known)? else {
                return self.handle_failure(known);
            };
            if with_pairs {
                let mut families = beam_search(self.codes, self.tariff, &used, self.budget)?;
                known.best.improve(families.swap_remove(0));
            }
            let joined = self.round(&mut master, &point, known)?;
            bounds.push(self.dual.bound);
            let before = |rounds: usize| bounds.len().checked_sub(rounds + 1).map(|at| bounds[at]);
            let slow = |rounds| before(rounds).is_some_and(|before| before - self.dual.bound < WORTH * gap);
            let solved = !joined && before(1).is_some_and(|before| before - self.dual.bound < ROUND);
            let wait = PATIENCE[usize::from(with_pairs)];
            // The list of boxes to enumerate can be short even while the bound still improves.
            let look = with_pairs && bounds.len().is_multiple_of(wait);
            if !(solved || look || !with_pairs && slow(wait)) {
                continue;
            }
            if with_pairs {
                self.near |= slow(wait);
                // A better set of boxes makes the list of boxes to enumerate shorter.
                known.polish(self.codes, self.tariff, POLISHED, self.budget)?;
                let behind = GapClosing::new(self.codes, self.tariff, &self.dual, self.budget);
                if solved || slow(LONG) || behind.is_short(known, self.spent)? {
                    return Ok(());
                }
            } else {
                with_pairs = true;
                bounds.clear();
            }
        }
    }

    /// Solves the program several times and returns its dual point.
    /// Each time, new boxes of coordinate ascent are added.
    /// `None` on numerical failure.
    fn solve(
        &self,
        master: &mut BoxMaster<'_>,
        with_pairs: bool,
        used: &mut Vec<BoxColumn>,
        known: &mut Incumbent,
    ) -> Result<Option<DualPoint>> {
        let around = self.at.as_ref().map(|at| (at, REACH[usize::from(self.near)]));
        let mut point = master.point(around, with_pairs, used, self.budget)?;
        for _ in 0..(self.nodes / NODES).clamp(*GUESSES.start(), *GUESSES.end()) {
            match &point {
                Some(at) if self.add_ascent_boxes(master, at, used, known)? => {}
                _ => break,
            }
            point = master.point(around, with_pairs, used, self.budget)?;
        }
        Ok(point)
    }

    /// Runs coordinate ascent from the best boxes of the pool and the used boxes.
    ///
    /// Returns whether a new box was added to the linear program.
    fn add_ascent_boxes(
        &self,
        master: &mut BoxMaster<'_>,
        point: &DualPoint,
        used: &[BoxColumn],
        known: &mut Incumbent,
    ) -> Result<bool> {
        let codes = self.codes;
        let prices = master.prices(point);
        let mut pool: Vec<(f64, &BoxColumn)> =
            known.pool.iter().map(|column| (prices.value(codes, column), column)).collect();
        sort_best_first(&mut pool);
        let from =
            pool.into_iter().take(CLIMBING[0]).map(|(_, column)| column).chain(used.iter().take(CLIMBING[1]));
        let climb = |ascent: &mut CoordinateAscent<'_>, from: &BoxColumn| {
            let column = ascent.climb(from, self.budget)?;
            let real = codes.side_width.is_empty() || codes.ordered(&column.at);
            if !real {
                return Ok(None);
            }
            let column = column.grown(codes, self.budget)?;
            Ok(Some((prices.value(codes, &column) - self.tariff.per_box - point.sigma, column)))
        };
        let climbed = share::try_map_with(from, || CoordinateAscent::new(codes, &prices), climb)?;
        let mut found: Vec<(f64, BoxColumn)> =
            climbed.into_iter().flatten().filter(|(worth, _)| *worth > ROUND).collect();
        sort_best_first(&mut found);
        found.dedup_by(|a, b| a.1 == b.1);
        found.truncate(JOINING);
        let mut joined = false;
        for (_, column) in found {
            known.add(std::slice::from_ref(&column));
            let taken = prices.rewards(&column).0;
            joined |= master.add(column, taken);
        }
        Ok(joined)
    }

    /// Handles a numerical failure: keeps the last bound, or computes one from the row weights.
    fn handle_failure(&mut self, known: &mut Incumbent) -> Result<()> {
        if self.dual.bound.is_infinite() {
            let PricingWeights { pos, neg, .. } = self.tariff.weights(self.codes);
            let share = neg.iter().map(|cost| cost / self.tariff.n_boxes as f64).collect();
            self.dual = self.price(PricingWeights::plain(pos, share), f64::INFINITY, &known.pool, 1)?.dual;
        }
        Ok(())
    }

    /// Searches boxes with a positive reduced value at two dual points.
    /// These are the point of the program, and a point closer to the best dual point.
    ///
    /// Returns whether a box was added to the linear program.
    fn round(
        &mut self,
        master: &mut BoxMaster<'_>,
        point: &DualPoint,
        known: &mut Incumbent,
    ) -> Result<bool> {
        let own = master.prices(point);
        let worth = |column: &BoxColumn| own.value(self.codes, column) - self.tariff.per_box - point.sigma;
        let mut recalled: Vec<(f64, &BoxColumn)> = known
            .pool
            .iter()
            .map(|column| (worth(column), column))
            .filter(|(worth, _)| *worth > ROUND)
            .collect();
        sort_best_first(&mut recalled);
        let mut columns: Vec<BoxColumn> =
            recalled.into_iter().take(RECALLED).map(|(_, column)| column.clone()).collect();
        let mut asked = vec![(point.clone(), BOXES)];
        asked.extend(self.at.as_ref().map(|at| (point.mix(at, SHARE), 1)));
        let master_seen: &BoxMaster<'_> = master;
        let bounds: Vec<Result<PricedBound>> = share::map(&asked, |(point, most)| {
            self.price(master_seen.prices(point), point.sigma, &known.pool, *most)
        });
        self.nodes = 0;
        for (bound, (point, _)) in bounds.into_iter().zip(asked) {
            let PricedBound { dual, found, nodes } = bound?;
            self.nodes += nodes;
            if dual.bound < self.dual.bound - 1e-9 {
                (self.dual, self.at) = (dual, Some(point));
            }
            known.add(&found);
            columns.extend(found);
        }
        self.spent += ROUND_NODES + self.nodes;
        let mut joined = false;
        for column in columns.into_iter().filter(|column| worth(column) > 1e-9) {
            let taken = own.rewards(&column).0;
            joined |= master.add(column, taken);
        }
        Ok(joined)
    }

    /// The bound at dual values `prices`, and up to `most` boxes with a value above `sigma`.
    fn price(
        &self,
        prices: PricingWeights,
        sigma: f64,
        pool: &[BoxColumn],
        most: usize,
    ) -> Result<PricedBound> {
        let (codes, tariff) = (self.codes, self.tariff);
        let known = pool.iter().map(|column| prices.value(codes, column)).fold(tariff.floor(), f64::max);
        // If one box is requested, only a box with a larger value than all known boxes is useful.
        let above = if most > 1 { known.min((sigma + tariff.per_box).max(tariff.floor())) } else { known };
        let query = PricingQuery { prices: &prices, above, guard: None, keep: None };
        let mut top = TopBoxes { most, found: Vec::new() };
        let mut pricing = PricingSearch::new(codes, query, &mut top);
        pricing.run(&mut top, self.budget)?;
        let nodes = pricing.nodes;
        let best = top.found.first().map_or(known, |(value, _)| value.max(known));
        let sigma = best - tariff.per_box;
        let spare: f64 = codes.pos_mass.iter().zip(&prices.pos).map(|(mass, pi)| mass - pi).sum();
        let bound = tariff.base(codes) + spare + tariff.n_boxes as f64 * sigma;
        let found = top
            .found
            .into_iter()
            .map(|(_, at)| BoxColumn::new(codes, at).grown(codes, self.budget))
            .collect::<Result<_>>()?;
        Ok(PricedBound { dual: BoundDual { n_boxes: tariff.n_boxes, prices, sigma, bound }, found, nodes })
    }
}

/// Bound at some dual values, boxes with positive reduced value, and the number of nodes.
struct PricedBound {
    dual: BoundDual,
    found: Vec<BoxColumn>,
    nodes: u64,
}

/// Sorts by descending value, then by box.
fn sort_best_first<C: Ord>(boxes: &mut [(f64, C)]) {
    boxes.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
}

/// Collects the best boxes, best first.
struct TopBoxes {
    most: usize,
    found: Vec<(f64, Vec<u16>)>,
}

impl BoxVisitor for TopBoxes {
    fn meet(&mut self, at: &[u16], value: f64, above: f64) -> f64 {
        let place = self.found.partition_point(|(other, _)| *other >= value);
        self.found.insert(place, (value, at.to_vec()));
        self.found.truncate(self.most);
        if self.found.len() < self.most { above } else { self.found[self.most - 1].0 }
    }

    fn leaf(&mut self, _: &[u16], _: f64) {}
}
