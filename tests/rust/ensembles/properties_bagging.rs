//! Bagging ensembles: the rows of every bag, voting, and the inputs of base learners.

use imbcore_core::{
    Column, Dataset, Error, Frame, Label, PriorCorrection, Result, RunContext, SeedKey, parse_params,
    random_below, uniform,
};
use imbcore_ensembles::generic::{
    Bag, BaggingParams, BalancedBaggingParams, BaseLearner, CachedLearner, EnsembleMethod, FittedMembers,
    MemberCache, OutputKind, OverBaggingParams, PercentSchedule, SmoteBaggingParams, TrainingContext,
    UnderBaggingParams, UnderOverBaggingParams, VotingRule,
};
use imbcore_resample::NO_MATE;
use imbcore_tests::{golden, items};
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

/// Rows with numeric columns and a nominal one; class `c` has `counts[c]` rows, in random order.
struct Table {
    numbers: [Vec<f64>; 2],
    levels: Vec<u32>,
    classes: Vec<u32>,
    weights: Option<Vec<f64>>,
    labels: Vec<Label>,
}

impl Table {
    fn new(counts: &[usize]) -> Self {
        let mut rng = SeedKey::root(4).rng();
        let mut classes: Vec<u32> =
            (0_u32..).zip(counts).flat_map(|(class, &n)| std::iter::repeat_n(class, n)).collect();
        imbcore_core::shuffle(&mut rng, &mut classes);
        let mut number =
            || classes.iter().map(|&class| f64::from(class) + 3.0 * uniform(&mut rng)).collect::<Vec<f64>>();
        let numbers = [number(), number()];
        let levels = classes.iter().map(|_| random_below(&mut rng, 3)).collect();
        let labels = (0..counts.len()).map(|class| Label::Text(format!("class {class}"))).collect();
        Self { numbers, levels, classes, weights: None, labels }
    }

    fn with_context<T>(&self, nominal: bool, work: impl FnOnce(&TrainingContext<'_, '_>) -> T) -> T {
        let mut columns =
            vec![Column::from_numbers(&self.numbers[0]), Column::from_numbers(&self.numbers[1])];
        if nominal {
            columns.push(Column::Nominal { codes: &self.levels, levels: 3 });
        }
        let frame = Frame::new(columns).unwrap();
        let n_classes = self.labels.len();
        let data =
            Dataset::with_single_class_allowed(frame, &self.classes, n_classes, self.weights.as_deref())
                .unwrap();
        let (labels, key, ctl) =
            (&*self.labels, SeedKey::root(9), RunContext::silent().with_smaller_tasks(64));
        work(&TrainingContext { data: &data, labels, positive: 0, key, ctl })
    }
}

/// Base learner whose members are the bags; it predicts the class proportions in the bag.
struct BagRecorder<'t, 'd> {
    training: &'t TrainingContext<'t, 'd>,
    weights: bool,
    alone: bool,
}

impl BaseLearner for BagRecorder<'_, '_> {
    type Member = (Bag, u32);
    type Preparation = Vec<u32>;

    fn supports_weights(&self) -> bool {
        self.weights
    }

    fn is_sequential(&self) -> bool {
        self.alone
    }

    fn fit_to_bag(&self, bag: &Bag, seed: u32, _: RunContext<'_>) -> Result<(Bag, u32)> {
        assert_eq!(
            bag.copy_rows_to_frame(self.training.data.frame(), RunContext::silent())?.n_rows(),
            bag.len()
        );
        Ok((bag.clone(), seed))
    }

    fn prepare(&self, rows: Option<&[u32]>, _: RunContext<'_>) -> Result<Vec<u32>> {
        Ok(rows.map_or_else(|| (0..self.training.data.n_rows() as u32).collect(), <[u32]>::to_vec))
    }

    fn fit_weighted(
        &self,
        rows: &Vec<u32>,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<(Bag, u32)> {
        self.fit_to_bag(&Bag { weights: Some(weights.to_vec()), ..Bag::from_rows(rows.clone()) }, seed, ctl)
    }

    fn member_output(
        &self,
        (bag, _): &(Bag, u32),
        rows: &Vec<u32>,
        _: &[u32],
        output_kind: OutputKind,
        _: RunContext<'_>,
    ) -> Result<Vec<f64>> {
        let masses = bag.class_masses(self.training.data);
        let total: f64 = masses.iter().sum();
        let largest = masses.iter().copied().fold(0.0, f64::max);
        let score = |mass: &f64| match output_kind {
            OutputKind::Proba => mass / total,
            OutputKind::Choice => f64::from(u8::from(*mass == largest)),
        };
        Ok((0..rows.len()).flat_map(|_| masses.iter().map(score)).collect())
    }
}

type Found = FittedMembers<(Bag, u32)>;

fn assembled<P: EnsembleMethod + Default>(
    table: &Table,
    given: &Value,
    nominal: bool,
    weights: bool,
) -> Result<Found> {
    let params = parse_params("test", &P::default(), given.as_object().unwrap())?;
    params.check("test")?;
    table.with_context(nominal, |training| {
        params.fit_members("test", &BagRecorder { training, weights, alone: false }, training)
    })
}

/// Rows of each class in a bag, including synthetic ones.
fn counts(table: &Table, bag: &Bag) -> Vec<usize> {
    let mut counts = vec![0; table.labels.len()];
    let rows = bag.rows.iter().map(|&row| table.classes[row as usize]);
    rows.chain(bag.made.classes.iter().copied()).for_each(|class| counts[class as usize] += 1);
    counts
}

fn bags(found: &Found) -> impl Iterator<Item = &Bag> {
    found.members.iter().map(|(bag, _)| bag)
}

#[test]
fn under_bagging_reduces_all_classes_to_the_smallest() {
    let table = Table::new(&[60, 7, 25]);
    let smallest: Vec<u32> = (0..92).filter(|&row| table.classes[row as usize] == 1).collect();
    let found = assembled::<UnderBaggingParams>(&table, &json!({}), true, true).unwrap();
    assert_eq!(found.members.len(), 50);
    for bag in bags(&found) {
        assert_eq!(counts(&table, bag), [7, 7, 7]);
        assert!(bag.rows.is_sorted() && bag.made.is_empty());
        let kept: Vec<u32> = bag.rows.iter().copied().filter(|row| smallest.contains(row)).collect();
        assert_eq!(kept, smallest);
    }
    let apart = json!({"replacement": false, "bootstrap_minority": true});
    let found = assembled::<UnderBaggingParams>(&table, &apart, true, true).unwrap();
    let mut repeats = 0;
    for bag in bags(&found) {
        assert_eq!(counts(&table, bag), [7, 7, 7]);
        let others: Vec<u32> = bag.rows.iter().copied().filter(|row| !smallest.contains(row)).collect();
        assert!(others.is_sorted_by(|a, b| a < b));
        repeats += bag.rows.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }
    assert!(repeats > 0);
}

/// Number of members that a warm start of `P` with the parameters `now` reuses from a fit with `before`. Also
/// checks that the warm ensemble equals the cold one.
fn n_reused<P: EnsembleMethod + Default>(table: &Table, before: &Value, now: &Value) -> usize {
    let parse = |given: &Value| parse_params("test", &P::default(), given.as_object().unwrap()).unwrap();
    table.with_context(true, |training| {
        let recorder = BagRecorder { training, weights: true, alone: false };
        let assembled = |params: &P, cache| {
            let base_learner = CachedLearner::new(&recorder, cache);
            params.fit_members("test", &base_learner, training).unwrap().split_digests()
        };
        let (cold, none) = assembled(&parse(now), None);
        assert!(none.is_empty());
        let (before, cache) = assembled(&parse(before), Some(MemberCache::default()));
        assert_eq!(cache.len(), before.members.len());
        let marked = before.members.into_iter().map(|(bag, seed)| (bag, seed ^ 1 << 31));
        let (warm, _) = assembled(&parse(now), Some(cache.into_iter().zip(marked).collect()));
        let is_same = |(warm, cold): (&(Bag, u32), &(Bag, u32))| warm.0 == cold.0;
        assert!(warm.members.iter().zip(&cold.members).all(is_same));
        assert_eq!((warm.voting, warm.samples), (cold.voting, cold.samples));
        warm.members.iter().zip(&cold.members).filter(|(warm, cold)| warm.1 != cold.1).count()
    })
}

#[test]
fn warm_start_reuses_exactly_the_members_with_equal_training_data() {
    let mut table = Table::new(&[60, 7, 25]);
    for weights in [None, Some((0..92).map(|row| 1.0 + f64::from(row % 5)).collect())] {
        table.weights = weights;
        let (few, many) = (json!({"n_estimators": 4}), json!({"n_estimators": 9}));
        assert_eq!(n_reused::<BaggingParams>(&table, &few, &many), 4);
        assert_eq!(n_reused::<BalancedBaggingParams>(&table, &few, &many), 4);
        assert_eq!(
            n_reused::<BaggingParams>(&table, &few, &json!({"n_estimators": 9, "max_samples": 0.5})),
            0
        );
        let cycle = |n: u32| json!({"n_estimators": n, "percent_schedule": "cycle"});
        assert_eq!(n_reused::<SmoteBaggingParams>(&table, &cycle(12), &cycle(15)), 12);
        // The first two of twenty bags use ten percent, and so does the first of ten.
        let (ten, twenty) = (json!({"n_estimators": 10}), json!({"n_estimators": 20}));
        assert_eq!(n_reused::<UnderOverBaggingParams>(&table, &ten, &twenty), 1);
    }
}

#[test]
fn over_bagging_and_under_over_bagging_balance_classes() {
    let table = Table::new(&[60, 7, 25]);
    let found = assembled::<OverBaggingParams>(&table, &json!({"n_estimators": 5}), true, true).unwrap();
    assert!(bags(&found).all(|bag| counts(&table, bag) == [60, 60, 60]));
    let given = json!({"n_estimators": 20});
    let found = assembled::<UnderOverBaggingParams>(&table, &given, true, true).unwrap();
    let of_first: Vec<usize> = bags(&found).map(|bag| counts(&table, bag)[0]).collect();
    assert!(bags(&found).all(|bag| counts(&table, bag) == [bag.len() / 3; 3]));
    assert_eq!(of_first[..6], [6, 6, 12, 12, 18, 18]);
    assert_eq!(of_first[19], 60);
}

#[test]
fn smote_bagging_percentages_and_counts_match_the_reference() {
    let file = golden("resampling/schedules");
    let table = Table::new(&[500, 30]);
    let cases: Vec<&Value> =
        items(&file["cases"]).iter().filter(|case| case["kind"] == "smotebagging").collect();
    assert!(cases.len() > 5);
    for case in cases {
        let n = case["n_bags"].as_u64().unwrap() as u32;
        let percent: Vec<u32> = (0..n).map(|index| PercentSchedule::Blocks.percent(index, n)).collect();
        assert_eq!(json!(percent), case["percent"]);
        let given = json!({"n_estimators": n});
        let found = assembled::<SmoteBaggingParams>(&table, &given, true, true).unwrap();
        for (bag, expected) in bags(&found).zip(items(&case["counts_n_min_30_n_maj_500"])) {
            let of = |class| bag.rows.iter().filter(|&&row| table.classes[row as usize] == class).count();
            let shown = json!({
                "majority_bootstrap": of(0), "minority_real": of(1), "minority_smote": bag.made.len(),
            });
            assert_eq!(&shown, expected);
        }
    }
}

#[test]
fn synthetic_rows_lie_between_two_rows_of_their_class() {
    let table = Table::new(&[80, 9, 1, 20]);
    let given = json!({"n_estimators": 10, "k_neighbors": 3});
    for nominal in [false, true] {
        let found = assembled::<SmoteBaggingParams>(&table, &given, nominal, true).unwrap();
        for bag in bags(&found) {
            assert_eq!(counts(&table, bag), [80; 4]);
            let made = &bag.made;
            for at in 0..made.len() {
                let class = |row: u32| table.classes[row as usize];
                assert_eq!(class(made.sources[at]), made.classes[at]);
                // A single row of a class is copied.
                assert_eq!(made.neighbors[at] == NO_MATE, made.classes[at] == 2);
                assert!(made.neighbors[at] == NO_MATE || class(made.neighbors[at]) == made.classes[at]);
                assert!(made.neighbors[at] != made.sources[at] && (0.0..1.0).contains(&made.fractions[at]));
            }
            assert_eq!(made.codes.contains_key(&2), nominal);
        }
    }
}

#[test]
fn balanced_bagging_applies_a_sampler_to_its_bags() {
    let table = Table::new(&[60, 12]);
    let found = assembled::<BalancedBaggingParams>(&table, &json!({}), true, true).unwrap();
    for bag in bags(&found) {
        let found = counts(&table, bag);
        assert_eq!(found[0], found[1]);
    }
    let all = json!({"bootstrap": false, "sampling_strategy": 0.5});
    let found = assembled::<BalancedBaggingParams>(&table, &all, true, true).unwrap();
    assert!(bags(&found).all(|bag| counts(&table, bag) == [24, 12]));
    let given = json!({"sampler": "smote", "sampler_params": {"k_neighbors": 2, "on_small": "shrink"}});
    let found = assembled::<BalancedBaggingParams>(&table, &given, false, true).unwrap();
    for bag in bags(&found) {
        let found = counts(&table, bag);
        assert!(found[0] == found[1] && bag.rows.len() == 72);
        // Base rows and neighbors are rows of the table that are in the bag.
        let inside = |row: &u32| *row == NO_MATE || bag.rows.binary_search(row).is_ok();
        assert!(bag.made.sources.iter().chain(&bag.made.neighbors).all(inside));
    }
    let cleaned = json!({"sampler": "smote_tomek", "sampler_params": {"smote": {"on_small": "shrink"}}});
    let found = assembled::<BalancedBaggingParams>(&table, &cleaned, false, true).unwrap();
    assert!(bags(&found).any(|bag| bag.len() < 2 * counts(&table, bag)[0].max(60)));
    let unknown = assembled::<BalancedBaggingParams>(&table, &json!({"sampler": "smoke"}), false, true);
    assert!(matches!(unknown, Err(Error::Unknown { .. })));
}

#[test]
fn members_use_subsets_of_rows_and_columns() {
    let table = Table::new(&[60, 12]);
    let given = json!({"max_samples": 0.5, "max_features": 2, "bootstrap": false});
    let found = assembled::<BaggingParams>(&table, &given, true, true).unwrap();
    let seen: Vec<&[u32]> = bags(&found).map(|bag| &bag.columns[..]).collect();
    assert!(bags(&found).all(|bag| bag.rows.len() == 36 && bag.rows.is_sorted_by(|a, b| a < b)));
    assert!(seen.iter().all(|columns| columns.len() == 2));
    assert!(seen.iter().any(|columns| columns != &seen[0]));
    for wrong in [json!({"max_features": 4}), json!({"max_features": 0.0}), json!({"max_samples": 1.5})] {
        let refused = assembled::<BaggingParams>(&table, &wrong, true, true);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{wrong}");
    }
}

#[test]
fn rows_of_zero_weight_are_never_drawn_and_weights_are_kept() {
    let mut table = Table::new(&[60, 12]);
    let weights: Vec<f64> = (0..72).map(|row| f64::from(row % 4)).collect();
    table.weights = Some(weights.clone());
    let all: [fn(&Table, bool) -> Result<Found>; 4] = [
        |table, weights| assembled::<BaggingParams>(table, &json!({}), false, weights),
        |table, weights| assembled::<UnderBaggingParams>(table, &json!({}), false, weights),
        |table, weights| assembled::<SmoteBaggingParams>(table, &json!({}), false, weights),
        |table, weights| assembled::<BalancedBaggingParams>(table, &json!({}), false, weights),
    ];
    for assemble in all {
        for takes in [true, false] {
            let found = assemble(&table, takes).unwrap();
            for bag in bags(&found) {
                let made = bag.made.sources.iter().chain(&bag.made.neighbors).filter(|&&row| row != NO_MATE);
                assert!(bag.rows.iter().chain(made).all(|&row| weights[row as usize] > 0.0));
                let sources = bag.rows.iter().chain(&bag.made.sources);
                // Members that do not support weights train on rows drawn by weight, which count once.
                let expected = sources.map(|&row| if takes { weights[row as usize] } else { 1.0 });
                assert_eq!(bag.weights, Some(expected.collect()));
            }
        }
    }
    let shares = Bag::from_weights(vec![1, 2], imbcore_resample::AddedRows::default(), vec![1.0, 3.0]);
    assert_eq!(shares.weights, Some(vec![0.5, 1.5]));
}

#[test]
fn bags_exist_for_one_class_one_row_and_ten_classes() {
    let lone = Table::new(&[40, 1]);
    let under = |table: &Table| assembled::<UnderBaggingParams>(table, &json!({}), false, true).unwrap();
    assert!(bags(&under(&lone)).all(|bag| counts(&lone, bag) == [1, 1]));
    let ten = Table::new(&[30, 20, 1, 9, 9, 9, 5, 5, 5, 5]);
    assert!(bags(&under(&ten)).all(|bag| counts(&ten, bag) == [1; 10]));
    let made = assembled::<SmoteBaggingParams>(&ten, &json!({}), true, true).unwrap();
    assert!(bags(&made).all(|bag| counts(&ten, bag) == [30; 10]));
    let single = Table::new(&[0, 20]);
    assert!(bags(&under(&single)).all(|bag| counts(&single, bag) == [0, 20]));
    let balanced = assembled::<BalancedBaggingParams>(&single, &json!({}), false, true).unwrap();
    assert!(bags(&balanced).all(|bag| counts(&single, bag) == [0, 20]));
}

#[test]
fn bags_and_seeds_do_not_depend_on_threads() {
    let table = Table::new(&[60, 12]);
    let params = BalancedBaggingParams { n_estimators: 9, ..BalancedBaggingParams::default() };
    let on = |n_threads: usize, alone: bool| {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let assemble = |training: &TrainingContext<'_, '_>| {
            params
                .fit_members("test", &BagRecorder { training, weights: true, alone }, training)
                .unwrap()
                .members
        };
        pool.install(|| table.with_context(true, assemble))
    };
    let one = on(1, false);
    assert!([on(2, false), on(7, false), on(2, true)].into_iter().all(|other| other == one));
    let mut seeds: Vec<u32> = one.iter().map(|(_, seed)| *seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 9);
    // More members do not change the first ones.
    let fewer = BalancedBaggingParams { n_estimators: 4, ..params };
    let found = table.with_context(true, |training| {
        fewer.fit_members("test", &BagRecorder { training, weights: true, alone: true }, training).unwrap()
    });
    assert_eq!(found.members[..], one[..4]);
}

#[test]
fn prior_correction_uses_the_class_proportions_of_the_bags() {
    let table = Table::new(&[60, 12]);
    let shift = |given: Value| {
        let found = assembled::<UnderBaggingParams>(&table, &given, false, true).unwrap();
        (found.voting.rule, found.voting.shift)
    };
    assert_eq!(
        shift(json!({})),
        (VotingRule::Soft, PriorCorrection::Prior.prior_shift_if_enabled(&[1.0, 1.0], &[60.0, 12.0]))
    );
    assert_eq!(shift(json!({"prior_correction": "none", "voting": "hard"})), (VotingRule::Hard, None));
    let over = assembled::<OverBaggingParams>(&table, &json!({}), false, true).unwrap();
    assert_eq!(over.voting.shift, None);
}

#[test]
fn out_of_bag_rows_are_scored_by_members_that_did_not_train_on_them() {
    let table = Table::new(&[60, 12]);
    let refused = assembled::<UnderBaggingParams>(&table, &json!({"oob_score": true}), false, true);
    assert!(matches!(refused, Err(Error::Parameter { .. })));
    let given =
        json!({"oob_score": true, "prior_correction": "none", "n_estimators": 3, "bootstrap_minority": true});
    let found = assembled::<UnderBaggingParams>(&table, &given, false, true).unwrap();
    let out = found.out_of_bag.unwrap();
    for (row, proba) in out.decision.chunks_exact(2).enumerate() {
        let seen = found.samples.iter().all(|rows| rows.contains(&(row as u32)));
        // Members predict 1/2 for every row.
        assert_eq!(proba[0].is_nan(), seen);
        assert!(seen || proba == [0.5, 0.5]);
    }
    let n_scored = |class: u32| {
        let rows = table.classes.iter().zip(out.decision.chunks_exact(2));
        rows.filter(|(of, proba)| **of == class && !proba[0].is_nan()).count() as f64
    };
    // All rows are predicted as class 0, the lower one.
    assert!(n_scored(1) > 0.0 && (out.score - n_scored(0) / (n_scored(0) + n_scored(1))).abs() < 1e-12);
}
