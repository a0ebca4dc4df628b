//! Rounds of boosting and stages of a cascade, compared with `tests/golden/resampling`.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use imbcore_ensembles::boost::{
    AdaCRule, AdaCUpdate, DiscreteUpdate, PseudoLossUpdate, RoundResult, RowPseudoLoss, TanCost,
    cost_difference_in_thesis, keep_highest_scores, kept_fraction, n_kept_negatives,
};
use imbcore_tests::{close, codes, golden, items, matrix, number, numbers};
use serde_json::Value;

const TOLERANCE: f64 = 1e-10;

/// Checks every round of a trace: error, vote, weights before it, and the reason why boosting stopped.
fn assert_trace(trace: &Value, rounds: usize, judge: impl Fn(&[f64], usize) -> RoundResult, name: &str) {
    let (votes, errors) = (numbers(&trace["alphas"]), numbers(&trace["errors"]));
    let mut weights = numbers(&trace["weights"][0]);
    for round in 0..rounds {
        match judge(&weights, round) {
            RoundResult::Chance => {
                assert_eq!((&trace["stop"], votes.len()), (&Value::from("chance"), round), "{name}");
                return;
            }
            RoundResult::Kept { vote, error, next } => {
                assert!(close(vote, votes[round], TOLERANCE), "{name} {round}: {vote} {}", votes[round]);
                assert!(close(error, errors[round], TOLERANCE), "{name} {round}");
                let Some(next) = next else {
                    assert_eq!((&trace["stop"], votes.len()), (&Value::from("perfect"), round + 1), "{name}");
                    return;
                };
                assert!((next.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name} {round}");
                let expected = numbers(&trace["weights"][round + 1]);
                assert!(next.iter().zip(&expected).all(|(a, b)| close(*a, *b, TOLERANCE)), "{name} {round}");
                weights = next;
            }
        }
    }
    assert_eq!((&trace["stop"], votes.len()), (&Value::Null, rounds), "{name}");
}

#[test]
fn boosting_rounds_match_the_reference() {
    let golden = golden("resampling/boosting");
    let cases = items(&golden["cases"]);
    assert!(cases.len() >= 6);
    for case in cases {
        let classes = codes(&case["y"]);
        let n_classes = case["n_classes"].as_u64().unwrap() as usize;
        let costs: Vec<f64> = (0..n_classes).map(|class| number(&case["costs"][class.to_string()])).collect();
        let wrong: Vec<Vec<bool>> = items(&case["predictions"])
            .iter()
            .map(|predictions| codes(predictions).iter().zip(&classes).map(|(a, b)| a != b).collect())
            .collect();
        let probabilities: Vec<Vec<f64>> = items(&case["probabilities"]).iter().map(matrix).collect();
        for (name, trace) in case["traces"].as_object().unwrap() {
            let costly = |rule| {
                let rule = AdaCUpdate { rule, costs: costs.clone(), learning_rate: 1.0 };
                assert_trace(
                    trace,
                    wrong.len(),
                    |d, round| rule.compute_vote_and_weights(d, &classes, &wrong[round]),
                    name,
                );
            };
            match &**name {
                "m1" | "samme" => {
                    let rule = DiscreteUpdate { n_classes, samme: name == "samme", learning_rate: 1.0 };
                    assert_trace(
                        trace,
                        wrong.len(),
                        |d, round| rule.compute_vote_and_weights(d, &wrong[round]),
                        name,
                    );
                }
                "adac1" => costly(AdaCRule::C1),
                "adac2" => costly(AdaCRule::C2),
                "adac3" => costly(AdaCRule::C3),
                "adac2_samme" => costly(AdaCRule::C2Samme),
                other => unreachable!("unknown rule {other}"),
            }
        }
        let rule = PseudoLossUpdate { n_classes, learning_rate: 1.0 };
        assert_trace(
            &case["m2"],
            probabilities.len(),
            |d, round| {
                let proba = probabilities[round].chunks_exact(n_classes);
                let rows = classes.iter().zip(proba).map(|(&class, row)| RowPseudoLoss::new(class, row));
                rule.compute_vote_and_weights(d, &rows.collect::<Vec<_>>())
            },
            "m2",
        );
    }
}

#[test]
fn tangent_costs_match_the_reference() {
    for case in items(&golden("resampling/tan_cost")["cases"]) {
        let cost = TanCost { theta: number(&case["theta"]), b3: number(&case["b3"]), min_cost_factor: 0.0 };
        let r = number(&case["r"]);
        assert!(close(cost.minority_minus_majority_cost(r), number(&case["f"]), 1e-12), "{case}");
        assert!(close(cost.majority_cost(r), number(&case["cost_majority"]), 1e-12), "{case}");
        // As printed in the thesis.
        let TanCost { theta, b3, .. } = cost;
        if b3 < 1.0 {
            let five = cost_difference_in_thesis(r, [b3, theta], [theta, theta.tan() / (1.0 - b3), b3]);
            assert!(close(five, number(&case["f"]), 1e-12), "{case}");
        }
    }
}

#[test]
fn cascade_stages_match_the_reference() {
    let golden = golden("resampling/schedules");
    let cascades = || items(&golden["cases"]).iter().filter(|case| case["kind"] == "cascade");
    assert!(cascades().count() >= 4);
    for case in cascades() {
        let whole = |name: &str| case[name].as_u64().unwrap() as usize;
        let share = kept_fraction(whole("n_pos"), whole("n_neg"), whole("T") as u32);
        assert!(close(share, number(&case["f"]), 1e-12));
        let mut left: Vec<u32> = (0..whole("n_neg") as u32).collect();
        for step in items(&case["steps"]) {
            let scores = numbers(&step["scores"]);
            let stage = keep_highest_scores(&scores, n_kept_negatives(scores.len(), whole("n_pos"), share));
            assert!(close(stage.theta, number(&step["theta"]), 1e-12));
            assert_eq!(stage.kept, codes(&step["kept_positions"]));
            left = stage.kept.iter().map(|&place| left[place as usize]).collect();
        }
        assert_eq!(left, codes(&case["survivors"]));
    }
}
