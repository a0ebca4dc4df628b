//! Split candidate of one node, and tie breaking.

/// Relative tolerance, with a scale of at least 1, within which two risks are equal.
const TOLERANCE: f64 = 1e-10;

/// Returns how far above `risk` another risk counts as equal.
pub(super) fn tie_tolerance(risk: f64) -> f64 {
    TOLERANCE * risk.abs().max(1.0)
}

/// Split of a node with the labels of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SvrCandidate {
    /// Number of rows with a value that go to the lower part.
    pub(super) n_lower: usize,
    /// Part that takes the missing values; `None` if there are none.
    pub(super) missing: Option<usize>,
    pub(super) labels: [usize; 2],
    pub(super) risk: f64,
}

/// Returns all pairs of labels: equal ones from the last class down, then unequal ones.
/// With two classes these are (1, 1), (0, 0), (0, 1), (1, 0).
pub(super) fn label_pairs(n_classes: usize) -> Vec<[usize; 2]> {
    let equal = (0..n_classes).rev().map(|class| [class, class]);
    let pairs = (0..n_classes).flat_map(|a| (0..n_classes).map(move |b| [a, b]));
    equal.chain(pairs.filter(|[a, b]| a != b)).collect()
}
