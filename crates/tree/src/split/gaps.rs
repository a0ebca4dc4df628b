//! Rows of the most frequent class, counted into the gaps between the others instead of sorted.

use crate::rows::entry::{Entry, row_of};
use imbcore_base::{Result, RunCtl, radix_sort};

/// Anchors up to this number are compared with every row; beyond it a table says where to start looking.
const FEW: usize = 8;

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
}
