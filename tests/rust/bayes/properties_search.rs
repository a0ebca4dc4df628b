//! Property tests of structure search on random tables.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use imbcore_bayes::search::{
    ClassRole, FoundStructure, InitGraph, InitGraphRule, Kick, Mle, ScoreName, SearchName, StopReason,
    StructureParams, TieOrder,
};
use imbcore_bayes::{Dag, DiscreteTable, MISSING};
use imbcore_core::{Error, Observer, Progress, RunContext, SeedKey};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tables whose columns depend on earlier columns with noise; some have missing values.
fn tables(most_columns: usize) -> impl Strategy<Value = DiscreteTable> {
    (2..=most_columns, 20..120_usize, any::<u64>(), any::<bool>()).prop_map(|(n, rows, seed, gaps)| {
        let mut rng = SeedKey::root(seed).rng();
        let mut draw = |bound: u32| imbcore_core::random_below(&mut rng, bound);
        let levels: Vec<u32> = (0..n).map(|_| 2 + draw(3)).collect();
        let mut columns: Vec<Vec<u16>> = Vec::new();
        for &r in &levels {
            let from = draw(n as u32) as usize;
            let code = |row: usize| {
                let echo = columns.get(from).map_or(0, |column| u32::from(column[row]));
                if draw(3) == 0 { draw(r) } else { echo % r }
            };
            columns.push((0..rows).map(code).map(|code| code as u16).collect());
        }
        if gaps {
            columns[0].iter_mut().step_by(5).for_each(|code| *code = MISSING);
        }
        DiscreteTable::new(columns, levels).unwrap()
    })
}

fn learn(
    table: &DiscreteTable,
    class: Option<u32>,
    params: &StructureParams,
) -> Result<FoundStructure, Error> {
    params.clone().check("test")?.learn(table, class, SeedKey::root(5), RunContext::silent())
}

fn every_search() -> impl Strategy<Value = StructureParams> {
    let search = prop_oneof![
        Just(SearchName::Tabu),
        Just(SearchName::HillClimbing),
        Just(SearchName::Biased),
        Just(SearchName::IteratedLocal),
        Just(SearchName::Boss),
        Just(SearchName::Best),
        Just(SearchName::Exact),
    ];
    let score = prop_oneof![
        Just(ScoreName::Bic),
        Just(ScoreName::Aic),
        Just(ScoreName::K2),
        Just(ScoreName::Bdeu),
        Just(ScoreName::Bds),
        Just(ScoreName::Bdj),
        Just(ScoreName::Fnml),
        Just(ScoreName::Qnml),
    ];
    let start = prop_oneof![Just(None), Just(Some(InitGraphRule::Random)), Just(Some(InitGraphRule::Naive))];
    (search, score, start, 1..4_u32, any::<bool>()).prop_map(|(search, score, start, most, perturbation)| {
        StructureParams {
            search,
            score,
            init_graph: start.map(InitGraph::Rule),
            max_parents: Some(most),
            restarts: 2,
            rounds: Some(3),
            perturbation: if perturbation { Kick::Equivalent } else { Kick::Random },
            max_iters: (search == SearchName::Biased || search == SearchName::IteratedLocal).then_some(20),
            ..StructureParams::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The reported score is the recomputed score of the graph, and the trace leads to the graph.
    #[test]
    fn reported_score_is_the_score_of_the_graph(table in tables(6), params in every_search()) {
        let found = learn(&table, Some(0), &params)?;
        let settings = params.clone().check("test")?;
        let anew = settings.score_dag(&table, Some(0), &found.dag, RunContext::silent())?;
        prop_assert!((found.score - anew).abs() <= 1e-8 * anew.abs().max(1.0));
        let traced = matches!(params.search, SearchName::Tabu | SearchName::HillClimbing | SearchName::IteratedLocal);
        if traced && params.init_graph.is_none() {
            let empty = settings.score_dag(&table, Some(0), &Dag::empty(table.n_columns()), RunContext::silent())?;
            let gains: f64 = found.trace.iter().map(|&(_, gain)| gain).sum();
            prop_assert!((empty + gains - found.score).abs() <= 1e-8 * anew.abs().max(1.0));
        }
    }

    /// Each search satisfies required and forbidden arcs, tiers, roles and the number of parents.
    #[test]
    fn constraints_are_satisfied(table in tables(6), params in every_search(), role in 0..3_u8) {
        let n = table.n_columns() as u32;
        let params = StructureParams {
            required_arcs: Some(vec![(n - 1, 0)]),
            forbidden_arcs: Some(vec![(0, n - 1)]),
            tiers: Some((0..n).map(|v| u32::from(v == 0)).collect()),
            class_role: [ClassRole::Free, ClassRole::Root, ClassRole::Leaf][usize::from(role)],
            init_graph: Some(InitGraph::Rule(InitGraphRule::Random)),
            ..params
        };
        // The class is the last variable and has a required outgoing arc, so it cannot be a leaf.
        let found = learn(&table, Some(n - 1), &params);
        if role == 2 {
            prop_assert!(found.is_err());
            return Ok(());
        }
        let arcs = found?.dag.arcs();
        prop_assert!(arcs.contains(&(n - 1, 0)));
        prop_assert!(arcs.iter().all(|&(from, _)| from != 0));
        prop_assert!(role == 0 || arcs.iter().all(|&(_, to)| to != n - 1));
        for v in 0..n {
            let parents = arcs.iter().filter(|&&(_, to)| to == v).count();
            prop_assert!(parents as u32 <= params.max_parents.unwrap());
        }
    }

    /// No search exceeds the exact score, and hill climbing stops when no change improves it.
    #[test]
    fn no_search_exceeds_the_exact_score(table in tables(5), params in every_search()) {
        let found = learn(&table, Some(0), &params)?;
        let best = learn(&table, Some(0), &StructureParams { search: SearchName::Exact, ..params })?;
        prop_assert!(found.score <= best.score + 1e-7);
    }

    /// The bytes are the same with any number of threads.
    #[test]
    fn results_do_not_depend_on_the_number_of_threads(table in tables(8), params in every_search()) {
        let on = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn(&table, Some(0), &params))
        };
        let one = on(1)?;
        prop_assert_eq!(&one, &on(2)?);
        prop_assert_eq!(&one, &on(7)?);
    }

    /// With the default tie-breaking, the result does not depend on the column order.
    /// This requires that all columns differ.
    #[test]
    fn result_does_not_depend_on_the_column_order(table in tables(6), turn in 1..5_usize) {
        let n = table.n_columns();
        let mut facts: Vec<Vec<u16>> = (0..n).map(|v| { let mut codes = table.codes(v).to_vec(); codes.sort_unstable(); codes }).collect();
        facts.sort_unstable();
        facts.dedup();
        prop_assume!(facts.len() == n);
        let from = |v: usize| (v + turn) % n;
        let turned = DiscreteTable::new(
            (0..n).map(|v| table.codes(from(v)).to_vec()).collect(),
            (0..n).map(|v| table.n_states_by_column()[from(v)]).collect(),
        ).unwrap();
        let params = StructureParams::default();
        let (found, other) = (learn(&table, None, &params)?, learn(&turned, None, &params)?);
        let mut back: Vec<(u32, u32)> = other.dag.arcs().into_iter().map(|(a, b)| (from(a as usize) as u32, from(b as usize) as u32)).collect();
        back.sort_unstable();
        prop_assert_eq!(found.dag.arcs(), back);
        prop_assert!((found.score - other.score).abs() < 1e-7);
    }

    /// A row of weight 2 equals two rows.
    #[test]
    fn weights_equal_repeated_rows(table in tables(5)) {
        let rows: Vec<u32> = (0..table.n_rows() as u32).flat_map(|row| [row; 2]).collect();
        let doubled = table.select_rows(&rows);
        let weighted = table.clone().with_weights(vec![2.0; table.n_rows()]);
        let params = StructureParams::default();
        let (a, b) = (learn(&doubled, None, &params)?, learn(&weighted, None, &params)?);
        prop_assert_eq!(a.dag, b.dag);
        prop_assert!((a.score - b.score).abs() < 1e-6);
    }

    /// Without a penalty, no arc lowers the pairwise likelihood: the graph becomes complete.
    #[test]
    fn pairwise_likelihood_completes_the_graph(table in tables(5)) {
        let params = StructureParams {
            score: ScoreName::LogLikelihood,
            mle: Mle::Pairwise,
            search: SearchName::HillClimbing,
            tie_breaking: TieOrder::Column,
            ..StructureParams::default()
        };
        let found = learn(&table, None, &params)?;
        let settings = params.check("test")?;
        let n = table.n_columns();
        // Pairs without mutual information stay unconnected.
        let worth = |from: u32, to: u32| {
            let pair = Dag::from_arcs(n, &[(from, to)]).unwrap();
            settings.score_dag(&table, None, &pair, RunContext::silent()).unwrap() - settings.score_dag(&table, None, &Dag::empty(n), RunContext::silent()).unwrap()
        };
        let pairs = (0..n as u32).flat_map(|from| (0..from).map(move |to| (from, to)));
        let informed = pairs.filter(|&(from, to)| worth(from, to) > 1e-6).count();
        prop_assert!(found.dag.arcs().len() >= informed);
    }
}

#[test]
fn contradictory_constraints_are_named_in_the_error() {
    let table = DiscreteTable::new(vec![vec![0, 1, 0, 1]; 3], vec![2; 3]).unwrap();
    let message = |params: StructureParams| learn(&table, None, &params).unwrap_err().to_string();
    let params = StructureParams::default;
    let both =
        StructureParams { required_arcs: Some(vec![(0, 1)]), forbidden_arcs: Some(vec![(0, 1)]), ..params() };
    assert!(message(both).contains("column 1: has an arc into it in `required_arcs` that `forbidden_arcs`"));
    let itself = StructureParams { required_arcs: Some(vec![(2, 2)]), ..params() };
    assert_eq!(message(itself), "column 2: has an arc to itself, which is not allowed in a network");
    let cycle = StructureParams { required_arcs: Some(vec![(0, 1), (1, 0)]), ..params() };
    assert!(message(cycle).contains("cycle"));
    let crowded =
        StructureParams { required_arcs: Some(vec![(0, 2), (1, 2)]), max_parents: Some(1), ..params() };
    assert!(
        message(crowded).contains("column 2: has more arcs into it in `required_arcs` than `max_parents`")
    );
    let unknown = StructureParams { forbidden_arcs: Some(vec![(0, 7)]), ..params() };
    assert!(message(unknown).contains("0 -> 7"));
    assert!(message(StructureParams { class_role: ClassRole::Root, ..params() }).contains("class"));
    assert!(
        message(StructureParams { geometric_p: 1.0, ..params() }).contains("`geometric_p` must be in (0, 1)")
    );
    let broken = StructureParams {
        init_graph: Some(InitGraph::Arcs(vec![(0, 1)])),
        forbidden_arcs: Some(vec![(0, 1)]),
        ..params()
    };
    assert!(message(broken).contains("init_graph"));
    let wide = DiscreteTable::new(vec![vec![0, 1]; 30], vec![2; 30]).unwrap();
    let exact = StructureParams { search: SearchName::Exact, score: ScoreName::LogLikelihood, ..params() };
    assert!(learn(&wide, None, &exact).unwrap_err().to_string().contains("at most 24"));
}

/// Searches from both ends of the entropy order share one time limit, even with one thread.
#[test]
// The test measures wall-clock time.
#[allow(clippy::disallowed_methods)]
fn two_searches_share_the_time_limit() {
    let columns = (0..6_u64).map(|column| {
        let mut rng = SeedKey::root(column).rng();
        (0..200).map(|_| imbcore_core::random_below(&mut rng, 3) as u16).collect()
    });
    let table = DiscreteTable::new(columns.collect(), vec![3; 6]).unwrap();
    let params = StructureParams {
        tie_breaking: TieOrder::Entropy2,
        restarts: u32::MAX,
        time_limit: Some(2.0),
        ..StructureParams::default()
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let start = Instant::now();
    let found = pool.install(|| learn(&table, None, &params)).unwrap();
    let taken = start.elapsed().as_secs_f64();
    assert_eq!(found.stopped_by, StopReason::TimeLimit);
    // Without sharing, the search would take twice the limit; a busy machine may add 1.5 seconds.
    assert!((2.0..3.5).contains(&taken), "{taken} s");
}

#[test]
fn stopped_search_ends_immediately() {
    struct NoListener;
    impl Observer for NoListener {
        fn progress(&self, _: Progress) {}
    }
    let stop = AtomicBool::new(false);
    stop.store(true, Ordering::Relaxed);
    let table = DiscreteTable::new(vec![vec![0, 1, 0, 1]; 3], vec![2; 3]).unwrap();
    for search in
        [SearchName::Tabu, SearchName::Biased, SearchName::Boss, SearchName::Best, SearchName::Exact]
    {
        let settings = StructureParams { search, ..StructureParams::default() }.check("test").unwrap();
        let found = settings.learn(&table, None, SeedKey::root(0), RunContext::new(&NoListener, &stop));
        assert_eq!(found, Err(Error::Cancelled));
    }
}

/// Column `v` of a table of 0s and 1s: noise, or the noisy parity of two earlier columns.
fn parities(seed: u64) -> DiscreteTable {
    let mut rng = SeedKey::root(seed).rng();
    let mut draw = |bound: u32| imbcore_core::random_below(&mut rng, bound);
    let mut columns: Vec<Vec<u16>> = Vec::new();
    for v in 0..6_u32 {
        let (a, b) = (draw(v.max(1)) as usize, draw(v.max(1)) as usize);
        let made = |row: usize| match columns.get(a.max(b)) {
            Some(_) if draw(8) > 0 => columns[a][row] ^ columns[b][row],
            _ => draw(2) as u16,
        };
        let column = (0..300).map(made).collect();
        columns.push(column);
    }
    DiscreteTable::new(columns, vec![2; 6]).unwrap()
}

/// Parities mislead greedy searches: neither parent alone is informative.
#[test]
fn many_restarts_find_the_best_graph_of_most_parities() {
    let (mut found, mut greedy) = (0, 0);
    for seed in 0..30 {
        let table = parities(seed);
        let score = |search| {
            let tie_breaking = TieOrder::Entropy;
            let params = StructureParams { search, tie_breaking, ..StructureParams::default() };
            learn(&table, None, &params).unwrap().score
        };
        let (optimum, best, tabu) =
            (score(SearchName::Exact), score(SearchName::Best), score(SearchName::Tabu));
        assert!(best >= tabu - 1e-6, "seed {seed}");
        found += usize::from(best > optimum - 1e-6);
        greedy += usize::from(tabu > optimum - 1e-6);
    }
    assert!(found >= 24 && greedy <= 15, "{found} {greedy}");
}

/// A search that ends early (because of an interrupt or `max_scores`) returns the best graph so far.
#[test]
fn search_that_ends_early_returns_the_best_graph_so_far() {
    struct StopsAfter<'a>(u64, &'a AtomicBool);
    impl Observer for StopsAfter<'_> {
        fn progress(&self, progress: Progress) {
            self.1.store(progress.done >= self.0, Ordering::Relaxed);
        }
    }
    let table = parities(3);
    let learn = |search, params: &StructureParams, ctl: RunContext<'_>| {
        let settings = StructureParams { search, ..params.clone() }.check("test").unwrap();
        let found = settings.learn_interruptible(&table, None, SeedKey::root(0), ctl).unwrap();
        assert!(
            (found.score - settings.score_dag(&table, None, &found.dag, RunContext::silent()).unwrap()).abs()
                < 1e-7
        );
        found
    };
    let params = StructureParams { tie_breaking: TieOrder::Entropy, ..StructureParams::default() };
    for (search, ticks) in [(SearchName::Boss, 0), (SearchName::Best, 1)] {
        let stop = AtomicBool::new(false);
        let observer = StopsAfter(ticks, &stop);
        let found = learn(search, &params, RunContext::new(&observer, &stop));
        assert_eq!(found.stopped_by, StopReason::Interrupted, "{search:?}");
    }
    let few = StructureParams { max_scores: Some(1), ..params };
    let found = learn(SearchName::Best, &few, RunContext::silent());
    assert_eq!((found.stopped_by, found.iterations), (StopReason::MaxScores, 1));
}
