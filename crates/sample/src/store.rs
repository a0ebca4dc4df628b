//! A growing store of rows by which others are classified, and the condensing that fills it (Hart 1968).

use crate::brute::{Brute, Tiles};
use crate::lens::Lens;
use crate::neighbors::Searchable;
use crate::visit::{Before, Near, Nearest, Visit};
use imbcore_base::{Result, RunCtl, share};

/// Rows classified side by side before any of them joins.
const BATCH: usize = 512;

/// How rows are condensed.
#[derive(Clone, Copy, Debug)]
pub struct Condensing {
    /// Rows of the store that vote.
    pub k: usize,
    /// Whether passes go on until one adds nothing.
    pub until_consistent: bool,
}

/// The rows of a store that begins with `start`, after all `candidates` in turn had the chance to join: one joins when the
/// store gives it a wrong class. Ascending.
///
/// # Errors
/// [`imbcore_base::Error::Cancelled`], [`imbcore_base::Error::Memory`].
pub fn condense(
    points: &Searchable<'_>,
    classes: &[u32],
    start: &[u32],
    candidates: &[u32],
    how: Condensing,
    ctl: RunCtl<'_>,
) -> Result<Vec<u32>> {
    let lens = Lens::of(&points.space, &points.space.rows());
    let mut store = Store::new(points, &lens, classes)?;
    let mut inside = vec![false; classes.len()];
    for &row in start {
        store.join(row);
        inside[row as usize] = true;
    }
    let mut outside: Vec<Known> =
        candidates.iter().filter(|&&row| !inside[row as usize]).map(|&row| Known::new(row)).collect();
    loop {
        let before = store.joined.len();
        let n = outside.len() as u64;
        for (done, batch) in outside.chunks_mut(BATCH).enumerate() {
            ctl.check()?;
            ctl.tick("rows", (done * BATCH) as u64, n);
            if how.k == 1 {
                store.look_from(batch, ctl)?;
            }
            for known in batch {
                let right = if how.k == 1 {
                    store.is_right(known)
                } else {
                    store.vote_is_right(known.row, how.k, ctl)?
                };
                if !right {
                    store.join(known.row);
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

/// What a row outside knows of the store.
///
/// Of the first `seen` rows that joined: `other` is the nearest of another class, and `witness` is one of its own class
/// that comes before it among its neighbours, where there is any. A row with a witness is classified right. One
/// without has looked at every row of its class among them.
#[derive(Clone, Copy, Debug)]
struct Known {
    row: u32,
    other: Near,
    witness: Option<Near>,
    seen: usize,
}

impl Known {
    fn new(row: u32) -> Self {
        Self { row, other: Near::NONE, witness: None, seen: 0 }
    }
}

/// The store: rows in the order in which they joined, and the rows of each class as a pool.
struct Store<'s> {
    points: &'s Searchable<'s>,
    classes: &'s [u32],
    joined: Vec<u32>,
    pools: Vec<Brute<'s>>,
    /// For the rows of each pool, their place in `joined`.
    places: Vec<Vec<usize>>,
}

impl<'s> Store<'s> {
    fn new(points: &'s Searchable<'s>, lens: &'s Lens, classes: &'s [u32]) -> Result<Self> {
        let n_classes = classes.iter().max().map_or(0, |&class| class as usize + 1);
        let pool = |_| Brute::new(&points.space, lens, &[]);
        let pools = (0..n_classes).map(pool).collect::<Result<Vec<_>>>()?;
        Ok(Self { points, classes, joined: Vec::new(), pools, places: vec![Vec::new(); n_classes] })
    }

    fn class(&self, row: u32) -> usize {
        self.classes[row as usize] as usize
    }

    fn join(&mut self, row: u32) {
        let class = self.class(row);
        self.places[class].push(self.joined.len());
        self.pools[class].push(row);
        self.joined.push(row);
    }

    /// Brings what rows know up to the present store.
    ///
    /// Of the other classes only rows that joined since the batch last looked are met; of the own class the newest first, and
    /// no more after the first witness. Cost: `rows outside x rows of the store` distances at worst, in single precision
    /// all but a few, and a small part of them where most rows find a witness soon.
    fn look_from(&self, batch: &mut [Known], ctl: RunCtl<'_>) -> Result<()> {
        let seen = batch.iter().map(|known| known.seen).min().unwrap_or(0);
        let first_new =
            |class: usize| Brute::tile_of(self.places[class].partition_point(|&place| place < seen));
        for (class, pool) in self.pools.iter().enumerate() {
            let mut foreign: Vec<&mut Known> =
                batch.iter_mut().filter(|known| self.class(known.row) != class).collect();
            lead(
                pool,
                &mut foreign,
                Tiles { from: first_new(class), newest_first: false },
                ctl,
                |known| known.other,
                |known, near| known.other = near,
            )?;
        }
        for (class, pool) in self.pools.iter().enumerate() {
            let mut unsure: Vec<&mut Known> = batch
                .iter_mut()
                .filter(|known| {
                    let sure = known.witness.is_some_and(|witness| witness.before(known.other));
                    self.class(known.row) == class && !sure
                })
                .collect();
            lead(
                pool,
                &mut unsure,
                Tiles { from: 0, newest_first: true },
                ctl,
                |known| Before { bound: known.other, found: None },
                |known, Before { found, .. }| known.witness = found,
            )?;
        }
        for known in batch {
            known.seen = self.joined.len();
        }
        Ok(())
    }

    /// Whether the present store gives a row its class, after a look at what joined since its last.
    fn is_right(&self, known: &mut Known) -> bool {
        let own = self.class(known.row);
        let near = |&row: &u32| Near { distance: self.points.space.distance(known.row, row), row };
        let new = &self.joined[known.seen..];
        let mut other = known.other;
        for near in new.iter().filter(|&&row| self.class(row) != own).map(near) {
            if near.before(other) {
                other = near;
            }
        }
        let witness = match known.witness {
            Some(witness) if witness.before(other) => Some(witness),
            // Rows of the class were left out after this one was found.
            Some(_) => self.pools[own].rows().iter().map(near).find(|near| near.before(other)),
            None => {
                let of_class = new.iter().filter(|&&row| self.class(row) == own);
                of_class.map(near).find(|near| near.before(other))
            }
        };
        *known = Known { other, witness, seen: self.joined.len(), ..*known };
        witness.is_some()
    }

    /// Whether the `k` nearest rows of the store give a row its class by majority, among equals that of the nearest.
    fn vote_is_right(&self, row: u32, k: usize, ctl: RunCtl<'_>) -> Result<bool> {
        let mut nearest = [Nearest::new(k)];
        for pool in &self.pools {
            pool.search(&[row], &mut nearest, Tiles::default(), ctl)?;
        }
        let [nearest] = nearest;
        let rows: Vec<u32> = nearest.into_rows().collect();
        Ok(majority(&rows, self.classes) == Some(self.classes[row as usize]))
    }
}

/// The class of most rows of a list, among equals the one that comes first in it.
pub(crate) fn majority(rows: &[u32], classes: &[u32]) -> Option<u32> {
    let class = |row: &u32| classes[*row as usize];
    let votes = |wanted: u32| rows.iter().filter(|row| class(row) == wanted).count();
    rows.iter().rev().map(class).max_by_key(|&candidate| votes(candidate))
}

/// Leads some rows through a pool, shared between threads.
fn lead<V: Visit>(
    pool: &Brute<'_>,
    rows: &mut [&mut Known],
    tiles: Tiles,
    ctl: RunCtl<'_>,
    fresh: impl Fn(&Known) -> V + Send + Sync,
    done: impl Fn(&mut Known, V) + Send + Sync,
) -> Result<()> {
    share::try_map(rows.chunks_mut(ctl.grain(128)), |rows| {
        let queries: Vec<u32> = rows.iter().map(|known| known.row).collect();
        let mut visitors: Vec<V> = rows.iter().map(|known| fresh(known)).collect();
        pool.search(&queries, &mut visitors, tiles, ctl)?;
        rows.iter_mut().zip(visitors).for_each(|(known, visitor)| done(known, visitor));
        Ok(())
    })?;
    Ok(())
}
