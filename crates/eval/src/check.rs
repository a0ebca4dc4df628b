//! Checks that every score makes of its input, and what its weights are worth.

use imbcore_base::{Error, Result};

/// `name` must have one value for each of `n_rows` rows.
pub(crate) fn same_length(name: &str, found: usize, n_rows: usize) -> Result<()> {
    if found == n_rows {
        return Ok(());
    }
    Err(Error::Data(format!("{name} has {found} values, but y_true has {n_rows}")))
}

/// Weights that are not 0: products of four sums of so many neither overflow nor vanish.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// Row weights that are only added up: as many as rows, finite and not negative.
pub(crate) fn summands(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    let Some(weights) = weights else { return Ok(()) };
    same_length("sample_weight", weights.len(), n_rows)?;
    if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
        return Err(Error::Data(format!(
            "sample_weight must be finite and not negative; row {row} has {}",
            weights[row]
        )));
    }
    Ok(())
}

/// Row weights as [`summands`], and of a size that can be multiplied.
pub(crate) fn weights(weights: Option<&[f64]>, n_rows: usize) -> Result<()> {
    summands(weights, n_rows)?;
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

/// Class codes below `n_classes`.
pub(crate) fn codes(name: &str, codes: &[u32], n_classes: usize) -> Result<()> {
    match codes.iter().find(|&&code| code as usize >= n_classes) {
        Some(code) => {
            Err(Error::Data(format!("{name} has class code {code}, outside the {n_classes} classes")))
        }
        None => Ok(()),
    }
}

/// One class code below `n_classes`.
pub(crate) fn class(class: u32, n_classes: usize) -> Result<()> {
    if (class as usize) < n_classes {
        return Ok(());
    }
    Err(Error::Data(format!("class code {class} is outside the {n_classes} classes")))
}

/// Scores that can be put in order and cut between.
pub(crate) fn finite(scores: &[f64]) -> Result<()> {
    match scores.iter().position(|score| !score.is_finite()) {
        Some(at) => Err(Error::Data(format!("scores must be finite; value {at} is {}", scores[at]))),
        None => Ok(()),
    }
}

/// Numbers in [0, 1].
pub(crate) fn probabilities(values: &[f64]) -> Result<()> {
    match values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(at) => {
            Err(Error::Data(format!("probabilities must lie in [0, 1]; value {at} is {}", values[at])))
        }
        None => Ok(()),
    }
}

/// A row-major matrix with a row for each of `n_rows` and a column a class.
pub(crate) fn matrix(values: &[f64], n_rows: usize, n_classes: usize) -> Result<()> {
    if n_classes > 0 && n_rows.checked_mul(n_classes) == Some(values.len()) {
        return Ok(());
    }
    Err(Error::Data(format!(
        "the score matrix has {} values; {n_rows} rows of {n_classes} classes need {}",
        values.len(),
        n_rows.saturating_mul(n_classes)
    )))
}

/// Weight of a row, 1 where none are given.
#[inline]
pub(crate) fn weight(weights: Option<&[f64]>, row: usize) -> f64 {
    weights.map_or(1.0, |weights| weights[row])
}

/// The largest power of two that is at most a positive number; 1 for numbers too small to be divided by.
///
/// Numbers divided by it keep all their digits.
pub(crate) fn power_of_two(number: f64) -> f64 {
    if number.is_normal() { f64::from_bits(number.abs().to_bits() & (0x7ff << 52)) } else { 1.0 }
}

/// How many rows of equal weight say as much (Kish 1965); NaN without weight.
pub(crate) fn worth(weights: impl Iterator<Item = f64>) -> f64 {
    let add = |(sum, squares): (f64, f64), weight: f64| (sum + weight, squares + weight * weight);
    let (sum, squares) = weights.fold((0.0, 0.0), add);
    sum * sum / squares
}
