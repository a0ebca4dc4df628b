//! Fast Boxes (Goh and Rudin 2014, section 4).
//!
//! The method clusters the positive rows and draws the smallest box around every cluster. It then moves every
//! bound of a box by a closed form, and finally outwards to a point near the next row of the other class.

mod answer;
mod bound;
mod clusterer;
mod exp;
mod first_pass;
mod groups;
mod lanes;
mod learner;
mod nearest;
mod nested;
mod params;
mod rank;
mod score_bounds;
mod select;
mod sieve;
mod sorted_queries;
mod stored;
mod sums;
mod sweep;

pub use answer::answer;
pub use bound::{FinalRule, shift};
pub use clusterer::{ClusterPoints, Clusterer, NOISE};
pub(crate) use first_pass::FirstPass;
pub use groups::{ClusteredRows, Clustering, NO_CLUSTER};
pub(crate) use groups::{cluster, fill_clusters};
pub use learner::FastBoxesLearner;
pub use nested::{NegativeValues, NestedBoxes};
pub use params::{FastBoxesParams, Ranking};
pub use select::{SettingGrid, ValidationRows, selection_scores};
pub use sums::BoundSums;
pub use sweep::{FastBoxesSweep, FinalAdjustment, LossSetting};
