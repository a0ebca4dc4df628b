//! Prior correction of probabilities.
//!
//! It is for a model whose training changed the class proportions of the data, for example by sampling.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Whether a method that changes class proportions in training corrects its probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PriorCorrection {
    /// Correct the probabilities to the original class proportions by [`PriorShift`].
    Prior,
    /// Do not correct the probabilities.
    None,
}

impl PriorCorrection {
    /// Correction of probabilities from the class proportions in training to those of the data.
    ///
    /// `trained` has the total row weight of each class in training, and `given` that in the data. The result
    /// is `None` if the correction is disabled or the proportions are equal.
    pub fn prior_shift_if_enabled(self, trained: &[f64], given: &[f64]) -> Option<PriorShift> {
        match self {
            Self::Prior => PriorShift::from_proportions(trained, given),
            Self::None => None,
        }
    }
}

/// Exact correction of probabilities for a change of the class priors.
/// `p'_c` is proportional to `p_c given_c / learnt_c`, where `given_c` and `learnt_c` are the proportions of
/// class c in the data and in training (Saerens, Latinne and Decaestecker 2002, eq. 2.4; for two classes
/// Elkan 2001, theorem 2).
#[derive(Clone, Debug, PartialEq)]
pub struct PriorShift {
    /// Proportion of each class in the data divided by its proportion in training; positive.
    ///
    /// The quotients are scaled so that the largest is 1.
    factors: Vec<f64>,
}

impl PriorShift {
    /// Correction of probabilities from the class proportions in training to those of the data.
    ///
    /// `trained` has the total row weight of each class in training, and `given` that in the data, each in
    /// any unit. The result is `None` if the proportions are equal. A class without weight in one of the
    /// lists has the factor 1.
    pub fn from_proportions(trained: &[f64], given: &[f64]) -> Option<Self> {
        let known =
            |(trained, given): (&f64, &f64)| (*trained > 0.0 && *given > 0.0).then(|| given / trained);
        let ratios: Vec<Option<f64>> = trained.iter().zip(given).map(known).collect();
        let largest = ratios.iter().flatten().copied().fold(0.0, f64::max);
        let factors: Vec<f64> = ratios
            .iter()
            .map(|ratio| ratio.map_or(1.0, |ratio| (ratio / largest).max(f64::MIN_POSITIVE)))
            .collect();
        // Proportions that differ only by rounding count as equal: without a correction, predictions stay
        // bit-identical.
        let changed = factors.iter().any(|factor| (1.0 - factor).abs() > 1e-12);
        changed.then_some(Self { factors })
    }

    /// Weighted mean of corrections, given with their weights; `None` stands for no correction.
    ///
    /// If all corrections are equal, the result equals them exactly.
    pub fn average_shifts(shifts: &[(Option<&Self>, usize)]) -> Option<Self> {
        let first = shifts.first()?.0;
        if shifts.iter().all(|(shift, _)| *shift == first) {
            return first.cloned();
        }
        let n_classes = shifts.iter().find_map(|(shift, _)| *shift)?.factors.len();
        let factor = |shift: Option<&Self>, class: usize| shift.map_or(1.0, |shift| shift.factors[class]);
        let sum =
            |class: usize| shifts.iter().map(|(shift, n)| factor(*shift, class) * *n as f64).sum::<f64>();
        let sums: Vec<f64> = (0..n_classes).map(sum).collect();
        let largest = sums.iter().copied().fold(0.0, f64::max);
        Some(Self { factors: sums.iter().map(|sum| sum / largest).collect() })
    }

    /// Restores the correction from the factors of a file; `None` if the list is empty.
    ///
    /// # Errors
    /// [`Error::Format`] unless there is one factor in (0, 1] for each class.
    pub fn from_factors(factors: Vec<f64>, n_classes: usize) -> Result<Option<Self>> {
        let valid =
            factors.len() == n_classes && factors.iter().all(|factor| *factor > 0.0 && *factor <= 1.0);
        match factors.is_empty() {
            true => Ok(None),
            false if valid => Ok(Some(Self { factors })),
            false => Err(Error::damaged("the factors of the prior correction are invalid")),
        }
    }

    /// Factor of each class, by which its probability is multiplied before the row is normalized.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// Corrects row-major probabilities in place; rows of NaN stay NaN.
    pub fn apply(&self, proba: &mut [f64]) {
        for row in proba.chunks_exact_mut(self.factors.len()) {
            row.iter_mut().zip(&self.factors).for_each(|(p, factor)| *p *= factor);
            let total: f64 = row.iter().sum();
            for p in row {
                *p /= total;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_equal_shifts_is_the_shift() {
        let shift = PriorShift::from_proportions(&[1.0, 1.0], &[9.0, 1.0]);
        assert_eq!(PriorShift::average_shifts(&[(shift.as_ref(), 3), (shift.as_ref(), 4)]), shift);
        let other = PriorShift::from_proportions(&[1.0, 1.0], &[9.0, 4.0]);
        let mean = PriorShift::average_shifts(&[(shift.as_ref(), 1), (other.as_ref(), 2)]).unwrap();
        assert_eq!(mean.factors(), [1.0, (1.0 / 9.0 + 2.0 * (4.0 / 9.0)) / 3.0]);
        assert_eq!(PriorShift::average_shifts(&[(None, 1), (None, 2)]), None);
    }

    #[test]
    fn two_classes_agree_with_elkan_theorem_2() {
        // The positive class has prior 1/2 in training and 1/10 in the data, so that its odds of 3 become
        // 1/3.
        let shift = PriorShift::from_proportions(&[1.0, 1.0], &[9.0, 1.0]).unwrap();
        let mut proba = vec![0.25, 0.75, 1.0, 0.0, 0.0, 1.0, f64::NAN, f64::NAN];
        shift.apply(&mut proba);
        assert!((proba[1] - 0.25).abs() < 1e-15 && (proba[0] - 0.75).abs() < 1e-15);
        assert_eq!(&proba[2..6], [1.0, 0.0, 0.0, 1.0]);
        assert!(proba[6].is_nan());
        let elkan = crate::prior_shift(&[0.75], 0.5, 0.1).unwrap();
        assert!((proba[1] - elkan[0]).abs() < 1e-15);
    }

    #[test]
    fn equal_proportions_and_untrained_classes_keep_their_factors() {
        assert_eq!(PriorShift::from_proportions(&[2.0, 6.0], &[0.1, 0.3]), None);
        let shift = PriorShift::from_proportions(&[1.0, 1.0, 0.0], &[3.0, 1.0, 5.0]).unwrap();
        assert_eq!(shift.factors(), [1.0, 1.0 / 3.0, 1.0]);
    }

    #[test]
    fn factors_of_a_file_are_checked() {
        assert_eq!(PriorShift::from_factors(vec![], 2), Ok(None));
        assert!(PriorShift::from_factors(vec![1.0, 0.5], 2).unwrap().is_some());
        for bad in [vec![1.0], vec![1.0, 0.0], vec![1.0, f64::NAN], vec![1.0, 2.0]] {
            assert!(PriorShift::from_factors(bad, 2).is_err());
        }
    }
}
