//! Exact inference: posteriors, marginals, most probable states, and batches of rows.
//!
//! Every computation is a variable elimination (Dechter 1999, "Bucket elimination: a unifying framework for
//! reasoning"). It eliminates the variables in min-fill order, and uses only the part of the network that the
//! query needs. The elimination is compiled to a plan, which depends on the set of observed variables but not
//! on their states. The steps of a plan form a tree of cliques. Going through the steps backwards gives
//! marginals, most probable states and samples. Evidence is a list of observed variables with the codes of
//! their states.

mod batch;
mod evidence;
mod family;
#[cfg(test)]
mod golden;
mod marginals;
mod mpe;
mod order;
mod parts;
mod plan;
mod posterior;
mod query;
mod ratio;
mod relevant;
mod run;

pub(crate) use batch::log_posterior_batch;
pub use batch::{ClassPosterior, log_likelihood, posterior_batch};
pub(crate) use evidence::{codes, impossible};
pub use marginals::{Marginals, marginals};
pub use mpe::{Mpe, mpe};
pub(crate) use plan::{EliminationPlan, MAX_CELLS, factors};
pub use posterior::Posterior;
pub use query::{QuerySettings, posterior};
pub use ratio::{LogRatio, max_log_ratio};
pub(crate) use relevant::{RelevantScope, relevant};
pub(crate) use run::{FactorScratch, SumProduct, cells, divide};
