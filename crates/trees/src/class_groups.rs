//! Class groups of splits: each split separates a group of classes from all other classes.

use imbcore_core::{Error, Result};
use std::ops::Range;

/// Class group of every node's split; empty for leaves and for splits without a group.
/// The memory is linear in the total number of classes in all groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClassGroups {
    /// Range of every node's group in `classes`; empty if no node has a group.
    ranges: Vec<Range<usize>>,
    classes: Vec<u32>,
}

impl ClassGroups {
    pub(crate) fn new<'g>(groups: impl IntoIterator<Item = &'g [u32]>) -> Self {
        let mut all = Self::default();
        for group in groups {
            let start = all.classes.len();
            all.classes.extend_from_slice(group);
            all.ranges.push(start..all.classes.len());
        }
        // If no node has a group, no ranges are stored. Thus a grown tree equals the same tree read from a
        // file.
        if all.classes.is_empty() { Self::default() } else { all }
    }

    /// Reads the format of [`TreeArrays::groups`](crate::TreeArrays) from an untrusted file.
    ///
    /// # Errors
    /// [`Error::Format`] unless the array is empty, or has an ascending group of classes for every split.
    /// Some of these groups may be empty, but not all.
    pub(crate) fn deserialize(
        words: &[u32],
        is_leaf: impl Fn(usize) -> bool,
        n_nodes: usize,
        n_classes: usize,
    ) -> Result<Self> {
        if words.is_empty() {
            return Ok(Self::default());
        }
        let mut left = words;
        let mut groups = vec![&words[..0]; n_nodes];
        for node in (0..n_nodes).filter(|&node| !is_leaf(node)) {
            let split = left.split_first().and_then(|(&size, rest)| rest.split_at_checked(size as usize));
            let Some((group, rest)) = split else { return invalid_groups_error() };
            let below = |&class: &u32| (class as usize) < n_classes;
            // A group of all classes would leave no class for the other side.
            if !group.is_sorted_by(|a, b| a < b)
                || !group.last().is_none_or(below)
                || group.len() >= n_classes
            {
                return invalid_groups_error();
            }
            (groups[node], left) = (group, rest);
        }
        let all = Self::new(groups);
        // The array is not empty here, so the tree has groups: at least one must contain a class.
        if left.is_empty() && !all.classes.is_empty() { Ok(all) } else { invalid_groups_error() }
    }

    /// Serializes the groups: for every split, the number of grouped classes, then these classes.
    /// The result is empty if no node has a group.
    pub(crate) fn serialize(&self, is_leaf: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut words = Vec::new();
        for node in (0..self.ranges.len()).filter(|&node| !is_leaf(node)) {
            words.push(self.classes_of_node_group(node).len() as u32);
            words.extend_from_slice(self.classes_of_node_group(node));
        }
        words
    }

    /// Classes of a node's group, ascending.
    pub(crate) fn classes_of_node_group(&self, node: usize) -> &[u32] {
        self.ranges.get(node).map_or(&[], |range| &self.classes[range.clone()])
    }

    pub(crate) fn remove_group(&mut self, node: usize) {
        if let Some(range) = self.ranges.get_mut(node) {
            *range = 0..0;
        }
    }

    pub(crate) fn copy_group(&mut self, node: usize, other: usize) {
        if let Some(range) = self.ranges.get(other).cloned() {
            self.ranges[node] = range;
        }
    }

    pub(crate) fn groups_of_nodes(&self, nodes: &[usize]) -> Self {
        Self::new(nodes.iter().map(|&node| self.classes_of_node_group(node)))
    }
}

fn invalid_groups_error<T>() -> Result<T> {
    Err(Error::damaged("a node's group of classes is invalid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_back_moved_and_removed() {
        let is_leaf = |node: usize| node == 1 || node > 3;
        let mut groups = ClassGroups::new([&[1, 5][..], &[], &[7], &[]]);
        let words = groups.serialize(is_leaf);
        assert_eq!(words, [2, 1, 5, 1, 7, 0]);
        assert_eq!(ClassGroups::deserialize(&words, is_leaf, 4, 8), Ok(groups.clone()));
        for damaged in
            [&words[..5], &[2, 5, 1, 1, 7, 0], &[2, 1, 5, 1, 8, 0], &[2, 1, 5, 1, 7, 0, 0], &[0, 0, 0]]
        {
            assert!(ClassGroups::deserialize(damaged, is_leaf, 4, 8).is_err());
        }
        assert!(ClassGroups::deserialize(&[2, 0, 1], |node| node > 0, 3, 2).is_err());
        groups.copy_group(0, 2);
        groups.remove_group(2);
        assert_eq!([groups.classes_of_node_group(0), groups.classes_of_node_group(2)], [&[7][..], &[]]);
        assert_eq!(groups.groups_of_nodes(&[2, 3]), ClassGroups::default());
    }
}
