//! Properties of scores, curves and folds on random data.

use imbcore_core::SeedKey;
use imbcore_metrics::{
    BinaryScore, Binning, CalibrationErrors, ClassWeighting, Confusion, Counts, Hull, ThresholdSweep,
    ZeroDivision, brier, brier_multiclass, calibration_bins, calibration_errors, hand_till_auc, power_mean,
    stratified_folds, stratified_split, wauroc,
};
use proptest::prelude::*;

/// Labels 0/1 with both present, scores on a coarse grid (so that ties occur) and positive weights.
fn scored() -> impl Strategy<Value = (Vec<u32>, Vec<f64>, Vec<f64>)> {
    prop::collection::vec((0..2_u32, -20..20_i32, 1..8_u32), 2..60)
        .prop_filter("both classes", |rows| rows.iter().any(|r| r.0 == 0) && rows.iter().any(|r| r.0 == 1))
        .prop_map(|rows| {
            (
                rows.iter().map(|r| r.0).collect(),
                rows.iter().map(|r| f64::from(r.1) / 8.0).collect(),
                rows.iter().map(|r| f64::from(r.2) / 4.0).collect(),
            )
        })
}

fn counts() -> impl Strategy<Value = Counts> {
    let count = || (0..200_u32).prop_map(f64::from);
    (count(), count(), count(), count()).prop_map(|(tp, fn_, fp, tn)| Counts { tp, fn_, fp, tn })
}

fn labels_and_predictions(n_classes: u32) -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    prop::collection::vec((0..n_classes, 0..n_classes), 1..80).prop_map(|rows| rows.into_iter().unzip())
}

/// The definition of the AUC, pair by pair.
fn auc_by_pairs(truth: &[u32], scores: &[f64], weights: &[f64]) -> f64 {
    let (mut won, mut all) = (0.0, 0.0);
    for i in (0..truth.len()).filter(|&i| truth[i] == 1) {
        for j in (0..truth.len()).filter(|&j| truth[j] == 0) {
            let pair = weights[i] * weights[j];
            all += pair;
            won += match scores[i].total_cmp(&scores[j]) {
                std::cmp::Ordering::Greater => pair,
                std::cmp::Ordering::Equal => pair / 2.0,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    won / all
}

proptest! {
    #[test]
    fn auc_counts_pairs_and_mirrors((truth, scores, weights) in scored()) {
        let auc = |scores: &[f64]| ThresholdSweep::new(&truth, 1, scores, Some(&weights)).unwrap().auc();
        let negated: Vec<f64> = scores.iter().map(|s| -s).collect();
        let grown: Vec<f64> = scores.iter().map(|s| s.exp() + s).collect();
        prop_assert!((auc(&scores) - auc_by_pairs(&truth, &scores, &weights)).abs() < 1e-12);
        prop_assert!((auc(&scores) + auc(&negated) - 1.0).abs() < 1e-12);
        prop_assert_eq!(auc(&scores), auc(&grown));
    }

    #[test]
    fn hulls_lie_above_their_points_and_are_idempotent((truth, scores, weights) in scored()) {
        let sweep = ThresholdSweep::new(&truth, 1, &scores, Some(&weights)).unwrap();
        let hull = sweep.hull().unwrap();
        prop_assert!(hull.area() >= sweep.auc() - 1e-12 && hull.area() >= 0.5);
        let (fpr, tpr): (Vec<f64>, Vec<f64>) = hull.vertices().iter().copied().unzip();
        let again = Hull::from_points(&fpr, &tpr).unwrap();
        prop_assert!((again.area() - hull.area()).abs() < 1e-12);
        prop_assert_eq!(Hull::from_points(
            &again.vertices().iter().map(|v| v.0).collect::<Vec<_>>(),
            &again.vertices().iter().map(|v| v.1).collect::<Vec<_>>(),
        ).unwrap(), again);
        for w in hull.vertices().windows(2) {
            prop_assert!(w[0].0 <= w[1].0 && w[0].1 <= w[1].1);
        }
    }

    #[test]
    fn curves_rise_and_areas_stay_in_bounds((truth, scores, weights) in scored()) {
        let sweep = ThresholdSweep::new(&truth, 1, &scores, Some(&weights)).unwrap();
        for w in sweep.roc(false).windows(2) {
            prop_assert!(w[0].fpr <= w[1].fpr && w[0].tpr <= w[1].tpr && w[0].threshold > w[1].threshold);
        }
        for area in [sweep.average_precision(), sweep.pr_auc()] {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&area));
        }
        let kept = sweep.roc(true);
        prop_assert!(kept.len() <= sweep.roc(false).len());
        let trapezoids: f64 =
            kept.windows(2).map(|w| (w[1].fpr - w[0].fpr) * f64::midpoint(w[0].tpr, w[1].tpr)).sum();
        prop_assert!((trapezoids - sweep.auc()).abs() < 1e-12, "dropped points carried area");
    }

    #[test]
    fn no_threshold_is_better_than_the_best_one((truth, scores, weights) in scored(), at in -30..30_i32) {
        let (cut, value) =
            ThresholdSweep::new(&truth, 1, &scores, Some(&weights)).unwrap().best_threshold(BinaryScore::GMean);
        let value_at = |cut: f64| {
            let predictions: Vec<u32> = scores.iter().map(|&s| u32::from(s >= cut)).collect();
            let confusion = Confusion::new(&truth, &predictions, 2, Some(&weights)).unwrap();
            BinaryScore::GMean.compute(confusion.one_vs_rest(1).unwrap(), ZeroDivision::Zero)
        };
        prop_assert!((value_at(cut) - value).abs() < 1e-12);
        prop_assert!(value_at(f64::from(at) / 8.0) <= value + 1e-12);
    }

    #[test]
    fn f_measure_lies_between_precision_and_recall(c in counts(), beta in 0.05..20.0_f64) {
        let of = |score: BinaryScore| score.compute(c, ZeroDivision::Zero);
        let (p, r, f) = (of(BinaryScore::Precision), of(BinaryScore::Recall), of(BinaryScore::FBeta(beta)));
        prop_assert!(f >= p.min(r) - 1e-12 && f <= p.max(r) + 1e-12);
    }

    #[test]
    fn power_means_grow_with_the_exponent(
        values in prop::collection::vec(0.0..=1.0_f64, 1..8),
        p in -40.0..40.0_f64,
        step in 0.0..40.0_f64,
    ) {
        let mean = |p| power_mean(&values, p, None).unwrap();
        prop_assert!(mean(p) <= mean(p + step) + 1e-12);
        prop_assert!(mean(f64::NEG_INFINITY) <= mean(p) + 1e-12 && mean(p) <= mean(f64::INFINITY) + 1e-12);
        prop_assert!((mean(1e-9) - mean(0.0)).abs() < 1e-6 || values.contains(&0.0));
    }

    #[test]
    fn relabelling_changes_no_symmetric_score((truth, predictions) in labels_and_predictions(4)) {
        let renamed = |codes: &[u32]| codes.iter().map(|c| 3 - c).collect::<Vec<_>>();
        let a = Confusion::new(&truth, &predictions, 4, None).unwrap();
        let b = Confusion::new(&renamed(&truth), &renamed(&predictions), 4, None).unwrap();
        prop_assert_eq!(a.accuracy(), b.accuracy());
        prop_assert!((a.mcc() - b.mcc()).abs() < 1e-12);
        prop_assert!((a.kappa(0.0) - b.kappa(0.0)).abs() < 1e-12);
        prop_assert!((a.g_mean(0.01) - b.g_mean(0.01)).abs() < 1e-12);
        prop_assert!((a.accuracy() + a.error_rate() - 1.0).abs() < 1e-12);
        prop_assert!(a.mcc().abs() <= 1.0 + 1e-12);
    }

    #[test]
    fn two_classes_have_the_binary_scores((truth, predictions) in labels_and_predictions(2)) {
        let c = Confusion::new(&truth, &predictions, 2, None).unwrap();
        let counts = c.one_vs_rest(1).unwrap();
        let of = |score: BinaryScore| score.compute(counts, ZeroDivision::Zero);
        prop_assert!((of(BinaryScore::Mcc) - c.mcc()).abs() < 1e-12);
        prop_assert!((of(BinaryScore::Accuracy) - c.accuracy()).abs() < 1e-12);
        if c.present_classes().len() == 2 {
            prop_assert!((of(BinaryScore::GMean) - c.g_mean(0.0)).abs() < 1e-12);
            prop_assert!((of(BinaryScore::BalancedAccuracy) - c.balanced_accuracy()).abs() < 1e-12);
        }
        prop_assert_eq!(counts.has_single_predicted_class(), c.has_single_predicted_class());
    }

    #[test]
    fn weight_of_two_equals_a_repeated_row((truth, scores, _) in scored(), doubled in 0..60_usize) {
        let row = doubled % truth.len();
        let mut weights = vec![1.0; truth.len()];
        weights[row] = 2.0;
        let weighted = ThresholdSweep::new(&truth, 1, &scores, Some(&weights)).unwrap();
        let (mut more_truth, mut more_scores) = (truth.clone(), scores.clone());
        more_truth.push(truth[row]);
        more_scores.push(scores[row]);
        let repeated = ThresholdSweep::new(&more_truth, 1, &more_scores, None).unwrap();
        prop_assert_eq!(weighted.roc(false), repeated.roc(false));
        prop_assert_eq!(weighted.auc(), repeated.auc());
        prop_assert_eq!(weighted.pr_auc(), repeated.pr_auc());
    }

    #[test]
    fn multiclass_aucs_of_two_classes_equal_the_auc((truth, scores, weights) in scored()) {
        let auc = ThresholdSweep::new(&truth, 1, &scores, Some(&weights)).unwrap().auc();
        let both: Vec<f64> = scores.iter().flat_map(|s| [-s, *s]).collect();
        prop_assert!((wauroc(&truth, &both, 2, Some(&weights)).unwrap() - auc).abs() < 1e-12);
        let m = hand_till_auc(&truth, &both, 2, Some(&weights), ClassWeighting::Prevalence).unwrap();
        prop_assert!((m - auc).abs() < 1e-12);
    }

    #[test]
    fn binary_brier_is_half_the_multiclass_one(rows in prop::collection::vec((0..2_u32, 0.0..=1.0_f64), 1..40)) {
        let (truth, p): (Vec<u32>, Vec<f64>) = rows.into_iter().unzip();
        let both: Vec<f64> = p.iter().flat_map(|p| [1.0 - p, *p]).collect();
        let half = brier(&truth, 1, &p, None).unwrap();
        prop_assert!((brier_multiclass(&truth, &both, 2, None, false).unwrap() - 2.0 * half).abs() < 1e-12);
        for binning in [Binning::Uniform(7), Binning::Quantile(7)] {
            let bins = calibration_bins(&truth, 1, &p, None, binning).unwrap();
            prop_assert_eq!(bins.iter().map(|b| b.weight).sum::<f64>(), truth.len() as f64);
            let CalibrationErrors { expected: ece, maximum: mce, .. } = calibration_errors(&bins);
            prop_assert!(0.0 <= ece && ece <= mce + 1e-12 && mce <= 1.0);
        }
    }

    #[test]
    fn folds_are_a_stratified_partition(
        codes in prop::collection::vec(0..4_u32, 2..90),
        k in 2..12_u32,
        repeat in 0..5_u32,
        seed: u64,
    ) {
        let k = k.min(codes.len() as u32);
        let folds = stratified_folds(&codes, k, repeat, SeedKey::root(seed)).unwrap();
        prop_assert_eq!(folds.len(), codes.len());
        for class in [None, Some(0), Some(1), Some(2), Some(3)] {
            let mut sizes = vec![0_usize; k as usize];
            for (&fold, &code) in folds.iter().zip(&codes) {
                sizes[fold as usize] += usize::from(class.is_none_or(|c| c == code));
            }
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn splits_are_stratified_and_every_class_has_a_training_row(
        codes in prop::collection::vec(0..4_u32, 1..90),
        fraction in 0.01..0.99_f64,
        seed: u64,
    ) {
        let test = stratified_split(&codes, fraction, SeedKey::root(seed)).unwrap();
        prop_assert!(test.windows(2).all(|w| w[0] < w[1]));
        for class in 0..4 {
            let n = codes.iter().filter(|&&c| c == class).count();
            let taken = test.iter().filter(|&&row| codes[row as usize] == class).count();
            let share = fraction * n as f64;
            prop_assert!(n == 0 || taken < n);
            prop_assert!((share - taken as f64).abs() < 1.0 + 1e-9);
        }
    }
}
