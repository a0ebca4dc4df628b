//! Structure search: which arcs a network has.

mod biased;
mod climb;
mod clock;
mod exact;
mod families;
#[cfg(test)]
mod golden_tests;
mod learner;
mod order;
mod params;
mod random;
mod rules;
mod state;

pub use clock::StoppedBy;
pub use learner::{FoundStructure, StructureSettings};
pub use params::{
    Accept, ClassRole, Gaps, Kick, Mle, Rectify, RectifyOn, RectifyWeights, ScoreName, SearchName, Start,
    StructureParams, TieOrder,
};
pub use state::Operation;
