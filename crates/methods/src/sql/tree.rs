//! Single trees: one nest of CASE expressions, whose leaves hold what the model makes of them.

use super::request::{PREDICTION, SqlOutput, SqlRequest};
use crate::model::Model;
use imbcore_base::Result;
use imbcore_tree::{Cut, SqlStyle, TreeModel};

/// A query of a model of one tree whose rows go one way.
pub(super) fn write(model: &Model, tree: &TreeModel, request: &SqlRequest) -> Result<String> {
    let nodes = 0..tree.tree().n_nodes();
    let own = nodes.clone().map(|node| tree.node_class(node) as u32).collect();
    let raw = nodes.flat_map(|node| tree.node_proba(node).to_vec()).collect();
    // Calibration and decision are the same for all rows of a leaf, so that they need no SQL.
    let (classes, proba) = model.settled(own, raw)?;
    let used = super::used::features(model.fitted());
    let mut query = model.query(request, &used)?;
    let dialect = query.dialect();
    let style = SqlStyle { dialect, schema: model.schema(), notes: true, indent: 1 };
    let answers = match request.output {
        SqlOutput::Class => {
            let literals = model.class_literals(dialect)?;
            let nest = tree.sql(|node| literals[classes[node] as usize].clone(), style)?;
            vec![(nest, PREDICTION.to_owned())]
        }
        SqlOutput::Proba => {
            let leaf = query
                .add(tree.sql(|node| node.to_string(), SqlStyle { notes: false, indent: 2, ..style })?)?;
            let n_classes = model.n_classes();
            let of_leaf = |node| {
                let proba = proba[node * n_classes..(node + 1) * n_classes].to_vec();
                (node, proba, format!("  {}", tree.sql_note(node)))
            };
            let leaves = (0..tree.tree().n_nodes()).filter(|&node| tree.tree().cut(node) == Cut::Leaf);
            let found = query.look_up(&leaf, &leaves.map(of_leaf).collect::<Vec<_>>())?;
            found.into_iter().zip(model.proba_names()).collect()
        }
    };
    model.answered(query, &used, answers)
}
