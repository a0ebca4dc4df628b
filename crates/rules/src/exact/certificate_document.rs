//! Certificates from untrusted documents.
//!
//! A document states an optimization problem, which is compared with the problem of the training rows. The
//! dual values of the document are verified like the dual values of a fitted model.

use crate::exact::certificate::{BoxCertificate, PairDualEntry};
use crate::exact::problem::{BoxObjective, DrawingScore, ScaledBox};
use imbcore_core::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

/// Content of a certificate document.
#[derive(Clone, Debug, Deserialize)]
pub struct BoxCertificateDocument {
    objective: f64,
    bound: f64,
    #[serde(default)]
    proven_optimal: bool,
    covered: f64,
    hit: f64,
    used: f64,
    goal: DocumentObjective,
    scale: Value,
    lower: Vec<Vec<f64>>,
    upper: Vec<Vec<f64>>,
    prices: Vec<DocumentDualValues>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentObjective {
    n_boxes: f64,
    negative_weight: f64,
    box_cost: f64,
    expand: f64,
    margin: f64,
    epsilon: f64,
    low: f64,
    high: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentDualValues {
    n_boxes: f64,
    sigma: f64,
    bound: f64,
    reward: Vec<f64>,
    price: Vec<f64>,
    pairs: Vec<[f64; 3]>,
}

pub(crate) struct CertifiedDrawing<'a> {
    pub goal: &'a BoxObjective,
    /// Scaling of the features as JSON.
    pub scale: &'a Value,
    pub walls: &'a [ScaledBox],
    pub score: DrawingScore,
    /// Rounding tolerance for values of sets of boxes on the given rows.
    pub rounding: f64,
}

impl BoxCertificateDocument {
    /// Parses a document.
    ///
    /// # Errors
    /// [`Error::Data`] if the text is not a certificate.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::Data(format!("this is not the result of certificate() of Exact Boxes: {error}"))
        })
    }

    pub(crate) fn stated_bound(&self) -> f64 {
        self.bound
    }

    pub(crate) fn find_mismatch(&self, drawn: &CertifiedDrawing<'_>) -> Option<&'static str> {
        let goal = drawn.goal;
        let mine = [
            goal.n_boxes as f64,
            goal.majority_weight,
            goal.box_cost,
            goal.expand,
            goal.margin,
            goal.epsilon,
            goal.min_bound,
            goal.max_bound,
        ];
        let claimed = &self.goal;
        let stated = [
            claimed.n_boxes,
            claimed.negative_weight,
            claimed.box_cost,
            claimed.expand,
            claimed.margin,
            claimed.epsilon,
            claimed.low,
            claimed.high,
        ];
        if mine != stated {
            return Some("the certificate is for another objective");
        }
        if self.scale != *drawn.scale {
            return Some("the certificate is for columns with another scaling");
        }
        let sides = |claimed: &[Vec<f64>], side: fn(&ScaledBox) -> &Vec<f64>| {
            claimed.len() == drawn.walls.len() && claimed.iter().zip(drawn.walls).all(|(a, b)| a == side(b))
        };
        if !sides(&self.lower, |scaled| &scaled.lower) || !sides(&self.upper, |scaled| &scaled.upper) {
            return Some("the certificate is for other boxes");
        }
        let DrawingScore { objective, covered, n_majority_not_excluded: hit, used } = drawn.score;
        let counts = [covered, hit, used].map(|count| count as f64);
        let near = |a: f64, b: f64| (a - b).abs() <= drawn.rounding;
        if !near(self.objective, objective) || [self.covered, self.hit, self.used] != counts {
            return Some("the boxes of the certificate do not have the stated value on these rows");
        }
        if self.bound < objective - drawn.rounding || (self.proven_optimal && !near(self.bound, objective)) {
            return Some("the boxes of the certificate contradict its stated bound");
        }
        None
    }

    /// The dual values of the document; `None` if a count or a row number is invalid.
    ///
    /// The conversions to integers are exact, because the numbers were checked to be whole and in range.
    #[allow(clippy::cast_sign_loss)]
    pub(crate) fn dual_values(&self, n_rows: usize) -> Option<Vec<BoxCertificate>> {
        let row = |value: f64| {
            (value >= 0.0 && value.fract() == 0.0 && value < n_rows as f64).then_some(value as u32)
        };
        let pair = |&[hit, covered, price]: &[f64; 3]| {
            Some(PairDualEntry { hit: row(hit)?, covered: row(covered)?, price })
        };
        let one = |claimed: &DocumentDualValues| {
            let is_count = claimed.n_boxes >= 1.0
                && claimed.n_boxes.fract() == 0.0
                && claimed.n_boxes <= f64::from(u32::MAX);
            if !is_count || claimed.reward.len() != n_rows || claimed.price.len() != n_rows {
                return None;
            }
            let pairs = claimed.pairs.iter().map(pair).collect::<Option<_>>()?;
            let (reward, price) = (claimed.reward.clone(), claimed.price.clone());
            let n_boxes = claimed.n_boxes as usize;
            Some(BoxCertificate { n_boxes, reward, price, pairs, sigma: claimed.sigma, bound: claimed.bound })
        };
        self.prices.iter().map(one).collect()
    }
}
