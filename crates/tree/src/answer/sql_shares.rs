//! Trees whose rows without a value go down all branches in shares, as columns of a query.
//!
//! The share of a row in a node follows from that in its parent, so that all nodes of one depth are a step of the query; the
//! arithmetic is that of predicting, operation by operation.

use super::sql::known;
use crate::model::TreeModel;
use crate::tree::Cut;
use imbcore_base::sql::Query;
use imbcore_base::{Error, Result, Schema};

/// Columns that databases take in one table, with room for the features: `SQLite` has 2,000, `PostgreSQL` 1,600.
const MOST_NODES: usize = 1_000;

impl TreeModel {
    /// Adds the share of a row in every leaf of every tree to a query; gives the leaves and the names of their columns, tree by
    /// tree, in the order in which a row meets them.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for more nodes than databases take columns, and for what they have no words for.
    pub fn sql_shares(
        trees: &[&Self],
        query: &mut Query,
        schema: &Schema,
    ) -> Result<Vec<Vec<(usize, String)>>> {
        let n_nodes: usize = trees.iter().map(|tree| tree.tree().n_nodes()).sum();
        if n_nodes > MOST_NODES {
            return Err(Error::Unsupported(format!(
                "rows without a value go down all branches of {n_nodes} nodes in shares, a column each, and databases take about \
                 {MOST_NODES}; fit fewer or smaller trees, or with missing=\"direction\", which sends such rows one way"
            )));
        }
        let one = query.dialect().number(1.0);
        let mut columns: Vec<Vec<String>> =
            trees.iter().map(|tree| vec![one.clone(); tree.tree().n_nodes()]).collect();
        let depths: Vec<Vec<u32>> = trees.iter().map(|tree| tree.tree().depths()).collect();
        let deepest = depths.iter().flatten().copied().max().unwrap_or_default();
        for depth in 0..deepest {
            for (at, tree) in trees.iter().enumerate() {
                let split = |&node: &usize| depths[at][node] == depth && tree.tree().cut(node) != Cut::Leaf;
                for node in (0..tree.tree().n_nodes()).filter(split) {
                    for (branch, child) in tree.tree().children(node).enumerate() {
                        let share = tree.share_sql((node, branch), &columns[at][node], query, schema)?;
                        columns[at][child] = query.add(share)?;
                    }
                }
            }
            query.close()?;
        }
        Ok(trees.iter().zip(columns).map(|(tree, columns)| tree.leaves_met(&columns)).collect())
    }

    /// The share of a row in a child, by that in its parent.
    fn share_sql(
        &self,
        (node, branch): (usize, usize),
        parent: &str,
        query: &Query,
        schema: &Schema,
    ) -> Result<String> {
        let (tree, dialect) = (self.tree(), query.dialect());
        let name = dialect.name(schema.feature(tree.column(node)))?;
        let zero = dialect.number(0.0);
        // Children that training never reached have no mass of their own and get no share.
        let mass =
            |child: usize| if tree.rows(child) == 0 { 0.0 } else { tree.mass(child).iter().sum::<f64>() };
        let total: f64 = tree.children(node).map(mass).sum();
        let own = mass(tree.children(node).start + branch);
        let without = match total > 0.0 {
            true if own > 0.0 => format!("{parent} * {} / {}", dialect.number(own), dialect.number(total)),
            false if tree.missing_branch(node) == branch => parent.to_owned(),
            _ => zero.clone(),
        };
        let with = match known(tree, (node, branch), dialect, schema)? {
            Some(known) => format!("WHEN {known} THEN {parent} "),
            None => String::new(),
        };
        Ok(format!("CASE WHEN {name} IS NULL THEN {without} {with}ELSE {zero} END"))
    }

    /// Leaves in the order of a walk from the root, first branches first.
    fn leaves_met(&self, columns: &[String]) -> Vec<(usize, String)> {
        let (mut stack, mut leaves) = (vec![0], Vec::new());
        while let Some(node) = stack.pop() {
            if self.tree().cut(node) == Cut::Leaf {
                leaves.push((node, columns[node].clone()));
            }
            stack.extend(self.tree().children(node).rev());
        }
        leaves
    }
}
