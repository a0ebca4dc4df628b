//! Ensembles of members of any type, fitted to bags of rows and combined by one rule.
//!
//! A method draws bags ([`Bag`]), a [`Teacher`] fits members to them, and the members with their [`Ballot`]
//! form the [`Committee`]. Members may be native models or external ones, because the methods use only this
//! interface.

mod assembly;
mod bag;
mod bagging;
mod balanced;
mod ballot;
mod draw;
mod lessons;
mod model;
mod remembering;
mod resampled;
mod staged;
mod stored;
mod tally;
mod teacher;
mod thinned;
mod votes;

pub(crate) use assembly::there;
pub use assembly::{Assembly, alone};
pub use bag::Bag;
pub(crate) use bag::of_mean_1;
pub use bagging::{BaggingParams, BalancedBaggingParams};
pub use balanced::{
    OverBaggingParams, PercentSchedule, SmoteBaggingParams, UnderBaggingParams, UnderOverBaggingParams,
};
pub use ballot::{Ballot, Rule};
pub(crate) use draw::Pools;
pub use lessons::Lessons;
pub use model::{Assembled, Committee, voices};
pub use remembering::{Known, Remembering};
pub use staged::{Join, Staged};
pub use stored::seen;
pub use tally::Tally;
pub(crate) use teacher::{Taught, bag_key, member_seed, side_by_side, teach};
pub use teacher::{Teacher, Training, Voice, lesson};
pub(crate) use thinned::{goal_of, kept};
