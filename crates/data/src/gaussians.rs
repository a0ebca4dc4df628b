//! Four Gaussian classes on the corners of a square.
//!
//! Hoens, Qian, Chawla and Zhou 2012, section 3.

use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};
use rand_distr::{Distribution, StandardNormal};

/// Points in the plane, each with its class.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianData {
    /// The coordinates x, y of every point, row-major.
    pub points: Vec<f64>,
    /// Class of every point: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
    pub classes: Vec<u32>,
}

/// Draws `n_samples[k]` points of each class k from a normal distribution around its corner.
///
/// The variance is 1. The square has the side length `side` and is centered on the origin. The points of a
/// class depend only on the seed and the class. So the number of points of one class does not affect the
/// points of other classes.
///
/// # Errors
/// [`Error::Parameter`] unless `side` is finite and not negative; [`Error::Data`] for 2^31 points or more;
/// [`Error::Memory`]; [`Error::Cancelled`].
pub fn draw_four_gaussians(
    n_samples: [u32; 4],
    side: f64,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<GaussianData> {
    if !(side.is_finite() && side >= 0.0) {
        return Err(Error::parameter("make_four_gaussians", "side", "finite and at least 0", side));
    }
    let total: u64 = n_samples.iter().copied().map(u64::from).sum();
    if total >= 1 << 31 {
        return Err(Error::Data(format!(
            "{total} points were requested; at most {} are supported",
            i32::MAX
        )));
    }
    let half = side / 2.0;
    let corners = [(-half, half), (half, half), (-half, -half), (half, -half)];
    let mut points = try_with_capacity(2 * total as usize, "points")?;
    let mut classes = try_with_capacity(total as usize, "points")?;
    for (class, (n, (x, y))) in (0_u32..).zip(n_samples.into_iter().zip(corners)) {
        let mut rng = key.child(tags::made::GAUSSIANS, class).rng();
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        for drawn in 0..n {
            ctl.check_periodically(drawn as usize)?;
            points.extend([x + normal(), y + normal()]);
            classes.push(class);
        }
    }
    Ok(GaussianData { points, classes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_frozen() {
        let found = draw_four_gaussians([2, 1, 0, 1], 2.0, SeedKey::root(7), RunContext::silent()).unwrap();
        assert_eq!(found.classes, [0, 0, 1, 3]);
        let frozen = [
            -1.159_691_315_498_984_5,
            1.379_675_190_233_88,
            -1.056_976_688_397_504,
            2.036_248_660_893_077_7,
            0.513_847_586_662_676_2,
            1.094_779_771_735_559_6,
            1.549_824_648_342_046_4,
            -2.930_330_936_387_860_2,
        ];
        assert_eq!(found.points, frozen);
    }

    #[test]
    fn each_class_lies_around_its_corner() {
        let n = 20_000;
        let found = draw_four_gaussians([n; 4], 3.0, SeedKey::root(1), RunContext::silent()).unwrap();
        let corners = [(-1.5, 1.5), (1.5, 1.5), (-1.5, -1.5), (1.5, -1.5)];
        for (points, corner) in found.points.chunks_exact(2 * n as usize).zip(corners) {
            for (axis, center) in [(0, corner.0), (1, corner.1)] {
                let values: Vec<f64> = points.iter().skip(axis).step_by(2).copied().collect();
                let mean = values.iter().sum::<f64>() / f64::from(n);
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(n);
                // The tolerances are five standard errors of the mean and of the variance.
                assert!((mean - center).abs() < 5.0 / f64::from(n).sqrt(), "{mean} for {center}");
                assert!((spread - 1.0).abs() < 5.0 * (2.0 / f64::from(n)).sqrt(), "{spread}");
            }
        }
    }

    #[test]
    fn classes_have_separate_streams() {
        let draw = |n_samples, seed| {
            draw_four_gaussians(n_samples, 2.0, SeedKey::root(seed), RunContext::silent()).unwrap().points
        };
        assert_eq!(draw([3, 2, 0, 0], 5)[6..], draw([1, 2, 0, 0], 5)[2..]);
        assert_ne!(draw([3, 2, 0, 0], 5), draw([3, 2, 0, 0], 6));
        assert!(draw([0; 4], 5).is_empty());
    }

    #[test]
    fn impossible_squares_are_refused() {
        for side in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                draw_four_gaussians([1; 4], side, SeedKey::root(0), RunContext::silent()),
                Err(Error::Parameter { .. })
            ));
        }
        assert!(matches!(
            draw_four_gaussians([1 << 31; 4], 2.0, SeedKey::root(0), RunContext::silent()),
            Err(Error::Data(_))
        ));
    }
}
