//! Gain table, precision at k, and partial AUC of ranked rows.
//!
//! Rows of equal score count as if they came in random order. Values are expectations over this random order,
//! so the order of the rows in the data has no effect.

use crate::threshold_sweep::{ThresholdCounts, ThresholdSweep};
use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Error, Result};

/// One of several slices of equal weight of the rows, which are sorted by descending score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainSlice {
    /// Weight of the rows in the slice.
    pub rows: f64,
    /// Weight of the positive rows in the slice.
    pub positives: f64,
    /// Fraction of all positives in this slice and the slices before it.
    pub gain: f64,
    /// Fraction of positives in the slice, divided by the fraction of positives in all rows.
    pub lift: f64,
    /// Smallest score in the slice.
    pub threshold: f64,
}

impl ThresholdSweep {
    /// Precision and recall if the `k` rows with the largest scores are predicted positive.
    ///
    /// If rows have weights, `k` is the total weight of the rows predicted positive.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `k` is above 0 and at most the number of rows.
    pub fn precision_recall_at_k(&self, k: f64) -> Result<(f64, f64)> {
        let rows = self.positives() + self.negatives();
        if !(k > 0.0 && k <= rows) {
            return Err(Error::parameter("metrics", "k", &format!("above 0 and at most the {rows} rows"), k));
        }
        let found = self.expected_positives_in_top_k(k).0;
        Ok((found / k, found / self.positives()))
    }

    /// Splits the rows into `n` slices of equal weight.
    ///
    /// # Errors
    /// [`Error::Parameter`] if `n` is 0; [`Error::Memory`].
    pub fn gain_slices(&self, n: usize) -> Result<Vec<GainSlice>> {
        if n == 0 {
            return Err(Error::parameter("metrics", "n_bins", "at least 1", n));
        }
        let rows = self.positives() + self.negatives();
        let prevalence = self.positives() / rows;
        let mut before = 0.0;
        let slice = |part: usize| {
            let (found, threshold) = self.expected_positives_in_top_k(rows * (part + 1) as f64 / n as f64);
            let positives = found - before;
            before = found;
            let width = rows / n as f64;
            GainSlice {
                rows: width,
                positives,
                gain: found / self.positives(),
                lift: positives / width / prevalence,
                threshold,
            }
        };
        let mut slices = try_with_capacity(n, "slices")?;
        slices.extend((0..n).map(slice));
        Ok(slices)
    }

    /// Expected number of positives among the `k` rows with the largest scores.
    /// Also returns the smallest score of these rows.
    fn expected_positives_in_top_k(&self, k: f64) -> (f64, f64) {
        let cuts = self.threshold_counts();
        let reached = cuts.partition_point(|cut| cut.tp + cut.fp < k);
        let before = reached
            .checked_sub(1)
            .map_or(ThresholdCounts { score: f64::INFINITY, tp: 0.0, fp: 0.0 }, |at| cuts[at]);
        match cuts.get(reached) {
            Some(here) => {
                let (tied, missing) = (here.tp + here.fp - before.tp - before.fp, k - before.tp - before.fp);
                (before.tp + (here.tp - before.tp) * missing / tied, here.score)
            }
            // Rounding errors can make `k` larger than the weight of all rows. All positives are then found.
            None => (before.tp, before.score),
        }
    }

    /// Partial AUC: up to a false positive rate, or above a recall.
    ///
    /// If `standardized`, it is rescaled so that random scores have 1/2 and the best value is 1 (`McClish`
    /// 1989). It is NaN if there is only one class.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a maximum rate outside (0, 1] or a minimum recall outside [0, 1).
    pub fn partial_auc(&self, part: AucRegion, standardized: bool) -> Result<f64> {
        let (area, least, most) = match part {
            AucRegion::MaxFpr(limit) if limit > 0.0 && limit <= 1.0 => {
                (self.area_below_fpr(limit), limit * limit / 2.0, limit)
            }
            AucRegion::MinRecall(limit) if (0.0..1.0).contains(&limit) => {
                let rest = 1.0 - limit;
                (self.area_above_recall(limit), rest * rest / 2.0, rest)
            }
            AucRegion::MaxFpr(limit) => {
                return Err(Error::parameter("metrics", "max_fpr", "a number in (0, 1]", limit));
            }
            AucRegion::MinRecall(limit) => {
                return Err(Error::parameter("metrics", "min_recall", "a number in [0, 1)", limit));
            }
        };
        if !(self.positives() > 0.0 && self.negatives() > 0.0) {
            return Ok(f64::NAN);
        }
        Ok(if standardized { f64::midpoint(1.0, (area - least) / (most - least)) } else { area })
    }

    fn roc_segments(&self) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + '_ {
        let point = |cut: &ThresholdCounts| (cut.fp / self.negatives(), cut.tp / self.positives());
        let starts = std::iter::once((0.0, 0.0)).chain(self.threshold_counts().iter().map(point));
        starts.zip(self.threshold_counts().iter().map(point))
    }

    /// Integral of the recall over the false positive rate from 0 to `limit`.
    fn area_below_fpr(&self, limit: f64) -> f64 {
        let part = |((f0, t0), (f1, t1)): ((f64, f64), (f64, f64))| {
            let end = f1.min(limit);
            let at_end = if f1 > f0 { t0 + (t1 - t0) * (end - f0) / (f1 - f0) } else { t1 };
            (end - f0).max(0.0) * f64::midpoint(t0, at_end)
        };
        self.roc_segments().map(part).sum()
    }

    /// Integral of the specificity over the recall from `limit` to 1.
    fn area_above_recall(&self, limit: f64) -> f64 {
        let part = |((f0, t0), (f1, t1)): ((f64, f64), (f64, f64))| {
            let start = t0.max(limit);
            let at_start = if t1 > t0 { f0 + (f1 - f0) * (start - t0) / (t1 - t0) } else { f0 };
            (t1 - start).max(0.0) * (1.0 - f64::midpoint(at_start, f1))
        };
        self.roc_segments().map(part).sum()
    }
}

/// Region of a partial AUC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AucRegion {
    /// Part of the ROC curve whose false positive rate is at most the given number.
    MaxFpr(f64),
    /// Part of the ROC curve whose recall is at least the given number.
    MinRecall(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_rows_count_in_parts() {
        let sweep = ThresholdSweep::new(&[1, 1, 0, 0], 1, &[0.9, 0.5, 0.5, 0.1], None).unwrap();
        assert_eq!(sweep.precision_recall_at_k(1.0).unwrap(), (1.0, 0.5));
        assert_eq!(sweep.precision_recall_at_k(2.0).unwrap(), (0.75, 0.75));
        assert_eq!(sweep.precision_recall_at_k(4.0).unwrap(), (0.5, 1.0));
        assert!(sweep.precision_recall_at_k(5.0).is_err() && sweep.precision_recall_at_k(0.0).is_err());
        let halves = sweep.gain_slices(2).unwrap();
        assert_eq!((halves[0].positives, halves[0].lift, halves[0].gain), (1.5, 1.5, 0.75));
        assert_eq!((halves[1].positives, halves[1].lift, halves[1].gain), (0.5, 0.5, 1.0));
        assert_eq!((halves[0].threshold, halves[1].threshold), (0.5, 0.1));
    }

    #[test]
    fn parts_of_the_area_join_to_the_whole() {
        let sweep = ThresholdSweep::new(&[1, 0, 1, 0, 0], 1, &[0.9, 0.8, 0.7, 0.3, 0.2], None).unwrap();
        let whole = sweep.auc();
        let all = |part| sweep.partial_auc(part, false).unwrap();
        assert!((all(AucRegion::MaxFpr(1.0)) - whole).abs() < 1e-15);
        assert!((all(AucRegion::MinRecall(0.0)) - whole).abs() < 1e-15);
        // Up to one third: 0.5 * 1/3.
        assert!((all(AucRegion::MaxFpr(1.0 / 3.0)) - 1.0 / 6.0).abs() < 1e-15);
        // From one half on: (1 - 1/3) / 2.
        assert!((all(AucRegion::MinRecall(0.5)) - 1.0 / 3.0).abs() < 1e-15);
        let chance = ThresholdSweep::new(&[1, 0], 1, &[0.5, 0.5], None).unwrap();
        assert!((chance.partial_auc(AucRegion::MaxFpr(0.1), true).unwrap() - 0.5).abs() < 1e-15);
        assert!((chance.partial_auc(AucRegion::MinRecall(0.9), true).unwrap() - 0.5).abs() < 1e-15);
        assert!(sweep.partial_auc(AucRegion::MaxFpr(0.0), true).is_err());
        for truth in [[1, 1], [0, 0]] {
            let one = ThresholdSweep::new(&truth, 1, &[0.5, 0.7], None).unwrap();
            for part in [AucRegion::MaxFpr(0.2), AucRegion::MinRecall(0.5)] {
                assert!(
                    one.partial_auc(part, true).unwrap().is_nan()
                        && one.partial_auc(part, false).unwrap().is_nan()
                );
            }
        }
    }
}
