//! What the rounds minimise: losses, their derivatives by the score, and the probabilities that scores stand for.

use serde::{Deserialize, Serialize};

/// Scores of the focal loss beyond which probabilities do not change: 1e-13 and less before they are mapped.
pub(crate) const MOST_SCORE: f64 = 30.0;

/// What no row's Hessian by smooth precision exceeds: at the top of the order few rows have nearly all of it.
pub(crate) const MOST_OF_A_ROW: f64 = 16.0;

/// Which loss of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ranking {
    /// The logistic loss of pairs of a row of each class.
    Pairs,
    /// Smooth average precision of the second class.
    Precision,
}

/// A loss of scores: one of two classes, for the second; one a class of more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Loss {
    /// `-ln p` with `p` the logistic function of the score.
    Logistic,
    /// `-(1 - p)^gamma ln p` (Lin, Goyal, Girshick, He and Dollár 2017, eq. 4).
    Focal {
        /// The power.
        gamma: f64,
        /// What brings log-odds to the level of the data, where rows told it.
        level: f64,
    },
    /// `-ln p` with `p` the softmax of the scores.
    Softmax,
    /// A loss of the order of all rows ([`crate::boosted::order`]).
    Order {
        /// Which.
        of: Ranking,
        /// The line from scores to log-odds, where rows told it.
        slope: f64,
        /// What it is at 0.
        level: f64,
    },
}

/// `1 / (1 + exp(-score))`, from the side whose exponential stays small.
#[inline]
pub(crate) fn logistic(score: f64) -> f64 {
    let small = (-score.abs()).exp();
    (if score >= 0.0 { 1.0 } else { small }) / (1.0 + small)
}

impl Loss {
    /// How many scores a row has.
    pub(crate) fn n_scores(self, n_classes: usize) -> usize {
        if self == Self::Softmax { n_classes } else { 1 }
    }

    /// What no row's gradient and Hessian exceed.
    pub(crate) fn most(self) -> [f64; 2] {
        match self {
            Self::Logistic | Self::Order { of: Ranking::Pairs, .. } => [1.0, 0.25],
            Self::Softmax => [1.0, 0.5],
            Self::Order { of: Ranking::Precision, .. } => [MOST_OF_A_ROW; 2],
            // -p ln p is at most 1/e, and p (1 - p)^gamma at most 1.
            Self::Focal { gamma, .. } => [1.0 + 0.37 * gamma, 1.0 + 2.0 * gamma + 0.37 * gamma * gamma],
        }
    }

    /// Gradient and Hessian of a row by one of its scores where no other row counts; of several scores, by what [`Self::tell`] makes of them.
    #[inline]
    pub(crate) fn slope(self, told: f64, is_class: bool, n_classes: usize) -> (f64, f64) {
        match self {
            // A row by itself has a place against the start.
            Self::Logistic | Self::Order { .. } => {
                let p = logistic(told);
                (p - f64::from(u8::from(is_class)), p * (1.0 - p))
            }
            Self::Focal { gamma, .. } => focal_slope(gamma, told, is_class),
            // The factor makes up for the scores that move at once (Friedman 2001, eq. 39).
            Self::Softmax => {
                let n = n_classes as f64;
                (told - f64::from(u8::from(is_class)), told * (1.0 - told) * n / (n - 1.0))
            }
        }
    }

    /// Makes of a row's scores what derivatives are told of: softmax of several.
    pub(crate) fn tell(self, scores: &mut [f64]) {
        if self == Self::Softmax {
            softmax(scores);
        }
    }

    /// Probabilities of the classes by the scores of a row.
    pub(crate) fn proba(self, scores: &[f64], proba: &mut [f64]) {
        match self {
            Self::Softmax => {
                proba.copy_from_slice(scores);
                softmax(proba);
            }
            Self::Logistic | Self::Focal { .. } | Self::Order { .. } => {
                let log_odds = self.log_odds(scores[0]);
                // Each from its own side: neither loses digits where it is small, and the classes may change their names.
                proba.copy_from_slice(&[logistic(-log_odds), logistic(log_odds)]);
            }
        }
    }

    /// The logarithm of the odds that a score of two classes stands for.
    ///
    /// The focal loss is least at a probability that is not that of the class; the map between both is that of
    /// Charoenphakdee, Vongkulbhisal, Chairatanakul and Sugiyama (2021), written in scores: `(gamma - 1) s + l(s) - l(-s)`
    /// with `l(s) = ln(exp(s) + gamma ln(1 + exp(s)))`.
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

    /// The score of two classes that stands for these log-odds: the inverse of [`Self::log_odds`].
    pub(crate) fn score_of(self, log_odds: f64) -> f64 {
        if self == Self::Logistic {
            return log_odds;
        }
        let (mut low, mut high) = (-MOST_SCORE, MOST_SCORE);
        // The map rises; 60 halvings leave less than rounding does.
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

/// With `p` the probability of the row's class and `q` the rest, the derivatives by the score of that class are
/// `q^gamma (gamma p ln p - q)` and `q^gamma p (q (gamma ln p + gamma + 1) - gamma (gamma p ln p - q))`. The loss is not convex where `p`
/// is small; there the second is that of a logistic loss that weighs `q^gamma`, which is what a step can count on.
fn focal_slope(gamma: f64, score: f64, is_class: bool) -> (f64, f64) {
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

    /// The loss of a row by its scores.
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
        let mut told = scores.to_vec();
        of.tell(&mut told);
        let is_class = if of == Loss::Softmax { at == class } else { class == 1 };
        of.slope(told[at], is_class, scores.len().max(2))
    }

    /// Central differences of a loss have an error of about `h^2` and one of rounding of about `1e-16 / h^2`.
    #[test]
    fn derivatives_are_those_of_the_loss() {
        const H: f64 = 1e-4;
        let focal = [0.0, 0.5, 1.0, 2.0, 5.0].map(|gamma| Loss::Focal { gamma, level: 0.0 });
        for of in focal.into_iter().chain([Loss::Logistic]) {
            for (score, class) in (-40..=40).flat_map(|s| [(f64::from(s) / 8.0, 0), (f64::from(s) / 8.0, 1)])
            {
                let at = |d: f64| loss(of, &[score + d], class);
                let (gradient, hessian) = slope(of, &[score], 0, class);
                assert!((gradient - (at(H) - at(-H)) / (2.0 * H)).abs() < 1e-6, "{of:?} {score} {class}");
                let bend = (at(H) - 2.0 * at(0.0) + at(-H)) / (H * H);
                let own = if class == 1 { score } else { -score };
                // Where the focal loss bends too little, the Hessian is the floor.
                let floor = match of {
                    Loss::Focal { gamma, .. } => logistic(-own).powf(gamma) * logistic(own) * logistic(-own),
                    _ => 0.0,
                };
                assert!((hessian - bend.max(floor)).abs() < 1e-6, "{of:?} {score} {class}: {hessian} {bend}");
                let [most_gradient, most_hessian] = of.most();
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
                let (a, b) = (focal.slope(score, is_class, 2), Loss::Logistic.slope(score, is_class, 2));
                assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15);
            }
        }
    }

    /// Where rows of a class are a share `p`, the score of the least focal loss must be mapped to `p`.
    #[test]
    fn the_least_focal_loss_is_mapped_to_the_share_of_the_class() {
        for gamma in [0.5, 1.0, 2.0, 5.0] {
            let of = Loss::Focal { gamma, level: 0.0 };
            for share in [1e-4, 0.01, 0.2, 0.5, 0.9] {
                let score = of.score_of((share / (1.0_f64 - share)).ln());
                let slope = share * of.slope(score, true, 2).0 + (1.0 - share) * of.slope(score, false, 2).0;
                assert!(slope.abs() < 1e-12, "{gamma} {share}: {slope}");
            }
        }
    }
}
