//! Optimal decision trees of small depth for any misclassification costs or F-measure.
#![forbid(unsafe_code)]

mod best_tree;
mod bound_cache;
mod bound_reuse;
mod certificate_check;
mod certificate_document;
mod claim;
mod common_unit;
mod constraint;
mod f_beta;
mod front;
mod hull;
mod learner;
mod line;
mod lookahead;
mod measure;
mod model;
mod packed;
mod pairs;
mod params;
mod plan;
mod prices;
mod ranking;
mod reference_table;
mod reference_units;
mod roc_area;
mod search;
mod sketch;
mod solve;
mod solver;
mod stump;
mod subset;
mod table;
mod tree_builder;
mod verify;

pub use certificate_document::CertificateDocument;
pub use claim::{SplitBound, SplitTest, TreeCertificate, TreeClaim};
pub use constraint::{ConstrainedSolution, RateConstraint, at_floor};
pub use hull::{SupportingLine, TreeHull, Vertex, hull};
pub use learner::OptimalTreeLearner;
pub use model::OptimalModel;
pub use params::{
    FBetaObjective, MinPrecision, MinRecall, MissingHandling, OptimalTreeParams, TreeObjective,
    TreeObjectiveName,
};
pub use plan::{PlanNode, PlanSplit, TreePlan};
pub use solve::{Solution, TreeCosts, TreeFamily, solve};
pub use table::RankedTable;
pub use verify::VerificationReport;
