//! Hodges-Lehmann estimate of the score difference of two methods, with an interval.

use crate::argument_checks::check_differences_finite;
use crate::tails;
use imbcore_core::{Error, Result, float_from_key, float_key, unknown_name_error};

/// Distribution of the signed-rank statistic, from which the confidence interval is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignedRankMethod {
    /// `Exact` for fewer than 50 differences without ties and zeros, else `Normal` (R's rule).
    Auto,
    /// Exact distribution, in which all signs of the ranked differences are equally likely.
    Exact,
    /// Normal approximation with corrections for ties and for continuity.
    Normal,
    /// Normal approximation with a correction for ties only, as in `scipy.stats`.
    Uncorrected,
}

impl SignedRankMethod {
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
            _ => Err(unknown_name_error("method", name, ["auto", "exact", "normal", "uncorrected"])),
        }
    }
}

/// Maximum number n of differences for the exact method; its table has about n^2 / 2 entries.
const MOST_EXACT: usize = 1000;

/// Hodges-Lehmann estimate: the median of `(d_i + d_j) / 2` over all pairs `i <= j`.
///
/// The d are the differences. The result is NaN without differences.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite.
pub fn hodges_lehmann(differences: &[f64]) -> Result<f64> {
    Ok(WalshAverages::new(differences)?.median())
}

/// An estimate and its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate [`hodges_lehmann`].
    pub estimate: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
    /// Coverage probability of the interval.
    ///
    /// With the exact method, it is at least the requested level, unless there are too few differences for
    /// this level.
    pub level: f64,
}

/// Confidence interval of the differences that the signed-rank test does not reject.
///
/// Walsh averages are the means of all pairs of differences. The ends of the interval are the Walsh averages
/// at the same position from below and from above. With the normal approximation, they equal those of R's
/// `wilcox.test`, which finds them only to within 1e-4. The ends are NaN without differences.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite; [`Error::Parameter`] for a level outside (0, 1);
/// [`Error::Unsupported`] for the exact method with more than 1000 differences.
pub fn hodges_lehmann_interval(
    differences: &[f64],
    level: f64,
    method: SignedRankMethod,
) -> Result<Interval> {
    if !(level > 0.0 && level < 1.0) {
        return Err(Error::parameter("hodges_lehmann_interval", "level", "in (0, 1)", level));
    }
    let means = WalshAverages::new(differences)?;
    let (n, estimate) = (differences.len(), means.median());
    if n == 0 {
        return Ok(Interval { estimate, low: f64::NAN, high: f64::NAN, level: f64::NAN });
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let plain = n < 50 && tie_correction_sum(&sizes) == 0.0 && sizes.iter().all(|size| *size > 0.0);
    let (from_ends, level) = if method == SignedRankMethod::Exact
        || (method == SignedRankMethod::Auto && plain)
    {
        exact_n_averages_outside(n, level)?
    } else {
        normal_n_averages_outside(differences, means.len(), level, method != SignedRankMethod::Uncorrected)
    };
    let (low, high) = match from_ends {
        Some(count) => (means.order_statistic(count), means.order_statistic(means.len() - 1 - count)),
        None => (estimate, estimate),
    };
    Ok(Interval { estimate, low, high, level })
}

/// Number of Walsh averages outside each end of the interval, and the interval's exact level.
///
/// The number is the largest s for which P(rank sum <= s) is below `(1 - level) / 2`, or 0 without such an s.
fn exact_n_averages_outside(n: usize, level: f64) -> Result<(Option<usize>, f64)> {
    if n > MOST_EXACT {
        return Err(Error::Unsupported(format!(
            "the exact interval supports at most {MOST_EXACT} differences, got {n}; use method=\"normal\""
        )));
    }
    let tail = (1.0 - level) / 2.0;
    let mut below = 0.0;
    let mut beyond = 0;
    let chances = signed_rank_distribution(n);
    for (sum, chance) in chances.iter().enumerate() {
        // As in R, a small tolerance treats probabilities as equal that differ only by rounding.
        if below + chance >= tail - 10.0 * f64::EPSILON {
            beyond = sum.saturating_sub(1);
            break;
        }
        below += chance;
    }
    let outside: f64 = chances[..=beyond].iter().sum();
    Ok((Some(beyond), 1.0 - 2.0 * outside))
}

/// Number of Walsh averages outside each end (normal approximation), and the level reached.
///
/// If even the range of all Walsh averages does not reach the level, the miss probability 1 - level is
/// doubled until it does (as in R). The number is `None` if no level is reached; the interval is then the
/// estimate alone.
fn normal_n_averages_outside(
    differences: &[f64],
    n_means: usize,
    level: f64,
    continuity: bool,
) -> (Option<usize>, f64) {
    let n = differences.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_correction_sum(differences) / 48.0;
    let half = if continuity { 0.5 } else { 0.0 };
    let mut miss = 1.0 - level;
    while miss < 1.0 {
        // Number of Walsh averages above the lower end. Under the null hypothesis, it has the distribution of
        // the rank sum of the positive differences.
        let above = n_means as f64 / 2.0 + half - tails::normal_quantile(miss / 2.0) * variance.sqrt();
        let most = n_means as f64;
        if above < most {
            // The lower end is the largest Walsh average for which more than `above` averages are at or after
            // its position in ascending order.
            #[allow(clippy::cast_sign_loss)]
            return (Some((most - above).ceil() as usize - 1), 1.0 - miss);
        }
        miss *= 2.0;
    }
    (None, 0.0)
}

/// Distribution of the rank sum: each of the numbers 1 to `n` is added with probability 1/2.
fn signed_rank_distribution(n: usize) -> Vec<f64> {
    let mut chance = vec![0.0; n * (n + 1) / 2 + 1];
    chance[0] = 1.0;
    let mut reached = 0;
    for step in 1..=n {
        reached += step;
        for sum in (0..=reached).rev() {
            let before = if sum >= step { chance[sum - step] } else { 0.0 };
            chance[sum] = 0.5 * (chance[sum] + before);
        }
    }
    chance
}

/// Tie correction: the sum of `t^3 - t` over all groups of t equal values.
fn tie_correction_sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cube = |group: &[f64]| (group.len() as f64).powi(3) - group.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(cube).sum()
}

/// Walsh averages: the means of all pairs of differences, and each difference itself.
///
/// They are too many to list. An order statistic is found by bisection: every step counts the averages that
/// are at most a given number.
struct WalshAverages {
    differences: Vec<f64>,
}

impl WalshAverages {
    fn new(differences: &[f64]) -> Result<Self> {
        check_differences_finite(differences)?;
        let mut differences = differences.to_vec();
        differences.sort_by(f64::total_cmp);
        Ok(Self { differences })
    }

    fn len(&self) -> usize {
        self.differences.len() * (self.differences.len() + 1) / 2
    }

    /// The average at a position in ascending order.
    ///
    /// It is found by bisection over integer keys of floating-point numbers, so it is exact.
    fn order_statistic(&self, place: usize) -> f64 {
        let [Some(first), Some(last)] = [self.differences.first(), self.differences.last()] else {
            return f64::NAN;
        };
        let (mut low, mut high) = (float_key(*first), float_key(*last));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.n_at_most(float_from_key(middle)) > place {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        float_from_key(low)
    }

    /// Number of averages that are at most `most`.
    ///
    /// For each first element of a pair, `end` is the number of elements that are small enough as second
    /// element. The first elements ascend, so `end` never increases, and counting takes linear time.
    fn n_at_most(&self, most: f64) -> usize {
        let (mut count, mut end) = (0, self.differences.len());
        for (at, first) in self.differences.iter().enumerate() {
            while end > at && f64::midpoint(*first, self.differences[end - 1]) > most {
                end -= 1;
            }
            if end <= at {
                break;
            }
            count += end - at;
        }
        count
    }

    fn median(&self) -> f64 {
        match self.len() {
            0 => f64::NAN,
            n => f64::midpoint(self.order_statistic((n - 1) / 2), self.order_statistic(n / 2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{SeedKey, random_below};

    #[test]
    fn five_by_hand() {
        // For 5 differences, the rank sum is 0 with probability 1/32, so at 90 % no average lies beyond the
        // ends. Sums up to 2 have probability 3/32, which is below 1/10, so at 80 % two averages lie beyond
        // each end.
        let d = [1.0, 2.0, 4.0, 8.0, 16.0];
        let at = |level| {
            let found = hodges_lehmann_interval(&d, level, SignedRankMethod::Auto).unwrap();
            (found.low, found.high, found.level)
        };
        assert_eq!(at(0.9), (1.0, 16.0, 1.0 - 2.0 / 32.0));
        assert_eq!(at(0.8), (2.0, 10.0, 1.0 - 6.0 / 32.0));
        // With five differences, the level 0.9375 is the highest possible level.
        assert_eq!(at(0.999), at(0.9));
        assert_eq!(hodges_lehmann(&d).unwrap(), 5.0);
    }

    #[test]
    fn means_are_those_of_a_sorted_list() {
        let rng = &mut SeedKey::root(1).rng();
        for round in 0..400 {
            let (n, values) =
                (1 + random_below(rng, 25), 1 + random_below(rng, if round % 2 == 0 { 8 } else { 1 << 30 }));
            let scale = 10_f64.powf(f64::from(random_below(rng, 40)) - 20.0);
            let d: Vec<f64> = (0..n)
                .map(|_| scale * (f64::from(random_below(rng, values)) - f64::from(values / 2)))
                .collect();
            let mut list: Vec<f64> = Vec::new();
            for (at, first) in d.iter().enumerate() {
                list.extend(d[at..].iter().map(|second| f64::midpoint(*first, *second)));
            }
            list.sort_by(f64::total_cmp);
            let means = WalshAverages::new(&d).unwrap();
            assert_eq!(
                (0..means.len()).map(|place| means.order_statistic(place)).collect::<Vec<_>>(),
                list,
                "{d:?}"
            );
        }
    }

    #[test]
    fn more_averages_than_memory_holds_are_allowed() {
        let d: Vec<f64> = (0..300_001).map(f64::from).collect();
        assert_eq!(hodges_lehmann(&d).unwrap(), 150_000.0);
    }

    #[test]
    fn edges_of_the_domains() {
        let empty = hodges_lehmann_interval(&[], 0.9, SignedRankMethod::Auto).unwrap();
        assert!(hodges_lehmann(&[]).unwrap().is_nan() && empty.low.is_nan() && empty.level.is_nan());
        for method in [
            SignedRankMethod::Auto,
            SignedRankMethod::Exact,
            SignedRankMethod::Normal,
            SignedRankMethod::Uncorrected,
        ] {
            let one = hodges_lehmann_interval(&[2.0], 0.9, method).unwrap();
            assert_eq!((one.estimate, one.low, one.high), (2.0, 2.0, 2.0));
        }
        assert!(hodges_lehmann(&[f64::INFINITY]).is_err());
        assert!(hodges_lehmann_interval(&[1.0, 2.0], 1.0, SignedRankMethod::Auto).is_err());
        let many = vec![1.0; 1001];
        assert!(matches!(
            hodges_lehmann_interval(&many, 0.9, SignedRankMethod::Exact),
            Err(Error::Unsupported(_))
        ));
    }
}
