//! Areas under ROC curves of several classes.

use crate::argument_checks;
use crate::imbalance::class_counts;
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::Result;

/// Weights of classes, or of pairs of classes, in a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassWeighting {
    /// Equal weights.
    Equal,
    /// The weight of a class or pair is the total weight of its rows.
    Prevalence,
}

fn class_score_column(scores: &[f64], class: usize, n_classes: usize) -> Vec<f64> {
    scores.iter().skip(class).step_by(n_classes).copied().collect()
}

fn check_scores(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<()> {
    argument_checks::check_matrix_size(scores, truth.len(), n_classes)?;
    argument_checks::check_class_codes("y_true", truth, n_classes)?;
    argument_checks::check_weights(weights, truth.len())?;
    argument_checks::check_scores_finite(scores)
}

/// AUC of every class against the rest; NaN for a class without rows or with all rows.
///
/// The scores of a class are its column of the row-major matrix `scores`.
///
/// # Errors
/// [`imbcore_core::Error::Data`] for wrong sizes, class codes, weights, or scores that are not finite.
pub fn one_vs_rest_auc(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    check_scores(truth, scores, n_classes, weights)?;
    area_per_class(truth, scores, n_classes, weights, ThresholdSweep::auc)
}

/// Average precision of every class against the rest.
///
/// The scores of a class are its column of the row-major matrix `scores`.
///
/// # Errors
/// Same errors as [`one_vs_rest_auc`].
pub fn one_vs_rest_average_precision(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    check_scores(truth, scores, n_classes, weights)?;
    area_per_class(truth, scores, n_classes, weights, ThresholdSweep::average_precision)
}

fn area_per_class(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    area: impl Fn(&ThresholdSweep) -> f64,
) -> Result<Vec<f64>> {
    (0..n_classes)
        .map(|class| {
            Ok(area(&ThresholdSweep::new(
                truth,
                class as u32,
                &class_score_column(scores, class, n_classes),
                weights,
            )?))
        })
        .collect()
}

/// Mean of one value per class, over the classes that have rows and a value that is not NaN.
///
/// NaN if there are no such classes.
///
/// # Errors
/// [`imbcore_core::Error::Data`] for a class code for which `values` has no element, or invalid weights.
pub fn mean_over_classes(
    values: &[f64],
    truth: &[u32],
    weights: Option<&[f64]>,
    weighing: ClassWeighting,
) -> Result<f64> {
    let masses = class_counts(truth, values.len(), weights)?;
    let (mut sum, mut total) = (0.0, 0.0);
    for (&value, &mass) in values.iter().zip(&masses).filter(|&(v, &m)| m > 0.0 && !v.is_nan()) {
        let weight = match weighing {
            ClassWeighting::Equal => 1.0,
            ClassWeighting::Prevalence => mass,
        };
        sum += weight * value;
        total += weight;
    }
    Ok(sum / total)
}

/// Mean of the one-vs-rest AUCs, weighted by class prevalence (Provost and Domingos 2003).
///
/// Hoens, Qian, Chawla and Zhou 2012 call it WAUROC. Classes without rows are skipped; the result is NaN if
/// fewer than two classes have rows.
///
/// # Errors
/// Same errors as [`one_vs_rest_auc`].
pub fn wauroc(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<f64> {
    let areas = one_vs_rest_auc(truth, scores, n_classes, weights)?;
    mean_over_classes(&areas, truth, weights, ClassWeighting::Prevalence)
}

/// Mean AUC of all pairs of classes (Hand and Till 2001, eq. 7).
///
/// Only rows of the two classes are used. A pair has two AUCs, by the scores of its first and of its second
/// class. Pairs with a class without rows are skipped; the result is NaN if no pair is left.
///
/// # Errors
/// Same errors as [`one_vs_rest_auc`].
pub fn hand_till_auc(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
    pairs: ClassWeighting,
) -> Result<f64> {
    check_scores(truth, scores, n_classes, weights)?;
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
                Ok(ThresholdSweep::new(&pair_truth, class as u32, &column, pair_weights.as_deref())?.auc())
            };
            let weight = match pairs {
                ClassWeighting::Equal => 1.0,
                ClassWeighting::Prevalence => masses[i] + masses[j],
            };
            sum += weight * f64::midpoint(area(i)?, area(j)?);
            total += weight;
        }
    }
    Ok(sum / total)
}

/// Threshold sweep over all entries of the score matrix together (micro-average).
///
/// Each entry is one case; it is positive if its column is the class of its row.
///
/// # Errors
/// Same errors as [`one_vs_rest_auc`].
pub fn micro_average_sweep(
    truth: &[u32],
    scores: &[f64],
    n_classes: usize,
    weights: Option<&[f64]>,
) -> Result<ThresholdSweep> {
    check_scores(truth, scores, n_classes, weights)?;
    let each = |&code: &u32| (0..n_classes).map(move |class| u32::from(code as usize == class));
    let is_own: Vec<u32> = truth.iter().flat_map(each).collect();
    let weights: Option<Vec<f64>> =
        weights.map(|weights| weights.iter().flat_map(|&w| std::iter::repeat_n(w, n_classes)).collect());
    ThresholdSweep::new(&is_own, 1, scores, weights.as_deref())
}

/// Computes the macro-averaged ROC curve.
///
/// The averaged curve has a point at every false positive rate at which one of the curves has a point. The
/// height of the point is the mean height of all curves at this rate. At vertical steps, there are two
/// points: the means of the lower and of the upper ends. Thus, the area is the mean of the areas. Curves of
/// data with a single class are left out. The result is empty if no curve remains.
pub fn macro_average_roc(sweeps: &[&ThresholdSweep]) -> Vec<(f64, f64)> {
    let curves: Vec<Vec<(f64, f64)>> = sweeps
        .iter()
        .filter(|sweep| sweep.positives() > 0.0 && sweep.negatives() > 0.0)
        .map(|sweep| sweep.roc(false).iter().map(|point| (point.fpr, point.tpr)).collect())
        .collect();
    let mut rates: Vec<f64> = curves.iter().flatten().map(|point| point.0).collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let mean = |rate: f64, upper: bool| {
        curves.iter().map(|curve| tpr_at_fpr(curve, rate, upper)).sum::<f64>() / curves.len() as f64
    };
    let mut found: Vec<(f64, f64)> = Vec::new();
    for rate in rates {
        for end in [mean(rate, false), mean(rate, true)] {
            if found.last() != Some(&(rate, end)) {
                found.push((rate, end));
            }
        }
    }
    found
}

/// Height of a ROC curve at the false positive rate `rate`.
///
/// At a vertical step, it is the height of the upper end if `upper` is true, otherwise of the lower end.
fn tpr_at_fpr(curve: &[(f64, f64)], rate: f64, upper: bool) -> f64 {
    let (from, to) = (curve.partition_point(|p| p.0 < rate), curve.partition_point(|p| p.0 <= rate));
    if from < to {
        return if upper { curve[to - 1].1 } else { curve[from].1 };
    }
    let (a, b) = (curve[from - 1], curve[from]);
    a.1 + (b.1 - a.1) * (rate - a.0) / (b.0 - a.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Column 0 ranks both rows of class 0 first. In column 1, one other row is above the row of class 1, and
    // one is tied with it. In column 2, one other row is tied with the row of class 2.
    const TRUTH: [u32; 4] = [0, 0, 1, 2];
    const SCORES: [f64; 12] = [0.7, 0.2, 0.1, 0.6, 0.3, 0.1, 0.3, 0.3, 0.4, 0.1, 0.5, 0.4];

    #[test]
    fn hand_worked_areas() {
        let areas = one_vs_rest_auc(&TRUTH, &SCORES, 3, None).unwrap();
        assert_eq!(areas, [1.0, 1.5 / 3.0, 2.5 / 3.0]);
        assert!((wauroc(&TRUTH, &SCORES, 3, None).unwrap() - (2.0 + 0.5 + 2.5 / 3.0) / 4.0).abs() < 1e-15);
        assert!(
            (mean_over_classes(&areas, &TRUTH, None, ClassWeighting::Equal).unwrap()
                - (1.5 + 2.5 / 3.0) / 3.0)
                .abs()
                < 1e-15
        );
        // Pairs: (0,1): 1 and 3/4; (0,2): 1 and 1; (1,2): 0 and 1/2.
        let m = |pairs| hand_till_auc(&TRUTH, &SCORES, 3, None, pairs).unwrap();
        assert!((m(ClassWeighting::Equal) - (0.875 + 1.0 + 0.25) / 3.0).abs() < 1e-15);
        assert!((m(ClassWeighting::Prevalence) - (3.0 * 0.875 + 3.0 + 2.0 * 0.25) / 8.0).abs() < 1e-15);
    }

    #[test]
    fn a_class_without_rows_is_skipped() {
        let truth = [0, 0, 1, 1];
        let areas = one_vs_rest_auc(&truth, &SCORES, 3, None).unwrap();
        assert!(areas[2].is_nan());
        assert_eq!(wauroc(&truth, &SCORES, 3, None).unwrap(), f64::midpoint(areas[0], areas[1]));
        let none = [0; 4];
        assert!(wauroc(&none, &SCORES, 3, None).unwrap().is_nan());
        assert!(hand_till_auc(&none, &SCORES, 3, None, ClassWeighting::Equal).unwrap().is_nan());
        let weightless = hand_till_auc(&TRUTH, &SCORES, 3, Some(&[0.0; 4]), ClassWeighting::Equal).unwrap();
        assert!(weightless.is_nan());
    }

    #[test]
    fn average_precision_of_every_class() {
        // Column 0 ranks the rows of class 0 first. The row of class 1 is tied for second place in its
        // column, and the row of class 2 is tied for first place in its column.
        let areas = one_vs_rest_average_precision(&TRUTH, &SCORES, 3, None).unwrap();
        assert_eq!(areas, [1.0, 1.0 / 3.0, 0.5]);
        let mean = |weighing| mean_over_classes(&areas, &TRUTH, None, weighing).unwrap();
        assert!((mean(ClassWeighting::Equal) - (1.5 + 1.0 / 3.0) / 3.0).abs() < 1e-15);
        assert!((mean(ClassWeighting::Prevalence) - (2.5 + 1.0 / 3.0) / 4.0).abs() < 1e-15);
    }

    #[test]
    fn a_mean_curve_has_the_mean_area_and_a_micro_curve_counts_all_columns() {
        let sweeps: Vec<ThresholdSweep> = (0..3)
            .map(|class| {
                ThresholdSweep::new(&TRUTH, class as u32, &class_score_column(&SCORES, class, 3), None)
                    .unwrap()
            })
            .collect();
        let areas = one_vs_rest_auc(&TRUTH, &SCORES, 3, None).unwrap();
        let curve = macro_average_roc(&sweeps.iter().collect::<Vec<_>>());
        let area: f64 = curve.windows(2).map(|w| (w[1].0 - w[0].0) * f64::midpoint(w[0].1, w[1].1)).sum();
        assert!((area - areas.iter().sum::<f64>() / 3.0).abs() < 1e-15, "{curve:?}");
        assert_eq!((curve[0], curve[curve.len() - 1]), ((0.0, 0.0), (1.0, 1.0)));
        assert!(macro_average_roc(&[]).is_empty());
        // Four entries are in the column of their row's class, and eight are in other columns, so there are 4
        // x 8 pairs.
        let micro = micro_average_sweep(&TRUTH, &SCORES, 3, None).unwrap();
        let (own, other): (Vec<f64>, Vec<f64>) =
            ([0.7, 0.6, 0.3, 0.4].into(), [0.2, 0.1, 0.3, 0.1, 0.3, 0.4, 0.1, 0.5].into());
        let won: f64 = own
            .iter()
            .flat_map(|a| {
                other.iter().map(move |b| f64::from(u8::from(a > b)) + f64::from(u8::from(a == b)) / 2.0)
            })
            .sum();
        assert!((micro.auc() - won / 32.0).abs() < 1e-15);
        let doubled = micro_average_sweep(&TRUTH, &SCORES, 3, Some(&[2.0; 4])).unwrap();
        assert_eq!((doubled.positives(), doubled.auc()), (8.0, micro.auc()));
        assert!(micro_average_sweep(&TRUTH, &SCORES[..11], 3, None).is_err());
    }

    #[test]
    fn wrong_shapes_are_refused() {
        assert!(wauroc(&TRUTH, &SCORES[..11], 3, None).is_err());
        assert!(wauroc(&[0, 0, 1, 3], &SCORES, 3, None).is_err());
        assert!(wauroc(&TRUTH, &[f64::NAN; 12], 3, None).is_err());
        assert!(wauroc(&[], &[], 0, None).is_err());
    }
}
