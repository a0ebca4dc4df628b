//! Dirichlet priors of probability tables.
//!
//! A prior is uniform, or larger for rare classes (rebalanced), or larger for rare classes only in small
//! disjuncts (local). A small disjunct is a combination of parent states in which a class is rare. See Morán
//! Jiménez 2018, sections 4.5, 4.6 and 5.4.2.

use imbcore_core::{Error, Result, VariantDef, VariantSelector, params};
use serde::{Deserialize, Serialize};

/// Equivalent sample size: a number, or `"n"` for the total weight of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PriorWeight {
    /// Sample size as a number of rows.
    Rows(f64),
    /// Sample size with a name, `"n"`.
    Named(NamedPriorWeight),
}

/// Names of equivalent sample sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedPriorWeight {
    /// The total weight of the rows.
    N,
}

/// Correction of small counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountCorrection {
    /// Counts below 1 become 1.
    Max,
    /// 1 is added to each count.
    Add,
}

/// Formulas of the prior that corrects imbalance; `M_k` is the total row weight of class k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RebalanceForm {
    /// Prior proportional to `1 / M_k`; a class without rows counts as 0.
    Inverse,
    /// Prior proportional to the largest class weight minus that of class k: `max M - M_k`.
    Deficit,
    /// As printed in the thesis, for two classes: `(1 -/+ gamma min M / max M) alpha / q`.
    ///
    /// The minus sign is for the more frequent class, the plus sign for the rarer class. `gamma` is the
    /// strength of the correction, `alpha` the equivalent sample size and `q` the number of parent
    /// configurations.
    Literal,
}

/// Forms of the prior, which differ in the treatment of a rare class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PriorForm {
    /// Every class gets the same prior, whether it is frequent or rare.
    Uniform,
    /// Rare classes get a larger prior in the table of the class.
    Rebalanced,
    /// Rare classes get a larger prior, but only in small disjuncts.
    ///
    /// A disjunct is a combination of states of the parents. In a small disjunct, some class is rare, but
    /// present.
    Local,
}

const PRIORS: &[VariantDef] = &[
    VariantDef {
        name: "uniform",
        class: "Uniform",
        doc: "Uniform Dirichlet prior: its weight is distributed evenly over the cells of each table.",
        params: &["weight", "weight_fraction", "laplace"],
    },
    VariantDef {
        name: "rebalanced",
        class: "Rebalanced",
        doc: "Dirichlet prior against class imbalance in the table of the class; other tables have a uniform prior of the same weight.",
        params: &["weight", "weight_fraction", "laplace", "gamma", "form"],
    },
    VariantDef {
        name: "local",
        class: "LocallyRebalanced",
        doc: "Dirichlet prior against imbalance in small disjuncts only. A small disjunct is a combination of parent \
         states for which a class is rare but present.",
        params: &["weight", "weight_fraction", "laplace", "gamma", "nu0", "nu_max", "strength", "children"],
    },
];

params! {
    /// Parameters of the estimation of probability tables.
    #[allow(missing_docs)]
    pub struct PriorParams {
        prior: PriorForm = PriorForm::Uniform, "\"uniform\", \"rebalanced\" or \"local\"",
            "Dirichlet prior of the probability tables. \"uniform\": the same for all states. \"rebalanced\": larger \
             for rare classes. \"local\": larger for rare classes, but only in small disjuncts. A small disjunct is a \
             combination of parent values in which the rows of some class are few.";
        weight: PriorWeight = PriorWeight::Rows(1.0), "a number of at least 0, or \"n\" for the number of rows",
            "Weight of the prior of each table in rows (equivalent sample size, alpha), distributed over the cells \
             of the table. 0: maximum likelihood. \"n\": the number of rows.";
        weight_fraction: Option<f64> = None, "a number of at least 0, or None",
            "Weight of the prior as a fraction of the total weight of all rows, in place of `weight`.";
        laplace: Option<CountCorrection> = None, "\"max\", \"add\" or None",
            "Correction of small counts: \"max\" raises counts below 1 to 1, \"add\" adds 1 to each count. Intended for a `weight` of 0.";
        gamma: f64 = 1.0, "a number in [0, 1]",
            "Strength of the correction for imbalance: 0 means no correction, and 1 means the full correction.";
        form: RebalanceForm = RebalanceForm::Inverse, "\"inverse\", \"deficit\" or \"literal\"",
            "Prior weight of each class. \"inverse\": inversely proportional to the frequency of the class. \
             \"deficit\": proportional to the difference between the weights of the largest class and of this class. \
             \"literal\": as printed by Morán Jiménez (2018), for two classes.";
        nu0: f64 = 0.05, "a number in [0, 1), less than nu_max",
            "Largest relative size at which the rows of a class in a disjunct count as noise. A disjunct is a \
             combination of values of the parents. The relative size is the number of rows of the class in the \
             disjunct, divided by the number of rows of the largest class in the disjunct.";
        nu_max: f64 = 0.8, "a number in (0, 1], greater than nu0",
            "Smallest relative size at which a class in a disjunct counts as balanced. The relative size is as in \
             the description of nu0. Classes between nu0 and nu_max are corrected.";
        strength: f64 = 0.0, "a number of at least 0",
            "Minimum weight of the prior of a small disjunct, as a fraction of the number of rows in the disjunct. A \
             small disjunct is a combination of values of the parents in which a class is rare but present.";
        children: bool = false, "True or False",
            "Whether the correction also applies to the tables of the children of the class. It applies to them only \
             if the class has no parents in the graph.";
        smooth_levels: bool = true, "True or False",
            "Whether to correct estimates for sparse columns. A column is sparse if it has at least 20 states and \
             fewer than five rows of the rarest class per state. A probability table with a sparse column is \
             smoothed toward a table with fewer parents. In \"tan\", \"kdb\" and \"aode\", the mutual information of a sparse column is reduced \
             by its expected value for independent columns. False: no correction, as in the papers.";
    } choosing &[VariantSelector { name: "prior", choices: PRIORS }]
}

impl PriorParams {
    /// Checks that each parameter is in its domain.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, method: &str) -> Result<()> {
        let specs = imbcore_core::Params::specs(self);
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let weight = |value: f64| value.is_finite() && value >= 0.0;
        if let PriorWeight::Rows(alpha) = self.weight {
            require(weight(alpha), "weight", &alpha)?;
        }
        if let Some(share) = self.weight_fraction {
            require(weight(share), "weight_fraction", &share)?;
        }
        require((0.0..=1.0).contains(&self.gamma), "gamma", &self.gamma)?;
        require(self.nu0 >= 0.0 && self.nu0 < self.nu_max, "nu0", &self.nu0)?;
        require(self.nu_max <= 1.0, "nu_max", &self.nu_max)?;
        require(weight(self.strength), "strength", &self.strength)
    }

    pub(crate) fn to_prior(&self, total: f64) -> Prior {
        let alpha = match (self.weight_fraction, &self.weight) {
            (Some(share), _) => share * total,
            (None, PriorWeight::Rows(alpha)) => *alpha,
            (None, PriorWeight::Named(NamedPriorWeight::N)) => total,
        };
        let local = SmallDisjunctPriorSettings {
            nu0: self.nu0,
            nu_max: self.nu_max,
            strength: self.strength,
            children: self.children,
        };
        Prior {
            alpha,
            laplace: self.laplace,
            gamma: if self.prior == PriorForm::Uniform { 0.0 } else { self.gamma },
            rebalance: self.form,
            local: (self.prior == PriorForm::Local).then_some(local),
        }
    }
}

/// Settings of priors that correct class imbalance only in small disjuncts.
///
/// A disjunct is a combination of states of the parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallDisjunctPriorSettings {
    /// A class counts as noise in a disjunct if its relative size there is at most this number.
    ///
    /// A disjunct is a combination of states of the parents. The relative size of a class is its number of
    /// rows in the disjunct, divided by that of the most frequent class.
    pub nu0: f64,
    /// A class counts as balanced in a disjunct if its relative size there is at least this.
    ///
    /// Relative size is the number of rows of the class divided by that of the most frequent class.
    pub nu_max: f64,
    /// Minimum equivalent sample size of the prior, as a fraction of the rows of the disjunct.
    pub strength: f64,
    /// Whether priors of small disjuncts also apply to tables of children of the class.
    ///
    /// They apply to these tables only if the class has no parents.
    pub children: bool,
}

/// Prior of all tables of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Equivalent sample size.
    pub alpha: f64,
    /// Correction of small counts.
    pub laplace: Option<CountCorrection>,
    /// Strength of the correction of class imbalance, from 0 to 1.
    pub gamma: f64,
    /// Form of the correction.
    pub rebalance: RebalanceForm,
    /// Settings of a prior that corrects imbalance only in small disjuncts; otherwise `None`.
    ///
    /// A small disjunct is a combination of parent states in which a class is rare.
    pub local: Option<SmallDisjunctPriorSettings>,
}

impl Prior {
    /// Uniform prior with the equivalent sample size `alpha`.
    ///
    /// Each cell of a table with q rows of r cells gets the pseudo-count `alpha / (q r)`.
    pub fn uniform(alpha: f64) -> Self {
        Self { alpha, laplace: None, gamma: 0.0, rebalance: RebalanceForm::Inverse, local: None }
    }

    /// For each class, the factor by which its uniform prior is multiplied to correct imbalance.
    ///
    /// The factors sum to the number of classes, except in the form printed in the thesis.
    ///
    /// # Errors
    /// [`Error::Data`] for the printed form if there are not exactly two classes.
    pub(crate) fn class_prior_factors(&self, class_weights: &[f64]) -> Result<Vec<f64>> {
        let r = class_weights.len() as f64;
        let largest = class_weights.iter().copied().fold(0.0, f64::max);
        let distributions = match self.rebalance {
            RebalanceForm::Inverse => {
                proportions(class_weights.iter().map(|&m| if m > 0.0 { 1.0 / m } else { 0.0 }))
            }
            RebalanceForm::Deficit => proportions(class_weights.iter().map(|&m| largest - m)),
            RebalanceForm::Literal => return self.thesis_prior_factors(class_weights),
        };
        Ok(distributions.into_iter().map(|pi| 1.0 + self.gamma * (r * pi - 1.0)).collect())
    }

    /// Factors of the class prior in the form printed in the thesis; a negative factor becomes 0.
    ///
    /// The printed prior is `alpha'_1 = (1 - IR gamma) alpha / q` and `alpha'_2 = (1 + IR gamma) alpha / q`.
    /// Class 2 is the rarer class, and `IR = min M / max M` for class weights M. `gamma` is the strength of
    /// the correction, `alpha` the equivalent sample size and `q` the number of parent configurations. The
    /// factors are relative to the uniform prior `alpha / (q r)`, where r is 2.
    fn thesis_prior_factors(&self, class_weights: &[f64]) -> Result<Vec<f64>> {
        let &[first, second] = class_weights else {
            return Err(Error::Data(format!(
                "the prior form \"literal\" requires exactly two classes, but there are {}; use \"inverse\" or \"deficit\"",
                class_weights.len()
            )));
        };
        let ratio = first.min(second) / first.max(second);
        let (rarer, other) = (2.0 * (1.0 + ratio * self.gamma), 2.0 * (1.0 - ratio * self.gamma).max(0.0));
        Ok(if first < second { vec![rarer, other] } else { vec![other, rarer] })
    }

    /// Computes the pseudo-counts of the classes for a parent configuration from its row counts.
    ///
    /// `cell` is the pseudo-count of each class under the uniform prior.
    pub(crate) fn fill_disjunct_pseudo_counts(
        &self,
        local: &SmallDisjunctPriorSettings,
        counts: &[f64],
        cell: f64,
        into: &mut [f64],
    ) {
        into.fill(cell);
        let largest = counts.iter().copied().fold(0.0, f64::max);
        let share = |count: f64| count / largest;
        let small = |count: f64| share(count) > local.nu0 && share(count) < local.nu_max;
        if largest == 0.0 || !counts.iter().any(|&count| small(count)) {
            return;
        }
        let acts = |count: f64| small(count) || count == largest;
        let r = counts.len() as f64;
        let base = cell.max(local.strength * counts.iter().sum::<f64>() / r);
        let n_acting = counts.iter().filter(|&&count| acts(count)).count() as f64;
        let distributions =
            proportions(counts.iter().map(|&count| if acts(count) { 1.0 / count } else { 0.0 }));
        for ((pseudo, &count), pi) in into.iter_mut().zip(counts).zip(distributions) {
            *pseudo = if acts(count) { base * (1.0 + self.gamma * (n_acting * pi - 1.0)) } else { base };
        }
    }

    /// Scales the pseudo-counts of one class in the table of a child of the class variable.
    ///
    /// The pseudo-counts of those states of the child in which this class is rare are raised. Then all
    /// pseudo-counts of the class are scaled such that their sum does not change. `counts` has the row counts
    /// of this class by state of the child. `against` has the row counts of the most frequent class for the
    /// same states of the other parents. This extends Morán Jiménez 2018, section 5.4.2.2.
    pub(crate) fn scale_child_pseudo_counts(
        &self,
        local: &SmallDisjunctPriorSettings,
        counts: &[f64],
        against: &[f64],
        into: &mut [f64],
    ) {
        let before: f64 = into.iter().sum();
        for ((pseudo, &count), &other) in into.iter_mut().zip(counts).zip(against) {
            let rho = count / other;
            if rho > local.nu0 && rho < local.nu_max {
                *pseudo *= 1.0 + self.gamma * (1.0 - rho) / (1.0 + rho);
            }
        }
        let after: f64 = into.iter().sum();
        if after > 0.0 {
            for pseudo in into {
                *pseudo *= before / after;
            }
        }
    }

    #[inline]
    pub(crate) fn corrected_count(&self, count: f64) -> f64 {
        match self.laplace {
            None => count,
            Some(CountCorrection::Max) => count.max(1.0),
            Some(CountCorrection::Add) => count + 1.0,
        }
    }
}

/// Each value divided by the sum of all values; equal fractions if the sum is 0.
fn proportions(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let sum: f64 = values.iter().sum();
    if sum > 0.0 {
        values.iter().map(|value| value / sum).collect()
    } else {
        vec![1.0 / values.len() as f64; values.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebalanced(gamma: f64, rebalance: RebalanceForm) -> Prior {
        Prior { gamma, rebalance, ..Prior::uniform(1.0) }
    }

    #[test]
    fn factors_add_up_to_the_number_of_classes() {
        for rebalance in [RebalanceForm::Inverse, RebalanceForm::Deficit] {
            for weights in [&[90.0, 10.0][..], &[50.0, 0.0, 7.0], &[5.0, 5.0, 5.0]] {
                let factors = rebalanced(0.7, rebalance).class_prior_factors(weights).unwrap();
                assert!((factors.iter().sum::<f64>() - weights.len() as f64).abs() < 1e-12, "{factors:?}");
                assert!(factors.iter().all(|&factor| factor >= 0.0));
            }
        }
        assert_eq!(
            rebalanced(0.0, RebalanceForm::Inverse).class_prior_factors(&[3.0, 1.0]).unwrap(),
            [1.0, 1.0]
        );
    }

    #[test]
    fn deficits_balance_any_number_of_classes() {
        let weights = [60.0, 30.0, 10.0];
        let alpha = 3.0 * 60.0 - 100.0;
        let factors = rebalanced(1.0, RebalanceForm::Deficit).class_prior_factors(&weights).unwrap();
        for (weight, factor) in weights.iter().zip(factors) {
            assert!((weight + alpha / 3.0 * factor - 60.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_printed_form_is_for_two() {
        let printed = rebalanced(1.0, RebalanceForm::Literal);
        let factors = printed.class_prior_factors(&[75.0, 25.0]).unwrap();
        assert!((factors[0] - 4.0 / 3.0).abs() < 1e-12 && (factors[1] - 8.0 / 3.0).abs() < 1e-12);
        assert!(printed.class_prior_factors(&[1.0, 2.0, 3.0]).is_err());
    }

    #[test]
    fn small_disjuncts_of_children_keep_the_weight_of_their_prior() {
        let local = SmallDisjunctPriorSettings { nu0: 0.05, nu_max: 0.8, strength: 0.0, children: true };
        let mut pseudo = [0.5, 0.5];
        // In the first state of the child, the rare class is a small disjunct: it has 2 rows against 8 of the
        // frequent class. In the second state, it is larger than the frequent class: it has 30 rows against
        // 10.
        rebalanced(1.0, RebalanceForm::Inverse).scale_child_pseudo_counts(
            &local,
            &[2.0, 30.0],
            &[8.0, 10.0],
            &mut pseudo,
        );
        assert!((pseudo.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((pseudo[0] / pseudo[1] - 1.6).abs() < 1e-12);
    }
}
