//! A tree as nested CASE expressions.
//!
//! Databases limit the nesting of CASE expressions (`SQLite` before 3.45 to about 15), and many trees are
//! deeper. So only the branch of a split with less nesting is written as a nested CASE inside a WHEN. The
//! other branch continues the same CASE with further WHENs. The nesting depth is then the Horton-Strahler
//! number of the tree, at most the base-2 logarithm of its number of leaves.

use super::{MOST_NESTED, SqlExpression, SqlNames};
use crate::step::{ExportTree, Node, Split};
use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{Error, Result, RunContext, memory};

const NODES: &str = "nodes of a tree";

#[derive(Clone, Copy)]
pub(super) struct CaseStyle<'a> {
    pub(super) words: SqlNames<'a>,
    pub(super) indent: usize,
    /// Comment for each leaf, by node index.
    ///
    /// With comments, every leaf is on a separate line. Without comments, branches with equal outputs are
    /// merged.
    pub(super) notes: Option<&'a dyn Fn(usize) -> String>,
}

struct CaseWriter<'a> {
    plan: &'a ExportTree,
    style: CaseStyle<'a>,
    /// For each node, the output of its leaves; `None` if the leaves have different outputs.
    outputs: Vec<Option<String>>,
    /// For each node, the nesting depth of the CASE expression of its subtree.
    nested: Vec<usize>,
    text: TextBuffer,
    ctl: RunContext<'a>,
}

/// CASE expression whose value is the output of the leaf that a row reaches.
///
/// `leaf_output` returns the SQL of the output of a leaf. Every row must follow one path, even if it has
/// missing values.
pub(super) fn tree_to_sql_case(
    plan: &ExportTree,
    leaf_output: impl Fn(usize, &[f64]) -> String,
    style: CaseStyle<'_>,
) -> Result<SqlExpression> {
    let (ctl, n_nodes) = (RunContext::silent(), plan.nodes.len());
    let (mut outputs, mut nested) =
        (memory::filled(n_nodes, None, NODES)?, memory::filled(n_nodes, 0, NODES)?);
    // Children have larger indices than their parents, so a reverse loop visits children first.
    for (at, node) in plan.nodes.iter().enumerate().rev() {
        ctl.check()?;
        let children = match node {
            Node::Leaf { values } => {
                outputs[at] = Some(leaf_output(at, values));
                continue;
            }
            Node::Split(split) => &split.children,
        };
        let first: Option<String> = outputs[children[0]].clone();
        if style.notes.is_none() && first.is_some() && children.iter().all(|&child| outputs[child] == first) {
            outputs[at] = first;
            continue;
        }
        let last = deepest_child(children, &nested);
        let inner = children.iter().filter(|&&child| child != last);
        let deepest = inner.map(|&child| nested[child] + usize::from(nested[child] > 0)).max();
        nested[at] = deepest.unwrap_or_default().max(nested[last]).max(1);
    }
    let deepest = nested[0];
    if deepest > MOST_NESTED {
        let n_leaves = plan.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count();
        return Err(Error::Unsupported(format!(
            "a tree of {n_leaves} leaves would nest {deepest} CASE expressions, and databases allow about {MOST_NESTED}; prune it or fit \
             it with a smaller max_depth"
        )));
    }
    let mut writer = CaseWriter { plan, style, outputs, nested, text: TextBuffer::new(), ctl };
    writer.write_node(0, style.indent)?;
    Ok(SqlExpression::from_row_text(writer.text.into_string(), deepest))
}

/// The child whose branches continue the CASE expression of its parent.
///
/// It is the child with the deepest nesting, and the last of these children on ties.
fn deepest_child(children: &[usize], nested: &[usize]) -> usize {
    children.iter().copied().max_by_key(|&child| nested[child]).unwrap_or_default()
}

impl CaseWriter<'_> {
    fn write_node(&mut self, node: usize, indent: usize) -> Result<()> {
        self.ctl.check()?;
        if let Some(output) = &self.outputs[node] {
            return self.text.push_str(output);
        }
        let plan = self.plan;
        self.text.push_str("CASE")?;
        let mut here = node;
        while let (None, Node::Split(split)) = (&self.outputs[here], &plan.nodes[here]) {
            let last = deepest_child(&split.children, &self.nested);
            for (branch, &child) in split.children.iter().enumerate().filter(|(_, child)| **child != last) {
                let condition = self.when_condition(split, branch)?;
                self.write_indent(indent + 1)?;
                write!(self.text, "WHEN {condition} THEN ")?;
                if self.outputs[child].is_none() {
                    self.write_indent(indent + 2)?;
                }
                self.write_node(child, indent + 2)?;
                self.write_comment(child)?;
            }
            here = last;
        }
        self.write_indent(indent + 1)?;
        self.text.push_str("ELSE ")?;
        self.write_node(here, indent + 1)?;
        self.write_comment(here)?;
        self.write_indent(indent)?;
        self.text.push_str("END")
    }

    fn write_indent(&mut self, indent: usize) -> Result<()> {
        self.text.trim_spaces();
        write!(self.text, "\n{:1$}", "", 2 * indent)
    }

    fn write_comment(&mut self, node: usize) -> Result<()> {
        match (self.style.notes, &self.plan.nodes[node]) {
            (Some(notes), Node::Leaf { .. }) => write!(self.text, "  {}", notes(node)),
            _ => Ok(()),
        }
    }

    /// Condition after WHEN: of the rows that reach the node, it selects the rows of one branch.
    fn when_condition(&self, split: &Split, branch: usize) -> Result<String> {
        let name = self.style.words.split_column_name(split)?;
        Ok(
            match (
                branch_value_condition(split, branch, self.style.words)?,
                split.missing == split.children[branch],
            ) {
                (Some(known), true) => format!("({known} OR {name} IS NULL)"),
                (Some(known), false) => known,
                (None, true) => format!("{name} IS NULL"),
                (None, false) => "1 = 0".to_owned(),
            },
        )
    }
}

/// SQL condition for the nonmissing values of the split feature that follow a branch.
///
/// Returns `None` if no such value follows the branch.
pub(super) fn branch_value_condition(
    split: &Split,
    branch: usize,
    words: SqlNames<'_>,
) -> Result<Option<String>> {
    let (name, first) = (words.split_column_name(split)?, branch == 0);
    Ok(match (split.at_most, split.levels.as_deref()) {
        (Some(bound), _) => {
            Some(format!("{name} {} {}", if first { "<=" } else { ">" }, words.dialect.number_literal(bound)))
        }
        (_, Some([])) => (!first).then(|| format!("{name} IS NOT NULL")),
        (_, Some(levels)) => Some(words.level_set_condition(split.feature, levels, first)?),
        _ if split.known => first.then(|| format!("{name} IS NOT NULL")),
        _ if branch < words.n_levels(split.feature) => {
            Some(format!("{name} = {}", words.level_literal(split.feature, branch as u32)?))
        }
        _ => None,
    })
}
