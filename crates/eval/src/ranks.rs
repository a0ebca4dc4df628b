//! Comparison of several methods over several data sets by their ranks (Demsar 2006).

use crate::tails;
use imbcore_base::{Error, Result};

/// Ranks of `values` in ascending order, from 1; equal values get the mean of their ranks.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (group.len() + 1) as f64 / 2.0;
        for &at in group {
            ranks[at] = rank;
        }
        before += group.len();
    }
    ranks
}

/// A test statistic and its p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The statistic.
    pub statistic: f64,
    /// Probability of a statistic at least as large if all methods are equally good.
    pub p: f64,
}

/// Friedman test of a table with one row per data set and one column per method.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Rank of every method on every data set, row-major; 1 is the best.
    pub ranks: Vec<f64>,
    /// Mean rank of every method.
    pub average_ranks: Vec<f64>,
    /// `1 - sum (t^3 - t) / (N k (k^2 - 1))` over groups of t ties.
    ///
    /// 1 without ties, 0 if all methods tie.
    pub tie_factor: f64,
    /// Friedman 1937: chi-square with k - 1 degrees of freedom.
    pub chi2: TestResult,
    /// Iman and Davenport 1980: F with k - 1 and (k - 1)(N - 1) degrees of freedom.
    pub f: TestResult,
    /// `chi2` divided by the tie factor; NaN if all methods tie on every data set.
    pub chi2_ties: TestResult,
    /// `f` from the corrected chi-square.
    pub f_ties: TestResult,
}

impl Friedman {
    /// Ranks the methods on each data set, largest first, and tests whether they differ.
    ///
    /// # Errors
    /// [`Error::Data`] for values that are not finite, a ragged table, or fewer than two data sets or methods.
    pub fn new(values: &[f64], n_methods: usize) -> Result<Self> {
        let n_sets = values.len().checked_div(n_methods).unwrap_or(0);
        if n_methods < 2 || n_sets < 2 || n_sets * n_methods != values.len() {
            return Err(Error::Data(format!(
                "the Friedman test needs at least 2 data sets and 2 methods; got {n_sets} and {n_methods}"
            )));
        }
        if let Some(cell) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::Data(format!(
                "the value of method {} on data set {} is {}; every method needs a finite value on every data set",
                cell % n_methods,
                cell / n_methods,
                values[cell]
            )));
        }
        let (n, k) = (n_sets as f64, n_methods as f64);
        let ranks: Vec<f64> = values
            .chunks_exact(n_methods)
            .flat_map(|row| mid_ranks(&row.iter().map(|value| -value).collect::<Vec<_>>()))
            .collect();
        let average_ranks: Vec<f64> = (0..n_methods)
            .map(|method| ranks.iter().skip(method).step_by(n_methods).sum::<f64>() / n)
            .collect();
        let ties: f64 = ranks.chunks_exact(n_methods).map(tie_sum).sum();
        let tie_factor = 1.0 - ties / (n * k * (k * k - 1.0));
        let (chi2, f) = friedman_of_ranks(&average_ranks, n_sets);
        // 0 / 0 = NaN if everything ties.
        let corrected = chi2.statistic / tie_factor;
        Ok(Self {
            chi2,
            f,
            chi2_ties: chi_square(corrected, k),
            f_ties: iman_davenport(corrected, n, k),
            ranks,
            average_ranks,
            tie_factor,
        })
    }
}

/// Friedman's chi-square and Iman and Davenport's F from the mean ranks.
///
/// `12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4)` is computed from the deviations of the mean ranks from
/// their center, so that equal methods give exactly 0.
pub fn friedman_of_ranks(average_ranks: &[f64], n_sets: usize) -> (TestResult, TestResult) {
    let (n, k) = (n_sets as f64, average_ranks.len() as f64);
    let spread: f64 = average_ranks.iter().map(|rank| (rank - k.midpoint(1.0)).powi(2)).sum();
    let chi2 = 12.0 * n / (k * (k + 1.0)) * spread;
    (chi_square(chi2, k), iman_davenport(chi2, n, k))
}

/// `sum (t^3 - t)` over groups of t equal ranks.
pub(crate) fn tie_sum(ranks: &[f64]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cube = |group: &[f64]| (group.len() as f64).powi(3) - group.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(cube).sum()
}

fn chi_square(statistic: f64, k: f64) -> TestResult {
    if statistic.is_nan() {
        return TestResult { statistic, p: f64::NAN };
    }
    TestResult { statistic, p: tails::chi_square_sf(statistic, k - 1.0) }
}

/// `(N - 1) chi2 / (N (k - 1) - chi2)`.
///
/// Infinite if all data sets rank the methods the same way.
fn iman_davenport(chi2: f64, n: f64, k: f64) -> TestResult {
    if chi2.is_nan() {
        return TestResult { statistic: f64::NAN, p: f64::NAN };
    }
    let most = n * (k - 1.0);
    // Rounding may leave chi2 slightly below its maximum.
    let agreed = chi2 >= most * (1.0 - 1e-12);
    let statistic = if agreed { f64::INFINITY } else { (n - 1.0) * chi2 / (most - chi2) };
    TestResult { statistic, p: tails::f_sf(statistic, k - 1.0, (k - 1.0) * (n - 1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(mid_ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(mid_ranks(&[-0.0, 0.0]), [1.5, 1.5]);
        assert!(mid_ranks(&[]).is_empty());
    }

    #[test]
    fn full_agreement_has_p_0_and_full_ties_are_undefined() {
        let agreed = Friedman::new(&[3.0, 2.0, 1.0, 6.0, 5.0, 4.0, 9.0, 8.0, 7.0], 3).unwrap();
        assert_eq!(agreed.average_ranks, [1.0, 2.0, 3.0]);
        assert_eq!((agreed.chi2.statistic, agreed.f.statistic, agreed.f.p), (6.0, f64::INFINITY, 0.0));
        let tied = Friedman::new(&[1.0; 6], 2).unwrap();
        assert_eq!((tied.chi2.statistic, tied.chi2.p, tied.tie_factor), (0.0, 1.0, 0.0));
        assert!(tied.chi2_ties.statistic.is_nan() && tied.f_ties.p.is_nan());
    }

    #[test]
    fn tables_that_cannot_be_ranked_are_refused() {
        assert!(Friedman::new(&[1.0, f64::NAN, 2.0, 3.0], 2).unwrap_err().to_string().contains("method 1"));
        for (values, n_methods) in [(&[1.0, 2.0][..], 2), (&[1.0, 2.0], 1), (&[1.0; 5], 2), (&[], 0)] {
            assert!(matches!(Friedman::new(values, n_methods), Err(Error::Data(_))));
        }
    }
}
