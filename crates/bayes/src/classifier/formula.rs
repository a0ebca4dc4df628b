//! Bayesian classifiers as export expressions: sums of logarithms of table cells.
//!
//! The expression of naive Bayes skips missing values. Any other network would have to sum over the states of
//! a missing feature. Its expression therefore has no value if one of its features is missing, unless the
//! feature has a state for missing values. The same holds for several networks that are weighted by the
//! probability that they give to the row.

use super::exported_families::{
    IMPOSSIBLE, cpt_variables_except_class, family_log_proba, is_naive, prior_class_distribution,
};
use super::model::{BayesModel, weights_from_logs};
use crate::discretize::{ColumnRule, ColumnStates};
use imbcore_core::{Result, RunContext};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprFeatures, ExprRef, Op, PredictionExpr, ToExpr};
use std::collections::BTreeMap;

type StateCodeExprs = BTreeMap<(usize, u32), ExprRef>;

impl ToExpr for BayesModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        self.proba_expr(builder, features.columns).map(PredictionExpr::from_proba)
    }
}

impl BayesModel {
    /// Expression of the class probabilities from the features in `columns`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] for tables that are too large.
    fn proba_expr(&self, builder: &mut ExprBuilder, columns: &[usize]) -> Result<ExprRef> {
        let (mut codes, mut needed) = (StateCodeExprs::new(), Vec::new());
        for at in 0..self.members().len() {
            for (_, column) in self.exported_variables(at) {
                let rule = &self.discretizer(at).columns[column as usize];
                let code = codes
                    .entry((self.discretizer_index_of_member(at), column))
                    .or_insert_with(|| state_code_expr(rule, columns[column as usize], builder));
                if self.is_weighted_by_row_proba() || !is_naive(&self.members()[at]) {
                    needed.push(*code);
                }
            }
        }
        needed.sort_unstable_by_key(|code| code.step_index());
        needed.dedup();
        builder.require_codes_present(needed);
        let members = 0..self.members().len();
        let priors = self.members().iter().map(prior_class_distribution).collect::<Result<Vec<_>>>()?;
        if self.is_weighted_by_row_proba() {
            let logs = members
                .map(|at| self.joint_log_proba_expr(at, &codes, builder))
                .collect::<Result<Vec<_>>>()?;
            let mean =
                |class: usize| priors.iter().map(|prior| prior[class]).sum::<f64>() / priors.len() as f64;
            let before: Vec<f64> = (0..self.training_stats().shares.len()).map(mean).collect();
            return Ok(class_distribution_expr(&logs, &before, builder));
        }
        let answers = members.map(|at| {
            let logs = self.joint_log_proba_expr(at, &codes, builder)?;
            Ok(class_distribution_expr(&[logs], &priors[at], builder))
        });
        let answers = answers.collect::<Result<Vec<_>>>()?;
        if let [answer] = answers[..] {
            return Ok(answer);
        }
        let weighed: Vec<ExprRef> = answers
            .iter()
            .zip(weights_from_logs(self.member_log_weights()))
            .map(|(&answer, weight)| {
                let weight = builder.constant_number(weight);
                builder.times(weight, answer)
            })
            .collect();
        Ok(sum_exprs(&weighed, builder))
    }

    fn joint_log_proba_expr(
        &self,
        at: usize,
        codes: &StateCodeExprs,
        builder: &mut ExprBuilder,
    ) -> Result<ExprRef> {
        let member = &self.members()[at];
        let n_classes = self.training_stats().shares.len();
        let levels = member.network.n_states_by_variable();
        let (mut sum, ctl) = (None, RunContext::silent());
        for (child, cpt) in self.families_to_export(member) {
            ctl.check()?;
            let of_class = (0..n_classes).map(|class| family_log_proba(member, (child, cpt), class));
            let of_class = of_class.collect::<Result<Vec<_>>>()?;
            let rows = (0..of_class[0].len()).map(|cell| of_class.iter().map(|logs| logs[cell]).collect());
            let asked: Vec<u32> = cpt_variables_except_class(member, child, cpt).collect();
            let sizes = asked.iter().map(|&v| levels[v as usize] as usize).collect();
            let asked: Vec<ExprRef> = asked
                .iter()
                .map(|&v| codes[&(self.discretizer_index_of_member(at), member.columns[v as usize])])
                .collect();
            let terms = builder.look_up_table_row(&asked, sizes, rows.collect());
            sum = Some(sum.map_or(terms, |sum| builder.plus(sum, terms)));
        }
        Ok(sum.unwrap_or_else(|| builder.constant(&vec![0.0; n_classes])))
    }
}

/// Expression of the class distribution, from joint log probabilities of row and class.
///
/// `logs` has one entry per network, and `before` is the prior class distribution. The expression returns the
/// prior if the row is impossible under every network and class.
fn class_distribution_expr(logs: &[ExprRef], before: &[f64], builder: &mut ExprBuilder) -> ExprRef {
    let largest: Vec<ExprRef> = logs.iter().map(|&logs| builder.largest(logs)).collect();
    let largest = if let [one] = largest[..] {
        one
    } else {
        let all = builder.concatenate(&largest);
        builder.largest(all)
    };
    let grown: Vec<ExprRef> = logs
        .iter()
        .map(|&logs| {
            let below = builder.minus(logs, largest);
            builder.exp(below)
        })
        .collect();
    let grown = sum_exprs(&grown, builder);
    let posterior = builder.normalize(grown);
    let before = builder.constant(before);
    let least = builder.constant_number(IMPOSSIBLE / 2.0);
    builder.select_if((largest, ComparisonOp::Less, least), before, posterior)
}

fn sum_exprs(of: &[ExprRef], builder: &mut ExprBuilder) -> ExprRef {
    of[1..].iter().fold(of[0], |sum, &next| builder.plus(sum, next))
}

fn state_code_expr(rule: &ColumnRule, feature: usize, builder: &mut ExprBuilder) -> ExprRef {
    let missing = rule.gap_state.then(|| f64::from(rule.n_states() - 1));
    let op = match &rule.values {
        ColumnStates::Cuts(cuts) => Op::Bin { feature, cuts: cuts.clone(), missing },
        ColumnStates::Levels(seen) => {
            let known = (0..seen.len() as u32).filter(|&level| seen[level as usize]).collect();
            Op::Level { feature, known, missing }
        }
    };
    builder.add_feature_step(op, 1)
}
