//! The best split of a node over all columns.

use crate::bits;
use crate::grow::node_rows::Plan;
use crate::rows::sums::Weigh;
use crate::rows::training::{Entry, TrainColumn, Training, row_of};
use crate::settings::{Feature, NominalRule, Settings};
use crate::split::scan::{Candidate, Found, Node, Scanner, beats};
use crate::tree::Cut;
use imbcore_base::{Result, RunCtl, midpoint};
use imbcore_criteria::{Choice, Criterion};
use rayon::prelude::*;
use std::ops::Range;

/// A split ready to be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) column: usize,
    pub(crate) gain: f64,
    pub(crate) found: Found,
    pub(crate) missing_branch: Option<u32>,
    pub(crate) group: Vec<u32>,
}

/// Work (rows times columns) of a node from which its columns are scanned and divided in parallel.
pub const PARALLEL_WORK: usize = 1 << 17;

/// What the search of one node knows.
pub(crate) struct Search<'s, C, W> {
    pub(crate) training: &'s Training<'s>,
    pub(crate) settings: &'s Settings,
    pub(crate) criterion: &'s C,
    pub(crate) weigh: W,
    pub(crate) node: Node<'s>,
    pub(crate) ctl: RunCtl<'s>,
}

impl<C: Criterion, W: Weigh> Search<'_, C, W> {
    /// Searches `features`, each of which `scan` scans; of equals the first wins.
    pub(crate) fn best<'a>(
        &'a self,
        features: &[Feature],
        scan: impl Fn(&mut Scanner<'a, C, W>, Feature) -> Result<Option<Candidate>> + Sync,
    ) -> Result<Option<Split>> {
        let Self { training, settings, criterion, weigh, node, ctl } = *self;
        let scanner = || Scanner::new(training, settings, criterion, weigh, node);
        let scan = |scanner: &mut Scanner<'a, C, W>, feature: Feature| {
            ctl.check()?;
            scan(scanner, feature)
        };
        let parallel = node.sums.n_rows() as usize * features.len() >= ctl.grain(PARALLEL_WORK);
        let found: Vec<Option<Candidate>> = if parallel {
            features
                .par_iter()
                .map_init(scanner, |scanner, &feature| scan(scanner, feature))
                .collect::<Result<_>>()?
        } else {
            let mut scanner = scanner();
            features.iter().map(|&feature| scan(&mut scanner, feature)).collect::<Result<_>>()?
        };
        let found = found.into_iter().flatten().collect();
        let winner = match criterion.choice() {
            Choice::Score => largest_score(found),
            Choice::Ratio { penalty, average } => {
                let total = node.sums.total_mass();
                // A level that is a column of its own is a number, 0 or 1.
                let dummies = settings.nominal == NominalRule::Dummy;
                let levels = |candidate: &Candidate| match training.columns[candidate.column] {
                    TrainColumn::Nominal { levels, .. } if !dummies => Some(levels),
                    _ => None,
                };
                largest_ratio(found, total, training.n_rows, levels, penalty, average)
            }
        };
        Ok(winner
            .filter(|winner| winner.score >= settings.min_gain && (winner.score > 0.0 || settings.zero_gain))
            .map(|winner| Split {
                column: winner.column,
                gain: winner.score,
                found: winner.found,
                missing_branch: winner.missing_branch,
                group: winner.group,
            }))
    }
}

fn largest_score(found: Vec<Candidate>) -> Option<Candidate> {
    found.into_iter().reduce(|best, next| if beats(next.score, best.score) { next } else { best })
}

/// C4.5's choice among the columns of a node of mass `total`, of which `levels` tells the levels if they are nominal;
/// the winner's score becomes its gain ratio. With `average` only gains that reach the mean compete. A numeric column
/// without gain has no cut to offer and stays out of the mean; a nominal one always has its levels (Quinlan 1993).
fn largest_ratio(
    mut found: Vec<Candidate>,
    total: f64,
    n_rows: usize,
    levels: impl Fn(&Candidate) -> Option<u32>,
    penalty: bool,
    average: bool,
) -> Option<Candidate> {
    if penalty {
        for candidate in found.iter_mut().filter(|candidate| matches!(candidate.found, Found::Below(_))) {
            candidate.score -= (candidate.n_cuts.max(1) as f64).log2() / total;
        }
    }
    found.retain(|candidate| candidate.score > 0.0 || levels(candidate).is_some());
    let has_many = |c: &Candidate| levels(c).is_some_and(|levels| f64::from(levels) >= 0.3 * n_rows as f64);
    let threshold = if average { mean_gain(&found, has_many) - 1e-3 } else { 0.0 };
    let ratio = |candidate: &Candidate| {
        if candidate.info > 0.0 { candidate.score / candidate.info } else { 0.0 }
    };
    let mut winner: Option<Candidate> = None;
    for mut candidate in found.into_iter().filter(|candidate| candidate.score >= threshold) {
        candidate.score = ratio(&candidate);
        if candidate.score > 0.0 && winner.as_ref().is_none_or(|best| beats(candidate.score, best.score)) {
            winner = Some(candidate);
        }
    }
    winner
}

/// Mean gain of the columns; those with very many levels (30 % of all rows) would distort it and stay out.
fn mean_gain(found: &[Candidate], has_many: impl Fn(&Candidate) -> bool) -> f64 {
    let (sum, count) = found
        .iter()
        .filter(|c| !has_many(c))
        .fold((0.0, 0.0), |(sum, count), c| (sum + c.score, count + 1.0));
    if count > 0.0 {
        sum / count
    } else {
        found.iter().map(|c| c.score).sum::<f64>() / found.len().max(1) as f64
    }
}

impl Split {
    /// The node's rule, read off the sorted entries of its column.
    pub(crate) fn cut(&self, training: &Training<'_>, order: &[Entry]) -> Cut {
        match (&self.found, &training.columns[self.column]) {
            (Found::Below(n_left), TrainColumn::Numeric(values)) => {
                let value = |place: usize| values[row_of(order[place])];
                Cut::Below(midpoint(value(n_left - 1), value(*n_left)))
            }
            (Found::IsLevel(range), TrainColumn::Nominal { codes, .. }) => {
                Cut::IsLevel(codes[row_of(order[range.start])])
            }
            (Found::EachLevel(_), _) => Cut::EachLevel,
            // The tree knows where the set lies when it is whole.
            (Found::InLevels(_), _) => Cut::InLevels(0),
            _ => Cut::Known,
        }
    }

    /// The set of levels that goes left, as the tree keeps it; empty for other splits.
    ///
    /// `level_at` tells the level at a place. Levels that no row of the node has go where most rows go, to the right on equality.
    pub(crate) fn level_set(
        &self,
        training: &Training<'_>,
        plan: &Plan,
        level_at: impl Fn(usize) -> u32,
    ) -> Vec<u32> {
        let (Found::InLevels(left), TrainColumn::Nominal { levels, .. }) =
            (&self.found, &training.columns[self.column])
        else {
            return Vec::new();
        };
        let right: Vec<u32> = plan
            .known_runs()
            .filter(|&(_, branch)| branch == 1)
            .map(|(run, _)| level_at(run.start))
            .collect();
        let set = if plan.sums[0].n_rows() > plan.sums[1].n_rows() {
            bits::set((0..*levels).filter(|level| right.binary_search(level).is_err()), *levels)
        } else {
            bits::set(left.iter().copied(), *levels)
        };
        [vec![*levels], set].concat()
    }

    /// Number of branches.
    pub(crate) fn n_branches(&self) -> usize {
        match self.found {
            Found::EachLevel(n_branches) => n_branches,
            _ => 2,
        }
    }

    /// Runs of the places with a value and the branch each goes to; `levels` tells the places of the levels.
    pub(crate) fn runs(
        &self,
        n_known: usize,
        levels: impl Iterator<Item = (Range<usize>, u32)>,
    ) -> Vec<(Range<usize>, usize)> {
        match &self.found {
            Found::Below(n_left) => vec![(0..*n_left, 0), (*n_left..n_known, 1)],
            Found::IsLevel(range) => vec![(0..range.start, 1), (range.clone(), 0), (range.end..n_known, 1)],
            Found::EachLevel(_) => levels.map(|(run, code)| (run, code as usize)).collect(),
            Found::InLevels(left) => {
                let branch = |code| usize::from(left.binary_search(&code).is_err());
                levels.map(|(run, code)| (run, branch(code))).collect()
            }
            // A rank is settled to a number of places before rows are divided.
            Found::Known | Found::Under(_) => vec![(0..n_known, 0)],
        }
    }
}

/// Runs of entries of one level, with the level.
pub(crate) fn level_runs<'r>(
    codes: &'r [u32],
    known: &'r [Entry],
) -> impl Iterator<Item = (Range<usize>, u32)> + 'r {
    let groups = known.chunk_by(|&a, &b| codes[row_of(a)] == codes[row_of(b)]);
    groups.scan(0, |end, group| {
        let start = *end;
        *end += group.len();
        Some((start..*end, codes[row_of(group[0])]))
    })
}
