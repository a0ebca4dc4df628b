//! What the searches of a hull, one for every price of errors, hand on to each other.
//!
//! Rows do not know prices: the rows on both sides of a cut of the root, in the order of every feature, are made once. What is
//! proven of a cut of the root, or in a tree of depth three of a cut behind it, bounds it at other prices ([`crate::knowledge`]).
//! Searches that run side by side see what was known before them all, so that nothing depends on the number of threads.

use crate::knowledge::{Knowledge, Seen};
use crate::subset::Subset;
use imbcore_base::Result;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Memory for the rows of sides, and as much again for what is known of their cuts: 128 MB.
const MOST_BYTES: usize = 1 << 27;

/// One side of a cut of the root: its line, the cut, and whether it is the left one.
pub(crate) type Side = (usize, usize, bool);

/// What is known so far.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Of the cuts of the root.
    pub(crate) root: Vec<Knowledge>,
    /// Of the cuts of its sides.
    sides: BTreeMap<Side, Vec<Seen>>,
    known_bytes: usize,
    /// The rows of both sides of the cuts of every line that were looked at.
    rows: OnceLock<Vec<Vec<Rows>>>,
    row_bytes: AtomicUsize,
}

type Rows = OnceLock<Arc<[Subset; 2]>>;

/// What one search adds to it.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    pub(crate) root: Option<Knowledge>,
    pub(crate) sides: Vec<(Side, Seen)>,
}

impl Memory {
    /// Takes in what a search learnt, which comes with a claim of this number.
    pub(crate) fn take(&mut self, learnt: Learnt, claim: usize) {
        self.root.extend(learnt.root.map(|root| Knowledge { claim: Some(claim), ..root }));
        for (side, seen) in learnt.sides {
            self.known_bytes += seen.bytes();
            if self.known_bytes <= MOST_BYTES {
                self.sides.entry(side).or_default().push(seen);
            }
        }
    }

    /// What is known of the cuts of a side.
    pub(crate) fn of_side(&self, side: Side) -> &[Seen] {
        self.sides.get(&side).map_or(&[], Vec::as_slice)
    }

    /// The sides of a cut of the root, made where no search has done so; `cuts` are the numbers of cuts of all lines.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn rows(
        &self,
        (line, cut): (usize, usize),
        cuts: impl Iterator<Item = usize>,
        make: impl FnOnce() -> Result<[Subset; 2]>,
    ) -> Result<Arc<[Subset; 2]>> {
        let none = |n: usize| (0..n).map(|_| OnceLock::new()).collect();
        let rows = &self.rows.get_or_init(|| cuts.map(none).collect())[line][cut];
        if let Some(sides) = rows.get() {
            return Ok(Arc::clone(sides));
        }
        let sides = Arc::new(make()?);
        let bytes = sides.iter().map(Subset::bytes).sum();
        if self.row_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes <= MOST_BYTES {
            // Another search may have made the same.
            let _ = rows.set(Arc::clone(&sides));
        }
        Ok(sides)
    }
}
