//! Parameters of forests, in addition to those of their trees.

use crate::alpha_distribution::AlphaDistribution;
use crate::forest_predictions::VotingMode;
use crate::max_samples::MaxSamples;
use crate::row_sampler::{PerClassSampling, SamplingScheme};
use imbcore_core::{Error, OuterParams, Params, PriorCorrection, Result};
use imbcore_criteria::ReferenceDistribution;
use imbcore_metrics::SCORE_NAMES;
use imbcore_resample::{RatioBase, Strategy, StrategyName};
use imbcore_trees::{Auto, NumberOrAuto};
use serde::{Deserialize, Serialize};

/// Whether out-of-bag predictions are computed, and their score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OobScoreRequest {
    /// `false`: no out-of-bag predictions. `true`: out-of-bag predictions and their accuracy.
    Flag(bool),
    /// Computes out-of-bag predictions and the score that the field names.
    Named(String),
}

impl OobScoreRequest {
    pub(crate) fn checked_score_name(&self, method: &str) -> Result<Option<&'static str>> {
        let asked = match self {
            Self::Flag(false) => return Ok(None),
            Self::Flag(true) => "accuracy",
            Self::Named(name) => name,
        };
        let known = SCORE_NAMES.into_iter().find(|name| *name == asked);
        known.map(Some).ok_or_else(|| {
            let expected = format!("True, False or one of {}", SCORE_NAMES.join(", "));
            Error::parameter(method, "oob_score", &expected, asked)
        })
    }
}

/// Number of trees of a forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeCount {
    /// A fixed number of trees.
    Given(u32),
    /// A rule that determines the number of trees.
    Named(TreeCountRule),
}

/// Rule for the number of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeCountRule {
    /// The number of trees is increased until the out-of-bag average precision has converged.
    Auto,
}

impl TreeCount {
    fn fixed_tree_count(self) -> Option<u32> {
        if let Self::Given(n) = self { Some(n) } else { None }
    }
}

imbcore_core::params! {
    /// Parameters of a forest whose samples are drawn uniformly from all rows.
    pub struct ForestParams {
        n_estimators: TreeCount = TreeCount::Given(100), "a whole number of at least 1, or \"auto\"",
            "Number of trees. \"auto\": start with 50 and double up to 800, until doubling changes the average precision \
             of the out-of-bag predictions by less than 0.005. This needs trees whose samples leave out rows, and \
             rows without times.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a fraction in (0, 1]",
            "Number of rows drawn for each tree, or fraction of all rows. None: as many rows as the data have. If groups \
             are given, whole groups are drawn, and the number or fraction is that of the groups.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. If a class is absent from a sample, the sample is drawn again, \
             up to 100 draws in all.";
        voting: VotingMode = VotingMode::Soft, "\"soft\" or \"hard\"",
            "\"soft\": mean of the trees' probabilities. \"hard\": fraction of the trees that predict a class.";
        prior_correction: PriorCorrection = PriorCorrection::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the trees' samples, including \
             class weights, to the class proportions of the data. Predicted classes are still determined by the \
             votes, unless costs or a threshold are set. \"none\": no correction.";
        oob_score: OobScoreRequest = OobScoreRequest::Flag(false), "True, False or the name of a score",
            "Whether each training row is predicted by the trees that were not fitted to the row. True computes the \
             accuracy of these predictions; the name of a score of `imbcore.evaluate` computes that score instead.";
    }
}

imbcore_core::params! {
    /// Parameters of a forest that chooses its hierarchical shrinkage on held-out rows.
    pub struct AdaptiveForestParams {
        n_estimators: TreeCount = TreeCount::Given(100), "a whole number of at least 1, or \"auto\"",
            "Number of trees. \"auto\": start with 50 and double up to 800, until doubling changes the average precision \
             of the out-of-bag predictions by less than 0.005. This needs trees whose samples leave out rows, and \
             rows without times.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a fraction in (0, 1]",
            "Number of rows drawn for each tree, or fraction of all rows. None: as many rows as the data have. If groups \
             are given, whole groups are drawn, and the number or fraction is that of the groups.";
        bootstrap: bool = false, "True or False",
            "Whether rows are drawn with replacement. If a class is absent from a sample, the sample is drawn again, \
             up to 100 draws in all.";
        voting: VotingMode = VotingMode::Soft, "\"soft\" or \"hard\"",
            "\"soft\": mean of the trees' probabilities. \"hard\": fraction of the trees that predict a class.";
        prior_correction: PriorCorrection = PriorCorrection::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the trees' samples, including \
             class weights, to the class proportions of the data. Predicted classes are still determined by the \
             votes, unless costs or a threshold are set. \"none\": no correction.";
        oob_score: OobScoreRequest = OobScoreRequest::Flag(false), "True, False or the name of a score",
            "Whether each training row is predicted by the trees that were not fitted to the row. True computes the \
             accuracy of these predictions; the name of a score of `imbcore.evaluate` computes that score instead.";
        min_samples_leaf: NumberOrAuto = NumberOrAuto::Auto(Auto::Auto), "a whole number of at least 1, or \"auto\"",
            "Minimum number of rows in each child of a split. \"auto\": 2, and hierarchical_shrinkage adapts to the data.";
        hierarchical_shrinkage: Option<f64> = None, "a number of at least 0, or None",
            "Strength with which the probabilities of each leaf are shrunk toward the probabilities of its ancestor \
             nodes (lambda of Agarwal et al. 2022); its unit is a row of mean weight. 0: no shrinkage. None: if \
             min_samples_leaf=\"auto\", the strength with the smallest log loss of 50 trees on the held-out rows of \
             two inner folds; otherwise 0. Trees that use at most a quarter of the rows, and trees for more than 16 \
             classes, are not shrunk unless a strength is given.";
    }
}

imbcore_core::params! {
    /// Parameters of a forest with class-balanced samples (Chen, Liaw and Breiman 2004).
    pub struct BalancedForestParams {
        n_estimators: TreeCount = TreeCount::Given(100), "a whole number of at least 1, or \"auto\"",
            "Number of trees. \"auto\": start with 50 and double up to 800, until doubling changes the average precision \
             of the out-of-bag predictions by less than 0.005. This needs trees whose samples leave out rows, and \
             rows without times.";
        sampling_strategy: Strategy = Strategy::Named(StrategyName::All),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows per class" naming Classes,
            "Classes from which rows are drawn for each tree, and the number of rows drawn from each of them; all \
             rows of the other classes are used. \"all\": all classes, each with the number of rows of the smallest \
             class. \"auto\": the same number, from all classes except the smallest. A number: ratio of the smaller \
             to the larger of two classes.";
        ratio: RatioBase = RatioBase::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "Meaning of a number as `sampling_strategy`. \"min/maj\": ratio of the smaller class to the larger class. \
             \"fraction\": ratio of the smaller class to all rows.";
        replacement: bool = true, "True or False",
            "Whether the rows of a class are drawn with replacement.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a fraction in (0, 1]",
            "Number of rows drawn from each class for a tree, in place of the number that `sampling_strategy` gives; a \
             float is a fraction of that number. If `bootstrap` is True: size of the bootstrap sample before \
             balancing. If groups are given: number or fraction of the groups that are drawn before balancing.";
        bootstrap: bool = false, "True or False",
            "Whether to draw a bootstrap sample of all rows first, and then balance it. If a class is absent from a \
             sample, the sample is drawn again, up to 100 draws in all.";
        voting: VotingMode = VotingMode::Soft, "\"soft\" or \"hard\"",
            "\"soft\": mean of the trees' probabilities. \"hard\": fraction of the trees that predict a class.";
        prior_correction: PriorCorrection = PriorCorrection::Prior, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the trees' samples, including \
             class weights, to the class proportions of the data. Predicted classes are still determined by the \
             votes, unless costs or a threshold are set. \"none\": no correction.";
        oob_score: OobScoreRequest = OobScoreRequest::Flag(false), "True, False or the name of a score",
            "Whether each training row is predicted by the trees that were not fitted to the row. True computes the \
             accuracy of these predictions; the name of a score of `imbcore.evaluate` computes that score instead.";
    }
}

imbcore_core::params! {
    /// Parameters of a BEAT forest (Park and Ghosh 2012).
    pub struct BeatParams {
        n_estimators: u32 = 30, "a whole number of at least 1",
            "Number of trees.";
        beta_a: f64 = 1.0, "a number above 0",
            "Shape parameter a of the distribution Beta(a, b) of alpha / 2; larger values favor precision.";
        beta_b: f64 = 1.0, "a number above 0",
            "Shape parameter b of the distribution Beta(a, b) of alpha / 2; larger values favor recall.";
        reference: Option<ReferenceDistribution> = None, "None, \"uniform\", \"flipped\" or one proportion per class",
            "Reference distribution for the class proportions in the branches, as in AlphaTreeClassifier. \"flipped\" \
             raises an error if a tree draws an alpha of at least 1. None: no reference distribution; the joint \
             distribution of branch and class is compared with the product of its marginals.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a fraction in (0, 1]",
            "Number of rows drawn for each tree, or fraction of all rows. None: as many rows as the data have. If groups \
             are given, whole groups are drawn, and the number or fraction is that of the groups.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. If a class is absent from a sample, the sample is drawn again, \
             up to 100 draws in all.";
        voting: VotingMode = VotingMode::Soft, "\"soft\" or \"hard\"",
            "\"soft\": mean of the trees' probabilities. \"hard\": fraction of the trees that predict a class.";
        prior_correction: PriorCorrection = PriorCorrection::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities are corrected from the class proportions of the trees' samples, including \
             class weights, to the class proportions of the data. Predicted classes are still determined by the \
             votes, unless costs or a threshold are set. \"none\": no correction.";
        oob_score: OobScoreRequest = OobScoreRequest::Flag(false), "True, False or the name of a score",
            "Whether each training row is predicted by the trees that were not fitted to the row. True computes the \
             accuracy of these predictions; the name of a score of `imbcore.evaluate` computes that score instead.";
    }
}

imbcore_core::params! {
    /// Parameters of a forest of SVR-Trees.
    pub struct SvrForestParams {
        n_estimators: u32 = 100, "a whole number of at least 1",
            "Number of trees.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a fraction in (0, 1]",
            "Number of rows drawn for each tree, or fraction of all rows. None: as many rows as the data have. If groups \
             are given, whole groups are drawn, and the number or fraction is that of the groups.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. If a class is absent from a sample, the sample is drawn again, \
             up to 100 draws in all.";
        oob_score: OobScoreRequest = OobScoreRequest::Flag(false), "True, False or the name of a score",
            "Whether each training row is predicted by the trees that were not fitted to the row. True computes the \
             accuracy of these predictions; the name of a score of `imbcore.evaluate` computes that score instead.";
    }
}

impl OuterParams for ForestParams {}

impl OuterParams for AdaptiveForestParams {
    /// Tree parameter that is hidden by a forest parameter of the same name.
    ///
    /// The forest parameter also accepts `"auto"`.
    const HIDDEN: &'static [&'static str] = &["min_samples_leaf"];
}

impl OuterParams for BalancedForestParams {}

impl OuterParams for SvrForestParams {
    /// A forest of SVR-Trees lacks this tree parameter: its trees always predict proportions.
    const HIDDEN: &'static [&'static str] = &["probability"];
}

impl OuterParams for BeatParams {
    /// A BEAT forest lacks this tree parameter: its criterion is always the alpha-divergence.
    const HIDDEN: &'static [&'static str] = &["criterion"];
}

/// Specification of a forest, validated without data.
#[derive(Clone, Debug)]
pub struct ForestSettings {
    /// Number of trees; `None` if it is determined automatically.
    pub(crate) n_trees: Option<u32>,
    pub(crate) max_samples: Option<MaxSamples>,
    pub(crate) bootstrap: bool,
    pub(crate) voting: VotingMode,
    pub(crate) prior_correction: PriorCorrection,
    pub(crate) out_of_bag: Option<&'static str>,
    pub(crate) draw: SamplingScheme,
    pub(crate) weighted_votes: bool,
    pub(crate) alpha_distribution: Option<(AlphaDistribution, Option<ReferenceDistribution>)>,
    /// Amount of hierarchical shrinkage; `None` if it is chosen on held-out rows.
    pub(crate) shrinkage: Option<f64>,
}

impl AdaptiveForestParams {
    /// Minimum number of rows per child that `min_samples_leaf="auto"` stands for.
    pub const AUTO_MIN_SAMPLES_LEAF: u32 = 2;

    /// Minimum number of rows in each child of a split.
    pub fn min_samples_leaf(&self) -> u32 {
        match self.min_samples_leaf {
            NumberOrAuto::Number(rows) => rows,
            NumberOrAuto::Auto(_) => Self::AUTO_MIN_SAMPLES_LEAF,
        }
    }

    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestSettings> {
        let specs = self.specs();
        if self.min_samples_leaf == NumberOrAuto::Number(0) {
            return Err(parameter_error(method, &specs, "min_samples_leaf", &0));
        }
        let Self { n_estimators, max_samples, bootstrap, voting, prior_correction, oob_score, .. } = self;
        let shrinkage = match (self.hierarchical_shrinkage, self.min_samples_leaf) {
            (Some(amount), _) if !(amount.is_finite() && amount >= 0.0) => {
                return Err(parameter_error(method, &specs, "hierarchical_shrinkage", &amount));
            }
            (None, NumberOrAuto::Number(_)) => Some(0.0),
            (given, _) => given,
        };
        let own = ForestParams { n_estimators, max_samples, bootstrap, voting, prior_correction, oob_score };
        Ok(ForestSettings { shrinkage, ..own.check(method)? })
    }
}

impl ForestParams {
    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestSettings> {
        let specs = self.specs();
        check_common_params(
            method,
            &specs,
            (self.n_estimators.fixed_tree_count(), self.max_samples.as_ref()),
        )?;
        Ok(ForestSettings {
            n_trees: self.n_estimators.fixed_tree_count(),
            max_samples: self.max_samples,
            bootstrap: self.bootstrap,
            voting: self.voting,
            prior_correction: self.prior_correction,
            out_of_bag: self.oob_score.checked_score_name(method)?,
            draw: SamplingScheme::Uniform,
            weighted_votes: false,
            alpha_distribution: None,
            shrinkage: Some(0.0),
        })
    }
}

impl BalancedForestParams {
    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestSettings> {
        let Self { n_estimators, sampling_strategy: strategy, ratio, replacement, .. } = self;
        let Self { max_samples, bootstrap, voting, prior_correction, oob_score, .. } = self;
        let own = ForestParams { n_estimators, max_samples, bootstrap, voting, prior_correction, oob_score };
        let draw = SamplingScheme::Balanced(PerClassSampling { strategy, ratio, replacement });
        Ok(ForestSettings { draw, ..own.check(method)? })
    }
}

impl SvrForestParams {
    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestSettings> {
        let Self { n_estimators, max_samples, bootstrap, oob_score } = self;
        let n_estimators = TreeCount::Given(n_estimators);
        let own = ForestParams { n_estimators, max_samples, bootstrap, oob_score, ..ForestParams::default() };
        own.check(method)
    }
}

impl BeatParams {
    /// Checks the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestSettings> {
        let specs = self.specs();
        check_common_params(method, &specs, (Some(self.n_estimators), self.max_samples.as_ref()))?;
        for (name, shape) in [("beta_a", self.beta_a), ("beta_b", self.beta_b)] {
            if !(shape.is_finite() && shape > 0.0) {
                return Err(parameter_error(method, &specs, name, &shape));
            }
        }
        let alpha_distribution = AlphaDistribution { a: self.beta_a, b: self.beta_b };
        Ok(ForestSettings {
            n_trees: Some(self.n_estimators),
            max_samples: self.max_samples,
            bootstrap: self.bootstrap,
            voting: self.voting,
            prior_correction: self.prior_correction,
            out_of_bag: self.oob_score.checked_score_name(method)?,
            draw: SamplingScheme::Uniform,
            weighted_votes: false,
            alpha_distribution: Some((alpha_distribution, self.reference)),
            shrinkage: Some(0.0),
        })
    }
}

impl ForestSettings {
    /// Weights the hard vote of a leaf by the mean weight of its training rows.
    /// See Chen, Liaw and Breiman 2004.
    #[must_use]
    pub fn with_weighted_votes(self) -> Self {
        Self { weighted_votes: true, ..self }
    }
}

fn check_common_params(
    method: &'static str,
    specs: &[imbcore_core::ParamSpec],
    (n_estimators, max_samples): (Option<u32>, Option<&MaxSamples>),
) -> Result<()> {
    if n_estimators == Some(0) {
        return Err(parameter_error(method, specs, "n_estimators", &0));
    }
    match max_samples {
        Some(bad) if !bad.is_valid() => Err(match bad {
            MaxSamples::Count(count) => parameter_error(method, specs, "max_samples", count),
            MaxSamples::Share(share) => parameter_error(method, specs, "max_samples", share),
        }),
        _ => Ok(()),
    }
}

fn parameter_error(
    method: &'static str,
    specs: &[imbcore_core::ParamSpec],
    name: &str,
    got: &dyn std::fmt::Display,
) -> Error {
    let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
    Error::parameter(method, name, expected, got)
}
