//! Certificate of an upper bound, and its verifier, which uses no code of the search.

use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing_weights::BoundWithDualValues;
use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows, score_boxes};
use crate::exact::reference_search::{ReferenceSearch, RowRewards};
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Error, Result, RunContext};

/// Dual values that prove an upper bound on every set of at most `n_boxes` boxes.
///
/// The bound is `c n- + sum (weight - reward) + n_boxes max(0, sigma)`. `c` is the weight of a majority row,
/// `n-` the total weight of the majority rows, and `sigma` the largest value of a box. A box gets the reward
/// of each minority row that it covers, and pays the fixed cost of a box. For each majority row that it hits,
/// it pays the dual value `price` of the row divided by `n_boxes`, and the dual values of the pairs of this
/// row with minority rows. The dual values of pairs reduce the rewards of covered minority rows, but not
/// below 0.
///
/// The dual values of a majority row and of its pairs sum to at most `c` times its weight. A set of boxes
/// assigns each covered minority row to one of its boxes, so each pair is paid at most once. `n_boxes` boxes
/// together pay `price` at most once. Therefore no set of boxes pays more than the cost of the rows that it
/// hits.
///
/// The bound of the fit can be lower than the bound of these dual values. The search closes this gap by
/// enumeration of boxes, and [`crate::exact::verify_bound`] repeats the enumeration from the dual values.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxCertificate {
    /// Maximum number of boxes of the sets to which the bound applies.
    pub n_boxes: usize,
    /// Reward of each minority row, between 0 and its weight; 0 for majority rows.
    pub reward: Vec<f64>,
    /// Dual value of each majority row, at least 0; 0 for minority rows.
    pub price: Vec<f64>,
    /// Dual values of pairs of a majority row and a minority row.
    ///
    /// A dual value is the amount by which hitting the majority row reduces the reward of the minority row.
    pub pairs: Vec<PairDualEntry>,
    /// Largest value of any box under these dual values.
    pub sigma: f64,
    /// The upper bound.
    pub bound: f64,
}

/// Amount of a minority row's reward that a box loses if it also hits a majority row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDualEntry {
    /// Number of the majority row that is hit.
    pub hit: u32,
    /// Number of the minority row that is covered.
    pub covered: u32,
    /// The dual value of the pair of rows, at least 0.
    pub price: f64,
}

/// Result of verifying a certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertificateCheckResult {
    /// Value of the set of boxes, computed by the definition of the objective.
    pub objective: f64,
    /// Upper bound that the dual values prove; infinite if they are infeasible.
    ///
    /// `None` if a limit was reached.
    pub bound: Option<f64>,
}

impl BoxCertificate {
    pub(crate) fn new(
        rows: &ScaledRows<'_>,
        codes: &EncodedRows,
        goal: &BoxObjective,
        dual: &BoundWithDualValues,
    ) -> Self {
        let mut reward = vec![0.0; rows.n_rows()];
        let mut rows_of = vec![Vec::new(); codes.n_minority_groups()];
        for &(row, code) in &codes.pos_rows {
            reward[row] = dual.prices.pos[code] / codes.pos_mass[code] * rows.weight(row);
            rows_of[code].push(row);
        }
        // A minority row that no box can cover gets its weight as reward. It then adds nothing to the bound.
        for row in rows.rows_of_class(true) {
            if codes.pos_rows.binary_search_by_key(&row, |&(row, _)| row).is_err() {
                reward[row] = rows.weight(row);
            }
        }
        // The dual values of a group of equal rows are divided among its rows in proportion to their weights.
        // A row that no box can hit may have any dual value.
        let mut price: Vec<f64> = (0..rows.n_rows())
            .map(|row| if rows.positive_flags()[row] { 0.0 } else { goal.majority_weight * rows.weight(row) })
            .collect();
        let mut pairs = Vec::new();
        for &(row, code) in &codes.neg_rows {
            let share = rows.weight(row) / codes.neg_mass[code];
            price[row] = dual.prices.neg[code] * dual.n_boxes as f64 * share;
            for &(p, pair) in dual.prices.pairs.pairs_of_majority_group(code) {
                for &covered in &rows_of[usize::from(p)] {
                    let part = rows.weight(covered) / codes.pos_mass[usize::from(p)];
                    pairs.push(PairDualEntry {
                        hit: row as u32,
                        covered: covered as u32,
                        price: pair * share * part,
                    });
                }
            }
        }
        Self { n_boxes: dual.n_boxes, reward, price, pairs, sigma: dual.sigma, bound: dual.bound }
    }

    /// Rewards and dual values by row; `price` is the total that all boxes of a set pay.
    pub(crate) fn row_rewards(&self) -> RowRewards {
        let mut pairs = vec![Vec::new(); self.reward.len()];
        for pair in &self.pairs {
            pairs[pair.hit as usize].push((pair.covered as usize, pair.price));
        }
        RowRewards { reward: self.reward.clone(), price: self.price.clone(), pairs }
    }

    pub(crate) fn is_feasible(&self, rows: &ScaledRows<'_>, goal: &BoxObjective) -> bool {
        const SLACK: f64 = 1e-9;
        let n = rows.n_rows();
        if self.n_boxes == 0 || self.reward.len() != n || self.price.len() != n {
            return false;
        }
        let mut paid = self.price.clone();
        for pair in &self.pairs {
            let (hit, covered) = (pair.hit as usize, pair.covered as usize);
            if hit.max(covered) >= n
                || !rows.positive_flags()[covered]
                || pair.price.is_nan()
                || pair.price < 0.0
            {
                return false;
            }
            paid[hit] += pair.price;
        }
        (0..n).all(|row| {
            let weight = rows.weight(row);
            let (most_paid, most_got) =
                if rows.positive_flags()[row] { (0.0, weight) } else { (goal.majority_weight * weight, 0.0) };
            let slack = SLACK * weight;
            (-slack..=most_got + slack).contains(&self.reward[row])
                && self.price[row] >= -slack
                && paid[row] <= most_paid + slack
        })
    }
}

/// Evaluates a set of boxes and a certificate, using only the rows and the objective.
///
/// # Errors
/// [`Error::Data`] for a wrong number of rewards or dual values, [`Error::Unsupported`] with a reward for
/// width, for which there are no certificates, [`Error::Cancelled`], and [`Error::Parameter`] for invalid
/// limits.
pub fn verify(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    boxes: &[ScaledBox],
    certificate: &BoxCertificate,
    limits: StoppingLimits,
    ctl: RunContext<'_>,
) -> Result<CertificateCheckResult> {
    if goal.expand > 0.0 {
        return Err(Error::Unsupported("certificates are available for expand = 0 only".into()));
    }
    let reward = &certificate.reward;
    if reward.len() != rows.n_rows() || certificate.price.len() != rows.n_rows() {
        return Err(Error::Data("a certificate needs one reward and one price per row".into()));
    }
    let budget = SearchBudget::start("exact_boxes", limits, ctl)?;
    let objective = score_boxes(rows, goal, boxes).objective;
    if !certificate.is_feasible(rows, goal) {
        return Ok(CertificateCheckResult { objective, bound: Some(f64::INFINITY) });
    }
    let spare: f64 = rows.rows_of_class(true).iter().map(|&row| rows.weight(row) - reward[row]).sum();
    let k = certificate.n_boxes as f64;
    let plain = ReferenceSearch::for_all_rows(rows, goal);
    let charges = certificate.row_rewards().rewards_per_box(certificate.n_boxes);
    let top = match plain.best_box_value(&charges, goal.box_cost, &budget) {
        Ok(top) => top - goal.box_cost,
        Err(Error::Cancelled) if ctl.check().is_ok() => {
            return Ok(CertificateCheckResult { objective, bound: None });
        }
        Err(error) => return Err(error),
    };
    let bound = goal.majority_weight * rows.total_class_weight(false) + spare + k * top.max(0.0);
    Ok(CertificateCheckResult { objective, bound: Some(bound) })
}
