//! Committees: members of any make, taught bags of rows, heard by one rule.
//!
//! A method draws bags ([`Bag`]), a [`Teacher`] makes members of them, and the members with their [`Ballot`] are the
//! [`Committee`]. Members may be models of ours or of anybody: the methods are written once over the seam.

mod assembly;
mod bag;
mod bagging;
mod balanced;
mod ballot;
mod draw;
mod model;
mod resampled;
mod stored;
mod tally;
mod teacher;

pub use assembly::Assembly;
pub use bag::Bag;
pub use bagging::{BaggingParams, BalancedBaggingParams};
pub use balanced::{
    OverBaggingParams, PercentSchedule, SmoteBaggingParams, UnderBaggingParams, UnderOverBaggingParams,
};
pub use ballot::{Ballot, Rule};
pub use model::{Assembled, Committee, voices};
pub use stored::seen;
pub use tally::Tally;
pub use teacher::{Teacher, Training, Voice};
