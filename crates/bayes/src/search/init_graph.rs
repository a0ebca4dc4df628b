//! The graph that a search starts from.

use super::arc_constraints::ArcConstraints;
use super::column_order::ColumnOrder;
use super::learner::StructureSettings;
use super::params::{InitGraph, InitGraphRule, SearchName};
use super::random_graphs::random_dag;
use super::rounding::missing_class_error;
use crate::dag::Dag;
use imbcore_core::{Error, Result, SeedKey, tags};

impl StructureSettings {
    fn graph_from_given_arcs(
        rules: &ArcConstraints,
        order: &ColumnOrder,
        arcs: &[(u32, u32)],
    ) -> Result<Dag> {
        let ranked: Vec<_> = arcs.iter().map(|&(from, to)| (order.rank(from), order.rank(to))).collect();
        let dag = Dag::from_arcs(order.columns().len(), &ranked)
            .map_err(|_| Error::Data("the arcs of init_graph form a cycle; remove an arc from it".into()))?;
        if !rules.is_satisfied_by(&dag) {
            let message = "the arcs of init_graph break max_parents, or the required or forbidden arcs";
            return Err(Error::Data(message.into()));
        }
        Ok(dag)
    }

    pub(super) fn initial_graph(
        &self,
        rules: &ArcConstraints,
        order: &ColumnOrder,
        class: Option<u32>,
        key: SeedKey,
    ) -> Result<Dag> {
        let n = order.columns().len();
        let biased = self.0.search == SearchName::Biased;
        let otherwise = InitGraph::Rule(if biased { InitGraphRule::Random } else { InitGraphRule::Empty });
        let rule = match self.0.init_graph.as_ref().unwrap_or(&otherwise) {
            InitGraph::Rule(rule) => rule,
            InitGraph::Arcs(arcs) => return Self::graph_from_given_arcs(rules, order, arcs),
        };
        let smallest = rules.required_graph()?;
        match rule {
            InitGraphRule::Empty => Ok(smallest),
            InitGraphRule::Random => {
                let density = self.0.density.unwrap_or_else(|| (1.0 / (n as f64 - 1.0).max(1.0)).min(0.5));
                random_dag(rules, n, density, &mut key.child(tags::structure::START, 0).rng())
            }
            InitGraphRule::Naive => {
                let class = order.rank(class.ok_or_else(|| missing_class_error("init_graph=\"naive\""))?);
                let mut parents: Vec<Vec<u32>> = (0..n).map(|v| smallest.parents(v).to_vec()).collect();
                for v in (0..n as u32).filter(|&v| v != class && rules.allows_arc(class, v)) {
                    let own = &mut parents[v as usize];
                    let room = rules.max_parents.is_none_or(|most| own.len() < most as usize);
                    if room && !own.contains(&class) && !smallest.parents(class as usize).contains(&v) {
                        own.push(class);
                    }
                }
                Dag::new(parents)
            }
        }
    }
}
