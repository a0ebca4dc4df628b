//! ROC and precision-recall curves of one class against the rest, and the areas under them.

use crate::argument_checks;
use crate::hull::Hull;
use imbcore_core::{Error, Result, RunContext, float_key, sorted_by_key};

/// Cumulative weights of positives and negatives at distinct scores, by descending score.
///
/// All curves and areas are computed from these weights, so the rows are sorted only once. Rows of weight 0
/// are left out.
#[derive(Clone, Debug)]
pub struct ThresholdSweep {
    cuts: Vec<ThresholdCounts>,
    positives: f64,
    negatives: f64,
}

/// Weights of the positive and of the negative rows with at least the score `score`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThresholdCounts {
    pub(crate) score: f64,
    pub(crate) tp: f64,
    pub(crate) fp: f64,
}

/// One point of a ROC curve.
///
/// Rows with a score of at least `threshold` are predicted positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RocPoint {
    /// False positive rate; NaN without negative rows.
    pub fpr: f64,
    /// True positive rate; NaN without positive rows.
    pub tpr: f64,
    /// Smallest score that is predicted positive.
    pub threshold: f64,
}

/// One point of a precision-recall curve.
///
/// Rows with a score of at least `threshold` are predicted positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrPoint {
    /// Fraction of the positive rows that are found; 1 without positive rows.
    pub recall: f64,
    /// Fraction of the positive predictions that are correct.
    pub precision: f64,
    /// Smallest score that is predicted positive.
    pub threshold: f64,
}

impl ThresholdSweep {
    /// Sorts the rows by score and accumulates weights. Rows of class `positive` are positive.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Data`] for unequal lengths, a score that is not finite, or an invalid weight.
    pub fn new(truth: &[u32], positive: u32, scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        argument_checks::check_length("y_score", scores.len(), truth.len())?;
        argument_checks::check_weights(weights, truth.len())?;
        argument_checks::check_scores_finite(scores)?;
        let n_rows = u32::try_from(truth.len()).map_err(|_| {
            Error::Data(format!("y_true has {} rows; at most {} are supported", truth.len(), u32::MAX))
        })?;
        let counted: Vec<u32> =
            (0..n_rows).filter(|&row| argument_checks::weight_or_one(weights, row as usize) > 0.0).collect();
        // Descending scores; -0 and 0 are equal.
        let order = sorted_by_key(&counted, |row| !float_key(scores[row as usize]), RunContext::silent())?;
        let mut cuts: Vec<ThresholdCounts> = Vec::with_capacity(order.len());
        let (mut tp, mut fp) = (0.0, 0.0);
        for row in order {
            let row = row as usize;
            *(if truth[row] == positive { &mut tp } else { &mut fp }) +=
                argument_checks::weight_or_one(weights, row);
            // Adding 0 turns -0 into 0.
            let cut = ThresholdCounts { score: scores[row] + 0.0, tp, fp };
            match cuts.last_mut() {
                Some(last) if last.score == cut.score => *last = cut,
                _ => cuts.push(cut),
            }
        }
        Ok(Self { cuts, positives: tp, negatives: fp })
    }

    /// Weight of the positive rows.
    pub fn positives(&self) -> f64 {
        self.positives
    }

    /// Weight of the negative rows.
    pub fn negatives(&self) -> f64 {
        self.negatives
    }

    pub(crate) fn threshold_counts(&self) -> &[ThresholdCounts] {
        &self.cuts
    }

    /// Points of the ROC curve by descending threshold: (0, 0) at +inf, then each distinct score.
    ///
    /// `drop_intermediate` omits a point if the step to the point and the step to the next point have the
    /// same increases of both counts (scikit-learn's rule).
    pub fn roc(&self, drop_intermediate: bool) -> Vec<RocPoint> {
        let undefined_or = |mass: f64| if mass > 0.0 { mass } else { f64::NAN };
        let (positives, negatives) = (undefined_or(self.positives), undefined_or(self.negatives));
        let corner = |i: usize| {
            let [before, here, after] = [self.cuts[i - 1], self.cuts[i], self.cuts[i + 1]];
            (after.fp - here.fp) != (here.fp - before.fp) || (after.tp - here.tp) != (here.tp - before.tp)
        };
        let last = self.cuts.len().saturating_sub(1);
        let start = ThresholdCounts { score: f64::INFINITY, tp: 0.0, fp: 0.0 };
        let kept = (0..self.cuts.len())
            .filter(|&i| !drop_intermediate || i == 0 || i == last || corner(i))
            .map(|i| self.cuts[i]);
        std::iter::once(start)
            .chain(kept)
            .map(|cut| RocPoint { fpr: cut.fp / negatives, tpr: cut.tp / positives, threshold: cut.score })
            .collect()
    }

    /// Area under the ROC curve, P(s+ > s-) + P(s+ = s-) / 2 (Mann and Whitney 1947).
    ///
    /// s+ and s- are the scores of a random positive and a random negative row. NaN if there is only one
    /// class.
    pub fn auc(&self) -> f64 {
        let mut before = ThresholdCounts { score: f64::INFINITY, tp: 0.0, fp: 0.0 };
        let mut area = 0.0;
        for &cut in &self.cuts {
            area += (cut.fp - before.fp) * f64::midpoint(cut.tp, before.tp);
            before = cut;
        }
        area / (self.positives * self.negatives)
    }

    /// Upper convex hull of the ROC curve; `None` if there is only one class.
    pub fn hull(&self) -> Option<Hull> {
        if self.positives == 0.0 || self.negatives == 0.0 {
            return None;
        }
        // The hull is computed on counts instead of rates. Counts of rows without weights have no rounding
        // errors, so collinear points are recognized.
        let points = self.cuts.iter().map(|cut| (cut.fp, cut.tp)).collect();
        Some(Hull::from_points_scaled_to_corner(points, (self.negatives, self.positives)))
    }

    /// Area under the convex hull of the ROC curve (Provost and Fawcett 2001).
    ///
    /// NaN if there is only one class.
    pub fn area_under_hull(&self) -> f64 {
        self.hull().map_or(f64::NAN, |hull| hull.area())
    }

    /// Points of the precision-recall curve, one per distinct score, by descending score.
    ///
    /// No artificial end point is added. `drop_intermediate` keeps only the first and last point of each
    /// recall, as scikit-learn does.
    pub fn precision_recall(&self, drop_intermediate: bool) -> Vec<PrPoint> {
        self.precision_recall_points(drop_intermediate).collect()
    }

    fn precision_recall_points(
        &self,
        drop_intermediate: bool,
    ) -> impl DoubleEndedIterator<Item = PrPoint> + '_ {
        let last = self.cuts.len().saturating_sub(1);
        let changes =
            |i: usize| self.cuts[i].tp != self.cuts[i - 1].tp || self.cuts[i + 1].tp != self.cuts[i].tp;
        (0..self.cuts.len()).filter(move |&i| !drop_intermediate || i == 0 || i == last || changes(i)).map(
            |i| {
                let ThresholdCounts { score, tp, fp } = self.cuts[i];
                let recall = if self.positives > 0.0 { tp / self.positives } else { 1.0 };
                PrPoint { recall, precision: tp / (tp + fp), threshold: score }
            },
        )
    }

    /// Arrays (precision, recall, thresholds) in scikit-learn's order and shape.
    ///
    /// The points have descending recall. The last point is artificial: it has precision 1, recall 0 and no
    /// threshold.
    pub fn precision_recall_arrays(&self, drop_intermediate: bool) -> [Vec<f64>; 3] {
        let most = self.cuts.len() + 1;
        let [mut precision, mut recall, mut thresholds] = [(); 3].map(|()| Vec::with_capacity(most));
        for point in self.precision_recall_points(drop_intermediate).rev() {
            precision.push(point.precision);
            recall.push(point.recall);
            thresholds.push(point.threshold);
        }
        precision.push(1.0);
        recall.push(0.0);
        [precision, recall, thresholds]
    }

    /// Average precision: the sum over thresholds of precision times the increase in recall.
    ///
    /// 0 if there are no positive rows.
    pub fn average_precision(&self) -> f64 {
        if self.positives == 0.0 {
            return 0.0;
        }
        let mut area = 0.0;
        let mut before = 0.0;
        for &ThresholdCounts { tp, fp, .. } in &self.cuts {
            let recall = tp / self.positives;
            area += (recall - before) * (tp / (tp + fp));
            before = recall;
        }
        area
    }

    /// Area under the precision-recall curve; 0 without positive rows.
    ///
    /// Between neighboring points, the number of false positives is a linear function of the number of true
    /// positives (Davis and Goadrich 2006).
    pub fn pr_auc(&self) -> f64 {
        if self.positives == 0.0 {
            return 0.0;
        }
        let mut before = ThresholdCounts { score: f64::INFINITY, tp: 0.0, fp: 0.0 };
        let mut area = 0.0;
        for &cut in &self.cuts {
            let rise = cut.tp - before.tp;
            if rise > 0.0 {
                let start = before.tp + before.fp;
                // Growth of tp + fp per true positive, and relative to the start of the segment.
                let slope = 1.0 + (cut.fp - before.fp) / rise;
                area += if start > 0.0 {
                    let growth = slope * rise / start;
                    let log = growth.ln_1p();
                    (start * subtract_ln_1p(growth, log) + slope * before.tp * log) / (slope * slope)
                } else {
                    // The precision is constant between the origin and the first point.
                    rise / slope
                };
            }
            before = cut;
        }
        area / self.positives
    }
}

/// Computes `x - ln(1 + x)` without cancellation.
///
/// `x` is at least 0, and `log` is `ln(1 + x)`.
fn subtract_ln_1p(x: f64, log: f64) -> f64 {
    if x < 1e-3 {
        // The omitted terms are below the rounding error.
        x * x * (1.0 / 2.0 - x * (1.0 / 3.0 - x * (1.0 / 4.0 - x * (1.0 / 5.0 - x / 6.0))))
    } else {
        x - log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(truth: &[u32], scores: &[f64]) -> ThresholdSweep {
        ThresholdSweep::new(truth, 1, scores, None).unwrap()
    }

    #[test]
    fn pr_auc_is_accurate_if_positives_are_very_rare() {
        for negatives in [1e3, 1e6, 1e9, 1e12] {
            let weights = [negatives, 1.0, 1.0];
            let found =
                ThresholdSweep::new(&[0, 1, 1], 1, &[3.0, 2.0, 1.0], Some(&weights)).unwrap().pr_auc();
            // Half the integral of t / (t + negatives) from 0 to 2, as a series in 2 / negatives.
            let x = 2.0 / negatives;
            let expected = x / 2.0 * (1.0 - 2.0 * x / 3.0 + x * x / 2.0 - 2.0 * x * x * x / 5.0);
            assert!((found / expected - 1.0).abs() < 1e-9, "{negatives}: {found} {expected}");
        }
    }

    #[test]
    fn tied_rows_enter_together() {
        let points: Vec<_> = sweep(&[1, 0, 1, 0, 0], &[0.9, 0.5, 0.5, 0.5, 0.1])
            .roc(false)
            .iter()
            .map(|p| (p.fpr, p.tpr, p.threshold))
            .collect();
        assert_eq!(
            points,
            [(0.0, 0.0, f64::INFINITY), (0.0, 0.5, 0.9), (2.0 / 3.0, 1.0, 0.5), (1.0, 1.0, 0.1)]
        );
    }

    #[test]
    fn hand_worked_areas() {
        // Of the 6 pairs of a positive and a negative row, 3 are in the right order and one is tied.
        let s = sweep(&[1, 0, 1, 0, 0], &[0.9, 0.9, 0.5, 0.4, 0.6]);
        assert_eq!(s.auc(), 3.5 / 6.0);
        // Points (recall, precision): (1/2, 1/2), (1/2, 1/3), (1, 1/2), (1, 2/5).
        assert_eq!(s.average_precision(), 0.5);
        // The curve has the points (0, 0), (1/3, 1/2), (2/3, 1) and (1, 1). The second point lies on an edge
        // of the hull.
        assert!((s.area_under_hull() - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(s.hull().unwrap().vertices().len(), 3);
        assert_eq!(sweep(&[0, 0, 1, 1], &[0.1, 0.2, 0.3, 0.4]).pr_auc(), 1.0);
        // A positive and a negative row have the same score, and a second negative row has a lower score. The
        // precision is 1/2 up to recall 1.
        assert_eq!(sweep(&[1, 0, 0], &[0.9, 0.9, 0.1]).pr_auc(), 0.5);
        // The curve goes from TP = 0, FP = 1 to TP = 1, FP = 1. The area is the integral of t / (t + 1),
        // which is 1 - ln 2.
        assert!((sweep(&[0, 1], &[0.9, 0.1]).pr_auc() - (1.0 - 2.0_f64.ln())).abs() < 1e-15);
    }

    #[test]
    fn a_weight_of_two_is_a_doubled_row_and_of_zero_none() {
        let weighted =
            ThresholdSweep::new(&[1, 0, 1, 0], 1, &[0.9, 0.7, 0.3, 0.2], Some(&[2.0, 1.0, 0.0, 3.0]))
                .unwrap();
        let repeated = sweep(&[1, 1, 0, 0, 0, 0], &[0.9, 0.9, 0.7, 0.2, 0.2, 0.2]);
        assert_eq!(weighted.roc(false), repeated.roc(false));
        assert_eq!(weighted.auc(), repeated.auc());
    }

    #[test]
    fn a_single_class_has_no_area() {
        for (truth, precision) in [([1, 1], 1.0), ([0, 0], 0.0)] {
            let s = sweep(&truth, &[0.2, 0.4]);
            assert!(s.auc().is_nan() && s.area_under_hull().is_nan());
            assert_eq!((s.average_precision(), s.pr_auc()), (precision, precision));
        }
        let empty = sweep(&[], &[]);
        assert!(empty.auc().is_nan() && empty.precision_recall(true).is_empty());
        assert_eq!(empty.roc(true).len(), 1);
        assert_eq!(sweep(&[0], &[0.5]).precision_recall(false)[0].recall, 1.0);
    }

    #[test]
    fn equal_scores_have_an_auc_of_one_half() {
        let s = sweep(&[1, 0, 0, 1], &[0.0, -0.0, 0.0, 0.0]);
        assert_eq!((s.auc(), s.area_under_hull(), s.roc(true).len()), (0.5, 0.5, 2));
    }

    #[test]
    fn collinear_points_can_be_dropped() {
        let s = sweep(&[1, 1, 1, 0, 0, 0], &[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        let thresholds: Vec<f64> = s.roc(true).iter().map(|p| p.threshold).collect();
        assert_eq!(thresholds, [f64::INFINITY, 6.0, 4.0, 1.0]);
        let thresholds: Vec<f64> = s.precision_recall(true).iter().map(|p| p.threshold).collect();
        assert_eq!(thresholds, [6.0, 5.0, 4.0, 1.0]);
        let [precision, recall, thresholds] = s.precision_recall_arrays(true);
        assert_eq!(precision, [0.5, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(recall, [1.0, 1.0, 2.0 / 3.0, 1.0 / 3.0, 0.0]);
        assert_eq!(thresholds, [1.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn nan_scores_are_refused() {
        let error = ThresholdSweep::new(&[0, 1], 1, &[0.5, f64::NAN], None).unwrap_err().to_string();
        assert!(error.contains("value 1 is NaN"));
        assert!(ThresholdSweep::new(&[0, 1], 1, &[0.5], None).is_err());
        assert!(ThresholdSweep::new(&[0, 1], 1, &[0.5, 0.1], Some(&[1.0, -1.0])).is_err());
    }
}
