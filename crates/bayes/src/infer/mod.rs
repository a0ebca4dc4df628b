//! Exact inference: posteriors, marginals, most probable states, and batches of rows.
//!
//! All of it is variable elimination (Dechter 1999, "Bucket elimination: a unifying framework for
//! reasoning") in a min-fill order over the relevant part of the network, compiled to a plan that
//! depends only on which variables are observed. The steps of a plan form a tree of cliques;
//! running it backwards gives marginals, maximizers and samples. Evidence is a list of variables
//! with the codes of their states.

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
