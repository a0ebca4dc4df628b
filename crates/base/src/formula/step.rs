//! What a step does. The names of fields are those of the published JSON.

use serde::Serialize;

/// A step: some numbers of a row, by those of earlier steps and the values of the row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What is done.
    #[serde(flatten)]
    pub op: Op,
    /// Steps whose numbers it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<usize>,
    /// How many numbers it makes.
    pub width: usize,
}

/// What a step does. Numbers are doubles; where two steps are joined number by number, one number serves for many.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// These numbers.
    Constant {
        /// The numbers.
        values: Vec<f64>,
    },
    /// The value of a feature; no number where there is none.
    Value {
        /// The feature.
        feature: usize,
    },
    /// The sum, in their order, of what each tree says in the leaf that the row reaches. Where splits have `masses`, a row without a
    /// value goes down all branches in shares, and the leaves that it reaches count by its shares.
    Trees {
        /// The trees.
        trees: Vec<Plan>,
    },
    /// What the first rule says whose conditions all hold, or else `otherwise`.
    Rules {
        /// The rules.
        rules: Vec<Rule>,
        /// What is said where none holds.
        otherwise: Vec<f64>,
    },
    /// How many of the ascending `cuts` the value of a feature exceeds; no number where there is no value, unless `missing` is one.
    Bin {
        /// The feature.
        feature: usize,
        /// The cuts.
        cuts: Vec<f64>,
        /// What stands for no value.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// The number of the level of a feature, where it is one of `known`; else as without a value.
    Level {
        /// The feature.
        feature: usize,
        /// The levels that count.
        known: Vec<u32>,
        /// What stands for no value.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// A row of a table: that of number `(c_1 * sizes_2 + c_2) * sizes_3 + ...`, where `c_i` are the numbers of the steps that it
    /// takes. Zeros where one of them is no number.
    Table {
        /// How many values each of those numbers has.
        sizes: Vec<usize>,
        /// The rows.
        rows: Vec<Vec<f64>>,
    },
    /// 1 where one of these features, or of the numbers of the steps it takes, is missing; else 0.
    AnyMissing {
        /// The features.
        features: Vec<usize>,
    },
    /// First plus second.
    Add,
    /// First less second.
    Subtract,
    /// First times second.
    Multiply,
    /// First over second.
    Divide,
    /// The exponential.
    Exp,
    /// The natural logarithm.
    Log,
    /// The sum of the numbers of a step, in their order.
    Sum,
    /// The largest number of a step.
    Largest,
    /// The place of the largest number of a step, counted from 0; the first of equals.
    FirstLargest,
    /// The numbers of all steps that it takes, one behind the other.
    Join,
    /// One number of a step.
    Part {
        /// Which, counted from 0.
        at: usize,
    },
    /// The third where the first compares so with the second, else the fourth.
    Choose {
        /// How they compare.
        test: Test,
    },
    /// A line through points, level beyond the first and the last: at a place the value there, between two no more than the second.
    Curve {
        /// The places, ascending.
        places: Vec<f64>,
        /// The values.
        values: Vec<f64>,
    },
    /// The value whose number is that of the ascending `places` which the number has reached, or, unless `reached`, passed.
    Stairs {
        /// The places.
        places: Vec<f64>,
        /// The values, one more than there are places.
        values: Vec<f64>,
        /// Whether equality counts.
        reached: bool,
    },
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Test {
    /// The first is less.
    #[serde(rename = "<")]
    Less,
    /// The first is less, or equal.
    #[serde(rename = "<=")]
    AtMost,
    /// They are equal.
    #[serde(rename = "==")]
    Equal,
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Plan {
    /// The nodes; children come after their parents.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// A leaf and what it says.
    Leaf {
        /// What it says.
        values: Vec<f64>,
    },
    /// A split.
    Split(Split),
}

/// A split of a node. Its children stand side by side; the first of them may be the second node of the two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// The feature it asks for.
    pub feature: usize,
    /// Where values at most this go to the first child, and others to the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// Where these levels go to the first child, and others to the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// The children, in their order. A split with neither a bound nor levels sends each level to the child of its number, and with
    /// `known` every value to the first.
    pub children: Vec<usize>,
    /// Whether every row with a value goes to the first child.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
    /// The child that takes rows without a value.
    pub missing: usize,
    /// What the children weigh among each other for rows without a value, where such rows go down all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masses: Vec<f64>,
}

/// Conditions that all hold, and what is said then.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// The conditions.
    pub all: Vec<Wanted>,
    /// What is said.
    pub values: Vec<f64>,
}

/// What a rule wants of a feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wanted {
    /// The feature.
    pub feature: usize,
    /// The least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// The levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<u32>>,
    /// Whether no value will do.
    pub or_missing: bool,
}

impl Plan {
    /// Whether rows without a value go down several branches anywhere.
    pub fn shares(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Split(split) if !split.masses.is_empty()))
    }
}

impl Op {
    /// Features that it asks for.
    pub(super) fn features(&self) -> Vec<usize> {
        let asked = |node: &Node| match node {
            Node::Leaf { .. } => None,
            Node::Split(split) => Some(split.feature),
        };
        match self {
            Self::Trees { trees } => {
                trees.iter().flat_map(|tree| tree.nodes.iter().filter_map(asked)).collect()
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
