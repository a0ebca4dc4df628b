//! Serialization of SVR trees.

use super::axes::{MOST_LEVEL_AXES, list_axes};
use super::model::SvrModel;
use super::svr_stats::{SvrGrowthStats, SvrGrowthStep, SvrTreeStats};
use crate::tree::{ColumnKind, Tree};
use imbcore_core::{ArrayReader, ArrayWriter, Error, Persist, Result, Schema};

const SCALARS: usize = 5;

impl Persist for SvrModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        self.tree().tree().write(file)?;
        file.write_u32s("svr.labels", self.labels());
        file.write_json("svr.probability", &self.probability_rule())?;
        self.growth_stats().write(file);
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let tree = Tree::read(file, schema)?;
        let columns = ColumnKind::kinds_for_features(&schema.features);
        // In older files, nominal columns have one axis per level even if they have many levels.
        let numbers = [MOST_LEVEL_AXES, u32::MAX].map(|most| list_axes(columns.iter().copied(), most).len());
        let n_axes = file.read_f64s("svr.offset")?.len();
        if !numbers.contains(&n_axes) {
            return Err(Error::damaged("the axes of an SVR-Tree do not match its columns"));
        }
        let facts = SvrGrowthStats::read(file, n_axes, tree.n_nodes(), tree.n_classes())?;
        let labels = file.read_u32s("svr.labels")?;
        if labels.len() != tree.n_nodes() || labels.iter().any(|&label| label as usize >= tree.n_classes()) {
            return Err(Error::damaged("a node has no valid label"));
        }
        let model = Self::new(tree, labels, facts, file.read_json("svr.probability")?);
        let nodes = 0..model.tree().tree().n_nodes();
        if nodes.into_iter().any(|node| model.tree().node_proba(node).iter().any(|p| !p.is_finite())) {
            return Err(Error::damaged("a class weight does not match its mass"));
        }
        Ok(model)
    }
}

impl SvrTreeStats {
    /// Appends the scalar statistics, then the surface and then the volume of every class.
    fn append_values(&self, out: &mut Vec<f64>) {
        let Self { risk, impurity, signed_impurity, regularizer, interface, surface, volume } = self;
        out.extend([risk, impurity, signed_impurity, regularizer, interface]);
        out.extend(surface.iter().chain(volume));
    }

    fn from_values(values: &[f64]) -> Self {
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

impl SvrGrowthStats {
    /// For a step without a split, the number of axes is stored in place of an axis.
    fn write(&self, file: &mut ArrayWriter) {
        let n_axes = self.scales.len() as u32;
        let mut state = Vec::new();
        self.start.append_values(&mut state);
        for step in &self.steps {
            step.state.append_values(&mut state);
        }
        let splits = self.steps.iter().map(|step| step.split.unwrap_or((n_axes, 0.0)));
        let (axis, cut): (Vec<u32>, Vec<f64>) = splits.unzip();
        let (offset, width): (Vec<f64>, Vec<f64>) = self.scales.iter().copied().unzip();
        file.write_f64s("svr.settings", &[self.penalty, self.max_leaves]);
        file.write_f64s("svr.class_weights", &self.class_weights);
        file.write_f64s("svr.offset", &offset);
        file.write_f64s("svr.width", &width);
        file.write_u32s("svr.node", &self.steps.iter().map(|step| step.node).collect::<Vec<_>>());
        file.write_u32s("svr.axis", &axis);
        file.write_f64s("svr.cut", &cut);
        file.write_f64s("svr.state", &state);
    }

    fn read(file: &ArrayReader<'_>, n_axes: usize, n_nodes: usize, n_classes: usize) -> Result<Self> {
        let [penalty, max_leaves] = file.read_f64_array("svr.settings")?;
        let class_weights = file.read_f64s("svr.class_weights")?;
        let (offset, width) = (file.read_f64s("svr.offset")?, file.read_f64s("svr.width")?);
        let (node, axis) = (file.read_u32s("svr.node")?, file.read_u32s("svr.axis")?);
        let (cut, state) = (file.read_f64s("svr.cut")?, file.read_f64s("svr.state")?);
        let n_steps = node.len();
        let per_state = SCALARS + 2 * n_classes;
        let lengths = [
            (class_weights.len(), n_classes),
            (offset.len(), n_axes),
            (width.len(), n_axes),
            (axis.len(), n_steps),
            (cut.len(), n_steps),
            (state.len(), (n_steps + 1).saturating_mul(per_state)),
        ];
        if lengths.iter().any(|(length, expected)| length != expected) {
            return Err(Error::damaged("arrays of an SVR-Tree have different lengths"));
        }
        let numbers = [&[penalty, max_leaves][..], &class_weights, &offset, &width, &cut, &state];
        if !numbers.into_iter().flatten().all(|value| value.is_finite()) {
            return Err(Error::damaged("a number of an SVR-Tree is not finite"));
        }
        if class_weights.iter().any(|&weight| weight < 0.0) {
            return Err(Error::damaged("a class has a negative weight"));
        }
        if node.iter().any(|&node| node as usize >= n_nodes)
            || axis.iter().any(|&axis| axis as usize > n_axes)
        {
            return Err(Error::damaged("a step of an SVR-Tree refers to a node or axis that does not exist"));
        }
        let mut states = state.chunks_exact(per_state).map(SvrTreeStats::from_values);
        let start = states.next().ok_or_else(|| Error::damaged("an SVR-Tree has no initial state"))?;
        let split = |(axis, cut): (u32, f64)| ((axis as usize) < n_axes).then_some((axis, cut));
        let splits = axis.into_iter().zip(cut).map(split);
        let step = |((node, split), state)| SvrGrowthStep { node, split, state };
        let steps = node.into_iter().zip(splits).zip(states).map(step).collect();
        let scales = offset.into_iter().zip(width).collect();
        Ok(Self { penalty, max_leaves, class_weights, scales, start, steps })
    }
}
