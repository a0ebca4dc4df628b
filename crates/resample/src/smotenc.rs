//! SMOTE-NC: SMOTE for numeric and nominal columns (Chawla et al. 2002, section 6.1).

use crate::distance_space::DistanceSpace;
use crate::draw::class_seed_key;
use crate::interpolation::{
    BaseRowSchedule, InterpolationMode, Interpolator, NeighborDraw, SmallClassPolicy, draw_base_rows,
    same_class_neighbors,
};
use crate::neighbors::{NeighborIndex, Neighbors};
use crate::resampling_task::{AddedRows, ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, check_n_neighbors, neighbor_params};
use crate::strategy::SamplingKind;
use imbcore_core::{Column, Error, Result, RunContext, SeedKey, random_below, tags};
use rand_chacha::ChaCha8Rng;

neighbor_params! {
    /// Parameters of SMOTE-NC.
    pub struct SmotencParams {
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest rows of the same class; an added row lies between a base row and one of \
             these rows.";
        schedule: BaseRowSchedule = BaseRowSchedule::Uniform, "\"uniform\" or \"even\"" from &["uniform", "even"],
            "Choice of the base row; an added row lies between its base row and a neighbor. \"uniform\": a \
             random row. \"even\": all rows equally often.";
        neighbor_draw: NeighborDraw = NeighborDraw::Replace, "\"replace\" or \"distinct_first\""
            from &["replace", "distinct_first"],
            "Whether neighbors are drawn with replacement (\"replace\"), or without replacement until all neighbors \
             are used (\"distinct_first\").";
        on_small: SmallClassPolicy = SmallClassPolicy::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "Behavior for a class with at most `k_neighbors` rows: an error (\"raise\"), fewer neighbors (\"shrink\"), \
             or copies of rows (\"copy\").";
    }
}

impl Sampler for SmotencParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let k = check_n_neighbors(method, "k_neighbors", self.k_neighbors)?;
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        let columns = task.frame()?.columns();
        let nominal: Vec<usize> =
            (0..columns.len()).filter(|&i| matches!(columns[i], Column::Nominal { .. })).collect();
        if nominal.is_empty() || nominal.len() == columns.len() {
            return Err(Error::Data(format!(
                "{method} needs nominal and numeric columns, but X has {} nominal columns of {}. Use {}",
                nominal.len(),
                columns.len(),
                if nominal.is_empty() { "SMOTE" } else { "RandomOverSampler" }
            )));
        }
        let mut space = DistanceSpace::from_mixed(task.frame()?, self.scale, ctl)?;
        let mut added = AddedRows::default();
        for (class, add) in goal {
            let bases = task.class_rows(class);
            let turns = draw_base_rows(
                self.schedule,
                bases.len(),
                add,
                &mut class_seed_key(key, task.class_rank_by_first_row(class))
                    .child(tags::resampled::BASES, 0)
                    .rng(),
            )?;
            if turns.is_empty() {
                continue;
            }
            let found = self.on_small.n_neighbors(k, "k_neighbors", task, class)?;
            let median = median_standard_deviation(&space, &bases);
            space.set_nominal_mismatch(median * median);
            let points = NeighborIndex::new(space, self.algorithm);
            let lists = same_class_neighbors(&points, &bases, &bases, found, ctl)?;
            space = points.into_space();
            let maker = Interpolator {
                class,
                place: task.class_rank_by_first_row(class),
                bases: &bases,
                lists: &lists,
                draw: self.neighbor_draw,
                interpolation: InterpolationMode::Line,
                width: space.n_numeric(),
                key,
                ctl,
            };
            maker.add_synthetic_rows(&turns, None, &mut added)?;
            let mut rng = class_seed_key(key, task.class_rank_by_first_row(class))
                .child(tags::resampled::VOTES, 0)
                .rng();
            NominalModes::from_neighbors(&space, &bases, &lists, &nominal)
                .draw_nominal_codes(&turns, &mut rng, &mut added);
        }
        Ok(ResamplingPlan { added, ..ResamplingPlan::default() })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct NominalModes {
    /// Each nominal column: its index in the table, and the most frequent codes by base row.
    columns: Vec<(usize, Vec<Vec<u32>>)>,
}

impl NominalModes {
    pub(crate) fn from_neighbors(
        space: &DistanceSpace<'_>,
        bases: &[u32],
        lists: &Neighbors,
        nominal: &[usize],
    ) -> Self {
        let of_column = |(place, &column): (usize, &usize)| {
            let modes = |at: usize| most_frequent_neighbor_codes(space, bases[at], lists, at, place);
            (column, (0..bases.len()).map(modes).collect())
        };
        Self { columns: nominal.iter().enumerate().map(of_column).collect() }
    }

    /// Draws nominal codes of synthetic rows; ties of most frequent codes are broken at random.
    pub(crate) fn draw_nominal_codes(&self, turns: &[u32], rng: &mut ChaCha8Rng, added: &mut AddedRows) {
        for (column, modes) in &self.columns {
            let drawn = turns.iter().map(|&turn| draw_code(&modes[turn as usize], rng));
            added.codes.entry(*column).or_default().extend(drawn);
        }
    }
}

/// Median of the standard deviations of the scaled numeric columns in the rows `rows`.
pub fn median_standard_deviation(space: &DistanceSpace<'_>, rows: &[u32]) -> f64 {
    let n = rows.len() as f64;
    let deviation = |column: usize| {
        let values = || rows.iter().map(|&row| space.numeric_values(row)[column]);
        let mean = values().sum::<f64>() / n;
        (values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt()
    };
    let mut deviations: Vec<f64> = (0..space.n_numeric()).map(deviation).collect();
    deviations.sort_by(f64::total_cmp);
    let (low, high) = ((deviations.len() - 1) / 2, deviations.len() / 2);
    f64::midpoint(deviations[low], deviations[high])
}

/// Most frequent codes of a nominal column among the neighbors of a base row.
///
/// If the base row has no neighbors, the result is its own code.
pub fn most_frequent_neighbor_codes(
    space: &DistanceSpace<'_>,
    base: u32,
    lists: &Neighbors,
    at: usize,
    place: usize,
) -> Vec<u32> {
    let mut codes: Vec<u32> =
        lists.neighbors_of(at).iter().map(|&row| space.nominal_codes(row)[place]).collect();
    if codes.is_empty() {
        return vec![space.nominal_codes(base)[place]];
    }
    codes.sort_unstable();
    let runs = || codes.chunk_by(u32::eq);
    let most = runs().map(<[u32]>::len).max();
    runs().filter(|run| Some(run.len()) == most).map(|run| run[0]).collect()
}

fn draw_code(codes: &[u32], rng: &mut ChaCha8Rng) -> u32 {
    codes[random_below(rng, codes.len() as u32) as usize]
}
