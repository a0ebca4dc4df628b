//! The best order of some variables: shortest paths over their sets (Yuan and Malone 2013), guided by the clusters of a
//! [`Relaxation`].
//!
//! A path adds one variable after another, each under its best family among those before it, and pays the regret. From a set
//! on every path pays for the clusters that have no member in the set yet: the member that comes first pays for all of it.
//! This guess never exceeds what is paid, and falls along a step by no more than the step pays, so the first path to reach
//! the end is a shortest, and no set is opened twice.

use super::clock::{Clock, StoppedBy};
use super::clusters::Relaxation;
use super::parent_sets::{Set, members};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Sets that may wait at once; beyond that memory would run out.
const MOST_SETS: usize = 20_000_000;

/// What the search came to.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Families of the variables, where an order better than `most` was found.
    pub(crate) parents: Option<Vec<(u32, Set)>>,
    /// No order pays less.
    pub(crate) bound: f64,
    pub(crate) stopped: Option<StoppedBy>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Waiting {
    total: f64,
    paid: f64,
    set: Set,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    /// The heap gives the largest: least in total, then most paid (nearest the end), then by set.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .total
            .total_cmp(&self.total)
            .then(self.paid.total_cmp(&other.paid))
            .then(self.set.cmp(&other.set))
    }
}

/// The best order of all variables of a relaxation that pays less than `most`.
pub(crate) fn shortest(relaxation: &Relaxation, most: f64, clock: Clock<'_>) -> Path {
    let all = relaxation.all;
    let mut reached: BTreeMap<Set, (f64, u8)> = BTreeMap::from([(0, (0.0, u8::MAX))]);
    let mut heap = BinaryHeap::from([Waiting { total: relaxation.bound(), paid: 0.0, set: 0 }]);
    let mut opened = 0_u32;
    while let Some(next) = heap.pop() {
        if next.total >= most {
            break;
        }
        if reached.get(&next.set).is_some_and(|&(paid, _)| paid < next.paid) {
            continue;
        }
        if next.set == all {
            let parents = Some(read_back(relaxation, &reached));
            return Path { parents, bound: next.paid, stopped: None };
        }
        opened = opened.wrapping_add(1);
        if opened.is_multiple_of(64) {
            let full = (reached.len() > MOST_SETS).then_some(StoppedBy::MaxSets);
            if let Some(why) = clock.stopped(0).or(full) {
                return Path { parents: None, bound: next.total, stopped: Some(why) };
            }
        }
        let (open, of) = still_open(relaxation, next.set);
        for v in members(all & !next.set) {
            let Some(family) = relaxation.best(v, next.set) else { continue };
            let paid = next.paid + family.regret;
            let total = (paid + open - of[v as usize]).max(next.total);
            let set = next.set | 1 << v;
            if total < most && reached.get(&set).is_none_or(|&(known, _)| paid < known) {
                reached.insert(set, (paid, v as u8));
                heap.push(Waiting { total, paid, set });
            }
        }
    }
    Path { parents: None, bound: most, stopped: None }
}

/// What is to be paid for clusters without a member in the set, and how much of that for those of every variable.
fn still_open(relaxation: &Relaxation, set: Set) -> (f64, Vec<f64>) {
    let mut of = vec![0.0; relaxation.families.len()];
    let mut all = 0.0;
    for cluster in relaxation.clusters.iter().filter(|cluster| cluster.set & set == 0) {
        all += cluster.price;
        members(cluster.set).for_each(|v| of[v as usize] += cluster.price);
    }
    (all, of)
}

fn read_back(relaxation: &Relaxation, reached: &BTreeMap<Set, (f64, u8)>) -> Vec<(u32, Set)> {
    let mut set = relaxation.all;
    let mut found = Vec::new();
    while let Some(&(_, last)) = reached.get(&set).filter(|_| set != 0) {
        set &= !(1 << last);
        found.extend(relaxation.best(last.into(), set).map(|family| (u32::from(last), family.set)));
    }
    found
}
