//! Bayesian classifiers: checks of the parameters, and fitting.

use super::encoded_training::{EncodedRowBuffer, EncodedTrainingTable};
use super::member_learner::MemberLearner;
use super::member_network::MemberWeighting;
use super::model::BayesModel;
use super::network_ensemble::NetworkEnsemble;
use super::params::{
    AodeParams, BagParams, BayesBaggingParams, BayesClassifierParams, KdbParams, NaiveBayesColumnParams,
    SearchedGraphParams, TanParams, TemperedWeightParams,
};
use super::structure::{RestrictedGraphForm, StructureMethod};
use super::training_sample::TrainingSample;
use super::training_stats::{ClassArcBounds, TrainingStats, numeric_ranges};
use crate::discretize::{DiscretizeSettings, Discretizer, MissingPolicy};
use crate::search::{Rectify, StructureParams, TemperedUse};
use imbcore_core::{
    Classifier, CompositeParams, Dataset, Error, Learner, OuterParams, Params, Result, RunContext, SeedKey,
};

/// A Bayesian classifier with checked parameters.
#[derive(Clone, Debug)]
pub struct BayesLearner {
    one: MemberLearner,
    bag: Option<BagParams>,
    class_weight: Option<Vec<f64>>,
}

/// Parameters of a Bayesian classifier.
pub trait BayesParams: Params {
    /// Checks the parameters and returns the learner; `method` is its name in error messages.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    fn build_learner(self, method: &'static str) -> Result<BayesLearner>;
}

/// Parameters that determine how the graph is learned.
trait GraphLearningParams {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)>;
}

impl<Own: GraphLearningParams + Params + OuterParams + Default> BayesParams for BayesClassifierParams<Own> {
    fn build_learner(self, method: &'static str) -> Result<BayesLearner> {
        let CompositeParams { own: cuts, inner: CompositeParams { own: graph, inner: prior } } = self;
        prior.check(method)?;
        let (structure, tempered) = graph.checked_structure_method(method)?;
        let one = MemberLearner { cuts: cuts.check(method)?, structure, prior, tempered };
        Ok(BayesLearner { one, bag: None, class_weight: None })
    }
}

impl GraphLearningParams for CompositeParams<SearchedGraphParams, StructureParams> {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)> {
        let Self { own: SearchedGraphParams { structure_score, require_class_arc }, inner } = self;
        let params = StructureParams { score: structure_score, ..inner };
        params.clone().check(method)?;
        let both = params.rectify == Some(Rectify::Tempered) && params.used_for == TemperedUse::Both;
        let tempered = both.then_some(params.phi);
        Ok((StructureMethod::Search { method, params: Box::new(params), require_class_arc }, tempered))
    }
}

impl GraphLearningParams for CompositeParams<NaiveBayesColumnParams, TemperedWeightParams> {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)> {
        let constant = self.own.structure_constant;
        check_parameter(
            &self.own,
            method,
            constant.is_finite() && constant >= 0.0,
            "structure_constant",
            &constant,
        )?;
        let feature_selection = self.own.feature_selection.then_some(constant);
        self.inner.restricted_structure_method(method, RestrictedGraphForm::Naive { feature_selection })
    }
}

impl GraphLearningParams for CompositeParams<TanParams, TemperedWeightParams> {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)> {
        self.inner
            .restricted_structure_method(method, RestrictedGraphForm::Tan { prune_arcs: self.own.prune_arcs })
    }
}

impl GraphLearningParams for CompositeParams<KdbParams, TemperedWeightParams> {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)> {
        self.inner
            .restricted_structure_method(method, RestrictedGraphForm::Kdb { k: self.own.max_feature_parents })
    }
}

impl GraphLearningParams for CompositeParams<AodeParams, TemperedWeightParams> {
    fn checked_structure_method(self, method: &'static str) -> Result<(StructureMethod, Option<f64>)> {
        let most = self.own.max_super_parents;
        check_parameter(&self.own, method, most != Some(0), "max_super_parents", &0)?;
        self.inner.restricted_structure_method(method, RestrictedGraphForm::SuperParents { most })
    }
}

impl BayesParams for BayesBaggingParams {
    fn build_learner(self, method: &'static str) -> Result<BayesLearner> {
        let Self { own, inner } = self;
        check_parameter(&own, method, own.n_estimators >= 1, "n_estimators", &own.n_estimators)?;
        let positive = own.temperature.is_finite() && own.temperature > 0.0;
        check_parameter(&own, method, positive, "temperature", &own.temperature)?;
        Ok(BayesLearner { bag: Some(own), ..inner.build_learner(method)? })
    }
}

fn check_parameter(
    params: &impl Params,
    method: &str,
    valid: bool,
    name: &str,
    got: &dyn std::fmt::Display,
) -> Result<()> {
    if valid {
        return Ok(());
    }
    let specs = params.specs();
    let expected = specs.iter().find(|spec| spec.name == name).map_or("valid", |spec| spec.expected);
    Err(Error::parameter(method, name, expected, got))
}

impl TemperedWeightParams {
    /// Returns the structure method, and the exponent of the tempered class weights.
    ///
    /// The exponent is `None` if the probabilities are estimated without these weights.
    fn restricted_structure_method(
        &self,
        method: &str,
        form: RestrictedGraphForm,
    ) -> Result<(StructureMethod, Option<f64>)> {
        check_parameter(self, method, self.phi.is_finite() && self.phi >= 0.0, "phi", &self.phi)?;
        let tempered = self.rectify.map(|_| self.phi);
        let estimation = tempered.filter(|_| self.used_for == TemperedUse::Both);
        Ok((StructureMethod::Restricted { form, tempered }, estimation))
    }
}

impl BayesLearner {
    /// The same learner with class weights.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    fn class_weighted_row_weights(&self, data: &Dataset<'_>) -> Option<Vec<f64>> {
        let of_class =
            |row: usize| self.class_weight.as_ref().map_or(1.0, |of| of[data.class_codes()[row] as usize]);
        let weighted = data.weights().is_some() || self.class_weight.is_some();
        weighted.then(|| (0..data.n_rows()).map(|row| data.weight(row) * of_class(row)).collect())
    }

    /// Discretization settings for fitting to rows that are read in batches.
    ///
    /// Fitting in batches does not support bootstrap ensembles, class weights, or tempered weights for the
    /// probabilities. It does not support [`MissingPolicy::DropRows`] either, because the columns of a row
    /// may be read one after the other.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for settings that fitting in batches does not support.
    pub fn streaming_discretize_settings(&self) -> Result<DiscretizeSettings> {
        if self.bag.is_some() || self.one.tempered.is_some() || self.class_weight.is_some() {
            return Err(Error::Unsupported(
                "ensembles, rectify=\"tempered\" and class weights need all rows in memory".into(),
            ));
        }
        if self.one.cuts.gaps == MissingPolicy::DropRows {
            return Err(Error::Unsupported(
                "missing=\"drop_rows\" needs complete rows before it discretizes a column; choose \"available\" or \"state\""
                    .into(),
            ));
        }
        Ok(self.one.cuts)
    }

    /// Fits to rows that were read in batches.
    ///
    /// The model is bit for bit the same as the model of [`Learner::fit`] for the same rows.
    ///
    /// # Errors
    /// Same errors as [`Learner::fit`] and [`BayesLearner::streaming_discretize_settings`].
    pub fn fit_encoded(
        &self,
        rows: EncodedRowBuffer,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BayesModel> {
        self.streaming_discretize_settings()?;
        let EncodedRowBuffer { discretizer, ranges, codes, classes, n_classes } = rows;
        let mut masses = vec![0.0; n_classes];
        for row in 0..classes.len() {
            masses[usize::from(classes.get(row))] += 1.0;
        }
        let total: f64 = masses.iter().sum();
        let shares = masses.iter().map(|mass| mass / total).collect();
        let coded = EncodedTrainingTable::new(&discretizer, codes, classes, n_classes)?;
        self.fit_without_bagging(discretizer, &coded, TrainingRowStats { shares, total, ranges }, key, ctl)
    }

    /// The networks of AODE form a mixture in which all joint distributions have equal weights.
    fn fit_without_bagging(
        &self,
        discretizer: Discretizer,
        coded: &EncodedTrainingTable,
        known: TrainingRowStats,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<BayesModel> {
        let (members, facts): (Vec<_>, Vec<_>) =
            self.one.learn_members(coded, discretizer.columns.len(), key, ctl)?.into_iter().unzip();
        let rule = if members.len() > 1 { MemberWeighting::Test } else { MemberWeighting::Plain };
        let log_weights = vec![0.0; members.len()];
        let bagged = NetworkEnsemble { discretizers: vec![discretizer], members, facts, log_weights };
        let model = self.build_model(bagged, rule, known)?;
        let recall = coded.recalls(&model, ctl)?;
        Ok(model.with_recall(recall))
    }

    fn build_model(
        &self,
        bagged: NetworkEnsemble,
        rule: MemberWeighting,
        known: TrainingRowStats,
    ) -> Result<BayesModel> {
        let NetworkEnsemble { discretizers, members, facts, log_weights } = bagged;
        let TrainingRowStats { shares, total, ranges } = known;
        let levels: Vec<u32> = members
            .iter()
            .flat_map(|member| member.network.n_states_by_variable()[..member.columns.len()].to_vec())
            .collect();
        let price = self.one.structure.penalty_per_parameter(total);
        let arcs = price.and_then(|(price, phi)| {
            ClassArcBounds::new(price, total, &tempered_class_fractions(&shares, phi), &levels)
        });
        let weighted_fractions =
            self.one.tempered.map_or_else(|| shares.clone(), |phi| tempered_class_fractions(&shares, phi));
        let recall = vec![None; shares.len()];
        let facts = TrainingStats { shares, weighted_fractions, total, recall, ranges, arcs, members: facts };
        BayesModel::new(discretizers, members, (rule, log_weights), facts)
    }
}

struct TrainingRowStats {
    shares: Vec<f64>,
    total: f64,
    ranges: Vec<Option<(f64, f64)>>,
}

impl Learner for BayesLearner {
    type Model = BayesModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunContext<'_>) -> Result<BayesModel> {
        let weights = self.class_weighted_row_weights(data);
        let sample = TrainingSample::new(self.one.cuts, data, weights.as_deref())?;
        let (shares, total) = sample.class_fractions();
        let known = TrainingRowStats { shares, total, ranges: numeric_ranges(data.frame(), &sample.rows) };
        let Some(bag) = &self.bag else {
            let discretizer = self.one.cuts.learn(&sample.training, &sample.rows, ctl)?;
            let coded = sample.encode(&discretizer, ctl)?;
            return self.fit_without_bagging(discretizer, &coded, known, key, ctl);
        };
        let model = self.build_model(bag.fit_networks(&self.one, &sample, key, ctl)?, bag.weights, known)?;
        let frame = data.frame();
        let recall =
            sample.class_recalls(frame.n_rows(), |rows| model.proba(&frame.slice_rows(rows), ctl))?;
        Ok(model.with_recall(recall))
    }
}

fn tempered_class_fractions(shares: &[f64], phi: f64) -> Vec<f64> {
    let raised: Vec<f64> =
        shares.iter().map(|&share| if share > 0.0 { share.powf(phi) } else { 0.0 }).collect();
    let sum: f64 = raised.iter().sum();
    raised.iter().map(|share| share / sum).collect()
}
