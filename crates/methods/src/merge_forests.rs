//! Merging of forests that were fitted separately.

use crate::class_priors::ClassPriors;
use crate::fitted::FittedEstimator;
use crate::model::Model;
use imbcore_core::{Error, FeatureKind, Label, Result, Schema, quoted_text};
use imbcore_ensembles::ForestModel;
use serde_json::{Map, Value};

/// Parameter for the number of trees, which is summed and may differ between merged models.
const SIZE: &str = "n_estimators";

/// Merges several forests of one method into one model, in the order of the models.
///
/// If each model has a range of the trees of one forest on rows without groups, the result is exactly this
/// forest. If the forests were fitted to different rows, all trees have equal votes, and the class
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
    for (number, model) in models.iter().enumerate() {
        check_mergeable(first, model, number)?;
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

fn check_mergeable(first: &Model, other: &Model, number: usize) -> Result<()> {
    let differ =
        |text: String| Err(Error::Data(format!("model {number} cannot be merged with model 0: {text}")));
    if first.method() != other.method() {
        return differ(format!("its method is {}, not {}", other.method(), first.method()));
    }
    if let Some((name, own, expected)) = first_different_parameter(other.params(), first.params()) {
        return differ(format!(
            "its {name} is {}, not {}; fit all models with the same parameters",
            value_text(&own),
            value_text(&expected)
        ));
    }
    if let Some(text) = schema_difference(other.schema(), first.schema(), number) {
        return differ(text);
    }
    if first.positive_class() != other.positive_class() || first.decision() != other.decision() {
        return differ(
            "their positive classes, costs or thresholds differ; fit all models with the same".into(),
        );
    }
    Ok(())
}

/// Returns the first parameter with different values, apart from the number of trees.
///
/// The result has its name, and its values in `own` and `expected`.
fn first_different_parameter(own: &Value, expected: &Value) -> Option<(String, Value, Value)> {
    let (own, expected) = (own.as_object()?, expected.as_object()?);
    let value = |of: &Map<String, Value>, name: &String| of.get(name).cloned().unwrap_or(Value::Null);
    expected
        .keys()
        .chain(own.keys())
        .filter(|name| *name != SIZE)
        .find(|name| value(own, name) != value(expected, name))
        .map(|name| (name.clone(), value(own, name), value(expected, name)))
}

/// Text of a parameter value as in Python for None, and as in JSON otherwise.
fn value_text(value: &Value) -> String {
    if value.is_null() { "None".into() } else { value.to_string() }
}

/// Describes how the schema of model `number` differs from that of model 0, and the remedy.
fn schema_difference(own: &Schema, expected: &Schema, number: usize) -> Option<String> {
    if own == expected {
        return None;
    }
    let names =
        |schema: &Schema| schema.features.iter().map(|feature| feature.name.clone()).collect::<Vec<_>>();
    let (own_names, expected_names) = (names(own), names(expected));
    let list = |names: &[String]| names.iter().map(|name| quoted_text(name)).collect::<Vec<_>>().join(", ");
    if own_names != expected_names {
        let missing =
            |from: &[String], names: &[String]| names.iter().find(|name| !from.contains(name)).cloned();
        return Some(match (missing(&own_names, &expected_names), missing(&expected_names, &own_names)) {
            (Some(name), _) => format!("model {number} has no column {}", quoted_text(&name)),
            (None, Some(name)) => format!("model 0 has no column {}", quoted_text(&name)),
            (None, None) => {
                format!("the order of its columns is {}, not {}", list(&own_names), list(&expected_names))
            }
        });
    }
    if own.classes != expected.classes {
        let text = label_difference("class", &own.classes, &expected.classes, number);
        return Some(format!("{text}; fit each model to rows of all classes"));
    }
    let mut pairs = own.features.iter().zip(&expected.features);
    let Some((one, other)) = pairs.find(|(one, other)| one.kind != other.kind) else {
        return Some("the types of their column names or class labels differ".into());
    };
    let column = quoted_text(&one.name);
    Some(match (&one.kind, &other.kind) {
        (FeatureKind::Nominal { levels }, FeatureKind::Nominal { levels: expected }) => {
            let text = label_difference("level", levels, expected, number);
            format!(
                "column {column}: {text}; fit each model to rows with all levels, or declare all levels with a \
                 categorical data type of pandas or polars"
            )
        }
        (FeatureKind::Nominal { .. }, FeatureKind::Numeric) => {
            format!("its column {column} is nominal, not numeric")
        }
        (FeatureKind::Numeric, _) => format!("its column {column} is numeric, not nominal"),
    })
}

/// Describes how the labels of model `number` differ from those of model 0.
///
/// `what` is "class" or "level".
fn label_difference(what: &str, own: &[Label], expected: &[Label], number: usize) -> String {
    let missing =
        |from: &[Label], labels: &[Label]| labels.iter().find(|label| !from.contains(label)).cloned();
    match (missing(own, expected), missing(expected, own)) {
        (Some(label), _) => format!("model {number} has no {what} {label}"),
        (None, Some(label)) => format!("model 0 has no {what} {label}"),
        (None, None) => format!("the order of the {what} labels differs"),
    }
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
