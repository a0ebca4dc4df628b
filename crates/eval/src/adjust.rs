//! P-value adjustments for multiple hypothesis tests.

use imbcore_base::{Error, Result, nearest};

/// Adjustment of p-values that controls the family-wise error rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// Multiplies each p-value by the number of tests m (Dunn 1961).
    Bonferroni,
    /// Step-down: smallest p-value times m, next times m - 1, ..., nondecreasing (Holm 1979).
    Holm,
    /// Step-up with Holm's factors, for independent tests (Hochberg 1988).
    Hochberg,
}

impl Adjustment {
    /// Returns the adjustment called `name`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "bonferroni" => Ok(Self::Bonferroni),
            "holm" => Ok(Self::Holm),
            "hochberg" => Ok(Self::Hochberg),
            _ => Err(nearest("adjustment", name, ["bonferroni", "holm", "hochberg"])),
        }
    }

    /// Returns the adjusted p-values, in the order of `p`.
    ///
    /// Hypotheses whose adjusted p-value is at most the level are rejected.
    ///
    /// # Errors
    /// [`Error::Data`] for a value outside [0, 1].
    pub fn apply(self, p: &[f64]) -> Result<Vec<f64>> {
        if let Some(index) = p.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return Err(Error::Data(format!("p-values must lie in [0, 1]; value {index} is {}", p[index])));
        }
        let m = p.len();
        if self == Self::Bonferroni {
            return Ok(p.iter().map(|p| (p * m as f64).min(1.0)).collect());
        }
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let mut adjusted = vec![0.0; m];
        let scaled = |place: usize| ((m - place) as f64 * p[order[place]]).min(1.0);
        let mut bound = if self == Self::Holm { 0.0_f64 } else { 1.0 };
        for step in 0..m {
            let place = if self == Self::Holm { step } else { m - 1 - step };
            bound = if self == Self::Holm { bound.max(scaled(place)) } else { bound.min(scaled(place)) };
            adjusted[order[place]] = bound;
        }
        Ok(adjusted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_by_hand() {
        let p = [0.04, 0.01, 0.03];
        let close = |how: Adjustment, expected: [f64; 3]| {
            let found = how.apply(&p).unwrap();
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{how:?}: {found:?}");
        };
        close(Adjustment::Bonferroni, [0.12, 0.03, 0.09]);
        close(Adjustment::Holm, [0.06, 0.03, 0.06]);
        close(Adjustment::Hochberg, [0.04, 0.03, 0.04]);
    }

    #[test]
    fn invalid_p_values_are_refused() {
        for how in [Adjustment::Bonferroni, Adjustment::Holm, Adjustment::Hochberg] {
            assert!(how.apply(&[0.5, 1.5]).is_err() && how.apply(&[f64::NAN]).is_err());
            assert!(how.apply(&[]).unwrap().is_empty());
            assert_eq!(how.apply(&[1.0, 1.0, 0.0]).unwrap(), [1.0, 1.0, 0.0]);
        }
    }
}
