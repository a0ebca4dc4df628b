//! Local search without a proof: replaces one box at a time by the best box given the others.

use crate::bit_set::BitSet;
use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing::{PricingQuery, find_best_box};
use crate::exact::pricing_weights::PricingWeights;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Result, SeedKey, parallel, random_below, tags};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScoredDrawing {
    pub value: f64,
    pub boxes: Vec<BoxColumn>,
}

impl ScoredDrawing {
    pub(crate) fn new(codes: &EncodedRows, tariff: &ObjectiveTerms, boxes: Vec<BoxColumn>) -> Self {
        Self { value: tariff.objective_value(codes, &boxes), boxes }
    }

    pub(crate) fn replace_if_better(&mut self, other: Self) -> bool {
        let better = other.value > self.value + 1e-9;
        if better {
            *self = other;
        }
        better
    }
}

/// Weights for one box of a set: 0 for groups of equal rows that another box covers or hits.
fn weights_left_for_box(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    boxes: &[BoxColumn],
    slot: usize,
) -> PricingWeights {
    let (mut pos, mut neg) =
        (BitSet::empty(codes.n_minority_groups()), BitSet::empty(codes.n_majority_groups()));
    for (_, column) in boxes.iter().enumerate().filter(|(other, _)| *other != slot) {
        pos.union_with(&column.pos);
        neg.union_with(&column.neg);
    }
    let mut weights = tariff.first_box_weights(codes);
    pos.iter().for_each(|p| weights.pos[p] = 0.0);
    neg.iter().for_each(|i| weights.neg[i] = 0.0);
    weights
}

pub(crate) fn improve_box_by_box(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    start: Vec<BoxColumn>,
    budget: &SearchBudget<'_>,
) -> Result<ScoredDrawing> {
    let mut family = ScoredDrawing::new(codes, tariff, start);
    let mut idle = 0;
    for slot in (0..tariff.n_boxes).cycle() {
        if idle == tariff.n_boxes {
            break;
        }
        let prices = weights_left_for_box(codes, tariff, &family.boxes, slot);
        let mut boxes = family.boxes.clone();
        let query = PricingQuery { prices: &prices, above: tariff.min_box_value(), guard: None, keep: None };
        match find_best_box(codes, query, budget)? {
            Some(found) => {
                let column = BoxColumn::new(codes, found.at).expand_without_new_hits(codes, budget)?;
                if slot < boxes.len() { boxes[slot] = column } else { boxes.push(column) }
            }
            None if slot < boxes.len() => drop(boxes.remove(slot)),
            None => {}
        }
        idle = if family.replace_if_better(ScoredDrawing::new(codes, tariff, boxes)) { 0 } else { idle + 1 };
    }
    Ok(family)
}

/// Local search from the given sets of boxes, the empty set, and `n_random` random sets.
pub(crate) fn search_from_starts(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    starts: &[Vec<BoxColumn>],
    n_random: u32,
    key: SeedKey,
    budget: &SearchBudget<'_>,
) -> Result<Vec<ScoredDrawing>> {
    let mut all: Vec<Vec<BoxColumn>> = starts.to_vec();
    all.push(Vec::new());
    for start in 0..n_random {
        let mut rng = key.child(tags::boxes::START, start).rng();
        let mut pick = || random_below(&mut rng, codes.n_minority_groups() as u32) as usize;
        all.push(
            (0..tariff.n_boxes)
                .filter_map(|_| BoxColumn::smallest_box_around(codes, [pick(), pick()].into_iter()))
                .collect(),
        );
    }
    parallel::try_map(all, |start| improve_box_by_box(codes, tariff, start, budget))
}

/// Beam search for the best set of at most `K` boxes from the known boxes (the pool).
///
/// Also returns the sets in the final beam.
pub(crate) fn beam_search(
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    pool: &[BoxColumn],
    budget: &SearchBudget<'_>,
) -> Result<Vec<ScoredDrawing>> {
    /// Number of sets with `n` boxes that are kept and extended to sets with `n + 1` boxes.
    const BEAM: usize = 200;
    let mut best = ScoredDrawing::new(codes, tariff, Vec::new());
    let mut beam = vec![Vec::<usize>::new()];
    for _ in 0..tariff.n_boxes {
        let mut next: Vec<(f64, Vec<usize>)> = Vec::new();
        for family in &beam {
            budget.check_limits()?;
            let weights = family.iter().fold(tariff.first_box_weights(codes), |left, &b| {
                tariff.value_and_remaining_weights(codes, &left, &pool[b]).1
            });
            let value = tariff.objective_value(codes, &clone_boxes_at(pool, family));
            let gain = |column: &BoxColumn| {
                column.pos.sum_weights(&weights.pos) - column.neg.sum_weights(&weights.neg) - tariff.per_box
            };
            let mut gains: Vec<(f64, usize)> =
                pool.iter().enumerate().map(|(place, column)| (gain(column), place)).collect();
            // A pool can have thousands of boxes, but at most `BEAM` extensions of one set can stay in the
            // beam.
            gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (gain, place) in gains.into_iter().take(BEAM) {
                let mut larger = family.clone();
                larger.push(place);
                larger.sort_unstable();
                next.push((value + gain, larger));
            }
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        next.dedup_by(|a, b| a.1 == b.1);
        next.truncate(BEAM);
        if let Some((_, top)) = next.first() {
            best.replace_if_better(ScoredDrawing::new(codes, tariff, clone_boxes_at(pool, top)));
        }
        beam = next.into_iter().map(|(_, family)| family).collect();
    }
    let ended = beam.iter().map(|family| ScoredDrawing::new(codes, tariff, clone_boxes_at(pool, family)));
    Ok(std::iter::once(best).chain(ended).collect())
}

fn clone_boxes_at(pool: &[BoxColumn], family: &[usize]) -> Vec<BoxColumn> {
    family.iter().map(|&place| pool[place].clone()).collect()
}
