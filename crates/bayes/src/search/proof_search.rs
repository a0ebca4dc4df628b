//! Finds an optimal graph of up to 64 variables, with a proof.
//!
//! The search enumerates candidate parent sets, then applies cutting planes and branching.

use super::arc_constraints::ArcConstraints;
use super::cached_scorer::CachedScorer;
use super::decomposable_score::DecomposableScore;
use super::hill_climbing::SearchResult;
use super::multi_start::{MultiStartParams, multi_start_search};
use super::parent_sets::{
    CandidateParentSets, MOST_VARIABLES, VariableSet, enumerate_candidates, member_list,
};
use super::plane::{
    CandidateFamilies, CandidateFamily, CostTarget, RankNumberedProof, branch_and_cut, lagrangian_bound,
};
use super::search_limits::{SearchLimits, StopReason};
use imbcore_core::{Error, Result, SeedKey};

/// Returns the best graph under the constraints, and an upper bound on any graph's score.
///
/// A search that is stopped early returns the best graph so far.
pub(crate) fn find_proven_optimal_graph(
    families: &dyn DecomposableScore,
    rules: &ArcConstraints,
    rounds: MultiStartParams,
    tolerance: f64,
    key: SeedKey,
    clock: SearchLimits<'_>,
) -> Result<SearchResult> {
    if families.n_variables() > MOST_VARIABLES {
        let n = families.n_variables();
        return Err(Error::Unsupported(format!(
            "search=\"exact\" allows at most {MOST_VARIABLES} variables, but there are {n}; use search=\"best\""
        )));
    }
    let memory = CachedScorer::new(families, rules, tolerance);
    let mut found =
        multi_start_search(&memory, &rules.required_graph()?, rounds, key, clock.without_progress_reports())?;
    drop(memory);
    if matches!(found.stopped_by, StopReason::Interrupted | StopReason::TimeLimit) {
        return Ok(SearchResult { bound: Some(f64::INFINITY), ..found });
    }
    let interrupted =
        |found, bound| SearchResult { stopped_by: StopReason::Interrupted, bound: Some(bound), ..found };
    let (candidates, stopped) = match enumerate_candidates(families, rules, tolerance, clock) {
        Err(Error::Cancelled) => return Ok(interrupted(found, f64::INFINITY)),
        made => made?,
    };
    let most: f64 = candidates.iter().map(CandidateParentSets::max_score).sum();
    if let Some(stopped_by) = stopped {
        return Ok(SearchResult { stopped_by, bound: Some(most), ..found });
    }
    let open = candidate_families_of_optimum(&candidates);
    let most_paid = total_regret(&open, &found.parents);
    // The second term of the tolerance grows with the regret of the start graph, like the rounding errors of
    // dual values.
    let goal = CostTarget { most: most_paid, tolerance: tolerance + SHARP * most_paid.abs() };
    let first = |prices: &[_]| {
        let least = lagrangian_bound(&open, prices).least;
        candidates.iter().zip(least).map(|(one, least)| one.max_score() - least).collect()
    };
    let proof = branch_and_cut(open.clone(), goal, clock)?;
    let by_first = first(&proof.tree[0].steps[0]);
    if let Some(graph) = proof.graph {
        found.parents = graph.into_iter().map(member_list).collect();
        found.score = (0_u32..).zip(&found.parents).map(|(v, own)| families.family_score(v, own)).sum();
    }
    let bound = if proof.stopped.is_some() { found.score.max(most - proof.bound) } else { found.score };
    let shown = RankNumberedProof { bound, most: by_first, tree: proof.tree };
    let stopped_by = proof.stopped.unwrap_or(StopReason::Optimal);
    Ok(SearchResult { stopped_by, bound: Some(bound), proof: Some(shown), ..found })
}

/// Second term of the tolerance of a proof, as a fraction of the regret of the start graph.
///
/// See [`total_regret`].
const SHARP: f64 = 1e-9;

/// For each variable, the parent sets that an optimal graph may have, each with its regret.
fn candidate_families_of_optimum(candidates: &[CandidateParentSets]) -> CandidateFamilies {
    let families_of = |one: &CandidateParentSets| {
        let most = one.max_score();
        one.sets
            .iter()
            .map(|parents| CandidateFamily { set: parents.set, regret: most - parents.score })
            .collect()
    };
    candidates.iter().map(families_of).collect()
}

/// Total regret of a graph: the sum of the best scores of all variables minus its score.
fn total_regret(open: &CandidateFamilies, graph: &[Vec<u32>]) -> f64 {
    let regret = |(families, own): (&Vec<CandidateFamily>, &Vec<u32>)| {
        let own: VariableSet = own.iter().map(|v| 1 << v).sum();
        // If the parents of a variable are not a candidate parent set, some candidate is a subset of them and
        // scores at least as much.
        families.iter().find(|family| family.set & !own == 0).map_or(f64::INFINITY, |family| family.regret)
    };
    open.iter().zip(graph).map(regret).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::CodeTableForCounting;
    use crate::proof::{GraphProof, ProofObjective, verify_objective};
    use crate::score::{FamilyScorer, ScoreFunction};
    use crate::search::decomposable_score::CountingScore;
    use crate::search::exact::exact_search;
    use crate::search::hill_climbing::TabuParams;
    use crate::search::score_rounding_tolerance;
    use crate::table::{DiscreteTable, MISSING};
    use imbcore_core::budget::{SearchBudget, StoppingLimits};
    use imbcore_core::{Observer, Progress, RunContext, random_below};
    use std::sync::atomic::{AtomicBool, Ordering};

    fn table(seed: u64, most: u32) -> DiscreteTable {
        let mut rng = SeedKey::root(seed).rng();
        let mut draw = |bound: u32| random_below(&mut rng, bound);
        let n = if seed.is_multiple_of(50) { most } else { 2 + draw(7) };
        let rows = 20 + draw(200) as usize;
        let levels: Vec<u32> = (0..n).map(|_| 2 + draw(3)).collect();
        let mut columns: Vec<Vec<u16>> = Vec::new();
        for v in 0..n {
            let (a, b) = (draw(v.max(1)) as usize, draw(v.max(1)) as usize);
            let echo = |row: usize| columns.get(a.max(b)).map_or(0, |_| columns[a][row] + columns[b][row]);
            let r = levels[v as usize];
            let code = |row| if draw(3) == 0 { draw(r) } else { u32::from(echo(row)) % r };
            let column = (0..rows).map(code).map(|code| code as u16).collect();
            columns.push(column);
        }
        if seed % 7 == 3 {
            columns[0].iter_mut().step_by(6).for_each(|code| *code = MISSING);
        }
        DiscreteTable::new(columns, levels).unwrap()
    }

    #[test]
    fn proofs_agree_with_dynamic_programming_over_all_sets() {
        let (mut searched, mut fewer) = (0, 0);
        // `make fuzz` checks more and larger tables.
        let (n_tables, most) = if std::env::var_os("IMBCORE_FUZZ").is_some() { (500, 12) } else { (42, 10) };
        for seed in 0..n_tables {
            let table = table(seed, most);
            let n = table.n_columns();
            let order: Vec<u32> = (0..n as u32).collect();
            let total = table.total_weight();
            let measure = match seed % 7 {
                0 => ScoreFunction::Bdeu { ess: 1.0 },
                1 => ScoreFunction::K2,
                2 => ScoreFunction::Bds { ess: 5.0 },
                3 => ScoreFunction::Bdj,
                4 => ScoreFunction::Fnml,
                _ => ScoreFunction::bic(total, if seed % 2 == 0 { 0.3 } else { 1.0 }),
            };
            let counter = CodeTableForCounting::new(&table, &order, RunContext::silent()).unwrap();
            let families = CountingScore::<u32>::new(counter, FamilyScorer::new(measure, total, true), None);
            let mut rules = ArcConstraints::new(n, (seed % 4 == 1).then_some(2));
            if seed % 6 == 5 {
                rules.require_arc(0, 1);
                rules.forbid_arc(1, 0);
            }
            let ctl = RunContext::silent();
            let clock = SearchLimits::start(None, None, ctl);
            // The start graph has a low score, so that the search has something to improve.
            let downhill = TabuParams { remember: 1, patience: 1 };
            let rounds = MultiStartParams { most: 1, max_scores: 1, perturb: 1, downhill };
            let best = exact_search(&families, &rules, ctl).unwrap();
            let tolerance = score_rounding_tolerance(&table);
            let proven =
                find_proven_optimal_graph(&families, &rules, rounds, tolerance, SeedKey::root(seed), clock)
                    .unwrap();
            assert!((proven.score - best.score).abs() < 1e-6, "{seed}: {} {}", proven.score, best.score);
            assert_eq!((proven.stopped_by, proven.bound), (StopReason::Optimal, Some(proven.score)));
            let again: f64 =
                (0_u32..).zip(&proven.parents).map(|(v, own)| families.family_score(v, own)).sum();
            assert!((again - proven.score).abs() < 1e-7);
            let dag = crate::dag::Dag::new(proven.parents).unwrap();
            assert!(rules.is_satisfied_by(&dag));
            let (found, _) = enumerate_candidates(&families, &rules, tolerance, clock).unwrap();
            searched += found.iter().map(|one| one.looked_at).sum::<u64>();
            fewer += (n as u64) << (n - 1);
            if (0..n).any(|column| table.has_missing(column)) {
                continue;
            }
            let proof = proven.proof.unwrap().into_graph_proof(&order);
            let plain = ProofObjective {
                score: FamilyScorer::new(measure, total, true),
                bonus: vec![0.0; n],
                rules: rules.clone(),
            };
            let budget = SearchBudget::start("test", StoppingLimits::default(), ctl).unwrap();
            let judged = verify_objective(&proof, &table, &plain, &dag, &budget).unwrap();
            let agrees = judged.fault.is_none() && (judged.score - best.score).abs() < 1e-6;
            assert!(agrees && judged.bound.unwrap() < best.score + 1e-3, "{seed}: {judged:?}");
            // The checker must reject a bound that is below the score of some graph.
            let less = GraphProof { bound: best.score - 0.1, ..proof };
            let judged = verify_objective(&less, &table, &plain, &dag, &budget).unwrap();
            assert!(judged.fault.is_some(), "{seed}");
        }
        // Even in small tables, the bounds must exclude at least one parent set from the enumeration.
        assert!(searched < fewer, "{searched} of {fewer} families were counted");
    }

    struct Stopping<'a>(&'a AtomicBool);

    impl Observer for Stopping<'_> {
        fn progress(&self, progress: Progress) {
            if progress.stage == "parent sets" {
                self.0.store(true, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn interrupted_proofs_keep_the_best_graph_and_a_bound() {
        for measure in [ScoreFunction::bic(200.0, 0.3), ScoreFunction::K2] {
            let table = table(50, 12);
            let order: Vec<u32> = (0..table.n_columns() as u32).collect();
            let counter = CodeTableForCounting::new(&table, &order, RunContext::silent()).unwrap();
            let families = CountingScore::<u32>::new(
                counter,
                FamilyScorer::new(measure, table.total_weight(), true),
                None,
            );
            let rules = ArcConstraints::new(table.n_columns(), None);
            let stop = AtomicBool::new(false);
            let observer = Stopping(&stop);
            let clock = SearchLimits::start(None, None, RunContext::new(&observer, &stop));
            let downhill = TabuParams { remember: 1, patience: 1 };
            let rounds = MultiStartParams { most: 1, max_scores: 1, perturb: 1, downhill };
            let found =
                find_proven_optimal_graph(&families, &rules, rounds, 1e-7, SeedKey::root(0), clock).unwrap();
            assert_eq!(found.stopped_by, StopReason::Interrupted);
            let best = exact_search(&families, &rules, RunContext::silent()).unwrap();
            assert!(found.score <= best.score + 1e-7 && found.bound >= Some(best.score - 1e-7), "{found:?}");
        }
    }
}
