//! Ensemble methods, with members fitted by a registered method or a caller-supplied learner.

use crate::data_warnings;
use crate::decomposed::{complete_base_params, row_weights};
use crate::fit_context::{FitTask, with_normalized_task};
use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method, MethodRegistry, MethodRole};
use crate::registry::{fit_external_by_name, full_params_and_role};
use crate::resolved_costs::{resolve_costs, resolve_positive_class};
use crate::warm_start::WarmStart;
use imbcore_core::{
    Dataset, Decision, Error, FrameBuf, Label, OwnedRowDependence, PresortCache, Result, RunContext, Schema,
    SeedKey,
};
use imbcore_ensembles::boost::{
    AdaBoostParams, AdaC1Params, AdaC2Params, AdaC3Params, BalanceCascadeParams, EasyEnsembleParams,
    RusBoostParams, SmoteBoostParams,
};
use imbcore_ensembles::generic::{
    Bag, BaggingParams, BalancedBaggingParams, BaseLearner, CachedLearner, Ensemble, EnsembleMethod,
    FittedMembers, MemberCache, OutputKind, OverBaggingParams, SmoteBaggingParams, TrainingContext,
    UnderBaggingParams, UnderOverBaggingParams, fit_single_member, model_output,
};
use serde_json::{Map, Value};

macro_rules! ensemble_recipes {
    ($($params:ty),* $(,)?) => {$(
        impl Method for $params {
            const ROLE: MethodRole = MethodRole::Ensemble;
            const DRAWS: bool = true;
            const MEMORY: MemoryEstimator = |_, params, table| memory_estimate::ensemble_memory(params, table);

            fn draw_rows(self, method: &'static str, run: FitRun<'_, '_>) -> Result<Vec<Vec<u32>>> {
                if run.class_weight.is_some() {
                    return Err(class_weight_error(method));
                }
                EnsembleMethod::draw_member_rows(&self, method, &run.data.class_stats(), run.labels, run.key)
            }

            fn with_base_method_defaults(mut self, method: &'static str, others: &dyn MethodRegistry) -> Result<Self> {
                self.check(method)?;
                let (estimator, params) = self.base_method();
                *params = complete_base_params(method, (estimator, params.as_ref()), &[MethodRole::Costly], others)?;
                Ok(self)
            }

            fn fit(mut self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
                let (estimator, params) = self.base_method();
                let base = (estimator.to_owned(), params.clone().unwrap_or_default());
                fit_with_native_members(&self, method, &base, run)
            }

            fn fit_with_external_learner<T: BaseLearner>(
                self,
                method: &'static str,
                base_learner: &T,
                training: &TrainingContext<'_, '_>,
            ) -> Result<FittedMembers<T::Member>> {
                EnsembleMethod::fit_members(&self, method, base_learner, training)
            }
        }
    )*};
}

ensemble_recipes!(
    AdaBoostParams,
    AdaC1Params,
    AdaC2Params,
    AdaC3Params,
    BaggingParams,
    BalanceCascadeParams,
    BalancedBaggingParams,
    EasyEnsembleParams,
    OverBaggingParams,
    RusBoostParams,
    SmoteBaggingParams,
    SmoteBoostParams,
    UnderBaggingParams,
    UnderOverBaggingParams,
);

fn class_weight_error(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} with class weights or costs as weights needs all rows, and cannot be fitted to rows that are read in chunks"
    ))
}

/// Parameters of base methods whose values contain column indices.
const BY_COLUMN: [&str; 6] =
    ["monotonic_cst", "interaction_cst", "init_graph", "required_arcs", "forbidden_arcs", "tiers"];

/// Rejects parameters with column indices if a member uses a subset of the columns.
///
/// The indices refer to the whole table, so they would be wrong for the subset. `columns` is empty if the
/// member uses all columns.
fn reject_column_params((method, params): &(String, Map<String, Value>), columns: &[u32]) -> Result<()> {
    // The parameter `init_graph` may also be a text, which names a rule and refers to no column.
    let given = |name: &&str| params.get(*name).is_some_and(|value| value.is_array() || value.is_object());
    match BY_COLUMN.iter().find(|name| given(name)) {
        Some(name) if !columns.is_empty() => {
            let expected = "None if members see a subset of the columns (max_features, bootstrap_features)";
            Err(Error::parameter(method, name, expected, &params[*name]))
        }
        _ => Ok(()),
    }
}

struct RegisteredLearner<'t, 'd> {
    training: &'t TrainingContext<'t, 'd>,
    base: &'t (String, Map<String, Value>),
    others: &'t dyn MethodRegistry,
}

struct PreparedRows {
    frame: FrameBuf,
    classes: Vec<u32>,
    dependence: OwnedRowDependence,
    orders: PresortCache,
}

impl RegisteredLearner<'_, '_> {
    fn fit(&self, data: &Dataset<'_>, seed: u32, ctl: RunContext<'_>) -> Result<FittedEstimator> {
        let (TrainingContext { labels, positive, .. }, others) = (*self.training, self.others);
        let (class_weight, costs, start) = (None, None, WarmStart::Cold);
        let (key, constant) = (SeedKey::root(u64::from(seed)), true);
        let run = FitRun {
            data,
            labels,
            class_weight,
            costs,
            positive,
            key,
            constant,
            start,
            ctl,
            others,
            clusterer: None,
        };
        others.fit(&self.base.0, &self.base.1, run)
    }
}

/// Maximum number of probabilities in a block of rows that a member predicts (2 MB).
const BLOCK_CELLS: usize = 1 << 18;

impl BaseLearner for RegisteredLearner<'_, '_> {
    type Member = FittedEstimator;
    type Preparation = PreparedRows;

    fn supports_weights(&self) -> bool {
        true
    }

    fn is_sequential(&self) -> bool {
        false
    }

    fn prepare(&self, rows: Option<&[u32]>, ctl: RunContext<'_>) -> Result<PreparedRows> {
        let data = self.training.data;
        let all: Vec<u32>;
        let rows = if let Some(rows) = rows {
            rows
        } else {
            all = (0..data.n_rows() as u32).collect();
            &all
        };
        Ok(PreparedRows {
            frame: data.frame().take(rows, ctl)?,
            classes: rows.iter().map(|&row| data.class_codes()[row as usize]).collect(),
            dependence: data.dependence().take(rows.iter().copied()),
            orders: PresortCache::new(data.frame().n_columns()),
        })
    }

    fn fit_to_bag(&self, bag: &Bag, seed: u32, ctl: RunContext<'_>) -> Result<FittedEstimator> {
        reject_column_params(self.base, &bag.columns)?;
        let data = self.training.data;
        let (frame, classes) = (bag.copy_rows_to_frame(data.frame(), ctl)?, bag.class_of_each_row(data));
        let weights = bag.weights.as_deref();
        let dependence = bag.groups_and_times(data);
        let data = Dataset::with_single_class_allowed(frame.borrow()?, &classes, data.n_classes(), weights)?;
        self.fit(&data.with_dependence(dependence.borrow()), seed, ctl)
    }

    fn fit_weighted(
        &self,
        prepared: &PreparedRows,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<FittedEstimator> {
        let PreparedRows { frame, classes, dependence, orders } = prepared;
        let n_classes = self.training.data.n_classes();
        let data = Dataset::with_single_class_allowed(frame.borrow()?, classes, n_classes, Some(weights))?;
        self.fit(&data.with_presort_cache(orders).with_dependence(dependence.borrow()), seed, ctl)
    }

    fn member_output(
        &self,
        member: &FittedEstimator,
        prepared: &PreparedRows,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        model_output(member, (&prepared.frame.borrow()?, columns), output_kind, ctl)
    }

    fn visit_output(
        &self,
        member: &FittedEstimator,
        prepared: &PreparedRows,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
        visit: &mut dyn FnMut(&[f64]),
    ) -> Result<()> {
        let frame = prepared.frame.borrow()?;
        let size = (BLOCK_CELLS / self.training.data.n_classes().max(1)).max(1);
        for start in (0..frame.n_rows()).step_by(size) {
            let rows = frame.slice_rows(start..frame.n_rows().min(start + size));
            visit(&model_output(member, (&rows, columns), output_kind, ctl)?);
        }
        Ok(())
    }
}

fn fit_with_native_members<P: EnsembleMethod>(
    params: &P,
    method: &'static str,
    base: &(String, Map<String, Value>),
    run: FitRun<'_, '_>,
) -> Result<FittedEstimator> {
    let FitRun { data, labels, class_weight, positive, key, start, ctl, others, .. } = run;
    if start.member_range().is_some() {
        return Err(Error::Unsupported(format!(
            "{method} is fitted as a whole: its members cannot be merged"
        )));
    }
    if data.is_sample() {
        params.preselect_rows(method, &data.class_stats(), labels)?;
    }
    with_training_context(data, class_weight.as_deref(), (labels, positive), (key, ctl), |training| {
        let native = RegisteredLearner { training, base, others };
        let base_learner = CachedLearner::new(&native, start.member_cache());
        let (assembled, task_digests) = params.fit_members(method, &base_learner, training)?.split_digests();
        Ok(FittedEstimator::Ensemble(Ensemble::new(assembled)?.with_task_digests(task_digests)))
    })
}

fn with_training_context<R>(
    data: &Dataset<'_>,
    class_weight: Option<&[f64]>,
    (labels, positive): (&[Label], u32),
    (key, ctl): (SeedKey, RunContext<'_>),
    body: impl FnOnce(&TrainingContext<'_, '_>) -> Result<R>,
) -> Result<R> {
    let weights = row_weights(data, class_weight);
    let weighed = weights.as_deref().map(|weights| data.reweighed(weights));
    body(&TrainingContext { data: weighed.as_ref().unwrap_or(data), labels, positive, key, ctl })
}

/// An ensemble whose members were trained by a caller-supplied learner.
#[derive(Clone, Debug)]
pub struct ExternalEnsemble<M> {
    /// The members, and the rule that combines their predictions.
    pub assembled: FittedMembers<M>,
    /// Hash of each member's training data; a later fit reuses members with equal hashes.
    pub task_digests: Vec<u64>,
    /// Rule that turns class probabilities into classes.
    pub decision: Decision,
    /// Code of the positive class.
    pub positive: u32,
}

/// Fits an ensemble whose members are trained by a caller-supplied learner.
///
/// Seeds and bags are those of the native method, so a learner equal to the native base method gives the same
/// predictions. A warm start reuses the members in `cache`. If `cache` is None, no hashes of the training
/// data are stored, so a later fit cannot reuse the members.
///
/// # Errors
/// Same errors as [`crate::fit`], and errors of the learner.
pub fn fit_external_ensemble<T: BaseLearner>(
    task: &FitTask<'_>,
    (data, schema): (&Dataset<'_>, &Schema),
    (base_learner, cache): (&T, Option<MemberCache<T::Member>>),
    ctl: RunContext<'_>,
) -> Result<ExternalEnsemble<T::Member>> {
    let (given, labels) = (task.resolve_params(schema)?, &schema.classes[..]);
    full_params_and_role(task.method, &given)?;
    let positive = resolve_positive_class(task.positive, labels, data)?;
    with_normalized_task(task, data, |task, data| {
        let settled = resolve_costs(task.class_weight, task.costs, data, positive)?;
        let (class_weight, about, run) =
            (settled.class_weight.as_deref(), (labels, positive), (task.key, ctl));
        let base_learner = CachedLearner::new(base_learner, cache);
        let (assembled, task_digests) = with_training_context(data, class_weight, about, run, |training| {
            match training.data.present_classes(None)[..] {
                [] => Err(training.data.too_few_classes_error()),
                // If all rows have the same class, the model always predicts this class, as native methods
                // do.
                [_] => fit_single_member(&base_learner, training),
                _ => fit_external_by_name(task.method, &given, &base_learner, training),
            }
        })?
        .split_digests();
        data_warnings::warn_about_out_of_bag(assembled.out_of_bag.as_ref(), data.n_classes(), ctl);
        Ok(ExternalEnsemble { assembled, task_digests, decision: settled.decision, positive })
    })
}
