//! A bound that others can check, by a slow, plain checker that shares no code with the search.

use crate::exact::codes::Codes;
use crate::exact::plain::{Charges, Plain};
use crate::exact::prices::Dual;
use crate::exact::problem::{Goal, Rows, Walls, score};
use imbcore_base::budget::{Budget, Limits};
use imbcore_base::{Error, Result, RunCtl};

/// Prices that bound every drawing of at most `n_boxes` boxes:
/// `c n- + sum (weight - reward) + n_boxes max(0, sigma)`, where no box earns more than `sigma` if it gets the reward of
/// each minority row it covers and pays for each majority row it hits: `price / n_boxes`, and what the row's pairs take
/// from the rewards of covered minority rows, none of which falls below 0; and it pays the price of a box.
///
/// The prices of a majority row, its pairs included, sum to at most `c` times its weight. A drawing gives each minority
/// row it covers to one of its boxes, so that of the pairs of a hit row none is paid twice, and its `price` is paid at
/// most once by `n_boxes` boxes together: no drawing pays more than its hits cost.
///
/// What lies between this bound and the proven one was closed by listing and completing boxes, which follows from the prices
/// ([`crate::exact::recheck`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Boxes the bound is for.
    pub n_boxes: usize,
    /// Reward of each row, between 0 and its weight; 0 for majority rows.
    pub reward: Vec<f64>,
    /// Price of each row, at least 0; 0 for minority rows.
    pub price: Vec<f64>,
    /// What a majority row takes from the reward of a minority row.
    pub pairs: Vec<PairPrice>,
    /// The most that a box earns.
    pub sigma: f64,
    /// The bound.
    pub bound: f64,
}

/// What a box that hits one row loses of the reward of another row that it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPrice {
    /// The majority row.
    pub hit: u32,
    /// The minority row.
    pub covered: u32,
    /// The price, at least 0.
    pub price: f64,
}

/// What a checker found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What the drawing is worth by its definition.
    pub objective: f64,
    /// The bound that the prices prove, infinite if they are out of their domains; none if the checker ran out of time.
    pub bound: Option<f64>,
}

impl Certificate {
    pub(crate) fn new(rows: &Rows<'_>, codes: &Codes, goal: &Goal, dual: &Dual) -> Self {
        let mut reward = vec![0.0; rows.n_rows()];
        let mut rows_of = vec![Vec::new(); codes.n_pos()];
        for &(row, code) in &codes.pos_rows {
            reward[row] = dual.prices.pos[code] / codes.pos_mass[code] * rows.weight(row);
            rows_of[code].push(row);
        }
        // A row that no box can cover is in the way of nothing: its reward may be its weight, and adds nothing to the bound.
        for row in rows.of_class(true) {
            if codes.pos_rows.binary_search_by_key(&row, |&(row, _)| row).is_err() {
                reward[row] = rows.weight(row);
            }
        }
        // Rows of one code share its prices by their weights; a row that no box can hit may cost anything.
        let mut price: Vec<f64> = (0..rows.n_rows())
            .map(|row| if rows.positive()[row] { 0.0 } else { goal.majority_weight * rows.weight(row) })
            .collect();
        let mut pairs = Vec::new();
        for &(row, code) in &codes.neg_rows {
            let share = rows.weight(row) / codes.neg_mass[code];
            price[row] = dual.prices.neg[code] * dual.n_boxes as f64 * share;
            for &(p, pair) in dual.prices.pairs.of(code) {
                for &covered in &rows_of[usize::from(p)] {
                    let part = rows.weight(covered) / codes.pos_mass[usize::from(p)];
                    pairs.push(PairPrice {
                        hit: row as u32,
                        covered: covered as u32,
                        price: pair * share * part,
                    });
                }
            }
        }
        Self { n_boxes: dual.n_boxes, reward, price, pairs, sigma: dual.sigma, bound: dual.bound }
    }

    /// The prices as the checkers take them, for all boxes together.
    pub(crate) fn charges(&self) -> Charges {
        let mut pairs = vec![Vec::new(); self.reward.len()];
        for pair in &self.pairs {
            pairs[pair.hit as usize].push((pair.covered as usize, pair.price));
        }
        Charges { reward: self.reward.clone(), price: self.price.clone(), pairs }
    }

    /// Whether the prices are such that they bound anything.
    pub(crate) fn fits(&self, rows: &Rows<'_>, goal: &Goal) -> bool {
        const SLACK: f64 = 1e-9;
        let n = rows.n_rows();
        if self.n_boxes == 0 || self.reward.len() != n || self.price.len() != n {
            return false;
        }
        let mut paid = self.price.clone();
        for pair in &self.pairs {
            let (hit, covered) = (pair.hit as usize, pair.covered as usize);
            if hit.max(covered) >= n || !rows.positive()[covered] || pair.price.is_nan() || pair.price < 0.0 {
                return false;
            }
            paid[hit] += pair.price;
        }
        (0..n).all(|row| {
            let weight = rows.weight(row);
            let (most_paid, most_got) =
                if rows.positive()[row] { (0.0, weight) } else { (goal.majority_weight * weight, 0.0) };
            let slack = SLACK * weight;
            (-slack..=most_got + slack).contains(&self.reward[row])
                && self.price[row] >= -slack
                && paid[row] <= most_paid + slack
        })
    }
}

/// Values of a drawing and of a certificate from the rows alone.
///
/// # Errors
/// [`Error::Data`] for a wrong number of rewards or prices, [`Error::Unsupported`] with a reward for width,
/// for which certificates are not made, [`Error::Cancelled`] and [`Error::Parameter`] of the limits.
pub fn verify(
    rows: &Rows<'_>,
    goal: &Goal,
    boxes: &[Walls],
    certificate: &Certificate,
    limits: Limits,
    ctl: RunCtl<'_>,
) -> Result<Verdict> {
    if goal.expand > 0.0 {
        return Err(Error::Unsupported("certificates are made for expand = 0 only".into()));
    }
    let reward = &certificate.reward;
    if reward.len() != rows.n_rows() || certificate.price.len() != rows.n_rows() {
        return Err(Error::Data("a certificate needs one reward and one price a row".into()));
    }
    let budget = Budget::start("exact_boxes", limits, ctl)?;
    let objective = score(rows, goal, boxes).objective;
    if !certificate.fits(rows, goal) {
        return Ok(Verdict { objective, bound: Some(f64::INFINITY) });
    }
    let spare: f64 = rows.of_class(true).iter().map(|&row| rows.weight(row) - reward[row]).sum();
    let k = certificate.n_boxes as f64;
    let plain = Plain::of_all(rows, goal);
    let charges = certificate.charges().of_one(certificate.n_boxes);
    let top = match plain.best(&charges, goal.box_cost, &budget) {
        Ok(top) => top - goal.box_cost,
        Err(Error::Cancelled) if ctl.check().is_ok() => return Ok(Verdict { objective, bound: None }),
        Err(error) => return Err(error),
    };
    let bound = goal.majority_weight * rows.total(false) + spare + k * top.max(0.0);
    Ok(Verdict { objective, bound: Some(bound) })
}
