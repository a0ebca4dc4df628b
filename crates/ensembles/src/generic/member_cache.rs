//! Cached members of an earlier fit, for warm starts.

use std::collections::BTreeMap;

/// Fitted members, indexed by hashes (digests) of their training tasks.
///
/// A training task consists of the training rows of a member, their weights and a seed.
#[derive(Clone, Debug)]
pub struct MemberCache<M>(BTreeMap<u64, M>);

impl<M> Default for MemberCache<M> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<M> FromIterator<(u64, M)> for MemberCache<M> {
    fn from_iter<I: IntoIterator<Item = (u64, M)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<M> MemberCache<M> {
    pub(crate) fn take(&mut self, task_digest: u64) -> Option<M> {
        self.0.remove(&task_digest)
    }
}
