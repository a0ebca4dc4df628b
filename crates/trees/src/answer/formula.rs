//! Export of a fitted tree as a step of a formula.

use crate::model::TreeModel;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Result, RunContext, first_largest, memory};
use imbcore_export::{
    ClassExpr, ExportOutput, ExportTree, ExprBuilder, ExprRef, FeatureMap, Node, PredictedClass, Split,
    ToExpr, VoteSpec,
};

impl TreeModel {
    /// Whether rows with missing values go down several branches.
    pub fn splits_rows(&self, features: FeatureMap<'_>) -> bool {
        self.shares_missing() && features.may_be_missing
    }

    /// Exports the tree with values of its leaves.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub fn to_export_tree(
        &self,
        features: FeatureMap<'_>,
        leaf_values: impl Fn(usize) -> Vec<f64>,
    ) -> Result<ExportTree> {
        self.tree().to_export_tree(features.columns, self.splits_rows(features), leaf_values)
    }

    /// Expression of the prediction of a tree in which each row follows one path.
    /// `node_proba` are the probabilities of its nodes.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub fn single_path_expr(
        &self,
        builder: &mut ExprBuilder,
        features: FeatureMap<'_>,
        node_proba: impl Fn(usize) -> Vec<f64>,
    ) -> Result<ClassExpr> {
        let proba = builder.trees(vec![self.to_export_tree(features, &node_proba)?]);
        if self.tree().leaves().all(|leaf| first_largest(&node_proba(leaf)) as usize == self.node_class(leaf))
        {
            return Ok(ClassExpr::most(proba));
        }
        let classes = self.to_export_tree(features, |leaf| vec![self.node_class(leaf) as f64])?;
        let class = builder.trees(vec![classes]);
        Ok(ClassExpr { proba: Some(proba), class: PredictedClass::Code(class) })
    }
}

impl ToExpr for TreeModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: FeatureMap<'_>) -> Result<ClassExpr> {
        let node_proba = |node| self.node_proba(node).into_owned();
        if self.splits_rows(features) {
            let tree = self.to_export_tree(features, node_proba)?;
            return Ok(ClassExpr::most(builder.trees(vec![tree])));
        }
        self.single_path_expr(builder, features, node_proba)
    }

    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: FeatureMap<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        if self.splits_rows(features) {
            return self.to_expr(builder, features)?.vote(builder, vote);
        }
        // The leaves contain the votes, so the expression needs no further steps.
        let votes = |leaf: usize| match vote.output {
            ExportOutput::Proba => self.node_proba(leaf).iter().map(|p| vote.weight * p).collect(),
            ExportOutput::Class => {
                let mut votes = vec![0.0; self.tree().n_classes()];
                votes[self.node_class(leaf)] = vote.weight;
                votes
            }
        };
        Ok(builder.trees(vec![self.to_export_tree(features, votes)?]))
    }
}

impl Tree {
    /// Exports the tree; if `shared`, rows with missing values go down all branches as fractions.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn to_export_tree(
        &self,
        columns: &[usize],
        shared: bool,
        leaf_values: impl Fn(usize) -> Vec<f64>,
    ) -> Result<ExportTree> {
        let (tree, ctl) = (self, RunContext::silent());
        let node = |node: usize| {
            ctl.check()?;
            let (cut, children) = (tree.cut(node), tree.children(node));
            if cut == TreeSplit::Leaf {
                return Ok(Node::Leaf { values: leaf_values(node) });
            }
            let mut levels = match cut {
                TreeSplit::IsLevel(level) => Some(vec![level]),
                TreeSplit::InLevels(set) => Some(tree.set_levels(set)),
                _ => None,
            };
            let at_most = if let TreeSplit::Below(threshold) = cut { Some(threshold) } else { None };
            // Children without training rows have no mass of their own and get no fraction.
            let masses: Vec<f64> = children.clone().map(|child| tree.reached_mass(child)).collect();
            let shared = shared && masses.iter().sum::<f64>() > 0.0;
            let missing = children.start + tree.missing_branch(node);
            let mut children: Vec<usize> = children.collect();
            if let (TreeSplit::InLevels(set), Some(held), false) = (cut, &mut levels, shared) {
                // The smaller side of a set is written. Rows that go down all branches use the original order of
                // children.
                let others = tree.levels_outside(set);
                if others.len() < held.len() {
                    *held = others;
                    children.reverse();
                }
            }
            Ok(Node::Split(Split {
                feature: columns[tree.column(node)],
                at_most,
                levels,
                missing,
                children,
                known: cut == TreeSplit::Known,
                masses: if shared { masses } else { Vec::new() },
            }))
        };
        let mut nodes = memory::try_with_capacity(tree.n_nodes(), "nodes of a tree")?;
        for at in 0..tree.n_nodes() {
            nodes.push(node(at)?);
        }
        Ok(ExportTree { nodes })
    }
}
