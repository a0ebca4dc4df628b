//! Dual values that bound the value of the further boxes of a set, if some boxes are fixed.
//!
//! For given rewards of minority rows, `k` boxes have at most the value `spare + k sigma`. Here `sigma` is
//! the value of the best box, and `spare` is the sum of the weights of these rows minus their rewards. Lower
//! rewards reduce `sigma`, but increase `spare`. Each evaluation of this bound needs a search for the best
//! box.
//!
//! If `sigma` is replaced by the value of the best known box, the result is a lower estimate of the bound.
//! This estimate, called the model, takes only microseconds. Subgradient steps minimize the model over the
//! rewards. A search then evaluates the bound at the minimum, and the box that it finds is added to the model
//! (Kelley 1960). Most boxes that complete a set have been found before.

use crate::exact::box_column::BoxColumn;
use crate::exact::completion_trace::CompletionSearchTrace;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing::{MinimumValueConstraint, PricingQuery};
use crate::exact::pricing_weights::{PricingWeights, ROUND};
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

const SEARCHES: usize = 4;
/// Accuracy at which the search for dual values stops.
///
/// The search stops if `(bound - minimum of the model) / (bound - need)` is below this number; `need` is the
/// total value that the further boxes must reach.
const CLOSE: f64 = 0.1;
/// Number of subgradient steps between two searches for a box.
///
/// After a step that does not lower the model, the step size is multiplied by `SHRINK`.
const STEPS: usize = 60;
const SHRINK: f64 = 0.9;
/// Number of boxes that each subgradient step evaluates, the ones with the largest values.
///
/// They are chosen anew every `TURN` steps.
const LEADING: usize = 80;
const TURN: usize = 15;

#[derive(Clone)]
pub(crate) struct CompletionDual {
    pub prices: PricingWeights,
    pub sigma: f64,
    pub bound: f64,
}

/// The known boxes, each with its value as a function of the rewards of minority rows.
///
/// All other dual values are fixed.
struct KnownBoxValues {
    boxes: Vec<KnownBoxTerms>,
}

/// A known box, with the terms of its value.
///
/// `alone` is the reward for the width of the box minus the costs of its hits. `covers` lists the covered
/// groups of equal minority rows, each with the amount by which hits of the box reduce its reward.
struct KnownBoxTerms {
    alone: f64,
    covers: Vec<(u32, f64)>,
}

pub(crate) struct CompletionDualSearch<'a> {
    pub codes: &'a EncodedRows,
    pub tariff: &'a ObjectiveTerms,
    pub budget: &'a SearchBudget<'a>,
}

impl CompletionDualSearch<'_> {
    /// Finds dual values that bound the total value of `k` further boxes of a set.
    ///
    /// The further boxes are valued with `weights`. Returns `None` if the dual values prove that no `k` boxes
    /// have a total value of at least `need`.
    pub(crate) fn find_dual_values(
        &self,
        k: usize,
        weights: &PricingWeights,
        need: f64,
        (parent, guard): (&PricingWeights, MinimumValueConstraint<'_>),
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<CompletionDual>> {
        let (codes, tariff) = (self.codes, self.tariff);
        let mut prices = parent.duals_for_further_boxes(weights, k);
        let mut model = KnownBoxValues { boxes: Vec::new() };
        for column in trail.at_hand.iter().copied().chain(&trail.met) {
            self.budget.check_limits()?;
            // Boxes that violate the additional constraint of the search (the guard) may not be chosen, so
            // they do not belong to the model.
            if guard.prices.box_value(codes, column) > guard.floor {
                model.add_box(codes, column, &prices, weights);
            }
        }
        let mut best: Option<CompletionDual> = None;
        for _ in 0..SEARCHES {
            let low = self.minimize_value_bound(&model, &mut prices.pos, &weights.pos, k, need)?;
            if best.as_ref().is_some_and(|best| best.bound - low < CLOSE * (best.bound - need)) {
                break;
            }
            let spare: f64 = weights.pos.iter().zip(&prices.pos).map(|(mass, pi)| mass - pi).sum();
            // If `k` boxes have a total value of at least `need`, the best of them has at least the value
            // `target`. So if no box has the value `target`, no `k` boxes reach `need`.
            let target = (need - ROUND - spare) / k as f64;
            let above = if tariff.all_present { target } else { target.max(0.0) } + tariff.per_box - ROUND;
            let query = PricingQuery { prices: &prices, above, guard: Some(guard), keep: None };
            let Some(found) = trail.find_best_box(codes, query, self.budget)? else {
                if target > 0.0 || tariff.all_present {
                    return Ok(None);
                }
                // No box has a positive value at these rewards, so the bound is `spare`, which does not rule
                // out `need`.
                let level = CompletionDual { prices, sigma: 0.0, bound: spare };
                return Ok(Some(best.filter(|best| best.bound < spare).unwrap_or(level)));
            };
            let sigma = found.value - tariff.per_box;
            let bound = spare + k as f64 * sigma;
            if best.as_ref().is_none_or(|best| bound < best.bound) {
                best = Some(CompletionDual { prices: prices.clone(), sigma, bound });
            }
            let column = BoxColumn::new(codes, found.at);
            model.add_box(codes, &column, &prices, weights);
            trail.met.push(column);
        }
        Ok(best)
    }

    /// Lowers the model's bound by subgradient steps over the rewards; returns the lowest bound.
    ///
    /// The step size is that of Polyak (1969) with the target `need`.
    fn minimize_value_bound(
        &self,
        model: &KnownBoxValues,
        pi: &mut Vec<f64>,
        mass: &[f64],
        k: usize,
        need: f64,
    ) -> Result<f64> {
        let tariff = self.tariff;
        let mut lowest = (f64::INFINITY, pi.clone());
        let mut stride = 1.0;
        let mut leading = Vec::new();
        for step in 0..STEPS {
            if step % TURN == 0 {
                // The choice of the leading boxes among thousands takes some milliseconds, so the budget is
                // checked before it.
                self.budget.check_limits()?;
                leading = model.best_boxes(pi);
            }
            let Some((value, leader)) =
                leading.iter().map(|leader| (leader.box_value_at(pi), leader)).reduce(larger_valued_box)
            else {
                return Ok(f64::NEG_INFINITY);
            };
            let spare: f64 = mass.iter().zip(&*pi).map(|(mass, pi)| mass - pi).sum();
            let sigma = value - tariff.per_box;
            let bound = spare + k as f64 * if tariff.all_present { sigma } else { sigma.max(0.0) };
            if bound < lowest.0 - ROUND {
                lowest = (bound, pi.clone());
            } else {
                stride *= SHRINK;
            }
            let earns = |&(p, taken): &(u32, f64)| (pi[p as usize] > taken).then_some(p as usize);
            let covered: Vec<usize> = leader.covers.iter().filter_map(earns).collect();
            let worthless = sigma <= 0.0 && !tariff.all_present;
            if worthless || !subgradient_step(pi, mass, &covered, k, stride * (bound - need + 0.1)) {
                break;
            }
        }
        *pi = lowest.1;
        Ok(lowest.0)
    }
}

impl KnownBoxTerms {
    fn box_value_at(&self, pi: &[f64]) -> f64 {
        let left = self.covers.iter().map(|&(p, taken)| (pi[p as usize] - taken).max(0.0));
        self.alone + left.sum::<f64>()
    }
}

impl KnownBoxValues {
    fn add_box(
        &mut self,
        codes: &EncodedRows,
        column: &BoxColumn,
        prices: &PricingWeights,
        weights: &PricingWeights,
    ) {
        let mut taken = vec![0.0; codes.n_minority_groups()];
        for i in column.neg.iter() {
            prices
                .pairs
                .pairs_of_majority_group(i)
                .iter()
                .for_each(|&(p, price)| taken[usize::from(p)] += price);
        }
        // A reward is at most the weight of its group of minority rows. If the dual values of the pairs of a
        // group sum to at least this weight, the group never contributes to the value of the box.
        let covers = column.pos.iter().filter(|&p| weights.pos[p] > taken[p]);
        let covers = covers.map(|p| (p as u32, taken[p])).collect();
        self.boxes.push(KnownBoxTerms {
            alone: column.width_reward(codes) - column.neg.sum_weights(&prices.neg),
            covers,
        });
    }

    fn best_boxes(&self, pi: &[f64]) -> Vec<&KnownBoxTerms> {
        let mut all: Vec<(f64, &KnownBoxTerms)> =
            self.boxes.iter().map(|one| (one.box_value_at(pi), one)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(LEADING).map(|(_, one)| one).collect()
    }
}

fn larger_valued_box<'a>(
    best: (f64, &'a &'a KnownBoxTerms),
    other: (f64, &'a &'a KnownBoxTerms),
) -> (f64, &'a &'a KnownBoxTerms) {
    if other.0 > best.0 { other } else { best }
}

/// Changes the rewards by one subgradient step; returns whether any reward can change.
///
/// The change is `-g fall / |g|^2`, where `g` is a subgradient of the model. The element of `g` for row group
/// `p` is `k [p in A] - 1`, where `A` are the row groups in `taken`. A reward is between 0 and the weight in
/// `mass`. The element of `g` is set to 0 for a reward that is at one of these limits and would move beyond
/// it.
fn subgradient_step(pi: &mut [f64], mass: &[f64], taken: &[usize], k: usize, fall: f64) -> bool {
    let slope = |p: usize, pi: f64| {
        let slope = if taken.binary_search(&p).is_ok() { k as f64 - 1.0 } else { -1.0 };
        let stuck = mass[p] == 0.0 || (slope < 0.0 && pi >= mass[p]) || (slope > 0.0 && pi <= 0.0);
        if stuck { 0.0 } else { slope }
    };
    let norm: f64 = pi.iter().enumerate().map(|(p, &pi)| slope(p, pi).powi(2)).sum();
    if norm > 0.0 {
        for (p, pi) in pi.iter_mut().enumerate() {
            *pi = (*pi - fall / norm * slope(p, *pi)).clamp(0.0, mass[p]);
        }
    }
    norm > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::problem::BoxObjective;
    use crate::exact::random_problems::{draw_random_problem, list_all_boxes, random_integer_generator};
    use imbcore_core::RunContext;
    use imbcore_core::budget::StoppingLimits;

    #[test]
    fn completion_bound_is_an_upper_bound() {
        let budget =
            SearchBudget::start("exact_boxes", StoppingLimits::default(), RunContext::silent()).unwrap();
        let goal = BoxObjective { n_boxes: 3, ..BoxObjective::default() };
        let tariff = ObjectiveTerms::new(&goal, Some(20.0));
        let (mut proven, mut tight, mut searches) = (0, 0, [0, 0]);
        for seed in 0..150 {
            let mut draw = random_integer_generator(seed);
            let (codes, parent) = draw_random_problem(&mut draw, 2, (6, 14), &goal, seed % 2 == 0);
            let mut quarters = |n: usize| (0..n).map(|_| f64::from(draw(5)) / 4.0).collect();
            let weights = PricingWeights::without_pairs(
                quarters(codes.n_minority_groups()),
                quarters(codes.n_majority_groups()),
            );
            let boxes: Vec<BoxColumn> =
                list_all_boxes(&codes).into_iter().map(|at| BoxColumn::new(&codes, at)).collect();
            let mut best = f64::NEG_INFINITY;
            for (place, one) in boxes.iter().enumerate() {
                let (gain, left) = tariff.value_and_remaining_weights(&codes, &weights, one);
                best = boxes[place..]
                    .iter()
                    .map(|two| gain + tariff.value_and_remaining_weights(&codes, &left, two).0)
                    .fold(best, f64::max);
            }
            let levels = CompletionDualSearch { codes: &codes, tariff: &tariff, budget: &budget };
            let guard = MinimumValueConstraint { prices: &parent, floor: f64::NEG_INFINITY };
            let some: Vec<&BoxColumn> = boxes.iter().step_by(3).collect();
            for (at_hand, searches) in [&[][..], &some].into_iter().zip(&mut searches) {
                for above in [-0.5, 0.0, 0.25, 1.0] {
                    let mut trail = CompletionSearchTrace::new(at_hand, u64::MAX);
                    let level =
                        levels.find_dual_values(2, &weights, best + above, (&parent, guard), &mut trail);
                    match level.unwrap() {
                        None => {
                            assert!(above > 0.0, "seed {seed}");
                            proven += 1;
                        }
                        Some(level) => {
                            assert!(level.bound >= best - 1e-9, "seed {seed}: {} and {best}", level.bound);
                            tight += u32::from(level.bound < best + 0.1);
                        }
                    }
                    *searches += trail.met.len();
                }
            }
        }
        assert!(proven > 100 && tight > 100, "{proven} {tight}");
        assert!(searches[1] < searches[0], "{searches:?}");
    }
}
