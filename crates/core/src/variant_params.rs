//! Parameters that select one of several variants, each with its own parameters.
//!
//! Internally, the parameters of all variants are fields of one flat set. A user can write a variant as its
//! name, `"tabu"`, or as an object with its parameters, `{"name": "tabu", "time_limit": 2}`. A user can also
//! set a single parameter of the selected variant by its path, `search__time_limit` or `search.time_limit`.

use crate::error::{Error, Result};
use crate::params::{ParamSpec, Params, VariantDef, VariantSelector, VariantSpec};
use crate::unknown_name::unknown_name_error;
use serde_json::{Map, Value};

impl VariantSelector {
    fn find_variant(&self, name: &str) -> Option<&'static VariantDef> {
        self.choices.iter().find(|choice| choice.name == name)
    }

    fn variants_with_param(&self, name: &str) -> impl Iterator<Item = &'static VariantDef> {
        self.choices.iter().filter(move |choice| choice.params.contains(&name))
    }

    fn has_param(&self, name: &str) -> bool {
        self.variants_with_param(name).next().is_some()
    }

    fn misplaced_param_error(&self, method: &str, chosen: &Value, name: &str) -> Error {
        let shown = if chosen.is_null() { "None".to_owned() } else { chosen.to_string() };
        let what = format!("parameter of {method} with {}={shown}:", self.name);
        if self.has_param(name) {
            let owners: Vec<String> =
                self.variants_with_param(name).map(|choice| format!("{:?}", choice.name)).collect();
            let hint = format!("it exists with {}={}", self.name, owners.join(" or "));
            return Error::Unknown { what, name: name.to_owned(), hint };
        }
        let is_selected = |choice: &VariantDef| chosen.as_str().is_none_or(|chosen| chosen == choice.name);
        let known =
            self.choices.iter().filter(|&choice| is_selected(choice)).flat_map(|choice| choice.params);
        unknown_name_error(&what, name, known.copied())
    }
}

/// Replaces the name of a variant's parameter in an error by its path, `search__time_limit`.
pub fn with_param_path(params: &impl Params, error: Error) -> Error {
    match error {
        Error::Parameter { method, name, expected, got } => {
            let owner = params.variant_selectors().into_iter().find(|one| one.has_param(&name));
            let name = owner.map_or(name.clone(), |one| format!("{}__{name}", one.name));
            Error::Parameter { method, name, expected, got }
        }
        other => other,
    }
}

/// Returns the parameters in the form in which a user writes them.
/// Parameters of variants are nested in the parameter that selects the variant.
pub fn nested_specs(params: &impl Params) -> Vec<ParamSpec> {
    nest_specs(&params.specs(), &params.variant_selectors())
}

fn nest_specs(specs: &[ParamSpec], choosing: &[VariantSelector]) -> Vec<ParamSpec> {
    let specs_of = |names: &[&str]| specs.iter().filter(|spec| names.contains(&spec.name)).cloned().collect();
    let shown = specs.iter().filter(|spec| !choosing.iter().any(|one| one.has_param(spec.name)));
    let with_choices = |spec: &ParamSpec| {
        let mut spec = spec.clone();
        if let Some(one) = choosing.iter().find(|one| one.name == spec.name) {
            let variant_spec = |choice: &VariantDef| {
                let VariantDef { name, class, doc, params } = *choice;
                VariantSpec { name, class, doc, params: specs_of(params) }
            };
            spec.choices = one.choices.iter().map(variant_spec).collect();
        }
        spec
    };
    shown.map(with_choices).collect()
}

/// Flattens the parameters given by a user.
///
/// # Errors
/// [`Error::Unknown`] with a hint, for a parameter that the selected variant does not have, or that is given
/// without its path: `time_limit` instead of `search__time_limit`.
pub(crate) fn flatten_params(
    method: &str,
    specs: &[ParamSpec],
    choosing: &[VariantSelector],
    given: &Map<String, Value>,
) -> Result<Map<String, Value>> {
    let chosen = |one: &VariantSelector| {
        let by_default = || specs.iter().find(|spec| spec.name == one.name).map(|spec| &spec.default);
        match given.get(one.name) {
            Some(Value::Object(own)) => own.get("name").or_else(by_default),
            Some(other) => Some(other),
            None => by_default(),
        }
        .cloned()
        .unwrap_or_default()
    };
    let mut found = Map::new();
    let mut insert = |one: &VariantSelector, name: &str, value: &Value| {
        let chosen = chosen(one);
        let choice = chosen.as_str().and_then(|chosen| one.find_variant(chosen));
        if choice.is_some_and(|choice| choice.params.contains(&name)) {
            found.insert(name.to_owned(), value.clone());
            return Ok(());
        }
        Err(one.misplaced_param_error(method, &chosen, name))
    };
    let mut rest = Map::new();
    for (name, value) in given {
        let path = name.split_once("__").or_else(|| name.split_once('.'));
        let head = path.map_or(name.as_str(), |(head, _)| head);
        match (choosing.iter().find(|one| one.name == head), path, value) {
            (Some(one), Some((_, own)), _) => insert(one, own, value)?,
            (Some(one), None, Value::Object(own)) => {
                own.iter()
                    .filter(|(key, _)| *key != "name")
                    .try_for_each(|(key, value)| insert(one, key, value))?;
                rest.insert(name.clone(), chosen(one));
            }
            _ => match choosing.iter().find(|one| one.has_param(name)) {
                Some(one) => {
                    let hint = format!("did you mean `{}__{name}`?", one.name);
                    return Err(Error::Unknown {
                        what: format!("parameter of {method}:"),
                        name: name.clone(),
                        hint,
                    });
                }
                None => _ = rest.insert(name.clone(), value.clone()),
            },
        }
    }
    found.append(&mut rest);
    Ok(found)
}

/// Converts a flat set of parameters to the nested form in which a user writes it.
///
/// Parameters of variants that are not selected are left out.
pub fn to_nested_params(params: &impl Params, all: Map<String, Value>) -> Map<String, Value> {
    nest_params(&params.variant_selectors(), all)
}

fn nest_params(choosing: &[VariantSelector], mut all: Map<String, Value>) -> Map<String, Value> {
    for one in choosing {
        let own: Map<String, Value> = one
            .choices
            .iter()
            .flat_map(|choice| choice.params)
            .filter_map(|&name| all.remove_entry(name))
            .collect();
        let chosen = all.get(one.name).and_then(Value::as_str).and_then(|name| one.find_variant(name));
        if let Some(choice) = chosen {
            let mut object = Map::from_iter([("name".to_owned(), Value::from(choice.name))]);
            object.extend(own.into_iter().filter(|(name, _)| choice.params.contains(&name.as_str())));
            all.insert(one.name.to_owned(), Value::Object(object));
        }
    }
    all
}

#[cfg(test)]
// The macro `params!` declares `pub` structs, which other crates cannot reach in this test module.
#[allow(unreachable_pub)]
mod tests {
    use super::*;
    use crate::parse::parse_params;

    const WAYS: &[VariantSelector] = &[VariantSelector {
        name: "way",
        choices: &[
            VariantDef { name: "slow", class: "Slow", doc: "Slowly.", params: &["rests", "seconds"] },
            VariantDef { name: "fast", class: "Fast", doc: "Fast.", params: &["seconds"] },
        ],
    }];

    crate::params! {
        /// A toy with variants.
        pub struct Toy {
            way: String = "slow".into(), "\"slow\" or \"fast\"", "Way.";
            rests: u32 = 1, "a whole number", "Rests.";
            seconds: Option<f64> = None, "a number, or None", "Seconds.";
        } choosing WAYS
    }

    fn parse(json: &str) -> Result<Toy> {
        let given: Value = serde_json::from_str(json).unwrap();
        parse_params("toy", &Toy::default(), given.as_object().unwrap())
    }

    fn message(json: &str) -> String {
        parse(json).unwrap_err().to_string()
    }

    #[test]
    fn a_variant_is_parsed_in_three_forms() {
        let fast = Toy { way: "fast".into(), seconds: Some(2.0), ..Toy::default() };
        assert_eq!(parse(r#"{"way": {"name": "fast", "seconds": 2.0}}"#).unwrap(), fast);
        assert_eq!(parse(r#"{"way": "fast", "way__seconds": 2.0}"#).unwrap(), fast);
        assert_eq!(parse(r#"{"way.seconds": 2.0, "way": "fast"}"#).unwrap(), fast);
        assert_eq!(parse(r#"{"way__rests": 3}"#).unwrap(), Toy { rests: 3, ..Toy::default() });
    }

    #[test]
    fn misplaced_names_suggest_the_closest() {
        let typo = "unknown parameter of toy with way=\"slow\": `second`; did you mean `seconds`?";
        assert_eq!(message(r#"{"way__second": 2.0}"#), typo);
        let other = "unknown parameter of toy with way=\"fast\": `rests`; it exists with way=\"slow\"";
        assert_eq!(message(r#"{"way": "fast", "way__rests": 2}"#), other);
        assert!(message(r#"{"way": "fast", "way__x": 2}"#).contains("known names: `seconds`"));
        let both = "with way=None: `seconds`; it exists with way=\"slow\" or \"fast\"";
        assert!(message(r#"{"way": null, "way__seconds": 2.0}"#).contains(both));
        assert_eq!(
            message(r#"{"rests": 2}"#),
            "unknown parameter of toy: `rests`; did you mean `way__rests`?"
        );
    }

    #[test]
    fn errors_name_the_path() {
        let at = |name| match with_param_path(&Toy::default(), Error::parameter("toy", name, "small", 9)) {
            Error::Parameter { name, .. } => name,
            other => panic!("{other}"),
        };
        assert_eq!(["rests", "way"].map(at), ["way__rests", "way"]);
    }

    #[test]
    fn a_flat_set_is_nested_as_a_user_writes_it() {
        let flat = serde_json::json!({"way": "fast", "rests": 1, "seconds": 2.0});
        let shown = to_nested_params(&Toy::default(), flat.as_object().unwrap().clone());
        assert_eq!(Value::Object(shown), serde_json::json!({"way": {"name": "fast", "seconds": 2.0}}));
        let names: Vec<_> = nested_specs(&Toy::default()).iter().map(|spec| spec.name).collect();
        assert_eq!(names, ["way"]);
        assert_eq!(nested_specs(&Toy::default())[0].choices[0].params.len(), 2);
    }
}
