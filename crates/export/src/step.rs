//! Operations of steps.
//! Field names are the names in the published JSON format.

use serde::Serialize;

/// A step: computes numbers for a row from feature values or from numbers of earlier steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Operation.
    #[serde(flatten)]
    pub op: Op,
    /// Indices of the steps that are the inputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<usize>,
    /// Number of values computed.
    pub width: usize,
}

/// Operation of a step.
/// All numbers are doubles. In elementwise operations, an input with a single number is broadcast.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Constant values.
    Constant {
        /// The numbers.
        values: Vec<f64>,
    },
    /// The value of a feature; NaN if it is missing.
    Value {
        /// The feature.
        feature: usize,
    },
    /// Sum over the trees, in order, of the values of the leaf that the row reaches.
    /// If a split has `masses`, a row in which its feature is missing follows all branches with fractional
    /// weights. The values of a leaf are then multiplied by the weight of the row in this leaf.
    Trees {
        /// The trees.
        trees: Vec<ExportTree>,
    },
    /// Values of the first rule whose conditions all hold, or `otherwise` if no rule matches.
    Rules {
        /// The rules.
        rules: Vec<ExportRule>,
        /// Values if no rule matches.
        otherwise: Vec<f64>,
    },
    /// Bin of a feature: the number of `cuts` (ascending thresholds) that its value exceeds.
    /// The result for a missing value is `missing`, or NaN if `missing` is `None`.
    Bin {
        /// The feature.
        feature: usize,
        /// Thresholds between bins.
        cuts: Vec<f64>,
        /// Result for a missing value; NaN if it is `None`.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// Level code of a feature; levels that are not in `known` count as missing.
    Level {
        /// The feature.
        feature: usize,
        /// Codes of the levels that do not count as missing.
        known: Vec<u32>,
        /// Result for a missing value; NaN if it is `None`.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// Row `(c_1 * sizes_2 + c_2) * sizes_3 + ...` of a table, where `c_i` is the i-th input.
    /// All numbers of the result are 0 if one of the inputs is NaN.
    Table {
        /// Number of possible values of each input.
        sizes: Vec<usize>,
        /// The rows.
        rows: Vec<Vec<f64>>,
    },
    /// 1 if one of `features` or one of the inputs is missing, else 0.
    AnyMissing {
        /// The features.
        features: Vec<usize>,
    },
    /// First input plus second input.
    Add,
    /// First input minus second input.
    Subtract,
    /// First input times second input.
    Multiply,
    /// First input divided by second input.
    Divide,
    /// The exponential.
    Exp,
    /// The natural logarithm.
    Log,
    /// Sum of the values of the input, in order.
    Sum,
    /// Largest value of the input.
    Largest,
    /// Index of the largest value of the input, counted from 0; the first index on ties.
    FirstLargest,
    /// Concatenation of all inputs.
    Join,
    /// One value of the input.
    Part {
        /// Index, counted from 0.
        at: usize,
    },
    /// The third input if the comparison of the first two inputs is true, else the fourth input.
    Choose {
        /// Comparison operator.
        test: ComparisonOp,
    },
    /// Nondecreasing piecewise linear function, constant beyond the first and the last point.
    /// Rounding errors do not let the result exceed the value at the right end of a segment.
    Curve {
        /// Abscissas, ascending.
        places: Vec<f64>,
        /// Ordinates, which must not decrease.
        values: Vec<f64>,
    },
    /// Step function: `values[i]`, where `i` is the number of `places` below the input.
    /// If `reached` is true, `i` also counts a place that equals the input.
    Stairs {
        /// Inputs at which the value of the function changes, ascending.
        places: Vec<f64>,
        /// Values of the function: one below each place, and one above the last place.
        values: Vec<f64>,
        /// Whether the value above a place also applies if the input equals the place.
        reached: bool,
    },
}

/// Comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ComparisonOp {
    /// The first number is less than the second.
    #[serde(rename = "<")]
    Less,
    /// The first number is less than or equal to the second.
    #[serde(rename = "<=")]
    AtMost,
    /// The first number is equal to the second.
    #[serde(rename = "==")]
    Equal,
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ExportTree {
    /// Nodes of the tree; children come after their parents.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// A leaf and its values.
    Leaf {
        /// Values of the leaf.
        values: Vec<f64>,
    },
    /// A split.
    Split(Split),
}

/// A split of a node.
/// If there are two children, they are adjacent in the list of nodes, but the second child may come first
/// there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// Feature of the split.
    pub feature: usize,
    /// Threshold: values up to this number go to the first child, larger values to the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// Index of the lookup table that converts the levels of the feature to numbers.
    ///
    /// If it is set, the number of the level is compared with the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookup: Option<usize>,
    /// Levels that go to the first child; other levels go to the second child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// Indices of the children in the list of nodes.
    ///
    /// If a split has a threshold or `levels`, it has two children. If `known` is true, every nonmissing
    /// value goes to the first child. In all other splits, level `i` goes to child `i`.
    pub children: Vec<usize>,
    /// Whether all nonmissing values go to the first child.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// Child for rows with a missing value.
    pub missing: usize,
    /// Weights of the children if rows with a missing value follow all branches; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masses: Vec<f64>,
}

/// Table that assigns a number to every level of a feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookupTable {
    /// The feature.
    pub feature: usize,
    /// Number of each level, by level code.
    pub values: Vec<f64>,
    /// Number for missing values and for levels that the feature does not have.
    pub missing: f64,
}

/// A rule: its conditions, all of which must hold, and its values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExportRule {
    /// The conditions.
    pub all: Vec<RuleCondition>,
    /// Values if the rule applies.
    pub values: Vec<f64>,
}

/// Condition of a rule on one feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleCondition {
    /// The feature.
    pub feature: usize,
    /// Smallest accepted value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Largest accepted value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Accepted levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// Whether the condition also holds if the feature is missing.
    pub or_missing: bool,
}

impl ExportTree {
    /// Whether rows with a missing value follow several branches at one or more splits.
    pub(crate) fn has_fractional_splits(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Split(split) if !split.masses.is_empty()))
    }
}

impl Op {
    pub(super) fn features(&self) -> Vec<usize> {
        let split_feature = |node: &Node| match node {
            Node::Leaf { .. } => None,
            Node::Split(split) => Some(split.feature),
        };
        match self {
            Self::Trees { trees } => {
                trees.iter().flat_map(|tree| tree.nodes.iter().filter_map(split_feature)).collect()
            }
            Self::Rules { rules, .. } => {
                rules.iter().flat_map(|rule| rule.all.iter().map(|wanted| wanted.feature)).collect()
            }
            Self::Value { feature } | Self::Bin { feature, .. } | Self::Level { feature, .. } => {
                vec![*feature]
            }
            Self::AnyMissing { features } => features.clone(),
            _ => Vec::new(),
        }
    }
}
