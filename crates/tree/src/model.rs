//! A fitted tree that answers questions.

use crate::answer::leaf::LeafRule;
use crate::answer::route::{Router, by_blocks, leaves, next_node, shares};
use crate::answer::shapley::{self, Game};
use crate::masses::MOST_IN_TABLE;
use crate::prune::Risk;
use crate::tree::{Cut, Tree};
use imbcore_base::{Classifier, Dataset, Error, Frame, Result, RunCtl, memory};
use std::borrow::Cow;

/// A tree with its leaf rule; the probabilities of all nodes are computed once.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeModel {
    tree: Tree,
    pub(crate) leaf: LeafRule,
    pub(crate) m: f64,
    pub(crate) fraction: bool,
    /// Of every node, `n_nodes x n_classes`. None of many classes, whose probabilities are computed from the masses.
    proba: Option<Vec<f64>>,
    /// Class masses of the root, where probabilities are computed.
    root: Vec<f64>,
    /// Answer of every node: the most probable class, the lowest of equals, unless a decision says otherwise.
    class: Vec<u32>,
}

/// What a node says of a class, by the weights of the training rows; not a number for a class without weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spoken {
    /// Share of the class among the rows of the node.
    pub share: f64,
    /// How many times its share among all rows the probability of the class is.
    pub lift: f64,
    /// Share of the rows of the class that reached the node.
    pub recall: f64,
}

/// Zeros to which Shapley values of the rows of a frame are added, `n_rows x n_columns`.
///
/// # Errors
/// [`imbcore_base::Error::Column`] for an infinity in either frame, [`imbcore_base::Error::Data`] for a background without
/// rows, [`imbcore_base::Error::Memory`].
pub fn shapley_sums(frame: &Frame<'_>, background: Option<&Frame<'_>>) -> Result<Vec<f64>> {
    frame.check_finite()?;
    if let Some(background) = background {
        background.check_finite()?;
        if background.n_rows() == 0 {
            return Err(Error::Data(
                "the background has no rows: give at least one, or no background".into(),
            ));
        }
    }
    memory::filled(frame.n_rows() * frame.n_columns(), 0.0, "answers")
}

impl TreeModel {
    /// Joins a tree with the leaf rule (and its `m`) and whether rows without a value are shared out.
    pub fn new(tree: Tree, leaf: LeafRule, m: f64, fraction: bool) -> Self {
        if tree.n_classes() <= MOST_IN_TABLE {
            let proba = leaf.probabilities(&tree, m);
            let class = proba.chunks_exact(tree.n_classes()).map(imbcore_base::first_largest).collect();
            return Self { tree, leaf, m, fraction, proba: Some(proba), root: Vec::new(), class };
        }
        let root = tree.mass(0).into_owned();
        let mut model = Self { tree, leaf, m, fraction, proba: None, root, class: Vec::new() };
        model.class = model.classes_by(|proba| vec![imbcore_base::first_largest(proba)]);
        model
    }

    /// A class of every node that follows from its probabilities; of many classes.
    fn classes_by(&self, decide: impl Fn(&[f64]) -> Vec<u32>) -> Vec<u32> {
        let mut classes = vec![0; self.tree.n_nodes()];
        let mut proba = Vec::with_capacity(self.root.len());
        self.tree.each_mass(|node, mass| {
            proba.clear();
            self.leaf.estimate(mass, &self.root, self.m, &mut proba);
            classes[node] = decide(&proba).first().copied().unwrap_or_default();
        });
        classes
    }

    /// A tree whose nodes have the given probabilities (`n_nodes x n_classes`) and answers.
    pub(crate) fn with_answers(tree: Tree, proba: Vec<f64>, class: Vec<u32>) -> Self {
        Self {
            tree,
            leaf: LeafRule::Frequency,
            m: 1.0,
            fraction: false,
            proba: Some(proba),
            root: Vec::new(),
            class,
        }
    }

    /// Has every node predict what `decide` makes of its probabilities, instead of the most probable class. It gets the
    /// probabilities of some nodes, row-major, and makes a class of each.
    ///
    /// # Errors
    /// Those of `decide`.
    pub fn answer_by(&mut self, decide: impl Fn(&[f64]) -> Result<Vec<u32>>) -> Result<()> {
        if let Some(proba) = &self.proba {
            self.class = decide(proba)?;
            return Ok(());
        }
        let failed = std::cell::RefCell::new(None);
        let classes = self.classes_by(|proba| {
            decide(proba).unwrap_or_else(|error| {
                failed.replace(Some(error));
                Vec::new()
            })
        });
        self.class = failed.into_inner().map_or(Ok(classes), Err)?;
        Ok(())
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Class probabilities of a node.
    pub fn node_proba(&self, node: usize) -> Cow<'_, [f64]> {
        let n_classes = self.tree.n_classes();
        match &self.proba {
            Some(proba) => Cow::Borrowed(&proba[node * n_classes..(node + 1) * n_classes]),
            None => {
                let mut proba = Vec::with_capacity(n_classes);
                self.leaf.estimate(&self.tree.mass(node), &self.root, self.m, &mut proba);
                Cow::Owned(proba)
            }
        }
    }

    /// Answer of a node.
    pub fn node_class(&self, node: usize) -> usize {
        self.class[node] as usize
    }

    /// Whether rows without a value are shared out among branches.
    pub fn shares_missing(&self) -> bool {
        self.fraction
    }

    /// What a node says of a class.
    pub(crate) fn spoken(&self, node: usize, class: usize) -> Spoken {
        let mass = |node: usize| self.tree.mass(node);
        let share = |node: usize| mass(node)[class] / self.tree.total_mass(node);
        // Probabilities that are shares may be shares by other weights, as SVR-Trees have it.
        let before = if self.leaf == LeafRule::Frequency { self.node_proba(0)[class] } else { share(0) };
        Spoken {
            share: share(node),
            lift: self.node_proba(node)[class] / before,
            recall: mass(node)[class] / mass(0)[class],
        }
    }

    /// Whether every row of the frame goes one way: only missing values are shared out.
    fn one_leaf_each(&self, frame: &Frame<'_>) -> bool {
        !self.fraction || !frame.has_missing()
    }

    /// Leaf of every row; where rows are shared out, the leaf with the largest share, the first of equals.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub fn apply(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        if self.one_leaf_each(frame) {
            return leaves(&self.tree, frame, ctl);
        }
        frame.check_finite()?;
        by_blocks(frame.n_rows(), 1, ctl, |rows, out| {
            let mut stack = Vec::new();
            for (row, leaf) in rows.zip(out) {
                let mut largest = 0.0;
                shares(&self.tree, frame.columns(), row, &mut stack, |node, share| {
                    if share > largest {
                        (largest, *leaf) = (share, node as u32);
                    }
                });
            }
            Ok(())
        })
    }

    /// Shapley values of every column for the probability of `class` in every row, `n_rows x n_columns`, and the value
    /// without any column; in every row they add up to the probability.
    ///
    /// In place of columns that are not known stand the rows of `background`, of which the mean is taken; without them the
    /// training weight of every node.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Column`] for an infinity, [`imbcore_base::Error::Data`] for a background without rows;
    /// [`imbcore_base::Error::Cancelled`].
    pub fn shapley(
        &self,
        frame: &Frame<'_>,
        class: usize,
        background: Option<&Frame<'_>>,
        ctl: RunCtl<'_>,
    ) -> Result<(Vec<f64>, f64)> {
        let mut found = shapley_sums(frame, background)?;
        let base = self.add_shapley(|proba| proba[class], frame, background, &mut found, ctl)?;
        Ok((found, base))
    }

    /// The same for what `value` makes of the probabilities of a node, added to [`shapley_sums`].
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`], [`imbcore_base::Error::Memory`].
    pub fn add_shapley(
        &self,
        value: impl Fn(&[f64]) -> f64,
        frame: &Frame<'_>,
        background: Option<&Frame<'_>>,
        sums: &mut [f64],
        ctl: RunCtl<'_>,
    ) -> Result<f64> {
        let values = (0..self.tree.n_nodes()).map(|node| value(&self.node_proba(node))).collect();
        let game = Game::new(&self.tree, values, self.fraction, frame.n_columns(), background);
        shapley::add(&game, frame, sums, ctl)?;
        game.base(ctl)
    }

    /// Weight of every class of the given rows in every node, `n_nodes x n_classes`; a row that goes several ways counts in
    /// shares. The classes need not be those of the tree.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub fn masses(&self, data: &Dataset<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let n_classes = data.n_classes();
        let mut masses = vec![0.0; self.tree.n_nodes() * n_classes];
        for (row, reached) in self.reached(data.frame(), ctl)?.into_iter().enumerate() {
            for (leaf, share) in reached {
                masses[leaf as usize * n_classes + data.classes()[row] as usize] += share * data.weight(row);
            }
        }
        let parents = self.tree.parents();
        // Children come after their parents.
        for node in (1..self.tree.n_nodes()).rev() {
            for class in 0..n_classes {
                masses[parents[node] * n_classes + class] += masses[node * n_classes + class];
            }
        }
        Ok(masses)
    }

    /// Leaves that each row reaches, with its share in each.
    pub(crate) fn reached(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<Vec<(u32, f64)>>> {
        if self.one_leaf_each(frame) {
            let leaves = leaves(&self.tree, frame, ctl)?;
            return Ok(leaves.into_iter().map(|leaf| vec![(leaf, 1.0)]).collect());
        }
        frame.check_finite()?;
        by_blocks(frame.n_rows(), 1, ctl, |rows, out: &mut [Vec<(u32, f64)>]| {
            let mut stack = Vec::new();
            for (row, reached) in rows.zip(out) {
                shares(&self.tree, frame.columns(), row, &mut stack, |node, share| {
                    reached.push((node as u32, share));
                });
            }
            Ok(())
        })
    }

    /// The smallest pruning of this tree that minimises risk + alpha x leaves, with the same leaf rule.
    #[must_use]
    pub fn pruned_at(&self, alpha: f64, risk: &Risk) -> Self {
        Self::new(self.tree.pruned_at(alpha, risk), self.leaf, self.m, self.fraction)
    }

    /// Nodes that each row passes, as the row starts and the node numbers of a sparse matrix.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub fn decision_path(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<usize>, Vec<u32>)> {
        frame.check_finite()?;
        let shared_out = !self.one_leaf_each(frame);
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
                shares(&self.tree, frame.columns(), row, &mut stack, |leaf, _| {
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
                while self.tree.cut(node) != Cut::Leaf {
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
    /// Class probabilities of rows by the leaf that each is in.
    fn proba_of_leaves(&self, leaves: &[u32], ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        by_blocks(leaves.len(), self.n_classes(), ctl, |rows, out| {
            self.copy_proba(&leaves[rows], out);
            Ok(())
        })
    }

    fn copy_proba(&self, leaves: &[u32], out: &mut [f64]) {
        if let (2, Some(proba)) = (self.n_classes(), &self.proba) {
            // The usual case, whose pairs are read and written as such.
            let (of_nodes, (out, _)) = (proba.as_chunks::<2>().0, out.as_chunks_mut::<2>());
            leaves.iter().zip(out).for_each(|(&leaf, cells)| *cells = of_nodes[leaf as usize]);
            return;
        }
        for (&leaf, cells) in leaves.iter().zip(out.chunks_exact_mut(self.n_classes())) {
            cells.copy_from_slice(&self.node_proba(leaf as usize));
        }
    }

    /// Answers to rows by the leaf that each is in.
    fn classes_of_leaves(&self, mut leaves: Vec<u32>) -> Vec<u32> {
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

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let n_classes = self.n_classes();
        if !self.one_leaf_each(frame) {
            frame.check_finite()?;
            return by_blocks(frame.n_rows(), n_classes, ctl, |rows, out| {
                let mut stack = Vec::new();
                for (row, cells) in rows.zip(out.chunks_exact_mut(n_classes)) {
                    shares(&self.tree, frame.columns(), row, &mut stack, |leaf, share| {
                        for (cell, p) in cells.iter_mut().zip(&*self.node_proba(leaf)) {
                            *cell += share * p;
                        }
                    });
                }
                Ok(())
            });
        }
        let say = |leaves: &[u32], out: &mut [f64]| self.copy_proba(leaves, out);
        Router::new(&self.tree, frame)?.answers(frame, n_classes, ctl, say)
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        if !self.one_leaf_each(frame) {
            return Ok(self.answers(frame, ctl)?.0);
        }
        Ok(self.classes_of_leaves(leaves(&self.tree, frame, ctl)?))
    }

    fn answers(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        if !self.one_leaf_each(frame) {
            let proba = self.proba(frame, ctl)?;
            let classes = proba.chunks_exact(self.n_classes()).map(imbcore_base::first_largest).collect();
            return Ok((classes, proba));
        }
        let leaves = leaves(&self.tree, frame, ctl)?;
        let proba = self.proba_of_leaves(&leaves, ctl)?;
        Ok((self.classes_of_leaves(leaves), proba))
    }
}
