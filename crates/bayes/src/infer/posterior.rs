//! The answer to a query, exact or from weighted samples.

/// The law of some variables given the evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The variables asked for, ascending.
    pub variables: Vec<u32>,
    /// Their numbers of states.
    pub levels: Vec<u32>,
    /// Their joint law; the state of the first variable changes slowest.
    pub p: Vec<f64>,
    /// `ln P(e)`, an estimate where `standard_error` is given.
    pub log_evidence: f64,
    /// Standard error of every cell of `p`, where the answer is from weighted samples; `None` where it is exact.
    pub standard_error: Option<Vec<f64>>,
}
