//! Connected groups of missing variables of a row, and the elimination plan of each group.

use super::elimination_order::positions_of_set_bits;
use super::elimination_plan::{EliminationPlan, MAX_CELLS, network_factors};
use crate::network::Network;
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::Result;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// Plans are cached until their total size reaches this many numbers, which take 64 MB.
///
/// Plans that are not cached are computed again for each block of rows.
const MOST_KEPT: usize = 1 << 24;

#[derive(Default)]
struct PlanCache {
    plans: BTreeMap<Vec<u64>, Arc<EliminationPlan>>,
    size: usize,
}

/// Finds the connected components of the missing variables of a row in the moral graph.
///
/// A component is called a group. The observed values separate a group from the rest of the network
/// (Lauritzen et al. 1990). A plan therefore depends only on the group, and serves all rows in which this
/// group occurs. Sets of variables are bitmaps in topological order.
pub(super) struct MissingComponents<'n> {
    network: &'n Network,
    levels: Vec<u32>,
    words: usize,
    rank: Vec<u32>,
    children: Vec<u64>,
    linked: Vec<u64>,
    class: Option<u32>,
    kept: RwLock<PlanCache>,
}

impl<'n> MissingComponents<'n> {
    /// If `class` is given, it counts as missing, because its posterior is requested.
    pub(super) fn new(network: &'n Network, class: Option<u32>) -> Self {
        let n = network.n_variables();
        let words = n.div_ceil(64);
        let mut rank = vec![0; n];
        for (at, &v) in network.topological_order().iter().enumerate() {
            rank[v as usize] = at as u32;
        }
        let (mut children, mut linked) = (vec![0_u64; n * words], vec![0_u64; n * words]);
        for (child, cpt) in network.cpts().iter().enumerate() {
            let family: Vec<usize> = cpt
                .parents()
                .iter()
                .copied()
                .chain([child as u32])
                .map(|v| rank[v as usize] as usize)
                .collect();
            for &a in &family {
                for &b in family.iter().filter(|&&b| b != a) {
                    linked[a * words + b / 64] |= 1 << (b % 64);
                }
                let own = rank[child] as usize;
                if a != own {
                    children[a * words + own / 64] |= 1 << (own % 64);
                }
            }
        }
        let levels = network.n_states_by_variable();
        Self { network, levels, words, rank, children, linked, class, kept: RwLock::default() }
    }

    /// For each row, a bitmap of `words` words with its relevant missing variables.
    ///
    /// A variable is relevant if it is the requested class, or if it has an observed or requested descendant.
    pub(super) fn relevant_missing_variables(
        &self,
        table: &DiscreteTable,
        gaps: &[bool],
        rows: Range<usize>,
    ) -> Vec<u64> {
        let mut unknown = vec![0_u64; rows.len() * self.words];
        for (v, _) in gaps.iter().enumerate().filter(|&(v, &gap)| gap && Some(v as u32) != self.class) {
            let rank = self.rank[v] as usize;
            let (word, bit) = (rank / 64, 1_u64 << (rank % 64));
            for (row, &code) in table.codes_in_rows(v, rows.clone()).iter().enumerate() {
                if code == MISSING {
                    unknown[row * self.words + word] |= bit;
                }
            }
        }
        let mut barren = Vec::new();
        for set in unknown.chunks_exact_mut(self.words) {
            if let Some(class) = self.class {
                let rank = self.rank[class as usize] as usize;
                set[rank / 64] |= 1 << (rank % 64);
            }
            self.remove_barren_variables(set, &mut barren);
        }
        unknown
    }

    /// Removes variables from `set` that have neither an observed nor a requested descendant.
    ///
    /// Children are visited before their parents, in reverse topological order.
    fn remove_barren_variables(&self, set: &mut [u64], barren: &mut Vec<u64>) {
        barren.clear();
        barren.resize(self.words, 0);
        for word in (0..self.words).rev() {
            let mut left = set[word];
            while left != 0 {
                let bit = 63 - left.leading_zeros() as usize;
                left &= !(1 << bit);
                let rank = word * 64 + bit;
                if self.class.is_some_and(|class| self.rank[class as usize] as usize == rank) {
                    continue;
                }
                let children = &self.children[rank * self.words..][..self.words];
                if children.iter().zip(&*barren).all(|(children, barren)| children & !barren == 0) {
                    barren[word] |= 1 << bit;
                }
            }
        }
        set.iter_mut().zip(&*barren).for_each(|(word, barren)| *word &= !barren);
    }

    /// Removes the component of the variable at topological position `rank`; returns it.
    fn extract_component(&self, set: &mut [u64], rank: usize) -> Vec<u64> {
        let mut group = vec![0_u64; self.words];
        group[rank / 64] |= 1 << (rank % 64);
        let mut fresh = group.clone();
        while fresh.iter().any(|&word| word != 0) {
            let mut reached = vec![0_u64; self.words];
            for v in positions_of_set_bits(&fresh) {
                let linked = &self.linked[v * self.words..][..self.words];
                reached.iter_mut().zip(linked).for_each(|(word, linked)| *word |= linked);
            }
            for word in 0..self.words {
                fresh[word] = reached[word] & set[word] & !group[word];
                group[word] |= fresh[word];
            }
        }
        set.iter_mut().zip(&group).for_each(|(word, group)| *word &= !group);
        group
    }

    pub(super) fn extract_class_component(&self, set: &mut [u64]) -> Option<Vec<u64>> {
        self.class.map(|class| self.extract_component(set, self.rank[class as usize] as usize))
    }

    pub(super) fn split_components(&self, set: &mut [u64]) -> Vec<Vec<u64>> {
        let mut groups = Vec::new();
        loop {
            let Some(first) = positions_of_set_bits(set).next() else { return groups };
            groups.push(self.extract_component(set, first));
        }
    }

    pub(super) fn words_per_row(&self) -> usize {
        self.words
    }

    /// Elimination plan that sums out a connected group of missing variables.
    ///
    /// The plan multiplies all probability tables that contain a variable of the group. It sums out all
    /// variables of the group except the class.
    pub(super) fn elimination_plan(&self, group: &[u64]) -> Result<Arc<EliminationPlan>> {
        if let Some(plan) = self.kept.read().unwrap_or_else(PoisonError::into_inner).plans.get(group) {
            return Ok(Arc::clone(plan));
        }
        let order = self.network.topological_order();
        let free = |v: u32| {
            let rank = self.rank[v as usize] as usize;
            group[rank / 64] >> (rank % 64) & 1 == 1
        };
        let mut families: Vec<u32> = positions_of_set_bits(group)
            .flat_map(|rank| {
                positions_of_set_bits(&self.children[rank * self.words..][..self.words]).chain([rank])
            })
            .map(|rank| order[rank])
            .collect();
        families.sort_unstable();
        families.dedup();
        let targets: Vec<u32> = self.class.into_iter().filter(|&class| free(class)).collect();
        let factors = network_factors(self.network, &families, free, MAX_CELLS)?;
        let plan = Arc::new(EliminationPlan::new(factors, &self.levels, &targets, MAX_CELLS)?);
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.size < MOST_KEPT && kept.plans.insert(group.to_vec(), Arc::clone(&plan)).is_none() {
            kept.size += plan.n_stored_integers();
        }
        Ok(plan)
    }
}
