//! Fast Boxes (Goh and Rudin 2014, section 4).
//!
//! The method clusters the positive rows and starts with the smallest box around every cluster. It then moves
//! every bound of a box by a closed form. With the default bound rule, every bound finally moves outwards to
//! a point near the next row of the other class.

mod bound_sums;
mod closed_form;
mod clustered_rows;
mod clusterer;
mod exponential;
mod first_pass;
mod learner;
mod nearest;
mod nested_boxes;
mod params;
mod partition_request;
mod row_scorer;
mod score_bounds;
mod setting_selection;
mod simd;
mod sorted_queries;
mod stored;
mod sweep;
mod value_filter;

pub use bound_sums::LogBoundSums;
pub use closed_form::BoundAdjustmentRule;
pub use clustered_rows::{ClusteredRows, Clustering, NO_CLUSTER};
pub(crate) use clustered_rows::{cluster_positive_rows, write_clusters_of_rows};
pub use clusterer::{ClusterPoints, Clusterer, NOISE};
pub(crate) use first_pass::TableAfterFirstPass;
pub use learner::FastBoxesLearner;
pub use nested_boxes::{NegativeValues, NestedBoxes};
pub use params::{FastBoxesParams, RowRanking};
pub use partition_request::handle_request;
pub use setting_selection::{SettingGrid, ValidationRows, validation_roc_hull_areas};
pub use sweep::{FastBoxesSweep, FinalAdjustment, LossParams};
