//! Python types of parameters, derived from the text of their domains.
//! The types are for editors and type checkers.
//!
//! A domain completes the sentence "must be ..." in errors. Its vocabulary is small, so that one text serves
//! both people and type checkers; `imbcore-methods` tests that every parameter accepts the values of its
//! type.

use serde::{Serialize, Serializer};
use std::fmt;

/// Python types, each with the phrases that stand for it in descriptions of domains.
/// A union of several types lists them in this order.
const WORDS: [(&str, &[&str]); 6] = [
    ("bool", &["True"]),
    ("int", &["whole number"]),
    ("float", &["a number", "positive number", "fraction in", "seconds above", "in (", "in ["]),
    ("Sequence[Any]", &["a list", "one proportion per class"]),
    ("Mapping[str, Any]", &["a dict"]),
    ("Any", &["an estimator", "a function"]),
];

/// Type of a parameter in Python's notation.
///
/// It is derived from the text of the domain, and from the accepted names if the parameter takes a name. It
/// is computed only when it is written, because a fit does not need types.
///
/// ```
/// use imbcore_core::PythonType;
///
/// let depth = PythonType { expected: "a whole number of at least 1, or None", names: &[] };
/// assert_eq!(depth.to_string(), "int | None");
/// let vote = PythonType { expected: "\"soft\" or \"hard\"", names: &[] };
/// assert_eq!(vote.to_string(), "Literal[\"soft\", \"hard\"]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PythonType {
    /// Text of the parameter's domain, which completes the sentence "must be ...".
    pub expected: &'static str,
    /// Names taken from a registry.
    pub names: &'static [&'static str],
}

impl fmt::Display for PythonType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&python_type(self.expected, self.names))
    }
}

impl Serialize for PythonType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn python_type(expected: &str, names: &[&str]) -> String {
    let (plain, quoted) = split_quoted(expected);
    let mut types: Vec<String> = Vec::new();
    for (name, words) in WORDS {
        if words.iter().any(|word| plain.contains(word)) {
            types.push(name.to_owned());
        }
    }
    if plain.contains("name of a method") {
        types.insert(0, "MethodName".to_owned());
    } else if plain.contains("name of a score") {
        types.push("str".to_owned());
    } else {
        let choices = if names.is_empty() { &quoted[..] } else { names };
        if !choices.is_empty() {
            let choices: Vec<String> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
            types.push(format!("Literal[{}]", choices.join(", ")));
        }
    }
    if plain.contains("None") {
        types.push("None".to_owned());
    }
    types.join(" | ")
}

fn split_quoted(text: &str) -> (String, Vec<&str>) {
    let parts: Vec<&str> = text.split('"').collect();
    let plain = parts.iter().step_by(2).copied().collect();
    let quoted = parts.into_iter().skip(1).step_by(2).collect();
    (plain, quoted)
}

#[cfg(test)]
mod tests {
    use super::python_type;

    #[test]
    fn phrases_of_several_types_make_a_union() {
        let columns = "None, a whole number of at least 1, a fraction in (0, 1], \"sqrt\" or \"log2\"";
        assert_eq!(python_type(columns, &[]), "int | float | Literal[\"sqrt\", \"log2\"] | None");
        assert_eq!(python_type("in (0, 1]", &[]), "float");
        assert_eq!(python_type("seconds above 0 and at most a year, or None", &[]), "float | None");
        assert_eq!(python_type("True, False or the name of a score", &[]), "bool | str");
    }

    #[test]
    fn a_registry_gives_its_names() {
        let criterion = "the name of a criterion, or a dict with its \"name\" and options";
        let expected = "Mapping[str, Any] | Literal[\"gini\", \"dkm\"]";
        assert_eq!(python_type(criterion, &["gini", "dkm"]), expected);
        assert_eq!(python_type("the name of a method other than \"metacost\"", &[]), "MethodName");
    }
}
