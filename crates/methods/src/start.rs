//! Warm start: the members that a fit of an ensemble begins with.
//!
//! A member depends on the rows, the parameters and its index in the random stream. A larger fit with the
//! same inputs therefore contains the members of a smaller fit. It may reuse these members without changing
//! the result.

use crate::fitted::FittedEstimator;
use imbcore_ensembles::ForestModel;
use imbcore_ensembles::generic::MemberCache;
use imbcore_trees::boosted::BoostedModel;
use std::ops::Range;

/// Members that a fit begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum WarmStart<'a> {
    /// No existing members, and no later fit reuses the new ones.
    #[default]
    Cold,
    /// No existing members; a larger fit may reuse the new ones.
    First,
    /// Members of a model with the same rows, parameters and seed, and at most as many members.
    From(&'a FittedEstimator),
    /// Only the members from the first index up to the second are fitted, to be merged later.
    Part(u32, u32),
}

impl<'a> WarmStart<'a> {
    /// The forest to start from.
    pub(crate) fn forest(self) -> Option<&'a ForestModel> {
        match self {
            Self::From(fitted) => fitted.forest(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    /// The boosted trees to start from.
    pub(crate) fn boosted(self) -> Option<&'a BoostedModel> {
        match self {
            Self::From(fitted) => fitted.boosted(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    /// The range of members to fit; `None` for all members.
    pub(crate) fn member_range(self) -> Option<Range<u32>> {
        match self {
            Self::Part(first, end) => Some(first..end),
            Self::Cold | Self::First | Self::From(_) => None,
        }
    }

    /// Reusable members of an ensemble, by the digests of their training data.
    ///
    /// None if no members are cached.
    pub(crate) fn member_cache(self) -> Option<MemberCache<FittedEstimator>> {
        match self {
            Self::Cold | Self::Part(..) => None,
            Self::First => Some(MemberCache::default()),
            Self::From(fitted) => Some(
                fitted.ensemble().map(imbcore_ensembles::generic::Ensemble::member_cache).unwrap_or_default(),
            ),
        }
    }
}
