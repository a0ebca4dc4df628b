//! One network of a Bayesian classifier, and weighting rules for several networks.

use crate::infer::{ClassPosterior, posterior_batch};
use crate::network::Network;
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext};
use serde::{Deserialize, Serialize};

/// Weighting rules for the networks of an ensemble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberWeighting {
    /// Equal weights.
    Plain,
    /// Weights by the probability that each network gives to the row to be predicted.
    ///
    /// The prediction is then the class posterior of the mixture of the joint distributions.
    Test,
    /// Weights by the probability that each network gives to the training rows (Heckerman 1996).
    ///
    /// These weights are the same for all predictions.
    Train,
    /// Weights by the marginal likelihood of the graphs on the training rows.
    Marginal,
}

/// One network over the class and the columns that have at least two states in training.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberNetwork {
    /// Columns of the data that are variables of the network, ascending.
    ///
    /// Variable `i` is column `columns[i]` of the data; the class is the last variable.
    pub columns: Vec<u32>,
    /// The network.
    pub network: Network,
}

impl MemberNetwork {
    /// Joins a network with its columns.
    ///
    /// # Errors
    /// [`Error::Data`] unless the network has exactly one more variable than there are columns.
    pub fn new(columns: Vec<u32>, network: Network) -> Result<Self> {
        if network.n_variables() != columns.len() + 1 {
            return Err(Error::Data(format!(
                "a network of {} variables does not match {} columns and a class",
                network.n_variables(),
                columns.len()
            )));
        }
        Ok(Self { columns, network })
    }

    pub(crate) fn class_variable(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Class posteriors of the rows of a table; with `with_log_p`, also `ln P(row)`.
    pub(super) fn class_posterior(
        &self,
        table: &DiscreteTable,
        with_log_p: bool,
        ctl: RunContext<'_>,
    ) -> Result<ClassPosterior> {
        posterior_batch(&self.network, self.class_variable(), table, with_log_p, ctl)
    }
}
