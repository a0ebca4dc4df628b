//! Log probabilities of families without missing values, added for many rows at a time.
//!
//! A family is a variable (the child) with its parents. A row without missing values needs no inference: its
//! log probability is the sum over all families of the logarithm of one table cell each. Its class posterior
//! follows from the families that contain the class.

use crate::cpt::Cpt;
use crate::network::Network;
use crate::table::{DiscreteTable, MISSING};
use std::ops::Range;

pub(super) fn family_variables(cpt: &Cpt, child: u32) -> Vec<(u32, u32)> {
    let parents = cpt.parents().iter().copied().zip(cpt.n_states_by_parent().iter().copied());
    parents.chain([(child, cpt.n_child_states())]).collect()
}

pub(super) fn cpt_cell_position(members: &[(u32, u32)], code: impl Fn(u32) -> u16) -> (u64, usize) {
    let Some((&(child, _), parents)) = members.split_last() else { return (0, 0) };
    let digit = |place: u64, &(v, levels): &(u32, u32)| place * u64::from(levels) + u64::from(code(v));
    (parents.iter().fold(0, digit), usize::from(code(child)))
}

/// Logarithms of one probability table, to be added for many rows.
///
/// If the table contains the class, a row gets one value for each class; otherwise it gets one value.
pub(super) struct FamilyLogProbs<'n> {
    cpt: &'n Cpt,
    members: Vec<(u32, u32)>,
    class: Option<u32>,
    width: usize,
    /// Variables of the table except the class, each with the stride of its states in `logs`.
    digits: Vec<(u32, u32)>,
    /// Logarithms of all cells, the class varying fastest; `None` for a sparse table.
    logs: Option<Vec<f64>>,
}

impl<'n> FamilyLogProbs<'n> {
    /// `class` is `None` if the table does not contain the class; `width` is then 1.
    ///
    /// Otherwise `width` is the number of classes.
    pub(super) fn new(network: &'n Network, child: u32, class: Option<u32>, width: usize) -> Self {
        let cpt = &network.cpts()[child as usize];
        let members = family_variables(cpt, child);
        let mut digits = Vec::with_capacity(members.len());
        let mut distance = width as u32;
        for &(v, levels) in members.iter().rev().filter(|&&(v, _)| Some(v) != class) {
            digits.push((v, distance));
            distance = distance.saturating_mul(levels);
        }
        let logs = cpt.cells().map(|p| {
            let mut logs = vec![0.0; p.len()];
            for (from, p) in p.iter().enumerate() {
                let mut rest = from as u32;
                let mut to = 0;
                for &(v, levels) in members.iter().rev() {
                    let state = rest % levels;
                    rest /= levels;
                    let other = digits.iter().find(|&&(digit, _)| digit == v);
                    to += state * other.map_or(1, |&(_, distance)| distance);
                }
                logs[to as usize] = p.ln();
            }
            logs
        });
        Self { cpt, members, class, width, digits, logs }
    }

    /// For each row, adds the logarithm of its table cell, or of one cell per class, to `sums`.
    ///
    /// `sums` has `width` cells per row. Rows with a missing value in the table are skipped.
    pub(super) fn add_log_proba(
        &self,
        table: &DiscreteTable,
        gaps: &[bool],
        rows: Range<usize>,
        at: &mut Vec<u32>,
        sums: &mut [f64],
    ) {
        let Some(logs) = &self.logs else { return self.add_sparse_log_probs(table, rows, sums) };
        at.clear();
        at.resize(rows.len(), 0);
        for &(v, distance) in &self.digits {
            let codes = table.codes_in_rows(v as usize, rows.clone());
            if gaps[v as usize] {
                for (at, &code) in at.iter_mut().zip(&*codes) {
                    let known = code != MISSING && *at != u32::MAX;
                    *at = if known { *at + u32::from(code) * distance } else { u32::MAX };
                }
            } else {
                for (at, &code) in at.iter_mut().zip(&*codes) {
                    // The offset `u32::MAX` marks a row with a missing value; saturating addition keeps the
                    // mark.
                    *at = at.saturating_add(u32::from(code) * distance);
                }
            }
        }
        let whole = !self.digits.iter().any(|&(v, _)| gaps[v as usize]);
        match (self.width, whole) {
            (1, true) => add_logs_at_positions::<1>(logs, at, sums),
            (2, true) => add_logs_at_positions::<2>(logs, at, sums),
            (3, true) => add_logs_at_positions::<3>(logs, at, sums),
            _ => {
                for (sums, &at) in
                    sums.chunks_exact_mut(self.width).zip(&*at).filter(|&(_, &at)| at != u32::MAX)
                {
                    let logs = &logs[at as usize..][..self.width];
                    sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
                }
            }
        }
    }

    fn add_sparse_log_probs(&self, table: &DiscreteTable, rows: Range<usize>, sums: &mut [f64]) {
        for (sums, row) in sums.chunks_exact_mut(self.width).zip(rows) {
            if self.digits.iter().any(|&(v, _)| table.code(v as usize, row) == MISSING) {
                continue;
            }
            for (c, sum) in sums.iter_mut().enumerate() {
                let code =
                    |v: u32| if Some(v) == self.class { c as u16 } else { table.code(v as usize, row) };
                let (configuration, child) = cpt_cell_position(&self.members, code);
                *sum += self.cpt.row(configuration)[child].ln();
            }
        }
    }
}

fn add_logs_at_positions<const W: usize>(logs: &[f64], at: &[u32], sums: &mut [f64]) {
    for (sums, &at) in sums.as_chunks_mut::<W>().0.iter_mut().zip(at) {
        let Some(logs) = logs.get(at as usize..).and_then(<[f64]>::first_chunk::<W>) else { continue };
        for c in 0..W {
            sums[c] += logs[c];
        }
    }
}
