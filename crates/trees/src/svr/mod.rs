//! SVR-Tree: trees with a small surface-to-volume ratio (Zhu, Li and Dunson 2021).
//!
//! The risk of a tree is its signed impurity plus `penalty` times a regularizer (equation 1 of the paper). By
//! default, the regularizer is the sum of the surface-to-volume ratios of the regions of all classes except
//! the largest class. The region of a class consists of all leaves with its label. A split also chooses the
//! labels of both children.
//!
//! The tree is grown breadth first, and every candidate split is evaluated by its effect on the regions. The
//! evaluation is incremental: only the walls of the box that is split change, see [`surface`].

mod axes;
mod growth_json;
mod leaf_boxes;
mod learner;
mod levels;
mod model;
mod params;
mod sample;
mod scan;
mod split;
mod stored;
mod surface;
mod svr_grower;
mod svr_stats;

pub use axes::{MOST_LEVEL_AXES, SvrData};
pub use learner::{SvrLearner, penalty_grid};
pub use model::SvrModel;
pub use params::{
    MinorityWeight, MinorityWeightName, PenalisedName, PenalizedClasses, ProbabilityRule, PureNodes,
    Regularizer, Scaling, StopRule, SvrMissing, SvrParams,
};
pub use svr_stats::SvrTreeStats;
