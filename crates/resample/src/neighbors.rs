//! Exact nearest neighbors, ordered by distance, and by row number if distances are equal.

use crate::brute_force::{BruteForcePool, TileSearchOrder};
use crate::collectors::{NearestCollector, NeighborCollector};
use crate::distance_space::DistanceSpace;
use crate::kd_tree::KdTree;
use crate::quantizer::Quantizer;
use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Result, RunContext, parallel};
use serde::{Deserialize, Serialize};

/// Search algorithm; all algorithms give the same results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// A kd-tree for 1 to 15 columns, all numeric, and at least 4096 rows, else brute force.
    #[default]
    Auto,
    /// Brute force over all rows.
    Brute,
    /// A kd-tree; if there are nominal columns, brute force is used instead.
    KdTree,
}

impl Algorithm {
    fn uses_tree(self, space: &DistanceSpace<'_>, n_rows: usize) -> bool {
        let able = space.n_compared_nominal_columns() == 0 && space.n_numeric() > 0;
        able && match self {
            Self::Auto => space.n_numeric() <= 15 && n_rows >= 4096,
            Self::Brute => false,
            Self::KdTree => true,
        }
    }
}

/// Points among which nearest neighbors are searched, and the search algorithm.
#[derive(Debug)]
pub struct NeighborIndex<'a> {
    pub(crate) space: DistanceSpace<'a>,
    algorithm: Algorithm,
}

impl<'a> NeighborIndex<'a> {
    /// Creates the index; nothing is precomputed.
    pub fn new(space: DistanceSpace<'a>, algorithm: Algorithm) -> Self {
        Self { space, algorithm }
    }

    pub(crate) fn into_space(self) -> DistanceSpace<'a> {
        self.space
    }

    /// The points among which neighbors are searched.
    pub fn space(&self) -> &DistanceSpace<'a> {
        &self.space
    }

    /// Searches `pool` for neighbors of each query; `fresh` creates the collector of a query.
    pub(crate) fn collect_neighbors<V: NeighborCollector>(
        &self,
        queries: &[u32],
        pool: &[u32],
        fresh: impl Fn(u32) -> V + Send + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<V>> {
        let blocks = queries.chunks(ctl.task_size(BLOCK));
        let fresh = |block: &[u32]| -> Vec<V> { block.iter().map(|&query| fresh(query)).collect() };
        let found = if self.algorithm.uses_tree(&self.space, pool.len()) {
            let tree = KdTree::new(&self.space, pool, ctl)?;
            parallel::try_map(blocks, |block| {
                let mut visitors = fresh(block);
                for (&query, visitor) in block.iter().zip(&mut visitors) {
                    // Cancellation is checked for each query, because a query with many columns may take
                    // milliseconds.
                    ctl.check()?;
                    tree.collect_neighbors(query, visitor);
                }
                Ok(visitors)
            })
        } else {
            let lens = Quantizer::fit(&self.space, pool);
            let all = BruteForcePool::new(&self.space, &lens, pool)?;
            parallel::try_map(blocks, |block| {
                let mut visitors = fresh(block);
                all.collect_neighbors(block, &mut visitors, TileSearchOrder::default(), ctl)?;
                Ok(visitors)
            })
        };
        Ok(found?.into_iter().flatten().collect())
    }

    /// Finds the `k` nearest rows of `pool` for every query.
    ///
    /// If the pool has at most `k` other rows, all of them are neighbors. Every query must be in the pool; a
    /// query is not a neighbor of itself.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`]; [`imbcore_core::Error::Cancelled`].
    pub fn k_nearest(
        &self,
        queries: &[u32],
        pool: &[u32],
        k: usize,
        ctl: RunContext<'_>,
    ) -> Result<Neighbors> {
        let k = k.min(pool.len().saturating_sub(1));
        let mut rows = try_with_capacity(queries.len() * k, "neighbor lists")?;
        for nearest in self.collect_neighbors(queries, pool, |_| NearestCollector::new(k), ctl)? {
            rows.extend(nearest.into_rows());
        }
        Ok(Neighbors { rows, k, n_queries: queries.len() })
    }
}

const BLOCK: usize = 256;

/// Neighbor list of every query: its nearest rows, the nearest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbors {
    rows: Vec<u32>,
    k: usize,
    n_queries: usize,
}

impl Neighbors {
    pub(crate) fn empty(n_queries: usize) -> Self {
        Self { rows: Vec::new(), k: 0, n_queries }
    }

    #[must_use]
    pub(crate) fn with_query_as_first(&self, queries: &[u32]) -> Self {
        let rows = queries
            .iter()
            .enumerate()
            .flat_map(|(i, &query)| std::iter::once(query).chain(self.neighbors_of(i).iter().copied()));
        Self { rows: rows.collect(), k: self.k + 1, n_queries: self.n_queries }
    }

    /// Number of neighbors in each list.
    pub fn k(&self) -> usize {
        self.k
    }

    pub(crate) fn n_queries(&self) -> usize {
        self.n_queries
    }

    /// Neighbors of a query, given by its position in the list of queries.
    pub fn neighbors_of(&self, query: usize) -> &[u32] {
        &self.rows[query * self.k..(query + 1) * self.k]
    }
}
