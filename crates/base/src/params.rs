//! Parameters of a method: typed fields, defaults, domains in words, and the parser with its errors.

use crate::error::{Error, Result};
use crate::names::nearest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What a person is told about one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParamSpec {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Default value.
    pub default: Value,
    /// The domain, completing the sentence "must be ...".
    pub expected: &'static str,
    /// The same as a type in Python's notation.
    #[serde(rename = "type")]
    pub python_type: String,
    /// Names it may be given by, where they come from a registry that grows.
    pub names: &'static [&'static str],
    /// What it does.
    pub doc: &'static str,
}

/// The parameters of a method as they come from outside, unchecked.
pub trait Params: Serialize + DeserializeOwned + Clone {
    /// Every parameter with its domain and text; the defaults are those of `self`.
    fn specs(&self) -> Vec<ParamSpec>;
}

/// Reads `given` over `defaults`.
///
/// # Errors
/// [`Error::Unknown`] with the nearest names for an unknown key; [`Error::Parameter`] for a wrong type.
pub fn parse_params<P: Params>(method: &str, defaults: &P, given: &Map<String, Value>) -> Result<P> {
    let specs = defaults.specs();
    let mut merged: Map<String, Value> =
        specs.iter().map(|spec| (spec.name.to_owned(), spec.default.clone())).collect();
    for (name, value) in given {
        let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
            let what = format!("parameter of {method}:");
            return Err(nearest(&what, name, specs.iter().map(|spec| spec.name)));
        };
        // One key at a time, so that a type error can name its parameter.
        let before = merged.insert(name.clone(), value.clone());
        if let Err(error) = serde_json::from_value::<P>(Value::Object(merged.clone())) {
            let mut got = value.to_string();
            // A criterion's own message (an unknown name, a missing option) says more than the domain.
            let detail = error.to_string();
            if detail.starts_with("unknown ") && !detail.starts_with("unknown field") {
                got = format!("{got} ({detail})");
            }
            return Err(Error::parameter(method, name, spec.expected, got));
        }
        drop(before);
    }
    serde_json::from_value(Value::Object(merged)).map_err(|e| Error::Internal(e.to_string()))
}

/// Declares a parameter struct: fields with default, domain in words and text, written once. Where the domain is a
/// registry, `from` and the list of its names follow the words.
///
/// ```
/// use imbcore_base::{Params, parse_params, serde_json};
///
/// imbcore_base::params! {
///     /// Parameters of a toy.
///     pub struct ToyParams {
///         depth: Option<u32> = None, "a whole number of at least 1, or None", "Levels below the root.";
///         share: f64 = 0.5, "in (0, 1)", "Share of rows.";
///     }
/// }
/// let given = serde_json::json!({"depth": 3});
/// let toy = parse_params("toy", &ToyParams::default(), given.as_object().unwrap())?;
/// assert_eq!(toy.depth, Some(3));
/// let typo = serde_json::json!({"dept": 3});
/// assert!(parse_params("toy", &toy, typo.as_object().unwrap()).is_err());
/// # Ok::<(), imbcore_base::Error>(())
/// ```
#[macro_export]
macro_rules! params {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($field:ident : $type:ty = $default:expr, $expected:literal $(from $names:expr)?, $doc:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(#[doc = $doc] #[doc = concat!("\n\nDomain: ", $expected, ".")] pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::Params for $name {
            fn specs(&self) -> Vec<$crate::ParamSpec> {
                vec![$($crate::ParamSpec {
                    name: stringify!($field),
                    // Serialising a plain field cannot fail; `null` would only show as a missing default.
                    default: $crate::serde_json::to_value(&self.$field).unwrap_or_default(),
                    expected: $expected,
                    python_type: $crate::python_type($expected, $crate::names_or_none!($($names)?)),
                    names: $crate::names_or_none!($($names)?),
                    doc: $doc,
                },)*]
            }
        }
    };
}

/// The names of a registry, or none.
#[doc(hidden)]
#[macro_export]
macro_rules! names_or_none {
    () => {
        &[]
    };
    ($names:expr) => {
        $names
    };
}

#[cfg(test)]
// The macro declares public structs.
#[allow(unreachable_pub)]
mod tests {
    use super::*;

    crate::params! {
        /// Parameters of a toy.
        pub struct Toy {
            depth: Option<u32> = None, "a whole number of at least 1, or None", "Levels.";
            rule: String = "gini".into(), "a name" from &["gini", "entropy"], "Rule.";
        }
    }

    #[test]
    fn names_of_a_registry_are_listed() {
        let names: Vec<_> = Toy::default().specs().iter().map(|spec| spec.names).collect();
        assert_eq!(names, [&[][..], &["gini", "entropy"]]);
    }

    fn parse(json: &str) -> Result<Toy> {
        let given: Value = serde_json::from_str(json).unwrap();
        parse_params("toy", &Toy::default(), given.as_object().unwrap())
    }

    #[test]
    fn given_values_replace_defaults() {
        assert_eq!(parse(r#"{"depth": 4}"#).unwrap(), Toy { depth: Some(4), rule: "gini".into() });
        assert_eq!(parse("{}").unwrap(), Toy::default());
    }

    #[test]
    fn a_wrong_type_names_parameter_and_domain() {
        let error = parse(r#"{"depth": "deep"}"#).unwrap_err().to_string();
        assert_eq!(
            error,
            "toy: parameter `depth` must be a whole number of at least 1, or None, got \"deep\""
        );
        assert!(parse(r#"{"depth": 3.5}"#).is_err() && parse(r#"{"depth": true}"#).is_err());
    }

    #[test]
    fn an_unknown_key_is_answered_with_the_nearest() {
        let error = parse(r#"{"dept": 4}"#).unwrap_err().to_string();
        assert_eq!(error, "unknown parameter of toy: `dept`; did you mean `depth`?");
    }
}
