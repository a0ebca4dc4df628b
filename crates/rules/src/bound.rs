//! Generalization bound for box drawings (Goh and Rudin 2014, proposition 3).

use imbcore_core::{Error, Result};

/// The sets of boxes over which the generalization bound holds uniformly.
#[derive(Clone, Debug, PartialEq)]
pub struct HypothesisClass {
    /// Number of boxes, at least 1.
    pub n_boxes: u32,
    /// Number of different values that a bound of a box can have in each feature, at least 2.
    pub n_values: Vec<u32>,
    /// Cost of a negative row inside a box. A positive row outside all boxes costs 1.
    pub c: f64,
}

impl HypothesisClass {
    /// Logarithm of an upper bound on the number of sets of `n_boxes` different boxes.
    ///
    /// Each box chooses two different values per feature, and the order of the boxes does not matter.
    fn log_size(&self) -> f64 {
        let pairs = |&m: &u32| (f64::from(m) * (f64::from(m) - 1.0) / 2.0).ln();
        let of_one: f64 = self.n_values.iter().map(pairs).sum();
        let orders: f64 = (1..=self.n_boxes).map(|i| f64::from(i).ln()).sum();
        (f64::from(self.n_boxes) * of_one - orders).max(0.0)
    }

    /// Upper bound on the true risk, valid with probability at least `1 - delta`.
    ///
    /// The bound is `risk + max(1, c) sqrt((ln N + ln(1 / delta)) / (2 n))` for `N` sets of boxes and `n`
    /// training rows. `c` is the cost of a negative row inside a box, and `risk` the mean training cost of a
    /// row. The bound follows from Hoeffding's inequality and the union bound.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an argument outside its range.
    pub fn true_risk_bound(&self, risk: f64, n_rows: u64, delta: f64) -> Result<f64> {
        let most = self.c.max(1.0);
        let require = |valid: bool, name: &str, expected: &str, got: &dyn std::fmt::Display| {
            if valid { Ok(()) } else { Err(Error::parameter("generalization_bound", name, expected, got)) }
        };
        require(self.c > 0.0 && self.c.is_finite(), "negative_weight", "a number above 0", &self.c)?;
        require(
            (0.0..=most).contains(&risk),
            "risk",
            "at least 0 and at most the larger of 1 and negative_weight",
            &risk,
        )?;
        require(n_rows >= 1, "n_rows", "at least 1", &n_rows)?;
        let boxes = (1..=1_000_000).contains(&self.n_boxes);
        require(boxes, "n_boxes", "from 1 to 1000000", &self.n_boxes)?;
        require(delta > 0.0 && delta < 1.0, "delta", "in (0, 1)", &delta)?;
        let values = format!("{:?}", self.n_values);
        let enough = !self.n_values.is_empty() && self.n_values.iter().all(|&m| m >= 2);
        require(enough, "n_values", "at least 2 for each feature", &values)?;
        Ok(risk + most * ((self.log_size() - delta.ln()) / (2.0 * n_rows as f64)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_box_on_two_values_is_one_drawing() {
        let one = HypothesisClass { n_boxes: 1, n_values: vec![2, 2], c: 1.0 };
        assert_eq!(one.log_size(), 0.0);
        let bound = one.true_risk_bound(0.1, 50, 0.05).unwrap();
        assert!((bound - (0.1 + (20.0_f64.ln() / 100.0).sqrt())).abs() < 1e-15);
        // A bound of the only feature has 3 values, so a box chooses one of 3 pairs of values. Two boxes in
        // any order give 3^2 / 2! = 4.5 sets.
        let two = HypothesisClass { n_boxes: 2, n_values: vec![3], c: 2.0 };
        assert!((two.log_size() - 4.5_f64.ln()).abs() < 1e-14);
        let bound = two.true_risk_bound(1.5, 8, 0.5).unwrap();
        assert!((bound - (1.5 + 2.0 * (9.0_f64.ln() / 16.0).sqrt())).abs() < 1e-14);
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        let drawings =
            |n_boxes, n_values: &[u32], c| HypothesisClass { n_boxes, n_values: n_values.to_vec(), c };
        let good = drawings(1, &[3], 1.0);
        assert!(
            good.true_risk_bound(1.1, 5, 0.1).is_err()
                && good.true_risk_bound(0.1, 0, 0.1).is_err()
                && good.true_risk_bound(0.1, 5, 1.0).is_err()
        );
        for wrong in
            [drawings(0, &[3], 1.0), drawings(1, &[1], 1.0), drawings(1, &[], 1.0), drawings(1, &[3], 0.0)]
        {
            assert!(wrong.true_risk_bound(0.1, 5, 0.1).is_err(), "{wrong:?}");
        }
    }
}
