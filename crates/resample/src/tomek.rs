//! Tomek links (Tomek 1976): pairs of mutual nearest neighbors of different classes.

use crate::collectors::{CloserNeighborCollector, NearestOtherClassCollector, Neighbor};
use crate::neighbors::NeighborIndex;
use crate::resampling_task::{ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, build_neighbor_index, neighbor_params};
use crate::strategy::SamplingKind;
use imbcore_core::{Error, Result, RunContext, SeedKey};
use std::collections::BTreeMap;

neighbor_params! {
    /// Parameters of the removal of Tomek links.
    pub struct TomekParams {
        passes: u32 = 1, "a whole number of at least 1",
            "Maximum number of passes. Each pass uses the remaining rows; a pass that removes nothing is the last one.";
    }
}

impl Sampler for TomekParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        _: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        if self.passes == 0 {
            return Err(Error::parameter(method, "passes", "a whole number of at least 1", 0));
        }
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Clean, task)?;
        let cleaned: Vec<u32> = goal.iter().map(|&(class, _)| class).collect();
        let points = build_neighbor_index(task, self.scale, self.algorithm, ctl)?;
        let mut plan = ResamplingPlan::default();
        let mut kept = task.all_rows();
        for pass in 0..self.passes {
            let links = tomek_links(&points, &kept, task.classes(), ctl)?;
            let before = kept.len();
            kept = remove_link_ends(&kept, &links, task.classes(), &cleaned);
            if pass == 0 {
                plan.links = links;
            }
            if kept.len() == before {
                break;
            }
            ctl.report_progress("passes", u64::from(pass) + 1, u64::from(self.passes));
        }
        plan.kept = Some(kept);
        Ok(plan)
    }
}

pub(crate) fn remove_link_ends(
    rows: &[u32],
    links: &[(u32, u32)],
    classes: &[u32],
    cleaned: &[u32],
) -> Vec<u32> {
    let mut ends: Vec<u32> = links
        .iter()
        .flat_map(|&(a, b)| [a, b])
        .filter(|&row| cleaned.contains(&classes[row as usize]))
        .collect();
    ends.sort_unstable();
    rows.iter().copied().filter(|row| ends.binary_search(row).is_err()).collect()
}

/// Returns the Tomek links among `rows`, ascending; each link has its lower row first.
///
/// At least one end of every link is outside the largest class. So the nearest row is first searched for each
/// row outside the largest class. Some of these nearest rows are in the largest class. For each of them, a
/// second search checks whether any row is strictly nearer to it, and usually stops early.
pub fn tomek_links(
    points: &NeighborIndex<'_>,
    rows: &[u32],
    classes: &[u32],
    ctl: RunContext<'_>,
) -> Result<Vec<(u32, u32)>> {
    let mut counts = BTreeMap::<u32, usize>::new();
    for &row in rows {
        *counts.entry(classes[row as usize]).or_default() += 1;
    }
    let largest = counts.iter().rev().max_by_key(|&(_, &count)| count).map(|(&class, _)| class);
    let is_large = |row: u32| Some(classes[row as usize]) == largest;
    let queries: Vec<u32> = rows.iter().copied().filter(|&row| !is_large(row)).collect();
    let found =
        points.collect_neighbors(&queries, rows, |row| NearestOtherClassCollector::new(classes, row), ctl)?;
    // Distance from each possible end of a link to its nearest row. An end in the largest class is compared
    // only with rows outside the largest class, namely those that have this end as their nearest row.
    let mut least: BTreeMap<u32, f64> =
        queries.iter().copied().zip(found.iter().map(|tied| tied.least)).collect();
    let mut candidates = Vec::new();
    for (&query, tied) in queries.iter().zip(&found) {
        for &other in &tied.others {
            candidates.push((query, other, tied.least));
            if is_large(other) {
                let nearest = least.entry(other).or_insert(f64::INFINITY);
                *nearest = nearest.min(tied.least);
            }
        }
    }
    let far_ends: Vec<u32> = least.keys().copied().filter(|&row| is_large(row)).collect();
    let strictly_nearer = |row: u32| {
        // No row number is below 0, so only rows at a strictly smaller distance are collected.
        CloserNeighborCollector { bound: Neighbor { distance: least[&row], row: 0 }, found: None }
    };
    let nearer = points.collect_neighbors(&far_ends, rows, strictly_nearer, ctl)?;
    for (row, _) in far_ends.iter().zip(&nearer).filter(|(_, before)| before.found.is_some()) {
        least.insert(*row, -1.0);
    }
    let mut links: Vec<(u32, u32)> = candidates
        .into_iter()
        .filter(|(_, other, distance)| least.get(other) == Some(distance))
        .map(|(query, other, _)| (query.min(other), query.max(other)))
        .collect();
    links.sort_unstable();
    links.dedup();
    Ok(links)
}
