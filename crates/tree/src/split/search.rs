//! The best split of a node over all columns.
//!
//! Columns are scanned side by side where that pays, and the winner is found afterwards, in their order: of equal scores the
//! first column wins, whatever the number of threads.

use crate::params::NominalRule;
use crate::rows::entry::TrainColumn;
use crate::rows::training::Training;
use crate::rows::weigh::Weigh;
use crate::settings::{Feature, PARALLEL_WORK, Settings};
use crate::split::candidate::{Candidate, FoundSplit, Split, beats};
use crate::split::scanner::{NodeFacts, Scanner};
use imbcore_base::{Result, RunCtl};
use imbcore_criteria::{Choice, Criterion};
use rayon::prelude::*;

/// What the search of one node knows.
pub(crate) struct Search<'s, C, W> {
    pub(crate) training: &'s Training<'s>,
    pub(crate) settings: &'s Settings,
    pub(crate) criterion: &'s C,
    pub(crate) weigh: W,
    pub(crate) node: NodeFacts<'s>,
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
                let levels = |candidate: &Candidate| match training.table.columns[candidate.column] {
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
        for candidate in found.iter_mut().filter(|candidate| matches!(candidate.found, FoundSplit::Below(_)))
        {
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
