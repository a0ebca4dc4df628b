//! Forests that were fitted apart, as one.

use crate::fitted::Fitted;
use crate::model::Model;
use crate::shares::Shares;
use imbcore_base::{Error, Result};
use imbcore_ensemble::ForestModel;
use serde_json::Value;

/// Parameter that may differ, for it is what adds up.
const SIZE: &str = "n_estimators";

/// The trees of several forests of one method in one model, in the order of the models.
///
/// Parts of one forest give that forest, to the last bit. Of forests of other rows each tree keeps its voice, and the shares of the
/// classes are means over the trees.
///
/// # Errors
/// [`Error::Data`] for no models, or models that differ in more than their trees; [`Error::Unsupported`] for others than forests.
pub fn merge(models: &[&Model]) -> Result<Model> {
    let Some(&first) = models.first() else {
        return Err(Error::Data("there are no models to merge".into()));
    };
    let mut forests = Vec::new();
    for model in models {
        check(first, model)?;
        forests.push(forest(model)?);
    }
    let n_trees: usize = forests.iter().map(|forest| forest.n_trees()).sum();
    let mut importances = Vec::with_capacity(n_trees);
    for (model, forest) in models.iter().zip(&forests) {
        for tree in 0..forest.n_trees() {
            importances.push(model.member(tree)?.feature_importances()?);
        }
    }
    let merged = ForestModel::merged(&forests, &importances)?;
    let mut params = first.params().clone();
    params[SIZE] = n_trees.into();
    let (schema, decision) = (first.schema().clone(), first.decision().clone());
    let model =
        Model::new(first.method(), params, schema, Fitted::Forest(merged), decision, first.positive())?;
    let known: Vec<(&[f64], usize)> = models
        .iter()
        .zip(&forests)
        .map(|(model, forest)| (model.training_shares(), forest.n_trees()))
        .collect();
    Ok(model.with_shares(Shares { known: mean(&known), ..Shares::default() }))
}

fn forest(model: &Model) -> Result<&ForestModel> {
    let Some(forest) = model.fitted().forest() else {
        return Err(model.is_not("is no forest, so its members cannot be joined with those of others"));
    };
    if model.calibrated().is_some() || model.chosen().is_some() || model.adapted().is_some() {
        return Err(model.is_not(
            "that was calibrated, tuned or adapted cannot be merged: its curves and thresholds are those of its own trees; \
             merge plain models, and calibrate the whole",
        ));
    }
    if forest.out_of_bag().is_some() {
        return Err(model.is_not("with out-of-bag answers cannot be merged: fit it without oob_score"));
    }
    Ok(forest)
}

/// Refuses models that differ in more than their trees.
fn check(first: &Model, other: &Model) -> Result<()> {
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
            "models that differ in their columns, levels or classes cannot be merged: let every part of the rows hold all \
             levels and classes, or name them all, as the categories of pandas and polars do"
                .into(),
        ));
    }
    if first.positive() != other.positive() || first.decision() != other.decision() {
        return differ("positive classes, costs or thresholds");
    }
    Ok(())
}

/// The mean of laws by their weights; the law itself where all are the same.
fn mean(laws: &[(&[f64], usize)]) -> Vec<f64> {
    let first = laws[0].0;
    if laws.iter().all(|(law, _)| *law == first) {
        return first.to_vec();
    }
    let total: usize = laws.iter().map(|(_, weight)| weight).sum();
    let at = |class: usize| laws.iter().map(|(law, weight)| law[class] * *weight as f64).sum::<f64>();
    (0..first.len()).map(|class| at(class) / total as f64).collect()
}
