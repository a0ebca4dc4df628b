//! Best split of a node over all columns.
//!
//! Columns are scanned in parallel if that pays off. The winner is then determined in column order: the first
//! column wins ties, for any number of threads.

use crate::binned::{ClassHistogram, RowMajorColumn};
use crate::params::CategoricalSplit;
use crate::rows::entry::{Entry, TrainColumn};
use crate::rows::ranks::ClassifiedRows;
use crate::rows::training::TreeSample;
use crate::rows::weigh::{AnyWeighting, Weighting};
use crate::settings::{PARALLEL_WORK, Settings, SplitFeature};
use crate::split::candidate::{NodeSplit, SplitCandidate, SplitRuns, beats};
use crate::split::scanner::{NodeStats, SplitScanner};
use imbcore_core::{Result, RunContext, share};
use imbcore_criteria::{Criterion, NodeScorer, SelectionRule};
use std::borrow::Cow;

/// Inputs of the search at one node, apart from the criterion.
#[derive(Clone, Copy)]
pub(crate) struct NodeSearch<'s> {
    pub(crate) training: &'s TreeSample<'s>,
    pub(crate) settings: &'s Settings,
    pub(crate) weights: AnyWeighting<'s>,
    pub(crate) node: NodeStats<'s>,
    pub(crate) ctl: RunContext<'s>,
}

/// Rows of a node in the form needed by the scan of one column.
pub(crate) enum ColumnRows<'r> {
    /// Sorted by the column.
    Sorted(Cow<'r, [Entry]>),
    /// Rarer classes separately, for a column that [`SplitScanner::can_count`].
    Ranked(&'r ClassifiedRows<'r>),
    /// Rows in any order, in two lists, for a column with random thresholds.
    AsTheyCome([&'r [Entry]; 2]),
    /// Histogram.
    Binned(&'r RowMajorColumn, &'r ClassHistogram),
}

/// Source of a node's rows.
pub(crate) trait NodeColumns: Sync {
    /// Returns the rows for one column; `can_count` indicates that ranks are sufficient.
    fn column(&self, search: &NodeSearch<'_>, column: usize, can_count: bool) -> Result<ColumnRows<'_>>;
}

/// Criterion that finds splits.
///
/// Scans are monomorphized for each scorer and weighting. Tree growth uses only this trait, and is compiled once.
/// There is one virtual call per node, none per row.
pub(crate) trait SplitFinder: Sync {
    /// Returns the best split of a node among `features`; the first wins ties.
    fn find(
        &self,
        search: NodeSearch<'_>,
        features: &[SplitFeature],
        columns: &dyn NodeColumns,
    ) -> Result<Option<NodeSplit>>;

    /// Same as [`Criterion::weight`].
    fn weight_of(&self, totals: &[f64], group: &[u32]) -> f64;

    /// Same as [`Criterion::has_groups`].
    fn keeps_groups(&self) -> bool;

    /// Same as [`Criterion::needs_all_classes`].
    fn needs_all_classes(&self) -> bool;
}

impl<C: Criterion> SplitFinder for C {
    fn find(
        &self,
        search: NodeSearch<'_>,
        features: &[SplitFeature],
        columns: &dyn NodeColumns,
    ) -> Result<Option<NodeSplit>> {
        let found = match search.weights {
            AnyWeighting::ByClass(weigh) => scan_all(self, weigh, search, features, columns),
            AnyWeighting::ByRow(weigh) => scan_all(self, weigh, search, features, columns),
        }?;
        Ok(search.choose_split(self.choice(), found))
    }

    fn weight_of(&self, totals: &[f64], group: &[u32]) -> f64 {
        self.weight(totals, group)
    }

    fn keeps_groups(&self) -> bool {
        self.has_groups()
    }

    fn needs_all_classes(&self) -> bool {
        Criterion::needs_all_classes(self)
    }
}

/// Returns the best candidate of every feature that has one, in their order.
fn scan_all<N: NodeScorer, W: Weighting>(
    criterion: &dyn Criterion<Node = N>,
    weigh: W,
    search: NodeSearch<'_>,
    features: &[SplitFeature],
    columns: &dyn NodeColumns,
) -> Result<Vec<SplitCandidate>> {
    let NodeSearch { training, settings, node, ctl, .. } = search;
    scan_parallel(search, features, &|features| {
        let mut scanner = SplitScanner::new(training, settings, criterion, weigh, node);
        let mut found = Vec::with_capacity(features.len());
        for &feature in features {
            ctl.check()?;
            let column = feature.column as usize;
            found.extend(match columns.column(&search, column, scanner.can_count(column))? {
                ColumnRows::Sorted(order) => scanner.best(feature, &order),
                ColumnRows::Ranked(rows) => scanner.best_counted_split(column, rows, ctl)?,
                ColumnRows::AsTheyCome(rows) => scanner.best_random_split(column, rows),
                ColumnRows::Binned(column, table) => scanner.best_histogram_split(feature, column, table),
            });
        }
        Ok(found)
    })
}

/// Scans the features in parallel if that pays off, otherwise by one call of `scan`.
fn scan_parallel(
    search: NodeSearch<'_>,
    features: &[SplitFeature],
    scan: &(dyn Fn(&[SplitFeature]) -> Result<Vec<SplitCandidate>> + Sync),
) -> Result<Vec<SplitCandidate>> {
    let work = search.node.sums.n_rows() as usize * features.len();
    if work < search.ctl.grain(PARALLEL_WORK) {
        return scan(features);
    }
    Ok(share::try_map(features.chunks(1), scan)?.concat())
}

impl NodeSearch<'_> {
    /// Returns the split of a node, if it is good enough.
    fn choose_split(&self, choice: SelectionRule, found: Vec<SplitCandidate>) -> Option<NodeSplit> {
        let Self { training, settings, node, .. } = *self;
        let winner = match choice {
            SelectionRule::Score => largest_score(found),
            SelectionRule::Ratio { penalty, average } => {
                let total = node.sums.total_mass();
                // A level with a dummy column of its own counts as a number, 0 or 1.
                let dummies = |levels| settings.nominal_of(levels) == CategoricalSplit::Dummy;
                let levels = |candidate: &SplitCandidate| match training.table.columns[candidate.column] {
                    TrainColumn::Nominal { levels, .. } if !dummies(levels) => Some(levels),
                    _ => None,
                };
                largest_ratio(found, total, training.n_rows, levels, penalty, average)
            }
        };
        winner
            .filter(|winner| {
                winner.score >= settings.min_split_gain
                    && (winner.score > 0.0 || settings.allow_zero_gain_splits)
            })
            .map(|winner| NodeSplit {
                column: winner.column,
                gain: winner.score,
                found: winner.found,
                missing_branch: winner.missing_branch,
                group: winner.group,
            })
    }
}

fn largest_score(found: Vec<SplitCandidate>) -> Option<SplitCandidate> {
    found.into_iter().reduce(|best, next| if beats(next.score, best.score) { next } else { best })
}

/// C4.5's choice among the columns of a node of mass `total`.
/// The winner's score becomes its gain ratio. `levels` returns the number of levels of a nominal column. With
/// `average`, only gains of at least the mean compete. A numeric column without gain has no threshold to offer and
/// is excluded from the mean; a nominal one always has its levels (Quinlan 1993).
fn largest_ratio(
    mut found: Vec<SplitCandidate>,
    total: f64,
    n_rows: usize,
    levels: impl Fn(&SplitCandidate) -> Option<u32>,
    penalty: bool,
    average: bool,
) -> Option<SplitCandidate> {
    if penalty {
        for candidate in found.iter_mut().filter(|candidate| matches!(candidate.found, SplitRuns::Below(_))) {
            candidate.score -= (candidate.n_cuts.max(1) as f64).log2() / total;
        }
    }
    found.retain(|candidate| candidate.score > 0.0 || levels(candidate).is_some());
    let has_many =
        |c: &SplitCandidate| levels(c).is_some_and(|levels| f64::from(levels) >= 0.3 * n_rows as f64);
    let threshold = if average { mean_gain(&found, has_many) - 1e-3 } else { 0.0 };
    let ratio = |candidate: &SplitCandidate| {
        if candidate.info > 0.0 { candidate.score / candidate.info } else { 0.0 }
    };
    let mut winner: Option<SplitCandidate> = None;
    for mut candidate in found.into_iter().filter(|candidate| candidate.score >= threshold) {
        candidate.score = ratio(&candidate);
        if candidate.score > 0.0 && winner.as_ref().is_none_or(|best| beats(candidate.score, best.score)) {
            winner = Some(candidate);
        }
    }
    winner
}

/// Mean gain of the columns.
/// Excludes those with very many levels (30 % of all rows), which would distort it.
fn mean_gain(found: &[SplitCandidate], has_many: impl Fn(&SplitCandidate) -> bool) -> f64 {
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
