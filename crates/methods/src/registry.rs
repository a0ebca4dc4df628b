//! One line a method: name, default parameters, title and source.

use crate::costly::MetaCostParams;
use crate::decomposed::{EcocParams, OvaParams, OvoParams};
use crate::door::{Door, enter};
use crate::forests;
use crate::model::{Fitted, Model};
use crate::remarks;
use crate::threshold;
use imbcore_base::{
    ClassWeights, CostPlan, CostStrategy, Costs, Dataset, Decision, Error, Joined, Label, ParamSpec, Params,
    Positive, Result, RunCtl, Schema, SeedKey, Threshold, nearest, parse_params,
};
use imbcore_bayes::classifier::{
    KdbBayesParams, NaiveBayesParams, TanBayesParams, bayes_bagging, full_bayes,
};
use imbcore_boxes::{ExactBoxesParams, FastBoxesParams, PrimParams};
use imbcore_ensemble::{ForestParams, SvrForestParams};
use imbcore_tree::svr::SvrParams;
use imbcore_tree::{AlphaParams, C45Params, TreeParams};
use serde::Serialize;
use serde_json::{Map, Value};

/// Parameters that know how to fit their family of models.
pub(crate) trait Recipe: Params {
    /// How the method stands to others.
    const ROLE: Role = Role::Learner;

    /// The same parameters with the defaults of the method inside filled in, where there is one.
    fn complete(self, _method: &'static str) -> Result<Self> {
        Ok(self)
    }

    /// Checks the parameters and fits.
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted>;
}

/// How a method stands to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It learns by itself, from two classes or more.
    Learner,
    /// It fits another method to two classes at a time.
    Decomposition,
    /// It fits another method to data changed by a cost matrix, which it uses up.
    Costly,
}

/// What a person is told about a method.
#[derive(Clone, Debug, Serialize)]
pub struct Method {
    /// Name as the user writes it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
}

/// A method by name, with its parameters as they come from outside.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Registered name.
    pub method: &'a str,
    /// JSON object of parameters; the others take their defaults.
    pub params: &'a str,
    /// Weights of the classes.
    pub class_weight: Option<&'a ClassWeights>,
    /// What wrong answers cost, and how answers are given.
    pub costs: Option<&'a CostPlan>,
    /// Code of the positive class; None by the rule, [`Positive::of`].
    pub positive: Option<u32>,
    /// Address of all random choices.
    pub key: SeedKey,
    /// How it is taken in.
    pub door: Door,
}

macro_rules! methods {
    ($($name:literal => $defaults:expr, $title:literal, $source:literal;)*) => {
        /// Every registered method.
        pub fn methods() -> Vec<Method> {
            vec![$(Method { name: $name, title: $title, source: $source, params: $defaults.specs() },)*]
        }

        fn dispatch(
            name: &str,
            given: &Map<String, Value>,
            run: Run<'_, '_>,
        ) -> Result<(&'static str, Value, Fitted)> {
            match name {
                $($name => run.with($name, &$defaults, given),)*
                _ => Err(nearest("method", name, [$($name),*])),
            }
        }

        /// All parameters of a method as it will use them, and its role.
        pub(crate) fn complete(name: &str, given: &Map<String, Value>) -> Result<(Map<String, Value>, Role)> {
            match name {
                $($name => all_parameters($name, &$defaults, given),)*
                _ => Err(nearest("method", name, [$($name),*])),
            }
        }
    };
}

methods! {
    "hddt" => TreeParams::hddt(), "Hellinger distance decision tree",
        "Cieslak and Chawla 2008; Hoens, Qian, Chawla and Zhou 2012 for more than two classes";
    "c44" => TreeParams::c44(), "C4.4: C4.5 without pruning, with Laplace leaves",
        "Provost and Domingos 2003; Quinlan 1993";
    "c45" => Joined::new(C45Params::default(), C45Params::tree()), "C4.5 with collapsing and pessimistic pruning",
        "Quinlan 1993";
    "cart" => TreeParams::cart(), "Classification tree (CART), fully grown",
        "Breiman, Friedman, Olshen and Stone 1984";
    "alpha_tree" => Joined::new(AlphaParams::default(), TreeParams::alpha_tree()), "Alpha-tree",
        "Park and Ghosh 2012";
    "svr_tree" => SvrParams::default(),
        "SVR-Tree: regions of the rare class with little surface for their volume", "Zhu, Li and Dunson 2021";
    "beat" => forests::beat(), "BEAT: bootstrap ensemble of alpha-trees", "Park and Ghosh 2012";
    "bagged_c45" => forests::bagged_c45(), "Bagged C4.5 trees, not pruned", "Breiman 1996; Quinlan 1993";
    "random_forest" => forests::random_forest(ForestParams::default()), "Random forest", "Breiman 2001";
    "balanced_random_forest" => forests::random_forest(forests::Balanced::default()),
        "Random forest whose trees see as many rows of each class", "Chen, Liaw and Breiman 2004";
    "weighted_random_forest" => forests::random_forest(forests::Weighted::default()),
        "Random forest whose classes weigh alike", "Chen, Liaw and Breiman 2004";
    "svr_forest" => Joined::new(SvrForestParams::default(), SvrParams::default()),
        "Bootstrap ensemble of SVR-Trees", "Zhu, Li and Dunson 2021 for the trees; Breiman 1996";
    "fast_boxes" => FastBoxesParams::default(), "Fast Boxes: a few boxes around the rare class",
        "Goh and Rudin 2014";
    "exact_boxes" => ExactBoxesParams::default(),
        "Exact Boxes: the best drawing of a few boxes around the rare class, with a proof", "Goh and Rudin 2014";
    "prim" => PrimParams::default(), "PRIM: patient rule induction, box after box", "Friedman and Fisher 1999";
    "full_bayes" => full_bayes(), "Bayesian network classifier whose graph is searched for",
        "Morán Jiménez 2018; Heckerman, Geiger and Chickering 1995";
    "naive_bayes" => NaiveBayesParams::default(), "Naive Bayes over discretised columns",
        "Langley, Iba and Thompson 1992";
    "tan" => TanBayesParams::default(), "Tree-augmented naive Bayes", "Friedman, Geiger and Goldszmidt 1997";
    "kdb" => KdbBayesParams::default(), "k-dependence Bayesian classifier", "Sahami 1996";
    "bayes_bagging" => bayes_bagging(), "Bayesian network classifiers on bootstrap samples",
        "Morán Jiménez 2018; Breiman 1996";
    "ova" => OvaParams::default(), "One class against all others, a model a class",
        "Rifkin and Klautau 2004; Hoens, Qian, Chawla and Zhou 2012, section 2.1";
    "ecoc" => EcocParams::default(), "Error-correcting output codes, a model a column of a code book",
        "Dietterich and Bakiri 1995; Hoens, Qian, Chawla and Zhou 2012, section 2.1";
    "ovo" => OvoParams::default(), "One class against one other, a model a pair",
        "Hastie and Tibshirani 1998; Wu, Lin and Weng 2004";
    "metacost" => MetaCostParams::default(), "MetaCost: one model of data relabelled to the cheapest class",
        "Domingos 1999";
}

fn all_parameters<R: Recipe>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
) -> Result<(Map<String, Value>, Role)> {
    let params = parse_params(method, defaults, given)?.complete(method)?;
    match serde_json::to_value(&params) {
        Ok(Value::Object(all)) => Ok((all, R::ROLE)),
        other => Err(Error::Internal(format!("parameters of {method} are no object: {other:?}"))),
    }
}

/// One fit of one method.
pub(crate) struct Run<'r, 'd> {
    pub(crate) data: &'r Dataset<'d>,
    pub(crate) class_weight: Option<Vec<f64>>,
    pub(crate) costs: Option<&'r Costs>,
    pub(crate) positive: u32,
    pub(crate) key: SeedKey,
    /// Whether rows of a single class give a constant model.
    pub(crate) constant: bool,
    pub(crate) ctl: RunCtl<'r>,
}

impl Run<'_, '_> {
    fn with<R: Recipe>(
        self,
        method: &'static str,
        defaults: &R,
        given: &Map<String, Value>,
    ) -> Result<(&'static str, Value, Fitted)> {
        let params = parse_params(method, defaults, given)?.complete(method)?;
        let used = serde_json::to_value(&params).map_err(|error| Error::Internal(error.to_string()))?;
        let fitted = match self.data.present(self.class_weight.as_deref())[..] {
            [class] if self.constant => Fitted::constant(self.data, class)?,
            [] | [_] => return Err(self.data.too_few_classes()),
            _ => params.fit(method, self)?,
        };
        Ok((method, used, fitted))
    }
}

/// Fits the method inside another one.
pub(crate) fn fit_base(name: &str, params: &Map<String, Value>, run: Run<'_, '_>) -> Result<Fitted> {
    Ok(dispatch(name, params, run)?.2)
}

/// Fits a method by name.
///
/// Weights that are all below 1 are multiplied to a mean of 1 over the rows that have any: counts in numbers of rows
/// then are what they would be without weights.
///
/// # Errors
/// [`Error::Unknown`] for the name or a parameter, [`Error::Parameter`], and whatever the data make impossible.
pub fn fit(task: &Task<'_>, data: &Dataset<'_>, schema: Schema, ctl: RunCtl<'_>) -> Result<Model> {
    remarks::on_columns(data, &schema, ctl);
    let model = enter(task, data, |task, data| fit_inside(task, data, schema, ctl))?;
    remarks::on_constant(&model, ctl);
    Ok(model)
}

/// The same behind the door.
pub(crate) fn fit_inside(
    task: &Task<'_>,
    data: &Dataset<'_>,
    schema: Schema,
    ctl: RunCtl<'_>,
) -> Result<Model> {
    let given: Map<String, Value> = serde_json::from_str(task.params)
        .map_err(|error| Error::Data(format!("parameters are no JSON object: {error}")))?;
    let (_, role) = complete(task.method, &given)?;
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let default = CostPlan::default();
    let asked = task.costs.unwrap_or(&default);
    let from_data = asked.threshold.filter(|threshold| !matches!(threshold, Threshold::At(_)));
    let plan = &CostPlan { threshold: asked.threshold.filter(|_| from_data.is_none()), ..asked.clone() };
    if from_data.is_some() && asked.matrix.is_some() && asked.strategy == CostStrategy::Decision {
        // Says what to choose between.
        asked.decision(asked.costs(data)?.as_ref(), data.n_classes(), positive)?;
    }
    let settled = if role == Role::Costly {
        if plan.strategy != CostStrategy::Decision {
            let expected = "\"decision\": the method turns the cost matrix into labels itself";
            return Err(Error::parameter(task.method, "cost_strategy", expected, "\"reweight\""));
        }
        // The costs are in the labels that the model learns, not in its answers as well.
        let rest = CostPlan { matrix: None, ..plan.clone() };
        Settled { costs: plan.costs(data)?, ..settle(task.class_weight, Some(&rest), data, positive)? }
    } else {
        settle(task.class_weight, Some(plan), data, positive)?
    };
    let Settled { class_weight, costs, decision } = settled;
    // Costs that became weights are in the data, and must not count again.
    let costs = costs.as_ref().filter(|_| plan.strategy == CostStrategy::Decision);
    let constant = task.door.constant;
    let run = Run { data, class_weight, costs, positive, key: task.key, constant, ctl };
    let (method, params, fitted) = dispatch(task.method, &given, run)?;
    let decision = match from_data {
        Some(Threshold::F1) => threshold::best_f1(task, plan, (data, positive), &schema, ctl)?,
        Some(Threshold::Prior) => Decision::Prior(fitted.class_law()?.to_vec()),
        _ => decision,
    };
    Model::new(method, params, schema, fitted, decision, positive)
}

/// Code of the positive class: the one asked for, or that of the rule.
pub(crate) fn positive_of(asked: Option<u32>, labels: &[Label], data: &Dataset<'_>) -> Result<u32> {
    // A model of one class has no other to speak of.
    let last = data.n_classes().saturating_sub(1) as u32;
    match asked {
        Some(code) if code <= last => Ok(code),
        Some(code) => Err(Error::parameter("fit", "positive", "the code of a class", code)),
        None => Ok(Positive::of(labels, &data.class_masses()).code.min(last)),
    }
}

/// What class weights and costs mean for one set of data.
pub(crate) struct Settled {
    pub(crate) class_weight: Option<Vec<f64>>,
    pub(crate) costs: Option<Costs>,
    pub(crate) decision: Decision,
}

/// Class weights times those that stand for costs, and how answers are given; a threshold is about class `positive`.
pub(crate) fn settle(
    class_weight: Option<&ClassWeights>,
    plan: Option<&CostPlan>,
    data: &Dataset<'_>,
    positive: u32,
) -> Result<Settled> {
    let class_weight = class_weights(class_weight, plan, data)?;
    let Some(plan) = plan else {
        return Ok(Settled { class_weight, costs: None, decision: Decision::Argmax });
    };
    let costs = plan.costs(data)?;
    let decision = plan.decision(costs.as_ref(), data.n_classes(), positive)?;
    Ok(Settled { class_weight, costs, decision })
}

/// Class weights times those that stand for costs.
pub(crate) fn class_weights(
    class_weight: Option<&ClassWeights>,
    plan: Option<&CostPlan>,
    data: &Dataset<'_>,
) -> Result<Option<Vec<f64>>> {
    let resolve = |weights: &ClassWeights| weights.resolve(data.classes(), data.n_classes());
    let own = class_weight.map(resolve).transpose()?;
    let Some(plan) = plan else { return Ok(own) };
    Ok(product(own, plan.class_weights(plan.costs(data)?.as_ref(), data)?))
}

fn product(a: Option<Vec<f64>>, b: Option<Vec<f64>>) -> Option<Vec<f64>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.iter().zip(b).map(|(a, b)| a * b).collect()),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_valid_and_every_name_unique() {
        let methods = methods();
        let mut names: Vec<_> = methods.iter().map(|method| method.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), methods.len());
        assert!(methods.iter().all(|method| !method.title.is_empty() && !method.params.is_empty()));
    }
}
