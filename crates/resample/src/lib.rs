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
//! let frame = Frame::from_rows(&x, 7, 1)?;
//! let labels = [Label::Int(0), Label::Int(1)];
//! let task = ResamplingTask::new(Some(&frame), &[0, 0, 0, 0, 0, 1, 1], &labels)?;
//! let given = serde_json::json!({"k_neighbors": 1});
//! let plan = plan("smote", given.as_object().unwrap(), &task, SeedKey::root(0), RunContext::silent())?;
//! assert_eq!(plan.added.classes, [1, 1, 1]);
//! assert!(plan.added.numbers(&frame)?.iter().all(|x| (5.0..=5.5).contains(x)));
//! # Ok::<(), imbcore_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod adasyn;
mod between;
mod borderline;
mod brute;
mod condensed;
mod draw;
mod lens;
mod neighbors;
mod params;
mod presets;
mod random;
mod registry;
mod smote;
mod smote_tomek;
mod smotenc;
mod space;
mod store;
mod strategy;
mod synthesis;
mod task;
mod tomek;
mod tree;
mod visit;

pub use adasyn::{AdasynParams, NoOtherNeighborPolicy, Rounding, rows_to_add};
pub use between::{InterpolationMode, NeighborDraw, Schedule, SmallClassPolicy};
pub use borderline::{BorderlineKind, BorderlineParams, NoBasePolicy, neighborhoods, svr_bases};
pub use condensed::{
    CondenseUntil, CondensedParams, CondensedScope, OneSidedParams, OneSidedSelection, Scan, SelectionOrder,
    SelectionPasses,
};
pub use draw::{distinct, iter_with_replacement, places, repeated};
pub use neighbors::{Algorithm, NeighborIndex, Neighbors};
pub use params::Sampler;
pub use presets::{DefinitionSource, svr_tree};
pub use random::{DuplicateOverParams, DuplicationWeights, RandomOverParams, RandomUnderParams, Shrinkage};
pub use registry::{InputKind, SAMPLER_NAMES, SamplerInfo, by_code, plan, reads, samplers};
pub use smote::SmoteParams;
pub use smote_tomek::SmoteTomekParams;
pub use smotenc::{SmotencParams, median_deviation, modes};
pub use space::{DistanceSpace, Scale};
pub use store::{Condensing, condense};
pub use strategy::{Goal, RatioBase, SamplingKind, Strategy, StrategyName};
pub use synthesis::Synthesis;
pub use task::{AddedRows, BorderlineGroups, NO_MATE, ResamplingPlan, ResamplingTask};
pub use tomek::{TomekParams, links};
