//! Parameters of boosted trees.

use serde::{Deserialize, Serialize};

/// Loss that boosting minimizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoostedObjective {
    /// Logistic loss, or multinomial logistic loss for several classes.
    LogLoss,
    /// Log loss with balanced class weights.
    /// The probabilities are corrected to the class frequencies of the data.
    Balanced,
    /// Focal loss; its scores are converted to class probabilities.
    Focal,
    /// Pairwise logistic ranking loss; probabilities are calibrated on held-out rows, if any.
    PairwiseAuc,
    /// Logistic loss with cheaper decisions as labels and cost differences as weights.
    /// The probabilities are corrected for the weights.
    Cost,
    /// Smooth average precision as a loss; probabilities are calibrated on held-out rows, if any.
    SmoothAp,
}

/// Number of boosting rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RoundCount {
    /// Number chosen by a named rule.
    Named(RoundCountRule),
    /// Given number.
    Given(u32),
}

/// Named rule for the number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundCountRule {
    /// Number of rounds after which the score on held-out rows of inner folds is best.
    Auto,
}

/// Score by which early stopping compares rounds on held-out rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppingScore {
    /// Mean log loss of the probabilities.
    LogLoss,
    /// Average precision of the positive class.
    AveragePrecision,
}

/// Splits on nominal features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostedCategoricalSplit {
    /// Target statistics for features with over 255 levels, sets of levels for other features.
    Auto,
    /// Sets of levels.
    Subset,
    /// Thresholds on ordered target statistics.
    Target,
}

/// Handling of missing values in the column of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostedMissingRule {
    /// All rows with missing values go to the child for which the gain is larger.
    /// If the node had no missing values in training, they go to the child with more rows.
    Direction,
    /// Missing values are not allowed.
    Error,
}

/// Row sampling of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoostedRowSampling {
    /// Uniform sample.
    Uniform,
    /// Gradient-based one-side sampling, which always keeps all rows of the rarest class.
    Goss,
}

/// Columns that may occur together on a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum InteractionConstraints {
    /// Named rule.
    Named(InteractionRule),
    /// Sets of columns: each path uses columns of only one set.
    /// Columns that are in none of the sets form another set.
    Sets(Vec<Vec<u32>>),
}

/// Named rule for interactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InteractionRule {
    /// Each path uses at most two different columns.
    Pairwise,
    /// Each path uses only one column.
    NoInteractions,
}

imbcore_core::params! {
    /// Parameters of boosted trees.
    pub struct BoostedParams {
        objective: BoostedObjective = BoostedObjective::LogLoss, "\"log_loss\", \"balanced\", \"cost\", \"focal\", \"pairwise_auc\" or \"smooth_ap\"",
            "Loss that boosting minimizes. \"log_loss\": logistic loss, multinomial for several classes. \
             \"balanced\": log loss with balanced class weights; the probabilities are corrected exactly to the \
             class frequencies of the data. \"cost\": logistic loss that replaces the label of each row by the \
             cheaper decision for this row, and weights the row by the difference between the costs of both \
             decisions (from costs or cost_matrix; two classes only). The probabilities are corrected exactly for \
             these weights. \"focal\": focal loss for two classes; the scores are mapped exactly to class probabilities. \"pairwise_auc\": logistic loss of pairs \
             of a positive and a negative row. \"smooth_ap\": average precision with smooth ranks. For \
             \"pairwise_auc\" and \"smooth_ap\", probabilities come from scores by calibration on rows held out by \
             inner folds.";
        focal_gamma: f64 = 2.0, "a number in [0, 10]",
            "Exponent of the focal loss: larger values reduce the weight of well-classified rows; 0 gives the logistic \
             loss.";
        n_rounds: RoundCount = RoundCount::Named(RoundCountRule::Auto), "\"auto\" or a whole number of at least 1",
            "Number of rounds. Each round adds one tree, or one tree per class if there are more than two classes. \
             \"auto\": the best number on inner folds, or 100 if there are too few rows for inner folds.";
        max_rounds: u32 = 1000, "a whole number of at least 1",
            "Maximum number of rounds if n_rounds=\"auto\".";
        stopping_score: StoppingScore = StoppingScore::LogLoss, "\"log_loss\" or \"average_precision\"",
            "Score with which n_rounds=\"auto\" evaluates rounds on the held-out rows of the inner folds: the log loss \
             of the probabilities, or the average precision of the positive class.";
        stopping_folds: u32 = 5, "a whole number of at least 2",
            "Maximum number of inner folds for n_rounds=\"auto\"; there are at most as many folds as rows of the smallest \
             class. With times, a fold is used if its training rows contain every class. Otherwise the folds are held \
             out in turn, until 500 rows of the smallest class have been held out; with groups, 500 groups of this \
             class.";
        early_stopping_rounds: u32 = 30, "a whole number of at least 1",
            "Number of rounds without improvement after which n_rounds=\"auto\" stops.";
        early_stopping_min_delta: f64 = 0.0, "a number of at least 0",
            "Minimum change of the score that counts as an improvement if n_rounds=\"auto\".";
        learning_rate: f64 = 0.1, "a number above 0 and at most 1e6",
            "Factor of the leaf values of each tree; values above 1 overshoot the optimal step of a round.";
        max_leaf_nodes: Option<u32> = Some(31), "a whole number of at least 2, or None",
            "Maximum number of leaves per tree; the leaf with the largest gain is split first. None: no limit; \
             max_depth and min_samples_leaf still apply.";
        max_depth: Option<u32> = None, "a whole number of at least 1, or None",
            "Maximum depth; the root has depth 0. None: no limit.";
        min_samples_leaf: u32 = 3, "a whole number of at least 1",
            "Minimum number of rows in each child of a split.";
        min_child_weight: f64 = 1e-3, "a number of at least 0",
            "Minimum sum of Hessians in each child of a split.";
        min_split_gain: f64 = 0.0, "a number of at least 0",
            "Lower limit of the gain of a split: the gain must be larger than this value.";
        random_strength: f64 = 1.0, "a number of at least 0",
            "Strength of the noise that regularizes the choice of splits: the standard deviation of random numbers that \
             are added to the square root of each gain before splits are compared. Splits on a column without influence \
             have gains near 1, so 1 is a strong noise for small tables; 0 turns it off.";
        reg_lambda: f64 = 3.0, "a number of at least 0",
            "L2 penalty on leaf values.";
        reg_alpha: f64 = 0.0, "a number of at least 0",
            "L1 penalty on leaf values.";
        subsample: f64 = 0.7, "in (0, 1]",
            "Fraction of the rows that each round draws without replacement, if sampling=\"uniform\".";
        sampling: BoostedRowSampling = BoostedRowSampling::Uniform, "\"uniform\" or \"goss\"",
            "Rows used by a round. \"uniform\": a random fraction of all rows (``subsample``). \"goss\": \
             gradient-based one-side sampling with all rows of the rarest class, the rows of other classes with the \
             largest gradients, and a weighted sample of the remaining rows.";
        top_rate: f64 = 0.2, "in [0, 1)",
            "Fraction of the rows outside the rarest class that sampling=\"goss\" keeps: the rows with the largest \
             gradients.";
        other_rate: f64 = 0.1, "in (0, 1], in sum with top_rate at most 1",
            "Number of rows that sampling=\"goss\" samples from the remaining rows, as a fraction of the rows \
             outside the rarest class.";
        colsample_bytree: f64 = 0.7, "in (0, 1]",
            "Fraction of the features drawn for each tree.";
        dropout_rate: f64 = 0.0, "in [0, 1)",
            "Probability with which each earlier round is dropped while a round is trained (DART); at least one \
             round is dropped. The dropped and the new trees are then scaled down so that their joint contribution \
             is not counted twice. 0: no dropout.";
        skip_dropout: f64 = 0.0, "in [0, 1]",
            "Probability that a round is trained without dropout, if dropout_rate is above 0.";
        categorical_split: BoostedCategoricalSplit = BoostedCategoricalSplit::Auto, "\"auto\", \"subset\" or \"target\"",
            "Splits on nominal features. \"subset\": a set of levels against the others; the levels beyond the 254 \
             most frequent ones are treated as one level. \"target\": a threshold on the target statistic of a \
             level, which is the smoothed proportion of a class among the training rows of the level. For a training \
             row, the statistic is computed only from the rows that precede the row in a random order, or in time if \
             the rows have times. A level that does not occur in training is treated as a missing value; if training \
             has no missing values, it has the proportion among all rows. \"auto\": \"target\" for features with \
             more than 255 levels, \"subset\" for the others.";
        level_smoothing: f64 = 10.0, "a number of at least 0",
            "Regularization of splits that separate sets of levels of a nominal feature. The levels are sorted by \
             gradient / (Hessian + level_smoothing). In the gain of these splits, level_smoothing is also added to \
             the L2 penalty.";
        monotonic_cst: Option<Vec<i8>> = None,
            "None, a list of -1, 0 and 1, one per feature, or a dict of these values by feature name, only for two \
             classes; 0 for nominal features" naming Features,
            "Monotonic constraint of each feature: as the feature increases, the probability of the positive class does \
             not decrease (1) or does not increase (-1).";
        interaction_cst: Option<InteractionConstraints> = None,
            "None, a list of sets of features, by name or position, \"pairwise\" or \"no_interactions\"" naming Sets,
            "Sets of features that may interact: all splits on a path use features of one set. Features in no set form \
             another set. \"pairwise\": any two features; \"no_interactions\": each feature alone.";
        max_bins: u32 = 255, "a whole number from 2 to 255",
            "Maximum number of bins of a numeric feature; thresholds are searched only between bins.";
        missing: BoostedMissingRule = BoostedMissingRule::Direction, "\"direction\" or \"error\"",
            "Missing values: \"direction\" sends missing values to the child that gives the larger gain, or to the child \
             with more rows if the node had none in training; \"error\" raises an error.";
    }
}
