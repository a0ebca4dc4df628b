//! `auto`: greedy ensemble selection among the methods of this library.
//!
//! Every candidate is fitted to the training rows of each inner fold and predicts the held-out rows of the
//! fold. The weights of the candidates are selected on these predictions.
//!
//! The ensemble consists of the models of the inner folds, so that no candidate is fitted again to all rows.
//! There is one exception: if rows have times, the models of the inner folds are fitted to early rows only.
//! The candidates are then also fitted to all rows, and the ensemble consists of these models.

use crate::candidates::{Candidate, candidates};
use crate::class_passes;
use crate::decomposed::row_weights;
use crate::fitted::FittedEstimator;
use crate::folds::DataSubset;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method, MethodRegistry, MethodRole};
use crate::model::{Model, check_no_missing};
use crate::registry::full_params_and_role;
use crate::warm_start::WarmStart;
use imbcore_core::budget::StoppingLimits;
use imbcore_core::{Classifier, Dataset, Error, Label, Result, RunContext, SeedKey, parallel, tags};
use imbcore_ensembles::OutOfBag;
use imbcore_ensembles::selection::{
    AutoParams, HeldOutTable, Leaderboard, LeaderboardEntry, MissingHandling, OmissionReason,
    SelectedEnsemble, SelectedWeights, select_members,
};
use imbcore_metrics::CvSplits;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

const FOLDS: u32 = 5;
/// Name of the candidate that predicts the class proportions.
const PRIOR: &str = "prior";

impl Method for AutoParams {
    const ROLE: MethodRole = MethodRole::Selection;
    const MEMORY: MemoryEstimator = |_, _, table| memory_estimate::auto_memory(table);

    fn with_base_method_defaults(self, method: &'static str, _others: &dyn MethodRegistry) -> Result<Self> {
        self.check(method)?;
        Ok(self)
    }

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let FitRun { data, labels, class_weight, positive, key, ctl, others, .. } = run;
        data.frame().check_finite()?;
        if self.missing == MissingHandling::Error {
            check_no_missing(data.frame())?;
        }
        let weights = row_weights(data, class_weight.as_deref());
        let weighed = weights.as_deref().map(|weights| data.reweighed(weights));
        let data = weighed.as_ref().unwrap_or(data);
        let folds_key = key.child(tags::evaluation::FOLDS, 0);
        let splits = CvSplits::inner_folds(data.class_codes(), data.dependence(), FOLDS, folds_key, ctl);
        let splits = splits.map_err(|error| match error {
            Error::Data(message) => Error::Data(format!("{method}, inner folds: {message}")),
            other => other,
        })?;
        let trainer = CandidateTrainer {
            data,
            labels,
            positive,
            key,
            ctl,
            others,
            folds: FoldRows::for_all_folds(&splits, data),
        };
        let candidates = trainer.fit_candidates(&self)?;
        // If the user cancels, the ensemble is built from the candidates that were already fitted. For this
        // step, a silent context replaces the cancelled one.
        let ctl = if trainer.ctl.check().is_err() { RunContext::silent() } else { ctl };
        trainer.build_ensemble(&self, candidates, ctl)
    }
}

struct FoldRows {
    train: Vec<u32>,
    test: Vec<u32>,
    at: (u32, u32),
}

impl FoldRows {
    fn for_all_folds(splits: &CvSplits, data: &Dataset<'_>) -> Vec<Self> {
        let fold = |(repeat, fold): (u32, u32)| {
            let (mut train, test) = splits.train_and_test_rows(repeat, fold);
            train.retain(|&row| data.weight(row as usize) > 0.0);
            Self { train, test, at: (repeat, fold) }
        };
        splits.tested_folds().into_iter().map(fold).collect()
    }
}

type FoldModelAndProba = (FittedEstimator, Vec<f64>);

/// Models of one candidate, and their probabilities of held-out rows, in the order of folds.
struct FittedCandidate {
    entry: LeaderboardEntry,
    models: Vec<FittedEstimator>,
    proba: Vec<f64>,
}

struct CandidateResults {
    fitted: Vec<FittedCandidate>,
    left_out: Vec<LeaderboardEntry>,
}

struct CandidateTrainer<'t, 'd> {
    data: &'t Dataset<'d>,
    labels: &'t [Label],
    positive: u32,
    key: SeedKey,
    ctl: RunContext<'t>,
    others: &'t dyn MethodRegistry,
    folds: Vec<FoldRows>,
}

impl CandidateTrainer<'_, '_> {
    /// Fits the candidates in order until the budget or the time is used up, or the user cancels.
    fn fit_candidates(&self, params: &AutoParams) -> Result<CandidateResults> {
        let clock = TrainingClock::start(params.time_limit);
        let (n_columns, n_classes) = (self.data.frame().n_columns(), self.data.n_classes());
        let all = candidates(params.n_estimators, n_columns, n_classes);
        let mut found = CandidateResults { fitted: vec![self.prior_candidate()?], left_out: Vec::new() };
        let (mut spent, mut stopped, mut failed) = (0.0, None, None);
        for (place, candidate) in all.iter().enumerate() {
            let work = self.estimated_work(candidate);
            spent += work;
            if place > 0 && params.budget.is_some_and(|budget| spent > budget) {
                stopped = stopped.or(Some(OmissionReason::Budget));
            }
            if let Some(reason) = &stopped {
                found.record_omission(candidate, work, reason);
                continue;
            }
            let begun = clock.elapsed_seconds();
            let complete = found.fitted.len() > 1;
            let ctl =
                self.ctl.without_observer().with_deadline(clock.candidate_deadline().filter(|_| complete));
            let fits = ctl.check().and_then(|()| self.check_pass_count(candidate));
            match fits.and_then(|()| self.fit(candidate, (place, work), ctl)) {
                Ok(mut fitted) => {
                    for member in &mut fitted {
                        member.entry.seconds = Some(clock.elapsed_seconds() - begun);
                    }
                    found.fitted.extend(fitted);
                }
                Err(Error::Cancelled) if !complete => return Err(Error::Cancelled),
                Err(Error::Cancelled) => {
                    let by_user = self.ctl.check().is_err();
                    let reason =
                        if by_user { OmissionReason::Interrupted } else { OmissionReason::TimeLimit };
                    found.record_omission(candidate, work, &reason);
                    if by_user || clock.is_nearly_over() {
                        stopped = Some(reason);
                    }
                }
                // Not every method can be fitted to every table, so an error excludes only this candidate.
                Err(
                    error @ (Error::Data(_)
                    | Error::Column { .. }
                    | Error::Unsupported(_)
                    | Error::Parameter { .. }
                    | Error::Limit { .. }
                    | Error::Estimate { .. }),
                ) => {
                    found.record_omission(candidate, work, &OmissionReason::Failed(error.to_string()));
                    failed = failed.or(Some(error));
                }
                Err(error) => return Err(error),
            }
            self.ctl.report_progress("members", place as u64 + 1, all.len() as u64);
        }
        if let (1, Some(error)) = (found.fitted.len(), failed) {
            return Err(error);
        }
        self.warn_about_omitted_candidates(params, &found.left_out);
        Ok(found)
    }

    /// Work of all fits of a candidate, in the unit of the budget.
    ///
    /// The work of a fit is rows times columns times passes over the rows, divided by 1e6.
    fn estimated_work(&self, candidate: &Candidate) -> f64 {
        let of_folds: usize = self.folds.iter().map(|fold| fold.train.len()).sum();
        let again = if self.fits_all_rows() { self.data.n_rows() } else { 0 };
        (of_folds + again) as f64 * self.data.frame().n_columns() as f64 * candidate.passes / 1e6
    }

    fn check_pass_count(&self, candidate: &Candidate) -> Result<()> {
        let size = (self.data.n_rows(), self.data.n_classes());
        let n_fits = self.folds.len() + usize::from(self.fits_all_rows());
        class_passes::check_pass_count_of_fits(candidate.method, &candidate.params, size, n_fits)
    }

    /// Whether candidates are also fitted to all rows.
    ///
    /// If rows have times, the models of the folds are fitted to early rows only.
    fn fits_all_rows(&self) -> bool {
        self.data.dependence().times().is_some()
    }

    fn warn_about_omitted_candidates(&self, params: &AutoParams, left_out: &[LeaderboardEntry]) {
        let late = |entry: &&LeaderboardEntry| entry.left_out == Some(OmissionReason::TimeLimit);
        let names: Vec<&str> = left_out.iter().filter(late).map(|entry| &*entry.member).collect();
        if let (Some(limit), false) = (params.time_limit, names.is_empty()) {
            self.ctl.warn(format!(
                "time_limit={limit} was reached, so these members were left out: {}; increase time_limit, or set \
                 budget for a reproducible model",
                names.join(", ")
            ));
        }
    }

    fn prior_candidate(&self) -> Result<FittedCandidate> {
        let fold = |fold: &FoldRows| -> Result<FoldModelAndProba> {
            let model = FittedEstimator::from_class_proportions(self.data, &fold.train)?;
            let mass: Vec<f64> = model.tree().map_or(Vec::new(), |tree| tree.node_proba(0).to_vec());
            Ok((model, mass.repeat(fold.test.len())))
        };
        let (models, proba): (Vec<_>, Vec<_>) =
            self.folds.iter().map(fold).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let all: Vec<u32> = (0..self.data.n_rows() as u32).collect();
        let models = if self.fits_all_rows() {
            vec![FittedEstimator::from_class_proportions(self.data, &all)?]
        } else {
            models
        };
        // The leaderboard shows a method and parameters with which a user can reproduce each candidate. The
        // class proportions are the predictions of a `cart` tree with one leaf.
        let params = [("min_samples_split".to_owned(), Value::from(self.data.n_rows().max(1) + 1))]
            .into_iter()
            .collect();
        Ok(FittedCandidate {
            entry: leaderboard_entry((PRIOR.to_owned(), "cart", params), 0.0),
            models,
            proba: proba.concat(),
        })
    }

    fn fit(
        &self,
        candidate: &Candidate,
        (place, work): (usize, f64),
        ctl: RunContext<'_>,
    ) -> Result<Vec<FittedCandidate>> {
        let key = self.key.child(tags::wrapped::MODEL, place as u32);
        let n_classes = self.data.n_classes();
        let by_fold: Vec<Vec<FoldModelAndProba>> = parallel::try_map(&self.folds, |fold| {
            let train = DataSubset::new(self.data, &fold.train, ctl)?;
            let key = crate::folds::fold_seed_key(key, fold.at);
            let fitted = self.fit_rows(candidate, &train.dataset(n_classes)?, key, ctl)?;
            let test = DataSubset::new(self.data, &fold.test, ctl)?;
            let frame = test.frame.borrow()?;
            let predict = |model: FittedEstimator| {
                let proba = model.proba(&frame, ctl)?;
                Ok((model, proba))
            };
            candidate.candidate_models(fitted)?.into_iter().map(predict).collect()
        })?;
        let mut of_all = Vec::new();
        if self.fits_all_rows() {
            of_all = candidate.candidate_models(self.fit_rows(candidate, self.data, key, ctl)?)?;
        }
        let members = candidate.candidate_names_and_params();
        let mut found: Vec<FittedCandidate> = members
            .into_iter()
            .map(|(name, params)| FittedCandidate {
                entry: leaderboard_entry((name, candidate.method, params), work),
                models: Vec::new(),
                proba: Vec::new(),
            })
            .collect();
        for fold in by_fold {
            for (member, (model, proba)) in found.iter_mut().zip(fold) {
                member.proba.extend(proba);
                member.models.push(model);
            }
        }
        for (member, model) in found.iter_mut().zip(of_all) {
            member.models = vec![model];
        }
        Ok(found)
    }

    fn fit_rows(
        &self,
        candidate: &Candidate,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<FittedEstimator> {
        if let [class] = data.present_classes(None)[..] {
            return FittedEstimator::constant(data, class);
        }
        let run = FitRun {
            data,
            labels: self.labels,
            class_weight: None,
            costs: None,
            positive: self.positive,
            key,
            constant: true,
            start: WarmStart::Cold,
            ctl,
            others: self.others,
            clusterer: None,
        };
        self.others.fit(candidate.method, &candidate.params, run)
    }

    fn build_ensemble(
        &self,
        params: &AutoParams,
        candidates: CandidateResults,
        ctl: RunContext<'_>,
    ) -> Result<FittedEstimator> {
        let rows: Vec<usize> =
            self.folds.iter().flat_map(|fold| fold.test.iter().map(|&row| row as usize)).collect();
        let truth: Vec<u32> = rows.iter().map(|&row| self.data.class_codes()[row]).collect();
        let weights: Option<Vec<f64>> =
            self.data.weights().map(|weights| rows.iter().map(|&row| weights[row]).collect());
        let folds: Vec<u32> =
            (0..).zip(&self.folds).flat_map(|(at, fold)| std::iter::repeat_n(at, fold.test.len())).collect();
        let table = HeldOutTable {
            truth: &truth,
            weights: weights.as_deref(),
            folds: &folds,
            n_classes: self.data.n_classes(),
            positive: self.positive,
            metric: params.metric,
        };
        let CandidateResults { fitted, left_out } = candidates;
        let (mut entries, mut models, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for candidate in fitted {
            entries.push(candidate.entry);
            models.push(candidate.models);
            tables.push(candidate.proba);
        }
        let selected = select_members(&table, &tables, ctl)?;
        let groups = self.data.dependence().groups();
        let groups: Option<Vec<u32>> = groups.map(|groups| rows.iter().map(|&row| groups[row]).collect());
        if let Some(evidence) = selected.signal_evidence(&table, &tables[0], groups.as_deref()) {
            evidence.warn_if_no_signal(ctl);
        }
        let (mut kept, mut votes) = (Vec::new(), Vec::new());
        for (at, models) in models.into_iter().enumerate() {
            let (entry, weight) = (&mut entries[at], selected.weights[at]);
            entry.score = Some(selected.scores[at]).filter(|score| score.is_finite());
            entry.weight = weight;
            if weight > 0.0 {
                entry.n_models = models.len() as u32;
                votes.extend(vec![weight / models.len() as f64; models.len()]);
                kept.extend(models);
            }
        }
        entries.extend(left_out);
        let out_of_bag = params.oob_score.then(|| self.out_of_fold_predictions(&rows, &selected));
        let leaderboard =
            Leaderboard { entries, score: Some(selected.score).filter(|score| score.is_finite()) };
        let (calibration, n_classes) = (selected.calibration, self.data.n_classes());
        let ensemble = SelectedEnsemble::new((kept, votes), n_classes, calibration, leaderboard, out_of_bag)?;
        Ok(FittedEstimator::Selected(Box::new(ensemble)))
    }

    /// Held-out predictions of the ensemble, row by row; NaN for rows that no fold holds out.
    fn out_of_fold_predictions(&self, rows: &[usize], selected: &SelectedWeights) -> OutOfBag {
        let c = self.data.n_classes();
        let mut decision = vec![f64::NAN; self.data.n_rows() * c];
        for (&row, proba) in rows.iter().zip(selected.proba.chunks_exact(c)) {
            decision[row * c..][..c].copy_from_slice(proba);
        }
        OutOfBag { decision, score: selected.score }
    }
}

impl CandidateResults {
    fn record_omission(&mut self, candidate: &Candidate, work: f64, reason: &OmissionReason) {
        for (name, params) in candidate.candidate_names_and_params() {
            let entry = leaderboard_entry((name, candidate.method, params), work);
            self.left_out.push(LeaderboardEntry { left_out: Some(reason.clone()), ..entry });
        }
    }
}

fn leaderboard_entry(
    (member, method, params): (String, &str, Map<String, Value>),
    work: f64,
) -> LeaderboardEntry {
    LeaderboardEntry {
        member,
        method: method.to_owned(),
        params,
        score: None,
        weight: 0.0,
        n_models: 0,
        work,
        left_out: None,
        seconds: None,
    }
}

struct TrainingClock {
    start: Instant,
    deadline: Option<Instant>,
}

// The lint `disallowed_methods` forbids clocks, because results must be reproducible. Here, time affects the
// result only if the user set a time limit.
#[allow(clippy::disallowed_methods)]
impl TrainingClock {
    fn start(limit: Option<f64>) -> Self {
        let start = Instant::now();
        let limit = limit.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.0, StoppingLimits::LONGEST)));
        Self { start, deadline: limit.map(|limit| start + limit) }
    }

    fn elapsed_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Time limit of the next candidate: half of the remaining time.
    ///
    /// Thus, a slow candidate leaves time for the candidates after it.
    fn candidate_deadline(&self) -> Option<Instant> {
        let now = Instant::now();
        self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2)
    }

    fn is_nearly_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| {
            deadline.saturating_duration_since(Instant::now()) <= deadline.duration_since(self.start) / 32
        })
    }
}

impl Model {
    pub(crate) fn selected_member(
        &self,
        selected: &SelectedEnsemble<FittedEstimator>,
        index: usize,
    ) -> Result<Self> {
        let members = selected.ensemble().members();
        let (Some(fitted), Some(entry)) = (members.get(index), selected.leaderboard().entry_of_model(index))
        else {
            let n = members.len();
            return Err(Error::Data(format!("the ensemble has {n} models, there is no model {index}")));
        };
        let (params, _) = full_params_and_role(&entry.method, &entry.params).map_err(Error::damaged)?;
        let (schema, decision) = (self.schema().clone(), self.decision().clone());
        let fitted = fitted.clone();
        Self::new(&entry.method, Value::Object(params), schema, fitted, decision, self.positive_class())
    }
}
