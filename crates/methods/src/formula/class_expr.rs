//! Expression form of a prediction, and helpers for its consumers.

use crate::fitted::FittedEstimator;
use imbcore_base::formula::{ExprBuilder, ExprRef, Op};
use imbcore_base::{Error, Result, Schema};
use imbcore_tree::{TreeModel, TreeSplit};

/// Function that converts a fitted estimator into an expression for one row.
pub(super) type ToClassExpr = fn(&FittedEstimator, &mut ExprBuilder, FeatureMap<'_>) -> Result<ClassExpr>;

/// Expression of a prediction for one row.
pub(super) struct ClassExpr {
    /// The probabilities; None if they cannot be expressed.
    pub(super) proba: Option<ExprRef>,
    /// The predicted class.
    pub(super) own: PredictedClass,
    /// Codes that must not be missing for a prediction.
    pub(super) needed: Vec<ExprRef>,
}

impl ClassExpr {
    /// Probabilities whose largest gives the predicted class.
    pub(super) fn most(proba: ExprRef) -> Self {
        Self { proba: Some(proba), own: PredictedClass::Most(proba), needed: Vec::new() }
    }

    /// The probabilities.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if they cannot be expressed.
    pub(super) fn proba(&self) -> Result<ExprRef> {
        self.proba.ok_or_else(|| {
            Error::Unsupported(
                "probabilities of nested boxes cannot be exported; export the boxes alone, with to_sql() or rules(), use \
                 output=\"class\" for a model without a threshold, costs or calibration, or fit with method=\"prim\" or \
                 \"exact_boxes\""
                    .into(),
            )
        })
    }
}

/// Predicted class of an estimator.
#[derive(Clone, Copy)]
pub(super) enum PredictedClass {
    /// The class with the largest value, the lowest code of equal ones.
    Most(ExprRef),
    /// This class code.
    Class(ExprRef),
}

impl PredictedClass {
    /// Expression of the class code.
    pub(super) fn class(self, draft: &mut ExprBuilder) -> ExprRef {
        match self {
            Self::Most(values) => draft.first_largest(values),
            Self::Class(class) => class,
        }
    }
}

/// The features of a model that an estimator uses.
#[derive(Clone, Copy)]
pub(super) struct FeatureMap<'a> {
    /// The features.
    pub(super) schema: &'a Schema,
    /// Index of each feature among those of the model.
    pub(super) columns: &'a [usize],
    /// Whether rows may have missing values.
    pub(super) holes: bool,
}

/// Whether rows with missing values go down several branches.
pub(super) fn shares(tree: &TreeModel, sight: FeatureMap<'_>) -> bool {
    tree.shares_missing() && sight.holes
}

/// Sum of the leaf values of some trees.
pub(super) fn of_trees(
    draft: &mut ExprBuilder,
    trees: &[&TreeModel],
    sight: FeatureMap<'_>,
    leaf_values: impl Fn(&TreeModel, usize) -> Vec<f64>,
) -> ExprRef {
    let width = trees.first().map_or(0, |tree| leaf_values(tree, first_leaf(tree)).len());
    let plan = |tree: &&TreeModel| tree.plan(sight.columns, sight.holes, |leaf| leaf_values(tree, leaf));
    draft.of_row(Op::Trees { trees: trees.iter().map(plan).collect() }, width)
}

fn first_leaf(tree: &TreeModel) -> usize {
    (0..tree.tree().n_nodes()).find(|&node| tree.tree().cut(node) == TreeSplit::Leaf).unwrap_or_default()
}

/// A vote of this weight for the predicted class.
pub(super) fn chosen(own: PredictedClass, n_classes: usize, vote: f64, draft: &mut ExprBuilder) -> ExprRef {
    let class = own.class(draft);
    let row = |answer: usize| (0..n_classes).map(|class| if class == answer { vote } else { 0.0 }).collect();
    draft.look_up(&[class], vec![n_classes], (0..n_classes).map(row).collect())
}
