//! Parameters of a method: typed fields, defaults, domains in words.

use crate::domain::PythonType;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a parameter may name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// Nothing of the data.
    #[default]
    Nothing,
    /// Features: a dict by name is a list by position, with 0 for those that it leaves out.
    Features,
    /// Features and the class, which stands behind the last of them: the same.
    Variables,
    /// Ends of arcs, which are features or the class: pairs of names or positions.
    Arcs,
    /// Sets of features: lists of names or positions.
    Sets,
    /// Classes: a list of labels is one of codes, and so are the keys of a dict by label.
    Classes,
    /// Classes as the keys of a dict; lists are of something else.
    ByClass,
}

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
    pub python_type: PythonType,
    /// Names it may be given by, where they come from a registry that grows.
    pub names: &'static [&'static str],
    /// What of the data it may name.
    #[serde(skip)]
    pub naming: Naming,
    /// What it does.
    pub doc: &'static str,
    /// Ways that it chooses between, where they have parameters of their own.
    pub choices: Vec<ChoiceSpec>,
}

/// One way, and the parameters that are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Name of the Python class that holds its parameters.
    pub class: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Names of its parameters.
    pub params: &'static [&'static str],
}

/// A parameter that chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choosing {
    /// Its name.
    pub name: &'static str,
    /// What it chooses between.
    pub choices: &'static [Choice],
}

/// What a person is told about one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceSpec {
    /// Name as the user writes it.
    pub name: &'static str,
    /// Name of the Python class that holds its parameters.
    pub class: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
}

/// The parameters of a method as they come from outside, unchecked.
pub trait Params: Serialize + DeserializeOwned + Clone {
    /// Every parameter with its domain and text; the defaults are those of `self`.
    fn specs(&self) -> Vec<ParamSpec>;

    /// The parameters that choose between ways with parameters of their own.
    fn choosing(&self) -> Vec<Choosing> {
        Vec::new()
    }
}

/// Declares a parameter struct: fields with default, domain in words and text, written once. Where the domain is a
/// registry, `from` and the list of its names follow the words; where it may name columns or classes, `naming` and a variant of
/// [`Naming`].
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
                    // Serialising a plain field cannot fail; `null` would only show as a missing default.
                    default: $crate::serde_json::to_value(&self.$field).unwrap_or_default(),
                    expected: $expected,
                    python_type: $crate::PythonType { expected: $expected, names: $crate::names_or_none!($($names)?) },
                    names: $crate::names_or_none!($($names)?),
                    naming: $crate::naming_or_nothing!($($naming)?),
                    doc: $doc,
                    choices: ::std::vec::Vec::new(),
                },)*]
            }

            $(fn choosing(&self) -> Vec<$crate::Choosing> {
                $choosing.to_vec()
            })?
        }
    };
}

/// What may be named, or nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! naming_or_nothing {
    () => {
        $crate::Naming::Nothing
    };
    ($naming:ident) => {
        $crate::Naming::$naming
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
