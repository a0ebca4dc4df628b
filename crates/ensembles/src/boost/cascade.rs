//! Selection of the negatives kept for the next stage of `BalanceCascade`.
//! See Liu, Wu and Zhou 2009, figure 4.

use imbcore_core::midpoint;

/// Fraction of its negatives that each stage keeps, `(|P| / |N|)^(1 / (T - 1))`, at most 1.
///
/// `|P|` and `|N|` are the numbers of positives and negatives, and `T` is the number of stages. If negatives
/// are the larger class, about as many negatives as positives are left after `T - 1` stages.
#[must_use]
pub fn kept_fraction(n_positive: usize, n_negative: usize, n_stages: u32) -> f64 {
    (n_positive as f64 / n_negative as f64).min(1.0).powf(1.0 / f64::from(n_stages - 1))
}

/// Rounds the fraction `share` of `n` negatives to a whole number: `floor(share n + 1/2)`.
#[allow(clippy::cast_sign_loss)] // The product is not negative.
pub(super) fn round_negative_count(n: usize, share: f64) -> usize {
    ((share * n as f64 + 0.5).floor() as usize).min(n)
}

/// Number of negatives that a stage with `n` negatives keeps.
///
/// It is the fraction `share` of the negatives, but at least the number of positives. If a stage has fewer
/// negatives than there are positives, it keeps all of them.
#[must_use]
pub fn n_kept_negatives(n: usize, n_positive: usize, share: f64) -> usize {
    round_negative_count(n, share).max(n_positive.min(n))
}

/// Negatives kept by a stage, and its threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptNegatives {
    /// Score above which the stage predicts a row positive.
    ///
    /// The threshold is midway between the lowest score of a kept negative and the highest score of a removed
    /// negative. If all negatives are kept, it is below all scores.
    pub theta: f64,
    /// Indices of the kept negatives in the list of scores, ascending.
    pub kept: Vec<u32>,
}

/// Keeps the `n_kept` negatives with the highest scores, and the first ones on ties.
/// At least one negative is kept.
#[must_use]
pub fn keep_highest_scores(scores: &[f64], n_kept: usize) -> KeptNegatives {
    let n_kept = n_kept.clamp(1, scores.len());
    let mut order: Vec<u32> = (0..scores.len() as u32).collect();
    let score = |place: &u32| scores[*place as usize];
    order.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    let last = score(&order[n_kept - 1]);
    let theta = order.get(n_kept).map_or(last.next_down(), |first_out| midpoint(score(first_out), last));
    let mut kept = order[..n_kept].to_vec();
    kept.sort_unstable();
    KeptNegatives { theta, kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_scores_are_kept_and_the_first_on_ties() {
        let stage = keep_highest_scores(&[0.5, 2.0, 0.5, 0.5, -1.0], 3);
        assert_eq!(stage, KeptNegatives { theta: 0.5, kept: vec![0, 1, 2] });
        assert_eq!(keep_highest_scores(&[1.0, 3.0, 2.0], 2), KeptNegatives { theta: 1.5, kept: vec![1, 2] });
        let all = keep_highest_scores(&[1.0, 3.0], 2);
        assert!(all.theta < 1.0 && all.kept == [0, 1]);
    }

    #[test]
    fn stages_end_with_as_many_negatives_as_positives() {
        let left = |n_positive, n_negative, n_stages| {
            let share = kept_fraction(n_positive, n_negative, n_stages);
            (1..n_stages).fold(n_negative, |n, _| n_kept_negatives(n, n_positive, share))
        };
        for (n_positive, n_negative, n_stages) in [(10, 1000, 4), (3, 17, 2), (5, 5, 3), (7, 4, 3)] {
            assert_eq!(left(n_positive, n_negative, n_stages), n_positive.min(n_negative));
        }
        // Numbers of negatives are rounded in every stage, so one or two more negatives than positives may be
        // left.
        assert_eq!((left(2, 9, 10), left(50, 60, 9)), (3, 52));
    }
}
