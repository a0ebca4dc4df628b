//! With which members a fit of many begins.
//!
//! A member follows from the rows, the parameters and its place in the seed, so a larger fit of the same has the members of a
//! smaller one among its own: it may take them over instead of teaching them again, and nothing of the result depends on that.

use crate::fitted::Fitted;
use imbcore_ensemble::ForestModel;
use imbcore_ensemble::committee::Lessons;

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
}

impl<'a> Start<'a> {
    /// The forest to begin with.
    pub(crate) fn forest(self) -> Option<&'a ForestModel> {
        match self {
            Self::From(fitted) => fitted.forest(),
            Self::Cold | Self::First => None,
        }
    }

    /// What the members of a committee to begin with were taught; None where nobody is to remember.
    pub(crate) fn lessons(self) -> Option<Lessons<Fitted>> {
        match self {
            Self::Cold => None,
            Self::First => Some(Lessons::default()),
            Self::From(fitted) => Some(
                fitted.committee().map(imbcore_ensemble::committee::Committee::lessons).unwrap_or_default(),
            ),
        }
    }
}
