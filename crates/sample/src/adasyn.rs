//! ADASYN (He, Bai, Garcia and Li 2008): more rows where more rows of other classes are around.

use crate::between::{Gap, Maker, NeighborDraw, OnSmall, own_lists, repeat};
use crate::borderline::others_around;
use crate::params::{Sampler, at_least_1, neighbor_params, points};
use crate::strategy::{Kind, as_count};
use crate::task::{Added, Plan, Task};
use imbcore_base::{Error, Result, RunCtl, SeedKey};
use serde::{Deserialize, Serialize};

/// How shares of the rows to add become whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Each by itself, halves to even: the sum may miss the goal.
    HalfEven,
    /// Down, and one more for the largest remainders: the sum is the goal.
    Exact,
}

/// What is done where no row has a neighbour of another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnZero {
    /// An error.
    Raise,
    /// All rows count alike.
    Equal,
}

neighbor_params! {
    /// Parameters of ADASYN.
    pub struct AdasynParams {
        n_neighbors: u32 = 5, "a whole number of at least 1",
            "Nearest rows of all classes that tell how hard a row is, and nearest rows of its class towards which rows \
             are added.";
        beta: Option<f64> = None, "None or a number of at least 0",
            "How much of the lack of rows is made up for, 1 for all of it, in place of the numbers of the strategy.";
        d_th: Option<f64> = None, "None or a number in (0, 1]",
            "A class with at least so many rows for each of the largest class is left as it is.";
        rounding: Rounding = Rounding::HalfEven, "\"half_even\" or \"exact\"" from &["half_even", "exact"],
            "Whether the numbers of rows are rounded one by one, so that the sum may miss the goal, or so that it does \
             not.";
        on_small: OnSmall = OnSmall::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "What to do with a class that has no more than `n_neighbors` rows: an error, fewer neighbours, or copies.";
        on_zero: OnZero = OnZero::Raise, "\"raise\" or \"equal\"" from &["raise", "equal"],
            "What to do where no row of a class has a neighbour of another class: an error, or as many rows for each.";
        include_self: bool = false, "True or False",
            "Whether a row counts as the first of its own neighbours, as in the code of Zhu, Li and Dunson (2021).";
    }
}

impl AdasynParams {
    fn check(&self, method: &str) -> Result<usize> {
        let refused = |name, expected, got: Option<f64>| {
            Err(Error::parameter(method, name, expected, got.unwrap_or_default()))
        };
        if self.beta.is_some_and(|beta| !(beta.is_finite() && beta >= 0.0)) {
            return refused("beta", "None or a number of at least 0", self.beta);
        }
        if self.d_th.is_some_and(|d_th| !(d_th > 0.0 && d_th <= 1.0)) {
            return refused("d_th", "None or a number in (0, 1]", self.d_th);
        }
        at_least_1(method, "n_neighbors", self.n_neighbors)
    }
}

impl Sampler for AdasynParams {
    fn plan(&self, method: &str, task: &Task<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<Plan> {
        let others = self.check(method)? - usize::from(self.include_self);
        let goal = self.sampling_strategy.goal(method, self.ratio, Kind::Over, task)?;
        let points = points(task, self.scale, self.algorithm, ctl)?;
        let (all, n_maj) = (task.rows(), task.count(task.majority()) as f64);
        let mut added = Added::default();
        for (class, add) in goal {
            let rows = task.rows_of(class);
            let n = rows.len() as f64;
            let add = self.beta.map_or(add as f64, |beta| (n_maj - n) * beta);
            if add == 0.0 || self.d_th.is_some_and(|d_th| n / n_maj >= d_th) {
                continue;
            }
            let around = points.nearest(&rows, &all, others, ctl)?;
            let mut hard = others_around(&around, &rows, task.classes(), class);
            if hard.iter().all(|&n| n == 0) {
                if self.on_zero == OnZero::Raise {
                    return Err(Error::Data(format!(
                        "{method}: no row of class {} has a neighbour of another class, so that there is nothing to \
                         adapt to; use SMOTE, or on_zero=\"equal\"",
                        task.class_text(class)
                    )));
                }
                hard.fill(1);
            }
            let times = shares(&hard, add, self.rounding);
            if times.iter().all(|&n| n == 0) {
                return Err(Error::Data(format!(
                    "{method}: all numbers of rows to add to class {} round to 0; ask for more rows, or use \
                     rounding=\"exact\"",
                    task.class_text(class)
                )));
            }
            let k = self.on_small.k(others, "n_neighbors", task, class)?;
            let mut lists = own_lists(&points, &rows, &rows, k, ctl)?;
            if self.include_self {
                lists = lists.with_self(&rows);
            }
            let maker = Maker {
                class,
                place: task.place(class),
                bases: &rows,
                lists: &lists,
                draw: NeighborDraw::Replace,
                gap: Gap::Line,
                width: points.space().n_numbers(),
                key,
                ctl,
            };
            maker.make(&repeat(&times)?, None, &mut added)?;
        }
        Ok(Plan { added, ..Plan::default() })
    }
}

/// Rows to add for each row, `add` in all: in proportion to its neighbours in other classes.
pub fn shares(hard: &[usize], add: f64, rounding: Rounding) -> Vec<u64> {
    // Lists of equal length: neighbours are in proportion to their shares of the lists.
    let sum: f64 = hard.iter().map(|&n| n as f64).sum();
    let parts: Vec<f64> = hard.iter().map(|&n| n as f64 / sum * add).collect();
    match rounding {
        Rounding::HalfEven => parts.iter().map(|part| as_count(part.round_ties_even())).collect(),
        Rounding::Exact => {
            let mut whole: Vec<u64> = parts.iter().map(|part| as_count(part.floor())).collect();
            let left = as_count((add + 0.5).floor()).saturating_sub(whole.iter().sum());
            let mut order: Vec<usize> = (0..parts.len()).collect();
            order.sort_by(|&a, &b| parts[b].fract().total_cmp(&parts[a].fract()));
            order.iter().cycle().take(left as usize).for_each(|&at| whole[at] += 1);
            whole
        }
    }
}
