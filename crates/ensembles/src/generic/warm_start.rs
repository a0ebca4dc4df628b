//! Warm starts: a base learner that reuses members fitted earlier.
//!
//! A training task is either a bag and a seed, or prepared rows with weights and a seed. For the same table
//! and base learner, members with equal training tasks are equal. A second fit therefore takes a member from
//! the cache if the first fit had the same task. The result is bit-identical to a fit from scratch.

use super::bag::Bag;
use super::base_learner::{BaseLearner, OutputKind};
use super::member_cache::MemberCache;
use super::model::FittedMembers;
use imbcore_core::{Result, RunContext};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// A base learner with a cache of members.
pub struct CachedLearner<'t, T: BaseLearner> {
    base_learner: &'t T,
    /// Cached members of an earlier fit; `None` if caching is off.
    known: Option<Mutex<MemberCache<T::Member>>>,
}

/// A fitted member; if caching is on, with the digest (hash) of its training task.
pub struct CachedMember<M> {
    member: M,
    task_digest: Option<u64>,
}

/// Prepared rows; if caching is on, with a digest of their row indices.
pub struct RowsWithDigest<G> {
    prepared: G,
    rows: DefaultHasher,
}

impl<'t, T: BaseLearner> CachedLearner<'t, T> {
    /// Creates the learner with the members of an earlier fit; with `None` caching is off.
    pub fn new(base_learner: &'t T, cache: Option<MemberCache<T::Member>>) -> Self {
        Self { base_learner, known: cache.map(Mutex::new) }
    }

    fn take_or_fit_member(
        &self,
        task_digest: impl FnOnce() -> u64,
        teach: impl FnOnce() -> Result<T::Member>,
    ) -> Result<CachedMember<T::Member>> {
        let Some(known) = &self.known else {
            return Ok(CachedMember { member: teach()?, task_digest: None });
        };
        let task_digest = task_digest();
        let found = known.lock().unwrap_or_else(PoisonError::into_inner).take(task_digest);
        Ok(CachedMember { member: found.map_or_else(teach, Ok)?, task_digest: Some(task_digest) })
    }
}

impl<M> FittedMembers<CachedMember<M>> {
    /// Separates the fitted members from the digests (hashes) of their training tasks.
    ///
    /// There are no digests if caching is off.
    pub fn split_digests(self) -> (FittedMembers<M>, Vec<u64>) {
        let Self { members, voting, out_of_bag, samples } = self;
        let task_digests = members.iter().filter_map(|known| known.task_digest).collect();
        let members = members.into_iter().map(|known| known.member).collect();
        (FittedMembers { members, voting, out_of_bag, samples }, task_digests)
    }
}

impl<T: BaseLearner> BaseLearner for CachedLearner<'_, T> {
    type Member = CachedMember<T::Member>;
    type Preparation = RowsWithDigest<T::Preparation>;

    fn supports_weights(&self) -> bool {
        self.base_learner.supports_weights()
    }

    fn is_sequential(&self) -> bool {
        self.base_learner.is_sequential()
    }

    fn prepare(&self, rows: Option<&[u32]>, ctl: RunContext<'_>) -> Result<Self::Preparation> {
        let mut digest = DefaultHasher::new();
        if self.known.is_some() {
            rows.hash(&mut digest);
        }
        Ok(RowsWithDigest { prepared: self.base_learner.prepare(rows, ctl)?, rows: digest })
    }

    fn fit_to_bag(&self, bag: &Bag, seed: u32, ctl: RunContext<'_>) -> Result<Self::Member> {
        self.take_or_fit_member(|| bag_digest(bag, seed), || self.base_learner.fit_to_bag(bag, seed, ctl))
    }

    fn fit_weighted(
        &self,
        prepared: &Self::Preparation,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<Self::Member> {
        let task_digest = || {
            let mut digest = prepared.rows.clone();
            hash_numbers(weights, &mut digest);
            seed.hash(&mut digest);
            digest.finish()
        };
        self.take_or_fit_member(task_digest, || {
            self.base_learner.fit_weighted(&prepared.prepared, weights, seed, ctl)
        })
    }

    fn member_output(
        &self,
        member: &Self::Member,
        prepared: &Self::Preparation,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        self.base_learner.member_output(&member.member, &prepared.prepared, columns, output_kind, ctl)
    }

    fn visit_output(
        &self,
        member: &Self::Member,
        prepared: &Self::Preparation,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
        visit: &mut dyn FnMut(&[f64]),
    ) -> Result<()> {
        self.base_learner.visit_output(&member.member, &prepared.prepared, columns, output_kind, ctl, visit)
    }
}

fn bag_digest(bag: &Bag, seed: u32) -> u64 {
    let Bag { rows, made, weights, columns } = bag;
    let mut digest = DefaultHasher::new();
    (rows, columns, seed).hash(&mut digest);
    (&made.classes, &made.sources, &made.neighbors, &made.codes).hash(&mut digest);
    hash_numbers(&made.fractions, &mut digest);
    hash_numbers(&made.noise, &mut digest);
    weights.is_some().hash(&mut digest);
    hash_numbers(weights.as_deref().unwrap_or_default(), &mut digest);
    digest.finish()
}

fn hash_numbers(numbers: &[f64], digest: &mut DefaultHasher) {
    numbers.len().hash(digest);
    for number in numbers {
        number.to_bits().hash(digest);
    }
}
