//! Merging of forests that were fitted separately.

use crate::class_priors::ClassPriors;
use crate::fitted::FittedEstimator;
use crate::model::Model;
use imbcore_core::{Error, Result};
use imbcore_ensembles::ForestModel;
use serde_json::Value;

/// Parameter for the number of trees, which is summed and may differ between merged models.
const SIZE: &str = "n_estimators";

/// Merges several forests of one method into one model, in the order of the models.
///
/// If each model has a range of the trees of one forest, and its rows have no groups, the result is exactly
/// this forest. If the forests were fitted to different rows, all trees have equal votes, and the class
/// proportions are means over the trees. The caller must check that no group occurs in the training rows of
/// two models.
///
/// # Errors
/// [`Error::Data`] for no models, or models that differ in more than their trees; [`Error::Unsupported`] for
/// models other than forests, and for forests with calibration, tuned threshold or out-of-bag predictions.
pub fn merge(models: &[&Model]) -> Result<Model> {
    let Some(&first) = models.first() else {
        return Err(Error::Data("there are no models to merge".into()));
    };
    let mut forests = Vec::new();
    for model in models {
        check_mergeable(first, model)?;
        forests.push(require_forest(model)?);
    }
    let n_trees: usize = forests.iter().map(|forest| forest.n_trees()).sum();
    let mut importances = Vec::with_capacity(n_trees);
    for (model, forest) in models.iter().zip(&forests) {
        for tree in 0..forest.n_trees() {
            importances.push(model.member(tree)?.feature_importances()?);
        }
    }
    let merged = ForestModel::from_merged_forests(&forests, &importances)?;
    let mut params = first.params().clone();
    params[SIZE] = n_trees.into();
    let (schema, decision) = (first.schema().clone(), first.decision().clone());
    let model = Model::new(
        first.method(),
        params,
        schema,
        FittedEstimator::Forest(merged),
        decision,
        first.positive_class(),
    )?;
    let known: Vec<(&[f64], usize)> = models
        .iter()
        .zip(&forests)
        .map(|(model, forest)| (model.training_priors(), forest.n_trees()))
        .collect();
    let n_groups = models.iter().map(|model| model.class_priors().n_groups).sum();
    model.with_class_priors(ClassPriors {
        known: weighted_mean(&known),
        n_groups,
        training_mass: merged_training_mass(models),
        ..ClassPriors::default()
    })
}

/// Sum of the training weights of all models; None if it is unknown for a model.
///
/// If all models have the same sum, this sum is returned: such models are assumed to be fitted to the same
/// rows, as on the workers of a cluster.
fn merged_training_mass(models: &[&Model]) -> Option<f64> {
    let masses: Option<Vec<f64>> = models.iter().map(|model| model.class_priors().training_mass).collect();
    let masses = masses?;
    let are_equal = masses.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits());
    if are_equal { masses.first().copied() } else { Some(masses.iter().sum()) }
}

impl Model {
    /// Number of groups in the training rows of a forest; 0 without groups.
    pub fn n_training_groups(&self) -> usize {
        self.class_priors().n_groups
    }
}

fn require_forest(model: &Model) -> Result<&ForestModel> {
    let Some(forest) = model.fitted_estimator().forest() else {
        return Err(model.unsupported_error("is not a forest, so it cannot be merged"));
    };
    if model.calibration().is_some()
        || model.tuned_threshold().is_some()
        || model.prior_adaptation().is_some()
    {
        return Err(model.unsupported_error(
            "that was calibrated, tuned or adapted cannot be merged: its curves and thresholds are those of its own trees; \
             merge uncalibrated models, and calibrate the result",
        ));
    }
    if forest.out_of_bag().is_some() {
        return Err(
            model.unsupported_error("with out-of-bag predictions cannot be merged: fit it without oob_score")
        );
    }
    Ok(forest)
}

fn check_mergeable(first: &Model, other: &Model) -> Result<()> {
    let rest = |model: &Model| {
        let mut params = model.params().clone();
        if let Value::Object(params) = &mut params {
            params.remove(SIZE);
        }
        params
    };
    let differ =
        |what: &str| Err(Error::Data(format!("models that differ in their {what} cannot be merged")));
    if first.method() != other.method() {
        return differ("methods");
    }
    if rest(first) != rest(other) {
        return differ("parameters");
    }
    if first.schema() != other.schema() {
        return Err(Error::Data(
            "models that differ in their columns, levels or classes cannot be merged: make sure that each part has all \
             levels and classes, or declare them all, as with the categories of pandas and polars"
                .into(),
        ));
    }
    if first.positive_class() != other.positive_class() || first.decision() != other.decision() {
        return differ("positive classes, costs or thresholds");
    }
    Ok(())
}

/// Weighted mean of class distributions.
///
/// If all distributions are equal, the result equals them without rounding errors.
fn weighted_mean(weighted: &[(&[f64], usize)]) -> Vec<f64> {
    let first = weighted[0].0;
    if weighted.iter().all(|(proba, _)| *proba == first) {
        return first.to_vec();
    }
    let total: usize = weighted.iter().map(|(_, weight)| weight).sum();
    let sum =
        |class: usize| weighted.iter().map(|(proba, weight)| proba[class] * *weight as f64).sum::<f64>();
    (0..first.len()).map(|class| sum(class) / total as f64).collect()
}
