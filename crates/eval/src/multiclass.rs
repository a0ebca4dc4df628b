//! Areas under ROC curves of several classes.

use crate::check;
use crate::curves::Sweep;
use imbcore_base::Result;

/// How the pairs of classes are weighed in [`hand_till`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairWeights {
    /// All the same, as in the paper.
    Equal,
    /// By the weight of the rows of both classes.
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
    (0..n_classes)
        .map(|class| Ok(Sweep::new(truth, class as u32, &column(scores, class, n_classes), weights)?.auc()))
        .collect()
}

/// One-against-rest AUC weighted by the prevalence of each class (Provost and Domingos 2003); paper 2's WAUROC.
///
/// Classes without rows are skipped; NaN when fewer than two classes have rows.
///
/// # Errors
/// As [`one_vs_rest_auc`].
pub fn wauroc(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<f64> {
    let areas = one_vs_rest_auc(truth, scores, n_classes, weights)?;
    let masses = class_masses(truth, n_classes, weights);
    let defined = || areas.iter().zip(&masses).filter(|(area, _)| !area.is_nan());
    let total: f64 = defined().map(|(_, mass)| mass).sum();
    Ok(defined().map(|(area, mass)| area * mass).sum::<f64>() / total)
}

/// One-against-rest AUC, every class that has rows counting the same; NaN when fewer than two have.
///
/// # Errors
/// As [`one_vs_rest_auc`].
pub fn macro_auc(truth: &[u32], scores: &[f64], n_classes: usize, weights: Option<&[f64]>) -> Result<f64> {
    let areas = one_vs_rest_auc(truth, scores, n_classes, weights)?;
    let defined: Vec<f64> = areas.into_iter().filter(|area| !area.is_nan()).collect();
    Ok(defined.iter().sum::<f64>() / defined.len() as f64)
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
    pairs: PairWeights,
) -> Result<f64> {
    checked(truth, scores, n_classes, weights)?;
    let masses = class_masses(truth, n_classes, weights);
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
                PairWeights::Equal => 1.0,
                PairWeights::Prevalence => masses[i] + masses[j],
            };
            sum += weight * f64::midpoint(area(i)?, area(j)?);
            total += weight;
        }
    }
    Ok(sum / total)
}

fn class_masses(truth: &[u32], n_classes: usize, weights: Option<&[f64]>) -> Vec<f64> {
    let mut masses = vec![0.0; n_classes];
    for (row, &class) in truth.iter().enumerate() {
        masses[class as usize] += check::weight(weights, row);
    }
    masses
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
        assert!((macro_auc(&TRUTH, &SCORES, 3, None).unwrap() - (1.5 + 2.5 / 3.0) / 3.0).abs() < 1e-15);
        // Pairs: (0,1): 1 and 3/4; (0,2): 1 and 1; (1,2): 0 and 1/2.
        let m = |pairs| hand_till(&TRUTH, &SCORES, 3, None, pairs).unwrap();
        assert!((m(PairWeights::Equal) - (0.875 + 1.0 + 0.25) / 3.0).abs() < 1e-15);
        assert!((m(PairWeights::Prevalence) - (3.0 * 0.875 + 3.0 + 2.0 * 0.25) / 8.0).abs() < 1e-15);
    }

    #[test]
    fn a_class_without_rows_is_skipped() {
        let truth = [0, 0, 1, 1];
        let areas = one_vs_rest_auc(&truth, &SCORES, 3, None).unwrap();
        assert!(areas[2].is_nan());
        assert_eq!(wauroc(&truth, &SCORES, 3, None).unwrap(), f64::midpoint(areas[0], areas[1]));
        let none = [0; 4];
        assert!(wauroc(&none, &SCORES, 3, None).unwrap().is_nan());
        assert!(macro_auc(&none, &SCORES, 3, None).unwrap().is_nan());
        assert!(hand_till(&none, &SCORES, 3, None, PairWeights::Equal).unwrap().is_nan());
        let weightless = hand_till(&TRUTH, &SCORES, 3, Some(&[0.0; 4]), PairWeights::Equal).unwrap();
        assert!(weightless.is_nan());
    }

    #[test]
    fn wrong_shapes_are_refused() {
        assert!(wauroc(&TRUTH, &SCORES[..11], 3, None).is_err());
        assert!(wauroc(&[0, 0, 1, 3], &SCORES, 3, None).is_err());
        assert!(wauroc(&TRUTH, &[f64::NAN; 12], 3, None).is_err());
        assert!(wauroc(&[], &[], 0, None).is_err());
    }
}
