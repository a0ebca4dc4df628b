//! Exact nearest neighbours: one order (distance, then row number) whichever way they are found.

use crate::brute::{Brute, Tiles};
use crate::lens::Lens;
use crate::space::Space;
use crate::tree::KdTree;
use crate::visit::{Nearest, Visit};
use imbcore_base::memory::reserved;
use imbcore_base::{Result, RunCtl, share};
use serde::{Deserialize, Serialize};

/// How neighbours are looked for; the answers are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// A tree for up to 15 columns and at least 4096 rows.
    #[default]
    Auto,
    /// By looking at all rows.
    Brute,
    /// By a tree; nominal columns are beyond it, and are looked at row by row.
    KdTree,
}

impl Algorithm {
    fn by_tree(self, space: &Space<'_>, n_rows: usize) -> bool {
        let able = space.n_compared() == 0 && space.n_numbers() > 0;
        able && match self {
            Self::Auto => space.n_numbers() <= 15 && n_rows >= 4096,
            Self::Brute => false,
            Self::KdTree => true,
        }
    }
}

/// A space with what searches need.
#[derive(Debug)]
pub struct Searchable<'a> {
    pub(crate) space: Space<'a>,
    algorithm: Algorithm,
}

impl<'a> Searchable<'a> {
    /// Nothing is looked at yet.
    pub fn new(space: Space<'a>, algorithm: Algorithm) -> Self {
        Self { space, algorithm }
    }

    /// The points alone.
    pub(crate) fn into_space(self) -> Space<'a> {
        self.space
    }

    /// The points.
    pub fn space(&self) -> &Space<'a> {
        &self.space
    }

    /// One visitor a query, each led through the rows of `pool` around its query.
    pub(crate) fn search<V: Visit>(
        &self,
        queries: &[u32],
        pool: &[u32],
        fresh: impl Fn(u32) -> V + Send + Sync,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<V>> {
        let blocks = queries.chunks(ctl.grain(BLOCK));
        let fresh = |block: &[u32]| -> Vec<V> { block.iter().map(|&query| fresh(query)).collect() };
        let found = if self.algorithm.by_tree(&self.space, pool.len()) {
            let tree = KdTree::new(&self.space, pool, ctl)?;
            share::try_map(blocks, |block| {
                let mut visitors = fresh(block);
                for (&query, visitor) in block.iter().zip(&mut visitors) {
                    // In many columns one query may take milliseconds.
                    ctl.check()?;
                    tree.search(query, visitor);
                }
                Ok(visitors)
            })
        } else {
            let lens = Lens::of(&self.space, pool);
            let all = Brute::new(&self.space, &lens, pool)?;
            share::try_map(blocks, |block| {
                let mut visitors = fresh(block);
                all.search(block, &mut visitors, Tiles::default(), ctl)?;
                Ok(visitors)
            })
        };
        Ok(found?.into_iter().flatten().collect())
    }

    /// The `k` nearest rows of `pool` for every query, which has to be in it and is no neighbour of itself; all the others
    /// where there are fewer.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Memory`]; [`imbcore_base::Error::Cancelled`].
    pub fn nearest(&self, queries: &[u32], pool: &[u32], k: usize, ctl: RunCtl<'_>) -> Result<Neighbors> {
        let k = k.min(pool.len().saturating_sub(1));
        let mut rows = reserved(queries.len() * k, "lists of neighbours")?;
        for nearest in self.search(queries, pool, |_| Nearest::new(k), ctl)? {
            rows.extend(nearest.into_rows());
        }
        Ok(Neighbors { rows, k, n_queries: queries.len() })
    }
}

/// Queries that a thread takes at a time.
const BLOCK: usize = 256;

/// Nearest rows of every query, nearest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbors {
    rows: Vec<u32>,
    k: usize,
    n_queries: usize,
}

impl Neighbors {
    /// Lists without neighbours.
    pub(crate) fn none(n_queries: usize) -> Self {
        Self { rows: Vec::new(), k: 0, n_queries }
    }

    /// The same lists with every query in front of its own.
    #[must_use]
    pub(crate) fn with_self(&self, queries: &[u32]) -> Self {
        let rows = queries
            .iter()
            .enumerate()
            .flat_map(|(at, &query)| std::iter::once(query).chain(self.of(at).iter().copied()));
        Self { rows: rows.collect(), k: self.k + 1, n_queries: self.n_queries }
    }

    /// Length of each list.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Number of lists.
    pub(crate) fn n_queries(&self) -> usize {
        self.n_queries
    }

    /// The list of a query, by its place.
    pub fn of(&self, at: usize) -> &[u32] {
        &self.rows[at * self.k..(at + 1) * self.k]
    }
}
