//! Dividing lists of rows among the branches of a split, stably and in place.

use crate::rows::entry::{Entry, row_of};

/// Divides a list in two, stably and in place.
pub(crate) fn halve<'o>(
    spare: &mut Vec<Entry>,
    order: &'o mut [Entry],
    right: &[u64],
    sizes: [usize; 2],
    wanted: [bool; 2],
) -> (&'o mut [Entry], &'o mut [Entry]) {
    match wanted {
        [false, false] => (&mut order[..0], [].as_mut_slice()),
        [true, false] => (keep_side(order, right, 0, sizes[0]), [].as_mut_slice()),
        [false, true] => ([].as_mut_slice(), keep_side(order, right, 1, sizes[1])),
        [true, true] => both_sides(order, spare, |row| side_of(row, right)),
    }
}

#[inline]
fn side_of(row: usize, right: &[u64]) -> usize {
    (right[row / 64] >> (row % 64) & 1) as usize
}

/// Moves the entries of one side to the front.
fn keep_side<'o>(order: &'o mut [Entry], right: &[u64], side: usize, size: usize) -> &'o mut [Entry] {
    let mut end = 0;
    for place in 0..order.len() {
        let entry = order[place];
        order[end.min(place)] = entry;
        end += usize::from(side_of(row_of(entry), right) == side);
    }
    &mut order[..size]
}

/// Entries that are looked at before the right ones among them are set aside.
const BLOCK: usize = 1 << 10;

/// Left entries to the front, right ones behind them; written without a branch, since sides alternate at random. Room is taken
/// for the right ones only.
pub(crate) fn both_sides<'o>(
    order: &'o mut [Entry],
    spare: &mut Vec<Entry>,
    mut side_of: impl FnMut(usize) -> usize,
) -> (&'o mut [Entry], &'o mut [Entry]) {
    spare.clear();
    let mut to_left = 0;
    let mut aside = [0; BLOCK];
    for first in (0..order.len()).step_by(BLOCK) {
        let mut n_aside = 0;
        for place in first..order.len().min(first + BLOCK) {
            let entry = order[place];
            let side = side_of(row_of(entry));
            // Masked, so that no test is needed: fewer are set aside than were looked at.
            aside[n_aside & (BLOCK - 1)] = entry;
            n_aside += side;
            order[to_left] = entry;
            to_left += side ^ 1;
        }
        spare.extend_from_slice(&aside[..n_aside]);
    }
    let (left, rest) = order.split_at_mut(to_left);
    rest.copy_from_slice(spare);
    (left, rest)
}

/// Divides a list into one piece a branch, stably.
pub(crate) fn cut_up<'o>(
    order: &'o mut [Entry],
    branch: impl Fn(usize) -> usize,
    sizes: &[usize],
) -> Vec<&'o mut [Entry]> {
    let spare = order.to_vec();
    let mut starts: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, &size| {
            *sum += size;
            Some(*sum - size)
        })
        .collect();
    for entry in spare {
        let start = &mut starts[branch(row_of(entry))];
        order[*start] = entry;
        *start += 1;
    }
    let mut rest = order;
    let mut parts = Vec::with_capacity(sizes.len());
    for &size in sizes {
        let (part, tail) = rest.split_at_mut(size);
        parts.push(part);
        rest = tail;
    }
    parts
}
