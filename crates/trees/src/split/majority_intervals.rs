//! Rows of the most frequent class, counted in the intervals between the keys of other rows.

use crate::rows::train_column::{FlaggedRow, row_of_entry};
use crate::split::scan_key::{ScanKey, ScanKeys};
use imbcore_core::{Result, RunContext};

/// Maximum number of anchors for which every row is compared with every anchor.
const FEW: usize = 8;

/// Extra capacity of the buffer for the smallest keys.
///
/// If the `n` smallest keys are needed, the buffer can hold `2 n` plus this number of keys. When it is full,
/// only the `n` smallest keys are kept.
const ROOM: usize = 64;

/// Row counts of the most frequent class between neighboring anchors and at each anchor.
///
/// Anchors are the distinct keys of the rows of all other classes.
#[derive(Default)]
pub(crate) struct MajorityIntervalCounts<K> {
    pub(crate) rare: Vec<(K, u32)>,
    pub(crate) anchors: Vec<K>,
    /// Numbers of rows of the most frequent class.
    /// Entry `2 i` counts the rows with keys between anchor `i - 1` and anchor `i`. Entry `2 i + 1` counts
    /// the rows whose key is anchor `i`.
    pub(crate) counts: Vec<u32>,
    /// Table that locates a rank among the anchors; it is not used if keys are values.
    ///
    /// The ranks are divided into many equally wide ranges. The entry of a range is the index of the first
    /// anchor that is in the range or above it.
    first: Vec<u32>,
    least: Vec<K>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntervalThreshold<K> {
    pub(crate) bound: K,
    /// Index of the first anchor above the threshold.
    ///
    /// If the threshold is above the last anchor, this is the number of anchors.
    pub(crate) interval: usize,
    /// Number of rows with keys between the last anchor below the threshold and the threshold.
    pub(crate) inside: u32,
}

impl<K: ScanKey> MajorityIntervalCounts<K> {
    pub(crate) fn set_anchors_from_rare_rows(
        &mut self,
        rare: &[FlaggedRow],
        keys: impl ScanKeys<K>,
        class_of: impl Fn(FlaggedRow) -> u32,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        self.rare.clear();
        self.rare.extend(rare.iter().map(|&entry| (keys.key_of_row(row_of_entry(entry)), class_of(entry))));
        K::sort_by_key(&mut self.rare, ctl)?;
        self.anchors.clear();
        for &(key, _) in &self.rare {
            if self.anchors.last() != Some(&key) {
                self.anchors.push(key);
            }
        }
        Ok(())
    }

    /// `apart` states that all values of the column are distinct.
    pub(crate) fn count_majority_rows(
        &mut self,
        frequent: &[FlaggedRow],
        keys: impl ScanKeys<K>,
        apart: bool,
    ) {
        self.counts.clear();
        self.counts.resize(2 * self.anchors.len() + 1, 0);
        if self.anchors.len() <= FEW {
            self.count_rows_by_comparing(frequent, keys, apart);
        } else {
            let Self { anchors, first, counts, .. } = self;
            K::count_rows_by_anchor(anchors, first, counts, frequent, keys);
        }
    }

    /// The comparisons are independent, so that the compiler can vectorize them.
    fn count_rows_by_comparing(&mut self, frequent: &[FlaggedRow], keys: impl ScanKeys<K>, apart: bool) {
        const CHUNK: usize = 256;
        let (mut below, mut up_to) = ([0_u32; FEW], [0_u32; FEW]);
        for chunk in frequent.chunks(CHUNK) {
            let mut here = [K::default(); CHUNK];
            for (slot, &entry) in here.iter_mut().zip(chunk) {
                *slot = keys.key_of_row(entry as usize);
            }
            let here = &here[..chunk.len()];
            for (place, &anchor) in self.anchors.iter().enumerate() {
                below[place] += here.iter().map(|&key| u32::from(key < anchor)).sum::<u32>();
                if !apart {
                    up_to[place] += here.iter().map(|&key| u32::from(key <= anchor)).sum::<u32>();
                }
            }
        }
        if apart {
            up_to = below;
        }
        let mut done = 0;
        for place in 0..self.anchors.len() {
            self.counts[2 * place] = below[place] - done;
            self.counts[2 * place + 1] = up_to[place] - below[place];
            done = up_to[place];
        }
        self.counts[2 * self.anchors.len()] = frequent.len() as u32 - done;
    }

    /// Returns the lowest threshold with at least `rows` rows below it.
    ///
    /// If `from_above` is true, returns the highest threshold with at least `rows` rows above it. The column
    /// must have at least this many rows. `here` contains the keys of the rows of the most frequent class.
    pub(crate) fn outermost_threshold(
        &mut self,
        here: &[K],
        rows: usize,
        from_above: bool,
    ) -> IntervalThreshold<K> {
        let n_gaps = self.anchors.len() + 1;
        let mut passed = 0;
        let mut rare = self.rare.len();
        for step in 0..n_gaps {
            let gap = if from_above { n_gaps - 1 - step } else { step };
            let between = self.counts[2 * gap] as usize;
            if passed + between >= rows {
                return self.threshold_in_interval(here, gap, rows - passed, from_above);
            }
            // The search passes the anchor at the end of the interval, and all rows that have this key.
            let end = if from_above { gap.wrapping_sub(1) } else { gap };
            let Some(&anchor) = self.anchors.get(end) else { break };
            let equals_anchor = |&&(key, _): &&(K, u32)| key == anchor;
            let equal = if from_above {
                self.rare[..rare].iter().rev().take_while(equals_anchor).count()
            } else {
                self.rare[self.rare.len() - rare..].iter().take_while(equals_anchor).count()
            };
            rare -= equal;
            passed += between + equal + self.counts[2 * end + 1] as usize;
            if passed >= rows {
                let (bound, gap) = if from_above { (anchor, end) } else { (anchor.next_key(), end + 1) };
                let inside = if from_above { self.counts[2 * gap] } else { 0 };
                return IntervalThreshold { bound, interval: gap, inside };
            }
        }
        IntervalThreshold { bound: K::LEAST, interval: 0, inside: 0 }
    }

    /// Returns the threshold after the `nth` smallest key in an interval.
    ///
    /// If `from_above` is true, returns the threshold before the `nth` largest key.
    fn threshold_in_interval(
        &mut self,
        here: &[K],
        gap: usize,
        nth: usize,
        from_above: bool,
    ) -> IntervalThreshold<K> {
        let low = gap.checked_sub(1).map_or(K::LEAST, |before| self.anchors[before].next_key());
        let high = self.anchors.get(gap).copied().unwrap_or(K::BEYOND);
        // If the search starts from above, keys are reversed, so that the code below always finds the
        // smallest keys.
        let turned = |key: K| if from_above { key.reverse_order() } else { key };
        let mut bound = K::BEYOND;
        self.least.clear();
        for &key in here.iter().filter(|&&key| low <= key && key < high) {
            if turned(key) <= bound {
                self.least.push(turned(key));
                if self.least.len() >= 2 * nth + ROOM {
                    bound = *self.least.select_nth_unstable_by(nth - 1, K::compare).1;
                    self.least.truncate(nth);
                }
            }
        }
        let key = turned(*self.least.select_nth_unstable_by(nth - 1, K::compare).1);
        let bound = if from_above { key } else { key.next_key() };
        let inside = here.iter().filter(|&&key| low <= key && key < bound).count() as u32;
        IntervalThreshold { bound, interval: gap, inside }
    }
}
