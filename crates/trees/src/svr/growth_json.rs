//! Export of the growth of an SVR tree as JSON.

use super::model::SvrModel;
use super::svr_stats::SvrTreeStats;
use crate::tree::TreeSplit;
use imbcore_core::{FeatureKind, Schema};
use serde_json::{Value, json};

impl SvrModel {
    /// Returns JSON with the settings, the statistics of the initial leaf, and all growth steps.
    /// `steps` contains one list per statistic, with one entry for each processed node.
    pub fn growth_json(&self, schema: &Schema) -> Value {
        let facts = self.growth_stats();
        let (offset, width): (Vec<f64>, Vec<f64>) = facts.scales.iter().copied().unzip();
        json!({
            "penalty": facts.penalty,
            "max_leaf_nodes": facts.max_leaves,
            "class_weights": facts.class_weights,
            "offset": offset,
            "width": width,
            "start": self.tree_stats_json(&[&facts.start]),
            "steps": self.growth_steps_json(schema),
        })
    }

    fn growth_steps_json(&self, schema: &Schema) -> Value {
        let (tree, steps) = (self.tree().tree(), &self.growth_stats().steps);
        let mut columns = self.tree_stats_json(&steps.iter().map(|step| &step.state).collect::<Vec<_>>());
        let split = |node: u32, value: &dyn Fn(usize) -> Value| {
            let node = node as usize;
            if tree.split(node) == TreeSplit::Leaf { Value::Null } else { value(node) }
        };
        let list = |value: &dyn Fn(usize) -> Value| -> Value {
            steps.iter().map(|step| split(step.node, value)).collect()
        };
        let label = |node: usize, branch: usize| {
            let child = tree.children(node).start + branch;
            json!(schema.classes.get(self.labels()[child] as usize))
        };
        let threshold =
            |node: usize| match (tree.split(node), schema.features.get(tree.column(node)).map(|f| &f.kind)) {
                (TreeSplit::Below(threshold), _) => json!(threshold),
                (TreeSplit::IsLevel(level), Some(FeatureKind::Nominal { levels })) => {
                    json!(levels.get(level as usize))
                }
                (TreeSplit::InLevels(set), Some(FeatureKind::Nominal { levels })) => tree
                    .levels_in_set(set)
                    .into_iter()
                    .map(|level| json!(levels.get(level as usize)))
                    .collect(),
                _ => Value::Null,
            };
        columns["node"] = steps.iter().map(|step| step.node).collect();
        columns["feature"] = list(&|node| json!(schema.feature_name(tree.column(node))));
        columns["threshold"] = list(&threshold);
        columns["cut"] = steps.iter().map(|step| json!(step.split.map(|split| split.1))).collect();
        columns["left_label"] = list(&|node| label(node, 0));
        columns["right_label"] = list(&|node| label(node, 1));
        columns
    }

    fn tree_stats_json(&self, states: &[&SvrTreeStats]) -> Value {
        let n_axes = self.growth_stats().scales.len();
        let scalars =
            |value: fn(&SvrTreeStats) -> f64| states.iter().map(|state| value(state)).collect::<Value>();
        let lists = |value: fn(&SvrTreeStats) -> &[f64]| {
            states.iter().map(|state| json!(value(state))).collect::<Value>()
        };
        json!({
            "risk": scalars(|state| state.risk),
            "impurity": scalars(|state| state.impurity),
            "signed_impurity": scalars(|state| state.signed_impurity),
            "regularizer": scalars(|state| state.regularizer),
            "interface": scalars(|state| state.interface),
            "surface": lists(|state| &state.surface),
            "volume": lists(|state| &state.volume),
            "ratio": states.iter().map(|state| json!(state.surface_to_volume_ratios(n_axes))).collect::<Value>(),
        })
    }
}
