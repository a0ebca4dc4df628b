//! Discretization of numeric and nominal columns to small integer codes.
//!
//! Cut points `c_1 < c_2 < ...` split a numeric column into the bins `(-inf, c_1], (c_1, c_2], ..., (c_k,
//! inf)`. The code of a value is the number of cut points strictly below it. Values outside the training
//! range fall into the first or the last bin.

mod criterion;
mod encode;
mod equal_freq;
mod guide;
mod learner;
mod mdlp;
mod params;
mod pieces;
mod profile;
mod range;
mod rare;
mod rule;
mod tally;
mod topdown;

#[cfg(test)]
mod oracle;

pub use learner::{DiscretizeSettings, DiscretizerInput};
pub use params::{CutMethod, DiscretizeParams, MissingPolicy, UnseenLevelPolicy};
pub use pieces::StreamingColumn;
pub(crate) use range::extend_range;
pub use rule::{ColumnRule, ColumnValues, Discretizer};
