//! Total misclassification costs, and the costs of constant predictors.

use crate::argument_checks;
use imbcore_core::{Result, RowCosts};

/// Total cost of the predictions, and of predicting any one class for all rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CostSummary {
    /// Weighted sum of the costs of all predictions.
    pub total: f64,
    /// Weight of all rows.
    pub weight: f64,
    /// For each class, the total cost if it were predicted for every row.
    pub alike: Vec<f64>,
}

impl CostSummary {
    /// Sums the costs of the predictions.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] for unequal lengths, codes outside the classes, invalid weights, or
    /// costs for another number of rows or classes.
    pub fn new(
        costs: &RowCosts<'_>,
        (truth, answers): (&[u32], &[u32]),
        n_classes: usize,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        argument_checks::check_length("y_pred", answers.len(), truth.len())?;
        argument_checks::check_weights(weights, truth.len())?;
        argument_checks::check_class_codes("y_true", truth, n_classes)?;
        argument_checks::check_class_codes("y_pred", answers, n_classes)?;
        costs.check(truth.len(), n_classes)?;
        let mut paid = Self { total: 0.0, weight: 0.0, alike: vec![0.0; n_classes] };
        for (row, (&class, &answer)) in truth.iter().zip(answers).enumerate() {
            let weight = argument_checks::weight_or_one(weights, row);
            paid.weight += weight;
            paid.total += weight * costs.cost(row, class as usize, answer as usize);
            for (alike, total) in paid.alike.iter_mut().enumerate() {
                *total += weight * costs.cost(row, class as usize, alike);
            }
        }
        Ok(paid)
    }

    /// Weighted mean cost of a row.
    pub fn mean(&self) -> f64 {
        self.total / self.weight
    }

    /// Savings over the cheapest constant predictor, `1 - cost / min_c cost_c`.
    ///
    /// `cost_c` is the cost of predicting class c for every row (Bahnsen, Aouada and Ottersten 2015, eq. 9).
    /// NaN if the cheapest constant predictor has cost 0.
    pub fn savings(&self) -> f64 {
        let least = self.alike.iter().copied().fold(f64::INFINITY, f64::min);
        if least > 0.0 { 1.0 - self.total / least } else { f64::NAN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frauds_of_unequal_amounts() {
        // A false alert costs 5. A missed fraud costs its amount: 100, 20 and 3 in rows 1, 2 and 3.
        let cells: Vec<f64> =
            [7.0, 100.0, 20.0, 3.0].iter().flat_map(|&miss| [0.0, 5.0, miss, 0.0]).collect();
        let costs = RowCosts::from_row_matrices(&cells, 4, 2).unwrap();
        let (truth, answers) = ([0, 1, 1, 1], [1, 1, 0, 0]);
        let paid = CostSummary::new(&costs, (&truth, &answers), 2, None).unwrap();
        assert_eq!((paid.total, paid.mean()), (28.0, 7.0));
        // Without alerts, all frauds are missed, at a cost of 123. With alerts on all rows, the only cost is
        // 5 for the false alert on row 0.
        assert_eq!(paid.alike, [123.0, 5.0]);
        assert_eq!(paid.savings(), 1.0 - 28.0 / 5.0);
        let weighed = CostSummary::new(&costs, (&truth, &answers), 2, Some(&[0.0, 1.0, 2.0, 0.0])).unwrap();
        assert_eq!((weighed.total, weighed.weight, weighed.alike[0]), (40.0, 3.0, 140.0));
        assert!(CostSummary::new(&costs, (&truth, &answers[..3]), 2, None).is_err());
        assert!(CostSummary::new(&costs, (&truth[..3], &answers[..3]), 2, None).is_err());
        let right = CostSummary::new(&costs, (&[1; 4], &[1; 4]), 2, None).unwrap();
        assert!(right.savings().is_nan());
    }
}
