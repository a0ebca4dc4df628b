//! Lists of boxes by slack, the largest value of any box minus the value of the box.

use crate::exact::box_column::BoxColumn;
use crate::exact::completion_trace::CompletionSearchTrace;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::pricing::{BoxVisitor, MinimumValueConstraint, PricingQuery, PricingSearch};
use crate::exact::pricing_weights::{PricingWeights, ROUND};
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

pub(crate) struct BoxWithSlack {
    pub slack: f64,
    pub column: BoxColumn,
}

pub(crate) struct BoxListingParams<'a> {
    pub codes: &'a EncodedRows,
    pub budget: &'a SearchBudget<'a>,
    pub prices: &'a PricingWeights,
    /// Value of a box whose slack is 0.
    pub top: f64,
    pub guard: Option<MinimumValueConstraint<'a>>,
    /// Second list of weights, see [`PricingQuery::keep`].
    pub keep: &'a PricingWeights,
    pub maximal_only: bool,
    pub most: usize,
}

struct LeafCollector<'a> {
    codes: &'a EncodedRows,
    maximal_only: bool,
    /// Largest value of a box to collect; boxes with larger values are in an earlier list.
    below: f64,
    found: Vec<(f64, Vec<u16>)>,
}

impl BoxVisitor for LeafCollector<'_> {
    fn visit_box(&mut self, _: &[u16], _: f64, above: f64) -> f64 {
        above
    }

    fn visit_leaf(&mut self, at: &[u16], value: f64) {
        if value <= self.below
            && (!self.maximal_only || BoxColumn::new(self.codes, at.to_vec()).is_maximal(self.codes))
        {
            self.found.push((value, at.to_vec()));
        }
    }
}

impl BoxListingParams<'_> {
    /// Calls `each` with several lists of boxes, in the order of increasing slack.
    ///
    /// The first list has the boxes with a slack of at most `width`. The result of `each` is the new upper
    /// limit on the slack of listed boxes. If a list would have more than `most` boxes, the range of slacks
    /// is divided.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled, and errors of
    /// `each`.
    pub(crate) fn for_each_box_list(
        &self,
        mut width: f64,
        mut last: f64,
        trail: &mut CompletionSearchTrace<'_>,
        mut each: impl FnMut(Vec<BoxWithSlack>, f64, &mut CompletionSearchTrace<'_>) -> Result<f64>,
    ) -> Result<()> {
        let mut done = 0.0;
        while done <= last {
            let until = (done + width.max(ROUND)).min(last + ROUND);
            // A list of boxes with equal slack cannot be split, so its length is not limited.
            let most = if width > ROUND { self.most } else { usize::MAX };
            if let Some(list) = self.list_boxes_between_slacks(done, until, most, trail)? {
                last = each(list, until, trail)?;
                (done, width) = (until, width * 2.0);
            } else {
                width /= 2.0;
            }
        }
        Ok(())
    }

    /// Lists the boxes with a slack of at most `last`; `None` if there are more than `self.most`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled.
    pub(crate) fn list_boxes_up_to_slack(
        &self,
        last: f64,
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<Vec<BoxWithSlack>>> {
        self.list_boxes_between_slacks(0.0, last + ROUND, self.most, trail)
    }

    /// Lists the boxes with a slack from `from` to `until`; `None` if there are more than `most`.
    ///
    /// The boxes are in the order of the search, in which neighboring boxes are similar.
    fn list_boxes_between_slacks(
        &self,
        from: f64,
        until: f64,
        most: usize,
        trail: &mut CompletionSearchTrace<'_>,
    ) -> Result<Option<Vec<BoxWithSlack>>> {
        let below = if from == 0.0 { f64::INFINITY } else { self.top - from };
        let mut leaves =
            LeafCollector { codes: self.codes, maximal_only: self.maximal_only, below, found: Vec::new() };
        let above = self.top - until - ROUND;
        let query = PricingQuery { prices: self.prices, above, guard: self.guard, keep: Some(self.keep) };
        let mut pricing = PricingSearch::new(self.codes, query, &mut leaves);
        while trail.continue_search(&mut pricing, &mut leaves, self.budget)? {
            if leaves.found.len() > most {
                return Ok(None);
            }
        }
        let candidate = |(value, at): (f64, Vec<u16>)| {
            self.budget.check_limits()?;
            Ok(BoxWithSlack { slack: (self.top - value).max(0.0), column: BoxColumn::new(self.codes, at) })
        };
        leaves.found.into_iter().map(candidate).collect::<Result<_>>().map(Some)
    }
}
