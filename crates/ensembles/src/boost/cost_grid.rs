//! Choice of costs by cross-validation.
//! As in the experiments of Sun, Kamel, Wong and Wang (2007).

use super::rounds::BoostedMembers;
use crate::generic::{
    BaseLearner, OutputKind, TrainingContext, VoteAccumulator, VotingRule, VotingScheme, map_member_indices,
};
use imbcore_core::{Result, RunContext, SeedKey, tags};
use imbcore_metrics::{BinaryScore, Confusion, CvSplits, ZeroDivision};

pub(super) struct CostGrid<'a> {
    /// Candidate costs of misclassifying a row of any class except the smallest class.
    pub(super) costs: &'a [f64],
    pub(super) n_folds: u32,
    pub(super) score: BinaryScore,
}

/// Candidate cost vectors (one cost per class), best first.
///
/// A candidate has cost 1 for the smallest class and one value of the grid for all other classes. Each
/// candidate has one score, which is computed from the out-of-fold predictions of all folds together. Of
/// candidates with equal scores, the one with the larger cost is first. A candidate is excluded if boosting
/// keeps no member in some fold.
pub(super) fn rank_cost_candidates<T: BaseLearner>(
    grid: &CostGrid<'_>,
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    rows: &[u32],
    learn: &(
         impl Fn(Vec<f64>, &[u32], (&TrainingContext<'_, '_>, SeedKey)) -> Result<BoostedMembers<T::Member>> + Sync
     ),
) -> Result<Vec<Vec<f64>>> {
    let data = training.data;
    let classes: Vec<u32> = rows.iter().map(|&row| data.class_codes()[row as usize]).collect();
    let weights: Vec<f64> = rows.iter().map(|&row| data.weight(row as usize)).collect();
    let key = training.key.child(tags::ensemble::GRID, 0);
    let dependence = data.dependence().take(rows.iter().copied());
    let splits = CvSplits::inner_folds(
        &classes,
        dependence.borrow(),
        grid.n_folds,
        key,
        training.ctl.without_observer(),
    )?;
    let tests = splits.tested_folds();
    let n_folds = tests.len() as u32;
    let masses = data.class_masses();
    let least = masses.iter().copied().filter(|&mass| mass > 0.0).fold(f64::INFINITY, f64::min);
    let smallest = masses.iter().position(|&mass| mass == least).unwrap_or_default();
    let costs_of = |cost: f64| -> Vec<f64> {
        (0..masses.len()).map(|class| if class == smallest { 1.0 } else { cost }).collect()
    };
    let inner = TrainingContext { ctl: training.ctl.without_observer(), ..*training };
    let n_tasks = grid.costs.len() as u32 * n_folds;
    let evaluated = map_member_indices(base_learner, training, n_tasks, |task| {
        let (at, (repeat, fold)) = ((task / n_folds) as usize, tests[(task % n_folds) as usize]);
        let (train, places) = splits.train_and_test_rows(repeat, fold);
        let of_table =
            |places: &[u32]| places.iter().map(|&place| rows[place as usize]).collect::<Vec<u32>>();
        let (train, test) = (of_table(&train), of_table(&places));
        let boosted =
            learn(costs_of(grid.costs[at]), &train, (&inner, key.child(tags::ensemble::BAG, fold)))?;
        if boosted.members.is_empty() {
            Ok(None)
        } else {
            let answers = predicted_classes(base_learner, boosted, &test, &inner)?;
            Ok(Some(places.into_iter().zip(answers).collect::<Vec<_>>()))
        }
    })?;
    let mut found: Vec<(f64, f64)> = Vec::with_capacity(grid.costs.len());
    for (evaluated, &cost) in evaluated.chunks(n_folds as usize).zip(grid.costs) {
        let Some(of_folds) = evaluated.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let mut tested: Vec<(u32, u32)> = of_folds.into_iter().flatten().copied().collect();
        tested.sort_unstable();
        let truth: Vec<u32> = tested.iter().map(|(place, _)| classes[*place as usize]).collect();
        let answers: Vec<u32> = tested.iter().map(|&(_, answer)| answer).collect();
        let weights: Vec<f64> = tested.iter().map(|(place, _)| weights[*place as usize]).collect();
        found.push((positive_class_score(grid.score, (&truth, &answers, &weights), training)?, cost));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    Ok(found.into_iter().map(|(_, cost)| costs_of(cost)).collect())
}

fn predicted_classes<T: BaseLearner>(
    base_learner: &T,
    boosted: BoostedMembers<T::Member>,
    rows: &[u32],
    training: &TrainingContext<'_, '_>,
) -> Result<Vec<u32>> {
    let (n_classes, ctl): (usize, RunContext<'_>) = (training.data.n_classes(), training.ctl);
    let assembled = boosted.into_ensemble(VotingRule::Votes, n_classes, None);
    let voting: &VotingScheme = &assembled.voting;
    let mut tally = VoteAccumulator::new(voting, rows.len())?;
    let prepared = base_learner.prepare(Some(rows), ctl)?;
    for member in &assembled.members {
        ctl.check()?;
        tally.add_output(&base_learner.member_output(member, &prepared, &[], OutputKind::Choice, ctl)?);
    }
    Ok(tally.predict_with_proba().0)
}

/// Value of `score` for the positive class; for more than two classes, the mean over classes.
fn positive_class_score(
    score: BinaryScore,
    (classes, answers, weights): (&[u32], &[u32], &[f64]),
    training: &TrainingContext<'_, '_>,
) -> Result<f64> {
    let confusion = Confusion::new(classes, answers, training.data.n_classes(), Some(weights))?;
    if training.data.n_classes() == 2 {
        return Ok(score.compute(confusion.one_vs_rest(training.positive)?, ZeroDivision::Zero));
    }
    let of_classes = confusion.score_per_class(score, ZeroDivision::Zero);
    Ok(of_classes.iter().sum::<f64>() / of_classes.len() as f64)
}
