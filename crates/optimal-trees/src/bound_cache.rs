//! Cache that the searches of a ROC hull share, one search for each cost ratio.
//!
//! The children of a root split do not depend on costs, so their rows, sorted by every feature, are computed
//! once. Bounds on a root split, or on a split of its children at depth three, imply bounds at other cost
//! ratios ([`crate::bound_reuse`]). Parallel searches of a batch read only bounds that were stored before the
//! batch, so the result does not depend on the number of threads.

use crate::bound_reuse::{BoundTable, SearchTrace};
use crate::subset::Subset;
use imbcore_core::Result;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory for the rows of children:
/// 16 MB. As much memory is used for bounds. More memory did not speed up searches of larger tables.
const MOST_BYTES: usize = 1 << 24;

/// Child of a root split: list of cuts, cut, and side.
/// These are the index of the list, the index of the cut in the list, and whether the child is the left one.
pub(crate) type RootChild = (usize, usize, bool);

/// Bounds and rows cached so far.
#[derive(Debug)]
pub(crate) struct BoundCache {
    /// Bounds of the root splits.
    pub(crate) root: Vec<BoundTable>,
    /// Search traces of the children of root splits.
    sides: BTreeMap<RootChild, Vec<SearchTrace>>,
    /// Bytes left for the traces.
    room: usize,
    rows: Mutex<RootChildRows>,
}

/// Context of one search among those of a ROC hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchContext<'a> {
    /// Costs of both kinds of error.
    pub(crate) prices: (f64, f64),
    /// The cache before this search.
    pub(crate) memory: &'a BoundCache,
    /// Bytes that this search may add to the cache.
    pub(crate) room: usize,
}

/// Rows of both children of root splits, by list of cuts and cut, and the bytes left.
#[derive(Debug)]
struct RootChildRows {
    made: BTreeMap<(usize, usize), Arc<[Subset; 2]>>,
    room: usize,
}

/// Entries that one search adds to the cache.
#[derive(Debug, Default)]
pub(crate) struct CacheUpdate {
    pub(crate) root: Option<BoundTable>,
    sides: Vec<(RootChild, SearchTrace)>,
    bytes: usize,
}

impl Default for BoundCache {
    fn default() -> Self {
        Self::with_capacity(MOST_BYTES)
    }
}

impl BoundCache {
    /// Builds an empty cache with `room` bytes for rows and as many for search traces.
    pub(crate) fn with_capacity(room: usize) -> Self {
        let rows = Mutex::new(RootChildRows { made: BTreeMap::new(), room });
        Self { root: Vec::new(), sides: BTreeMap::new(), room, rows }
    }

    /// Bytes that each of `n_searches` searches may add, in any order of completion.
    pub(crate) fn bytes_per_search(&self, n_searches: usize) -> usize {
        self.room / n_searches.max(1)
    }

    /// Adds the bounds of a search, which belong to the claim of this index.
    pub(crate) fn take(&mut self, learned: CacheUpdate, claim: usize) {
        self.root.extend(learned.root.map(|root| BoundTable { claim: Some(claim), ..root }));
        self.room = self.room.saturating_sub(learned.bytes);
        for (side, seen) in learned.sides {
            self.sides.entry(side).or_default().push(seen);
        }
    }

    /// Search traces of a child.
    pub(crate) fn of_side(&self, side: RootChild) -> &[SearchTrace] {
        self.sides.get(&side).map_or(&[], Vec::as_slice)
    }

    /// Rows of both children of a root split, computed on the first call.
    ///
    /// # Errors
    /// Same errors as `make`.
    pub(crate) fn rows(
        &self,
        cut: (usize, usize),
        make: impl FnOnce() -> Result<[Subset; 2]>,
    ) -> Result<Arc<[Subset; 2]>> {
        let rows = || self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sides) = rows().made.get(&cut) {
            return Ok(Arc::clone(sides));
        }
        let sides = Arc::new(make()?);
        let bytes: usize = sides.iter().map(Subset::bytes).sum();
        let mut rows = rows();
        // Another search may have stored the same rows in the meantime.
        if bytes <= rows.room && !rows.made.contains_key(&cut) {
            rows.room -= bytes;
            rows.made.insert(cut, Arc::clone(&sides));
        }
        Ok(sides)
    }
}

impl CacheUpdate {
    /// Cache update with the root bounds of a search of depth two.
    pub(crate) fn for_root(root: Option<BoundTable>) -> Self {
        Self { root, ..Self::default() }
    }

    /// Adds the search trace of a child if it fits into `room` bytes.
    pub(crate) fn push(&mut self, side: RootChild, seen: SearchTrace, room: usize) {
        let bytes = self.bytes + seen.bytes();
        if bytes <= room {
            self.bytes = bytes;
            self.sides.push((side, seen));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::{TreeHull, hull, proven};
    use crate::solve::TreeFamily;
    use crate::table::RankedTable;
    use imbcore_core::budget::{Budget, StoppingLimits};
    use imbcore_core::{Column, Dataset, Frame, RunContext, SeedKey, below};

    fn bounds_of(hull: &TreeHull) -> Vec<[f64; 3]> {
        hull.slopes.iter().map(|slope| [slope.false_positive, slope.false_negative, slope.bound]).collect()
    }

    #[test]
    fn a_hull_is_the_same_with_little_memory_and_respects_the_limit() {
        let rng = &mut SeedKey::root(2).rng();
        let columns: Vec<Vec<f64>> =
            (0..3).map(|_| (0..80).map(|_| f64::from(below(rng, 60))).collect()).collect();
        let classes: Vec<u32> =
            (0..80).map(|row| u32::from((columns[0][row] > 40.0) != (below(rng, 4) == 0))).collect();
        let frame = Frame::new(columns.iter().map(|column| Column::numeric(column)).collect()).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
        let family = TreeFamily { max_depth: 3, min_weight_leaf: 0.0, lookahead: None };
        let budget = Budget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
        let whole = hull(&table, &family, 1, &budget).unwrap();
        assert!(!whole.memory.sides.is_empty() && whole.slopes.len() > 5);
        for room in [0, 3_000, 30_000] {
            let little = proven(BoundCache::with_capacity(room), &table, &family, 1, &budget).unwrap();
            assert_eq!(bounds_of(&little), bounds_of(&whole));
            let BoundCache { sides, rows, .. } = &little.memory;
            let bytes: usize = sides.values().flatten().map(SearchTrace::bytes).sum();
            let rows = rows.lock().unwrap();
            let of_rows: usize = rows.made.values().flat_map(|sides| sides.iter()).map(Subset::bytes).sum();
            assert_eq!((little.memory.room, rows.room), (room - bytes, room - of_rows));
            assert_eq!((bytes > 0, of_rows > 0), (room > 0, room > 0));
        }
    }
}
