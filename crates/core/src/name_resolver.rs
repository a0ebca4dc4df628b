//! Resolves names of columns and classes in parameters to positions and codes.
//! Learners use neither names nor labels.

use crate::error::{Error, Result};
use crate::params::{ParamSpec, Params, ReferencedNameKind};
use crate::schema::{Feature, Label};
use crate::unknown_name::closest_names_text;
use serde_json::{Map, Value};

/// Name of the class in parameters that refer to the variables of a Bayesian network.
const CLASS: &str = "class";

/// Names that parameters may refer to.
#[derive(Clone, Copy, Debug)]
pub struct NameResolver<'a> {
    /// The features, in column order.
    pub features: &'a [Feature],
    /// Labels of the classes, in code order.
    /// `None` if classes have no labels and parameters contain codes.
    pub classes: Option<&'a [Label]>,
}

impl NameResolver<'_> {
    /// Replaces names and labels in the given parameters by positions and codes.
    ///
    /// # Errors
    /// [`Error::Naming`] for a name that does not occur in the data.
    pub fn resolve(
        self,
        method: &str,
        defaults: &impl Params,
        given: &Map<String, Value>,
    ) -> Result<Map<String, Value>> {
        self.resolve_all(method, &defaults.specs(), given)
    }

    fn resolve_all(
        self,
        method: &str,
        specs: &[ParamSpec],
        given: &Map<String, Value>,
    ) -> Result<Map<String, Value>> {
        // With fewer than two classes, parameters with one value per class have no effect, so they are
        // removed.
        let alone = self.classes.is_some_and(|classes| classes.len() < 2);
        let naming = |name: &str| {
            specs
                .iter()
                .find(|spec| spec.name == name)
                .map_or(ReferencedNameKind::Nothing, |spec: &ParamSpec| spec.naming)
        };
        let kept = given.iter().filter(|&(name, value)| match naming(name) {
            ReferencedNameKind::Classes => !(alone && (value.is_array() || value.is_object())),
            ReferencedNameKind::ByClass => !(alone && value.is_object()),
            _ => true,
        });
        kept.map(|(name, value)| {
            let found = match (naming(name), value) {
                (ReferencedNameKind::Features, Value::Object(of)) => {
                    self.feature_dict_to_list((method, name), of, false)?
                }
                (ReferencedNameKind::Variables, Value::Object(of)) => {
                    self.feature_dict_to_list((method, name), of, true)?
                }
                (ReferencedNameKind::Arcs, Value::Array(arcs)) => {
                    let found: Result<Vec<Value>> =
                        arcs.iter().map(|arc| self.resolve_arc((method, name), arc)).collect();
                    Value::Array(found?)
                }
                (ReferencedNameKind::Sets, Value::Array(sets)) => {
                    let found: Result<Vec<Value>> =
                        sets.iter().map(|set| self.resolve_feature_set((method, name), set)).collect();
                    Value::Array(found?)
                }
                (ReferencedNameKind::Classes, Value::Array(labels)) => {
                    self.label_codes((method, name), labels)?
                }
                (ReferencedNameKind::Classes | ReferencedNameKind::ByClass, Value::Object(of)) => {
                    self.class_keys_to_codes((method, name), of)?
                }
                _ => value.clone(),
            };
            Ok((name.clone(), found))
        })
        .collect()
    }

    fn feature_dict_to_list(
        self,
        who: (&str, &str),
        of: &Map<String, Value>,
        with_class: bool,
    ) -> Result<Value> {
        let n = self.features.len();
        let mut found = vec![Value::from(0); n + usize::from(with_class)];
        for (name, value) in of {
            let index = self.feature_position(name).or((with_class && name == CLASS).then_some(n));
            let index =
                index.ok_or_else(|| self.unknown_feature_error(who, format!("'{name}'"), with_class))?;
            found[index] = value.clone();
        }
        Ok(Value::Array(found))
    }

    /// Resolves the names in an arc; a value that is not a pair is returned unchanged.
    ///
    /// The validation of the parameter refuses such a value.
    fn resolve_arc(self, who: (&str, &str), arc: &Value) -> Result<Value> {
        let Some([from, to]) = arc.as_array().map(Vec::as_slice) else { return Ok(arc.clone()) };
        let n = self.features.len();
        let end = |end: &Value| {
            let at = match end {
                Value::String(name) => self.feature_position(name).or((name == CLASS).then_some(n)),
                Value::Number(_) => end.as_u64().map(|at| at as usize).filter(|&at| at <= n),
                _ => return Ok(end.clone()),
            };
            let got = || end.as_str().map_or_else(|| end.to_string(), |name| format!("'{name}'"));
            at.map(Value::from).ok_or_else(|| self.unknown_feature_error(who, got(), true))
        };
        Ok(Value::Array(vec![end(from)?, end(to)?]))
    }

    /// Resolves the names in a feature set; a value that is not a list is returned unchanged.
    ///
    /// The validation of the parameter refuses such a value.
    fn resolve_feature_set(self, who: (&str, &str), set: &Value) -> Result<Value> {
        let Some(set) = set.as_array() else { return Ok(set.clone()) };
        let place = |of: &Value| match of.as_str() {
            Some(name) => {
                let at = self.feature_position(name).map(Value::from);
                at.ok_or_else(|| self.unknown_feature_error(who, format!("'{name}'"), false))
            }
            None => Ok(of.clone()),
        };
        Ok(Value::Array(set.iter().map(place).collect::<Result<_>>()?))
    }

    fn feature_position(self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    fn unknown_feature_error(self, (method, name): (&str, &str), got: String, with_class: bool) -> Error {
        let names = self.features.iter().map(|feature| &*feature.name);
        let expected = if with_class {
            let last = self.features.len();
            format!("name columns of the data or '{CLASS}', or give positions from 0 to {last}")
        } else {
            "name features of the data".to_owned()
        };
        let hint = closest_names_text(got.trim_matches('\''), names.chain(with_class.then_some(CLASS)));
        Error::Naming { method: method.to_owned(), name: name.to_owned(), expected, got, hint }
    }

    fn label_codes(self, who: (&str, &str), labels: &[Value]) -> Result<Value> {
        let Some(classes) = self.classes else { return Ok(labels.into()) };
        let code = |value: &Value| {
            let label: Option<Label> = serde_json::from_value(value.clone()).ok();
            let code = label.as_ref().and_then(|label| label.class_code(classes));
            let got = || label.as_ref().map_or_else(|| value.to_string(), Label::message_text);
            code.map(Value::from).ok_or_else(|| unknown_class_error(who, "list labels of y", got(), classes))
        };
        Ok(Value::Array(labels.iter().map(code).collect::<Result<_>>()?))
    }

    fn class_keys_to_codes(self, who: (&str, &str), of: &Map<String, Value>) -> Result<Value> {
        let Some(classes) = self.classes else { return Ok(Value::Object(of.clone())) };
        let code = |(key, value): (&String, &Value)| {
            let label = Label::from_key(key, classes);
            let code = label.class_code(classes).ok_or_else(|| {
                let got = format!("class {}, which is not in y", label.message_text());
                unknown_class_error(who, "refer to labels of y", got, classes)
            });
            Ok((code?.to_string(), value.clone()))
        };
        Ok(Value::Object(of.iter().map(code).collect::<Result<_>>()?))
    }
}

fn unknown_class_error(
    (method, name): (&str, &str),
    expected: &str,
    got: String,
    classes: &[Label],
) -> Error {
    let labels: Vec<String> = classes.iter().map(Label::message_text).collect();
    Error::Naming {
        method: method.to_owned(),
        name: name.to_owned(),
        expected: expected.to_owned(),
        got,
        hint: format!("the labels are {}", labels.join(", ")),
    }
}

#[cfg(test)]
// The macro `params!` declares `pub` structs, which other crates cannot reach in this test module.
#[allow(unreachable_pub)]
mod tests {
    use super::*;
    use crate::schema::FeatureKind;
    use serde_json::json;

    crate::params! {
        /// A toy whose parameters contain names.
        pub struct Toy {
            signs: Option<Vec<i8>> = None, "a list or a dict" naming Features, "Signs.";
            tiers: Option<Vec<u32>> = None, "a list or a dict" naming Variables, "Tiers.";
            arcs: Option<Vec<(u32, u32)>> = None, "a list of arcs" naming Arcs, "Arcs.";
            classes: Vec<u32> = Vec::new(), "a list" naming Classes, "Classes.";
            deep: Option<u32> = None, "a whole number", "Depth.";
        }
    }

    fn resolved(given: &Value, labels: Option<&[Label]>) -> Result<Value> {
        let feature = |name: &str| Feature { name: name.into(), kind: FeatureKind::Numeric };
        let features = [feature("age"), feature("dose")];
        let named = NameResolver { features: &features, classes: labels };
        named.resolve("toy", &Toy::default(), given.as_object().unwrap()).map(Value::Object)
    }

    fn labels(json: Value) -> Vec<Label> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn names_become_positions() {
        let given = json!({"signs": {"dose": -1}, "tiers": {"class": 2, "age": 1},
            "arcs": [["age", "class"], [1, 0], ["dose", 2]], "deep": 3});
        let found =
            json!({"signs": [0, -1], "tiers": [1, 0, 2], "arcs": [[0, 2], [1, 0], [1, 2]], "deep": 3});
        assert_eq!(resolved(&given, None).unwrap(), found);
        // Parameters that already contain positions do not change. Values of a wrong form do not change
        // either, because the validation of the parameter refuses them.
        assert_eq!(resolved(&found, None).unwrap(), found);
        let odd = json!({"signs": 3, "arcs": ["age", [1], [null, 0]]});
        assert_eq!(resolved(&odd, None).unwrap(), odd);
    }

    #[test]
    fn labels_become_codes() {
        let (words, numbers) = (labels(json!(["common", "rare"])), labels(json!([1, 7])));
        let codes = |given: Value, of: &[Label]| resolved(&json!({"classes": given}), Some(of));
        assert_eq!(codes(json!(["rare"]), &words).unwrap(), json!({"classes": [1]}));
        assert_eq!(codes(json!([7.0, true]), &numbers).unwrap(), json!({"classes": [1, 0]}));
        assert_eq!(codes(json!({"7": 3}), &numbers).unwrap(), json!({"classes": {"1": 3}}));
        assert_eq!(codes(json!({"rare": 3}), &words).unwrap(), json!({"classes": {"1": 3}}));
        // Text that is not a label may be an option of the parameter, so it is not changed. Codes are not
        // changed if the classes have no labels.
        assert_eq!(codes(json!("minority"), &words).unwrap(), json!({"classes": "minority"}));
        assert_eq!(resolved(&json!({"classes": [1]}), None).unwrap(), json!({"classes": [1]}));
        assert_eq!(codes(json!(["rare"]), &words[..1]).unwrap(), json!({}));
    }

    #[test]
    fn errors_list_the_valid_names() {
        let words = labels(json!(["common", "rare"]));
        let message = |given: Value| resolved(&given, Some(&words)).unwrap_err().to_string();
        assert_eq!(
            message(json!({"signs": {"does": 1}})),
            "toy: parameter `signs` must name features of the data, got 'does'; did you mean `dose`?"
        );
        assert_eq!(
            message(json!({"arcs": [["age", 3]]})),
            "toy: parameter `arcs` must name columns of the data or 'class', or give positions from 0 to 2, got 3; known \
             names: `age`, `dose`, `class`"
        );
        assert!(message(json!({"tiers": {"klass": 1}})).ends_with("got 'klass'; did you mean `class`?"));
        assert_eq!(
            message(json!({"classes": ["x"]})),
            "toy: parameter `classes` must list labels of y, got 'x'; the labels are 'common', 'rare'"
        );
        assert!(message(json!({"classes": {"x": 1}})).contains("class 'x', which is not in y"));
    }
}
