//! Minimization of the objective by limited-memory BFGS (Liu and Nocedal 1989).
//!
//! The initial matrix of L-BFGS is a factorized Hessian. If it is exact, the steps are Newton steps. The
//! first Hessian is computed from few rows. A Hessian from many rows is computed later, if it saves more time
//! in the remaining steps than it takes.

use crate::hessian::Hessian;
use crate::objective::{Objective, ObjectiveGradient};
use imbcore_core::{Result, RunContext};
use std::collections::VecDeque;

const MEMORY: usize = 12;
const MOST_STEPS: usize = 1000;
/// Expected number of steps to the minimum with an exact Hessian.
const NEWTON_STEPS: f64 = 5.0;
/// Relative Newton decrement below which rounding may stop the progress.
const NEAR_ROUNDING: f64 = 1e-12;
/// Armijo constant: fraction of the linearly predicted decrease that a step must reach.
const DECREASE: f64 = 1e-4;
/// Maximum ratio of new to old slope for a step whose decrease is hidden by rounding.
const FLATTER: f64 = 0.9;

/// Relative Newton decrement at which the coefficients have about 8 correct digits.
///
/// The Newton decrement is divided by 1 plus the absolute value of the objective.
pub(crate) const ACCURATE: f64 = 1e-20;
/// Relative Newton decrement at which the held-out losses have about 4 correct digits.
pub(crate) const ROUGH: f64 = 1e-9;

#[derive(Clone, Debug)]
pub(crate) struct MinimizationResult {
    pub(crate) coefficients: Vec<f64>,
    pub(crate) converged: bool,
}

struct LbfgsStep {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Hessian that one minimization leaves for the next minimization of the same rows.
#[derive(Debug, Default)]
pub(crate) struct HessianCache(Option<Hessian>);

/// Minimizes the objective, starting from the coefficients in `start`.
///
/// # Errors
/// [`imbcore_core::Error::Memory`], [`imbcore_core::Error::Cancelled`].
pub(crate) fn minimize(
    objective: &Objective<'_>,
    start: Vec<f64>,
    accuracy: f64,
    cache: &mut HessianCache,
    ctl: RunContext<'_>,
) -> Result<MinimizationResult> {
    let mut coefficients = start;
    let mut current = objective.evaluate(&coefficients, ctl)?;
    let mut past: VecDeque<LbfgsStep> = VecDeque::new();
    let mut is_new = cache.0.is_none();
    let mut hessian = match cache.0.take() {
        Some(hessian) => hessian,
        None => Hessian::new(objective, &coefficients, ctl)?,
    };
    let mut factor = hessian.factorize(objective, ctl)?;
    let (mut n_slow, mut patience, mut since_refresh, mut stalled) = (0, 2, 0, 0);
    let mut last = f64::INFINITY;
    let mut converged = false;
    for _ in 0..MOST_STEPS {
        let mut direction = lbfgs_direction(&current.gradient, &past, |vector| {
            factor.solve(vector, objective.n_coefficients_per_score());
        });
        let mut slope = inner_product(&direction, &current.gradient);
        if slope >= 0.0 && !past.is_empty() {
            past.clear();
            direction = self::lbfgs_direction(&current.gradient, &past, |vector| {
                factor.solve(vector, objective.n_coefficients_per_score());
            });
            slope = inner_product(&direction, &current.gradient);
        }
        let (decrement, scale) = (-slope / 2.0, 1.0 + current.value.abs());
        // Near the minimum, rounding keeps the Newton decrement from falling further.
        stalled = if decrement < last { 0 } else { stalled + 1 };
        if decrement.is_nan()
            || decrement <= accuracy * scale
            || stalled > 3 && decrement <= NEAR_ROUNDING * scale
        {
            converged = true;
            break;
        }
        let slow = n_remaining_steps((last, decrement), accuracy * scale)
            > NEWTON_STEPS + hessian.cost_relative_to_gradient();
        n_slow += usize::from(slow);
        if slow && since_refresh == 1 {
            // Even the first step with a new Hessian was slow, so the Hessian is recomputed less often.
            patience *= 2;
        }
        last = decrement;
        if n_slow >= patience && since_refresh > 0 && decrement > NEAR_ROUNDING * scale {
            hessian.update(objective, &coefficients, ctl)?;
            factor = hessian.factorize(objective, ctl)?;
            (n_slow, since_refresh, last, is_new) = (0, 0, f64::INFINITY, true);
            past.clear();
            continue;
        }
        let Some((next, found)) = line_search(objective, &coefficients, (&current, &direction, slope), ctl)?
        else {
            // No step along the direction decreases the objective. A new Hessian may give a better direction.
            // If the Hessian is new already, rounding errors dominate and the minimization ends.
            if is_new && since_refresh == 0 && past.is_empty() {
                converged = decrement <= NEAR_ROUNDING.sqrt() * scale;
                break;
            }
            hessian.update(objective, &coefficients, ctl)?;
            factor = hessian.factorize(objective, ctl)?;
            (n_slow, since_refresh, last, is_new) = (0, 0, f64::INFINITY, true);
            past.clear();
            continue;
        };
        let step: Vec<f64> = next.iter().zip(&coefficients).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = found.gradient.iter().zip(&current.gradient).map(|(a, b)| a - b).collect();
        let product = inner_product(&step, &change);
        if product > 1e-12 * inner_product(&change, &change).sqrt() * inner_product(&step, &step).sqrt() {
            past.push_back(LbfgsStep { step, change, inverse: product.recip() });
            if past.len() > MEMORY {
                past.pop_front();
            }
        }
        (coefficients, current) = (next, found);
        since_refresh += 1;
    }
    drop(factor);
    cache.0 = Some(hessian);
    Ok(MinimizationResult { coefficients, converged })
}

/// Number of steps until the Newton decrement reaches `target` at its last rate of decrease.
///
/// The number is 0 if no step has been taken with the current Hessian (`last` is infinite).
fn n_remaining_steps((last, decrement): (f64, f64), target: f64) -> f64 {
    if decrement >= last {
        return f64::INFINITY;
    }
    (decrement / target).ln() / (last / decrement).ln()
}

/// Descent direction by the two-loop recursion (Nocedal and Wright 2006, algorithm 7.4).
fn lbfgs_direction(
    gradient: &[f64],
    past: &VecDeque<LbfgsStep>,
    precondition: impl Fn(&mut [f64]),
) -> Vec<f64> {
    let mut vector: Vec<f64> = gradient.iter().map(|value| -value).collect();
    let mut factors = Vec::with_capacity(past.len());
    for LbfgsStep { step, change, inverse } in past.iter().rev() {
        let factor = inverse * inner_product(step, &vector);
        vector.iter_mut().zip(change).for_each(|(value, change)| *value -= factor * change);
        factors.push(factor);
    }
    precondition(&mut vector);
    for (LbfgsStep { step, change, inverse }, factor) in past.iter().zip(factors.into_iter().rev()) {
        let factor = factor - inverse * inner_product(change, &vector);
        vector.iter_mut().zip(step).for_each(|(value, step)| *value += factor * step);
    }
    vector
}

/// Line search that halves the step length; `None` if it accepts no step.
fn line_search(
    objective: &Objective<'_>,
    coefficients: &[f64],
    (current, direction, slope): (&ObjectiveGradient, &[f64], f64),
    ctl: RunContext<'_>,
) -> Result<Option<(Vec<f64>, ObjectiveGradient)>> {
    let mut length = 1.0;
    for _ in 0..40 {
        let next: Vec<f64> =
            coefficients.iter().zip(direction).map(|(value, step)| value + length * step).collect();
        let found = objective.evaluate(&next, ctl)?;
        let decreases = found.value <= current.value + DECREASE * length * slope;
        // If the objective changes only by rounding, the slope decides whether the step is accepted (Hager
        // and Zhang 2005).
        let is_level = found.value <= current.value + 1e-13 * (1.0 + current.value.abs());
        let is_flatter = || inner_product(direction, &found.gradient).abs() <= FLATTER * slope.abs();
        if found.value.is_finite() && (decreases || is_level && is_flatter()) {
            return Ok(Some((next, found)));
        }
        length /= 2.0;
    }
    Ok(None)
}

fn inner_product(a: &[f64], b: &[f64]) -> f64 {
    crate::vectors::dot(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curvature::{HessianRows, SlotHessian};
    use crate::design::Design;
    use crate::encoding::TableEncoding;
    use crate::params::{LogisticParams, NumericBasis};
    use crate::row_curvature::RowSpaceHessian;
    use imbcore_core::{Column, Frame};

    const N_ROWS: usize = 900;
    const FEW_ROWS: usize = 200;

    #[derive(Clone, Copy, Debug)]
    struct Case {
        n_rows: usize,
        numeric: NumericBasis,
        n_classes: u32,
        n_levels: u32,
        penalty: f64,
    }

    fn random(row: usize, column: usize) -> f64 {
        ((row * 7919 + column * 104_729) as f64 * 12.9898).sin().mul_add(43758.5453, 0.0).rem_euclid(1.0)
    }

    fn code(value: f64, n: u32) -> u32 {
        (0..n).rev().find(|&code| f64::from(code) <= value * f64::from(n)).unwrap_or_default()
    }

    fn with_objective(case: Case, call: impl FnOnce(&Objective<'_>)) {
        let Case { n_rows, numeric, n_classes, n_levels, penalty } = case;
        let columns: Vec<Vec<f64>> = (0..3_usize)
            .map(|column| {
                let scale = 10_f64.powf(4.0 * column as f64 - 4.0);
                (0..n_rows).map(|row| scale * random(row, column)).collect()
            })
            .collect();
        let codes: Vec<u32> = (0..n_rows).map(|row| code(random(row, 5), n_levels)).collect();
        let classes: Vec<u32> =
            (0..n_rows).map(|row| code((random(row, 0) + 0.5 * random(row, 9)) / 1.5, n_classes)).collect();
        let mut all: Vec<Column<'_>> = columns.iter().map(|column| Column::from_numbers(column)).collect();
        all.push(Column::Nominal { codes: &codes, levels: n_levels });
        let frame = Frame::new(all).unwrap();
        let rows: Vec<u32> = (0..n_rows as u32).collect();
        let weights: Vec<f64> = (0..n_rows).map(|row| 0.5 + random(row, 11)).collect();
        let params = LogisticParams { numeric, ..LogisticParams::default() };
        let ctl = RunContext::silent();
        let encoding = TableEncoding::fit(&params, &frame, (&rows, &weights), ctl).unwrap();
        let design = Design::new(&encoding, &frame, &rows, (classes, weights), ctl).unwrap();
        let n_scores = if n_classes == 2 { 1 } else { n_classes as usize };
        call(&Objective { encoding: &encoding, design: &design, n_scores, penalty });
    }

    fn largest(values: &[f64]) -> f64 {
        values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
    }

    fn check(case: Case) {
        with_objective(case, |objective| {
            let ctl = RunContext::silent();
            let start = vec![0.0; objective.n_scores * objective.n_coefficients_per_score()];
            let first = objective.evaluate(&start, ctl).unwrap();
            let mut cache = HessianCache::default();
            let found = minimize(objective, start, ACCURATE, &mut cache, ctl).unwrap();
            let last = objective.evaluate(&found.coefficients, ctl).unwrap();
            assert!(found.converged && last.value < first.value);
            let rest = largest(&last.gradient);
            assert!(
                rest < 1e-8 * largest(&first.gradient),
                "{case:?}: {rest} of {}",
                largest(&first.gradient)
            );
        });
    }

    #[test]
    fn the_gradient_vanishes_at_the_minimum() {
        for numeric in [NumericBasis::Linear, NumericBasis::Quantile, NumericBasis::Spline] {
            for n_classes in [2, 4] {
                for penalty in [1e-3, 1.0, 1e3] {
                    check(Case { n_rows: N_ROWS, numeric, n_classes, n_levels: 6, penalty });
                }
            }
        }
    }

    #[test]
    fn many_levels_converge_with_a_diagonal_curvature() {
        let case = Case {
            n_rows: N_ROWS,
            numeric: NumericBasis::Linear,
            n_classes: 2,
            n_levels: 1500,
            penalty: 1.0,
        };
        check(case);
        check(Case { numeric: NumericBasis::Spline, n_classes: 5, n_levels: 700, penalty: 0.1, ..case });
    }

    #[test]
    fn few_rows_with_many_slots_converge() {
        for numeric in [NumericBasis::Linear, NumericBasis::Quantile, NumericBasis::Spline] {
            for (n_classes, penalty) in [(2, 1e-4), (2, 1.0), (4, 1e-2), (4, 1e3)] {
                check(Case { n_rows: FEW_ROWS, numeric, n_classes, n_levels: 1500, penalty });
            }
        }
    }

    #[test]
    fn slots_and_rows_solve_the_same_system() {
        for (numeric, n_classes) in [(NumericBasis::Spline, 2), (NumericBasis::Quantile, 3)] {
            let case = Case { n_rows: FEW_ROWS, numeric, n_classes, n_levels: 300, penalty: 0.5 };
            with_objective(case, |objective| {
                let ctl = RunContext::silent();
                let size = objective.n_scores * objective.n_coefficients_per_score();
                let coefficients: Vec<f64> = (0..size).map(|at| random(at, 1) - 0.5).collect();
                // The last number of each score belongs to no coefficient, so it is 0.
                let is_used = |at: usize| at % objective.n_coefficients_per_score() != objective.design.width;
                let vector: Vec<f64> =
                    (0..size).map(|at| if is_used(at) { random(at, 2) - 0.5 } else { 0.0 }).collect();
                let by_slots = SlotHessian::new(objective, &coefficients, HessianRows::Many, ctl).unwrap();
                let by_rows = RowSpaceHessian::new(objective, &coefficients, ctl).unwrap();
                let (mut one, mut other) = (vector.clone(), vector);
                by_slots.factorize(objective.penalty, ctl).unwrap().solve(&mut one);
                by_rows.factorize(*objective, ctl).unwrap().solve(&mut other);
                let difference: Vec<f64> = one
                    .iter()
                    .zip(&other)
                    .enumerate()
                    .map(|(at, (a, b))| if is_used(at) { a - b } else { 0.0 })
                    .collect();
                assert!(largest(&difference) < 1e-10 * largest(&one), "{case:?}: {}", largest(&difference));
            });
        }
    }
}
