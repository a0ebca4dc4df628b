//! Condensing (Hart 1968), which selects rows for nearest-neighbor classification.

use crate::brute_force::{BruteForcePool, TileSearchOrder};
use crate::collectors::{CloserNeighborCollector, NearestCollector, Neighbor, NeighborCollector};
use crate::neighbors::NeighborIndex;
use crate::quantizer::Quantizer;
use imbcore_core::{Result, RunContext, parallel};

/// Number of candidate rows that are compared in parallel with the condensed set.
const BATCH: usize = 512;

/// Rule by which condensing classifies rows and stops.
#[derive(Clone, Copy, Debug)]
pub struct CondensingSettings {
    /// Number of nearest rows of the condensed set that vote on the class of a row.
    pub k: usize,
    /// Whether the candidates are visited again until no row is added to the condensed set.
    pub until_consistent: bool,
}

/// Returns the rows of the condensed set, ascending.
///
/// The set initially contains the rows `start`. Candidate rows are visited in the given order, and are added
/// if the current set misclassifies them.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
pub fn condense(
    points: &NeighborIndex<'_>,
    classes: &[u32],
    start: &[u32],
    candidates: &[u32],
    how: CondensingSettings,
    ctl: RunContext<'_>,
) -> Result<Vec<u32>> {
    let lens = Quantizer::fit(&points.space, &points.space.rows());
    let mut store = CondensedSet::new(points, &lens, classes)?;
    let mut inside = vec![false; classes.len()];
    for &row in start {
        store.add_row(row);
        inside[row as usize] = true;
    }
    let mut outside: Vec<CandidateNeighborState> = candidates
        .iter()
        .filter(|&&row| !inside[row as usize])
        .map(|&row| CandidateNeighborState::new(row))
        .collect();
    loop {
        let before = store.joined.len();
        let n = outside.len() as u64;
        for (done, batch) in outside.chunks_mut(BATCH).enumerate() {
            ctl.check()?;
            ctl.report_progress("rows", (done * BATCH) as u64, n);
            if how.k == 1 {
                store.update_candidate_states(batch, ctl)?;
            }
            for known in batch {
                let right = if how.k == 1 {
                    store.is_classified_correctly(known)
                } else {
                    store.is_vote_correct(known.row, how.k, ctl)?
                };
                if !right {
                    store.add_row(known.row);
                    inside[known.row as usize] = true;
                }
            }
        }
        outside.retain(|known| !inside[known.row as usize]);
        if store.joined.len() == before || !how.until_consistent {
            break;
        }
    }
    let mut rows = store.joined;
    rows.sort_unstable();
    Ok(rows)
}

/// State of a candidate row: how the first `seen` rows of the condensed set classify it.
///
/// Of these rows, `other` is the nearest of another class. `witness` is any of these rows that has the
/// candidate's class and is nearer than `other`, or `None` if there is no such row. The nearest of these rows
/// has the candidate's class if and only if there is a witness.
#[derive(Clone, Copy, Debug)]
struct CandidateNeighborState {
    row: u32,
    other: Neighbor,
    witness: Option<Neighbor>,
    seen: usize,
}

impl CandidateNeighborState {
    fn new(row: u32) -> Self {
        Self { row, other: Neighbor::NONE, witness: None, seen: 0 }
    }
}

/// Condensed set: the rows in insertion order, and a search pool with the rows of each class.
struct CondensedSet<'s> {
    points: &'s NeighborIndex<'s>,
    classes: &'s [u32],
    joined: Vec<u32>,
    pools: Vec<BruteForcePool<'s>>,
    /// For each class, the positions of its rows in the insertion order of the set.
    places: Vec<Vec<usize>>,
}

impl<'s> CondensedSet<'s> {
    fn new(points: &'s NeighborIndex<'s>, lens: &'s Quantizer, classes: &'s [u32]) -> Result<Self> {
        let n_classes = classes.iter().max().map_or(0, |&class| class as usize + 1);
        let pool = |_| BruteForcePool::new(&points.space, lens, &[]);
        let pools = (0..n_classes).map(pool).collect::<Result<Vec<_>>>()?;
        Ok(Self { points, classes, joined: Vec::new(), pools, places: vec![Vec::new(); n_classes] })
    }

    fn class_of(&self, row: u32) -> usize {
        self.classes[row as usize] as usize
    }

    fn add_row(&mut self, row: u32) {
        let class = self.class_of(row);
        self.places[class].push(self.joined.len());
        self.pools[class].add_row(row);
        self.joined.push(row);
    }

    /// Updates the states of a batch of candidates for the current condensed set.
    ///
    /// First, the rows of other classes that were added since the last update are searched for a nearer
    /// `other`. A candidate then needs a witness: a row of its own class that is nearer than `other`.
    /// Candidates without a valid witness are compared with all rows of their class in the set, the newest
    /// blocks of rows first. The search for a candidate ends at its first witness.
    fn update_candidate_states(
        &self,
        batch: &mut [CandidateNeighborState],
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let seen = batch.iter().map(|known| known.seen).min().unwrap_or(0);
        let first_new = |class: usize| {
            BruteForcePool::tile_of_row(self.places[class].partition_point(|&place| place < seen))
        };
        for (class, pool) in self.pools.iter().enumerate() {
            let mut foreign: Vec<&mut CandidateNeighborState> =
                batch.iter_mut().filter(|known| self.class_of(known.row) != class).collect();
            update_candidates_from_pool(
                pool,
                &mut foreign,
                TileSearchOrder { from: first_new(class), newest_first: false },
                ctl,
                |known| known.other,
                |known, near| known.other = near,
            )?;
        }
        for (class, pool) in self.pools.iter().enumerate() {
            let mut unsure: Vec<&mut CandidateNeighborState> = batch
                .iter_mut()
                .filter(|known| {
                    let sure = known.witness.is_some_and(|witness| witness.is_before(known.other));
                    self.class_of(known.row) == class && !sure
                })
                .collect();
            update_candidates_from_pool(
                pool,
                &mut unsure,
                TileSearchOrder { from: 0, newest_first: true },
                ctl,
                |known| CloserNeighborCollector { bound: known.other, found: None },
                |known, CloserNeighborCollector { found, .. }| known.witness = found,
            )?;
        }
        for known in batch {
            known.seen = self.joined.len();
        }
        Ok(())
    }

    /// Whether the nearest row of the condensed set has the class of the candidate.
    ///
    /// The state of the candidate is updated with the rows added since its last update.
    fn is_classified_correctly(&self, known: &mut CandidateNeighborState) -> bool {
        let own = self.class_of(known.row);
        let near = |&row: &u32| Neighbor {
            distance: self.points.space.squared_distance_between(known.row, row),
            row,
        };
        let new = &self.joined[known.seen..];
        let mut other = known.other;
        for near in new.iter().filter(|&&row| self.class_of(row) != own).map(near) {
            if near.is_before(other) {
                other = near;
            }
        }
        let witness = match known.witness {
            Some(witness) if witness.is_before(other) => Some(witness),
            // A new row of another class is nearer than the witness. So all rows of the set that have the
            // candidate's class are searched for a row that is nearer than this new row.
            Some(_) => self.pools[own].rows().iter().map(near).find(|near| near.is_before(other)),
            // No seen row of the candidate's class was nearer than the earlier `other`. So only new rows can
            // be nearer than `other`.
            None => {
                let of_class = new.iter().filter(|&&row| self.class_of(row) == own);
                of_class.map(near).find(|near| near.is_before(other))
            }
        };
        *known = CandidateNeighborState { other, witness, seen: self.joined.len(), ..*known };
        witness.is_some()
    }

    /// Whether the majority vote of the `k` nearest rows of the condensed set is correct.
    ///
    /// On ties, the class of the nearest row wins.
    fn is_vote_correct(&self, row: u32, k: usize, ctl: RunContext<'_>) -> Result<bool> {
        let mut nearest = [NearestCollector::new(k)];
        for pool in &self.pools {
            pool.collect_neighbors(&[row], &mut nearest, TileSearchOrder::default(), ctl)?;
        }
        let [nearest] = nearest;
        let rows: Vec<u32> = nearest.into_rows().collect();
        Ok(majority_class(&rows, self.classes) == Some(self.classes[row as usize]))
    }
}

/// Majority class of a list of rows; on ties, the class that occurs first in the list wins.
pub(crate) fn majority_class(rows: &[u32], classes: &[u32]) -> Option<u32> {
    let class = |row: &u32| classes[*row as usize];
    let votes = |wanted: u32| rows.iter().filter(|row| class(row) == wanted).count();
    rows.iter().rev().map(class).max_by_key(|&candidate| votes(candidate))
}

fn update_candidates_from_pool<V: NeighborCollector>(
    pool: &BruteForcePool<'_>,
    rows: &mut [&mut CandidateNeighborState],
    tiles: TileSearchOrder,
    ctl: RunContext<'_>,
    fresh: impl Fn(&CandidateNeighborState) -> V + Send + Sync,
    done: impl Fn(&mut CandidateNeighborState, V) + Send + Sync,
) -> Result<()> {
    parallel::try_map(rows.chunks_mut(ctl.task_size(128)), |rows| {
        let queries: Vec<u32> = rows.iter().map(|known| known.row).collect();
        let mut visitors: Vec<V> = rows.iter().map(|known| fresh(known)).collect();
        pool.collect_neighbors(&queries, &mut visitors, tiles, ctl)?;
        rows.iter_mut().zip(visitors).for_each(|(known, visitor)| done(known, visitor));
        Ok(())
    })?;
    Ok(())
}
