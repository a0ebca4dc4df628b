//! Parses parameters given by a user, with errors that name the parameter and its domain.

use crate::error::{Error, Result};
use crate::params::{ParamSpec, Params};
use crate::unknown_name::unknown_name_error;
use crate::variant_params::flatten_params;
use serde_json::{Map, Value};

/// Returns parameters with the values in `given`; other parameters keep their `defaults`.
///
/// # Errors
/// [`Error::Unknown`] with the closest names for an unknown key; [`Error::Parameter`] for a wrong type.
pub fn parse_params<P: Params>(method: &str, defaults: &P, given: &Map<String, Value>) -> Result<P> {
    let read = |all: Value| serde_json::from_value::<P>(all).map_err(|error| error.to_string());
    let specs = defaults.specs();
    let given = flatten_params(method, &specs, &defaults.variant_selectors(), given)?;
    let merged = override_defaults(method, &specs, &given)?;
    read(Value::Object(merged)).map_err(|detail| {
        find_invalid_param(method, &specs, &given, &|all| read(all).map(drop))
            .unwrap_or(Error::Internal(detail))
    })
}

/// Largest integer that any parameter accepts.
const MOST: u64 = u32::MAX as u64;

// The functions below do not depend on the type of the parameters, so they are compiled once.

fn defaults_of(specs: &[ParamSpec]) -> Map<String, Value> {
    specs.iter().map(|spec| (spec.name.to_owned(), spec.default.clone())).collect()
}

fn override_defaults(
    method: &str,
    specs: &[ParamSpec],
    given: &Map<String, Value>,
) -> Result<Map<String, Value>> {
    let mut merged = defaults_of(specs);
    for (name, value) in given {
        let Some(place) = merged.get_mut(name) else {
            let what = format!("parameter of {method}:");
            return Err(unknown_name_error(&what, name, specs.iter().map(|spec| spec.name)));
        };
        place.clone_from(value);
    }
    Ok(merged)
}

fn find_invalid_param(
    method: &str,
    specs: &[ParamSpec],
    given: &Map<String, Value>,
    accepts: &dyn Fn(Value) -> std::result::Result<(), String>,
) -> Option<Error> {
    let mut merged = defaults_of(specs);
    for (name, value) in given {
        let spec = specs.iter().find(|spec| spec.name == name)?;
        merged.insert(name.clone(), value.clone());
        if let Err(detail) = accepts(Value::Object(merged.clone())) {
            let mut got = value.to_string();
            // The message about a name or an option of a criterion is more specific than the domain.
            let unknown = detail.starts_with("unknown ") && !detail.starts_with("unknown field");
            if unknown || detail.starts_with("options of ") {
                got = format!("{got} ({detail})");
            }
            // A domain without upper limit still has the limit of its integer type, so the error states it.
            merged.insert(name.clone(), MOST.into());
            if value.as_u64().is_some_and(|n| n > MOST) && accepts(Value::Object(merged)).is_ok() {
                got = format!("{got}; the largest number is {MOST}");
            }
            return Some(Error::parameter(method, name, spec.expected, got));
        }
    }
    None
}

#[cfg(test)]
// The macro `params!` declares `pub` structs, which other crates cannot reach in this test module.
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
    fn errors_state_the_largest_integer() {
        let error = parse(r#"{"depth": 4294967296}"#).unwrap_err().to_string();
        assert!(error.ends_with("or None, got 4294967296; the largest number is 4294967295"), "{error}");
        assert_eq!(parse(r#"{"depth": 4294967295}"#).unwrap().depth, Some(u32::MAX));
        // A parameter that expects a name accepts no number.
        let error = parse(r#"{"rule": 4294967296}"#).unwrap_err().to_string();
        assert!(error.ends_with("a name, got 4294967296"), "{error}");
    }

    #[test]
    fn an_unknown_key_suggests_the_closest() {
        let error = parse(r#"{"dept": 4}"#).unwrap_err().to_string();
        assert_eq!(error, "unknown parameter of toy: `dept`; did you mean `depth`?");
    }
}
