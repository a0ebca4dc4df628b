//! Split candidate of one node, and tie breaking.

/// Relative tolerance, with a scale of at least 1, within which two risks are equal.
const TOLERANCE: f64 = 1e-10;

/// Returns how far above `risk` another risk counts as equal.
pub(super) fn tie_tolerance(risk: f64) -> f64 {
    TOLERANCE * risk.abs().max(1.0)
}

/// Split of a node, with the labels of both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SvrCandidate {
    /// Number of rows with a value that go to the lower side.
    pub(super) n_lower: usize,
    /// Side that takes the missing values; `None` if there are none.
    pub(super) missing: Option<usize>,
    pub(super) labels: [usize; 2],
    pub(super) risk: f64,
}
