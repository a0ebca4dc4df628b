//! Misclassification costs, and the class of least expected cost.

use crate::dataset::ClassWeights;
use crate::error::{Error, Result};

/// Largest cost, so that sums of costs times weights stay finite.
const LARGEST: f64 = 1e100;

/// Cost matrix: row `k`, column `j` is the cost of predicting class `j` if class `k` is true.
///
/// Costs are finite and not negative, and differ within at least one row, so that they can affect decisions.
/// The diagonal need not be 0: a correct prediction may also have a cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    cells: Vec<f64>,
    n_classes: usize,
}

impl Costs {
    /// Checks a row-major matrix.
    ///
    /// # Errors
    /// [`Error::Data`] for a matrix that is not square, that has a cell outside [0, 1e100], or in which every
    /// row consists of equal costs.
    pub fn new(cells: Vec<f64>, n_classes: usize) -> Result<Self> {
        if n_classes < 2 || cells.len() != n_classes * n_classes {
            return Err(Error::Data(format!(
                "cost_matrix must have a row and a column for each of at least 2 classes, got {} cells in {n_classes} rows",
                cells.len()
            )));
        }
        if let Some(cell) = cells.iter().position(|cost| !cost.is_finite() || *cost < 0.0) {
            return Err(Error::Data(format!(
                "cost_matrix must contain finite numbers of at least 0; row {}, column {} contains {}",
                cell / n_classes,
                cell % n_classes,
                cells[cell]
            )));
        }
        if let Some(cost) = cells.iter().find(|&&cost| cost > LARGEST) {
            return Err(Error::Data(format!(
                "cost_matrix contains {cost:e}; costs above {LARGEST:e} cannot be summed. Divide all costs by the same number"
            )));
        }
        if cells.chunks_exact(n_classes).all(|row| row.iter().all(|&cost| cost == row[0])) {
            return Err(Error::Data(
                "cost_matrix gives every prediction the same cost, so it cannot affect any decision".into(),
            ));
        }
        Ok(Self { cells, n_classes })
    }

    /// Costs inversely proportional to class frequency.
    /// An error on class `k` costs `n / (c n_k)`, or 0 if the class has no weight. `n_k` is the weight of class
    /// `k`, `c` is the number of classes with positive weight, and `n` is their total weight.
    ///
    /// # Errors
    /// Same errors as [`Costs::new`].
    pub fn balanced(masses: &[f64]) -> Result<Self> {
        let n_classes = masses.len();
        let price = ClassWeights::Balanced.resolve(masses)?;
        let cell = |cell| if cell / n_classes == cell % n_classes { 0.0 } else { price[cell / n_classes] };
        Self::new((0..n_classes * n_classes).map(cell).collect(), n_classes)
    }

    /// Costs proportional to the ratio of the class sizes (Domingos 1999, section 4).
    /// Predicting `j` if `k` is true costs `n_j / n_k`, where `n_k` is the weight of class `k`. The diagonal
    /// is 0.
    ///
    /// # Errors
    /// Same errors as [`Costs::new`]; [`Error::Data`] for a class without weight.
    pub(crate) fn from_class_ratios(masses: &[f64]) -> Result<Self> {
        let n_classes = masses.len();
        if masses.contains(&0.0) {
            return Err(Error::Data(
                "cost_matrix=\"imbalance\" needs rows of every class; pass a matrix instead".into(),
            ));
        }
        let cell = |(truth, predicted): (usize, usize)| {
            if truth == predicted { 0.0 } else { masses[predicted] / masses[truth] }
        };
        let cells = (0..n_classes * n_classes).map(|at| cell((at / n_classes, at % n_classes)));
        Self::new(cells.collect(), n_classes)
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The matrix, row-major.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    pub(crate) fn into_cells(self) -> Vec<f64> {
        self.cells
    }

    /// Cost of predicting class `predicted` if class `truth` is true.
    pub fn cost(&self, truth: usize, predicted: usize) -> f64 {
        self.cells[truth * self.n_classes + predicted]
    }

    /// Class weights that make a cost-blind learner cost-sensitive (Ting 2002, eq. 1 and 2).
    /// `w_k = C_k n / sum_i C_i n_i` with `C_k = sum_j cost[k][j]`, so that the weights of all rows still sum
    /// to `n`.
    ///
    /// `mass` contains the weight `n_k` of each class.
    ///
    /// # Errors
    /// [`Error::Data`] in three cases: a correct prediction has a cost, all errors in the classes with rows
    /// are free, or `mass` has the wrong length.
    pub fn ting_class_weights(&self, mass: &[f64]) -> Result<Vec<f64>> {
        let n = self.n_classes;
        if mass.len() != n {
            return Err(Error::Data(format!("cost_matrix is for {n} classes, but there are {}", mass.len())));
        }
        if (0..n).any(|class| self.cost(class, class) != 0.0) {
            return Err(Error::Data(
                "cost_matrix must have zeros on its diagonal to be converted to class weights; cost_strategy=\"decision\" accepts any diagonal"
                    .into(),
            ));
        }
        let price: Vec<f64> = self.cells.chunks_exact(n).map(|row| row.iter().sum()).collect();
        let total: f64 = mass.iter().sum();
        let spent: f64 = price.iter().zip(mass).map(|(price, mass)| price * mass).sum();
        if spent <= 0.0 {
            return Err(Error::Data(
                "cost_matrix gives no cost to the errors of any class that has rows".into(),
            ));
        }
        Ok(price.iter().map(|price| price * total / spent).collect())
    }

    /// Probability threshold of class 1 that minimizes the expected cost (Elkan 2001, eq. 2).
    /// `(C(1,0) - C(0,0)) / (C(1,0) - C(0,0) + C(0,1) - C(1,1))`, with `C(i,j)` the cost of predicting `i` if
    /// `j` is true. At the threshold both classes have equal expected cost.
    ///
    /// # Errors
    /// [`Error::Data`] unless there are two classes and errors cost more than correct predictions.
    pub fn elkan_threshold(&self) -> Result<f64> {
        if self.n_classes != 2 {
            return Err(Error::Data(format!(
                "a threshold needs a cost_matrix of 2 classes, got {}",
                self.n_classes
            )));
        }
        let (false_alarm, miss) = (self.cost(0, 1) - self.cost(0, 0), self.cost(1, 0) - self.cost(1, 1));
        if false_alarm <= 0.0 || miss <= 0.0 {
            return Err(Error::Data(
                "a threshold needs a cost_matrix in which, for each true class, the wrong prediction costs more than the correct one"
                    .into(),
            ));
        }
        Ok(false_alarm / (false_alarm + miss))
    }
}

/// Index of the smallest cost, the lowest index on ties.
pub(crate) fn argmin(costs: &[f64]) -> u32 {
    let mut best = 0;
    for (at, cost) in costs.iter().enumerate() {
        if *cost < costs[best] {
            best = at;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost_rule::RowCosts;

    #[test]
    fn invalid_cost_matrices_are_refused() {
        let message = |cells: &[f64], n| Costs::new(cells.to_vec(), n).unwrap_err().to_string();
        assert!(message(&[0.0, 1.0, 1.0], 2).contains("3 cells in 2 rows"));
        assert!(message(&[0.0, 1.0, -1.0, 0.0], 2).contains("row 1, column 0 contains -1"));
        assert!(message(&[0.0, f64::NAN, 1.0, 0.0], 2).contains("NaN"));
        assert!(message(&[2.0, 2.0, 1.0, 1.0], 2).contains("same cost"));
        assert!(message(&[0.0], 1).contains("at least 2 classes"));
    }

    #[test]
    fn the_class_of_least_cost_is_not_always_the_most_probable() {
        let costs = Costs::new(vec![0.0, 1.0, 10.0, 0.0], 2).unwrap();
        let costs = RowCosts::with_one_matrix(&costs, 2);
        assert_eq!(costs.cheapest_classes(&[0.95, 0.05, 0.9, 0.1]).unwrap(), [0, 1]);
        assert_eq!(costs.expected_costs(&[0.9, 0.1, 0.0, 1.0]).unwrap(), [1.0, 0.9, 10.0, 0.0]);
        // With probabilities of 1/2 the expected costs are equal, so the lowest class code is predicted.
        let even = Costs::new(vec![0.0, 1.0, 1.0, 0.0], 2).unwrap();
        assert_eq!(RowCosts::with_one_matrix(&even, 1).cheapest_classes(&[0.5, 0.5]).unwrap(), [0]);
    }

    #[test]
    fn predicting_a_larger_class_costs_proportionally_more() {
        let costs = Costs::from_class_ratios(&[6.0, 2.0, 1.0]).unwrap();
        assert_eq!(costs.cells(), [0.0, 2.0 / 6.0, 1.0 / 6.0, 3.0, 0.0, 0.5, 6.0, 2.0, 0.0]);
        assert!(
            Costs::from_class_ratios(&[2.0, 0.0, 1.0])
                .unwrap_err()
                .to_string()
                .contains("rows of every class")
        );
    }

    #[test]
    fn ting_weights_keep_the_total() {
        let costs = Costs::new(vec![0.0, 5.0, 3.0, 0.0], 2).unwrap();
        assert_eq!(costs.ting_class_weights(&[16.0, 16.0]).unwrap(), [1.25, 0.75]);
        let paid = Costs::new(vec![1.0, 5.0, 3.0, 0.0], 2).unwrap();
        assert!(paid.ting_class_weights(&[16.0, 16.0]).is_err());
        assert!(costs.ting_class_weights(&[1.0, 1.0, 1.0]).is_err());
        let free = Costs::new(vec![0.0, 0.0, 3.0, 0.0], 2).unwrap();
        assert!(free.ting_class_weights(&[4.0, 0.0]).is_err());
    }

    #[test]
    fn elkan_threshold_minimizes_the_expected_cost() {
        // Elkan 2001, section 1: if correct predictions cost nothing, p* = C(1,0) / (C(1,0) + C(0,1)).
        let costs = Costs::new(vec![0.0, 1.0, 10.0, 0.0], 2).unwrap();
        assert_eq!(costs.elkan_threshold().unwrap(), 1.0 / 11.0);
        let huge = Costs::new(vec![0.0, 1e308, 1e308, 0.0], 2).unwrap_err().to_string();
        assert!(huge.contains("contains 1e308; costs above 1e100"), "{huge}");
        assert_eq!(Costs::new(vec![0.0, 1e100, 1e100, 0.0], 2).unwrap().elkan_threshold().unwrap(), 0.5);
        let unreasonable = Costs::new(vec![2.0, 1.0, 10.0, 0.0], 2).unwrap();
        assert!(unreasonable.elkan_threshold().is_err());
    }

    #[test]
    fn balanced_costs_are_higher_for_the_rare_class() {
        let costs = Costs::balanced(&[3.0, 1.0]).unwrap();
        assert_eq!(costs.cells(), [0.0, 4.0 / 6.0, 2.0, 0.0]);
        assert_eq!(costs.elkan_threshold().unwrap(), 0.25);
    }
}
