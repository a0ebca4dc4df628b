//! Hellinger distance between the branch distributions of two classes.
//!
//! Cieslak and Chawla 2008; Hoens et al. 2012, eq. 1.

use crate::criterion::{BranchMasses, Criterion, DataProperties, METHOD, NodeScorer};
use crate::mc_hellinger::{Bipartitions, hellinger_term};
use crate::threshold_scorer::{BipartitionCriterion, ThresholdScorer};
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Squared Hellinger distance `sum_b (sqrt(p_b|1) - sqrt(p_b|0))^2`, in [0, 2].
///
/// `p_b|k` is the fraction of the mass of class `k` that goes to branch `b`. With two classes the distance
/// does not depend on class weights. With more classes it is the maximum over all bipartitions of the classes
/// into two groups (Hoens et al. 2012, algorithm 1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hellinger {}

/// Scorer of the splits of one node for [`Hellinger`].
#[derive(Debug)]
pub enum HellingerNodeScorer {
    /// At most one class has mass; all splits score 0.
    Pure,
    /// Two classes have mass.
    Two {
        /// Codes of the two classes.
        classes: [usize; 2],
        /// Masses of the two classes.
        totals: [f64; 2],
        /// Factor of the squared distance in the score: 1, or `sqrt(p_0 p_1) / 2` for [`crate::Dkm`].
        scale: f64,
    },
    /// Three or more classes have mass.
    More(Bipartitions),
}

impl Criterion for Hellinger {
    type Node = HellingerNodeScorer;

    fn node_scorer(&self, totals: &[f64]) -> HellingerNodeScorer {
        HellingerNodeScorer::new(totals, 1.0)
    }

    fn compares_two_class_groups(&self) -> bool {
        true
    }

    /// Geometric mean `sqrt(n_0 n_1)` of the masses of two classes or groups of classes.
    ///
    /// The split separates these two classes or groups. With this weight, the scores of the splits of a tree
    /// can be added: a split with the score `H^2` decreases the affinity `sum_l sqrt(n_l0 n_l1)` over the
    /// leaves `l` by `sqrt(n_0 n_1) H^2 / 2`. An empty `group` stands for all classes except the lowest class
    /// with mass.
    fn node_comparison_weight(&self, totals: &[f64], group: &[u32]) -> f64 {
        let mut inside = vec![group.is_empty(); totals.len()];
        for &class in group {
            inside[class as usize] = true;
        }
        if let Some(lowest) = totals.iter().position(|&mass| mass > 0.0)
            && group.is_empty()
        {
            inside[lowest] = false;
        }
        let mut sides = [0.0; 2];
        for (inside, mass) in inside.into_iter().zip(totals) {
            sides[usize::from(inside)] += mass;
        }
        (sides[0] * sides[1]).sqrt()
    }

    fn check(&self, facts: DataProperties) -> Result<()> {
        if facts.multiway && facts.n_classes > Bipartitions::MOST_CLASSES_OF_A_MULTIWAY_SPLIT {
            let expected = "\"ovr\" with the Hellinger distance and more than 16 classes, because a multiway \
                            split would need all 2^(c-1) - 1 bipartitions";
            return Err(Error::parameter(METHOD, "categorical_split", expected, "\"multiway\""));
        }
        Ok(())
    }
}

impl HellingerNodeScorer {
    /// With two classes, scores are `scale` times the squared distance.
    pub(crate) fn new(totals: &[f64], scale: f64) -> Self {
        let mut live = totals.iter().enumerate().filter(|&(_, &mass)| mass > 0.0);
        match (live.next(), live.next(), live.next()) {
            (Some((a, &n_a)), Some((b, &n_b)), None) => {
                Self::Two { classes: [a, b], totals: [n_a, n_b], scale }
            }
            (_, _, Some(_)) => Self::More(Bipartitions::new(totals)),
            _ => Self::Pure,
        }
    }
}

impl NodeScorer for HellingerNodeScorer {
    #[inline]
    fn score(&mut self, branches: BranchMasses<'_>) -> f64 {
        match self {
            Self::Pure => 0.0,
            Self::Two { classes: [a, b], totals: [n_a, n_b], scale } => {
                let of_branch = |branch: &[f64]| hellinger_term(branch[*a], *n_a, branch[*b], *n_b);
                *scale * branches.iter_branches().map(of_branch).sum::<f64>()
            }
            Self::More(bipartitions) => bipartitions.score(branches),
        }
    }

    fn threshold_scorer(&self, rows: Option<&[u32]>) -> Option<ThresholdScorer> {
        match self {
            Self::More(bipartitions) => Some(ThresholdScorer::for_bipartitions(
                BipartitionCriterion::Hellinger,
                bipartitions.node_class_masses(),
                rows,
            )),
            _ => None,
        }
    }

    fn last_split_class_group(&self) -> Vec<u32> {
        match self {
            Self::Pure => Vec::new(),
            Self::Two { classes: [_, higher], .. } => vec![*higher as u32],
            Self::More(bipartitions) => bipartitions.best_class_group(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_split_has_distance_two_and_a_useless_one_zero() {
        let mut node = Hellinger {}.node_scorer(&[30.0, 6.0]);
        assert_eq!(node.score(BranchMasses::new(&[30.0, 0.0, 0.0, 6.0], 2)), 2.0);
        assert_eq!(node.score(BranchMasses::new(&[10.0, 2.0, 20.0, 4.0], 2)), 0.0);
    }

    #[test]
    fn weighted_distances_are_falls_of_the_affinity() {
        let affinity = |a: f64, b: f64| (a * b).sqrt();
        let table = [20.0, 1.0, 10.0, 5.0];
        let score = Hellinger {}.node_scorer(&[30.0, 6.0]).score(BranchMasses::new(&table, 2));
        let fall = affinity(30.0, 6.0) - affinity(20.0, 1.0) - affinity(10.0, 5.0);
        assert!((Hellinger {}.node_comparison_weight(&[30.0, 6.0], &[]) * score / 2.0 - fall).abs() < 1e-14);

        let (totals, table) = ([10.0, 2.0, 30.0, 5.0], [1.0, 2.0, 2.0, 4.0, 9.0, 0.0, 28.0, 1.0]);
        let mut node = Hellinger {}.node_scorer(&totals);
        let score = node.score(BranchMasses::new(&table, 4));
        assert_eq!(node.last_split_class_group(), [1]);
        let fall = affinity(45.0, 2.0) - affinity(7.0, 2.0) - affinity(38.0, 0.0);
        assert!(
            (Hellinger {}.node_comparison_weight(&totals, &node.last_split_class_group()) * score / 2.0
                - fall)
                .abs()
                < 1e-13
        );
    }

    #[test]
    fn class_weights_do_not_move_the_two_class_distance() {
        let plain =
            Hellinger {}.node_scorer(&[30.0, 6.0]).score(BranchMasses::new(&[20.0, 1.0, 10.0, 5.0], 2));
        let heavy =
            Hellinger {}.node_scorer(&[30.0, 48.0]).score(BranchMasses::new(&[20.0, 8.0, 10.0, 40.0], 2));
        assert!((plain - heavy).abs() < 1e-15);
    }
}
