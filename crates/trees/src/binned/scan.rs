//! Split candidates of one column at one node, from its histogram.
//!
//! Growth without bins scans the rows of a node in the order of a column (the exact scan). This scan treats a
//! bin as the exact scan treats a distinct value. Its cost is therefore linear in the number of bins that
//! contain rows, not in the number of rows. If every bin contains one distinct value, the scores equal those
//! of the exact scan. A split is identified by the first bin above its threshold.

use crate::binned::bin_edges::BinEdges;
use crate::binned::by_rows::RowMajorColumn;
use crate::binned::class_histogram::ClassHistogram;
use crate::rows::class_codes::ClassCodes;
use crate::rows::class_sums::ClassSums;
use crate::rows::weighting::Weighting;
use crate::settings::SplitFeature;
use crate::split::nominal_scan::{LevelRun, NominalColumn};
use crate::split::split_candidate::SplitCandidate;
use crate::split::split_scanner::{ColumnClassSums, FeasibleThresholds, SplitScanner};
use imbcore_criteria::NodeScorer;
use std::ops::Range;

impl<N: NodeScorer, W: Weighting> SplitScanner<'_, N, W> {
    pub(crate) fn best_histogram_split(
        &mut self,
        feature: SplitFeature,
        column: &RowMajorColumn,
        table: &ClassHistogram,
    ) -> Option<SplitCandidate> {
        let (training, weigh) = (self.training, self.weigh);
        let n_bins = column.n_bins;
        let sum = |bins: &mut dyn Iterator<Item = usize>| {
            let mut sums = ClassSums::zero(training.n_classes());
            bins.for_each(|bin| table.add_bin_to_sums(bin, &mut sums));
            weigh.compute_masses_from_counts(&mut sums);
            sums
        };
        let known = || table.occupied_bins().take_while(|&bin| bin < n_bins);
        let part = self.column_class_sums(feature.column as usize, sum(&mut std::iter::once(n_bins)), || {
            sum(&mut known())
        });
        if let Some(edges) = &column.edges {
            return self.best_column_split(&part, true, |scanner, best| {
                scanner.score_bin_thresholds(table, edges, &part, best);
            });
        }
        let level = |bin: usize| LevelRun { code: bin as u32, places: bin..bin + 1 };
        let present: Vec<LevelRun> = known().map(level).collect();
        let add = |sums: &mut ClassSums, places: Range<usize>| table.add_bin_to_sums(places.start, sums);
        let classes = |places: Range<usize>| {
            (0..)
                .zip(table.class_counts(places.start))
                .filter(|cell| *cell.1 > 0)
                .map(|cell| cell.0)
                .collect()
        };
        let (levels, dummy, present) = (n_bins as u32, feature.level, &present[..]);
        let column = NominalColumn { levels, dummy, present, add: &add, classes: &classes };
        self.best_column_split(&part, false, |scanner, best| scanner.best_nominal_split(&column, &part, best))
    }

    fn score_bin_thresholds(
        &mut self,
        table: &ClassHistogram,
        edges: &BinEdges,
        part: &ColumnClassSums<'_>,
        best: &mut Option<SplitCandidate>,
    ) {
        let n_bins = edges.len();
        let add = |sums: &mut ClassSums, bin: usize| {
            table.add_bin_to_sums(bin, sums);
            n_bin_rows(table, bin)
        };
        let least = self.numeric_min_mass(part);
        let sides = self.feasible_thresholds_by_side(part, |branch, extra| match branch {
            0 => self.n_rows_needed((0..n_bins).filter(|&bin| table.contains_rows(bin)), add, extra, least),
            _ => self.n_rows_needed(
                (0..n_bins).rev().filter(|&bin| table.contains_rows(bin)),
                add,
                extra,
                least,
            ),
        });
        let gap = self.settings.min_value_difference;
        let is_cut = |below: usize, above: usize| edges.low[above] > edges.high[below] + gap;
        if self.needs_threshold_count() {
            self.count_feasible_thresholds(table, n_bins, is_cut, &sides);
        }
        let every_cut = self.scores_all_thresholds(part.column);
        let ClassCodes { frequent, has_frequent, .. } = self.training.codes;
        let is_rare = |(class, &rows): (usize, &u32)| rows > 0 && !(has_frequent && class == frequent);
        let known = table.occupied_bins().take_while(|&bin| bin < n_bins);
        self.left.reset();
        // If branches have minimum sizes, the first or last feasible threshold can be the best one, even if
        // the bins next to this threshold contain only rows of the most frequent class.
        let is_outermost = |cuts: [usize; 3]| {
            sides.iter().filter(|side| side.limited).any(|side| {
                let [before, here, after] = cuts.map(|cut| side.feasible.contains(&cut));
                here && !(before && after)
            })
        };
        let mut before: Option<ScannedBin> = None;
        let mut consider = |scanner: &mut Self, here: ScannedBin, n_rows: usize| {
            if let Some(below) = before.replace(here) {
                let cuts = [below.n_left, here.n_left, here.n_left + n_rows];
                if (here.rare || below.rare || every_cut || is_outermost(cuts)) && is_cut(below.bin, here.bin)
                {
                    scanner.score_threshold(here.bin, here.n_left, &sides, part, best);
                }
            }
        };
        if W::BY_COUNT && self.training.table.n_classes == 2 {
            let mut left = [0; 2];
            for bin in known {
                let rows = [table.class_counts(bin)[0], table.class_counts(bin)[1]];
                self.left.rows.copy_from_slice(&left);
                let here =
                    ScannedBin { bin, rare: rows[1 - frequent] > 0, n_left: (left[0] + left[1]) as usize };
                consider(self, here, (rows[0] + rows[1]) as usize);
                left = [left[0] + rows[0], left[1] + rows[1]];
            }
            return;
        }
        let mut n_left = 0;
        for bin in known {
            let rare = table.class_counts(bin).iter().enumerate().any(is_rare);
            consider(self, ScannedBin { bin, rare, n_left }, n_bin_rows(table, bin));
            n_left += add(&mut self.left, bin);
        }
    }

    /// Counts the feasible thresholds; C4.5 corrects the gain of the column by this number.
    fn count_feasible_thresholds(
        &mut self,
        table: &ClassHistogram,
        n_bins: usize,
        is_cut: impl Fn(usize, usize) -> bool,
        sides: &[FeasibleThresholds],
    ) {
        let (mut n_left, mut before) = (0, None);
        for bin in table.occupied_bins().take_while(|&bin| bin < n_bins) {
            let feasible = sides.iter().any(|side| side.feasible.contains(&n_left));
            self.n_cuts += usize::from(feasible && before.is_some_and(|below| is_cut(below, bin)));
            n_left += n_bin_rows(table, bin);
            before = Some(bin);
        }
    }
}

#[derive(Clone, Copy)]
struct ScannedBin {
    bin: usize,
    rare: bool,
    n_left: usize,
}

fn n_bin_rows(table: &ClassHistogram, bin: usize) -> usize {
    table.class_counts(bin).iter().sum::<u32>() as usize
}
