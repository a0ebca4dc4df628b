//! Forests that add trees until the out-of-bag average precision converges.

use imbcore_core::{
    Classifier, ColumnBuf, Dataset, FrameBuf, Learner, Result, RunContext, SeedKey, random_below,
};
use imbcore_ensembles::{
    ForestLearner, ForestModel, ForestParams, OobScoreRequest, TreeCount, TreeCountRule,
};
use imbcore_trees::TreeParams;
use rayon::ThreadPoolBuilder;

/// Three columns; the first is informative about the class.
fn table() -> (FrameBuf, Vec<u32>) {
    let mut rng = SeedKey::root(8).rng();
    let mut number = || f64::from(random_below(&mut rng, 1000));
    let columns: Vec<Vec<f64>> = (0..3).map(|_| (0..300).map(|_| number()).collect()).collect();
    let classes = columns[0].iter().map(|value| u32::from(value + number() > 1500.0)).collect();
    (FrameBuf::new(columns.into_iter().map(ColumnBuf::Numeric).collect()).unwrap(), classes)
}

fn fit(params: ForestParams, n_threads: usize) -> Result<ForestModel> {
    let (frame, classes) = table();
    let data = Dataset::new(frame.borrow()?, &classes, 2, None)?;
    let learner = ForestLearner::new("forest", params.check("forest")?, TreeParams::cart().check("forest")?);
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    pool.install(|| learner.fit(&data, SeedKey::root(2), RunContext::silent()))
}

fn auto() -> ForestParams {
    ForestParams { n_estimators: TreeCount::Named(TreeCountRule::Auto), ..ForestParams::default() }
}

#[test]
fn converged_forest_equals_the_forest_of_its_size() {
    let found = fit(auto(), 1).unwrap();
    let n = found.n_trees() as u32;
    assert!([100, 200, 400, 800].contains(&n), "{n}");
    assert!(found.out_of_bag().is_none());
    let number = |n| ForestParams { n_estimators: TreeCount::Given(n), ..ForestParams::default() };
    assert!(found == fit(number(n), 1).unwrap() && found == fit(auto(), 3).unwrap());
    let scored =
        |params| ForestParams { oob_score: OobScoreRequest::Named("average_precision".into()), ..params };
    let score = |n| fit(scored(number(n)), 1).unwrap().out_of_bag().unwrap().score;
    // The last doubling changed little, those before it more.
    let changes: Vec<f64> = [100, 200, 400, 800]
        .into_iter()
        .filter(|&m| m <= n)
        .map(|m| (score(m) - score(m / 2)).abs())
        .collect();
    let (last, before) = changes.split_last().unwrap();
    assert!(before.iter().all(|&change| change >= 0.005) && (*last < 0.005 || n == 800), "{changes:?}");
    let with_score = fit(scored(auto()), 1).unwrap();
    let of_number = fit(scored(number(n)), 1).unwrap();
    assert_eq!(with_score.out_of_bag(), of_number.out_of_bag());
}

#[test]
fn trees_without_bootstrap_never_converge() {
    let error = fit(ForestParams { bootstrap: false, ..auto() }, 1).unwrap_err().to_string();
    assert!(error.contains("n_estimators") && error.contains("bootstrap=True"), "{error}");
    let (frame, classes) = table();
    let data = Dataset::new(frame.borrow().unwrap(), &classes, 2, None).unwrap();
    let plan = auto().check("forest").unwrap();
    let learner = ForestLearner::new("forest", plan, TreeParams::cart().check("forest").unwrap());
    let part = learner.fit_tree_range(0..5, &data, SeedKey::root(2), RunContext::silent());
    assert!(part.unwrap_err().to_string().contains("pass a number"));
    let model = fit(ForestParams { max_samples: None, ..auto() }, 1).unwrap();
    assert!(
        model.proba(&frame.borrow().unwrap(), RunContext::silent()).unwrap().iter().all(|p| p.is_finite())
    );
}
