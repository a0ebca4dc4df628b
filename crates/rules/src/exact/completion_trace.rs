//! Boxes and node counts of the searches that complete a given box to a set of boxes.

use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing::{BestBoxVisitor, BoxVisitor, PricedBox, PricingQuery, PricingSearch};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result};

pub(crate) struct CompletionSearchTrace<'a> {
    /// Boxes that were known before the searches.
    pub at_hand: &'a [&'a BoxColumn],
    /// Boxes that the searches found.
    pub met: Vec<BoxColumn>,
    pub nodes: u64,
    most: u64,
}

impl<'a> CompletionSearchTrace<'a> {
    pub(crate) fn new(at_hand: &'a [&'a BoxColumn], most: u64) -> Self {
        Self { at_hand, met: Vec::new(), nodes: 0, most }
    }

    pub(crate) fn is_node_limit_exceeded(&self) -> bool {
        self.nodes > self.most
    }

    /// Continues a search up to the next check of the budget, and counts its nodes.
    ///
    /// Returns whether nodes are left to search.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the time or node limit is reached or the run is cancelled.
    pub(crate) fn continue_search<V: BoxVisitor>(
        &mut self,
        pricing: &mut PricingSearch<'_>,
        visit: &mut V,
        budget: &SearchBudget<'_>,
    ) -> Result<bool> {
        let more = pricing.run_until_check(visit);
        budget.check_limits()?;
        self.nodes += pricing.take_new_node_count();
        if self.is_node_limit_exceeded() { Err(Error::Cancelled) } else { Ok(more) }
    }

    /// Finds the box with the largest value above the threshold of the search.
    ///
    /// # Errors
    /// Errors of [`Self::continue_search`].
    pub(crate) fn find_best_box(
        &mut self,
        codes: &EncodedRows,
        query: PricingQuery<'_>,
        budget: &SearchBudget<'_>,
    ) -> Result<Option<PricedBox>> {
        let mut best = BestBoxVisitor::default();
        let mut pricing = PricingSearch::new(codes, query, &mut best);
        while self.continue_search(&mut pricing, &mut best, budget)? {}
        Ok(best.0)
    }
}
