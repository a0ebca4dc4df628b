//! Reliability tables: predicted probabilities against observed frequencies.

use crate::argument_checks;
use crate::probability::{brier, check_probabilities};
use crate::tails::{normal_quantile, normal_sf};
use imbcore_core::{Error, Result};
use std::f64::consts::FRAC_2_PI;

const LEVEL: f64 = 0.95;

/// Assignment of probabilities to bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binning {
    /// A given number b of bins of equal width.
    ///
    /// Bin k is [k/b, (k+1)/b); the last bin also includes 1.
    Uniform(usize),
    /// A given number of bins with nearly equal numbers of rows, in the order of probability.
    ///
    /// Rows of weight 0 are not counted. Rows of equal probability are in the same bin, that of their middle
    /// row.
    Quantile(usize),
    /// One bin per distinct probability.
    Distinct,
}

/// One bin of a calibration table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// Index of the bin, from 0; bins without rows are left out of a table.
    pub bin: usize,
    /// Number of rows of positive weight.
    pub rows: usize,
    /// Total weight of the rows in the bin.
    pub weight: f64,
    /// Mean predicted probability of the rows in the bin.
    pub mean_probability: f64,
    /// Weighted fraction of the rows in the bin that are positive.
    pub positive_fraction: f64,
    /// Lower end of the 95 % interval of the positive fraction (Wilson 1927).
    ///
    /// If rows have weights, the interval is computed from the effective number of rows.
    pub low: f64,
    /// Upper end of the 95 % interval of the positive fraction.
    pub high: f64,
    /// Effective number of rows.
    worth: f64,
}

impl CalibrationBin {
    fn calibration_gap(&self) -> f64 {
        (self.mean_probability - self.positive_fraction).abs()
    }

    /// Unbiased estimate of the variance of the positive fraction.
    /// This variance is also the bias of the squared difference of positive fraction and mean probability.
    fn positive_fraction_variance(&self) -> f64 {
        let f = self.positive_fraction;
        // With one row, the variance cannot be estimated.
        if self.worth > 1.0 { f * (1.0 - f) / (self.worth - 1.0) } else { 0.0 }
    }
}

/// Summary errors of a reliability table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationErrors {
    /// Weighted mean over the bins of |mean probability - positive fraction| (ECE).
    pub expected: f64,
    /// Maximum over the bins of |mean probability - positive fraction| (MCE).
    pub maximum: f64,
    /// ECE minus its estimated bias (Kumar, Liang and Ma 2019, section 5, in closed form).
    ///
    /// The bias is estimated as the increase of the ECE if normal noise with the variance of each bin is
    /// added to its positive fraction. For calibrated probabilities, this estimate removes only about 40 % of
    /// the bias. The result may be negative.
    pub expected_corrected: f64,
    /// Weighted mean over the bins of (mean probability - positive fraction)^2, bias-corrected.
    ///
    /// The estimated bias is subtracted, so the result may be negative (Bröcker 2012; Kumar, Liang
    /// and Ma 2019, section 4.2).
    pub squared_corrected: f64,
}

/// Decomposition of the Brier score: `reliability - resolution + uncertainty + within`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BrierParts {
    /// The Brier score itself.
    pub brier: f64,
    /// Weighted mean of (mean probability - positive fraction)^2 over the bins (Murphy 1973).
    pub reliability: f64,
    /// Weighted mean over the bins of (positive fraction - positive fraction of all rows)^2.
    pub resolution: f64,
    /// Brier score if the positive fraction of all rows were predicted for every row.
    pub uncertainty: f64,
    /// Part of the Brier score that comes from different probabilities in the same bin.
    ///
    /// See Stephenson, Coelho and Jolliffe 2008. It is 0 if the probabilities in each bin are equal.
    pub within: f64,
}

/// Reliability table: mean probability and fraction of positives in bins of `p`.
///
/// # Errors
/// Same errors as [`brier`]; [`Error::Parameter`] for 0 bins.
pub fn calibration_bins(
    truth: &[u32],
    positive: u32,
    p: &[f64],
    weights: Option<&[f64]>,
    binning: Binning,
) -> Result<Vec<CalibrationBin>> {
    check_probabilities(truth, p, weights)?;
    let bin_of_row = assign_rows_to_bins(p, weights, binning)?;
    let mut rows: Vec<usize> = (0..p.len()).collect();
    rows.sort_by_key(|&row| bin_of_row[row]);
    let bin = |rows: &[usize]| {
        let sum = |term: &dyn Fn(usize) -> f64| {
            rows.iter().map(|&row| argument_checks::weight_or_one(weights, row) * term(row)).sum::<f64>()
        };
        let weight = sum(&|_| 1.0);
        let worth = argument_checks::effective_sample_size(
            rows.iter().map(|&row| argument_checks::weight_or_one(weights, row)),
        );
        let positive_fraction = sum(&|row| f64::from(u8::from(truth[row] == positive))) / weight;
        let (low, high) = wilson_interval(positive_fraction, worth);
        CalibrationBin {
            bin: bin_of_row[rows[0]],
            rows: rows.iter().filter(|&&row| argument_checks::weight_or_one(weights, row) > 0.0).count(),
            weight,
            mean_probability: sum(&|row| p[row]) / weight,
            positive_fraction,
            low,
            high,
            worth,
        }
    };
    let bins = rows.chunk_by(|&a, &b| bin_of_row[a] == bin_of_row[b]).map(bin);
    Ok(bins.filter(|bin| bin.weight > 0.0).collect())
}

/// [`calibration_bins`] of every class against the rest, from row-major `proba`.
///
/// If `proba` has a single column, it has the probabilities of class 1.
///
/// # Errors
/// Same errors as [`calibration_bins`]; [`Error::Data`] for wrong sizes.
pub fn calibration_bins_per_class(
    truth: &[u32],
    proba: &[f64],
    n_columns: usize,
    weights: Option<&[f64]>,
    binning: Binning,
) -> Result<Vec<Vec<CalibrationBin>>> {
    probability_columns(truth, proba, n_columns)?
        .map(|(class, p)| calibration_bins(truth, class, &p, weights, binning))
        .collect()
}

fn probability_columns<'a>(
    truth: &[u32],
    proba: &'a [f64],
    n_columns: usize,
) -> Result<impl Iterator<Item = (u32, Vec<f64>)> + 'a> {
    argument_checks::check_matrix_size(proba, truth.len(), n_columns)?;
    let first = u32::from(n_columns == 1);
    Ok((0..n_columns).map(move |column| {
        (first + column as u32, proba.iter().skip(column).step_by(n_columns).copied().collect())
    }))
}

fn assign_rows_to_bins(p: &[f64], weights: Option<&[f64]>, binning: Binning) -> Result<Vec<usize>> {
    match binning {
        Binning::Uniform(0) | Binning::Quantile(0) => {
            Err(Error::parameter("calibration_table", "n_bins", "at least 1", 0))
        }
        Binning::Uniform(n_bins) => Ok(p.iter().map(|&p| uniform_bin_index(p, n_bins)).collect()),
        Binning::Quantile(n_bins) => {
            let n_rows =
                (0..p.len()).filter(|&row| argument_checks::weight_or_one(weights, row) > 0.0).count();
            let mut before = 0;
            Ok(bin_tied_rows_together(p, |rows| {
                let own =
                    rows.iter().filter(|&&row| argument_checks::weight_or_one(weights, row) > 0.0).count();
                let middle = before + own.saturating_sub(1) / 2;
                before += own;
                (middle as u128 * n_bins as u128 / n_rows.max(1) as u128) as usize
            }))
        }
        Binning::Distinct => {
            let mut bins = 0..;
            Ok(bin_tied_rows_together(p, |_| bins.next().unwrap_or_default()))
        }
    }
}

/// Returns the bin of every row.
///
/// Rows of equal probability form a group. `bin` returns the bin of a group and is called for the groups in
/// ascending order of probability.
fn bin_tied_rows_together(p: &[f64], mut bin: impl FnMut(&[usize]) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    // Adding 0 turns -0 into 0.
    order.sort_by(|&a, &b| (p[a] + 0.0).total_cmp(&(p[b] + 0.0)));
    let mut bins = vec![0; p.len()];
    for rows in order.chunk_by(|&a, &b| p[a] == p[b]) {
        let bin = bin(rows);
        for &row in rows {
            bins[row] = bin;
        }
    }
    bins
}

/// Index k of the bin of p: k/b <= p < (k+1)/b without rounding errors; 1 is in the last bin.
fn uniform_bin_index(p: f64, n_bins: usize) -> usize {
    let b = n_bins as f64;
    // The rounded product p b may be in a neighboring bin, which is corrected below.
    #[allow(clippy::cast_sign_loss)]
    let near = ((p * b) as usize).min(n_bins - 1);
    if near > 0 && p < near as f64 / b {
        near - 1
    } else if near + 1 < n_bins && p >= (near + 1) as f64 / b {
        near + 1
    } else {
        near
    }
}

fn wilson_interval(proportion: f64, n: f64) -> (f64, f64) {
    let z2 = normal_quantile(f64::midpoint(1.0, LEVEL)).powi(2);
    let center = proportion + z2 / (2.0 * n);
    let half = (z2 * (proportion * (1.0 - proportion) / n + z2 / (4.0 * n * n))).sqrt();
    let end = |end: f64| (end / (1.0 + z2 / n)).clamp(0.0, 1.0);
    // For proportions of 0 or 1, rounding must not exclude the proportion from its interval.
    (end(center - half).min(proportion), end(center + half).max(proportion))
}

/// Expected and maximum calibration error, and bias-corrected errors.
///
/// All errors are NaN for a table without bins.
pub fn calibration_errors(bins: &[CalibrationBin]) -> CalibrationErrors {
    let total: f64 = bins.iter().map(|bin| bin.weight).sum();
    let mean = |term: &dyn Fn(&CalibrationBin) -> f64| {
        bins.iter().map(|bin| bin.weight * term(bin)).sum::<f64>() / total
    };
    CalibrationErrors {
        expected: mean(&CalibrationBin::calibration_gap),
        maximum: bins.iter().map(CalibrationBin::calibration_gap).fold(f64::NAN, f64::max),
        expected_corrected: mean(&|bin| 2.0 * bin.calibration_gap() - expected_noisy_calibration_gap(bin)),
        squared_corrected: mean(&|bin| bin.calibration_gap().powi(2) - bin.positive_fraction_variance()),
    }
}

/// Mean of |mean probability - positive fraction| of a bin if its fraction has normal noise.
fn expected_noisy_calibration_gap(bin: &CalibrationBin) -> f64 {
    let (gap, f) = (bin.calibration_gap(), bin.positive_fraction);
    let sd = (f * (1.0 - f) / bin.worth).sqrt();
    if sd == 0.0 {
        return gap;
    }
    let z = gap / sd;
    sd * FRAC_2_PI.sqrt() * (-0.5 * z * z).exp() + gap * (1.0 - 2.0 * normal_sf(z))
}

/// Calibration errors over several classes (Kull et al. 2019).
///
/// `expected`, `expected_corrected` and `squared_corrected` are means over the classes (classwise ECE).
/// `maximum` is the largest maximum of a class.
pub fn class_calibration_errors(classes: &[Vec<CalibrationBin>]) -> CalibrationErrors {
    let errors: Vec<CalibrationErrors> = classes.iter().map(|bins| calibration_errors(bins)).collect();
    let mean =
        |field: fn(&CalibrationErrors) -> f64| errors.iter().map(field).sum::<f64>() / errors.len() as f64;
    CalibrationErrors {
        expected: mean(|errors| errors.expected),
        maximum: errors.iter().map(|errors| errors.maximum).fold(f64::NAN, f64::max),
        expected_corrected: mean(|errors| errors.expected_corrected),
        squared_corrected: mean(|errors| errors.squared_corrected),
    }
}

/// Brier score decomposition, summed over the classes.
///
/// If `corrected`, the bias of each component is removed, which does not change the Brier score (Ferro and
/// Fricker 2012).
///
/// # Errors
/// Same errors as [`calibration_bins_per_class`].
pub fn brier_parts(
    truth: &[u32],
    proba: &[f64],
    n_columns: usize,
    weights: Option<&[f64]>,
    binning: Binning,
    corrected: bool,
) -> Result<BrierParts> {
    let mut all = BrierParts::default();
    for (class, p) in probability_columns(truth, proba, n_columns)? {
        let bins = calibration_bins(truth, class, &p, weights, binning)?;
        let worth = argument_checks::effective_sample_size(
            (0..truth.len()).map(|row| argument_checks::weight_or_one(weights, row)),
        );
        let one = brier_parts_from_bins(&bins, brier(truth, class, &p, weights)?, worth, corrected);
        all.brier += one.brier;
        all.reliability += one.reliability;
        all.resolution += one.resolution;
        all.uncertainty += one.uncertainty;
        all.within += one.within;
    }
    Ok(all)
}

fn brier_parts_from_bins(bins: &[CalibrationBin], brier: f64, worth: f64, corrected: bool) -> BrierParts {
    let total: f64 = bins.iter().map(|bin| bin.weight).sum();
    let mean = |term: &dyn Fn(&CalibrationBin) -> f64| {
        bins.iter().map(|bin| bin.weight * term(bin)).sum::<f64>() / total
    };
    let base = mean(&|bin| bin.positive_fraction);
    let reliability = mean(&|bin| bin.calibration_gap().powi(2));
    let resolution = mean(&|bin| (bin.positive_fraction - base).powi(2));
    let uncertainty = base * (1.0 - base);
    let within = brier - (reliability - resolution + uncertainty);
    let (of_bins, of_all) = if corrected {
        (mean(&CalibrationBin::positive_fraction_variance), uncertainty / (worth - 1.0).max(1.0))
    } else {
        (0.0, 0.0)
    };
    BrierParts {
        brier,
        reliability: reliability - of_bins,
        resolution: resolution - of_bins + of_all,
        uncertainty: uncertainty + of_all,
        within,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_on_an_edge_go_up() {
        for (p, bin) in [(0.0, 0), (0.29, 29), (0.57, 57), (0.58, 58), (0.999, 99), (1.0, 99)] {
            assert_eq!(uniform_bin_index(p, 100), bin, "{p}");
        }
        for k in 0..1000 {
            assert_eq!(uniform_bin_index(k as f64 / 1000.0, 1000), k);
        }
    }

    #[test]
    fn hand_worked_calibration() {
        let (truth, p) = ([0, 1, 1, 0, 1], [0.1, 0.3, 0.9, 0.7, 1.0]);
        let bins = calibration_bins(&truth, 1, &p, None, Binning::Uniform(2)).unwrap();
        let found_bins: Vec<_> =
            bins.iter().map(|b| (b.bin, b.rows, b.weight, b.positive_fraction)).collect();
        assert_eq!(found_bins, [(0, 2, 2.0, 0.5), (1, 3, 3.0, 2.0 / 3.0)]);
        let found = calibration_errors(&bins);
        assert!((found.expected - (2.0 * 0.3 + 3.0 * 0.2) / 5.0).abs() < 1e-15);
        assert!((found.maximum - 0.3).abs() < 1e-15);
        // f (1 - f) / (n - 1) is 1/4 and 1/9.
        let squared = (2.0 * (0.09 - 0.25) + 3.0 * (0.04 - 1.0 / 9.0)) / 5.0;
        assert!((found.squared_corrected - squared).abs() < 1e-15);
        let quantile = calibration_bins(&truth, 1, &p, None, Binning::Quantile(2)).unwrap();
        assert_eq!(quantile.iter().map(|b| b.weight).collect::<Vec<_>>(), [3.0, 2.0]);
        // Rows of equal probability are in one bin, in any order of the rows.
        let p: Vec<f64> = [0.1, 0.5].into_iter().flat_map(|p| [p; 50]).collect();
        let mut truth: Vec<u32> = (0..100).map(|row| u32::from(row < 5 || (50..75).contains(&row))).collect();
        for _ in 0..3 {
            let bins = calibration_bins(&truth, 1, &p, None, Binning::Quantile(10)).unwrap();
            assert!(calibration_errors(&bins).expected < 1e-15);
            truth[..50].rotate_left(7);
            truth[50..].rotate_left(13);
        }
        let distinct = calibration_bins(&[1, 0, 1], 1, &[0.5, 0.25, 0.5], None, Binning::Distinct).unwrap();
        assert_eq!(distinct.iter().map(|b| (b.bin, b.rows)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    }

    #[test]
    fn intervals_are_wilsons() {
        // Intervals for 81 of 263, 15 of 148, 0 of 20 and 1 of 29 are from Newcombe 1998, table I.
        for (k, n, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let found = wilson_interval(k / n, n);
            assert!((found.0 - low).abs() < 5e-5 && (found.1 - high).abs() < 5e-5, "{found:?}");
        }
    }

    #[test]
    fn hand_worked_parts() {
        // One of four rows is positive at probability 1/4, and three of four at probability 1/2.
        let truth = [1, 0, 0, 0, 1, 1, 1, 0];
        let p = [0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5];
        let found = brier_parts(&truth, &p, 1, None, Binning::Distinct, false).unwrap();
        assert_eq!((found.reliability, found.resolution, found.uncertainty), (1.0 / 32.0, 1.0 / 16.0, 0.25));
        assert_eq!((found.brier, found.within), (7.0 / 32.0, 0.0));
        let corrected = brier_parts(&truth, &p, 1, None, Binning::Distinct, true).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(near(corrected.reliability, 1.0 / 32.0 - 1.0 / 16.0));
        assert!(near(corrected.uncertainty, 2.0 / 7.0));
        let sum = corrected.reliability - corrected.resolution + corrected.uncertainty;
        assert!(near(sum, found.brier));
        // If the two probabilities are in one bin, their difference contributes to the component `within`.
        let coarse = brier_parts(&truth, &p, 1, None, Binning::Uniform(1), false).unwrap();
        assert_eq!((coarse.resolution, coarse.brier), (0.0, found.brier));
        assert!(near(coarse.within, found.brier - 0.25 - 1.0 / 64.0));
        let both: Vec<f64> = p.iter().flat_map(|p| [1.0 - p, *p]).collect();
        let classes = brier_parts(&truth, &both, 2, None, Binning::Distinct, false).unwrap();
        assert!(near(classes.brier, 2.0 * found.brier) && near(classes.reliability, 2.0 * found.reliability));
    }

    #[test]
    fn corrections_take_bias_out() {
        // The probabilities are calibrated. The test averages over all numbers of heads in 10 fair coin
        // tosses, with their binomial probabilities.
        let binomial = [1.0, 10.0, 45.0, 120.0, 210.0, 252.0, 210.0, 120.0, 45.0, 10.0, 1.0];
        let (mut raw, mut squared, mut corrected) = (0.0, 0.0, 0.0);
        for (k, chance) in binomial.into_iter().enumerate() {
            let truth: Vec<u32> = (0..10).map(|row| u32::from(row < k)).collect();
            let bins = calibration_bins(&truth, 1, &[0.5; 10], None, Binning::Uniform(1)).unwrap();
            let found = calibration_errors(&bins);
            raw += chance / 1024.0 * found.expected;
            squared += chance / 1024.0 * found.squared_corrected;
            corrected += chance / 1024.0 * found.expected_corrected;
        }
        assert!(raw > 0.12 && squared.abs() < 1e-12, "{raw} {squared}");
        assert!(corrected < 0.6 * raw, "{corrected}");
    }

    #[test]
    fn weights_are_rows() {
        let (truth, p) = ([0, 1, 1], [0.2, 0.3, 0.9]);
        let weighed = calibration_bins(&truth, 1, &p, Some(&[2.0, 2.0, 0.0]), Binning::Uniform(2)).unwrap();
        let plain = calibration_bins(&truth[..2], 1, &p[..2], None, Binning::Uniform(2)).unwrap();
        assert_eq!(weighed.len(), 1);
        assert_eq!((weighed[0].rows, weighed[0].weight, weighed[0].worth), (2, 4.0, 2.0));
        assert_eq!((weighed[0].low, weighed[0].high), (plain[0].low, plain[0].high));
    }

    #[test]
    fn empty_tables_and_bad_input() {
        let none = calibration_bins(&[], 1, &[], None, Binning::Quantile(3)).unwrap();
        let found = calibration_errors(&none);
        assert!(none.is_empty() && found.expected.is_nan() && found.maximum.is_nan());
        assert!(calibration_bins(&[1], 1, &[0.5], Some(&[0.0]), Binning::Uniform(3)).unwrap().is_empty());
        assert!(calibration_bins(&[1], 1, &[0.5], None, Binning::Uniform(0)).is_err());
        assert!(calibration_bins_per_class(&[1, 0], &[0.5; 3], 2, None, Binning::Distinct).is_err());
    }
}
