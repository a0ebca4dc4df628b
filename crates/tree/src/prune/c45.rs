//! What C4.5 does to a grown tree (Quinlan 1993, chapter 4; Weka's J48).

use super::pessimism::{Pessimism, collapsible};
use super::raise::{Rerouted, prune_and_raise};
use crate::tree::Tree;
use imbcore_base::{Result, RunCtl};

/// C4.5's pruning: collapsing, then pessimistic pruning with or without raising.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45Pruning {
    /// Turn subtrees into leaves that make no fewer training errors than a leaf.
    pub collapse: bool,
    /// Limits of the errors to expect; none prunes no further.
    pub limits: Option<Pessimism>,
    /// Also replace nodes by their largest branch.
    pub raising: bool,
}

impl C45Pruning {
    /// Whether a node may be replaced by its largest branch.
    pub(crate) fn raises(&self) -> bool {
        self.raising && self.limits.is_some()
    }

    /// Prunes a tree; `training` is asked for only when branches may be raised.
    pub(crate) fn prune<'a>(
        &self,
        tree: Tree,
        training: impl FnOnce() -> Rerouted<'a>,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        let mut tree = if self.collapse { tree.collapsed() } else { tree };
        if let Some(limits) = &self.limits {
            if self.raising {
                prune_and_raise(&mut tree, limits, training(), ctl)?;
                return Ok(tree.compact());
            }
            return Ok(tree.with_leaves(limits.weak_nodes(&tree)));
        }
        Ok(tree)
    }
}

impl Tree {
    /// Nodes whose subtree makes no fewer training errors (less 1e-3) than a leaf in its place; topmost only.
    pub fn collapsible(&self) -> Vec<u32> {
        collapsible(self)
    }

    /// The tree with those nodes as leaves.
    #[must_use]
    pub fn collapsed(&self) -> Self {
        self.with_leaves(self.collapsible())
    }
}
