//! Trees of an earlier forest, with which a larger forest starts.

use crate::compact_forest::CompactForest;
use crate::importance_sums::ImportanceSums;
use crate::model::ForestModel;
use imbcore_core::Result;

pub(crate) struct InitialTrees {
    pub(crate) packed: CompactForest,
    pub(crate) alphas: Vec<f64>,
    pub(crate) gains: ImportanceSums,
}

impl InitialTrees {
    /// Copies the trees of an earlier forest that stores its sums of gains.
    ///
    /// The importances of the larger forest are computed from these sums. No trees are copied if there is no
    /// earlier forest, or if it lacks the sums, as a forest from a file does.
    pub(crate) fn from_earlier_forest(
        earlier: Option<&ForestModel>,
        (n_classes, n_columns): (usize, usize),
    ) -> Result<Self> {
        Ok(match earlier.and_then(|earlier| Some((earlier, earlier.gains.clone()?))) {
            Some((earlier, gains)) => {
                let mut packed = CompactForest::new(earlier.packed.n_classes());
                packed.reserve_for_forests(std::iter::once(&earlier.packed))?;
                packed.append(&earlier.packed);
                Self { packed, alphas: earlier.alphas.clone(), gains }
            }
            None => Self {
                packed: CompactForest::new(n_classes),
                alphas: Vec::new(),
                gains: ImportanceSums::new(n_columns),
            },
        })
    }
}
