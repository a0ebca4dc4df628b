//! Patient rule induction (Friedman and Fisher 1999): boxes in which the positive class is frequent, peeled out of the
//! table one after the other.
//!
//! Row weights count as rows. Nominal features lose a level at a time. A row without a value leaves with the first bound of
//! that feature, or never, as the rule for missing values says.

mod adjust;
mod covering;
mod field;
mod learner;
mod params;
mod peel;
mod stored;

pub use covering::Covering;
pub use learner::PrimLearner;
pub use params::PrimParams;
pub use peel::{Change, Step};
