//! Ensembles of members of any type, fitted to bags of rows and combined by one rule.
//!
//! A method draws bags ([`Bag`]), a [`BaseLearner`] fits members to them, and the members with their [`VotingScheme`]
//! form the [`Committee`]. Members may be native models or external ones, because the methods use only this
//! interface.

mod assembly;
mod bag;
mod bagging;
mod balanced;
mod ballot;
mod draw;
mod formula;
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
pub use assembly::{EnsembleMethod, alone};
pub use bag::Bag;
pub(crate) use bag::scale_to_mean_one;
pub use bagging::{BaggingParams, BalancedBaggingParams};
pub use balanced::{
    OverBaggingParams, PercentSchedule, SmoteBaggingParams, UnderBaggingParams, UnderOverBaggingParams,
};
pub use ballot::{VotingRule, VotingScheme};
pub(crate) use draw::ClassPools;
pub use lessons::MemberCache;
pub use model::{Ensemble, FittedMembers, voices};
pub use remembering::{CachedLearner, CachedMember};
pub use staged::{StageCombination, StagedVoting};
pub use stored::seen;
pub use tally::VoteAccumulator;
pub use teacher::{BaseLearner, OutputKind, TrainingContext, lesson};
pub(crate) use teacher::{MemberFit, bag_key, member_seed, side_by_side, teach};
pub(crate) use thinned::{kept, under_sampling_goal};
