//! Answers of the trees that did not see a row, and their score.

use crate::model::OutOfBag;
use imbcore_base::{Dataset, PriorShift, Result, first_largest};
use imbcore_eval::{Answers, Belief, scores};

/// Scores `votes`, the answers to the rows of `data`, NaN where every tree saw the row, by the score `name`. Each of the
/// others counts once, whatever it weighs, as in scikit-learn. The class answered is that of the votes; probabilities are
/// shifted as the model's are.
///
/// # Errors
/// As [`scores`].
pub(crate) fn scored(
    votes: Vec<f64>,
    (name, shift): (&str, Option<&PriorShift>),
    (data, positive): (&Dataset<'_>, u32),
) -> Result<OutOfBag> {
    let c = data.n_classes();
    let (mut truth, mut predicted, mut proba) = (Vec::new(), Vec::new(), Vec::new());
    let mut decision = votes;
    for (answer, &class) in decision.chunks_exact_mut(c).zip(data.classes()) {
        if !answer[0].is_nan() {
            truth.push(class);
            predicted.push(first_largest(answer));
            if let Some(shift) = shift {
                shift.apply(answer);
            }
            proba.extend_from_slice(answer);
        }
    }
    if truth.is_empty() {
        return Ok(OutOfBag { decision, score: f64::NAN });
    }
    let belief = Belief::Proba(&proba);
    let answers = Answers { truth: &truth, predicted: &predicted, belief, n_classes: c, weights: None };
    let scores = scores(&answers, positive)?;
    let score = scores.into_iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, score)| score);
    Ok(OutOfBag { decision, score })
}
