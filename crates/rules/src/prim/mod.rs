//! Patient rule induction (Friedman and Fisher 1999).
//!
//! Finds boxes with a high positive fraction, peeled from the table one after the other. Row weights act as row counts.
//! Peeling removes one level of a nominal feature at a time. Rows with a missing value leave with the first bound of
//! that feature, or never, depending on the missing rule.

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
pub use peel::{Change, PeelingStep};
