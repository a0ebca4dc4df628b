//! Structure search: finds the arcs of a network.

mod backward;
mod best;
mod biased;
mod boss;
mod climb;
mod clock;
mod columns;
mod exact;
mod families;
#[cfg(test)]
mod golden_tests;
mod init_graph;
mod learner;
mod order;
mod pairs;
mod params;
mod parent_sets;
mod plane;
mod prove;
mod random;
mod rounding;
mod rules;
mod scored;
mod state;
mod ways;

pub use clock::StoppedBy;
pub use learner::{FoundStructure, StructureSettings};
pub use params::{
    Accept, ClassRole, Gaps, InitGraph, InitGraphRule, Kick, Mle, Rectify, RectifyOn, ScoreName, SearchName,
    StructureParams, TemperedUse, Tempering, TieOrder,
};
pub(crate) use rounding::tolerance;
pub(crate) use rules::ArcConstraints;
pub use state::Operation;
pub(crate) use ways::{SCORES, TEMPERED};
