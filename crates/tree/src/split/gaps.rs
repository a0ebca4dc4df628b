//! Rows of the most frequent class, counted into the gaps between the others instead of sorted.

use crate::rows::entry::{Entry, row_of};
use crate::split::key::{Key, Keys};
use imbcore_base::{Result, RunCtl};

/// Anchors up to this number are compared with every row; beyond it a table says where to start looking.
const FEW: usize = 8;

/// Keys that are gathered beyond those sought, before the larger ones are dropped.
const ROOM: usize = 64;

/// Rows of the most frequent class, counted between the distinct values (anchors) of the other rows; a key stands for a value.
#[derive(Default)]
pub(crate) struct Gaps<K> {
    /// Key and class of the rows of rarer classes, by key.
    pub(crate) rare: Vec<(K, u32)>,
    /// The distinct keys among them.
    pub(crate) anchors: Vec<K>,
    /// Frequent rows: at `2 i` those between anchors `i - 1` and `i`, at `2 i + 1` those equal to anchor `i`.
    pub(crate) counts: Vec<u32>,
    /// First anchor of each slice of the range of ranks.
    first: Vec<u32>,
    /// The least keys of a search for an outermost cut.
    least: Vec<K>,
}

/// A cut inside the gap before an anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InGap<K> {
    /// Rows of a key below this lie on the left.
    pub(crate) bound: K,
    /// Number of the anchor after the gap; that of the last gap is the number of anchors.
    pub(crate) gap: usize,
    /// Rows of the gap on the left.
    pub(crate) inside: u32,
}

impl<K: Key> Gaps<K> {
    pub(crate) fn anchor(
        &mut self,
        rare: &[Entry],
        keys: impl Keys<K>,
        class_of: impl Fn(Entry) -> u32,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        self.rare.clear();
        self.rare.extend(rare.iter().map(|&entry| (keys.of(row_of(entry)), class_of(entry))));
        K::sort(&mut self.rare, ctl)?;
        self.anchors.clear();
        for &(key, _) in &self.rare {
            if self.anchors.last() != Some(&key) {
                self.anchors.push(key);
            }
        }
        Ok(())
    }

    /// `apart` says that no two rows of the column have one value, so that no row equals an anchor.
    pub(crate) fn count(&mut self, frequent: &[Entry], keys: impl Keys<K>, apart: bool) {
        self.counts.clear();
        self.counts.resize(2 * self.anchors.len() + 1, 0);
        if self.anchors.len() <= FEW {
            self.count_by_comparing(frequent, keys, apart);
        } else {
            let Self { anchors, first, counts, .. } = self;
            K::count_many(anchors, first, counts, frequent, keys);
        }
    }

    /// Many keys at a time against each anchor: no step depends on the one before.
    fn count_by_comparing(&mut self, frequent: &[Entry], keys: impl Keys<K>, apart: bool) {
        const CHUNK: usize = 256;
        let (mut below, mut up_to) = ([0_u32; FEW], [0_u32; FEW]);
        for chunk in frequent.chunks(CHUNK) {
            let mut here = [K::default(); CHUNK];
            for (slot, &entry) in here.iter_mut().zip(chunk) {
                *slot = keys.of(entry as usize);
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

    /// The first cut that leaves at least so many rows on the left, or, from above, the last that leaves as many on the
    /// right; there must be as many rows. `here` are the keys of the frequent ones.
    pub(crate) fn outermost(&mut self, here: &[K], rows: usize, from_above: bool) -> InGap<K> {
        let n_gaps = self.anchors.len() + 1;
        let mut passed = 0;
        let mut rare = self.rare.len();
        for step in 0..n_gaps {
            let gap = if from_above { n_gaps - 1 - step } else { step };
            let between = self.counts[2 * gap] as usize;
            if passed + between >= rows {
                return self.in_gap(here, gap, rows - passed, from_above);
            }
            // The anchor at the far end of the gap, and the rows that have its key.
            let end = if from_above { gap.wrapping_sub(1) } else { gap };
            let Some(&anchor) = self.anchors.get(end) else { break };
            let of_anchor = |&&(key, _): &&(K, u32)| key == anchor;
            let equal = if from_above {
                self.rare[..rare].iter().rev().take_while(of_anchor).count()
            } else {
                self.rare[self.rare.len() - rare..].iter().take_while(of_anchor).count()
            };
            rare -= equal;
            passed += between + equal + self.counts[2 * end + 1] as usize;
            if passed >= rows {
                let (bound, gap) = if from_above { (anchor, end) } else { (anchor.after(), end + 1) };
                let inside = if from_above { self.counts[2 * gap] } else { 0 };
                return InGap { bound, gap, inside };
            }
        }
        InGap { bound: K::LEAST, gap: 0, inside: 0 }
    }

    /// The cut next to the row that is number `nth` of a gap, counted from the side of the cut.
    fn in_gap(&mut self, here: &[K], gap: usize, nth: usize, from_above: bool) -> InGap<K> {
        let low = gap.checked_sub(1).map_or(K::LEAST, |before| self.anchors[before].after());
        let high = self.anchors.get(gap).copied().unwrap_or(K::BEYOND);
        // From above keys are turned round, so that the least are sought in both.
        let turned = |key: K| if from_above { key.turned() } else { key };
        let mut bound = K::BEYOND;
        self.least.clear();
        for &key in here.iter().filter(|&&key| low <= key && key < high) {
            if turned(key) <= bound {
                self.least.push(turned(key));
                if self.least.len() >= 2 * nth + ROOM {
                    bound = *self.least.select_nth_unstable_by(nth - 1, K::order).1;
                    self.least.truncate(nth);
                }
            }
        }
        let key = turned(*self.least.select_nth_unstable_by(nth - 1, K::order).1);
        let bound = if from_above { key } else { key.after() };
        let inside = here.iter().filter(|&&key| low <= key && key < bound).count() as u32;
        InGap { bound, gap, inside }
    }
}
