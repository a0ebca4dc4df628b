//! The result of a query, exact or from weighted samples.

/// The joint distribution of some variables given the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The requested variables, ascending.
    pub variables: Vec<u32>,
    /// Numbers of states of the variables.
    pub levels: Vec<u32>,
    /// Joint distribution; the state of the first variable varies slowest.
    pub p: Vec<f64>,
    /// `ln P(e)`; an estimate if `standard_error` is set.
    pub log_evidence: f64,
    /// Standard error of each cell of `p` for weighted samples; `None` for exact results.
    pub standard_error: Option<Vec<f64>>,
}
