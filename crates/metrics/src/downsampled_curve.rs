//! Downsampled threshold curve for plotting.
//!
//! The curve has the exact confusion counts at some of the thresholds. The module also computes a histogram
//! of the scores.

use crate::threshold::midpoint_between;
use crate::threshold_sweep::{ThresholdCounts, ThresholdSweep};

/// Number of recalls, 0.001, 0.002, ..., 1, for each of which a threshold is always kept.
///
/// For each recall, the largest threshold that reaches it is kept.
const RECALLS: u32 = 1000;
/// Maximum number of the largest thresholds that are always kept.
const TOP: usize = 200;

/// Confusion counts at the kept thresholds, and the largest steps between them.
#[derive(Clone, Debug, PartialEq)]
pub struct DownsampledThresholds {
    /// Points in descending order of threshold; the first point has no positive prediction.
    pub points: Vec<ThresholdConfusion>,
    /// Number of thresholds of the full sweep.
    pub of: usize,
    /// Largest weight of rows, and of positive rows, between two neighboring points.
    ///
    /// Only neighbors with dropped thresholds between them are considered.
    pub most_passed: (f64, f64),
    /// Largest relative growth of the positive predictions between two neighboring points.
    ///
    /// It is the weight of the rows between the points, divided by that of the rows predicted positive at the
    /// lower threshold. Only neighbors with dropped thresholds between them are considered.
    pub largest_step: f64,
}

/// Confusion counts at a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThresholdConfusion {
    /// Threshold, midway between two scores, as in [`ThresholdSweep::threshold_for_target`].
    pub threshold: f64,
    /// Weight of the positive rows predicted positive.
    pub tp: f64,
    /// Weight of the negative rows predicted positive.
    pub fp: f64,
    /// Rank of the gap between the scores around the threshold; the narrowest gap has rank 1.
    ///
    /// The first and last point have rank 0. If points have equal values of a metric, the point with the
    /// widest gap is best. If their gaps are also equal, the first point is best (see
    /// [`ThresholdSweep::best_threshold`]).
    pub width: usize,
}

/// Weights of the positive and of the negative rows whose scores lie in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct HistogramBin {
    pub low: f64,
    pub high: f64,
    pub positives: f64,
    pub negatives: f64,
}

impl ThresholdSweep {
    /// Returns about `most` of the thresholds, or all thresholds if there are fewer.
    ///
    /// More thresholds are returned if more must be kept.
    ///
    /// The following thresholds are always kept:
    /// - the thresholds `asked`, and thresholds that are optimal at some ratio of the two error costs;
    /// - the thresholds at the largest scores;
    /// - for each recall in thousandths, the largest threshold that reaches it;
    /// - for each alert rate with two significant digits, the smallest threshold whose alert rate does not
    ///   exceed it.
    ///
    /// The other thresholds have geometrically spaced numbers of positive predictions. `highest` is the
    /// largest possible score.
    pub fn downsample_thresholds(&self, most: usize, asked: &[f64], highest: f64) -> DownsampledThresholds {
        let cuts = self.threshold_counts();
        let is_kept =
            if cuts.len() <= most { vec![true; cuts.len()] } else { self.select_thresholds(most, asked) };
        let kept: Vec<usize> = (0..cuts.len()).filter(|&at| is_kept[at]).collect();
        let top = cuts.first().map_or(highest, |cut| cut.score);
        let none = if top < highest { f64::midpoint(top, highest) } else { f64::INFINITY };
        let mut points = vec![ThresholdConfusion { threshold: none, tp: 0.0, fp: 0.0, width: 0 }];
        points.extend(kept.iter().zip(self.score_gap_ranks(&kept)).map(|(&at, width)| {
            let next = cuts.get(at + 1);
            let threshold =
                next.map_or(f64::NEG_INFINITY, |next| midpoint_between(next.score, cuts[at].score));
            ThresholdConfusion { threshold, tp: cuts[at].tp, fp: cuts[at].fp, width }
        }));
        let (mut most_passed, mut largest_step) = ((0.0_f64, 0.0_f64), 0.0_f64);
        for pair in kept.windows(2).filter(|pair| pair[1] - pair[0] > 1) {
            let (before, here) = (cuts[pair[0]], cuts[pair[1]]);
            let (rows, positives) =
                (predicted_positive_weight(here) - predicted_positive_weight(before), here.tp - before.tp);
            most_passed = (most_passed.0.max(rows), most_passed.1.max(positives));
            largest_step = largest_step.max(rows / predicted_positive_weight(here));
        }
        DownsampledThresholds { points, of: cuts.len(), most_passed, largest_step }
    }

    /// Histogram of the scores with `n` bins of equal width from the lowest to the highest score.
    ///
    /// Bins include their lower end; the last bin also includes its upper end. If all scores are equal, there
    /// is one bin. If there are no scores, there is no bin.
    pub fn histogram(&self, n: usize) -> Vec<HistogramBin> {
        let cuts = self.threshold_counts();
        let ([first, ..], [.., last]) = (cuts, cuts) else { return Vec::new() };
        let (low, high) = (last.score, first.score);
        let n = if low < high { n } else { 1 };
        let width = (high - low) / n as f64;
        let edge = |k: usize| if k == n { high } else { low + k as f64 * width };
        // Weights of the positive and of the negative rows with at least the score `score`.
        let from = |score: f64| {
            let n_above = cuts.partition_point(|cut| cut.score >= score);
            n_above.checked_sub(1).map_or((0.0, 0.0), |last| (cuts[last].tp, cuts[last].fp))
        };
        let bin = |k: usize| {
            let (low, high) = (edge(k), edge(k + 1));
            let (all, above) = (from(low), if k + 1 == n { (0.0, 0.0) } else { from(high) });
            HistogramBin { low, high, positives: all.0 - above.0, negatives: all.1 - above.1 }
        };
        (0..n).map(bin).collect()
    }

    fn select_thresholds(&self, most: usize, asked: &[f64]) -> Vec<bool> {
        let cuts = self.threshold_counts();
        let mut is_kept = vec![false; cuts.len()];
        let mut keep = |at: usize| {
            if let Some(place) = is_kept.get_mut(at) {
                *place = true;
            }
        };
        (0..TOP.min(most / 2)).for_each(&mut keep);
        keep(cuts.len() - 1);
        for at in self.cost_optimal_thresholds(most / 2) {
            keep(at);
        }
        for &threshold in asked {
            let alerts = cuts.partition_point(|cut| cut.score >= threshold);
            alerts.checked_sub(1).into_iter().for_each(&mut keep);
        }
        for part in 1..=RECALLS {
            let least = f64::from(part) / f64::from(RECALLS) * self.positives();
            keep(cuts.partition_point(|cut| cut.tp < least));
        }
        let rows = self.positives() + self.negatives();
        for rate in two_digit_fractions(rows) {
            let within = cuts.partition_point(|cut| predicted_positive_weight(*cut) / rows <= rate);
            within.checked_sub(1).into_iter().for_each(&mut keep);
        }
        let others = most.saturating_sub(is_kept.iter().filter(|&&kept| kept).count());
        let top = TOP as f64;
        for step in 0..others {
            let wanted = top * (rows / top).powf(step as f64 / others as f64);
            let at = cuts.partition_point(|cut| predicted_positive_weight(*cut) < wanted);
            if let Some(place) = is_kept.get_mut(at) {
                *place = true;
            }
        }
        is_kept
    }

    /// Thresholds that are optimal at some ratio of the two error costs.
    ///
    /// These are the vertices of the ROC hull and the points on its slanted edges. If there are more than
    /// `most`, only the vertices are returned.
    fn cost_optimal_thresholds(&self, most: usize) -> Vec<usize> {
        let with_edges = self.roc_hull_thresholds(|cross| cross > 0.0);
        if with_edges.len() <= most { with_edges } else { self.roc_hull_thresholds(|cross| cross >= 0.0) }
    }

    /// Thresholds on the convex hull of the ROC curve.
    ///
    /// A point of the curve is dropped if `leaves` returns true. The argument of `leaves` is the cross
    /// product of two steps: from the previous point to this point, and from this point to the next.
    fn roc_hull_thresholds(&self, leaves: impl Fn(f64) -> bool) -> Vec<usize> {
        let cuts = self.threshold_counts();
        let place = |at: Option<usize>| at.map_or((0.0, 0.0), |at| (cuts[at].fp, cuts[at].tp));
        let mut chain: Vec<Option<usize>> = vec![None];
        for at in 0..cuts.len() {
            while let [.., before, last] = chain[..] {
                let (a, b, c) = (place(before), place(last), place(Some(at)));
                let (first, second) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
                let cross = first.0 * second.1 - first.1 * second.0;
                // On a horizontal or vertical edge of the hull, one end is at least as good as any inner
                // point. Therefore, the inner points are dropped.
                let straight = cross == 0.0 && (first.0 == 0.0 || first.1 == 0.0);
                if !straight && !leaves(cross) {
                    break;
                }
                chain.pop();
            }
            chain.push(Some(at));
        }
        chain.into_iter().flatten().collect()
    }

    /// Rank of the gap between the scores around each kept threshold; equal gaps have equal rank.
    fn score_gap_ranks(&self, kept: &[usize]) -> Vec<usize> {
        let cuts = self.threshold_counts();
        let gap = |&at: &usize| cuts.get(at + 1).map(|next| cuts[at].score - next.score);
        let mut gaps: Vec<f64> = kept.iter().filter_map(gap).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.dedup();
        kept.iter().map(|at| gap(at).map_or(0, |own| 1 + gaps.partition_point(|&gap| gap < own))).collect()
    }
}

fn predicted_positive_weight(cut: ThresholdCounts) -> f64 {
    cut.tp + cut.fp
}

/// All fractions with two significant digits, such as 0.0042, of at least `1 / rows`.
fn two_digit_fractions(rows: f64) -> impl Iterator<Item = f64> {
    let shares = (2..18).flat_map(|digits| (10..100).map(move |two| f64::from(two) / 10_f64.powi(digits)));
    shares.filter(move |share| share * rows >= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Costs, ThresholdTarget};

    fn many(n: usize) -> ThresholdSweep {
        let truth: Vec<u32> =
            (0..n).map(|row| u32::from((row * row + row / 3) % (7 + row / 40) == 0)).collect();
        let scores: Vec<f64> = (0..n).map(|row| 1.0 / (1.5 + row as f64)).collect();
        ThresholdSweep::new(&truth, 1, &scores, None).unwrap()
    }

    fn threshold(sweep: &ThresholdSweep, aim: &ThresholdTarget) -> f64 {
        sweep.threshold_for_target(aim, 1, 1.0).unwrap()
    }

    #[test]
    fn few_cuts_are_all_kept() {
        let sweep = ThresholdSweep::new(&[1, 0, 1, 0], 1, &[0.75, 0.5, 0.5, 0.125], None).unwrap();
        let found = sweep.downsample_thresholds(10, &[], 1.0);
        let point = |threshold, tp, fp, width| ThresholdConfusion { threshold, tp, fp, width };
        let wanted = [
            point(0.875, 0.0, 0.0, 0),
            point(0.625, 1.0, 0.0, 1),
            point(0.3125, 2.0, 1.0, 2),
            point(f64::NEG_INFINITY, 2.0, 2.0, 0),
        ];
        assert_eq!((found.points, found.of), (wanted.to_vec(), 3));
        assert_eq!((found.most_passed, found.largest_step), ((0.0, 0.0), 0.0));
        assert_eq!(sweep.downsample_thresholds(10, &[], 0.75).points[0].threshold, f64::INFINITY);
    }

    #[test]
    fn counts_are_exact_and_targets_are_kept() {
        let sweep = many(20_000);
        let asked = 1.0 / 7001.0;
        let found = sweep.downsample_thresholds(1500, &[asked], 1.0);
        assert!(found.points.len() > 1000 && found.points.len() < 3000, "{}", found.points.len());
        for point in &found.points {
            let counts = sweep.counts_at_threshold(point.threshold);
            assert_eq!((counts.tp, counts.fp), (point.tp, point.fp));
        }
        let has = |at: f64| found.points.iter().any(|point| point.threshold == at);
        for part in 1..=100 {
            assert!(
                has(threshold(&sweep, &ThresholdTarget::Recall(f64::from(part) / 100.0))),
                "recall {part}"
            );
        }
        for share in [0.0042, 0.01, 0.11, 0.3] {
            assert!(has(threshold(&sweep, &ThresholdTarget::AlertRate(share))), "alert rate {share}");
        }
        for miss in [0.5, 1.0, 3.0, 7.0, 40.0, 41.5, 1e3] {
            let costs = Costs::new(vec![0.0, 1.0, miss, 0.0], 2).unwrap();
            assert!(
                has(threshold(&sweep, &ThresholdTarget::Cost { costs, at_most: None })),
                "cost of a miss {miss}"
            );
        }
        let counts = sweep.counts_at_threshold(asked);
        assert!(found.points.iter().any(|point| (point.tp, point.fp) == (counts.tp, counts.fp)));
        let (rows, positives) = found.most_passed;
        assert!(rows > 1.0 && rows <= 200.0 && positives < 5.0, "{rows} {positives}");
        assert!(found.largest_step < 0.1, "{}", found.largest_step);
    }

    #[test]
    fn bins_hold_every_row_once() {
        let sweep = ThresholdSweep::new(&[1, 0, 0, 1, 0], 1, &[1.0, 0.75, 0.5, 0.5, 0.0], None).unwrap();
        let bins = sweep.histogram(4);
        let counted: Vec<_> = bins.iter().map(|bin| (bin.low, bin.positives, bin.negatives)).collect();
        assert_eq!(counted, [(0.0, 0.0, 1.0), (0.25, 0.0, 0.0), (0.5, 1.0, 1.0), (0.75, 1.0, 1.0)]);
        assert_eq!(bins[3].high, 1.0);
        let level = ThresholdSweep::new(&[1, 0], 1, &[0.5, 0.5], None).unwrap().histogram(4);
        assert_eq!(level, [HistogramBin { low: 0.5, high: 0.5, positives: 1.0, negatives: 1.0 }]);
        assert!(ThresholdSweep::new(&[], 1, &[], None).unwrap().histogram(4).is_empty());
    }
}
