//! Minimal cost-complexity pruning (Breiman et al. 1984, chapter 3).

use super::risk::Risk;
use crate::tree::{Tree, TreeSplit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Absolute and relative tolerance within which two weaknesses `g` count as equal.
/// See [`Tree::cost_complexity_path`] for the definition of `g`.
const LEAST: f64 = 1e-12;
const SHARE: f64 = 1e-9;

/// Returns alpha plus its tolerance; a node is pruned if its weakness is at most this number.
fn add_tolerance(alpha: f64) -> f64 {
    alpha + f64::max(LEAST, SHARE * alpha)
}

/// Complexity parameter alpha of at least 0, which may be infinite.
/// JSON has no infinity, so an infinite alpha is written as "inf".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComplexityParameter(pub f64);

impl Serialize for ComplexityParameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == f64::INFINITY {
            serializer.serialize_str("inf")
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for ComplexityParameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum ComplexityRepr {
            Number(f64),
            Word(String),
        }
        match ComplexityRepr::deserialize(deserializer)? {
            ComplexityRepr::Number(alpha) => Ok(Self(alpha)),
            ComplexityRepr::Word(word) if word == "inf" => Ok(Self(f64::INFINITY)),
            ComplexityRepr::Word(word) => {
                Err(serde::de::Error::custom(format!("invalid complexity parameter: {word}")))
            }
        }
    }
}

/// Nested trees that minimize risk + alpha x (number of leaves), from alpha = 0 upward.
///
/// Entry `k` is the smallest tree that minimizes this sum for every alpha in `[alphas[k], alphas[k + 1])`.
/// Invariants: the alphas never decrease, the numbers of leaves strictly decrease, the first alpha is 0, and
/// the last tree is the root alone.
#[derive(Clone, Debug, PartialEq)]
pub struct PruningPath {
    /// Smallest alpha for which each tree is optimal.
    pub alphas: Vec<f64>,
    /// Risk of each tree.
    pub risks: Vec<f64>,
    /// Number of leaves of each tree.
    pub leaves: Vec<u32>,
    /// For each tree, the nodes that its pruning step turns into leaves, in ascending order.
    ///
    /// If a node of the list is below another node of the list, it is removed from the tree.
    pub pruned: Vec<Vec<u32>>,
}

impl PruningPath {
    /// Returns the index of the tree that is optimal for an alpha of at least 0.
    /// Alpha may be rounded: a tree is also accepted if its smallest alpha exceeds `alpha` by at most the
    /// tolerance.
    pub fn index_for_alpha(&self, alpha: f64) -> usize {
        self.alphas.partition_point(|&from| from <= add_tolerance(alpha)).saturating_sub(1)
    }

    /// Iterates over the nodes that become leaves in pruning steps 0 to `step`.
    pub fn pruned_nodes(&self, step: usize) -> impl Iterator<Item = u32> {
        self.pruned[..=step].iter().flatten().copied()
    }
}

impl Tree {
    /// Computes the cost-complexity path of this tree.
    ///
    /// The weakness of an internal node `t` is `g(t) = (R(t) - R(T_t)) / (leaves(T_t) - 1)`. Here, `R` is the
    /// risk and `T_t` the subtree below `t`. The first step uses `alpha = 0`. In every later step, `alpha` is
    /// the smallest weakness, but at least the `alpha` of the previous step. In each step, all nodes whose
    /// weakness is at most `alpha + max(1e-12, 1e-9 alpha)` become leaves.
    pub fn cost_complexity_path(&self, risk: &Risk) -> PruningPath {
        let mut links = WeakLinkHeap::new(self, risk);
        let mut path = PruningPath { alphas: vec![], risks: vec![], leaves: vec![], pruned: vec![] };
        let mut alpha = 0.0;
        loop {
            let pruned = links.pop_weakest(add_tolerance(alpha));
            links.prune(&pruned);
            path.alphas.push(alpha);
            path.risks.push(links.below[0].risk);
            path.leaves.push(links.below[0].leaves);
            path.pruned.push(pruned.into_iter().map(|node| node as u32).collect());
            match links.min_weakness() {
                // Due to rounding, the smallest weakness may be below the alpha of the previous step. Alpha
                // must not decrease.
                Some(link) => alpha = link.max(alpha),
                None => return path,
            }
        }
    }

    /// Returns the smallest pruned tree that minimizes risk + alpha x (number of leaves).
    #[must_use]
    pub fn prune_with_alpha(&self, alpha: f64, risk: &Risk) -> Self {
        let path = self.cost_complexity_path(risk);
        self.collapse_to_leaves(path.pruned_nodes(path.index_for_alpha(alpha)))
    }
}

#[derive(Clone, Copy)]
struct SubtreeRisk {
    risk: f64,
    leaves: u32,
}

/// Internal node with its weakness `g`; ordered by weakness, then by node.
#[derive(Clone, Copy, PartialEq)]
struct WeakLink {
    g: f64,
    node: usize,
}

impl Eq for WeakLink {}

impl PartialOrd for WeakLink {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for WeakLink {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.g.total_cmp(&other.g).then(self.node.cmp(&other.node))
    }
}

struct WeakLinkHeap<'t> {
    tree: &'t Tree,
    parents: Vec<usize>,
    as_leaf: Vec<f64>,
    below: Vec<SubtreeRisk>,
    inner: Vec<bool>,
    /// Internal nodes with their weakness.
    /// Some entries are stale: the node is no longer an internal node, or its weakness has changed.
    heap: BinaryHeap<Reverse<WeakLink>>,
}

impl<'t> WeakLinkHeap<'t> {
    fn new(tree: &'t Tree, risk: &Risk) -> Self {
        let as_leaf = risk.node_risks(tree);
        let below = as_leaf.iter().map(|&risk| SubtreeRisk { risk, leaves: 1 }).collect();
        let inner: Vec<bool> = (0..tree.n_nodes()).map(|node| tree.split(node) != TreeSplit::Leaf).collect();
        let parents = tree.parents();
        let mut links = Self { tree, parents, as_leaf, below, inner, heap: BinaryHeap::new() };
        // Children have larger indices than their parents, so a reverse loop visits them first.
        for node in (0..tree.n_nodes()).rev().filter(|&node| tree.split(node) != TreeSplit::Leaf) {
            links.update_weakness(node);
        }
        links
    }

    fn weakness(&self, node: usize) -> f64 {
        let SubtreeRisk { risk, leaves } = self.below[node];
        // A tree read from a file can contain a split with a single child; pruning this split saves no leaf.
        (self.as_leaf[node] - risk) / f64::from(leaves.max(2) - 1)
    }

    fn update_weakness(&mut self, node: usize) {
        let children = &self.below[self.tree.children(node)];
        let risk = children.iter().map(|child| child.risk).sum();
        self.below[node] = SubtreeRisk { risk, leaves: children.iter().map(|child| child.leaves).sum() };
        self.heap.push(Reverse(WeakLink { g: self.weakness(node), node }));
    }

    fn min_weakness(&mut self) -> Option<f64> {
        while let Some(&Reverse(link)) = self.heap.peek() {
            if self.inner[link.node] && self.weakness(link.node) == link.g {
                return Some(link.g);
            }
            self.heap.pop();
        }
        None
    }

    fn pop_weakest(&mut self, limit: f64) -> Vec<usize> {
        let mut weak = Vec::new();
        while self.min_weakness().is_some_and(|g| g <= limit) {
            weak.extend(self.heap.pop().map(|Reverse(link)| link.node));
        }
        weak.sort_unstable();
        weak.dedup();
        weak
    }

    /// The list is ascending, so ancestors come before descendants.
    fn prune(&mut self, nodes: &[usize]) {
        for &node in nodes {
            if !self.inner[node] {
                continue;
            }
            let mut stack = vec![node];
            while let Some(gone) = stack.pop() {
                if std::mem::replace(&mut self.inner[gone], false) {
                    stack.extend(self.tree.children(gone));
                }
            }
            self.below[node] = SubtreeRisk { risk: self.as_leaf[node], leaves: 1 };
            let mut above = node;
            while above != 0 {
                above = self.parents[above];
                self.update_weakness(above);
            }
        }
    }
}

/// Candidate alphas, one per tree: `sqrt(alphas[k] alphas[k + 1])`, infinity for the last.
pub fn geometric_mean_alphas(alphas: &[f64]) -> Vec<f64> {
    let next = alphas.iter().skip(1).map(Some).chain([None]);
    alphas.iter().zip(next).map(|(a, b)| b.map_or(f64::INFINITY, |b| a.sqrt() * b.sqrt())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn betas_lie_between_their_alphas() {
        assert_eq!(geometric_mean_alphas(&[0.0, 0.25, 1.0]), [0.0, 0.5, f64::INFINITY]);
        assert_eq!(geometric_mean_alphas(&[0.0]), [f64::INFINITY]);
    }

    #[test]
    fn infinity_survives_json() {
        for alpha in [0.0, 0.125, f64::INFINITY] {
            let text = serde_json::to_string(&ComplexityParameter(alpha)).unwrap();
            assert_eq!(
                serde_json::from_str::<ComplexityParameter>(&text).unwrap(),
                ComplexityParameter(alpha)
            );
        }
        assert!(serde_json::from_str::<ComplexityParameter>("\"large\"").is_err());
    }
}
