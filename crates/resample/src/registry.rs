//! Registry of samplers: name, class, default parameters, title and source.

use crate::adasyn::AdasynParams;
use crate::borderline::BorderlineParams;
use crate::condensed::{CondensedParams, OneSidedParams};
use crate::random_sampling::{DuplicateOverParams, RandomOverParams, RandomUnderParams};
use crate::resampling_task::{ResamplingPlan, ResamplingTask};
use crate::sampler::Sampler;
use crate::smote::SmoteParams;
use crate::smote_tomek::SmoteTomekParams;
use crate::smotenc::SmotencParams;
use crate::tomek::TomekParams;
use imbcore_core::{Label, ParamSpec, Params, Result, RunContext, SeedKey, parse_params, unknown_name_error};
use serde::Serialize;
use serde_json::{Map, Value};

/// Input data that a sampler supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// Columns of any type, because the sampler only selects or copies rows.
    ///
    /// Some parameters, such as noise, need numeric columns.
    Rows,
    /// Numeric columns without missing or infinite values.
    Numbers,
    /// Numeric and nominal columns without missing or infinite values.
    Mixed,
}

/// Public description of a sampler.
#[derive(Clone, Debug, Serialize)]
pub struct SamplerInfo {
    /// Name by which functions such as [`plan`] find the sampler.
    pub name: &'static str,
    /// Name of the Python class of the sampler.
    pub class: &'static str,
    /// Description in one line.
    pub title: &'static str,
    /// Publications that define the sampler.
    pub source: &'static str,
    /// Supported input.
    pub reads: InputKind,
    /// Whether the sampler draws random numbers.
    pub random: bool,
    /// Parameters of the sampler.
    pub params: Vec<ParamSpec>,
}

macro_rules! samplers {
    ($($name:literal $class:literal => $params:ty, $reads:ident, random $random:literal, $title:literal, $source:literal;)*) => {
        /// Every registered sampler.
        pub fn samplers() -> Vec<SamplerInfo> {
            vec![$(SamplerInfo {
                name: $name,
                class: $class,
                title: $title,
                source: $source,
                reads: InputKind::$reads,
                random: $random,
                params: <$params>::default().specs(),
            },)*]
        }

        /// Names of all samplers.
        pub const SAMPLER_NAMES: &[&str] = &[$($name),*];

        /// Returns the input that a sampler supports.
        ///
        /// # Errors
        /// [`imbcore_core::Error::Unknown`] for the name.
        pub fn reads(name: &str) -> Result<InputKind> {
            match name {
                $($name => Ok(InputKind::$reads),)*
                _ => Err(unknown_name_error("sampler", name, SAMPLER_NAMES.iter().copied())),
            }
        }

        /// Replaces class labels in the given parameters of a sampler by class codes.
        ///
        /// # Errors
        /// [`imbcore_core::Error::Unknown`] for an unknown name of a sampler, [`imbcore_core::Error::Naming`]
        /// for an unknown label.
        pub fn labels_to_codes(name: &str, given: &Map<String, Value>, labels: &[Label]) -> Result<Map<String, Value>> {
            match name {
                $($name => <$params>::labels_to_codes($name, given, labels),)*
                _ => Err(unknown_name_error("sampler", name, SAMPLER_NAMES.iter().copied())),
            }
        }

        /// Computes the plan of a sampler for a task; parameters have class codes instead of labels.
        ///
        /// # Errors
        /// [`imbcore_core::Error::Unknown`] for an unknown sampler or parameter,
        /// [`imbcore_core::Error::Parameter`], and errors for data that cannot be resampled.
        pub fn plan(
            name: &str,
            given: &Map<String, Value>,
            task: &ResamplingTask<'_>,
            key: SeedKey,
            ctl: RunContext<'_>,
        ) -> Result<ResamplingPlan> {
            match name {
                $($name => parse_params($name, &<$params>::default(), given)?.plan($name, task, key, ctl),)*
                _ => Err(unknown_name_error("sampler", name, SAMPLER_NAMES.iter().copied())),
            }
        }
    };
}

samplers! {
    "random_under" "RandomUnderSampler" => RandomUnderParams, Rows, random true,
        "Random under-sampling: keeps a random subset of the larger classes", "Japkowicz and Stephen 2002";
    "random_over" "RandomOverSampler" => RandomOverParams, Rows, random true,
        "Random over-sampling: copies rows of the smaller classes, optionally with noise",
        "Japkowicz and Stephen 2002; Menardi and Torelli 2014 for the noise";
    "duplicate_over" "DuplicateOverSampler" => DuplicateOverParams, Rows, random false,
        "Over-sampling by whole copies of classes", "Zhu, Li and Dunson 2021";
    "smote" "SMOTE" => SmoteParams, Numbers, random true,
        "SMOTE: synthetic rows between neighbors of a class", "Chawla, Bowyer, Hall and Kegelmeyer 2002";
    "borderline_smote" "BorderlineSMOTE" => BorderlineParams, Numbers, random true,
        "Borderline-SMOTE: synthetic rows from rows near other classes", "Han, Wang and Mao 2005";
    "adasyn" "ADASYN" => AdasynParams, Numbers, random true,
        "ADASYN: more synthetic rows near other classes", "He, Bai, Garcia and Li 2008";
    "smotenc" "SMOTENC" => SmotencParams, Mixed, random true,
        "SMOTE for numeric and nominal columns", "Chawla, Bowyer, Hall and Kegelmeyer 2002, section 6.1";
    "tomek_links" "TomekLinks" => TomekParams, Numbers, random false,
        "Removal of Tomek links: pairs of mutual nearest neighbors of different classes", "Tomek 1976";
    "condensed_nearest_neighbour" "CondensedNearestNeighbour" => CondensedParams, Numbers, random true,
        "Condensed nearest neighbor: a subset of the rows that classifies the other rows", "Hart 1968";
    "one_sided_selection" "OneSidedSelection" => OneSidedParams, Numbers, random true,
        "One-sided selection: condensing, and removal of Tomek links", "Kubat and Matwin 1997";
    "smote_tomek" "SMOTETomek" => SmoteTomekParams, Numbers, random true,
        "SMOTE, then removal of Tomek links", "Batista, Prati and Monard 2004";
}
