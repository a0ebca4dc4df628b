//! Random samples of rows for trees and other members.

use crate::max_samples::MaxSamples;
use crate::preselected_rows::FEW;
use crate::rank_pool::RankPool;
use crate::strata::{RankSet, RowsByRank, Strata, Stratum};
use imbcore_core::memory::check_values_fit_in_memory;
use imbcore_core::{ClassStats, Dataset, Error, Label, Result, RowGroups, SeedKey, tags};
use imbcore_resample::{RatioBase, ResamplingTask, SamplingKind, Strategy, draw_with_replacement};
use std::ops::Range;

/// Maximum number of attempts to draw a sample that contains all classes.
pub(crate) const DRAWS: u32 = 100;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SamplingScheme {
    Uniform,
    /// Rows are drawn from each class separately, by default as many as the smallest class has.
    /// See Chen, Liaw and Breiman 2004.
    Balanced(PerClassSampling),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PerClassSampling {
    pub(crate) strategy: Strategy,
    pub(crate) ratio: RatioBase,
    pub(crate) replacement: bool,
}

/// Draws samples of rows as ranks, which number the rows class by class (see [`Strata`]).
///
/// A sample depends on its key, the numbers of rows of the classes and the groups, but on no column.
#[derive(Debug)]
pub(crate) struct RowSampler {
    strata: Strata,
    /// Ranges of ranks to draw from: one pool with all rows, or one pool per class.
    pools: Vec<RankPool>,
    replacement: bool,
    /// Two-step sampling: size of the first sample, and how classes are then balanced.
    ///
    /// The final sample is drawn from the first one. `None` if rows are drawn in one step. With groups, the
    /// first sample has the rows of the drawn groups.
    first: Option<(usize, PerClassSampling)>,
    /// Two-step sampling: pools of a first sample of typical size.
    ///
    /// This sample has the expected number of rows of every class; the ranks of the pools are positions in it.
    typical_pools: Option<Vec<RankPool>>,
    /// Groups of rows given by ranks, and how many groups to draw; `None` if rows are drawn.
    groups: Option<(RowGroups, usize)>,
    method: &'static str,
    n_classes: usize,
}

impl RowSampler {
    /// Creates a sampler of the rows with positive weight.
    ///
    /// If `class_weight` is given, rows of a class with weight 0 are excluded too. If `rows` have groups,
    /// whole groups are drawn, and `max_samples` counts groups. Balanced sampling then draws from the rows of
    /// the drawn groups.
    pub(crate) fn new(
        (facts, rows): (&ClassStats, Option<&Dataset<'_>>),
        class_weight: Option<&[f64]>,
        draw: &SamplingScheme,
        (max_samples, bootstrap): (Option<&MaxSamples>, bool),
        method: &'static str,
    ) -> Result<Self> {
        let strata = Strata::new(facts, class_weight)?;
        let n_classes = facts.stats_by_class().len();
        let mut sampler = Self {
            strata,
            pools: Vec::new(),
            replacement: bootstrap,
            first: None,
            typical_pools: None,
            groups: None,
            method,
            n_classes,
        };
        let n_rows = sampler.strata.n_rows();
        let groups = rows.map(|rows| sampler.strata.row_groups_by_rank(rows)).transpose()?.flatten();
        let ranks: Vec<_> = sampler.strata.class_strata().iter().map(|of| of.ranks.clone()).collect();
        let drawn = |groups: RowGroups, sampler: &Self| {
            let n = groups.n_groups();
            Ok((groups, sampler.resolve_n_draws(max_samples, n, n, "groups")?))
        };
        match (draw, groups) {
            (SamplingScheme::Uniform, Some(groups)) => {
                let (groups, size) = drawn(groups, &sampler)?;
                let expected = (n_rows as u128 * size as u128 / groups.n_groups() as u128) as usize;
                sampler.groups = Some((groups, size));
                sampler.pools = vec![RankPool { ranks: 0..n_rows as u32, size: Some(expected), class: None }];
            }
            (SamplingScheme::Balanced(balance), Some(groups)) => {
                sampler.replacement = true;
                let (groups, size) = drawn(groups, &sampler)?;
                let share = size as f64 / groups.n_groups() as f64;
                sampler.typical_pools = Some(sampler.typical_pools(&ranks, share, balance)?);
                sampler.groups = Some((groups, size));
                sampler.replacement = balance.replacement;
                sampler.first = Some((n_rows, balance.clone()));
                sampler.pools = sampler.class_rank_pools(&ranks, balance, None, false)?;
            }
            (SamplingScheme::Uniform, None) => {
                let size = Some(sampler.resolve_n_draws(max_samples, n_rows, n_rows, "rows")?);
                sampler.pools = vec![RankPool { ranks: 0..n_rows as u32, size, class: None }];
            }
            (SamplingScheme::Balanced(balance), None) => {
                sampler.replacement = balance.replacement;
                if bootstrap {
                    let size = MaxSamples::resolve(max_samples, n_rows);
                    check_values_fit_in_memory::<[u32; 2]>(size, "drawn rows")?;
                    let share = size as f64 / n_rows as f64;
                    sampler.typical_pools = Some(sampler.typical_pools(&ranks, share, balance)?);
                    sampler.first = Some((size, balance.clone()));
                }
                let max_samples = max_samples.filter(|_| !bootstrap);
                sampler.pools = sampler.class_rank_pools(&ranks, balance, max_samples, false)?;
            }
        }
        Ok(sampler)
    }

    /// Number of rows or groups to draw from `n`; without `max_samples` it is `usual`.
    fn resolve_n_draws(
        &self,
        max_samples: Option<&MaxSamples>,
        usual: usize,
        n: usize,
        what: &str,
    ) -> Result<usize> {
        let size = MaxSamples::resolve(max_samples, usual);
        if size > n && !self.replacement {
            let expected = format!("at most {n} when {what} are drawn without replacement");
            return Err(Error::parameter(self.method, "max_samples", &expected, size));
        }
        // Memory for twice the list is checked, because a growing list may be copied.
        check_values_fit_in_memory::<[u32; 2]>(size, "drawn rows")?;
        Ok(size)
    }

    fn class_rank_pools(
        &self,
        ranks: &[Range<u32>],
        balance: &PerClassSampling,
        max_samples: Option<&MaxSamples>,
        is_sample: bool,
    ) -> Result<Vec<RankPool>> {
        let strata = || {
            self.strata.class_strata().iter().zip(ranks).zip(0..).filter(|((_, ranks), _)| !ranks.is_empty())
        };
        let mut goal = Vec::new();
        if strata().count() > 1 {
            let mut counts = vec![0; self.n_classes];
            strata().for_each(|((of, ranks), _)| counts[of.class as usize] = ranks.len() as u64);
            let labels: Vec<Label> = (0..self.n_classes as u32).map(|code| Label::Int(code.into())).collect();
            let task = ResamplingTask::from_counts(counts, &labels).with_is_random_sample(is_sample);
            goal = balance.strategy.target_counts(self.method, balance.ratio, SamplingKind::Under, &task)?;
        }
        let pool = |((of, ranks), place): ((&Stratum, &Range<u32>), u32)| {
            let kept = goal.iter().find(|(class, _)| *class == of.class).map(|&(_, n)| n as usize);
            let resolve = |n: usize| self.resolve_n_draws(max_samples, n, ranks.len(), "rows");
            let size = kept.map(resolve).transpose()?;
            Ok(RankPool { ranks: ranks.clone(), size, class: Some(place) })
        };
        strata().map(pool).collect()
    }

    /// Pools of a sample with the fraction `share` of the rows of every class.
    ///
    /// The sample has at least one row of every class.
    fn typical_pools(
        &self,
        ranks: &[Range<u32>],
        share: f64,
        balance: &PerClassSampling,
    ) -> Result<Vec<RankPool>> {
        let mut end = 0;
        let next = |ranks: &Range<u32>| {
            let start = end;
            #[allow(clippy::cast_sign_loss)] // Fractions are positive.
            let expected = (ranks.len() as f64 * share).round() as u32;
            end += if ranks.is_empty() { 0 } else { expected.max(1) };
            start..end
        };
        let of_class: Vec<Range<u32>> = ranks.iter().map(next).collect();
        self.class_rank_pools(&of_class, balance, None, true)
    }

    /// Expected weight of each class in a sample, on an arbitrary scale.
    ///
    /// For two-step sampling, the weights are those of balancing a first sample in which every class has its
    /// expected number of rows.
    pub(crate) fn expected_class_masses(&self, facts: &ClassStats, class_weight: Option<&[f64]>) -> Vec<f64> {
        let drawn = |pool: &RankPool| pool.n_drawn() as f64;
        let of_sample = self.typical_pools.as_ref().unwrap_or(&self.pools);
        let fewest = of_sample.iter().map(drawn).fold(f64::INFINITY, f64::min);
        let mut masses = vec![0.0; self.n_classes];
        for (pool, of_sample) in self.pools.iter().zip(of_sample) {
            let times = drawn(of_sample) / fewest / pool.ranks.len() as f64;
            for of in self.strata.class_strata().iter().filter(|of| pool.ranks.contains(&of.ranks.start)) {
                let class = of.class as usize;
                masses[class] =
                    facts.stats_by_class()[class].mass * class_weight.map_or(1.0, |w| w[class]) * times;
            }
        }
        masses
    }

    pub(crate) fn strata(&self) -> &Strata {
        &self.strata
    }

    pub(crate) fn omits_rows(&self) -> bool {
        let part = |pool: &RankPool| pool.size.is_some_and(|n| self.replacement || n < pool.ranks.len());
        self.first.is_some() || self.pools.iter().any(part)
    }

    /// Whether samples are so small that copying each of them into its own table saves time.
    pub(crate) fn is_small_sample(&self) -> bool {
        self.omits_rows() && self.sample_size() <= self.strata.n_rows() / FEW
    }

    pub(crate) fn sample_size(&self) -> usize {
        self.pools.iter().map(RankPool::n_drawn).sum()
    }

    /// Draws the sample of the tree with the seed key `key`, as ranks; ranks may be repeated.
    pub(crate) fn draw_ranks(&self, key: SeedKey) -> Result<Vec<u32>> {
        let mut ranks = Vec::new();
        for attempt in 0..DRAWS {
            ranks.clear();
            self.visit_ranks_of_one_draw(key.child(tags::tree::ROWS, attempt), |rank| ranks.push(rank))?;
            if self.contains_all_classes(&ranks) {
                break;
            }
        }
        Ok(ranks)
    }

    pub(crate) fn ranks_used_by_trees(&self, keys: impl Iterator<Item = SeedKey>) -> Result<RankSet> {
        RankSet::new(self.strata.n_rows(), keys.map(|key| self.draw_ranks(key)))
    }

    /// Rows drawn for the tree with the seed key `key`, ascending; rows may be repeated.
    ///
    /// `None` if each row of the table is used once.
    pub(crate) fn draw_rows(&self, rows: &RowsByRank, key: SeedKey) -> Result<Option<Vec<u32>>> {
        if !self.omits_rows() {
            return Ok(None);
        }
        let drawn = self.draw_ranks(key)?.into_iter().map(|rank| rows.row(rank)).collect();
        Ok(Some(sort_below_bound(drawn, rows.n_table_rows())))
    }

    /// Draws one sample and calls `take` with the rank of each drawn row.
    ///
    /// A sample that lacks a class is drawn again by the caller, with another key.
    pub(crate) fn visit_ranks_of_one_draw(&self, key: SeedKey, mut take: impl FnMut(u32)) -> Result<()> {
        let Some((size, balance)) = &self.first else {
            if let Some((groups, size)) = &self.groups {
                groups.draw_groups(*size, self.replacement, key, take);
                return Ok(());
            }
            for pool in &self.pools {
                pool.draw_ranks(self.replacement, key, &mut take);
            }
            return Ok(());
        };
        let n_rows = self.strata.n_rows();
        let sample = match &self.groups {
            None => draw_with_replacement(&mut key.child(tags::drawn::ALL, 0).rng(), n_rows, *size),
            Some((groups, size)) => {
                let mut sample = Vec::new();
                groups.draw_groups(*size, true, key, |rank| sample.push(rank));
                sample
            }
        };
        let sample = sort_below_bound(sample, n_rows);
        // The first sample is sorted by rank, so each class is a range of positions in the sample.
        let place = |rank: u32| sample.partition_point(|&other| other < rank) as u32;
        let of_class: Vec<_> =
            self.strata.class_strata().iter().map(|of| place(of.ranks.start)..place(of.ranks.end)).collect();
        let mut take = |place: u32| take(sample[place as usize]);
        for pool in &self.class_rank_pools(&of_class, balance, None, true)? {
            pool.draw_ranks(self.replacement, key, &mut take);
        }
        Ok(())
    }

    fn contains_all_classes(&self, ranks: &[u32]) -> bool {
        let mut seen = vec![false; self.strata.class_strata().len()];
        let mut left = seen.len();
        for &rank in ranks {
            if !std::mem::replace(&mut seen[self.strata.stratum_index_of_rank(rank)], true) {
                left -= 1;
            }
            if left == 0 {
                return true;
            }
        }
        false
    }
}

fn sort_below_bound(mut numbers: Vec<u32>, bound: usize) -> Vec<u32> {
    if numbers.len() < bound / 8 {
        numbers.sort_unstable();
        return numbers;
    }
    // For many numbers, counting them is faster than a comparison sort.
    let mut times = vec![0_u32; bound];
    for &number in &numbers {
        times[number as usize] += 1;
    }
    numbers.clear();
    for (number, &times) in (0..).zip(&times) {
        numbers.extend(std::iter::repeat_n(number, times as usize));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, Dataset, Frame};
    use imbcore_resample::StrategyName;

    fn balanced(strategy: Strategy) -> SamplingScheme {
        let ratio = RatioBase::ToMajority;
        SamplingScheme::Balanced(PerClassSampling { strategy, ratio, replacement: true })
    }

    fn sampler(
        classes: &[u32],
        weights: Option<&[f64]>,
        draw: &SamplingScheme,
        size: Option<&MaxSamples>,
    ) -> Drawing {
        let bootstrap = *draw == SamplingScheme::Uniform;
        let x: Vec<f64> = classes.iter().map(|&class| f64::from(class)).collect();
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let n_classes = *classes.iter().max().unwrap() as usize + 1;
        let data = Dataset::new(frame, classes, n_classes, weights).unwrap();
        drawing(&data, draw, (size, bootstrap))
    }

    fn drawing(data: &Dataset<'_>, draw: &SamplingScheme, sampling: (Option<&MaxSamples>, bool)) -> Drawing {
        let sampler = RowSampler::new((&data.class_stats(), None), None, draw, sampling, "test").unwrap();
        let rows = RowsByRank::new(data, sampler.strata(), None).unwrap();
        Drawing { sampler, rows }
    }

    struct Drawing {
        sampler: RowSampler,
        rows: RowsByRank,
    }

    impl Drawing {
        fn rows(&self, key: SeedKey) -> Vec<u32> {
            self.sampler.draw_rows(&self.rows, key).unwrap().unwrap()
        }
    }

    #[test]
    fn balanced_draws_have_the_size_of_the_smallest_class() {
        let classes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
        let sampler = sampler(&classes, None, &balanced(Strategy::Named(StrategyName::All)), None);
        for tree in 0..20 {
            let rows = sampler.rows(SeedKey::root(tree));
            let count = |class| rows.iter().filter(|&&row| classes[row as usize] == class).count();
            assert_eq!([count(0), count(1), count(2)], [2, 2, 2]);
            assert!(rows.is_sorted());
        }
    }

    #[test]
    fn classes_outside_the_strategy_keep_their_rows_and_proportions_change() {
        let classes = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2];
        let sampler = sampler(&classes, None, &balanced(Strategy::Counts([(0, 4)].into())), None);
        let rows = sampler.rows(SeedKey::root(1));
        let rows_of =
            |class| rows.iter().copied().filter(|&row| classes[row as usize] == class).collect::<Vec<u32>>();
        assert_eq!((rows_of(0).len(), rows_of(1), rows_of(2)), (4, vec![5, 6], vec![7, 8, 9]));
        let x = [0.0; 10];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &classes, 3, None).unwrap();
        let masses = sampler.sampler.expected_class_masses(&data.class_stats(), None);
        assert!((masses[0] / masses[1] - 2.0).abs() < 1e-14 && (masses[2] / masses[1] - 1.5).abs() < 1e-14);
    }

    #[test]
    fn a_bootstrap_sample_is_drawn_first_on_request() {
        let mut classes = vec![0; 40];
        classes[30..].fill(1);
        let x = [0.0; 40];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &classes, 2, None).unwrap();
        let (strategy, ratio) = (Strategy::Named(StrategyName::NotMinority), RatioBase::ToMajority);
        let draw = SamplingScheme::Balanced(PerClassSampling { strategy, ratio, replacement: false });
        let sampler = drawing(&data, &draw, (None, true));
        let sizes: Vec<(usize, usize)> = (0..20)
            .map(|tree| {
                let rows = sampler.rows(SeedKey::root(tree));
                let rare = rows.iter().filter(|&&row| row >= 30).count();
                (rare, rows.len() - rare)
            })
            .collect();
        assert!(sizes.iter().all(|(rare, common)| rare == common));
        // The number of rare rows in a bootstrap sample differs between trees.
        assert!(sizes.iter().any(|&size| size != sizes[0]));
    }

    #[test]
    fn a_draw_without_a_class_is_repeated() {
        let mut classes = vec![0; 50];
        classes[17] = 1;
        let all = sampler(&classes, None, &SamplingScheme::Uniform, None);
        // A single draw misses row 17 with probability 0.36.
        assert!((0..100).all(|tree| all.rows(SeedKey::root(tree)).contains(&17)));
        let one = sampler(&classes, None, &SamplingScheme::Uniform, Some(&MaxSamples::Count(1)));
        assert_eq!(one.rows(SeedKey::root(0)).len(), 1);
    }

    #[test]
    fn rows_without_weight_are_never_drawn() {
        let weights = [1.0, 0.0, 0.5, 3.0, 1.0, 0.0];
        let sampler = sampler(&[0, 0, 0, 1, 1, 1], Some(&weights), &SamplingScheme::Uniform, None);
        for tree in 0..50 {
            let rows = sampler.rows(SeedKey::root(tree));
            assert_eq!(rows.len(), 4);
            assert!(rows.iter().all(|&row| weights[row as usize] > 0.0));
        }
    }

    /// Whether counts with equal expectation pass a chi-square test.
    /// The statistic must be within six standard deviations of its mean.
    fn is_even(counts: &[u32]) -> bool {
        let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let chi2: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
        let freedom = counts.len() as f64 - 1.0;
        (chi2 - freedom).abs() < 6.0 * (2.0 * freedom).sqrt()
    }

    #[test]
    fn every_class_is_drawn_like_a_bootstrap_sample() {
        let classes: Vec<u32> = (0..3000).map(|row| u32::from(row % 30 == 7)).collect();
        let forest = sampler(&classes, None, &balanced(Strategy::Named(StrategyName::All)), None);
        let (mut drawn, mut left_out) = (vec![0_u32; 3000], 0);
        let n_trees = 3000;
        for tree in 0..n_trees {
            let rows = forest.rows(SeedKey::root(3).child(tags::forest::TREE, tree));
            let mut rare: Vec<u32> = rows.iter().copied().filter(|&row| row % 30 == 7).collect();
            for &row in &rows {
                drawn[row as usize] += 1;
            }
            assert_eq!((rows.len(), rare.len()), (200, 100));
            rare.dedup();
            left_out += 100 - rare.len();
        }
        let counts_of =
            |class| drawn.iter().zip(&classes).filter(move |(_, of)| **of == class).map(|(n, _)| *n);
        assert!(is_even(&counts_of(0).collect::<Vec<_>>()) && is_even(&counts_of(1).collect::<Vec<_>>()));
        // A tree omits a positive row with probability 0.99^100; the number of omitted rows has a standard
        // deviation of 3.1.
        let share = left_out as f64 / f64::from(n_trees);
        let error = (share - 100.0 * 0.99_f64.powi(100)).abs();
        assert!(error < 6.0 * 3.1 / f64::from(n_trees).sqrt(), "{share}");
    }

    #[test]
    fn draws_from_a_class_do_not_depend_on_rows_of_others() {
        let short: Vec<u32> = (0..100).map(|row| u32::from(row % 10 == 0)).collect();
        let long: Vec<u32> = short.iter().copied().chain(std::iter::repeat_n(0, 900)).collect();
        let rare = |classes: &[u32]| {
            let rows = sampler(classes, None, &balanced(Strategy::Named(StrategyName::All)), None)
                .rows(SeedKey::root(5));
            rows.into_iter().filter(|&row| classes[row as usize] == 1).collect::<Vec<_>>()
        };
        assert_eq!(rare(&short), rare(&long));
    }

    #[test]
    fn samples_are_small_up_to_a_quarter_of_the_rows() {
        let is_small = |n_common: usize| {
            let classes: Vec<u32> = (0..n_common + 10).map(|row| u32::from(row < 10)).collect();
            let drawn = sampler(&classes, None, &balanced(Strategy::Named(StrategyName::All)), None);
            drawn.sampler.is_small_sample()
        };
        assert_eq!([is_small(69), is_small(70)], [false, true]);
    }
}
