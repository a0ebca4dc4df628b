//! All cases of `tests/golden/metrics`.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use crate::common::each_case;
use imbcore_core::SeedKey;
use imbcore_metrics::{
    BinaryScore, Binning, CalibrationErrors, ClassWeighting, Confusion, Counts, Hull, ThresholdSweep,
    ZeroDivision, brier, brier_by_class, brier_multiclass, calibration_bins, calibration_errors,
    coefficient_of_variation, f_beta_from_rates, hand_till_auc, log_loss, one_vs_rest_auc, stratified_folds,
    wauroc,
};
use imbcore_tests::{codes, items, matrix, number, numbers};
use serde_json::{Value, json};

fn all_equal(check: &dyn Fn(&str, f64, f64), what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} for {expected:?}");
    for (&found, &expected) in found.iter().zip(expected) {
        check(what, found, expected);
    }
}

const ZERO: ZeroDivision = ZeroDivision::Zero;

#[test]
fn confusion() {
    each_case("confusion", "cases", |case, check| {
        let labels = codes(&case["labels"]);
        let c = Confusion::new(&codes(&case["y_true"]), &codes(&case["y_pred"]), labels.len(), None).unwrap();
        all_equal(check, "confusion", c.counts(), &matrix(&case["confusion"]));
        check("accuracy", c.accuracy(), number(&case["accuracy"]));
        check("error", c.error_rate(), 1.0 - number(&case["accuracy"]));
        check("mcc", c.mcc(), number(&case["mcc"]));
        check("kappa", c.kappa(0.0), number(&case["kappa"]));
        check("a_mean", c.balanced_accuracy(), number(&case["a_mean"]));
        check("g_mean", c.g_mean(0.0), number(&case["g_mean"]));
        check("corrected", c.g_mean(0.001), number(&case["g_mean_correction_0.001"]));

        let column = |name: &str| -> Vec<f64> {
            items(&case["per_class"]).iter().map(|class| number(&class[name])).collect()
        };
        for (name, score) in [
            ("precision", BinaryScore::Precision),
            ("recall", BinaryScore::Recall),
            ("specificity", BinaryScore::Specificity),
            ("npv", BinaryScore::Npv),
            ("f", BinaryScore::FBeta(1.0)),
        ] {
            all_equal(check, name, &c.score_per_class(score, ZERO), &column(name));
        }
        all_equal(check, "support", &c.true_class_weights(), &column("support"));
        for (name, beta) in [("f2", 2.0), ("f0.5", 0.5)] {
            all_equal(check, name, &c.score_per_class(BinaryScore::FBeta(beta), ZERO), &numbers(&case[name]));
        }

        let mean = |p: f64, by_prevalence: bool| c.power_mean(p, by_prevalence).unwrap();
        for (name, p) in [
            ("a_mean", 1.0),
            ("g_mean", 0.0),
            ("harmonic", -1.0),
            ("min", f64::NEG_INFINITY),
            ("max", f64::INFINITY),
            ("power_2", 2.0),
            ("power_-2", -2.0),
        ] {
            check(name, mean(p, false), number(&case[name]));
        }
        check("prevalence", mean(1.0, true), number(&case["prevalence_weighted_power_1"]));
        check("prevalence g", mean(0.0, true), number(&case["prevalence_weighted_g"]));
    });
}

#[test]
fn binary() {
    each_case("binary", "cases", |case, check| {
        let counts = Counts {
            tp: number(&case["tp"]),
            fn_: number(&case["fn"]),
            fp: number(&case["fp"]),
            tn: number(&case["tn"]),
        };
        for (name, score) in [
            ("tpr", BinaryScore::Recall),
            ("tnr", BinaryScore::Specificity),
            ("ppv", BinaryScore::Precision),
            ("npv", BinaryScore::Npv),
            ("accuracy", BinaryScore::Accuracy),
            ("balanced_accuracy", BinaryScore::BalancedAccuracy),
            ("g_mean", BinaryScore::GMean),
            ("f1", BinaryScore::FBeta(1.0)),
        ] {
            check(name, score.compute(counts, ZERO), number(&case[name]));
        }
        check("fpr", 1.0 - BinaryScore::Specificity.compute(counts, ZERO), number(&case["fpr"]));
        assert_eq!(counts.has_single_predicted_class(), case["trivial"].as_bool().unwrap());
    });
}

#[test]
fn curves() {
    each_case("curves", "cases", |case, check| {
        let (truth, scores) = (codes(&case["y"]), numbers(&case["score"]));
        let sweep = ThresholdSweep::new(&truth, 1, &scores, None).unwrap();
        let weighted = ThresholdSweep::new(&truth, 1, &scores, Some(&numbers(&case["weights"]))).unwrap();
        let roc: Vec<f64> = sweep.roc(false).iter().flat_map(|p| [p.fpr, p.tpr, p.threshold]).collect();
        all_equal(check, "roc", &roc, &matrix(&case["roc"]));
        check("auc", sweep.auc(), number(&case["auc"]));
        check("weighted auc", weighted.auc(), number(&case["auc_weighted"]));
        let hull: Vec<f64> = sweep.hull().unwrap().vertices().iter().flat_map(|v| [v.0, v.1]).collect();
        all_equal(check, "hull", &hull, &matrix(&case["hull"]));
        check("auh", sweep.area_under_hull(), number(&case["auh"]));
        let pr: Vec<f64> =
            sweep.precision_recall(false).iter().flat_map(|p| [p.recall, p.precision, p.threshold]).collect();
        all_equal(check, "pr", &pr, &matrix(&case["pr"]));
        check("average precision", sweep.average_precision(), number(&case["average_precision"]));
        check("pr auc", sweep.pr_auc(), number(&case["pr_auc_interpolated"]));
        for (name, best) in case["best_threshold"].as_object().unwrap() {
            let (cut, value) = sweep.best_threshold(BinaryScore::parse(name, 1.0).unwrap());
            all_equal(check, name, &[cut, value], &numbers(best));
        }
    });
}

#[test]
fn hull_sweep() {
    each_case("hull_sweep", "cases", |case, check| {
        let (fpr, tpr): (Vec<f64>, Vec<f64>) =
            items(&case["points"]).iter().map(|p| (number(&p[0]), number(&p[1]))).unzip();
        let hull = Hull::from_points(&fpr, &tpr).unwrap();
        let vertices: Vec<f64> = hull.vertices().iter().flat_map(|v| [v.0, v.1]).collect();
        all_equal(check, "hull", &vertices, &matrix(&case["hull"]));
        check("auh", hull.area(), number(&case["auh"]));
    });
}

fn areas(case: &Value, check: &dyn Fn(&str, f64, f64), per_class: &str) {
    let (truth, proba) = (codes(&case["y"]), matrix(&case["proba"]));
    let n_classes = items(&case["proba"][0]).len();
    let found = one_vs_rest_auc(&truth, &proba, n_classes, None).unwrap();
    all_equal(check, per_class, &found, &numbers(&case[per_class]));
    check("wauroc", wauroc(&truth, &proba, n_classes, None).unwrap(), number(&case["wauroc"]));
    let pairs = hand_till_auc(&truth, &proba, n_classes, None, ClassWeighting::Equal).unwrap();
    check("hand_till", pairs, number(&case["hand_till"]));
}

#[test]
fn multiclass_auc() {
    each_case("multiclass_auc", "cases", |case, check| {
        areas(case, check, "per_class_auc");
        let (truth, proba) = (codes(&case["y"]), matrix(&case["proba"]));
        let brier = brier_multiclass(&truth, &proba, items(&case["labels"]).len(), None, false).unwrap();
        check("brier", brier, number(&case["brier_multi"]));
    });
}

#[test]
fn tree_papers_metrics() {
    each_case("metrics", "wauroc", |case, check| areas(case, check, "per_class"));
    each_case("metrics", "coefficient_of_variation", |case, check| {
        check("cv", coefficient_of_variation(&numbers(&case["counts"])), number(&case["cv"]));
    });
    each_case("metrics", "f_score", |case, check| {
        let counts =
            Counts { tp: number(&case["tp"]), fn_: number(&case["fn"]), fp: number(&case["fp"]), tn: 0.0 };
        check("f1", BinaryScore::FBeta(1.0).compute(counts, ZERO), number(&case["zero_convention"]));
        let rate = |score: BinaryScore| score.compute(counts, ZeroDivision::Nan);
        let f = f_beta_from_rates(rate(BinaryScore::Precision), rate(BinaryScore::Recall), 1.0);
        check("f1 of rates", f, number(&case["seed_convention"]));
    });
}

#[test]
fn imbalance() {
    each_case("coefficient_of_variation", "cases", |case, check| {
        check("cv", coefficient_of_variation(&numbers(&case["counts"])), number(&case["cv"]));
    });
}

#[test]
fn probability() {
    each_case("probability", "cases", |case, check| {
        let (truth, p) = (codes(&case["y"]), numbers(&case["p"]));
        check("brier", brier(&truth, 1, &p, None).unwrap(), number(&case["brier"]));
        let by_class = brier_by_class(&truth, 1, &p, None).unwrap();
        all_equal(check, "brier by class", &by_class, &numbers(&case["brier_by_class"]));
        let proba: Vec<f64> = p.iter().flat_map(|p| [1.0 - p, *p]).collect();
        check("log loss", log_loss(&truth, &proba, 2, None, true).unwrap(), number(&case["log_loss"]));
        for (name, binning) in [("uniform10", Binning::Uniform(10)), ("quantile5", Binning::Quantile(5))] {
            let bins = calibration_bins(&truth, 1, &p, None, binning).unwrap();
            // The reference cuts between rows of equal probability; here they belong to one bin.
            let mut sorted = p.clone();
            sorted.sort_by(f64::total_cmp);
            let n = sorted.len();
            if name == "quantile5" && (1..5).any(|k| sorted[k * n / 5 - 1] == sorted[k * n / 5]) {
                continue;
            }
            let rows: Vec<f64> = bins
                .iter()
                .flat_map(|b| [b.bin as f64, b.weight, b.mean_probability, b.positive_fraction])
                .collect();
            all_equal(check, name, &rows, &matrix(&case[name]["rows"]));
            let CalibrationErrors { expected: ece, maximum: mce, .. } = calibration_errors(&bins);
            check("ece", ece, number(&case[name]["ece"]));
            check("mce", mce, number(&case[name]["mce"]));
        }
    });
}

#[test]
fn folds() {
    each_case("folds", "cases", |case, _| {
        let truth = codes(&case["y"]);
        let k = codes(&json!([case["k"]]))[0];
        assert_eq!(truth.len() as f64, number(&case["n"]));
        for seed in 0..20 {
            let folds = stratified_folds(&truth, k, 0, SeedKey::root(seed)).unwrap();
            assert_eq!(folds, stratified_folds(&truth, k, 0, SeedKey::root(seed)).unwrap());
            let size = |fold: u32, class: Option<u32>| {
                folds.iter().zip(&truth).filter(|&(&f, &c)| f == fold && class.is_none_or(|x| x == c)).count()
            };
            let classes = (0..=truth.iter().copied().max().unwrap()).map(Some).chain([None]);
            for class in classes {
                let sizes: Vec<usize> = (0..k).map(|fold| size(fold, class)).collect();
                let n: usize = sizes.iter().sum();
                let rows = truth.iter().filter(|&&c| class.is_none_or(|x| x == c)).count();
                assert_eq!(n, rows, "the folds are a partition");
                assert!(
                    sizes.iter().all(|&s| s == n / k as usize || s == n.div_ceil(k as usize)),
                    "class {class:?}: {sizes:?}"
                );
            }
        }
    });
}
