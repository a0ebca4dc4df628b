//! One line a method: name, default parameters, title and source.

use crate::forests;
use crate::model::{Fitted, Model};
use imbcore_base::{
    ClassWeights, Dataset, Error, Joined, ParamSpec, Params, Result, RunCtl, Schema, SeedKey, nearest,
    parse_params,
};
use imbcore_ensemble::ForestParams;
use imbcore_tree::{AlphaParams, C45Params, TreeParams};
use serde::Serialize;
use serde_json::{Map, Value};

/// Parameters that know how to fit their family of models.
pub(crate) trait Recipe: Params {
    /// Checks the parameters and fits.
    fn fit(
        self,
        method: &'static str,
        data: &Dataset<'_>,
        class_weight: Option<Vec<f64>>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Fitted>;
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
    /// Address of all random choices.
    pub key: SeedKey,
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
    "beat" => forests::beat(), "BEAT: bootstrap ensemble of alpha-trees", "Park and Ghosh 2012";
    "bagged_c45" => forests::bagged_c45(), "Bagged C4.5 trees, not pruned", "Breiman 1996; Quinlan 1993";
    "random_forest" => forests::random_forest(ForestParams::default()), "Random forest", "Breiman 2001";
    "balanced_random_forest" => forests::random_forest(forests::Balanced::default()),
        "Random forest whose trees see as many rows of each class", "Chen, Liaw and Breiman 2004";
    "weighted_random_forest" => forests::random_forest(forests::Weighted::default()),
        "Random forest whose classes weigh alike", "Chen, Liaw and Breiman 2004";
}

struct Run<'r, 'd> {
    data: &'r Dataset<'d>,
    class_weight: Option<Vec<f64>>,
    key: SeedKey,
    ctl: RunCtl<'r>,
}

impl Run<'_, '_> {
    fn with<R: Recipe>(
        self,
        method: &'static str,
        defaults: &R,
        given: &Map<String, Value>,
    ) -> Result<(&'static str, Value, Fitted)> {
        let params = parse_params(method, defaults, given)?;
        let used = serde_json::to_value(&params).map_err(|error| Error::Internal(error.to_string()))?;
        Ok((method, used, params.fit(method, self.data, self.class_weight, self.key, self.ctl)?))
    }
}

/// Fits a method by name.
///
/// # Errors
/// [`Error::Unknown`] for the name or a parameter, [`Error::Parameter`], and whatever the data make impossible.
pub fn fit(task: &Task<'_>, data: &Dataset<'_>, schema: Schema, ctl: RunCtl<'_>) -> Result<Model> {
    let given: Map<String, Value> = serde_json::from_str(task.params)
        .map_err(|error| Error::Data(format!("parameters are no JSON object: {error}")))?;
    let class_weight = match task.class_weight {
        Some(weights) => Some(weights.resolve(data.classes(), data.n_classes())?),
        None => None,
    };
    let run = Run { data, class_weight, key: task.key, ctl };
    let (method, params, fitted) = dispatch(task.method, &given, run)?;
    Model::new(method, params, schema, fitted)
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
