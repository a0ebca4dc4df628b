//! Interface of all ensemble methods, and of methods that fit members to independent bags.

use super::bag::Bag;
use super::base_learner::{
    BaseLearner, MemberFit, TrainingContext, bag_seed_key, fit_members_to_bags, fit_to_bag,
};
use super::model::FittedMembers;
use super::vote_accumulator::VoteAccumulator;
use super::voting::{VotingRule, VotingScheme};
use crate::forest_predictions::VotingMode;
use crate::model::OutOfBag;
use crate::out_of_bag::{out_of_bag_times_error, score_out_of_bag};
use crate::params::OobScoreRequest;
use crate::preselected_rows::PreselectedRows;
use crate::strata::RankSet;
use imbcore_core::{
    ClassStats, Error, Label, Params, PriorCorrection, PriorShift, Result, RowGroups, SeedKey,
};
use serde_json::{Map, Value};

/// Parameters of a method whose model is an ensemble.
pub trait EnsembleMethod: Params {
    /// Name of the method that fits native members, and its parameters.
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>);

    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    fn check(&self, method: &str) -> Result<()>;

    /// Fits the members and determines the voting rule.
    ///
    /// # Errors
    /// Same errors as the base learner; [`Error::Parameter`] for parameters that do not suit the data;
    /// [`Error::Cancelled`].
    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>>;

    /// Samples of all members; they depend on the data only through the class sizes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for parameters that do not suit the classes; [`Error::Unsupported`] if the
    /// samples depend on more than the numbers of rows.
    fn preselect_rows<'p>(
        &'p self,
        method: &'static str,
        _facts: &ClassStats,
        _labels: &'p [Label],
    ) -> Result<PreselectedRows<'p>> {
        Err(needs_all_rows_error(method))
    }

    /// Selects the rows used by the members of the ensemble with the seed key `key`.
    ///
    /// `facts` are the class statistics of the whole table. The result has one ascending list of row numbers
    /// per class. A row number is the position of a row, from 0, among the rows of its class with positive
    /// weight. The caller must pass the selected rows to the fit in the order of the whole table.
    ///
    /// # Errors
    /// Same errors as [`Self::preselect_rows`]; [`Error::Unsupported`] if the members use too many of the
    /// rows to be trained on a sample.
    fn draw_member_rows(
        &self,
        method: &'static str,
        facts: &ClassStats,
        labels: &[Label],
        key: SeedKey,
    ) -> Result<Vec<Vec<u32>>> {
        let few = self.preselect_rows(method, facts, labels)?;
        let seen = few.ranks_used_by_members(method, |member| bag_seed_key(key, member))?;
        Ok(seen.row_indices_by_class(few.strata(), facts.stats_by_class().len()))
    }
}

fn needs_all_rows_error(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} trains on all rows at once, so it does not support streamed training data. Use under_bagging, \
         easy_ensemble, balanced_bagging, or bagging with a small max_samples"
    ))
}

/// Ranks of the rows in memory; `None` if all rows are in memory.
///
/// If training data are streamed, only the rows that members use are in memory. Ranks number the rows class
/// by class (see `Strata`).
pub(crate) fn in_memory_row_ranks<P: EnsembleMethod>(
    params: &P,
    method: &'static str,
    training: &TrainingContext<'_, '_>,
) -> Result<Option<RankSet>> {
    let seen = || {
        let few = params.preselect_rows(method, &training.data.class_stats(), training.labels)?;
        few.ranks_used_by_members(method, |member| bag_seed_key(training.key, member))
    };
    training.data.is_sample().then(seen).transpose()
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BaggingOptions<'a> {
    pub(crate) n_estimators: u32,
    pub(crate) voting: VotingMode,
    pub(crate) prior_correction: PriorCorrection,
    pub(crate) oob_score: &'a OobScoreRequest,
}

pub(crate) trait BaggingMethod: Params {
    /// Type of the data that are computed from the training table before any bag is drawn.
    type Preparation: Sync;

    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>);

    fn bagging_options(&self) -> BaggingOptions<'_>;

    fn check_params(&self, _method: &str) -> Result<()> {
        Ok(())
    }

    fn prepare(&self, method: &'static str, training: &TrainingContext<'_, '_>) -> Result<Self::Preparation>;

    /// Samples of all bags; `None` if they depend on more than the number of rows per class.
    fn preselect_rows<'p>(
        &'p self,
        _method: &'static str,
        _facts: &ClassStats,
        _labels: &'p [Label],
    ) -> Result<Option<PreselectedRows<'p>>> {
        Ok(None)
    }

    fn draw_bag(
        &self,
        prepared: &Self::Preparation,
        training: &TrainingContext<'_, '_>,
        index: u32,
        key: SeedKey,
    ) -> Result<Bag>;
}

impl<P: BaggingMethod + Sync> EnsembleMethod for P {
    fn base_method(&mut self) -> (&str, &mut Option<Map<String, Value>>) {
        BaggingMethod::base_method(self)
    }

    fn check(&self, method: &str) -> Result<()> {
        let asked = self.bagging_options();
        if asked.n_estimators == 0 {
            return Err(Error::parameter(method, "n_estimators", "a whole number of at least 1", 0));
        }
        asked.oob_score.checked_score_name(method)?;
        self.check_params(method)
    }

    fn preselect_rows<'p>(
        &'p self,
        method: &'static str,
        facts: &ClassStats,
        labels: &'p [Label],
    ) -> Result<PreselectedRows<'p>> {
        if self.bagging_options().oob_score.checked_score_name(method)?.is_some() {
            return Err(Error::Unsupported(format!(
                "{method} does not support oob_score for streamed training data, because it needs predictions for every row. Leave \
                 it out, and evaluate the model on other rows"
            )));
        }
        self.preselect_rows(method, facts, labels)?.ok_or_else(|| needs_all_rows_error(method))
    }

    fn fit_members<T: BaseLearner>(
        &self,
        method: &'static str,
        base_learner: &T,
        training: &TrainingContext<'_, '_>,
    ) -> Result<FittedMembers<T::Member>> {
        let asked = self.bagging_options();
        let score = asked.oob_score.checked_score_name(method)?;
        if score.is_some() && training.data.dependence().times().is_some() {
            return Err(out_of_bag_times_error(method, false));
        }
        let prepared = self.prepare(method, training)?;
        let taught = fit_members_to_bags(base_learner, training, asked.n_estimators, |index, key| {
            self.draw_bag(&prepared, training, index, key)
        })?;
        let rule = match asked.voting {
            VotingMode::Soft => VotingRule::Soft,
            VotingMode::Hard => VotingRule::Hard,
        };
        let voting = VotingScheme {
            rule,
            votes: vec![1.0; taught.len()],
            errors: Vec::new(),
            columns: taught.iter().map(|taught| taught.bag.columns.clone()).collect(),
            n_classes: training.data.n_classes(),
            shift: prior_shift_of_bags(asked.prior_correction, &taught, training),
        };
        let evaluated = score
            .map(|score| compute_out_of_bag_predictions(base_learner, &taught, &voting, score, training));
        let out_of_bag = evaluated.transpose()?;
        let (members, samples) =
            taught.into_iter().map(|taught| (taught.member, taught.bag.rows.into())).unzip();
        Ok(FittedMembers { members, voting, out_of_bag, samples })
    }
}

/// Fits an ensemble of one member to all rows with positive weight.
///
/// # Errors
/// Same errors as [`BaseLearner::fit_to_bag`].
pub fn fit_single_member<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
) -> Result<FittedMembers<T::Member>> {
    let data = training.data;
    let rows = (0..data.n_rows() as u32).filter(|&row| data.weight(row as usize) > 0.0).collect();
    let MemberFit { member, bag } =
        fit_to_bag(base_learner, training, Bag::from_rows(rows), training.key, training.ctl)?;
    let (votes, columns) = (vec![1.0], vec![Vec::new()]);
    let n_classes = data.n_classes();
    let voting =
        VotingScheme { rule: VotingRule::Soft, votes, errors: Vec::new(), columns, n_classes, shift: None };
    Ok(FittedMembers { members: vec![member], voting, out_of_bag: None, samples: vec![bag.rows.into()] })
}

/// Prior correction from the mean class proportions of the bags to those of the data.
pub(crate) fn prior_shift_of_bags<M>(
    prior_correction: PriorCorrection,
    taught: &[MemberFit<M>],
    training: &TrainingContext<'_, '_>,
) -> Option<PriorShift> {
    let mut seen = vec![0.0; training.data.n_classes()];
    for taught in taught {
        let masses = taught.bag.class_masses(training.data);
        let total: f64 = masses.iter().sum();
        seen.iter_mut().zip(masses).for_each(|(seen, mass)| *seen += mass / total);
    }
    prior_correction.prior_shift_if_enabled(&seen, &training.data.class_masses())
}

fn compute_out_of_bag_predictions<T: BaseLearner>(
    base_learner: &T,
    taught: &[MemberFit<T::Member>],
    voting: &VotingScheme,
    score: &'static str,
    training: &TrainingContext<'_, '_>,
) -> Result<OutOfBag> {
    let (data, ctl) = (training.data, training.ctl);
    let mut tally = VoteAccumulator::new(voting, data.n_rows())?;
    let prepared = base_learner.prepare(None, ctl)?;
    let groups = data.dependence().groups().map(|codes| RowGroups::new(codes.iter().copied()));
    for MemberFit { member, bag } in taught {
        ctl.check()?;
        let mut inside = vec![false; data.n_rows()];
        let made = bag.made.sources.iter().chain(bag.made.neighbors.iter());
        for &row in bag.rows.iter().chain(made).filter(|&&row| (row as usize) < data.n_rows()) {
            inside[row as usize] = true;
        }
        if let Some(groups) = &groups {
            groups.mark_whole_groups(&mut inside);
        }
        let output = base_learner.member_output(
            member,
            &prepared,
            &bag.columns,
            voting.rule.output_kind(),
            ctl.without_observer(),
        )?;
        tally.add_output_of_rows(&output, |row| !inside[row]);
    }
    score_out_of_bag(tally.probabilities(), (score, voting.shift.as_ref()), (data, training.positive))
}
