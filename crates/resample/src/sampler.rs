//! Parameters common to all samplers, and the sampler interface.

use crate::distance_space::{DistanceSpace, FeatureScaling};
use crate::neighbors::{Algorithm, NeighborIndex};
use crate::resampling_task::{ResamplingPlan, ResamplingTask};
use imbcore_core::{Error, Label, NameResolver, Params, Result, RunContext, SeedKey};
use serde_json::{Map, Value};

/// Interface of all samplers; the type of a sampler's parameters implements it.
pub trait Sampler: Params + Default {
    /// Replaces class labels in the parameters by class codes.
    ///
    /// # Errors
    /// [`Error::Naming`] for an unknown label.
    fn labels_to_codes(
        method: &str,
        given: &Map<String, Value>,
        labels: &[Label],
    ) -> Result<Map<String, Value>> {
        NameResolver { features: &[], classes: Some(labels) }.resolve(method, &Self::default(), given)
    }

    /// Computes the resampling plan of a task.
    ///
    /// Equal tasks, keys and parameters give equal plans at any thread count.
    ///
    /// # Errors
    /// [`Error::Parameter`], and errors for data that cannot be resampled.
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan>;
}

macro_rules! sampler_params {
    ($(#[$meta:meta])* pub struct $name:ident { $($field:tt)* }) => {
        imbcore_core::params! {
            $(#[$meta])*
            pub struct $name {
                sampling_strategy: $crate::strategy::Strategy = $crate::strategy::Strategy::AUTO,
                    "a name, a ratio in (0, 1], a dict of numbers of rows per class, or for cleaning a list of classes"
                    naming Classes from $crate::strategy::STRATEGIES,
                    "Classes to resample, and their numbers of rows after resampling. \"auto\": \"not majority\" for \
                     over-sampling, and \"not minority\" for under-sampling and cleaning. A number: ratio of the \
                     smaller to the larger of two classes.";
                ratio: $crate::strategy::RatioBase = $crate::strategy::RatioBase::ToMajority,
                    "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
                    "Meaning of a number as `sampling_strategy`. \"min/maj\": ratio of the smaller class to the larger \
                     class. \"fraction\": ratio of the smaller class to all rows.";
                $($field)*
            }
        }
    };
}
pub(crate) use sampler_params;

macro_rules! neighbor_params {
    ($(#[$meta:meta])* pub struct $name:ident { $($field:tt)* }) => {
        $crate::sampler::sampler_params! {
            $(#[$meta])*
            pub struct $name {
                $($field)*
                scale: Option<$crate::distance_space::FeatureScaling> = None,
                    "None, \"minmax\" or \"std\"" from &["minmax", "std"],
                    "Scaling of each column for distances: by its range (\"minmax\"), by its standard deviation \
                     (\"std\"), or no scaling (None). Added rows keep the units of the data.";
                algorithm: $crate::neighbors::Algorithm = $crate::neighbors::Algorithm::Auto,
                    "\"auto\", \"brute\" or \"kd_tree\"" from &["auto", "brute", "kd_tree"],
                    "Algorithm of the search for nearest neighbors; all algorithms give the same results.";
            }
        }
    };
}
pub(crate) use neighbor_params;

pub(crate) fn check_n_neighbors(method: &str, name: &str, k: u32) -> Result<usize> {
    if k == 0 {
        return Err(Error::parameter(method, name, "a whole number of at least 1", k));
    }
    Ok(k as usize)
}

pub(crate) fn build_neighbor_index<'a>(
    task: &ResamplingTask<'a>,
    scale: Option<FeatureScaling>,
    algorithm: Algorithm,
    ctl: RunContext<'_>,
) -> Result<NeighborIndex<'a>> {
    Ok(NeighborIndex::new(DistanceSpace::from_numeric(task.frame()?, scale, ctl)?, algorithm))
}
