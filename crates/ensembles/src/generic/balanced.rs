//! Bags with equally many rows of each class.
//! Under-, over- and under-over-bagging, and SMOTE-bagging (Barandela, Valdovinos and Sánchez 2003; Wang and
//! Yao 2009).

use super::assembly::{BaggingMethod, in_memory_row_ranks};
use super::bag::Bag;
use super::bagging::{bagging_params, common_items};
use super::base_learner::TrainingContext;
use super::class_pools::ClassRowPools;
use crate::params::OobScoreRequest;
use crate::preselected_rows::PreselectedRows;
use crate::strata::{Strata, Stratum};
use imbcore_core::{ClassStats, Error, Label, Result, SeedKey, tags};
use imbcore_resample::{AddedRows, SyntheticSampler};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;

/// Schedule of the percentage of rows that each bag draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PercentSchedule {
    /// 10 percent for the first tenth of the bags, 20 for the second, and so on.
    /// See Wang and Yao 2009.
    Blocks,
    /// 10, 20, ..., 100, 10, ... percent.
    Cycle,
}

impl PercentSchedule {
    /// Percentage for bag `index` of `n`, counted from 0.
    pub fn percent(self, index: u32, n: u32) -> u32 {
        match self {
            Self::Blocks => {
                let step = u64::from(index) * 10 / u64::from(n.max(1));
                10 * (1 + step.min(9) as u32)
            }
            Self::Cycle => 10 * (1 + index % 10),
        }
    }

    /// Number of rows that the bag `index` of `n` bags draws from a class, at least 1.
    ///
    /// A number halfway between two whole numbers is rounded to the even one.
    fn n_drawn_rows(self, (index, n): (u32, u32), class_size: usize) -> usize {
        #[allow(clippy::cast_sign_loss)] // The product is not negative.
        let rows = (f64::from(self.percent(index, n)) * class_size as f64 / 100.0).round_ties_even() as usize;
        rows.max(1)
    }
}

bagging_params! {
    /// Parameters of under-bagging.
    pub struct UnderBaggingParams {
        members 50, prior_correction Prior;
        replacement: bool = true, "True or False",
            "Whether the rows of the larger classes are drawn with replacement.";
        bootstrap_minority: bool = false, "True or False",
            "Whether the rows of the smallest class are drawn with replacement; False: each bag contains all of them. If \
             groups are given, only the rows of randomly drawn groups are available to a bag.";
    }
}

bagging_params! {
    /// Parameters of over-bagging.
    pub struct OverBaggingParams {
        members 50, prior_correction None;
    }
}

bagging_params! {
    /// Parameters of under-over-bagging.
    pub struct UnderOverBaggingParams {
        members 50, prior_correction Prior;
        percent_schedule: PercentSchedule = PercentSchedule::Blocks, "\"blocks\" or \"cycle\"",
            "Number of rows of each class in percent of the largest class. \"blocks\": 10 for the first tenth of the bags, 20 for the second, and \
             so on to 100. \"cycle\": 10, 20, ..., 100 repeatedly.";
    }
}

bagging_params! {
    /// Parameters of SMOTE-bagging.
    pub struct SmoteBaggingParams {
        members 50, prior_correction None;
        k_neighbors: u32 = 5, "a whole number of at least 1",
            "Number of nearest neighbors of a row in its class. A synthetic row lies between a row and one of these \
             neighbors, drawn at random. If the class has fewer rows, all of them are neighbors.";
        percent_schedule: PercentSchedule = PercentSchedule::Blocks, "\"blocks\" or \"cycle\"",
            "Number of rows drawn from each smaller class, in percent of the largest class; the rest are synthetic. \"blocks\": 10 for the \
             first tenth of the bags, 20 for the second, and so on to 100. \"cycle\": 10, 20, ..., 100 repeatedly.";
    }
}

fn draw_class_bag(pools: &ClassRowPools, draw: impl Fn(u32) -> Vec<u32>) -> Bag {
    let mut rows: Vec<u32> = pools.nonempty_classes().flat_map(draw).collect();
    rows.sort_unstable();
    Bag::from_rows(rows)
}

impl UnderBaggingParams {
    fn draw_bag_ranks(&self, strata: &Strata, key: SeedKey) -> Vec<u32> {
        let Some(smallest) = strata.smallest_class() else { return Vec::new() };
        let n = smallest.ranks.len();
        let of_class = |of: &Stratum| match of == smallest {
            true if !self.bootstrap_minority => of.ranks.clone().collect(),
            true => strata.draw_class_ranks(of.class, n, true, key),
            false => strata.draw_class_ranks(of.class, n, self.replacement, key),
        };
        strata.class_strata().iter().flat_map(of_class).collect()
    }
}

impl BaggingMethod for UnderBaggingParams {
    type Preparation = ClassRowPools;

    common_items!();

    fn check_params(&self, method: &str) -> Result<()> {
        if self.oob_score == OobScoreRequest::Flag(false) || self.bootstrap_minority {
            return Ok(());
        }
        let expected = "False unless bootstrap_minority=True, because otherwise every bag contains all rows of the smallest class \
                        and no member can predict them out of bag";
        Err(Error::parameter(method, "oob_score", expected, json!(self.oob_score)))
    }

    fn prepare(&self, method: &'static str, training: &TrainingContext<'_, '_>) -> Result<ClassRowPools> {
        ClassRowPools::new(training.data, in_memory_row_ranks(self, method, training)?)
    }

    fn draw_bag(
        &self,
        pools: &ClassRowPools,
        _: &TrainingContext<'_, '_>,
        _: u32,
        key: SeedKey,
    ) -> Result<Bag> {
        let pools = pools.pools_for_bag(key);
        Ok(Bag::from_rows(pools.rows_of_ranks(self.draw_bag_ranks(pools.strata(), key))))
    }

    fn preselect_rows<'p>(
        &'p self,
        _: &'static str,
        facts: &ClassStats,
        _labels: &'p [Label],
    ) -> Result<Option<PreselectedRows<'p>>> {
        let strata = Strata::new(facts, None)?;
        let largest = self.draw_bag_ranks(&strata, SeedKey::root(0)).len();
        let ranks = |strata: &Strata, key| Ok(self.draw_bag_ranks(strata, key));
        Ok(Some(PreselectedRows::new(strata, (self.n_estimators, largest), ranks)))
    }
}

impl BaggingMethod for OverBaggingParams {
    type Preparation = ClassRowPools;

    common_items!();

    fn prepare(&self, _: &'static str, training: &TrainingContext<'_, '_>) -> Result<ClassRowPools> {
        ClassRowPools::new(training.data, None)
    }

    fn draw_bag(
        &self,
        pools: &ClassRowPools,
        _: &TrainingContext<'_, '_>,
        _: u32,
        key: SeedKey,
    ) -> Result<Bag> {
        let pools = pools.pools_for_bag(key);
        Ok(draw_class_bag(&pools, |class| {
            pools.draw_class_rows(class, pools.largest_class_size(), true, key)
        }))
    }
}

impl BaggingMethod for UnderOverBaggingParams {
    type Preparation = ClassRowPools;

    common_items!();

    fn prepare(&self, _: &'static str, training: &TrainingContext<'_, '_>) -> Result<ClassRowPools> {
        ClassRowPools::new(training.data, None)
    }

    fn draw_bag(
        &self,
        pools: &ClassRowPools,
        _: &TrainingContext<'_, '_>,
        index: u32,
        key: SeedKey,
    ) -> Result<Bag> {
        let pools = pools.pools_for_bag(key);
        let n = self.percent_schedule.n_drawn_rows((index, self.n_estimators), pools.largest_class_size());
        Ok(draw_class_bag(&pools, |class| pools.draw_class_rows(class, n, true, key)))
    }
}

impl SmoteBaggingParams {
    fn synthetic_row_sampler(
        &self,
        pools: &ClassRowPools,
        training: &TrainingContext<'_, '_>,
    ) -> Result<SyntheticSampler> {
        let majority = pools.majority_class();
        let smaller: Vec<(u32, Vec<u32>)> = pools
            .nonempty_classes()
            .filter(|&class| class != majority)
            .map(|class| {
                let mut rows = pools.rows_of_class(class).to_vec();
                // If a group is drawn twice, its rows occur twice in `rows`. Duplicates are removed, because
                // a row must not be its own neighbor.
                rows.dedup();
                (class, rows)
            })
            .collect();
        let smaller: Vec<(u32, &[u32])> = smaller.iter().map(|(class, rows)| (*class, &rows[..])).collect();
        SyntheticSampler::new(training.data.frame(), &smaller, self.k_neighbors as usize, training.ctl)
    }
}

impl BaggingMethod for SmoteBaggingParams {
    type Preparation = (ClassRowPools, SyntheticSampler);

    common_items!();

    fn check_params(&self, method: &str) -> Result<()> {
        match self.k_neighbors {
            0 => Err(Error::parameter(method, "k_neighbors", "a whole number of at least 1", 0)),
            _ => Ok(()),
        }
    }

    fn prepare(
        &self,
        _: &'static str,
        training: &TrainingContext<'_, '_>,
    ) -> Result<(ClassRowPools, SyntheticSampler)> {
        let pools = ClassRowPools::new(training.data, None)?;
        let synthesis = self.synthetic_row_sampler(&pools, training)?;
        Ok((pools, synthesis))
    }

    fn draw_bag(
        &self,
        (pools, synthesis): &(ClassRowPools, SyntheticSampler),
        training: &TrainingContext<'_, '_>,
        index: u32,
        key: SeedKey,
    ) -> Result<Bag> {
        let pools = pools.pools_for_bag(key);
        // If rows have groups, synthetic rows are made only from rows of the drawn groups.
        let own = matches!(pools, Cow::Owned(_))
            .then(|| self.synthetic_row_sampler(&pools, training))
            .transpose()?;
        let synthesis = own.as_ref().unwrap_or(synthesis);
        let (majority, n) = (pools.majority_class(), pools.largest_class_size());
        let real = self.percent_schedule.n_drawn_rows((index, self.n_estimators), n);
        let bag = draw_class_bag(&pools, |class| {
            pools.draw_class_rows(class, if class == majority { n } else { real }, true, key)
        });
        let mut made = AddedRows::default();
        for class in pools.nonempty_classes().filter(|&class| class != majority) {
            let key = key.child(tags::bag::SAMPLER, 0);
            synthesis.add_synthetic_rows(class, n - real, key, (&mut made, training.ctl))?;
        }
        Ok(Bag { made, ..bag })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_by_hand() {
        let blocks: Vec<u32> = (0..5).map(|index| PercentSchedule::Blocks.percent(index, 5)).collect();
        assert_eq!(blocks, [10, 30, 50, 70, 90]);
        let cycle: Vec<u32> = (8..12).map(|index| PercentSchedule::Cycle.percent(index, 50)).collect();
        assert_eq!(cycle, [90, 100, 10, 20]);
        assert_eq!(PercentSchedule::Blocks.n_drawn_rows((0, 10), 25), 2);
        assert_eq!(PercentSchedule::Blocks.n_drawn_rows((0, 10), 3), 1);
    }
}
