//! Fitted estimators of all families, such as single trees, forests and Bayesian networks.
//!
//! Methods with the same kind of estimator form a family. The family determines which operations a model
//! supports. Model files store the name of the family, so it need not be derived from the name of the method.

use imbcore_bayes::classifier::BayesModel;
use imbcore_core::{
    ArrayReader, ArrayWriter, Classifier, Dataset, Error, Frame, Persist, PriorShift, Result, RunContext,
    Schema, index_of_first_largest,
};
use imbcore_ensembles::decompose::ClassDecomposition;
use imbcore_ensembles::generic::Ensemble;
use imbcore_ensembles::selection::SelectedEnsemble;
use imbcore_ensembles::{ForestModel, OutOfBag};
use imbcore_export::{ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr, VoteSpec};
use imbcore_linear::LogisticModel;
use imbcore_optimal_trees::OptimalModel;
use imbcore_rules::BoxModel;
use imbcore_trees::boosted::BoostedModel;
use imbcore_trees::svr::SvrModel;
use imbcore_trees::{ColumnKind, LeafEstimate, Tree, TreeArrays, TreeModel};

/// The families of models.
#[derive(Clone, Debug, PartialEq)]
pub enum FittedEstimator {
    /// A single tree.
    Tree(TreeModel),
    /// Many trees.
    Forest(ForestModel),
    /// Boosted trees; the sum of the leaf values of all trees is the score of a row.
    Boosted(BoostedModel),
    /// An SVR-Tree: a single tree whose fit assigns a label to each leaf.
    Svr(SvrModel),
    /// A single optimal tree with its certificate, or the optimal trees on a ROC hull.
    Optimal(OptimalModel),
    /// A box drawing: a few boxes that contain the rows predicted as positive.
    Boxes(BoxModel),
    /// One or more Bayesian networks.
    Bayes(BayesModel),
    /// Logistic regression.
    Linear(LogisticModel),
    /// A decomposition of a multiclass problem into binary problems.
    Decomposed(ClassDecomposition<FittedEstimator>),
    /// Members of any kind, combined by one voting scheme.
    Ensemble(Ensemble<FittedEstimator>),
    /// Weighted mean of models of several methods, selected by held-out predictions.
    Selected(Box<SelectedEnsemble<FittedEstimator>>),
    /// A tree of one leaf: the model of every method if all training rows have the same class.
    Constant(TreeModel),
}

impl FittedEstimator {
    pub(crate) fn constant(data: &Dataset<'_>, class: u32) -> Result<Self> {
        let weighed =
            (0..data.n_rows()).filter(|&row| data.class_codes()[row] == class && data.weight(row) > 0.0);
        let mut mass = vec![0.0; data.n_classes()];
        let mut n_rows = 0;
        for row in weighed {
            mass[class as usize] += data.weight(row);
            n_rows += 1;
        }
        let columns: Vec<ColumnKind> = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let tree = Tree::from_arrays(TreeArrays::single_leaf(n_rows, mass), &columns, data.n_classes())?;
        Ok(Self::Constant(TreeModel::new(tree, LeafEstimate::Frequency, 1.0, false)))
    }

    pub(crate) fn from_class_proportions(data: &Dataset<'_>, rows: &[u32]) -> Result<Self> {
        let mut mass = vec![0.0; data.n_classes()];
        for &row in rows {
            mass[data.class_codes()[row as usize] as usize] += data.weight(row as usize);
        }
        let columns: Vec<ColumnKind> = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let tree =
            Tree::from_arrays(TreeArrays::single_leaf(rows.len() as u32, mass), &columns, data.n_classes())?;
        Ok(Self::Tree(TreeModel::new(tree, LeafEstimate::Frequency, 1.0, false)))
    }

    /// The only class of the training rows; `None` unless the model is a [`Self::Constant`].
    pub(crate) fn constant_class(&self) -> Option<u32> {
        match self {
            Self::Constant(model) => Some(index_of_first_largest(&model.node_proba(0))),
            _ => None,
        }
    }

    /// Name of the family.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Forest(_) => "forest",
            Self::Boosted(_) => "boosted",
            Self::Svr(_) => "svr",
            Self::Optimal(_) => "optimal",
            Self::Boxes(_) => "boxes",
            Self::Bayes(_) => "bayes",
            Self::Linear(_) => "linear",
            Self::Decomposed(_) => "decomposed",
            Self::Ensemble(_) => "ensemble",
            Self::Selected(_) => "selected",
            Self::Constant(_) => "constant",
        }
    }

    /// The tree, if the model is a single tree of any kind.
    pub fn tree(&self) -> Option<&TreeModel> {
        match self {
            Self::Tree(model) | Self::Constant(model) => Some(model),
            Self::Svr(model) => Some(model.tree()),
            Self::Optimal(model) => Some(model.tree()),
            _ => None,
        }
    }

    /// The SVR-Tree, if the model is one.
    pub fn svr_tree(&self) -> Option<&SvrModel> {
        match self {
            Self::Svr(model) => Some(model),
            _ => None,
        }
    }

    /// The exact tree, if the model is one.
    pub fn optimal_tree(&self) -> Option<&OptimalModel> {
        match self {
            Self::Optimal(model) => Some(model),
            _ => None,
        }
    }

    /// The forest, if the model is one.
    pub fn forest(&self) -> Option<&ForestModel> {
        match self {
            Self::Forest(model) => Some(model),
            _ => None,
        }
    }

    /// The boosted trees, if the model consists of boosted trees.
    pub fn boosted(&self) -> Option<&BoostedModel> {
        match self {
            Self::Boosted(model) => Some(model),
            _ => None,
        }
    }

    /// The boxes, if the model is a box drawing.
    pub fn boxes(&self) -> Option<&BoxModel> {
        match self {
            Self::Boxes(model) => Some(model),
            _ => None,
        }
    }

    /// The Bayesian classifier, if the model is one.
    pub fn bayes(&self) -> Option<&BayesModel> {
        match self {
            Self::Bayes(model) => Some(model),
            _ => None,
        }
    }

    /// The logistic regression, if the model is one.
    pub fn linear(&self) -> Option<&LogisticModel> {
        match self {
            Self::Linear(model) => Some(model),
            _ => None,
        }
    }

    /// The ensemble, if the model is an ensemble with one voting scheme.
    pub fn ensemble(&self) -> Option<&Ensemble<FittedEstimator>> {
        match self {
            Self::Ensemble(model) => Some(model),
            _ => None,
        }
    }

    /// The selected ensemble, if the model is one of the method `auto`.
    pub fn selected_ensemble(&self) -> Option<&SelectedEnsemble<FittedEstimator>> {
        match self {
            Self::Selected(model) => Some(model),
            _ => None,
        }
    }

    /// Predictions of training rows by members that were not fitted to the rows, if computed.
    pub fn out_of_bag(&self) -> Option<&OutOfBag> {
        match self {
            Self::Forest(model) => model.out_of_bag(),
            Self::Ensemble(model) => model.out_of_bag(),
            Self::Selected(model) => model.ensemble().out_of_bag(),
            _ => None,
        }
    }

    /// Correction of probabilities after sampling or class weights changed the class proportions.
    ///
    /// `None` if no correction is enabled or necessary.
    pub(crate) fn prior_correction(&self) -> Option<&PriorShift> {
        match self {
            Self::Forest(model) => model.prior_correction(),
            Self::Boosted(model) => model.prior_correction(),
            Self::Ensemble(model) => model.voting().shift.as_ref(),
            _ => None,
        }
    }

    /// Whether each leaf or box has a label that does not depend on its probabilities.
    ///
    /// An objective such as a minimum recall chose these labels, so a calibration does not change them.
    pub(crate) fn has_region_labels(&self) -> bool {
        matches!(self, Self::Svr(_) | Self::Optimal(_) | Self::Boxes(_) | Self::Constant(_))
    }

    /// Rule by which the estimator predicts classes: "labels", "votes" or `most_probable`.
    ///
    /// The labels are those of leaves, rules or boxes. Votes are counted before a prior correction.
    pub(crate) fn class_rule(&self) -> &'static str {
        match self {
            Self::Svr(_) | Self::Optimal(_) | Self::Boxes(_) => "labels",
            _ if self.prior_correction().is_some() => "votes",
            _ => "most_probable",
        }
    }

    /// Moves out-of-bag predictions to the rows of a table with `n_rows` rows.
    ///
    /// The fit omitted the rows of weight 0; `rows` has the table index of each row of the fit.
    pub(crate) fn map_out_of_bag_rows(&mut self, rows: &[u32], n_rows: usize) {
        match self {
            Self::Forest(model) => model.map_out_of_bag_rows(rows, n_rows),
            Self::Ensemble(model) => model.map_out_of_bag_rows(rows, n_rows),
            Self::Selected(model) => model.map_out_of_bag_rows(rows, n_rows),
            _ => {}
        }
    }

    pub(crate) fn discard_out_of_bag(&mut self) {
        match self {
            Self::Forest(model) => model.discard_out_of_bag(),
            Self::Ensemble(model) => model.discard_out_of_bag(),
            Self::Selected(model) => model.discard_out_of_bag(),
            _ => {}
        }
    }

    /// Class proportions in training, for the threshold "prior" of Bayesian classifiers.
    pub(crate) fn class_distribution(&self) -> Result<&[f64]> {
        let bayes = self.bayes().ok_or_else(|| {
            Error::Unsupported(
                "threshold=\"prior\" is for Bayesian classifiers; for other methods use cost_matrix=\"balanced\""
                    .into(),
            )
        })?;
        Ok(&bayes.training_stats().weighted_fractions)
    }

    fn estimator(&self) -> &dyn Estimator {
        match self {
            Self::Tree(model) | Self::Constant(model) => model,
            Self::Forest(model) => model,
            Self::Boosted(model) => model,
            Self::Svr(model) => model,
            Self::Optimal(model) => model,
            Self::Boxes(model) => model,
            Self::Bayes(model) => model,
            Self::Linear(model) => model,
            Self::Decomposed(model) => model,
            Self::Ensemble(model) => model,
            Self::Selected(model) => &**model,
        }
    }
}

trait Estimator: Classifier + ToExpr {}

impl<T: Classifier + ToExpr> Estimator for T {}

impl ToExpr for FittedEstimator {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        self.estimator().to_expr(builder, features)
    }

    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        self.estimator().to_vote(builder, features, vote)
    }
}

impl Classifier for FittedEstimator {
    fn n_classes(&self) -> usize {
        self.estimator().n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        self.estimator().proba(frame, ctl)
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        self.estimator().predict(frame, ctl)
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        self.estimator().predict_with_proba(frame, ctl)
    }
}

impl Persist for FittedEstimator {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.write_u8s("kind", self.kind().as_bytes());
        match self {
            Self::Tree(model) | Self::Constant(model) => model.write(file),
            Self::Forest(model) => model.write(file),
            Self::Boosted(model) => model.write(file),
            Self::Svr(model) => model.write(file),
            Self::Optimal(model) => model.write(file),
            Self::Boxes(model) => model.write(file),
            Self::Bayes(model) => model.write(file),
            Self::Linear(model) => model.write(file),
            Self::Decomposed(model) => model.write(file),
            Self::Ensemble(model) => model.write(file),
            Self::Selected(model) => model.write(file),
        }
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        match &*String::from_utf8_lossy(&file.read_u8s("kind")?) {
            "tree" => TreeModel::read(file, schema).map(Self::Tree),
            "constant" => {
                let leaf = TreeModel::read(file, schema)?;
                let single = leaf.tree().n_nodes() == 1;
                if single {
                    Ok(Self::Constant(leaf))
                } else {
                    Err(Error::damaged("a constant model has one leaf"))
                }
            }
            "forest" => ForestModel::read(file, schema).map(Self::Forest),
            "boosted" => BoostedModel::read(file, schema).map(Self::Boosted),
            "svr" => SvrModel::read(file, schema).map(Self::Svr),
            "optimal" => OptimalModel::read(file, schema).map(Self::Optimal),
            "boxes" => BoxModel::read(file, schema).map(Self::Boxes),
            "bayes" => BayesModel::read(file, schema).map(Self::Bayes),
            "linear" => LogisticModel::read(file, schema).map(Self::Linear),
            "decomposed" => ClassDecomposition::read(file, schema).map(Self::Decomposed),
            "ensemble" => Ensemble::read(file, schema).map(Self::Ensemble),
            "selected" => SelectedEnsemble::read(file, schema).map(|model| Self::Selected(Box::new(model))),
            kind => Err(Error::Format(format!(
                "the model file holds a model of kind `{kind}`, which this version of imbcore cannot read; a newer \
                 version may"
            ))),
        }
    }
}
