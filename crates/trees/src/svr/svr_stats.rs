//! Growth statistics of an SVR tree.

/// Statistics of a tree at one step of its growth (Zhu, Li and Dunson 2021).
#[derive(Clone, Debug, PartialEq)]
pub struct SvrTreeStats {
    /// Signed impurity plus penalty times regularizer (equation 1 of the paper).
    pub risk: f64,
    /// Gini index of the leaves, averaged with their weights.
    pub impurity: f64,
    /// Gini index plus a cost for leaves whose label is not the dominant class of the leaf.
    pub signed_impurity: f64,
    /// Regularizer, not multiplied by the penalty.
    pub regularizer: f64,
    /// Surface area between regions of different classes.
    pub interface: f64,
    /// Surface area of the region of every class, in the unit cube.
    pub surface: Vec<f64>,
    /// Volume of the region of every class, in the unit cube.
    pub volume: Vec<f64>,
}

/// Growth step: one node is taken from the queue, and split or not.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrGrowthStep {
    /// Index of the node.
    pub node: u32,
    /// Axis, and threshold in the unit cube; `None` if the node was not split.
    pub split: Option<(u32, f64)>,
    /// Statistics of the tree after this step.
    pub state: SvrTreeStats,
}

/// Settings and growth statistics of an SVR tree.
#[derive(Clone, Debug, PartialEq)]
pub struct SvrGrowthStats {
    /// Penalty with which the tree was grown.
    pub penalty: f64,
    /// Maximum number of leaves or, with `StopRule::Dequeues`, of nodes taken from the queue.
    pub max_leaves: f64,
    /// Class weights by class code.
    pub class_weights: Vec<f64>,
    /// Offset and width of every axis: `(x - offset) / width` is the coordinate in the unit cube.
    ///
    /// With scaling, the coordinate on a constant axis is 0.5 instead.
    pub scales: Vec<(f64, f64)>,
    /// Statistics of the tree that consists of one leaf.
    pub start: SvrTreeStats,
    /// One step per processed node.
    pub steps: Vec<SvrGrowthStep>,
}

impl SvrTreeStats {
    /// Surface-to-volume ratio of the region of every class.
    /// A class without a region gets the ratio of the unit cube, which is the minimum.
    pub(crate) fn surface_to_volume_ratios(&self, n_axes: usize) -> Vec<f64> {
        let ratio = |(&surface, &volume): (&f64, &f64)| {
            if surface == 0.0 && volume == 0.0 { 2.0 * n_axes as f64 } else { surface / volume }
        };
        self.surface.iter().zip(&self.volume).map(ratio).collect()
    }
}
