//! Every criterion compared with 60-digit arithmetic.

use imbcore_criteria::{
    AnyCriterion, BranchMasses, Criterion, CriterionVisitor, NodeScorer, best_bipartition,
};
use imbcore_tests::{codes, golden, number, numbers};
use serde_json::{Value, json};

struct Score<'a> {
    table: &'a [f64],
    totals: &'a [f64],
}

impl CriterionVisitor for Score<'_> {
    type Out = f64;

    fn visit<C: Criterion>(self, criterion: &C) -> f64 {
        criterion.node_scorer(self.totals).score(BranchMasses::new(self.table, self.totals.len()))
    }
}

fn score(criterion: Value, table: &[f64], totals: &[f64]) -> f64 {
    let criterion: AnyCriterion = serde_json::from_value(criterion).unwrap();
    criterion.accept(Score { table, totals })
}

fn assert_close(ours: f64, expected: f64, what: &str) {
    assert!((ours - expected).abs() <= 1e-12 * expected.abs(), "{what}: {ours} instead of {expected}");
}

#[test]
fn all_tables_agree_to_twelve_digits() {
    let mut cases = 0;
    for file in ["criteria_01", "criteria_02", "criteria_03", "criteria_04"] {
        for case in golden(&format!("trees/{file}")).as_array().unwrap() {
            check(case, &format!("{file} {}", case["kind"]));
            cases += 1;
        }
    }
    assert_eq!(cases, 48);
}

fn check(case: &Value, what: &str) {
    let rows: Vec<Vec<f64>> = case["table"].as_array().unwrap().iter().map(numbers).collect();
    let n_classes = rows[0].len();
    let table = rows.concat();
    let totals: Vec<f64> = (0..n_classes).map(|k| rows.iter().map(|row| row[k]).sum()).collect();
    let named = [
        ("gini_gain", "gini"),
        ("info_gain_bits", "entropy"),
        ("gain_ratio", "gain_ratio"),
        ("dkm_gain", "dkm"),
        ("chi2_over_n", "chi2"),
        ("twoing", "twoing"),
    ];
    for (key, name) in named {
        if let Some(expected) = case.get(key).filter(|value| !value.is_null()) {
            assert_close(score(json!(name), &table, &totals), number(expected), &format!("{what} {name}"));
        }
    }
    let hellinger = score(json!("hellinger"), &table, &totals).sqrt();
    assert_close(hellinger, number(&case["hellinger"]), &format!("{what} hellinger"));
    let (squared, group) = best_bipartition(&totals, BranchMasses::new(&table, n_classes));
    assert_close(squared.sqrt(), number(&case["hellinger"]), &format!("{what} bipartition"));
    if let Some(expected) = case.get("hellinger_group").filter(|group| !group.is_null()) {
        check_group(&group, expected, &rows, &totals, what);
    }
    for (alpha, expected) in case["alpha"].as_object().unwrap() {
        let criterion = json!({"name": "alpha", "alpha": alpha.parse::<f64>().unwrap()});
        assert_close(score(criterion, &table, &totals), number(expected), &format!("{what} alpha {alpha}"));
    }
    for ext in case["ext"].as_array().unwrap() {
        let flipped = ext["reference"] == "flipped";
        let reference = if ext["reference"] == "user" { ext["q"].clone() } else { ext["reference"].clone() };
        let criterion = json!({"name": "alpha_ext", "alpha": ext["alpha"], "reference": reference});
        let (ours, expected) = (score(criterion, &table, &totals), number(&ext["gain"]));
        let what = format!("{what} ext {} {}", ext["alpha"], ext["reference"]);
        if flipped {
            assert!((ours - expected).abs() <= 1e-10, "{what}: {ours} instead of {expected}");
        } else {
            assert_close(ours, expected, &what);
        }
    }
}

/// Another class group is accepted if its distance agrees to nine digits.
fn check_group(ours: &[u32], expected: &Value, rows: &[Vec<f64>], totals: &[f64], what: &str) {
    let expected = codes(expected);
    let distance = |group: &[u32]| {
        let sum = |masses: &[f64]| group.iter().map(|&class| masses[class as usize]).sum::<f64>();
        let all = |masses: &[f64]| masses.iter().sum::<f64>();
        let (inside, outside) = (sum(totals), all(totals) - sum(totals));
        rows.iter()
            .map(|row| ((sum(row) / inside).sqrt() - ((all(row) - sum(row)) / outside).sqrt()).powi(2))
            .sum::<f64>()
    };
    assert!(
        ours == expected || (distance(ours) - distance(&expected)).abs() < 1e-9,
        "{what}: group {ours:?} instead of {expected:?}"
    );
}
