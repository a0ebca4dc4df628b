//! Order of the open nodes in best-first growth.

pub(crate) struct PrioritizedNode<T> {
    /// Priority of the node; the node with the largest priority is split first.
    ///
    /// `BestFirstPriority` defines the priority.
    pub(crate) promise: f64,
    pub(crate) node: usize,
    pub(crate) open: T,
}

/// Number of low bits of a priority that are rounded away.
///
/// The remaining 30 bits of the mantissa have a relative precision of 1e-9, the tolerance for ties of splits.
const ROUNDED_BITS: u32 = 22;

impl<T> PrioritizedNode<T> {
    /// Rounds the priority, so that equal impurity decreases have equal priorities.
    ///
    /// Without it, rounding errors of sums could make them differ, for example in two nodes that differ only
    /// in the order of the classes. A comparison with a tolerance would not be transitive.
    pub(crate) fn new(promise: f64, node: usize, open: T) -> Self {
        let half = 1 << (ROUNDED_BITS - 1);
        let promise = f64::from_bits((promise.to_bits() + half) >> ROUNDED_BITS << ROUNDED_BITS);
        Self { promise, node, open }
    }
}

impl<T> PartialEq for PrioritizedNode<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for PrioritizedNode<T> {}

impl<T> PartialOrd for PrioritizedNode<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for PrioritizedNode<T> {
    /// The node with the higher priority is greater; in ties, the node created first.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.promise.total_cmp(&other.promise).then(other.node.cmp(&self.node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_equal_priorities_are_ties_that_go_to_the_older_node() {
        let node = |promise, node| PrioritizedNode::new(promise, node, ());
        assert!(node(0.3, 1) > node(0.1 + 0.2, 2));
        assert!(node(0.1 + 0.2, 1) > node(0.3, 2));
        assert!(node(0.3 * (1.0 + 1e-8), 2) > node(0.3, 1));
        assert!(node(0.0, 1) > node(0.0, 2) && node(1e-300, 2) > node(0.0, 1));
    }
}
