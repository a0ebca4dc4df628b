//! Gauss-Legendre quadrature.

/// Returns the points in (0, 1) and the weights of Gauss-Legendre quadrature.
/// The weights sum to 1. The rule is exact for polynomials of degree at most `2 n - 1`.
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for k in 2..=n {
            let k = k as f64;
            (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
        }
        let slope = n as f64 * (x * now - before) / (x * x - 1.0);
        (now, slope)
    };
    let point = |index: usize| {
        // Each point is found by Newton's method from Tricomi's initial approximation.
        let mut x = (std::f64::consts::PI * (index as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..20 {
            let (value, slope) = legendre(x);
            let step = value / slope;
            x -= step;
            // Newton's method converges quadratically. After a step below 1e-12, the error is therefore
            // smaller than rounding errors.
            if step.abs() < 1e-12 {
                break;
            }
        }
        let slope = legendre(x).1;
        (f64::midpoint(x, 1.0), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    if n == 1 { vec![(0.5, 1.0)] } else { (0..n).map(point).collect() }
}
