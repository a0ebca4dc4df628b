//! The sets of parents that a best graph may have.
//!
//! A set is of no use where one of its subsets scores as much: a graph stays without circles when arcs go. Sets are looked at
//! by size, and one is left out with all that hold it where a bound says that none of them can be of use:
//!
//! - no set that holds `S` scores more than the [`ceiling`](Families::ceiling) of `S`, and a subset of `S` does (de Campos and
//!   Ji 2011);
//! - with another parent `j` any set that holds `S` gains at most the entropy that is left of the child, or of `j`, given `S`,
//!   and pays at least as much for its parameters (de Campos, Scanagatta, Corani and Zaffalon 2018).

use super::clock::{Clock, StoppedBy};
use super::families::Families;
use super::rules::Rules;
use imbcore_base::Result;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Variables in a set.
pub(crate) type Set = u64;

/// Most variables that a set can hold.
pub(crate) const MOST_VARIABLES: usize = 64;

/// Sets of one size that may wait for one child; beyond that memory would run out.
const MOST_SETS: usize = 40_000_000;

/// One set of parents and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parents {
    pub(crate) set: Set,
    pub(crate) score: f64,
}

/// What one child may have as parents.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// The best first; of equals the smaller.
    pub(crate) sets: Vec<Parents>,
    /// What no set scores that is not among them, where the enumeration was stopped.
    pub(crate) others: f64,
    /// Scores counted.
    pub(crate) looked_at: u64,
}

impl Candidates {
    /// What no family of the child scores more than.
    pub(crate) fn most(&self) -> f64 {
        self.sets.first().map_or(self.others, |first| first.score.max(self.others))
    }
}

/// A set whose supersets may be of use.
#[derive(Clone, Copy, Debug)]
struct Open {
    set: Set,
    score: f64,
    /// Best score of its subsets and of itself.
    best: f64,
}

pub(crate) fn members(set: Set) -> impl Iterator<Item = u32> + Clone {
    (0..Set::BITS).filter(move |v| set >> v & 1 == 1)
}

pub(crate) fn list(set: Set) -> Vec<u32> {
    members(set).collect()
}

/// The candidates of every variable, and why the enumeration ended.
pub(crate) fn candidates<F: Families>(
    families: &F,
    rules: &Rules,
    tolerance: f64,
    clock: Clock<'_>,
) -> Result<(Vec<Candidates>, Option<StoppedBy>)> {
    let n = families.n_variables() as u32;
    let left = left_over(families, n);
    let (done, ctl) = (AtomicU32::new(0), clock.ctl);
    let one = |child| {
        let clock = clock.quiet();
        let found = Enumeration { families, rules, tolerance, clock, child, left: &left }.run();
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        ctl.tick("variables", done.into(), n.into());
        found
    };
    let found: Vec<(Candidates, Option<StoppedBy>)> =
        (0..n).into_par_iter().map(one).collect::<Result<_>>()?;
    let stopped = found.iter().find_map(|&(_, stopped)| stopped);
    Ok((found.into_iter().map(|(candidates, _)| candidates).collect(), stopped))
}

/// Entropy in nats times rows of `v` given `u`, at `v * n + u`, of `v` alone where they are the same; infinite where
/// scores do not tell.
fn left_over<F: Families>(families: &F, n: u32) -> Vec<f64> {
    let of = |v: u32, u: u32| families.entropy(v, if u == v { &[] } else { std::slice::from_ref(&u) });
    (0..n).flat_map(|v| (0..n).map(move |u| (v, u))).map(|(v, u)| of(v, u).unwrap_or(f64::INFINITY)).collect()
}

struct Enumeration<'a, F> {
    families: &'a F,
    rules: &'a Rules,
    tolerance: f64,
    clock: Clock<'a>,
    child: u32,
    left: &'a [f64],
}

impl<F: Families> Enumeration<'_, F> {
    fn run(&self) -> Result<(Candidates, Option<StoppedBy>)> {
        let n = self.families.n_variables() as u32;
        let required: Set = (0..n).filter(|&v| self.rules.requires(v, self.child)).map(|v| 1 << v).sum();
        let score = self.families.local(self.child, &list(required));
        let mut found = Candidates {
            sets: vec![Parents { set: required, score }],
            others: f64::NEG_INFINITY,
            looked_at: 1,
        };
        let mut level = vec![Open { set: required, score, best: score }];
        let most = self.rules.max_parents.map_or(u32::MAX, |most| most - required.count_ones());
        let mut size = 0;
        while !level.is_empty() && size < most {
            size += 1;
            match self.next(&level, required, &mut found)? {
                Ok(next) => level = next,
                Err(stopped) => {
                    // Whoever stopped it does not wait until all are counted.
                    let bound = |open: &Open| self.families.bound(self.child, &list(open.set));
                    found.others = level.iter().map(bound).fold(f64::NEG_INFINITY, f64::max);
                    return Ok((sorted(found), Some(stopped)));
                }
            }
        }
        Ok((sorted(found), None))
    }

    /// The sets with one member more whose supersets may be of use; those that are of use themselves are kept.
    fn next(
        &self,
        level: &[Open],
        required: Set,
        found: &mut Candidates,
    ) -> Result<std::result::Result<Vec<Open>, StoppedBy>> {
        let n = self.families.n_variables() as u32;
        let mut next = Vec::new();
        for open in level {
            let full = (next.len() > MOST_SETS).then_some(StoppedBy::MaxSets);
            if let Some(why) = self.clock.stopped(0).or(full) {
                return Ok(Err(why));
            }
            let own = open.set & !required;
            let first = Set::BITS - own.leading_zeros();
            let allowed =
                |&v: &u32| v != self.child && required >> v & 1 == 0 && self.rules.allows(v, self.child);
            let mut more = Vec::new();
            for v in (first..n).filter(allowed) {
                if let Some(best) = self.may_serve(level, open.set | 1 << v, required) {
                    more.push((v, best));
                }
            }
            let others: Vec<u32> = more.iter().map(|&(v, _)| v).collect();
            let scores = self.families.with_each(self.child, &list(open.set), &others, self.clock.ctl)?;
            found.looked_at += scores.len() as u64;
            for (&(v, best), score) in more.iter().zip(scores) {
                let set = open.set | 1 << v;
                if score > best + self.tolerance {
                    found.sets.push(Parents { set, score });
                }
                next.push(Open { set, score, best: best.max(score) });
            }
        }
        next.sort_unstable_by_key(|open| open.set);
        Ok(Ok(next))
    }

    /// Best score of the subsets with one member less, if none of them says that the set is of no use.
    fn may_serve(&self, level: &[Open], set: Set, required: Set) -> Option<f64> {
        let mut best = f64::NEG_INFINITY;
        for v in members(set & !required) {
            let at = level.binary_search_by_key(&(set & !(1 << v)), |open| open.set).ok()?;
            let open = &level[at];
            if !self.pays(open, v) {
                return None;
            }
            best = best.max(open.best);
        }
        (self.families.ceiling(self.child, &list(set)) > best + self.tolerance).then_some(best)
    }

    /// Whether a set that holds this one may gain more by `v` than that costs.
    fn pays(&self, open: &Open, v: u32) -> bool {
        let n = self.families.n_variables();
        let Some((entropy, price)) = self.families.price(self.child, &list(open.set), v, open.score) else {
            return true;
        };
        let given = members(open.set).chain([v]).map(|u| self.left[v as usize * n + u as usize]);
        given.fold(entropy, f64::min) + self.tolerance > price
    }
}

fn sorted(mut found: Candidates) -> Candidates {
    found.sets.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.set.count_ones().cmp(&b.set.count_ones())).then(a.set.cmp(&b.set))
    });
    found
}
