//! Boxes listed by their slack: what they earn less than the best one under some prices.

use crate::exact::codes::Codes;
use crate::exact::column::Column;
use crate::exact::prices::{Prices, ROUND};
use crate::exact::pricing::{Guard, Pricing, Query, Visit};
use crate::exact::trail::Trail;
use imbcore_base::Result;
use imbcore_base::budget::Budget;

/// A box that may have the least slack of a drawing.
pub(crate) struct Candidate {
    pub slack: f64,
    pub column: Column,
}

/// Which boxes are listed, and by what.
pub(crate) struct Listing<'a> {
    pub codes: &'a Codes,
    pub budget: &'a Budget<'a>,
    pub prices: &'a Prices,
    /// What a box without slack earns.
    pub top: f64,
    pub guard: Option<Guard<'a>>,
    /// Codes that a leaf decides besides those with a price.
    pub keep: &'a Prices,
    pub maximal_only: bool,
    /// Boxes listed at a time.
    pub most: usize,
}

/// Collects leaves.
struct Leaves<'a> {
    codes: &'a Codes,
    maximal_only: bool,
    /// Leaves above this value were listed before.
    below: f64,
    found: Vec<(f64, Vec<u16>)>,
}

impl Visit for Leaves<'_> {
    fn meet(&mut self, _: &[u16], _: f64, above: f64) -> f64 {
        above
    }

    fn leaf(&mut self, at: &[u16], value: f64) {
        if value <= self.below
            && (!self.maximal_only || Column::new(self.codes, at.to_vec()).is_maximal(self.codes))
        {
            self.found.push((value, at.to_vec()));
        }
    }
}

impl Listing<'_> {
    /// Hands on lists of boxes with more and more slack, the first as wide as given, until `each` says that none with more than
    /// its own can matter. A list that would be too long is made narrower.
    ///
    /// # Errors
    /// Those of the budget, of the trail, and of `each`.
    pub(crate) fn by_slack(
        &self,
        mut width: f64,
        mut last: f64,
        trail: &mut Trail<'_>,
        mut each: impl FnMut(Vec<Candidate>, f64, &mut Trail<'_>) -> Result<f64>,
    ) -> Result<()> {
        let mut done = 0.0;
        while done <= last {
            let until = (done + width.max(ROUND)).min(last + ROUND);
            // Boxes of the same slack are listed together, however many.
            let most = if width > ROUND { self.most } else { usize::MAX };
            if let Some(list) = self.between(done, until, most, trail)? {
                last = each(list, until, trail)?;
                (done, width) = (until, width * 2.0);
            } else {
                width /= 2.0;
            }
        }
        Ok(())
    }

    /// All boxes up to a slack; none if they are more than a list holds.
    ///
    /// # Errors
    /// Those of the budget, and of the trail.
    pub(crate) fn all(&self, last: f64, trail: &mut Trail<'_>) -> Result<Option<Vec<Candidate>>> {
        self.between(0.0, last + ROUND, self.most, trail)
    }

    /// Boxes whose slack lies between the two, in the order in which a search meets them: neighbours are alike; none if there
    /// are more than `most`.
    fn between(
        &self,
        from: f64,
        until: f64,
        most: usize,
        trail: &mut Trail<'_>,
    ) -> Result<Option<Vec<Candidate>>> {
        let below = if from == 0.0 { f64::INFINITY } else { self.top - from };
        let mut leaves =
            Leaves { codes: self.codes, maximal_only: self.maximal_only, below, found: Vec::new() };
        let above = self.top - until - ROUND;
        let query = Query { prices: self.prices, above, guard: self.guard, keep: Some(self.keep) };
        let mut pricing = Pricing::new(self.codes, query, &mut leaves);
        while trail.portion(&mut pricing, &mut leaves, self.budget)? {
            if leaves.found.len() > most {
                return Ok(None);
            }
        }
        let candidate = |(value, at): (f64, Vec<u16>)| {
            self.budget.check()?;
            Ok(Candidate { slack: (self.top - value).max(0.0), column: Column::new(self.codes, at) })
        };
        leaves.found.into_iter().map(candidate).collect::<Result<_>>().map(Some)
    }
}
