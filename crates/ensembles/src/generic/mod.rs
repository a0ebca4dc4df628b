//! Ensembles of members of any type, fitted to bags of rows and combined by a voting rule.
//!
//! A method draws bags ([`Bag`]), and a [`BaseLearner`] fits members to them. The members and their
//! [`VotingScheme`] form the [`Ensemble`]. Members may be native or external models, because methods use only
//! the interface of [`BaseLearner`].

mod assembly;
mod bag;
mod bagging;
mod balanced;
mod base_learner;
mod draw;
mod formula;
mod member_cache;
mod model;
mod resampled;
mod staged;
mod stored;
mod thinned;
mod vote_accumulator;
mod votes;
mod voting;
mod warm_start;

pub(crate) use assembly::there;
pub use assembly::{EnsembleMethod, alone};
pub use bag::Bag;
pub(crate) use bag::scale_to_mean_one;
pub use bagging::{BaggingParams, BalancedBaggingParams};
pub use balanced::{
    OverBaggingParams, PercentSchedule, SmoteBaggingParams, UnderBaggingParams, UnderOverBaggingParams,
};
pub use base_learner::{BaseLearner, OutputKind, TrainingContext, fit_task};
pub(crate) use base_learner::{MemberFit, bag_key, fit_to_bag, member_seed, side_by_side};
pub(crate) use draw::ClassPools;
pub use member_cache::MemberCache;
pub use model::{Ensemble, FittedMembers, output_of};
pub use staged::{StageCombination, StagedVoting};
pub use stored::seen;
pub(crate) use thinned::{kept, under_sampling_goal};
pub use vote_accumulator::VoteAccumulator;
pub use voting::{VotingRule, VotingScheme};
pub use warm_start::{CachedLearner, CachedMember};
