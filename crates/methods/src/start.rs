//! With which members a fit of many begins.
//!
//! A member follows from the rows, the parameters and its place in the seed, so a larger fit of the same has the members of a
//! smaller one among its own: it may take them over instead of teaching them again, and nothing of the result depends on that.

use crate::fitted::Fitted;
use imbcore_ensemble::ForestModel;
use imbcore_ensemble::committee::Lessons;
use imbcore_tree::boosted::BoostedModel;
use std::ops::Range;

/// With which members a fit begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start<'a> {
    /// With none, and nobody is to begin with its own.
    #[default]
    Cold,
    /// With none; a larger fit may begin with its own.
    First,
    /// With those of a model of the same rows, parameters and seed, but perhaps fewer members.
    From(&'a Fitted),
    /// With none, and only the members from the first number up to the second are made: a part, to be merged with the others.
    Part(u32, u32),
}

impl<'a> Start<'a> {
    /// The forest to begin with.
    pub(crate) fn forest(self) -> Option<&'a ForestModel> {
        match self {
            Self::From(fitted) => fitted.forest(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    /// The boosted trees to begin with.
    pub(crate) fn boosted(self) -> Option<&'a BoostedModel> {
        match self {
            Self::From(fitted) => fitted.boosted(),
            Self::Cold | Self::First | Self::Part(..) => None,
        }
    }

    /// The members to be made, where those are not all.
    pub(crate) fn part(self) -> Option<Range<u32>> {
        match self {
            Self::Part(first, end) => Some(first..end),
            Self::Cold | Self::First | Self::From(_) => None,
        }
    }

    /// What the members of a committee to begin with were taught; None where nobody is to remember.
    pub(crate) fn lessons(self) -> Option<Lessons<Fitted>> {
        match self {
            Self::Cold | Self::Part(..) => None,
            Self::First => Some(Lessons::default()),
            Self::From(fitted) => Some(
                fitted.committee().map(imbcore_ensemble::committee::Committee::lessons).unwrap_or_default(),
            ),
        }
    }
}
