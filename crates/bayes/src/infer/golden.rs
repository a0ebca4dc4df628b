//! Tests against results of independent programs: `posterior.json` and `bagging_null.json`.

use super::{QuerySettings, log_likelihood, marginals, max_log_ratio, posterior, posterior_batch};
use crate::dag::Dag;
use crate::estimate::estimate;
use crate::golden::{golden, table_of};
use crate::io::read_bif;
use crate::network::{Network, Variable};
use crate::prior::Prior;
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::RunContext;
use serde_json::Value;
use std::path::PathBuf;

const QUIET: fn() -> RunContext<'static> = RunContext::silent;

fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}

fn close_distributions(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-10)
}

fn same_log(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

#[test]
#[allow(clippy::print_stdout)]
fn queries_on_networks_of_the_literature() {
    let folder = std::env::var("IMBCORE_DATA").map_or_else(
        |_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if !folder.join("bif").is_dir() {
        println!(
            "skipped: the networks are not available; set IMBCORE_DATA to the folder that contains bif/"
        );
        return;
    }
    let mut asked = 0;
    for case in golden("posterior")["queries"].as_array().unwrap() {
        let name = case["net"].as_str().unwrap();
        let text = std::fs::read_to_string(folder.join(format!("bif/{name}.bif"))).unwrap();
        let network = read_bif(&text).unwrap().0;
        for query in case["queries"].as_array().unwrap() {
            let target: u32 = serde_json::from_value(query["target"].clone()).unwrap();
            let evidence: Vec<(u32, u16)> = query["evidence"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(v, state)| (v.parse().unwrap(), serde_json::from_value(state.clone()).unwrap()))
                .collect();
            let wanted = numbers(&query["posterior"]);
            let log = query["log_evidence"].as_f64().unwrap();
            let answer =
                posterior(&network, &[target], &evidence, &QuerySettings::default(), QUIET()).unwrap();
            assert!(close_distributions(&answer.p, &wanted), "{name}: {query}");
            assert!(same_log(answer.log_evidence, log), "{name}: {query}");
            let all = marginals(&network, &evidence, QUIET()).unwrap();
            assert!(close_distributions(&all.p[target as usize], &wanted), "{name}: {query}");
            assert!(same_log(all.log_evidence, log), "{name}: {query}");
            let mut columns = vec![vec![MISSING]; network.n_variables()];
            for &(v, state) in &evidence {
                columns[v as usize] = vec![state];
            }
            let row = DiscreteTable::new(columns, network.n_states_by_variable()).unwrap();
            assert!(same_log(log_likelihood(&network, &row, QUIET()).unwrap()[0], log), "{name}: {query}");
            let batch = posterior_batch(&network, target, &row, true, QUIET()).unwrap();
            assert!(
                close_distributions(&batch.p, &wanted) && same_log(batch.log_p.unwrap()[0], log),
                "{name}: {query}"
            );
            asked += 1;
        }
    }
    assert_eq!(asked, 72);
}

fn fitted(case: &Value) -> Network {
    let table = table_of(case);
    let arcs: Vec<(u32, u32)> = serde_json::from_value(case["edges"].clone()).unwrap();
    let dag = Dag::from_arcs(table.n_columns(), &arcs).unwrap();
    let prior = Prior::uniform(case["alpha"].as_f64().unwrap());
    let cpts = estimate(&table, &dag, None, &prior, QUIET()).unwrap();
    let variable = |(v, &levels): (usize, &u32)| Variable {
        name: format!("v{v}"),
        states: (0..levels).map(|state| state.to_string()).collect(),
    };
    Network::new(table.n_states_by_column().iter().enumerate().map(variable).collect(), cpts).unwrap()
}

#[test]
fn classifiers_with_gaps() {
    for case in golden("posterior")["classifier"].as_array().unwrap() {
        let network = fitted(case);
        let mut rows = case.clone();
        rows["columns"] = case["rows"].clone();
        let rows = table_of(&rows);
        let class = u32::try_from(case["class"].as_u64().unwrap()).unwrap();
        let found = posterior_batch(&network, class, &rows, true, QUIET()).unwrap();
        let (logs, width) = (found.log_p.unwrap(), network.n_states_by_variable()[class as usize] as usize);
        let expected = case["expected"].as_array().unwrap();
        assert_eq!(expected.len(), rows.n_rows());
        for (row, wanted) in expected.iter().enumerate() {
            assert!(
                close_distributions(&found.p[row * width..][..width], &numbers(&wanted["posterior"])),
                "row {row}"
            );
            assert!(same_log(logs[row], wanted["log_evidence"].as_f64().unwrap()), "row {row}");
        }
    }
}

#[test]
fn largest_log_odds_of_the_minority() {
    let golden = golden("bagging_null");
    for (number, case) in golden["null"].as_array().unwrap().iter().enumerate() {
        let found = max_log_ratio(&fitted(case), 0, 1, 0, QUIET()).unwrap();
        let wanted = case["max_log_odds_minority"].as_f64().unwrap();
        assert!(same_log(found.value, wanted), "case {number}: {} {wanted}", found.value);
        for (v, state) in case["at"].as_object().unwrap() {
            let v: usize = v.parse().unwrap();
            assert_eq!(u64::from(found.at[v]), state.as_u64().unwrap(), "case {number}, variable {v}");
        }
        assert_eq!(found.value < 0.0, case["never_predicted"].as_bool().unwrap(), "case {number}");
    }
}
