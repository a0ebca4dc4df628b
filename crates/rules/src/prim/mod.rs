//! Patient rule induction method, PRIM (Friedman and Fisher 1999).
//!
//! PRIM finds boxes with a high positive fraction one after the other, by peeling thin slices from the table.
//! Row weights act as row counts. A peel removes a slice at one end of a numeric feature, or one level of a
//! nominal feature.
//!
//! With missing rule `outside`, the first peel on a feature also removes the rows in which this feature is
//! missing. With missing rule `inside`, missing values never exclude a row.

mod covering;
mod learner;
mod params;
mod pasting;
mod peeling;
mod prim_data;
mod stored;

pub use covering::PrimCovering;
pub use learner::PrimLearner;
pub use params::PrimParams;
pub use peeling::{BoxChange, PeelingStep};
