//! A fitted model of any family, with everything it needs to answer questions on new data.

use crate::file::{Reader, Writer};
use crate::{forests, trees};
use imbcore_base::{Classifier, Column, Error, FeatureKind, Frame, Params, Result, RunCtl, Schema};
use imbcore_ensemble::ForestModel;
use imbcore_tree::{TreeModel, TreeParams};
use serde_json::{Value, json};

/// The families of models.
#[derive(Clone, Debug, PartialEq)]
pub enum Fitted {
    /// A single tree.
    Tree(TreeModel),
    /// Many trees.
    Forest(ForestModel),
}

impl Fitted {
    fn kind(&self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Forest(_) => "forest",
        }
    }

    /// The tree, if the model is a single one.
    pub fn tree(&self) -> Option<&TreeModel> {
        match self {
            Self::Tree(model) => Some(model),
            Self::Forest(_) => None,
        }
    }

    /// The forest, if the model is one.
    pub fn forest(&self) -> Option<&ForestModel> {
        match self {
            Self::Forest(model) => Some(model),
            Self::Tree(_) => None,
        }
    }

    fn classifier(&self) -> &dyn Classifier {
        match self {
            Self::Tree(model) => model,
            Self::Forest(model) => model,
        }
    }
}

/// A fitted model: method, parameters, names and what was learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    method: String,
    params: Value,
    schema: Schema,
    fitted: Fitted,
}

impl Model {
    pub(crate) fn new(method: &str, params: Value, schema: Schema, fitted: Fitted) -> Result<Self> {
        if schema.classes.len() != fitted.classifier().n_classes() {
            return Err(Error::Internal("the schema's classes are not those of the model".into()));
        }
        Ok(Self { method: method.to_owned(), params, schema, fitted })
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
        self.fitted.classifier().proba(frame, ctl)
    }

    /// Most probable class codes.
    ///
    /// # Errors
    /// As [`Model::proba`].
    pub fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        self.check(frame)?;
        self.fitted.classifier().predict(frame, ctl)
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
        if self.params.get("missing").is_some_and(|rule| rule == "error") {
            refuse_missing(frame)?;
        }
        Ok(())
    }

    /// One tree of a forest as a model of its own: that of method `cart` with the parameters of the forest's trees.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model that is no forest; [`Error::Data`] when there is no such tree.
    pub fn member(&self, tree: usize) -> Result<Self> {
        let Some(forest) = self.fitted.forest() else {
            let message = format!("a model of method `{}` is not made of trees", self.method);
            return Err(Error::Unsupported(message));
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
        Self::new("cart", Value::Object(params), self.schema.clone(), fitted)
    }

    /// The content of a model file.
    ///
    /// # Errors
    /// [`Error::Format`] for a header beyond what the format holds.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut file = Writer::new();
        match &self.fitted {
            Fitted::Tree(model) => trees::write(model, &mut file),
            Fitted::Forest(model) => forests::write(model, &mut file),
        }
        file.finish(self.fitted.kind(), &self.method, &self.params, &self.schema)
    }

    /// A model from the content of a model file, which may come from anywhere.
    ///
    /// # Errors
    /// [`Error::Format`] for anything that [`Model::to_bytes`] cannot have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let file = Reader::new(bytes)?;
        let (params, schema) = (file.params(), file.schema()?);
        let fitted = match file.kind() {
            "tree" => Fitted::Tree(trees::read(&file, params, &schema)?),
            "forest" => Fitted::Forest(forests::read(&file, params, &schema)?),
            kind => {
                return Err(Error::Format(format!(
                    "the model file holds a model of kind `{kind}`, which this version of imbcore does not know; \
                     a newer version may"
                )));
            }
        };
        Self::new(file.method(), params.clone(), schema, fitted)
    }
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
