//! Small samples that depend only on the numbers of rows of the classes.

use crate::strata::{RankSet, Strata};
use imbcore_core::{Error, Result, SeedKey};

/// A sample is small if it contains at most 1 / `FEW` of the rows.
pub(crate) const FEW: usize = 4;

/// Function that returns the ranks (see [`Strata`]) of the rows of the member with a key.
type RankFn<'p> = Box<dyn Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p>;

/// Samples of all members of an ensemble, determined before any column is read.
pub struct PreselectedRows<'p> {
    strata: Strata,
    n_members: u32,
    /// Number of rows of the largest sample.
    largest: usize,
    ranks: RankFn<'p>,
}

impl<'p> PreselectedRows<'p> {
    pub(crate) fn new(
        strata: Strata,
        (n_members, largest): (u32, usize),
        ranks: impl Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p,
    ) -> Self {
        Self { strata, n_members, largest, ranks: Box::new(ranks) }
    }

    /// All ranks used by any member; `of_member` returns the seed key of each member.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the members use too many of the rows to be trained on a sample; errors of
    /// the draw.
    pub(crate) fn used_ranks(&self, method: &str, of_member: impl Fn(u32) -> SeedKey) -> Result<RankSet> {
        if self.largest > self.strata.n_rows() / FEW {
            return Err(Error::Unsupported(format!(
                "{method} does not support this streamed training data, because each member uses more than a quarter of the rows"
            )));
        }
        let ranks = |member| (self.ranks)(&self.strata, of_member(member));
        RankSet::new(self.strata.n_rows(), (0..self.n_members).map(ranks))
    }

    /// Ranks of the rows that may be drawn, by class.
    pub(crate) fn strata(&self) -> &Strata {
        &self.strata
    }
}
