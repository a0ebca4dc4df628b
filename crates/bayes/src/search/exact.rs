//! An optimal graph by dynamic programming over sets of variables.
//!
//! The method is that of Silander and Myllymäki (2006). For each variable v and each set of other variables,
//! a table has the best parents of v within the set. Smaller sets come first: the best parents within `S` are
//! `S` itself, or the best parents within some `S` without one member. An acyclic graph has a variable
//! without children. The best graph over `S` therefore has the score `score(S) = max over v of score(S - v) +
//! best(v, S - v)`, and the graph is read back from the full set.
//!
//! Sets are bit masks; in a set of possible parents, the bit of the child is left out. The cost is at most `n
//! 2^(n-1)` scores, with 12 bytes of memory for each.

use super::arc_constraints::ArcConstraints;
use super::decomposable_score::DecomposableScore;
use super::hill_climbing::SearchResult;
use super::search_limits::StopReason;
use imbcore_core::{Error, Result, RunContext, parallel};

/// Maximum number of variables; for more, the tables over variable sets exceed the memory.
const MOST_VARIABLES: usize = 24;

/// For each set of other variables, the best parents of a variable within it, and the score.
///
/// In the bit mask of a set, the bit of the variable itself is left out.
struct BestParentsBySet {
    score: Vec<f64>,
    parents: Vec<u32>,
}

/// Finds an optimal graph under the constraints.
///
/// If several graphs are optimal, their topological orders are compared from the last variable to the first,
/// and the higher variable is preferred. Of parent sets with equal scores, a subset of another set is
/// preferred, then a set without the lowest variables.
pub(crate) fn exact_search(
    families: &dyn DecomposableScore,
    rules: &ArcConstraints,
    ctl: RunContext<'_>,
) -> Result<SearchResult> {
    let n = families.n_variables();
    if n > MOST_VARIABLES {
        return Err(Error::Unsupported(format!(
            "search=\"exact\" with this score enumerates all sets of variables, so it allows at most {MOST_VARIABLES} variables, but \
             there are {n}; use search=\"best\""
        )));
    }
    rules.required_graph()?;
    let tables: Vec<BestParentsBySet> =
        parallel::try_map(0..n as u32, |child| best_parents_by_set(families, rules, child, ctl))?;
    let sets = 1_usize << n;
    let mut score = vec![f64::NEG_INFINITY; sets];
    let mut last = vec![u8::MAX; sets];
    score[0] = 0.0;
    for set in 1..sets {
        if set % (1 << 16) == 0 {
            ctl.check()?;
        }
        for v in (0..n).rev().filter(|&v| set >> v & 1 == 1) {
            let rest = set & !(1 << v);
            let value = score[rest] + tables[v].score[remove_bit_position(rest, v)];
            if value > score[set] {
                (score[set], last[set]) = (value, v as u8);
            }
        }
    }
    let mut parents = vec![Vec::new(); n];
    let mut set = sets - 1;
    while set > 0 {
        let v = usize::from(last[set]);
        if v >= n {
            return Err(Error::Data("no graph satisfies all constraints on arcs; relax them".into()));
        }
        set &= !(1 << v);
        parents[v] = members_of_packed_set(tables[v].parents[remove_bit_position(set, v)], v);
    }
    let total = (0..n).map(|v| families.family_score(v as u32, &parents[v])).sum();
    Ok(SearchResult {
        parents,
        score: total,
        trace: Vec::new(),
        stopped_by: StopReason::Optimal,
        iterations: 0,
        bound: Some(total),
        proof: None,
    })
}

/// Removes the bit position of `v` from a bit mask; `v` must not be in the set.
fn remove_bit_position(set: usize, v: usize) -> usize {
    let low = set & ((1 << v) - 1);
    low | (set >> (v + 1)) << v
}

/// Variables in a bit mask from which the bit position of `v` was removed, ascending.
fn members_of_packed_set(set: u32, v: usize) -> Vec<u32> {
    let places = (0..u32::BITS).filter(|place| set >> place & 1 == 1);
    places.map(|place| if (place as usize) < v { place } else { place + 1 }).collect()
}

fn best_parents_by_set(
    families: &dyn DecomposableScore,
    rules: &ArcConstraints,
    child: u32,
    ctl: RunContext<'_>,
) -> Result<BestParentsBySet> {
    let n = families.n_variables();
    let sets = 1_usize << (n - 1);
    let number = |list: &mut dyn Iterator<Item = u32>| {
        list.filter(|&v| v != child).fold(0_u32, |set, v| set | 1 << (if v < child { v } else { v - 1 }))
    };
    let required = number(&mut (0..n as u32).filter(|&v| rules.requires_arc(v, child)));
    let forbidden = number(&mut (0..n as u32).filter(|&v| !rules.allows_arc(v, child)));
    let mut best = BestParentsBySet { score: vec![f64::NEG_INFINITY; sets], parents: vec![0; sets] };
    for set in 0..sets {
        ctl.check()?;
        // Subsets were tried before, so on ties the smaller parent set is kept.
        for place in (0..n - 1).filter(|&place| set >> place & 1 == 1) {
            let smaller = set & !(1 << place);
            if best.score[smaller] > best.score[set] {
                (best.score[set], best.parents[set]) = (best.score[smaller], best.parents[smaller]);
            }
        }
        let own = set as u32;
        let room = rules.max_parents.is_none_or(|most| own.count_ones() <= most);
        if !room || own & required != required || own & forbidden != 0 {
            continue;
        }
        let parents = members_of_packed_set(own, child as usize);
        if families.family_score_bound(child, &parents) <= best.score[set] {
            continue;
        }
        let score = families.family_score(child, &parents);
        if score > best.score[set] {
            (best.score[set], best.parents[set]) = (score, own);
        }
    }
    Ok(best)
}
