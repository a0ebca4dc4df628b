//! Best split of a node over all columns.
//!
//! Columns are scanned in parallel if that saves time. Afterwards, the best splits of the columns are
//! compared in the order of the given features. Ties go to the first feature, for any number of threads.

use crate::binned::{ClassHistogram, RowMajorColumn};
use crate::params::CategoricalSplit;
use crate::rows::rank_table::FrequentAndRareRows;
use crate::rows::train_column::{FlaggedRow, TrainColumn};
use crate::rows::training::TreeSample;
use crate::rows::weighting::{AnyWeighting, Weighting};
use crate::settings::{PARALLEL_WORK, Settings, SplitFeature};
use crate::split::split_candidate::{ColumnSplit, NodeSplit, SplitCandidate, is_better};
use crate::split::split_scanner::{NodeStats, SplitScanner};
use imbcore_core::{Result, RunContext, parallel};
use imbcore_criteria::{ColumnSelectionRule, Criterion, NodeScorer};
use std::borrow::Cow;

#[derive(Clone, Copy)]
pub(crate) struct SplitSearchInputs<'s> {
    pub(crate) training: &'s TreeSample<'s>,
    pub(crate) settings: &'s Settings,
    pub(crate) weights: AnyWeighting<'s>,
    pub(crate) node: NodeStats<'s>,
    pub(crate) ctl: RunContext<'s>,
}

pub(crate) enum ColumnRows<'r> {
    Sorted(Cow<'r, [FlaggedRow]>),
    /// Rows in two lists: the rows of the most frequent class, and all other rows.
    ///
    /// This form is used if [`SplitScanner::can_skip_sorting`] returns true.
    Ranked(&'r FrequentAndRareRows<'r>),
    /// Two unordered lists that together contain the rows; for columns with random thresholds.
    Unordered([&'r [FlaggedRow]; 2]),
    Binned(&'r RowMajorColumn, &'r ClassHistogram),
}

pub(crate) trait NodeColumns: Sync {
    /// If `can_count` is true, rows of the most frequent class need not be sorted.
    fn rows_for_column_scan(
        &self,
        search: &SplitSearchInputs<'_>,
        column: usize,
        can_count: bool,
    ) -> Result<ColumnRows<'_>>;
}

/// Criterion that finds the best split of a node.
///
/// The scans are compiled separately for each type of scorer and weighting. The code that grows trees uses
/// only this trait, so it is compiled once. There is one virtual call per node, and none per row.
pub(crate) trait SplitFinder: Sync {
    /// Returns the best split of a node among `features`; ties go to the first feature.
    fn find_split(
        &self,
        search: SplitSearchInputs<'_>,
        features: &[SplitFeature],
        columns: &dyn NodeColumns,
    ) -> Result<Option<NodeSplit>>;

    fn node_comparison_factor(&self, totals: &[f64], group: &[u32]) -> f64;

    fn compares_class_groups(&self) -> bool;

    fn depends_on_absent_classes(&self) -> bool;
}

impl<C: Criterion> SplitFinder for C {
    fn find_split(
        &self,
        search: SplitSearchInputs<'_>,
        features: &[SplitFeature],
        columns: &dyn NodeColumns,
    ) -> Result<Option<NodeSplit>> {
        let found = match search.weights {
            AnyWeighting::ByClass(weigh) => scan_features(self, weigh, search, features, columns),
            AnyWeighting::ByRow(weigh) => scan_features(self, weigh, search, features, columns),
        }?;
        Ok(search.choose_split(self.column_selection_rule(), found))
    }

    fn node_comparison_factor(&self, totals: &[f64], group: &[u32]) -> f64 {
        self.node_comparison_weight(totals, group)
    }

    fn compares_class_groups(&self) -> bool {
        self.compares_two_class_groups()
    }

    fn depends_on_absent_classes(&self) -> bool {
        Criterion::depends_on_absent_classes(self)
    }
}

fn scan_features<N: NodeScorer, W: Weighting>(
    criterion: &dyn Criterion<Node = N>,
    weigh: W,
    search: SplitSearchInputs<'_>,
    features: &[SplitFeature],
    columns: &dyn NodeColumns,
) -> Result<Vec<SplitCandidate>> {
    let SplitSearchInputs { training, settings, node, ctl, .. } = search;
    scan_features_in_parallel(search, features, &|features| {
        let mut scanner = SplitScanner::new(training, settings, criterion, weigh, node);
        let mut found = Vec::with_capacity(features.len());
        for &feature in features {
            ctl.check()?;
            let column = feature.column as usize;
            found.extend(
                match columns.rows_for_column_scan(&search, column, scanner.can_skip_sorting(column))? {
                    ColumnRows::Sorted(order) => scanner.best_split_of_feature(feature, &order),
                    ColumnRows::Ranked(rows) => scanner.best_split_without_sorting(column, rows, ctl)?,
                    ColumnRows::Unordered(rows) => scanner.best_random_split(column, rows),
                    ColumnRows::Binned(column, table) => scanner.best_histogram_split(feature, column, table),
                },
            );
        }
        Ok(found)
    })
}

fn scan_features_in_parallel(
    search: SplitSearchInputs<'_>,
    features: &[SplitFeature],
    scan: &(dyn Fn(&[SplitFeature]) -> Result<Vec<SplitCandidate>> + Sync),
) -> Result<Vec<SplitCandidate>> {
    let work = search.node.sums.n_rows() as usize * features.len();
    if work < search.ctl.task_size(PARALLEL_WORK) {
        return scan(features);
    }
    Ok(parallel::try_map(features.chunks(1), scan)?.concat())
}

impl SplitSearchInputs<'_> {
    fn choose_split(&self, choice: ColumnSelectionRule, found: Vec<SplitCandidate>) -> Option<NodeSplit> {
        let Self { training, settings, node, .. } = *self;
        let winner = match choice {
            ColumnSelectionRule::Score => best_by_score(found),
            ColumnSelectionRule::Ratio { penalty, average } => {
                let total = node.sums.total_mass();
                // A dummy column counts as a numeric column with the values 0 and 1.
                let dummies = |levels| settings.categorical_split_kind(levels) == CategoricalSplit::Dummy;
                let levels = |candidate: &SplitCandidate| match training.table.columns[candidate.column] {
                    TrainColumn::Nominal { levels, .. } if !dummies(levels) => Some(levels),
                    _ => None,
                };
                best_by_gain_ratio(found, total, training.n_rows, levels, penalty, average)
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

fn best_by_score(found: Vec<SplitCandidate>) -> Option<SplitCandidate> {
    found.into_iter().reduce(|best, next| if is_better(next.score, best.score) { next } else { best })
}

/// Chooses the split of a node of mass `total` among the columns, as C4.5 does.
///
/// The gain ratio of the chosen split replaces its score. `levels` returns the number of levels of a nominal
/// column, and `None` for a numeric column. If `penalty` is true, each numeric gain is first reduced by
/// `log2(number of thresholds) / total`.
///
/// If `average` is true, only splits with at least the mean gain minus 1e-3 are compared. Numeric columns
/// without gain do not count in the mean, because they offer no threshold. Nominal columns count even without
/// gain (Quinlan 1993).
fn best_by_gain_ratio(
    mut found: Vec<SplitCandidate>,
    total: f64,
    n_rows: usize,
    levels: impl Fn(&SplitCandidate) -> Option<u32>,
    penalty: bool,
    average: bool,
) -> Option<SplitCandidate> {
    if penalty {
        for candidate in
            found.iter_mut().filter(|candidate| matches!(candidate.found, ColumnSplit::FirstPositions(_)))
        {
            candidate.score -= (candidate.n_cuts.max(1) as f64).log2() / total;
        }
    }
    found.retain(|candidate| candidate.score > 0.0 || levels(candidate).is_some());
    let has_many =
        |c: &SplitCandidate| levels(c).is_some_and(|levels| f64::from(levels) >= 0.3 * n_rows as f64);
    let threshold = if average { mean_gain_of_columns(&found, has_many) - 1e-3 } else { 0.0 };
    let ratio = |candidate: &SplitCandidate| {
        if candidate.info > 0.0 { candidate.score / candidate.info } else { 0.0 }
    };
    let mut winner: Option<SplitCandidate> = None;
    for mut candidate in found.into_iter().filter(|candidate| candidate.score >= threshold) {
        candidate.score = ratio(&candidate);
        if candidate.score > 0.0 && winner.as_ref().is_none_or(|best| is_better(candidate.score, best.score))
        {
            winner = Some(candidate);
        }
    }
    winner
}

/// Leaves out columns with at least 0.3 levels per row, which would distort the mean.
///
/// If all columns have so many levels, the mean is over all columns.
fn mean_gain_of_columns(found: &[SplitCandidate], has_many: impl Fn(&SplitCandidate) -> bool) -> f64 {
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
