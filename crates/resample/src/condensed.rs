//! Condensed nearest neighbor (Hart 1968) and one-sided selection (Kubat and Matwin 1997).

use crate::collectors::NearestCollector;
use crate::condensed_set::{CondensingSettings, condense, majority_class};
use crate::draw::{class_seed_key, draw_distinct};
use crate::neighbors::NeighborIndex;
use crate::resampling_task::{ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, build_neighbor_index, check_n_neighbors, neighbor_params};
use crate::strategy::SamplingKind;
use crate::tomek::{remove_link_ends, tomek_links};
use imbcore_core::{Result, RunContext, SeedKey, shuffle, tags};
use serde::{Deserialize, Serialize};

/// Order in which condensing visits the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScanOrder {
    /// A random order, which is the same in every pass over the rows.
    Random,
    /// The order of the row numbers.
    Row,
}

/// Stopping rule of condensing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CondensingStopRule {
    /// Stops after a pass in which no row is added to the condensed set.
    Consistent,
    /// Stops after one pass over the rows.
    OnePass,
}

/// Whether classes share a condensed set, or have separate condensed sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CondensedScope {
    /// All classes share one condensed set.
    All,
    /// Each class that may lose rows has its own condensed set.
    ///
    /// Each set also contains all rows of the smallest class.
    PerClass,
}

neighbor_params! {
    /// Parameters of condensed nearest neighbor.
    #[allow(non_snake_case)]
    pub struct CondensedParams {
        n_neighbors: Option<u32> = None, "None or a whole number of at least 1",
            "Number of nearest rows of the condensed set that vote on the class of a row. None: 1. With more than 1, \
             k-NN on the condensed set may misclassify some removed rows.";
        n_seeds_S: u32 = 1, "a whole number of at least 0",
            "Number of random rows of each selected class in the initial condensed set, if `keep_minority` is True.";
        keep_minority: bool = true, "True or False",
            "Whether all rows of the smallest class and of the classes that are not selected are kept, and the \
             condensed set starts with them. False: the condensed set starts with one random row, and rows of every \
             class may be removed (Hart 1968).";
        scan: ScanOrder = ScanOrder::Random, "\"random\" or \"row\"" from &["random", "row"],
            "Order in which rows are examined: a random order (\"random\"), or the order of the table (\"row\").";
        until: CondensingStopRule = CondensingStopRule::Consistent, "\"consistent\" or \"one_pass\"" from &["consistent", "one_pass"],
            "Whether passes over the rows are repeated until no row outside the condensed set is misclassified \
             (\"consistent\"), or there is one pass (\"one_pass\").";
        store: CondensedScope = CondensedScope::All, "\"all\" or \"per_class\"" from &["all", "per_class"],
            "Whether there is one condensed set for all classes (\"all\"), or each class is condensed separately \
             together with the smallest class (\"per_class\").";
    }
}

impl Sampler for CondensedParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let k = check_n_neighbors(method, "n_neighbors", self.n_neighbors.unwrap_or(1))?;
        let condensed = classes_to_condense(
            &self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Clean, task)?,
            task,
        );
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let how = CondensingSettings { k, until_consistent: self.until == CondensingStopRule::Consistent };
        let grow = |start: &[u32], mut candidates: Vec<u32>| {
            if self.scan == ScanOrder::Random {
                shuffle(&mut class_seed_key(key, 0).child(tags::resampled::SCAN, 0).rng(), &mut candidates);
            }
            condense(&points, task.classes(), start, &candidates, how, ctl)
        };
        if !self.keep_minority {
            let first = draw_distinct(
                &mut class_seed_key(key, 0).child(tags::resampled::SEEDS, 0).rng(),
                task.n_rows(),
                1,
            );
            return Ok(ResamplingPlan::from_kept_rows(grow(&first, task.all_rows())?));
        }
        let seeds = |class: u32| draw_seed_rows(task, class, self.n_seeds_S, key);
        let kept = task.rows_of_classes(|class| !condensed.contains(&class));
        let mut store = if self.store == CondensedScope::All {
            let start: Vec<u32> =
                kept.iter().copied().chain(condensed.iter().flat_map(|&c| seeds(c))).collect();
            grow(&start, task.rows_of_classes(|class| condensed.contains(&class)))?
        } else {
            let mut store = kept;
            for &class in &condensed {
                let mut start = task.class_rows(task.minority_class());
                start.extend(seeds(class));
                store.extend(grow(&start, task.class_rows(class))?);
            }
            store
        };
        store.sort_unstable();
        store.dedup();
        Ok(ResamplingPlan::from_kept_rows(store))
    }
}

fn classes_to_condense(goal: &[(u32, u64)], task: &ResamplingTask<'_>) -> Vec<u32> {
    goal.iter().map(|&(class, _)| class).filter(|&class| class != task.minority_class()).collect()
}

fn draw_seed_rows(task: &ResamplingTask<'_>, class: u32, n: u32, key: SeedKey) -> Vec<u32> {
    let rows = task.class_rows(class);
    let places = draw_distinct(
        &mut class_seed_key(key, task.class_rank_by_first_row(class)).child(tags::resampled::SEEDS, 0).rng(),
        rows.len(),
        n as usize,
    );
    places.iter().map(|&place| rows[place as usize]).collect()
}

/// Order of the two steps of one-sided selection: condensing, and removal of Tomek links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneSidedStepOrder {
    /// Condensing first.
    CondenseFirst,
    /// Removal of Tomek links first.
    TomekFirst,
}

/// Condensing method of one-sided selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneSidedCondensing {
    /// All rows that the initial condensed set misclassifies are added to it in one step.
    One,
    /// Misclassified rows are added one at a time, in row order, until no row is misclassified.
    /// This is the method of Hart (1968).
    Hart,
}

neighbor_params! {
    /// Parameters of one-sided selection.
    #[allow(non_snake_case)]
    pub struct OneSidedParams {
        n_neighbors: Option<u32> = None, "None or a whole number of at least 1",
            "Number of nearest rows of the condensed set that vote on the class of a row. None: 1.";
        n_seeds_S: u32 = 1, "a whole number of at least 0",
            "Number of random rows of each selected class in the initial condensed set.";
        order: OneSidedStepOrder = OneSidedStepOrder::CondenseFirst, "\"condense_first\" or \"tomek_first\""
            from &["condense_first", "tomek_first"],
            "Whether rows are condensed before Tomek links are removed (\"condense_first\", as in the paper), or after \
             (\"tomek_first\", Morán Jiménez 2018).";
        passes: OneSidedCondensing = OneSidedCondensing::One, "\"one\" or \"hart\"" from &["one", "hart"],
            "Whether all rows that the initial set misclassifies are added to it at once (\"one\"), or misclassified \
             rows are added one at a time until no row is misclassified (\"hart\").";
    }
}

impl Sampler for OneSidedParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let k = check_n_neighbors(method, "n_neighbors", self.n_neighbors.unwrap_or(1))?;
        let condensed = classes_to_condense(
            &self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Clean, task)?,
            task,
        );
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let seeds: Vec<u32> =
            condensed.iter().flat_map(|&class| draw_seed_rows(task, class, self.n_seeds_S, key)).collect();
        let selection = OneSidedSelection {
            condensed: &condensed,
            seeds: &seeds,
            k,
            order: self.order,
            passes: self.passes,
        };
        selection.run(&points, task, ctl)
    }
}

/// One-sided selection with a given initial condensed set.
#[derive(Clone, Copy, Debug)]
pub struct OneSidedSelection<'a> {
    /// Classes that may lose rows.
    pub condensed: &'a [u32],
    /// Rows of the initial condensed set whose class is in `condensed`.
    /// The initial condensed set also contains all rows of the other classes.
    pub seeds: &'a [u32],
    /// Number of nearest rows of the condensed set that vote on the class of a row.
    pub k: usize,
    /// Order of condensing and removal of Tomek links.
    pub order: OneSidedStepOrder,
    /// Condensing method.
    pub passes: OneSidedCondensing,
}

impl OneSidedSelection<'_> {
    /// Returns a plan with the kept rows and the Tomek links.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub fn run(
        &self,
        points: &NeighborIndex<'_>,
        task: &ResamplingTask<'_>,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let classes = task.classes();
        let clean = |rows: Vec<u32>| -> Result<ResamplingPlan> {
            let links = tomek_links(points, &rows, classes, ctl)?;
            Ok(ResamplingPlan {
                kept: Some(remove_link_ends(&rows, &links, classes, self.condensed)),
                links,
                ..ResamplingPlan::default()
            })
        };
        match self.order {
            OneSidedStepOrder::CondenseFirst => {
                clean(self.condense(points, classes, &task.all_rows(), ctl)?)
            }
            OneSidedStepOrder::TomekFirst => {
                let mut plan = clean(task.all_rows())?;
                let rows = plan.kept.take().unwrap_or_default();
                Ok(ResamplingPlan { kept: Some(self.condense(points, classes, &rows, ctl)?), ..plan })
            }
        }
    }

    fn condense(
        &self,
        points: &NeighborIndex<'_>,
        classes: &[u32],
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>> {
        let (candidates, mut store): (Vec<u32>, Vec<u32>) = rows
            .iter()
            .partition(|&row| self.condensed.contains(&classes[*row as usize]) && !self.seeds.contains(row));
        if self.passes == OneSidedCondensing::Hart {
            let how = CondensingSettings { k: self.k, until_consistent: true };
            return condense(points, classes, &store, &candidates, how, ctl);
        }
        let found = points.collect_neighbors(&candidates, &store, |_| NearestCollector::new(self.k), ctl)?;
        for (&row, nearest) in candidates.iter().zip(found) {
            let rows: Vec<u32> = nearest.into_rows().collect();
            if majority_class(&rows, classes) != Some(classes[row as usize]) {
                store.push(row);
            }
        }
        store.sort_unstable();
        Ok(store)
    }
}
