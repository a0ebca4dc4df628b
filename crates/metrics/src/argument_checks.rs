//! Input checks shared by all scores, and the effective number of weighted rows.

use imbcore_core::{Error, Result};

pub(crate) fn check_length(name: &str, found: usize, n_rows: usize) -> Result<()> {
    if found == n_rows {
        return Ok(());
    }
    Err(Error::Data(format!("{name} has {found} values, but y_true has {n_rows}")))
}

/// Allowed range of nonzero weights.
///
/// It is so narrow that a product of four sums of weights neither overflows nor underflows.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// Checks that each row has a weight, and that weights are finite and not negative.
///
/// This suffices if weights are only summed.
pub(crate) fn check_summable_weights(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    let Some(weights) = weights else { return Ok(()) };
    check_length("sample_weight", weights.len(), n_rows)?;
    if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
        return Err(Error::Data(format!(
            "sample_weight must be finite and not negative; row {row} has {}",
            weights[row]
        )));
    }
    Ok(())
}

/// Like [`check_summable_weights`], but also limits weights so that they can be multiplied.
pub(crate) fn check_weights(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    check_summable_weights(weights, n_rows)?;
    let Some(weights) = weights else { return Ok(()) };
    match weights.iter().position(|w| *w != 0.0 && !WEIGHTS.contains(w)) {
        Some(row) => Err(Error::Data(format!(
            "sample_weight must be 0 or a number from {:e} to {:e}, got {:e} in row {row}; multiply all weights by the same \
             number",
            WEIGHTS.start(),
            WEIGHTS.end(),
            weights[row]
        ))),
        None => Ok(()),
    }
}

pub(crate) fn check_class_codes(name: &str, codes: &[u32], n_classes: usize) -> Result<()> {
    match codes.iter().find(|&&code| code as usize >= n_classes) {
        Some(code) => {
            Err(Error::Data(format!("{name} has class code {code}, outside the {n_classes} classes")))
        }
        None => Ok(()),
    }
}

pub(crate) fn check_class(class: u32, n_classes: usize) -> Result<()> {
    if (class as usize) < n_classes {
        return Ok(());
    }
    Err(Error::Data(format!("class code {class} is outside the {n_classes} classes")))
}

pub(crate) fn check_scores_finite(scores: &[f64]) -> Result<()> {
    match scores.iter().position(|score| !score.is_finite()) {
        Some(row) => Err(Error::Data(format!("scores must be finite; value {row} is {}", scores[row]))),
        None => Ok(()),
    }
}

pub(crate) fn check_probabilities(values: &[f64]) -> Result<()> {
    match values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(row) => {
            Err(Error::Data(format!("probabilities must lie in [0, 1]; value {row} is {}", values[row])))
        }
        None => Ok(()),
    }
}

pub(crate) fn check_matrix_size(values: &[f64], n_rows: usize, n_classes: usize) -> Result<()> {
    if n_classes > 0 && n_rows.checked_mul(n_classes) == Some(values.len()) {
        return Ok(());
    }
    Err(Error::Data(format!(
        "the score matrix has {} values; {n_rows} rows of {n_classes} classes need {}",
        values.len(),
        n_rows.saturating_mul(n_classes)
    )))
}

#[inline]
pub(crate) fn weight_or_one(weights: Option<&[f64]>, row: usize) -> f64 {
    weights.map_or(1.0, |weights| weights[row])
}

/// Largest power of two that is at most |number|; 1 for zero, subnormal or infinite numbers.
///
/// Division by a power of two causes no rounding error.
pub(crate) fn floor_power_of_two(number: f64) -> f64 {
    if number.is_normal() { f64::from_bits(number.abs().to_bits() & (0x7ff << 52)) } else { 1.0 }
}

/// Effective sample size, `(sum w)^2 / sum w^2` for weights w (Kish 1965); NaN if all are 0.
pub(crate) fn effective_sample_size(weights: impl Iterator<Item = f64>) -> f64 {
    let add = |(sum, squares): (f64, f64), weight: f64| (sum + weight, squares + weight * weight);
    let (sum, squares) = weights.fold((0.0, 0.0), add);
    sum * sum / squares
}

pub(crate) fn check_differences_finite(differences: &[f64]) -> Result<()> {
    match differences.iter().position(|d| !d.is_finite()) {
        Some(pair) => {
            Err(Error::Data(format!("differences must be finite; pair {pair} has {}", differences[pair])))
        }
        None => Ok(()),
    }
}
