//! ADASYN (He, Bai, Garcia and Li 2008): more synthetic rows near rows of other classes.

use crate::borderline::count_other_class_neighbors;
use crate::interpolation::{
    InterpolationMode, Interpolator, NeighborDraw, SmallClassPolicy, repeat_indices, same_class_neighbors,
};
use crate::resampling_task::{AddedRows, ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, build_neighbor_index, check_n_neighbors, neighbor_params};
use crate::strategy::{SamplingKind, to_row_count};
use imbcore_core::{Error, Result, RunContext, SeedKey};
use serde::{Deserialize, Serialize};

/// Rounding of the numbers of synthetic rows to add for each base row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Rounds each number separately, half to even; the sum may differ from the requested sum.
    HalfEven,
    /// Rounds by the largest remainder method; the sum equals the requested sum, rounded half up.
    Exact,
}

/// Behavior if no row of a class has a neighbor of another class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoOtherNeighborPolicy {
    /// An error is returned.
    Raise,
    /// All rows of the class get the same number of synthetic rows, before rounding.
    Equal,
}

neighbor_params! {
    /// Parameters of ADASYN.
    pub struct AdasynParams {
        n_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest rows: among all classes, to measure how difficult a row is, and within the class of \
             the row, for interpolation.";
        beta: Option<f64> = None, "None or a number of at least 0",
            "Number of added rows of a class, as a fraction of the difference between its size and the size of the \
             largest class; replaces the numbers of `sampling_strategy`.";
        d_th: Option<f64> = None, "None or a number in (0, 1]",
            "Classes whose size relative to the largest class is at least this value are left unchanged.";
        rounding: Rounding = Rounding::HalfEven, "\"half_even\" or \"exact\"" from &["half_even", "exact"],
            "Rounding of the number of rows that are added for each row of a class: each number separately \
             (\"half_even\"), or so that the class gets exactly the requested number of rows (\"exact\").";
        on_small: SmallClassPolicy = SmallClassPolicy::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "Behavior for a class with at most `n_neighbors` rows: an error (\"raise\"), fewer neighbors (\"shrink\"), \
             or copies of rows (\"copy\").";
        on_zero: NoOtherNeighborPolicy = NoOtherNeighborPolicy::Raise, "\"raise\" or \"equal\"" from &["raise", "equal"],
            "Behavior if no row of a class has a neighbor of another class: an error (\"raise\"), or the same number \
             of added rows for each row of the class (\"equal\").";
        include_self: bool = false, "True or False",
            "Whether each row counts as the nearest of its own neighbors, as in the code of Zhu, Li and Dunson (2021).";
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
        check_n_neighbors(method, "n_neighbors", self.n_neighbors)
    }
}

impl Sampler for AdasynParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let others = self.check(method)? - usize::from(self.include_self);
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let (all, n_maj) = (task.all_rows(), task.class_count(task.majority_class()) as f64);
        let mut added = AddedRows::default();
        for (class, add) in goal {
            let rows = task.class_rows(class);
            let n = rows.len() as f64;
            let add = self.beta.map_or(add as f64, |beta| (n_maj - n) * beta);
            if add == 0.0 || self.d_th.is_some_and(|d_th| n / n_maj >= d_th) {
                continue;
            }
            let around = points.k_nearest(&rows, &all, others, ctl)?;
            let mut hard = count_other_class_neighbors(&around, &rows, task.classes(), class);
            if hard.iter().all(|&n| n == 0) {
                if self.on_zero == NoOtherNeighborPolicy::Raise {
                    return Err(Error::Data(format!(
                        "{method}: no row of class {} has a neighbor of another class, so ADASYN cannot weight its rows; use SMOTE, or \
                         on_zero=\"equal\"",
                        task.class_label_text(class)
                    )));
                }
                hard.fill(1);
            }
            let times = n_synthetic_rows_per_base(&hard, self.n_neighbors, add, self.rounding);
            if times.iter().all(|&n| n == 0) {
                return Err(Error::Data(format!(
                    "{method}: all numbers of rows to add to class {} round to 0; request more rows, or use rounding=\"exact\"",
                    task.class_label_text(class)
                )));
            }
            let k = self.on_small.n_neighbors(others, "n_neighbors", task, class)?;
            let mut lists = same_class_neighbors(&points, &rows, &rows, k, ctl)?;
            if self.include_self {
                lists = lists.with_query_as_first(&rows);
            }
            let maker = Interpolator {
                class,
                place: task.class_rank_by_first_row(class),
                bases: &rows,
                lists: &lists,
                draw: NeighborDraw::Replace,
                interpolation: InterpolationMode::Line,
                width: points.space().n_numeric(),
                key,
                ctl,
            };
            maker.add_synthetic_rows(&repeat_indices(&times)?, None, &mut added)?;
        }
        Ok(ResamplingPlan { added, ..ResamplingPlan::default() })
    }
}

/// Number of synthetic rows to add for each base row; the sum is about `add`.
///
/// Before rounding, the number is proportional to the fraction of the `k` neighbors of the base row that are
/// in other classes; `hard` has the number of such neighbors.
pub fn n_synthetic_rows_per_base(hard: &[usize], k: u32, add: f64, rounding: Rounding) -> Vec<u64> {
    // The steps are those of He et al. (2008): r, its normalization, and g. With other steps of equal value,
    // numbers that are close to a half would be rounded differently than by programs that follow the paper.
    let fractions: Vec<f64> = hard.iter().map(|&n| n as f64 / f64::from(k)).collect();
    let sum: f64 = fractions.iter().sum();
    let parts: Vec<f64> = fractions.iter().map(|fraction| fraction / sum * add).collect();
    match rounding {
        Rounding::HalfEven => parts.iter().map(|part| to_row_count(part.round_ties_even())).collect(),
        Rounding::Exact => {
            let mut whole: Vec<u64> = parts.iter().map(|part| to_row_count(part.floor())).collect();
            let left = to_row_count((add + 0.5).floor()).saturating_sub(whole.iter().sum());
            let mut order: Vec<usize> = (0..parts.len()).collect();
            order.sort_by(|&a, &b| parts[b].fract().total_cmp(&parts[a].fract()));
            order.iter().cycle().take(left as usize).for_each(|&row| whole[row] += 1);
            whole
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_close_to_a_half_are_rounded_as_by_the_formula() {
        // The second row has 3 of all 6 neighbors of other classes, so it gets 2.5 of 5 rows before rounding.
        // In double precision, the fraction is 0.5000000000000001, so the number is rounded up.
        assert_eq!(n_synthetic_rows_per_base(&[2, 3, 1], 3, 5.0, Rounding::HalfEven), [2, 3, 1]);
        assert_eq!(n_synthetic_rows_per_base(&[2, 1, 1], 4, 6.0, Rounding::HalfEven), [3, 2, 2]);
        assert_eq!(n_synthetic_rows_per_base(&[2, 1, 1], 4, 6.0, Rounding::Exact), [3, 2, 1]);
    }
}
