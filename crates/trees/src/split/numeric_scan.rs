//! Scan of all thresholds of one column at one node, from its sorted rows.
//!
//! A threshold between two values that occur only in rows of one class is never optimal. The reason is that
//! every criterion is strictly convex (or a maximum of strictly convex functions) in the mass of a class that
//! moves from one side to the other (Fayyad and Irani 1992; Elomaa and Rousu 1999). Therefore, unless every
//! threshold is required, the scan jumps to the next row that is not of the most frequent class. It scores
//! the thresholds before and after all rows with the same value as this row.
//!
//! Loop invariant of `scan_thresholds`: `left` contains the class sums of the first `done` rows with a value.
//! Every threshold up to position `done` that can be optimal has been scored. If branches have minimum sizes,
//! the first and the last feasible threshold can be optimal as well; `forced` contains these thresholds.
//!
//! Let `r` be the number of rows outside the most frequent class. A scan makes one pass over the rows to add
//! them up. Unless every threshold is required, it scores at most `2 r` thresholds, and the forced ones, for
//! each side to which missing values may go.

use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::{FlaggedRow, RARE, TrainColumn, row_of_entry};
use crate::rows::weighting::Weighting;
use crate::settings::SplitFeature;
use crate::split::nominal_scan::{LevelRun, NominalColumn};
use crate::split::scan_key::ScanKeys;
use crate::split::screening::ScanItem;
use crate::split::split_candidate::{SplitCandidate, level_ranges};
use crate::split::split_scanner::{ColumnClassSums, FeasibleThresholds, SplitScanner};
use imbcore_criteria::NodeScorer;
use std::ops::Range;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    /// `order` contains the rows of the node, sorted by the column of the feature.
    pub(crate) fn best_split_of_feature(
        &mut self,
        feature: SplitFeature,
        order: &[FlaggedRow],
    ) -> Option<SplitCandidate> {
        let training = self.training;
        let column = feature.column as usize;
        let values = &training.table.columns[column];
        let n_known = if self.settings.may_miss[column] {
            order.partition_point(|&entry| !values.is_missing(row_of_entry(entry)))
        } else {
            order.len()
        };
        let (known, tail) = order.split_at(n_known);
        let sum = |entries| {
            let mut sums = ClassSums::zero(training.n_classes());
            self.weigh.add_entries(training, &mut sums, entries);
            self.weigh.compute_masses_from_counts(&mut sums);
            sums
        };
        let part = self.column_class_sums(column, sum(tail), || sum(known));
        match values {
            TrainColumn::Numeric(values) => {
                let values = values.strided_values();
                let (spaced, gap) =
                    (self.settings.splitter.n_spaced_thresholds(), self.settings.min_value_difference);
                // Ranks have the same order as values, but differences of ranks are not differences of
                // values. So ranks are used only if there is no minimum value difference.
                let ranks = if gap == 0.0 { training.table.ranks.column_ranks(column) } else { &[] };
                self.best_column_split(&part, true, |scanner, best| match spaced {
                    Some(n) => scanner.score_spaced_thresholds(values, known, n, &part, best),
                    None if ranks.is_empty() => {
                        scanner.scan_thresholds(
                            values,
                            |below, above| above > below + gap,
                            known,
                            &part,
                            best,
                        );
                    }
                    None => scanner.scan_thresholds(ranks, |below, above| above > below, known, &part, best),
                })
            }
            &TrainColumn::Nominal { codes, levels } => {
                let weigh = self.weigh;
                let add = |sums: &mut ClassSums, places| weigh.add_entries(training, sums, &known[places]);
                let classes = |places: Range<usize>| {
                    known[places].iter().map(|&entry| training.class_of(entry)).collect()
                };
                let level = |(places, code)| LevelRun { code, places };
                let present: Vec<LevelRun> = level_ranges(codes, known).map(level).collect();
                let (dummy, present) = (feature.level, &present[..]);
                let column = NominalColumn { levels, dummy, present, add: &add, classes: &classes };
                self.best_column_split(&part, false, |scanner, best| {
                    scanner.best_nominal_split(&column, &part, best);
                })
            }
        }
    }

    /// The closure `parts` returns whether a threshold may separate two neighboring keys.
    fn scan_thresholds<K: PartialEq>(
        &mut self,
        keys: impl ScanKeys<K>,
        parts: impl Fn(K, K) -> bool,
        known: &[FlaggedRow],
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let n = known.len();
        let key = |place: usize| keys.key_of_row(row_of_entry(known[place]));
        let is_cut = |cut: usize| parts(key(cut - 1), key(cut));
        let sides = self.feasible_numeric_thresholds(known, part);
        if self.needs_threshold_count() {
            let feasible = |cut: &usize| sides.iter().any(|side| side.feasible.contains(cut));
            self.n_cuts = (1..n).filter(|cut| feasible(cut) && is_cut(*cut)).count();
        }
        let mut forced = outermost_thresholds(&sides, is_cut).into_iter().peekable();
        self.screen = self.threshold_score_bounds(part, &sides, |pass| {
            for (place, &entry) in known.iter().enumerate() {
                if place > 0 && is_cut(place) {
                    pass(ScanItem::Cut(place));
                }
                let class = self.training.class_of(entry);
                pass(ScanItem::Rows(class, 1, self.weigh.entry_mass(entry, class)));
            }
        });
        let every_cut = self.scores_all_thresholds(part.column);
        self.left.reset();
        let mut done = 0;
        while done < n {
            let (start, end) = if every_cut {
                (done, (done + 1..n).find(|&cut| is_cut(cut)).unwrap_or(n))
            } else {
                match next_rare_position(known, done) {
                    Some(rare) => (equal_key_start(rare, done, key), equal_key_end(rare, n, key)),
                    None => (n, n),
                }
            };
            while let Some(cut) = forced.next_if(|&cut| cut < start) {
                if cut > done {
                    self.add_rows_to_left(&known[done..cut]);
                    done = cut;
                    self.score_threshold(cut, cut, &sides, part, best);
                }
            }
            if start > done && start < n {
                self.add_rows_to_left(&known[done..start]);
                self.score_threshold(start, start, &sides, part, best);
            }
            self.add_rows_to_left(&known[start..end]);
            if end < n {
                self.score_threshold(end, end, &sides, part, best);
            }
            done = end;
        }
    }

    pub(crate) fn feasible_numeric_thresholds(
        &self,
        known: &[FlaggedRow],
        part: &ColumnClassSums<'_>,
    ) -> Vec<FeasibleThresholds> {
        let one = |sums: &mut ClassSums, entry: &FlaggedRow| {
            self.weigh.add_entries(self.training, sums, std::slice::from_ref(entry));
            1
        };
        let least = self.numeric_min_mass(part);
        self.feasible_thresholds_by_side(part, |branch, extra| match branch {
            0 => self.n_rows_needed(known.iter(), one, extra, least),
            _ => self.n_rows_needed(known.iter().rev(), one, extra, least),
        })
    }

    pub(crate) fn add_rows_to_left(&mut self, entries: &[FlaggedRow]) {
        self.weigh.add_entries(self.training, &mut self.left, entries);
    }
}

/// Returns the first and last feasible threshold for each of the `sides`.
///
/// A side is a branch to which missing values may go. It is left out if minimum branch sizes exclude no
/// split. The returned thresholds can be optimal even between rows of the same class.
fn outermost_thresholds(sides: &[FeasibleThresholds], is_cut: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut cuts = Vec::new();
    for side in sides.iter().filter(|side| side.limited) {
        cuts.extend(side.feasible.clone().find(|&cut| is_cut(cut)));
        cuts.extend(side.feasible.clone().rev().find(|&cut| is_cut(cut)));
    }
    cuts.sort_unstable();
    cuts
}

#[inline]
fn next_rare_position(entries: &[FlaggedRow], from: usize) -> Option<usize> {
    let mut place = from;
    for chunk in entries[from..].chunks(16) {
        if chunk.iter().fold(0, |all, entry| all | entry) & RARE != 0 {
            return chunk.iter().position(|entry| entry & RARE != 0).map(|offset| place + offset);
        }
        place += chunk.len();
    }
    None
}

#[inline]
fn equal_key_start<K: PartialEq>(place: usize, floor: usize, key: impl Fn(usize) -> K) -> usize {
    let mut start = place;
    while start > floor && key(start - 1) == key(place) {
        start -= 1;
    }
    start
}

#[inline]
fn equal_key_end<K: PartialEq>(place: usize, n: usize, key: impl Fn(usize) -> K) -> usize {
    let mut end = place + 1;
    while end < n && key(end) == key(place) {
        end += 1;
    }
    end
}
