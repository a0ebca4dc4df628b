//! Parameters and checks shared by all boosting methods.

use imbcore_core::{Error, ParamSpec, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

macro_rules! boosting_params {
    ($(#[$meta:meta])* pub struct $name:ident { members $members:literal, $expected:literal, $doc:literal; $($field:tt)* }) => {
        imbcore_core::params! {
            $(#[$meta])*
            pub struct $name {
                estimator: String = "cart".into(), "the name of a method other than \"metacost\"",
                    "Method of the members.";
                estimator_params: Option<::serde_json::Map<String, ::serde_json::Value>> = None,
                    "a dict of parameters of the base method, or None",
                    "Parameters of the members; parameters that are not given have the defaults of the method. None: \
                     the defaults; for \"cart\" a decision stump, `{\"max_depth\": 1}`.";
                n_estimators: u32 = $members, $expected, $doc;
                $($field)*
            }
        }
    };
}
pub(super) use boosting_params;

/// Name and parameters of the base method; `cart` without parameters is a decision stump.
pub(super) fn base_method<'p>(
    estimator: &'p str,
    params: &'p mut Option<Map<String, Value>>,
) -> (&'p str, &'p mut Option<Map<String, Value>>) {
    if estimator == "cart" && params.is_none() {
        *params = json!({"max_depth": 1}).as_object().cloned();
    }
    (estimator, params)
}

pub(super) fn require_valid_parameter(
    (method, specs): (&str, &[ParamSpec]),
    valid: bool,
    name: &str,
    got: impl std::fmt::Display,
) -> Result<()> {
    if valid {
        return Ok(());
    }
    let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
    Err(Error::parameter(method, name, expected, got))
}

pub(super) fn binary_only_error(method: &str, n_classes: usize, other: &str) -> Error {
    Error::Data(format!(
        "Only binary classification is supported. The type of the target is multiclass. {method} supports two classes, but y \
         has {n_classes}; {other}, and OVA (OVAClassifier, or method \"ova\" with estimator=\"{method}\") reduces the problem to binary ones"
    ))
}

pub(super) fn check_members_and_rate(
    about: (&str, &[ParamSpec]),
    n_estimators: u32,
    learning_rate: f64,
) -> Result<()> {
    require_valid_parameter(about, n_estimators >= 1, "n_estimators", n_estimators)?;
    let is_rate = learning_rate > 0.0 && learning_rate <= 1e6;
    require_valid_parameter(about, is_rate, "learning_rate", learning_rate)
}

/// Loss by which boosting with resampling evaluates its members (`RUSBoost`, `SMOTEBoost`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostingLoss {
    /// Pseudo-loss of `AdaBoost.M2`, computed from probabilities.
    M2,
    /// Total weight of the misclassified rows, as in SAMME.
    Samme,
}
