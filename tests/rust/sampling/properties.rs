//! Neighbors, Tomek links and condensed sets compared with slow references, and properties of every sampling
//! plan.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use crate::common::Table;
use imbcore_core::{Error, Observer, Progress, RunContext, SeedKey};
use imbcore_resample::{
    Algorithm, CondensingSettings, InputKind, NO_MATE, ResamplingPlan, ResamplingTask,
    SamplerDefinitionSource, condense, plan, samplers, svr_tree_samplers, tomek_links,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Numbers with ties, without ties, far from zero, and of all magnitudes.
fn numbers() -> impl Strategy<Value = BoxedStrategy<f64>> {
    select(vec![
        (-2..3).prop_map(f64::from).boxed(),
        (-1.0..1.0).boxed(),
        (0..1000).prop_map(|n| 1e6 + f64::from(n) * 1e-3).boxed(),
        (-1.0..1.0, -300..300).prop_map(|(x, e): (f64, i32)| x * 10.0_f64.powi(e)).boxed(),
        (-1.0..1.0, 290..308).prop_map(|(x, e): (f64, i32)| x * 10.0_f64.powi(e)).boxed(),
    ])
}

/// Tables of up to three classes; the second is rare.
fn tables(rows: std::ops::Range<usize>) -> impl Strategy<Value = Table> {
    (numbers(), rows, 1..14_usize, any::<bool>()).prop_flat_map(|(number, n, width, three)| {
        let values = prop::collection::vec(number, n * width);
        let class = prop_oneof![6 => Just(0_u32), 2 => Just(1), 1 => Just(if three { 2 } else { 0 })];
        (values, prop::collection::vec(class, n)).prop_map(|(values, mut classes)| {
            classes[0] = 0;
            classes[1] = 1;
            Table::new(values, classes)
        })
    })
}

/// Both search algorithms.
const ALGORITHMS: [Algorithm; 2] = [Algorithm::Brute, Algorithm::KdTree];

/// Tomek links by their definition.
fn slow_links(table: &Table) -> Vec<(u32, u32)> {
    let rows = table.rows();
    let nothing_nearer = |row: u32, distance: f64| {
        rows.iter().all(|&other| other == row || table.distance(row, other) >= distance)
    };
    let mut links = Vec::new();
    for &a in &rows {
        for &b in &rows[a as usize + 1..] {
            let distance = table.distance(a, b);
            let differ = table.classes[a as usize] != table.classes[b as usize];
            if differ && nothing_nearer(a, distance) && nothing_nearer(b, distance) {
                links.push((a, b));
            }
        }
    }
    links
}

/// The class of a row by its `k` nearest in the condensed set: most votes, the nearer of ties.
fn slow_class(table: &Table, row: u32, store: &[u32], k: usize) -> u32 {
    let nearest = &table.order(row, store)[..k.min(store.len())];
    let class = |row: &u32| table.classes[*row as usize];
    let votes = |wanted: u32| nearest.iter().filter(|row| class(row) == wanted).count();
    let most = nearest.iter().map(|row| votes(class(row))).max().unwrap();
    nearest.iter().map(class).find(|&class| votes(class) == most).unwrap()
}

/// Hart's rule, row by row.
fn slow_condensed_set(table: &Table, start: &[u32], candidates: &[u32], k: usize) -> Vec<u32> {
    let mut store = start.to_vec();
    loop {
        let before = store.len();
        for &row in candidates {
            if !store.contains(&row) && slow_class(table, row, &store, k) != table.classes[row as usize] {
                store.push(row);
            }
        }
        if store.len() == before {
            store.sort_unstable();
            return store;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn neighbors_match_a_sort_by_distance(table in tables(2..150), k in 1..40_usize, part in 1..4_u32) {
        let pool: Vec<u32> = table.rows().into_iter().filter(|row| row % part == 0).collect();
        for way in ALGORITHMS {
            let found = table.searched(way, |points, ctl| points.k_nearest(&pool, &pool, k, ctl).unwrap());
            for (at, &row) in pool.iter().enumerate() {
                let expected = table.order(row, &pool);
                prop_assert_eq!(found.neighbors_of(at), &expected[..k.min(expected.len())], "{:?}, row {}", way, row);
            }
        }
    }

    #[test]
    fn links_match_the_definition(table in tables(2..80)) {
        for way in ALGORITHMS {
            let found = table.searched(way, |points, ctl| tomek_links(points, &table.rows(), &table.classes, ctl).unwrap());
            prop_assert_eq!(found, slow_links(&table));
        }
    }

    #[test]
    fn condensed_set_follows_harts_rule(table in tables(2..120), k in select(vec![1, 1, 3])) {
        let how = CondensingSettings { k, until_consistent: true };
        let (first, rows) = (table.rows()[..1].to_vec(), table.rows());
        let rare: Vec<u32> = rows.iter().copied().filter(|&row| table.classes[row as usize] > 0).collect();
        for start in [first, rare] {
            let found = table.searched(Algorithm::Auto, |points, ctl| {
                condense(points, &table.classes, &start, &rows, how, ctl).unwrap()
            });
            prop_assert_eq!(&found, &slow_condensed_set(&table, &start, &rows, k));
            for &row in rows.iter().filter(|row| !found.contains(row)) {
                prop_assert_eq!(slow_class(&table, row, &found, k), table.classes[row as usize]);
            }
        }
    }

    #[test]
    fn plans_match_their_records(table in tables(12..60), seed in 0..99_u64) {
        for sampler in samplers().iter().filter(|sampler| sampler.reads != InputKind::Mixed) {
            let mut given = json!({});
            for param in &sampler.params {
                match param.name {
                    "on_small" => given["on_small"] = json!("shrink"),
                    "on_zero" => given["on_zero"] = json!("equal"),
                    "smote" => given["smote"] = json!({"on_small": "shrink"}),
                    "rounding" => given["rounding"] = json!("exact"),
                    _ => {}
                }
            }
            let plan = table.plan(sampler.name, &given, seed).unwrap();
            check_plan(&table, sampler.name, &plan)?;
            prop_assert_eq!(&plan, &table.plan(sampler.name, &given, seed).unwrap());
        }
    }
}

fn check_plan(table: &Table, name: &str, plan: &ResamplingPlan) -> Result<(), TestCaseError> {
    let (n, added) = (table.classes.len(), &plan.added);
    let counts = |classes: &[u32]| -> Vec<usize> {
        (0..3).map(|class| classes.iter().filter(|&&of| of == class).count()).collect()
    };
    let before = counts(&table.classes);
    let most = *before.iter().max().unwrap();
    let least = *before.iter().filter(|&&count| count > 0).min().unwrap();
    for (at, (&source, &mate)) in added.sources.iter().zip(&added.neighbors).enumerate() {
        prop_assert_eq!(table.classes[source as usize], added.classes[at]);
        prop_assert!(mate == NO_MATE || table.classes[mate as usize] == added.classes[at]);
        prop_assert!((0.0..1.0).contains(&added.fractions[at]));
    }
    if ["random_over", "smote", "adasyn", "smote_tomek"].contains(&name) {
        let all: Vec<u32> = table.classes.iter().chain(&added.classes).copied().collect();
        for (before, after) in before.iter().zip(counts(&all)) {
            prop_assert_eq!(after, if *before == 0 { 0 } else { most }, "{}", name);
        }
    }
    if let Some(kept) = &plan.kept {
        prop_assert!(kept.is_sorted_by(|a, b| a < b));
        prop_assert!(kept.iter().all(|&row| (row as usize) < n + added.len()));
    }
    if name == "random_under" {
        let kept: Vec<u32> = plan.kept.iter().flatten().map(|&row| table.classes[row as usize]).collect();
        prop_assert!(counts(&kept).iter().all(|&count| count == 0 || count == least));
    }
    Ok(())
}

/// Rows around two centers; the second class is rare.
fn cloud(n: usize, width: usize) -> Table {
    let mut rng = SeedKey::root(5).rng();
    let classes: Vec<u32> = (0..n).map(|row| u32::from(row % 8 == 0) + u32::from(row % 64 == 0)).collect();
    let values = classes
        .iter()
        .flat_map(|&class| vec![f64::from(class); width])
        .map(|center| center + (0..4).map(|_| imbcore_core::uniform(&mut rng)).sum::<f64>())
        .collect();
    Table::new(values, classes)
}

#[test]
fn plans_do_not_depend_on_threads_or_grain() {
    let table = cloud(900, 6);
    let (frame, labels) = (table.frame(), table.labels());
    let task = ResamplingTask::new(Some(&frame), &table.classes, &labels).unwrap();
    for sampler in samplers().iter().filter(|sampler| sampler.reads != InputKind::Mixed) {
        for way in ["auto", "brute", "kd_tree"] {
            let mut given = json!({});
            if sampler.params.iter().any(|param| param.name == "algorithm") {
                given["algorithm"] = json!(way);
            }
            let run = |threads: usize, finer: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let ctl = RunContext::silent().with_smaller_tasks(finer);
                pool.install(|| {
                    plan(sampler.name, given.as_object().unwrap(), &task, SeedKey::root(1), ctl).unwrap()
                })
            };
            let expected = run(1, 1);
            for (threads, finer) in [(2, 1), (7, 60)] {
                assert_eq!(run(threads, finer), expected, "{}, {threads} threads", sampler.name);
            }
        }
    }
}

#[test]
fn both_algorithms_agree_on_a_larger_table() {
    let table = cloud(5000, 3);
    let found = ALGORITHMS.map(|way| {
        table.searched(way, |points, ctl| points.k_nearest(&table.rows_of(2), &table.rows(), 7, ctl).unwrap())
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn scaled_results_do_not_depend_on_units() {
    let table = cloud(400, 4);
    // Powers of two, so that the scaled values are exactly equal.
    let units = [1.0, 1024.0, 0.25, 8.0];
    let values = table.values.iter().zip(units.iter().cycle()).map(|(x, unit)| x * unit).collect();
    let other = Table::new(values, table.classes.clone());
    for name in [
        "smote",
        "borderline_smote",
        "adasyn",
        "tomek_links",
        "condensed_nearest_neighbour",
        "one_sided_selection",
    ] {
        let given = json!({"scale": "minmax"});
        assert_eq!(table.plan(name, &given, 2).unwrap(), other.plan(name, &given, 2).unwrap(), "{name}");
        assert_eq!(table.plan(name, &given, 2).unwrap(), table.plan(name, &given, 2).unwrap());
    }
}

#[test]
fn draws_are_uniform() {
    let table = cloud(800, 2);
    let plan = table.plan("smote", &json!({"sampling_strategy": {"2": 100_000}}), 9).unwrap();
    let (rows, n) = (table.rows_of(2), plan.added.len() as f64);
    let expected = n / rows.len() as f64;
    let chi2: f64 = rows
        .iter()
        .map(|row| plan.added.sources.iter().filter(|&source| source == row).count() as f64)
        .map(|count| (count - expected) * (count - expected) / expected)
        .sum();
    // 13 rows: the upper 1e-4 quantile of chi-square with 12 degrees of freedom.
    assert_eq!(rows.len(), 13);
    assert!(chi2 < 39.13, "{chi2}");
    let mut gaps = plan.added.fractions.clone();
    gaps.sort_by(f64::total_cmp);
    let off =
        gaps.iter().enumerate().map(|(at, gap)| ((at as f64 + 0.5) / n - gap).abs()).fold(0.0, f64::max);
    // Kolmogorov's quantile, upper 1e-4.
    assert!(off * n.sqrt() < 2.23, "{off}");
}

#[test]
fn every_neighbor_is_used_once_before_any_twice() {
    let table = cloud(300, 2);
    let given = json!({"percent": 300, "k_neighbors": 3, "neighbor_draw": "distinct_first", "sampling_strategy": "minority"});
    let plan = table.plan("smote", &given, 4).unwrap();
    for mates in plan.added.neighbors.chunks(3) {
        assert!(mates[0] != mates[1] && mates[1] != mates[2] && mates[0] != mates[2]);
    }
    let gaps =
        table.plan("smote", &json!({"interpolation": "attribute", "k_neighbors": 2}), 4).unwrap().added;
    assert_eq!(gaps.fractions.len(), 2 * gaps.len());
}

#[test]
fn degenerate_tables_are_sampled() {
    let alike = Table::new(vec![1.0; 40], (0..20).map(|row| u32::from(row < 6)).collect());
    assert!(alike.plan("smote", &json!({}), 0).unwrap().added.fractions.len() == 8);
    // Every pair of different classes is a link.
    assert_eq!(alike.plan("tomek_links", &json!({}), 0).unwrap().links.len(), 6 * 14);
    let balanced = Table::new(vec![0.0, 1.0, 2.0, 3.0], vec![0, 1, 0, 1]);
    for name in ["random_over", "smote", "borderline_smote", "adasyn"] {
        assert!(balanced.plan(name, &json!({}), 0).unwrap().added.is_empty(), "{name}");
    }
    assert_eq!(balanced.plan("random_under", &json!({}), 0).unwrap().kept.unwrap(), [0, 1, 2, 3]);
    let empty = json!({"sampling_strategy": {}});
    assert!(balanced.plan("random_over", &empty, 0).unwrap().added.is_empty());
    let one = Table::new(vec![0.0, 1.0], vec![0, 0]);
    assert!(one.plan("random_over", &empty, 0).is_err());
    let lone = Table::new((0..9).map(f64::from).collect(), vec![0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert!(lone.plan("smote", &json!({"on_small": "shrink"}), 0).unwrap().added.are_copies());
    assert!(lone.plan("condensed_nearest_neighbour", &json!({}), 0).unwrap().kept.unwrap().contains(&8));
}

#[test]
fn invalid_parameters_are_named() {
    let table = cloud(200, 2);
    for (sampler, given, name) in [
        ("smote", json!({"k_neighbors": 0}), "k_neighbors"),
        ("smote", json!({"k_neighbors": 2.5}), "k_neighbors"),
        ("smote", json!({"interpolation": "diagonal"}), "interpolation"),
        ("smote", json!({"percent": -1}), "percent"),
        ("smote", json!({"sampling_strategy": "auto!"}), "sampling_strategy"),
        ("borderline_smote", json!({"kind": "borderline1"}), "kind"),
        ("adasyn", json!({"beta": -0.5}), "beta"),
        ("tomek_links", json!({"passes": 0}), "passes"),
        ("random_over", json!({"shrinkage": -1}), "shrinkage"),
        ("duplicate_over", json!({"weights": {"1": 0}}), "weights"),
    ] {
        match table.plan(sampler, &given, 0) {
            Err(Error::Parameter { name: found, .. }) => assert_eq!(found, name),
            other => panic!("{sampler} {given}: {other:?}"),
        }
    }
    assert!(matches!(table.plan("smot", &json!({}), 0), Err(Error::Unknown { .. })));
}

#[test]
fn a_set_stop_flag_ends_every_search() {
    struct NoListener;
    impl Observer for NoListener {
        fn progress(&self, _: Progress) {}
    }
    let table = cloud(300, 3);
    let (frame, labels, stop) = (table.frame(), table.labels(), AtomicBool::new(true));
    let task = ResamplingTask::new(Some(&frame), &table.classes, &labels).unwrap();
    for sampler in samplers().iter().filter(|sampler| sampler.reads == InputKind::Numbers) {
        let given = serde_json::Map::new();
        let found = plan(sampler.name, &given, &task, SeedKey::root(0), RunContext::new(&NoListener, &stop));
        assert_eq!(found, Err(Error::Cancelled), "{}", sampler.name);
    }
}

#[test]
fn presets_generate_the_papers_numbers_of_rows() {
    let table = cloud(400, 3);
    let binary = Table::new(table.values.clone(), table.classes.iter().map(|&class| class.min(1)).collect());
    let (frame, labels) = (binary.frame(), binary.labels());
    let task = ResamplingTask::new(Some(&frame), &binary.classes, &labels).unwrap();
    // 50 of 400 rows: each seven times.
    for variant in [SamplerDefinitionSource::Paper, SamplerDefinitionSource::PaperCode] {
        for (name, given) in svr_tree_samplers(&task, variant, None) {
            let plan: ResamplingPlan =
                plan(name, given.as_object().unwrap(), &task, SeedKey::root(0), RunContext::silent())
                    .unwrap();
            let added = plan.added.len();
            match name {
                "borderline_smote" => assert_eq!(added % 6, 0),
                "adasyn" => assert!((280..=320).contains(&added), "{added}"),
                _ => assert_eq!(added, 300, "{name}"),
            }
            let own = plan.added.sources.iter().zip(&plan.added.neighbors).filter(|(a, b)| a == b).count();
            assert_eq!(
                own > 0,
                variant == SamplerDefinitionSource::PaperCode && name != "duplicate_over",
                "{name}"
            );
        }
    }
    let none: Vec<Value> =
        svr_tree_samplers(&task, SamplerDefinitionSource::Paper, Some(1)).map(|(_, given)| given).to_vec();
    assert_eq!(none[1]["percent"], 0);
}
