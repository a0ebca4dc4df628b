//! Bayesian comparison of two methods by their score differences on several data sets.
//!
//! Methods are practically equivalent if their difference lies in the region of practical equivalence,
//! `[-rope, rope]` (Benavoli et al. 2017).

use crate::argument_checks::check_differences_finite;
use imbcore_core::{Error, Result, RunContext, SeedKey};
use rand_distr::{Distribution, Gamma};

/// Probabilities that the first method is practically worse, equivalent and better.
///
/// The three probabilities sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquivalenceProbabilities {
    /// Probability that the first method is worse: the difference is below `-rope`.
    pub less: f64,
    /// Probability that the difference lies in `[-rope, rope]`; 0 if `rope` is 0.
    pub equivalent: f64,
    /// Probability that the first method is better: the difference is above `rope`.
    pub greater: f64,
}

impl EquivalenceProbabilities {
    pub(crate) fn check_rope(caller: &str, rope: f64) -> Result<()> {
        if rope >= 0.0 && rope.is_finite() {
            return Ok(());
        }
        Err(Error::parameter(caller, "rope", "a number of at least 0", rope))
    }

    /// Probabilities for a difference without uncertainty.
    ///
    /// The region that contains the difference has probability 1. If the difference and `rope` are both 0,
    /// `less` and `greater` are 1/2.
    pub(crate) fn for_known_difference(difference: f64, rope: f64) -> Self {
        if difference == 0.0 && rope == 0.0 {
            return Self { less: 0.5, equivalent: 0.0, greater: 0.5 };
        }
        let [less, greater] = [difference < -rope, difference > rope].map(|is| f64::from(u8::from(is)));
        Self { less, equivalent: 1.0 - less - greater, greater }
    }
}

/// Parameters of the signed-rank posterior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRankPosteriorParams {
    /// Half the width of the region of practical equivalence.
    pub rope: f64,
    /// Prior weight of an additional difference of 0; observed differences have weight 1.
    pub prior: f64,
    /// Number of posterior samples.
    pub draws: u32,
}

/// Bayesian signed-rank test (Benavoli et al. 2014).
///
/// A Walsh average is the mean of two differences. Each posterior sample draws Dirichlet weights of the
/// differences; the weight of a Walsh average is the product of the weights of its two differences. The range
/// (below, in or above the region) whose Walsh averages have the largest total weight wins the sample.
///
/// Returns the fraction of samples that each range wins. With the same key, the result does not depend on the
/// order of the differences.
///
/// # Errors
/// [`Error::Data`] without differences, or for a difference that is not finite; [`Error::Parameter`] for a
/// negative `rope` or `prior`, or 0 draws; [`Error::Cancelled`].
pub fn bayesian_signed_rank(
    differences: &[f64],
    posterior: SignedRankPosteriorParams,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<EquivalenceProbabilities> {
    const CALLER: &str = "bayesian_signed_rank_test";
    let SignedRankPosteriorParams { rope, prior, draws } = posterior;
    check_differences_finite(differences)?;
    EquivalenceProbabilities::check_rope(CALLER, rope)?;
    if !(prior >= 0.0 && prior.is_finite()) {
        return Err(Error::parameter(CALLER, "prior", "a number of at least 0", prior));
    }
    if draws == 0 {
        return Err(Error::parameter(CALLER, "draws", "at least 1", draws));
    }
    if differences.is_empty() {
        return Err(Error::Data(format!("{CALLER} needs at least 1 pair of scores")));
    }
    let walsh = WalshMasses::new(differences, rope, prior)?;
    let mut rng = key.rng();
    let mut won = [0.0; 3];
    for _ in 0..draws {
        ctl.check()?;
        let masses = walsh.region_masses(walsh.gammas.iter().map(|gamma| gamma.sample(&mut rng)));
        let most = masses.iter().copied().fold(0.0, f64::max);
        // If several ranges have the largest total weight, each wins the same fraction of the sample.
        let winners = masses.iter().filter(|&&mass| mass == most).count() as f64;
        for (count, mass) in won.iter_mut().zip(masses) {
            *count += if mass == most { 1.0 / winners } else { 0.0 };
        }
    }
    let [less, equivalent, greater] = won.map(|count| count / f64::from(draws));
    Ok(EquivalenceProbabilities { less, equivalent, greater })
}

struct WalshMasses {
    /// Gamma distributions, one per difference; normalized samples of them are Dirichlet weights.
    gammas: Vec<Gamma<f64>>,
    /// For each difference d, four counts of the differences e by their sum with d.
    ///
    /// The sums `d + e` that are counted are below `-2 rope`, at most `-2 rope`, below `2 rope`, and at most
    /// `2 rope`.
    ends: Vec<[usize; 4]>,
    is_point: bool,
}

impl WalshMasses {
    fn new(differences: &[f64], rope: f64, prior: f64) -> Result<Self> {
        let mut values: Vec<(f64, f64)> = differences.iter().map(|&d| (d, 1.0)).collect();
        if prior > 0.0 {
            values.push((0.0, prior));
        }
        values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let gamma = |&(_, shape): &(f64, f64)| {
            Gamma::new(shape, 1.0).map_err(|error| Error::Internal(format!("gamma distribution: {error}")))
        };
        let gammas = values.iter().map(gamma).collect::<Result<_>>()?;
        let twice = 2.0 * rope;
        let counts = |&(value, _): &(f64, f64)| {
            let under = |end: f64| values.partition_point(|&(other, _)| value + other < end);
            let at_most = |end: f64| values.partition_point(|&(other, _)| value + other <= end);
            [under(-twice), at_most(-twice), under(twice), at_most(twice)]
        };
        let ends = values.iter().map(counts).collect();
        Ok(Self { gammas, ends, is_point: rope == 0.0 })
    }

    /// Total weights of the Walsh averages below, in and above the region.
    ///
    /// `weights` has the weight of each difference. A Walsh average that equals an end of the region counts
    /// half as inside and half as outside. If `rope` is 0, it counts half as below and half as above.
    fn region_masses(&self, weights: impl Iterator<Item = f64>) -> [f64; 3] {
        let mut before = vec![0.0];
        let mut total = 0.0;
        for weight in weights {
            total += weight;
            before.push(total);
        }
        let [mut less, mut greater] = [0.0; 2];
        for (place, &[under, at_most, under_top, at_most_top]) in self.ends.iter().enumerate() {
            let weight = before[place + 1] - before[place];
            less += weight * f64::midpoint(before[under], before[at_most]);
            greater += weight * (total - f64::midpoint(before[under_top], before[at_most_top]));
        }
        let inside = if self.is_point { 0.0 } else { total * total - less - greater };
        [less, inside, greater]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(differences: &[f64], rope: f64, prior: f64) -> EquivalenceProbabilities {
        let posterior = SignedRankPosteriorParams { rope, prior, draws: 2000 };
        bayesian_signed_rank(differences, posterior, SeedKey::root(1), RunContext::silent()).unwrap()
    }

    #[test]
    fn masses_are_those_of_all_pairs() {
        let d = [-0.5, -0.25, 0.0, 0.125, 0.25, 0.5, 0.5];
        let weights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        for rope in [0.0, 0.125, 0.25, 1.0] {
            let found = WalshMasses::new(&d, rope, 0.0).unwrap().region_masses(weights.into_iter());
            let half = |a: f64, b: f64| if a > b { 1.0 } else { f64::from(u8::from(a == b)) / 2.0 };
            let (mut less, mut greater, mut all) = (0.0, 0.0, 0.0);
            for (a, v) in d.iter().zip(weights) {
                for (b, w) in d.iter().zip(weights) {
                    less += v * w * half(-(a + b), 2.0 * rope);
                    greater += v * w * half(a + b, 2.0 * rope);
                    all += v * w;
                }
            }
            assert_eq!(found, [less, all - less - greater, greater], "{rope}");
        }
    }

    #[test]
    fn tied_sides_share_the_probability() {
        assert_eq!(
            drawn(&[0.0; 4], 0.0, 0.5),
            EquivalenceProbabilities { less: 0.5, equivalent: 0.0, greater: 0.5 }
        );
        assert_eq!(
            drawn(&[0.0; 4], 0.1, 0.5),
            EquivalenceProbabilities { less: 0.0, equivalent: 1.0, greater: 0.0 }
        );
        assert_eq!(
            drawn(&[0.5; 4], 0.1, 0.0),
            EquivalenceProbabilities { less: 0.0, equivalent: 0.0, greater: 1.0 }
        );
    }

    #[test]
    fn negation_swaps_the_probabilities_and_order_has_no_effect() {
        let d = [0.3, -0.1, 0.2, 0.05, -0.02];
        let (found, turned) = (drawn(&d, 0.04, 0.5), drawn(&d.map(|d| -d), 0.04, 0.5));
        assert!((found.less + found.equivalent + found.greater - 1.0).abs() < 1e-12);
        // The tolerance is five standard deviations of the difference of two fractions, each of 2000 draws.
        assert!((found.greater - turned.less).abs() < 5.0 * (0.5_f64 / 2000.0).sqrt());
        assert_eq!(found, drawn(&[0.05, 0.3, -0.02, 0.2, -0.1], 0.04, 0.5));
    }

    #[test]
    fn invalid_input_is_an_error() {
        let refused = |d: &[f64], rope, prior, draws| {
            let posterior = SignedRankPosteriorParams { rope, prior, draws };
            bayesian_signed_rank(d, posterior, SeedKey::root(0), RunContext::silent()).is_err()
        };
        assert!(refused(&[], 0.0, 0.5, 5) && refused(&[f64::NAN], 0.0, 0.5, 5));
        assert!(
            refused(&[1.0], -0.1, 0.5, 5) && refused(&[1.0], 0.0, -0.5, 5) && refused(&[1.0], 0.0, 0.5, 0)
        );
    }
}
