//! Structure search: finds the arcs of a network.

mod arc_constraints;
mod backward_phase;
mod best_order_search;
mod biased_search;
mod cached_scorer;
mod column_order;
mod common_rows_score;
mod decomposable_score;
mod exact;
#[cfg(test)]
mod golden_tests;
mod graph_state;
mod hill_climbing;
mod init_graph;
mod learner;
mod multi_start;
mod params;
mod parent_pairs;
mod parent_sets;
mod plane;
mod proof_search;
mod random_graphs;
mod rounding;
mod scored;
mod search_limits;
mod ways;

pub(crate) use arc_constraints::ArcConstraints;
pub use graph_state::Operation;
pub use learner::{FoundStructure, StructureSettings};
pub use params::{
    Accept, ClassRole, Gaps, InitGraph, InitGraphRule, Kick, Mle, Rectify, RectifyOn, ScoreName, SearchName,
    StructureParams, TemperedUse, Tempering, TieOrder,
};
pub(crate) use rounding::score_rounding_tolerance;
pub use search_limits::StopReason;
pub(crate) use ways::{SCORES, TEMPERED};
