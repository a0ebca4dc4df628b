//! Row-dependent costs: predictions of models with such costs, and validation of their files.

use crate::bytes::with_element;
use imbcore_core::{
    Column, CostCell, CostCells, CostMatrixSpec, CostRule, Dataset, Decision, DecisionPlan, Error, Frame,
    RowCosts, RunContext, Schema, SeedKey, random_below,
};
use imbcore_methods::{FitContext, FitTask, Model, fit};
use serde_json::json;

const N: usize = 60;

/// A score, an amount and a shop; frauds have high scores.
struct Table {
    score: Vec<f64>,
    amount: Vec<f64>,
    shop: Vec<u32>,
    classes: Vec<u32>,
}

impl Table {
    fn new() -> Self {
        let mut rng = SeedKey::root(5).rng();
        let mut draw = |n: u32| random_below(&mut rng, n);
        let score: Vec<f64> = (0..N).map(|_| f64::from(draw(100))).collect();
        let amount = (0..N).map(|_| f64::from(draw(50))).collect();
        let shop = (0..N).map(|_| draw(3)).collect();
        let classes = score.iter().map(|&score| u32::from(score + f64::from(draw(60)) > 110.0)).collect();
        Self { score, amount, shop, classes }
    }

    fn frame(&self) -> Frame<'_> {
        let shop = Column::Nominal { codes: &self.shop, levels: 3 };
        Frame::new(vec![Column::from_numbers(&self.score), Column::from_numbers(&self.amount), shop]).unwrap()
    }

    fn model(&self, method: &str, matrix: Option<CostMatrixSpec>) -> Model {
        let features = json!([{"name": "score", "kind": "numeric"}, {"name": "amount", "kind": "numeric"},
                              {"name": "shop", "kind": "nominal", "levels": ["a", "b", "c"]}]);
        let schema = json!({"features": features, "named": true, "classes": [0, 1], "class_dtype": "int64"});
        let data = Dataset::new(self.frame(), &self.classes, 2, None).unwrap();
        let plan = DecisionPlan { matrix, ..DecisionPlan::default() };
        let (key, context) = (SeedKey::root(0), FitContext::default());
        let task = FitTask {
            method,
            params: "{}",
            class_weight: None,
            costs: Some(&plan),
            positive: Some(1),
            key,
            context,
        };
        let schema = Schema::from_json(&schema.to_string()).unwrap();
        fit(&task, &data, schema, RunContext::silent()).unwrap()
    }
}

fn by_amount() -> CostMatrixSpec {
    let number = CostCell::Number;
    let cells = vec![number(0.0), number(5.0), CostCell::Column(1), number(0.0)];
    CostMatrixSpec::Columns(CostCells::new(cells, 2).unwrap())
}

#[test]
fn cost_columns_and_cost_matrices_predict_alike() {
    let (table, ctl) = (Table::new(), RunContext::silent());
    for method in ["hddt", "naive_bayes"] {
        let (named, handed) =
            (table.model(method, Some(by_amount())), table.model(method, Some(CostMatrixSpec::PerRow(N, 2))));
        let cells: Vec<f64> = table.amount.iter().flat_map(|&amount| [0.0, 5.0, amount, 0.0]).collect();
        let costs = RowCosts::from_row_matrices(&cells, N, 2).unwrap();
        let answers = named.predict(&table.frame(), ctl).unwrap();
        assert_eq!(handed.predict_by_costs(&table.frame(), &costs, ctl).unwrap(), answers);
        assert_eq!(named.predict_with_proba(&table.frame(), ctl).unwrap().0, answers);
        assert!(matches!(handed.predict(&table.frame(), ctl), Err(Error::Unsupported(_))));
        let plain = table.model(method, None);
        assert_eq!(plain.predict_by_costs(&table.frame(), &costs, ctl).unwrap(), answers);
        assert_ne!(plain.predict(&table.frame(), ctl).unwrap(), answers);
        assert!(
            plain
                .predict_by_costs(
                    &table.frame(),
                    &RowCosts::from_row_matrices(&cells[..4], 1, 2).unwrap(),
                    ctl
                )
                .is_err()
        );
    }
}

#[test]
fn files_store_the_rule_and_invalid_rules_are_rejected() {
    let table = Table::new();
    for (matrix, rule) in [
        (CostMatrixSpec::PerRow(N, 2), CostRule::PerRow(2)),
        (
            by_amount(),
            match by_amount() {
                CostMatrixSpec::Columns(cells) => CostRule::Columns(cells),
                _ => unreachable!(),
            },
        ),
    ] {
        let original = table.model("cart", Some(matrix)).to_bytes().unwrap();
        let read = Model::from_bytes(&original).unwrap();
        assert_eq!(read.decision(), &Decision::Costs(rule));
        assert_eq!(read.to_bytes().unwrap(), original);
    }
    let original = table.model("cart", Some(by_amount())).to_bytes().unwrap();
    let at = br#"[{"number":0.0},{"number":5.0},{"column":"#.len();
    // A nominal column, and a column that does not exist.
    for column in [b"2", b"7"] {
        let damaged = with_element(&original, "decision.cost_cells", at, column);
        assert!(matches!(Model::from_bytes(&damaged), Err(Error::Format(_))));
    }
    assert!(Model::from_bytes(&with_element(&original, "decision.cost_cells", at, b"0")).is_ok());
    let handed = table.model("cart", Some(CostMatrixSpec::PerRow(N, 2))).to_bytes().unwrap();
    let damaged = with_element(&handed, "decision.costs_handed", 0, &3_u32.to_le_bytes());
    assert!(matches!(Model::from_bytes(&damaged), Err(Error::Format(_))));
}
