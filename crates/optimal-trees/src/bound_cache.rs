//! Cache that all searches of a ROC hull share; there is one search for each cost ratio.
//!
//! The children of a root split have the same rows at all cost ratios. Their rows, sorted by every feature,
//! are therefore computed only once. A lower bound on the cost of a root split, found at one cost ratio,
//! implies bounds at other cost ratios ([`crate::bound_reuse`]). For trees of depth three, bounds on splits
//! of the children are reused in the same way. Parallel searches of a batch read only bounds that were stored
//! before the batch, so the result does not depend on the number of threads.

use crate::bound_reuse::{CostRatioSearchResult, SplitBoundTable};
use crate::node_subset::NodeSubset;
use imbcore_core::Result;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum memory for the rows of children, and also for search results: 16 MB each.
///
/// More memory did not make searches of larger tables faster.
const MOST_BYTES: usize = 1 << 24;

/// Child of a root split: index of a feature's list of cuts, index of the cut, and side.
///
/// The side is true for the left child.
pub(crate) type RootChild = (usize, usize, bool);

#[derive(Debug)]
pub(crate) struct BoundCache {
    pub(crate) root: Vec<SplitBoundTable>,
    sides: BTreeMap<RootChild, Vec<CostRatioSearchResult>>,
    room: usize,
    rows: Mutex<RootChildRowCache>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchContext<'a> {
    /// Costs of a false positive and of a false negative.
    pub(crate) prices: (f64, f64),
    /// Cache without the results of the searches that run in parallel with this search.
    pub(crate) memory: &'a BoundCache,
    pub(crate) room: usize,
}

/// Cached rows of the two children of root splits, and number of bytes left for more rows.
#[derive(Debug)]
struct RootChildRowCache {
    made: BTreeMap<(usize, usize), Arc<[NodeSubset; 2]>>,
    room: usize,
}

#[derive(Debug, Default)]
pub(crate) struct CacheUpdate {
    pub(crate) root: Option<SplitBoundTable>,
    sides: Vec<(RootChild, CostRatioSearchResult)>,
    bytes: usize,
}

impl Default for BoundCache {
    fn default() -> Self {
        Self::with_capacity(MOST_BYTES)
    }
}

impl BoundCache {
    pub(crate) fn with_capacity(room: usize) -> Self {
        let rows = Mutex::new(RootChildRowCache { made: BTreeMap::new(), room });
        Self { root: Vec::new(), sides: BTreeMap::new(), room, rows }
    }

    pub(crate) fn byte_budget_per_search(&self, n_searches: usize) -> usize {
        self.room / n_searches.max(1)
    }

    /// Adds search results; `claim` is the index of the certificate claim that states the bounds.
    pub(crate) fn add_update(&mut self, learned: CacheUpdate, claim: usize) {
        self.root.extend(learned.root.map(|root| SplitBoundTable { claim: Some(claim), ..root }));
        self.room = self.room.saturating_sub(learned.bytes);
        for (side, seen) in learned.sides {
            self.sides.entry(side).or_default().push(seen);
        }
    }

    pub(crate) fn search_results_of_child(&self, side: RootChild) -> &[CostRatioSearchResult] {
        self.sides.get(&side).map_or(&[], Vec::as_slice)
    }

    /// Returns the rows of the two children of a root split.
    ///
    /// If the rows are not in the cache, `make` computes them.
    ///
    /// # Errors
    /// Same errors as `make`.
    pub(crate) fn cached_child_rows(
        &self,
        cut: (usize, usize),
        make: impl FnOnce() -> Result<[NodeSubset; 2]>,
    ) -> Result<Arc<[NodeSubset; 2]>> {
        let rows = || self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sides) = rows().made.get(&cut) {
            return Ok(Arc::clone(sides));
        }
        let sides = Arc::new(make()?);
        let bytes: usize = sides.iter().map(NodeSubset::size_in_bytes).sum();
        let mut rows = rows();
        if bytes <= rows.room && !rows.made.contains_key(&cut) {
            rows.room -= bytes;
            rows.made.insert(cut, Arc::clone(&sides));
        }
        Ok(sides)
    }
}

impl CacheUpdate {
    pub(crate) fn from_root_bounds(root: Option<SplitBoundTable>) -> Self {
        Self { root, ..Self::default() }
    }

    pub(crate) fn add_search_result(&mut self, side: RootChild, seen: CostRatioSearchResult, room: usize) {
        let bytes = self.bytes + seen.size_in_bytes();
        if bytes <= room {
            self.bytes = bytes;
            self.sides.push((side, seen));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranked_table::RankedTable;
    use crate::solve::TreeFamily;
    use crate::tree_hull::{TreeHull, compute_hull, compute_hull_with_cache};
    use imbcore_core::budget::{SearchBudget, StoppingLimits};
    use imbcore_core::{Column, Dataset, Frame, RunContext, SeedKey, random_below};

    fn bounds_of(hull: &TreeHull) -> Vec<[f64; 3]> {
        hull.slopes.iter().map(|slope| [slope.false_positive, slope.false_negative, slope.bound]).collect()
    }

    #[test]
    fn a_hull_is_the_same_with_little_memory_and_respects_the_limit() {
        let rng = &mut SeedKey::root(2).rng();
        let columns: Vec<Vec<f64>> =
            (0..3).map(|_| (0..80).map(|_| f64::from(random_below(rng, 60))).collect()).collect();
        let classes: Vec<u32> =
            (0..80).map(|row| u32::from((columns[0][row] > 40.0) != (random_below(rng, 4) == 0))).collect();
        let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let table = RankedTable::new(&data, None, RunContext::silent()).unwrap();
        let family = TreeFamily { max_depth: 3, min_weight_leaf: 0.0, lookahead: None };
        let budget = SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
        let whole = compute_hull(&table, &family, 1, &budget).unwrap();
        assert!(!whole.memory.sides.is_empty() && whole.slopes.len() > 5);
        for room in [0, 3_000, 30_000] {
            let little =
                compute_hull_with_cache(BoundCache::with_capacity(room), &table, &family, 1, &budget)
                    .unwrap();
            assert_eq!(bounds_of(&little), bounds_of(&whole));
            let BoundCache { sides, rows, .. } = &little.memory;
            let bytes: usize = sides.values().flatten().map(CostRatioSearchResult::size_in_bytes).sum();
            let rows = rows.lock().unwrap();
            let of_rows: usize =
                rows.made.values().flat_map(|sides| sides.iter()).map(NodeSubset::size_in_bytes).sum();
            assert_eq!((little.memory.room, rows.room), (room - bytes, room - of_rows));
            assert_eq!((bytes > 0, of_rows > 0), (room > 0, room > 0));
        }
    }
}
