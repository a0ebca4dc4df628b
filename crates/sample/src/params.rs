//! What all samplers have in common: the parameters they share, written once, and what they can be asked for.

use crate::neighbors::{Algorithm, Searchable};
use crate::space::{Scale, Space};
use crate::task::{Plan, Task};
use imbcore_base::{Error, Label, Named, Params, Result, RunCtl, SeedKey};
use serde_json::{Map, Value};

/// Parameters of a sampler that know how to resample.
pub trait Sampler: Params + Default {
    /// What was given for the parameters, with codes in place of the labels of classes.
    ///
    /// # Errors
    /// [`Error::Naming`] for a label that is none of those.
    fn by_code(method: &str, given: &Map<String, Value>, labels: &[Label]) -> Result<Map<String, Value>> {
        Named { features: &[], classes: Some(labels) }.resolve(method, &Self::default(), given)
    }

    /// What is to be done with the rows of the task. Equal tasks, keys and parameters give equal plans at any thread
    /// count.
    ///
    /// # Errors
    /// [`Error::Parameter`], and whatever the data make impossible.
    fn plan(&self, method: &str, task: &Task<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<Plan>;
}

/// Declares the parameters of a sampler after those that all have.
macro_rules! sampler_params {
    ($(#[$meta:meta])* pub struct $name:ident { $($field:tt)* }) => {
        imbcore_base::params! {
            $(#[$meta])*
            pub struct $name {
                sampling_strategy: $crate::strategy::Strategy = $crate::strategy::Strategy::AUTO,
                    "a name, a ratio in (0, 1], a dict of rows a class, or for cleaning a list of classes"
                    naming Classes from $crate::strategy::STRATEGIES,
                    "Which classes, and how many rows of them afterwards: \"auto\" means \"not majority\" where rows are \
                     added and \"not minority\" where they are taken away; a number is the ratio of the smaller to the \
                     larger of two classes.";
                ratio: $crate::strategy::Ratio = $crate::strategy::Ratio::ToMajority,
                    "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
                    "What a number as `sampling_strategy` is: the smaller class to the larger one, or to all rows.";
                $($field)*
            }
        }
    };
}
pub(crate) use sampler_params;

/// Declares the parameters of a sampler that measures distances.
macro_rules! neighbor_params {
    ($(#[$meta:meta])* pub struct $name:ident { $($field:tt)* }) => {
        $crate::params::sampler_params! {
            $(#[$meta])*
            pub struct $name {
                $($field)*
                scale: Option<$crate::space::Scale> = None,
                    "None, \"minmax\" or \"std\"" from &["minmax", "std"],
                    "Unit of each column in distances: None as it is, its range, or its standard deviation. Added rows are \
                     in the units of the data.";
                algorithm: $crate::neighbors::Algorithm = $crate::neighbors::Algorithm::Auto,
                    "\"auto\", \"brute\" or \"kd_tree\"" from &["auto", "brute", "kd_tree"],
                    "How neighbours are looked for; the answers are the same.";
            }
        }
    };
}
pub(crate) use neighbor_params;

/// Refuses a number of neighbours below 1.
pub(crate) fn at_least_1(method: &str, name: &str, k: u32) -> Result<usize> {
    if k == 0 {
        return Err(Error::parameter(method, name, "a whole number of at least 1", k));
    }
    Ok(k as usize)
}

/// The rows of a task as points.
pub(crate) fn points<'a>(
    task: &Task<'a>,
    scale: Option<Scale>,
    algorithm: Algorithm,
    ctl: RunCtl<'_>,
) -> Result<Searchable<'a>> {
    Ok(Searchable::new(Space::of_numbers(task.frame()?, scale, ctl)?, algorithm))
}
