//! Parameters of SVR-Tree.

use serde::{Deserialize, Serialize};

/// Declares a parameter type with a few named values.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$of])* $value,)* }
    };
}

choice!(
    /// Treatment of nodes that contain only one class.
    /// A split of such a node can reduce the risk, because its children may get different labels.
    PureNodes {
        /// Nodes with one class are split like other nodes, as in the paper.
        Split,
        /// Nodes with one class stay leaves, as in the authors' program.
        Freeze,
    }
);
choice!(
    /// Quantity that `max_leaf_nodes` limits.
    StopRule {
        /// Growth stops at a maximum number of leaves, as in the paper.
        Leaves,
        /// Growth stops at a maximum number of nodes taken from the queue (authors' program).
        ///
        /// If the maximum is reached, the last of these nodes stays a leaf.
        Dequeues,
    }
);
choice!(
    /// Scaling of columns to the interval [0, 1].
    Scaling {
        /// Linear, with a margin of (range of values) / max(n - 1, 1) on both sides.
        ///
        /// `n` is the total weight of the rows. This is the scaling of the authors' program.
        Reference,
        /// Linear: the smallest value is mapped to 0, and the largest value to 1.
        Minmax,
        /// No scaling; all values must be in [0, 1].
        None,
    }
);
choice!(
    /// Quantity that is penalized in the risk.
    Regularizer {
        /// Sum of the surface-to-volume ratios of the regions of penalized classes.
        Svr,
        /// Surface area between regions of different classes; faces of the unit cube do not count.
        Surface,
    }
);
choice!(
    /// Estimate of class probabilities in leaves.
    ProbabilityRule {
        /// Class proportions in the leaf, computed with class weights.
        Weighted,
        /// Class proportions in the leaf, computed without class weights.
        Unweighted,
    }
);
choice!(
    /// Handling of missing values in the column of a split.
    SvrMissing {
        /// All rows with missing values go to the child for which the risk is lower.
        /// If the node had no missing values in training, they go to the child with more rows.
        Direction,
        /// Missing values are not allowed.
        Error,
    }
);
choice!(
    /// Named rule for the class weights.
    MinorityWeightName {
        /// Largest integer weights with which no class outweighs the largest class.
        ///
        /// Each weight is at least 1. The largest class has weight 1.
        Auto,
    }
);
choice!(
    /// Named choice of the classes whose regions are penalized.
    PenalisedName {
        /// All classes except the largest class.
        Minority,
        /// All classes.
        All,
    }
);

/// Class weights of all classes except the largest class, which has weight 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MinorityWeight {
    /// Named rule.
    Named(MinorityWeightName),
    /// Given weight.
    Given(f64),
}

/// Classes whose regions are penalized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PenalizedClasses {
    /// Named rule.
    Named(PenalisedName),
    /// List of class codes.
    Codes(Vec<u32>),
}

imbcore_core::params! {
    /// Parameters of SVR-Tree.
    pub struct SvrParams {
        penalty: Option<f64> = None, "a number in [0, 1e100], or None",
            "Penalty on the surface-to-volume ratio; if it is 0, trees use only the weighted Gini index. None: 0.032 \
             divided by the cube root of the total weight of the training rows.";
        minority_weight: MinorityWeight = MinorityWeight::Named(MinorityWeightName::Auto),
            "\"auto\" or a number in [1e-50, 1e50]",
            "Weight of each row outside the largest class. \"auto\": for each class, the largest integer with which \
             the total weight of the class is at most that of the largest class. If class_weight is given, \
             it is used instead of \"auto\", and a number is an error.";
        max_leaf_nodes: Option<f64> = None, "a number of at least 1, or None",
            "Maximum number of leaves, rounded up. None: twice the square root of the total weight of the training \
             rows.";
        feature_selection: bool = false, "True or False",
            "Whether a split on a feature that the tree does not use yet must exceed the best gain of the used \
             features by `new_feature_penalty` times `penalty`.";
        new_feature_penalty: f64 = 4.0, "a number of at least 0",
            "Additional gain required of a feature that the tree does not use yet, in multiples of `penalty` (c0 in \
             the paper, which recommends values from 1 to 10).";
        pure_nodes: PureNodes = PureNodes::Split, "\"split\" or \"freeze\"",
            "Handling of pure nodes: \"split\" processes pure nodes like other nodes, as in the paper, because a \
             child of a pure node may get another label; \"freeze\" keeps pure nodes as leaves, as in the authors' \
             program.";
        stop_rule: StopRule = StopRule::Leaves, "\"leaves\" or \"dequeues\"",
            "Whether max_leaf_nodes limits the number of leaves (\"leaves\"), as in the paper, or the number of \
             nodes taken from the queue (\"dequeues\"), as in the authors' program; the last of them is not split.";
        scale: Scaling = Scaling::Reference, "\"reference\", \"minmax\" or \"none\"",
            "Scaling of features to the unit cube in which surface and volume are measured. \"reference\": linear \
             with a margin on both sides, as in the authors' program. The margin is the range of the feature divided \
             by the larger of 1 and (total weight of the rows - 1). \"minmax\": linear without margin. \"none\": no scaling; values must \
             be in [0, 1].";
        regularizer: Regularizer = Regularizer::Svr, "\"svr\" or \"surface\"",
            "Penalized quantity. \"svr\": the surface-to-volume ratios of the regions of the penalized classes. \
             \"surface\": the surface between regions of different classes, intended for balanced data.";
        penalized_classes: PenalizedClasses = PenalizedClasses::Named(PenalisedName::Minority),
            "\"minority\", \"all\" or a list of different classes" naming Classes,
            "Classes whose surface-to-volume ratios are penalized: all except the largest (\"minority\"), all \
             classes, or the listed classes.";
        probability: ProbabilityRule = ProbabilityRule::Weighted, "\"weighted\" or \"unweighted\"",
            "Class probabilities of a leaf: proportions of the weights of the classes in the leaf, with class weights \
             (\"weighted\") or without them (\"unweighted\").";
        missing: SvrMissing = SvrMissing::Direction, "\"direction\" or \"error\"",
            "Missing values: \"direction\" sends missing values to the child that gives the lower risk, or to the child \
             with more rows if the node had none in training; \"error\" raises an error.";
    }
}
