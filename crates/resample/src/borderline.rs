//! Borderline-SMOTE (Han, Wang and Mao 2005) and two variants.

use crate::draw::class_seed_key;
use crate::interpolation::{
    BaseRowSchedule, InterpolationMode, Interpolator, NeighborDraw, SmallClassPolicy, draw_base_rows,
    repeat_indices, same_class_neighbors,
};
use crate::neighbors::{NeighborIndex, Neighbors};
use crate::resampling_task::{AddedRows, BorderlineGroups, ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, build_neighbor_index, check_n_neighbors, neighbor_params};
use crate::strategy::SamplingKind;
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};
use serde::{Deserialize, Serialize};

/// Choice of the base rows of a class, and of their neighbors for interpolation.
///
/// Danger and noise rows are defined in [`BorderlineGroups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BorderlineKind {
    /// Base rows are the danger rows; neighbors are rows of the same class.
    #[serde(rename = "borderline-1")]
    First,
    /// Base rows are the danger rows; neighbors are rows of all classes.
    ///
    /// If the neighbor is of another class, the synthetic row is at most half of the way toward it.
    #[serde(rename = "borderline-2")]
    Second,
    /// Base rows are the danger and noise rows.
    ///
    /// By default, a synthetic row is the midpoint between its base row and a neighbor of the same class.
    #[serde(rename = "thesis")]
    Thesis,
    /// Base rows are the half of the class with the fewest neighbors of the same class.
    ///
    /// Ties may add more base rows. A row is never a base row if all its neighbors are of the same class. The
    /// neighbors of a row include the row itself.
    #[serde(rename = "svr_code")]
    SvrCode,
}

/// Behavior if no row of a class qualifies as a base row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoBaseRowPolicy {
    /// Adds nothing and issues a warning.
    Warn,
    /// Uses all rows of the class as base rows, as SMOTE does.
    Smote,
    /// An error is returned.
    Raise,
}

neighbor_params! {
    /// Parameters of Borderline-SMOTE.
    pub struct BorderlineParams {
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest neighbors of a base row; an added row lies between a base row and one of \
             these rows.";
        m_neighbors: Option<u32> = None, "None or a whole number of at least 1",
            "Number of nearest rows of all classes that determine whether a row is a base row. None: 10, or 5 for \
             kind=\"thesis\".";
        kind: BorderlineKind = BorderlineKind::First,
            "\"borderline-1\", \"borderline-2\", \"thesis\" or \"svr_code\""
            from &["borderline-1", "borderline-2", "thesis", "svr_code"],
            "Choice of the base rows, from which rows are added. \"borderline-1\": rows with at least half but not \
             all of their neighbors in other classes. \"borderline-2\": the same base rows; an added row may \
             also lie between a base row and a row of another class, at most half way from the base row. \"thesis\" \
             (Morán Jiménez 2018): all rows with at least half of their neighbors in other classes; by default, added \
             rows are midpoints. \"svr_code\" (code of Zhu, Li and Dunson 2021): about half of the class, namely \
             the rows with the fewest neighbors of the same class.";
        on_empty: NoBaseRowPolicy = NoBaseRowPolicy::Warn, "\"warn\", \"smote\" or \"raise\"" from &["warn", "smote", "raise"],
            "Behavior if a class has no base row. \"warn\": a warning, and no rows are added. \"smote\": all rows of \
             the class are base rows, as in SMOTE. \"raise\": an error.";
        per_base: Option<u32> = None, "None or a whole number of at least 0",
            "Added rows per base row (s in the paper); replaces the numbers of `sampling_strategy`.";
        interpolation: Option<InterpolationMode> = None, "None, \"line\", \"attribute\" or \"midpoint\""
            from &["line", "attribute", "midpoint"],
            "Position of an added row between its base row and a neighbor, as in SMOTE. None: \"midpoint\" \
             for kind=\"thesis\", else \"line\".";
        schedule: Option<BaseRowSchedule> = None, "None, \"uniform\" or \"even\"" from &["uniform", "even"],
            "Choice of the base row; an added row lies between its base row and a neighbor. \"uniform\": a \
             random base row. \"even\": all base rows equally often. None: \"even\" for kind=\"thesis\", \
             else \"uniform\".";
        neighbor_draw: NeighborDraw = NeighborDraw::Replace, "\"replace\" or \"distinct_first\""
            from &["replace", "distinct_first"],
            "Whether neighbors are drawn with replacement (\"replace\"), or without replacement until all neighbors \
             are used (\"distinct_first\").";
        on_small: SmallClassPolicy = SmallClassPolicy::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "Behavior for a class with at most `k_neighbors` rows: an error (\"raise\"), fewer neighbors (\"shrink\"), \
             or copies of rows (\"copy\").";
    }
}

impl Sampler for BorderlineParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let k = check_n_neighbors(method, "k_neighbors", self.k_neighbors)?;
        let of_kind = if self.kind == BorderlineKind::Thesis { 5 } else { 10 };
        let m = check_n_neighbors(method, "m_neighbors", self.m_neighbors.unwrap_or(of_kind))?
            .min(task.n_rows() - 1);
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let all = task.all_rows();
        let mut plan = ResamplingPlan::default();
        for (class, add) in goal {
            if add == 0 && self.per_base.is_none() {
                continue;
            }
            let rows = task.class_rows(class);
            let around = points.k_nearest(&rows, &all, m, ctl)?;
            let others = count_other_class_neighbors(&around, &rows, task.classes(), class);
            let places = group_rows_by_neighbor_class(&rows, &others, m);
            let mut bases = match self.kind {
                BorderlineKind::First | BorderlineKind::Second => places.danger.clone(),
                BorderlineKind::Thesis => rows_by_neighbor_count(&rows, &others, |n| 2 * n >= m),
                BorderlineKind::SvrCode => select_svr_base_rows(&rows, &around, task.classes(), class, m).1,
            };
            plan.neighborhoods.insert(class, places);
            if bases.is_empty() {
                let name = task.class_label_text(class);
                let text = format!("{method}: no row of class {name} is near other classes");
                match self.on_empty {
                    NoBaseRowPolicy::Raise => {
                        return Err(Error::Data(format!("{text}; use SMOTE, or on_empty=\"smote\"")));
                    }
                    NoBaseRowPolicy::Smote => bases.clone_from(&rows),
                    NoBaseRowPolicy::Warn => {
                        ctl.warn(format!(
                            "{text}; nothing is added to it. Set on_empty=\"smote\" to use all its rows"
                        ));
                        continue;
                    }
                }
            }
            let base = BaseRows { class, bases: &bases, rows: &rows, all: &all, add, k };
            self.add_synthetic_rows(&base, &points, task, key, &mut plan.added, ctl)?;
        }
        Ok(plan)
    }
}

struct BaseRows<'a> {
    class: u32,
    bases: &'a [u32],
    rows: &'a [u32],
    all: &'a [u32],
    add: u64,
    k: usize,
}

impl BorderlineParams {
    fn add_synthetic_rows(
        &self,
        base: &BaseRows<'_>,
        points: &NeighborIndex<'_>,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        added: &mut AddedRows,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let &BaseRows { class, bases, k, .. } = base;
        let same_class = |k: usize| -> Result<Neighbors> {
            same_class_neighbors(
                points,
                bases,
                base.rows,
                self.on_small.n_neighbors(k, "k_neighbors", task, class)?,
                ctl,
            )
        };
        let lists = match self.kind {
            BorderlineKind::First | BorderlineKind::Thesis => same_class(k)?,
            BorderlineKind::Second => points.k_nearest(bases, base.all, k, ctl)?,
            BorderlineKind::SvrCode => same_class(k - 1)?.with_query_as_first(bases),
        };
        let thesis = self.kind == BorderlineKind::Thesis;
        let usual = if thesis { BaseRowSchedule::Even } else { BaseRowSchedule::Uniform };
        let schedule = self.schedule.unwrap_or(usual);
        let turns = match self.per_base {
            Some(times) => repeat_indices(&vec![u64::from(times); bases.len()])?,
            None => draw_base_rows(
                schedule,
                bases.len(),
                base.add,
                &mut class_seed_key(key, task.class_rank_by_first_row(class))
                    .child(tags::resampled::BASES, 0)
                    .rng(),
            )?,
        };
        let maker = Interpolator {
            class,
            place: task.class_rank_by_first_row(class),
            bases,
            lists: &lists,
            draw: self.neighbor_draw,
            interpolation: self.interpolation.unwrap_or(if thesis {
                InterpolationMode::Midpoint
            } else {
                InterpolationMode::Line
            }),
            width: points.space().n_numeric(),
            key,
            ctl,
        };
        let halved = (self.kind == BorderlineKind::Second).then_some(task.classes());
        maker.add_synthetic_rows(&turns, halved, added)
    }
}

pub(crate) fn count_other_class_neighbors(
    lists: &Neighbors,
    rows: &[u32],
    classes: &[u32],
    class: u32,
) -> Vec<usize> {
    let others =
        |i: usize| lists.neighbors_of(i).iter().filter(|&&row| classes[row as usize] != class).count();
    (0..rows.len()).map(others).collect()
}

fn rows_by_neighbor_count(rows: &[u32], others: &[usize], wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    rows.iter().zip(others).filter(|&(_, &n)| wanted(n)).map(|(&row, _)| row).collect()
}

/// Groups the rows of a class by how many of their `m` neighbors are in other classes.
///
/// `others` has, for each row, the number of its neighbors that are in other classes.
pub fn group_rows_by_neighbor_class(rows: &[u32], others: &[usize], m: usize) -> BorderlineGroups {
    BorderlineGroups {
        danger: rows_by_neighbor_count(rows, others, |n| 2 * n >= m && n < m),
        noise: rows_by_neighbor_count(rows, others, |n| n == m),
        safe: rows_by_neighbor_count(rows, others, |n| 2 * n < m),
    }
}

/// Selects base rows by the rule in the code of Zhu, Li and Dunson (2021).
///
/// The count of a row is the number of rows of its class among the row itself and its `m - 1` nearest rows.
/// Base rows are the rows whose count is at most a limit. The limit is the smallest number, but at most
/// `m - 1`, for which at least half of the class are base rows. Returns the limit and the base rows.
pub fn select_svr_base_rows(
    rows: &[u32],
    around: &Neighbors,
    classes: &[u32],
    class: u32,
    m: usize,
) -> (usize, Vec<u32>) {
    let is_own = |row: &&u32| classes[**row as usize] == class;
    let own: Vec<usize> = (0..rows.len())
        .map(|i| 1 + around.neighbors_of(i).iter().take(m - 1).filter(is_own).count())
        .collect();
    let within = |most: usize| own.iter().filter(|&&n| n <= most).count();
    let most = (1..m).find(|&most| 2 * within(most) >= rows.len()).unwrap_or(m - 1);
    (most, rows_by_neighbor_count(rows, &own, |n| n <= most))
}
