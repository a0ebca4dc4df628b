//! Discretization of numeric and nominal columns to small integer codes.
//!
//! Cut points `c_1 < c_2 < ...` split a numeric column into the bins `(-inf, c_1], (c_1, c_2], ..., (c_k,
//! inf)`. The code of a value is the number of cut points strictly below it. Values outside the training
//! range fall into the first or the last bin.

mod bucket_index;
mod column_rule;
mod cut_criterion;
mod encode;
mod equal_freq;
mod learner;
mod majority_counts;
mod mdlp;
mod params;
mod range;
mod streaming_column;
mod topdown;
mod value_counts;
mod value_profile;

#[cfg(test)]
mod oracle;

pub use column_rule::{ColumnRule, ColumnStates, Discretizer};
pub use learner::{DiscretizeSettings, DiscretizerInput};
pub use params::{CutMethod, DiscretizeParams, MissingPolicy, UnseenLevelPolicy};
pub(crate) use range::extend_range;
pub use streaming_column::StreamingColumnStats;
