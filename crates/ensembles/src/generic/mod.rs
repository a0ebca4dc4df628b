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
mod class_pools;
mod formula;
mod member_cache;
mod model;
mod resample_bag;
mod staged_voting;
mod stored;
mod under_sample;
mod vote_accumulator;
mod votes;
mod voting;
mod warm_start;

pub(crate) use assembly::in_memory_row_ranks;
pub use assembly::{EnsembleMethod, fit_single_member};
pub use bag::Bag;
pub(crate) use bag::scale_to_mean_one;
pub use bagging::{BaggingParams, BalancedBaggingParams};
pub use balanced::{
    OverBaggingParams, PercentSchedule, SmoteBaggingParams, UnderBaggingParams, UnderOverBaggingParams,
};
pub use base_learner::{BaseLearner, OutputKind, TrainingContext, finalize_bag_and_seed};
pub(crate) use base_learner::{MemberFit, bag_seed_key, fit_to_bag, map_member_indices, member_seed};
pub(crate) use class_pools::ClassRowPools;
pub use member_cache::MemberCache;
pub use model::{Ensemble, FittedMembers, model_output};
pub use staged_voting::{StageCombination, StagedVoting};
pub use stored::restrict_schema;
pub(crate) use under_sample::{select_kept_positions, under_sampling_target_counts};
pub use vote_accumulator::VoteAccumulator;
pub use voting::{VotingRule, VotingScheme};
pub use warm_start::{CachedLearner, CachedMember};
