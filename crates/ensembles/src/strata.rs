//! Ranks, which number the rows of a table class by class.
//!
//! Samples are drawn as ranks from the class counts, before any column is read.

use imbcore_core::{ClassStats, Dataset, Error, Result, RowGroups, SeedKey, tags};
use imbcore_resample::{draw_distinct, draw_with_replacement};
use std::ops::Range;

/// Ranks of the rows with positive weight, which number these rows class by class from 0.
/// The classes are in the order of their first rows, and the rows of a class are in the order of the table.
///
/// The rank of a row depends only on the classes and weights of the rows. A chunk of the table can compute
/// the ranks of its rows from the class counts of earlier chunks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strata(Vec<Stratum>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stratum {
    pub(crate) class: u32,
    pub(crate) ranks: Range<u32>,
}

impl Strata {
    /// Assigns ranks to the rows of positive weight.
    ///
    /// If `class_weight` is given, rows of a class with weight 0 get no rank.
    pub(crate) fn new(facts: &ClassStats, class_weight: Option<&[f64]>) -> Result<Self> {
        let mut present = facts.present_classes(class_weight);
        // Classes are in the order of their first rows, so that renaming the classes does not change the
        // samples.
        present.sort_by_key(|&class| facts.stats_by_class()[class as usize].first);
        let mut next = 0_u32;
        let stratum = |class: u32| {
            let n = u32::try_from(facts.stats_by_class()[class as usize].n_weighing).ok();
            let end = n.and_then(|n| next.checked_add(n)).ok_or_else(|| {
                Error::Data(format!(
                    "at most {} rows with positive weight are supported for sampling",
                    u32::MAX
                ))
            })?;
            Ok(Stratum { class, ranks: std::mem::replace(&mut next, end)..end })
        };
        Ok(Self(present.into_iter().map(stratum).collect::<Result<_>>()?))
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.0.last().map_or(0, |last| last.ranks.end as usize)
    }

    pub(crate) fn class_strata(&self) -> &[Stratum] {
        &self.0
    }

    /// Class with the fewest ranks; the lowest class code on ties.
    pub(crate) fn smallest_class(&self) -> Option<&Stratum> {
        self.0.iter().min_by_key(|of| (of.ranks.len(), of.class))
    }

    /// Class with the most ranks; the lowest class code on ties.
    pub(crate) fn largest_class(&self) -> Option<&Stratum> {
        self.0.iter().max_by_key(|of| (of.ranks.len(), std::cmp::Reverse(of.class)))
    }

    /// Position of a class in the order of first rows, and the ranks of its rows.
    pub(crate) fn class_position_and_ranks(&self, class: u32) -> Option<(u32, Range<u32>)> {
        let place = self.0.iter().position(|of| of.class == class)?;
        Some((place as u32, self.0[place].ranks.clone()))
    }

    /// Draws the ranks of `n` rows of a class for the bag with the seed key `key`.
    ///
    /// The ranks are in the order of the draws. Without `replacement`, all ranks of the class are drawn if it
    /// has fewer than `n`.
    pub(crate) fn draw_class_ranks(&self, class: u32, n: usize, replacement: bool, key: SeedKey) -> Vec<u32> {
        // The random stream is chosen by the position of the class, not by its code, so that renaming the
        // classes does not change the bags.
        let Some((place, ranks)) = self.class_position_and_ranks(class) else { return Vec::new() };
        let mut rng = key.child(tags::bag::ROWS, place).rng();
        let draw = if replacement { draw_with_replacement } else { draw_distinct };
        draw(&mut rng, ranks.len(), n).into_iter().map(|place| ranks.start + place).collect()
    }

    /// Converts an array with one number per rank to an array with one number per row.
    ///
    /// The whole table must be in memory. Rows of weight 0 get the number 0.
    pub(crate) fn reorder_by_row(&self, mut numbers: Vec<u8>, data: &Dataset<'_>) -> Vec<u8> {
        let Some(largest) = self.largest_class() else { return vec![0; data.n_rows()] };
        let place = |of: &Stratum| of.ranks.start as usize..of.ranks.end as usize;
        let mut others = vec![Vec::new(); data.n_classes()];
        for of in self.0.iter().filter(|of| of.class != largest.class) {
            others[of.class as usize] = numbers[place(of)].to_vec();
        }
        numbers.copy_within(place(largest), 0);
        numbers.resize(data.n_rows(), 0);
        let mut left = largest.ranks.len();
        for (row, &class) in data.class_codes().iter().enumerate().rev() {
            numbers[row] = if data.weight(row) == 0.0 {
                0
            } else if class == largest.class {
                left -= 1;
                numbers[left]
            } else {
                others[class as usize].pop().unwrap_or_default()
            };
        }
        numbers
    }

    pub(crate) fn row_groups_by_rank(&self, data: &Dataset<'_>) -> Result<Option<RowGroups>> {
        let Some(codes) = data.dependence().groups() else { return Ok(None) };
        if data.is_sample() {
            return Err(Error::Unsupported(
                "groups is not available for streamed training data; read the rows into memory, or omit groups".into(),
            ));
        }
        let rows = RowsByRank::new(data, self, None)?.rows;
        Ok(Some(RowGroups::new(rows.iter().map(|&row| codes[row as usize]))))
    }

    /// Strata of a sample: the position of a row in the sample becomes its rank.
    ///
    /// `sample` is a sorted list of ranks, possibly repeated. Classes without rows in the sample are left
    /// out.
    pub(crate) fn restricted_to_sample(&self, sample: &[u32]) -> Self {
        let place = |rank: u32| sample.partition_point(|&other| other < rank) as u32;
        let of_class =
            |of: &Stratum| Stratum { class: of.class, ranks: place(of.ranks.start)..place(of.ranks.end) };
        Self(self.0.iter().map(of_class).filter(|of| !of.ranks.is_empty()).collect())
    }

    pub(crate) fn stratum_index_of_rank(&self, rank: u32) -> usize {
        self.0.partition_point(|stratum| stratum.ranks.end <= rank)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RankSet {
    bits: Vec<u64>,
    /// For each word of `bits`, the number of bits that are 1 in all earlier words.
    before: Vec<u32>,
}

impl RankSet {
    pub(crate) fn new(n: usize, drawn: impl Iterator<Item = Result<Vec<u32>>>) -> Result<Self> {
        let mut bits = vec![0_u64; n.div_ceil(64)];
        for ranks in drawn {
            for rank in ranks? {
                bits[rank as usize / 64] |= 1 << (rank % 64);
            }
        }
        let mut n_before = 0;
        let mut count = |word: &u64| {
            n_before += word.count_ones();
            n_before - word.count_ones()
        };
        let before = bits.iter().map(&mut count).collect();
        Ok(Self { bits, before })
    }

    pub(crate) fn n_ranks_below(&self, rank: u32) -> u32 {
        let (word, bit) = (rank as usize / 64, rank % 64);
        let Some(before) = self.before.get(word) else { return self.len() };
        before + (self.bits[word] & ((1 << bit) - 1)).count_ones()
    }

    fn len(&self) -> u32 {
        let last = self.bits.last().map_or(0, |word| word.count_ones());
        self.before.last().map_or(0, |before| before + last)
    }

    /// For each class, the numbers of its rows whose ranks are in this set, ascending.
    ///
    /// The rows of a class are numbered from 0.
    pub(crate) fn row_indices_by_class(&self, strata: &Strata, n_classes: usize) -> Vec<Vec<u32>> {
        let mut found = vec![Vec::new(); n_classes];
        for Stratum { class, ranks } in strata.class_strata() {
            found[*class as usize] =
                self.ranks_in_range(ranks.clone()).map(|rank| rank - ranks.start).collect();
        }
        found
    }

    pub(crate) fn ranks_in_range(&self, ranks: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        ranks.filter(|&rank| self.bits[rank as usize / 64] >> (rank % 64) & 1 == 1)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RowsByRank {
    /// Rows in memory, in the order of their ranks.
    rows: Vec<u32>,
    /// Ranks of the rows in memory; `None` if all rows are in memory.
    ranks_in_memory: Option<RankSet>,
    /// Number of rows of the data set, including those without weight.
    n_table: usize,
}

impl RowsByRank {
    /// Sorts the rows of a table by rank; the table has all rows, or only `ranks_in_memory`.
    pub(crate) fn new(data: &Dataset<'_>, strata: &Strata, ranks_in_memory: Option<RankSet>) -> Result<Self> {
        let mut by_class = vec![Vec::new(); data.n_classes()];
        for row in (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0) {
            by_class[data.class_codes()[row] as usize].push(row as u32);
        }
        let fits = |stratum: &Stratum| {
            let Range { start, end } = stratum.ranks;
            let n = ranks_in_memory.as_ref().map_or(end - start, |ranks_in_memory| {
                ranks_in_memory.n_ranks_below(end) - ranks_in_memory.n_ranks_below(start)
            });
            by_class[stratum.class as usize].len() == n as usize
        };
        if !strata.class_strata().iter().all(fits) {
            return Err(Error::Data(
                "the rows read differ from the rows sampled before; check whether the data changed during the fit".into(),
            ));
        }
        let rows =
            strata.class_strata().iter().flat_map(|stratum| &by_class[stratum.class as usize]).copied();
        Ok(Self { rows: rows.collect(), ranks_in_memory, n_table: data.n_rows() })
    }

    #[inline]
    pub(crate) fn row(&self, rank: u32) -> u32 {
        let place =
            self.ranks_in_memory.as_ref().map_or(rank, |ranks_in_memory| ranks_in_memory.n_ranks_below(rank));
        self.rows[place as usize]
    }

    pub(crate) fn rows_in_range(&self, ranks: Range<u32>) -> &[u32] {
        let place = |rank: u32| {
            self.ranks_in_memory.as_ref().map_or(rank, |ranks_in_memory| ranks_in_memory.n_ranks_below(rank))
                as usize
        };
        &self.rows[place(ranks.start)..place(ranks.end)]
    }

    pub(crate) fn rows_of_ranks(&self, ranks: Vec<u32>) -> Vec<u32> {
        let mut rows: Vec<u32> = ranks.into_iter().map(|rank| self.row(rank)).collect();
        rows.sort_unstable();
        rows
    }

    /// Rows with the ranks in `sample`; the position of a row in `sample` becomes its rank.
    pub(crate) fn restricted_to_sample(&self, sample: &[u32]) -> Self {
        let rows = sample.iter().map(|&rank| self.row(rank)).collect();
        Self { rows, ranks_in_memory: None, n_table: self.n_table }
    }

    pub(crate) fn n_table_rows(&self) -> usize {
        self.n_table
    }

    pub(crate) fn all_rows(&self) -> Vec<u32> {
        let mut rows = self.rows.clone();
        rows.sort_unstable();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, Frame};

    const CLASSES: [u32; 7] = [2, 0, 0, 2, 1, 0, 2];
    const WEIGHTS: [f64; 7] = [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0];

    fn facts() -> ClassStats {
        let mut facts = ClassStats::new(3);
        facts.add(&CLASSES, Some(&WEIGHTS));
        facts
    }

    #[test]
    fn rows_are_numbered_class_by_class_in_the_order_of_first_rows() {
        let strata = Strata::new(&facts(), None).unwrap();
        let found: Vec<_> = strata.class_strata().iter().map(|of| (of.class, of.ranks.clone())).collect();
        assert_eq!(found, [(2, 0..3), (0, 3..5), (1, 5..6)]);
        assert_eq!(
            (0..6).map(|rank| strata.stratum_index_of_rank(rank)).collect::<Vec<_>>(),
            [0, 0, 0, 1, 1, 2]
        );
        let without = Strata::new(&facts(), Some(&[1.0, 1.0, 0.0])).unwrap();
        assert_eq!(without.n_rows(), 3);
    }

    #[test]
    fn ranks_map_to_rows_of_the_whole_table_and_of_a_sample() {
        let strata = Strata::new(&facts(), None).unwrap();
        let whole = [0.0; 7];
        let frame = Frame::new(vec![Column::from_numbers(&whole)]).unwrap();
        let data = Dataset::new(frame, &CLASSES, 3, Some(&WEIGHTS)).unwrap();
        let rows = RowsByRank::new(&data, &strata, None).unwrap();
        assert_eq!((0..6).map(|rank| rows.row(rank)).collect::<Vec<_>>(), [0, 3, 6, 1, 5, 4]);
        assert_eq!(rows.all_rows(), [0, 1, 3, 4, 5, 6]);
        assert_eq!(strata.reorder_by_row(vec![1, 2, 3, 4, 5, 6], &data), [1, 4, 0, 2, 6, 5, 3]);
        // Ranks 1, 4 and 5 are rows 3, 5 and 4 of the table. If only these rows are read, in table order,
        // they are rows 0, 2 and 1 of the data.
        let drawn = || RankSet::new(6, [Ok(vec![5, 1]), Ok(vec![1, 4])].into_iter()).unwrap();
        assert_eq!(drawn().ranks_in_range(0..6).collect::<Vec<_>>(), [1, 4, 5]);
        let part = Frame::new(vec![Column::from_numbers(&whole[..3])]).unwrap();
        let read = Dataset::new(part.clone(), &[2, 1, 0], 3, None).unwrap();
        let rows = RowsByRank::new(&read, &strata, Some(drawn())).unwrap();
        assert_eq!([1, 4, 5].map(|rank| rows.row(rank)), [0, 2, 1]);
        let other = Dataset::new(part, &[2, 2, 0], 3, None).unwrap();
        assert!(RowsByRank::new(&other, &strata, Some(drawn())).is_err());
    }

    #[test]
    fn ranks_below_are_counted_across_words() {
        let set = RankSet::new(200, std::iter::once(Ok(vec![0, 63, 64, 130, 199]))).unwrap();
        let below = [0, 1, 63, 64, 65, 130, 131, 199, 200].map(|rank| set.n_ranks_below(rank));
        assert_eq!(below, [0, 1, 1, 2, 3, 3, 4, 4, 5]);
    }
}
