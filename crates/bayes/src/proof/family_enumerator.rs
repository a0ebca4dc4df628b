//! Enumeration of the families of a variable that a bound does not exclude, parent by parent.
//!
//! The payments of a family are the sum over the cuts of the multiplier times the cost of the family. The
//! reduced score of a family is its score plus its payments. More parents never increase the payments. The
//! reduced score of every superset of a family is therefore at most the upper bound on the score of supersets
//! plus the payments of the family.
//!
//! A family is skipped if one of its subsets scores at least as much as the upper bound of the family. For
//! penalized likelihoods, there are two more bounds. The gain of a parent is at most the entropy of the
//! parent given some of the other parents. It is also at most the entropy of the child given some of the
//! other parents. If a parent adds a penalty larger than one of these bounds, the family without this parent
//! scores more and pays at least as much. The family is then skipped.

use super::directed::subtract_rounded_down;
use super::family::{
    EnumeratedFamilies, FamilyMemoryBudget, FamilyQuery, ReferenceFamilyScorer, members_of_set,
};
use super::row_groups::RowGroups;
use super::small_families::SmallFamilyScores;
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;

/// Enumerates parent sets of one variable whose first optional parent is given.
///
/// All required parents are in each set. `place` is the position of the first optional parent in the list of
/// optional parents, counted from 0. Only optional parents after this position are added. If `place` is
/// `None`, the only parent set is that of the required parents. `small` has the scores of sets with few
/// parents.
pub(crate) fn enumerate_families(
    plain: &ReferenceFamilyScorer<'_>,
    wanted: &FamilyQuery<'_>,
    small: &SmallFamilyScores,
    place: Option<usize>,
    kept: &FamilyMemoryBudget,
    budget: &SearchBudget<'_>,
) -> Result<EnumeratedFamilies> {
    let groups = plain.group_rows_by_parents(wanted.child, wanted.required);
    let mut counts = Vec::new();
    plain.codes.count_child_states(&groups, None, wanted.child, &mut counts);
    let (score, entropy, _) = plain.score_entropy_and_bound(&counts, wanted.child, wanted.required);
    let looked = EnumeratedFamilies { kept: Vec::new(), most: f64::NEG_INFINITY, counted: 0 };
    let (path, made) = (Vec::new(), vec![groups]);
    let mut walk =
        FamilyEnumerator { plain, wanted, small, path, made, fresh: 0, counts, looked, kept, budget };
    match place {
        None => walk.add_family(wanted.required, score)?,
        Some(place) => {
            walk.visit_with_supersets(
                &ParentSetOnPath { set: wanted.required, entropy, best: score },
                place + 1,
            )?;
        }
    }
    Ok(walk.looked)
}

struct ParentSetOnPath {
    set: u64,
    /// Entropy of the child given this parent set, times the number of rows.
    ///
    /// It is used only if the score is a penalized likelihood.
    entropy: f64,
    /// Best score of this parent set and of those of its subsets that were scored.
    best: f64,
}

struct FamilyEnumerator<'a> {
    plain: &'a ReferenceFamilyScorer<'a>,
    wanted: &'a FamilyQuery<'a>,
    small: &'a SmallFamilyScores,
    /// Optional parents of the current set, in the order in which they were added.
    ///
    /// A parent is given by its position in the list of all optional parents, counted from 1.
    path: Vec<usize>,
    /// Rows grouped by the required parents and the first parents of `path`.
    ///
    /// The entry with index `i` uses the first `i` parents of `path`. Entries after the index `fresh` are out
    /// of date.
    made: Vec<RowGroups>,
    fresh: usize,
    counts: Vec<u32>,
    looked: EnumeratedFamilies,
    kept: &'a FamilyMemoryBudget,
    budget: &'a SearchBudget<'a>,
}

impl FamilyEnumerator<'_> {
    /// Visits the current parent set with one more parent, and supersets of the new set.
    ///
    /// `place` is the position of the new parent in the list of optional parents, from 1.
    fn visit_with_supersets(&mut self, at: &ParentSetOnPath, place: usize) -> Result<()> {
        let (plain, wanted) = (self.plain, self.wanted);
        let v = wanted.others[place - 1];
        let set = at.set | 1 << v;
        if set.count_ones() > wanted.max_parents || self.looked.most > wanted.limit {
            return Ok(());
        }
        // `part` is the best score of this parent together with at most two parents of the path. If the path
        // has fewer than three parents, `set` is one of these small sets. Its own score must not be a reason
        // to skip it.
        let part = if self.path.len() >= 3 {
            self.small.best_score_with_parent(&self.path, place)
        } else {
            f64::NEG_INFINITY
        };
        let best = at.best.max(part);
        let pays = wanted.total_cut_cost(set);
        let least = best.max(subtract_rounded_down(wanted.min_reduced_score, pays));
        if plain.superset_score_bound(wanted.child, set).is_some_and(|ceiling| ceiling <= least) {
            return Ok(());
        }
        self.path.push(place);
        let worth_it = self.can_gain_exceed_penalty(set, at.entropy);
        self.path.pop();
        if !worth_it {
            return Ok(());
        }
        self.budget.check_limits()?;
        self.update_path_groups();
        plain.codes.count_child_states(&self.made[self.fresh], Some(v), wanted.child, &mut self.counts);
        let (score, entropy, ceiling) = plain.score_entropy_and_bound(&self.counts, wanted.child, set);
        self.add_family(set, score)?;
        let next = ParentSetOnPath {
            set,
            entropy,
            best: best.max(score).max(self.small.best_score_with_parent(&self.path, place)),
        };
        if ceiling > next.best.max(subtract_rounded_down(wanted.min_reduced_score, pays)) {
            self.path.push(place);
            for place in place + 1..=wanted.others.len() {
                self.visit_with_supersets(&next, place)?;
            }
            self.path.pop();
            self.fresh = self.fresh.min(self.path.len());
        }
        Ok(())
    }

    /// Whether each optional parent may raise the likelihood by more than its penalty.
    ///
    /// `left` is the entropy of the child given all parents except the last, times the number of rows.
    fn can_gain_exceed_penalty(&self, set: u64, left: f64) -> bool {
        let (plain, wanted) = (self.plain, self.wanted);
        let Some(penalty) = plain.penalty_per_parameter() else { return true };
        let levels = &plain.codes.levels;
        let whole = penalty * plain.n_configurations(set) * f64::from(levels[wanted.child as usize] - 1);
        let last = self.path.last();
        let pays = |place: &usize| {
            let own = wanted.others[place - 1];
            let cost = whole - whole / f64::from(levels[own as usize]);
            let given = members_of_set(set).map(|u| plain.left[own as usize * levels.len() + u as usize]);
            let gain = given.fold(if Some(place) == last { left } else { f64::INFINITY }, f64::min);
            gain > cost && self.small.min_entropy(&self.path, *place) > cost
        };
        self.path.iter().all(pays)
    }

    fn add_family(&mut self, set: u64, score: f64) -> Result<()> {
        if self.looked.add_family(self.wanted, set, score) {
            self.kept.add_families(1)?;
        }
        Ok(())
    }

    fn update_path_groups(&mut self) {
        let (plain, child) = (self.plain, self.wanted.child);
        while self.fresh < self.path.len() {
            if self.made.len() < self.fresh + 2 {
                self.made.push(RowGroups::default());
            }
            let (before, after) = self.made.split_at_mut(self.fresh + 1);
            let mixed = plain.score.penalty_per_parameter().is_some();
            let by = self.wanted.others[self.path[self.fresh] - 1];
            plain.codes.split_groups_by_column(&before[self.fresh], by, child, mixed, &mut after[0]);
            self.fresh += 1;
        }
    }
}
