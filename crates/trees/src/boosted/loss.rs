//! Losses, their derivatives with respect to scores, and probabilities for given scores.

use serde::{Deserialize, Serialize};

/// Absolute score to which scores are clipped before focal-loss probabilities are computed.
///
/// At this score, the logistic function is within 1e-13 of 0 or 1.
pub(crate) const MOST_SCORE: f64 = 30.0;

/// Maximum Hessian of a row of weight 1 for smooth average precision.
///
/// Without a maximum, nearly all of the total Hessian can come from a few rows at the top of the ranking.
pub(crate) const MOST_OF_A_ROW: f64 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankingKind {
    Pairs,
    Precision,
}

/// Loss as a function of the scores of a row.
/// With two classes there is one score for the second class, otherwise one score per class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Loss {
    /// Logistic loss `-ln p`, where `p` is the predicted probability of the row's class.
    Logistic,
    /// Focal loss `-(1 - p)^gamma ln p`, where `p` is the logistic probability of the class.
    /// See Lin, Goyal, Girshick, He and Dollár 2017, eq. 4.
    Focal {
        gamma: f64,
        /// Intercept of the base-rate correction, which is added to the log-odds of the second class.
        level: f64,
    },
    /// Multinomial loss `-ln p`, where `p` is the softmax probability of the row's class.
    Softmax,
    /// Ranking loss over all rows; see [`crate::boosted::ranking_loss`].
    Order {
        of: RankingKind,
        /// Slope of the linear map from scores to log-odds; 1 if no rows can be held out.
        slope: f64,
        level: f64,
    },
}

/// `1 / (1 + exp(-score))`, computed with an exponential that does not overflow.
#[inline]
pub(crate) fn logistic(score: f64) -> f64 {
    let small = (-score.abs()).exp();
    (if score >= 0.0 { 1.0 } else { small }) / (1.0 + small)
}

impl Loss {
    pub(crate) fn n_scores(self, n_classes: usize) -> usize {
        if self == Self::Softmax { n_classes } else { 1 }
    }

    pub(crate) fn derivative_bounds(self) -> [f64; 2] {
        match self {
            Self::Logistic | Self::Order { of: RankingKind::Pairs, .. } => [1.0, 0.25],
            Self::Softmax => [1.0, 0.5],
            Self::Order { of: RankingKind::Precision, .. } => [MOST_OF_A_ROW; 2],
            // The bounds use that -p ln p is at most 1/e, and that p (1 - p)^gamma is at most 1.
            Self::Focal { gamma, .. } => [1.0 + 0.37 * gamma, 1.0 + 2.0 * gamma + 0.37 * gamma * gamma],
        }
    }

    /// `is_class` states whether the score belongs to the true class of the row.
    ///
    /// `activated` is this score after [`Self::activate_scores`].
    #[inline]
    pub(crate) fn derivatives(self, activated: f64, is_class: bool, n_classes: usize) -> (f64, f64) {
        match self {
            // The ranking of a single row is not defined, so the logistic loss replaces ranking losses here.
            Self::Logistic | Self::Order { .. } => {
                let p = logistic(activated);
                (p - f64::from(u8::from(is_class)), p * (1.0 - p))
            }
            Self::Focal { gamma, .. } => focal_derivatives(gamma, activated, is_class),
            // The factor n / (n - 1) corrects for updating all scores at once (Friedman 2001, eq. 39).
            Self::Softmax => {
                let n = n_classes as f64;
                (activated - f64::from(u8::from(is_class)), activated * (1.0 - activated) * n / (n - 1.0))
            }
        }
    }

    /// Transforms the scores of a row to the inputs of [`Self::derivatives`].
    /// With several classes, these are the probabilities (the softmax); with two classes, the score stays the
    /// same.
    pub(crate) fn activate_scores(self, scores: &mut [f64]) {
        if self == Self::Softmax {
            softmax(scores);
        }
    }

    pub(crate) fn proba(self, scores: &[f64], proba: &mut [f64]) {
        match self {
            Self::Softmax => {
                proba.copy_from_slice(scores);
                softmax(proba);
            }
            Self::Logistic | Self::Focal { .. } | Self::Order { .. } => {
                let log_odds = self.log_odds(scores[0]);
                // The probability of each class is computed from the log-odds of this class. Thus small
                // probabilities keep their digits, and both classes are treated alike.
                proba.copy_from_slice(&[logistic(-log_odds), logistic(log_odds)]);
            }
        }
    }

    /// Returns the log-odds of the second class for a score, for two classes.
    ///
    /// The logistic function of a focal-loss score does not estimate the class probability. Charoenphakdee,
    /// Vongkulbhisal, Chairatanakul and Sugiyama (2021) derive the map to class probabilities. In terms of
    /// scores `s`, the log-odds are `(gamma - 1) s + l(s) - l(-s)` with `l(s) = ln(exp(s) + gamma ln(1 +
    /// exp(s)))`.
    pub(crate) fn log_odds(self, score: f64) -> f64 {
        let (gamma, level) = match self {
            Self::Focal { gamma, level } => (gamma, level),
            Self::Order { slope, level, .. } => return slope * score + level,
            Self::Logistic | Self::Softmax => return score,
        };
        let score = score.clamp(-MOST_SCORE, MOST_SCORE);
        let part = |s: f64| (s.exp() + gamma * (1.0 + s.exp()).ln()).ln();
        (gamma - 1.0) * score + (part(score) - part(-score)) + level
    }

    /// Returns the score for given log-odds with two classes; the inverse of [`Self::log_odds`].
    pub(crate) fn score_of_log_odds(self, log_odds: f64) -> f64 {
        if self == Self::Logistic {
            return log_odds;
        }
        let (mut low, mut high) = (-MOST_SCORE, MOST_SCORE);
        // The map from scores to log-odds is increasing, so it can be inverted by bisection; 60 steps reach
        // rounding error.
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.log_odds(middle) < log_odds {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

fn softmax(scores: &mut [f64]) {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for score in &mut *scores {
        *score = (*score - largest).exp();
    }
    let total: f64 = scores.iter().sum();
    for score in scores {
        *score /= total;
    }
}

/// Gradient and Hessian of the focal loss.
///
/// With `p` the probability of the row's class and `q = 1 - p`, the first and second derivatives with respect
/// to the score of this class are `q^gamma (gamma p ln p - q)` and `q^gamma p (q (gamma ln p + gamma + 1) -
/// gamma (gamma p ln p - q))`. The loss is not convex for small `p`. Therefore the Hessian is at least
/// `q^gamma p q`, which is that of a logistic loss with weight `q^gamma`.
fn focal_derivatives(gamma: f64, score: f64, is_class: bool) -> (f64, f64) {
    let own = if is_class { score } else { -score };
    let (p, q) = (logistic(own), logistic(-own));
    let log_p = if own >= 0.0 { -(-own).exp().ln_1p() } else { own - own.exp().ln_1p() };
    let weight = q.powf(gamma);
    let inner = gamma * p * log_p - q;
    let bend = q * (gamma * log_p + gamma + 1.0) - gamma * inner;
    let gradient = weight * inner;
    (if is_class { gradient } else { -gradient }, weight * p * bend.max(q))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(loss: Loss, scores: &[f64], class: usize) -> f64 {
        match loss {
            Loss::Logistic | Loss::Order { .. } => {
                (1.0 + (if class == 1 { -scores[0] } else { scores[0] }).exp()).ln()
            }
            Loss::Focal { gamma, .. } => {
                let own = if class == 1 { scores[0] } else { -scores[0] };
                let p = logistic(own);
                -(1.0 - p).powf(gamma) * p.ln()
            }
            Loss::Softmax => {
                let mut proba = vec![0.0; scores.len()];
                loss.proba(scores, &mut proba);
                -proba[class].ln()
            }
        }
    }

    fn slope(of: Loss, scores: &[f64], at: usize, class: usize) -> (f64, f64) {
        let mut activated = scores.to_vec();
        of.activate_scores(&mut activated);
        let is_class = if of == Loss::Softmax { at == class } else { class == 1 };
        of.derivatives(activated[at], is_class, scores.len().max(2))
    }

    /// The error of a central difference is about `h^2`, plus about `1e-16 / h^2` from rounding.
    #[test]
    fn derivatives_are_those_of_the_loss() {
        const H: f64 = 1e-4;
        let focal = [0.0, 0.5, 1.0, 2.0, 5.0].map(|gamma| Loss::Focal { gamma, level: 0.0 });
        for of in focal.into_iter().chain([Loss::Logistic]) {
            for (score, class) in (-40..=40).flat_map(|s| [(f64::from(s) / 8.0, 0), (f64::from(s) / 8.0, 1)])
            {
                let shifted = |d: f64| loss(of, &[score + d], class);
                let (gradient, hessian) = slope(of, &[score], 0, class);
                assert!(
                    (gradient - (shifted(H) - shifted(-H)) / (2.0 * H)).abs() < 1e-6,
                    "{of:?} {score} {class}"
                );
                let bend = (shifted(H) - 2.0 * shifted(0.0) + shifted(-H)) / (H * H);
                let own = if class == 1 { score } else { -score };
                // The Hessian of the focal loss has a lower bound, which replaces smaller second derivatives.
                let floor = match of {
                    Loss::Focal { gamma, .. } => logistic(-own).powf(gamma) * logistic(own) * logistic(-own),
                    _ => 0.0,
                };
                assert!((hessian - bend.max(floor)).abs() < 1e-6, "{of:?} {score} {class}: {hessian} {bend}");
                let [most_gradient, most_hessian] = of.derivative_bounds();
                assert!(gradient.abs() <= most_gradient && (0.0..=most_hessian).contains(&hessian));
            }
        }
    }

    #[test]
    fn derivatives_of_several_scores_are_those_of_the_loss() {
        const H: f64 = 1e-4;
        let scores = [0.3, -1.2, 2.0, 0.1];
        for (at, class) in (0..4).flat_map(|at| (0..4).map(move |class| (at, class))) {
            let moved = |d: f64| {
                let mut scores = scores;
                scores[at] += d;
                loss(Loss::Softmax, &scores, class)
            };
            let (gradient, hessian) = slope(Loss::Softmax, &scores, at, class);
            assert!((gradient - (moved(H) - moved(-H)) / (2.0 * H)).abs() < 1e-6);
            let bend = (moved(H) - 2.0 * moved(0.0) + moved(-H)) / (H * H);
            assert!((hessian - bend * 4.0 / 3.0).abs() < 1e-6);
        }
    }

    #[test]
    fn the_focal_loss_without_power_is_the_logistic_one() {
        for score in [-20.0, -3.0, 0.0, 0.7, 20.0] {
            let focal = Loss::Focal { gamma: 0.0, level: 0.0 };
            assert!((focal.log_odds(score) - score).abs() < 1e-9);
            for is_class in [false, true] {
                let (a, b) =
                    (focal.derivatives(score, is_class, 2), Loss::Logistic.derivatives(score, is_class, 2));
                assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn minimizing_focal_score_maps_to_prevalence() {
        for gamma in [0.5, 1.0, 2.0, 5.0] {
            let of = Loss::Focal { gamma, level: 0.0 };
            for share in [1e-4, 0.01, 0.2, 0.5, 0.9] {
                let score = of.score_of_log_odds((share / (1.0_f64 - share)).ln());
                let slope = share * of.derivatives(score, true, 2).0
                    + (1.0 - share) * of.derivatives(score, false, 2).0;
                assert!(slope.abs() < 1e-12, "{gamma} {share}: {slope}");
            }
        }
    }
}
