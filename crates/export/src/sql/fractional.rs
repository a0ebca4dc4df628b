//! Trees that send rows with missing values down all branches with fractional weights.
//!
//! For every node except the roots, the query has a column with the weight of a row in this node, computed
//! from its weight in the parent node. The arithmetic operations are those of the prediction in Rust, in the
//! same order, so results are equal.

use super::case_writer::branch_value_condition;
use super::{Dialect, SqlExpression, SqlNames, SqlQuery};
use crate::step::{ExportTree, Node, Split};
use imbcore_core::memory::concat_strings;
use imbcore_core::{Error, Result};

/// Maximum number of columns for node weights.
/// It is the maximum number of columns of a table in the database, minus an allowance for the features.
///
/// `SQLite` allows 2,000 columns, `PostgreSQL` 1,600 and `BigQuery` 10,000. The limit of `BigQuery` is also
/// used for `DuckDB` and Spark.
fn max_weight_columns(dialect: Dialect) -> usize {
    match dialect {
        Dialect::Sqlite | Dialect::Postgres => 1_500,
        Dialect::Duckdb | Dialect::BigQuery | Dialect::Spark => 9_000,
    }
}

/// Leaves of trees in which a row may have fractional weights in several leaves.
pub(super) struct FractionalLeaves<'p> {
    /// For each tree and leaf, the SQL weight of a row in the leaf, and the leaf's output values.
    ///
    /// The leaves are in the order in which prediction visits them.
    leaves: Vec<Vec<(SqlExpression, &'p [f64])>>,
}

impl<'p> FractionalLeaves<'p> {
    /// Adds a column for every tree node except the roots: the weight of a row in the node.
    ///
    /// `n_columns` is increased by the number of nodes, including the roots.
    pub(super) fn add_node_weight_columns(
        trees: &'p [ExportTree],
        n_columns: &mut usize,
        query: &mut SqlQuery,
        words: SqlNames<'_>,
    ) -> Result<Self> {
        *n_columns += trees.iter().map(|tree| tree.nodes.len()).sum::<usize>();
        let most = max_weight_columns(words.dialect);
        if *n_columns > most {
            return Err(Error::Unsupported(format!(
                "rows with missing values go down all branches of {n_columns} nodes, each with a column, and this database allows about \
                 {most}; fit fewer or smaller trees, or with missing=\"direction\", which sends such rows down one branch"
            )));
        }
        let leaves =
            trees.iter().map(|tree| leaf_weight_columns(tree, query, words)).collect::<Result<_>>()?;
        Ok(Self { leaves })
    }

    /// SQL of one output: the sum over all leaves of the leaf value times the row's weight in it.
    pub(super) fn output_sum_expression(&self, at: usize, query: &mut SqlQuery) -> Result<SqlExpression> {
        let mut trees = Vec::with_capacity(self.leaves.len());
        for leaves in &self.leaves {
            let mut terms = Vec::with_capacity(leaves.len());
            for (share, values) in leaves {
                let value = SqlExpression::from_row_text(query.dialect().number_literal(values[at]), 0);
                terms.push(query.combine_by_operator(vec![share.clone(), value], '*')?);
            }
            trees.push(query.combine_by_operator(terms, '+')?);
        }
        query.combine_by_operator(trees, '+')
    }
}

fn leaf_weight_columns<'p>(
    plan: &'p ExportTree,
    query: &mut SqlQuery,
    words: SqlNames<'_>,
) -> Result<Vec<(SqlExpression, &'p [f64])>> {
    let (mut leaves, mut stack) =
        (Vec::new(), vec![(0, SqlExpression::from_row_text(words.dialect.number_literal(1.0), 0))]);
    while let Some((node, share)) = stack.pop() {
        match &plan.nodes[node] {
            Node::Leaf { values } => leaves.push((share, &values[..])),
            Node::Split(split) => {
                let first = stack.len();
                for (branch, &child) in split.children.iter().enumerate() {
                    let of_child = child_weight_expression(split, branch, share.clone(), query, words)?;
                    stack.insert(first, (child, query.add_column(of_child)?));
                }
            }
        }
    }
    Ok(leaves)
}

/// Weight of a row in a child node, computed from its weight in the parent node.
fn child_weight_expression(
    split: &Split,
    branch: usize,
    parent: SqlExpression,
    query: &mut SqlQuery,
    words: SqlNames<'_>,
) -> Result<SqlExpression> {
    let name = words.quoted_feature_name(split.feature)?;
    let [zero, total] = [0.0, split.masses.iter().sum()].map(|number| words.dialect.number_literal(number));
    let known = branch_value_condition(split, branch, words)?;
    query.case_from_texts(vec![parent], |parent| {
        let parent = &parent[0];
        let without = match split.masses.get(branch) {
            Some(&mass) if mass > 0.0 => {
                format!("{parent} * {} / {total}", words.dialect.number_literal(mass))
            }
            None if split.missing == split.children[branch] => parent.clone(),
            _ => zero.clone(),
        };
        let with = known.map(|known| format!("WHEN {known} THEN {parent} ")).unwrap_or_default();
        concat_strings(&["CASE WHEN ", &name, " IS NULL THEN ", &without, " ", &with, "ELSE ", &zero, " END"])
    })
}
