//! Interpolation between a base row and one of its neighbors (SMOTE, Chawla et al. 2002).

use crate::draw::{self, class_seed_key, draw_distinct};
use crate::neighbors::{NeighborIndex, Neighbors};
use crate::resampling_task::{AddedRows, NO_MATE, ResamplingTask};
use imbcore_core::{Error, Result, RunContext, SeedKey, random_below, tags, uniform};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Position of a synthetic row between its base row and the neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterpolationMode {
    /// Uniform on the line segment between the base row and the neighbor.
    Line,
    /// Uniform in the box with the base row and the neighbor as opposite corners.
    ///
    /// Each column has its own random fraction.
    Attribute,
    /// The midpoint between the base row and the neighbor.
    Midpoint,
}

/// Choice of the base row for each synthetic row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseRowSchedule {
    /// A random base row for each synthetic row.
    Uniform,
    /// All base rows equally often; for a remainder, random base rows are used once more.
    Even,
}

/// Method of drawing neighbors if a base row is used for several synthetic rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeighborDraw {
    /// Neighbors are drawn with replacement.
    Replace,
    /// Neighbors are drawn without replacement; after all are used, drawing starts again.
    DistinctFirst,
}

/// Behavior for a class with too few rows for the requested number of neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmallClassPolicy {
    /// An error is returned.
    Raise,
    /// All other rows of the class are neighbors.
    ///
    /// If the class has a single row, this row is copied.
    Shrink,
    /// There is no interpolation: the rows of the class are copied.
    Copy,
}

impl SmallClassPolicy {
    /// Number of neighbors for rows of a class: `k`, or fewer if the class is small.
    pub(crate) fn n_neighbors(
        self,
        k: usize,
        name: &str,
        task: &ResamplingTask<'_>,
        class: u32,
    ) -> Result<usize> {
        let n = task.class_count(class);
        match self {
            _ if n > k => Ok(k),
            Self::Shrink => Ok(n - 1),
            Self::Copy => Ok(0),
            Self::Raise => Err(Error::Data(format!(
                "class {} has {n} rows, but {name}={k} needs at least {}; use a smaller {name}, or set \
                 on_small=\"shrink\" (fewer neighbors) or \"copy\"",
                task.class_label_text(class),
                k + 1
            ))),
        }
    }
}

pub(crate) fn same_class_neighbors(
    points: &NeighborIndex<'_>,
    bases: &[u32],
    class_rows: &[u32],
    k: usize,
    ctl: RunContext<'_>,
) -> Result<Neighbors> {
    if k == 0 { Ok(Neighbors::empty(bases.len())) } else { points.k_nearest(bases, class_rows, k, ctl) }
}

/// For each synthetic row, the position of its base row in the list of base rows.
pub(crate) fn draw_base_rows(
    schedule: BaseRowSchedule,
    n_bases: usize,
    add: u64,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<u32>> {
    let add = draw::checked_n_added_rows(add)?;
    if n_bases == 0 {
        return Ok(Vec::new());
    }
    match schedule {
        BaseRowSchedule::Uniform => Ok(draw::draw_with_replacement(rng, n_bases, add)),
        BaseRowSchedule::Even => {
            let mut times = vec![(add / n_bases) as u64; n_bases];
            for once_more in draw_distinct(rng, n_bases, add % n_bases) {
                times[once_more as usize] += 1;
            }
            repeat_indices(&times)
        }
    }
}

/// Repeats index i `times[i]` times, in ascending order.
pub(crate) fn repeat_indices(times: &[u64]) -> Result<Vec<u32>> {
    draw::checked_n_added_rows(times.iter().fold(0, |sum: u64, &n| sum.saturating_add(n)))?;
    Ok(times.iter().enumerate().flat_map(|(base, &n)| std::iter::repeat_n(base as u32, n as usize)).collect())
}

#[derive(Clone, Copy)]
pub(crate) struct Interpolator<'a> {
    pub(crate) class: u32,
    /// Rank of the class if classes are sorted by their first rows.
    pub(crate) place: u32,
    pub(crate) bases: &'a [u32],
    pub(crate) lists: &'a Neighbors,
    pub(crate) draw: NeighborDraw,
    pub(crate) interpolation: InterpolationMode,
    pub(crate) width: usize,
    pub(crate) key: SeedKey,
    pub(crate) ctl: RunContext<'a>,
}

impl Interpolator<'_> {
    /// Adds a synthetic row per entry of `turns`.
    ///
    /// An entry is the position of the base row in `self.bases`. If `halved` is given, it has the class of
    /// every table row. A synthetic row is then at most half of the way toward a neighbor of another class.
    pub(crate) fn add_synthetic_rows(
        &self,
        turns: &[u32],
        halved: Option<&[u32]>,
        added: &mut AddedRows,
    ) -> Result<()> {
        let mut mates = self.neighbor_sampler();
        let mut rng = class_seed_key(self.key, self.place).child(tags::resampled::GAPS, 0).rng();
        for (made, &turn) in turns.iter().enumerate() {
            self.ctl.check_periodically(made)?;
            let mate = mates.draw_neighbor(turn as usize);
            let reach = match halved {
                Some(classes) if mate != NO_MATE && classes[mate as usize] != self.class => 0.5,
                _ => 1.0,
            };
            added.classes.push(self.class);
            added.sources.push(self.bases[turn as usize]);
            added.neighbors.push(mate);
            let draws = if self.interpolation == InterpolationMode::Attribute { self.width } else { 1 };
            for _ in 0..draws {
                added.fractions.push(match self.interpolation {
                    _ if mate == NO_MATE => 0.0,
                    InterpolationMode::Midpoint => 0.5 * reach,
                    InterpolationMode::Line | InterpolationMode::Attribute => uniform(&mut rng) * reach,
                });
            }
        }
        Ok(())
    }

    fn neighbor_sampler(&self) -> NeighborSampler<'_> {
        let rng = class_seed_key(self.key, self.place).child(tags::resampled::MATES, 0).rng();
        let n = self.lists.n_queries();
        let met = (self.draw == NeighborDraw::DistinctFirst)
            .then(|| ((0..n).map(|at| self.lists.neighbors_of(at).to_vec()).collect(), vec![0; n]));
        NeighborSampler { lists: self.lists, rng, met }
    }
}

struct NeighborSampler<'a> {
    lists: &'a Neighbors,
    rng: ChaCha8Rng,
    /// State of drawing without replacement; `None` for drawing with replacement.
    ///
    /// For each base row, it has the list of its neighbors and the number of draws so far. In the list, the
    /// neighbors that are already drawn in the current round come first.
    met: Option<(Vec<Vec<u32>>, Vec<usize>)>,
}

impl NeighborSampler<'_> {
    #[inline]
    fn draw_neighbor(&mut self, turn: usize) -> u32 {
        let k = self.lists.k();
        if k == 0 {
            return NO_MATE;
        }
        let Some((lists, used)) = &mut self.met else {
            return self.lists.neighbors_of(turn)[random_below(&mut self.rng, k as u32) as usize];
        };
        let (list, place) = (&mut lists[turn], used[turn] % k);
        list.swap(place, place + random_below(&mut self.rng, (k - place) as u32) as usize);
        used[turn] += 1;
        list[place]
    }
}
