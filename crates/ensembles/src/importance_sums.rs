//! Feature importances of a forest, accumulated by tree.

/// For each column, its fraction of the total gain of a tree, summed over the trees.
///
/// A tree without gain, such as a tree without a split, is not counted.
#[derive(Clone, Debug)]
pub(crate) struct ImportanceSums {
    sums: Vec<f64>,
    n_trees: f64,
}

impl ImportanceSums {
    pub(crate) fn new(n_columns: usize) -> Self {
        Self { sums: vec![0.0; n_columns], n_trees: 0.0 }
    }

    pub(crate) fn add(&mut self, shares: &[f64]) {
        if shares.iter().any(|&share| share > 0.0) {
            self.n_trees += 1.0;
            self.sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
    }

    pub(crate) fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.n_trees.max(1.0)).collect()
    }
}
