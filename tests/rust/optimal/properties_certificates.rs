//! Certificates of fits are accepted on the training rows, and forged ones are rejected.

use crate::properties_optimal::Case;
use imbcore_core::budget::StoppingLimits;
use imbcore_core::{Column, Costs, Dataset, Frame, Learner, RunContext, SeedKey, random_below};
use imbcore_optimal_trees::{
    OptimalModel, OptimalTreeLearner, OptimalTreeParams, TreeCertificate, TreeObjective, TreeObjectiveName,
    VerificationReport,
};

fn learner(params: OptimalTreeParams) -> OptimalTreeLearner {
    params.check("optimal_tree").unwrap().with_positive_class(Some(1))
}

fn verdict(
    learner: &OptimalTreeLearner,
    model: &OptimalModel,
    given: Option<&TreeCertificate>,
    data: &Dataset<'_>,
) -> VerificationReport {
    learner.verify(model, given, data, StoppingLimits::default(), RunContext::silent()).unwrap()
}

fn fit(learner: &OptimalTreeLearner, data: &Dataset<'_>) -> OptimalModel {
    learner.fit(data, SeedKey::root(0), RunContext::silent()).unwrap()
}

/// Checks the certificate of a model; `properties_optimal` compares trees of tiny tables with complete
/// enumeration.
fn check(seed: u64) {
    let mut case = Case::random(seed);
    let rng = &mut SeedKey::root(!seed).rng();
    let named = [TreeObjectiveName::Cost, TreeObjectiveName::F1, TreeObjectiveName::Hull]
        [random_below(rng, 3) as usize];
    let cost = named == TreeObjectiveName::Cost;
    if !cost {
        case.merge_to_two_classes();
    }
    let params = OptimalTreeParams {
        objective: TreeObjective::Named(named),
        max_depth: case.family.max_depth + u32::from(case.classes.len() < 8 && case.family.max_depth == 3),
        min_weight_leaf: case.family.min_weight_leaf,
        leaf_cost: if cost { f64::from(random_below(rng, 3)) / 2.0 } else { 0.0 },
        ..OptimalTreeParams::default()
    };
    case.with_data(|data| {
        let n = data.n_classes();
        let cells =
            (0..n * n).map(|at| if at / n == at % n { 0.0 } else { f64::from(1 + random_below(rng, 9)) });
        let costs = cost.then(|| Costs::new(cells.collect(), n).unwrap());
        let learner = learner(params).with_costs(costs);
        let model = fit(&learner, data);
        let found = verdict(&learner, &model, None, data);
        assert!(found.objective_holds, "seed {seed}: {found:?}");
        if model.tree_certificate().is_some() {
            assert_eq!(found.bounds_hold, Some(true), "seed {seed}: {found:?}");
            let weightless = case.family.min_weight_leaf == 0.0;
            assert!(found.proves_optimal == Some(true) || !weightless, "seed {seed}: {found:?}");
        }
    });
}

#[test]
fn certificates_of_fits_are_accepted() {
    let seed = imbcore_tests::seed();
    (0..u64::from(imbcore_tests::cases(800)))
        .for_each(|case| check(seed.wrapping_mul(1_000_003).wrapping_add(case)));
    // Leaf costs, and a set of levels that would be the best tree of depth three without the minimum leaf
    // weight.
    [1_570_946_713_271, 17_908_719_726_105, 3_881_254_531_728_671].into_iter().for_each(check);
}

/// Rows on which the subtrees of depth-three trees need a search.
fn rows(key: u64, body: impl FnOnce(&Dataset<'_>)) {
    let rng = &mut SeedKey::root(key).rng();
    let columns: Vec<Vec<f64>> =
        (0..3).map(|_| (0..120).map(|_| f64::from(random_below(rng, 25))).collect()).collect();
    let classes: Vec<u32> = (0..120)
        .map(|row| {
            u32::from((columns[0][row] > 15.0 && columns[1][row] < 12.0) != (random_below(rng, 7) == 0))
        })
        .collect();
    let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
    body(&Dataset::new(frame, &classes, 2, None).unwrap());
}

fn depth_three(objective: TreeObjectiveName) -> OptimalTreeLearner {
    let objective = TreeObjective::Named(objective);
    learner(OptimalTreeParams { objective, max_depth: 3, ..OptimalTreeParams::default() })
}

/// The reason why a forged certificate is rejected.
fn rejection_reason(objective: TreeObjectiveName, forge: impl FnOnce(&mut TreeCertificate)) -> String {
    let mut reason = None;
    rows(11, |data| {
        let learner = depth_three(objective);
        let model = fit(&learner, data);
        let mut certificate = model.tree_certificate().unwrap().clone();
        assert_eq!(verdict(&learner, &model, Some(&certificate), data).proves_optimal, Some(true));
        forge(&mut certificate);
        let found = verdict(&learner, &model, Some(&certificate), data);
        assert_eq!(found.proves_optimal, Some(false));
        reason = found.reason;
    });
    reason.unwrap()
}

#[test]
fn changed_bounds_are_rejected() {
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| of.claims[0].bound -= 1.0);
    assert!(reason.contains("leave room for a better tree"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| of.claims[0].bound += 1.0);
    assert!(reason.contains("does not cover trees that split by column"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| {
        let first = of.claims[0].cuts.iter_mut().find_map(|cut| cut.first.as_mut()).unwrap();
        *first += 1000.0;
    });
    assert!(reason.contains("but a tree of depth 2 costs"), "{reason}");
}

#[test]
fn certificate_with_missing_cuts_is_rejected() {
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| of.claims[0].cuts.clear());
    assert!(reason.contains("does not cover trees"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::Hull, |of| {
        of.claims.pop();
    });
    assert!(reason.contains("leave room for a better tree"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::Hull, |of| {
        of.claims.iter_mut().for_each(|claim| claim.between = Some([Some(0), Some(0)]));
    });
    assert!(reason.contains("refers to"), "{reason}");
    // Claims at zero cost imply nothing about the cost ratios between them, and lie on one side of each
    // claim.
    let reason = rejection_reason(TreeObjectiveName::Hull, |of| {
        assert!(
            of.claims.iter().any(|claim| matches!(claim.between, Some([None, Some(_)] | [Some(_), None])))
        );
        of.claims.iter_mut().for_each(|claim| claim.between = claim.between.and(Some([None, None])));
    });
    assert!(reason.contains("does not cover trees"), "{reason}");
    // Two earlier claims on the same side of a claim imply no bound for it.
    let reason = rejection_reason(TreeObjectiveName::Hull, |of| {
        let last = of.claims.iter_mut().rfind(|claim| claim.between.is_some()).unwrap();
        last.between = last.between.map(|ends| [ends[0].or(ends[1]); 2]);
    });
    assert!(reason.contains("on both sides of its own"), "{reason}");
}

#[test]
fn order_of_the_earlier_claims_has_no_meaning() {
    let learner = depth_three(TreeObjectiveName::Hull);
    rows(11, |data| {
        let model = fit(&learner, data);
        let mut certificate = model.tree_certificate().unwrap().clone();
        certificate
            .claims
            .iter_mut()
            .for_each(|claim| claim.between = claim.between.map(|[one, other]| [other, one]));
        assert_eq!(verdict(&learner, &model, Some(&certificate), data).proves_optimal, Some(true));
    });
}

#[test]
fn certificate_of_another_problem_is_rejected() {
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| of.max_depth = 4);
    assert!(reason.contains("another depth"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::Cost, |of| of.claims[0].prices[1][0] = 0.5);
    assert!(reason.contains("not the costs that the model states"), "{reason}");
    let reason = rejection_reason(TreeObjectiveName::F1, |of| of.claims[0].prices[1][0] += 100.0);
    assert!(reason.contains("than"), "{reason}");
}

#[test]
fn certificate_is_rejected_on_other_rows() {
    let learner = depth_three(TreeObjectiveName::F1);
    rows(11, |data| {
        let model = fit(&learner, data);
        rows(12, |other| {
            let found = verdict(&learner, &model, None, other);
            assert!(!found.objective_holds && found.proves_optimal == Some(false));
            assert!(found.reason.unwrap().contains("not the rows of the fit"));
        });
    });
}

#[test]
fn verification_reports_a_time_limit() {
    rows(11, |data| {
        let learner = depth_three(TreeObjectiveName::Hull);
        let model = fit(&learner, data);
        let limits = StoppingLimits { max_checks: Some(20), ..StoppingLimits::default() };
        let found = learner.verify(&model, None, data, limits, RunContext::silent()).unwrap();
        assert_eq!((found.objective_holds, found.bounds_hold, found.proves_optimal), (true, None, None));
        assert!(found.reason.unwrap().contains("time"));
    });
}

#[test]
fn certificate_is_unchanged_by_json() {
    rows(11, |data| {
        let model = fit(&depth_three(TreeObjectiveName::Hull), data);
        let text = serde_json::to_string(model.tree_certificate().unwrap()).unwrap();
        assert_eq!(
            &serde_json::from_str::<TreeCertificate>(&text).unwrap(),
            model.tree_certificate().unwrap()
        );
    });
}

#[test]
fn incommensurable_weights_prove_the_exact_cost() {
    rows(5, |data| {
        // Balanced weights are multiples of a common unit; the others are not, and costs are rounded.
        let balanced = [60.0 / 41.0, 60.0 / 79.0];
        for (weights, is_exact) in [(balanced, true), ([1.0, 1000.0 * std::f64::consts::PI], false)] {
            let learner = depth_three(TreeObjectiveName::Cost).with_class_weight(Some(weights.to_vec()));
            let model = fit(&learner, data);
            let (certificate, found) = (model.proof_to_json(), verdict(&learner, &model, None, data));
            assert_eq!(certificate["exact_numbers"], is_exact);
            assert!(found.objective_holds && found.proves_optimal == Some(true), "{found:?}");
            let of = |error: &str| certificate["trees"][0][error].as_f64().unwrap();
            let (cost, objective) =
                (of("false_positives") + of("false_negatives"), certificate["objective"].as_f64().unwrap());
            assert!((objective - cost).abs() <= 1e-12 * cost, "{objective} is not {cost}");
        }
    });
}
