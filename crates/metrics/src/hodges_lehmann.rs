//! Hodges-Lehmann estimate of the difference of two methods, and its interval.

use crate::check::check_finite;
use crate::tails;
use imbcore_core::{Error, Result, float_key, key_float, nearest};

/// Method that computes the level of an interval.
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

/// Maximum number of differences for the exact method, whose table has about n^2 entries.
const MOST_EXACT: usize = 1000;

/// Hodges-Lehmann estimate: the median of `(d_i + d_j) / 2` over `i <= j`.
///
/// NaN without differences.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite.
pub fn hodges_lehmann(differences: &[f64]) -> Result<f64> {
    Ok(WalshAverages::new(differences)?.median())
}

/// An estimate and its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// [`hodges_lehmann`].
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Coverage probability of the interval.
    ///
    /// With the exact method, it is at least the requested level, unless there are too few differences for
    /// that.
    pub level: f64,
}

/// Confidence interval of the differences that the signed-rank test does not reject.
///
/// The ends are order statistics of the Walsh averages, counted from both ends. With the normal approximation
/// they are the values that R's `wilcox.test` searches for, computed exactly instead of within 1e-4. NaN
/// without differences.
///
/// # Errors
/// [`Error::Data`] for differences that are not finite; [`Error::Parameter`] for a level outside (0, 1);
/// [`Error::Unsupported`] for the exact method with more than 1000 differences.
pub fn hodges_lehmann_interval(differences: &[f64], level: f64, method: TestMethod) -> Result<Interval> {
    if !(level > 0.0 && level < 1.0) {
        return Err(Error::parameter("hodges_lehmann_interval", "level", "in (0, 1)", level));
    }
    let means = WalshAverages::new(differences)?;
    let (n, estimate) = (differences.len(), means.median());
    if n == 0 {
        return Ok(Interval { estimate, low: f64::NAN, high: f64::NAN, level: f64::NAN });
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let plain = n < 50 && tie_sum(&sizes) == 0.0 && sizes.iter().all(|size| *size > 0.0);
    let (from_ends, level) = if method == TestMethod::Exact || (method == TestMethod::Auto && plain) {
        exact_n_beyond(n, level)?
    } else {
        normal_n_beyond(differences, means.len(), level, method != TestMethod::Uncorrected)
    };
    let (low, high) = match from_ends {
        Some(count) => (means.order_statistic(count), means.order_statistic(means.len() - 1 - count)),
        None => (estimate, estimate),
    };
    Ok(Interval { estimate, low, high, level })
}

/// Number of Walsh averages beyond each end of the interval, and its exact level.
///
/// The number is the largest rank sum with tail probability at most `(1 - level) / 2`, minus one.
fn exact_n_beyond(n: usize, level: f64) -> Result<(Option<usize>, f64)> {
    if n > MOST_EXACT {
        return Err(Error::Unsupported(format!(
            "the exact interval supports at most {MOST_EXACT} differences, got {n}; use method=\"normal\""
        )));
    }
    let tail = (1.0 - level) / 2.0;
    let mut below = 0.0;
    let mut beyond = 0;
    let chances = rank_sum_distribution(n);
    for (sum, chance) in chances.iter().enumerate() {
        // As in R, a small tolerance accepts a level that is reached exactly.
        if below + chance >= tail - 10.0 * f64::EPSILON {
            beyond = sum.saturating_sub(1);
            break;
        }
        below += chance;
    }
    let outside: f64 = chances[..=beyond].iter().sum();
    Ok((Some(beyond), 1.0 - 2.0 * outside))
}

/// Interval by the normal approximation; `None` if the interval is the estimate alone.
///
/// If even all Walsh averages do not reach the level, the miss probability is doubled until they do, as in R.
fn normal_n_beyond(
    differences: &[f64],
    n_means: usize,
    level: f64,
    continuity: bool,
) -> (Option<usize>, f64) {
    let n = differences.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_sum(differences) / 48.0;
    let half = if continuity { 0.5 } else { 0.0 };
    let mut miss = 1.0 - level;
    while miss < 1.0 {
        // Walsh averages above the lower end, by the distribution of the rank sum of positive differences.
        let above = n_means as f64 / 2.0 + half - tails::normal_quantile(miss / 2.0) * variance.sqrt();
        let most = n_means as f64;
        if above < most {
            // The last position such that more than `above` averages are at this position or after it.
            #[allow(clippy::cast_sign_loss)]
            return (Some((most - above).ceil() as usize - 1), 1.0 - miss);
        }
        miss *= 2.0;
    }
    (None, 0.0)
}

/// Distribution of the sum of `1..=n`, each included with probability 1/2.
fn rank_sum_distribution(n: usize) -> Vec<f64> {
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

/// `sum (t^3 - t)` over groups of t equal values.
fn tie_sum(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cube = |group: &[f64]| (group.len() as f64).powi(3) - group.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(cube).sum()
}

/// Walsh averages of the differences, which are too many to list.
///
/// An order statistic is found by bisection, counting the averages below a number.
struct WalshAverages {
    /// The differences, ascending.
    differences: Vec<f64>,
}

impl WalshAverages {
    fn new(differences: &[f64]) -> Result<Self> {
        check_finite(differences)?;
        let mut differences = differences.to_vec();
        differences.sort_by(f64::total_cmp);
        Ok(Self { differences })
    }

    fn len(&self) -> usize {
        self.differences.len() * (self.differences.len() + 1) / 2
    }

    /// The average at a position in ascending order, by bisection over the float keys.
    fn order_statistic(&self, place: usize) -> f64 {
        let [Some(first), Some(last)] = [self.differences.first(), self.differences.last()] else {
            return f64::NAN;
        };
        let (mut low, mut high) = (float_key(*first), float_key(*last));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.up_to(key_float(middle)) > place {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        key_float(low)
    }

    /// Number of averages that are at most `most`.
    ///
    /// Invariant: `end` never increases with `at`, so the count takes linear time.
    fn up_to(&self, most: f64) -> usize {
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
    use imbcore_core::{SeedKey, below};

    #[test]
    fn five_by_hand() {
        // The sum of 5 ranks is 0 with probability 1/32: at 90 % no average lies beyond the ends. Sums up to 2
        // have probability 3/32 < 1/10, so two averages lie beyond each end at 80 %.
        let d = [1.0, 2.0, 4.0, 8.0, 16.0];
        let at = |level| {
            let found = hodges_lehmann_interval(&d, level, TestMethod::Auto).unwrap();
            (found.low, found.high, found.level)
        };
        assert_eq!(at(0.9), (1.0, 16.0, 1.0 - 2.0 / 32.0));
        assert_eq!(at(0.8), (2.0, 10.0, 1.0 - 6.0 / 32.0));
        // Five differences cannot reach a higher level.
        assert_eq!(at(0.999), at(0.9));
        assert_eq!(hodges_lehmann(&d).unwrap(), 5.0);
    }

    #[test]
    fn means_are_those_of_a_sorted_list() {
        let rng = &mut SeedKey::root(1).rng();
        for round in 0..400 {
            let (n, values) = (1 + below(rng, 25), 1 + below(rng, if round % 2 == 0 { 8 } else { 1 << 30 }));
            let scale = 10_f64.powf(f64::from(below(rng, 40)) - 20.0);
            let d: Vec<f64> =
                (0..n).map(|_| scale * (f64::from(below(rng, values)) - f64::from(values / 2))).collect();
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
        let empty = hodges_lehmann_interval(&[], 0.9, TestMethod::Auto).unwrap();
        assert!(hodges_lehmann(&[]).unwrap().is_nan() && empty.low.is_nan() && empty.level.is_nan());
        for method in [TestMethod::Auto, TestMethod::Exact, TestMethod::Normal, TestMethod::Uncorrected] {
            let one = hodges_lehmann_interval(&[2.0], 0.9, method).unwrap();
            assert_eq!((one.estimate, one.low, one.high), (2.0, 2.0, 2.0));
        }
        assert!(hodges_lehmann(&[f64::INFINITY]).is_err());
        assert!(hodges_lehmann_interval(&[1.0, 2.0], 1.0, TestMethod::Auto).is_err());
        let many = vec![1.0; 1001];
        assert!(matches!(hodges_lehmann_interval(&many, 0.9, TestMethod::Exact), Err(Error::Unsupported(_))));
    }
}
