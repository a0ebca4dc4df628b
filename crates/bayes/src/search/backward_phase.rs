//! Backward phase of greedy equivalence search (Chickering 2002).
//!
//! The phase removes edges as long as this raises the score. An edge may be removed in any graph that is
//! Markov-equivalent to the current graph; the removal with the largest gain is taken.

use super::cached_scorer::CachedScorer;
use super::decomposable_score::DecomposableScore;
use super::hill_climbing::SearchResult;
use crate::dag::Dag;
use crate::equivalence::cpdag;
use imbcore_core::{Error, Result, RunContext};
use std::collections::BTreeSet;

/// An edge is not deleted if its ends `from` and `to` have more common neighbors than this.
///
/// Common neighbors are the undirected neighbors of `to` that are adjacent to `from`. All their subsets are
/// tried, which takes exponential time; more common neighbors than this are rare.
const MOST_OPEN: usize = 12;

struct PartiallyDirectedGraph {
    parents: Vec<BTreeSet<u32>>,
    open: Vec<BTreeSet<u32>>,
}

/// Deletion of the edge between `from` and `to`.
///
/// Undirected edges from `from` or `to` to a variable in `left` become arcs into this variable.
#[derive(Clone, Debug)]
struct EdgeDeletion {
    gain: f64,
    from: u32,
    to: u32,
    left: Vec<u32>,
}

/// Removes edges of a graph while this raises the score.
///
/// Returns the graph unchanged if there are constraints, or if equivalent graphs may have unequal scores.
pub(crate) fn backward_phase(
    memory: &CachedScorer<'_>,
    mut found: SearchResult,
    ctl: RunContext<'_>,
) -> Result<SearchResult> {
    if !memory.is_symmetric() || !memory.rules.is_unconstrained() {
        return Ok(found);
    }
    loop {
        ctl.check()?;
        let mut mixed = PartiallyDirectedGraph::from_dag(&Dag::new(found.parents.clone())?);
        let Some(deletion) = mixed.best_deletion(memory) else { return Ok(found) };
        mixed.apply_deletion(&deletion);
        let Some(dag) = mixed.consistent_extension() else {
            return Err(Error::Internal(
                "a valid deletion gave a graph without a consistent extension".into(),
            ));
        };
        found.parents = (0..dag.n_variables()).map(|v| dag.parents(v).to_vec()).collect();
        found.score = (0_u32..).zip(&found.parents).map(|(v, own)| memory.family_score(v, own)).sum();
    }
}

impl PartiallyDirectedGraph {
    fn from_dag(dag: &Dag) -> Self {
        let n = dag.n_variables();
        let (mut parents, mut open) = (vec![BTreeSet::new(); n], vec![BTreeSet::new(); n]);
        let class = cpdag(dag);
        for (from, to) in class.directed {
            parents[to as usize].insert(from);
        }
        for (a, b) in class.undirected {
            open[a as usize].insert(b);
            open[b as usize].insert(a);
        }
        Self { parents, open }
    }

    fn is_adjacent(&self, a: u32, b: u32) -> bool {
        self.parents[a as usize].contains(&b)
            || self.parents[b as usize].contains(&a)
            || self.open[a as usize].contains(&b)
    }

    fn best_deletion(&self, memory: &CachedScorer<'_>) -> Option<EdgeDeletion> {
        let mut best: Option<EdgeDeletion> = None;
        for to in 0..self.parents.len() as u32 {
            for &from in self.parents[to as usize].union(&self.open[to as usize]) {
                for deletion in self.valid_edge_deletions(memory, from, to) {
                    if deletion.gain > best.as_ref().map_or(memory.tolerance, |best| best.gain) {
                        best = Some(deletion);
                    }
                }
            }
        }
        best
    }

    /// Valid deletions of the edge between `from` and `to` (Chickering 2002, theorem 17).
    ///
    /// Each undirected neighbor of `to` that is adjacent to `from` is either in `left` or kept. The kept
    /// neighbors must form a clique.
    fn valid_edge_deletions(&self, memory: &CachedScorer<'_>, from: u32, to: u32) -> Vec<EdgeDeletion> {
        let near: Vec<u32> = self.open[to as usize]
            .iter()
            .copied()
            .filter(|&v| v != from && self.is_adjacent(v, from))
            .collect();
        if near.len() > MOST_OPEN {
            return Vec::new();
        }
        let part = |set: u32, inside: bool| -> Vec<u32> {
            (0..near.len()).filter(|at| (set >> at & 1 == 1) == inside).map(|at| near[at]).collect()
        };
        let clique = |kept: &[u32]| {
            kept.iter().enumerate().all(|(at, &a)| kept[..at].iter().all(|&b| self.is_adjacent(a, b)))
        };
        let gain = |kept: &[u32]| {
            let mut with: BTreeSet<u32> = self.parents[to as usize].clone();
            with.extend(kept);
            with.insert(from);
            let with: Vec<u32> = with.into_iter().collect();
            let without: Vec<u32> = with.iter().copied().filter(|&v| v != from).collect();
            memory.family_score(to, &without) - memory.family_score(to, &with)
        };
        let kept = |set: u32| (part(set, true), part(set, false));
        let valid = (0..1_u32 << near.len()).map(kept).filter(|(kept, _)| clique(kept));
        valid.map(|(kept, left)| EdgeDeletion { gain: gain(&kept), from, to, left }).collect()
    }

    fn apply_deletion(&mut self, deletion: &EdgeDeletion) {
        let (from, to) = (deletion.from, deletion.to);
        self.parents[to as usize].remove(&from);
        self.add_undirected_edge(from, to);
        for &v in &deletion.left {
            self.add_undirected_edge(to, v);
            self.parents[v as usize].insert(to);
            if self.open[from as usize].contains(&v) {
                self.add_undirected_edge(from, v);
                self.parents[v as usize].insert(from);
            }
        }
    }

    fn add_undirected_edge(&mut self, a: u32, b: u32) {
        self.open[a as usize].remove(&b);
        self.open[b as usize].remove(&a);
    }

    /// Directs the undirected edges, such that there is no cycle and no new v-structure.
    ///
    /// The method of Dor and Tarsi (1992) repeatedly finds a variable without children whose undirected edges
    /// can all be directed to it without a new v-structure. It directs these edges and removes the variable.
    /// The result is `None` if there is no such variable.
    fn consistent_extension(mut self) -> Option<Dag> {
        let n = self.parents.len() as u32;
        let mut left: BTreeSet<u32> = (0..n).collect();
        let mut parents = self.parents.clone();
        while !left.is_empty() {
            let sink = left.iter().copied().find(|&v| self.is_sink(v, &left))?;
            parents[sink as usize].extend(&self.open[sink as usize]);
            for other in std::mem::take(&mut self.open[sink as usize]) {
                self.open[other as usize].remove(&sink);
            }
            self.parents[sink as usize].clear();
            left.remove(&sink);
        }
        Dag::new(parents.into_iter().map(|own| own.into_iter().collect()).collect()).ok()
    }

    fn is_sink(&self, v: u32, left: &BTreeSet<u32>) -> bool {
        let childless = left.iter().all(|&other| !self.parents[other as usize].contains(&v));
        let near = || left.iter().copied().filter(|&other| other != v && self.is_adjacent(v, other));
        childless && self.open[v as usize].iter().all(|&a| near().all(|b| a == b || self.is_adjacent(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CodeTableForCounting;
    use crate::score::{FamilyScorer, ScoreFunction};
    use crate::search::arc_constraints::ArcConstraints;
    use crate::search::decomposable_score::CountingScore;
    use crate::search::random_graphs::random_dag;
    use crate::search::search_limits::StopReason;
    use crate::table::DiscreteTable;
    use imbcore_core::{SeedKey, random_below};

    /// All graphs equivalent to `dag`, found by reversing covered arcs (Chickering 1995).
    fn class_of(dag: &Dag) -> Vec<Dag> {
        let mut all = vec![dag.clone()];
        let mut at = 0;
        while at < all.len() {
            let now = all[at].clone();
            for (from, to) in now.arcs() {
                let mut others = now.parents(to as usize).to_vec();
                others.retain(|&v| v != from);
                if others != now.parents(from as usize) {
                    continue;
                }
                let turned =
                    now.arcs().into_iter().map(|arc| if arc == (from, to) { (to, from) } else { arc });
                let turned = Dag::from_arcs(now.n_variables(), &turned.collect::<Vec<_>>()).unwrap();
                if !all.contains(&turned) {
                    all.push(turned);
                }
            }
            at += 1;
        }
        all
    }

    #[test]
    fn no_equivalent_graph_has_an_arc_too_many() {
        let rules = ArcConstraints::new(5, None);
        let mut taken = 0;
        for seed in 0..60 {
            let mut rng = SeedKey::root(seed).rng();
            let mut columns: Vec<Vec<u16>> = Vec::new();
            for v in 0..5 {
                let a = random_below(&mut rng, v.max(1)) as usize;
                let echo = |row: usize| columns.get(a).map_or(0, |a| a[row]);
                let code = |row| {
                    if random_below(&mut rng, 3) == 0 { random_below(&mut rng, 2) as u16 } else { echo(row) }
                };
                let column = (0..80).map(code).collect();
                columns.push(column);
            }
            let table = DiscreteTable::new(columns, vec![2; 5]).unwrap();
            let counter = CodeTableForCounting::new(&table, &[0, 1, 2, 3, 4], RunContext::silent()).unwrap();
            let score = FamilyScorer::new(ScoreFunction::bic(80.0, 1.0), 80.0, false);
            let families = CountingScore::<u32>::new(counter, score, None);
            let memory = CachedScorer::new(&families, &rules, 1e-7);
            let total =
                |dag: &Dag| (0..5).map(|v| families.family_score(v as u32, dag.parents(v))).sum::<f64>();
            let start = random_dag(&rules, 5, 0.7, &mut rng).unwrap();
            let parents = (0..5).map(|v| start.parents(v).to_vec()).collect();
            let stopped_by = StopReason::NoImprovement;
            let from = SearchResult {
                parents,
                score: total(&start),
                trace: Vec::new(),
                stopped_by,
                iterations: 0,
                bound: None,
                proof: None,
            };
            let found = backward_phase(&memory, from, RunContext::silent()).unwrap();
            let dag = Dag::new(found.parents).unwrap();
            assert!((found.score - total(&dag)).abs() < 1e-7 && found.score >= total(&start));
            taken += start.arcs().len() - dag.arcs().len();
            for member in class_of(&dag) {
                assert!((total(&member) - found.score).abs() < 1e-7);
                for arc in member.arcs() {
                    let rest: Vec<_> = member.arcs().into_iter().filter(|&other| other != arc).collect();
                    assert!(
                        total(&Dag::from_arcs(5, &rest).unwrap()) <= found.score + 1e-6,
                        "{seed} {arc:?}"
                    );
                }
            }
        }
        assert!(taken > 100);
    }
}
