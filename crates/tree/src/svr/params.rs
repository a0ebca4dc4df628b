//! Parameters of SVR-Tree.

use serde::{Deserialize, Serialize};

/// Declares an option of few names.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$of])* $value,)* }
    };
}

choice!(
    /// Whether nodes of one class may split (they can: a part of them may change its label).
    PureNodes {
        /// They are looked at as all others: the text of the paper.
        Split,
        /// They stay leaves: the authors' program.
        Freeze,
    }
);
choice!(
    /// What `max_leaf_nodes` limits.
    StopRule {
        /// Leaves: the text of the paper.
        Leaves,
        /// Nodes looked at, also those that did not split: the authors' program.
        Dequeues,
    }
);
choice!(
    /// How columns are brought to the unit cube.
    Scaling {
        /// Linearly, with a margin of range / (n - 1) on both sides: the authors' program.
        Reference,
        /// Linearly, the smallest value to 0 and the largest to 1.
        Minmax,
        /// Not at all; values lie in [0, 1] already.
        None,
    }
);
choice!(
    /// What is penalised.
    Regularizer {
        /// The surface-to-volume ratio of the region of each penalised class, summed.
        Svr,
        /// The surface between regions of different classes; walls of the cube do not count.
        Surface,
    }
);
choice!(
    /// What leaves answer as probabilities.
    ProbabilityRule {
        /// Shares of the class weights.
        Weighted,
        /// Shares of the rows.
        Unweighted,
    }
);
choice!(
    /// What becomes of rows without a value in the column that a node splits on.
    SvrMissing {
        /// They all go to the side where they help most; if training saw none, to the child with more rows.
        Direction,
        /// Data must be complete.
        Error,
    }
);
choice!(
    /// A named choice of class weights.
    MinorityWeightName {
        /// The largest whole number that does not make a class outweigh the largest one.
        Auto,
    }
);
choice!(
    /// A named choice of penalised classes.
    PenalisedName {
        /// All but the largest.
        Minority,
        /// All.
        All,
    }
);

/// Weight of a row of a class that is not the largest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MinorityWeight {
    /// By a rule.
    Named(MinorityWeightName),
    /// This much.
    Given(f64),
}

/// Classes whose regions are penalised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Penalised {
    /// By a rule.
    Named(PenalisedName),
    /// These class codes.
    Codes(Vec<u32>),
}

imbcore_base::params! {
    /// Parameters of SVR-Tree.
    pub struct SvrParams {
        penalty: Option<f64> = None, "a number in [0, 1e100], or None",
            "Price of the surface-to-volume ratio; 0 grows a tree by the weighted Gini index alone. None: 0.032 divided by the cube root of the weight of the rows.";
        minority_weight: MinorityWeight = MinorityWeight::Named(MinorityWeightName::Auto),
            "\"auto\" or a number in [1e-50, 1e50]",
            "Weight of a row of every class but the largest; \"auto\": the largest whole number that leaves the class \
             no heavier than the largest one. class_weight takes its place.";
        max_leaf_nodes: Option<f64> = None, "a number of at least 1, or None",
            "Most leaves, rounded up. None: twice the square root of the weight of the rows.";
        feature_selection: bool = false, "True or False",
            "Whether a feature that no split used so far must gain more than those in use.";
        new_feature_penalty: f64 = 4.0, "a number of at least 0",
            "How much more, in penalties: c0 of the paper, whose authors call anything from 1 to 10 reasonable.";
        pure_nodes: PureNodes = PureNodes::Split, "\"split\" or \"freeze\"",
            "Nodes of one class: \"split\" looks at them as at others, as the paper says, since a part of one may change its \
             label; \"freeze\" leaves them alone, as the authors' program does.";
        stop_rule: StopRule = StopRule::Leaves, "\"leaves\" or \"dequeues\"",
            "Whether max_leaf_nodes limits the leaves, as in the paper, or the nodes looked at, as in its program.";
        scale: Scaling = Scaling::Reference, "\"reference\", \"minmax\" or \"none\"",
            "How features are brought to the unit cube in which surface and volume are measured: \"reference\" linearly with a \
             margin of range / (weight - 1) on both sides, as in the authors' program; \"minmax\" without margin; \"none\" leaves \
             them, and they must lie in [0, 1].";
        regularizer: Regularizer = Regularizer::Svr, "\"svr\" or \"surface\"",
            "What is penalised: \"svr\", the surface-to-volume ratios of the penalised classes' regions; \"surface\", the surface \
             between regions of different classes, for data whose classes are balanced.";
        penalised_classes: Penalised = Penalised::Named(PenalisedName::Minority),
            "\"minority\", \"all\" or a list of different classes" naming Classes,
            "Classes whose surface-to-volume ratios are summed: all but the largest, all, or those listed.";
        probability: ProbabilityRule = ProbabilityRule::Weighted, "\"weighted\" or \"unweighted\"",
            "Whether a leaf's probabilities are shares in the weight of the leaf or in its rows.";
        missing: SvrMissing = SvrMissing::Direction, "\"direction\" or \"error\"",
            "Missing values: sent to the side where they help most, or refused.";
    }
}
