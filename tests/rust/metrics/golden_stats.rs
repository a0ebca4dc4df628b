//! Cases of the native statistical tests in `tests/golden/metrics`, and the isometrics.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use crate::common::each_case;
use imbcore_methods::IsometricQuantity;
use imbcore_metrics::{Alternative, SignedRankMethod, corrected_t, hodges_lehmann, hodges_lehmann_interval};
use imbcore_tests::{number, numbers};

#[test]
fn hodges_lehmann_estimates_and_intervals() {
    let intervals = std::cell::Cell::new(0);
    each_case("paired", "cases", |case, check| {
        let d = numbers(&case["d"]);
        check("hodges_lehmann", hodges_lehmann(&d).unwrap(), number(&case["hodges_lehmann"]));
        let moved: Vec<f64> = d.iter().copied().filter(|d| *d != 0.0).collect();
        check("nonzero", hodges_lehmann(&moved).unwrap(), number(&case["hodges_lehmann_nonzero"]));
        let negated: Vec<f64> = d.iter().map(|d| -d).collect();
        assert_eq!(hodges_lehmann(&d).unwrap(), -hodges_lehmann(&negated).unwrap());
        if let Some(expected) = case.get("hl_interval_0.95") {
            let found = hodges_lehmann_interval(&d, 0.95, SignedRankMethod::Auto).unwrap();
            check("low", found.low, number(&expected[0]));
            check("high", found.high, number(&expected[1]));
            assert!(found.level >= 0.95);
            intervals.set(intervals.get() + 1);
        }
    });
    assert!(intervals.get() > 0);
}

#[test]
fn corrected_resampled_t() {
    each_case("ttests", "cases", |case, check| {
        let found = corrected_t(&numbers(&case["d10"]), 1.0 / 9.0, Alternative::TwoSided).unwrap();
        let expected = &case["corrected_resampled_t_ratio_1_9"];
        check("corrected t", found.t, number(&expected["t"]));
        check("corrected p", found.p, number(&expected["p"]));
    });
}

#[test]
fn isometrics() {
    each_case("isometrics", "cases", |case, check| {
        let (skew, fpr, tpr) = (number(&case["c"]), number(&case["fpr"]), number(&case["tpr"]));
        for name in ["accuracy", "precision", "f1", "wracc", "entropy", "gini", "dkm", "hellinger"] {
            let quantity = IsometricQuantity::from_json(&format!("\"{name}\"")).unwrap();
            check(name, quantity.values(skew, &[fpr], &[tpr]).unwrap()[0], number(&case[name]));
        }
    });
}
