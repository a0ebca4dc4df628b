//! SQL expressions of models that are a single tree.
//!
//! They are nested CASE expressions whose leaves are the outputs of the model. A comment at each leaf states
//! its number of training rows.

use super::case_writer::{CaseStyle, tree_to_sql_case};
use super::{SqlExpression, SqlNames, SqlQuery};
use crate::class_expr::ExportOutput;
use crate::step::{ExportTree, Node};
use imbcore_core::Result;

/// A tree in which each row follows one path.
/// The output of its model must be the same for all rows of a leaf.
#[derive(Clone, Debug)]
pub struct AnnotatedTree {
    /// The tree, whose leaf values are the outputs of the model.
    /// These are the class code or the probabilities.
    pub tree: ExportTree,
    /// Number of training rows of each node.
    pub n_rows: Vec<u32>,
}

impl AnnotatedTree {
    pub(super) fn write(
        &self,
        output: ExportOutput,
        query: &mut SqlQuery,
        names: SqlNames<'_>,
    ) -> Result<Vec<SqlExpression>> {
        let note = |node: usize| {
            let rows = self.n_rows[node];
            format!("-- {rows} row{}", if rows == 1 { "" } else { "s" })
        };
        if output == ExportOutput::Class {
            let style = CaseStyle { words: names, indent: 1, notes: Some(&note) };
            return Ok(vec![tree_to_sql_case(
                &self.tree,
                |_, class| names.number_or_label_literal(class[0]),
                style,
            )?]);
        }
        let style = CaseStyle { words: names, indent: 2, notes: None };
        let leaf = tree_to_sql_case(&self.tree, |node, _| node.to_string(), style)?;
        let of_leaf = |(at, node): (usize, &Node)| match node {
            Node::Leaf { values } => Some((at, values.clone(), format!("  {}", note(at)))),
            Node::Split(_) => None,
        };
        query.join_constant_table(
            leaf,
            &self.tree.nodes.iter().enumerate().filter_map(of_leaf).collect::<Vec<_>>(),
        )
    }
}
