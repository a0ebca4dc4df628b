//! Areas under ROC curves of several classes.

use crate::check;
use crate::curves::Sweep;
use crate::imbalance::class_counts;
use imbcore_base::Result;

/// What classes, or pairs of classes, count in a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// All the same.
    Equal,
    /// By the weight of their rows.
    Prevalence,
}

fn column(scores: &[f64], class: usize, n_classes: usize) -> Vec<f64> {
    scores.iter().skip(class).step_by(n_classes).copied().collect()
}

fn checked(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<()> {
    check::matrix(scores, truth.len(), n_classes)?;
    check::codes("y_true", truth, n_classes)?;
    check::weights(weights, truth.len())?;
    check::finite(scores)
}

/// AUC of every class against the rest, by its own column of the row-major `scores`; NaN for a class without rows.
///
/// # Errors
/// [`imbcore_base::Error::Data`] for wrong sizes, codes, weights, or scores that are not finite.
pub fn one_vs_rest_auc(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    checked(truth, scores, n_classes, weights)?;
    by_class(truth, scores, n_classes, weights, Sweep::auc)
}

/// Average precision of every class against the rest, by its own column of the row-major `scores`.
///
/// # Errors
/// As [`one_vs_rest_auc`].
pub fn one_vs_rest_average_precision(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    checked(truth, scores, n_classes, weights)?;
    by_class(truth, scores, n_classes, weights, Sweep::average_precision)
}

fn by_class(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    area: impl Fn(&Sweep) -> f64,
) -> Result<Vec<f64>> {
    (0..n_classes)
        .map(|class| Ok(area(&Sweep::new(truth, class as u32, &column(scores, class, n_classes), weights)?)))
        .collect()
}

/// Mean of one value a class over the classes that have rows and a value; NaN when there are none.
///
/// # Errors
/// [`imbcore_base::Error::Data`] for codes without a value or bad weights.
pub fn class_mean(values: &[f64], truth: &[u32], weights: Option<&[f64]>, weighing: Weighing) -> Result<f64> {
    let masses = class_counts(truth, values.len(), weights)?;
    let (mut sum, mut total) = (0.0, 0.0);
    for (&value, &mass) in values.iter().zip(&masses).filter(|&(v, &m)| m > 0.0 && !v.is_nan()) {
        let weight = match weighing {
            Weighing::Equal => 1.0,
            Weighing::Prevalence => mass,
        };
        sum += weight * value;
        total += weight;
    }
    Ok(sum / total)
}

/// One-against-rest AUC weighted by the prevalence of each class (Provost and Domingos 2003); paper 2's WAUROC.
///
/// Classes without rows are skipped; NaN when fewer than two classes have rows.
///
/// # Errors
/// As [`one_vs_rest_auc`].
pub fn wauroc(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<f64> {
    let areas = one_vs_rest_auc(truth, scores, n_classes, weights)?;
    class_mean(&areas, truth, weights, Weighing::Prevalence)
}

/// Mean over pairs of classes of the two AUCs among their rows (Hand and Till 2001, eq. 7).
///
/// Pairs with a class without rows are skipped; NaN when none is left.
///
/// # Errors
/// As [`one_vs_rest_auc`].
pub fn hand_till(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    pairs: Weighing,
) -> Result<f64> {
    checked(truth, scores, n_classes, weights)?;
    let masses = class_counts(truth, n_classes, weights)?;
    let (mut sum, mut total) = (0.0, 0.0);
    for i in 0..n_classes {
        for j in i + 1..n_classes {
            if masses[i] == 0.0 || masses[j] == 0.0 {
                continue;
            }
            let rows: Vec<usize> =
                (0..truth.len()).filter(|&row| [i, j].contains(&(truth[row] as usize))).collect();
            let pair_truth: Vec<u32> = rows.iter().map(|&row| truth[row]).collect();
            let pair_weights: Option<Vec<f64>> = weights.map(|w| rows.iter().map(|&row| w[row]).collect());
            let area = |class: usize| -> Result<f64> {
                let column: Vec<f64> = rows.iter().map(|&row| scores[row * n_classes + class]).collect();
                Ok(Sweep::new(&pair_truth, class as u32, &column, pair_weights.as_deref())?.auc())
            };
            let weight = match pairs {
                Weighing::Equal => 1.0,
                Weighing::Prevalence => masses[i] + masses[j],
            };
            sum += weight * f64::midpoint(area(i)?, area(j)?);
            total += weight;
        }
    }
    Ok(sum / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Columns: class 0 ranks its 2 rows first; class 1 is beaten once of 3; class 2 (1 row) ties with one of 3.
    const TRUTH: [u32; 4] = [0, 0, 1, 2];
    const SCORES: [f64; 12] = [0.7, 0.2, 0.1, 0.6, 0.3, 0.1, 0.3, 0.3, 0.4, 0.1, 0.5, 0.4];

    #[test]
    fn hand_worked_areas() {
        let areas = one_vs_rest_auc(&TRUTH, &SCORES, 3, None).unwrap();
        assert_eq!(areas, [1.0, 1.5 / 3.0, 2.5 / 3.0]);
        assert!((wauroc(&TRUTH, &SCORES, 3, None).unwrap() - (2.0 + 0.5 + 2.5 / 3.0) / 4.0).abs() < 1e-15);
        assert!(
            (class_mean(&areas, &TRUTH, None, Weighing::Equal).unwrap() - (1.5 + 2.5 / 3.0) / 3.0).abs()
                < 1e-15
        );
        // Pairs: (0,1): 1 and 3/4; (0,2): 1 and 1; (1,2): 0 and 1/2.
        let m = |pairs| hand_till(&TRUTH, &SCORES, 3, None, pairs).unwrap();
        assert!((m(Weighing::Equal) - (0.875 + 1.0 + 0.25) / 3.0).abs() < 1e-15);
        assert!((m(Weighing::Prevalence) - (3.0 * 0.875 + 3.0 + 2.0 * 0.25) / 8.0).abs() < 1e-15);
    }

    #[test]
    fn a_class_without_rows_is_skipped() {
        let truth = [0, 0, 1, 1];
        let areas = one_vs_rest_auc(&truth, &SCORES, 3, None).unwrap();
        assert!(areas[2].is_nan());
        assert_eq!(wauroc(&truth, &SCORES, 3, None).unwrap(), f64::midpoint(areas[0], areas[1]));
        let none = [0; 4];
        assert!(wauroc(&none, &SCORES, 3, None).unwrap().is_nan());
        assert!(hand_till(&none, &SCORES, 3, None, Weighing::Equal).unwrap().is_nan());
        let weightless = hand_till(&TRUTH, &SCORES, 3, Some(&[0.0; 4]), Weighing::Equal).unwrap();
        assert!(weightless.is_nan());
    }

    #[test]
    fn average_precision_of_every_class() {
        // Class 0 first; class 1's row is tied for second place; class 2's row is tied for first.
        let areas = one_vs_rest_average_precision(&TRUTH, &SCORES, 3, None).unwrap();
        assert_eq!(areas, [1.0, 1.0 / 3.0, 0.5]);
        let mean = |weighing| class_mean(&areas, &TRUTH, None, weighing).unwrap();
        assert!((mean(Weighing::Equal) - (1.5 + 1.0 / 3.0) / 3.0).abs() < 1e-15);
        assert!((mean(Weighing::Prevalence) - (2.5 + 1.0 / 3.0) / 4.0).abs() < 1e-15);
    }

    #[test]
    fn wrong_shapes_are_refused() {
        assert!(wauroc(&TRUTH, &SCORES[..11], 3, None).is_err());
        assert!(wauroc(&[0, 0, 1, 3], &SCORES, 3, None).is_err());
        assert!(wauroc(&TRUTH, &[f64::NAN; 12], 3, None).is_err());
        assert!(wauroc(&[], &[], 0, None).is_err());
    }
}
