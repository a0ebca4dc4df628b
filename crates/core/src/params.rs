//! Parameters of a method.
//! Typed fields with defaults and a textual description of their domains.

use crate::domain::PythonType;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Kind of feature or class names that a parameter may contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReferencedNameKind {
    /// No names.
    #[default]
    Nothing,
    /// Feature names as the keys of a dict, which becomes a list with 0 for omitted features.
    Features,
    /// Like `Features`, but the resulting list has a last element for the class.
    Variables,
    /// Arcs: pairs of names or positions of features or the class.
    Arcs,
    /// Sets of features: lists of names or positions.
    Sets,
    /// Class labels in a list, or as the keys of a dict; the labels become class codes.
    Classes,
    /// Class labels as the keys of a dict; a list has no labels and is not changed.
    ByClass,
}

/// Public description of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParamSpec {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Default value.
    pub default: Value,
    /// Text of the parameter's domain, which completes the sentence "must be ...".
    pub expected: &'static str,
    /// Domain as a type in Python's notation.
    #[serde(rename = "type")]
    pub python_type: PythonType,
    /// Accepted names if the parameter takes a name from a registry; otherwise empty.
    pub names: &'static [&'static str],
    /// Kind of feature or class names that the parameter may contain.
    #[serde(skip)]
    pub naming: ReferencedNameKind,
    /// Description.
    pub doc: &'static str,
    /// Variants that the parameter selects from, each with its parameters.
    ///
    /// The list is filled by `nested_specs`.
    pub choices: Vec<VariantSpec>,
}

/// One variant and the names of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantDef {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Name of the Python class for the parameters of the variant.
    pub class: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Names of the parameters of the variant.
    pub params: &'static [&'static str],
}

/// A parameter that selects a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantSelector {
    /// Name of the parameter.
    pub name: &'static str,
    /// Available variants.
    pub choices: &'static [VariantDef],
}

/// Public description of one variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantSpec {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Name of the Python class for the parameters of the variant.
    pub class: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Parameters of the variant.
    pub params: Vec<ParamSpec>,
}

/// Unvalidated parameters of a method as given by the user.
pub trait Params: Serialize + DeserializeOwned + Clone {
    /// Every parameter with its domain and description; its default is its value in `self`.
    fn specs(&self) -> Vec<ParamSpec>;

    /// Parameters that select a variant with parameters of its own.
    fn variant_selectors(&self) -> Vec<VariantSelector> {
        Vec::new()
    }
}

/// Declares a parameter struct with default, domain and description of each field.
/// If the parameter may contain names of columns or classes, `naming` and a variant of [`ReferencedNameKind`]
/// follow the domain. If the domain is the names of a registry, `from` and the list of these names follow.
///
/// ```
/// use imbcore_core::{Params, parse_params, serde_json};
///
/// imbcore_core::params! {
///     /// Parameters of a toy.
///     pub struct ToyParams {
///         depth: Option<u32> = None, "a whole number of at least 1, or None", "Levels below the root.";
///         fraction: f64 = 0.5, "in (0, 1)", "Fraction of rows.";
///     }
/// }
/// let given = serde_json::json!({"depth": 3});
/// let toy = parse_params("toy", &ToyParams::default(), given.as_object().unwrap())?;
/// assert_eq!(toy.depth, Some(3));
/// let typo = serde_json::json!({"dept": 3});
/// assert!(parse_params("toy", &toy, typo.as_object().unwrap()).is_err());
/// # Ok::<(), imbcore_core::Error>(())
/// ```
#[macro_export]
macro_rules! params {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($field:ident : $type:ty = $default:expr, $expected:literal $(naming $naming:ident)? $(from $names:expr)?, $doc:literal;)*
    } $(choosing $choosing:expr)?) => {
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
                    // Serialization of a plain value cannot fail. If it failed, documentation would show the
                    // default `null`.
                    default: $crate::serde_json::to_value(&self.$field).unwrap_or_default(),
                    expected: $expected,
                    python_type: $crate::PythonType { expected: $expected, names: $crate::names_or_none!($($names)?) },
                    names: $crate::names_or_none!($($names)?),
                    naming: $crate::naming_or_nothing!($($naming)?),
                    doc: $doc,
                    choices: ::std::vec::Vec::new(),
                },)*]
            }

            $(fn variant_selectors(&self) -> Vec<$crate::VariantSelector> {
                $choosing.to_vec()
            })?
        }
    };
}

/// Expands to the given variant of `ReferencedNameKind`, or to `Nothing` if none is given.
#[doc(hidden)]
#[macro_export]
macro_rules! naming_or_nothing {
    () => {
        $crate::ReferencedNameKind::Nothing
    };
    ($naming:ident) => {
        $crate::ReferencedNameKind::$naming
    };
}

/// Expands to the names of a registry, or to an empty list.
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
