//! Bayesian classifiers as steps of a formula: sums of logarithms of the cells of tables.
//!
//! A naive Bayes classifier leaves out what is unknown; in other networks unknown variables would have to be summed out, so that a row
//! that lacks a value that such a network asks for has no answer.

use super::families::{IMPOSSIBLE, class_law, families, is_naive, logs, others};
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
    /// [`imbcore_base::Error::Unsupported`] for networks that are weighed by the row, and for tables that are too large.
    pub fn draft(&self, draft: &mut Draft, columns: &[usize]) -> Result<(Vector, Vec<Vector>)> {
        self.is_weighed_once()?;
        let (mut codes, mut needed) = (Codes::new(), Vec::new());
        for at in 0..self.members().len() {
            for (_, column) in self.asked(at) {
                let rule = &self.discretizer(at).columns[column as usize];
                let code = codes
                    .entry((self.coder(at), column))
                    .or_insert_with(|| code(rule, columns[column as usize], draft));
                if !is_naive(&self.members()[at]) {
                    needed.push(*code);
                }
            }
        }
        needed.sort_unstable_by_key(|code| code.step());
        needed.dedup();
        let laws = (0..self.members().len()).map(|at| self.member_draft(at, &codes, draft));
        let laws = laws.collect::<Result<Vec<_>>>()?;
        if let [law] = laws[..] {
            return Ok((law, needed));
        }
        let weighed: Vec<Vector> = laws
            .iter()
            .zip(shares_of_logs(self.log_weights()))
            .map(|(&law, weight)| {
                let weight = draft.number(weight);
                draft.times(weight, law)
            })
            .collect();
        let joined = weighed[1..].iter().fold(weighed[0], |sum, &law| draft.plus(sum, law));
        Ok((joined, needed))
    }

    fn member_draft(&self, at: usize, codes: &Codes, draft: &mut Draft) -> Result<Vector> {
        let member = &self.members()[at];
        let n_classes = self.facts().shares.len();
        let levels = member.network.levels();
        let mut sum = None;
        for (child, cpt) in families(member) {
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
        let logs = sum.unwrap_or_else(|| draft.constant(&vec![0.0; n_classes]));
        let largest = draft.largest(logs);
        let below = draft.minus(logs, largest);
        let grown = draft.exp(below);
        let law = draft.normalised(grown);
        let before = draft.constant(&class_law(member)?);
        let least = draft.number(IMPOSSIBLE / 2.0);
        Ok(draft.choose((largest, Test::Less, least), before, law))
    }
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
