//! Exact inference: posteriors, marginals, most probable states, and batches of rows.
//!
//! The method is variable elimination (Dechter 1999, "Bucket elimination: a unifying framework for
//! reasoning"). It eliminates the variables in min-fill order, and uses only the part of the network that the
//! query needs. The elimination is compiled to a plan, which depends on the set of observed variables but not
//! on their states. The steps of a plan form a tree of cliques. Going through the steps backwards gives
//! marginals, most probable states and samples. Evidence is a list of observed variables with the codes of
//! their states.

mod batch;
mod elimination;
mod elimination_order;
mod elimination_plan;
mod evidence;
mod family_logs;
#[cfg(test)]
mod golden;
mod log_odds;
mod marginals;
mod missing_components;
mod mpe;
mod posterior;
mod query;
mod relevance;

pub(crate) use batch::log_posterior_batch;
pub use batch::{ClassPosterior, log_likelihood, posterior_batch};
pub(crate) use elimination::{FactorScratch, SumProduct, divide_cells, network_tables};
pub(crate) use elimination_plan::{EliminationPlan, MAX_CELLS, network_factors};
pub(crate) use evidence::{evidence_codes, zero_probability_error};
pub use log_odds::{MaxLogRatio, max_log_ratio};
pub use marginals::{Marginals, marginals};
pub use mpe::{MostProbableExplanation, most_probable_explanation};
pub use posterior::Posterior;
pub use query::{QuerySettings, posterior};
pub(crate) use relevance::{RelevantScope, select_relevant_variables};
