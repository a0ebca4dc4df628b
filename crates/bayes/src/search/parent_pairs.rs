//! Pairs of arcs into one variable that improve the score only together.
//!
//! If the child is the parity of two parents, neither parent alone is informative. Also, a first parent with
//! many states may have a larger penalty than gain. Searches over single arcs miss such pairs.

use super::cached_scorer::{CachedScorer, ParentBits, has_variable_bit, set_variable_bit};
use super::decomposable_score::DecomposableScore;
use crate::dag::Dag;
use imbcore_core::{Result, RunContext, parallel};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParentPair {
    pub(crate) gain: f64,
    pub(crate) child: u32,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// Best pair of parents to add to a variable; `None` if no pair raises the score.
///
/// Of pairs that are equally good, the first is returned.
pub(crate) fn best_parent_pair(
    memory: &CachedScorer<'_>,
    parents: &[Vec<u32>],
    ctl: RunContext<'_>,
) -> Result<Option<ParentPair>> {
    let ancestors = ancestors(&Dag::new(parents.to_vec())?);
    let best_of_child =
        |child: usize| best_parent_pair_of_child(memory, child as u32, &parents[child], &ancestors, ctl);
    let found = parallel::try_map(0..parents.len(), best_of_child)?;
    Ok(found.into_iter().flatten().reduce(|a, b| if b.gain > a.gain { b } else { a }))
}

fn ancestors(dag: &Dag) -> Vec<ParentBits> {
    let n = dag.n_variables();
    let mut ancestors: Vec<ParentBits> = vec![vec![0; n.div_ceil(64)]; n];
    for v in dag.topological_order() {
        let mut own = vec![0; n.div_ceil(64)];
        for &parent in dag.parents(v as usize) {
            set_variable_bit(&mut own, parent);
            for (word, more) in own.iter_mut().zip(&ancestors[parent as usize]) {
                *word |= more;
            }
        }
        ancestors[v as usize] = own;
    }
    ancestors
}

fn best_parent_pair_of_child(
    memory: &CachedScorer<'_>,
    child: u32,
    own: &[u32],
    ancestors: &[ParentBits],
    ctl: RunContext<'_>,
) -> Result<Option<ParentPair>> {
    let now = memory.family_extension_scores(child, own, ctl)?;
    let open = |&v: &u32| {
        v != child
            && now.with[v as usize] > f64::NEG_INFINITY
            && !has_variable_bit(&ancestors[v as usize], child)
    };
    let candidates: Vec<u32> = (0..ancestors.len() as u32).filter(open).collect();
    let bound = |more: &[u32]| memory.family_score_bound(child, &[own, more].concat());
    let cheapest = candidates.iter().copied().max_by(|&a, &b| bound(&[a]).total_cmp(&bound(&[b])));
    let least = now.score + memory.tolerance;
    let mut best: Option<ParentPair> = None;
    for &first in &candidates {
        // `second` is the candidate with the smallest penalty. If `first` and `second` together cannot gain
        // enough, `first` cannot gain enough with any other candidate.
        if cheapest.is_none_or(|second| bound(&[first, second]) <= least) {
            continue;
        }
        let mut with = own.to_vec();
        with.insert(with.partition_point(|&other| other < first), first);
        let next = memory.family_extension_scores(child, &with, ctl)?;
        for &second in &candidates {
            let gain = next.with[second as usize] - now.score;
            if gain > memory.tolerance && best.is_none_or(|best| gain > best.gain) {
                best = Some(ParentPair { gain, child, first, second });
            }
        }
    }
    Ok(best)
}
