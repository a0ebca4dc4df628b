//! Parameters of boosted trees.

use serde::{Deserialize, Serialize};

/// What the rounds minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The logistic loss, of several classes the multinomial one.
    LogLoss,
    /// The same with classes that weigh alike, which probabilities are brought back from.
    Balanced,
    /// The focal loss, whose probabilities are mapped back to those of the classes.
    Focal,
    /// The order of pairs of a positive and a negative row, with probabilities by rows that were held out.
    PairwiseAuc,
    /// The logistic loss of the cheaper decisions of the rows, weighted by cost differences, from which class probabilities are computed.
    Cost,
    /// Smooth average precision, with probabilities by rows that were held out.
    SmoothAp,
}

/// How many rounds there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Rounds {
    /// As a rule says.
    Named(RoundsName),
    /// So many.
    Given(u32),
}

/// A named rule for the number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundsName {
    /// As many as are best on inner folds.
    Auto,
}

/// What inner folds judge a round by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppingScore {
    /// Mean logarithmic loss of the probabilities.
    LogLoss,
    /// Average precision of the positive class.
    AveragePrecision,
}

/// What becomes of rows without a value in the column that a node splits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostedMissing {
    /// They all go to the side where they help most; where training saw none, to the larger child.
    Direction,
    /// Data must be complete.
    Error,
}

/// How rounds draw their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sampling {
    /// Each as likely.
    Uniform,
    /// The rare ones, those with large gradients, and some of the others.
    Goss,
}

/// Which columns may stand together on one way down a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Interactions {
    /// As a rule says.
    Named(InteractionsName),
    /// Those of one of these sets; columns in none make up one more.
    Sets(Vec<Vec<u32>>),
}

/// A named rule for columns that may stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InteractionsName {
    /// Any two.
    Pairwise,
    /// None with another.
    NoInteractions,
}

imbcore_base::params! {
    /// Parameters of boosted trees.
    pub struct BoostedParams {
        objective: Objective = Objective::LogLoss, "\"log_loss\", \"balanced\", \"cost\", \"focal\", \"pairwise_auc\" or \"smooth_ap\"",
            "What the rounds minimise: \"log_loss\" the logistic loss, of several classes the multinomial one; \"balanced\" the same \
             with classes that weigh alike, which probabilities are brought back from exactly; \"cost\" the logistic \
             loss of the cheaper decision of each row, weighted by the difference of the two decisions' costs, by costs or \
             cost_matrix, of two classes, with the ratio of the costs divided out of probabilities; \"focal\" the focal loss of two \
             classes, whose probabilities go through the exact map to those of the classes; \"pairwise_auc\" the logistic loss of \
             pairs of a row of each of two classes, \"smooth_ap\" average precision by smooth ranks, whose scores become \
             probabilities on rows that inner folds held out.";
        focal_gamma: f64 = 2.0, "a number in [0, 10]",
            "How much the focal loss leaves rows out of account that are told well; 0 is the logistic loss.";
        n_rounds: Rounds = Rounds::Named(RoundsName::Auto), "\"auto\" or a whole number of at least 1",
            "Rounds; each adds a tree, of more than two classes one a class. \"auto\": as many as are best on stratified inner folds.";
        max_rounds: u32 = 1000, "a whole number of at least 1",
            "Most rounds of n_rounds=\"auto\".";
        stopping_score: StoppingScore = StoppingScore::LogLoss, "\"log_loss\" or \"average_precision\"",
            "What n_rounds=\"auto\" judges rounds by, on rows of the inner folds that did not train: the logarithmic loss of the \
             probabilities, or the average precision of the positive class.";
        stopping_folds: u32 = 5, "a whole number of at least 2",
            "Inner folds of n_rounds=\"auto\". All of them are used unless fewer hold 500 rows of the smallest class.";
        early_stopping_rounds: u32 = 30, "a whole number of at least 1",
            "Rounds without a better score after which n_rounds=\"auto\" looks no further.";
        early_stopping_min_delta: f64 = 0.0, "a number of at least 0",
            "By how much a score must be better than the best to count as better for n_rounds=\"auto\".";
        learning_rate: f64 = 0.1, "a number above 0 and at most 1e6",
            "What the leaves of a tree are multiplied by; above 1 steps go beyond what is best for a round.";
        max_leaf_nodes: Option<u32> = Some(31), "a whole number of at least 2, or None",
            "Most leaves of a tree, which grows where the gain is largest. None: no limit, so that max_depth alone holds trees small.";
        max_depth: Option<u32> = None, "a whole number of at least 1, or None",
            "Deepest level; the root has depth 0. None: no limit.";
        min_samples_leaf: u32 = 3, "a whole number of at least 1",
            "Fewest rows on each side of a split.";
        min_child_weight: f64 = 1e-3, "a number of at least 0",
            "Smallest sum of second derivatives on each side of a split.";
        min_gain: f64 = 0.0, "a number of at least 0",
            "What a split must gain more than.";
        reg_lambda: f64 = 3.0, "a number of at least 0",
            "Price of the squares of what leaves say (L2).";
        reg_alpha: f64 = 0.0, "a number of at least 0",
            "Price of their sizes (L1).";
        subsample: f64 = 0.7, "in (0, 1]",
            "Share of the rows that each round draws, without replacement, with sampling=\"uniform\".";
        sampling: Sampling = Sampling::Uniform, "\"uniform\" or \"goss\"",
            "What a round learns from: \"uniform\", a share of all rows; \"goss\", gradient-based one-side sampling: all rows of the rarest \
             class, of the others those with the largest gradients, and some of the rest, which count for all of it.";
        top_rate: f64 = 0.2, "in [0, 1)",
            "Share of the rows of other classes than the rarest that sampling=\"goss\" keeps for their gradients.";
        other_rate: f64 = 0.1, "in (0, 1], with top_rate at most 1",
            "Share of them that sampling=\"goss\" draws from the rest.";
        colsample_bytree: f64 = 0.7, "in (0, 1]",
            "Share of the features that each tree draws.";
        dropout_rate: f64 = 0.0, "in [0, 1)",
            "How likely each earlier round is left out while a round is learnt, one at least (DART); what was left out and the new \
             trees are then scaled down, so that together they say it once. 0: none is left out.";
        skip_dropout: f64 = 0.0, "in [0, 1]",
            "How likely a round is learnt with all earlier ones, where dropout_rate is above 0.";
        level_smoothing: f64 = 10.0, "a number of at least 0",
            "How much the levels of nominal features are held together where sets of them are split: added to the second \
             derivatives that order the levels, and to the price of squares where such splits are compared.";
        monotonic_cst: Option<Vec<i8>> = None,
            "None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with two classes; 0 for nominal features" naming Features,
            "Whether the probability of the positive class never falls (1) or never rises (-1) when a feature rises.";
        interaction_cst: Option<Interactions> = None,
            "None, a list of sets of features, by name or position, \"pairwise\" or \"no_interactions\"" naming Sets,
            "Sets of features: the splits on a way down a tree use those of one set only; features in no set make up one more. \
             \"pairwise\": any two; \"no_interactions\": each by itself.";
        max_bins: u32 = 255, "a whole number from 2 to 255",
            "Most bins of a numeric feature; cuts are sought between bins only.";
        missing: BoostedMissing = BoostedMissing::Direction, "\"direction\" or \"error\"",
            "Missing values: sent to the side where they help most, or refused.";
    }
}
