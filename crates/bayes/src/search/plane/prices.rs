//! What prices of cuts prove.

use super::cut::Priced;
use crate::search::parent_sets::Set;

/// A set of parents that a variable may still have, and what it scores less than the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Family {
    pub(crate) set: Set,
    pub(crate) regret: f64,
}

/// Families of every variable.
pub(crate) type Open = Vec<Vec<Family>>;

/// What every graph of some families pays at least, and what each family adds to that.
#[derive(Clone, Debug)]
pub(crate) struct Proven {
    pub(crate) bound: f64,
    /// Least of each variable.
    pub(crate) least: Vec<f64>,
    pub(crate) more: Vec<Vec<f64>>,
}

/// A graph pays its regrets; less what its families pay for the cuts, plus what any graph pays for them, is no more than
/// that. So the least of every variable may be added up, whatever the prices are, as long as none is negative.
pub(crate) fn proven(open: &Open, prices: &[Priced]) -> Proven {
    let mut bound: f64 = prices.iter().map(|(cut, price)| price * cut.least()).sum();
    let mut leasts = Vec::with_capacity(open.len());
    let of = |(v, families): (usize, &Vec<Family>)| {
        let about: Vec<&Priced> = prices.iter().filter(|(cut, _)| cut.set() >> v & 1 == 1).collect();
        let left = |family: &Family| {
            family.regret
                - about.iter().map(|(cut, price)| price * cut.cost(v as u32, family.set)).sum::<f64>()
        };
        let mut left: Vec<f64> = families.iter().map(left).collect();
        let least = left.iter().copied().fold(f64::INFINITY, f64::min);
        for left in &mut left {
            *left -= least;
        }
        bound += least;
        leasts.push(least);
        left
    };
    let more = open.iter().enumerate().map(of).collect();
    Proven { bound, least: leasts, more }
}

/// Leaves out every family with which a graph would pay `most` or more; how many stay.
pub(crate) fn drop_costly(open: &mut Open, proven: &Proven, most: f64) -> usize {
    for (families, more) in open.iter_mut().zip(&proven.more) {
        let mut more = more.iter();
        families.retain(|_| more.next().is_none_or(|more| proven.bound + more < most));
    }
    open.iter().map(Vec::len).sum()
}

/// How many families would stay.
pub(crate) fn cheap(proven: &Proven, most: f64) -> usize {
    proven.more.iter().flatten().filter(|&more| proven.bound + more < most).count()
}
