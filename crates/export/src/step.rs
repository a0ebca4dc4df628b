//! Operations of steps.
//! Field names are the names in the published JSON format.

use serde::Serialize;

/// A step: computes numbers for a row from those of earlier steps and the values of the row.
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
/// Numbers are doubles; in elementwise operations a single number is broadcast.
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
    /// The sum, in order, of the values of the leaves that the row reaches, one per tree.
    /// If splits have `masses`, a row with a missing value follows all branches with fractional weights, which
    /// multiply the leaf values.
    Trees {
        /// The trees.
        trees: Vec<ExportTree>,
    },
    /// The values of the first rule whose conditions all hold, or else `otherwise`.
    Rules {
        /// The rules.
        rules: Vec<ExportRule>,
        /// Values if no rule matches.
        otherwise: Vec<f64>,
    },
    /// Number of the ascending `cuts` that the value of a feature exceeds.
    /// For a missing value `missing`, or NaN if that is `None`.
    Bin {
        /// The feature.
        feature: usize,
        /// Thresholds between bins.
        cuts: Vec<f64>,
        /// Result for a missing value.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// Index in `known` of the level of a feature; a level not in it counts as missing.
    Level {
        /// The feature.
        feature: usize,
        /// Known levels.
        known: Vec<u32>,
        /// Result for a missing value.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// Row `(c_1 * sizes_2 + c_2) * sizes_3 + ...` of a table.
    /// The `c_i` are the results of the input steps. The result is zero if one of them is NaN.
    Table {
        /// Number of values of each input.
        sizes: Vec<usize>,
        /// The rows.
        rows: Vec<Vec<f64>>,
    },
    /// 1 if one of these features or of the inputs is missing, else 0.
    AnyMissing {
        /// The features.
        features: Vec<usize>,
    },
    /// First plus second input.
    Add,
    /// First minus second input.
    Subtract,
    /// First times second input.
    Multiply,
    /// First divided by second input.
    Divide,
    /// The exponential.
    Exp,
    /// The natural logarithm.
    Log,
    /// Sum of the values of the input, in order.
    Sum,
    /// Largest value of the input.
    Largest,
    /// Index of the largest value of the input, counted from 0; the first on ties.
    FirstLargest,
    /// Concatenation of all inputs.
    Join,
    /// One value of the input.
    Part {
        /// Index, counted from 0.
        at: usize,
    },
    /// The third input if the comparison of the first two holds, else the fourth.
    Choose {
        /// Comparison operator.
        test: ComparisonOp,
    },
    /// Piecewise linear function, constant beyond the first and the last point.
    /// Between two points it does not exceed the second value.
    Curve {
        /// Abscissas, ascending.
        places: Vec<f64>,
        /// Ordinates.
        values: Vec<f64>,
    },
    /// Step function with the value `values[i]`, where `i` counts the `places` below the input.
    /// If `reached`, places equal to the input also count.
    Stairs {
        /// Positions of the steps, ascending.
        places: Vec<f64>,
        /// Values, one more than positions.
        values: Vec<f64>,
        /// Whether `i` also counts positions equal to the input.
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
    /// The nodes; children come after their parents.
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
/// The two children are adjacent in the order of the nodes; the first child may come second in this order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// Feature of the split.
    pub feature: usize,
    /// Threshold: values at most this go to the first child, others to the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// Index of a lookup table.
    ///
    /// If it is set, the numbers of the table are compared with the threshold, instead of the feature itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookup: Option<usize>,
    /// Levels that go to the first child; others go to the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// Indices of the children.
    /// A split with neither a threshold nor levels sends each level to the child of its index, or, with
    /// `known`, every value to the first child.
    pub children: Vec<usize>,
    /// Whether all nonmissing values go to the first child.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// Child for rows with a missing value.
    pub missing: usize,
    /// Weights of the children for rows with a missing value, if such rows follow all branches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masses: Vec<f64>,
}

/// Number of every level of a feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookupTable {
    /// The feature.
    pub feature: usize,
    /// Numbers of the levels.
    pub values: Vec<f64>,
    /// Number of missing values and of other levels.
    pub missing: f64,
}

/// A rule: conditions that must all hold, and its values.
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
    /// Smallest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Accepted levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// Whether a missing value satisfies the condition.
    pub or_missing: bool,
}

impl ExportTree {
    /// Whether rows with a missing value follow several branches at any split.
    pub fn shares(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Split(split) if !split.masses.is_empty()))
    }
}

impl Op {
    /// Features used by the operation.
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
