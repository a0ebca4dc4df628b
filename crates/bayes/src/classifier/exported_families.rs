//! Log probabilities of the families that contain the class, for export.
//!
//! A family is a variable with its parents; only families with the class influence the class posterior.

use super::member_network::MemberNetwork;
use super::model::BayesModel;
use crate::cpt::Cpt;
use crate::infer::{QuerySettings, posterior};
use imbcore_core::{Error, Result, RunContext};

/// Stands for the logarithm of 0; finite, but lower than any sum of log probabilities.
pub(super) const IMPOSSIBLE: f64 = -1e15;
const MOST_CELLS: u64 = 2_000;

impl BayesModel {
    pub(super) fn exported_variables(&self, at: usize) -> Vec<(u32, u32)> {
        let member = &self.members()[at];
        let mut asked: Vec<u32> = self
            .families_to_export(member)
            .flat_map(|(child, cpt)| cpt_variables_except_class(member, child, cpt).collect::<Vec<_>>())
            .collect();
        asked.sort_unstable();
        asked.dedup();
        asked.into_iter().map(|v| (v, member.columns[v as usize])).collect()
    }

    pub(super) fn discretizer_index_of_member(&self, at: usize) -> usize {
        if self.discretizers().len() == 1 { 0 } else { at }
    }

    /// Probability tables to export, and their child variables, ascending by variable.
    ///
    /// Usually these are the tables that contain the class. If networks are weighted by the probability that
    /// they give to the row, all tables are exported, because this probability depends on all tables.
    pub(super) fn families_to_export<'m>(
        &self,
        member: &'m MemberNetwork,
    ) -> impl Iterator<Item = (u32, &'m Cpt)> + use<'m> {
        let (class, all) = (member.class_variable(), self.is_weighted_by_row_proba());
        let families = member.network.cpts().iter().enumerate().map(|(child, cpt)| (child as u32, cpt));
        families.filter(move |(child, cpt)| all || *child == class || cpt.parents().contains(&class))
    }
}

/// Prior class distribution; the prediction for rows of probability 0 under every class.
pub(super) fn prior_class_distribution(member: &MemberNetwork) -> Result<Vec<f64>> {
    Ok(posterior(
        &member.network,
        &[member.class_variable()],
        &[],
        &QuerySettings::default(),
        RunContext::silent(),
    )?
    .p)
}

/// Whether no feature is a parent of any variable, as in naive Bayes.
///
/// If so, a prediction can skip missing features instead of summing over their states.
pub(super) fn is_naive(member: &MemberNetwork) -> bool {
    let class = member.class_variable();
    let alone = |(child, cpt): (usize, &Cpt)| {
        cpt.parents().iter().all(|&parent| parent == class && child as u32 != class)
    };
    member.network.cpts().iter().enumerate().all(alone)
}

pub(super) fn cpt_variables_except_class(
    member: &MemberNetwork,
    child: u32,
    cpt: &Cpt,
) -> impl Iterator<Item = u32> {
    let class = member.class_variable();
    cpt.parents().iter().copied().chain([child]).filter(move |v| *v != class)
}

/// Log probabilities of the child given its parents, for one state of the class.
///
/// There is one value per combination of states of the other variables; the state of the last variable varies
/// fastest.
pub(super) fn family_log_proba(
    member: &MemberNetwork,
    (child, cpt): (u32, &Cpt),
    class: usize,
) -> Result<Vec<f64>> {
    let levels = member.network.n_states_by_variable();
    let variables: Vec<u32> = cpt_variables_except_class(member, child, cpt).collect();
    let cells: u64 = variables.iter().map(|&v| u64::from(levels[v as usize])).product();
    if cells > MOST_CELLS {
        return Err(Error::Unsupported(format!(
            "a table of the network has {cells} cells for each class, but an export allows at most {MOST_CELLS}; fit with fewer bins or \
             parents"
        )));
    }
    let at = |cell: u64| {
        let mut states = vec![class as u64; levels.len()];
        let mut rest = cell;
        for &v in variables.iter().rev() {
            states[v as usize] = rest % u64::from(levels[v as usize]);
            rest /= u64::from(levels[v as usize]);
        }
        let digit = |place: u64, (&v, &levels): (&u32, &u32)| place * u64::from(levels) + states[v as usize];
        let configuration = cpt.parents().iter().zip(cpt.n_states_by_parent()).fold(0, digit);
        let p = cpt.row(configuration)[states[child as usize] as usize];
        if p > 0.0 { p.ln() } else { IMPOSSIBLE }
    };
    Ok((0..cells).map(at).collect())
}
