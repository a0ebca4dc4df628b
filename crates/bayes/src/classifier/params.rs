//! Parameters of the Bayesian classifiers.

use super::member::MemberWeights;
use crate::discretize::DiscretizeParams;
use crate::prior::PriorParams;
use crate::search::{SCORES, ScoreName, StructureParams, TEMPERED, TemperedUse, Tempering};
use imbcore_base::{Choosing, Joined, Overrides, params};

/// Parameters that all Bayesian classifiers have, beside `Own`, which say how the graph is found.
pub type Classifying<Own> = Joined<DiscretizeParams, Joined<Own, PriorParams>>;
/// Parameters of the classifier whose graph is searched for.
pub type FullBayesParams = Classifying<Joined<SearchedParams, StructureParams>>;
/// Parameters of naive Bayes.
pub type NaiveBayesParams = Classifying<Joined<NaiveParams, TemperParams>>;
/// Parameters of the tree-augmented classifier.
pub type TanBayesParams = Classifying<Joined<TanParams, TemperParams>>;
/// Parameters of the k-dependence classifier.
pub type KdbBayesParams = Classifying<Joined<KdbParams, TemperParams>>;
/// Parameters of averaged one-dependence estimators.
pub type AodeBayesParams = Classifying<Joined<AodeParams, TemperParams>>;
/// Parameters of the ensemble.
pub type BayesBaggingParams = Joined<BagParams, FullBayesParams>;

/// Defaults of the classifier whose graph is searched for: at most four parents.
pub fn full_bayes() -> FullBayesParams {
    let mut params = FullBayesParams::default();
    params.inner.own.inner.max_parents = Some(4);
    params
}

/// Defaults of the ensemble: those of its networks.
pub fn bayes_bagging() -> BayesBaggingParams {
    Joined::new(BagParams::default(), full_bayes())
}

params! {
    /// What a classifier adds to a search, whose `score` has another name here: estimators have a method `score`.
    pub struct SearchedParams {
        structure_score: ScoreName = ScoreName::Bic, "\"bic\", \"aic\", \"ll\", \"k2\", \"bdeu\" or \"bds\"",
            "What a graph is scored by.";
        require_class_arc: bool = false, "True or False",
            "Whether a class without any arc gets the legal one that scores best, even at a loss.";
    } choosing &[Choosing { name: "structure_score", choices: SCORES }]
}

params! {
    /// Which columns naive Bayes uses.
    pub struct NaiveParams {
        selective: bool = false, "True or False",
            "Whether only columns are used whose BIC is better with the class as parent.";
        structure_constant: f64 = 1.0, "a number of at least 0", "Factor of the penalty of that BIC.";
    }
}

params! {
    /// Which tree the columns form.
    pub struct TanParams {
        forest: bool = false, "True or False", "Whether arcs between columns that do not raise the BIC are left out.";
    }
}

params! {
    /// How many parents a column has besides the class.
    pub struct KdbParams {
        max_feature_parents: u32 = 2, "a whole number of at least 0", "Most parents of a column besides the class; k of the paper.";
    }
}

params! {
    /// Which columns are super-parents.
    pub struct AodeParams {
        max_super_parents: Option<u32> = None, "a whole number of at least 1 or None",
            "Most super-parents, each of which makes a network: the columns that tell most of the class; None takes all columns.";
    }
}

params! {
    /// Row weights by class.
    pub struct TemperParams {
        rectify: Option<Tempering> = None, "\"tempered\" or None",
            "\"tempered\" weighs rows by class, so that dependencies within a rare class count.";
        phi: f64 = 0.5, "a number of at least 0", "Strength of the rectification: 1 does nothing, 0 weighs the classes alike.";
        used_for: TemperedUse = TemperedUse::Both, "\"both\" or \"structure\"",
            "What tempered weights are used for: structure and probabilities, which then refer to the tempered classes, or structure only.";
    } choosing &[Choosing { name: "rectify", choices: &[TEMPERED] }]
}

params! {
    /// How networks on bootstrap samples are made and joined.
    pub struct BagParams {
        n_estimators: u32 = 25, "a whole number of at least 1", "Networks.";
        stratified: bool = false, "True or False", "Whether bootstrap samples are drawn class by class; otherwise a sample may lack a class of a few rows.";
        weights: MemberWeights = MemberWeights::Plain, "\"plain\", \"test\", \"train\" or \"marginal\"",
            "How networks are weighed: alike, by the probability of the row to answer or of the training rows, or by the marginal \
             likelihood of their graphs.";
        temperature: f64 = 1.0, "a positive number", "What log weights of \"train\" and \"marginal\" are divided by. With 1 one network mostly takes all; the number of rows makes \
             them means a row.";
        discretize: Discretize = Discretize::Once, "\"once\" or \"member\"",
            "Whether columns are cut into bins once, or anew for every bootstrap sample.";
    }
}

/// When columns are cut into bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Discretize {
    /// Before the bootstrap.
    Once,
    /// In every bootstrap sample.
    Member,
}

impl Overrides for DiscretizeParams {}
impl Overrides for SearchedParams {
    const HIDDEN: &'static [&'static str] = &["score"];
}
impl Overrides for NaiveParams {}
impl Overrides for TanParams {}
impl Overrides for KdbParams {}
impl Overrides for AodeParams {}
impl Overrides for BagParams {}
