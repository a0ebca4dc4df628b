//! SVR-Tree: trees whose decision set has little surface for its volume (Zhu, Li and Dunson 2021).
//!
//! The risk of a tree is its signed impurity plus `penalty` times the surface-to-volume ratio of the region that it
//! answers with the rare class (their equation 1). A split takes the labels of both children with it, so the tree is
//! grown breadth first, and every candidate is weighed by what it does to the whole region. Nothing is recomputed for
//! that: only the walls of the box that is split change, see [`surface`].

mod axes;
mod boxes;
mod describe;
mod facts;
mod grow;
mod learner;
mod levels;
mod model;
mod params;
mod sample;
mod scan;
mod split;
mod stored;
mod surface;

pub use axes::{MOST_LEVEL_AXES, SvrGround};
pub use facts::SvrState;
pub use learner::{SvrLearner, penalty_grid};
pub use model::SvrModel;
pub use params::{
    MinorityWeight, MinorityWeightName, Penalised, PenalisedName, ProbabilityRule, PureNodes, Regularizer,
    Scaling, StopRule, SvrMissing, SvrParams,
};
