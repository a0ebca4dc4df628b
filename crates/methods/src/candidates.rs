//! Candidate models of the method `auto`, in the order in which they are fitted.

use imbcore_core::Result;
use imbcore_trees::boosted::BoostedModel;
use serde_json::{Map, Value, json};

use crate::fitted::FittedEstimator;

/// One fit, from which one or more candidates result.
///
/// A single fit of boosted trees gives a candidate for each of several numbers of rounds.
pub(crate) struct Candidate {
    pub(crate) method: &'static str,
    pub(crate) params: Map<String, Value>,
    /// Estimated work; the unit is the work of one tree of a forest.
    pub(crate) passes: f64,
    /// Numbers of boosting rounds, one for each candidate; empty unless trees are boosted.
    pub(crate) rounds: Vec<u32>,
}

impl Candidate {
    fn new(method: &'static str, params: Value, passes: f64) -> Self {
        let params = if let Value::Object(params) = params { params } else { Map::new() };
        Self { method, params, passes, rounds: Vec::new() }
    }

    fn forest(method: &'static str, mut params: Value, n_trees: u32) -> Self {
        params["n_estimators"] = n_trees.into();
        Self::new(method, params, f64::from(n_trees))
    }

    fn boosted((n_leaves, rate): (u32, f64), rounds: &[u32], trees_per_round: usize) -> Self {
        let all = rounds.iter().copied().max().unwrap_or(1);
        let params = json!({"max_leaf_nodes": n_leaves, "learning_rate": rate, "n_rounds": all});
        // Growing a boosted tree takes less time than growing a tree of a forest: one third of it for 8
        // leaves, one half for 31 leaves (measured).
        let of_tree = f64::from(n_leaves).log2() / 10.0;
        let passes = f64::from(all) * trees_per_round as f64 * of_tree;
        Self { rounds: rounds.to_vec(), ..Self::new("boosted_trees", params, passes) }
    }

    pub(crate) fn candidate_names_and_params(&self) -> Vec<(String, Map<String, Value>)> {
        if self.rounds.is_empty() {
            return vec![(self.name(&self.params), self.params.clone())];
        }
        let of_rounds = |&rounds: &u32| {
            let mut params = self.params.clone();
            params.insert("n_rounds".into(), rounds.into());
            (self.name(&params), params)
        };
        self.rounds.iter().map(of_rounds).collect()
    }

    /// Models of the candidates.
    ///
    /// For boosted trees, each has the trees of the first rounds of `fitted`.
    pub(crate) fn candidate_models(&self, fitted: FittedEstimator) -> Result<Vec<FittedEstimator>> {
        match &fitted {
            FittedEstimator::Boosted(boosted) if !self.rounds.is_empty() => {
                let first = |&rounds: &u32| {
                    let truncated: Result<BoostedModel> = boosted.truncate(rounds as usize);
                    truncated.map(FittedEstimator::Boosted)
                };
                self.rounds.iter().map(first).collect()
            }
            // If the rows have a single class, the same constant model serves every number of rounds.
            _ => Ok(vec![fitted; self.rounds.len().max(1)]),
        }
    }

    fn name(&self, params: &Map<String, Value>) -> String {
        let shown = params.iter().filter(|(name, _)| *name != "n_estimators");
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name}={value}")).collect();
        if shown.is_empty() {
            self.method.to_owned()
        } else {
            format!("{}({})", self.method, shown.join(", "))
        }
    }
}

pub(crate) fn candidates(n_trees: u32, n_columns: usize, n_classes: usize) -> Vec<Candidate> {
    // A boosting round fits one tree per class, but a single tree if there are two classes.
    let trees_per_round = if n_classes > 2 { n_classes } else { 1 };
    let leaves = |rows: u32| json!({"min_samples_leaf": rows});
    vec![
        Candidate::new("naive_bayes", json!({}), 1.0),
        Candidate::new("tan", json!({}), n_columns as f64),
        Candidate::new("logistic_regression", json!({}), 20.0),
        Candidate::boosted((8, 0.1), &[25, 50, 100, 200], trees_per_round),
        Candidate::forest("forest", leaves(2), n_trees),
        Candidate::forest("forest", leaves(20), n_trees),
        Candidate::forest("extra_trees", leaves(1), n_trees),
        Candidate::forest("forest", leaves(5), n_trees),
        Candidate::forest("random_forest", leaves(3), n_trees),
        Candidate::boosted((31, 0.05), &[50, 100, 200, 400], trees_per_round),
        Candidate::forest("balanced_random_forest", json!({"prior_correction": "prior"}), n_trees),
        Candidate::forest("forest", leaves(100), n_trees),
        Candidate::forest("extra_trees", leaves(10), n_trees),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::full_params_and_role;
    use std::collections::BTreeSet;

    #[test]
    fn candidates_have_valid_parameters_and_unique_names() {
        let all = candidates(5, 10, 3);
        let names: BTreeSet<String> =
            all.iter().flat_map(Candidate::candidate_names_and_params).map(|(name, _)| name).collect();
        assert_eq!(
            names.len(),
            all.iter().map(|candidate| candidate.candidate_names_and_params().len()).sum::<usize>()
        );
        for candidate in &all {
            for (_, params) in candidate.candidate_names_and_params() {
                full_params_and_role(candidate.method, &params).unwrap();
            }
        }
    }
}
