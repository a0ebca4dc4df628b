//! Optimal decision trees of small depth for any misclassification costs or F-measure.
#![forbid(unsafe_code)]

mod ahead;
mod best_tree;
mod claim;
mod f_beta;
mod floor;
mod front;
mod grown;
mod hull;
mod judge;
mod knowledge;
mod learner;
mod line;
mod measure;
mod memory;
mod model;
mod packed;
mod pairs;
mod params;
mod plain;
mod plain_units;
mod plan;
mod prices;
mod ranking;
mod roc_area;
mod search;
mod sketch;
mod solve;
mod solver;
mod stated;
mod stump;
mod subset;
mod table;
mod verify;
mod whole;

pub use claim::{SplitBound, SplitTest, TreeCertificate, TreeClaim};
pub use floor::{ConstrainedSolution, RateConstraint, at_floor};
pub use hull::{SupportingLine, TreeHull, Vertex, hull};
pub use learner::OptimalTreeLearner;
pub use model::OptimalModel;
pub use params::{
    FBetaObjective, MinPrecision, MinRecall, MissingHandling, OptimalTreeParams, TreeObjective,
    TreeObjectiveName,
};
pub use plan::{PlanNode, PlanSplit, TreePlan};
pub use solve::{Solution, TreeCosts, TreeFamily, solve};
pub use stated::CertificateDocument;
pub use table::RankedTable;
pub use verify::VerificationReport;
