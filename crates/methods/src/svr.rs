//! SVR-Trees for a sequence of penalties.

use crate::class_priors::ClassPriors;
use crate::data_warnings;
use crate::fit_context::{FitTask, with_normalized_task};
use crate::fitted::FittedEstimator;
use crate::folds::DataSubset;
use crate::model::Model;
use crate::resolved_costs::{ResolvedCosts, resolve_costs, resolve_positive_class};
use imbcore_core::{Dataset, Error, Result, RunContext, Schema, parallel, parse_params};
use imbcore_trees::svr::{SvrLearner, SvrParams};
use serde_json::json;

const METHOD: &str = "svr_tree";

/// Indices of the training rows and of the test rows of one fold.
pub type FoldRows = (Vec<u32>, Vec<u32>);

/// Predictions for the test rows of a fold by the tree of one penalty.
///
/// These are the predicted class codes, and the class probabilities in row-major order.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PenaltyPredictions {
    pub codes: Vec<u32>,
    pub proba: Vec<f64>,
}

/// Fits one SVR-Tree for each penalty in `penalties`.
///
/// All fits share the sorted columns.
///
/// # Errors
/// Same errors as [`crate::fit`].
pub fn fit_svr_tree_path(
    task: &FitTask<'_>,
    penalties: &[f64],
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunContext<'_>,
) -> Result<Vec<Model>> {
    let params = parse_params(METHOD, &SvrParams::default(), &task.resolve_params(schema)?)?;
    for &penalty in penalties {
        SvrParams { penalty: Some(penalty), ..params.clone() }.check(METHOD)?;
    }
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let models: Vec<Model> = with_normalized_task(task, data, |task, data| {
        let ResolvedCosts { class_weight, decision, .. } =
            resolve_costs(task.class_weight, task.costs, data, positive)?;
        let weighed = class_weight.clone();
        let fitted: Vec<FittedEstimator> = match data.present_classes(class_weight.as_deref())[..] {
            [class] if task.context.constant => {
                vec![FittedEstimator::constant(data, class)?; penalties.len()]
            }
            [] | [_] => return Err(data.too_few_classes_error()),
            _ => {
                let learner: SvrLearner = params.clone().check(METHOD)?.with_class_weight(class_weight)?;
                let ground = learner.prepare(data, ctl)?;
                learner
                    .fit_penalty_path(&ground, None, penalties, ctl)?
                    .into_iter()
                    .map(FittedEstimator::Svr)
                    .collect()
            }
        };
        let model = |(fitted, &penalty): (FittedEstimator, &f64)| {
            let params = SvrParams { penalty: Some(penalty), ..params.clone() };
            let shares = ClassPriors::from_fit(&fitted, data, weighed.as_deref())?;
            let model =
                Model::new(METHOD, json!(params), schema.clone(), fitted, decision.clone(), positive)?;
            model.with_class_priors(shares)
        };
        fitted.into_iter().zip(penalties).map(model).collect()
    })?;
    if let Some(first) = models.first() {
        data_warnings::warn_about_single_class(first, ctl);
    }
    Ok(models)
}

/// Cross-validates the SVR-Trees of all penalties.
///
/// Each tree is fitted to the training rows and predicts the test rows of a fold. The result has one list per
/// fold, with one entry per penalty.
///
/// # Errors
/// Same errors as [`crate::fit`]; [`Error::Data`] if the training rows of a split have a single class, unless
/// constant models are allowed.
pub fn cross_validate_svr_trees(
    task: &FitTask<'_>,
    penalties: &[f64],
    splits: &[FoldRows],
    (data, schema): (&Dataset<'_>, &Schema),
    ctl: RunContext<'_>,
) -> Result<Vec<Vec<PenaltyPredictions>>> {
    let positive = resolve_positive_class(task.positive, &schema.classes, data)?;
    let task = &FitTask { positive: Some(positive), ..*task };
    with_normalized_task(task, data, |task, data| {
        cross_validate_normalized_task(task, penalties, splits, (data, schema), ctl)
    })
}

fn cross_validate_normalized_task(
    task: &FitTask<'_>,
    penalties: &[f64],
    splits: &[FoldRows],
    (data, schema): (&Dataset<'_>, &Schema),
    ctl: RunContext<'_>,
) -> Result<Vec<Vec<PenaltyPredictions>>> {
    let one = |(split, (train, test)): (usize, &FoldRows)| {
        let part = DataSubset::new(data, train, ctl)?;
        let part = part.dataset(data.n_classes())?;
        let models =
            fit_svr_tree_path(task, penalties, &part, schema, ctl.without_observer()).map_err(|error| {
                match error {
                    Error::Data(message) => Error::Data(format!("training part of split {split}: {message}")),
                    other => other,
                }
            })?;
        let rows = data.frame().take(test, ctl)?;
        let rows = rows.borrow()?;
        let predict = |model: &Model| {
            let (codes, proba) = model.predict_with_proba(&rows, ctl)?;
            Ok(PenaltyPredictions { codes, proba })
        };
        models.iter().map(predict).collect()
    };
    parallel::try_map(splits.iter().enumerate(), one)
}
