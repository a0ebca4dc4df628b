//! Result of a query, either exact or estimated from weighted samples.

/// Joint distribution of the requested variables given the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The requested variables, ascending.
    pub variables: Vec<u32>,
    /// Number of states of each requested variable.
    pub levels: Vec<u32>,
    /// Probability of each combination of states; the state of the first variable varies slowest.
    pub p: Vec<f64>,
    /// `ln P(evidence)`; an estimate if `standard_error` is set.
    pub log_evidence: f64,
    /// Standard error of each probability estimated from samples; `None` for exact results.
    pub standard_error: Option<Vec<f64>>,
}
