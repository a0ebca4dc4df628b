//! Range of ranks from which rows are drawn.
//! Ranks number the rows of a table class by class (see `Strata`).

use imbcore_core::{SeedKey, tags};
use imbcore_resample::{draw_distinct, iter_with_replacement};
use std::ops::Range;

/// Range of ranks, and the number of ranks to draw from it.
///
/// If the number is `None`, nothing is drawn: each rank occurs once in the sample.
#[derive(Clone, Debug)]
pub(crate) struct RankPool {
    pub(crate) ranks: Range<u32>,
    pub(crate) size: Option<usize>,
    /// Position of the pool's class among the classes, in the order of their first rows.
    ///
    /// `None` if the pool contains the rows of all classes.
    pub(crate) class: Option<u32>,
}

impl RankPool {
    pub(crate) fn n_drawn(&self) -> usize {
        self.size.unwrap_or(self.ranks.len())
    }

    pub(crate) fn draw_ranks(&self, replacement: bool, key: SeedKey, take: &mut impl FnMut(u32)) {
        let Some(size) = self.size else { return self.ranks.clone().for_each(take) };
        let key = match self.class {
            None => key.child(tags::drawn::ALL, 0),
            Some(place) => key.child(tags::drawn::CLASS, place),
        };
        let (mut rng, n, start) = (key.rng(), self.ranks.len(), self.ranks.start);
        if replacement {
            // The drawn ranks are not collected, because a list of them may be large.
            iter_with_replacement(&mut rng, n, size).for_each(|place| take(start + place));
        } else {
            for place in draw_distinct(&mut rng, n, size) {
                take(start + place);
            }
        }
    }
}
