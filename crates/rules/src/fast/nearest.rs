//! Search for the values next to many bounds, in one pass and without sorting the rows.

use super::sorted_queries::{IntervalExtrema, QueryValues, SortedQueries};
use super::value_filter::ValueFilter;
use crate::feature_space::{FeatureSpace, add_level};
use crate::row_pass::{PartitionRequestKind, RowPass, run_pass};
use crate::row_source::{BLOCK, ColumnBlock, RowSource};
use imbcore_core::{MISSING, Result, RunContext};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NearestValues {
    pub(crate) next: Vec<QueryValues>,
    pub(crate) levels: Vec<u32>,
}

/// Number of rows of the sample that is searched first in a large table.
///
/// A table is large if it has at least `TIMES` times as many rows as the sample.
const SAMPLE: usize = 1 << 14;
const TIMES: usize = 4;

/// Finds the data values nearest to many bounds, without the rows listed in `but`.
///
/// `asked` has the bounds of each feature; each bound is a query. `but` has ascending row numbers. If the
/// table is large, a sample of its rows is searched first. Then only values that can be nearer to a query
/// than the values of the sample are looked up.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(crate) fn find_nearest_values(
    table: &dyn RowSource,
    space: &FeatureSpace,
    asked: &[QueryValues],
    but: &[usize],
    ctl: RunContext<'_>,
) -> Result<NearestValues> {
    let climbing = |but| NearestPass {
        space: Cow::Borrowed(space),
        asked: Cow::Borrowed(asked),
        but,
        ladders: Vec::new(),
        sieves: Vec::new(),
    };
    let mut all = climbing(Cow::Borrowed(but)).with_sorted_queries(ctl)?;
    if let Some(frame) = table.in_memory_table().filter(|frame| frame.n_rows() >= TIMES * SAMPLE) {
        let every = frame.n_rows() / SAMPLE;
        let rows: Vec<u32> = (0..SAMPLE).map(|place| (place * every) as u32).collect();
        let sample = frame.take(&rows, ctl)?;
        let places = but.iter().filter(|row| row.is_multiple_of(every)).map(|row| row / every);
        let step = climbing(places.collect()).with_sorted_queries(ctl)?;
        let (rungs, _) = step.merge_nearest_values(run_pass(&sample.borrow()?, &step, ctl)?);
        all.sieves =
            all.ladders.iter().zip(&rungs).map(|(ladder, rungs)| ValueFilter::new(ladder, rungs)).collect();
    }
    let (rungs, levels) = all.merge_nearest_values(run_pass(table, &all, ctl)?);
    let searched = all.ladders.iter().zip(rungs).zip(asked);
    let next = searched.map(|((ladder, rungs), asked)| {
        ctl.check()?;
        Ok(ladder.nearest_values_per_query(rungs, asked))
    });
    Ok(NearestValues { next: next.collect::<Result<_>>()?, levels })
}

/// Pass over the rows that finds the smallest and largest value between neighboring queries.
///
/// A query is the position of a bound. A filter first removes values that cannot be the nearest value of any
/// query.
#[derive(Serialize, Deserialize)]
pub(crate) struct NearestPass<'a> {
    space: Cow<'a, FeatureSpace>,
    asked: Cow<'a, [QueryValues]>,
    /// Numbers of excluded rows, ascending.
    but: Cow<'a, [usize]>,
    #[serde(skip)]
    ladders: Vec<SortedQueries>,
    #[serde(skip)]
    sieves: Vec<Option<ValueFilter>>,
}

/// For each feature, the smallest and largest value between neighboring queries.
///
/// A query is the position of a bound. The second list has the levels that occur, as bit sets.
type PartialNearestValues = (Vec<IntervalExtrema>, Vec<u32>);

impl NearestPass<'_> {
    /// Sorts the queries, which are the positions of bounds.
    ///
    /// A serialized pass does not contain the sorted queries, so the receiver sorts them again.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(crate) fn with_sorted_queries(mut self, ctl: RunContext<'_>) -> Result<Self> {
        let sorted = self.asked.iter().map(|asked| ctl.check().map(|()| SortedQueries::new(asked)));
        self.ladders = sorted.collect::<Result<_>>()?;
        self.sieves = vec![None; self.ladders.len()];
        Ok(self)
    }

    fn merge_nearest_values(&self, parts: Vec<PartialNearestValues>) -> PartialNearestValues {
        let (mut rungs, mut levels) = self.new_partial_result();
        for (part_rungs, part_levels) in parts {
            levels.iter_mut().zip(part_levels).for_each(|(word, part)| *word |= part);
            rungs.iter_mut().zip(part_rungs).for_each(|(rungs, part)| rungs.merge(&part));
        }
        (rungs, levels)
    }

    fn searched_row_mask(&self, rows: &Range<usize>) -> [bool; BLOCK] {
        let mut counts = [true; BLOCK];
        let first = self.but.partition_point(|&row| row < rows.start);
        for row in self.but[first..].iter().take_while(|row| rows.contains(row)) {
            counts[row - rows.start] = false;
        }
        counts
    }
}

impl RowPass for NearestPass<'_> {
    const KIND: PartitionRequestKind = PartitionRequestKind::Nearest;
    type Part = PartialNearestValues;

    fn new_partial_result(&self) -> PartialNearestValues {
        (self.ladders.iter().map(SortedQueries::empty_extrema).collect(), vec![0; self.space.n_level_words()])
    }

    fn add_block(
        &self,
        (rungs, levels): &mut PartialNearestValues,
        rows: Range<usize>,
        blocks: &[ColumnBlock<'_>],
    ) {
        let counting = self.searched_row_mask(&rows);
        let counts = |place: &usize| counting[*place];
        let mut places = [0; BLOCK];
        for (feature, part) in blocks.iter().enumerate() {
            match part {
                ColumnBlock::Numbers(values) => {
                    let (ladder, rungs) = (&self.ladders[feature], &mut rungs[feature]);
                    if ladder.distinct_queries().is_empty() {
                        continue;
                    }
                    if let Some(sieve) = &self.sieves[feature] {
                        let n = sieve.write_kept_value_indices(values, &mut places);
                        let left = places[..n].iter().map(|&place| place as usize).filter(counts);
                        ladder.update_extrema(left.map(|place| values[place]), rungs);
                    } else {
                        ladder.update_extrema(
                            (0..values.len()).filter(counts).map(|place| values[place]),
                            rungs,
                        );
                    }
                }
                ColumnBlock::Codes(codes) => {
                    let set = &mut levels[self.space.level_word_range(feature)];
                    let counting = codes.iter().enumerate().filter(|(place, _)| counts(place));
                    for (_, &code) in counting.filter(|(_, code)| **code != MISSING) {
                        add_level(set, code);
                    }
                }
            }
        }
    }

    fn merge_partial_results(&self, parts: Vec<PartialNearestValues>) -> Vec<PartialNearestValues> {
        vec![self.merge_nearest_values(parts)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, Frame};
    use proptest::prelude::*;

    fn drawn(n: usize, grain: f64) -> Vec<f64> {
        let mut state = 9_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64
        };
        (0..n).map(|_| (next() / grain).floor() - if grain < 2.0 { 8e6 } else { 0.0 }).collect()
    }

    #[test]
    fn value_filter_keeps_all_neighbors() {
        let n = TIMES * SAMPLE + 777;
        for grain in [1.0, 1e3, 1e6] {
            let mut x = drawn(n, grain);
            // Data of kind 1 are sorted. Data of kind 2 contain a missing value, and extreme values that are
            // not in the sample.
            for (kind, far) in [(0, 1.0), (1, 1.0), (2, 1e6)] {
                match kind {
                    1 => x.sort_by(f64::total_cmp),
                    2 => (x[1], x[n - 2], x[5]) = (-far * 1e3, far * 1e3, f64::NAN),
                    _ => {}
                }
                let asks: Vec<f64> = x
                    .iter()
                    .skip(3)
                    .step_by(n / 50)
                    .map(|x| x + 0.25)
                    .chain(x.iter().skip(11).step_by(n / 20).copied())
                    .chain([-1e12, 1e12, f64::INFINITY])
                    .filter(|x| !x.is_nan())
                    .collect();
                let asked = [QueryValues { below: asks.clone(), above: asks.clone() }];
                let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
                let counts = |row: usize| row % 7 != 2;
                // If there are only a few different values, at least half of the cells would be marked, so
                // there is no filter.
                let ladder = SortedQueries::new(&asked[0]);
                let mut rungs = ladder.empty_extrema();
                ladder.update_extrema(x.iter().step_by(n / SAMPLE).copied(), &mut rungs);
                assert_eq!(ValueFilter::new(&ladder, &rungs).is_some(), grain < 1e6);
                let but: Vec<usize> = (0..n).filter(|&row| !counts(row)).collect();
                let found = find_nearest_values(
                    &frame,
                    &FeatureSpace::from_frame(&frame),
                    &asked,
                    &but,
                    RunContext::silent(),
                )
                .unwrap();
                let mut rows: Vec<f64> =
                    (0..n).filter(|&row| counts(row) && !x[row].is_nan()).map(|row| x[row]).collect();
                rows.sort_by(f64::total_cmp);
                for (place, &at) in asks.iter().enumerate().filter(|(_, at)| at.is_finite()) {
                    let under = rows.partition_point(|&x| x < at);
                    let over = rows.partition_point(|&x| x <= at);
                    let below = under.checked_sub(1).map_or(f64::NEG_INFINITY, |index| rows[index]);
                    let above = rows.get(over).copied().unwrap_or(f64::INFINITY);
                    assert_eq!(
                        (found.next[0].below[place], found.next[0].above[place]),
                        (below, above),
                        "{grain} {kind} {at}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_next_values_are_those_of_a_search(
            values in prop::collection::vec(-6_i8..6, 1..60),
            below in prop::collection::vec(-7_i8..7, 0..9),
            above in prop::collection::vec(-7_i8..7, 0..9),
        ) {
            let floats = |values: &[i8]| values.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
            let (x, below, above) = (floats(&values), floats(&below), floats(&above));
            let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
            let asked = [QueryValues { below: below.clone(), above: above.clone() }];
            let odd: Vec<usize> = (0..x.len()).filter(|row| !row.is_multiple_of(2)).collect();
            let found = find_nearest_values(&frame, &FeatureSpace::from_frame(&frame), &asked, &odd, RunContext::silent()).unwrap();
            let rows = || x.iter().step_by(2).copied();
            for (at, found) in below.iter().zip(&found.next[0].below) {
                prop_assert_eq!(*found, rows().filter(|x| x < at).fold(f64::NEG_INFINITY, f64::max));
            }
            for (at, found) in above.iter().zip(&found.next[0].above) {
                prop_assert_eq!(*found, rows().filter(|x| x > at).fold(f64::INFINITY, f64::min));
            }
        }
    }
}
