//! Estimation of probability tables from counts and priors.
//!
//! A cell is `(N_ijk + a_ijk) / (N_ij + sum_k a_ijk)` (Morán Jiménez 2018, section 4.5). `N_ijk` is the
//! number of rows with parent configuration j and child state k of variable i, and `a_ijk` is the
//! pseudo-count of the prior. `N_ij` is the number of rows with parent configuration j; the thesis prints the
//! number of all rows instead. Rows count by their weight. A prior may also correct each count `N_ijk` (see
//! [`Prior`]).

use crate::counts::FamilyCounts;
use crate::cpt::{Cpt, DENSE_CELLS};
use crate::dag::Dag;
use crate::prior::{Prior, RebalanceForm, SmallDisjunctPriorSettings};
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext, parallel};
use std::collections::BTreeMap;

/// Estimates all tables of a graph; `class` is the variable whose imbalance is corrected.
///
/// A table row without counts and pseudo-counts is uniform. In a table of more than [`DENSE_CELLS`] cells,
/// the row of each parent configuration that does not occur is uniform, too.
///
/// # Errors
/// [`imbcore_core::Error::Data`] if the parent configurations are too many to be numbered; the errors of
/// [`Prior::class_prior_factors`]; [`imbcore_core::Error::Cancelled`].
pub fn estimate(
    table: &DiscreteTable,
    dag: &Dag,
    class: Option<u32>,
    prior: &Prior,
    ctl: RunContext<'_>,
) -> Result<Vec<Cpt>> {
    FamilyEstimator::new(table, dag, class, prior)?.estimate_tables(dag, ctl)
}

pub(crate) struct FamilyEstimator<'a> {
    table: &'a DiscreteTable,
    class: Option<ClassPriorStats>,
    prior: &'a Prior,
}

impl<'a> FamilyEstimator<'a> {
    /// Computes the statistics of the class that the estimation of every table needs.
    ///
    /// # Errors
    /// Same errors as [`estimate`].
    pub(crate) fn new(
        table: &'a DiscreteTable,
        dag: &Dag,
        class: Option<u32>,
        prior: &'a Prior,
    ) -> Result<Self> {
        let class = class.map(|class| ClassPriorStats::new(table, dag, class, prior)).transpose()?;
        Ok(Self { table, class, prior })
    }

    pub(crate) fn training_table(&self) -> &'a DiscreteTable {
        self.table
    }

    /// All tables of the graph.
    ///
    /// # Errors
    /// Same errors as [`estimate`].
    pub(crate) fn estimate_tables(&self, dag: &Dag, ctl: RunContext<'_>) -> Result<Vec<Cpt>> {
        parallel::try_map(0..dag.n_variables(), |child| {
            ctl.check()?;
            self.estimate_family(child as u32, dag.parents(child))
        })
    }

    /// Estimates the probability table of the variable `child` with the given parents.
    ///
    /// # Errors
    /// Same errors as [`estimate`].
    pub(crate) fn estimate_family(&self, child: u32, parents: &[u32]) -> Result<Cpt> {
        estimate_cpt(self.table, child, parents, self.class.as_ref(), self.prior)
    }
}

struct ClassPriorStats {
    variable: u32,
    factors: Vec<f64>,
    frequent: u64,
    has_parents: bool,
}

impl ClassPriorStats {
    fn new(table: &DiscreteTable, dag: &Dag, variable: u32, prior: &Prior) -> Result<Self> {
        let counts = FamilyCounts::from_table(table, variable, &[])?;
        let none = vec![0.0; counts.n_child_states()];
        let weights = counts.counts_by_configuration().next().map_or(&none[..], |(_, row)| row);
        let frequent = u64::from(imbcore_core::index_of_first_largest(weights));
        // The printed form doubles the uniform prior even if `gamma` is 0.
        let corrects = prior.gamma > 0.0 || prior.rebalance == RebalanceForm::Literal;
        let factors = if corrects && prior.local.is_none() {
            prior.class_prior_factors(weights)?
        } else {
            vec![1.0; weights.len()]
        };
        let has_parents = !dag.parents(variable as usize).is_empty();
        Ok(Self { variable, factors, frequent, has_parents })
    }
}

fn estimate_cpt(
    table: &DiscreteTable,
    child: u32,
    parents: &[u32],
    class: Option<&ClassPriorStats>,
    prior: &Prior,
) -> Result<Cpt> {
    let counts = FamilyCounts::from_table(table, child, parents)?;
    let (r, q) = (counts.n_child_states(), counts.n_configurations());
    let cell = prior.alpha / (q as f64 * r as f64);
    let plain = match class.filter(|class| class.variable == child) {
        Some(class) => class.factors.iter().map(|factor| factor * cell).collect(),
        None => vec![cell; r],
    };
    let local = SmallDisjunctPriors::new(table, &counts, child, parents, class, prior);
    let posterior = |key: u64, row: &[f64], into: &mut [f64]| {
        into.copy_from_slice(&plain);
        if let Some(local) = &local {
            local.fill_pseudo_counts(key, row, cell, into);
        }
        replace_by_posterior_mean(prior, row, into);
    };
    let parent_levels = parents.iter().map(|&parent| table.n_states_by_column()[parent as usize]).collect();
    let (parents, levels) = (parents.to_vec(), table.n_states_by_column()[child as usize]);
    if q.checked_mul(r as u64).is_none_or(|cells| cells > DENSE_CELLS) {
        let (mut keys, mut p) = (Vec::new(), Vec::new());
        for (key, row) in counts.counts_by_configuration() {
            keys.push(key);
            p.resize(p.len() + r, 0.0);
            let start = p.len() - r;
            posterior(key, row, &mut p[start..]);
        }
        return Cpt::from_sparse_rows(parents, parent_levels, levels, keys, p);
    }
    let mut unseen = plain.clone();
    replace_by_posterior_mean(prior, &vec![0.0; r], &mut unseen);
    let mut p = unseen.repeat(q as usize);
    for (key, row) in counts.counts_by_configuration() {
        posterior(key, row, &mut p[key as usize * r..][..r]);
    }
    Cpt::from_dense_cells(parents, parent_levels, levels, p)
}

/// Replaces the pseudo-counts in `row` by probabilities: the posterior mean given the counts.
fn replace_by_posterior_mean(prior: &Prior, counts: &[f64], row: &mut [f64]) {
    for (cell, &count) in row.iter_mut().zip(counts) {
        *cell += prior.corrected_count(count);
    }
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        for cell in row.iter_mut() {
            *cell /= sum;
        }
    } else {
        row.fill(1.0 / counts.len() as f64);
    }
}

/// Priors of one table that correct class imbalance only in small disjuncts.
///
/// In the table of the class, a small disjunct is a parent configuration in which a class is rare. In the
/// table of a child of the class, it is a state of the child in which a class is rare. Tables of children are
/// corrected only if `children` is set and the class has no parents.
struct SmallDisjunctPriors<'a> {
    prior: &'a Prior,
    local: SmallDisjunctPriorSettings,
    /// Row counts by parent configuration; `None` in the table of the class.
    ///
    /// They are used to compare each class with the most frequent class.
    beside: Option<ConfigurationCounts<'a>>,
}

/// Counts by parent configuration; the state of the class is `configuration / step % states`.
struct ConfigurationCounts<'a> {
    rows: BTreeMap<u64, &'a [f64]>,
    step: u64,
    states: u64,
    frequent: u64,
}

impl<'a> SmallDisjunctPriors<'a> {
    fn new(
        table: &DiscreteTable,
        counts: &'a FamilyCounts,
        child: u32,
        parents: &[u32],
        class: Option<&ClassPriorStats>,
        prior: &'a Prior,
    ) -> Option<Self> {
        let (local, class) = (prior.local?, class?);
        if class.variable == child {
            return Some(Self { prior, local, beside: None });
        }
        let at = parents.iter().position(|&parent| parent == class.variable)?;
        if !local.children || class.has_parents {
            return None;
        }
        let step = parents[at + 1..]
            .iter()
            .map(|&parent| u64::from(table.n_states_by_column()[parent as usize]))
            .product();
        let states = u64::from(table.n_states_by_column()[class.variable as usize]);
        let beside = ConfigurationCounts {
            rows: counts.counts_by_configuration().collect(),
            step,
            states,
            frequent: class.frequent,
        };
        Some(Self { prior, local, beside: Some(beside) })
    }

    fn fill_pseudo_counts(&self, key: u64, row: &[f64], cell: f64, into: &mut [f64]) {
        let Some(ConfigurationCounts { rows, step, states, frequent }) = &self.beside else {
            return self.prior.fill_disjunct_pseudo_counts(&self.local, row, cell, into);
        };
        let state = key / step % states;
        let other = key - state * step + frequent * step;
        if let Some(against) = rows.get(&other).filter(|_| state != *frequent) {
            self.prior.scale_child_pseudo_counts(&self.local, row, against, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{golden, table_of};
    use crate::prior::CountCorrection;
    use serde_json::Value;

    fn prior_of(options: &Value) -> Prior {
        let number = |name: &str| options[name].as_f64();
        Prior {
            alpha: number("alpha").unwrap_or(1.0),
            laplace: match options["laplace"].as_str() {
                Some("max") => Some(CountCorrection::Max),
                Some("add") => Some(CountCorrection::Add),
                _ => None,
            },
            gamma: number("gamma").unwrap_or(0.0),
            rebalance: if options["mode"] == "deficit" {
                RebalanceForm::Deficit
            } else {
                RebalanceForm::Inverse
            },
            local: options["nu"].as_array().map(|nu| SmallDisjunctPriorSettings {
                nu0: nu[0].as_f64().unwrap(),
                nu_max: nu[1].as_f64().unwrap(),
                strength: number("lam").unwrap_or(0.0),
                children: false,
            }),
        }
    }

    #[test]
    fn tables_equal_the_golden_ones() {
        let mut compared = 0;
        for set in golden("params")["sets"].as_array().unwrap() {
            let table = table_of(set);
            let parents: Vec<Vec<u32>> = serde_json::from_value(set["parents"].clone()).unwrap();
            let dag = Dag::new(parents).unwrap();
            let class = u32::try_from(set["class"].as_u64().unwrap()).unwrap();
            for case in set["cases"].as_array().unwrap() {
                let prior = prior_of(&case["options"]);
                let cpts = estimate(&table, &dag, Some(class), &prior, RunContext::silent()).unwrap();
                for (name, variable) in [("class_cpt", class as usize), ("cpt_2", 2), ("cpt_4", 4)] {
                    let wanted: Vec<Vec<f64>> = serde_json::from_value(case[name].clone()).unwrap();
                    let found = cpts[variable].cells().unwrap();
                    assert_eq!(found.len(), wanted.concat().len());
                    for (found, wanted) in found.iter().zip(wanted.concat()) {
                        assert!(
                            (found - wanted).abs() < 1e-10,
                            "{} {name}: {found} {wanted}",
                            case["options"]
                        );
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 500);
    }

    #[test]
    fn large_tables_hold_what_occurs() {
        let codes = vec![299, 0, 299, 7];
        let table = DiscreteTable::new(vec![codes.clone(), codes], vec![300, 300]).unwrap();
        let dag = Dag::from_arcs(2, &[(1, 0)]).unwrap();
        let cpts = estimate(&table, &dag, None, &Prior::uniform(0.0), RunContext::silent()).unwrap();
        assert!(cpts[0].cells().is_none());
        assert_eq!((cpts[0].row(299)[299], cpts[0].row(1)[3]), (1.0, 1.0 / 300.0));
    }

    #[test]
    fn priors_of_children_act_beside_the_frequent_class_only() {
        // The class (variable 0) has 40 rows of state 0 (frequent) and 10 rows of state 1 (rare). In state 0
        // of the feature, the rare class has 2 rows and the frequent class 10. In state 1 of the feature, the
        // rare class has 8 rows and the frequent class 30.
        let classes: Vec<u16> = (0..50).map(|row| u16::from(row >= 40)).collect();
        let feature: Vec<u16> = (0..50).map(|row| u16::from(!(30..42).contains(&row))).collect();
        let table = DiscreteTable::new(vec![classes, feature], vec![2, 2]).unwrap();
        let dag = Dag::from_arcs(2, &[(0, 1)]).unwrap();
        let local = SmallDisjunctPriorSettings { nu0: 0.05, nu_max: 0.25, strength: 0.0, children: true };
        let prior = Prior { gamma: 1.0, local: Some(local), ..Prior::uniform(8.0) };
        let cpts = estimate(&table, &dag, Some(0), &prior, RunContext::silent()).unwrap();
        // Both states of the feature have the uniform pseudo-count 2. In state 0, the ratio of rare to
        // frequent rows is r = 1/5. The pseudo-count is therefore multiplied by 1 + (1 - r) / (1 + r) = 5/3.
        // The pseudo-counts 10/3 and 2 are then scaled to the former sum 4, which gives 2.5 and 1.5.
        let rare = cpts[1].row(1);
        assert!((rare[0] - (2.0 + 2.5) / 14.0).abs() < 1e-12, "{rare:?}");
        assert_eq!(cpts[1].row(0), [12.0 / 44.0, 32.0 / 44.0]);
    }
}
