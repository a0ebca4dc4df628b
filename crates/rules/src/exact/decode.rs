//! Conversion of the boxes of an optimal set to boxes for prediction.

use crate::exact::problem::{BoxObjective, ROUNDING, ScaledBox, ScaledRows, shrink_to_hull};
use serde::{Deserialize, Serialize};

/// Position of the bounds of a box between the rows that the bounds separate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundPlacement {
    /// Bounds of the optimal set: the hull of the covered minority rows, expanded by the margin.
    Margin,
    /// Bounds are midway between the covered minority rows and the nearest assigned majority row.
    ///
    /// Every majority row that the box excludes is assigned to one bound, see [`place_prediction_bounds`]. A
    /// bound without an assigned row is infinite.
    #[default]
    Widest,
}

/// Converts optimal boxes to boxes for prediction; the training objective does not change.
///
/// `Widest` assigns every majority row that a box excludes to the side on which the row is farthest from the
/// hull of the covered minority rows. Ties go to the first feature, then to the lower bound. A side without
/// an assigned row becomes infinite. A box that covers no minority row does not change. With a reward for
/// width, no box changes, because the reward determines the bounds.
pub fn place_prediction_bounds(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    boxes: &[ScaledBox],
    how: BoundPlacement,
) -> Vec<ScaledBox> {
    let widen = |walls: &ScaledBox| {
        let hull = (how == BoundPlacement::Widest && goal.expand == 0.0)
            .then(|| shrink_to_hull(rows, goal, walls))
            .flatten();
        hull.map_or_else(|| walls.clone(), |hull| widest_bounds(rows, goal, &hull))
    };
    boxes.iter().map(widen).collect()
}

fn widest_bounds(rows: &ScaledRows<'_>, goal: &BoxObjective, hull: &ScaledBox) -> ScaledBox {
    let wall = goal.strict_margin();
    let n = rows.n_features();
    // For each side of the box, the distance from the hull of the covered minority rows to the nearest
    // majority row that is assigned to this side.
    let mut nearest = vec![f64::INFINITY; 2 * n];
    for row in rows.rows_of_class(false) {
        let distance = |side: usize| {
            let x = rows.columns()[side / 2][row];
            if side.is_multiple_of(2) {
                hull.lower[side / 2] + wall - x
            } else {
                x - (hull.upper[side / 2] - wall)
            }
        };
        let farthest =
            (0..2 * n).fold(0, |best, side| if distance(side) > distance(best) { side } else { best });
        let kept_out = distance(farthest) + ROUNDING >= 2.0 * wall;
        if kept_out {
            nearest[farthest] = nearest[farthest].min(distance(farthest));
        }
    }
    ScaledBox {
        lower: (0..n).map(|j| hull.lower[j] + wall - nearest[2 * j] / 2.0).collect(),
        upper: (0..n).map(|j| hull.upper[j] - wall + nearest[2 * j + 1] / 2.0).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::problem::score_boxes;

    #[test]
    fn bounds_are_midway_and_unused_ones_are_dropped() {
        // The minority rows have the values 0 and 0.2 in feature 0. One majority row is far to the right. The
        // other is slightly to the left, but far away in feature 1.
        let columns = vec![vec![0.0, 0.2, 0.8, -0.1], vec![0.0, 0.1, 0.05, 0.9]];
        let positive = vec![true, true, false, false];
        let rows = ScaledRows::new(&columns, &positive).unwrap();
        let goal = BoxObjective { n_boxes: 1, ..BoxObjective::default() };
        let tight = ScaledBox { lower: vec![-0.011, -0.011], upper: vec![0.211, 0.111] };
        let drawn =
            place_prediction_bounds(&rows, &goal, std::slice::from_ref(&tight), BoundPlacement::Widest);
        assert!(
            (drawn[0].upper[0] - 0.5).abs() < 1e-12 && (drawn[0].upper[1] - 0.5).abs() < 1e-12,
            "{drawn:?}"
        );
        assert_eq!(drawn[0].lower, [f64::NEG_INFINITY; 2]);
        assert_eq!(
            score_boxes(&rows, &goal, &drawn).n_majority_not_excluded,
            score_boxes(&rows, &goal, std::slice::from_ref(&tight)).n_majority_not_excluded
        );
        assert_eq!(
            place_prediction_bounds(&rows, &goal, std::slice::from_ref(&tight), BoundPlacement::Margin),
            [tight]
        );
    }
}
