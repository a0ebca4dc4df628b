//! What the parameters of all boosting methods have in common.

use imbcore_base::{Error, ParamSpec, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Declares the parameters of a boosting method: those that all have, and its own.
macro_rules! boosting_params {
    ($(#[$meta:meta])* pub struct $name:ident { members $members:literal, $expected:literal, $said:literal; $($field:tt)* }) => {
        imbcore_base::params! {
            $(#[$meta])*
            pub struct $name {
                estimator: String = "cart".into(), "the name of a method other than \"metacost\"",
                    "Method of the members.";
                estimator_params: Option<::serde_json::Map<String, ::serde_json::Value>> = None,
                    "a dict of parameters of the base method, or None",
                    "Parameters of the members; the others take the defaults of their method. None: those defaults, but for \
                     \"cart\" a stump, `{\"max_depth\": 1}`.";
                n_estimators: u32 = $members, $expected, $said;
                $($field)*
            }
        }
    };
}
pub(super) use boosting_params;

/// The method of the members and its parameters, of which a tree that nothing is said of is a stump.
pub(super) fn base<'p>(
    estimator: &'p str,
    params: &'p mut Option<Map<String, Value>>,
) -> (&'p str, &'p mut Option<Map<String, Value>>) {
    if estimator == "cart" && params.is_none() {
        *params = json!({"max_depth": 1}).as_object().cloned();
    }
    (estimator, params)
}

/// Refuses a parameter in the words of its domain.
pub(super) fn require(
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

/// What is said to more than two classes by a method that takes two; `other` says which takes more.
pub(super) fn only_two(method: &str, n_classes: usize, other: &str) -> Error {
    Error::Data(format!(
        "Only binary classification is supported. The type of the target is multiclass. {method} is for two classes, but y \
         has {n_classes}; {other}, and OVA (OVAClassifier, or method \"ova\" with estimator=\"{method}\") makes tasks of two"
    ))
}

/// Whether a number is a factor of votes.
pub(super) fn is_rate(rate: f64) -> bool {
    rate > 0.0 && rate <= 1e6
}

/// How members of a boosted sampler are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// By their probabilities: the pseudo-loss of `AdaBoost.M2`.
    M2,
    /// By the weight of the rows that they get wrong.
    Samme,
}
