//! Parameters of forests, on top of those of their trees.

use crate::answer::Vote;
use crate::law::AlphaLaw;
use crate::sample::{Balance, Draw, MaxSamples};
use imbcore_base::{Error, Overrides, Params, Recalibrate, Result};
use imbcore_criteria::Reference;
use imbcore_eval::SCORE_NAMES;
use imbcore_sample::{Ratio, Strategy, Which};
use serde::{Deserialize, Serialize};

/// Whether the rows that a tree did not see are answered, and how the answers are scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OobScore {
    /// No, or by accuracy.
    Flag(bool),
    /// By a score of this name.
    Named(String),
}

impl OobScore {
    /// Name of the score; none when nothing is to be scored.
    pub(crate) fn check(&self, method: &str) -> Result<Option<&'static str>> {
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

/// How many trees a forest has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Trees {
    /// So many.
    Given(u32),
    /// As a rule says.
    Named(TreesName),
}

/// A named rule for the number of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreesName {
    /// So many that the average precision of out-of-bag answers has settled.
    Auto,
}

impl Trees {
    /// The number, where it is given.
    fn given(self) -> Option<u32> {
        if let Self::Given(n) = self { Some(n) } else { None }
    }
}

imbcore_base::params! {
    /// Parameters of every forest.
    pub struct ForestParams {
        n_estimators: Trees = Trees::Given(100), "a whole number of at least 1, or \"auto\"",
            "Trees. \"auto\": 50, doubled to at most 800 until that changes the average precision of the answers to rows by the trees \
             that did not see them by less than 0.005.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a share in (0, 1]",
            "Rows drawn for each tree: a number or a share. None: as many as there are.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. A draw without some class is repeated, up to 100 times.";
        vote: Vote = Vote::Soft, "\"soft\" or \"hard\"",
            "Mean of the trees' probabilities, or share of the trees that are for a class.";
        recalibrate: Recalibrate = Recalibrate::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities go back from the class shares that the trees saw, by weight or by drawing, to those of the \
             data; answers stay those of the votes unless costs or a threshold are set. \"none\": the votes as they are.";
        oob_score: OobScore = OobScore::Flag(false), "True, False or the name of a score",
            "Whether each row is answered by the trees that did not see it: True scores the answers by accuracy, the name of a \
             score of `imbcore.evaluate` by that.";
    }
}

imbcore_base::params! {
    /// Parameters of a forest whose trees see balanced classes (Chen, Liaw and Breiman 2004).
    pub struct BalancedForestParams {
        n_estimators: Trees = Trees::Given(100), "a whole number of at least 1, or \"auto\"",
            "Trees. \"auto\": 50, doubled to at most 800 until that changes the average precision of the answers to rows by the trees \
             that did not see them by less than 0.005.";
        sampling_strategy: Strategy = Strategy::Named(Which::All),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows a class" naming Classes,
            "Which classes are drawn from for each tree, and how many rows of them; the others are there as they are. \"all\": \
             all, as many rows as the smallest has; \"auto\": all but the smallest; a number: the smaller to the larger of two.";
        ratio: Ratio = Ratio::ToMajority, "\"min/maj\" or \"fraction\"" from &["min/maj", "fraction"],
            "What a number as `sampling_strategy` is: the smaller class to the larger one, or to all rows.";
        replacement: bool = true, "True or False",
            "Whether the rows of a class are drawn with replacement.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a share in (0, 1]",
            "Rows drawn of each class of the strategy instead: a number, or a share of those; with `bootstrap` the rows of the \
             sample that is balanced.";
        bootstrap: bool = false, "True or False",
            "Whether a bootstrap sample of all rows is drawn first, and balanced then. A draw without some class is repeated, up \
             to 100 times.";
        vote: Vote = Vote::Soft, "\"soft\" or \"hard\"",
            "Mean of the trees' probabilities, or share of the trees that are for a class.";
        recalibrate: Recalibrate = Recalibrate::Prior, "\"prior\" or \"none\"",
            "\"prior\": probabilities go back from the class shares that the trees saw, by weight or by drawing, to those of the \
             data; answers stay those of the votes unless costs or a threshold are set. \"none\": the votes as they are.";
        oob_score: OobScore = OobScore::Flag(false), "True, False or the name of a score",
            "Whether each row is answered by the trees that did not see it: True scores the answers by accuracy, the name of a \
             score of `imbcore.evaluate` by that.";
    }
}

imbcore_base::params! {
    /// Parameters of a BEAT forest (Park and Ghosh 2012).
    pub struct BeatParams {
        n_estimators: u32 = 30, "a whole number of at least 1",
            "Trees.";
        beta_a: f64 = 1.0, "a number above 0",
            "First shape of the Beta law of alpha / 2; a larger one favours precision.";
        beta_b: f64 = 1.0, "a number above 0",
            "Second shape of the Beta law of alpha / 2; a larger one favours recall.";
        reference: Option<Reference> = None, "None, \"uniform\", \"flipped\" or one share a class",
            "Reference law of the extended alpha-divergence. None: the divergence from independence.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a share in (0, 1]",
            "Rows drawn for each tree: a number or a share. None: as many as there are.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. A draw without some class is repeated, up to 100 times.";
        vote: Vote = Vote::Soft, "\"soft\" or \"hard\"",
            "Mean of the trees' probabilities, or share of the trees that are for a class.";
        recalibrate: Recalibrate = Recalibrate::None, "\"prior\" or \"none\"",
            "\"prior\": probabilities go back from the class shares that the trees saw, by weight or by drawing, to those of the \
             data; answers stay those of the votes unless costs or a threshold are set. \"none\": the votes as they are.";
        oob_score: OobScore = OobScore::Flag(false), "True, False or the name of a score",
            "Whether each row is answered by the trees that did not see it: True scores the answers by accuracy, the name of a \
             score of `imbcore.evaluate` by that.";
    }
}

imbcore_base::params! {
    /// Parameters of a forest of SVR-Trees.
    pub struct SvrForestParams {
        n_estimators: u32 = 100, "a whole number of at least 1",
            "Trees.";
        max_samples: Option<MaxSamples> = None, "None, a whole number of at least 1, or a share in (0, 1]",
            "Rows drawn for each tree: a number or a share. None: as many as there are.";
        bootstrap: bool = true, "True or False",
            "Whether rows are drawn with replacement. A draw without some class is repeated, up to 100 times.";
        oob_score: OobScore = OobScore::Flag(false), "True, False or the name of a score",
            "Whether each row is answered by the trees that did not see it: True scores the answers by accuracy, the name of a \
             score of `imbcore.evaluate` by that.";
    }
}

impl Overrides for ForestParams {}

impl Overrides for BalancedForestParams {}

impl Overrides for SvrForestParams {
    /// Its trees answer with their weighted shares.
    const HIDDEN: &'static [&'static str] = &["probability"];
}

impl Overrides for BeatParams {
    /// Its trees have the alpha-divergence for a criterion.
    const HIDDEN: &'static [&'static str] = &["criterion"];
}

/// What the kinds of forests differ in, checked without data.
#[derive(Clone, Debug)]
pub struct ForestPlan {
    /// Number of trees; none where it is found out.
    pub(crate) n_trees: Option<u32>,
    pub(crate) max_samples: Option<MaxSamples>,
    pub(crate) bootstrap: bool,
    pub(crate) vote: Vote,
    pub(crate) recalibrate: Recalibrate,
    /// Score of the out-of-bag answers, where they are asked for.
    pub(crate) out_of_bag: Option<&'static str>,
    pub(crate) draw: Draw,
    pub(crate) weighted_votes: bool,
    pub(crate) law: Option<(AlphaLaw, Option<Reference>)>,
}

impl ForestParams {
    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestPlan> {
        let specs = self.specs();
        check_common(method, &specs, (self.n_estimators.given(), self.max_samples.as_ref()))?;
        Ok(ForestPlan {
            n_trees: self.n_estimators.given(),
            max_samples: self.max_samples,
            bootstrap: self.bootstrap,
            vote: self.vote,
            recalibrate: self.recalibrate,
            out_of_bag: self.oob_score.check(method)?,
            draw: Draw::Uniform,
            weighted_votes: false,
            law: None,
        })
    }
}

impl BalancedForestParams {
    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestPlan> {
        let Self { n_estimators, sampling_strategy: strategy, ratio, replacement, .. } = self;
        let Self { max_samples, bootstrap, vote, recalibrate, oob_score, .. } = self;
        let own = ForestParams { n_estimators, max_samples, bootstrap, vote, recalibrate, oob_score };
        let draw = Draw::Balanced(Balance { strategy, ratio, replacement });
        Ok(ForestPlan { draw, ..own.check(method)? })
    }
}

impl SvrForestParams {
    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestPlan> {
        let Self { n_estimators, max_samples, bootstrap, oob_score } = self;
        let n_estimators = Trees::Given(n_estimators);
        let own = ForestParams { n_estimators, max_samples, bootstrap, oob_score, ..ForestParams::default() };
        own.check(method)
    }
}

impl BeatParams {
    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<ForestPlan> {
        let specs = self.specs();
        check_common(method, &specs, (Some(self.n_estimators), self.max_samples.as_ref()))?;
        for (name, shape) in [("beta_a", self.beta_a), ("beta_b", self.beta_b)] {
            if !(shape.is_finite() && shape > 0.0) {
                return Err(refused(method, &specs, name, &shape));
            }
        }
        let law = AlphaLaw { a: self.beta_a, b: self.beta_b };
        Ok(ForestPlan {
            n_trees: Some(self.n_estimators),
            max_samples: self.max_samples,
            bootstrap: self.bootstrap,
            vote: self.vote,
            recalibrate: self.recalibrate,
            out_of_bag: self.oob_score.check(method)?,
            draw: Draw::Uniform,
            weighted_votes: false,
            law: Some((law, self.reference)),
        })
    }
}

impl ForestPlan {
    /// Hard votes count as much as a row of the leaf weighs on average (Chen, Liaw and Breiman 2004).
    #[must_use]
    pub fn weighted(self) -> Self {
        Self { weighted_votes: true, ..self }
    }
}

fn check_common(
    method: &'static str,
    specs: &[imbcore_base::ParamSpec],
    (n_estimators, max_samples): (Option<u32>, Option<&MaxSamples>),
) -> Result<()> {
    if n_estimators == Some(0) {
        return Err(refused(method, specs, "n_estimators", &0));
    }
    match max_samples {
        Some(bad) if !bad.is_valid() => Err(match bad {
            MaxSamples::Count(count) => refused(method, specs, "max_samples", count),
            MaxSamples::Share(share) => refused(method, specs, "max_samples", share),
        }),
        _ => Ok(()),
    }
}

fn refused(
    method: &'static str,
    specs: &[imbcore_base::ParamSpec],
    name: &str,
    got: &dyn std::fmt::Display,
) -> Error {
    let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
    Error::parameter(method, name, expected, got)
}
