//! Scores of the families with at most three parents beyond the required ones.
//!
//! These small families are counted in advance. A larger family need not be counted if its bound is not
//! better than the score of a small subset.

use super::family::{FamilyQuery, ReferenceFamilyScorer};
use super::row_groups::RowGroups;
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

/// Scores of a variable with up to three optional parents, and its entropy given them.
///
/// An optional parent is identified by its place: its position, counted from 1, among the allowed parents
/// that are not required. Place 0 stands for no parent.
pub(crate) struct SmallFamilyScores {
    side: usize,
    score: Vec<f64>,
    entropy: Vec<f64>,
}

impl SmallFamilyScores {
    pub(crate) fn score_small_families(
        plain: &ReferenceFamilyScorer<'_>,
        wanted: &FamilyQuery<'_>,
        budget: &SearchBudget<'_>,
    ) -> Result<Self> {
        let side = wanted.others.len() + 1;
        let cells = side * side * side;
        let mut small =
            Self { side, score: vec![f64::NEG_INFINITY; cells], entropy: vec![f64::INFINITY; cells] };
        let whole = plain.group_rows_by_parents(wanted.child, wanted.required);
        small.score_supersets(plain, wanted, &whole, &mut Vec::new(), budget)?;
        Ok(small)
    }

    fn score_supersets(
        &mut self,
        plain: &ReferenceFamilyScorer<'_>,
        wanted: &FamilyQuery<'_>,
        groups: &RowGroups,
        places: &mut Vec<usize>,
        budget: &SearchBudget<'_>,
    ) -> Result<()> {
        budget.check_limits()?;
        let set = places.iter().fold(wanted.required, |set, &place| set | 1 << wanted.others[place - 1]);
        if set.count_ones() > wanted.max_parents {
            return Ok(());
        }
        let mut counts = Vec::new();
        plain.codes.count_child_states(groups, None, wanted.child, &mut counts);
        let (score, entropy, _) = plain.score_entropy_and_bound(&counts, wanted.child, set);
        let at = self.family_index(places);
        (self.score[at], self.entropy[at]) = (score, entropy);
        if places.len() == 3 {
            return Ok(());
        }
        for place in places.last().map_or(1, |last| last + 1)..self.side {
            let next = plain.split_groups_by_parent(groups, wanted.others[place - 1], wanted.child);
            places.push(place);
            self.score_supersets(plain, wanted, &next, places, budget)?;
            places.pop();
        }
        Ok(())
    }

    fn family_index(&self, places: &[usize]) -> usize {
        places.iter().fold(0, |at, place| at * self.side + place)
    }

    /// Best score of the small parent sets with the optional parent `place`.
    ///
    /// A small parent set consists of the required parents, this parent and at most two parents in `path`.
    pub(crate) fn best_score_with_parent(&self, path: &[usize], place: usize) -> f64 {
        let mut best = self.score[self.family_index(&[place])];
        for (i, &first) in path.iter().enumerate() {
            best = best.max(self.score[self.family_index(&[first, place])]);
            for &second in &path[i + 1..] {
                best = best.max(self.score[self.family_index(&[first, second, place])]);
            }
        }
        best
    }

    /// Minimum entropy of the variable given up to three of `places`, excluding `without`.
    pub(crate) fn min_entropy(&self, places: &[usize], without: usize) -> f64 {
        let mut least = self.entropy[0];
        for (i, &first) in places.iter().enumerate().filter(|&(_, &place)| place != without) {
            least = least.min(self.entropy[self.family_index(&[first])]);
            for (j, &second) in places.iter().enumerate().skip(i + 1).filter(|&(_, &place)| place != without)
            {
                least = least.min(self.entropy[self.family_index(&[first, second])]);
                for &third in places[j + 1..].iter().filter(|&&place| place != without) {
                    least = least.min(self.entropy[self.family_index(&[first, second, third])]);
                }
            }
        }
        least
    }
}
