//! Export of a fitted tree as an expression in a formula.

use crate::model::TreeModel;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Result, RunContext, index_of_first_largest, memory};
use imbcore_export::{
    ExportOutput, ExportTree, ExprBuilder, ExprFeatures, ExprRef, Node, PredictedClass, PredictionExpr,
    Split, ToExpr, VoteSpec,
};

impl TreeModel {
    /// Returns whether a row with a missing value goes to several children in fractions.
    pub fn has_fractional_rows(&self, features: ExprFeatures<'_>) -> bool {
        self.sends_missing_to_all_branches() && features.may_be_missing
    }

    /// Exports the tree as an expression whose leaves have the given values.
    /// `lookups` are the indices of the exported tables of target statistics, from
    /// [`TargetStatisticTables::add_tables_to_formula`].
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    ///
    /// [`TargetStatisticTables::add_tables_to_formula`]: crate::TargetStatisticTables::add_tables_to_formula
    pub fn to_export_tree(
        &self,
        features: ExprFeatures<'_>,
        lookups: &[usize],
        leaf_values: impl Fn(usize) -> Vec<f64>,
    ) -> Result<ExportTree> {
        self.tree().to_export_tree(features.columns, self.has_fractional_rows(features), lookups, leaf_values)
    }

    /// Expression of the prediction of a tree in which each row follows only one path.
    /// `node_proba` are the class probabilities of the nodes.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub fn single_path_expr(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        node_proba: impl Fn(usize) -> Vec<f64>,
    ) -> Result<PredictionExpr> {
        let lookups = self.tree().target_statistic_tables().add_tables_to_formula(builder, features.columns);
        let proba = builder.add_tree_sum(vec![self.to_export_tree(features, &lookups, &node_proba)?]);
        if self
            .tree()
            .leaves()
            .all(|leaf| index_of_first_largest(&node_proba(leaf)) as usize == self.node_class(leaf))
        {
            return Ok(PredictionExpr::from_proba(proba));
        }
        let classes = self.to_export_tree(features, &lookups, |leaf| vec![self.node_class(leaf) as f64])?;
        let class = builder.add_tree_sum(vec![classes]);
        Ok(PredictionExpr { proba: Some(proba), class: PredictedClass::Code(class) })
    }
}

impl ToExpr for TreeModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let node_proba = |node| self.node_proba(node).into_owned();
        if self.has_fractional_rows(features) {
            let lookups =
                self.tree().target_statistic_tables().add_tables_to_formula(builder, features.columns);
            let tree = self.to_export_tree(features, &lookups, node_proba)?;
            return Ok(PredictionExpr::from_proba(builder.add_tree_sum(vec![tree])));
        }
        self.single_path_expr(builder, features, node_proba)
    }

    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        if self.has_fractional_rows(features) {
            return self.to_expr(builder, features)?.to_vote_expr(builder, vote);
        }
        // The leaf values are already multiplied by the voting weight of the tree, so no further steps are
        // needed.
        let votes = |leaf: usize| match vote.output {
            ExportOutput::Proba => self.node_proba(leaf).iter().map(|p| vote.weight * p).collect(),
            ExportOutput::Class => {
                let mut votes = vec![0.0; self.tree().n_classes()];
                votes[self.node_class(leaf)] = vote.weight;
                votes
            }
        };
        let lookups = self.tree().target_statistic_tables().add_tables_to_formula(builder, features.columns);
        Ok(builder.add_tree_sum(vec![self.to_export_tree(features, &lookups, votes)?]))
    }
}

impl Tree {
    /// Exports the tree with the given values of its leaves.
    /// If `shared` is true, a row with a missing value goes to all children in fractions. `lookups` are the
    /// indices of the exported tables of target statistics. Without these tables, splits by target statistics
    /// are written as splits by sets of levels.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn to_export_tree(
        &self,
        columns: &[usize],
        shared: bool,
        lookups: &[usize],
        leaf_values: impl Fn(usize) -> Vec<f64>,
    ) -> Result<ExportTree> {
        let (tree, ctl) = (self, RunContext::silent());
        let node = |node: usize| {
            ctl.check()?;
            let (cut, children) = (tree.split(node), tree.children(node));
            if cut == TreeSplit::Leaf {
                return Ok(Node::Leaf { values: leaf_values(node) });
            }
            let (lookup, at_most) = match cut {
                TreeSplit::Below(threshold) => (None, Some(threshold)),
                TreeSplit::StatisticAtMost { table, threshold } => {
                    let lookup = lookups.get(table as usize).copied();
                    (lookup, lookup.map(|_| threshold))
                }
                _ => (None, None),
            };
            let mut levels = if lookup.is_some() { None } else { tree.left_levels(node) };
            // A row with a missing value is split among the children in proportion to `masses`. The mass of a
            // child is 0 if no training row reached it.
            let masses: Vec<f64> = children.clone().map(|child| tree.mass_reaching_node(child)).collect();
            // A missing value has a target statistic, so a row goes to only one child at a split by target
            // statistics.
            let by_statistic = matches!(cut, TreeSplit::StatisticAtMost { .. });
            let shared = shared && masses.iter().sum::<f64>() > 0.0 && !by_statistic;
            let missing = children.start + tree.missing_branch(node);
            let mut children: Vec<usize> = children.collect();
            let is_set = matches!(cut, TreeSplit::InLevels(_)) || by_statistic;
            if let (true, Some(held), false) = (is_set, &mut levels, shared) {
                // The smaller of the two sets of levels is written. If this is the set of the second child,
                // the children are swapped. Children are not swapped if rows are split into fractions.
                let others = tree.right_levels(node).unwrap_or_default();
                if others.len() < held.len() {
                    *held = others;
                    children.reverse();
                }
            }
            Ok(Node::Split(Split {
                feature: columns[tree.column(node)],
                at_most,
                lookup,
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
