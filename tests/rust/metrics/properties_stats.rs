//! Properties of metrics over ROC space.

use imbcore_methods::IsometricQuantity;
use imbcore_metrics::{BinaryScore, Confusion, ZeroDivision};
use proptest::prelude::*;

fn metric_at(name: &str, skew: f64, fpr: &[f64], tpr: &[f64]) -> Vec<f64> {
    IsometricQuantity::from_json(&format!("\"{name}\""))
        .and_then(|q| q.values(skew, fpr, tpr))
        .unwrap_or_default()
}

proptest! {
    #[test]
    fn isometrics_are_the_metrics_of_counts(tp in 0..40_u32, miss in 0..40_u32, fp in 0..40_u32, tn in 0..40_u32) {
        prop_assume!(tp + miss > 0 && fp + tn > 0);
        let truth = [vec![1; (tp + miss) as usize], vec![0; (fp + tn) as usize]].concat();
        let answers = [(tp, 1), (miss, 0), (fp, 1), (tn, 0)];
        let answers = answers.iter().flat_map(|&(n, answer)| vec![answer; n as usize]).collect::<Vec<u32>>();
        let confusion = Confusion::new(&truth, &answers, 2, None)?;
        let skew = f64::from(fp + tn) / f64::from(tp + miss);
        let (fpr, tpr) = (f64::from(fp) / f64::from(fp + tn), f64::from(tp) / f64::from(tp + miss));
        for name in ["accuracy", "precision", "f1", "npv", "g_mean", "balanced_accuracy"] {
            let expected =
                BinaryScore::parse(name, 1.0)?.compute(confusion.one_vs_rest(1)?, ZeroDivision::Nan);
            let found = metric_at(name, skew, &[fpr], &[tpr])[0];
            prop_assert!((found - expected).abs() < 1e-12 || (found.is_nan() && expected.is_nan()), "{}", name);
        }
    }

    /// For DKM, the specification has `m = sqrt(c) / (1 + c) * H^2`; the scale of this crate is twice that.
    #[test]
    fn isometrics_of_dkm_do_not_depend_on_skew(fpr in 0.0..1.0_f64, tpr in 0.0..1.0_f64, skew in 0.01..100.0_f64) {
        let distance = metric_at("hellinger", skew, &[fpr], &[tpr])[0];
        prop_assert!((distance - metric_at("hellinger", 1.0, &[fpr], &[tpr])[0]).abs() < 1e-7);
        let expected = skew.sqrt() / (1.0 + skew) * distance * distance;
        prop_assert!((metric_at("dkm", skew, &[fpr], &[tpr])[0] - expected).abs() < 1e-13);
    }

    #[test]
    fn weighted_relative_accuracy_is_the_distance_to_the_diagonal(
        fpr in 0.0..=1.0_f64, tpr in 0.0..=1.0_f64
    ) {
        prop_assert_eq!(metric_at("wracc", 1.0, &[fpr], &[tpr])[0], tpr - fpr);
    }
}
