//! Order of the open nodes in best-first growth.

pub(crate) struct PrioritizedNode<T> {
    /// Priority of the node; the node with the largest priority is split first.
    ///
    /// `BestFirstPriority` defines the priority.
    pub(crate) promise: f64,
    pub(crate) node: usize,
    pub(crate) open: T,
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
