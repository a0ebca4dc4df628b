//! Sample of rows for one tree.
//!
//! A small sample is a list of rows. A large sample is usually a count for each row of the table.

use crate::row_sampler::{DRAWS, RowSampler};
use crate::strata::{RowsByRank, Stratum};
use imbcore_core::{Dataset, Result, SeedKey, tags};
use imbcore_trees::DrawnRows;

pub(crate) enum RowSample {
    All,
    /// Indices of the sampled rows, ascending; an index occurs as often as its row was drawn.
    Listed(Vec<u32>),
    Counted(Vec<u8>),
}

impl RowSample {
    pub(crate) fn rows(&self) -> DrawnRows<'_> {
        match self {
            Self::All => DrawnRows::All,
            Self::Listed(rows) => DrawnRows::Listed(rows),
            Self::Counted(times) => DrawnRows::Counted(times),
        }
    }

    /// Restricts the sample to the rows for which `trains` is true.
    ///
    /// If the sample has no such row, the result contains all rows of the table for which `trains` is true,
    /// each once.
    pub(crate) fn keep_training_rows(self, trains: &[bool]) -> Self {
        let all = || Self::Listed((0..trains.len() as u32).filter(|&row| trains[row as usize]).collect());
        match self {
            Self::All => all(),
            Self::Listed(mut rows) => {
                rows.retain(|&row| trains[row as usize]);
                if rows.is_empty() { all() } else { Self::Listed(rows) }
            }
            Self::Counted(mut times) => {
                times
                    .iter_mut()
                    .zip(trains)
                    .filter(|(_, trains)| !**trains)
                    .for_each(|(times, _)| *times = 0);
                if times.iter().all(|&times| times == 0) { all() } else { Self::Counted(times) }
            }
        }
    }

    pub(crate) fn sampled_row_bits(&self, n_rows: usize) -> Vec<u64> {
        let mut seen = vec![0; n_rows.div_ceil(64)];
        let mut see = |row: usize| seen[row / 64] |= 1 << (row % 64);
        match self {
            Self::All => (0..n_rows).for_each(see),
            Self::Listed(rows) => rows.iter().for_each(|&row| see(row as usize)),
            Self::Counted(times) => (0..n_rows).filter(|&row| times[row] > 0).for_each(see),
        }
        seen
    }
}

impl RowSampler {
    /// Draws the sample of the tree with the seed key `key`.
    ///
    /// The result is [`RowSample::All`] if samples cannot omit rows. Otherwise `rows`, if given, maps ranks
    /// to rows (see `Strata`), and the sample is a list of rows. If `rows` is `None`, the whole table is in
    /// memory, and the sample counts the draws of each row. It is a list if a count does not fit into a byte.
    pub(crate) fn draw_sample(
        &self,
        rows: Option<&RowsByRank>,
        data: &Dataset<'_>,
        key: SeedKey,
    ) -> Result<RowSample> {
        let listed =
            |rows: &RowsByRank| Ok(self.draw_rows(rows, key)?.map_or(RowSample::All, RowSample::Listed));
        match rows {
            Some(rows) => listed(rows),
            None if !self.omits_rows() => Ok(RowSample::All),
            None => match self.draw_counts_by_rank(key)? {
                Some(of_rank) => Ok(RowSample::Counted(self.strata().reorder_by_row(of_rank, data))),
                None => listed(&RowsByRank::new(data, self.strata(), None)?),
            },
        }
    }

    /// For each rank (see `Strata`), how often the tree with the seed key `key` draws its row.
    ///
    /// `None` if a count does not fit into a byte.
    fn draw_counts_by_rank(&self, key: SeedKey) -> Result<Option<Vec<u8>>> {
        let mut times = vec![0_u8; self.strata().n_rows()];
        for attempt in 0..DRAWS {
            times.fill(0);
            let mut fits = true;
            let count = |rank: u32| {
                let times = &mut times[rank as usize];
                fits &= *times < u8::MAX;
                *times = times.saturating_add(1);
            };
            self.visit_ranks_of_one_draw(key.child(tags::tree::ROWS, attempt), count)?;
            if !fits {
                return Ok(None);
            }
            let sees =
                |of: &Stratum| times[of.ranks.start as usize..of.ranks.end as usize].iter().any(|&n| n > 0);
            if self.strata().class_strata().iter().all(sees) {
                break;
            }
        }
        Ok(Some(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::max_samples::MaxSamples;
    use crate::row_sampler::SamplingScheme;
    use imbcore_core::{Column, Frame};

    #[test]
    fn a_list_and_counts_contain_the_same_rows() {
        let mut times = vec![0_u8; 130];
        (times[3], times[64], times[129]) = (2, 1, 1);
        let listed = RowSample::Listed(vec![3, 3, 64, 129]).sampled_row_bits(130);
        assert_eq!(listed, [1 << 3, 1, 2]);
        assert_eq!(listed, RowSample::Counted(times).sampled_row_bits(130));
        assert_eq!(RowSample::All.sampled_row_bits(65), [u64::MAX, 1]);
    }

    fn both_ways(size: u32) -> Vec<(RowSample, Vec<u32>)> {
        let x = [0.0; 40];
        let classes: Vec<u32> = (0..40).map(|row| u32::from(row % 13 == 5)).collect();
        let weights: Vec<f64> = (0..40).map(|row| f64::from(u8::from(row % 7 > 0))).collect();
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::new(frame, &classes, 2, Some(&weights)).unwrap();
        let sampling = (Some(&MaxSamples::Count(size)), true);
        let sampler =
            RowSampler::new((&data.class_stats(), None), None, &SamplingScheme::Uniform, sampling, "test")
                .unwrap();
        let rows = RowsByRank::new(&data, sampler.strata(), None).unwrap();
        let of_tree = |tree| {
            let key = SeedKey::root(tree);
            (sampler.draw_sample(None, &data, key).unwrap(), sampler.draw_rows(&rows, key).unwrap().unwrap())
        };
        (0..50).map(of_tree).collect()
    }

    #[test]
    fn counts_are_those_of_the_list() {
        // A sample of 12 rows sometimes lacks one of the two classes and is drawn again.
        for (drawn, rows) in [both_ways(12), both_ways(34), both_ways(3000)].into_iter().flatten() {
            let RowSample::Counted(times) = drawn else { unreachable!("counts fit into a byte") };
            let repeat = |(row, &n): (u32, &u8)| std::iter::repeat_n(row, n.into());
            assert_eq!((0..).zip(&times).flat_map(repeat).collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn samples_whose_counts_exceed_a_byte_are_listed() {
        for (drawn, rows) in both_ways(20_000) {
            assert!(matches!(drawn, RowSample::Listed(listed) if listed == rows));
        }
    }
}
