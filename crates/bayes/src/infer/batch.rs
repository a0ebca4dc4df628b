//! Inference for many rows with missing values: probabilities of rows, and class posteriors.

use super::elimination::{CptCells, FactorScratch, SumProduct, divide_cells, network_tables};
use super::family_logs::FamilyLogProbs;
use super::missing_components::MissingComponents;
use super::query::{QuerySettings, posterior};
use crate::network::Network;
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, memory, parallel};
use std::ops::Range;

const BLOCK: usize = 1024;

/// Class posteriors of the rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassPosterior {
    /// `P(c | x)` of each row x and class c, row by row, or its logarithm if that was requested.
    pub p: Vec<f64>,
    /// `ln P(x)` of the observed values x of each row, if requested.
    ///
    /// It is minus infinity for an impossible row.
    pub log_p: Option<Vec<f64>>,
    /// Number of rows that are impossible under every class, because of zero probabilities.
    ///
    /// These rows get the prior class distribution.
    pub impossible: usize,
}

/// `ln P(row)` of the observed values of each row, in nats.
///
/// Missing values are summed out exactly. A row of probability 0 gets minus infinity. The columns of the
/// table are the variables of the network; row weights are ignored.
///
/// # Errors
/// [`Error::Data`] for a table that does not fit the network; [`Error::Unsupported`] if the missing
/// values of a row need a table larger than [`super::MAX_CELLS`]; [`Error::Cancelled`].
pub fn log_likelihood(network: &Network, table: &DiscreteTable, ctl: RunContext<'_>) -> Result<Vec<f64>> {
    let rows = BatchInference::new(network, table, None)?;
    let mut out = memory::filled(table.n_rows(), 0.0, "predictions")?;
    let size = ctl.task_size(BLOCK);
    parallel::try_map(out.chunks_mut(size).enumerate(), |(block, sums)| {
        ctl.check()?;
        let range = block * size..block * size + sums.len();
        let mut at = Vec::new();
        for family in &rows.others {
            family.add_log_proba(table, &rows.gaps, range.clone(), &mut at, sums);
        }
        if rows.any_gaps {
            let mut unknown = rows.parts.relevant_missing_variables(table, &rows.gaps, range.clone());
            rows.add_missing_group_log_probs(&mut unknown, &range, sums, ctl)?;
        }
        Ok(())
    })?;
    Ok(out)
}

/// `P(class | x)` for the observed values x of each row; with `with_log_p`, also `ln P(x)`.
///
/// If no parent, child or parent of a child of the class is missing, the posterior is the normalized product
/// of the families that contain the class. This is section 4.6 of Morán Jiménez 2018, but with the table of
/// the class in place of its marginal. Otherwise the missing variables connected to the class are summed out.
/// The columns of the table are the variables of the network; the class column is ignored.
///
/// # Errors
/// Same errors as [`log_likelihood`], and [`Error::Data`] for an unknown class.
pub fn posterior_batch(
    network: &Network,
    class: u32,
    table: &DiscreteTable,
    with_log_p: bool,
    ctl: RunContext<'_>,
) -> Result<ClassPosterior> {
    class_posterior(network, class, table, (with_log_p, PosteriorScale::Probability), ctl)
}

/// Same as [`posterior_batch`], but returns `ln P(class | x)` instead of probabilities.
///
/// The logarithms do not underflow if one class is almost certain.
///
/// # Errors
/// Same errors as [`posterior_batch`].
pub(crate) fn log_posterior_batch(
    network: &Network,
    class: u32,
    table: &DiscreteTable,
    with_log_p: bool,
    ctl: RunContext<'_>,
) -> Result<ClassPosterior> {
    class_posterior(network, class, table, (with_log_p, PosteriorScale::Logarithm), ctl)
}

#[derive(Clone, Copy)]
enum PosteriorScale {
    Probability,
    Logarithm,
}

impl PosteriorScale {
    /// Normalizes a distribution given as logarithms; `self` selects the scale of the result.
    ///
    /// Returns the logarithm of the sum of the unnormalized probabilities. `largest` is the largest of the
    /// given logarithms.
    fn normalize_distribution(self, distribution: &mut [f64], largest: f64) -> f64 {
        match self {
            Self::Probability => {
                let mut sum = 0.0;
                for cell in &mut *distribution {
                    *cell = (*cell - largest).exp();
                    sum += *cell;
                }
                divide_cells(distribution, sum);
                largest + sum.ln()
            }
            Self::Logarithm => {
                let log = largest + distribution.iter().map(|cell| (cell - largest).exp()).sum::<f64>().ln();
                for cell in distribution {
                    *cell -= log;
                }
                log
            }
        }
    }
}

fn class_posterior(
    network: &Network,
    class: u32,
    table: &DiscreteTable,
    (with_log_p, scale): (bool, PosteriorScale),
    ctl: RunContext<'_>,
) -> Result<ClassPosterior> {
    let rows = BatchInference::new(network, table, Some(class))?;
    let width = rows.width;
    let mut p = memory::filled(table.n_rows() * width, 0.0, "predictions")?;
    let mut log_p = memory::filled(table.n_rows(), 0.0, "predictions")?;
    let size = ctl.task_size(BLOCK);
    let blocks = p.chunks_mut(size * width).zip(log_p.chunks_mut(size)).enumerate();
    let impossible = parallel::try_map(blocks, |(block, (p, log_p))| {
        ctl.check()?;
        let range = block * size..block * size + log_p.len();
        rows.predict_block(range, p, log_p, (with_log_p, scale), ctl)
    })?;
    let impossible = impossible.concat();
    if !impossible.is_empty() {
        let prior = posterior(network, &[class], &[], &QuerySettings::default(), ctl)?.p;
        let prior: Vec<f64> = match scale {
            PosteriorScale::Probability => prior,
            PosteriorScale::Logarithm => prior.into_iter().map(f64::ln).collect(),
        };
        for &row in &impossible {
            p[row * width..][..width].copy_from_slice(&prior);
        }
    }
    Ok(ClassPosterior { p, log_p: with_log_p.then_some(log_p), impossible: impossible.len() })
}

struct BatchInference<'a> {
    table: &'a DiscreteTable,
    gaps: Vec<bool>,
    any_gaps: bool,
    own: Vec<FamilyLogProbs<'a>>,
    others: Vec<FamilyLogProbs<'a>>,
    parts: MissingComponents<'a>,
    cells: Vec<CptCells<'a>>,
    width: usize,
}

impl<'a> BatchInference<'a> {
    fn new(network: &'a Network, table: &'a DiscreteTable, class: Option<u32>) -> Result<Self> {
        let levels = network.n_states_by_variable();
        if table.n_states_by_column() != levels {
            return Err(Error::Data(
                "the columns of the table do not match the variables of the network: their numbers of states differ".into(),
            ));
        }
        let width = match class {
            None => 1,
            Some(class) => *levels.get(class as usize).ok_or_else(|| {
                Error::Data(format!(
                    "the class variable is {class}, but there are only {} variables",
                    levels.len()
                ))
            })? as usize,
        };
        let gaps: Vec<bool> =
            (0..levels.len()).map(|v| Some(v as u32) != class && table.has_missing(v)).collect();
        let holds = |child: u32| {
            class.filter(|&class| child == class || network.dag().parents(child as usize).contains(&class))
        };
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for child in 0..levels.len() as u32 {
            match holds(child) {
                Some(class) => own.push(FamilyLogProbs::new(network, child, Some(class), width)),
                None => others.push(FamilyLogProbs::new(network, child, None, 1)),
            }
        }
        Ok(Self {
            table,
            any_gaps: gaps.contains(&true),
            gaps,
            own,
            others,
            parts: MissingComponents::new(network, class),
            cells: network_tables(network),
            width,
        })
    }

    /// For each row, sums out its missing variables and adds the log probability to `sums`.
    ///
    /// A row may have several groups of missing variables that are independent given its observed values.
    /// Each group is summed out separately.
    fn add_missing_group_log_probs(
        &self,
        unknown: &mut [u64],
        range: &Range<usize>,
        sums: &mut [f64],
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let mut tasks = Vec::new();
        for (row, set) in unknown.chunks_exact_mut(self.parts.words_per_row()).enumerate() {
            tasks.extend(self.parts.split_components(set).into_iter().map(|group| (group, row)));
        }
        self.sum_out_missing_groups(tasks, range, ctl, |row, scale, table| {
            sums[row] += scale + table.iter().sum::<f64>().ln();
        })
    }

    /// Sums out missing variables; a task is a row with one of its groups of missing variables.
    ///
    /// For each task, the callback `give` receives the row, a table and the logarithm of the factor by which
    /// the table is scaled.
    fn sum_out_missing_groups(
        &self,
        mut tasks: Vec<(Vec<u64>, usize)>,
        range: &Range<usize>,
        ctl: RunContext<'_>,
        mut give: impl FnMut(usize, f64, &[f64]),
    ) -> Result<()> {
        tasks.sort_unstable();
        let mut scratch = FactorScratch::default();
        for same in tasks.chunk_by(|a, b| a.0 == b.0) {
            let plan = self.parts.elimination_plan(&same[0].0).map_err(|error| match error {
                Error::Unsupported(why) => {
                    Error::Unsupported(format!("row {}: {why}", range.start + same[0].1))
                }
                other => other,
            })?;
            for &(_, row) in same {
                ctl.check()?;
                let code = |v: u32| self.table.code(v as usize, range.start + row);
                let scale = plan.run::<SumProduct>(&self.cells, code, &mut scratch, ctl)?;
                give(row, scale, plan.target_table(&scratch));
            }
        }
        Ok(())
    }

    /// Predicts a block of rows; returns the indices of rows that are impossible in every class.
    fn predict_block(
        &self,
        range: Range<usize>,
        p: &mut [f64],
        log_p: &mut [f64],
        (with_log_p, scale): (bool, PosteriorScale),
        ctl: RunContext<'_>,
    ) -> Result<Vec<usize>> {
        let width = self.width;
        let mut at = Vec::new();
        for family in &self.own {
            family.add_log_proba(self.table, &self.gaps, range.clone(), &mut at, p);
        }
        if with_log_p {
            for family in &self.others {
                family.add_log_proba(self.table, &self.gaps, range.clone(), &mut at, log_p);
            }
        }
        if self.any_gaps {
            let mut unknown = self.parts.relevant_missing_variables(self.table, &self.gaps, range.clone());
            let mut tasks = Vec::new();
            for (row, set) in unknown.chunks_exact_mut(self.parts.words_per_row()).enumerate() {
                let group = self.parts.extract_class_component(set).unwrap_or_default();
                if group.iter().map(|word| word.count_ones()).sum::<u32>() > 1 {
                    tasks.push((group, row));
                }
            }
            self.sum_out_missing_groups(tasks, &range, ctl, |row, scale, table| {
                for (log, cell) in p[row * width..][..width].iter_mut().zip(table) {
                    *log = scale + cell.ln();
                }
            })?;
            if with_log_p {
                self.add_missing_group_log_probs(&mut unknown, &range, log_p, ctl)?;
            }
        }
        let mut impossible = Vec::new();
        for (row, (distribution, log_p)) in p.chunks_exact_mut(width).zip(log_p).enumerate() {
            let largest = distribution.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                *log_p = largest;
                impossible.push(range.start + row);
                continue;
            }
            *log_p += scale.normalize_distribution(distribution, largest);
        }
        Ok(impossible)
    }
}
