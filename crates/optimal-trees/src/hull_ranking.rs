//! Probabilities from all trees of a ROC hull.
//!
//! The larger the cost of a false negative is, the more rows the optimal tree of the ROC hull predicts
//! positive. The rank of a row is the number of trees that predict it positive. If the trees are nested, the
//! rank corresponds to the cost of a false negative from which on the row is predicted positive. The
//! probability of a rank is the proportion of positive rows among the training rows with this rank. It is
//! smoothed by one additional row with the proportion of all rows. Proportions that decrease with the rank
//! are pooled (Ayer et al. 1955).

use crate::best_tree::FittedTree;
use imbcore_core::{Dataset, Error, Frame, Result, RunContext};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HullVoteProbabilities {
    positive: u32,
    /// Entry i is the probability of the positive class if i trees predict a row positive.
    ///
    /// The entries do not decrease.
    shares: Vec<f64>,
}

fn count_positive_trees(
    trees: &[FittedTree],
    positive: u32,
    frame: &Frame<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<u32>> {
    let mut ranks = vec![0; frame.n_rows()];
    for tree in trees {
        let leaves = tree.tree.apply(frame, ctl)?;
        for (rank, leaf) in ranks.iter_mut().zip(leaves) {
            *rank += u32::from(tree.labels[leaf as usize] == positive);
        }
    }
    Ok(ranks)
}

impl HullVoteProbabilities {
    pub(crate) fn new(
        trees: &[FittedTree],
        positive: u32,
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let mut mass = vec![[0.0; 2]; trees.len() + 1];
        let mut all = [0.0; 2];
        for (row, rank) in count_positive_trees(trees, positive, data.frame(), ctl)?.into_iter().enumerate() {
            let class = data.class_codes()[row];
            let weight = data.weight(row) * class_weight.map_or(1.0, |weights| weights[class as usize]);
            let kind = usize::from(class == positive);
            mass[rank as usize][kind] += weight;
            all[kind] += weight;
        }
        let prior = all[1] / (all[0] + all[1]);
        Ok(Self {
            positive,
            shares: isotonic_proportions(
                mass.into_iter().map(|[others, hits]| [others + 1.0 - prior, hits + prior]),
            ),
        })
    }

    pub(crate) fn proba(
        &self,
        trees: &[FittedTree],
        frame: &Frame<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let shares = count_positive_trees(trees, self.positive, frame, ctl)?
            .into_iter()
            .map(|rank| self.shares[rank as usize]);
        Ok(shares
            .flat_map(|share| if self.positive == 1 { [1.0 - share, share] } else { [share, 1.0 - share] })
            .collect())
    }

    pub(crate) fn check(self, n_trees: usize) -> Result<Self> {
        let share = |share: &f64| (0.0..=1.0).contains(share);
        let fits = self.positive < 2 && self.shares.len() == n_trees + 1 && self.shares.iter().all(share);
        if fits { Ok(self) } else { Err(Error::damaged("the ranks of its hull have invalid probabilities")) }
    }
}

/// For each pair of weights, the proportion of the second weight, made isotonic.
///
/// Neighboring pairs are pooled until the proportions increase.
fn isotonic_proportions(masses: impl Iterator<Item = [f64; 2]>) -> Vec<f64> {
    let share = |masses: &[f64; 2]| masses[1] / (masses[0] + masses[1]);
    let mut blocks: Vec<([f64; 2], usize)> = Vec::new();
    for mass in masses {
        let mut block = (mass, 1);
        while let Some(last) = blocks.pop_if(|last| share(&last.0) >= share(&block.0)) {
            block = ([last.0[0] + block.0[0], last.0[1] + block.0[1]], last.1 + block.1);
        }
        blocks.push(block);
    }
    blocks.iter().flat_map(|(mass, n)| std::iter::repeat_n(share(mass), *n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooled_proportions_increase() {
        let found = isotonic_proportions([[3.0, 1.0], [1.0, 3.0], [2.0, 2.0], [0.0, 1.0]].into_iter());
        assert_eq!(found, [0.25, 0.625, 0.625, 1.0]);
    }
}
