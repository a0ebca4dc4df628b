//! What is known of a grown SVR-Tree besides the tree.

/// A tree at one moment of its growth.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrState {
    /// Signed impurity plus penalty times regulariser (equation 1).
    pub risk: f64,
    /// Weighted Gini index of the leaves.
    pub impurity: f64,
    /// The same, with leaves charged for labels that are not their dominant class.
    pub signed_impurity: f64,
    /// The regulariser, before the penalty multiplies it.
    pub regularizer: f64,
    /// Surface between regions of different classes.
    pub interface: f64,
    /// Surface of the region of every class, in the unit cube.
    pub surface: Vec<f64>,
    /// Volume of the region of every class, in the unit cube.
    pub volume: Vec<f64>,
}

/// A look at one node, in the order of the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrStep {
    /// The node.
    pub node: u32,
    /// Axis and cut in the unit cube, where it was split.
    pub split: Option<(u32, f64)>,
    /// The tree after it.
    pub state: SvrState,
}

/// What is known of a grown tree besides the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrFacts {
    /// The penalty that was used.
    pub penalty: f64,
    /// The limit of leaves that was used.
    pub max_leaves: f64,
    /// Weight of a row by class code.
    pub class_weights: Vec<f64>,
    /// Offset and width of every axis: the coordinate in the unit cube is `(x - offset) / width`.
    pub scales: Vec<(f64, f64)>,
    /// The single leaf.
    pub start: SvrState,
    /// Every look at a node.
    pub steps: Vec<SvrStep>,
}

impl SvrState {
    /// Surface-to-volume ratio of every class; that of the whole cube, the least of all, for a class without region.
    pub(crate) fn ratios(&self, n_axes: usize) -> Vec<f64> {
        let ratio = |(&surface, &volume): (&f64, &f64)| {
            if surface == 0.0 && volume == 0.0 { 2.0 * n_axes as f64 } else { surface / volume }
        };
        self.surface.iter().zip(&self.volume).map(ratio).collect()
    }
}
