//! Borderline-SMOTE (Han, Wang and Mao 2005) and two relatives.

use crate::between::{Gap, Maker, NeighborDraw, OnSmall, Schedule, own_lists, repeat, turns};
use crate::draw::of_class;
use crate::neighbors::{Neighbors, Searchable};
use crate::params::{Sampler, at_least_1, neighbor_params, points};
use crate::strategy::Kind;
use crate::task::{Added, Neighborhoods, Plan, Task};
use imbcore_base::{Error, Result, RunCtl, SeedKey, tags};
use serde::{Deserialize, Serialize};

/// Which rows are bases, and towards what rows are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BorderlineKind {
    /// Rows in danger; neighbours of their class.
    #[serde(rename = "borderline-1")]
    First,
    /// Rows in danger; neighbours of all classes, towards those of others half way at most.
    #[serde(rename = "borderline-2")]
    Second,
    /// Rows in danger and noise; the middle between them and neighbours of their class.
    #[serde(rename = "thesis")]
    Thesis,
    /// About the half of the class with the fewest rows of the class around; lists that include the row itself.
    #[serde(rename = "svr_code")]
    SvrCode,
}

/// What is done where no row is a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnEmpty {
    /// Nothing is added, and a warning says so.
    Warn,
    /// All rows of the class are bases.
    Smote,
    /// An error.
    Raise,
}

neighbor_params! {
    /// Parameters of Borderline-SMOTE.
    pub struct BorderlineParams {
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Nearest rows, of which one is the other end of an added row.";
        m_neighbors: Option<u32> = None, "None or a whole number of at least 1",
            "Nearest rows of all classes that tell where a row lies. None: 10, and 5 for kind=\"thesis\".";
        kind: BorderlineKind = BorderlineKind::First,
            "\"borderline-1\", \"borderline-2\", \"thesis\" or \"svr_code\""
            from &["borderline-1", "borderline-2", "thesis", "svr_code"],
            "Which rows are bases: rows with at least half but not all of their neighbours in other classes \
             (\"borderline-1\"; \"borderline-2\" also goes towards other classes, half way at most), those and noise \
             with rows added in the middle (\"thesis\", Morán Jiménez 2018), or the half of the class with the fewest of \
             its rows around (\"svr_code\", the code of Zhu, Li and Dunson 2021).";
        on_empty: OnEmpty = OnEmpty::Warn, "\"warn\", \"smote\" or \"raise\"" from &["warn", "smote", "raise"],
            "What to do where no row of a class is a base: a warning, SMOTE from all its rows, or an error.";
        per_base: Option<u32> = None, "None or a whole number of at least 0",
            "Added rows for each base (the paper's s), in place of the numbers of the strategy.";
        gap: Option<Gap> = None, "None, \"line\", \"attribute\" or \"midpoint\""
            from &["line", "attribute", "midpoint"],
            "Where an added row lies between its two ends. None: half way for kind=\"thesis\", else on the line.";
        schedule: Option<Schedule> = None, "None, \"uniform\" or \"even\"" from &["uniform", "even"],
            "Whether a random row is the base each time, or all equally often. None: equally often for kind=\"thesis\", \
             else random.";
        neighbor_draw: NeighborDraw = NeighborDraw::Replace, "\"replace\" or \"distinct_first\""
            from &["replace", "distinct_first"],
            "Whether a base may meet a neighbour again before it has met all.";
        on_small: OnSmall = OnSmall::Raise, "\"raise\", \"shrink\" or \"copy\"" from &["raise", "shrink", "copy"],
            "What to do with a class that has no more than `k_neighbors` rows: an error, fewer neighbours, or copies.";
    }
}

impl Sampler for BorderlineParams {
    fn plan(&self, method: &str, task: &Task<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<Plan> {
        let k = at_least_1(method, "k_neighbors", self.k_neighbors)?;
        let of_kind = if self.kind == BorderlineKind::Thesis { 5 } else { 10 };
        let m =
            at_least_1(method, "m_neighbors", self.m_neighbors.unwrap_or(of_kind))?.min(task.n_rows() - 1);
        let goal = self.sampling_strategy.goal(method, self.ratio, Kind::Over, task)?;
        let points = points(task, self.scale, self.algorithm, ctl)?;
        let all = task.rows();
        let mut plan = Plan::default();
        for (class, add) in goal {
            if add == 0 && self.per_base.is_none() {
                continue;
            }
            let rows = task.rows_of(class);
            let around = points.nearest(&rows, &all, m, ctl)?;
            let others = others_around(&around, &rows, task.classes(), class);
            let places = neighborhoods(&rows, &others, m);
            let mut bases = match self.kind {
                BorderlineKind::First | BorderlineKind::Second => places.danger.clone(),
                BorderlineKind::Thesis => pick(&rows, &others, |n| 2 * n >= m),
                BorderlineKind::SvrCode => svr_bases(&rows, &around, task.classes(), class, m).1,
            };
            plan.neighborhoods.insert(class, places);
            if bases.is_empty() {
                let name = task.class_text(class);
                let text = format!("{method}: no row of class {name} lies on the border to other classes");
                match self.on_empty {
                    OnEmpty::Raise => {
                        return Err(Error::Data(format!("{text}; use SMOTE, or on_empty=\"smote\"")));
                    }
                    OnEmpty::Smote => bases.clone_from(&rows),
                    OnEmpty::Warn => {
                        ctl.note(format!(
                            "{text}; nothing is added to it. on_empty=\"smote\" adds from all its rows"
                        ));
                        continue;
                    }
                }
            }
            let base = Base { class, bases: &bases, rows: &rows, all: &all, add, k };
            self.add(&base, &points, task, key, &mut plan.added, ctl)?;
        }
        Ok(plan)
    }
}

/// The bases of one class.
struct Base<'a> {
    class: u32,
    bases: &'a [u32],
    rows: &'a [u32],
    all: &'a [u32],
    add: u64,
    k: usize,
}

impl BorderlineParams {
    fn add(
        &self,
        base: &Base<'_>,
        points: &Searchable<'_>,
        task: &Task<'_>,
        key: SeedKey,
        added: &mut Added,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let &Base { class, bases, k, .. } = base;
        let own = |k: usize| -> Result<Neighbors> {
            own_lists(points, bases, base.rows, self.on_small.k(k, "k_neighbors", task, class)?, ctl)
        };
        let lists = match self.kind {
            BorderlineKind::First | BorderlineKind::Thesis => own(k)?,
            BorderlineKind::Second => points.nearest(bases, base.all, k, ctl)?,
            BorderlineKind::SvrCode => own(k - 1)?.with_self(bases),
        };
        let thesis = self.kind == BorderlineKind::Thesis;
        let usual = if thesis { Schedule::Even } else { Schedule::Uniform };
        let schedule = self.schedule.unwrap_or(usual);
        let turns = match self.per_base {
            Some(times) => repeat(&vec![u64::from(times); bases.len()])?,
            None => turns(
                schedule,
                bases.len(),
                base.add,
                &mut of_class(key, task.place(class)).child(tags::resampled::BASES, 0).rng(),
            )?,
        };
        let maker = Maker {
            class,
            place: task.place(class),
            bases,
            lists: &lists,
            draw: self.neighbor_draw,
            gap: self.gap.unwrap_or(if thesis { Gap::Midpoint } else { Gap::Line }),
            width: points.space().n_numbers(),
            key,
            ctl,
        };
        let halved = (self.kind == BorderlineKind::Second).then_some(task.classes());
        maker.make(&turns, halved, added)
    }
}

/// How many rows of other classes are in each list.
pub(crate) fn others_around(lists: &Neighbors, rows: &[u32], classes: &[u32], class: u32) -> Vec<usize> {
    let others = |at: usize| lists.of(at).iter().filter(|&&row| classes[row as usize] != class).count();
    (0..rows.len()).map(others).collect()
}

fn pick(rows: &[u32], others: &[usize], wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    rows.iter().zip(others).filter(|&(_, &n)| wanted(n)).map(|(&row, _)| row).collect()
}

/// Rows by the number of their `m` neighbours in other classes.
pub fn neighborhoods(rows: &[u32], others: &[usize], m: usize) -> Neighborhoods {
    Neighborhoods {
        danger: pick(rows, others, |n| 2 * n >= m && n < m),
        noise: pick(rows, others, |n| n == m),
        safe: pick(rows, others, |n| 2 * n < m),
    }
}

/// The rule in the code of Zhu, Li and Dunson (2021): a row and its `m - 1` nearest hold `own` rows of the class; bases
/// have at most as many as takes in half of the class. Gives that number and the bases.
pub fn svr_bases(
    rows: &[u32],
    around: &Neighbors,
    classes: &[u32],
    class: u32,
    m: usize,
) -> (usize, Vec<u32>) {
    let is_own = |row: &&u32| classes[**row as usize] == class;
    let own: Vec<usize> =
        (0..rows.len()).map(|at| 1 + around.of(at).iter().take(m - 1).filter(is_own).count()).collect();
    let within = |most: usize| own.iter().filter(|&&n| n <= most).count();
    let most = (1..m).find(|&most| 2 * within(most) >= rows.len()).unwrap_or(m - 1);
    (most, pick(rows, &own, |n| n <= most))
}
