//! The criterion of Dietterich, Kearns and Mansour (1996), for two classes.

use crate::criterion::{Criterion, DataProperties, METHOD, branch_mass};
use crate::hellinger::HellingerNodeScorer;
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Mean decrease of the impurity `sqrt(p_0 p_1)` by a split, in [0, 1/2].
///
/// `p_0` and `p_1` are the class proportions. The criterion ranks the splits of a node like the Hellinger
/// distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dkm {}

impl Criterion for Dkm {
    type Node = HellingerNodeScorer;

    /// Scorer in the numerically stable form `sqrt(p_0 p_1) H^2 / 2`.
    ///
    /// `H^2` is the squared Hellinger distance.
    fn node_scorer(&self, totals: &[f64]) -> HellingerNodeScorer {
        let total = branch_mass(totals);
        let product: f64 = totals.iter().filter(|&&class| class > 0.0).map(|class| class / total).product();
        HellingerNodeScorer::new(totals, product.sqrt() / 2.0)
    }

    fn check(&self, facts: DataProperties) -> Result<()> {
        if facts.n_classes > 2 {
            let expected = "another criterion than \"dkm\" for more than two classes (\"hellinger\" gives the same \
                            trees for two classes and supports any number)";
            return Err(Error::parameter(METHOD, "criterion", expected, "\"dkm\""));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::{BranchMasses, NodeScorer};

    #[test]
    fn it_equals_the_fall_of_its_impurity() {
        let table = [20.0, 1.0, 10.0, 5.0];
        let impurity = |a: f64, b: f64| (a * b).sqrt() / (a + b);
        let fall =
            impurity(30.0, 6.0) - 21.0 / 36.0 * impurity(20.0, 1.0) - 15.0 / 36.0 * impurity(10.0, 5.0);
        let score = Dkm {}.node_scorer(&[30.0, 6.0]).score(BranchMasses::new(&table, 2));
        assert!((score - fall).abs() < 1e-15);
    }

    #[test]
    fn three_classes_are_refused() {
        assert!(Dkm {}.check(DataProperties { n_classes: 3, multiway: false }).is_err());
    }
}
