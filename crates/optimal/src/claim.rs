//! What shows that no tree is better, for a checker that does not search.

use serde::{Deserialize, Serialize};

/// Cuts of a claim that are kept: a search that solves more of them leaves none.
pub(crate) const MOST_CUTS: usize = 1 << 17;

/// Claims about all trees of a family. Numbers are units of the classes and whole costs of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Most splits from the root to a leaf.
    pub max_depth: u32,
    /// Least weight on each side of a split; claims may hold without it, too, and then leave room.
    pub min_weight_leaf: f64,
    /// Weight of a unit of each class.
    pub units: Vec<f64>,
    /// In the order of proof.
    pub claims: Vec<Claim>,
}

/// No tree costs less than a bound at some prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What an answer costs for a unit of a class: a row for each class.
    pub prices: Vec<Vec<f64>>,
    /// What a leaf costs.
    pub leaf: f64,
    /// No tree costs less.
    pub bound: f64,
    /// Two earlier claims, what is known of sides at whose prices tells of these prices, which lie between. None stands for the
    /// prices at which one kind of error is free, as then is everything: first false alarms, second misses.
    pub between: Option<[Option<usize>; 2]>,
    /// Of trees above depth two: splits of all rows whose sides were solved. Splits beside them follow, and the leaf.
    pub cuts: Vec<CutBound>,
}

/// What the sides of a split of all rows cost at least, by trees of one level less; none for a side that was not solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutBound {
    /// Position of the column.
    pub feature: usize,
    /// What sends a row to the first side.
    pub test: CutTest,
    /// Whether rows without a value go there.
    pub missing_first: bool,
    /// Bound of the first side.
    pub first: Option<f64>,
    /// Bound of the second side.
    pub second: Option<f64>,
}

/// What sends a row with a value to the first side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutTest {
    /// A value of at most this.
    AtMost(f64),
    /// This level.
    Level(u32),
    /// Any value.
    Known,
}

impl Claim {
    pub(crate) fn new(cells: &[f64], leaf: f64, bound: f64, cuts: Vec<CutBound>) -> Self {
        let n_classes = cells.len().isqrt().max(1);
        let prices = cells.chunks(n_classes).map(<[f64]>::to_vec).collect();
        Self { prices, leaf, bound, between: None, cuts }
    }

    pub(crate) fn leaning_on(self, between: Option<[Option<usize>; 2]>) -> Self {
        Self { between, ..self }
    }
}
