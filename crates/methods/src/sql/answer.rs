//! What a model makes of what was fitted says: calibration, other shares of the classes, and the decision.

use super::law;
use super::request::{PREDICTION, SqlOutput, SqlRequest};
use super::said::{Own, Said, chosen, most, normalised};
use crate::model::Model;
use imbcore_base::sql::{Dialect, Query};
use imbcore_base::{CostCell, CostRule, Decision, Result};
use std::collections::BTreeSet;

/// A query of a model of any family but single trees whose rows go one way.
pub(super) fn write(model: &Model, request: &SqlRequest) -> Result<String> {
    let priced = if request.output == SqlOutput::Class { model.cost_columns() } else { BTreeSet::new() };
    let used: BTreeSet<usize> = super::used::features(model.fitted()).into_iter().collect();
    let used: Vec<usize> = used.union(&priced).copied().collect();
    let mut query = model.query(request, &used)?;
    let mut said = law::said(model.fitted(), &mut query, model.schema(), model.takes_missing())?;
    for &column in &priced {
        // A row whose cost is none has no answer.
        let name = query.dialect().name(model.schema().feature(column))?;
        said.lacking.push(format!("{name} IS NULL OR {name} < 0"));
    }
    let answers = match request.output {
        SqlOutput::Proba => {
            let proba = settled(model, &mut query, &said)?;
            proba.into_iter().map(|p| said.guarded(p)).zip(model.proba_names()).collect()
        }
        SqlOutput::Class => {
            let literals = model.class_literals(query.dialect())?;
            let class = class(model, &mut query, &said, &literals)?;
            vec![(said.guarded(class), PREDICTION.to_owned())]
        }
    };
    model.answered(query, &used, answers)
}

/// Columns of the probabilities of the model.
fn settled(model: &Model, query: &mut Query, said: &Said) -> Result<Vec<String>> {
    let mut proba = said.probabilities()?.to_vec();
    if let Some(calibrated) = model.calibrated() {
        proba = calibrated.curves.sql(query, &proba)?;
    }
    if let Some(factors) = model.shares().factors() {
        proba = normalised(query, &proba, &factors)?;
    }
    Ok(proba)
}

/// What answers cost, row by row of the matrix: numbers, or columns of the table.
fn cost_cells(model: &Model, rule: &CostRule, dialect: Dialect) -> Result<Vec<String>> {
    match rule {
        CostRule::Same(costs) => Ok(costs.cells().iter().map(|&cost| dialect.number(cost)).collect()),
        CostRule::Columns(cells) => {
            let cell = |cell: &CostCell| match *cell {
                CostCell::Number(cost) => Ok(dialect.number(cost)),
                CostCell::Column(column) => dialect.name(model.schema().feature(column as usize)),
            };
            cells.cells().iter().map(cell).collect()
        }
        CostRule::Handed(_) => Err(model.has_no_sql_of_costs()),
    }
}

/// An expression of the answered class.
fn class(model: &Model, query: &mut Query, said: &Said, says: &[String]) -> Result<String> {
    if model.keeps_answers() {
        return Ok(said.own.says(says));
    }
    let proba = settled(model, query, said)?;
    let dialect = query.dialect();
    match model.decision() {
        Decision::Argmax if model.calibrated().is_some() => Ok(most(&proba, says)),
        Decision::Argmax => match model.fitted().recalibration() {
            None => Ok(most(&proba, says)),
            Some(shift) => {
                let vote =
                    |(p, factor): (&String, &f64)| query.add(format!("{p} / {}", dialect.number(*factor)));
                let votes = proba.iter().zip(shift.factors()).map(vote).collect::<Result<Vec<_>>>()?;
                query.close()?;
                Ok(Own::Most(votes).says(says))
            }
        },
        Decision::Threshold { at, positive } => {
            let positive = *positive as usize;
            let (p, at) = (&proba[positive], dialect.number(*at));
            Ok(format!("CASE WHEN {p} >= {at} THEN {} ELSE {} END", says[positive], says[1 - positive]))
        }
        Decision::Costs(rule) => {
            let (cells, n) = (cost_cells(model, rule, dialect)?, says.len());
            let cost = |answer: usize| {
                let term = |(truth, p): (usize, &String)| format!("{p} * {}", cells[truth * n + answer]);
                query.add(proba.iter().enumerate().map(term).collect::<Vec<_>>().join(" + "))
            };
            let expected = (0..n).map(cost).collect::<Result<Vec<_>>>()?;
            query.close()?;
            Ok(chosen(&expected, says, "<="))
        }
        Decision::Prior(law) => {
            let known: Vec<usize> = (0..law.len()).filter(|&class| law[class] > 0.0).collect();
            let grown =
                |&class: &usize| query.add(format!("{} / {}", proba[class], dialect.number(law[class])));
            let grown = known.iter().map(grown).collect::<Result<Vec<_>>>()?;
            query.close()?;
            let says: Vec<String> = known.iter().map(|&class| says[class].clone()).collect();
            Ok(most(&grown, &says))
        }
    }
}
