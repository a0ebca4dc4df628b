//! Class-attribute criteria of a contingency table of intervals and classes.
//!
//! The table has counts `t_ic` of interval i and class c, interval sums `R_i`, class sums `K_c` and the total
//! `m`. Each criterion is a function of a sum over the intervals: `sum_i max_c t_ic^2 / R_i` for CAIM, and
//! `sum_ic t_ic^2 / (R_i K_c) = 1 + chi^2 / m` for CACC and Ameva. As published, a cut point changes only the
//! term of the interval that it splits. With the constants that the R package adds for CACC and Ameva, the
//! class sums depend on the number of intervals, so a cut point changes all terms.

use super::value_profile::ValueProfile;

/// Constant that the R package `discretization` adds to each cell of the contingency table.
const R_CELL: f64 = 1e-4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutMeasure {
    /// Kurgan and Cios 2004.
    Caim,
    /// Tsai, Lee and Yang 2008.
    Cacc,
    /// Gonzalez-Abril, Cuberos, Velasco and Ortega 2009.
    Ameva,
}

pub(super) struct CutCriterion {
    measure: CutMeasure,
    /// Constant added to each cell of the table of intervals and classes; 0 as published.
    cell: f64,
    /// Constant added to the number of intervals in the logarithm of CACC; 0 as published.
    extra: f64,
    total: f64,
    totals: Vec<f64>,
    inverse: Vec<f64>,
}

impl CutCriterion {
    pub(super) fn new(measure: CutMeasure, r_compat: bool, profile: &ValueProfile) -> Self {
        let totals = profile.total_weights().to_vec();
        let smoothed = r_compat && measure != CutMeasure::Caim;
        Self {
            measure,
            cell: if smoothed { R_CELL } else { 0.0 },
            extra: f64::from(u8::from(smoothed)),
            total: totals.iter().sum(),
            inverse: totals.iter().map(|total| 1.0 / total).collect(),
            totals,
        }
    }

    pub(super) fn is_smoothed(&self) -> bool {
        self.cell > 0.0
    }

    pub(super) fn set_n_intervals(&mut self, n_intervals: usize) {
        let own = n_intervals as f64 * self.cell;
        for (inverse, total) in self.inverse.iter_mut().zip(&self.totals) {
            *inverse = 1.0 / (total + own);
        }
    }

    /// `lower` has the class weights of all rows below the interval.
    ///
    /// `upper` also includes the rows of the interval.
    #[inline]
    pub(super) fn interval_term(&self, lower: &[f64], upper: &[f64]) -> f64 {
        let masses = lower.iter().zip(upper).map(|(lower, upper)| upper - lower + self.cell);
        let (mut sum, mut part) = (0.0, 0.0_f64);
        if self.measure == CutMeasure::Caim {
            for mass in masses {
                sum += mass;
                part = part.max(mass);
            }
            part *= part;
        } else {
            for (mass, inverse) in masses.zip(&self.inverse) {
                sum += mass;
                part += mass * mass * inverse;
            }
        }
        part / sum
    }

    pub(super) fn value(&self, terms: f64, n_intervals: usize) -> f64 {
        let k = n_intervals as f64;
        if self.measure == CutMeasure::Caim {
            return terms / k;
        }
        let classes = self.totals.len() as f64;
        // A sum of 1, up to rounding, means that intervals and classes are independent. It counts as exactly
        // 1, because the square root in CACC would amplify the rounding error.
        let excess = if terms - 1.0 <= 64.0 * f64::EPSILON { 0.0 } else { terms - 1.0 };
        let chi2 = (self.total + k * classes * self.cell) * excess;
        match self.measure {
            CutMeasure::Cacc => (chi2 / (chi2 + self.total * (k + self.extra).ln())).sqrt(),
            _ => chi2 / (k * (classes - 1.0)),
        }
    }
}
