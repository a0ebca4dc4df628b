//! The largest log ratio of the probabilities of two classes over all feature vectors.

use super::elimination::{CptCells, FactorScratch, MaxSum};
use super::elimination_plan::{CellSource, EliminationPlan, Factor, MAX_CELLS};
use super::family_logs::{cpt_cell_position, family_variables};
use crate::network::Network;
use crate::table::MISSING;
use imbcore_core::{Error, Result, RunContext};

/// Replaces an infinite log ratio, when the denominator of a cell is zero.
///
/// It is larger than any sum of log probabilities, and finite, so that adding minus infinity is defined.
const CERTAIN: f64 = 1e9;

/// Largest log ratio of two classes, and a feature vector that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxLogRatio {
    /// The largest log ratio.
    ///
    /// It is infinite if a feature vector is possible under the first class only. It is minus infinity if no
    /// feature vector is possible under the first class.
    pub value: f64,
    /// Feature vector with the largest log ratio: the states in the Markov blanket of the class.
    ///
    /// All other variables, and the class, have [`MISSING`].
    pub at: Vec<u16>,
}

/// Maximum of `ln P(c | x) - ln P(other | x)` over all complete feature vectors x.
///
/// The difference is a sum over the families that contain the class. Max-sum elimination over the Markov
/// blanket of the class finds the exact maximum. If the maximum is negative, `other` is more probable than
/// `c` for every feature vector. Feature vectors that are impossible under both classes do not count.
/// Families without the class are ignored, so the maximum may be reached at a feature vector that such a
/// family makes impossible.
///
/// # Errors
/// [`Error::Data`] for an unknown class or state; [`Error::Unsupported`] if a table would exceed
/// [`MAX_CELLS`] cells; [`Error::Cancelled`].
pub fn max_log_ratio(
    network: &Network,
    class: u32,
    c: u16,
    other: u16,
    ctl: RunContext<'_>,
) -> Result<MaxLogRatio> {
    let levels = network.n_states_by_variable();
    match levels.get(class as usize) {
        None => {
            return Err(Error::Data(format!(
                "the class variable is {class}, but there are only {} variables",
                levels.len()
            )));
        }
        Some(&levels) if u32::from(c.max(other)) >= levels => {
            return Err(Error::Data(format!(
                "class state {} must be below the number of states, {levels}",
                c.max(other)
            )));
        }
        Some(_) => {}
    }
    let mut families: Vec<u32> = network.dag().children()[class as usize].clone();
    families.push(class);
    families.sort_unstable();
    let mut tables = Vec::with_capacity(families.len());
    let mut factors = Vec::with_capacity(families.len());
    for &family in &families {
        ctl.check()?;
        let (scope, table) = family_log_ratios(network, family, class, (c, other))?;
        let mut strides = vec![1; scope.len()];
        for digit in (1..scope.len()).rev() {
            strides[digit - 1] = strides[digit] * levels[scope[digit] as usize] as usize;
        }
        let source = CellSource::Table { table: tables.len(), observed: Vec::new(), child: None };
        factors.push(Factor { scope, strides, source });
        tables.push(table);
    }
    let plan = EliminationPlan::new(factors, &levels, &[], MAX_CELLS)?;
    let tables: Vec<CptCells<'_>> = tables.iter().map(|table| CptCells::Whole(table)).collect();
    let mut scratch = FactorScratch::default();
    plan.run::<MaxSum>(&tables, |_| MISSING, &mut scratch, ctl)?;
    let value = plan.target_table(&scratch).first().copied().unwrap_or(f64::NEG_INFINITY);
    let mut at = vec![MISSING; levels.len()];
    plan.write_maximizer::<MaxSum>(&tables, &scratch, &mut at);
    Ok(MaxLogRatio { value: if value > CERTAIN / 2.0 { f64::INFINITY } else { value }, at })
}

/// Other variables of the family, ascending, and the table of log ratios over them.
fn family_log_ratios(
    network: &Network,
    family: u32,
    class: u32,
    pair: (u16, u16),
) -> Result<(Vec<u32>, Vec<f64>)> {
    let cpt = &network.cpts()[family as usize];
    let all = family_variables(cpt, family);
    let mut scope: Vec<(u32, u32)> = all.iter().copied().filter(|&(v, _)| v != class).collect();
    scope.sort_unstable();
    let cells = scope.iter().try_fold(1_u64, |cells, &(_, levels)| cells.checked_mul(u64::from(levels)));
    let Some(cells) = cells.filter(|&cells| cells <= MAX_CELLS) else {
        let name = &network.variables()[family as usize].name;
        return Err(Error::Unsupported(format!(
            "the probability table of {name:?} has more than {MAX_CELLS} cells; give it fewer parents"
        )));
    };
    let mut state = vec![0_u16; network.n_variables()];
    let mut table = Vec::with_capacity(cells as usize);
    for number in 0..cells {
        let mut rest = number;
        for &(v, levels) in scope.iter().rev() {
            state[v as usize] = (rest % u64::from(levels)) as u16;
            rest /= u64::from(levels);
        }
        let mut p = |code: u16| {
            state[class as usize] = code;
            let (configuration, child) = cpt_cell_position(&all, |v| state[v as usize]);
            cpt.row(configuration)[child]
        };
        let (own, others) = (p(pair.0), p(pair.1));
        table.push(match (own > 0.0, others > 0.0) {
            (false, _) => f64::NEG_INFINITY,
            (true, false) => CERTAIN,
            (true, true) => own.ln() - others.ln(),
        });
    }
    Ok((scope.into_iter().map(|(v, _)| v).collect(), table))
}
