//! The answer of a model, as steps.

use super::said::Said;
use crate::model::Model;
use imbcore_base::Decision;
use imbcore_base::formula::{Draft, Test, Vector};

/// The number of the answered class.
pub(super) fn answer(model: &Model, draft: &mut Draft, said: &Said) -> Vector {
    if model.keeps_answers() {
        return said.own.class(draft);
    }
    let proba = said.proba;
    match model.decision() {
        Decision::Threshold { at, positive } => {
            let p = draft.part(proba, *positive as usize);
            let [at, yes, no] =
                [*at, f64::from(*positive), f64::from(1 - positive)].map(|number| draft.number(number));
            draft.choose((at, Test::AtMost, p), yes, no)
        }
        Decision::Costs(rule) => match rule.matrix() {
            Some(costs) => {
                let n_classes = model.n_classes();
                let gains: Vec<Vector> = (0..n_classes)
                    .map(|answer| {
                        let costs: Vec<f64> = (0..n_classes).map(|truth| -costs.of(truth, answer)).collect();
                        let costs = draft.constant(&costs);
                        let gain = draft.times(proba, costs);
                        draft.sum(gain)
                    })
                    .collect();
                let gains = draft.join(&gains);
                draft.first_largest(gains)
            }
            // Costs of rows are refused before.
            None => draft.first_largest(proba),
        },
        Decision::Prior(law) => {
            let known: Vec<usize> = (0..law.len()).filter(|&class| law[class] > 0.0).collect();
            let grown: Vec<Vector> = known
                .iter()
                .map(|&class| {
                    let (p, before) = (draft.part(proba, class), draft.number(law[class]));
                    draft.over(p, before)
                })
                .collect();
            let grown = draft.join(&grown);
            let place = draft.first_largest(grown);
            let rows = known.iter().map(|&class| vec![class as f64]).collect();
            draft.look_up(&[place], vec![known.len()], rows)
        }
        Decision::Argmax => match model.fitted().recalibration() {
            Some(shift) if model.calibrated().is_none() => {
                let factors = draft.constant(shift.factors());
                let votes = draft.over(proba, factors);
                draft.first_largest(votes)
            }
            _ => draft.first_largest(proba),
        },
    }
}
