//! Cheap upper bounds on the scores of many rows, without logarithms or exponentials.

/// Data of one side for bounding the scores of rows beyond the widest set of boxes.
/// Coordinates grow outwards.
#[derive(Clone, Copy)]
pub(super) struct SideBound {
    /// Bounds of the start box and of the widest set of boxes.
    pub(super) start: f64,
    pub(super) widest: f64,
    pub(super) per_unit: f64,
    /// Logarithms of the two terms of the score at the start.
    /// Per unit of distance they fall by 2 and 1.
    pub(super) terms: [f64; 2],
}

impl SideBound {
    /// A side that no row is beyond.
    pub(super) const NONE: Self =
        Self { start: 0.0, widest: f64::INFINITY, per_unit: 1.0, terms: [f64::INFINITY; 2] };
}

/// Lowers `least` to the larger term of the score, for rows beyond a side of the feature.
pub(super) fn lower_score_bounds(
    walls: &[SideBound; 2],
    values: &[f64],
    feature: usize,
    (least, at): (&mut [f64], &mut [f64]),
) {
    let [lower, upper] = walls;
    let term = |wall: &SideBound, x: f64| {
        let distance = (x - wall.start) * wall.per_unit;
        let (two, one) = (wall.terms[0] - distance - distance, wall.terms[1] - distance);
        let larger = if two > one { two } else { one };
        if x > wall.widest { larger } else { f64::INFINITY }
    };
    let feature = feature as f64;
    for ((least, at), &x) in least.iter_mut().zip(at).zip(values) {
        let (below, above) = (term(lower, -x), term(upper, x));
        let here = if below < above { below } else { above };
        // The comparison is false for NaN, which gives no bound.
        *at = if here < *least { feature } else { *at };
        *least = if here < *least { here } else { *least };
    }
}
