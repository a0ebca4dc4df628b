//! Names of features, levels and classes, as stored in a model file.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A class label or a nominal level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer beyond the range of `i64`.
    Unsigned(u64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => f.write_str("True"),
            Self::Bool(false) => f.write_str("False"),
            Self::Int(number) => number.fmt(f),
            Self::Unsigned(number) => number.fmt(f),
            Self::Float(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Label {
    pub(crate) fn message_text(&self) -> String {
        match self {
            Self::Text(text) => format!("'{text}'"),
            _ => self.to_string(),
        }
    }

    /// Position of this label in `classes`; `None` if it is not one of them.
    ///
    /// Numbers and Booleans are compared by value, as in Python.
    pub(crate) fn class_code(&self, classes: &[Self]) -> Option<usize> {
        classes.iter().position(|class| {
            class == self || self.as_integer().is_some_and(|n| class.as_integer() == Some(n))
        })
    }

    /// Converts the key of a JSON object, which is always text, to the label that it represents.
    pub(crate) fn from_key(key: &str, classes: &[Self]) -> Self {
        let text = Self::Text(key.to_owned());
        let read = || serde_json::from_str(key).unwrap_or_else(|_| text.clone());
        if classes.contains(&text) { text } else { read() }
    }

    fn as_integer(&self) -> Option<i128> {
        match *self {
            Self::Bool(truth) => Some(i128::from(truth)),
            Self::Int(number) => Some(i128::from(number)),
            Self::Unsigned(number) => Some(i128::from(number)),
            // Integer labels have at most 64 bits, so no number of 1e20 or more can equal one of them.
            Self::Float(number) if number.fract() == 0.0 && number.abs() < 1e20 => Some(number as i128),
            Self::Float(_) | Self::Text(_) => None,
        }
    }

    /// Text labels are quoted only if necessary (see [`quoted_name`]).
    fn to_class_text(&self) -> String {
        match self {
            Self::Text(text) => quoted_name(text).into_owned(),
            _ => self.to_string(),
        }
    }

    /// Text labels are always in quotes, numbers and Booleans never.
    fn to_level_text(&self) -> String {
        match self {
            Self::Text(text) => quoted_text(text),
            _ => self.to_string(),
        }
    }
}

/// Quotes the name of a column or class for rules if necessary.
/// The name is unchanged if it is one word that cannot be mistaken for a number or a part of the rule.
/// Otherwise it is converted by [`quoted_text`].
pub fn quoted_name(name: &str) -> Cow<'_, str> {
    let of_words = |c: char| c.is_alphanumeric() || "_-./%$#@&:+".contains(c);
    let word = !name.is_empty() && name.chars().all(of_words);
    let taken_for_another = name.parse::<f64>().is_ok() || ["True", "False", "None"].contains(&name);
    if word && !taken_for_another { Cow::Borrowed(name) } else { Cow::Owned(quoted_text(name)) }
}

/// Text in double quotes, with quotes, line breaks and other invisible characters escaped.
pub fn quoted_text(text: &str) -> String {
    format!("{text:?}")
}

/// Type of a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FeatureKind {
    /// Ordered numbers.
    Numeric,
    /// Unordered levels, in code order.
    Nominal {
        /// The levels.
        levels: Vec<Label>,
    },
}

/// One feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// Name of the feature.
    pub name: String,
    /// Type of the feature.
    #[serde(flatten)]
    pub kind: FeatureKind,
}

/// Features and classes of a fitted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The features, in column order.
    pub features: Vec<Feature>,
    /// Whether the feature names were given by the user.
    pub named: bool,
    /// Whether the user passed the feature names separately, because the data have no names.
    /// Prediction then expects data without names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named_beside: bool,
    /// Labels of the columns, if the labels are neither text nor the numbers 0, 1, ... in order.
    /// Otherwise the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub column_labels: Vec<String>,
    /// Positions of the columns without any value in training, whose type is therefore unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_values: Vec<usize>,
    /// The classes, in code order.
    pub classes: Vec<Label>,
    /// Type of the class labels, restored in predictions.
    pub class_dtype: String,
}

impl Schema {
    /// Parses a schema from JSON.
    ///
    /// # Errors
    /// [`Error::Format`].
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::damaged(format!("its schema: {error}")))
    }

    /// Name of a feature.
    pub fn feature_name(&self, column: usize) -> &str {
        self.features.get(column).map_or("?", |feature| &feature.name)
    }

    fn level_label(&self, column: usize, code: u32) -> Option<&Label> {
        match &self.features.get(column)?.kind {
            FeatureKind::Nominal { levels } => levels.get(code as usize),
            FeatureKind::Numeric => None,
        }
    }

    /// A class as shown in messages: text in quotes, numbers unchanged.
    pub fn class_text(&self, code: u32) -> String {
        self.classes.get(code as usize).map_or_else(|| "?".into(), Label::message_text)
    }

    /// Text of a level.
    pub fn level_text(&self, column: usize, code: u32) -> String {
        self.level_label(column, code).map_or_else(|| "?".into(), Label::to_string)
    }

    /// Name of a feature as written in rules.
    pub fn feature_rule_text(&self, column: usize) -> Cow<'_, str> {
        quoted_name(self.feature_name(column))
    }

    /// A level as written in rules: text in quotes, numbers and Booleans without quotes.
    pub fn level_rule_text(&self, column: usize, code: u32) -> String {
        self.level_label(column, code).map_or_else(|| "?".into(), Label::to_level_text)
    }

    /// A class as written in rules.
    pub fn class_rule_text(&self, class: usize) -> String {
        self.classes.get(class).map_or_else(|| "?".into(), Label::to_class_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_if_necessary() {
        for plain in ["age", "x0", "1st", "a.b/c", "Größe", "t$$arget"] {
            assert_eq!(quoted_name(plain), plain);
        }
        let must = [
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("7", "\"7\""),
            ("True", "\"True\""),
            ("a\n\"", "\"a\\n\\\"\""),
        ];
        for (text, shown) in must {
            assert_eq!(quoted_name(text), shown);
            assert_eq!(quoted_text(text), shown);
        }
        let class_and_level = |label: &Label| [label.to_class_text(), label.to_level_text()];
        assert_eq!(class_and_level(&Label::Int(7)), ["7", "7"]);
        assert_eq!(class_and_level(&Label::Bool(true)), ["True", "True"]);
        assert_eq!(class_and_level(&Label::Text("7".into())), ["\"7\"", "\"7\""]);
        // The text of a level is always in quotes, so that all levels of a column look alike.
        assert_eq!(class_and_level(&Label::Text("red".into())), ["red", "\"red\""]);
    }

    #[test]
    fn labels_keep_their_type() {
        let text = r#"{"features":[{"name":"a","kind":"numeric"},{"name":"b","kind":"nominal","levels":["x",1,2.5,true]}],"named":true,"classes":[-1,18446744073709551615],"class_dtype":"object"}"#;
        let schema = Schema::from_json(text).unwrap();
        assert_eq!(serde_json::to_string(&schema).unwrap(), text);
        assert_eq!(schema.level_text(1, 3), "True");
        assert_eq!(
            (schema.level_text(0, 0), schema.level_text(1, 9), schema.feature_name(7)),
            ("?".into(), "?".into(), "?")
        );
        let beside = text.replace("\"named\":true", "\"named\":true,\"named_beside\":true");
        assert_eq!(serde_json::to_string(&Schema::from_json(&beside).unwrap()).unwrap(), beside);
        let labelled = text.replace(
            "\"named\":true",
            "\"named\":false,\"column_labels\":[\"7\",\"3\"],\"without_values\":[1]",
        );
        assert_eq!(serde_json::to_string(&Schema::from_json(&labelled).unwrap()).unwrap(), labelled);
        assert!(Schema::from_json("{}").is_err());
    }
}
