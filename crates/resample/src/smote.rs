//! SMOTE (Chawla, Bowyer, Hall and Kegelmeyer 2002).

use crate::draw::{class_seed_key, draw_distinct};
use crate::interpolation::{
    BaseRowSchedule, InterpolationMode, Interpolator, NeighborDraw, SmallClassPolicy, draw_base_rows,
    repeat_indices, same_class_neighbors,
};
use crate::resampling_task::{AddedRows, ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, build_neighbor_index, check_n_neighbors, neighbor_params};
use crate::strategy::{SamplingKind, to_row_count};
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};

neighbor_params! {
    /// Parameters of SMOTE.
    pub struct SmoteParams {
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest rows of the same class; an added row lies between a base row and one of \
             these rows.";
        interpolation: InterpolationMode = InterpolationMode::Line, "\"line\", \"attribute\" or \"midpoint\"" from &["line", "attribute", "midpoint"],
            "Position of an added row between its base row and a neighbor. \"line\": a random point of the \
             line segment between them. \"attribute\": a random point of the box that they span (the \
             pseudo-code of the paper). \"midpoint\": the midpoint.";
        schedule: BaseRowSchedule = BaseRowSchedule::Uniform, "\"uniform\" or \"even\"" from &["uniform", "even"],
            "Choice of the base row; an added row lies between its base row and a neighbor. \"uniform\": a \
             random row. \"even\": all rows equally often (the paper).";
        neighbor_draw: NeighborDraw = NeighborDraw::Replace, "\"replace\" or \"distinct_first\""
            from &["replace", "distinct_first"],
            "Whether neighbors are drawn with replacement (\"replace\"), or without replacement until all neighbors \
             are used (\"distinct_first\").";
        on_small: SmallClassPolicy = SmallClassPolicy::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "Behavior for a class with at most `k_neighbors` rows: an error (\"raise\"), fewer neighbors (\"shrink\"), \
             or copies of rows (\"copy\").";
        percent: Option<f64> = None, "None or a number of at least 0",
            "Added rows in percent of the rows of each selected class (N in the paper); replaces the numbers of \
             `sampling_strategy`. From 100 on, the number is rounded down to whole hundreds, and each row is equally \
             often a base row. Below 100, each row of a random subset is a base row once.";
        include_self: bool = false, "True or False",
            "Whether each row counts as the nearest of its own neighbors, as in the code of Zhu, Li and Dunson (2021): \
             on average one added row in `k_neighbors` is then a copy.";
    }
}

impl Sampler for SmoteParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let k = check_n_neighbors(method, "k_neighbors", self.k_neighbors)?;
        if self.percent.is_some_and(|percent| !(percent.is_finite() && percent >= 0.0)) {
            let got = self.percent.unwrap_or_default();
            return Err(Error::parameter(method, "percent", "None or a number of at least 0", got));
        }
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let mut added = AddedRows::default();
        for (class, add) in goal {
            let bases = task.class_rows(class);
            let mut rng = class_seed_key(key, task.class_rank_by_first_row(class))
                .child(tags::resampled::BASES, 0)
                .rng();
            let turns = match self.percent {
                None => draw_base_rows(self.schedule, bases.len(), add, &mut rng)?,
                Some(percent) if percent < 100.0 => {
                    let part = to_row_count((percent / 100.0 * bases.len() as f64).floor()) as usize;
                    let mut part = draw_distinct(&mut rng, bases.len(), part);
                    part.sort_unstable();
                    part
                }
                Some(percent) => repeat_indices(&vec![to_row_count((percent / 100.0).floor()); bases.len()])?,
            };
            if turns.is_empty() {
                continue;
            }
            let others = k - usize::from(self.include_self);
            let found = self.on_small.n_neighbors(others, "k_neighbors", task, class)?;
            let mut lists = same_class_neighbors(&points, &bases, &bases, found, ctl)?;
            if self.include_self {
                lists = lists.with_query_as_first(&bases);
            }
            let maker = Interpolator {
                class,
                place: task.class_rank_by_first_row(class),
                bases: &bases,
                lists: &lists,
                draw: self.neighbor_draw,
                interpolation: self.interpolation,
                width: points.space().n_numeric(),
                key,
                ctl,
            };
            maker.add_synthetic_rows(&turns, None, &mut added)?;
        }
        Ok(ResamplingPlan { added, ..ResamplingPlan::default() })
    }
}
