//! A fitted Bayesian classifier: one network, or several whose predictions are combined.

use super::member_network::{MemberNetwork, MemberWeighting};
use super::training_stats::TrainingStats;
use crate::discretize::Discretizer;
use crate::infer::ClassPosterior;
use crate::network::{Network, Variable};
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::{Classifier, Error, Frame, Result, RunContext, Schema, memory};

/// Maximum number of class probabilities that one network predicts for one block of rows.
///
/// Only ensembles predict block by block, because the predictions of all networks for a block are in memory
/// together.
const CELLS: usize = 1 << 15;

/// A fitted Bayesian classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct BayesModel {
    /// Discretizers: one for all networks, or one per network.
    discretizers: Vec<Discretizer>,
    members: Vec<MemberNetwork>,
    weights: MemberWeighting,
    /// Logarithm of the weight of each network; all 0 if the weights differ from row to row.
    log_weights: Vec<f64>,
    facts: TrainingStats,
}

impl BayesModel {
    /// Builds a model from its parts; returns an error if the parts do not match.
    pub fn new(
        discretizers: Vec<Discretizer>,
        members: Vec<MemberNetwork>,
        (weights, log_weights): (MemberWeighting, Vec<f64>),
        facts: TrainingStats,
    ) -> Result<Self> {
        let model = Self { discretizers, members, weights, log_weights, facts };
        model.check()?;
        Ok(model)
    }

    fn check(&self) -> Result<()> {
        let broken = |what: &str| Err(Error::Data(what.to_owned()));
        let n = self.members.len();
        let (sets, n_classes) = (self.discretizers.len(), self.facts.shares.len());
        if n == 0 || (sets != 1 && sets != n) {
            return broken(
                "a Bayesian classifier needs at least one network, and one discretizer for all or for each of them",
            );
        }
        if self.log_weights.len() != n || self.log_weights.iter().any(|log| log.is_nan()) {
            return broken("the weights of the networks of a Bayesian classifier are missing or not numbers");
        }
        // Weights are stored relative to the largest weight, whose logarithm is therefore 0. Sums with
        // logarithms of large absolute value would lose digits.
        if self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max) != 0.0 {
            return broken("the largest weight of the networks of a Bayesian classifier is not 1");
        }
        for (at, member) in self.members.iter().enumerate() {
            let rules = &self.discretizer(at).columns;
            let levels = member.network.n_states_by_variable();
            let ordered = member.columns.windows(2).all(|pair| pair[0] < pair[1]);
            let fits = |(&column, &levels): (&u32, &u32)| {
                rules.get(column as usize).is_some_and(|rule| rule.n_states() == levels)
            };
            if !ordered || !member.columns.iter().zip(&levels).all(fits) {
                return broken("the variables of a network do not match its columns");
            }
            if levels.last() != Some(&(n_classes as u32)) {
                return broken("the states of the class variable of a network do not match the classes");
            }
        }
        self.facts.check(&self.members)
    }

    pub(super) fn with_recall(mut self, recall: Vec<Option<f64>>) -> Self {
        self.facts.recall = recall;
        self
    }

    /// Discretizer of one network.
    pub fn discretizer(&self, member: usize) -> &Discretizer {
        if self.discretizers.len() == 1 { &self.discretizers[0] } else { &self.discretizers[member] }
    }

    pub(crate) fn discretizers(&self) -> &[Discretizer] {
        &self.discretizers
    }

    /// The networks.
    pub fn members(&self) -> &[MemberNetwork] {
        &self.members
    }

    /// Copy of one network with the names of columns, bins, levels and classes.
    ///
    /// The class variable is named `class`; underscores are appended if a column has that name.
    ///
    /// # Errors
    /// [`Error::Data`] if the schema belongs to another model.
    pub fn network_with_names(&self, member: usize, schema: &Schema) -> Result<Network> {
        let MemberNetwork { columns, network } = &self.members[member];
        let mut names: Vec<String> =
            columns.iter().map(|&column| schema.feature_name(column as usize).to_owned()).collect();
        names.push("class".into());
        let states =
            columns.iter().map(|&column| self.discretizer(member).state_names(column as usize, schema));
        let classes = schema.classes.iter().map(ToString::to_string).collect();
        let states = states.chain([classes]);
        let variable = |(name, states)| Variable { name, states: make_names_unique(states) };
        Network::new(
            make_names_unique(names).into_iter().zip(states).map(variable).collect(),
            network.cpts().to_vec(),
        )
    }

    pub(crate) fn member_weighting(&self) -> MemberWeighting {
        self.weights
    }

    pub(crate) fn member_log_weights(&self) -> &[f64] {
        &self.log_weights
    }

    /// Training statistics.
    pub fn training_stats(&self) -> &TrainingStats {
        &self.facts
    }

    /// Class probabilities corrected to the class distribution of the training rows.
    ///
    /// Tempered weights change the class distribution from `P(c)` of the training rows to `P_w(c)`. The
    /// result is `P_w(c | x) P(c) / P_w(c)`, normalized, where `P_w(c | x)` are the uncorrected probabilities
    /// of a row x.
    ///
    /// # Errors
    /// Same errors as [`Classifier::proba`].
    pub fn calibrated_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let mut proba = self.proba(frame, ctl)?;
        let TrainingStats { shares, weighted_fractions: weighted, .. } = &self.facts;
        let factor = |(share, weighted): (&f64, &f64)| {
            if *weighted > 0.0 { share / weighted } else { f64::from(u8::from(*share > 0.0)) }
        };
        let factors: Vec<f64> = shares.iter().zip(weighted).map(factor).collect();
        for row in proba.chunks_exact_mut(factors.len()) {
            for (p, factor) in row.iter_mut().zip(&factors) {
                *p *= factor;
            }
            let sum: f64 = row.iter().sum();
            if sum > 0.0 {
                for p in row.iter_mut() {
                    *p /= sum;
                }
            } else {
                row.copy_from_slice(shares);
            }
        }
        Ok(proba)
    }

    /// `ln P(row)` of the observed values of each row; minus infinity for an impossible row.
    ///
    /// Low values indicate unusual rows. For several networks, it is the log probability under their mixture.
    ///
    /// # Errors
    /// Same errors as [`Classifier::proba`].
    pub fn row_log_probabilities(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let total = log_sum_exp(&self.log_weights);
        self.map_member_predictions(frame, true, ctl, |answers| {
            let mixed = |row: usize| {
                let terms = answers.iter().zip(&self.log_weights);
                log_sum_exp(
                    &terms
                        .map(|(answer, weight)| log_row_probability(answer, row) + weight)
                        .collect::<Vec<_>>(),
                ) - total
            };
            Ok((0..answers[0].p.len() / self.n_classes()).map(mixed).collect())
        })
    }

    /// Calls the function `follows` with the predictions of all networks; returns its results.
    ///
    /// If several networks use the same discretized rows, `follows` is called for one block of rows after the
    /// other, and its results are concatenated. This saves memory, because predictions take more memory than
    /// discretized rows. Otherwise `follows` is called once for all rows.
    fn map_member_predictions(
        &self,
        frame: &Frame<'_>,
        with_log_p: bool,
        ctl: RunContext<'_>,
        follows: impl Fn(Vec<ClassPosterior>) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        frame.check_finite()?;
        let first = &self.members[0].columns;
        let alike =
            self.discretizers.len() == 1 && self.members.iter().all(|member| member.columns == *first);
        if self.members.len() == 1 || !alike {
            let answer = |(at, member): (usize, &MemberNetwork)| {
                member.class_posterior(&self.encode_rows(at, frame, ctl)?, with_log_p, ctl)
            };
            return follows(self.members.iter().enumerate().map(answer).collect::<Result<_>>()?);
        }
        let table = self.encode_rows(0, frame, ctl)?;
        let mut found = memory::try_with_capacity(frame.n_rows() * self.n_classes(), "predictions")?;
        let size = (CELLS / self.n_classes()).max(1);
        for start in (0..frame.n_rows()).step_by(size) {
            let rows: Vec<u32> = (start..(start + size).min(frame.n_rows())).map(|row| row as u32).collect();
            found.extend(follows(self.posteriors_by_member(&table.select_rows(&rows), with_log_p, ctl)?)?);
        }
        Ok(found)
    }

    fn posteriors_by_member(
        &self,
        table: &DiscreteTable,
        with_log_p: bool,
        ctl: RunContext<'_>,
    ) -> Result<Vec<ClassPosterior>> {
        self.members.iter().map(|member| member.class_posterior(table, with_log_p, ctl)).collect()
    }

    /// Discretizes rows for prediction; the class is coded as missing.
    fn encode_rows(&self, at: usize, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<DiscreteTable> {
        let member = &self.members[at];
        let columns: Vec<usize> = member.columns.iter().map(|&column| column as usize).collect();
        let mut codes = self.discretizer(at).encode(frame, &columns, ctl)?;
        codes.push(memory::filled(frame.n_rows(), MISSING, "codes of a column")?);
        DiscreteTable::new(codes, member.network.n_states_by_variable())
    }

    pub(super) fn is_weighted_by_row_proba(&self) -> bool {
        self.weights == MemberWeighting::Test && self.members.len() > 1
    }

    pub(super) fn proba_from_codes(&self, table: &DiscreteTable, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.average_predictions(self.posteriors_by_member(table, self.is_weighted_by_row_proba(), ctl)?)
    }

    fn average_predictions(&self, mut answers: Vec<ClassPosterior>) -> Result<Vec<f64>> {
        if answers.len() == 1 {
            return Ok(answers.swap_remove(0).p);
        }
        let c = self.n_classes();
        let n_cells = answers.first().map_or(0, |answer| answer.p.len());
        let mut joined = memory::filled(n_cells, 0.0, "predictions")?;
        let plain = weights_from_logs(&self.log_weights);
        for (row, cells) in joined.chunks_exact_mut(c).enumerate() {
            let logs = || answers.iter().map(|answer| log_row_probability(answer, row)).collect::<Vec<_>>();
            let own = self.is_weighted_by_row_proba().then(|| weights_from_logs(&logs()));
            for (answer, weight) in answers.iter().zip(own.as_ref().unwrap_or(&plain)) {
                for (cell, p) in cells.iter_mut().zip(&answer.p[row * c..]) {
                    *cell += weight * p;
                }
            }
            // The weights of the networks sum to 1 only up to rounding, so a mean probability may slightly
            // exceed 1.
            for cell in cells {
                *cell = cell.min(1.0);
            }
        }
        Ok(joined)
    }
}

impl Classifier for BayesModel {
    fn n_classes(&self) -> usize {
        self.facts.shares.len()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.map_member_predictions(frame, self.is_weighted_by_row_proba(), ctl, |answers| {
            self.average_predictions(answers)
        })
    }
}

fn make_names_unique(names: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(names.len());
    for mut name in names {
        while found.contains(&name) {
            name.push('_');
        }
        found.push(name);
    }
    found
}

pub(super) fn log_row_probability(answer: &ClassPosterior, row: usize) -> f64 {
    answer.log_p.as_ref().map_or(0.0, |logs| logs[row])
}

pub(super) fn log_sum_exp(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}

/// Weights `exp(l_i) / sum_j exp(l_j)` from logarithms l; equal if all are minus infinity.
pub(super) fn weights_from_logs(logs: &[f64]) -> Vec<f64> {
    let total = log_sum_exp(logs);
    if total == f64::NEG_INFINITY {
        return vec![1.0 / logs.len() as f64; logs.len()];
    }
    logs.iter().map(|log| (log - total).exp()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::golden;

    #[test]
    fn ensembles_join_as_the_golden_ones() {
        let file = golden("bagging_null");
        for case in file["bagging"].as_array().unwrap() {
            let list = |name: &str| -> Vec<f64> { serde_json::from_value(case[name].clone()).unwrap() };
            let posteriors: Vec<Vec<f64>> = serde_json::from_value(case["posteriors"].clone()).unwrap();
            for (name, logs) in [
                ("plain", vec![0.0; posteriors.len()]),
                ("test", list("log_p_x")),
                ("train", list("log_p_train")),
            ] {
                let weights = weights_from_logs(&logs);
                for (class, wanted) in list(name).into_iter().enumerate() {
                    let found: f64 =
                        posteriors.iter().zip(&weights).map(|(p, weight)| p[class] * weight).sum();
                    assert!((found - wanted).abs() < 1e-10, "{name}: {found} {wanted}");
                }
            }
        }
    }

    #[test]
    fn logs_far_below_zero_do_not_vanish() {
        assert!((log_sum_exp(&[-5000.0, -5000.0]) - (2.0_f64.ln() - 5000.0)).abs() < 1e-12);
        assert_eq!(log_sum_exp(&[f64::NEG_INFINITY; 2]), f64::NEG_INFINITY);
        assert_eq!(weights_from_logs(&[f64::NEG_INFINITY; 2]), [0.5, 0.5]);
    }
}
