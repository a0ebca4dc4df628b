//! Fast Boxes (Goh and Rudin 2014, section 4).
//!
//! Clusters the positive rows, draws the smallest box around every cluster, moves every bound by a closed form, and
//! expands it towards the next row of the other class.

mod answer;
mod bound;
mod clusterer;
mod exp;
mod groups;
mod ladder;
mod lanes;
mod learner;
mod look;
mod nearest;
mod nested;
mod params;
mod rank;
mod select;
mod sieve;
mod stored;
mod sums;
mod sweep;
mod walls;

pub use answer::answer;
pub use bound::{FinalRule, shift};
pub use clusterer::{ClusterPoints, Clusterer, NOISE};
pub use groups::{ClusteredRows, Clustering, NO_CLUSTER};
pub(crate) use groups::{cluster, fill_clusters};
pub use learner::FastBoxesLearner;
pub(crate) use look::FirstPass;
pub use nested::{NegativeValues, NestedBoxes};
pub use params::{FastBoxesParams, Ranking};
pub use select::{SettingGrid, ValidationRows, selection_scores};
pub use sums::BoundSums;
pub use sweep::{FastBoxesSweep, FinalAdjustment, LossSetting};
