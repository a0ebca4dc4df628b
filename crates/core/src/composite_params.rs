//! Combination of two parameter sets into one flat set.
//!
//! For example, a forest adds its own parameters to those of its trees.

use crate::params::{ParamSpec, Params, VariantSelector};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// Outer parameter set, such as that of a forest, which may hide parameters of an inner set.
pub trait OuterParams {
    /// Parameters of the inner set that users cannot set, because the outer set determines them.
    const HIDDEN: &'static [&'static str] = &[];
}

/// A composite set that is the outer set of another composite set hides no parameters.
impl<Own, Inner> OuterParams for CompositeParams<Own, Inner> {}

/// One flat set: the outer parameters `own`, then those of `inner` that are not hidden.
///
/// ```
/// use imbcore_core::{CompositeParams, OuterParams, Params, parse_params, serde_json};
///
/// imbcore_core::params! {
///     /// A tree.
///     pub struct Tree {
///         depth: u32 = 3, "a whole number", "Levels.";
///         rule: String = "gini".into(), "a name", "Rule.";
///     }
/// }
/// imbcore_core::params! {
///     /// A forest, which determines the rule.
///     pub struct Forest {
///         trees: u32 = 10, "a whole number", "Trees.";
///     }
/// }
/// impl OuterParams for Forest {
///     const HIDDEN: &'static [&'static str] = &["rule"];
/// }
/// let defaults = CompositeParams::new(Forest::default(), Tree { depth: 7, ..Tree::default() });
/// assert_eq!(defaults.specs().iter().map(|spec| spec.name).collect::<Vec<_>>(), ["trees", "depth"]);
/// let given = serde_json::json!({"trees": 2});
/// let used = parse_params("forest", &defaults, given.as_object().unwrap())?;
/// assert_eq!((used.own.trees, used.inner.depth), (2, 7));
/// # Ok::<(), imbcore_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompositeParams<Own, Inner> {
    /// Parameters of the outer set.
    pub own: Own,
    /// Parameters of the inner set.
    pub inner: Inner,
}

impl<Own, Inner> CompositeParams<Own, Inner> {
    /// Joins two sets.
    pub fn new(own: Own, inner: Inner) -> Self {
        Self { own, inner }
    }
}

impl<Own: Params + OuterParams + Default, Inner: Params + Default> Params for CompositeParams<Own, Inner> {
    fn specs(&self) -> Vec<ParamSpec> {
        let seen = |spec: &ParamSpec| !Own::HIDDEN.contains(&spec.name);
        self.own.specs().into_iter().chain(self.inner.specs().into_iter().filter(seen)).collect()
    }

    fn variant_selectors(&self) -> Vec<VariantSelector> {
        let mut all = self.own.variant_selectors();
        all.extend(self.inner.variant_selectors().into_iter().filter(|one| !Own::HIDDEN.contains(&one.name)));
        all
    }
}

impl<Own: Params + OuterParams, Inner: Params> Serialize for CompositeParams<Own, Inner> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = to_json_map(&self.own).map_err(serde::ser::Error::custom)?;
        let inner = to_json_map(&self.inner).map_err(serde::ser::Error::custom)?;
        all.extend(inner.into_iter().filter(|(name, _)| !Own::HIDDEN.contains(&name.as_str())));
        all.serialize(serializer)
    }
}

impl<'de, Own: Params + OuterParams + Default, Inner: Params + Default> Deserialize<'de>
    for CompositeParams<Own, Inner>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Map::deserialize(deserializer)?;
        let specs = Own::default().specs();
        let is_own = |name: &str| specs.iter().any(|spec| spec.name == name);
        let (own, rest): (Map<_, _>, Map<_, _>) = given.into_iter().partition(|(name, _)| is_own(name));
        // Users cannot set hidden parameters. They get the defaults of the inner set here; the outer set
        // determines their final values.
        let mut inner = to_json_map(&Inner::default()).map_err(D::Error::custom)?;
        inner.retain(|name, _| Own::HIDDEN.contains(&name.as_str()));
        inner.extend(rest);
        Ok(Self {
            own: serde_json::from_value(Value::Object(own)).map_err(D::Error::custom)?,
            inner: serde_json::from_value(Value::Object(inner)).map_err(D::Error::custom)?,
        })
    }
}

fn to_json_map<T: Serialize>(params: &T) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::to_value(params)? {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}
