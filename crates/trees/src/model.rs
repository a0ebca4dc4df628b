//! Fitted tree with its predictions.

use crate::masses::MOST_IN_TABLE;
use crate::prediction::leaf_estimate::LeafEstimate;
use crate::prediction::shapley::{self, TreeShapContext};
use crate::prediction::tree_traversal::{
    TreeTraversal, compute_in_blocks, for_each_leaf_fraction, leaf_of_rows, next_node,
};
use crate::prune::Risk;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Classifier, Dataset, Error, Frame, Result, RunContext, memory};
use std::borrow::Cow;

/// Tree with its leaf estimate and the predicted classes of its nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeModel {
    tree: Tree,
    pub(crate) leaf: LeafEstimate,
    pub(crate) m: f64,
    pub(crate) fraction: bool,
    /// Class probabilities of every node, `n_nodes x n_classes`.
    ///
    /// `None` for more than [`MOST_IN_TABLE`] classes: probabilities are then computed from the masses.
    proba: Option<Vec<f64>>,
    /// Class masses of the root; empty if `proba` stores the class probabilities of all nodes.
    root: Vec<f64>,
    /// Predicted class of every node.
    /// It is the most probable class (the lowest class in ties), unless a decision rule was set.
    class: Vec<u32>,
}

/// Statistics of a class in a node, computed with the weights of the training rows.
///
/// If no training row of the class has positive weight, `recall` is NaN, and `lift` is infinite or NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeClassStats {
    /// Proportion of the class among the rows of the node.
    pub share: f64,
    /// Probability of the class in the node, divided by its proportion among all rows.
    pub lift: f64,
    /// Fraction of all rows of the class that are in the node.
    pub recall: f64,
}

/// Checks `frame` and `background`, and allocates an array of zeros for Shapley values.
///
/// The array has the shape `n_rows x n_columns` of `frame`.
///
/// # Errors
/// [`imbcore_core::Error::Column`] for an infinity in `frame` or in `background`,
/// [`imbcore_core::Error::Data`] for a background without rows, [`imbcore_core::Error::Memory`].
pub fn allocate_shapley_values(frame: &Frame<'_>, background: Option<&Frame<'_>>) -> Result<Vec<f64>> {
    frame.check_finite()?;
    if let Some(background) = background {
        background.check_finite()?;
        if background.n_rows() == 0 {
            return Err(Error::Data(
                "the background has no rows; pass at least one row, or no background".into(),
            ));
        }
    }
    memory::filled(frame.n_rows() * frame.n_columns(), 0.0, "Shapley values")
}

impl TreeModel {
    /// Combines a tree with a leaf estimate, whose parameter is `m`.
    /// If `fraction` is true, a row with a missing value goes to all branches in fractions.
    pub fn new(tree: Tree, leaf: LeafEstimate, m: f64, fraction: bool) -> Self {
        if tree.n_classes() <= MOST_IN_TABLE {
            let proba = leaf.probabilities(&tree, m);
            let class =
                proba.chunks_exact(tree.n_classes()).map(imbcore_core::index_of_first_largest).collect();
            return Self { tree, leaf, m, fraction, proba: Some(proba), root: Vec::new(), class };
        }
        let root = tree.class_masses(0).into_owned();
        let mut model = Self { tree, leaf, m, fraction, proba: None, root, class: Vec::new() };
        model.class = model.decide_node_classes(|proba| vec![imbcore_core::index_of_first_largest(proba)]);
        model
    }

    fn decide_node_classes(&self, decide: impl Fn(&[f64]) -> Vec<u32>) -> Vec<u32> {
        let mut classes = vec![0; self.tree.n_nodes()];
        let mut proba = Vec::with_capacity(self.root.len());
        self.tree.visit_node_masses(|node, mass| {
            proba.clear();
            self.leaf.append_probabilities(mass, &self.root, self.m, &mut proba);
            classes[node] = decide(&proba).first().copied().unwrap_or_default();
        });
        classes
    }

    pub(crate) fn from_node_predictions(tree: Tree, proba: Vec<f64>, class: Vec<u32>) -> Self {
        Self {
            tree,
            leaf: LeafEstimate::Frequency,
            m: 1.0,
            fraction: false,
            proba: Some(proba),
            root: Vec::new(),
            class,
        }
    }

    /// Sets the predicted classes of nodes by a decision rule on their probabilities.
    ///
    /// The closure `decide` receives the row-major class probabilities of some nodes, and returns a class for
    /// each node.
    ///
    /// # Errors
    /// Same errors as `decide`.
    pub fn set_decision_rule(&mut self, decide: impl Fn(&[f64]) -> Result<Vec<u32>>) -> Result<()> {
        if let Some(proba) = &self.proba {
            self.class = decide(proba)?;
            return Ok(());
        }
        let failed = std::cell::RefCell::new(None);
        let classes = self.decide_node_classes(|proba| {
            decide(proba).unwrap_or_else(|error| {
                failed.replace(Some(error));
                Vec::new()
            })
        });
        self.class = failed.into_inner().map_or(Ok(classes), Err)?;
        Ok(())
    }

    /// Returns the tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Class probabilities of a node.
    pub fn node_proba(&self, node: usize) -> Cow<'_, [f64]> {
        let n_classes = self.tree.n_classes();
        if let Some(proba) = &self.proba {
            return Cow::Borrowed(&proba[node * n_classes..(node + 1) * n_classes]);
        }
        let mut proba = Vec::with_capacity(n_classes);
        self.leaf.append_probabilities(&self.tree.class_masses(node), &self.root, self.m, &mut proba);
        Cow::Owned(proba)
    }

    /// Predicted class of a node.
    pub fn node_class(&self, node: usize) -> usize {
        self.class[node] as usize
    }

    pub(crate) fn sends_missing_to_all_branches(&self) -> bool {
        self.fraction
    }

    pub(crate) fn class_stats(&self, node: usize, class: usize) -> NodeClassStats {
        let mass = |node: usize| self.tree.class_masses(node);
        let share = |node: usize| mass(node)[class] / self.tree.total_mass(node);
        // For class frequencies, the lift is relative to the stored probability of the root. SVR trees may
        // compute stored probabilities with other weights than the training weights.
        let before = if self.leaf == LeafEstimate::Frequency { self.node_proba(0)[class] } else { share(0) };
        NodeClassStats {
            share: share(node),
            lift: self.node_proba(node)[class] / before,
            recall: mass(node)[class] / mass(0)[class],
        }
    }

    fn has_one_leaf_per_row(&self, frame: &Frame<'_>) -> bool {
        !self.fraction || !frame.has_missing()
    }

    /// Leaf of every row.
    ///
    /// If a row is split among several leaves, the result is the leaf with the largest fraction (the first
    /// leaf in ties).
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity, [`imbcore_core::Error::Cancelled`].
    pub fn apply(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        if self.has_one_leaf_per_row(frame) {
            return leaf_of_rows(&self.tree, frame, ctl);
        }
        frame.check_finite()?;
        compute_in_blocks(frame.n_rows(), 1, ctl, |rows, out| {
            let mut stack = Vec::new();
            for (row, leaf) in rows.zip(out) {
                let mut largest = 0.0;
                for_each_leaf_fraction(&self.tree, frame.columns(), row, &mut stack, |node, share| {
                    if share > largest {
                        (largest, *leaf) = (share, node as u32);
                    }
                });
            }
            Ok(())
        })
    }

    /// Shapley values of the probability of `class`, `n_rows x n_columns`, and the base value.
    ///
    /// For every row, the Shapley values and the base value add up to the probability. Columns outside the
    /// coalition take their values from a row of `background`, and the prediction is averaged over these
    /// rows. Without a background, a split on such a column sends the row to all children in proportion to
    /// their training weights.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity, [`imbcore_core::Error::Data`] for a background
    /// without rows; [`imbcore_core::Error::Cancelled`].
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunContext<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let mut found = allocate_shapley_values(frame, background)?;
        let base = self.add_shapley(|proba| proba[class], frame, background, &mut found, ctl)?;
        Ok((found, base))
    }

    /// Adds Shapley values to the array `sums`, and returns the base value.
    ///
    /// The closure `value` computes the output to be explained from the class probabilities of a row. The
    /// array has the shape that [`allocate_shapley_values`] returns.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub fn add_shapley(
        &self,
        value: impl Fn(&[f64]) -> f64,
        frame: &Frame<'_>,
        background: Option<&Frame<'_>>,
        sums: &mut [f64],
        ctl: RunContext<'_>,
    ) -> Result<f64> {
        let values = (0..self.tree.n_nodes()).map(|node| value(&self.node_proba(node))).collect();
        let game = TreeShapContext::new(&self.tree, values, self.fraction, frame.n_columns(), background);
        shapley::add_shapley_values(&game, frame, sums, ctl)?;
        game.base_value(ctl)
    }

    /// Total weight of the rows of `data` by node and class, `n_nodes x n_classes`.
    ///
    /// A row that is split among children counts with its fractions. The classes are those of `data`, which
    /// may differ from the classes of the tree.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub fn sum_masses_by_node_and_class(&self, data: &Dataset<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n_classes = data.n_classes();
        let mut masses = vec![0.0; self.tree.n_nodes() * n_classes];
        for (row, reached) in self.row_leaf_fractions(data.frame(), ctl)?.into_iter().enumerate() {
            for (leaf, share) in reached {
                masses[leaf as usize * n_classes + data.class_codes()[row] as usize] +=
                    share * data.weight(row);
            }
        }
        let parents = self.tree.parents();
        // Children have larger indices than their parents, so a reverse loop visits them first.
        for node in (1..self.tree.n_nodes()).rev() {
            for class in 0..n_classes {
                masses[parents[node] * n_classes + class] += masses[node * n_classes + class];
            }
        }
        Ok(masses)
    }

    /// Leaves that each row reaches, with the fraction of the row that reaches each leaf.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity, [`imbcore_core::Error::Cancelled`].
    pub fn row_leaf_fractions(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<Vec<(u32, f64)>>> {
        if self.has_one_leaf_per_row(frame) {
            let leaves = leaf_of_rows(&self.tree, frame, ctl)?;
            return Ok(leaves.into_iter().map(|leaf| vec![(leaf, 1.0)]).collect());
        }
        frame.check_finite()?;
        compute_in_blocks(frame.n_rows(), 1, ctl, |rows, out: &mut [Vec<(u32, f64)>]| {
            let mut stack = Vec::new();
            for (row, reached) in rows.zip(out) {
                for_each_leaf_fraction(&self.tree, frame.columns(), row, &mut stack, |node, share| {
                    reached.push((node as u32, share));
                });
            }
            Ok(())
        })
    }

    /// Returns the smallest pruned tree that minimizes risk + alpha x (number of leaves).
    ///
    /// The leaf estimate does not change.
    #[must_use]
    pub fn prune_with_alpha(&self, alpha: f64, risk: &Risk) -> Self {
        Self::new(self.tree.prune_with_alpha(alpha, risk), self.leaf, self.m, self.fraction)
    }

    /// Nodes on the path of each row, as row offsets and column indices of a sparse CSR matrix.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Column`] for an infinity, [`imbcore_core::Error::Cancelled`].
    pub fn decision_path(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<usize>, Vec<u32>)> {
        frame.check_finite()?;
        let shared_out = !self.has_one_leaf_per_row(frame);
        let mut starts = vec![0];
        let mut nodes = Vec::new();
        let parents = self.tree.parents();
        let (mut stack, mut path) = (Vec::new(), Vec::new());
        for row in 0..frame.n_rows() {
            if row % 1024 == 0 {
                ctl.check()?;
            }
            path.clear();
            if shared_out {
                for_each_leaf_fraction(&self.tree, frame.columns(), row, &mut stack, |leaf, _| {
                    let mut node = leaf;
                    while node != 0 {
                        path.push(node as u32);
                        node = parents[node];
                    }
                });
                path.push(0);
                path.sort_unstable();
                path.dedup();
            } else {
                let mut node = 0;
                path.push(0);
                while self.tree.split(node) != TreeSplit::Leaf {
                    node = next_node(&self.tree, node, frame.columns(), row);
                    path.push(node as u32);
                }
            }
            nodes.extend_from_slice(&path);
            starts.push(nodes.len());
        }
        Ok((starts, nodes))
    }
}

impl TreeModel {
    fn leaf_proba(&self, leaves: &[u32], ctl: RunContext<'_>) -> Result<Vec<f64>> {
        compute_in_blocks(leaves.len(), self.n_classes(), ctl, |rows, out| {
            self.copy_leaf_proba(&leaves[rows], out);
            Ok(())
        })
    }

    fn copy_leaf_proba(&self, leaves: &[u32], out: &mut [f64]) {
        if let (2, Some(proba)) = (self.n_classes(), &self.proba) {
            // Copying the two probabilities of a row as one pair is faster.
            let (of_nodes, (out, _)) = (proba.as_chunks::<2>().0, out.as_chunks_mut::<2>());
            leaves.iter().zip(out).for_each(|(&leaf, cells)| *cells = of_nodes[leaf as usize]);
            return;
        }
        for (&leaf, cells) in leaves.iter().zip(out.chunks_exact_mut(self.n_classes())) {
            cells.copy_from_slice(&self.node_proba(leaf as usize));
        }
    }

    fn leaf_classes(&self, mut leaves: Vec<u32>) -> Vec<u32> {
        for leaf in &mut leaves {
            *leaf = self.class[*leaf as usize];
        }
        leaves
    }
}

impl Classifier for TreeModel {
    fn n_classes(&self) -> usize {
        self.tree.n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        let n_classes = self.n_classes();
        if !self.has_one_leaf_per_row(frame) {
            frame.check_finite()?;
            return compute_in_blocks(frame.n_rows(), n_classes, ctl, |rows, out: &mut [f64]| {
                let mut stack = Vec::new();
                for (row, cells) in rows.zip(out.chunks_exact_mut(n_classes)) {
                    for_each_leaf_fraction(&self.tree, frame.columns(), row, &mut stack, |leaf, share| {
                        for (cell, p) in cells.iter_mut().zip(&*self.node_proba(leaf)) {
                            *cell += share * p;
                        }
                    });
                    // Due to rounding, the fractions of a row may sum to slightly more than 1.
                    for cell in cells.iter_mut() {
                        *cell = cell.min(1.0);
                    }
                }
                Ok(())
            });
        }
        let say = |leaves: &[u32], out: &mut [f64]| self.copy_leaf_proba(leaves, out);
        TreeTraversal::new(&self.tree, frame)?.map_leaves(frame, n_classes, ctl, say)
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        if !self.has_one_leaf_per_row(frame) {
            return Ok(self.predict_with_proba(frame, ctl)?.0);
        }
        Ok(self.leaf_classes(leaf_of_rows(&self.tree, frame, ctl)?))
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        if !self.has_one_leaf_per_row(frame) {
            let proba = self.proba(frame, ctl)?;
            let classes =
                proba.chunks_exact(self.n_classes()).map(imbcore_core::index_of_first_largest).collect();
            return Ok((classes, proba));
        }
        let leaves = leaf_of_rows(&self.tree, frame, ctl)?;
        let proba = self.leaf_proba(&leaves, ctl)?;
        Ok((self.leaf_classes(leaves), proba))
    }
}
