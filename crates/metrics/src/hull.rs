//! Upper convex hulls in ROC space (Provost and Fawcett 2001).

use crate::argument_checks;
use imbcore_core::{Error, Result};

/// Upper convex hull of ROC points, from (0, 0) to (1, 1).
///
/// No three vertices lie on one line: a point between the ends of an edge is not a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<(f64, f64)>,
}

impl Hull {
    /// Computes the hull of the points (`fpr[i]`, `tpr[i]`), (0, 0) and (1, 1).
    ///
    /// # Errors
    /// [`Error::Data`] for unequal lengths or a rate outside [0, 1].
    pub fn from_points(fpr: &[f64], tpr: &[f64]) -> Result<Self> {
        if fpr.len() != tpr.len() {
            return Err(Error::Data(format!("fpr has {} values, but tpr has {}", fpr.len(), tpr.len())));
        }
        argument_checks::check_probabilities(fpr)?;
        argument_checks::check_probabilities(tpr)?;
        Ok(Self::from_points_scaled_to_corner(
            fpr.iter().copied().zip(tpr.iter().copied()).collect(),
            (1.0, 1.0),
        ))
    }

    /// Upper hull of `points`, (0, 0) and `corner`, scaled so that `corner` becomes (1, 1).
    pub(crate) fn from_points_scaled_to_corner(mut points: Vec<(f64, f64)>, corner: (f64, f64)) -> Self {
        points.push(corner);
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        points.dedup_by(|later, kept| later.0 == kept.0);
        let mut chain = vec![(0.0, 0.0)];
        for point in points {
            while let [.., before, last] = chain[..]
                && !turns_right(before, last, point)
            {
                chain.pop();
            }
            if chain[chain.len() - 1] != point {
                chain.push(point);
            }
        }
        let vertices = chain.into_iter().map(|(f, t)| (f / corner.0, t / corner.1)).collect();
        Self { vertices }
    }

    /// Vertices (fpr, tpr), from (0, 0) to (1, 1).
    pub fn vertices(&self) -> &[(f64, f64)] {
        &self.vertices
    }

    /// Area under the hull, at least 1/2.
    pub fn area(&self) -> f64 {
        self.vertices.windows(2).map(|w| (w[1].0 - w[0].0) * f64::midpoint(w[0].1, w[1].1)).sum()
    }

    /// Returns the vertex with the lowest expected cost.
    ///
    /// At this vertex, a line of equal cost touches the hull. Its slope is `skew * cost_fp / cost_fn`, where
    /// `skew` is the number of negatives per positive. Ties go to the lowest fpr.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `skew` and both costs are positive and finite.
    pub fn operating_point(&self, skew: f64, cost_fp: f64, cost_fn: f64) -> Result<(f64, f64)> {
        for (name, value) in [("skew", skew), ("cost_fp", cost_fp), ("cost_fn", cost_fn)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::parameter("hull_operating_point", name, "positive and finite", value));
            }
        }
        let gain = |(fpr, tpr): (f64, f64)| tpr * cost_fn - fpr * skew * cost_fp;
        let mut best = (0.0, 0.0);
        for &vertex in &self.vertices {
            if gain(vertex) > gain(best) {
                best = vertex;
            }
        }
        Ok(best)
    }
}

/// Whether the path turns right at `b` by more than rounded coordinates may turn.
///
/// Coordinates are at least 0, and their first components do not decrease.
fn turns_right(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> bool {
    let [ab, ac] = [b, c].map(|to| (to.0 - a.0, (to.1 - a.1).abs()));
    // Rounding changes a difference by at most epsilon times the larger coordinate.
    let rounding = b.0 * ac.1 + ab.0 * a.1.max(c.1) + a.1.max(b.1) * ac.0 + ab.1 * c.0;
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) < -f64::EPSILON * rounding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_corners_are_always_there() {
        let hull = Hull::from_points(&[], &[]).unwrap();
        assert_eq!((hull.vertices(), hull.area()), (&[(0.0, 0.0), (1.0, 1.0)][..], 0.5));
        assert_eq!(Hull::from_points(&[0.8], &[0.3]).unwrap().area(), 0.5);
        let perfect = Hull::from_points(&[0.0, 1.0], &[1.0, 1.0]).unwrap();
        assert_eq!((perfect.vertices().len(), perfect.area()), (3, 1.0));
    }

    #[test]
    fn inner_and_collinear_points_are_dropped() {
        let hull = Hull::from_points(&[0.25, 0.5, 0.25, 0.625, 0.0], &[0.75, 0.5, 0.5, 0.875, 0.0]).unwrap();
        assert_eq!(hull.vertices(), [(0.0, 0.0), (0.25, 0.75), (1.0, 1.0)]);
        assert_eq!(hull.area(), 0.75);
    }

    #[test]
    fn collinear_rates_are_dropped_although_they_are_rounded() {
        for (negatives, positives) in [(3, 3), (7, 5), (11, 13), (49, 30), (1_000_003, 7)] {
            let counts = || (1..=negatives.min(positives)).map(f64::from);
            let fpr: Vec<f64> = counts().map(|count| count / f64::from(negatives)).collect();
            let tpr: Vec<f64> = counts().map(|count| count / f64::from(positives)).collect();
            let hull = Hull::from_points(&fpr, &tpr).unwrap();
            assert!(hull.vertices().len() <= 3, "{negatives} {positives}: {:?}", hull.vertices());
        }
        let rare = Hull::from_points(&[1e-12, 3e-12, 6e-12], &[0.5, 0.75, 0.9]).unwrap();
        assert_eq!(rare.vertices().len(), 5);
    }

    #[test]
    fn costs_choose_the_vertex() {
        let hull = Hull::from_points(&[0.1, 0.5], &[0.6, 0.9]).unwrap();
        assert_eq!(hull.operating_point(1.0, 1.0, 1.0).unwrap(), (0.1, 0.6));
        assert_eq!(hull.operating_point(1.0, 1.0, 2.0).unwrap(), (0.5, 0.9));
        assert_eq!(hull.operating_point(100.0, 1.0, 1.0).unwrap(), (0.0, 0.0));
        assert_eq!(hull.operating_point(1.0, 1.0, 100.0).unwrap(), (1.0, 1.0));
        assert!(hull.operating_point(0.0, 1.0, 1.0).is_err());
    }

    #[test]
    fn rates_outside_the_square_are_refused() {
        assert!(Hull::from_points(&[0.1], &[1.2]).is_err());
        assert!(Hull::from_points(&[0.1, 0.2], &[0.5]).is_err());
        assert!(Hull::from_points(&[f64::NAN], &[0.5]).is_err());
    }
}
