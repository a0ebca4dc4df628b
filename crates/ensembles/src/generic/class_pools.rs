//! Random draws of rows and columns for bags.

use crate::max_samples::MaxSamples;
use crate::row_sampler::DRAWS;
use crate::strata::{RankSet, RowsByRank, Strata};
use imbcore_core::{Dataset, Error, Result, RowGroups, SeedKey, tags};
use imbcore_resample::{draw_distinct, draw_with_replacement};
use std::borrow::Cow;

#[derive(Clone, Debug)]
pub(crate) struct ClassRowPools {
    strata: Strata,
    rows: RowsByRank,
    /// Groups of the rows, given by ranks of rows (see [`Strata`]); `None` without groups.
    ///
    /// If rows have groups, a bag first draws whole groups.
    groups: Option<RowGroups>,
}

impl ClassRowPools {
    pub(crate) fn new(data: &Dataset<'_>, ranks_in_memory: Option<RankSet>) -> Result<Self> {
        let strata = Strata::new(&data.class_stats(), None)?;
        let rows = RowsByRank::new(data, &strata, ranks_in_memory)?;
        let groups = strata.row_groups_by_rank(data)?;
        Ok(Self { strata, rows, groups })
    }

    /// Rows from which the bag with the seed key `key` is drawn.
    ///
    /// Without groups, these are all rows. With groups, they are the rows of a bootstrap sample of the
    /// groups, with as many draws as there are groups. If the sample lacks a class, it is drawn again, up to
    /// 100 draws in all. The last one is used even if it lacks a class.
    pub(crate) fn pools_for_bag(&self, key: SeedKey) -> Cow<'_, Self> {
        let Some(groups) = &self.groups else { return Cow::Borrowed(self) };
        let mut sample = Vec::new();
        let mut strata = self.strata.clone();
        for attempt in 0..DRAWS {
            sample.clear();
            let key = key.child(tags::bag::GROUPS, attempt);
            groups.draw_groups(groups.n_groups(), true, key, |rank| sample.push(rank));
            sample.sort_unstable();
            strata = self.strata.restricted_to_sample(&sample);
            if strata.class_strata().len() == self.strata.class_strata().len() {
                break;
            }
        }
        Cow::Owned(Self { strata, rows: self.rows.restricted_to_sample(&sample), groups: None })
    }

    pub(crate) fn strata(&self) -> &Strata {
        &self.strata
    }

    pub(crate) fn rows_of_ranks(&self, ranks: Vec<u32>) -> Vec<u32> {
        self.rows.rows_of_ranks(ranks)
    }

    pub(crate) fn rows_of_class(&self, class: u32) -> &[u32] {
        self.strata.class_position_and_ranks(class).map_or(&[], |(_, ranks)| self.rows.rows_in_range(ranks))
    }

    pub(crate) fn nonempty_classes(&self) -> impl Iterator<Item = u32> {
        let mut classes: Vec<u32> = self.strata.class_strata().iter().map(|of| of.class).collect();
        classes.sort_unstable();
        classes.into_iter()
    }

    /// Class with the fewest rows, the lowest on ties.
    pub(crate) fn minority_class(&self) -> u32 {
        self.strata.smallest_class().map_or(0, |of| of.class)
    }

    /// Class with the most rows, the lowest on ties.
    pub(crate) fn majority_class(&self) -> u32 {
        self.strata.largest_class().map_or(0, |of| of.class)
    }

    pub(crate) fn largest_class_size(&self) -> usize {
        self.strata.largest_class().map_or(0, |of| of.ranks.len())
    }

    pub(crate) fn draw_class_rows(&self, class: u32, n: usize, replacement: bool, key: SeedKey) -> Vec<u32> {
        let ranks = self.strata.draw_class_ranks(class, n, replacement, key);
        ranks.into_iter().map(|rank| self.rows.row(rank)).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnSampling {
    n_all: usize,
    n_seen: usize,
    bootstrap: bool,
}

impl ColumnSampling {
    pub(crate) fn new(
        method: &str,
        max_features: &MaxSamples,
        bootstrap: bool,
        n_columns: usize,
    ) -> Result<Self> {
        #[allow(clippy::cast_sign_loss)] // Fractions are positive.
        let n_seen = match *max_features {
            MaxSamples::Count(count) => count as usize,
            MaxSamples::Share(share) => ((share * n_columns as f64) as usize).max(1),
        };
        if n_seen > n_columns {
            let expected = format!("at most {n_columns}, the number of columns");
            return Err(Error::parameter(method, "max_features", &expected, n_seen));
        }
        Ok(Self { n_all: n_columns, n_seen, bootstrap })
    }

    /// Columns of the bag with the seed key `key`, ascending; empty for all columns.
    pub(crate) fn draw_columns(self, key: SeedKey) -> Vec<u32> {
        let mut rng = key.child(tags::bag::COLUMNS, 0).rng();
        let mut seen = match self.bootstrap {
            true => draw_with_replacement(&mut rng, self.n_all, self.n_seen),
            false if self.n_seen == self.n_all => return Vec::new(),
            false => draw_distinct(&mut rng, self.n_all, self.n_seen),
        };
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == self.n_all { Vec::new() } else { seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, Frame};

    #[test]
    fn pools_exclude_rows_without_weight() {
        let x = [0.0; 6];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let weights = [1.0, 0.0, 2.0, 1.0, 0.5, 0.0];
        let data = Dataset::new(frame, &[0, 0, 2, 2, 2, 1], 3, Some(&weights)).unwrap();
        let pools = ClassRowPools::new(&data, None).unwrap();
        assert_eq!((pools.minority_class(), pools.majority_class()), (0, 2));
        assert_eq!((pools.rows_of_class(0), pools.largest_class_size()), (&[0][..], 3));
        assert_eq!(pools.nonempty_classes().collect::<Vec<_>>(), [0, 2]);
        let mut drawn = pools.draw_class_rows(2, 9, false, SeedKey::root(1));
        drawn.sort_unstable();
        assert_eq!(drawn, [2, 3, 4]);
        assert_eq!(pools.draw_class_rows(0, 4, true, SeedKey::root(1)), [0; 4]);
    }

    #[test]
    fn columns_are_some_or_all() {
        let draw = |share, bootstrap, seed| {
            let columns = ColumnSampling::new("test", &MaxSamples::Share(share), bootstrap, 8).unwrap();
            columns.draw_columns(SeedKey::root(seed))
        };
        assert!(draw(1.0, false, 0).is_empty());
        for seed in 0..20 {
            let half = draw(0.5, false, seed);
            assert!(half.len() == 4 && half.is_sorted_by(|a, b| a < b) && half[3] < 8);
            assert!(draw(1.0, true, seed).len() <= 8);
        }
        assert_ne!(draw(0.5, false, 0), draw(0.5, false, 1));
        assert!(ColumnSampling::new("test", &MaxSamples::Count(9), false, 8).is_err());
    }
}
