//! One network of a Bayesian classifier, and how several are weighed.

use crate::infer::{ClassPosterior, posterior_batch};
use crate::network::Network;
use crate::table::DiscreteTable;
use imbcore_base::{Error, Result, RunCtl};
use serde::{Deserialize, Serialize};

/// How the networks of an ensemble are weighed against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberWeights {
    /// Alike.
    Plain,
    /// By the probability of the row that is answered: the posterior of the mixture of their joint laws.
    Test,
    /// By the probability of the training rows, the same for all networks (Heckerman 1996).
    Train,
    /// By the marginal likelihood of their graphs on the training rows.
    Marginal,
}

/// One network over the columns that say something, and the class.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Columns of the data that are the first variables of the network; the class is the last.
    pub columns: Vec<u32>,
    /// The network.
    pub network: Network,
}

impl Member {
    /// Joins a network with the columns that it is about.
    ///
    /// # Errors
    /// [`Error::Data`] unless the network has one variable more than there are columns.
    pub fn new(columns: Vec<u32>, network: Network) -> Result<Self> {
        if network.n_variables() != columns.len() + 1 {
            return Err(Error::Data(format!(
                "a network of {} variables cannot be about {} columns and a class",
                network.n_variables(),
                columns.len()
            )));
        }
        Ok(Self { columns, network })
    }

    /// The variable that is the class.
    pub fn class(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Class probabilities of a table of its variables, and `ln P(row)` where asked for.
    pub(super) fn answer(
        &self,
        table: &DiscreteTable,
        with_log_p: bool,
        ctl: RunCtl<'_>,
    ) -> Result<ClassPosterior> {
        posterior_batch(&self.network, self.class(), table, with_log_p, ctl)
    }
}
