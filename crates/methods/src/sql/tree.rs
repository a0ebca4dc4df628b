//! Single trees.
//!
//! Nested CASE expressions whose leaves hold the model's outputs, with comments on their training rows.

use super::nest::{CaseStyle, nest};
use crate::formula::ExportOutput;
use crate::model::Model;
use imbcore_base::Result;
use imbcore_base::sql::{SqlExpression, SqlNames, SqlQuery};
use imbcore_tree::{TreeModel, TreeSplit};

/// Output expressions of a model of one tree in which each row follows one path.
pub(super) fn answers(
    model: &Model,
    tree: &TreeModel,
    output: ExportOutput,
    (query, words): (&mut SqlQuery, SqlNames<'_>),
) -> Result<Vec<SqlExpression>> {
    let nodes = 0..tree.tree().n_nodes();
    let columns: Vec<usize> = (0..words.features.len()).collect();
    let plan = tree.plan(&columns, model.accepts_missing(), |_| Vec::new());
    let raw = nodes.clone().flat_map(|node| tree.node_proba(node).to_vec()).collect();
    let note = |node: usize| {
        let rows = tree.tree().rows(node);
        format!("-- {rows} row{}", if rows == 1 { "" } else { "s" })
    };
    // Calibration and decision are the same for all rows of a leaf, so they are applied here and need no SQL.
    match output {
        ExportOutput::Class => {
            let own = nodes.map(|node| tree.node_class(node) as u32).collect();
            let (classes, _) = model.settled(own, raw)?;
            let leaf_output = |node: usize, _: &[f64]| words.says(f64::from(classes[node]));
            Ok(vec![nest(&plan, leaf_output, CaseStyle { words, indent: 1, notes: Some(&note) })?])
        }
        ExportOutput::Proba => {
            let proba = model.finalize_proba(raw)?;
            let leaf = nest(&plan, |node, _| node.to_string(), CaseStyle { words, indent: 2, notes: None })?;
            let of_leaf = |node| {
                let proba = proba[node * model.n_classes()..(node + 1) * model.n_classes()].to_vec();
                (node, proba, format!("  {}", note(node)))
            };
            let leaves = nodes.filter(|&node| tree.tree().cut(node) == TreeSplit::Leaf);
            query.look_up(leaf, &leaves.map(of_leaf).collect::<Vec<_>>())
        }
    }
}
