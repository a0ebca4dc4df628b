//! SMOTE (Chawla, Bowyer, Hall and Kegelmeyer 2002).

use crate::between::{Gap, Maker, NeighborDraw, OnSmall, Schedule, own_lists, repeat, turns};
use crate::draw::{distinct, of_class};
use crate::params::{Sampler, at_least_1, neighbor_params, points};
use crate::strategy::{Kind, as_count};
use crate::task::{Added, Plan, Task};
use imbcore_base::{Error, Result, RunCtl, SeedKey, tags};

neighbor_params! {
    /// Parameters of SMOTE.
    pub struct SmoteParams {
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Nearest rows of the same class, of which one is the other end of an added row.";
        gap: Gap = Gap::Line, "\"line\", \"attribute\" or \"midpoint\"" from &["line", "attribute", "midpoint"],
            "Where an added row lies between its two ends: anywhere on the line, anywhere in the box they span (the \
             pseudo-code of the paper), or half way.";
        schedule: Schedule = Schedule::Uniform, "\"uniform\" or \"even\"" from &["uniform", "even"],
            "Whether a random row is the base each time, or all rows equally often (the paper).";
        neighbor_draw: NeighborDraw = NeighborDraw::Replace, "\"replace\" or \"distinct_first\""
            from &["replace", "distinct_first"],
            "Whether a base may meet a neighbour again before it has met all.";
        on_small: OnSmall = OnSmall::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "What to do with a class that has no more than `k_neighbors` rows: an error, fewer neighbours, or copies.";
        percent: Option<f64> = None, "None or a number of at least 0",
            "Added rows in percent of the rows of each class of the strategy, whose numbers then do not count (the \
             paper's N): from 100 on, whole hundreds for each row; below, one for a random part of the rows.";
        include_self: bool = false, "True or False",
            "Whether a row counts as the first of its own neighbours, as in the code of Zhu, Li and Dunson (2021): one \
             added row in `k_neighbors` is then a copy.";
    }
}

impl Sampler for SmoteParams {
    fn plan(&self, method: &str, task: &Task<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<Plan> {
        let k = at_least_1(method, "k_neighbors", self.k_neighbors)?;
        if self.percent.is_some_and(|percent| !(percent.is_finite() && percent >= 0.0)) {
            let got = self.percent.unwrap_or_default();
            return Err(Error::parameter(method, "percent", "None or a number of at least 0", got));
        }
        let goal = self.sampling_strategy.goal(method, self.ratio, Kind::Over, task)?;
        let points = points(task, self.scale, self.algorithm, ctl)?;
        let mut added = Added::default();
        for (class, add) in goal {
            let bases = task.rows_of(class);
            let mut rng = of_class(key, task.place(class)).child(tags::resampled::BASES, 0).rng();
            let turns = match self.percent {
                None => turns(self.schedule, bases.len(), add, &mut rng)?,
                Some(percent) if percent < 100.0 => {
                    let part = as_count((percent / 100.0 * bases.len() as f64).floor()) as usize;
                    let mut part = distinct(&mut rng, bases.len(), part);
                    part.sort_unstable();
                    part
                }
                Some(percent) => repeat(&vec![as_count((percent / 100.0).floor()); bases.len()])?,
            };
            if turns.is_empty() {
                continue;
            }
            let others = k - usize::from(self.include_self);
            let found = self.on_small.k(others, "k_neighbors", task, class)?;
            let mut lists = own_lists(&points, &bases, &bases, found, ctl)?;
            if self.include_self {
                lists = lists.with_self(&bases);
            }
            let maker = Maker {
                class,
                place: task.place(class),
                bases: &bases,
                lists: &lists,
                draw: self.neighbor_draw,
                gap: self.gap,
                width: points.space().n_numbers(),
                key,
                ctl,
            };
            maker.make(&turns, None, &mut added)?;
        }
        Ok(Plan { added, ..Plan::default() })
    }
}
