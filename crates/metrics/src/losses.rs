//! Cost-based performance: cost curves, Brier curves, net benefit, and the H-measure.
//!
//! Costs are normalized: a false positive costs `c` and a false negative `1 - c`. Then `c` is also the
//! optimal probability threshold of a calibrated model (Elkan 2001).

use crate::argument_checks;
use crate::tails::beta_cdf;
use crate::threshold_sweep::ThresholdSweep;
use imbcore_core::Result;

impl ThresholdSweep {
    /// Lower envelope of the cost lines of all thresholds (Drummond and Holte 2006).
    ///
    /// The curve maps PC(+) to the normalized expected cost. PC(+) is the proportion of false negatives in
    /// the total cost if all predictions were wrong. Returns the vertices, from (0, 0) to (1, 0); `None` if
    /// there is only one class.
    pub fn cost_curve(&self) -> Option<Vec<(f64, f64)>> {
        let hull = self.hull()?;
        let mut vertices = vec![(0.0, 0.0)];
        for pair in hull.vertices().windows(2) {
            let ((f0, t0), (f1, t1)) = (pair[0], pair[1]);
            // A hull vertex is a line in the cost diagram; x is where the lines of two neighboring vertices
            // intersect.
            let x = (f1 - f0) / ((f1 - f0) + (t1 - t0));
            vertices.push((x, (1.0 - t0) * x + f0 * (1.0 - x)));
        }
        vertices.push((1.0, 0.0));
        vertices.dedup();
        Some(vertices)
    }

    /// Brier curve: for each cost `c`, twice the mean cost per row if the threshold is `c`.
    ///
    /// The area under the curve is the Brier score (Hernandez-Orallo, Flach and Ferri 2011).
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] for a cost outside [0, 1].
    pub fn brier_curve(&self, costs: &[f64]) -> Result<Vec<f64>> {
        argument_checks::check_probabilities(costs)?;
        let loss = |&c: &f64| {
            let counts = self.counts_at_threshold(c);
            2.0 * (c * counts.fp + (1.0 - c) * counts.fn_) / counts.total()
        };
        Ok(costs.iter().map(loss).collect())
    }

    /// Net benefit of the model, and of predicting all rows positive, at each threshold.
    ///
    /// Net benefit is the number of true positives per row, minus the number of false positives per row times
    /// the odds of the threshold (Vickers and Elkin 2006).
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] for a probability outside [0, 1].
    pub fn net_benefit(&self, thresholds: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        argument_checks::check_probabilities(thresholds)?;
        let rows = self.positives() + self.negatives();
        let benefit =
            |tp: f64, fp: f64, p: f64| if fp > 0.0 { (tp - fp * p / (1.0 - p)) / rows } else { tp / rows };
        let model = thresholds.iter().map(|&p| {
            let counts = self.counts_at_threshold(p);
            benefit(counts.tp, counts.fp, p)
        });
        let all = thresholds.iter().map(|&p| benefit(self.positives(), self.negatives(), p));
        Ok((model.collect(), all.collect()))
    }

    /// H-measure: 1 minus the expected loss of the model divided by that of trivial classifiers.
    ///
    /// Both losses are those of the best threshold for each cost `c`, whose distribution is Beta(1 +
    /// prevalence, 2 - prevalence) (Hand 2009; Hand and Anagnostopoulos 2014). NaN if there is only one
    /// class.
    pub fn h_measure(&self) -> f64 {
        let Some(hull) = self.hull() else { return f64::NAN };
        let prevalence = self.positives() / (self.positives() + self.negatives());
        let (a, b) = (1.0 + prevalence, 2.0 - prevalence);
        // Integrals of c u(c) and of (1 - c) u(c) from 0 to x, where u is the density of the costs.
        let of_c = |x: f64| a / (a + b) * beta_cdf(x, a + 1.0, b);
        let of_rest = |x: f64| b / (a + b) * beta_cdf(x, a, b + 1.0);
        let loss = |(f, t): (f64, f64), from: f64, to: f64| {
            (1.0 - prevalence) * f * (of_c(to) - of_c(from))
                + prevalence * (1.0 - t) * (of_rest(to) - of_rest(from))
        };
        let vertices = hull.vertices();
        let mut total = 0.0;
        // A vertex at the lower left of the hull is optimal for high costs c of false positives, so c falls
        // along the vertices.
        let mut to = 1.0;
        for (i, &vertex) in vertices.iter().enumerate() {
            let from = vertices.get(i + 1).map_or(0.0, |next| {
                let (false_alerts, found) =
                    ((1.0 - prevalence) * (next.0 - vertex.0), prevalence * (next.1 - vertex.1));
                found / (false_alerts + found)
            });
            total += loss(vertex, from, to);
            to = from;
        }
        1.0 - total / (loss((1.0, 1.0), 0.0, prevalence) + loss((0.0, 0.0), prevalence, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> ThresholdSweep {
        ThresholdSweep::new(&[1, 0, 1, 0, 0, 1], 1, &[0.9, 0.8, 0.7, 0.3, 0.2, 0.1], None).unwrap()
    }

    #[test]
    fn the_envelope_is_below_all_lines() {
        let vertices = sweep().cost_curve().unwrap();
        assert_eq!((vertices[0], vertices[vertices.len() - 1]), ((0.0, 0.0), (1.0, 0.0)));
        let lines = [(0.0, 0.0), (0.0, 1.0 / 3.0), (1.0 / 3.0, 2.0 / 3.0), (1.0, 1.0)];
        for (p, cost) in vertices {
            let least =
                lines.map(|(f, t)| (1.0 - t) * p + f * (1.0 - p)).into_iter().fold(f64::INFINITY, f64::min);
            assert!((cost - least).abs() < 1e-15, "{p} {cost} {least}");
        }
    }

    #[test]
    fn the_area_of_the_brier_curve_is_the_brier_score() {
        let n = 100_000;
        let costs: Vec<f64> = (0..n).map(|at| (f64::from(at) + 0.5) / f64::from(n)).collect();
        let area: f64 = sweep().brier_curve(&costs).unwrap().iter().sum::<f64>() / f64::from(n);
        let brier = (0.01 + 0.64 + 0.09 + 0.09 + 0.04 + 0.81) / 6.0;
        assert!((area - brier).abs() < 1e-5, "{area} {brier}");
    }

    #[test]
    fn net_benefit_is_that_of_counts() {
        let (own, all) = sweep().net_benefit(&[0.0, 0.5, 0.85]).unwrap();
        assert_eq!(all[0], 0.5);
        assert!((own[1] - (2.0 - 1.0) / 6.0).abs() < 1e-15 && all[1].abs() < 1e-15);
        assert!((own[2] - 1.0 / 6.0).abs() < 1e-15);
        assert!(sweep().net_benefit(&[1.5]).is_err());
    }

    #[test]
    fn the_h_measure_equals_its_integral() {
        let sweep = sweep();
        let hull = sweep.hull().unwrap();
        let (share, n) = (0.5, 200_000);
        let (mut own, mut trivial) = (0.0, 0.0);
        for at in 0..n {
            let c: f64 = (f64::from(at) + 0.5) / f64::from(n);
            let u = c.powf(share) * (1.0 - c).powf(1.0 - share);
            let loss = |(f, t): (f64, f64)| (1.0 - share) * f * c + share * (1.0 - t) * (1.0 - c);
            own += u * hull.vertices().iter().map(|&v| loss(v)).fold(f64::INFINITY, f64::min);
            trivial += u * loss((0.0, 0.0)).min(loss((1.0, 1.0)));
        }
        assert!((sweep.h_measure() - (1.0 - own / trivial)).abs() < 1e-6);
        let perfect = ThresholdSweep::new(&[1, 0], 1, &[0.9, 0.1], None).unwrap();
        assert!((perfect.h_measure() - 1.0).abs() < 1e-12);
        let chance = ThresholdSweep::new(&[1, 0], 1, &[0.5, 0.5], None).unwrap();
        assert!(chance.h_measure().abs() < 1e-12);
    }
}
