//! Importances of the columns of a forest, tree by tree.

/// Shares of the columns in the gain of trees, added up over those trees that split at all.
#[derive(Clone, Debug)]
pub(crate) struct Gains {
    sums: Vec<f64>,
    n_trees: f64,
}

impl Gains {
    pub(crate) fn new(n_columns: usize) -> Self {
        Self { sums: vec![0.0; n_columns], n_trees: 0.0 }
    }

    /// Adds the shares of the next tree.
    pub(crate) fn add(&mut self, shares: &[f64]) {
        if shares.iter().any(|&share| share > 0.0) {
            self.n_trees += 1.0;
            self.sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
    }

    /// Mean over the trees.
    pub(crate) fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.n_trees.max(1.0)).collect()
    }
}
