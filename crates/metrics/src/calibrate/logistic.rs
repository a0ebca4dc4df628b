//! Logistic regression on a few columns, for calibration curves.
//!
//! Targets lie inside (0, 1), so the coefficients are finite. The minimum is found by Newton's method; a step
//! is halved until the loss decreases. The loss is written in a form that cannot overflow (Lin, Lin and Weng,
//! "A note on Platt's probabilistic outputs for support vector machines", 2007, algorithm 1).

/// One or more rows with equal values of `D` columns; the last column, the intercept, is 1.
pub(crate) struct WeightedRow<const D: usize> {
    pub(crate) x: [f64; D],
    pub(crate) weight: f64,
    /// Sum over the rows of weight times target.
    pub(crate) target: f64,
}

/// Relative increase of the Hessian's diagonal.
///
/// Because of it, collinear columns do not make the Hessian singular.
const RIDGE: f64 = 1e-12;
const STEPS: usize = 100;
/// Fraction of the predicted decrease of the loss that a step must reach (Armijo).
const KEPT: f64 = 1e-4;
/// Minimum length of a halved step, relative to the Newton step.
const SHORTEST: f64 = 1e-10;

/// `1 / (1 + exp(-z))`, accurate to rounding for large |z|.
pub(crate) fn logistic(z: f64) -> f64 {
    if z >= 0.0 {
        1.0 / (1.0 + (-z).exp())
    } else {
        let e = z.exp();
        e / (1.0 + e)
    }
}

/// `ln(1 + exp(z))`.
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

fn dot_product<const D: usize>(x: &[f64; D], by: &[f64; D]) -> f64 {
    x.iter().zip(by).map(|(x, by)| x * by).sum()
}

/// Coefficients with the least cross-entropy.
///
/// The search starts with all coefficients 0, except for the intercept: it is the log-odds of the mean
/// target.
pub(crate) fn fit_logistic_regression<const D: usize>(rows: &[WeightedRow<D>]) -> [f64; D] {
    let loss = |by: &[f64; D]| -> f64 {
        rows.iter()
            .map(|row| {
                let z = dot_product(&row.x, by);
                row.weight * softplus(z) - row.target * z
            })
            .sum()
    };
    let weight: f64 = rows.iter().map(|row| row.weight).sum();
    let mean = rows.iter().map(|row| row.target).sum::<f64>() / weight;
    let mut by = [0.0; D];
    by[D - 1] = (mean / (1.0 - mean)).ln();
    let mut now = loss(&by);
    for _ in 0..STEPS {
        let (gradient, curvature) = gradient_and_hessian(rows, &by);
        let Some(step) = solve_cholesky(curvature, gradient) else { break };
        let promise = dot_product(&gradient, &step);
        let mut length = 1.0;
        let found = loop {
            let mut next = by;
            next.iter_mut().zip(&step).for_each(|(by, step)| *by -= length * step);
            let then = loss(&next);
            if then < now - KEPT * length * promise {
                break Some((next, then));
            }
            length /= 2.0;
            if length < SHORTEST {
                break None;
            }
        };
        // If no step decreases the loss, the minimum is reached within rounding.
        let Some((next, then)) = found else { break };
        (by, now) = (next, then);
    }
    by
}

fn gradient_and_hessian<const D: usize>(rows: &[WeightedRow<D>], by: &[f64; D]) -> ([f64; D], [[f64; D]; D]) {
    let (mut gradient, mut curvature) = ([0.0; D], [[0.0; D]; D]);
    for row in rows {
        let p = logistic(dot_product(&row.x, by));
        let (slope, bend) = (row.weight * p - row.target, row.weight * p * (1.0 - p));
        for (i, (of_row, down)) in curvature.iter_mut().zip(&mut gradient).enumerate() {
            *down += slope * row.x[i];
            for (cell, x) in of_row.iter_mut().zip(&row.x).take(i + 1) {
                *cell += bend * row.x[i] * x;
            }
        }
    }
    (gradient, curvature)
}

/// Solves the linear system `a x = b`; `None` if `a` is not positive definite.
///
/// First, the diagonal of `a` is increased slightly ([`RIDGE`]). Cholesky's method reads only the
/// lower triangle of `a`.
fn solve_cholesky<const D: usize>(mut a: [[f64; D]; D], b: [f64; D]) -> Option<[f64; D]> {
    for i in 0..D {
        a[i][i] += RIDGE * a[i][i].max(1.0);
        for j in 0..=i {
            let rest = a[i][j] - (0..j).map(|k| a[i][k] * a[j][k]).sum::<f64>();
            if i == j && (rest <= 0.0 || !rest.is_finite()) {
                return None;
            }
            a[i][j] = if i == j { rest.sqrt() } else { rest / a[j][j] };
        }
    }
    let mut x = b;
    for i in 0..D {
        x[i] = (x[i] - (0..i).map(|k| a[i][k] * x[k]).sum::<f64>()) / a[i][i];
    }
    for i in (0..D).rev() {
        x[i] = (x[i] - (i + 1..D).map(|k| a[k][i] * x[k]).sum::<f64>()) / a[i][i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_two_points_is_found() {
        // The target is 1/4 at x = 0 and 3/4 at x = 1, so the log-odds rise from -ln 3 to ln 3.
        let row = |x, target| WeightedRow { x: [x, 1.0], weight: 2.0, target: 2.0 * target };
        let [slope, constant] = fit_logistic_regression(&[row(0.0, 0.25), row(1.0, 0.75)]);
        let ln3 = 3.0_f64.ln();
        assert!((slope - 2.0 * ln3).abs() < 1e-9 && (constant + ln3).abs() < 1e-9);
    }

    #[test]
    fn a_constant_column_is_allowed() {
        let row = |target| WeightedRow { x: [0.3, 1.0], weight: 1.0, target };
        let [slope, constant] = fit_logistic_regression(&[row(0.5), row(0.25)]);
        assert!((logistic(0.3 * slope + constant) - 0.375).abs() < 1e-9);
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!((logistic(1e4), logistic(-1e4), softplus(-1e4), softplus(1e4)), (1.0, 0.0, 0.0, 1e4));
        assert!((logistic(-40.0) - (-40.0_f64).exp()).abs() < 1e-30);
    }
}
