//! The formulation `columns`: local search, column generation, and enumeration of boxes.

use crate::exact::box_column::BoxColumn;
use crate::exact::column_generation::generate_columns;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::gap_closing::GapClosingSearch;
use crate::exact::incumbent::Incumbent;
use crate::exact::local_search::{ScoredDrawing, improve_box_by_box, search_from_starts};
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing::{BestBoxVisitor, PricingQuery, PricingSearch};
use crate::exact::pricing_weights::ROUND;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result, SeedKey};

/// Number of given sets of boxes from which the local search starts; the best sets are used.
const GIVEN: usize = 4;
/// Number of sets of boxes that local search improves before the enumeration.
const FAMILIES: usize = 24;
const STARTS: u32 = 24;

/// Searches for an optimal set of boxes and its proof, as far as the budget allows.
///
/// # Errors
/// [`Error::Cancelled`] if the budget ended before the proof; `known` then has the results so far.
pub(crate) fn prove_optimality(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    starts: &[Vec<BoxColumn>],
    key: SeedKey,
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<()> {
    let mut starts: Vec<ScoredDrawing> =
        starts.iter().map(|start| ScoredDrawing::new(codes, tariff, start.clone())).collect();
    starts.sort_by(|a, b| b.value.total_cmp(&a.value));
    starts.dedup();
    if let Some(start) = starts.first() {
        known.best.replace_if_better(start.clone());
    }
    if codes.n_minority_groups() == 0 && !tariff.all_present {
        known.bound = known.best.value;
        return Ok(());
    }
    let settled = |known: &Incumbent| {
        known.bound < tariff.min_improving_value(known.best.value, budget.optimality_gap_limit()) - ROUND
    };
    if settled(known) {
        return Ok(());
    }
    if tariff.n_boxes > 1 {
        let mut families = Vec::new();
        // Local search from the empty set is fast, so that a set of boxes is available soon.
        families.push(improve_box_by_box(codes, tariff, Vec::new(), budget)?);
        known.best.replace_if_better(families[0].clone());
        if settled(known) {
            return Ok(());
        }
        let n_random = if codes.n_minority_groups() == 0 { 0 } else { STARTS };
        let starts: Vec<Vec<BoxColumn>> = starts.into_iter().take(GIVEN).map(|start| start.boxes).collect();
        families.extend(search_from_starts(codes, tariff, &starts, n_random, key, budget)?);
        for family in families {
            known.add_to_pool(&family.boxes);
            known.best.replace_if_better(family);
        }
    }
    if settled(known) {
        return Ok(());
    }
    let bound = bound_and_close_gap(codes, tariff, known, budget)?;
    known.bound = known.bound.min(bound.max(known.best.value));
    Ok(())
}

/// Returns an upper bound on the value of sets of at most `tariff.n_boxes` boxes.
///
/// The function also enumerates sets of boxes, to close the gap between this bound and the best set.
fn bound_and_close_gap(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<f64> {
    if tariff.n_boxes == 1 {
        return solve_one_box(codes, tariff, known, budget);
    }
    add_smallest_boxes(codes, known, budget)?;
    let enough = |known: &Incumbent| {
        tariff.min_improving_value(known.best.value, budget.optimality_gap_limit()) - ROUND
    };
    let (dual, finished) = generate_columns(codes, tariff, known, budget)?;
    known.duals.push(dual.clone());
    let outermost = known.duals.len() == 1;
    if outermost {
        known.bound = known.bound.min(dual.bound);
    }
    if !finished {
        return Err(Error::Cancelled);
    }
    let closed =
        |known: &Incumbent| tariff.bound_if_no_improvement(known.best.value, budget.optimality_gap_limit());
    if dual.bound < enough(known) {
        return Ok(dual.bound.min(closed(known)));
    }
    if dual.bound
        >= tariff.min_improving_value_all_boxes(known.best.value, budget.optimality_gap_limit()) - ROUND
    {
        known.improve_by_local_search(codes, tariff, FAMILIES, budget)?;
        let mut bound = dual.bound;
        let ended = GapClosingSearch::new(codes, tariff, &dual, budget).run(known, &mut bound);
        if outermost {
            known.bound = known.bound.min(bound.max(known.best.value));
        }
        ended?;
    }
    // Sets with fewer boxes are searched, too, unless the dual values already prove that they are not better.
    if tariff.all_present || dual.bound_with_fewer_boxes() < enough(known) {
        return Ok(closed(known));
    }
    let fewer = ObjectiveTerms { n_boxes: tariff.n_boxes - 1, ..*tariff };
    let bound = bound_and_close_gap(codes, &fewer, known, budget)?;
    Ok(bound.max(closed(known)))
}

fn solve_one_box(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<f64> {
    let prices = tariff.first_box_weights(codes);
    let base = tariff.empty_set_value(codes) - tariff.per_box;
    let above = if tariff.all_present && known.best.boxes.len() != 1 {
        f64::NEG_INFINITY
    } else {
        known.best.value - base
    };
    let mut visit = BestBoxVisitor::default();
    let query = PricingQuery { prices: &prices, above, guard: None, keep: None };
    let mut pricing = PricingSearch::new(codes, query, &mut visit);
    let ended = pricing.run(&mut visit, budget);
    let bound = pricing.unvisited_value_bound() + base;
    if let Some(found) = visit.0 {
        // If the budget ends before the box is expanded, the box is used as it is.
        let column = BoxColumn::new(codes, found.at);
        let column = column.clone().expand_without_new_hits(codes, budget).unwrap_or(column);
        known.best.replace_if_better(ScoredDrawing::new(codes, tariff, vec![column]));
    }
    if known.duals.is_empty() {
        known.bound = known.bound.min(bound.max(known.best.value));
    }
    ended?;
    Ok(bound)
}

/// Adds a box around each group of equal minority rows to the known boxes.
///
/// It is the smallest box around the group, expanded without hitting more majority rows. Every minority row
/// that a box can cover is then covered by at least one box of the linear program.
fn add_smallest_boxes(codes: &EncodedRows, known: &mut Incumbent, budget: &SearchBudget<'_>) -> Result<()> {
    let singles: Vec<BoxColumn> = (0..codes.n_minority_groups())
        .filter_map(|p| BoxColumn::smallest_box_around(codes, std::iter::once(p)))
        .map(|column| column.expand_without_new_hits(codes, budget))
        .collect::<Result<_>>()?;
    known.add_to_pool(&singles);
    Ok(())
}
