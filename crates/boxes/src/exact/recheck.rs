//! Whether no drawing is worth more than is claimed, from the rows and the prices of a certificate.
//!
//! It is shown for drawings of one box, of two, and so on. By prices for which no box earns more than `sigma`, `m` boxes earn at
//! most `bound = spare + m sigma`, less what each earns less than `sigma`. So `m` boxes that earn `need` have one among them
//! that earns `sigma - (bound - need) / m`. All such boxes are listed, and for each the same is shown of the `m - 1` others by
//! the rows that it leaves, with what the prices are then: no choice is left to trust, only to follow.

use crate::exact::certificate::Certificate;
use crate::exact::plain::{Charges, Plain, Rowed};
use crate::exact::problem::{Goal, Rows};
use imbcore_base::budget::{Budget, Limits};
use imbcore_base::{Error, Result, RunCtl, share};

/// Boxes of a list that are followed side by side before it is asked whether one failed.
const SIDE_BY_SIDE: usize = 64;

/// What rows are still worth and still cost.
#[derive(Clone)]
struct Left {
    weight: Vec<f64>,
    cost: Vec<f64>,
}

/// Whether no drawing is worth more than `claimed`; none if the checker ran out of time.
///
/// # Errors
/// [`Error::Unsupported`] with a reward for width, [`Error::Cancelled`] and [`Error::Parameter`] of the limits.
pub fn recheck(
    rows: &Rows<'_>,
    goal: &Goal,
    certificates: &[Certificate],
    claimed: f64,
    limits: Limits,
    ctl: RunCtl<'_>,
) -> Result<Option<bool>> {
    if goal.expand > 0.0 {
        return Err(Error::Unsupported("a whole proof is checked for expand = 0 only".into()));
    }
    let budget = Budget::start("exact_boxes", limits, ctl)?;
    match holds(rows, goal, certificates, claimed, &budget) {
        Ok(holds) => Ok(Some(holds)),
        Err(Error::Cancelled) if ctl.check().is_ok() => Ok(None),
        Err(error) => Err(error),
    }
}

fn holds(
    rows: &Rows<'_>,
    goal: &Goal,
    certificates: &[Certificate],
    claimed: f64,
    budget: &Budget<'_>,
) -> Result<bool> {
    let recheck = Recheck { rows, goal, slack: 0.1 * rounding(rows, goal), budget };
    let base = goal.majority_weight * rows.total(false);
    let left = Left::all(rows, goal);
    let rounding = rounding(rows, goal);
    if base > claimed + rounding {
        return Ok(false);
    }
    for m in 1..=goal.n_boxes {
        // The last box is sought by what it is worth.
        let fitting = certificates.iter().filter(|of| m > 1 && of.n_boxes >= m && of.fits(rows, goal));
        let nearest = fitting.min_by_key(|of| of.n_boxes);
        let prices = nearest.map_or_else(|| worth(&left), Certificate::charges);
        let need = next_above(claimed, m, goal, (rows.whole_weight(), rounding));
        if !recheck.none(m, &left, need - base, &prices)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Difference of two values of drawings of these rows that are equal but for rounding: values are proven to a millionth, or to a
/// billionth of what all rows are worth. It depends on nothing that is claimed.
pub(crate) fn rounding(rows: &Rows<'_>, goal: &Goal) -> f64 {
    let worth = rows.worth(goal);
    1e-6 * worth.min(1.0) + 1e-9 * worth
}

/// The least value above `claimed` that a drawing of `m` boxes can have: with whole weights values are multiples of the largest
/// `1 / d` of which `c` is one, less what the boxes cost.
fn next_above(claimed: f64, m: usize, goal: &Goal, (whole_weight, rounding): (Option<f64>, f64)) -> f64 {
    let boxes = m as f64 * goal.box_cost;
    let c = goal.majority_weight;
    let is_whole =
        |d: f64, total: f64| (c - (c * d).round() / d).abs() * total <= rounding && rounding * d < 0.25;
    let d = whole_weight.and_then(|total| (1..=1000).map(f64::from).find(|&d| is_whole(d, total)));
    d.map_or(claimed + rounding, |d| {
        (((claimed + boxes + rounding) * d).floor() + 1.0) / d - boxes - rounding
    })
}

impl Left {
    fn all(rows: &Rows<'_>, goal: &Goal) -> Self {
        let of = |positive: bool, times: f64| {
            let weight = |row| if rows.positive()[row] == positive { times * rows.weight(row) } else { 0.0 };
            (0..rows.n_rows()).map(weight).collect()
        };
        Self { weight: of(true, 1.0), cost: of(false, goal.majority_weight) }
    }

    /// What a box earns, and what it leaves.
    fn take(&self, of: &Rowed) -> (f64, Self) {
        let mut left = self.clone();
        let got: f64 = of.covered.iter().map(|&row| std::mem::take(&mut left.weight[row])).sum();
        let paid: f64 = of.hit.iter().map(|&row| std::mem::take(&mut left.cost[row])).sum();
        (got - paid, left)
    }
}

/// Prices by which one box earns what it is worth.
fn worth(left: &Left) -> Charges {
    Charges {
        reward: left.weight.clone(),
        price: left.cost.clone(),
        pairs: vec![Vec::new(); left.cost.len()],
    }
}

/// Prices once rows are covered or hit: rewards are at most what is left, and what a hit still costs is shared by its price and its
/// open pairs as before.
fn rest(before: &Charges, left: &Left) -> Charges {
    let mut rest = worth(left);
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

struct Recheck<'a> {
    rows: &'a Rows<'a>,
    goal: &'a Goal,
    /// Rounding of sums of weights and prices in different orders.
    slack: f64,
    budget: &'a Budget<'a>,
}

impl Recheck<'_> {
    /// Whether no `m` boxes earn `need` of what is left.
    fn none(&self, m: usize, left: &Left, need: f64, prices: &Charges) -> Result<bool> {
        let (rows, box_cost) = (self.rows, self.goal.box_cost);
        let with =
            |weight: &[f64]| -> Vec<usize> { (0..rows.n_rows()).filter(|&row| weight[row] > 0.0).collect() };
        let charges = prices.of_one(m);
        let plain =
            Plain { pos: with(&left.weight), neg: with(&left.cost), ..Plain::of_all(rows, self.goal) };
        let spare: f64 =
            left.weight.iter().zip(&charges.reward).map(|(weight, reward)| weight - reward).sum();
        // What one box has to earn for `m` to reach `need`.
        let wanted = (need - spare) / m as f64 + box_cost - self.slack;
        let top = plain.best(&charges, wanted, self.budget)?;
        if top <= wanted || m == 1 {
            return Ok(top <= wanted);
        }
        let bound = spare + m as f64 * (top - box_cost);
        let list = plain.list(&charges, top - (bound - need) / m as f64 - self.slack, self.budget)?;
        for part in list.chunks(SIDE_BY_SIDE) {
            let followed = share::try_map(part.to_vec(), |first| {
                let (gain, left) = left.take(&first);
                let prices = if m == 2 { worth(&left) } else { rest(prices, &left) };
                self.none(m - 1, &left, need - gain + box_cost, &prices)
            })?;
            if followed.contains(&false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
