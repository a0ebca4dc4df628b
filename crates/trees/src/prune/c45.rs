//! C4.5's pruning of grown trees (Quinlan 1993, chapter 4; Weka's J48).

use super::error_based::{ErrorBounds, collapsible_nodes};
use super::subtree_raising::{RaisingData, prune_and_raise};
use crate::tree::Tree;
use imbcore_core::{Result, RunContext};

/// Settings of C4.5's pruning.
/// The steps are collapsing, and then error-based pruning with or without subtree raising.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45Pruning {
    /// Whether a subtree is replaced by a leaf that has at most as many training errors.
    pub collapse: bool,
    /// Upper confidence bounds of the errors; `None` disables error-based pruning.
    pub limits: Option<ErrorBounds>,
    /// Whether a node may also be replaced by its largest child (subtree raising).
    pub raising: bool,
}

impl C45Pruning {
    pub(crate) fn can_raise_subtrees(&self) -> bool {
        self.raising && self.limits.is_some()
    }

    /// Prunes a tree; `training` is called only if subtrees may be raised.
    pub(crate) fn prune<'a>(
        &self,
        tree: Tree,
        training: impl FnOnce() -> RaisingData<'a>,
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        let mut tree = if self.collapse { tree.collapse_useless_subtrees() } else { tree };
        if let Some(limits) = &self.limits {
            if self.raising {
                prune_and_raise(&mut tree, limits, training(), ctl)?;
                return Ok(tree.remove_unreachable());
            }
            return Ok(tree.collapse_to_leaves(limits.prunable_nodes(&tree)));
        }
        Ok(tree)
    }
}

impl Tree {
    /// Returns the topmost nodes whose subtrees do not reduce training errors.
    /// A subtree does not reduce training errors if its errors plus 1e-3 are at least those of a leaf in its
    /// place.
    pub fn collapsible_nodes(&self) -> Vec<u32> {
        collapsible_nodes(self)
    }

    /// Returns the tree in which the nodes of [`Self::collapsible_nodes`] are leaves.
    #[must_use]
    pub fn collapse_useless_subtrees(&self) -> Self {
        self.collapse_to_leaves(self.collapsible_nodes())
    }
}
