//! Resampling of imbalanced classes: nearest neighbors, over- and under-sampling, cleaning.
//!
//! A sampler returns a [`ResamplingPlan`]: the rows to keep and, for each synthetic row, its base row, the
//! neighbor and the position between them. So users can check the origin of every synthetic row, and values
//! of synthetic rows are computed only when they are needed.
//!
//! ```
//! use imbcore_core::{Frame, Label, RunContext, SeedKey};
//! use imbcore_resample::{ResamplingTask, plan};
//!
//! let x = [0.0, 0.1, 0.2, 0.3, 0.4, 5.0, 5.5];
//! let frame = Frame::from_row_major(&x, 7, 1)?;
//! let labels = [Label::Int(0), Label::Int(1)];
//! let task = ResamplingTask::new(Some(&frame), &[0, 0, 0, 0, 0, 1, 1], &labels)?;
//! let given = serde_json::json!({"k_neighbors": 1});
//! let plan = plan("smote", given.as_object().unwrap(), &task, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(plan.added.classes, [1, 1, 1]);
//! assert!(plan.added.numeric_values(&frame)?.iter().all(|x| (5.0..=5.5).contains(x)));
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod adasyn;
mod borderline;
mod brute_force;
mod collectors;
mod condensed;
mod condensed_set;
mod distance_space;
mod draw;
mod interpolation;
mod kd_tree;
mod neighbors;
mod presets;
mod quantizer;
mod random_sampling;
mod registry;
mod resampling_task;
mod sampler;
mod smote;
mod smote_tomek;
mod smotenc;
mod strategy;
mod synthesis;
mod tomek;

pub use adasyn::{AdasynParams, NoOtherNeighborPolicy, Rounding, n_synthetic_rows_per_base};
pub use borderline::{
    BorderlineKind, BorderlineParams, NoBaseRowPolicy, group_rows_by_neighbor_class, select_svr_base_rows,
};
pub use condensed::{
    CondensedParams, CondensedScope, CondensingStopRule, OneSidedCondensing, OneSidedParams,
    OneSidedSelection, OneSidedStepOrder, ScanOrder,
};
pub use condensed_set::{CondensingSettings, condense};
pub use distance_space::{DistanceSpace, FeatureScaling};
pub use draw::{draw_distinct, draw_with_replacement, iter_with_replacement};
pub use interpolation::{BaseRowSchedule, InterpolationMode, NeighborDraw, SmallClassPolicy};
pub use neighbors::{Algorithm, NeighborIndex, Neighbors};
pub use presets::{SamplerDefinitionSource, svr_tree_samplers};
pub use random_sampling::{
    DuplicateOverParams, DuplicationCounts, RandomOverParams, RandomUnderParams, Shrinkage,
};
pub use registry::{InputKind, SAMPLER_NAMES, SamplerInfo, labels_to_codes, plan, reads, samplers};
pub use resampling_task::{AddedRows, BorderlineGroups, NO_MATE, ResamplingPlan, ResamplingTask};
pub use sampler::Sampler;
pub use smote::SmoteParams;
pub use smote_tomek::SmoteTomekParams;
pub use smotenc::{SmotencParams, median_standard_deviation, most_frequent_neighbor_codes};
pub use strategy::{RatioBase, SamplingKind, Strategy, StrategyName, TargetCounts};
pub use synthesis::SyntheticSampler;
pub use tomek::{TomekParams, tomek_links};
