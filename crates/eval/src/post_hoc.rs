//! Post-hoc tests after a Friedman test.

use crate::ranks::TestResult;
use crate::tails;
use imbcore_base::{Error, Result};

/// Comparisons that a critical difference of mean ranks applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostHoc {
    /// Every method against every other (Nemenyi 1963).
    Nemenyi,
    /// One control against all others (Dunn 1961).
    BonferroniDunn,
}

impl PostHoc {
    /// Quantile q of the critical difference `q sqrt(k (k + 1) / (6 N))` of mean ranks.
    ///
    /// Nemenyi: the studentized range with infinitely many degrees of freedom over sqrt 2. Bonferroni-Dunn: the
    /// normal quantile at `1 - level / (2 (k - 1))`.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless there are two methods and `level` is in (0, 1).
    pub fn quantile(self, n_methods: usize, level: f64) -> Result<f64> {
        if n_methods < 2 {
            return Err(Error::parameter("critical_difference", "n_methods", "at least 2", n_methods));
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::parameter("critical_difference", "level", "in (0, 1)", level));
        }
        Ok(match self {
            Self::BonferroniDunn => -tails::normal_quantile(level / (2.0 * (n_methods as f64 - 1.0))),
            Self::Nemenyi => range_quantile(n_methods, level) / 2.0_f64.sqrt(),
        })
    }

    /// Critical difference of mean ranks.
    ///
    /// # Errors
    /// As [`Self::quantile`]; [`Error::Parameter`] without data sets.
    pub fn critical_difference(self, n_methods: usize, n_sets: usize, level: f64) -> Result<f64> {
        if n_sets == 0 {
            return Err(Error::parameter("critical_difference", "n_datasets", "at least 1", n_sets));
        }
        let k = n_methods as f64;
        Ok(self.quantile(n_methods, level)? * (k * (k + 1.0) / (6.0 * n_sets as f64)).sqrt())
    }
}

/// Width that the range of `k` standard normal numbers exceeds with probability `level`.
fn range_quantile(k: usize, level: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    while high - low > 1e-12 {
        let middle = f64::midpoint(low, high);
        if 1.0 - tails::normal_range_cdf(middle, k) > level {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Indices of two methods, and the test of their mean rank difference (first minus second).
pub type Pair = ((usize, usize), TestResult);

/// Tests every pair of methods, or `control` against every other method.
///
/// `z = (R_i - R_j) / sqrt(k (k + 1) / (6 N))`, with the two-sided p-value of the normal distribution (Demsar
/// 2006, section 3.2.2).
///
/// # Errors
/// [`Error::Parameter`] for fewer than two methods, no data set, or an invalid control; [`Error::Data`] for a
/// mean rank that is not finite.
pub fn pairwise(average_ranks: &[f64], n_sets: usize, control: Option<usize>) -> Result<Vec<Pair>> {
    const CALLER: &str = "pairwise_tests";
    let k = average_ranks.len();
    if k < 2 {
        return Err(Error::parameter(CALLER, "average_ranks", "the mean ranks of at least 2 methods", k));
    }
    if n_sets == 0 {
        return Err(Error::parameter(CALLER, "n_datasets", "at least 1", n_sets));
    }
    if let Some(control) = control.filter(|&control| control >= k) {
        let expected = format!("the number of a method, 0 to {}", k - 1);
        return Err(Error::parameter(CALLER, "control", &expected, control));
    }
    check_ranks(average_ranks)?;
    let scale = (k as f64 * (k as f64 + 1.0) / (6.0 * n_sets as f64)).sqrt();
    let pairs: Vec<(usize, usize)> = match control {
        Some(control) => (0..k).filter(|&other| other != control).map(|other| (control, other)).collect(),
        None => (0..k).flat_map(|first| (first + 1..k).map(move |second| (first, second))).collect(),
    };
    let tested = |(first, second): (usize, usize)| {
        let z = (average_ranks[first] - average_ranks[second]) / scale;
        ((first, second), TestResult { statistic: z, p: (2.0 * tails::normal_sf(z.abs())).min(1.0) })
    };
    Ok(pairs.into_iter().map(tested).collect())
}

/// Maximal groups of methods, best first, whose mean ranks differ by less than `difference`.
///
/// These are the bars of a critical difference diagram. Groups of one method and groups inside others are left
/// out.
///
/// # Errors
/// [`Error::Data`] for a mean rank that is not finite; [`Error::Parameter`] for a difference that is not at
/// least 0.
pub fn rank_groups(average_ranks: &[f64], difference: f64) -> Result<Vec<Vec<usize>>> {
    check_ranks(average_ranks)?;
    if difference.is_nan() || difference < 0.0 {
        return Err(Error::parameter("rank_groups", "difference", "a number of at least 0", difference));
    }
    let mut order: Vec<usize> = (0..average_ranks.len()).collect();
    order.sort_by(|&a, &b| average_ranks[a].total_cmp(&average_ranks[b]));
    let mut found: Vec<(usize, usize)> = Vec::new();
    for first in 0..order.len() {
        let near = |method: &&usize| average_ranks[**method] - average_ranks[order[first]] < difference;
        let end = first + order[first..].iter().take_while(near).count();
        if end > first + 1 && found.last().is_none_or(|&(_, before)| end > before) {
            found.push((first, end));
        }
    }
    Ok(found.into_iter().map(|(from, to)| order[from..to].to_vec()).collect())
}

fn check_ranks(average_ranks: &[f64]) -> Result<()> {
    match average_ranks.iter().position(|rank| !rank.is_finite()) {
        Some(method) => Err(Error::Data(format!(
            "average_ranks must be finite; method {method} has {}",
            average_ranks[method]
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_of_the_critical_difference() {
        for (k, n, level) in [(1, 5, 0.05), (2, 0, 0.05), (2, 5, 0.0), (2, 5, 1.0), (2, 5, f64::NAN)] {
            assert!(PostHoc::Nemenyi.critical_difference(k, n, level).is_err());
        }
        // With two methods both tests are identical.
        let cd = |test: PostHoc| test.critical_difference(2, 17, 0.05).unwrap();
        assert!((cd(PostHoc::Nemenyi) - cd(PostHoc::BonferroniDunn)).abs() < 1e-11);
    }

    #[test]
    fn pairs_by_hand() {
        // k = 3, N = 2: the standard error is 1.
        let pairs = pairwise(&[1.0, 2.0, 3.0], 2, None).unwrap();
        let shown: Vec<_> = pairs.iter().map(|(pair, tested)| (*pair, tested.statistic)).collect();
        assert_eq!(shown, [((0, 1), -1.0), ((0, 2), -2.0), ((1, 2), -1.0)]);
        assert!((pairs[0].1.p - 0.317_310_507_862_914_1).abs() < 1e-12);
        let control = pairwise(&[1.0, 2.0, 3.0], 2, Some(1)).unwrap();
        assert_eq!(control.iter().map(|pair| pair.0).collect::<Vec<_>>(), [(1, 0), (1, 2)]);
        for (ranks, n, control) in [
            (&[1.0][..], 2, None),
            (&[1.0, 2.0], 0, None),
            (&[1.0, 2.0], 2, Some(2)),
            (&[1.0, f64::NAN], 2, None),
        ] {
            assert!(pairwise(ranks, n, control).is_err());
        }
    }

    #[test]
    fn groups_by_hand() {
        assert_eq!(rank_groups(&[3.0, 1.0, 1.5, 2.25], 1.0).unwrap(), [vec![1, 2], vec![2, 3], vec![3, 0]]);
        // A difference equal to the limit separates; groups inside groups are dropped.
        assert!(rank_groups(&[1.0, 2.0], 1.0).unwrap().is_empty());
        assert_eq!(rank_groups(&[1.0, 2.0, 3.0], 9.0).unwrap(), [vec![0, 1, 2]]);
        assert!(rank_groups(&[1.0, f64::NAN], 1.0).is_err() && rank_groups(&[1.0], -1.0).is_err());
    }
}
