//! Registry of criteria by name.

use crate::criterion::Criterion;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A computation compiled separately for each criterion type, so that calls are not virtual.
pub trait CriterionVisitor {
    /// Result of the computation.
    type Out;

    /// Runs the computation with a criterion of a concrete type.
    fn visit<C: Criterion>(self, criterion: &C) -> Self::Out;
}

macro_rules! criteria {
    ($($name:literal => $variant:ident($type:ty),)*) => {
        /// Any registered criterion, serialized as its name or as `{"name": ..., option: ...}`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyCriterion {
            $(#[doc = concat!("`", $name, "`")] $variant($type),)*
        }

        impl AnyCriterion {
            /// Every registered name.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Registered name of the criterion.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            /// Runs the computation `visitor` with the concrete type of this criterion.
            pub fn accept<V: CriterionVisitor>(&self, visitor: V) -> V::Out {
                match self { $(Self::$variant(criterion) => visitor.visit(criterion),)* }
            }

            /// Same as [`Criterion::node_comparison_weight`].
            pub fn node_comparison_weight(&self, totals: &[f64], group: &[u32]) -> f64 {
                match self { $(Self::$variant(criterion) => criterion.node_comparison_weight(totals, group),)* }
            }

            fn from_name_and_options(name: &str, options: Map<String, Value>) -> Result<Self, String> {
                match name {
                    $($name => Ok(Self::$variant(parse_options::<$type>(name, options)?)),)*
                    _ => {
                        let known = Self::NAMES.iter().copied();
                        Err(imbcore_core::unknown_name_error("criterion", name, known).to_string())
                    }
                }
            }

            fn options_to_json(&self) -> Result<Value, serde_json::Error> {
                match self { $(Self::$variant(criterion) => serde_json::to_value(criterion),)* }
            }
        }
    };
}

criteria! {
    "gini" => Gini(crate::gini::Gini),
    "entropy" => Entropy(crate::entropy::Entropy),
    "gain_ratio" => GainRatio(crate::entropy::GainRatio),
    "c45" => C45(crate::c45::C45),
    "hellinger" => Hellinger(crate::hellinger::Hellinger),
    "dkm" => Dkm(crate::dkm::Dkm),
    "alpha" => Alpha(crate::alpha::Alpha),
    "alpha_ext" => AlphaExt(crate::alpha_ext::AlphaExt),
    "chi2" => Chi2(crate::chi2::Chi2),
    "twoing" => Twoing(crate::twoing::Twoing),
}

fn parse_options<T: DeserializeOwned>(name: &str, options: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(options)).map_err(|error| {
        let detail = error.to_string();
        let problem = if detail.starts_with("unknown field") { "unknown option of" } else { "options of" };
        format!("{problem} {name}: {detail}")
    })
}

impl Serialize for AnyCriterion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let usual = Self::from_name_and_options(self.name(), Map::new()).is_ok_and(|usual| usual == *self);
        match self.options_to_json().map_err(serde::ser::Error::custom)? {
            Value::Object(mut options) if !usual => {
                options.insert("name".into(), self.name().into());
                options.serialize(serializer)
            }
            _ => self.name().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for AnyCriterion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(name) => Self::from_name_and_options(&name, Map::new()),
            Value::Object(mut options) => match options.remove("name") {
                Some(Value::String(name)) => Self::from_name_and_options(&name, options),
                _ => Err("a criterion given as a dict needs its \"name\"".into()),
            },
            _ => Err("a criterion must be a name or a dict".into()),
        }
        .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_and_dicts_are_read_and_written_back() {
        for name in AnyCriterion::NAMES {
            let criterion: AnyCriterion = serde_json::from_value(json!(name)).unwrap();
            assert_eq!(criterion.name(), *name);
            let again: AnyCriterion =
                serde_json::from_value(serde_json::to_value(&criterion).unwrap()).unwrap();
            assert_eq!(again, criterion);
        }
        let half: AnyCriterion = serde_json::from_value(json!({"name": "alpha", "alpha": 0.5})).unwrap();
        assert_eq!(half, AnyCriterion::Alpha(crate::Alpha { alpha: 0.5 }));
        let ext = json!({"name": "alpha_ext", "alpha": 0.5, "reference": [0.5, 0.5]});
        assert!(serde_json::from_value::<AnyCriterion>(ext).is_ok());
    }

    #[test]
    fn invalid_options_give_errors() {
        let error = |value| serde_json::from_value::<AnyCriterion>(value).unwrap_err().to_string();
        assert!(error(json!("hellinge")).contains("did you mean `hellinger`?"));
        assert!(error(json!({"name": "alpha", "alfa": 1})).contains("alfa"));
        assert!(error(json!({"alpha": 1})).contains("needs its \"name\""));
        assert!(error(json!(3)).contains("a name or a dict"));
    }
}
