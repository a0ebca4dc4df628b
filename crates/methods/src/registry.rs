//! Registry: one line per method, with its name, default parameters, title and source.
//!
//! From these lines, a macro generates the descriptions, the defaults and the functions that call a method by
//! its name. There is no other list of methods. Parameters arrive as JSON and replace defaults. The model
//! stores all parameters as JSON of the same form. Errors name a nested parameter by its path in the JSON.

use crate::class_passes;
use crate::decomposed::{EcocParams, OvaParams, OvoParams};
use crate::fitted::FittedEstimator;
use crate::forests;
use crate::memory_estimate::{self, TableSize};
use crate::metacost::MetaCostParams;
use crate::method::{
    FitRun, LabeledRowStream, Method, MethodRegistry, MethodRole, ReplacedLabels, all_rows_needed_error,
};
use crate::rule_list::rule_list_params;
use imbcore_bayes::DiscretizeSettings;
use imbcore_bayes::classifier::{
    AodeBayesParams, EncodedRowBuffer, KdbBayesParams, NaiveBayesParams, TanBayesParams,
    bayes_bagging_defaults, full_bayes_defaults,
};
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{
    CompositeParams, Dataset, Error, NameResolver, ParamSpec, Params, Result, nested_specs, parse_params,
    to_nested_params, unknown_name_error, with_param_path,
};
use imbcore_ensembles::boost::{
    AdaBoostParams, AdaC1Params, AdaC2Params, AdaC3Params, BalanceCascadeParams, EasyEnsembleParams,
    RusBoostParams, SmoteBoostParams,
};
use imbcore_ensembles::generic::{
    BaggingParams, BalancedBaggingParams, BaseLearner, FittedMembers, OverBaggingParams, SmoteBaggingParams,
    TrainingContext, UnderBaggingParams, UnderOverBaggingParams,
};
use imbcore_ensembles::selection::AutoParams;
use imbcore_ensembles::{ForestParams, SvrForestParams};
use imbcore_linear::LogisticParams;
use imbcore_optimal_trees::OptimalTreeParams;
use imbcore_rules::{ExactBoxesParams, FastBoxesParams, PrimParams};
use imbcore_trees::boosted::BoostedParams;
use imbcore_trees::svr::SvrParams;
use imbcore_trees::{AlphaParams, BinEdges, C45Params, QuantileSketch, TreeParams};
use serde::Serialize;
use serde_json::{Map, Value};

/// Description of a method.
#[derive(Clone, Debug, Serialize)]
pub struct MethodInfo {
    /// Name by which the user selects the method.
    pub name: &'static str,
    /// Short description.
    pub title: &'static str,
    /// Publication.
    pub source: &'static str,
    /// Parameters of the method.
    pub params: Vec<ParamSpec>,
}

pub(crate) struct FitOutcome {
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    pub(crate) fitted: FittedEstimator,
    pub(crate) relabelled: ReplacedLabels,
}

macro_rules! methods {
    ($($name:literal => $defaults:expr, $title:literal, $source:literal;)*) => {
        /// Every registered method.
        pub fn methods() -> Vec<MethodInfo> {
            vec![$(MethodInfo { name: $name, title: $title, source: $source, params: nested_specs(&$defaults) },)*]
        }

        pub(crate) fn fit_by_name(name: &str, given: &Map<String, Value>, run: FitRun<'_, '_>) -> Result<FitOutcome> {
            match name {
                $($name => parse_and_fit($name, &$defaults, given, run),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn fit_encoded_stream_by_name(
            name: &str,
            given: &Map<String, Value>,
            rows: EncodedRowBuffer,
            run: FitRun<'_, '_>,
        ) -> Result<FitOutcome> {
            match name {
                $($name => fit_out_of_core($name, &$defaults, given, run, |read, run| {
                    read.fit_encoded_stream($name, rows, run)
                }),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn fit_row_stream_by_name(
            name: &str,
            given: &Map<String, Value>,
            rows: LabeledRowStream<'_>,
            run: FitRun<'_, '_>,
        ) -> Result<FitOutcome> {
            match name {
                $($name => fit_out_of_core($name, &$defaults, given, run, |read, run| {
                    read.fit_row_stream($name, rows, run)
                }),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn discretize_settings_of_method(name: &str, given: &Map<String, Value>) -> Result<DiscretizeSettings> {
            match name {
                $($name => parse_method_params($name, &$defaults, given, &FullRegistry)?.chunk_discretize_settings($name),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn max_bins_of_method(name: &str, given: &Map<String, Value>) -> Result<usize> {
            match name {
                $($name => parse_method_params($name, &$defaults, given, &FullRegistry)?.max_bins($name),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn bin_edges_of_method(
            name: &str,
            given: &Map<String, Value>,
            sketches: Vec<Option<QuantileSketch>>,
            run: FitRun<'_, '_>,
        ) -> Result<Vec<Option<BinEdges>>> {
            match name {
                $($name => parse_and_find_bin_edges($name, &$defaults, given, sketches, run),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn draw_rows_for_method(
            name: &str,
            given: &Map<String, Value>,
            run: FitRun<'_, '_>,
        ) -> Result<Vec<Vec<u32>>> {
            match name {
                $($name => parse_and_draw_rows($name, &$defaults, given, run),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn fit_external_by_name<T: BaseLearner>(
            name: &str,
            given: &Map<String, Value>,
            base_learner: &T,
            training: &TrainingContext<'_, '_>,
        ) -> Result<FittedMembers<T::Member>> {
            match name {
                $($name => parse_and_fit_external($name, &$defaults, given, (base_learner, training)),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn estimate_memory_of_method(name: &str, given: &Map<String, Value>, data: &Dataset<'_>, table: &TableSize) -> Result<MemoryEstimate> {
            match name {
                $($name => parse_and_estimate_memory($name, &$defaults, given, data, table),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn resolve_names_in_params(name: &str, given: &Map<String, Value>, named: NameResolver<'_>) -> Result<Map<String, Value>> {
            match name {
                $($name => resolve_names_including_base($name, &$defaults, given, named),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }

        pub(crate) fn full_params_and_role(name: &str, given: &Map<String, Value>) -> Result<(Map<String, Value>, MethodRole)> {
            match name {
                $($name => parse_full_params_and_role($name, &$defaults, given),)*
                _ => Err(unknown_name_error("method", name, [$($name),*])),
            }
        }
    };
}

methods! {
    "forest" => forests::adaptive_forest_params(), "Extra trees with the Hellinger criterion; the recommended first method",
        "Geurts, Ernst and Wehenkel 2006; Cieslak and Chawla 2008";
    "auto" => AutoParams::default(),
        "Greedy ensemble selection among several methods by held-out predictions, within a budget or a time limit",
        "Caruana, Niculescu-Mizil, Crew and Ksikes 2004";
    "hddt" => TreeParams::hddt(), "Hellinger distance decision tree",
        "Cieslak and Chawla 2008; Hoens, Qian, Chawla and Zhou 2012 for more than two classes";
    "c44" => TreeParams::c44(), "C4.4: C4.5 without pruning, with Laplace leaves",
        "Provost and Domingos 2003; Quinlan 1993";
    "c45" => CompositeParams::new(C45Params::default(), C45Params::default_tree_params()), "C4.5 with collapsing and pessimistic pruning",
        "Quinlan 1993";
    "cart" => TreeParams::cart(), "Classification tree (CART), fully grown",
        "Breiman, Friedman, Olshen and Stone 1984";
    "alpha_tree" => CompositeParams::new(AlphaParams::default(), TreeParams::alpha_tree()), "Alpha-tree",
        "Park and Ghosh 2012";
    "optimal_tree" => OptimalTreeParams::default(), "Small tree with a proof of optimality, for any cost or F-measure",
        "Auer, Holte and Maass 1995; Brita, van der Linden and Demirovic 2025";
    "svr_tree" => SvrParams::default(),
        "SVR-Tree: regions of the rare class with little surface for their volume", "Zhu, Li and Dunson 2021";
    "beat" => forests::beat_forest_params(), "BEAT: bootstrap ensemble of alpha-trees", "Park and Ghosh 2012";
    "bagged_c45" => forests::bagged_c45_params(), "Bagged C4.5 trees, not pruned", "Breiman 1996; Quinlan 1993";
    "random_forest" => forests::random_forest_params(ForestParams::default()), "Random forest", "Breiman 2001";
    "balanced_random_forest" => forests::balanced_forest_params(),
        "Random forest on samples with equally many rows of each class", "Chen, Liaw and Breiman 2004";
    "weighted_random_forest" => forests::random_forest_params(forests::WeightedForestParams::default()),
        "Random forest with equal total weight of the classes", "Chen, Liaw and Breiman 2004";
    "extra_trees" => forests::extra_trees_params(), "Extremely randomized trees: each threshold drawn at random, with any criterion",
        "Geurts, Ernst and Wehenkel 2006";
    "boosted_trees" => BoostedParams::default(),
        "Gradient boosting of trees on histograms, with losses for rare classes",
        "Friedman 2001; Chen and Guestrin 2016; Ke et al. 2017; Lin, Goyal, Girshick, He and Dollár 2017";
    "svr_forest" => CompositeParams::new(SvrForestParams::default(), SvrParams::default()),
        "Bootstrap ensemble of SVR-Trees", "Zhu, Li and Dunson 2021 for the trees; Breiman 1996";
    "bagging" => BaggingParams::default(), "Bagging of any method", "Breiman 1996";
    "under_bagging" => UnderBaggingParams::default(),
        "Bagging of any method: each bag has all rows of the smallest class and as many of each other class",
        "Barandela, Valdovinos and Sánchez 2003; Wang and Yao 2009";
    "over_bagging" => OverBaggingParams::default(),
        "Bagging of any method: each bag has as many rows of each class as the largest has", "Wang and Yao 2009";
    "under_over_bagging" => UnderOverBaggingParams::default(),
        "Bagging of any method: balanced bags whose size grows from small to large", "Wang and Yao 2009";
    "smote_bagging" => SmoteBaggingParams::default(),
        "Bagging of any method: the smaller classes are resampled and filled up by SMOTE",
        "Wang and Yao 2009; Chawla, Bowyer, Hall and Kegelmeyer 2002";
    "balanced_bagging" => BalancedBaggingParams::default(),
        "Bagging of any method, with a sampler applied to each bag", "Maclin and Opitz 1997; Breiman 1996";
    "adaboost" => AdaBoostParams::default(), "AdaBoost of any method",
        "Freund and Schapire 1997; Zhu, Zou, Rosset and Hastie 2009 for more than two classes";
    "rusboost" => RusBoostParams::default(), "RUSBoost: boosting of any method on random under-samples",
        "Seiffert, Khoshgoftaar, Van Hulse and Napolitano 2010";
    "smoteboost" => SmoteBoostParams::default(), "SMOTEBoost: boosting of any method with synthetic rows by SMOTE",
        "Chawla, Lazarevic, Hall and Bowyer 2003";
    "adac1" => AdaC1Params::default(), "AdaC1: boosting of any method, costs in the exponent",
        "Sun, Kamel, Wong and Wang 2007";
    "adac2" => AdaC2Params::default(), "AdaC2: boosting of any method, costs before the exponent",
        "Sun, Kamel, Wong and Wang 2007";
    "adac3" => AdaC3Params::default(), "AdaC3: boosting of any method, costs in the exponent and before it",
        "Sun, Kamel, Wong and Wang 2007";
    "easy_ensemble" => EasyEnsembleParams::default(), "EasyEnsemble: boosting of any method on many balanced samples",
        "Liu, Wu and Zhou 2009";
    "balance_cascade" => BalanceCascadeParams::default(),
        "BalanceCascade: boosting of any method on balanced samples, dropping easy negatives", "Liu, Wu and Zhou 2009";
    "fast_boxes" => FastBoxesParams::default(), "Fast Boxes: a few boxes around the rare class",
        "Goh and Rudin 2014";
    "exact_boxes" => ExactBoxesParams::default(),
        "Exact Boxes: an optimal set of a few boxes around the rare class, with a proof", "Goh and Rudin 2014";
    "prim" => PrimParams::default(), "PRIM: patient rule induction, box after box", "Friedman and Fisher 1999";
    "rule_list" => rule_list_params(), "Rule list: a few rules of a forest, selected optimally with a proof",
        "Bénard, Biau, Da Veiga and Scornet 2021; Dash, Günlük and Wei 2018";
    "full_bayes" => full_bayes_defaults(), "Bayesian network classifier with a learned graph",
        "Morán Jiménez 2018; Heckerman, Geiger and Chickering 1995";
    "naive_bayes" => NaiveBayesParams::default(), "Naive Bayes over discretized columns",
        "Langley, Iba and Thompson 1992";
    "tan" => TanBayesParams::default(), "Tree-augmented naive Bayes", "Friedman, Geiger and Goldszmidt 1997";
    "kdb" => KdbBayesParams::default(), "k-dependence Bayesian classifier", "Sahami 1996";
    "aode" => AodeBayesParams::default(), "AODE: averaged one-dependence estimators", "Webb, Boughton and Wang 2005";
    "bayes_bagging" => bayes_bagging_defaults(), "Bayesian network classifiers on bootstrap samples",
        "Morán Jiménez 2018; Breiman 1996";
    "logistic_regression" => LogisticParams::default(),
        "Logistic regression with a ridge penalty on splines, bins or standardized columns and one-hot levels",
        "Cox 1958; le Cessie and van Houwelingen 1992; Eilers and Marx 1996";
    "ova" => OvaParams::default(), "One class against all others, one model per class",
        "Rifkin and Klautau 2004; Hoens, Qian, Chawla and Zhou 2012, section 2.1";
    "ecoc" => EcocParams::default(), "Error-correcting output codes, one model per column of a code book",
        "Dietterich and Bakiri 1995; Hoens, Qian, Chawla and Zhou 2012, section 2.1";
    "ovo" => OvoParams::default(), "One class against one other, one model per pair",
        "Hastie and Tibshirani 1998; Wu, Lin and Weng 2004";
    "metacost" => MetaCostParams::default(), "MetaCost: one model fitted to data relabeled with the class of least expected cost",
        "Domingos 1999";
}

fn parse_full_params_and_role<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
) -> Result<(Map<String, Value>, MethodRole)> {
    let params = parse_method_params(method, defaults, given, &FullRegistry)?;
    Ok((params_as_json(method, &params)?, R::ROLE))
}

fn parse_method_params<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    others: &dyn MethodRegistry,
) -> Result<R> {
    let params = parse_params(method, defaults, given).map_err(|error| with_param_path(defaults, error))?;
    params.with_base_method_defaults(method, others)
}

fn resolve_names_including_base<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    named: NameResolver<'_>,
) -> Result<Map<String, Value>> {
    let mut found = named.resolve(method, defaults, given)?;
    let base = given.get("estimator").and_then(Value::as_str).map(str::to_owned);
    let base = base.or_else(|| default_base_method(defaults));
    if let (Some(base), Some(Value::Object(inside))) = (base, found.get("estimator_params")) {
        // A decomposition fits its base method to two groups of classes, in which labels of single classes
        // have no meaning.
        let classes = named.classes.filter(|_| R::ROLE != MethodRole::Decomposition);
        let inside = resolve_names_in_params(&base, inside, NameResolver { classes, ..named })?;
        found.insert("estimator_params".into(), Value::Object(inside));
    }
    Ok(found)
}

fn default_base_method(defaults: &impl Params) -> Option<String> {
    let spec = defaults.specs().into_iter().find(|spec| spec.name == "estimator")?;
    spec.default.as_str().map(str::to_owned)
}

/// Converts parameters to JSON in the form in which a user writes them.
fn params_as_json(method: &str, params: &impl Params) -> Result<Map<String, Value>> {
    match serde_json::to_value(params) {
        Ok(Value::Object(all)) => Ok(to_nested_params(params, all)),
        other => Err(Error::Internal(format!("parameters of {method} are not an object: {other:?}"))),
    }
}

fn parse_and_fit<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    run: FitRun<'_, '_>,
) -> Result<FitOutcome> {
    if !R::DRAWS && (run.data.is_sample() || run.start.member_range().is_some()) {
        return Err(all_rows_needed_error(method));
    }
    let read = parse_method_params(method, defaults, given, run.others)?;
    if run.data.binned_frame().is_some() {
        read.max_bins(method)?;
    }
    let read = read.with_data_defaults(run.data);
    let params = params_as_json(method, &read)?;
    let table = TableSize::new(run.data, run.class_weight.as_deref(), run.positive);
    class_passes::check_pass_count(method, &params, &table)?;
    let params = Value::Object(params);
    memory_estimate::check_memory(method, &params, R::MEMORY, &table)?;
    let (fitted, relabelled) = match run.data.present_classes(run.class_weight.as_deref())[..] {
        [class] if run.constant => (FittedEstimator::constant(run.data, class)?, ReplacedLabels::default()),
        [] | [_] => return Err(run.data.too_few_classes_error()),
        _ => read.fit_returning_new_labels(method, run).map_err(|error| with_param_path(defaults, error))?,
    };
    Ok(FitOutcome { method, params, fitted, relabelled })
}

fn parse_and_estimate_memory<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    data: &Dataset<'_>,
    table: &TableSize,
) -> Result<MemoryEstimate> {
    let params = params_as_json(
        method,
        &parse_method_params(method, defaults, given, &FullRegistry)?.with_data_defaults(data),
    )?;
    Ok(R::MEMORY(method, &params, table))
}

fn fit_out_of_core<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    run: FitRun<'_, '_>,
    learn: impl FnOnce(R, FitRun<'_, '_>) -> Result<FittedEstimator>,
) -> Result<FitOutcome> {
    let read = parse_method_params(method, defaults, given, run.others)?;
    let params = Value::Object(params_as_json(method, &read)?);
    if run.class_weight.is_some() {
        return Err(Error::Unsupported("costs converted to weights need all rows in memory".into()));
    }
    if run.data.present_classes(None).len() < 2 {
        return Err(run.data.too_few_classes_error());
    }
    let fitted = learn(read, run).map_err(|error| with_param_path(defaults, error))?;
    Ok(FitOutcome { method, params, fitted, relabelled: ReplacedLabels::default() })
}

fn parse_and_find_bin_edges<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    sketches: Vec<Option<QuantileSketch>>,
    run: FitRun<'_, '_>,
) -> Result<Vec<Option<BinEdges>>> {
    let read = parse_method_params(method, defaults, given, run.others)?;
    if run.data.present_classes(run.class_weight.as_deref()).len() < 2 {
        return Err(run.data.too_few_classes_error());
    }
    read.bin_edges(method, sketches, run).map_err(|error| with_param_path(defaults, error))
}

fn parse_and_draw_rows<R: Method>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    run: FitRun<'_, '_>,
) -> Result<Vec<Vec<u32>>> {
    let read = parse_method_params(method, defaults, given, run.others)?;
    read.draw_rows(method, run).map_err(|error| with_param_path(defaults, error))
}

fn parse_and_fit_external<R: Method, T: BaseLearner>(
    method: &'static str,
    defaults: &R,
    given: &Map<String, Value>,
    (base_learner, training): (&T, &TrainingContext<'_, '_>),
) -> Result<FittedMembers<T::Member>> {
    parse_params(method, defaults, given)?
        .with_base_method_defaults(method, &FullRegistry)?
        .fit_with_external_learner(method, base_learner, training)
}

pub(crate) struct FullRegistry;

impl MethodRegistry for FullRegistry {
    fn full_params_and_role(
        &self,
        name: &str,
        given: &Map<String, Value>,
    ) -> Result<(Map<String, Value>, MethodRole)> {
        full_params_and_role(name, given)
    }

    fn fit(&self, name: &str, params: &Map<String, Value>, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        Ok(fit_by_name(name, params, run)?.fitted)
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
