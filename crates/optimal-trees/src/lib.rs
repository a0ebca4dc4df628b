//! Optimal decision trees of small depth for any misclassification costs or F-measure.
#![forbid(unsafe_code)]

mod active_rows;
mod best_tree;
mod bound_cache;
mod bound_reuse;
mod certificate_check;
mod certificate_document;
mod claim_verifier;
mod common_unit;
mod constrained_search;
mod depth_two;
mod f_beta;
mod feature_cuts;
mod hull_ranking;
mod integer_costs;
mod learner;
mod lookahead;
mod model;
mod node_subset;
mod params;
mod pareto_front;
mod partial_tree;
mod prediction_costs;
mod prefix_extremes;
mod ranked_table;
mod reference_table;
mod roc_area;
mod root_search;
mod solve;
mod solver;
mod stump;
mod tree_builder;
mod tree_certificate;
mod tree_hull;
mod tree_plan;

pub use certificate_document::CertificateDocument;
pub use claim_verifier::VerificationReport;
pub use constrained_search::{ConstrainedSolution, RateConstraint, find_best_constrained_tree};
pub use learner::OptimalTreeLearner;
pub use model::OptimalModel;
pub use params::{
    FBetaObjective, MinPrecision, MinRecall, MissingHandling, OptimalTreeParams, TreeObjective,
    TreeObjectiveName,
};
pub use ranked_table::RankedTable;
pub use solve::{TreeCosts, TreeFamily, TreeSolution, solve};
pub use tree_certificate::{SplitBound, SplitTest, TreeCertificate, TreeClaim};
pub use tree_hull::{CostRatioLowerBound, TreeHull, Vertex, compute_hull};
pub use tree_plan::{PlanNode, PlanSplit, TreePlan};
