//! Warm start: a fit of an ensemble reuses the members of an earlier, smaller fit.
//!
//! A member depends only on the training rows, the parameters, the seed and its index. A larger fit to the
//! same rows therefore contains all members of the smaller fit. Reusing them does not change the result.

use crate::fitted::FittedEstimator;
use imbcore_ensembles::ForestModel;
use imbcore_ensembles::generic::MemberCache;
use imbcore_trees::boosted::BoostedModel;
use std::ops::Range;

/// Choice whether a fit reuses members of an earlier fit, or fits only a range of members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum WarmStart<'a> {
    /// No members are reused, and no later fit will reuse the new members.
    #[default]
    Cold,
    /// No members are reused, but a later, larger fit may reuse the new members.
    First,
    /// Members of an earlier fit with the same rows, parameters and seed are reused.
    ///
    /// The earlier fit has at most as many members as this fit.
    From(&'a FittedEstimator),
    /// Only members with indices from the first number to the second (exclusive) are fitted.
    ///
    /// The resulting part of the ensemble can be merged with other parts later.
    Part(u32, u32),
}

impl<'a> WarmStart<'a> {
    pub(crate) fn forest(self) -> Option<&'a ForestModel> {
        match self {
            Self::From(fitted) => fitted.forest(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    pub(crate) fn boosted(self) -> Option<&'a BoostedModel> {
        match self {
            Self::From(fitted) => fitted.boosted(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    /// Indices of the members to fit; `None` for all members.
    pub(crate) fn member_range(self) -> Option<Range<u32>> {
        match self {
            Self::Part(first, end) => Some(first..end),
            Self::Cold | Self::First | Self::From(_) => None,
        }
    }

    /// Cache of members: the fit takes known members from it, and adds new members to it.
    ///
    /// The key of a member is a hash of its training data. `None` if neither this fit nor a later fit reuses
    /// members.
    pub(crate) fn member_cache(self) -> Option<MemberCache<FittedEstimator>> {
        match self {
            Self::Cold | Self::Part(..) => None,
            Self::First => Some(MemberCache::default()),
            Self::From(fitted) => Some(
                fitted
                    .ensemble()
                    .map(imbcore_ensembles::generic::Ensemble::to_member_cache)
                    .unwrap_or_default(),
            ),
        }
    }
}
