//! A fitted model of any family, with everything it needs to answer questions on new data.

use crate::file::{Reader, Writer, innermost};
use crate::registry::complete;
use crate::{bayes, boxes, decomposed, forests, svr, trees};
use imbcore_base::{
    Classifier, Column, Costs, Dataset, Decision, Error, FeatureKind, Frame, Params, Positive, Result,
    RunCtl, Schema, first_largest,
};
use imbcore_bayes::classifier::BayesModel;
use imbcore_boxes::BoxModel;
use imbcore_criteria::{AnyCriterion, Gini};
use imbcore_ensemble::ForestModel;
use imbcore_ensemble::decompose::Decomposed;
use imbcore_tree::svr::SvrModel;
use imbcore_tree::{ColumnKind, LeafRule, Tree, TreeArrays, TreeModel, TreeParams};
use serde_json::{Value, json};

/// The families of models.
#[derive(Clone, Debug, PartialEq)]
pub enum Fitted {
    /// A single tree.
    Tree(TreeModel),
    /// Many trees.
    Forest(ForestModel),
    /// A single tree whose leaves have assigned labels.
    Svr(SvrModel),
    /// A few boxes.
    Boxes(BoxModel),
    /// A Bayesian network or several.
    Bayes(BayesModel),
    /// Several classes as tasks of two.
    Decomposed(Decomposed<Fitted>),
    /// The answer of any method to rows of a single class: a tree of one leaf.
    Constant(TreeModel),
}

impl Fitted {
    /// A model that always answers `class`.
    pub(crate) fn constant(data: &Dataset<'_>, class: u32) -> Result<Self> {
        let weighed =
            (0..data.n_rows()).filter(|&row| data.classes()[row] == class && data.weight(row) > 0.0);
        let mut mass = vec![0.0; data.n_classes()];
        let mut n_rows = 0;
        for row in weighed {
            mass[class as usize] += data.weight(row);
            n_rows += 1;
        }
        let columns: Vec<ColumnKind> = data.frame().columns().iter().map(ColumnKind::of).collect();
        let tree = Tree::from_arrays(TreeArrays::leaf(n_rows, mass), &columns, data.n_classes())?;
        Ok(Self::Constant(TreeModel::new(tree, LeafRule::Frequency, 1.0, false)))
    }

    /// The class that training was all of, where the model is constant.
    pub(crate) fn only_class(&self) -> Option<u32> {
        match self {
            Self::Constant(model) => Some(first_largest(model.node_proba(0))),
            _ => None,
        }
    }

    /// Name of the family.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Forest(_) => "forest",
            Self::Svr(_) => "svr",
            Self::Boxes(_) => "boxes",
            Self::Bayes(_) => "bayes",
            Self::Decomposed(_) => "decomposed",
            Self::Constant(_) => "constant",
        }
    }

    /// Writes the family's part of a model file.
    pub(crate) fn write(&self, file: &mut Writer) -> Result<()> {
        match self {
            Self::Tree(model) | Self::Constant(model) => trees::write(model, file),
            Self::Forest(model) => forests::write(model, file),
            Self::Svr(model) => svr::write(model, file),
            Self::Boxes(model) => boxes::write(model, file),
            Self::Bayes(model) => bayes::write(model, file)?,
            Self::Decomposed(model) => decomposed::write(model, file)?,
        }
        Ok(())
    }

    /// Reads the family's part of a model file; `params` are those of the innermost method.
    pub(crate) fn read(kind: &str, file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<Self> {
        match kind {
            "tree" => Ok(Self::Tree(trees::read(file, params, schema)?)),
            "constant" => Ok(Self::Constant(trees::read_leaf(file, schema)?)),
            "forest" => Ok(Self::Forest(forests::read(file, params, schema)?)),
            "svr" => Ok(Self::Svr(svr::read(file, params, schema)?)),
            "boxes" => Ok(Self::Boxes(boxes::read(file, params, schema)?)),
            "bayes" => Ok(Self::Bayes(bayes::read(file, schema)?)),
            "decomposed" => Ok(Self::Decomposed(decomposed::read(file, params, schema)?)),
            _ => Err(Error::Format(format!(
                "the model file holds a model of kind `{kind}`, which this version of imbcore does not know; \
                 a newer version may"
            ))),
        }
    }

    /// The tree, if the model is a single one.
    pub fn tree(&self) -> Option<&TreeModel> {
        match self {
            Self::Tree(model) | Self::Constant(model) => Some(model),
            Self::Svr(model) => Some(model.tree()),
            _ => None,
        }
    }

    /// The SVR-Tree, if the model is one.
    pub fn svr(&self) -> Option<&SvrModel> {
        match self {
            Self::Svr(model) => Some(model),
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

    /// Probabilities of the classes before anything is known of a row.
    pub(crate) fn class_law(&self) -> Result<&[f64]> {
        let bayes = self.bayes().ok_or_else(|| {
            Error::Unsupported(
                "threshold=\"prior\" is for Bayesian classifiers; cost_matrix=\"balanced\" does the like for every method"
                    .into(),
            )
        })?;
        Ok(&bayes.facts().law)
    }

    fn classifier(&self) -> &dyn Classifier {
        match self {
            Self::Tree(model) | Self::Constant(model) => model,
            Self::Forest(model) => model,
            Self::Svr(model) => model,
            Self::Boxes(model) => model,
            Self::Bayes(model) => model,
            Self::Decomposed(model) => model,
        }
    }
}

impl Classifier for Fitted {
    fn n_classes(&self) -> usize {
        self.classifier().n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        self.classifier().proba(frame, ctl)
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        self.classifier().predict(frame, ctl)
    }
}

/// A fitted model: method, parameters, names, what was learnt, and how answers follow from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    method: String,
    params: Value,
    schema: Schema,
    fitted: Fitted,
    decision: Decision,
    positive: u32,
}

impl Model {
    pub(crate) fn new(
        method: &str,
        params: Value,
        schema: Schema,
        mut fitted: Fitted,
        decision: Decision,
        positive: u32,
    ) -> Result<Self> {
        if schema.classes.len() != fitted.n_classes() {
            return Err(Error::Internal("the schema's classes are not those of the model".into()));
        }
        decision.check(fitted.n_classes())?;
        let drawn = fitted.boxes().map_or(positive, BoxModel::positive);
        if positive as usize >= schema.classes.len() || drawn != positive {
            return Err(Error::Format(
                "the positive class is none of the classes, or not that of the boxes".into(),
            ));
        }
        // The leaves of a tree then say in its rules and pictures what the model answers.
        match &mut fitted {
            Fitted::Tree(tree) | Fitted::Constant(tree) => tree.answer_by(&decision)?,
            Fitted::Svr(tree) => tree.answer_by(&decision)?,
            _ => {}
        }
        Ok(Self { method: method.to_owned(), params, schema, fitted, decision, positive })
    }

    /// Registered name of its method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// All parameters as used.
    pub fn params(&self) -> &Value {
        &self.params
    }

    /// Names of features, levels and classes.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What was learnt.
    pub fn fitted(&self) -> &Fitted {
        &self.fitted
    }

    /// How answers follow from the class probabilities.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// What is to be said to a question that `what` this model makes impossible.
    pub fn is_not(&self, what: &str) -> Error {
        let method = &self.method;
        Error::Unsupported(match self.fitted {
            Fitted::Constant(_) => format!(
                "this model of method `{method}` {what}: it was fitted to rows of one class and always answers it"
            ),
            _ => format!("a model of method `{method}` {what}"),
        })
    }

    /// Code of the class that a threshold, boxes, rules and scores speak of.
    pub fn positive(&self) -> u32 {
        self.positive
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    /// Class probabilities, row-major.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] if the frame is not like the training data.
    pub fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        self.check(frame)?;
        self.fitted.proba(frame, ctl)
    }

    /// Class codes by the model's decision: without one, the most probable.
    ///
    /// # Errors
    /// As [`Model::proba`].
    pub fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        self.check(frame)?;
        match self.decision {
            Decision::Argmax => self.fitted.predict(frame, ctl),
            _ => self.decision.decide(&self.fitted.proba(frame, ctl)?, self.n_classes()),
        }
    }

    /// Weight of every class among the given rows in every node of a tree, or in every box and, last, in none: row-major.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that is neither; otherwise as [`Model::proba`].
    pub fn rule_masses(&self, data: &Dataset<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        self.check(data.frame())?;
        match self.fitted.boxes() {
            Some(boxes) => boxes.masses(data, ctl),
            None => self.single_tree()?.masses(data, ctl),
        }
    }

    /// Whether rows may lack values.
    pub fn takes_missing(&self) -> bool {
        innermost(&self.params).get("missing").is_none_or(|rule| rule != "error")
    }

    /// Whether a frame has the columns that the model was fitted on.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`].
    pub fn check(&self, frame: &Frame<'_>) -> Result<()> {
        let features = &self.schema.features;
        if frame.n_columns() != features.len() {
            let message = format!(
                "X has {} features, but the model was fitted on {}",
                frame.n_columns(),
                features.len()
            );
            return Err(Error::Data(message));
        }
        for (index, (column, feature)) in frame.columns().iter().zip(features).enumerate() {
            let fits = match (column, &feature.kind) {
                (Column::Numeric(_), FeatureKind::Numeric) => true,
                (Column::Nominal { codes, .. }, FeatureKind::Nominal { levels }) => {
                    codes.iter().all(|&code| code == imbcore_base::MISSING || (code as usize) < levels.len())
                }
                _ => false,
            };
            if !fits {
                let message = "is of another kind (numeric or nominal) than in training".into();
                return Err(Error::Column { column: index, message });
            }
        }
        if !self.takes_missing() {
            refuse_missing(frame)?;
        }
        Ok(())
    }

    /// Share of each feature in what the splits of the tree, or of each tree, brought.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model of no trees; [`Error::Format`] where its file names an unknown criterion.
    pub fn feature_importances(&self) -> Result<Vec<f64>> {
        if let Some(forest) = self.fitted.forest() {
            return Ok(forest.feature_importances().to_vec());
        }
        // Methods with a criterion of their own have no such parameter; their gains are by unit of mass.
        let criterion = match innermost(&self.params).get("criterion") {
            None => AnyCriterion::Gini(Gini {}),
            Some(named) => serde_json::from_value(named.clone()).map_err(|error| {
                Error::Format(format!("the model file is damaged: parameter `criterion`: {error}"))
            })?,
        };
        Ok(self.single_tree()?.tree().feature_importances(self.schema.features.len(), &criterion))
    }

    /// One tree of a forest as a model of its own: that of method `cart` with the parameters of the forest's trees.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that is no forest; [`Error::Data`] when there is no such tree.
    pub fn member(&self, tree: usize) -> Result<Self> {
        let Some(forest) = self.fitted.forest() else {
            return Err(self.is_not("is not made of trees"));
        };
        let mut params = serde_json::Map::new();
        for spec in TreeParams::default().specs() {
            let used = self.params.get(spec.name).cloned().unwrap_or(spec.default);
            params.insert(spec.name.to_owned(), used);
        }
        if let Some(&alpha) = forest.alphas().get(tree) {
            let criterion = match self.params.get("reference") {
                None | Some(Value::Null) => json!({"name": "alpha", "alpha": alpha}),
                Some(reference) => json!({"name": "alpha_ext", "alpha": alpha, "reference": reference}),
            };
            params.insert("criterion".into(), criterion);
        }
        let fitted = Fitted::Tree(forest.member(tree)?);
        let (schema, decision) = (self.schema.clone(), self.decision.clone());
        Self::new("cart", Value::Object(params), schema, fitted, decision, self.positive)
    }

    /// The content of a model file.
    ///
    /// # Errors
    /// [`Error::Format`] for a header beyond what the format holds.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut file = Writer::new();
        self.fitted.write(&mut file)?;
        match &self.decision {
            Decision::Argmax => {}
            Decision::Threshold { at, .. } => file.f64s(THRESHOLD, &[*at]),
            Decision::Costs(costs) => file.f64s(COSTS, costs.cells()),
            Decision::Prior(law) => file.f64s(PRIOR, law),
        }
        file.u32s(POSITIVE, &[self.positive]);
        file.finish(self.fitted.kind(), &self.method, &self.params, &self.schema)
    }

    /// A model from the content of a model file, which may come from anywhere.
    ///
    /// # Errors
    /// [`Error::Format`] for anything that [`Model::to_bytes`] cannot have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let file = Reader::new(bytes)?;
        let schema = file.schema()?;
        check_params(&file)?;
        let fitted = Fitted::read(file.kind(), &file, file.learner_params(), &schema)?;
        let positive = read_positive(&file, &fitted, &schema)?;
        let decision = read_decision(&file, schema.classes.len(), positive)?;
        Self::new(file.own_method(), file.params().clone(), schema, fitted, decision, positive)
    }
}

/// The parameters of a file must be such as its method takes.
fn check_params(file: &Reader<'_>) -> Result<()> {
    let damaged = |what: String| Error::Format(format!("the model file is damaged: {what}"));
    let params = file.params().as_object().ok_or_else(|| damaged("it has no parameters".into()))?;
    complete(file.own_method(), params).map_err(|error| damaged(error.to_string()))?;
    Ok(())
}

/// Arrays of a model file that hold how answers are given; files of models that answer the most probable class, and
/// all files before there was a choice, have none of them.
const THRESHOLD: &str = "decision.threshold";
const COSTS: &str = "decision.costs";
const PRIOR: &str = "decision.prior";
/// Array with the code of the positive class.
const POSITIVE: &str = "positive";

/// Files of format 1 do not say which class is the positive one. Their thresholds were about class 1; else the boxes
/// tell, or the rule does by the weights that the file knows, which are those at the root of a tree.
fn read_positive(file: &Reader<'_>, fitted: &Fitted, schema: &Schema) -> Result<u32> {
    if file.format() > 1 {
        return match file.u32s(POSITIVE)?[..] {
            [code] => Ok(code),
            _ => Err(Error::Format("the model file does not name one positive class".into())),
        };
    }
    if file.has(THRESHOLD) {
        return Ok(1);
    }
    if let Some(boxes) = fitted.boxes() {
        return Ok(boxes.positive());
    }
    let even = vec![1.0; schema.classes.len()];
    let masses = fitted.tree().map_or(&even[..], |tree| tree.tree().mass(0));
    Ok(Positive::of(&schema.classes, masses).code)
}

fn read_decision(file: &Reader<'_>, n_classes: usize, positive: u32) -> Result<Decision> {
    let damaged = |error: &dyn std::fmt::Display| Error::Format(format!("the decision is damaged: {error}"));
    let decision = match (file.has(THRESHOLD), file.has(COSTS), file.has(PRIOR)) {
        (false, false, false) => Decision::Argmax,
        (false, true, false) => {
            Decision::Costs(Costs::new(file.f64s(COSTS)?, n_classes).map_err(|error| damaged(&error))?)
        }
        (false, false, true) => Decision::Prior(file.f64s(PRIOR)?),
        (true, false, false) => match file.f64s(THRESHOLD)?[..] {
            [at] if (0.0..=1.0).contains(&at) => Decision::Threshold { at, positive },
            _ => return Err(damaged(&"the threshold is no number in [0, 1]")),
        },
        _ => return Err(damaged(&"there are two")),
    };
    decision.check(n_classes).map_err(|error| damaged(&error))?;
    Ok(decision)
}

/// What a model promises that was fitted with `missing="error"`.
fn refuse_missing(frame: &Frame<'_>) -> Result<()> {
    if !frame.has_missing() {
        return Ok(());
    }
    let holey = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
    match frame.columns().iter().position(holey) {
        Some(column) => {
            let message =
                "has missing values (NaN), which a model fitted with missing=\"error\" refuses; fill them";
            Err(Error::Column { column, message: message.into() })
        }
        None => Ok(()),
    }
}
