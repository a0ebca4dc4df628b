//! Code books, decodings and cost weights compared with reference values.

use imbcore_core::{Costs, RowCosts};
use imbcore_ensembles::decompose::{CodeBook, Decoding};
use imbcore_tests::{codes, golden, items, matrix, number, numbers};
use serde_json::Value;

const TOLERANCE: f64 = 1e-12;

fn close(found: &[f64], expected: &Value, what: &str) {
    let expected = numbers(expected);
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * b.abs().max(1.0);
    assert!(
        found.len() == expected.len() && found.iter().zip(&expected).all(near),
        "{what}: {found:?} instead of {expected:?}"
    );
}

#[test]
fn exhaustive_codes_have_the_stated_order() {
    let all = golden("ensembles/forests");
    let written = all["codes"].as_object().unwrap();
    assert_eq!(written.len(), 4);
    for (n_classes, columns) in written {
        let book = CodeBook::exhaustive(n_classes.parse().unwrap()).unwrap();
        assert_eq!(book.n_columns(), items(columns).len());
        for (column, bits) in items(columns).iter().enumerate() {
            let found: Vec<u32> = book.column(column).map(|bit| u32::from(bit == 1)).collect();
            assert_eq!(found, codes(bits), "{n_classes} classes, column {column}");
        }
    }
}

#[test]
fn decodings_match_the_reference() {
    let all = golden("ensembles/forests");
    for case in items(&all["decode"]) {
        let n_classes = case["c"].as_u64().unwrap() as usize;
        let book = CodeBook::exhaustive(n_classes).unwrap();
        let p = numbers(&case["p"]);
        close(&Decoding::Sum.decode(&book, &p, &[]), &case["ecoc_sum"], "ecoc sum");
        close(&Decoding::Log.decode(&book, &p, &[]), &case["ecoc_log"], "ecoc log");
        let book = CodeBook::one_vs_all(n_classes).unwrap();
        let p = numbers(&case["ova_p"]);
        close(&Decoding::Normalize.decode(&book, &p, &[]), &case["ova_normalise"], "ova normalise");
        close(&Decoding::Sum.decode(&book, &p, &[]), &case["ova_sum"], "ova sum");
    }
    assert_eq!(items(&all["decode"]).len(), 12);
}

#[test]
fn cost_weights_and_decisions_match_the_reference() {
    let all = golden("ensembles/forests");
    for case in items(&all["ting"]) {
        let costs =
            Costs::new(matrix(&case["cost_true_pred"]), items(&case["cost_true_pred"]).len()).unwrap();
        let mut mass = vec![0.0; costs.n_classes()];
        for class in codes(&case["y"]) {
            mass[class as usize] += 1.0;
        }
        close(&costs.ting_class_weights(&mass).unwrap(), &case["class_weight"], "class weights");
        let p = numbers(&case["p"]);
        let row = RowCosts::with_one_matrix(&costs, 1);
        close(&row.expected_costs(&p).unwrap(), &case["expected_cost"], "expected cost");
        assert_eq!(f64::from(row.cheapest_classes(&p).unwrap()[0]), number(&case["decision"]));
    }
    assert_eq!(items(&all["ting"]).len(), 5);
}
