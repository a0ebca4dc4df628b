//! What is said of a row, and what is made of it by whoever hears it.

use crate::fitted::Fitted;
use imbcore_base::formula::{Draft, Op, Vector};
use imbcore_base::{Error, Result, Schema};
use imbcore_tree::{Cut, TreeModel};

/// Whoever tells what was fitted says of a row.
pub(super) type Says = fn(&Fitted, &mut Draft, Sight<'_>) -> Result<Said>;

/// What is said of a row.
pub(super) struct Said {
    /// The probabilities; none where they have no steps.
    pub(super) proba: Option<Vector>,
    /// How the answer is found.
    pub(super) own: Own,
    /// Codes without which there is no answer.
    pub(super) needed: Vec<Vector>,
}

impl Said {
    /// Probabilities of which the most is answered.
    pub(super) fn most(proba: Vector) -> Self {
        Self { proba: Some(proba), own: Own::Most(proba), needed: Vec::new() }
    }

    /// The probabilities.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where they have no steps.
    pub(super) fn proba(&self) -> Result<Vector> {
        self.proba.ok_or_else(|| {
            Error::Unsupported(
                "probabilities of nested boxes cannot be written out; write the boxes alone, to_sql() or rules(), ask for \
                 output=\"class\" of a model without a threshold, costs or calibration, or draw them with method=\"prim\" or \
                 \"exact_boxes\""
                    .into(),
            )
        })
    }
}

/// The answer of what was fitted.
#[derive(Clone, Copy)]
pub(super) enum Own {
    /// The class of the most, the lowest of equals.
    Most(Vector),
    /// This class.
    Class(Vector),
}

impl Own {
    /// The number of the class.
    pub(super) fn class(self, draft: &mut Draft) -> Vector {
        match self {
            Self::Most(of) => draft.first_largest(of),
            Self::Class(class) => class,
        }
    }
}

/// What a family sees of the features of a model.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    /// The features.
    pub(super) schema: &'a Schema,
    /// Which of the model's each of them is.
    pub(super) columns: &'a [usize],
    /// Whether rows may lack values.
    pub(super) holes: bool,
}

/// Whether rows go down several branches.
pub(super) fn shares(tree: &TreeModel, sight: Sight<'_>) -> bool {
    tree.shares_missing() && sight.holes
}

/// The sum of what some trees say.
pub(super) fn of_trees(
    draft: &mut Draft,
    trees: &[&TreeModel],
    sight: Sight<'_>,
    says: impl Fn(&TreeModel, usize) -> Vec<f64>,
) -> Vector {
    let width = trees.first().map_or(0, |tree| says(tree, first_leaf(tree)).len());
    let plan = |tree: &&TreeModel| tree.plan(sight.columns, sight.holes, |leaf| says(tree, leaf));
    draft.of_row(Op::Trees { trees: trees.iter().map(plan).collect() }, width)
}

fn first_leaf(tree: &TreeModel) -> usize {
    (0..tree.tree().n_nodes()).find(|&node| tree.tree().cut(node) == Cut::Leaf).unwrap_or_default()
}

/// A vote of this weight for the answered class.
pub(super) fn chosen(own: Own, n_classes: usize, vote: f64, draft: &mut Draft) -> Vector {
    let class = own.class(draft);
    let row = |answer: usize| (0..n_classes).map(|class| if class == answer { vote } else { 0.0 }).collect();
    draft.look_up(&[class], vec![n_classes], (0..n_classes).map(row).collect())
}
