//! Reasons why a classifier may never predict a rare class (Morán Jiménez 2018, section 6.7).

use super::member_network::MemberNetwork;
use super::model::BayesModel;
use crate::infer::max_log_ratio;
use crate::network::Network;
use imbcore_core::{Error, Result, RunContext, Schema};
use serde::Serialize;

/// Possible reasons for zero recall of a class, with remedies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZeroRecallDiagnosis {
    /// Number of networks in which the class has no arcs; these networks predict the class prior.
    pub class_isolated: usize,
    /// Number of networks.
    pub networks: usize,
    /// Whether every arc of the class has a larger penalty than gain, so that a search adds none.
    ///
    /// This is true if `largest_gain` is below `cheapest_arc`. This field, `largest_gain` and `cheapest_arc`
    /// are `None` if the gain of an arc has no known upper bound. One such case is a graph that was not found
    /// by a search. They are also `None` if no column is in the network.
    pub arc_unaffordable: Option<bool>,
    /// Upper bound on the likelihood gain of an arc between the class and a column, in nats.
    pub largest_gain: Option<f64>,
    /// Penalty of the cheapest arc between the class and a column, in nats.
    pub cheapest_arc: Option<f64>,
    /// Largest log-odds of class `a` against class `b` over all possible rows, as entry `[a][b]`.
    ///
    /// A possible row is any combination of feature values without missing values, even if no row of the data
    /// has it. The field is `None` if the computation needs too large a table. It is also `None` for several
    /// networks, because the log-odds of their mean prediction are not a sum over tables.
    pub max_log_odds: Option<Vec<Vec<f64>>>,
    /// Classes for which one fixed other class is more probable in every possible row.
    ///
    /// The field is `None` if `max_log_odds` is `None`.
    pub never_predicted: Option<Vec<usize>>,
    /// Recall of each class on the training rows.
    pub train_recall: Vec<Option<f64>>,
    /// Maximum fraction of parent configurations with few rows, over all tables with the class.
    ///
    /// A parent configuration of a probability table has few rows if the total weight of its training rows is
    /// below the number of states of the child. Configurations without rows are included.
    pub starved_rows: f64,
    /// Findings as sentences, with remedies.
    pub messages: Vec<String>,
}

impl BayesModel {
    /// Looks for reasons why classes may not be predicted; does not change the model.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn diagnose_zero_recall(&self, schema: &Schema, ctl: RunContext<'_>) -> Result<ZeroRecallDiagnosis> {
        let facts = self.training_stats();
        let isolated = |member: &&MemberNetwork| {
            let (dag, class) = (member.network.dag(), member.class_variable() as usize);
            dag.parents(class).is_empty() && dag.children()[class].is_empty()
        };
        let odds = match self.members() {
            [member] => max_pairwise_log_odds(&member.network, member.class_variable(), ctl)?,
            _ => None,
        };
        let never = odds.as_ref().map(|odds: &Vec<Vec<f64>>| {
            (0..odds.len()).filter(|&class| odds[class].iter().any(|&odds| odds < 0.0)).collect::<Vec<_>>()
        });
        let starved = facts.members.iter().flat_map(|member| &member.starved).flatten();
        let mut found = ZeroRecallDiagnosis {
            class_isolated: self.members().iter().filter(isolated).count(),
            networks: self.members().len(),
            arc_unaffordable: facts.arcs.map(|arcs| arcs.has_no_improving_arc()),
            largest_gain: facts.arcs.map(|arcs| arcs.largest_gain),
            cheapest_arc: facts.arcs.map(|arcs| arcs.cheapest),
            max_log_odds: odds,
            never_predicted: never,
            train_recall: facts.recall.clone(),
            starved_rows: starved.copied().fold(0.0, f64::max),
            messages: Vec::new(),
        };
        found.messages = found.to_messages(schema);
        Ok(found)
    }
}

fn max_pairwise_log_odds(
    network: &Network,
    class: u32,
    ctl: RunContext<'_>,
) -> Result<Option<Vec<Vec<f64>>>> {
    let n = network.cpts()[class as usize].n_child_states() as u16;
    let mut odds = vec![vec![0.0; usize::from(n)]; usize::from(n)];
    for state in 0..n {
        for other in (0..n).filter(|&other| other != state) {
            match max_log_ratio(network, class, state, other, ctl) {
                Ok(ratio) => odds[usize::from(state)][usize::from(other)] = ratio.value,
                Err(Error::Unsupported(_)) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Some(odds))
}

const ARCS: &str = "a smaller structure_score__structure_constant, rectify=\"tempered\" with rectify__phi below 1, fewer bins, require_class_arc=True, or \
                    naive Bayes or TAN, in which the class is in every table";
const DECISIONS: &str = "threshold=\"prior\" or \"f1\", a cost_matrix, or prior=\"rebalanced\" with prior__weight=\"n\", which also smooths all other tables";

impl ZeroRecallDiagnosis {
    fn to_messages(&self, schema: &Schema) -> Vec<String> {
        let class =
            |class: usize| schema.classes.get(class).map_or_else(|| class.to_string(), ToString::to_string);
        let mut words = Vec::new();
        if self.class_isolated > 0 {
            let isolated = if self.networks == 1 {
                "the class has no arc".to_owned()
            } else {
                format!("the class has no arc in {} of {} networks", self.class_isolated, self.networks)
            };
            words.push(format!(
                "class_isolated: {isolated}, so its probabilities do not depend on the row. Possible remedies: {ARCS}."
            ));
        }
        if let (Some(true), Some(gain), Some(price)) =
            (self.arc_unaffordable, self.largest_gain, self.cheapest_arc)
        {
            words.push(format!(
                "arc_unaffordable: even a perfect predictor of the class gains only {gain:.1} nats, but the cheapest arc costs \
                 {price:.1}. Possible remedies: {ARCS}."
            ));
        }
        let never = self.never_predicted.iter().flatten();
        for never in never {
            let worst = self.max_log_odds.iter().flat_map(|odds| &odds[*never]).copied().fold(0.0, f64::min);
            words.push(format!(
                "never_predicted: for each row, another class is more probable than {} (by a factor of at least {:.3}). Possible \
                 remedies: {DECISIONS}; or {ARCS}.",
                class(*never),
                (-worst).exp()
            ));
        }
        for (at, recall) in self.train_recall.iter().enumerate() {
            if *recall == Some(0.0) {
                words.push(format!(
                    "train_recall: no training row of class {} is predicted as this class. Possible remedies: {DECISIONS}.",
                    class(at)
                ));
            }
        }
        if self.starved_rows > 0.5 {
            words.push(format!(
                "starved_rows: in a table with the class, {:.0}% of the parent configurations have fewer rows than states. Possible remedies: fewer \
                 bins, a smaller max_parents, a larger prior__weight.",
                100.0 * self.starved_rows
            ));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::training_stats::ClassArcBounds;
    use super::*;
    use crate::dag::Dag;
    use crate::estimate::estimate;
    use crate::golden::{golden, table_of};
    use crate::network::Variable;
    use crate::prior::Prior;

    fn close(found: f64, wanted: &serde_json::Value) {
        let wanted = wanted.as_f64().unwrap();
        assert!((found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0), "{found} {wanted}");
    }

    #[test]
    fn null_networks_are_those_of_the_golden_file() {
        let mut never = 0;
        let file = golden("bagging_null");
        for case in file["null"].as_array().unwrap() {
            let table = table_of(case);
            let arcs: Vec<(u32, u32)> = serde_json::from_value(case["edges"].clone()).unwrap();
            let dag = Dag::from_arcs(table.n_columns(), &arcs).unwrap();
            let prior = Prior::uniform(case["alpha"].as_f64().unwrap());
            let cpts = estimate(&table, &dag, Some(0), &prior, RunContext::silent()).unwrap();
            let variable = |(at, &levels): (usize, &u32)| Variable {
                name: format!("v{at}"),
                states: (0..levels).map(|state| state.to_string()).collect(),
            };
            let network =
                Network::new(table.n_states_by_column().iter().enumerate().map(variable).collect(), cpts)
                    .unwrap();
            let odds = max_pairwise_log_odds(&network, 0, RunContext::silent()).unwrap().unwrap();
            close(odds[1][0], &case["max_log_odds_minority"]);
            assert_eq!(odds[1][0] < 0.0, case["never_predicted"].as_bool().unwrap());
            never += usize::from(odds[1][0] < 0.0);
            let m = table.n_rows() as f64;
            let minority = table.codes(0).iter().filter(|&&code| code == 1).count() as f64 / m;
            let price = case["C"].as_f64().unwrap() * m.ln() / 2.0;
            let arcs =
                ClassArcBounds::new(price, m, &[1.0 - minority, minority], &table.n_states_by_column()[1..])
                    .unwrap();
            close(arcs.cheapest, &case["cheapest_arc_penalty"]);
            close(arcs.largest_gain, &case["M_times_H_class"]);
        }
        assert_eq!(never, 5);
    }
}
