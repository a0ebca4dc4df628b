//! Rounds of boosting: derivatives at the scores so far, a tree by them, new scores.

use crate::boosted::cut::Limits;
use crate::boosted::fixed::{Scale, Slope};
use crate::boosted::grow::{Grower, Grown, Lists};
use crate::boosted::histogram::{Histogram, Slopes};
use crate::boosted::level::Told;
use crate::boosted::loss::Loss;
use crate::boosted::matrix::Matrix;
use crate::boosted::member::Member;
use crate::boosted::rules::Rules;
use crate::rows::training::Weighing;
use imbcore_base::{PriorShift, Result, RunCtl, SeedKey, memory, shuffle, tags, uniform};
use rayon::prelude::*;

/// Rows whose derivatives a thread takes at a time.
const STRETCH: usize = 1 << 13;

/// The rows that are learnt, and how.
pub(crate) struct Task<'t> {
    pub(crate) matrix: &'t Matrix,
    pub(crate) classes: &'t [u32],
    pub(crate) n_classes: usize,
    pub(crate) weighing: &'t Weighing,
    /// What the objective multiplies the weight of a row of every class by.
    pub(crate) factors: &'t [f64],
    pub(crate) loss: Loss,
    /// From what the objective makes of the shares of the classes to those of the data.
    pub(crate) shift: Option<&'t PriorShift>,
    pub(crate) limits: &'t Limits,
    pub(crate) rules: &'t Rules,
    /// Shares of rows and columns that are drawn.
    pub(crate) shares: [f64; 2],
}

impl Task<'_> {
    /// Weight of a row before the objective multiplies it.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        match self.weighing {
            Weighing::ByClass(weights) => weights[self.classes[row] as usize],
            Weighing::ByRow(weights) => weights[row],
        }
    }

    /// Weight of every class among some rows.
    pub(crate) fn masses(&self, rows: &[u32]) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_classes];
        for &row in rows {
            masses[self.classes[row as usize] as usize] += self.weight(row as usize);
        }
        masses
    }

    /// The scores that tell the classes apart as their shares among some rows do.
    fn start(&self, rows: &[u32]) -> Vec<f64> {
        let masses: Vec<f64> =
            self.masses(rows).iter().zip(self.factors).map(|(mass, factor)| mass * factor).collect();
        let total: f64 = masses.iter().sum();
        // Of a class that is not there next to nothing is thought.
        let log_share = |mass: f64| (mass / total).max(1e-300).ln();
        match self.loss {
            Loss::Softmax => masses.iter().map(|&mass| log_share(mass)).collect(),
            loss => vec![loss.score_of(log_share(masses[1]) - log_share(masses[0]))],
        }
    }
}

/// Boosting under way.
pub(crate) struct Booster<'t> {
    task: &'t Task<'t>,
    /// Rows that train, ascending, and rows that are only told.
    rows: Vec<u32>,
    others: Vec<u32>,
    pub(crate) start: Vec<f64>,
    /// Scores of all rows of the table, row by row, without those of the start.
    sums: Vec<f64>,
    scale: Scale,
    slopes: Vec<Slope>,
    spare: Vec<Histogram>,
}

impl<'t> Booster<'t> {
    /// Before the first round.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Memory`].
    pub(crate) fn new(task: &'t Task<'t>, rows: Vec<u32>, others: Vec<u32>) -> Result<Self> {
        let n_rows = task.matrix.n_rows;
        let weight = |&row: &u32| {
            let row = row as usize;
            task.weight(row) * task.factors[task.classes[row] as usize]
        };
        let heaviest = rows.iter().map(weight).fold(0.0, f64::max);
        let start = task.start(&rows);
        Ok(Self {
            task,
            scale: Scale::new(task.loss.most().map(|most| most * heaviest), rows.len()),
            sums: memory::filled(n_rows * start.len(), 0.0, "scores")?,
            slopes: memory::filled(n_rows, Slope::default(), "derivatives")?,
            rows,
            others,
            start,
            spare: Vec::new(),
        })
    }

    /// Scores of a row.
    fn scores(&self, row: usize, scores: &mut [f64]) {
        let sums = &self.sums[row * self.start.len()..];
        for ((score, sum), start) in scores.iter_mut().zip(sums).zip(&self.start) {
            *score = sum + start;
        }
    }

    /// What rows that do not train are said to be, or rows that do.
    pub(crate) fn told(&self, training: bool) -> Told {
        let (n, rows) = (self.task.n_classes, if training { &self.rows } else { &self.others });
        let (mut scores, mut proba) = (vec![0.0; self.start.len()], vec![0.0; rows.len() * n]);
        for (&row, proba) in rows.iter().zip(proba.chunks_exact_mut(n)) {
            self.scores(row as usize, &mut scores);
            self.task.loss.proba(&scores, proba);
        }
        if let Some(shift) = self.task.shift {
            shift.apply(&mut proba);
        }
        let classes = rows.iter().map(|&row| self.task.classes[row as usize]).collect();
        Told { classes, weights: rows.iter().map(|&row| self.task.weight(row as usize)).collect(), proba }
    }

    /// One round: a tree for every score.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`], [`imbcore_base::Error::Memory`].
    pub(crate) fn round(&mut self, key: SeedKey, ctl: RunCtl<'_>) -> Result<Vec<Member>> {
        let mut lists = self.draw(key);
        let told = self.softmax(ctl)?;
        let n_scores = self.start.len();
        let mut members = Vec::with_capacity(n_scores);
        for score in 0..n_scores {
            self.derive(score, told.as_deref(), ctl)?;
            if score > 0 {
                // A tree leaves the rows in the order of its leaves.
                lists.lists.iter_mut().for_each(|rows| rows.sort_unstable());
            }
            let places = self.columns(key.child(tags::boosted::COLUMNS, score as u32));
            let grower = Grower {
                matrix: self.task.matrix,
                limits: self.task.limits,
                rules: self.task.rules,
                slopes: Slopes { of_rows: &self.slopes, scale: self.scale },
                places: &places,
                ctl,
            };
            let nodes = grower.grow(&mut lists, &mut self.spare)?;
            members.push(self.take(&nodes, &lists, score));
        }
        Ok(members)
    }

    /// The rows of a round, and those that are only told.
    fn draw(&self, key: SeedKey) -> Lists {
        let share = self.task.shares[0];
        if share >= 1.0 {
            return Lists::new(self.rows.clone(), self.others.clone());
        }
        // A share of a count is positive.
        #[allow(clippy::cast_sign_loss)]
        let mut wanted = ((share * self.rows.len() as f64).round() as usize).max(1);
        let mut rng = key.child(tags::boosted::ROWS, 0).rng();
        let (mut drawn, mut others) = (Vec::with_capacity(wanted), self.others.clone());
        for (at, &row) in self.rows.iter().enumerate() {
            // Selection sampling (Knuth, volume 2, algorithm S).
            if uniform(&mut rng) * ((self.rows.len() - at) as f64) < wanted as f64 {
                drawn.push(row);
                wanted -= 1;
            } else {
                others.push(row);
            }
        }
        Lists::new(drawn, others)
    }

    /// The columns that a tree looks at, ascending.
    fn columns(&self, key: SeedKey) -> Vec<u32> {
        let mut places: Vec<u32> = (0..self.task.matrix.columns.len() as u32).collect();
        let share = self.task.shares[1];
        if share < 1.0 && !places.is_empty() {
            shuffle(&mut key.rng(), &mut places);
            // A share of a count is positive.
            #[allow(clippy::cast_sign_loss)]
            places.truncate(((share * places.len() as f64).round() as usize).max(1));
            places.sort_unstable();
        }
        places
    }

    /// What derivatives by several scores are told of: the probabilities of all rows.
    fn softmax(&self, ctl: RunCtl<'_>) -> Result<Option<Vec<f64>>> {
        let n = self.start.len();
        if n == 1 {
            return Ok(None);
        }
        let mut told = memory::filled(self.sums.len(), 0.0, "probabilities")?;
        told.par_chunks_mut(STRETCH * n).enumerate().try_for_each(|(at, told)| {
            ctl.check()?;
            for (row, told) in (at * STRETCH..).zip(told.chunks_exact_mut(n)) {
                self.scores(row, told);
                self.task.loss.tell(told);
            }
            Ok(())
        })?;
        Ok(Some(told))
    }

    /// Derivatives of all rows by one score.
    fn derive(&mut self, score: usize, told: Option<&[f64]>, ctl: RunCtl<'_>) -> Result<()> {
        let Self { task, scale, slopes, sums, start, .. } = self;
        let n = start.len();
        // The score of two classes is for the second.
        let own = if n == 1 { 1 } else { score as u32 };
        slopes.par_chunks_mut(STRETCH).enumerate().try_for_each(|(at, slopes)| {
            ctl.check()?;
            for (row, slope) in (at * STRETCH..).zip(slopes) {
                let class = task.classes[row];
                let told = told.map_or_else(|| sums[row] + start[0], |told| told[row * n + score]);
                let (gradient, hessian) = task.loss.slope(told, class == own, task.n_classes);
                let weight = task.weight(row) * task.factors[class as usize];
                *slope = scale.slope(gradient * weight, hessian * weight);
            }
            Ok(())
        })
    }

    /// Takes in a tree: adds what its leaves say to the scores.
    fn take(&mut self, nodes: &[Grown], lists: &Lists, score: usize) -> Member {
        let (n_classes, n_scores) = (self.task.n_classes, self.start.len());
        // Of a tree without a split all that its rows add is by which of them were drawn.
        let step = |node: &Grown| match nodes.len() {
            1 => 0.0,
            _ => node.reach.clipped(self.task.limits.step(self.scale.sums(node.sums))),
        };
        let values: Vec<f64> = nodes.iter().map(step).collect();
        let mut mass = vec![0.0; nodes.len() * n_classes];
        // Children come after their parents.
        for (at, node) in nodes.iter().enumerate().rev() {
            if let Some(split) = &node.split {
                for class in 0..n_classes {
                    let of = |node: usize| mass[node * n_classes + class];
                    mass[at * n_classes + class] = of(split.first_child) + of(split.first_child + 1);
                }
                continue;
            }
            for (rows, part) in lists.lists.iter().zip(&node.rows) {
                for &row in &rows[part.clone()] {
                    self.sums[row as usize * n_scores + score] += values[at];
                }
            }
            let rows = &lists.lists[0][node.rows[0].clone()];
            mass[at * n_classes..(at + 1) * n_classes].copy_from_slice(&self.task.masses(rows));
        }
        let scale = self.scale;
        Member::new((nodes, self.task.matrix), |node| scale.rows(node.sums), (values, mass), score as u32)
    }
}
