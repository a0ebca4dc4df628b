//! Upper bound by column generation, with pricing by branch and bound.
//!
//! A row group has all rows of one class with equal codes; no box separates them.
//! A set of boxes assigns every covered minority row group to one of its boxes. The linear program allows
//! fractions of boxes. The fraction `h_i` of a majority row group `i` that is hit has two kinds of lower
//! bounds. It is at least the total fraction of the boxes that hit `i` and to which `p` is assigned, for each
//! minority row group `p`. It is also at least `1 / K` of the total fraction of the boxes that hit `i`:
//!
//! `max sum m(A) lambda - box_cost sum lambda - c sum m_i h_i` over boxes `B` with assigned groups `A`,
//! subject to
//! - `sum_{A with p} lambda <= 1` for each `p` (dual value `u_p`),
//! - `sum lambda <= K` (dual value `sigma`),
//! - `sum_{B hits i} lambda / K <= h_i` for each `i` (dual value `rho_i0`),
//! - `sum_{B hits i, A with p} lambda <= h_i` for each pair of row groups (dual value `rho_ip`).
//!
//! `lambda` is the fraction of the box that is used, and `h_i` the fraction of `i` that is hit. `m` are the
//! weights of row groups, `c` is the weight of a majority row, and `n-` below is the total weight of the
//! majority rows.
//!
//! For any dual values with `0 <= pi_p = m_p - u_p <= m_p` and `rho_i0 + sum_p rho_ip <= c m_i`, every set of
//! `K` boxes has at most the value `c n- + sum u_p + K max(0, max_B v(B))`. Here `v(B) = sum_{p in B} max(0,
//! pi_p - sum_{i hit} rho_ip) - sum_{i hit} rho_i0 / K - box_cost`.
//!
//! Without the constraints of pairs, this is the bound of a maximum coverage program, in which a hit by one
//! box costs only `c / K`. If all `K` boxes must be present, the outer `max(0, .)` is dropped. Each round
//! adds violated constraints of pairs to the program, and boxes (columns) with `v(B)` above `sigma`. Most
//! boxes come from coordinate ascent (`coordinate_ascent`), which is cheap but proves nothing. Few exact
//! searches are then needed.

use crate::exact::box_column::BoxColumn;
use crate::exact::box_master::{BoxMasterProgram, DualPoint};
use crate::exact::coordinate_ascent::CoordinateAscent;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::gap_closing::GapClosingSearch;
use crate::exact::incumbent::Incumbent;
use crate::exact::local_search::beam_search;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing::{BoxVisitor, PricingQuery, PricingSearch};
use crate::exact::pricing_weights::{BoundWithDualValues, PricingWeights, ROUND};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result, parallel};

/// Weight of the best dual point so far in its weighted mean with another dual point.
///
/// The other point is the dual point of the linear program. Each round also searches boxes at the weighted
/// mean (Wentges 1997).
const SHARE: f64 = 0.6;
/// Trust region: largest change of a dual value from the best dual point known so far.
///
/// The change is a fraction of the largest possible dual value. The second number applies once the bound has
/// stalled in spite of constraints of pairs of groups of equal rows (Marsten, Hogan and Blankenship 1975).
const REACH: [f64; 2] = [0.05, 0.01];
const BOXES: usize = 5;
/// Divisor that converts search nodes to a number of linear programs.
const NODES: u64 = 2048;
/// Range of the maximum number of further linear programs before the bound is computed.
///
/// Before each of these programs, coordinate ascent searches for boxes to add. If it finds none, the bound is
/// computed at once.
const GUESSES: std::ops::RangeInclusive<u64> = 3..=10;
/// Numbers of boxes from which coordinate ascent starts.
///
/// The first number is for boxes found so far (the pool), the second for boxes in the solution of the linear
/// program.
const CLIMBING: [usize; 2] = [20, 10];
const JOINING: usize = 10;
const RECALLED: usize = 50;
/// Number of rounds over which the progress of the bound is measured.
///
/// The first number applies to the program without constraints of pairs of groups of equal rows, the second
/// to the program with these constraints. The second number is also the number of rounds between two
/// decisions on enumeration. Enumeration starts if its estimated number of search nodes is at most the cost
/// of all rounds so far.
const PATIENCE: [usize; 2] = [3, 16];
/// Fraction of the optimality gap by which [`PATIENCE`] rounds must reduce the upper bound.
const WORTH: f64 = 0.15;
/// Number of rounds over which too little progress starts the enumeration of sets of boxes.
///
/// Enumeration then starts even if its estimated number of search nodes is large.
const LONG: usize = 64;
/// Time for the linear programs of a round, as an equivalent number of search nodes.
const ROUND_NODES: u64 = 16_384;
/// Number of sets of boxes that local search improves before an enumeration is considered.
const POLISHED: usize = 4;

/// Lowers the upper bound on the value of sets of `K` boxes by column generation.
///
/// The loop ends in four cases:
/// - the linear program is solved, or fails numerically;
/// - the bound improves too little;
/// - the bound proves that the best known set of boxes is optimal;
/// - the estimated cost of an enumeration is low enough.
///
/// The best set of boxes and the pool are also updated. Returns the best bound, and whether the loop ended in
/// one of the four cases instead of by a cancellation or a limit.
pub(crate) fn generate_columns(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<(BoundWithDualValues, bool)> {
    let prices = PricingWeights::without_pairs(codes.pos_mass.clone(), Vec::new());
    let dual =
        BoundWithDualValues { n_boxes: tariff.n_boxes, prices, sigma: f64::INFINITY, bound: f64::INFINITY };
    let mut rounds =
        ColumnGeneration { codes, tariff, budget, dual, at: None, nodes: 0, spent: 0, near: false };
    match rounds.run(known) {
        Ok(()) => Ok((rounds.dual, true)),
        Err(Error::Cancelled) => Ok((rounds.dual, false)),
        Err(error) => Err(error),
    }
}

struct ColumnGeneration<'a> {
    codes: &'a EncodedRows,
    tariff: &'a ObjectiveTerms,
    budget: &'a SearchBudget<'a>,
    /// The best bound so far; `at` is the dual point that proves it.
    dual: BoundWithDualValues,
    at: Option<DualPoint>,
    nodes: u64,
    /// Cost of all rounds so far, as a number of search nodes.
    spent: u64,
    near: bool,
}

impl ColumnGeneration<'_> {
    fn run(&mut self, known: &mut Incumbent) -> Result<()> {
        let mut master = BoxMasterProgram::new(self.codes, self.tariff, &known.pool);
        // Constraints of pairs of groups of equal rows are added once the linear program without them is
        // nearly solved.
        let mut with_pairs = false;
        let mut bounds: Vec<f64> = Vec::new();
        let mut used = Vec::new();
        loop {
            let enough =
                self.tariff.min_improving_value(known.best.value, self.budget.optimality_gap_limit()) - ROUND;
            if self.dual.bound < enough {
                return Ok(());
            }
            let gap = self.dual.bound - enough;
            let Some(point) = self.solve_master_program(&mut master, with_pairs, &mut used, known)? else {
                return self.handle_lp_failure(known);
            };
            if with_pairs {
                let mut families = beam_search(self.codes, self.tariff, &used, self.budget)?;
                known.best.replace_if_better(families.swap_remove(0));
            }
            let joined = self.search_at_two_dual_points(&mut master, &point, known)?;
            bounds.push(self.dual.bound);
            let before = |rounds: usize| bounds.len().checked_sub(rounds + 1).map(|at| bounds[at]);
            let slow = |rounds| before(rounds).is_some_and(|before| before - self.dual.bound < WORTH * gap);
            let solved = !joined && before(1).is_some_and(|before| before - self.dual.bound < ROUND);
            let wait = PATIENCE[usize::from(with_pairs)];
            // Enumeration is considered even while the bound still improves, because the list of boxes to
            // enumerate can already be short.
            let look = with_pairs && bounds.len().is_multiple_of(wait);
            if !(solved || look || !with_pairs && slow(wait)) {
                continue;
            }
            if with_pairs {
                self.near |= slow(wait);
                // With a better set of boxes, fewer boxes need to be enumerated.
                known.improve_by_local_search(self.codes, self.tariff, POLISHED, self.budget)?;
                let behind = GapClosingSearch::new(self.codes, self.tariff, &self.dual, self.budget);
                if solved || slow(LONG) || behind.is_within_node_limit(known, self.spent)? {
                    return Ok(());
                }
            } else {
                with_pairs = true;
                bounds.clear();
            }
        }
    }

    /// Solves the linear program at least once, and returns the dual point of the last solution.
    ///
    /// Before each new solution, boxes from coordinate ascent are added. The result is `None` after a
    /// numerical failure.
    fn solve_master_program(
        &self,
        master: &mut BoxMasterProgram<'_>,
        with_pairs: bool,
        used: &mut Vec<BoxColumn>,
        known: &mut Incumbent,
    ) -> Result<Option<DualPoint>> {
        let around = self.at.as_ref().map(|at| (at, REACH[usize::from(self.near)]));
        let mut point = master.solve_dual_point(around, with_pairs, used, self.budget)?;
        for _ in 0..(self.nodes / NODES).clamp(*GUESSES.start(), *GUESSES.end()) {
            match &point {
                Some(at) if self.add_boxes_by_ascent(master, at, used, known)? => {}
                _ => break,
            }
            point = master.solve_dual_point(around, with_pairs, used, self.budget)?;
        }
        Ok(point)
    }

    /// Runs coordinate ascent from the best boxes of the pool and from the boxes `used`.
    fn add_boxes_by_ascent(
        &self,
        master: &mut BoxMasterProgram<'_>,
        point: &DualPoint,
        used: &[BoxColumn],
        known: &mut Incumbent,
    ) -> Result<bool> {
        let codes = self.codes;
        let prices = master.pricing_weights(point);
        let mut pool: Vec<(f64, &BoxColumn)> =
            known.pool.iter().map(|column| (prices.box_value(codes, column), column)).collect();
        sort_best_first(&mut pool);
        let from =
            pool.into_iter().take(CLIMBING[0]).map(|(_, column)| column).chain(used.iter().take(CLIMBING[1]));
        let climb = |ascent: &mut CoordinateAscent<'_>, from: &BoxColumn| {
            let column = ascent.ascend(from, self.budget)?;
            let real = codes.side_width.is_empty() || codes.has_ordered_bounds(&column.at);
            if !real {
                return Ok(None);
            }
            let column = column.expand_without_new_hits(codes, self.budget)?;
            Ok(Some((prices.box_value(codes, &column) - self.tariff.per_box - point.sigma, column)))
        };
        let climbed = parallel::try_map_with(from, || CoordinateAscent::new(codes, &prices), climb)?;
        let mut found: Vec<(f64, BoxColumn)> =
            climbed.into_iter().flatten().filter(|(worth, _)| *worth > ROUND).collect();
        sort_best_first(&mut found);
        found.dedup_by(|a, b| a.1 == b.1);
        found.truncate(JOINING);
        let mut joined = false;
        for (_, column) in found {
            known.add_to_pool(std::slice::from_ref(&column));
            let taken = prices.rewarded_groups_and_value(&column).0;
            joined |= master.add_box_with_groups(column, taken);
        }
        Ok(joined)
    }

    /// Handles a numerical failure of the linear program.
    ///
    /// The last bound is kept. If there is none, a bound is computed with the row weights as dual values.
    fn handle_lp_failure(&mut self, known: &mut Incumbent) -> Result<()> {
        if self.dual.bound.is_infinite() {
            let PricingWeights { pos, neg, .. } = self.tariff.first_box_weights(self.codes);
            let share = neg.iter().map(|cost| cost / self.tariff.n_boxes as f64).collect();
            self.dual = self
                .solve_pricing_problem(
                    PricingWeights::without_pairs(pos, share),
                    f64::INFINITY,
                    &known.pool,
                    1,
                )?
                .dual;
        }
        Ok(())
    }

    /// Searches for the best boxes at two dual points, and computes the bounds of both points.
    ///
    /// The two points are `point` and a point closer to the best dual point. Boxes that violate their
    /// constraint at `point` are added to the linear program. Returns whether a box was added.
    fn search_at_two_dual_points(
        &mut self,
        master: &mut BoxMasterProgram<'_>,
        point: &DualPoint,
        known: &mut Incumbent,
    ) -> Result<bool> {
        let own = master.pricing_weights(point);
        let worth =
            |column: &BoxColumn| own.box_value(self.codes, column) - self.tariff.per_box - point.sigma;
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
        asked.extend(self.at.as_ref().map(|at| (point.interpolate(at, SHARE), 1)));
        let master_seen: &BoxMasterProgram<'_> = master;
        let bounds: Vec<Result<PricingResult>> = parallel::map(&asked, |(point, most)| {
            self.solve_pricing_problem(master_seen.pricing_weights(point), point.sigma, &known.pool, *most)
        });
        self.nodes = 0;
        for (bound, (point, _)) in bounds.into_iter().zip(asked) {
            let PricingResult { dual, found, nodes } = bound?;
            self.nodes += nodes;
            if dual.bound < self.dual.bound - 1e-9 {
                (self.dual, self.at) = (dual, Some(point));
            }
            known.add_to_pool(&found);
            columns.extend(found);
        }
        self.spent += ROUND_NODES + self.nodes;
        let mut joined = false;
        for column in columns.into_iter().filter(|column| worth(column) > 1e-9) {
            let taken = own.rewarded_groups_and_value(&column).0;
            joined |= master.add_box_with_groups(column, taken);
        }
        Ok(joined)
    }

    /// At most `most` boxes are returned, the best ones.
    fn solve_pricing_problem(
        &self,
        prices: PricingWeights,
        sigma: f64,
        pool: &[BoxColumn],
        most: usize,
    ) -> Result<PricingResult> {
        let (codes, tariff) = (self.codes, self.tariff);
        let known =
            pool.iter().map(|column| prices.box_value(codes, column)).fold(tariff.min_box_value(), f64::max);
        // A single box is requested only to improve the bound. Then only boxes that are better than all known
        // boxes are searched.
        let above =
            if most > 1 { known.min((sigma + tariff.per_box).max(tariff.min_box_value())) } else { known };
        let query = PricingQuery { prices: &prices, above, guard: None, keep: None };
        let mut top = TopBoxCollector { most, found: Vec::new() };
        let mut pricing = PricingSearch::new(codes, query, &mut top);
        pricing.run(&mut top, self.budget)?;
        let nodes = pricing.nodes;
        let best = top.found.first().map_or(known, |(value, _)| value.max(known));
        let sigma = best - tariff.per_box;
        let spare: f64 = codes.pos_mass.iter().zip(&prices.pos).map(|(mass, pi)| mass - pi).sum();
        let bound = tariff.empty_set_value(codes) + spare + tariff.n_boxes as f64 * sigma;
        let found = top
            .found
            .into_iter()
            .map(|(_, at)| BoxColumn::new(codes, at).expand_without_new_hits(codes, self.budget))
            .collect::<Result<_>>()?;
        Ok(PricingResult {
            dual: BoundWithDualValues { n_boxes: tariff.n_boxes, prices, sigma, bound },
            found,
            nodes,
        })
    }
}

struct PricingResult {
    dual: BoundWithDualValues,
    found: Vec<BoxColumn>,
    nodes: u64,
}

fn sort_best_first<C: Ord>(boxes: &mut [(f64, C)]) {
    boxes.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
}

struct TopBoxCollector {
    most: usize,
    found: Vec<(f64, Vec<u16>)>,
}

impl BoxVisitor for TopBoxCollector {
    fn visit_box(&mut self, at: &[u16], value: f64, above: f64) -> f64 {
        let place = self.found.partition_point(|(other, _)| *other >= value);
        self.found.insert(place, (value, at.to_vec()));
        self.found.truncate(self.most);
        if self.found.len() < self.most { above } else { self.found[self.most - 1].0 }
    }
}
