//! State of the search: best set of boxes, upper bound, known boxes and dual values.

use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::local_search::{ScoredDrawing, beam_search, improve_box_by_box};
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing_weights::BoundWithDualValues;
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Result, parallel};

/// Best set of boxes and upper bound so far; both are valid at every moment of the search.
#[derive(Clone, Debug)]
pub(crate) struct Incumbent {
    pub best: ScoredDrawing,
    pub bound: f64,
    /// Boxes found so far, with which linear programs start.
    pub pool: Vec<BoxColumn>,
    /// The dual values that prove the bound; those for sets with the most boxes come first.
    pub duals: Vec<BoundWithDualValues>,
}

impl Incumbent {
    pub(crate) fn initial(codes: &EncodedRows, tariff: &ObjectiveTerms) -> Self {
        let widest = |widths: &Vec<f64>| widths.first().copied().unwrap_or(0.0);
        let width = tariff.n_boxes as f64 * codes.side_width.iter().map(widest).sum::<f64>();
        Self {
            best: ScoredDrawing::new(codes, tariff, Vec::new()),
            bound: tariff.empty_set_value(codes) + codes.pos_mass.iter().sum::<f64>() + width.max(0.0),
            pool: Vec::new(),
            duals: Vec::new(),
        }
    }

    pub(crate) fn add_to_pool(&mut self, boxes: &[BoxColumn]) {
        for column in boxes {
            if !self.pool.contains(column) {
                self.pool.push(column.clone());
            }
        }
    }

    /// Improves the best set of boxes by local search.
    ///
    /// The search starts from the `n` best sets that can be built from boxes of the pool.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`] if a limit is reached or the run is cancelled.
    pub(crate) fn improve_by_local_search(
        &mut self,
        codes: &EncodedRows,
        tariff: &ObjectiveTerms,
        n: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<()> {
        let mut families = beam_search(codes, tariff, &self.pool, budget)?;
        families.truncate(n);
        for family in
            parallel::try_map(families, |family| improve_box_by_box(codes, tariff, family.boxes, budget))?
        {
            self.best.replace_if_better(family);
        }
        Ok(())
    }
}
