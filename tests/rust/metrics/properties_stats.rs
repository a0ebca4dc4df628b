//! Properties of the tests that compare classifiers, and of metrics over ROC space.

use imbcore_eval::{
    Alternative, BinaryScore, Confusion, Friedman, PostHoc, TestMethod, ZeroDivision, ZeroMethod,
    hodges_lehmann, sign_test, wilcoxon,
};
use imbcore_methods::Quantity;
use proptest::prelude::*;

/// Values on a coarse grid, so that ties and zeros occur.
fn coarse(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-6..7_i32).prop_map(|v| f64::from(v) / 4.0), n)
}

fn metric_at(name: &str, skew: f64, fpr: &[f64], tpr: &[f64]) -> Vec<f64> {
    Quantity::from_json(&format!("\"{name}\"")).and_then(|q| q.values(skew, fpr, tpr)).unwrap_or_default()
}

fn zeros() -> impl Strategy<Value = ZeroMethod> {
    prop::sample::select(vec![ZeroMethod::Drop, ZeroMethod::Pratt, ZeroMethod::Split])
}

proptest! {
    // Each case inverts the distribution of the studentized range four times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn more_data_sets_need_smaller_differences(k in 2..12_usize, n in 2..60_usize, level in 0.01..0.5_f64) {
        for test in [PostHoc::Nemenyi, PostHoc::BonferroniDunn] {
            let here = test.critical_difference(k, n, level)?;
            prop_assert!(test.critical_difference(k, n + 1, level)? < here);
            prop_assert!(test.critical_difference(k, n, level / 2.0)? > here);
            prop_assert!(test.critical_difference(k + 1, n, level)? > here);
        }
    }
}

proptest! {
    #[test]
    fn ranks_of_a_data_set_have_a_constant_sum(n in 2..9_usize, k in 2..7_usize, seed in coarse(80..81)) {
        let table: Vec<f64> = seed.iter().copied().cycle().take(n * k).collect();
        let found = Friedman::new(&table, k)?;
        for row in found.ranks.chunks_exact(k) {
            prop_assert_eq!(row.iter().sum::<f64>(), (k * (k + 1)) as f64 / 2.0);
        }
        prop_assert!((0.0..=1.0).contains(&found.chi2.p) && (0.0..=1.0).contains(&found.f.p));
    }

    #[test]
    fn ranks_depend_only_on_the_order_of_scores(k in 2..6_usize, values in coarse(12..60)) {
        let table = &values[..values.len() / k * k];
        prop_assume!(table.len() >= 2 * k);
        let bent: Vec<f64> = table.iter().map(|v| v.exp() * 3.0 - 1.0).collect();
        prop_assert_eq!(Friedman::new(table, k)?.average_ranks, Friedman::new(&bent, k)?.average_ranks);
    }

    #[test]
    fn negated_differences_reverse_the_tests(d in coarse(1..30), zeros in zeros()) {
        let turned: Vec<f64> = d.iter().map(|d| -d).collect();
        for approximation in [TestMethod::Auto, TestMethod::Normal, TestMethod::Uncorrected] {
            let greater = wilcoxon(&d, zeros, approximation, Alternative::Greater)?;
            let less = wilcoxon(&turned, zeros, approximation, Alternative::Less)?;
            prop_assert_eq!((greater.plus, greater.minus), (less.minus, less.plus));
            prop_assert!(greater.p == less.p || (greater.p - less.p).abs() < 1e-14 || greater.p.is_nan());
        }
        prop_assert_eq!(
            sign_test(&d, Alternative::Greater)?.p, sign_test(&turned, Alternative::Less)?.p
        );
        prop_assert_eq!(hodges_lehmann(&d)?, -hodges_lehmann(&turned)?);
    }

    /// The definition: enumerates the signs of all ranks.
    #[test]
    fn exact_distribution_counts_signs(d in coarse(1..11)) {
        let kept: Vec<f64> = d.into_iter().filter(|d| *d != 0.0).collect();
        prop_assume!(!kept.is_empty());
        let found = wilcoxon(&kept, ZeroMethod::Drop, TestMethod::Exact, Alternative::Greater)?;
        let ranks = imbcore_eval::mid_ranks(&kept.iter().map(|d| d.abs()).collect::<Vec<_>>());
        let n = kept.len();
        let at_least = (0..1_u32 << n).filter(|signs| {
            let plus: f64 = (0..n).filter(|i| signs >> i & 1 == 1).map(|i| ranks[i]).sum();
            plus >= found.plus
        });
        let expected = at_least.count() as f64 / f64::from(1_u32 << n);
        prop_assert!((found.p - expected).abs() < 1e-13, "{} for {}", found.p, expected);
    }

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

    /// Spec: for dkm, `m = sqrt(c) / (1 + c) * H^2`; our scale is twice that.
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
