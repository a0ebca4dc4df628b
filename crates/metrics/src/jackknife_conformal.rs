//! Jackknife+ conformal classification.
//!
//! Each calibration row is compared with the new row, by the scores of those ensemble members that were
//! fitted to neither of the two rows. This is the jackknife+-after-bootstrap of Kim, Xu and Barber 2020 for
//! class scores.
//!
//! Proof of the coverage: take the n calibration rows of class c and a new row of class c, all exchangeable.
//! Row i is called stranger than row j if the members that were fitted to neither row give i a lower score
//! for c than j. At most `2 a (n + 1)` rows are stranger than at least `(1 - a)(n + 1)` other rows (Barber,
//! Candes, Ramdas and Tibshirani 2021, section 6). By exchangeability, the new row is one of these strange
//! rows with probability at most 2 a.
//!
//! The proof requires that the bags treat the new row like a calibration row. Therefore, the number of
//! members must have a certain distribution: that of the number of bags without the new row, if bags were
//! drawn from the calibration rows and the new row. This distribution is binomial ([`draw_member_count`]).
//! The proof holds for each class, for any distribution of the rows of other classes.

use crate::argument_checks;
use crate::conformal::min_calibration_rows;
use imbcore_core::{Error, Result, RunContext, SeedKey, parallel, tags, uniform};

const BLOCK: usize = 8;

/// Calibration rows, and for each row the ensemble members whose bags do not contain the row.
#[derive(Clone, Debug, PartialEq)]
pub struct JackknifeConformal {
    rows: Vec<Vec<CalibrationRow>>,
    n_members: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct CalibrationRow {
    members: Vec<u32>,
    /// Sum of the probabilities that `members` predict for the true class of the row.
    score: f64,
}

/// Score of each calibration row: the sum of its members' probabilities of its true class.
///
/// Only members whose bags do not contain the row are summed. `predictions` has the probabilities, of shape
/// `n_members x n_rows x n_classes`. `left_out`, `n_rows x n_members`, is true if the bag of the member does
/// not contain the row.
///
/// # Errors
/// [`Error::Data`] for arrays of inconsistent sizes or values that are not finite.
pub fn jackknife_scores(
    truth: &[u32],
    left_out: &[bool],
    predictions: &[f64],
    n_classes: usize,
) -> Result<Vec<f64>> {
    argument_checks::check_class_codes("y", truth, n_classes)?;
    argument_checks::check_scores_finite(predictions)?;
    let n = truth.len();
    let n_members = left_out.len() / n.max(1);
    argument_checks::check_matrix_size(predictions, n * n_members, n_classes)?;
    let score = |row: usize| {
        let members = (0..n_members).filter(|member| left_out[row * n_members + member]);
        members.map(|member| predictions[(member * n + row) * n_classes + truth[row] as usize]).sum()
    };
    Ok((0..n).map(score).collect())
}

impl JackknifeConformal {
    /// Collects, for each calibration row, its class, its score and the members not fitted to it.
    ///
    /// `left_out` and `scores` are as for [`jackknife_scores`], which computes the scores.
    ///
    /// # Errors
    /// [`Error::Data`] for invalid class codes, scores that are not finite, or arrays of inconsistent sizes.
    pub fn new(truth: &[u32], left_out: &[bool], scores: &[f64], n_classes: usize) -> Result<Self> {
        argument_checks::check_class_codes("y", truth, n_classes)?;
        argument_checks::check_length("the score", scores.len(), truth.len())?;
        argument_checks::check_scores_finite(scores)?;
        let n_members = left_out.len() / truth.len().max(1);
        argument_checks::check_length("the bag", left_out.len(), truth.len() * n_members)?;
        let mut rows = vec![Vec::new(); n_classes];
        for (row, (&class, &score)) in truth.iter().zip(scores).enumerate() {
            let own = &left_out[row * n_members..(row + 1) * n_members];
            let members = (0..).zip(own).filter(|(_, out)| **out).map(|(member, _)| member).collect();
            rows[class as usize].push(CalibrationRow { members, score });
        }
        Ok(Self { rows, n_members })
    }

    /// P-values of new rows for every class, row-major.
    ///
    /// `predictions` has the probabilities of the new rows, `n_members x n_rows x n_classes`.
    ///
    /// # Errors
    /// [`Error::Data`] if the predictions have the wrong size or are not finite; [`Error::Cancelled`] if the
    /// run is cancelled.
    pub fn p_values(&self, predictions: &[f64], n_rows: usize, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        argument_checks::check_scores_finite(predictions)?;
        let c = self.rows.len();
        argument_checks::check_matrix_size(predictions, n_rows * self.n_members, c)?;
        let blocks = parallel::try_map((0..n_rows).step_by(BLOCK), |first| {
            let rows = first..(first + BLOCK).min(n_rows);
            let mut found = vec![0.0; rows.len() * c];
            for (class, own) in self.rows.iter().enumerate() {
                ctl.check()?;
                let score = |member: usize, row: usize| predictions[(member * n_rows + row) * c + class];
                let mut lanes = vec![[0.0; BLOCK]; self.n_members];
                for (member, lanes) in lanes.iter_mut().enumerate() {
                    lanes.iter_mut().zip(rows.clone()).for_each(|(lane, row)| *lane = score(member, row));
                }
                let counts = count_scores_at_most(own, &lanes);
                for (row, count) in found.chunks_exact_mut(c).zip(counts) {
                    row[class] = (f64::from(count) + 1.0) / (own.len() as f64 + 1.0);
                }
            }
            Ok(found)
        })?;
        Ok(blocks.concat())
    }
}

/// For each new row, counts the calibration rows whose score is at most that of the new row.
///
/// `own` has the calibration rows of one class, `lanes` the probability of this class by member and new row.
/// In the comparison with a calibration row, the score of the new row is summed over the members that were
/// not fitted to the calibration row.
fn count_scores_at_most(own: &[CalibrationRow], lanes: &[[f64; BLOCK]]) -> [u32; BLOCK] {
    let mut counts = [0; BLOCK];
    for row in own {
        // Scores of the new rows are summed over the members in the same order as the score of the
        // calibration row, so that equal predictions give equal sums.
        let mut sums = [0.0; BLOCK];
        for &member in &row.members {
            sums.iter_mut().zip(&lanes[member as usize]).for_each(|(sum, score)| *sum += score);
        }
        counts.iter_mut().zip(sums).for_each(|(count, sum)| *count += u32::from(row.score <= sum));
    }
    counts
}

/// Probability that `n` draws with replacement from `n + 1` rows do not contain a given row.
fn probability_row_left_out(n: usize) -> f64 {
    (1.0 - 1.0 / (n as f64 + 1.0)).powf(n as f64)
}

/// Number of bags of `n + 1` rows; on average, `members` bags do not contain a given row.
fn n_total_bags(n: usize, members: u32) -> u32 {
    #[allow(clippy::cast_sign_loss)] // A number of at least 0.
    let bags = (f64::from(members) / probability_row_left_out(n)).round() as u32;
    bags
}

/// Draws the number of members to fit to bags of `n` rows; its mean is `members`.
///
/// Imagine bags drawn from these rows and one additional row. The drawn number has the distribution of the
/// number of bags without the additional row (Kim, Xu and Barber 2020, theorem 1).
///
/// # Errors
/// [`Error::Data`] without rows.
pub fn draw_member_count(n: usize, members: u32, key: SeedKey) -> Result<u32> {
    if n == 0 {
        return Err(Error::Data("there are no rows".into()));
    }
    let mut rng = key.child(tags::conformal::MEMBERS, 0).rng();
    let chance = probability_row_left_out(n);
    Ok((0..n_total_bags(n, members)).filter(|_| uniform(&mut rng) < chance).count() as u32)
}

/// Guaranteed coverage of prediction sets at level `alpha`.
///
/// The coverage is `1 - 2 alpha` minus a bound on the probability that some bag was redrawn because it lacked
/// a class. `counts` has the number of rows of each class, and `members` is the mean number of members.
///
/// # Errors
/// Same errors as [`min_calibration_rows`].
pub fn jackknife_coverage(alpha: f64, counts: &[usize], members: u32) -> Result<f64> {
    min_calibration_rows(alpha)?;
    let n: usize = counts.iter().sum();
    let lacks = |&count: &usize| (1.0 - count as f64 / n as f64).powf(n as f64);
    let redrawn = f64::from(n_total_bags(n, members)) * counts.iter().map(lacks).sum::<f64>();
    Ok((1.0 - 2.0 * alpha - redrawn).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compared_by_the_members_that_saw_neither() {
        // Rows 0 and 1 are of class 0, and row 2 is of class 1. There are three members.
        let truth = [0, 0, 1];
        let left_out = [true, true, false, false, false, true, true, false, true];
        // The predictions are ordered by member, then by row, then by class.
        let predictions =
            [0.9, 0.1, 0.4, 0.6, 0.3, 0.7, 0.8, 0.2, 0.5, 0.5, 0.2, 0.8, 0.7, 0.3, 0.6, 0.4, 0.1, 0.9];
        let scores = jackknife_scores(&truth, &left_out, &predictions, 2).unwrap();
        assert_eq!(scores, [0.9 + 0.8, 0.6, 0.7 + 0.9]);
        let rows = JackknifeConformal::new(&truth, &left_out, &scores, 2).unwrap();
        // For class 0, the score of the new row is 0.9 + 0.8 = 1.7 in the comparison with row 0, which has
        // 1.7, and 0.5 in the comparison with row 1, which has 0.6. For class 1, it is 0.2 + 0.5, and row 2
        // has 1.6.
        let new = [0.9, 0.2, 0.8, 0.2, 0.5, 0.5];
        assert_eq!(rows.p_values(&new, 1, RunContext::silent()).unwrap(), [2.0 / 3.0, 1.0 / 2.0]);
        assert!(rows.p_values(&new[..4], 1, RunContext::silent()).is_err());
        assert!(JackknifeConformal::new(&truth, &left_out[..8], &scores, 2).is_err());
        assert!(jackknife_scores(&truth, &left_out, &predictions[..16], 2).is_err());
    }

    #[test]
    fn blocks_of_rows_are_put_together_in_order() {
        let n = 2 * BLOCK + 3;
        let rows = JackknifeConformal::new(&[0], &[true], &[0.5], 1).unwrap();
        let new: Vec<f64> = (0..n).map(|row| f64::from(u8::from(row % 3 == 0))).collect();
        let found = rows.p_values(&new, n, RunContext::silent()).unwrap();
        let expected: Vec<f64> = new.iter().map(|&p| if p >= 0.5 { 1.0 } else { 0.5 }).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn as_many_members_as_would_lack_a_further_row() {
        assert_eq!(n_total_bags(1000, 100), 272);
        let found: Vec<u32> =
            (0..400).map(|seed| draw_member_count(1000, 100, SeedKey::root(seed)).unwrap()).collect();
        let mean = f64::from(found.iter().sum::<u32>()) / 400.0;
        // The distribution is binomial with standard deviation sqrt(272 * 0.368 * 0.632) = 7.95. The
        // tolerance is five standard errors of the mean.
        assert!((mean - 100.0).abs() < 5.0 * 7.95 / 20.0, "{mean}");
        assert!(found.iter().any(|&count| count > 105) && found.iter().any(|&count| count < 95));
        assert!(draw_member_count(0, 100, SeedKey::root(0)).is_err());
    }

    #[test]
    fn the_guarantee_is_lower_if_bags_are_redrawn() {
        assert!((jackknife_coverage(0.1, &[900, 100], 100).unwrap() - 0.8).abs() < 1e-12);
        let few = jackknife_coverage(0.1, &[991, 9], 100).unwrap();
        // There are 272 bags. Each lacks all 9 rows of the rare class with probability 0.991^1000.
        assert!((few - (0.8 - 272.0 * 0.991_f64.powi(1000))).abs() < 1e-9, "{few}");
        assert!(jackknife_coverage(0.0, &[9, 9], 100).is_err());
    }

    #[test]
    fn the_bound_holds_if_members_memorize_noise() {
        let (n, alpha, mut missed, trials) = (19, 0.1, 0, 400);
        for trial in 0..trials {
            let key = SeedKey::root(trial);
            let n_members = draw_member_count(n, 30, key).unwrap() as usize;
            let mut rng = key.child(tags::conformal::TIES, 1).rng();
            let mut left_out = vec![true; n * n_members];
            let values: Vec<f64> = (0..=n).map(|_| uniform(&mut rng)).collect();
            let mut predictions = vec![0.0; n_members * (n + 1)];
            for member in 0..n_members {
                for _ in 0..n {
                    let row = imbcore_core::random_below(&mut rng, n as u32) as usize;
                    left_out[row * n_members + member] = false;
                }
                // A member gives a row a lower score, the farther the row is from the rows of the member's
                // bag.
                let bag: Vec<f64> =
                    (0..n).filter(|row| !left_out[row * n_members + member]).map(|row| values[row]).collect();
                for (row, value) in values.iter().enumerate() {
                    let near = bag.iter().map(|own| (own - value).abs()).fold(f64::INFINITY, f64::min);
                    predictions[member * (n + 1) + row] = -near;
                }
            }
            let of_rows: Vec<f64> =
                predictions.chunks_exact(n + 1).flat_map(|member| member[..n].to_vec()).collect();
            let new: Vec<f64> = predictions.chunks_exact(n + 1).map(|member| member[n]).collect();
            let truth = vec![0; n];
            let scores = jackknife_scores(&truth, &left_out, &of_rows, 1).unwrap();
            let rows = JackknifeConformal::new(&truth, &left_out, &scores, 1).unwrap();
            missed += u32::from(rows.p_values(&new, 1, RunContext::silent()).unwrap()[0] <= alpha);
        }
        // The miss rate is at most 2 alpha. The tolerance is four standard deviations of a binomial count
        // with the probability 2 alpha.
        let most = trials as f64 * 0.2;
        assert!(f64::from(missed) <= most + 4.0 * (most * 0.8).sqrt(), "{missed} of {trials}");
    }
}
