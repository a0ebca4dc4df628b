//! Verification of the full proof that no set of boxes has a value above the claimed bound.
//!
//! Every number `m` of boxes is verified separately. At given dual values, `spare` is the sum of the row
//! weights minus the rewards, and `sigma` the largest value of a box. So `m` boxes have at most the value
//! `bound = spare + m sigma`, minus the difference between `sigma` and the value of each box. If `m` boxes
//! have a total value of `need`, one of them therefore has at least the value `sigma - (bound - need) / m`.
//! All such boxes are listed. For each of them, the value of `m - 1` other boxes is bounded on the remaining
//! rows. The dual values for these boxes are derived from the given dual values.

use crate::exact::certificate::BoxCertificate;
use crate::exact::problem::{BoxObjective, ScaledRows};
use crate::exact::reference_search::{CoveredAndHitRows, ReferenceSearch, RowRewards};
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Error, Result, RunContext, parallel};

const SIDE_BY_SIDE: usize = 64;

#[derive(Clone)]
struct RemainingRowWeights {
    weight: Vec<f64>,
    cost: Vec<f64>,
}

/// Whether it is proven that no set of boxes has a value above `claimed`.
///
/// The result is `None` if the time limit was reached.
///
/// # Errors
/// [`Error::Unsupported`] with a reward for width, [`Error::Cancelled`], and [`Error::Parameter`] for invalid
/// limits.
pub fn verify_bound(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    certificates: &[BoxCertificate],
    claimed: f64,
    limits: StoppingLimits,
    ctl: RunContext<'_>,
) -> Result<Option<bool>> {
    if goal.expand > 0.0 {
        return Err(Error::Unsupported("a full proof can be verified for expand = 0 only".into()));
    }
    let budget = SearchBudget::start("exact_boxes", limits, ctl)?;
    match is_bound_proven(rows, goal, certificates, claimed, &budget) {
        Ok(holds) => Ok(Some(holds)),
        Err(Error::Cancelled) if ctl.check().is_ok() => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_bound_proven(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    certificates: &[BoxCertificate],
    claimed: f64,
    budget: &SearchBudget<'_>,
) -> Result<bool> {
    let recheck = ProofVerifier { rows, goal, slack: 0.1 * rounding_allowance(rows, goal), budget };
    let base = goal.majority_weight * rows.total_class_weight(false);
    let left = RemainingRowWeights::from_rows(rows, goal);
    let rounding = rounding_allowance(rows, goal);
    if base > claimed + rounding {
        return Ok(false);
    }
    for m in 1..=goal.n_boxes {
        // For a single box, the row weights are dual values with an exact bound, so no certificate is needed.
        let fitting =
            certificates.iter().filter(|one| m > 1 && one.n_boxes >= m && one.is_feasible(rows, goal));
        let nearest = fitting.min_by_key(|one| one.n_boxes);
        let prices = nearest.map_or_else(|| weights_as_rewards(&left), BoxCertificate::row_rewards);
        let need = next_possible_value(claimed, m, goal, (rows.total_integer_weight(), rounding));
        if !recheck.has_no_set_with_value(m, &left, need - base, &prices)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Rounding tolerance for values of sets of boxes on the given rows.
///
/// It is at most 1e-6 plus 1e-9 of the value of all rows. It does not depend on what a certificate claims.
pub(crate) fn rounding_allowance(rows: &ScaledRows<'_>, goal: &BoxObjective) -> f64 {
    let worth = rows.max_objective_value(goal);
    1e-6 * worth.min(1.0) + 1e-9 * worth
}

/// Smallest value above `claimed` that a set of `m` boxes can have.
///
/// If all row weights are whole numbers, the value plus the box costs is a multiple of `1 / d`. Here `1 / d`
/// is the largest step of which `c`, the weight of a majority row, is a multiple, with `d` at most 1000.
/// Without such a step, the result is `claimed` plus the rounding tolerance.
fn next_possible_value(
    claimed: f64,
    m: usize,
    goal: &BoxObjective,
    (whole_weight, rounding): (Option<f64>, f64),
) -> f64 {
    let boxes = m as f64 * goal.box_cost;
    let c = goal.majority_weight;
    let is_whole =
        |d: f64, total: f64| (c - (c * d).round() / d).abs() * total <= rounding && rounding * d < 0.25;
    let d = whole_weight.and_then(|total| (1..=1000).map(f64::from).find(|&d| is_whole(d, total)));
    d.map_or(claimed + rounding, |d| {
        (((claimed + boxes + rounding) * d).floor() + 1.0) / d - boxes - rounding
    })
}

impl RemainingRowWeights {
    fn from_rows(rows: &ScaledRows<'_>, goal: &BoxObjective) -> Self {
        let masked = |positive: bool, times: f64| {
            let weight =
                |row| if rows.positive_flags()[row] == positive { times * rows.weight(row) } else { 0.0 };
            (0..rows.n_rows()).map(weight).collect()
        };
        Self { weight: masked(true, 1.0), cost: masked(false, goal.majority_weight) }
    }

    fn gain_and_remaining_weights(&self, of: &CoveredAndHitRows) -> (f64, Self) {
        let mut left = self.clone();
        let got: f64 = of.covered.iter().map(|&row| std::mem::take(&mut left.weight[row])).sum();
        let paid: f64 = of.hit.iter().map(|&row| std::mem::take(&mut left.cost[row])).sum();
        (got - paid, left)
    }
}

fn weights_as_rewards(left: &RemainingRowWeights) -> RowRewards {
    RowRewards {
        reward: left.weight.clone(),
        price: left.cost.clone(),
        pairs: vec![Vec::new(); left.cost.len()],
    }
}

/// Computes dual values for further boxes of a set from the dual values `before`.
///
/// `left` has the rows that the boxes of the set do not cover or hit yet. A reward is at most the remaining
/// weight of its row. The remaining cost of hitting a majority row is divided between the dual value of this
/// row and its pairs with uncovered minority rows, in the proportions of `before`.
fn rewards_for_further_boxes(before: &RowRewards, left: &RemainingRowWeights) -> RowRewards {
    let mut rest = weights_as_rewards(left);
    rest.reward.iter_mut().zip(&before.reward).for_each(|(weight, reward)| *weight = weight.min(*reward));
    for (row, &cost) in left.cost.iter().enumerate().filter(|(_, cost)| **cost > 0.0) {
        let open = before.pairs[row].iter().filter(|(covered, _)| left.weight[*covered] > 0.0);
        let total = before.price[row] + open.clone().map(|(_, price)| price).sum::<f64>();
        if total > 0.0 {
            rest.price[row] = before.price[row] * cost / total;
            rest.pairs[row] = open.map(|&(covered, price)| (covered, price * cost / total)).collect();
        }
    }
    rest
}

struct ProofVerifier<'a> {
    rows: &'a ScaledRows<'a>,
    goal: &'a BoxObjective,
    slack: f64,
    budget: &'a SearchBudget<'a>,
}

impl ProofVerifier<'_> {
    fn has_no_set_with_value(
        &self,
        m: usize,
        left: &RemainingRowWeights,
        need: f64,
        prices: &RowRewards,
    ) -> Result<bool> {
        let (rows, box_cost) = (self.rows, self.goal.box_cost);
        let nonzero_rows =
            |weight: &[f64]| -> Vec<usize> { (0..rows.n_rows()).filter(|&row| weight[row] > 0.0).collect() };
        let charges = prices.rewards_per_box(m);
        let plain = ReferenceSearch {
            pos: nonzero_rows(&left.weight),
            neg: nonzero_rows(&left.cost),
            ..ReferenceSearch::for_all_rows(rows, self.goal)
        };
        let spare: f64 =
            left.weight.iter().zip(&charges.reward).map(|(weight, reward)| weight - reward).sum();
        // If `m` boxes together have at least the value `need`, the best one has at least the value `wanted`.
        let wanted = (need - spare) / m as f64 + box_cost - self.slack;
        let top = plain.best_box_value(&charges, wanted, self.budget)?;
        if top <= wanted || m == 1 {
            return Ok(top <= wanted);
        }
        let bound = spare + m as f64 * (top - box_cost);
        let list =
            plain.list_maximal_boxes(&charges, top - (bound - need) / m as f64 - self.slack, self.budget)?;
        for part in list.chunks(SIDE_BY_SIDE) {
            let followed = parallel::try_map(part.to_vec(), |first| {
                let (gain, left) = left.gain_and_remaining_weights(&first);
                let prices =
                    if m == 2 { weights_as_rewards(&left) } else { rewards_for_further_boxes(prices, &left) };
                self.has_no_set_with_value(m - 1, &left, need - gain + box_cost, &prices)
            })?;
            if followed.contains(&false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
