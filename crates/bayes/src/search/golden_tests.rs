//! Tests that compare searches and scores with stored reference results.

use super::{Operation, Rectify, ScoreName, SearchName, StructureParams, StructureSettings, TieOrder};
use crate::counts::FamilyCounts;
use crate::dag::Dag;
use crate::golden::{golden, table_of};
use crate::info::{self, pairwise_mutual_information, state_counts, with_tempered_weights};
use crate::restricted::{kdb_graph, naive_bayes_graph, tan_graph};
use crate::score::{FamilyScorer, ScoreFunction};
use crate::smoothed::SparseColumns;
use imbcore_core::{RunContext, SeedKey};
use serde_json::Value;

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} for {expected}");
}

fn items(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn arcs(value: &Value) -> Vec<(u32, u32)> {
    let mut arcs: Vec<(u32, u32)> = serde_json::from_value(value.clone()).unwrap();
    arcs.sort_unstable();
    arcs
}

fn settings(params: StructureParams) -> StructureSettings {
    params.check("test").unwrap()
}

#[test]
fn golden_family_scores() {
    for set in items(&golden("scores")["sets"]) {
        let table = table_of(set);
        let total = table.total_weight();
        let score = |measure, average| FamilyScorer::new(measure, total, average);
        let likelihood = |penalty| ScoreFunction::Likelihood { penalty };
        let scores = [
            ("ll", score(likelihood(0.0), false)),
            ("bic", score(ScoreFunction::bic(total, 1.0), false)),
            ("bic_c2.5", score(ScoreFunction::bic(total, 2.5), false)),
            ("nal", score(ScoreFunction::bic(total, 1.0), true)),
            ("aic", score(likelihood(1.0), false)),
            ("k2", score(ScoreFunction::K2, false)),
            ("bdeu_1", score(ScoreFunction::Bdeu { ess: 1.0 }, false)),
            ("bdeu_10", score(ScoreFunction::Bdeu { ess: 10.0 }, false)),
            ("bds_1", score(ScoreFunction::Bds { ess: 1.0 }, false)),
        ];
        for family in items(&set["families"]) {
            let child = serde_json::from_value(family["y"].clone()).unwrap();
            let parents: Vec<u32> = serde_json::from_value(family["pa"].clone()).unwrap();
            let counts = FamilyCounts::from_table(&table, child, &parents).unwrap();
            for (name, score) in &scores {
                close(
                    score.score_counts(&counts),
                    &family[name],
                    &format!("{} {name} {child} {parents:?}", set["net"]),
                );
            }
        }
        if set["true_dag"].is_null() {
            continue;
        }
        let dag = Dag::from_arcs(table.n_columns(), &arcs(&set["true_dag"])).unwrap();
        for (name, found) in [("bic", ScoreName::Bic), ("k2", ScoreName::K2), ("bds", ScoreName::Bds)] {
            let settings = settings(StructureParams {
                score: found,
                missing_likelihood: super::Gaps::Available,
                ..StructureParams::default()
            });
            close(
                settings.score_dag(&table, None, &dag, RunContext::silent()).unwrap(),
                &set["true_dag_score"][name],
                name,
            );
        }
    }
}

#[test]
fn golden_hill_climbs() {
    for run in items(&golden("hc")["runs"]) {
        let table = table_of(run);
        let params = StructureParams {
            search: SearchName::HillClimbing,
            score: serde_json::from_value(run["score"].clone()).unwrap(),
            structure_constant: run["C"].as_f64().unwrap(),
            equivalent_sample_size: run["ess"].as_f64().unwrap_or(1.0),
            max_parents: serde_json::from_value(run["max_parents"].clone()).unwrap(),
            tie_breaking: TieOrder::Column,
            ..StructureParams::default()
        };
        let what = format!("{} {}", run["net"], run["score"]);
        let learn =
            |params| settings(params).learn(&table, None, SeedKey::root(0), RunContext::silent()).unwrap();
        let found = learn(params.clone());
        let trace = items(&run["trace"]);
        assert_eq!(found.trace.len(), trace.len(), "{what}");
        for (step, (&(operation, gain), expected)) in found.trace.iter().zip(trace).enumerate() {
            let (name, from, to) = match operation {
                Operation::Add(from, to) => ("add", from, to),
                Operation::Remove(from, to) => ("remove", from, to),
                Operation::Reverse(from, to) => ("reverse", from, to),
            };
            assert_eq!(
                (&Value::from(name), &Value::from(from), &Value::from(to)),
                (&expected[0], &expected[1], &expected[2]),
                "{what}, step {step}"
            );
            close(gain, &expected[3], &what);
        }
        assert_eq!(found.dag.arcs(), arcs(&run["edges"]), "{what}");
        close(found.score, &run["total"], &what);
        let found = learn(StructureParams { tie_breaking: TieOrder::Entropy, ..params });
        close(found.score, &run["entropy_order"]["total"], &what);
        assert_eq!(found.dag.arcs(), arcs(&run["entropy_order"]["edges"]), "{what}");
    }
}

#[test]
fn golden_best_graphs() {
    for case in items(&golden("exhaustive")["cases"]) {
        let table = table_of(case);
        let params = StructureParams {
            score: serde_json::from_value(case["score"].clone()).unwrap(),
            equivalent_sample_size: case["ess"].as_f64().unwrap(),
            tie_breaking: TieOrder::Column,
            ..StructureParams::default()
        };
        let learn = |search| {
            let params = StructureParams { search, ..params.clone() };
            settings(params).learn(&table, None, SeedKey::root(1), RunContext::silent()).unwrap()
        };
        let best = learn(SearchName::Exact);
        close(best.score, &case["best"], "exact");
        assert!(items(&case["best_dags"]).iter().any(|dag| arcs(dag) == best.dag.arcs()));
        let greedy = learn(SearchName::HillClimbing);
        close(greedy.score, &case["hc_score"], "hc");
        assert_eq!(greedy.dag.arcs(), arcs(&case["hc_edges"]));
        let hits = (0..20).filter(|&seed| {
            let params = StructureParams { search: SearchName::IteratedLocal, ..params.clone() };
            let found =
                settings(params).learn(&table, None, SeedKey::root(seed), RunContext::silent()).unwrap();
            (found.score - case["best"].as_f64().unwrap()).abs() < 1e-6
        });
        // In these data, each child is the parity of its parents, so single arcs have no gain. A random
        // search may therefore miss the best graph, but rarely does.
        assert!(hits.count() >= 15);
        assert!(learn(SearchName::Tabu).score >= greedy.score - 1e-9);
    }
}

#[test]
fn golden_rectified_information() {
    for case in items(&golden("rectified")["cases"]) {
        let table = table_of(case);
        let n = table.n_columns();
        let class: u32 = serde_json::from_value(case["class"].clone()).unwrap();
        for (v, entropy) in items(&case["entropy"]).iter().enumerate() {
            close(info::entropy_of(&state_counts(&table, v as u32)), entropy, "entropy");
        }
        for reading in items(&case["rectified"]) {
            let mode: Rectify = serde_json::from_value(reading["mode"].clone()).unwrap();
            let phi = reading["phi"].as_f64().unwrap();
            let worth =
                pairwise_mutual_information(&table, Some((mode, phi)), &vec![true; n], RunContext::silent())
                    .unwrap();
            for x in 0..n {
                for y in (0..n).filter(|&y| y != x) {
                    close(worth[y * n + x], &reading["matrix"][x][y], &format!("{mode:?} {phi} {x} {y}"));
                }
            }
        }
        for pairwise in items(&case["mle_pairwise"]) {
            let dag = Dag::from_arcs(n, &arcs(&pairwise["edges"])).unwrap();
            let score = |mle| {
                settings(StructureParams {
                    score: ScoreName::LogLikelihood,
                    mle,
                    ..StructureParams::default()
                })
            };
            close(
                score(super::Mle::Pairwise).score_dag(&table, None, &dag, RunContext::silent()).unwrap(),
                &pairwise["value"],
                "pairwise",
            );
            close(
                score(super::Mle::Family).score_dag(&table, None, &dag, RunContext::silent()).unwrap(),
                &pairwise["family_ll"],
                "family",
            );
        }
        for phi in ["0.0", "0.5"] {
            let expected = &case[format!("weights_phi_{phi}")];
            let weights = info::tempered_class_weights(&state_counts(&table, class), phi.parse().unwrap());
            weights
                .iter()
                .zip(items(&expected["by_class"]))
                .for_each(|(&found, value)| close(found, value, "weight"));
            let weighted = with_tempered_weights(table.clone(), class, phi.parse().unwrap()).unwrap();
            for family in items(&expected["ll_families"]) {
                let parents: Vec<u32> = serde_json::from_value(family["pa"].clone()).unwrap();
                let child = serde_json::from_value(family["y"].clone()).unwrap();
                let counts = FamilyCounts::from_table(&weighted, child, &parents).unwrap();
                let bic = FamilyScorer::new(
                    ScoreFunction::bic(table.total_weight(), 1.0),
                    table.total_weight(),
                    false,
                );
                close(bic.score_counts(&counts), &family["bic"], "tempered bic");
            }
        }
    }
}

#[test]
fn golden_restricted_graphs() {
    for case in items(&golden("classifiers")["cases"]) {
        let table = table_of(case);
        let class: u32 = serde_json::from_value(case["class"].clone()).unwrap();
        let ctl = RunContext::silent();
        assert_eq!(naive_bayes_graph(table.n_columns(), class).arcs(), arcs(&case["nb"]), "{}", case["net"]);
        assert_eq!(
            tan_graph(&table, class, &SparseColumns::without_sparse_columns(&table), false, ctl)
                .unwrap()
                .arcs(),
            arcs(&case["tan"]),
            "{}",
            case["net"]
        );
        for k in [1, 2] {
            assert_eq!(
                kdb_graph(&table, class, &SparseColumns::without_sparse_columns(&table), k, ctl)
                    .unwrap()
                    .arcs(),
                arcs(&case[format!("kdb{k}")]),
                "{}",
                case["net"]
            );
        }
        let balanced = with_tempered_weights(table, class, 0.0).unwrap();
        assert_eq!(
            tan_graph(&balanced, class, &SparseColumns::without_sparse_columns(&balanced), false, ctl)
                .unwrap()
                .arcs(),
            arcs(&case["tan_balanced"]),
            "{}",
            case["net"]
        );
    }
}
