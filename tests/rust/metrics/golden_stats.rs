//! All cases of the statistical tests in `tests/golden/metrics`, the Friedman cases of the tree metrics, and the
//! isometrics.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use crate::common::each_case;
use imbcore_eval::{
    Adjustment, Alternative, Friedman, PostHoc, TestMethod, ZeroMethod, corrected_t, five_by_two,
    friedman_of_ranks, hodges_lehmann, hodges_lehmann_interval, rank_groups, sign_test, wilcoxon,
};
use imbcore_methods::Quantity;
use imbcore_tests::{codes, items, matrix, number, numbers};
use serde_json::Value;

fn groups(average_ranks: &[f64], difference: f64) -> Vec<Vec<u32>> {
    let found = rank_groups(average_ranks, difference).unwrap();
    found.into_iter().map(|group| group.into_iter().map(|method| method as u32).collect()).collect()
}

fn groups_of(printed: &Value) -> Vec<Vec<u32>> {
    items(printed).iter().map(codes).collect()
}

#[test]
fn friedman() {
    each_case("friedman", "cases", |case, check| {
        let n_methods = items(&case["table"][0]).len();
        let found = Friedman::new(&matrix(&case["table"]), n_methods).unwrap();
        for (found, expected) in found.ranks.iter().zip(matrix(&case["ranks"])) {
            check("rank", *found, expected);
        }
        for (found, expected) in found.average_ranks.iter().zip(numbers(&case["average_ranks"])) {
            check("average rank", *found, expected);
        }
        check("tie factor", found.tie_factor, number(&case["tie_factor"]));
        for (tested, statistic, p) in [
            (found.chi2, "chi2", "p"),
            (found.chi2_ties, "chi2_ties", "p_ties"),
            (found.f, "iman_davenport", "iman_davenport_p"),
            (found.f_ties, "iman_davenport_ties", "iman_davenport_ties_p"),
        ] {
            // Differs from the file: for an undefined (NaN) chi-square it has F = infinity and p = 0, which would
            // declare methods that tie everywhere significantly different.
            if statistic == "iman_davenport_ties" && found.chi2_ties.statistic.is_nan() {
                assert!(tested.statistic.is_nan() && tested.p.is_nan());
                continue;
            }
            check(statistic, tested.statistic, number(&case[statistic]));
            check(p, tested.p, number(&case[p]));
        }
        let n_sets = items(&case["table"]).len();
        let difference = PostHoc::Nemenyi.critical_difference(n_methods, n_sets, 0.05).unwrap();
        assert_eq!(groups(&found.average_ranks, difference), groups_of(&case["avg_cliques_nemenyi_0.05"]));
    });
}

#[test]
fn friedman_of_printed_ranks() {
    each_case("metrics", "friedman", |case, check| {
        let ranks = numbers(&case["avg_ranks"]);
        let n_sets = items(&serde_json::json!([case["n"]])).first().and_then(Value::as_u64).unwrap() as usize;
        let (chi2, f) = friedman_of_ranks(&ranks, n_sets);
        check("chi2", chi2.statistic, number(&case["chi2"]));
        check("F", f.statistic, number(&case["F"]));
        for (level, expected) in case["bonferroni_dunn_cd"].as_object().unwrap() {
            let level = level.parse().unwrap();
            let found = PostHoc::BonferroniDunn.critical_difference(ranks.len(), n_sets, level).unwrap();
            check("critical difference", found, number(expected));
        }
    });
}

#[test]
fn critical_values() {
    each_case("critical_values", "cases", |case, check| {
        let test = if case["test"] == "nemenyi" { PostHoc::Nemenyi } else { PostHoc::BonferroniDunn };
        let (k, level) = (case["k"].as_u64().unwrap() as usize, number(&case["alpha"]));
        check("q", test.quantile(k, level).unwrap(), number(&case["q"]));
        check("cd", test.critical_difference(k, 17, level).unwrap(), number(&case["cd_n17"]));
    });
}

const SIDES: [(&str, Alternative); 3] =
    [("two-sided", Alternative::TwoSided), ("greater", Alternative::Greater), ("less", Alternative::Less)];

#[test]
fn paired() {
    let (exact_cases, intervals) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    each_case("paired", "cases", |case, check| {
        let d = numbers(&case["d"]);
        let p = |zeros, approximation, side| wilcoxon(&d, zeros, approximation, side).unwrap().p;
        for (name, side) in SIDES {
            let (expected, found) =
                (&case[name], wilcoxon(&d, ZeroMethod::Drop, TestMethod::Auto, side).unwrap());
            assert_eq!(found.n as f64, number(&expected["n"]));
            check("w_plus", found.plus, number(&expected["w_plus"]));
            check("w_minus", found.minus, number(&expected["w_minus"]));
            check("p", found.p, number(&expected["p"]));
            assert_eq!(found.exact, expected["mode"] == "exact");
            let plain = p(ZeroMethod::Drop, TestMethod::Uncorrected, side);
            check("uncorrected", plain, number(&case[format!("{name}_no_correction")]));
            if let Some(exact) = case.get(format!("{name}_exact_perm")) {
                check("exact with ties", p(ZeroMethod::Drop, TestMethod::Exact, side), number(exact));
                exact_cases.set(exact_cases.get() + 1);
            }
            let (expected, found) = (&case[format!("sign_{name}")], sign_test(&d, side).unwrap());
            for (key, count) in [("wins", found.wins), ("losses", found.losses), ("ties", found.ties)] {
                assert_eq!(count as f64, number(&expected[key]), "{key}");
            }
            check("sign p", found.p, number(&expected["p"]));
        }
        check(
            "pratt",
            p(ZeroMethod::Pratt, TestMethod::Normal, Alternative::TwoSided),
            number(&case["pratt_two-sided"]),
        );
        check("hodges_lehmann", hodges_lehmann(&d).unwrap(), number(&case["hodges_lehmann"]));
        let moved: Vec<f64> = d.iter().copied().filter(|d| *d != 0.0).collect();
        check("nonzero", hodges_lehmann(&moved).unwrap(), number(&case["hodges_lehmann_nonzero"]));
        if let Some(expected) = case.get("hl_interval_0.95") {
            let found = hodges_lehmann_interval(&d, 0.95, TestMethod::Auto).unwrap();
            check("low", found.low, number(&expected[0]));
            check("high", found.high, number(&expected[1]));
            assert!(found.level >= 0.95);
            intervals.set(intervals.get() + 1);
        }
    });
    assert!(exact_cases.get() > 0 && intervals.get() > 0);
}

#[test]
fn table_2_of_the_multi_class_hddt_paper() {
    each_case("published_hddt", "cases", |case, check| {
        let table = matrix(&case["table"]);
        let found = Friedman::new(&table, 2).unwrap();
        for (found, expected) in found.average_ranks.iter().zip(numbers(&case["average_ranks"])) {
            check("average rank", *found, expected);
        }
        check("chi2", found.chi2.statistic, number(&case["chi2"]));
        check("p", found.chi2.p, number(&case["p"]));
        check("F", found.f.statistic, number(&case["iman_davenport"]));
        check("F p", found.f.p, number(&case["iman_davenport_p"]));
        for level in ["0.05", "0.10"] {
            let expected = &case[format!("bonferroni_dunn_{level}")];
            let cd = PostHoc::BonferroniDunn.critical_difference(2, 17, level.parse().unwrap()).unwrap();
            check("critical difference", cd, number(&expected["cd"]));
            let apart = (found.average_ranks[0] - found.average_ranks[1]).abs();
            assert_eq!(apart > cd, expected["significant"] == true, "{level}");
        }
        // The table has five digits; rounding of differences must not break the ties that it shows.
        let d: Vec<f64> = table.chunks_exact(2).map(|row| ((row[1] - row[0]) * 1e5).round() / 1e5).collect();
        let signed = wilcoxon(&d, ZeroMethod::Drop, TestMethod::Auto, Alternative::TwoSided).unwrap();
        let expected = &case["wilcoxon_hddt_minus_c44"];
        check("w_plus", signed.plus, number(&expected["w_plus"]));
        check("wilcoxon p", signed.p, number(&expected["p"]));
        check("hodges_lehmann", hodges_lehmann(&d).unwrap(), number(&case["hodges_lehmann"]));
        check("sign p", sign_test(&d, Alternative::TwoSided).unwrap().p, number(&case["sign"]["p"]));
    });
}

#[test]
fn resampled_t_and_adjusted_p_values() {
    each_case("ttests", "cases", |case, check| {
        let (first, second) = (numbers(&case["first_fold"]), numbers(&case["second_fold"]));
        let d: Vec<f64> = first.iter().zip(&second).flat_map(|(a, b)| [*a, *b]).collect();
        let (found, expected) = (five_by_two(&d).unwrap(), &case["five_by_two"]);
        check("t", found.t.statistic, number(&expected["t"]));
        check("p", found.t.p, number(&expected["p"]));
        check("F", found.f.statistic, number(&expected["f"]));
        check("F p", found.f.p, number(&expected["f_p"]));
        let found = corrected_t(&numbers(&case["d10"]), 1.0 / 9.0, Alternative::TwoSided).unwrap().tested;
        let expected = &case["corrected_resampled_t_ratio_1_9"];
        check("corrected t", found.statistic, number(&expected["t"]));
        check("corrected p", found.p, number(&expected["p"]));
        for (name, how) in [
            ("bonferroni", Adjustment::Bonferroni),
            ("holm", Adjustment::Holm),
            ("hochberg", Adjustment::Hochberg),
        ] {
            let found = how.apply(&numbers(&case["p"])).unwrap();
            for (found, expected) in found.iter().zip(numbers(&case[name])) {
                check(name, *found, expected);
            }
        }
    });
}

#[test]
fn table_5_of_the_box_drawing_paper() {
    each_case("published_boxes", "cases", |case, check| {
        let ranks = numbers(&case["average_ranks"]);
        let n_sets = case["n_datasets"].as_u64().unwrap() as usize;
        let (chi2, f) = friedman_of_ranks(&ranks, n_sets);
        check("chi2", chi2.statistic, number(&case["chi2"]));
        check("p", chi2.p, number(&case["p"]));
        check("F", f.statistic, number(&case["iman_davenport"]));
        check("F p", f.p, number(&case["iman_davenport_p"]));
        let cd = PostHoc::Nemenyi.critical_difference(ranks.len(), n_sets, 0.05).unwrap();
        check("critical difference", cd, number(&case["nemenyi_cd_0.05"]));
        assert_eq!(groups(&ranks, cd), groups_of(&case["cliques"]));
        let of_fast_boxes: Vec<f64> =
            case["fast_boxes_rank_per_dataset"].as_object().unwrap().values().map(number).collect();
        assert_eq!(of_fast_boxes.len(), n_sets);
        check("Fast Boxes", of_fast_boxes.iter().sum::<f64>() / n_sets as f64, ranks[8]);
    });
}

#[test]
fn isometrics() {
    each_case("isometrics", "cases", |case, check| {
        let (skew, fpr, tpr) = (number(&case["c"]), number(&case["fpr"]), number(&case["tpr"]));
        for name in ["accuracy", "precision", "f1", "wracc", "entropy", "gini", "dkm", "hellinger"] {
            let quantity = Quantity::from_json(&format!("\"{name}\"")).unwrap();
            check(name, quantity.values(skew, &[fpr], &[tpr]).unwrap()[0], number(&case[name]));
        }
    });
}
