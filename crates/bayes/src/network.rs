//! Bayesian networks: named variables, a graph, and one probability table per variable.

use crate::cpt::Cpt;
use crate::dag::Dag;
use imbcore_core::{Error, Result};

/// A variable and the names of its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name of the variable.
    pub name: String,
    /// Names of the states, in the order of their codes.
    pub states: Vec<String>,
}

/// A Bayesian network: the joint distribution is the product of `P(x_i | parents of i)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    variables: Vec<Variable>,
    dag: Dag,
    cpts: Vec<Cpt>,
    order: Vec<u32>,
}

impl Network {
    /// Builds a network from variables and their tables; the parents in the tables are its arcs.
    ///
    /// # Errors
    /// [`Error::Data`] for a duplicate variable or state name, a table that does not fit the
    /// variables, or a cycle.
    pub fn new(variables: Vec<Variable>, cpts: Vec<Cpt>) -> Result<Self> {
        if variables.len() != cpts.len() {
            return Err(Error::Data(format!("{} variables have {} tables", variables.len(), cpts.len())));
        }
        if let Some(twice) = find_repeated_name(variables.iter().map(|variable| &variable.name)) {
            return Err(Error::Data(format!("two variables have the name {twice:?}")));
        }
        for (variable, cpt) in variables.iter().zip(&cpts) {
            let fail = |what: &str| Err(Error::Data(format!("variable {:?}: {what}", variable.name)));
            if let Some(twice) = find_repeated_name(variable.states.iter()) {
                return fail(&format!("two states are named {twice:?}"));
            }
            let known = cpt.parents().iter().zip(cpt.n_states_by_parent());
            let fits = |(&parent, &levels): (&u32, &u32)| {
                variables.get(parent as usize).is_some_and(|parent| parent.states.len() == levels as usize)
            };
            let sorted = cpt.parents().windows(2).all(|pair| pair[0] < pair[1]);
            if cpt.n_child_states() as usize != variable.states.len() || !sorted || !known.clone().all(fits) {
                return fail("its table does not fit its states and parents");
            }
        }
        let parents: Vec<_> = cpts.iter().map(|cpt| cpt.parents().to_vec()).collect();
        Dag::check_acyclic(&parents, |at| &variables[at as usize].name)?;
        let dag = Dag::new(parents)?;
        let order = dag.topological_order();
        Ok(Self { variables, dag, cpts, order })
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.variables.len()
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The graph.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// Probability tables, one per variable.
    pub fn cpts(&self) -> &[Cpt] {
        &self.cpts
    }

    /// The variables in topological order: parents before children.
    pub fn topological_order(&self) -> &[u32] {
        &self.order
    }

    /// Number of states of each variable.
    pub fn n_states_by_variable(&self) -> Vec<u32> {
        self.cpts.iter().map(Cpt::n_child_states).collect()
    }
}

fn find_repeated_name<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut sorted: Vec<_> = names.collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, states: &[&str]) -> Variable {
        Variable { name: name.into(), states: states.iter().map(|&state| state.into()).collect() }
    }

    #[test]
    fn tables_must_fit() {
        let a = || variable("a", &["no", "yes"]);
        let b = || variable("b", &["x", "y", "z"]);
        let root = || Cpt::from_dense_cells(vec![], vec![], 2, vec![0.3, 0.7]).unwrap();
        let child = |parent| {
            Cpt::from_dense_cells(vec![parent], vec![2], 3, vec![0.2, 0.3, 0.5, 0.0, 0.0, 1.0]).unwrap()
        };
        let network = Network::new(vec![a(), b()], vec![root(), child(0)]).unwrap();
        assert_eq!((network.topological_order(), network.n_states_by_variable()), (&[0, 1][..], vec![2, 3]));
        assert!(Network::new(vec![a(), b()], vec![root(), child(1)]).is_err());
        assert!(Network::new(vec![a(), a()], vec![root(), root()]).is_err());
        assert!(Network::new(vec![a(), variable("b", &["x", "x", "z"])], vec![root(), child(0)]).is_err());
    }
}
