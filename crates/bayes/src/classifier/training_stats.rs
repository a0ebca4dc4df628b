//! Training statistics of a Bayesian classifier.

use super::member_network::MemberNetwork;
use crate::counts::FamilyCounts;
use crate::dag::Dag;
use crate::discretize::extend_range;
use crate::table::DiscreteTable;
use imbcore_core::{Column, Error, Frame, Result, parallel};

/// Training statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingStats {
    /// Fraction of the total training weight that each class has.
    pub shares: Vec<f64>,
    /// Class fractions under the row weights with which the probabilities were estimated.
    pub weighted_fractions: Vec<f64>,
    /// Total weight of the training rows.
    pub total: f64,
    /// Recall of each class on the training rows; `None` for a class without rows.
    pub recall: Vec<Option<f64>>,
    /// Minimum and maximum training value of each column; `None` for nominal and empty columns.
    pub ranges: Vec<Option<(f64, f64)>>,
    /// Bounds on penalties and gains of arcs with the class; `None` if no bounds are known.
    pub arcs: Option<ClassArcBounds>,
    /// One entry per network.
    pub members: Vec<NetworkStats>,
}

/// Bounds that may prove, without a search, that no arc with the class can improve the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassArcBounds {
    /// Penalty of the cheapest arc between the class and a column, in nats.
    pub cheapest: f64,
    /// Upper bound on the gain of an arc in nats: total weight times entropy of the class.
    pub largest_gain: f64,
}

impl ClassArcBounds {
    /// Computes the bounds for arcs between the class and a column; `None` without columns.
    ///
    /// `price` is the penalty per parameter and `total` the weight of all rows. `shares` are the fractions of
    /// the classes, and `levels` the numbers of states of the columns.
    pub fn new(price: f64, total: f64, shares: &[f64], levels: &[u32]) -> Option<Self> {
        let fewest = levels.iter().min()?;
        let cheapest = price * f64::from(fewest - 1) * (shares.len() as f64 - 1.0);
        let entropy: f64 = shares.iter().filter(|&&p| p > 0.0).map(|p| -p * p.ln()).sum();
        Some(Self { cheapest, largest_gain: total * entropy })
    }

    pub(crate) fn has_no_improving_arc(&self) -> bool {
        self.largest_gain < self.cheapest
    }
}

/// Training statistics of one network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkStats {
    /// Score of the graph; `None` if the graph was not found by a search.
    pub score: Option<f64>,
    /// Reason why the structure search ended; empty if the graph was not found by a search.
    pub stopped_by: String,
    /// For each probability table, the fraction of parent configurations with few rows.
    ///
    /// A configuration has few rows if the total weight of its training rows is below the number of states of
    /// the child. Configurations without rows are included. The entry of a table that does not contain the
    /// class is `None`.
    pub starved: Vec<Option<f64>>,
}

impl TrainingStats {
    pub(super) fn check(&self, members: &[MemberNetwork]) -> Result<()> {
        let share = |value: &f64| (0.0..=1.0).contains(value);
        let is_distribution = |p: &[f64]| p.iter().all(share) && (p.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        let n = self.shares.len();
        let lengths = n >= 2
            && self.weighted_fractions.len() == n
            && self.recall.len() == n
            && self.members.len() == members.len();
        let starved = |(facts, member): (&NetworkStats, &MemberNetwork)| {
            facts.starved.len() == member.network.n_variables() && facts.starved.iter().flatten().all(share)
        };
        let numbers = is_distribution(&self.shares)
            && is_distribution(&self.weighted_fractions)
            && self.total.is_finite()
            && self.total > 0.0
            && self.recall.iter().flatten().all(share)
            && self.arcs.is_none_or(|arcs| arcs.cheapest >= 0.0 && arcs.largest_gain >= 0.0)
            && self
                .ranges
                .iter()
                .flatten()
                .all(|(low, high)| low <= high && low.is_finite() && high.is_finite());
        if lengths && numbers && self.members.iter().zip(members).all(starved) {
            Ok(())
        } else {
            Err(Error::Data("the training statistics of a Bayesian classifier are inconsistent".into()))
        }
    }
}

/// For each variable, the fraction of its parent configurations that have few rows.
///
/// A configuration has few rows if the total weight of its rows is below the number of states of the
/// variable. Configurations without rows are included. The entry is `None` if neither the variable nor a
/// parent is the class.
pub(super) fn sparse_configuration_fractions(
    table: &DiscreteTable,
    dag: &Dag,
    class: u32,
) -> Result<Vec<Option<f64>>> {
    let family = |child: usize| {
        let parents = dag.parents(child);
        if child as u32 != class && !parents.contains(&class) {
            return Ok(None);
        }
        let counts = FamilyCounts::from_table(table, child as u32, parents)?;
        let fed = |row: &[f64]| row.iter().sum::<f64>() >= row.len() as f64;
        let fed = counts.counts_by_configuration().filter(|(_, row)| fed(row)).count();
        Ok(Some(1.0 - fed as f64 / counts.n_configurations() as f64))
    };
    (0..dag.n_variables()).map(family).collect()
}

pub(super) fn numeric_ranges(frame: &Frame<'_>, rows: &[u32]) -> Vec<Option<(f64, f64)>> {
    let range = |column: &Column<'_>| {
        let Column::Numeric(values) = column else { return None };
        extend_range(None, rows.iter().map(|&row| values.get(row as usize)))
    };
    parallel::map(frame.columns(), range)
}
