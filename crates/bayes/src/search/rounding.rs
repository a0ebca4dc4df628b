//! Helpers of structure search: rounding tolerance, pairs of variables, missing-class error.

use crate::table::DiscreteTable;
use imbcore_core::Error;

/// A difference between scores of at most this much counts as a rounding error.
///
/// Rounding errors grow with the sums in a score.
pub(crate) fn score_rounding_tolerance(table: &DiscreteTable) -> f64 {
    let total = table.total_weight();
    (64.0 * f64::EPSILON * total * total.max(1.0).ln()).max(1.5e-8)
}

pub(super) fn ordered_pairs(n: usize) -> impl Iterator<Item = (u32, u32)> {
    (0..n as u32)
        .flat_map(move |from| (0..n as u32).map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
}

pub(super) fn missing_class_error(what: &str) -> Error {
    Error::Data(format!("{what} needs a class variable; name one"))
}
