//! Comparison of two methods over data sets or folds by their paired differences.

use crate::ranks::{mid_ranks, tie_sum};
use crate::tails;
use imbcore_base::{Error, Result, nearest};

/// Alternative hypothesis of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// Differences on either side of zero.
    TwoSided,
    /// Positive differences.
    Greater,
    /// Negative differences.
    Less,
}

impl Alternative {
    /// Returns the alternative called `name`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "two-sided" => Ok(Self::TwoSided),
            "greater" => Ok(Self::Greater),
            "less" => Ok(Self::Less),
            _ => Err(nearest("alternative", name, ["two-sided", "greater", "less"])),
        }
    }

    /// P-value from the probabilities of a statistic at most, and at least, as large.
    pub(crate) fn p(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least,
            Self::Less => at_most,
        }
    }
}

/// Treatment of differences of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroMethod {
    /// Left out before ranking (Wilcoxon 1945).
    Drop,
    /// Ranked with the others, then left out (Pratt 1959).
    Pratt,
    /// Ranked with the others; half of their ranks count for each sign.
    Split,
}

impl ZeroMethod {
    /// Returns the rule called `name`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "drop" => Ok(Self::Drop),
            "pratt" => Ok(Self::Pratt),
            "split" => Ok(Self::Split),
            _ => Err(nearest("zeros", name, ["drop", "pratt", "split"])),
        }
    }
}

/// Method that computes the p-value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestMethod {
    /// Exact for fewer than 50 differences without ties and zeros, else normal (R's rule).
    Auto,
    /// Exact: all signs of the ranked differences are equally likely, ties included.
    Exact,
    /// Normal approximation with corrections for ties and for continuity.
    Normal,
    /// Normal approximation without the continuity correction, as in `scipy.stats`.
    Uncorrected,
}

impl TestMethod {
    /// Returns the method called `name`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "auto" => Ok(Self::Auto),
            "exact" => Ok(Self::Exact),
            "normal" => Ok(Self::Normal),
            "uncorrected" => Ok(Self::Uncorrected),
            _ => Err(nearest("method", name, ["auto", "exact", "normal", "uncorrected"])),
        }
    }
}

/// Result of the signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRanks {
    /// Number of ranked differences.
    pub n: usize,
    /// Sum of the ranks of positive differences.
    pub plus: f64,
    /// Sum of the ranks of negative differences.
    pub minus: f64,
    /// P-value; 1 if all differences are zero.
    pub p: f64,
    /// Whether `p` is exact.
    pub exact: bool,
}

/// Maximum number of differences for the exact method, whose table has about n^2 entries.
pub(crate) const MOST_EXACT: usize = 1000;

/// Wilcoxon's signed-rank test that paired differences are symmetric about zero.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite; [`Error::Unsupported`] for the exact method with more
/// than 1000 differences.
pub fn wilcoxon(
    differences: &[f64],
    zeros: ZeroMethod,
    method: TestMethod,
    alternative: Alternative,
) -> Result<SignedRanks> {
    check_finite(differences)?;
    let n_zeros = differences.iter().filter(|d| **d == 0.0).count();
    let kept: Vec<f64> =
        differences.iter().copied().filter(|d| *d != 0.0 || zeros != ZeroMethod::Drop).collect();
    let ranks = mid_ranks(&kept.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let side = |wanted: fn(&f64) -> bool| -> f64 {
        kept.iter().zip(&ranks).filter(|(d, _)| wanted(d)).map(|(_, rank)| rank).sum()
    };
    let half = if zeros == ZeroMethod::Split { side(|d| *d == 0.0) / 2.0 } else { 0.0 };
    let (plus, minus) = (side(|d| *d > 0.0) + half, side(|d| *d < 0.0) + half);
    let tied = tie_sum(&ranks) > 0.0;
    let exact = match method {
        TestMethod::Auto => (1..50).contains(&kept.len()) && !tied && n_zeros == 0,
        TestMethod::Exact if kept.len() > MOST_EXACT => {
            return Err(Error::Unsupported(format!(
                "the exact signed-rank test supports at most {MOST_EXACT} differences, got {}; \
                 use method=\"normal\"",
                kept.len()
            )));
        }
        TestMethod::Exact => true,
        TestMethod::Normal | TestMethod::Uncorrected => false,
    };
    let p = if n_zeros == differences.len() {
        1.0
    } else if exact {
        // Ranked zeros have no random sign: they contribute a constant to both sums.
        let moving: Vec<f64> =
            kept.iter().zip(&ranks).filter(|(d, _)| **d != 0.0).map(|(_, rank)| *rank).collect();
        exact_p(&moving, plus - half, alternative)
    } else {
        // Pratt's zeros take the lowest ranks and do not vary; ties among them do not count.
        let still = if zeros == ZeroMethod::Pratt { n_zeros as f64 } else { 0.0 };
        normal_p(&ranks, still, plus, method != TestMethod::Uncorrected, alternative)
    };
    Ok(SignedRanks { n: kept.len(), plus, minus, p, exact })
}

/// P-value if every sign of every rank is a fair coin toss. Adds one rank at a time.
fn exact_p(ranks: &[f64], plus: f64, alternative: Alternative) -> f64 {
    // Mid-ranks are multiples of 1/2, so twice a rank is an integer.
    #[allow(clippy::cast_sign_loss)]
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let chance = rank_sum_distribution(doubled);
    #[allow(clippy::cast_sign_loss)]
    let observed = (2.0 * plus) as usize;
    let at_most = chance[..=observed].iter().sum::<f64>().min(1.0);
    alternative.p(at_most, chance[observed..].iter().sum::<f64>().min(1.0))
}

/// Distribution of the sum of `steps`, each included with probability 1/2.
pub(crate) fn rank_sum_distribution(steps: impl IntoIterator<Item = usize> + Clone) -> Vec<f64> {
    let mut chance = vec![0.0; steps.clone().into_iter().sum::<usize>() + 1];
    chance[0] = 1.0;
    let mut reached = 0;
    for step in steps {
        reached += step;
        for sum in (0..=reached).rev() {
            let before = if sum >= step { chance[sum - step] } else { 0.0 };
            chance[sum] = 0.5 * (chance[sum] + before);
        }
    }
    chance
}

/// P-value by the normal approximation.
///
/// Mean `n (n + 1) / 4` and variance `n (n + 1)(2n + 1) / 24 - sum (t^3 - t) / 48`.
fn normal_p(ranks: &[f64], still: f64, plus: f64, continuity: bool, alternative: Alternative) -> f64 {
    let n = ranks.len() as f64;
    let moving: Vec<f64> = ranks.iter().copied().filter(|rank| *rank > still).collect();
    let mean = (n * (n + 1.0) - still * (still + 1.0)) / 4.0;
    let cubes = |m: f64| m * (m + 1.0) * (2.0 * m + 1.0) / 24.0;
    let variance = cubes(n) - cubes(still) - tie_sum(&moving) / 48.0;
    let distance = plus - mean;
    let half = match alternative {
        Alternative::TwoSided => 0.5 * distance.signum() * f64::from(u8::from(distance != 0.0)),
        Alternative::Greater => 0.5,
        Alternative::Less => -0.5,
    };
    let z = (distance - if continuity { half } else { 0.0 }) / variance.sqrt();
    alternative.p(tails::normal_sf(-z), tails::normal_sf(z))
}

/// Result of the sign test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signs {
    /// Positive differences.
    pub wins: usize,
    /// Negative differences.
    pub losses: usize,
    /// Differences of zero, which are ignored.
    pub ties: usize,
    /// Exact binomial p-value; 1 if all differences are zero.
    pub p: f64,
}

/// Matched-pairs sign test of the hypothesis that wins and losses are equally likely.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite.
pub fn sign_test(differences: &[f64], alternative: Alternative) -> Result<Signs> {
    check_finite(differences)?;
    let wins = differences.iter().filter(|d| **d > 0.0).count();
    let losses = differences.iter().filter(|d| **d < 0.0).count();
    let at_most = fair_coin_cdf(wins, wins + losses);
    let at_least = fair_coin_cdf(losses, wins + losses);
    let p = alternative.p(at_most, at_least);
    Ok(Signs { wins, losses, ties: differences.len() - wins - losses, p })
}

/// Probability of at most `heads` heads in `n` tosses of a fair coin.
fn fair_coin_cdf(heads: usize, n: usize) -> f64 {
    // The binomial tail as a beta integral, exact at both ends.
    if heads >= n {
        return 1.0;
    }
    statrs::function::beta::beta_reg((n - heads) as f64, (heads + 1) as f64, 0.5)
}

pub(crate) fn check_finite(differences: &[f64]) -> Result<()> {
    match differences.iter().position(|d| !d.is_finite()) {
        Some(pair) => {
            Err(Error::Data(format!("differences must be finite; pair {pair} has {}", differences[pair])))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wins_by_hand() {
        let found =
            wilcoxon(&[1.0, 2.0, 3.0], ZeroMethod::Drop, TestMethod::Auto, Alternative::Greater).unwrap();
        assert_eq!(found, SignedRanks { n: 3, plus: 6.0, minus: 0.0, p: 0.125, exact: true });
        let two =
            wilcoxon(&[1.0, 2.0, 3.0], ZeroMethod::Drop, TestMethod::Auto, Alternative::TwoSided).unwrap();
        assert_eq!(two.p, 0.25);
    }

    #[test]
    fn zeros_are_dropped_or_split() {
        let d = [0.0, 0.0, 1.0, -2.0];
        let ranks = |zeros| {
            let found = wilcoxon(&d, zeros, TestMethod::Auto, Alternative::TwoSided).unwrap();
            (found.n, found.plus, found.minus)
        };
        assert_eq!(ranks(ZeroMethod::Drop), (2, 1.0, 2.0));
        assert_eq!(ranks(ZeroMethod::Pratt), (4, 3.0, 4.0));
        assert_eq!(ranks(ZeroMethod::Split), (4, 4.5, 5.5));
    }

    #[test]
    fn zeros_that_were_ranked_draw_no_sign() {
        // Ranks 2 and 3 with one zero: in one of four sign patterns the sum is as large.
        for (zeros, plus) in [(ZeroMethod::Pratt, 5.0), (ZeroMethod::Split, 5.5)] {
            let found = wilcoxon(&[0.0, 1.0, 2.0], zeros, TestMethod::Exact, Alternative::Greater).unwrap();
            assert_eq!(
                found,
                SignedRanks {
                    n: 3,
                    plus,
                    minus: 6.0 - plus - f64::from(u8::from(zeros == ZeroMethod::Pratt)),
                    p: 0.25,
                    exact: true
                }
            );
        }
    }

    #[test]
    fn the_exact_method_is_refused_for_many_differences() {
        let exact = |d: &[f64], zeros| wilcoxon(d, zeros, TestMethod::Exact, Alternative::TwoSided);
        assert!(matches!(exact(&vec![1.0; 1001], ZeroMethod::Drop), Err(Error::Unsupported(_))));
        assert!(exact(&[0.0, 1.0], ZeroMethod::Drop).is_ok());
    }

    #[test]
    fn only_zeros_have_p_1() {
        for zeros in [ZeroMethod::Drop, ZeroMethod::Pratt, ZeroMethod::Split] {
            for method in [TestMethod::Auto, TestMethod::Normal] {
                assert_eq!(wilcoxon(&[0.0, 0.0], zeros, method, Alternative::TwoSided).unwrap().p, 1.0);
            }
        }
        assert_eq!(sign_test(&[0.0], Alternative::TwoSided).unwrap().p, 1.0);
    }

    #[test]
    fn a_sign_test_by_hand() {
        let found = sign_test(&[1.0, 1.0, 1.0, -1.0, 0.0], Alternative::Greater).unwrap();
        assert_eq!((found.wins, found.losses, found.ties), (3, 1, 1));
        assert!((found.p - 5.0 / 16.0).abs() < 1e-15);
    }

    #[test]
    fn infinite_differences_are_refused() {
        let d = [1.0, f64::INFINITY];
        assert!(wilcoxon(&d, ZeroMethod::Drop, TestMethod::Auto, Alternative::Less).is_err());
        assert!(sign_test(&d, Alternative::Less).is_err());
    }
}
