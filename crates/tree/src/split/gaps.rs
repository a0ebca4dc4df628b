//! Rows of the most frequent class, counted into the gaps between the others instead of sorted.

use crate::rows::entry::{Entry, row_of};
use imbcore_base::{Result, RunCtl, radix_sort};

/// Anchors up to this number are compared with every row; beyond it a table says where to start looking.
const FEW: usize = 8;

/// Ranks that are gathered beyond those sought, before the larger ones are dropped.
const ROOM: usize = 64;

/// Rows of the most frequent class, counted between the distinct values (anchors) of the other rows.
#[derive(Default)]
pub(crate) struct Gaps {
    /// Rank and class of the rows of rarer classes, by rank.
    pub(crate) rare: Vec<(u32, u32)>,
    /// The distinct ranks among them, and one beyond every rank.
    pub(crate) anchors: Vec<u32>,
    /// Frequent rows: at `2 i` those between anchors `i - 1` and `i`, at `2 i + 1` those equal to anchor `i`.
    pub(crate) counts: Vec<u32>,
    /// First anchor of each slice of the range of ranks.
    first: Vec<u32>,
    /// The least ranks of a search for an outermost cut.
    least: Vec<u32>,
}

/// A cut inside the gap before an anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InGap {
    /// Rows of a rank below this lie on the left.
    pub(crate) bound: u32,
    /// Number of the anchor after the gap; that of the last gap is the number of anchors.
    pub(crate) gap: usize,
    /// Rows of the gap on the left.
    pub(crate) inside: u32,
}

impl Gaps {
    pub(crate) fn anchor(
        &mut self,
        rare: &[Entry],
        ranks: &[u32],
        classes: &[u32],
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        self.rare.clear();
        self.rare.extend(rare.iter().map(|&entry| (ranks[row_of(entry)], classes[row_of(entry)])));
        if self.rare.len() < 512 {
            self.rare.sort_unstable_by_key(|&(rank, class)| u64::from(rank) << 32 | u64::from(class));
        } else {
            // Rows of one value may come in any order: they are counted together.
            radix_sort(&mut self.rare, ctl)?;
        }
        self.anchors.clear();
        for &(rank, _) in &self.rare {
            if self.anchors.last() != Some(&rank) {
                self.anchors.push(rank);
            }
        }
        Ok(())
    }

    /// `apart` says that no two rows of the column have one value, so that no row equals an anchor.
    pub(crate) fn count(&mut self, frequent: &[Entry], ranks: &[u32], apart: bool) {
        self.counts.clear();
        self.counts.resize(2 * self.anchors.len() + 1, 0);
        if self.anchors.len() <= FEW {
            self.count_by_comparing(frequent, ranks, apart);
        } else {
            self.count_by_table(frequent, ranks);
        }
    }

    /// Many ranks at a time against each anchor: no step depends on the one before.
    fn count_by_comparing(&mut self, frequent: &[Entry], ranks: &[u32], apart: bool) {
        const CHUNK: usize = 256;
        let (mut below, mut up_to) = ([0_u32; FEW], [0_u32; FEW]);
        for chunk in frequent.chunks(CHUNK) {
            let mut here = [0_u32; CHUNK];
            for (slot, &entry) in here.iter_mut().zip(chunk) {
                *slot = ranks[entry as usize];
            }
            let here = &here[..chunk.len()];
            for (place, &anchor) in self.anchors.iter().enumerate() {
                below[place] += here.iter().map(|&rank| u32::from(rank < anchor)).sum::<u32>();
                if !apart {
                    up_to[place] += here.iter().map(|&rank| u32::from(rank <= anchor)).sum::<u32>();
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

    fn count_by_table(&mut self, frequent: &[Entry], ranks: &[u32]) {
        let (lowest, highest) = (self.anchors[0], self.anchors[self.anchors.len() - 1]);
        let slots = (4 * self.anchors.len()).next_power_of_two();
        let mut shift = 0;
        while (highest - lowest) as usize >> shift >= slots {
            shift += 1;
        }
        let last = (highest - lowest) >> shift;
        self.first.clear();
        for (place, &anchor) in self.anchors.iter().enumerate() {
            self.first.resize(((anchor - lowest) >> shift) as usize + 1, place as u32);
        }
        self.first.push(self.anchors.len() as u32);
        self.anchors.push(u32::MAX);
        for &entry in frequent {
            let rank = ranks[entry as usize];
            let slot = (rank.saturating_sub(lowest) >> shift).min(last) as usize;
            let (mut place, end) = (self.first[slot] as usize, self.first[slot + 1] as usize);
            if end - place > FEW {
                place += self.anchors[place..end].partition_point(|&anchor| anchor < rank);
            } else {
                while self.anchors[place] < rank {
                    place += 1;
                }
            }
            self.counts[2 * place + usize::from(self.anchors[place] == rank)] += 1;
        }
        self.anchors.pop();
    }

    /// The first cut that leaves at least so many rows on the left, or, from above, the last that leaves as many on the
    /// right; there must be as many rows. `here` are the ranks of the frequent ones.
    pub(crate) fn outermost(&mut self, here: &[u32], rows: usize, from_above: bool) -> InGap {
        let n_gaps = self.anchors.len() + 1;
        let mut passed = 0;
        let mut rare = self.rare.len();
        for step in 0..n_gaps {
            let gap = if from_above { n_gaps - 1 - step } else { step };
            let between = self.counts[2 * gap] as usize;
            if passed + between >= rows {
                return self.in_gap(here, gap, rows - passed, from_above);
            }
            // The anchor at the far end of the gap, and the rows that have its rank.
            let end = if from_above { gap.wrapping_sub(1) } else { gap };
            let Some(&anchor) = self.anchors.get(end) else { break };
            let of_anchor = |&(rank, _): &&(u32, u32)| *rank == anchor;
            let equal = if from_above {
                self.rare[..rare].iter().rev().take_while(of_anchor).count()
            } else {
                self.rare[self.rare.len() - rare..].iter().take_while(of_anchor).count()
            };
            rare -= equal;
            passed += between + equal + self.counts[2 * end + 1] as usize;
            if passed >= rows {
                let (bound, gap) = if from_above { (anchor, end) } else { (anchor + 1, end + 1) };
                let inside = if from_above { self.counts[2 * gap] } else { 0 };
                return InGap { bound, gap, inside };
            }
        }
        InGap { bound: 0, gap: 0, inside: 0 }
    }

    /// The cut next to the row that is number `nth` of a gap, counted from the side of the cut.
    fn in_gap(&mut self, here: &[u32], gap: usize, nth: usize, from_above: bool) -> InGap {
        let low = gap.checked_sub(1).map_or(0, |before| self.anchors[before] + 1);
        let high = self.anchors.get(gap).copied().unwrap_or(u32::MAX);
        // From above ranks are turned round, so that the least are sought in both.
        let turned = |rank: u32| if from_above { u32::MAX - rank } else { rank };
        let mut bound = u32::MAX;
        self.least.clear();
        for &rank in here.iter().filter(|&&rank| low <= rank && rank < high) {
            if turned(rank) <= bound {
                self.least.push(turned(rank));
                if self.least.len() >= 2 * nth + ROOM {
                    bound = *self.least.select_nth_unstable(nth - 1).1;
                    self.least.truncate(nth);
                }
            }
        }
        let rank = turned(*self.least.select_nth_unstable(nth - 1).1);
        let bound = if from_above { rank } else { rank + 1 };
        let inside = here.iter().filter(|&&rank| low <= rank && rank < bound).count() as u32;
        InGap { bound, gap, inside }
    }
}
