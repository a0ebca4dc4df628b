//! Class-conditional (Mondrian) conformal prediction.
//!
//! The score of a row for class c is the model's probability of c. The p-value of a new row for c is computed
//! from the calibration rows *of class c* and the new row. It is the fraction of these rows whose score is at
//! most the score of the new row (Vovk, Gammerman and Shafer 2005, section 4.5).
//!
//! If these rows are exchangeable, and the model was fitted to none of them, a row of class c has a p-value
//! of at most `a` with probability at most `a`. This holds even for rare classes. Rows with the same score as
//! the new row count fully. In the smoothed variant, they count by a random fraction, which makes the
//! probability exactly `a`.
//!
//! In cross-conformal prediction (Vovk 2015), every fold has its own model, and counts are summed over the
//! folds.

use crate::argument_checks;
use crate::guarantee::{largest_rank_for_recall, rows_or_groups_name};
use imbcore_core::{Error, Result, SeedKey, tags, uniform};

/// For each calibration row, its score: the model's probability of its true class.
///
/// Rows are grouped by the model that predicted them, such as the model of their fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Conformal {
    /// Ascending scores, one list per model and class, at index `model * n_classes + class`.
    sorted: Vec<Vec<f64>>,
    n_classes: usize,
}

impl Conformal {
    /// Sorts calibration scores by group and class.
    ///
    /// `groups` has the number of the model that predicted each row, which must not have been fitted to the
    /// row. `scores` has the score of each row for its true class.
    ///
    /// # Errors
    /// [`Error::Data`] for unequal lengths, codes outside the classes, or scores that are not finite.
    pub fn new(truth: &[u32], groups: &[u32], scores: &[f64], n_classes: usize) -> Result<Self> {
        argument_checks::check_length("the group", groups.len(), truth.len())?;
        argument_checks::check_length("the score", scores.len(), truth.len())?;
        argument_checks::check_class_codes("y", truth, n_classes)?;
        argument_checks::check_scores_finite(scores)?;
        let n_groups = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sorted = vec![Vec::new(); n_groups * n_classes];
        for ((&class, &group), &score) in truth.iter().zip(groups).zip(scores) {
            sorted[group as usize * n_classes + class as usize].push(score);
        }
        for scores in &mut sorted {
            scores.sort_by(f64::total_cmp);
        }
        Ok(Self { sorted, n_classes })
    }

    pub(crate) fn calibration_rows_per_class(&self) -> Vec<usize> {
        let of_class =
            |class| self.sorted.iter().skip(class).step_by(self.n_classes.max(1)).map(Vec::len).sum();
        (0..self.n_classes).map(of_class).collect()
    }

    fn n_models(&self) -> usize {
        self.sorted.len() / self.n_classes.max(1)
    }

    /// P-values of new rows for every class, row-major.
    ///
    /// `proba` has the probabilities of the new rows by every model, model after model, row-major. With a key
    /// in `smoothing`, calibration rows with the same score as the new row count by a random fraction. The
    /// fraction is drawn for each new row and class.
    ///
    /// # Errors
    /// [`Error::Data`] for predictions of the wrong size, or predictions that are not finite.
    pub fn p_values(&self, proba: &[f64], smoothing: Option<SeedKey>) -> Result<Vec<f64>> {
        argument_checks::check_scores_finite(proba)?;
        let (c, n_groups) = (self.n_classes, self.n_models());
        let per_group = proba.len() / n_groups.max(1);
        argument_checks::check_matrix_size(proba, per_group / c.max(1) * n_groups, c)?;
        let counts = self.calibration_rows_per_class();
        let mut rng = smoothing.map(|key| key.child(tags::conformal::TIES, 0).rng());
        let mut found = Vec::with_capacity(per_group);
        for cell in 0..per_group {
            let class = cell % c;
            let (mut below, mut equal) = (0, 0);
            for group in 0..n_groups {
                let (scores, own) = (&self.sorted[group * c + class], proba[group * per_group + cell]);
                let first = scores.partition_point(|&score| score < own);
                below += first;
                equal += scores[first..].partition_point(|&score| score <= own);
            }
            let part = rng.as_mut().map_or(1.0, |rng| 1.0 - uniform(rng));
            found.push((below as f64 + part * (equal as f64 + 1.0)) / (counts[class] as f64 + 1.0));
        }
        Ok(found)
    }

    /// Minimum probability of `class` for which the p-value of a new row exceeds `level`.
    ///
    /// It is one of the ordered calibration scores. `None` for several models, or if every probability
    /// suffices.
    ///
    /// # Errors
    /// [`Error::Data`] for an unknown class.
    pub fn min_proba_in_set(&self, class: u32, level: f64) -> Result<Option<f64>> {
        argument_checks::check_class(class, self.n_classes)?;
        let scores = &self.sorted[class as usize];
        // The result is the k-th smallest score, where k is the smallest number with (k + 1) / (n + 1) >
        // level and n is the number of scores.
        let p = |k: usize| (k as f64 + 1.0) / (scores.len() as f64 + 1.0);
        let k = (0..=scores.len()).find(|&k| p(k) > level).unwrap_or(scores.len());
        Ok(if self.n_models() == 1 && k > 0 { Some(scores[k - 1]) } else { None })
    }
}

/// Minimum number of calibration rows of a class for the level `alpha`: ceil(1 / alpha - 1).
///
/// With fewer rows, no p-value for the class can be as small as `alpha`.
///
/// # Errors
/// [`Error::Parameter`] for a level outside (0, 1).
pub fn min_calibration_rows(alpha: f64) -> Result<usize> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(Error::parameter("conformal prediction", "alpha", "in (0, 1)", alpha));
    }
    #[allow(clippy::cast_sign_loss)]
    let mut n = (1.0 / alpha).floor() as usize;
    // Because of rounding, the computed quotient may be off by one.
    while 1.0 / n as f64 <= alpha && n > 1 {
        n -= 1;
    }
    while 1.0 / (n as f64 + 1.0) > alpha {
        n += 1;
    }
    Ok(n)
}

/// Level of p-values at which the miss rate of positive rows is at most `miss`.
///
/// A row is predicted positive if its p-value exceeds the level. If `of_groups`, every calibration row
/// represents a group, and error messages count groups.
///
/// Without a confidence, the level is `miss`. The miss rate is then at most `miss` on average over samples of
/// `n` calibration rows. With a confidence, the miss rate is at most `miss` with this probability over the
/// samples (Wilks 1941).
///
/// # Errors
/// [`Error::Data`] if there are too few rows (the message states the required number); [`Error::Parameter`]
/// if `miss` or `confidence` is outside (0, 1).
pub fn level_for_miss_rate(n: usize, miss: f64, confidence: Option<f64>, of_groups: bool) -> Result<f64> {
    let least = min_calibration_rows(miss)?;
    match confidence {
        None if n >= least => Ok(miss),
        None => Err(too_few_rows_error("the positive class", n, miss, least)),
        Some(confidence) if confidence > 0.0 && confidence < 1.0 => Ok(largest_rank_for_recall(
            (&rows_or_groups_name(of_groups, "positive rows"), n),
            1.0 - miss,
            confidence,
        )? as f64
            / (n as f64 + 1.0)),
        Some(confidence) => {
            Err(Error::parameter("conformal prediction", "confidence", "in (0, 1)", confidence))
        }
    }
}

/// Error if a class has too few calibration rows for a level.
pub fn too_few_rows_error(class: &str, n: usize, alpha: f64, least: usize) -> Error {
    Error::Data(format!(
        "{class} has {n} calibration rows, but a level of {alpha} requires at least {least} (1 / level - 1); use more calibration \
         rows (calibration_rows, or method=\"cross\" or \"out_of_bag\", which use all rows), collect more, or choose a larger level"
    ))
}

/// Guaranteed coverage of cross-conformal sets for a class with `n` calibration rows.
///
/// Each fold has a p-value; let m be the mean of these p-values, weighted by the number of rows of the fold
/// plus one. m is at most `t` with probability at most `2 t` (Vovk and Wang 2020). If the cross-conformal
/// p-value is at most `alpha`, m is at most `(alpha (n + 1) + folds - 1) / (n + folds)`. Therefore, the
/// result is `1 - 2 alpha` minus a term that vanishes as `n` grows, as in Vovk, Nouretdinov, Manokhin and
/// Gammerman 2018 and Barber, Candes, Ramdas and Tibshirani 2021.
pub fn cross_conformal_coverage(alpha: f64, n: usize, folds: usize) -> f64 {
    let (n, folds) = (n as f64, folds as f64);
    (1.0 - 2.0 * (alpha * (n + 1.0) + folds - 1.0) / (n + folds)).max(0.0)
}

/// Prediction set of each row, as one flag for each class; flags are row-major.
///
/// The flag of a class is true if the p-value of the class exceeds its level in `alphas`.
pub fn conformal_sets(p_values: &[f64], alphas: &[f64]) -> Vec<bool> {
    p_values
        .chunks_exact(alphas.len())
        .flat_map(|row| row.iter().zip(alphas).map(|(p, alpha)| p > alpha))
        .collect()
}

/// Predicted class of each row: the only class of its set, else the class of largest p-value.
///
/// Ties go to the lowest code. If `abstaining`, rows whose sets do not have exactly one class get the code
/// `n_classes` instead.
pub fn predict_conformal_classes(p_values: &[f64], alphas: &[f64], abstaining: bool) -> Vec<u32> {
    let n_classes = alphas.len();
    let sets = conformal_sets(p_values, alphas);
    let rows = p_values.chunks_exact(n_classes).zip(sets.chunks_exact(n_classes));
    rows.map(|(row, set)| match set.iter().filter(|&&inside| inside).count() {
        1 => set.iter().position(|&inside| inside).unwrap_or(n_classes) as u32,
        _ if abstaining => n_classes as u32,
        _ => imbcore_core::index_of_first_largest(row),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Conformal {
        Conformal::new(&[0, 0, 0, 1, 1], &[0; 5], &[0.9, 0.5, 0.7, 0.2, 0.4], 2).unwrap()
    }

    #[test]
    fn p_values_count_the_rows_of_one_class() {
        // The calibration scores are 0.5, 0.7 and 0.9 for class 0, and 0.2 and 0.4 for class 1.
        let found = small().p_values(&[0.7, 0.3, 0.1, 0.9], None).unwrap();
        assert_eq!(found, [3.0 / 4.0, 2.0 / 3.0, 1.0 / 4.0, 3.0 / 3.0]);
        assert_eq!(small().calibration_rows_per_class(), [3, 2]);
        let key = SeedKey::root(1);
        let smooth = small().p_values(&[0.7, 0.3, 0.1, 0.9], Some(key)).unwrap();
        // A smoothed p-value counts all smaller scores and a random part of the equal scores, including the
        // score of the new row.
        for (p, (low, high)) in
            smooth.iter().zip([(0.25, 0.75), (1.0 / 3.0, 2.0 / 3.0), (0.0, 0.25), (2.0 / 3.0, 1.0)])
        {
            assert!(*p > low && *p <= high, "{smooth:?}");
        }
        assert_eq!(smooth, small().p_values(&[0.7, 0.3, 0.1, 0.9], Some(key)).unwrap());
    }

    #[test]
    fn counts_of_folds_add_up() {
        let cross = Conformal::new(&[0, 0, 1, 1], &[0, 1, 0, 1], &[0.5, 0.6, 0.3, 0.8], 2).unwrap();
        // The first two numbers are the probabilities of the new row by the model of fold 0. The last two
        // numbers are those by the model of fold 1.
        let found = cross.p_values(&[0.5, 0.5, 0.4, 0.6], None).unwrap();
        assert_eq!(found, [(1.0 + 0.0 + 1.0) / 3.0, (1.0 + 0.0 + 1.0) / 3.0]);
        assert_eq!(cross.min_proba_in_set(0, 0.5).unwrap(), None);
        assert!(cross.p_values(&[0.5, 0.5], None).is_err());
        assert!(cross.p_values(&[0.5, 0.5, f64::NAN, 0.6], None).is_err());
    }

    #[test]
    fn a_level_takes_its_rows() {
        assert_eq!(
            [0.5, 0.1, 0.05, 0.01, 0.3].map(|alpha| min_calibration_rows(alpha).unwrap()),
            [1, 9, 19, 99, 3]
        );
        assert!(
            min_calibration_rows(0.0).is_err()
                && min_calibration_rows(1.0).is_err()
                && min_calibration_rows(f64::NAN).is_err()
        );
        assert_eq!(level_for_miss_rate(9, 0.1, None, false).unwrap(), 0.1);
        let refused = level_for_miss_rate(8, 0.1, None, false).unwrap_err().to_string();
        assert!(refused.contains("has 8 calibration rows") && refused.contains("at least 9"), "{refused}");
        // With 29 positive rows, their smallest score is a threshold with recall 0.9 at confidence 0.95.
        assert_eq!(level_for_miss_rate(29, 0.1, Some(0.95), false).unwrap(), 1.0 / 30.0);
        assert!(
            level_for_miss_rate(28, 0.1, Some(0.95), true).is_err()
                && level_for_miss_rate(28, 0.1, Some(1.0), false).is_err()
        );
    }

    #[test]
    fn the_least_score_is_where_the_p_value_passes_the_level() {
        let scores: Vec<f64> = (1..=19).map(|at| f64::from(at) / 20.0).collect();
        let one = Conformal::new(&[0; 19], &[0; 19], &scores, 1).unwrap();
        for level in [0.05, 0.1, 0.12, 0.5] {
            let least = one.min_proba_in_set(0, level).unwrap().unwrap();
            let p = |score: f64| one.p_values(&[score], None).unwrap()[0];
            assert!(p(least) > level && p(least - 1e-9) <= level, "{level}");
        }
        assert_eq!(one.min_proba_in_set(0, 0.04).unwrap(), None);
    }

    #[test]
    fn sets_hold_the_classes_above_their_level_and_the_rest_abstains() {
        let p = [0.3, 0.04, 0.3, 0.2, 0.01, 0.02];
        let alphas = [0.1, 0.05];
        assert_eq!(conformal_sets(&p, &alphas), [true, false, true, true, false, false]);
        assert_eq!(predict_conformal_classes(&p, &alphas, true), [0, 2, 2]);
        assert_eq!(predict_conformal_classes(&p, &alphas, false), [0, 0, 1]);
    }

    #[test]
    fn the_guarantee_of_folds_approaches_twice_the_level() {
        assert!((cross_conformal_coverage(0.1, 100, 1) - 0.8).abs() < 1e-15);
        assert!((cross_conformal_coverage(0.1, 1_000_000, 5) - 0.8).abs() < 1e-5);
        assert!(cross_conformal_coverage(0.1, 50, 5) < 0.7 && cross_conformal_coverage(0.5, 10, 5) == 0.0);
    }
}
