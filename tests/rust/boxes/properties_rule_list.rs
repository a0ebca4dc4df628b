//! Rule lists compared with brute force over all subsets of the rules of tiny problems.
// All functions of this file are test code, including the helpers.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use imbcore_core::{Classifier, Column, Dataset, Frame, RunContext};
use imbcore_rules::exact::SearchStatus;
use imbcore_rules::list::{
    PathTest, PrecisionConstraint, RecallConstraint, RuleFBeta, RuleObjective, RuleObjectiveName,
    TestCondition, TestPath,
};
use imbcore_rules::{BoxModel, BoxScoring, NO_BOX, RuleListParams};
use proptest::prelude::*;

const OBJECTIVES: [RuleObjective; 5] = [
    RuleObjective::Named(RuleObjectiveName::F1),
    RuleObjective::FBeta(RuleFBeta { f_beta: 2.0 }),
    RuleObjective::FBeta(RuleFBeta { f_beta: 0.5 }),
    RuleObjective::Precision(PrecisionConstraint { precision: 0.6 }),
    RuleObjective::Recall(RecallConstraint { recall: 0.7 }),
];

/// Rows of integers, and paths of one or two tests.
#[derive(Clone, Debug)]
struct Tiny {
    columns: [Vec<f64>; 2],
    classes: Vec<u32>,
    weights: Option<Vec<f64>>,
    paths: Vec<TestPath>,
    n_rules: u32,
}

fn test() -> impl Strategy<Value = PathTest> {
    (0..2_usize, 0..6_u32, any::<bool>()).prop_map(|(feature, at, below)| {
        let at = f64::from(at) + 0.5;
        PathTest {
            feature,
            asks: if below { TestCondition::AtMost(at) } else { TestCondition::Above(at) },
            or_missing: false,
        }
    })
}

fn tiny() -> impl Strategy<Value = Tiny> {
    let rows = (10..24_usize).prop_flat_map(|n| {
        let column = || proptest::collection::vec((0..7_u32).prop_map(f64::from), n);
        let classes = proptest::collection::vec((0..3_u32).prop_map(|draw| u32::from(draw == 0)), n);
        let weights = proptest::collection::vec((1..5_u32).prop_map(f64::from), n);
        (column(), column(), classes, proptest::option::of(weights))
    });
    let paths = proptest::collection::vec(proptest::collection::vec(test(), 1..3), 1..9);
    (rows, paths, 1..4_u32)
        .prop_map(|((x, z, classes, weights), paths, n_rules)| Tiny {
            columns: [x, z],
            classes,
            weights,
            paths,
            n_rules,
        })
        .prop_filter("two classes", |tiny| tiny.classes.contains(&0) && tiny.classes.contains(&1))
}

impl Tiny {
    fn frame(&self) -> Frame<'_> {
        Frame::new(self.columns.iter().map(|values| Column::from_numbers(values)).collect()).unwrap()
    }

    fn fit(&self, objective: RuleObjective) -> BoxModel {
        let data = Dataset::new(self.frame(), &self.classes, 2, self.weights.as_deref()).unwrap();
        let params = RuleListParams { n_rules: self.n_rules, objective, ..RuleListParams::default() };
        let learner = params.check("rule_list").unwrap().with_positive_class(Some(1));
        learner.fit(&data, || Ok(self.paths.clone()), RunContext::silent()).unwrap()
    }

    /// Weight of both classes in a set of rows.
    fn class_weights(&self, rows: u32) -> (f64, f64) {
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let sum = |class: u32| {
            let of_class = (0..self.classes.len()).filter(|&row| self.classes[row] == class);
            of_class.filter(|&row| rows >> row & 1 == 1).map(weight).sum()
        };
        (sum(1), sum(0))
    }

    /// The rows of every given rule, and those of the rule that covers everything.
    fn rules(&self) -> Vec<u32> {
        let passes = |test: &PathTest, row: usize| {
            let x = self.columns[test.feature][row];
            match test.asks {
                TestCondition::AtMost(at) => x <= at,
                TestCondition::Above(at) => x > at,
                TestCondition::OneOf(_) => false,
            }
        };
        let rows = |path: &TestPath| {
            let class_weights =
                (0..self.classes.len()).filter(|&row| path.iter().all(|test| passes(test, row)));
            class_weights.fold(0, |set, row| set | 1 << row)
        };
        self.paths.iter().map(rows).chain([(1 << self.classes.len()) - 1]).collect()
    }
}

/// Objective value of a set of rows by the textbook formula; `None` if a constraint is violated.
fn objective_value(tiny: &Tiny, objective: RuleObjective, rows: u32) -> Option<f64> {
    let (hit, wrong) = tiny.class_weights(rows);
    let all = tiny.class_weights(u32::MAX).0;
    let precision = if hit > 0.0 { hit / (hit + wrong) } else { 0.0 };
    let recall = hit / all;
    let f = |beta: f64| {
        let below = beta * beta * precision + recall;
        if below > 0.0 { (1.0 + beta * beta) * precision * recall / below } else { 0.0 }
    };
    match objective {
        RuleObjective::Named(RuleObjectiveName::F1) => Some(f(1.0)),
        RuleObjective::FBeta(RuleFBeta { f_beta }) => Some(f(f_beta)),
        RuleObjective::Precision(PrecisionConstraint { precision: least }) => {
            (rows == 0 || hit >= least * (hit + wrong) - 1e-9).then_some(recall)
        }
        RuleObjective::Recall(RecallConstraint { recall: least }) => {
            (recall >= least - 1e-9).then_some(precision)
        }
    }
}

/// The best subset of at most `n_rules` rules.
fn oracle(tiny: &Tiny, objective: RuleObjective) -> f64 {
    let rules = tiny.rules();
    let choices = (0_u32..1 << rules.len()).filter(|choice| choice.count_ones() <= tiny.n_rules);
    let union = |choice: u32| {
        (0..rules.len()).filter(|&rule| choice >> rule & 1 == 1).fold(0, |rows, rule| rows | rules[rule])
    };
    choices.filter_map(|choice| objective_value(tiny, objective, union(choice))).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn rule_list_is_the_best_subset_of_rules(tiny in tiny()) {
        for objective in OBJECTIVES {
            let model = tiny.fit(objective);
            let BoxScoring::Chosen(chosen) = model.scoring() else { panic!("a rule list") };
            let best = oracle(&tiny, objective);
            prop_assert_eq!(chosen.status, SearchStatus::Optimal);
            prop_assert!((chosen.value - best).abs() < 1e-9, "{} instead of {}", chosen.value, best);
            prop_assert!((chosen.bound - best).abs() < 1e-9);
            prop_assert!(model.drawing().n_boxes() <= tiny.n_rules as usize);
            // The predictions attain this value, too.
            let predictions = model.predict(&tiny.frame(), RunContext::silent()).unwrap();
            let rows = predictions.iter().enumerate().fold(0, |rows, (row, &class)| rows | class << row);
            prop_assert!((objective_value(&tiny, objective, rows).unwrap() - best).abs() < 1e-9);
        }
    }

    #[test]
    fn probabilities_agree_with_predictions_and_rule_order(tiny in tiny()) {
        let model = tiny.fit(RuleObjective::Named(RuleObjectiveName::F1));
        let first = model.first_containing_box(&tiny.frame(), RunContext::silent()).unwrap();
        let proba = model.proba(&tiny.frame(), RunContext::silent()).unwrap();
        for (row, &number) in first.iter().enumerate() {
            let p = proba[2 * row + 1];
            prop_assert_eq!(p > 0.5, number != NO_BOX);
            for (other, &later) in first.iter().enumerate() {
                prop_assert!(number > later || p >= proba[2 * other + 1]);
            }
        }
    }
}
