//! Growth statistics of an SVR tree.

/// Statistics of a tree at one step of its growth.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrState {
    /// Signed impurity plus penalty times regularizer (equation 1).
    pub risk: f64,
    /// Weighted Gini index of the leaves.
    pub impurity: f64,
    /// Gini index plus a cost for leaves with another label than their dominant class.
    pub signed_impurity: f64,
    /// Regularizer without the penalty factor.
    pub regularizer: f64,
    /// Surface area between regions of different classes.
    pub interface: f64,
    /// Surface area of the region of every class, in the unit cube.
    pub surface: Vec<f64>,
    /// Volume of the region of every class, in the unit cube.
    pub volume: Vec<f64>,
}

/// Processing of one node, in the order of the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrStep {
    /// Index of the node.
    pub node: u32,
    /// Axis and threshold in the unit cube, if the node was split.
    pub split: Option<(u32, f64)>,
    /// Statistics of the tree after this step.
    pub state: SvrState,
}

/// Settings and growth statistics of an SVR tree.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrStats {
    /// Penalty used.
    pub penalty: f64,
    /// Maximum number of leaves used.
    pub max_leaves: f64,
    /// Weight of a row by class code.
    pub class_weights: Vec<f64>,
    /// Offset and width of every axis: the coordinate in the unit cube is `(x - offset) / width`.
    pub scales: Vec<(f64, f64)>,
    /// Statistics of the single initial leaf.
    pub start: SvrState,
    /// One step per processed node.
    pub steps: Vec<SvrStep>,
}

impl SvrState {
    /// Surface-to-volume ratio of every class.
    /// A class without region gets the ratio of the unit cube, the minimum.
    pub(crate) fn ratios(&self, n_axes: usize) -> Vec<f64> {
        let ratio = |(&surface, &volume): (&f64, &f64)| {
            if surface == 0.0 && volume == 0.0 { 2.0 * n_axes as f64 } else { surface / volume }
        };
        self.surface.iter().zip(&self.volume).map(ratio).collect()
    }
}
