//! Expression steps of the probabilities and classes of all families.

use super::class_expr::{ClassExpr, FeatureMap, PredictedClass, chosen, of_trees, shares};
use super::decomposed::decomposition_expr;
use super::ensemble::ensemble_expr;
use crate::fitted::FittedEstimator;
use crate::model::Model;
use imbcore_base::formula::{ExprBuilder, ExprRef};
use imbcore_base::{Error, PriorShift, Result, first_largest};
use imbcore_boxes::BoxModel;
use imbcore_ensemble::{ForestModel, VotingMode};
use imbcore_tree::{TreeModel, TreeSplit};

impl Model {
    /// Expression of the prediction of the model.
    ///
    /// It is calibrated, and holds for the current class proportions.
    pub(super) fn class_expr(&self, draft: &mut ExprBuilder, columns: &[usize]) -> Result<ClassExpr> {
        self.speaks_by_tree()?;
        let sight = FeatureMap { schema: self.schema(), columns, holes: self.accepts_missing() };
        let tree = self.fitted().tree().filter(|tree| !shares(tree, sight));
        if let Some(tree) = tree {
            // Calibration and proportions are the same for all rows of a leaf.
            let nodes = 0..tree.tree().n_nodes();
            let proba =
                self.finalize_proba(nodes.flat_map(|node| tree.node_proba(node).to_vec()).collect())?;
            let node_proba =
                |node: usize| proba[node * self.n_classes()..(node + 1) * self.n_classes()].to_vec();
            return Ok(single_path_expr(tree, draft, sight, node_proba));
        }
        let expr = class_expr(self.fitted(), draft, sight)?;
        let Some(mut proba) = expr.proba else { return Ok(expr) };
        if let Some(calibrated) = self.calibrated() {
            proba = calibrated.curves.draft(draft, proba);
        }
        if let Some(factors) = self.shares().factors() {
            proba = draft.shifted(proba, &factors);
        }
        Ok(ClassExpr { proba: Some(proba), ..expr })
    }
}

/// Expression of the prediction of an estimator.
fn class_expr(fitted: &FittedEstimator, draft: &mut ExprBuilder, sight: FeatureMap<'_>) -> Result<ClassExpr> {
    match fitted {
        FittedEstimator::Tree(tree) | FittedEstimator::Constant(tree) => Ok(of_tree(tree, draft, sight)),
        FittedEstimator::Svr(tree) => Ok(of_tree(tree.tree(), draft, sight)),
        FittedEstimator::Optimal(tree) => Ok(of_tree(tree.tree(), draft, sight)),
        FittedEstimator::Forest(forest) => of_forest(forest, draft, sight),
        FittedEstimator::Boosted(trees) => {
            Ok(vote_expr(trees.draft(draft, sight.columns), trees.recalibration(), draft))
        }
        FittedEstimator::Boxes(boxes) => Ok(box_expr(boxes, draft, sight)),
        FittedEstimator::Bayes(networks) => {
            let (proba, needed) = networks.draft(draft, sight.columns)?;
            Ok(ClassExpr { needed, ..ClassExpr::most(proba) })
        }
        FittedEstimator::Ensemble(ensemble) => ensemble_expr(ensemble, draft, sight, class_expr),
        FittedEstimator::Decomposed(decomposed) => decomposition_expr(decomposed, draft, sight, class_expr),
    }
}

fn of_tree(tree: &TreeModel, draft: &mut ExprBuilder, sight: FeatureMap<'_>) -> ClassExpr {
    if shares(tree, sight) {
        let proba = of_trees(draft, &[tree], sight, |tree, leaf| tree.node_proba(leaf).to_vec());
        return ClassExpr::most(proba);
    }
    single_path_expr(tree, draft, sight, |leaf| tree.node_proba(leaf).into_owned())
}

/// A tree in which each row follows one path, with the probabilities of every node.
fn single_path_expr(
    tree: &TreeModel,
    draft: &mut ExprBuilder,
    sight: FeatureMap<'_>,
    node_proba: impl Fn(usize) -> Vec<f64>,
) -> ClassExpr {
    let proba = of_trees(draft, &[tree], sight, |_, leaf| node_proba(leaf));
    let mut leaves = (0..tree.tree().n_nodes()).filter(|&node| tree.tree().cut(node) == TreeSplit::Leaf);
    let own =
        if leaves.all(|leaf| first_largest(&node_proba(leaf)) as usize == tree.node_class(leaf)) {
            PredictedClass::Most(proba)
        } else {
            PredictedClass::Class(of_trees(draft, &[tree], sight, |tree, leaf| {
                vec![tree.node_class(leaf) as f64]
            }))
        };
    ClassExpr { own, ..ClassExpr::most(proba) }
}

fn of_forest(forest: &ForestModel, draft: &mut ExprBuilder, sight: FeatureMap<'_>) -> Result<ClassExpr> {
    let trees = (0..forest.n_trees()).map(|tree| forest.member(tree)).collect::<Result<Vec<_>>>()?;
    let trees: Vec<&TreeModel> = trees.iter().collect();
    let n_trees = draft.number(trees.len() as f64);
    let (vote, weighted) = forest.vote();
    let votes = if forest.shares_missing() && sight.holes && vote == VotingMode::Hard {
        if weighted {
            return Err(Error::Unsupported(
                "votes weighted by leaf weight cannot be exported for a model that sends rows with missing values down all branches; fit with \
                 missing=\"direction\""
                    .into(),
            ));
        }
        let n_classes = trees.first().map_or(0, |tree| tree.tree().n_classes());
        let mut sum = draft.constant(&vec![0.0; n_classes]);
        for tree in trees {
            let expr = of_tree(tree, draft, sight);
            let vote = chosen(expr.own, n_classes, 1.0, draft);
            sum = draft.plus(sum, vote);
        }
        draft.over(sum, n_trees)
    } else if weighted {
        let leaf_vote = |tree: &TreeModel, leaf: usize| {
            let (mut leaf_vote, weight) = forest.leaf_vote(tree, leaf);
            leaf_vote.push(weight);
            leaf_vote
        };
        let sums = of_trees(draft, &trees, sight, leaf_vote);
        let parts: Vec<ExprRef> = (0..draft.width(sums)).map(|at| draft.part(sums, at)).collect();
        let (weight, parts) = parts.split_last().map_or((n_trees, &[][..]), |(last, before)| (*last, before));
        let sums = draft.join(parts);
        draft.over(sums, weight)
    } else {
        let sums = of_trees(draft, &trees, sight, |tree, leaf| forest.leaf_vote(tree, leaf).0);
        draft.over(sums, n_trees)
    };
    Ok(vote_expr(votes, forest.recalibration(), draft))
}

/// Votes, whose largest gives the predicted class, and probabilities corrected from them.
fn vote_expr(votes: ExprRef, shift: Option<&PriorShift>, draft: &mut ExprBuilder) -> ClassExpr {
    let proba = shift.map_or(votes, |shift| draft.shifted(votes, shift.factors()));
    ClassExpr { own: PredictedClass::Most(votes), ..ClassExpr::most(proba) }
}

fn box_expr(boxes: &BoxModel, draft: &mut ExprBuilder, sight: FeatureMap<'_>) -> ClassExpr {
    let (class, p) = boxes.draft(draft, sight.schema, sight.columns);
    let proba = p.map(|p| draft.pair(p, boxes.positive() == 1));
    ClassExpr { own: PredictedClass::Class(class), proba, needed: Vec::new() }
}
