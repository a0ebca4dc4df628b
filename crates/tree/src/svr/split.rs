//! One split of one node: the candidate, and how ties are broken.

/// Two risks differ when they are further apart than this share of the larger one, or of 1.
const TOLERANCE: f64 = 1e-10;

/// How far above `risk` another risk counts as equal.
pub(super) fn tie(risk: f64) -> f64 {
    TOLERANCE * risk.abs().max(1.0)
}

/// A split of a node with the labels of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SvrCandidate {
    /// Rows with a value that go to the lower part.
    pub(super) n_lower: usize,
    /// Part that takes the rows without a value, where there are any.
    pub(super) missing: Option<usize>,
    pub(super) labels: [usize; 2],
    pub(super) risk: f64,
}

/// All pairs of labels in their order: equal ones from the last class down, then unequal ones. With two classes that
/// is (1, 1), (0, 0), (0, 1), (1, 0).
pub(super) fn label_pairs(n_classes: usize) -> Vec<[usize; 2]> {
    let equal = (0..n_classes).rev().map(|class| [class, class]);
    let pairs = (0..n_classes).flat_map(|a| (0..n_classes).map(move |b| [a, b]));
    equal.chain(pairs.filter(|[a, b]| a != b)).collect()
}
