//! Samples that follow from the numbers of rows of the classes alone, and are few of the rows.

use crate::strata::{RankSet, Strata};
use imbcore_base::{Error, Result, SeedKey};

/// A sample of at most this part of the rows is few.
pub(crate) const FEW: usize = 4;

/// The ranks that the member at a key sees.
type Ranks<'p> = Box<dyn Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p>;

/// What the members of a committee see, known before any column is read.
pub struct Few<'p> {
    strata: Strata,
    n_members: u32,
    /// Rows of the largest sample.
    largest: usize,
    ranks: Ranks<'p>,
}

impl<'p> Few<'p> {
    pub(crate) fn new(
        strata: Strata,
        (n_members, largest): (u32, usize),
        ranks: impl Fn(&Strata, SeedKey) -> Result<Vec<u32>> + Sync + 'p,
    ) -> Self {
        Self { strata, n_members, largest, ranks: Box::new(ranks) }
    }

    /// Every rank that some member sees; `of_member` is the key of each.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where members see too many of the rows to learn from those alone; as what draws.
    pub(crate) fn seen(&self, method: &str, of_member: impl Fn(u32) -> SeedKey) -> Result<RankSet> {
        if self.largest > self.strata.n_rows() / FEW {
            return Err(Error::Unsupported(format!(
                "{method} cannot be fitted to rows that are read by pieces: its members see more than a quarter of the rows each"
            )));
        }
        let ranks = |member| (self.ranks)(&self.strata, of_member(member));
        RankSet::new(self.strata.n_rows(), (0..self.n_members).map(ranks))
    }

    /// The rows that may be drawn, by class.
    pub(crate) fn strata(&self) -> &Strata {
        &self.strata
    }
}
