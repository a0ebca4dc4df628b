//! What a Bayesian classifier remembers of its training.

use super::member::Member;
use crate::counts::FamilyCounts;
use crate::dag::Dag;
use crate::discretize::widened;
use crate::table::DiscreteTable;
use imbcore_base::{Column, Error, Frame, Result, share};

/// What is known from training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingFacts {
    /// Share of every class in the weight of the training rows.
    pub shares: Vec<f64>,
    /// The same under the weights that the probabilities were estimated with.
    pub law: Vec<f64>,
    /// Weight of the training rows.
    pub total: f64,
    /// Share of the training rows of every class that are answered with it; none for a class without rows.
    pub recall: Vec<Option<f64>>,
    /// Least and largest training value of every column; none for nominal ones and those without values.
    pub ranges: Vec<Option<(f64, f64)>>,
    /// What arcs at the class cost, where the score of the graph has a price for parameters.
    pub arcs: Option<ArcPrice>,
    /// One entry a network.
    pub members: Vec<MemberFacts>,
}

/// Whether an arc at the class could pay, known before any search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcPrice {
    /// Price of the parameters of the cheapest arc between the class and a column, in nats.
    pub cheapest: f64,
    /// What an arc can gain at most: the weight of all rows times the entropy of the class, in nats.
    pub largest_gain: f64,
}

impl ArcPrice {
    /// For classes of these shares of `total` rows, where a parameter costs `price` and the columns have `levels` states;
    /// none without columns.
    pub fn new(price: f64, total: f64, shares: &[f64], levels: &[u32]) -> Option<Self> {
        let fewest = levels.iter().min()?;
        let cheapest = price * f64::from(fewest - 1) * (shares.len() as f64 - 1.0);
        let entropy: f64 = shares.iter().filter(|&&p| p > 0.0).map(|p| -p * p.ln()).sum();
        Some(Self { cheapest, largest_gain: total * entropy })
    }

    /// Whether no arc at the class can pay.
    pub(crate) fn unaffordable(&self) -> bool {
        self.largest_gain < self.cheapest
    }
}

/// What is known of one network.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberFacts {
    /// Score of its graph, where it was searched for.
    pub score: Option<f64>,
    /// Why the search ended, in a word; empty without a search.
    pub stopped_by: String,
    /// Share of the rows of every table with fewer cases than states; none for tables without the class.
    pub starved: Vec<Option<f64>>,
}

impl TrainingFacts {
    /// Facts of a file may be anything.
    pub(super) fn check(&self, members: &[Member]) -> Result<()> {
        let share = |value: &f64| (0.0..=1.0).contains(value);
        let law = |law: &[f64]| law.iter().all(share) && (law.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        let n = self.shares.len();
        let lengths =
            n >= 2 && self.law.len() == n && self.recall.len() == n && self.members.len() == members.len();
        let starved = |(facts, member): (&MemberFacts, &Member)| {
            facts.starved.len() == member.network.n_variables() && facts.starved.iter().flatten().all(share)
        };
        let numbers = law(&self.shares)
            && law(&self.law)
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
            Err(Error::Data("what is known of the training of a Bayesian classifier is impossible".into()))
        }
    }
}

/// Share of the parent configurations with fewer cases than the child has states, for every family with the class.
pub(super) fn starved_rows(table: &DiscreteTable, dag: &Dag, class: u32) -> Result<Vec<Option<f64>>> {
    let family = |child: usize| {
        let parents = dag.parents(child);
        if child as u32 != class && !parents.contains(&class) {
            return Ok(None);
        }
        let counts = FamilyCounts::of(table, child as u32, parents)?;
        let fed = |row: &[f64]| row.iter().sum::<f64>() >= row.len() as f64;
        let fed = counts.rows().filter(|(_, row)| fed(row)).count();
        Ok(Some(1.0 - fed as f64 / counts.n_configurations() as f64))
    };
    (0..dag.n_variables()).map(family).collect()
}

/// Least and largest value of every numeric column among the given rows.
pub(super) fn ranges(frame: &Frame<'_>, rows: &[u32]) -> Vec<Option<(f64, f64)>> {
    let range = |column: &Column<'_>| {
        let Column::Numeric(values) = column else { return None };
        widened(None, rows.iter().map(|&row| values.get(row as usize)))
    };
    share::map(frame.columns(), range)
}
