//! Counts of one family, prepared for scoring each other variable as an additional parent.
//!
//! A family is a variable (the child) with its parents. A search scores a family with each other variable as
//! an additional parent, so the work that does not depend on the additional parent is done once. Rows are put
//! into groups: one group for each combination of a parent configuration and a child state that occurs.
//! Groups are ascending by configuration, so the groups of one configuration are contiguous (`spans`).
//! `totals` has the weight of the rows of each group: `N_ijk` for child state `k` and parent configuration
//! `j`. An additional parent splits each group by the states of this parent.
//!
//! If there are few groups and the rows have no weights, each group is stored as a bitmap. A count is then
//! the number of bits that a group and a state of the additional parent have in common. If this parent has no
//! missing value, all counts together read `groups x (states - 1) x rows / 64` words of memory. If there are
//! many groups, one pass over the rows computes all counts. Each row increments the cell `group x width +
//! state`, where `width` is the number of cells of a group.
//!
//! Rows with a missing value in the family belong to an extra group after the last group. Scores ignore the
//! extra group.

use super::aligned_words::AlignedWords;
use super::bitmaps::{
    Bitmaps, count_group_states, distinct_numbers_with_ranks, group_sizes, max_cells_for_bit_counting,
};
use crate::score::{FamilyScorer, RowCount};
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::{Result, RunContext};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// Rows are counted by bitmaps only if child and parents have at most this many joint states.
const MOST_GROUPS: u64 = 512;
/// A table of counts with at most this many cells is kept in four copies.
///
/// Successive rows increment different copies, so that an increment need not wait for the one before.
const APART: usize = 2048;
/// Maximum memory of all bitmaps; if they need more, counts are computed row by row.
const MOST_BITMAP_BYTES: usize = 1 << 31;

#[derive(Debug)]
pub(crate) struct CodeTableForCounting<'t> {
    n_rows: usize,
    levels: Vec<u32>,
    weights: Option<&'t [f64]>,
    bitmaps: Option<Bitmaps>,
    gaps: Vec<bool>,
    /// Codes of each variable; a missing value has the number of states as its code.
    codes: Vec<Cow<'t, [u16]>>,
}

impl<'t> CodeTableForCounting<'t> {
    pub(crate) fn new(table: &'t DiscreteTable, order: &[u32], ctl: RunContext<'_>) -> Result<Self> {
        let levels: Vec<u32> =
            order.iter().map(|&column| table.n_states_by_column()[column as usize]).collect();
        let gaps: Vec<bool> = order.iter().map(|&column| table.has_missing(column as usize)).collect();
        let filled = |(place, &column): (usize, &u32)| {
            let (codes, gap) = (table.codes(column as usize), levels[place] as u16);
            let fill = |&code: &u16| if code == MISSING { gap } else { code };
            ctl.check()?;
            Ok(if gaps[place] { codes.iter().map(fill).collect() } else { codes })
        };
        let codes = order.iter().enumerate().map(filled).collect::<Result<Vec<Cow<'_, [u16]>>>>()?;
        let plain = table.weights().is_none() && table.n_rows() > 0;
        let bits = plain && Bitmaps::byte_size(&levels, table.n_rows()) <= MOST_BITMAP_BYTES;
        let bitmaps = if bits { Some(Bitmaps::new(&codes, &levels, table.n_rows(), ctl)?) } else { None };
        Ok(Self { n_rows: table.n_rows(), levels, weights: table.weights(), bitmaps, gaps, codes })
    }

    pub(crate) fn n_states_by_variable(&self) -> &[u32] {
        &self.levels
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn codes(&self, variable: u32) -> &[u16] {
        &self.codes[variable as usize]
    }

    pub(crate) fn has_missing_values(&self) -> bool {
        self.gaps.contains(&true)
    }

    pub(crate) fn is_complete_and_unweighted(&self) -> bool {
        self.weights.is_none() && !self.has_missing_values()
    }

    fn n_parent_configurations(&self, parents: &[u32]) -> f64 {
        parents.iter().map(|&parent| f64::from(self.levels[parent as usize])).product()
    }

    pub(crate) fn group_rows_by_family<N: RowCount>(
        &self,
        child: u32,
        parents: &[u32],
    ) -> GroupedFamily<'_, N> {
        let levels = self.levels[child as usize];
        let configurations = self.n_parent_configurations(parents);
        let mut members = parents.to_vec();
        members.push(child);
        let few = configurations * f64::from(levels) <= MOST_GROUPS as f64;
        match self.bitmaps.as_ref().filter(|_| few) {
            Some(bitmaps) => GroupedFamily::from_bitmaps(self, members, configurations, bitmaps),
            None => GroupedFamily::from_rows(self, members, configurations),
        }
    }
}

#[derive(Debug)]
pub(crate) struct GroupedFamily<'c, N> {
    counter: &'c CodeTableForCounting<'c>,
    members: Vec<u32>,
    configurations: f64,
    spans: Vec<Range<usize>>,
    totals: Vec<N>,
    /// Bitmap and size of each group of rows; `None` if groups are not stored as bitmaps.
    bits: Option<(AlignedWords, Vec<u32>)>,
    /// Group number of each row; rows with a missing value get the number after the last group.
    of_row: OnceLock<Vec<u32>>,
}

#[derive(Debug, Default)]
pub(crate) struct CountScratch<N> {
    shared: Vec<u32>,
    cells: Vec<N>,
}

impl<'c, N: RowCount> GroupedFamily<'c, N> {
    fn from_bitmaps(
        counter: &'c CodeTableForCounting<'c>,
        members: Vec<u32>,
        configurations: f64,
        bitmaps: &Bitmaps,
    ) -> Self {
        let words = bitmaps.words_per_bitmap();
        let mut groups = bitmaps.configuration_bitmaps(&members);
        let mut all_sizes = group_sizes(&groups, words);
        let keys: Vec<u64> =
            (0_u64..).zip(&all_sizes).filter(|&(_, &size)| size > 0).map(|(key, _)| key).collect();
        // Most combinations of parent states do not occur, so only groups that have rows get a number.
        for (to, &key) in keys.iter().enumerate() {
            let from = key as usize * words;
            groups.copy_within(from..from + words, to * words);
        }
        groups.truncate(keys.len() * words);
        all_sizes.retain(|&size| size > 0);
        let totals = all_sizes.iter().map(|&size| N::from_count(size)).collect();
        let spans = group_ranges_by_configuration(&keys, counter.levels[child_variable_index(&members)]);
        let bits = Some((groups, all_sizes));
        Self { counter, members, configurations, spans, totals, bits, of_row: OnceLock::new() }
    }

    fn from_rows(counter: &'c CodeTableForCounting<'c>, members: Vec<u32>, configurations: f64) -> Self {
        let (keys, of_row) = distinct_row_groups_with_ranks(counter, &members);
        let mut totals = vec![N::ZERO; keys.len() + 1];
        for (row, &group) in of_row.iter().enumerate() {
            totals[group as usize] += N::from_row_weight(counter.weights, row);
        }
        totals.pop();
        let spans = group_ranges_by_configuration(&keys, counter.levels[child_variable_index(&members)]);
        Self { counter, members, configurations, spans, totals, bits: None, of_row: OnceLock::from(of_row) }
    }

    fn n_child_states(&self) -> usize {
        self.counter.levels[child_variable_index(&self.members)] as usize
    }

    /// Rough cost of counting with one additional parent, as a number of memory words to read.
    ///
    /// Visiting a row costs as much as reading four words.
    pub(crate) fn counting_cost(&self) -> usize {
        match &self.bits {
            Some((groups, _)) => groups.len(),
            None => 4 * self.counter.n_rows,
        }
    }

    pub(crate) fn n_configurations(&self) -> usize {
        self.spans.len()
    }

    pub(crate) fn score(&self, score: &FamilyScorer) -> f64 {
        let rows = self.spans.iter().map(|span| self.totals[span.clone()].iter().copied());
        score.score_family(rows, self.n_child_states(), self.configurations)
    }

    pub(crate) fn score_with_parent(
        &self,
        parent: u32,
        score: &FamilyScorer,
        scratch: &mut CountScratch<N>,
    ) -> f64 {
        let states = self.counter.levels[parent as usize] as usize;
        match &self.bits {
            Some((groups, sizes))
                if sizes.len() * states.saturating_sub(1) <= max_cells_for_bit_counting() =>
            {
                scratch.shared.resize(sizes.len() * states, 0);
                self.count_parent_states_by_bits(groups, sizes, parent, &mut scratch.shared);
                self.score_grouped_counts(&scratch.shared, states, states, score)
            }
            _ => {
                let width = states + usize::from(self.counter.gaps[parent as usize]);
                self.count_parent_states_by_rows(parent, width, &mut scratch.cells);
                self.score_grouped_counts(&scratch.cells, states, width, score)
            }
        }
    }

    /// Score after one parent is added, from counts that are stored group by group.
    ///
    /// Each group has `width` counts. The first `states` of them belong to the states of the added parent. If
    /// `width` is larger, the last count is for rows in which the added parent is missing.
    fn score_grouped_counts<C: RowCount>(
        &self,
        cells: &[C],
        states: usize,
        width: usize,
        score: &FamilyScorer,
    ) -> f64 {
        let rows = self.spans.iter().flat_map(|span| {
            (0..states).map(move |state| span.clone().map(move |group| cells[group * width + state]))
        });
        score.score_family(rows, self.n_child_states(), self.configurations * states as f64)
    }

    fn count_parent_states_by_bits(&self, groups: &[u64], sizes: &[u32], parent: u32, counts: &mut [u32]) {
        if let Some(bitmaps) = &self.counter.bitmaps {
            let complete = !self.counter.gaps[parent as usize];
            count_group_states(
                groups,
                sizes,
                bitmaps.words_per_bitmap(),
                bitmaps.state_bitmaps(parent),
                complete,
                counts,
            );
        }
    }

    fn count_parent_states_by_rows(&self, parent: u32, width: usize, cells: &mut Vec<N>) {
        let of_row =
            self.of_row.get_or_init(|| distinct_row_groups_with_ranks(self.counter, &self.members).1);
        let codes = &self.counter.codes[parent as usize];
        // An extra group contains the rows in which the child or one of its parents is missing.
        let size = (self.totals.len() + 1) * width;
        let parts = if size <= APART { 4 } else { 1 };
        cells.clear();
        cells.resize(size * parts, N::ZERO);
        let at = |row: usize| of_row[row] as usize * width + usize::from(codes[row]);
        let whole = of_row.len() / parts * parts;
        for row in (0..whole).step_by(parts) {
            for part in 0..parts {
                cells[part * size + at(row + part)] += N::from_row_weight(self.counter.weights, row + part);
            }
        }
        for row in whole..of_row.len() {
            cells[at(row)] += N::from_row_weight(self.counter.weights, row);
        }
        for part in 1..parts {
            for cell in 0..size {
                let more = cells[part * size + cell];
                cells[cell] += more;
            }
        }
    }
}

/// The child is the last member.
fn child_variable_index(members: &[u32]) -> usize {
    members.last().map_or(0, |&child| child as usize)
}

/// A group number is `configuration * levels + child state`.
fn group_ranges_by_configuration(keys: &[u64], levels: u32) -> Vec<Range<usize>> {
    let levels = u64::from(levels);
    let mut spans = Vec::new();
    let (mut start, mut end) = (0, 0);
    for (at, &key) in keys.iter().enumerate() {
        // A division is made only once per parent configuration, because it costs as much as visiting twenty
        // group numbers.
        if key >= end {
            if at > start {
                spans.push(start..at);
            }
            (start, end) = (at, (key / levels + 1) * levels);
        }
    }
    if keys.len() > start {
        spans.push(start..keys.len());
    }
    spans
}

/// Group number of a row with a missing value.
const UNKNOWN: u64 = u64::MAX;

/// Group numbers that occur, ascending, and for each row the rank of its group among them.
///
/// A group consists of the rows with the same states of the variables `members`. Rows in which one of these
/// variables is missing get the rank after the last group.
fn distinct_row_groups_with_ranks(
    counter: &CodeTableForCounting<'_>,
    members: &[u32],
) -> (Vec<u64>, Vec<u32>) {
    let gaps = members.iter().any(|&member| counter.gaps[member as usize]);
    let mut places = vec![0_u64; counter.n_rows];
    let mut groups = 1_u64;
    for &member in members {
        let levels = u64::from(counter.levels[member as usize]);
        // If group numbers could become too large, they are replaced by their ranks, which never exceed the
        // number of rows.
        if groups > 1 && groups.saturating_mul(levels) > max_bitmap_groups(counter.n_rows) {
            let (keys, of_row) = distinct_groups_with_ranks(&places, groups);
            groups = keys.len() as u64;
            for (place, group) in places.iter_mut().zip(of_row) {
                *place = if u64::from(group) < groups { u64::from(group) } else { UNKNOWN };
            }
        }
        let rows = places.iter_mut().zip(counter.codes[member as usize].iter());
        if gaps {
            for (place, &code) in rows {
                let known = *place != UNKNOWN && u64::from(code) < levels;
                *place = if known { *place * levels + u64::from(code) } else { UNKNOWN };
            }
        } else {
            for (place, &code) in rows {
                *place = *place * levels + u64::from(code);
            }
        }
        groups *= levels;
    }
    distinct_groups_with_ranks(&places, groups)
}

fn max_bitmap_groups(rows: usize) -> u64 {
    (32 * rows as u64).max(1 << 16)
}

/// Group numbers below `end` that occur, ascending, and for each row the rank of its group.
///
/// Rows with the number [`UNKNOWN`] get the rank after the last group.
fn distinct_groups_with_ranks(places: &[u64], end: u64) -> (Vec<u64>, Vec<u32>) {
    if end > max_bitmap_groups(places.len()) {
        let mut keys: Vec<u64> = places.iter().copied().filter(|&place| place != UNKNOWN).collect();
        keys.sort_unstable();
        keys.dedup();
        let number = |&place: &u64| keys.partition_point(|&other| other < place) as u32;
        let of_row = places.iter().map(number).collect();
        return (keys, of_row);
    }
    distinct_numbers_with_ranks(places, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::FamilyCounts;
    use crate::score::ScoreFunction;
    use imbcore_core::{RunContext, SeedKey, random_below};

    fn table(rows: usize, gaps: &[usize], weighted: bool) -> DiscreteTable {
        let levels = vec![1, 2, 3, 4, 9, 40];
        let mut rng = SeedKey::root(3).rng();
        let mut column = |place: usize| {
            let hidden = gaps.contains(&place);
            let mut draw = |bound| random_below(&mut rng, bound);
            let mut code = || if hidden && draw(7) == 0 { MISSING } else { draw(levels[place]) as u16 };
            (0..rows).map(|_| code()).collect()
        };
        let table = DiscreteTable::new((0..6).map(&mut column).collect(), levels.clone()).unwrap();
        if !weighted {
            return table;
        }
        let weights = (0..rows).map(|_| f64::from(1 + random_below(&mut rng, 5)) / 4.0).collect();
        table.with_weights(weights)
    }

    fn check<N: RowCount>(table: &DiscreteTable) {
        let counter = CodeTableForCounting::new(table, &[5, 4, 3, 2, 1, 0], RunContext::silent()).unwrap();
        let column = |place: u32| 5 - place;
        let scores = [
            ScoreFunction::bic(table.total_weight(), 1.0),
            ScoreFunction::K2,
            ScoreFunction::Bds { ess: 2.0 },
        ];
        let mut scratch = CountScratch::default();
        for measure in scores {
            let score = FamilyScorer::new(measure, table.total_weight(), true);
            let slow = |child: u32, parents: &[u32]| {
                let mut columns: Vec<u32> = parents.iter().map(|&place| column(place)).collect();
                columns.sort_unstable();
                score.score_counts(&FamilyCounts::from_table(table, column(child), &columns).unwrap())
            };
            for parents in [vec![], vec![2], vec![1, 3], vec![0, 1], vec![0, 1, 2]] {
                let family: GroupedFamily<'_, N> = counter.group_rows_by_family(4, &parents);
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
                assert!(close(family.score(&score), slow(4, &parents)), "{parents:?}");
                for other in (0..6).filter(|other| *other != 4 && !parents.contains(other)) {
                    let mut more = parents.clone();
                    more.push(other);
                    let (fast, slow) =
                        (family.score_with_parent(other, &score, &mut scratch), slow(4, &more));
                    assert!(close(fast, slow), "{parents:?} + {other}: {fast} for {slow}");
                }
            }
        }
    }

    #[test]
    fn bits_and_passes_count_what_the_simple_form_counts() {
        for rows in [1, 63, 64, 500] {
            check::<u32>(&table(rows, &[], false));
            check::<u32>(&table(rows, &[1, 3, 4], false));
        }
    }

    #[test]
    fn weights_are_counted_as_the_simple_form_counts_them() {
        check::<f64>(&table(300, &[], true));
        check::<f64>(&table(300, &[1, 2, 5], true));
    }

    #[test]
    fn place_ranks_do_not_depend_on_their_number() {
        let places = [7, 3, 9, 3, UNKNOWN];
        let expected = (vec![3, 7, 9], vec![1, 0, 2, 0, 3]);
        assert_eq!(distinct_groups_with_ranks(&places, 10), expected);
        assert_eq!(distinct_groups_with_ranks(&places, 1 << 40), expected);
    }
}
