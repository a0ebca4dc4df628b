//! Parameters of the Bayesian classifiers.

use super::member_network::MemberWeighting;
use crate::discretize::DiscretizeParams;
use crate::prior::PriorParams;
use crate::search::{SCORES, ScoreName, StructureParams, TEMPERED, TemperedUse, Tempering};
use imbcore_core::{CompositeParams, OuterParams, VariantSelector, params};

/// Parameters of a Bayesian classifier: of its discretization, its graph and its prior.
///
/// The parameters of the graph have the type `Own`.
pub type BayesClassifierParams<Own> = CompositeParams<DiscretizeParams, CompositeParams<Own, PriorParams>>;
/// Parameters of the classifier whose graph is found by a search.
pub type FullBayesParams = BayesClassifierParams<CompositeParams<SearchedGraphParams, StructureParams>>;
/// Parameters of naive Bayes.
pub type NaiveBayesParams =
    BayesClassifierParams<CompositeParams<NaiveBayesColumnParams, TemperedWeightParams>>;
/// Parameters of the tree-augmented classifier.
pub type TanBayesParams = BayesClassifierParams<CompositeParams<TanParams, TemperedWeightParams>>;
/// Parameters of the k-dependence classifier.
pub type KdbBayesParams = BayesClassifierParams<CompositeParams<KdbParams, TemperedWeightParams>>;
/// Parameters of averaged one-dependence estimators.
pub type AodeBayesParams = BayesClassifierParams<CompositeParams<AodeParams, TemperedWeightParams>>;
/// Parameters of the ensemble.
pub type BayesBaggingParams = CompositeParams<BagParams, FullBayesParams>;

/// Defaults of the classifier with a searched graph: at most four parents per variable.
pub fn full_bayes_defaults() -> FullBayesParams {
    let mut params = FullBayesParams::default();
    params.inner.own.inner.max_parents = Some(4);
    params
}

/// Defaults of the bootstrap ensemble.
///
/// Its networks have the defaults of [`full_bayes_defaults`].
pub fn bayes_bagging_defaults() -> BayesBaggingParams {
    CompositeParams::new(BagParams::default(), full_bayes_defaults())
}

params! {
    /// Parameters that exist only for a classifier whose graph is found by a search.
    ///
    /// The search parameter `score` is named `structure_score` here, because estimators have a method
    /// `score`.
    pub struct SearchedGraphParams {
        structure_score: ScoreName = ScoreName::Bic, "\"bic\", \"aic\", \"ll\", \"k2\", \"bdeu\" or \"bds\"",
            "Score of a graph, which the search maximizes: a penalized likelihood (\"bic\", \"aic\"), the likelihood \
             (\"ll\"), or a Bayesian score (\"k2\", \"bdeu\", \"bds\").";
        require_class_arc: bool = false, "True or False",
            "Whether to add an arc if the class variable has no arc in the graph: the allowed arc with the best \
             score, even if this arc lowers the score of the graph.";
    } choosing &[VariantSelector { name: "structure_score", choices: SCORES }]
}

params! {
    /// Parameters of naive Bayes that determine which columns it uses.
    pub struct NaiveBayesColumnParams {
        feature_selection: bool = false, "True or False",
            "Whether to leave out a column if the class as its parent does not improve the BIC of the column.";
        structure_constant: f64 = 1.0, "a number of at least 0", "Factor of the penalty of the BIC that \
         feature_selection uses; 1 is the standard value.";
    }
}

params! {
    /// Parameter of tree-augmented naive Bayes that prunes the tree of columns.
    pub struct TanParams {
        prune_arcs: bool = false, "True or False", "Whether to leave out arcs between columns if the arcs do not \
         raise the BIC.";
    }
}

params! {
    /// Parameter of the k-dependence classifier: the maximum number of parents besides the class.
    pub struct KdbParams {
        max_feature_parents: u32 = 2, "a whole number of at least 0", "Maximum number of columns that are parents of \
         a column, in addition to the class; k in the paper.";
    }
}

params! {
    /// Parameter of averaged one-dependence estimators: the number of super-parents.
    pub struct AodeParams {
        max_super_parents: Option<u32> = None, "a whole number of at least 1 or None",
            "Maximum number of super-parents. The columns with the largest mutual information with the class are \
             used; each of them is the super-parent of one network. None: all columns.";
    }
}

params! {
    /// Parameters of row weights by which rare classes gain influence (tempered class weights).
    pub struct TemperedWeightParams {
        rectify: Option<Tempering> = None, "\"tempered\" or None",
            "Correction for class imbalance. \"tempered\": rows are weighted by class, so that dependencies within a \
             rare class have more influence. The probabilities then refer to the weighted class distribution. \
             `Tempered(used_for=\"structure\")`: the row weights are used only to select arcs, columns or \
             super-parents. None: no correction.";
        phi: f64 = 0.5, "a number of at least 0", "Parameter of the correction for imbalance. For \"tempered\" and \
         \"centered\", 1 means no correction and 0 the full correction. For \"tempered\" with 0, all classes have \
         the same total weight.";
        used_for: TemperedUse = TemperedUse::Both, "\"both\" or \"structure\"",
            "Use of the class weights of rectify=\"tempered\". \"both\": for structure and probabilities; the \
             probabilities then refer to the weighted class distribution. \"structure\": for the structure only.";
    } choosing &[VariantSelector { name: "rectify", choices: &[TEMPERED] }]
}

params! {
    /// Parameters of the bootstrap ensemble: its samples and the weights of its networks.
    pub struct BagParams {
        n_estimators: u32 = 25, "a whole number of at least 1", "Number of networks.";
        stratified: bool = false, "True or False", "Whether bootstrap samples are drawn separately for each class. \
         False: a class with few rows may be absent from a sample.";
        weights: MemberWeighting = MemberWeighting::Plain, "\"plain\", \"test\", \"train\" or \"marginal\"",
            "Weights of the networks. \"plain\": equal weights. \"test\": separate weights for each predicted row, \
             proportional to the probability of the features of the row in each network. \"train\": weights by the \
             likelihood of each network on the training rows. \"marginal\": weights by the marginal likelihood of \
             each graph.";
        temperature: f64 = 1.0, "a positive number",
            "Divisor of the logarithms of the network weights, for weights=\"train\" and \"marginal\". With the \
             value 1, one network usually gets nearly all the weight. With the number of rows as value, the \
             logarithm of a weight is a mean log-likelihood per row.";
        discretize: DiscretizationTiming = DiscretizationTiming::Once, "\"once\" or \"member\"",
            "Whether columns are discretized once on all rows (\"once\"), or separately on each bootstrap sample \
             (\"member\").";
    }
}

/// When columns are discretized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DiscretizationTiming {
    /// Before the bootstrap.
    Once,
    /// In each bootstrap sample.
    Member,
}

impl OuterParams for DiscretizeParams {}
impl OuterParams for SearchedGraphParams {
    const HIDDEN: &'static [&'static str] = &["score"];
}
impl OuterParams for NaiveBayesColumnParams {}
impl OuterParams for TanParams {}
impl OuterParams for KdbParams {}
impl OuterParams for AodeParams {}
impl OuterParams for BagParams {}
