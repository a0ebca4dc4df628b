//! Validation of trees from untrusted arrays.

use crate::bits;
use crate::class_groups::ClassGroups;
use crate::tree::{ColumnKind, Tree, TreeArrays, TreeSplit};
use imbcore_core::{Error, Result};

/// Value in [`TreeArrays::kind`] that marks a split by a target statistic.
const BY_STATISTIC: u8 = 6;

impl Tree {
    /// Builds a tree from untrusted arrays.
    /// The arrays are checked, so that every later use of the tree is safe and terminates.
    ///
    /// # Errors
    /// [`Error::Format`] with the violated condition.
    pub fn from_arrays(arrays: TreeArrays, columns: &[ColumnKind], n_classes: usize) -> Result<Self> {
        let n_nodes = arrays.kind.len();
        let lengths = [
            arrays.operand.len(),
            arrays.column.len(),
            arrays.first_child.len(),
            arrays.n_children.len(),
            arrays.missing_child.len(),
            arrays.rows.len(),
            arrays.gain.len(),
        ];
        let enough_mass =
            arrays.mass.is_consistent(n_nodes, n_classes, |node| arrays.kind.get(node) == Some(&0));
        if n_nodes == 0 || lengths.iter().any(|&length| length != n_nodes) || !enough_mass {
            return damaged_tree_error("arrays of a tree have different lengths");
        }
        let mut tables = arrays.tables.iter();
        let cut = (0..n_nodes)
            .map(|node| {
                let (kind, operand) = (arrays.kind[node], arrays.operand[node]);
                let column = columns.get(arrays.column[node] as usize);
                match (kind, tables.as_slice().first()) {
                    (BY_STATISTIC, Some(&table)) => {
                        tables.next();
                        let of_table = arrays.statistics.tables().get(table as usize);
                        let fits = of_table.is_some_and(|table| table.column == arrays.column[node]);
                        if fits && operand.is_finite() && arrays.n_children[node] == 2 {
                            return Ok(TreeSplit::StatisticAtMost { table, threshold: operand });
                        }
                        damaged_tree_error("a node refers to a wrong table of target statistics")
                    }
                    _ => decode_stored_split(kind, operand, column, arrays.n_children[node]),
                }
            })
            .collect::<Result<Vec<_>>>()?;
        if tables.next().is_some() {
            return damaged_tree_error("a table of target statistics belongs to no node");
        }
        let is_leaf = |node: usize| cut[node] == TreeSplit::Leaf;
        let groups = ClassGroups::deserialize(&arrays.groups, is_leaf, n_nodes, n_classes)?;
        let tree = Self {
            n_classes,
            cut,
            column: arrays.column,
            first_child: arrays.first_child,
            n_children: arrays.n_children,
            missing_child: arrays.missing_child,
            rows: arrays.rows,
            gain: arrays.gain,
            mass: arrays.mass.into_lists_if_many_classes(n_classes),
            sets: arrays.sets,
            groups,
            statistics: arrays.statistics,
        };
        tree.check_parent_links()?;
        let tree = tree.with_stored_total_masses();
        tree.check_masses_and_gains()?;
        tree.check_level_sets(columns)?;
        Ok(tree)
    }

    /// Checks that every node but the root has exactly one parent, which comes before it.
    fn check_parent_links(&self) -> Result<()> {
        let n_nodes = self.n_nodes();
        let mut claimed = vec![false; n_nodes];
        for node in 0..n_nodes {
            if self.n_children[node] == 0 {
                continue;
            }
            let first = self.first_child[node] as usize;
            let end = first.saturating_add(self.n_children[node] as usize);
            if first <= node || end > n_nodes || self.missing_child[node] >= self.n_children[node] {
                return damaged_tree_error("a node has children outside the tree");
            }
            for claim in &mut claimed[first..end] {
                if std::mem::replace(claim, true) {
                    return damaged_tree_error("a node has two parents");
                }
            }
        }
        if claimed.iter().filter(|&&claim| claim).count() + 1 == n_nodes {
            Ok(())
        } else {
            damaged_tree_error("a node has no parent")
        }
    }

    /// Checks that the stored sets of levels follow each other without gaps, in node order.
    /// Every split by a set of levels has one set, which must fit the number of levels of its column.
    fn check_level_sets(&self, columns: &[ColumnKind]) -> Result<()> {
        let mut end = 0;
        for node in 0..self.n_nodes() {
            // Only splits have a valid column index, so `columns` is read after the leaves are skipped.
            let TreeSplit::InLevels(set) = self.cut[node] else { continue };
            let Some(&ColumnKind::Nominal(levels)) = columns.get(self.column(node)) else { continue };
            let start = end + 1;
            if set as usize != end || self.sets.get(end) != Some(&levels) {
                return damaged_tree_error("a node refers to a wrong set of levels");
            }
            end = start + bits::n_mask_words(levels);
            match self.sets.get(start..end) {
                Some(set) if bits::is_nonempty_subset(set, levels) => {}
                _ => {
                    return damaged_tree_error(
                        "a set of levels is empty or contains a level that does not exist",
                    );
                }
            }
        }
        if end == self.sets.len() { Ok(()) } else { damaged_tree_error("a set of levels belongs to no node") }
    }

    fn check_masses_and_gains(&self) -> Result<()> {
        let valid = |value: &f64| value.is_finite() && *value >= 0.0;
        if !self.mass.is_valid() || !self.gain.iter().all(valid) {
            return damaged_tree_error("a mass or gain is not a number of at least 0");
        }
        let positive = |total: f64| total > 0.0 && total.is_finite();
        if (0..self.n_nodes()).all(|node| positive(self.total_mass(node))) {
            Ok(())
        } else {
            damaged_tree_error("a node has no mass")
        }
    }
}

fn damaged_tree_error<T>(what: &str) -> Result<T> {
    Err(Error::damaged(what))
}

fn decode_stored_split(
    kind: u8,
    operand: f64,
    column: Option<&ColumnKind>,
    n_children: u32,
) -> Result<TreeSplit> {
    match (kind, column, n_children) {
        (0, _, 0) => Ok(TreeSplit::Leaf),
        (1, Some(ColumnKind::Numeric), 2) if operand.is_finite() => Ok(TreeSplit::Below(operand)),
        (2, Some(_), 2) => Ok(TreeSplit::Known),
        (3, Some(&ColumnKind::Nominal(levels)), 2)
            if operand.fract() == 0.0 && (0.0..f64::from(levels)).contains(&operand) =>
        {
            // The operand of a split by one level is a level code in 0..levels, so the conversion is exact.
            #[allow(clippy::cast_sign_loss)]
            Ok(TreeSplit::IsLevel(operand as u32))
        }
        (4, Some(&ColumnKind::Nominal(levels)), n) if n > 0 && (n == levels || n - 1 == levels) => {
            Ok(TreeSplit::EachLevel)
        }
        (5, Some(ColumnKind::Nominal(_)), 2)
            if operand.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&operand) =>
        {
            // The operand of a split by a set of levels is the offset of the set. This is an integer below
            // 2^32, so the conversion is exact.
            #[allow(clippy::cast_sign_loss)]
            Ok(TreeSplit::InLevels(operand as u32))
        }
        _ => damaged_tree_error("a node has an invalid split"),
    }
}
