//! Small samples of rows, drawn when only the number of rows of each class is known.

use crate::strata::{RankSet, Strata};
use imbcore_core::{Error, Result, SeedKey};

/// A sample is small if it contains at most 1 / `FEW` of the rows.
pub(crate) const FEW: usize = 4;

type DrawRanksFn<'p> = Box<dyn Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p>;

/// Samples of all members of an ensemble, determined before any column is read.
pub struct PreselectedRows<'p> {
    strata: Strata,
    n_members: u32,
    largest: usize,
    ranks: DrawRanksFn<'p>,
}

impl<'p> PreselectedRows<'p> {
    pub(crate) fn new(
        strata: Strata,
        (n_members, largest): (u32, usize),
        ranks: impl Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p,
    ) -> Self {
        Self { strata, n_members, largest, ranks: Box::new(ranks) }
    }

    pub(crate) fn ranks_used_by_members(
        &self,
        method: &str,
        of_member: impl Fn(u32) -> SeedKey,
    ) -> Result<RankSet> {
        if self.largest > self.strata.n_rows() / FEW {
            return Err(Error::Unsupported(format!(
                "{method} does not support this streamed training data, because each member uses more than a quarter of the rows"
            )));
        }
        let ranks = |member| (self.ranks)(&self.strata, of_member(member));
        RankSet::new(self.strata.n_rows(), (0..self.n_members).map(ranks))
    }

    pub(crate) fn strata(&self) -> &Strata {
        &self.strata
    }
}
