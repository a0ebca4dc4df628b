//! SVR-Trees as a family of methods: fitting, paths of penalties, and their part of the model file.

use crate::door::enter;
use crate::file::{Reader, Writer};
use crate::model::{Fitted, Model};
use crate::registry::{Recipe, Run, Settled, Task, positive_of, settle};
use crate::{remarks, trees};
use imbcore_base::{Dataset, Error, Learner, Result, RunCtl, Schema, parse_params};
use imbcore_tree::svr::{ProbabilityRule, SvrArrays, SvrLearner, SvrModel, SvrParams};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// Registered name.
pub(crate) const METHOD: &str = "svr_tree";

impl Recipe for SvrParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.check(method)?.class_weight(run.class_weight)?;
        Ok(Fitted::Svr(learner.fit(run.data, run.key, run.ctl)?))
    }
}

/// Row positions of the training and the test part of one fold.
pub type Split = (Vec<u32>, Vec<u32>);

/// Answers of the trees of a path on a test part: class codes, and class probabilities row by row.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Answers {
    pub codes: Vec<u32>,
    pub proba: Vec<f64>,
}

/// Fits an SVR-Tree for every penalty; the data are sorted once.
///
/// # Errors
/// As [`crate::fit`].
pub fn svr_path(
    task: &Task<'_>,
    penalties: &[f64],
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunCtl<'_>,
) -> Result<Vec<Model>> {
    let given: Map<String, Value> = serde_json::from_str(task.params)
        .map_err(|error| Error::Data(format!("parameters are no JSON object: {error}")))?;
    let params = parse_params(METHOD, &SvrParams::default(), &given)?;
    for &penalty in penalties {
        SvrParams { penalty: Some(penalty), ..params.clone() }.check(METHOD)?;
    }
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let models: Vec<Model> = enter(task, data, |task, data| {
        let Settled { class_weight, decision, .. } = settle(task.class_weight, task.costs, data, positive)?;
        let fitted: Vec<Fitted> = match data.present(class_weight.as_deref())[..] {
            [class] if task.door.constant => vec![Fitted::constant(data, class)?; penalties.len()],
            [] | [_] => return Err(data.too_few_classes()),
            _ => {
                let learner: SvrLearner = params.clone().check(METHOD)?.class_weight(class_weight)?;
                let ground = learner.prepare(data, ctl)?;
                learner.path(&ground, None, penalties, ctl)?.into_iter().map(Fitted::Svr).collect()
            }
        };
        let model = |(fitted, &penalty): (Fitted, &f64)| {
            let params = SvrParams { penalty: Some(penalty), ..params.clone() };
            Model::new(METHOD, json!(params), schema.clone(), fitted, decision.clone(), positive)
        };
        fitted.into_iter().zip(penalties).map(model).collect()
    })?;
    if let Some(first) = models.first() {
        remarks::on_constant(first, ctl);
    }
    Ok(models)
}

/// Answers on the test part of every split by the trees that its training part gives, one for each penalty.
///
/// # Errors
/// As [`crate::fit`]; [`Error::Data`] when a training part lacks all classes but one, unless constant models will do.
pub fn svr_validate(
    task: &Task<'_>,
    penalties: &[f64],
    splits: &[Split],
    (data, schema): (&Dataset<'_>, &Schema),
    ctl: RunCtl<'_>,
) -> Result<Vec<Vec<Answers>>> {
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let task = &Task { positive: Some(positive), ..*task };
    enter(task, data, |task, data| validate_inside(task, penalties, splits, (data, schema), ctl))
}

fn validate_inside(
    task: &Task<'_>,
    penalties: &[f64],
    splits: &[Split],
    (data, schema): (&Dataset<'_>, &Schema),
    ctl: RunCtl<'_>,
) -> Result<Vec<Vec<Answers>>> {
    let one = |(split, (train, test)): (usize, &Split)| {
        let rows = data.frame().take(train, ctl)?;
        let classes: Vec<u32> = train.iter().map(|&row| data.classes()[row as usize]).collect();
        let weights: Option<Vec<f64>> =
            data.weights().map(|weights| train.iter().map(|&row| weights[row as usize]).collect());
        let (rows, n_classes) = (rows.borrow()?, data.n_classes());
        let part = Dataset::of_any_classes(rows, &classes, n_classes, weights.as_deref())?;
        let models = svr_path(task, penalties, &part, schema, ctl.quiet()).map_err(|error| match error {
            Error::Data(message) => Error::Data(format!("training part of split {split}: {message}")),
            other => other,
        })?;
        let rows = data.frame().take(test, ctl)?;
        let rows = rows.borrow()?;
        let ask = |model: &Model| {
            Ok(Answers { codes: model.predict(&rows, ctl)?, proba: model.proba(&rows, ctl)? })
        };
        models.iter().map(ask).collect()
    };
    splits.par_iter().enumerate().with_max_len(1).map(one).collect()
}

pub(crate) fn write(model: &SvrModel, file: &mut Writer) {
    trees::write(model.tree(), file);
    let arrays = model.facts().to_arrays();
    file.u32s("svr.labels", model.labels());
    file.f64s("svr.settings", &arrays.settings);
    file.f64s("svr.class_weights", &arrays.class_weights);
    file.f64s("svr.offset", &arrays.offset);
    file.f64s("svr.width", &arrays.width);
    file.u32s("svr.node", &arrays.node);
    file.u32s("svr.axis", &arrays.axis);
    file.f64s("svr.cut", &arrays.cut);
    file.f64s("svr.state", &arrays.state);
}

pub(crate) fn read(file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<SvrModel> {
    let tree = trees::read_tree(file, schema)?;
    let probability: ProbabilityRule = serde_json::from_value(params["probability"].clone())
        .map_err(|_| Error::Format("the model file is damaged: parameter `probability` is invalid".into()))?;
    let arrays = SvrArrays {
        settings: file.f64s("svr.settings")?,
        class_weights: file.f64s("svr.class_weights")?,
        offset: file.f64s("svr.offset")?,
        width: file.f64s("svr.width")?,
        node: file.u32s("svr.node")?,
        axis: file.u32s("svr.axis")?,
        cut: file.f64s("svr.cut")?,
        state: file.f64s("svr.state")?,
    };
    let labels = file.u32s("svr.labels")?;
    SvrModel::from_arrays(tree, labels, &arrays, &trees::column_kinds(schema), probability)
}
