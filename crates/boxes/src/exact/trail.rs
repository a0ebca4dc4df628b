//! What completing a box leaves behind.

use crate::exact::codes::Codes;
use crate::exact::column::Column;
use crate::exact::pricing::{Best, PORTION, Priced, Pricing, Query, Visit};
use imbcore_base::budget::Budget;
use imbcore_base::{Error, Result};

/// What completions meet on their way.
pub(crate) struct Trail<'a> {
    /// Boxes that were known before.
    pub at_hand: &'a [&'a Column],
    /// Others.
    pub met: Vec<Column>,
    /// Nodes of all searches.
    pub nodes: u64,
    most: u64,
}

impl<'a> Trail<'a> {
    /// Its searches may look at `most` nodes.
    pub(crate) fn new(at_hand: &'a [&'a Column], most: u64) -> Self {
        Self { at_hand, met: Vec::new(), nodes: 0, most }
    }

    /// Whether it has looked at more nodes than it may.
    pub(crate) fn is_used_up(&self) -> bool {
        self.nodes > self.most
    }

    /// Runs a search on and counts its nodes; whether any are left.
    ///
    /// # Errors
    /// Those of the budget, and [`Error::Cancelled`] once it has looked at more nodes than it may.
    pub(crate) fn portion<V: Visit>(
        &mut self,
        pricing: &mut Pricing<'_>,
        visit: &mut V,
        budget: &Budget<'_>,
    ) -> Result<bool> {
        let more = pricing.portion(visit, PORTION);
        budget.check()?;
        self.nodes += pricing.count();
        if self.is_used_up() { Err(Error::Cancelled) } else { Ok(more) }
    }

    /// The best box that the query wants.
    ///
    /// # Errors
    /// Those of [`Self::portion`].
    pub(crate) fn best_box(
        &mut self,
        codes: &Codes,
        query: Query<'_>,
        budget: &Budget<'_>,
    ) -> Result<Option<Priced>> {
        let mut best = Best::default();
        let mut pricing = Pricing::new(codes, query, &mut best);
        while self.portion(&mut pricing, &mut best, budget)? {}
        Ok(best.0)
    }
}
