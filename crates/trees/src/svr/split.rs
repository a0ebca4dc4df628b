//! Split candidate of one node, and tie breaking.

/// Relative tolerance within which two risks are equal; for risks below 1, it is absolute.
const TOLERANCE: f64 = 1e-10;

/// Returns the largest amount by which another risk may exceed `risk` and count as equal.
pub(super) fn tie_tolerance(risk: f64) -> f64 {
    TOLERANCE * risk.abs().max(1.0)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SvrCandidate {
    pub(super) n_lower: usize,
    pub(super) missing: Option<usize>,
    pub(super) labels: [usize; 2],
    pub(super) risk: f64,
}
