//! Rows between neighbours: which base, which neighbour, where in between (Chawla, Bowyer, Hall and Kegelmeyer 2002).

use crate::draw::{self, distinct, of_class};
use crate::neighbors::{Neighbors, Searchable};
use crate::task::{Added, NO_MATE, Task};
use imbcore_base::{Error, Result, RunCtl, SeedKey, below, tags, uniform};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Where a made row lies between its base and the neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// Anywhere on the line.
    Line,
    /// Anywhere in the box that they span: every column has a share of its own.
    Attribute,
    /// Half way.
    Midpoint,
}

/// Which rows are bases how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// A random one each time.
    Uniform,
    /// All equally often, and the rest a random part of them once more.
    Even,
}

/// How neighbours of one base are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeighborDraw {
    /// Any of them each time.
    Replace,
    /// None twice before all are used.
    DistinctFirst,
}

/// What is done with a class that has no more rows than neighbours are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnSmall {
    /// An error.
    Raise,
    /// As many neighbours as there are; a lone row is copied.
    Shrink,
    /// Its rows are copied.
    Copy,
}

impl OnSmall {
    /// Neighbours that can be had in a class.
    ///
    /// # Errors
    /// [`Error::Data`] where too few rows are to be an error.
    pub(crate) fn k(self, k: usize, name: &str, task: &Task<'_>, class: u32) -> Result<usize> {
        let n = task.count(class);
        match self {
            _ if n > k => Ok(k),
            Self::Shrink => Ok(n - 1),
            Self::Copy => Ok(0),
            Self::Raise => Err(Error::Data(format!(
                "class {} has {n} rows, and {name}={k} needs at least {}; take a smaller {name}, or set \
                 on_small=\"shrink\" (fewer neighbours) or \"copy\"",
                task.class_text(class),
                k + 1
            ))),
        }
    }
}

/// Nearest rows of the same class for some of its rows.
pub(crate) fn own_lists(
    points: &Searchable<'_>,
    bases: &[u32],
    class_rows: &[u32],
    k: usize,
    ctl: RunCtl<'_>,
) -> Result<Neighbors> {
    if k == 0 { Ok(Neighbors::none(bases.len())) } else { points.nearest(bases, class_rows, k, ctl) }
}

/// Places of bases, one for each row to make.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn turns(schedule: Schedule, n_bases: usize, add: u64, rng: &mut ChaCha8Rng) -> Result<Vec<u32>> {
    let add = draw::rows(add)?;
    if n_bases == 0 {
        return Ok(Vec::new());
    }
    match schedule {
        Schedule::Uniform => Ok(draw::repeated(rng, n_bases, add)),
        Schedule::Even => {
            let mut times = vec![(add / n_bases) as u64; n_bases];
            for once_more in distinct(rng, n_bases, add % n_bases) {
                times[once_more as usize] += 1;
            }
            repeat(&times)
        }
    }
}

/// Every base its number of times, in order.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn repeat(times: &[u64]) -> Result<Vec<u32>> {
    draw::rows(times.iter().fold(0, |sum: u64, &n| sum.saturating_add(n)))?;
    Ok(times.iter().enumerate().flat_map(|(base, &n)| std::iter::repeat_n(base as u32, n as usize)).collect())
}

/// How the rows of one class are made.
#[derive(Clone, Copy)]
pub(crate) struct Maker<'a> {
    pub(crate) class: u32,
    /// Of the class in the order of their first rows.
    pub(crate) place: u32,
    pub(crate) bases: &'a [u32],
    /// The neighbours of each base.
    pub(crate) lists: &'a Neighbors,
    pub(crate) draw: NeighborDraw,
    pub(crate) gap: Gap,
    /// Numeric columns.
    pub(crate) width: usize,
    pub(crate) key: SeedKey,
    pub(crate) ctl: RunCtl<'a>,
}

impl Maker<'_> {
    /// One row for each turn; gaps towards rows of the class `halved` is not are halved.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn make(&self, turns: &[u32], halved: Option<&[u32]>, added: &mut Added) -> Result<()> {
        let mut mates = self.mates();
        let mut rng = of_class(self.key, self.place).child(tags::resampled::GAPS, 0).rng();
        for (made, &turn) in turns.iter().enumerate() {
            self.ctl.check_at(made)?;
            let mate = mates.of(turn as usize);
            let reach = match halved {
                Some(classes) if mate != NO_MATE && classes[mate as usize] != self.class => 0.5,
                _ => 1.0,
            };
            added.classes.push(self.class);
            added.sources.push(self.bases[turn as usize]);
            added.mates.push(mate);
            let draws = if self.gap == Gap::Attribute { self.width } else { 1 };
            for _ in 0..draws {
                added.gaps.push(match self.gap {
                    _ if mate == NO_MATE => 0.0,
                    Gap::Midpoint => 0.5 * reach,
                    Gap::Line | Gap::Attribute => uniform(&mut rng) * reach,
                });
            }
        }
        Ok(())
    }

    fn mates(&self) -> Mates<'_> {
        let rng = of_class(self.key, self.place).child(tags::resampled::MATES, 0).rng();
        let n = self.lists.n_queries();
        let met = (self.draw == NeighborDraw::DistinctFirst)
            .then(|| ((0..n).map(|at| self.lists.of(at).to_vec()).collect(), vec![0; n]));
        Mates { lists: self.lists, rng, met }
    }
}

/// Draws a neighbour for each turn.
struct Mates<'a> {
    lists: &'a Neighbors,
    rng: ChaCha8Rng,
    /// Where a base meets all before one again: its list, in the order in which it meets them, and how often it has met one.
    met: Option<(Vec<Vec<u32>>, Vec<usize>)>,
}

impl Mates<'_> {
    #[inline]
    fn of(&mut self, turn: usize) -> u32 {
        let k = self.lists.k();
        if k == 0 {
            return NO_MATE;
        }
        let Some((lists, used)) = &mut self.met else {
            return self.lists.of(turn)[below(&mut self.rng, k as u32) as usize];
        };
        let (list, place) = (&mut lists[turn], used[turn] % k);
        list.swap(place, place + below(&mut self.rng, (k - place) as u32) as usize);
        used[turn] += 1;
        list[place]
    }
}
