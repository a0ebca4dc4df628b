//! Estimates of the log scores of many rows, without logarithms or exponentials.
//!
//! The log score of a row for one side is the logarithm of a sum of two terms. The estimate is the logarithm
//! of the larger term, which is at most ln 2 below the log score.

/// Data of one bound of a box, for estimates of the scores of rows that violate the bound.
///
/// Coordinates increase from the inside of the box to the outside.
#[derive(Clone, Copy)]
pub(super) struct BoundScoreTerms {
    pub(super) start: f64,
    pub(super) widest: f64,
    pub(super) per_unit: f64,
    /// Logarithms of the two terms of the score of a row that lies at the bound of the start box.
    ///
    /// Per unit of distance outwards, the first decreases by 2 and the second by 1.
    pub(super) terms: [f64; 2],
}

impl BoundScoreTerms {
    pub(super) const NONE: Self =
        Self { start: 0.0, widest: f64::INFINITY, per_unit: 1.0, terms: [f64::INFINITY; 2] };
}

/// Updates the smallest score estimates of rows in a box with the estimates of a feature.
///
/// If the estimate of `feature` is smaller than `least`, it replaces `least`, and `at` becomes the number of
/// the feature. A feature gives an estimate for a row only if the row violates a bound of the feature even in
/// the widest set of boxes.
pub(super) fn update_score_estimates(
    walls: &[BoundScoreTerms; 2],
    values: &[f64],
    feature: usize,
    (least, at): (&mut [f64], &mut [f64]),
) {
    let [lower, upper] = walls;
    let term = |wall: &BoundScoreTerms, x: f64| {
        let distance = (x - wall.start) * wall.per_unit;
        let (two, one) = (wall.terms[0] - distance - distance, wall.terms[1] - distance);
        let larger = if two > one { two } else { one };
        if x > wall.widest { larger } else { f64::INFINITY }
    };
    let feature = feature as f64;
    for ((least, at), &x) in least.iter_mut().zip(at).zip(values) {
        let (below, above) = (term(lower, -x), term(upper, x));
        let here = if below < above { below } else { above };
        // For NaN the comparison is false, so a missing value gives no estimate.
        *at = if here < *least { feature } else { *at };
        *least = if here < *least { here } else { *least };
    }
}
