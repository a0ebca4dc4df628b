//! Threshold that maximizes a metric of the predicted classes.

use crate::binary::{BinaryScore, Counts, ZeroDivision};
use crate::threshold_sweep::{ThresholdCounts, ThresholdSweep};

impl ThresholdSweep {
    /// Returns the threshold with the largest `metric`, and its value.
    ///
    /// Rows with a score of at least the threshold are predicted positive. Candidates are -inf, the midpoints
    /// of neighboring distinct scores, and +inf. If thresholds tie, the threshold in the widest gap between
    /// scores is returned; infinite thresholds count as the narrowest gap. If the gaps are equal, the larger
    /// threshold is returned.
    pub fn best_threshold(&self, metric: BinaryScore) -> (f64, f64) {
        self.best_threshold_for(f64::INFINITY, |counts| metric.compute(counts, ZeroDivision::Zero))
    }

    /// Like [`Self::best_threshold`], for any function of the counts.
    ///
    /// The highest valid threshold is `most`. If the largest score reaches it, no valid threshold is above all
    /// scores, so +inf is no candidate.
    pub(crate) fn best_threshold_for(&self, most: f64, value: impl Fn(Counts) -> f64) -> (f64, f64) {
        let value = |tp: f64, fp: f64| {
            value(Counts { tp, fn_: self.positives() - tp, fp, tn: self.negatives() - fp })
        };
        let cuts = self.threshold_counts();
        let reaches_most = cuts.first().is_some_and(|largest| largest.score >= most);
        let of_none = if reaches_most { f64::NEG_INFINITY } else { value(0.0, 0.0) };
        let mut best = (f64::INFINITY, of_none, -1.0);
        for (at, &ThresholdCounts { score, tp, fp }) in cuts.iter().enumerate() {
            let (cut, gap) = match cuts.get(at + 1) {
                Some(next) => (midpoint_between(next.score, score), score - next.score),
                None => (f64::NEG_INFINITY, -1.0),
            };
            let found = value(tp, fp);
            // Invariant: `best` is the best of the thresholds visited so far. Thresholds are visited in
            // descending order, so the next replaces `best` only if it is better, or as good and in a wider
            // gap.
            if found > best.1 || (found == best.1 && gap > best.2) {
                best = (cut, found, gap);
            }
        }
        (best.0, best.1)
    }
}

/// Returns the midpoint of `low` and `high`, or `high` if the midpoint is rounded to `low`.
pub(crate) fn midpoint_between(low: f64, high: f64) -> f64 {
    let middle = f64::midpoint(low, high);
    if middle > low { middle } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(truth: &[u32], scores: &[f64], metric: BinaryScore) -> (f64, f64) {
        ThresholdSweep::new(truth, 1, scores, None).unwrap().best_threshold(metric)
    }

    #[test]
    fn the_cut_lies_midway() {
        assert_eq!(best(&[0, 0, 1, 1], &[1.0, 2.0, 4.0, 5.0], BinaryScore::FBeta(1.0)), (3.0, 1.0));
    }

    #[test]
    fn ties_go_to_the_widest_gap_then_the_larger_cut() {
        // The accuracy is 3/4 both at threshold 1.5, in a gap of 1, and at threshold 5, in a gap of 4.
        assert_eq!(best(&[0, 1, 0, 1], &[1.0, 2.0, 3.0, 7.0], BinaryScore::Accuracy), (5.0, 0.75));
        assert_eq!(best(&[0, 1, 0, 1], &[1.0, 2.0, 3.0, 4.0], BinaryScore::Accuracy), (3.5, 0.75));
        assert_eq!(best(&[0, 1], &[0.5, 0.5], BinaryScore::BalancedAccuracy), (f64::INFINITY, 0.5));
    }

    #[test]
    fn neighbouring_floats_can_be_separated() {
        let (low, high) = (1.0, 1.0 + f64::EPSILON);
        assert_eq!(best(&[0, 1], &[low, high], BinaryScore::GMean), (high, 1.0));
    }

    #[test]
    fn no_rows_give_an_infinite_cut() {
        let (cut, value) = best(&[], &[], BinaryScore::FBeta(1.0));
        assert_eq!((cut, value), (f64::INFINITY, 0.0));
    }
}
