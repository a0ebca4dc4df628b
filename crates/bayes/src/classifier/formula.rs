//! Bayesian classifiers as steps of a formula: sums of logarithms of the cells of tables.
//!
//! A naive Bayes classifier leaves out what is unknown; in other networks unknown variables would have to be summed out, so that a row
//! that lacks a value that such a network asks for has no answer.

use super::families::{IMPOSSIBLE, class_law, is_naive, logs, others};
use super::model::{BayesModel, shares_of_logs};
use crate::discretize::{ColumnRule, ColumnValues};
use imbcore_base::Result;
use imbcore_base::formula::{Draft, Op, Test, Vector};
use std::collections::BTreeMap;

/// Codes by discretiser and feature.
type Codes = BTreeMap<(usize, u32), Vector>;

impl BayesModel {
    /// Adds the class probabilities, of the features in `columns`; gives also the codes without which there are none.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Unsupported`] for tables that are too large.
    pub fn draft(&self, draft: &mut Draft, columns: &[usize]) -> Result<(Vector, Vec<Vector>)> {
        let (mut codes, mut needed) = (Codes::new(), Vec::new());
        for at in 0..self.members().len() {
            for (_, column) in self.asked(at) {
                let rule = &self.discretizer(at).columns[column as usize];
                let code = codes
                    .entry((self.coder(at), column))
                    .or_insert_with(|| code(rule, columns[column as usize], draft));
                if self.by_row() || !is_naive(&self.members()[at]) {
                    needed.push(*code);
                }
            }
        }
        needed.sort_unstable_by_key(|code| code.step());
        needed.dedup();
        let members = 0..self.members().len();
        let laws = self.members().iter().map(class_law).collect::<Result<Vec<_>>>()?;
        if self.by_row() {
            let logs = members.map(|at| self.logs_of_joint(at, &codes, draft)).collect::<Result<Vec<_>>>()?;
            let mean = |class: usize| laws.iter().map(|law| law[class]).sum::<f64>() / laws.len() as f64;
            let before: Vec<f64> = (0..self.facts().shares.len()).map(mean).collect();
            return Ok((law_of_logs(&logs, &before, draft), needed));
        }
        let answers = members.map(|at| {
            let logs = self.logs_of_joint(at, &codes, draft)?;
            Ok(law_of_logs(&[logs], &laws[at], draft))
        });
        let answers = answers.collect::<Result<Vec<_>>>()?;
        if let [answer] = answers[..] {
            return Ok((answer, needed));
        }
        let weighed: Vec<Vector> = answers
            .iter()
            .zip(shares_of_logs(self.log_weights()))
            .map(|(&answer, weight)| {
                let weight = draft.number(weight);
                draft.times(weight, answer)
            })
            .collect();
        Ok((total(&weighed, draft), needed))
    }

    /// Logarithms of the families of a network, added up for each class.
    fn logs_of_joint(&self, at: usize, codes: &Codes, draft: &mut Draft) -> Result<Vector> {
        let member = &self.members()[at];
        let n_classes = self.facts().shares.len();
        let levels = member.network.levels();
        let mut sum = None;
        for (child, cpt) in self.families(member) {
            let of_class = (0..n_classes).map(|class| logs(member, (child, cpt), class));
            let of_class = of_class.collect::<Result<Vec<_>>>()?;
            let rows = (0..of_class[0].len()).map(|cell| of_class.iter().map(|logs| logs[cell]).collect());
            let asked: Vec<u32> = others(member, child, cpt).collect();
            let sizes = asked.iter().map(|&v| levels[v as usize] as usize).collect();
            let asked: Vec<Vector> =
                asked.iter().map(|&v| codes[&(self.coder(at), member.columns[v as usize])]).collect();
            let terms = draft.look_up(&asked, sizes, rows.collect());
            sum = Some(sum.map_or(terms, |sum| draft.plus(sum, terms)));
        }
        Ok(sum.unwrap_or_else(|| draft.constant(&vec![0.0; n_classes])))
    }
}

/// The law of the classes whose joint laws with the row, of one network or several, have these logarithms; `before` where the
/// row is impossible.
fn law_of_logs(logs: &[Vector], before: &[f64], draft: &mut Draft) -> Vector {
    let largest: Vec<Vector> = logs.iter().map(|&logs| draft.largest(logs)).collect();
    let largest = if let [one] = largest[..] {
        one
    } else {
        let all = draft.join(&largest);
        draft.largest(all)
    };
    let grown: Vec<Vector> = logs
        .iter()
        .map(|&logs| {
            let below = draft.minus(logs, largest);
            draft.exp(below)
        })
        .collect();
    let grown = total(&grown, draft);
    let law = draft.normalised(grown);
    let before = draft.constant(before);
    let least = draft.number(IMPOSSIBLE / 2.0);
    draft.choose((largest, Test::Less, least), before, law)
}

/// The sum of vectors.
fn total(of: &[Vector], draft: &mut Draft) -> Vector {
    of[1..].iter().fold(of[0], |sum, &next| draft.plus(sum, next))
}

/// The code of a value.
fn code(rule: &ColumnRule, feature: usize, draft: &mut Draft) -> Vector {
    let missing = rule.gap_state.then(|| f64::from(rule.n_states() - 1));
    let op = match &rule.values {
        ColumnValues::Cuts(cuts) => Op::Bin { feature, cuts: cuts.clone(), missing },
        ColumnValues::Levels(seen) => {
            let known = (0..seen.len() as u32).filter(|&level| seen[level as usize]).collect();
            Op::Level { feature, known, missing }
        }
    };
    draft.of_row(op, 1)
}
