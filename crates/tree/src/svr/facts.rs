//! What is known of a grown SVR-Tree besides the tree.

use imbcore_base::{Error, Result};

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

/// The facts as plain numbers, for files: the start comes first, then the steps.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SvrArrays {
    /// Penalty and limit of leaves.
    pub settings: Vec<f64>,
    pub class_weights: Vec<f64>,
    pub offset: Vec<f64>,
    pub width: Vec<f64>,
    pub node: Vec<u32>,
    /// Axis, or the number of axes where the node was not split.
    pub axis: Vec<u32>,
    pub cut: Vec<f64>,
    /// Risk, impurity, signed impurity, regulariser, interface, surfaces, volumes.
    pub state: Vec<f64>,
}

/// Numbers of a state that do not depend on the number of classes.
const SCALARS: usize = 5;

impl SvrState {
    /// Surface-to-volume ratio of every class; that of the whole cube, the least of all, for a class without region.
    pub(crate) fn ratios(&self, n_axes: usize) -> Vec<f64> {
        let ratio = |(&surface, &volume): (&f64, &f64)| {
            if surface == 0.0 && volume == 0.0 { 2.0 * n_axes as f64 } else { surface / volume }
        };
        self.surface.iter().zip(&self.volume).map(ratio).collect()
    }

    fn push(&self, out: &mut Vec<f64>) {
        let Self { risk, impurity, signed_impurity, regularizer, interface, surface, volume } = self;
        out.extend([risk, impurity, signed_impurity, regularizer, interface]);
        out.extend(surface.iter().chain(volume));
    }

    fn read(values: &[f64]) -> Self {
        let (scalars, regions) = values.split_at(SCALARS);
        let (surface, volume) = regions.split_at(regions.len() / 2);
        Self {
            risk: scalars[0],
            impurity: scalars[1],
            signed_impurity: scalars[2],
            regularizer: scalars[3],
            interface: scalars[4],
            surface: surface.to_vec(),
            volume: volume.to_vec(),
        }
    }
}

impl SvrFacts {
    /// The facts as plain numbers.
    pub fn to_arrays(&self) -> SvrArrays {
        let n_axes = self.scales.len() as u32;
        let mut state = Vec::new();
        self.start.push(&mut state);
        for step in &self.steps {
            step.state.push(&mut state);
        }
        let splits = self.steps.iter().map(|step| step.split.unwrap_or((n_axes, 0.0)));
        let (axis, cut) = splits.unzip();
        let (offset, width) = self.scales.iter().copied().unzip();
        SvrArrays {
            settings: vec![self.penalty, self.max_leaves],
            class_weights: self.class_weights.clone(),
            offset,
            width,
            node: self.steps.iter().map(|step| step.node).collect(),
            axis,
            cut,
            state,
        }
    }

    /// Facts from arrays of unknown origin about a tree of `n_nodes` nodes.
    ///
    /// # Errors
    /// [`Error::Format`] naming the broken rule.
    pub fn from_arrays(arrays: &SvrArrays, n_axes: usize, n_nodes: usize, n_classes: usize) -> Result<Self> {
        let broken = |what: &str| Err(Error::Format(format!("the model file is damaged: {what}")));
        let SvrArrays { settings, class_weights, offset, width, node, axis, cut, state } = arrays;
        let n_steps = node.len();
        let per_state = SCALARS + 2 * n_classes;
        let lengths = [
            (settings.len(), 2),
            (class_weights.len(), n_classes),
            (offset.len(), n_axes),
            (width.len(), n_axes),
            (axis.len(), n_steps),
            (cut.len(), n_steps),
            (state.len(), (n_steps + 1).saturating_mul(per_state)),
        ];
        if lengths.iter().any(|(length, expected)| length != expected) {
            return broken("arrays of an SVR-Tree have different lengths");
        }
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if ![settings, class_weights, offset, width, cut, state].into_iter().all(|values| finite(values)) {
            return broken("a number of an SVR-Tree is not finite");
        }
        if class_weights.iter().any(|&weight| weight < 0.0) {
            return broken("a class has a negative weight");
        }
        if node.iter().any(|&node| node as usize >= n_nodes)
            || axis.iter().any(|&axis| axis as usize > n_axes)
        {
            return broken("a step of an SVR-Tree lies outside the tree");
        }
        let mut states = state.chunks_exact(per_state).map(SvrState::read);
        let Some(start) = states.next() else { return broken("an SVR-Tree has no start") };
        let split = |(&axis, &cut): (&u32, &f64)| ((axis as usize) < n_axes).then_some((axis, cut));
        let splits = axis.iter().zip(cut).map(split);
        let step = |((&node, split), state)| SvrStep { node, split, state };
        Ok(Self {
            penalty: settings[0],
            max_leaves: settings[1],
            class_weights: class_weights.clone(),
            scales: offset.iter().copied().zip(width.iter().copied()).collect(),
            start,
            steps: node.iter().zip(splits).zip(states).map(step).collect(),
        })
    }
}
