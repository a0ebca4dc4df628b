//! The best split of a node over all columns.

use crate::scan::{Candidate, Found, Scanner, beats};
use crate::settings::Settings;
use crate::sums::{ClassSums, Weigh};
use crate::training::{Entry, TrainColumn, Training, row_of};
use crate::tree::Cut;
use imbcore_base::{Result, RunCtl};
use imbcore_criteria::{Choice, Criterion};
use rayon::prelude::*;
use std::borrow::Cow;

/// A split ready to be carried out.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) column: usize,
    pub(crate) gain: f64,
    pub(crate) found: Found,
    pub(crate) missing_branch: Option<u32>,
}

/// Work (rows times columns) of a node from which its columns are scanned and divided in parallel.
pub(crate) const PARALLEL_WORK: usize = 1 << 17;

/// Searches `columns` (ascending); `order` gives the sorted entries of a column.
#[allow(clippy::too_many_arguments)]
pub(crate) fn best_split<'o, C: Criterion, W: Weigh>(
    training: &Training<'_>,
    settings: &Settings,
    criterion: &C,
    weigh: W,
    node: &ClassSums,
    columns: &[u32],
    order: impl Fn(usize) -> Result<Cow<'o, [Entry]>> + Sync,
    ctl: RunCtl<'_>,
) -> Result<Option<Split>> {
    let scanner = || Scanner::new(training, settings, criterion, weigh, node);
    let scan = |scanner: &mut Scanner<'_, C, W>, column: u32| {
        ctl.check()?;
        Ok(scanner.best(column as usize, &order(column as usize)?))
    };
    let parallel = node.n_rows() as usize * columns.len() >= PARALLEL_WORK;
    let found: Vec<Option<Candidate>> = if parallel {
        columns
            .par_iter()
            .map_init(scanner, |scanner, &column| scan(scanner, column))
            .collect::<Result<_>>()?
    } else {
        let mut scanner = scanner();
        columns.iter().map(|&column| scan(&mut scanner, column)).collect::<Result<_>>()?
    };
    let found = found.into_iter().flatten().collect();
    let winner = match criterion.choice() {
        Choice::Score => largest_score(found),
        Choice::Ratio { penalty, average } => largest_ratio(found, training, node, penalty, average),
    };
    Ok(winner
        .filter(|winner| winner.score >= settings.min_gain && (winner.score > 0.0 || settings.zero_gain))
        .map(|winner| Split {
            column: winner.column,
            gain: winner.score,
            found: winner.found,
            missing_branch: winner.missing_branch,
        }))
}

fn largest_score(found: Vec<Candidate>) -> Option<Candidate> {
    found.into_iter().reduce(|best, next| if beats(next.score, best.score) { next } else { best })
}

/// C4.5's choice; the winner's score becomes its gain ratio.
fn largest_ratio(
    mut found: Vec<Candidate>,
    training: &Training<'_>,
    node: &ClassSums,
    penalty: bool,
    average: bool,
) -> Option<Candidate> {
    let total = node.total_mass();
    if penalty {
        for candidate in found.iter_mut().filter(|candidate| matches!(candidate.found, Found::Below(_))) {
            candidate.score -= (candidate.n_cuts.max(1) as f64).log2() / total;
        }
    }
    found.retain(|candidate| candidate.score > 0.0);
    let threshold = if average { mean_gain(&found, training) - 1e-3 } else { 0.0 };
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
fn mean_gain(found: &[Candidate], training: &Training<'_>) -> f64 {
    let many = |candidate: &&Candidate| match training.columns[candidate.column] {
        TrainColumn::Nominal { levels, .. } => f64::from(levels) >= 0.3 * training.entries.len() as f64,
        TrainColumn::Numeric(_) => false,
    };
    let (sum, count) =
        found.iter().filter(|c| !many(c)).fold((0.0, 0.0), |(sum, count), c| (sum + c.score, count + 1.0));
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
            (Found::EachLevel, _) => Cut::EachLevel,
            _ => Cut::Known,
        }
    }

    /// Number of branches.
    pub(crate) fn n_branches(&self, training: &Training<'_>) -> usize {
        match (&self.found, &training.columns[self.column]) {
            (Found::EachLevel, TrainColumn::Nominal { levels, .. }) => *levels as usize,
            _ => 2,
        }
    }

    /// Runs of the sorted entries and the branch each goes to; rows without a value come last, apart.
    pub(crate) fn runs(
        &self,
        training: &Training<'_>,
        order: &[Entry],
        n_known: usize,
    ) -> Vec<(std::ops::Range<usize>, usize)> {
        match (&self.found, &training.columns[self.column]) {
            (Found::Below(n_left), _) => vec![(0..*n_left, 0), (*n_left..n_known, 1)],
            (Found::IsLevel(range), _) => {
                vec![(0..range.start, 1), (range.clone(), 0), (range.end..n_known, 1)]
            }
            (Found::EachLevel, TrainColumn::Nominal { codes, .. }) => {
                let mut start = 0;
                order[..n_known]
                    .chunk_by(|&a, &b| codes[row_of(a)] == codes[row_of(b)])
                    .map(|group| {
                        let run = start..start + group.len();
                        start = run.end;
                        (run, codes[row_of(group[0])] as usize)
                    })
                    .collect()
            }
            _ => vec![(0..n_known, 0)],
        }
    }
}

/// Half way between two neighbouring values, and the lower one where that rounds up to the upper.
fn midpoint(lower: f64, upper: f64) -> f64 {
    let middle = lower + (upper - lower) / 2.0;
    if middle >= upper { lower } else { middle }
}

#[cfg(test)]
mod tests {
    use super::midpoint;

    #[test]
    fn training_rows_fall_on_the_side_they_were_counted_on() {
        let pairs = [(1.0, 1.0_f64.next_up()), (f64::MIN, f64::MAX), (-1.0, 2.0), (0.0, 5e-324)];
        for (lower, upper) in pairs {
            let t = midpoint(lower, upper);
            assert!(lower <= t && t < upper);
        }
    }
}
