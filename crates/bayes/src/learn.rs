//! Learns a network from a table of codes: first the graph, then the probabilities.

use crate::dag::Dag;
use crate::estimate::estimate;
use crate::info::with_tempered_weights;
use crate::network::{Network, Variable};
use crate::prior::PriorParams;
use crate::search::{FoundStructure, Rectify, StopReason, StructureSettings, TemperedUse};
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, SeedKey};

/// Specification of a network over the columns of a table, except its arcs.
#[derive(Clone, Debug)]
pub struct NetworkSpec<'a> {
    /// Name of each column with the names of its states.
    pub variables: Vec<Variable>,
    /// The variable whose imbalance the search and the prior may correct.
    pub class: Option<u32>,
    /// Prior of the probability tables.
    pub prior: &'a PriorParams,
}

impl NetworkSpec<'_> {
    /// Searches the arcs and estimates the probabilities.
    ///
    /// With a class, a search by tempered mutual information whose parameter `used_for` is "both" also weights
    /// the rows by class to estimate the probabilities. If the user interrupts the search after it has found
    /// a graph, the network has this graph.
    ///
    /// # Errors
    /// Same errors as [`StructureSettings::learn`] and [`NetworkSpec::estimate`].
    pub fn learn(
        self,
        table: &DiscreteTable,
        structure: &StructureSettings,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(Network, FoundStructure)> {
        let found = structure.learn_interruptible(table, self.class, key, ctl)?;
        let ctl = if found.stopped_by == StopReason::Interrupted { RunContext::silent() } else { ctl };
        let params = structure.params();
        if let Some(remark) = params.rectify.and_then(Rectify::warning) {
            ctl.warn(remark);
        }
        let weighs = params.rectify == Some(Rectify::Tempered) && params.used_for == TemperedUse::Both;
        let weighted = match self.class {
            Some(class) if weighs => Some(with_tempered_weights(table.clone(), class, params.phi)?),
            _ => None,
        };
        let network = self.estimate(weighted.as_ref().unwrap_or(table), &found.dag, ctl)?;
        Ok((network, found))
    }

    /// Estimates the probabilities of a network with the given arcs.
    ///
    /// # Errors
    /// Same errors as [`estimate`]; [`Error::Data`] for names that do not fit the table.
    pub fn estimate(self, table: &DiscreteTable, dag: &Dag, ctl: RunContext<'_>) -> Result<Network> {
        if self.variables.len() != table.n_columns() || dag.n_variables() != table.n_columns() {
            let (n, columns) = (self.variables.len(), table.n_columns());
            return Err(Error::Data(format!("{n} variables do not fit a table of {columns} columns")));
        }
        let prior = self.prior.to_prior(table.total_weight());
        let cpts = estimate(table, dag, self.class, &prior, ctl)?;
        Network::new(self.variables, cpts)
    }
}

/// Strength of each arc `(parent, child)`: the decrease of the score if the arc is removed.
///
/// The arcs are sorted by parent, then by child.
///
/// # Errors
/// Same errors as [`StructureSettings::family_scores`].
pub fn arc_strengths(
    table: &DiscreteTable,
    dag: &Dag,
    class: Option<u32>,
    structure: &StructureSettings,
    ctl: RunContext<'_>,
) -> Result<Vec<((u32, u32), f64)>> {
    let mut arcs = dag.arcs();
    arcs.sort_unstable();
    // The score is a sum over families, so removing an arc changes only the score of the family of its child.
    let parents = |child: u32| dag.parents(child as usize).to_vec();
    let without = |&(parent, child): &(u32, u32)| {
        (child, parents(child).into_iter().filter(|&own| own != parent).collect::<Vec<u32>>())
    };
    let n = dag.n_variables();
    let families = (0..n as u32).map(|child| (child, parents(child)));
    let families: Vec<_> = families.chain(arcs.iter().map(without)).collect();
    let mut whole = structure.family_scores(table, class, &families, ctl)?;
    let less = whole.split_off(n);
    let strength = |(arc, less): ((u32, u32), f64)| (arc, whole[arc.1 as usize] - less);
    Ok(arcs.into_iter().zip(less).map(strength).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::StructureParams;
    use imbcore_core::{Observer, Progress};
    use std::sync::atomic::AtomicBool;

    fn table() -> DiscreteTable {
        let a: Vec<u16> = (0..64).map(|row| row % 2).collect();
        let b: Vec<u16> = (0..64).map(|row| row / 2 % 2).collect();
        let agree = a.iter().zip(&b).map(|(a, b)| u16::from(a == b)).collect();
        DiscreteTable::new(vec![a.clone(), b, agree, a], vec![2; 4]).unwrap()
    }

    fn settings() -> StructureSettings {
        StructureParams::default().check("test").unwrap()
    }

    #[test]
    fn strength_is_the_loss_of_score() {
        let dag = Dag::from_arcs(4, &[(0, 2), (1, 2), (0, 3)]).unwrap();
        let (table, settings) = (table(), settings());
        let score = |dag: &Dag| settings.score_dag(&table, None, dag, RunContext::silent()).unwrap();
        let strengths = arc_strengths(&table, &dag, None, &settings, RunContext::silent()).unwrap();
        let arcs: Vec<_> = strengths.iter().map(|&(arc, _)| arc).collect();
        assert_eq!(arcs, dag.arcs());
        for (gone, strength) in strengths {
            let left: Vec<_> = dag.arcs().into_iter().filter(|&arc| arc != gone).collect();
            let slow = score(&dag) - score(&Dag::from_arcs(4, &left).unwrap());
            assert!((strength - slow).abs() < 1e-9, "{gone:?}: {strength} {slow}");
            assert!(strength > 30.0, "{gone:?}: {strength}");
        }
    }

    #[test]
    fn cancelled_runs_return_no_scores() {
        struct SilentObserver;
        impl Observer for SilentObserver {
            fn progress(&self, _: Progress) {}
        }
        let dag = Dag::from_arcs(4, &[(0, 2), (1, 2), (0, 3)]).unwrap();
        let stop = AtomicBool::new(true);
        let ctl = RunContext::new(&SilentObserver, &stop);
        let score = settings().score_dag(&table(), None, &dag, ctl);
        assert!(matches!(score, Err(Error::Cancelled)), "{score:?}");
        let strengths = arc_strengths(&table(), &dag, None, &settings(), ctl);
        assert!(matches!(strengths, Err(Error::Cancelled)), "{strengths:?}");
    }

    #[test]
    fn a_network_has_the_graph_that_was_found() {
        let variables = ["a", "b", "c", "d"]
            .map(|name| Variable { name: name.into(), states: vec!["0".into(), "1".into()] });
        let prior = PriorParams::default();
        let plan = || NetworkSpec { variables: variables.to_vec(), class: None, prior: &prior };
        let ctl = RunContext::silent();
        let (network, found) = plan().learn(&table(), &settings(), SeedKey::root(0), ctl).unwrap();
        assert_eq!(network.dag(), &found.dag);
        let linked = |arc| matches!(arc, (0, 3) | (3, 0));
        assert!(found.dag.arcs().into_iter().any(linked), "the copy goes with the original");
        assert_eq!(network, plan().estimate(&table(), &found.dag, ctl).unwrap());
        assert!(plan().estimate(&table(), &Dag::empty(3), ctl).is_err());
    }
}
