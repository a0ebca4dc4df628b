//! The rows of a node, and their division among its children.

use crate::binned::{BinTable, BinnedRows};
use crate::rows::presort::sorted;
use crate::rows::ranks::RankedRows;
use crate::rows::sums::{ClassSums, Weigh};
use crate::rows::training::{Entry, Table, TrainColumn, Training, row_of};
use crate::settings::{Layout, MissingRule, Settings};
use crate::split::monotone::Guard;
use crate::split::scan::Found;
use crate::split::search::{PARALLEL_WORK, Split, level_runs};
use crate::tree::Cut;
use imbcore_base::{Result, RunCtl, memory};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Rows that reached a node.
pub(crate) enum NodeRows<'o> {
    /// The same rows sorted by every column.
    Presorted(Vec<&'o mut [Entry]>),
    /// The rows, ascending, with their weights, which are shares of the training weights.
    Listed { entries: Vec<Entry>, weights: Vec<f64> },
    /// The rows, ascending, to be sorted by ranks where that is needed.
    Ranked(RankedRows<'o>),
}

/// Rows that reached a node, by the mode of the search.
pub(crate) enum Rows<'o> {
    Exact(NodeRows<'o>),
    Binned(BinnedRows<'o>),
}

/// All usable rows sorted by every column; empty for [`Layout::Listed`].
pub(crate) fn presort(table: &Table<'_>, layout: Layout, ctl: RunCtl<'_>) -> Result<Vec<Vec<Entry>>> {
    if layout == Layout::Listed {
        return Ok(Vec::new());
    }
    memory::room_for::<Entry>(table.usable.len() * table.columns.len(), "sorted columns")?;
    table.columns.par_iter().map(|column| sorted(&table.usable, column, ctl)).collect()
}

impl NodeRows<'_> {
    /// The node's rows sorted by one column.
    pub(crate) fn order(
        &self,
        training: &Training<'_>,
        column: usize,
        ctl: RunCtl<'_>,
    ) -> Result<Cow<'_, [Entry]>> {
        Ok(match self {
            Self::Presorted(orders) => Cow::Borrowed(&*orders[column]),
            Self::Listed { entries, .. } => Cow::Owned(sorted(entries, &training.columns[column], ctl)?),
            Self::Ranked(rows) => Cow::Owned(rows.sorted(training.ranks.of(column), ctl)?),
        })
    }

    /// The node's rows in an order that `split` cuts into runs.
    pub(crate) fn order_of_split(
        &self,
        training: &Training<'_>,
        split: &mut Split,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<Entry>> {
        match (self, &split.found) {
            (Self::Ranked(rows), &Found::Under(bound)) => {
                let (order, n_left) = rows.parted(training.ranks.of(split.column), bound);
                split.found = Found::Below(n_left);
                Ok(order)
            }
            _ => Ok(self.order(training, split.column, ctl)?.into_owned()),
        }
    }
}

/// Scratch memory of one worker.
pub(crate) struct Scratch {
    /// Bit `row` says that the row goes to branch 1; holds sense for the rows of the current node only.
    right: Vec<u64>,
    /// Branch of each row, for splits with more than two.
    branch: Vec<u32>,
    /// Weight of each row of the current node, where rows are not whole.
    pub(crate) weight: Vec<f64>,
    /// Tables of bins that no node needs any more.
    pub(crate) tables: Vec<BinTable>,
    /// Room for entries on the move.
    pub(crate) spare: Vec<Entry>,
}

impl Scratch {
    pub(crate) fn new(training: &Training<'_>) -> Self {
        let n_rows = training.classes.len();
        Self {
            right: vec![0; n_rows.div_ceil(64)],
            branch: Vec::new(),
            weight: Vec::new(),
            tables: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Makes the row weights of a node readable by row.
    pub(crate) fn load_weights(&mut self, n_rows: usize, entries: &[Entry], weights: &[f64]) {
        self.weight.resize(n_rows, 0.0);
        for (&entry, &weight) in entries.iter().zip(weights) {
            self.weight[row_of(entry)] = weight;
        }
    }
}

/// One child to be.
pub(crate) struct Share<'o> {
    pub(crate) rows: Rows<'o>,
    pub(crate) sums: ClassSums,
}

/// A split that was carried out.
pub(crate) struct Division<'o> {
    pub(crate) cut: Cut,
    /// Levels that go to the first child, as the tree keeps them; see [`Split::level_set`].
    pub(crate) set: Vec<u32>,
    /// Child that takes rows without a value.
    pub(crate) missing_child: usize,
    pub(crate) children: Vec<Share<'o>>,
}

impl Division<'_> {
    /// As [`Plan::guards`].
    pub(crate) fn guards<'s>(
        &self,
        guard: Guard<'s>,
        split: &Split,
        parent: &ClassSums,
    ) -> Option<Vec<Guard<'s>>> {
        guards(guard, split, parent, self.children.iter().map(|child| &child.sums))
    }
}

fn guards<'s, 'c>(
    guard: Guard<'s>,
    split: &Split,
    parent: &ClassSums,
    children: impl Iterator<Item = &'c ClassSums>,
) -> Option<Vec<Guard<'s>>> {
    let mass = |sums: &ClassSums| if sums.n_rows() == 0 { parent.mass.clone() } else { sums.mass.clone() };
    let masses: Vec<Vec<f64>> = children.map(mass).collect();
    let masses: Vec<&[f64]> = masses.iter().map(Vec::as_slice).collect();
    guard.children(split.column, matches!(split.found, Found::Below(_)), &masses)
}

/// How a split falls out, before any row is moved.
pub(crate) struct Plan {
    runs: Vec<(Range<usize>, usize)>,
    /// Where the rows without a value start among the sorted ones.
    n_known: usize,
    /// The branch they take; none where they are shared out.
    pub(crate) missing_branch: Option<usize>,
    /// Share of such a row that each child gets.
    shares: Vec<f64>,
    /// Rows and masses of each child.
    pub(crate) sums: Vec<ClassSums>,
}

impl Plan {
    /// Adds up the children of `split`, given the entries sorted by its column.
    pub(crate) fn new<W: Weigh>(
        training: &Training<'_>,
        settings: &Settings,
        weigh: W,
        split: &Split,
        order: &[Entry],
    ) -> Self {
        let values = &training.columns[split.column];
        let n_known = order.partition_point(|&entry| !values.is_missing(row_of(entry)));
        let codes: &[u32] = match values {
            TrainColumn::Nominal { codes, .. } => codes,
            TrainColumn::Numeric(_) => &[],
        };
        let runs = split.runs(n_known, level_runs(codes, &order[..n_known]));
        let add = |sums: &mut ClassSums, run: Range<usize>| weigh.add(training, sums, &order[run]);
        let mut plan = Self::of_known(training, settings, weigh, split, runs, n_known, add);
        if n_known < order.len() {
            let missing = &order[n_known..];
            if let Some(branch) = plan.missing_branch {
                weigh.add(training, &mut plan.sums[branch], missing);
                weigh.settle(&mut plan.sums[branch]);
            } else {
                share_out(training, weigh, &mut plan.sums, &plan.shares, missing);
            }
        }
        plan
    }

    /// Adds up the children of `split` without the rows that miss the value; `add` adds a run of places.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn of_known<W: Weigh>(
        training: &Training<'_>,
        settings: &Settings,
        weigh: W,
        split: &Split,
        runs: Vec<(Range<usize>, usize)>,
        n_known: usize,
        add: impl Fn(&mut ClassSums, Range<usize>),
    ) -> Self {
        let mut sums = vec![ClassSums::zero(training.n_classes); split.n_branches()];
        for (run, branch) in &runs {
            add(&mut sums[*branch], run.clone());
            weigh.settle(&mut sums[*branch]);
        }
        let larger = || {
            let sizes = sums.iter().map(ClassSums::n_rows).enumerate();
            sizes.max_by_key(|&(_, size)| size).map_or(0, |(branch, _)| branch)
        };
        let fraction = settings.missing == MissingRule::Fraction;
        let missing_branch =
            (!fraction).then(|| split.missing_branch.map_or_else(larger, |branch| branch as usize));
        let mass: Vec<f64> = sums.iter().map(ClassSums::total_mass).collect();
        let known: f64 = mass.iter().sum();
        let shares: Vec<f64> = mass.iter().map(|&part| part / known).collect();
        Self { runs, n_known, missing_branch, shares, sums }
    }

    /// Branch that a row without a value takes at prediction: that of training, or the one with most rows.
    pub(crate) fn missing_child(&self) -> usize {
        let sizes = self.sums.iter().map(ClassSums::n_rows).enumerate();
        self.missing_branch
            .unwrap_or_else(|| sizes.max_by_key(|&(_, size)| size).map_or(0, |(branch, _)| branch))
    }

    /// The constraints that bind the children, or nothing where the split breaks those of its node.
    pub(crate) fn guards<'s>(
        &self,
        guard: Guard<'s>,
        split: &Split,
        parent: &ClassSums,
    ) -> Option<Vec<Guard<'s>>> {
        guards(guard, split, parent, self.sums.iter())
    }

    /// Moves the rows; children that `wanted` refuses get none, which saves the work of sorting them out.
    pub(crate) fn divide<'o>(
        self,
        training: &Training<'_>,
        rows: NodeRows<'o>,
        order: &[Entry],
        wanted: &[bool],
        scratch: &mut Scratch,
        ctl: RunCtl<'_>,
    ) -> Vec<Share<'o>> {
        let parts = match rows {
            NodeRows::Presorted(orders) => {
                if self.sums.len() == 2 {
                    self.mark_right(order, scratch);
                    let sizes = [self.sums[0].n_rows() as usize, self.sums[1].n_rows() as usize];
                    halves(orders, &scratch.right, sizes, [wanted[0], wanted[1]], ctl)
                } else {
                    self.mark_branches(training, order, scratch);
                    let sizes: Vec<usize> = self.sums.iter().map(|sums| sums.n_rows() as usize).collect();
                    pieces(orders, &scratch.branch, &sizes)
                }
            }
            NodeRows::Ranked(rows) => {
                // The first list holds the rows of one class, the second the others.
                let frequent: Vec<usize> =
                    self.sums.iter().map(|sums| sums.rows[training.frequent] as usize).collect();
                let rare: Vec<usize> =
                    self.sums.iter().zip(&frequent).map(|(sums, n)| sums.n_rows() as usize - n).collect();
                if self.sums.len() == 2 {
                    self.mark_right(order, scratch);
                    let wanted = [wanted[0], wanted[1]];
                    let Scratch { right, spare, .. } = scratch;
                    let frequent = halve(spare, rows.frequent, right, [frequent[0], frequent[1]], wanted);
                    let rare = halve(spare, rows.rare, right, [rare[0], rare[1]], wanted);
                    ranked([frequent.0, frequent.1], [rare.0, rare.1])
                } else {
                    self.mark_branches(training, order, scratch);
                    let frequent = cut_up(rows.frequent, &scratch.branch, &frequent);
                    ranked(frequent, cut_up(rows.rare, &scratch.branch, &rare))
                }
            }
            NodeRows::Listed { entries, weights } => {
                self.mark_branches(training, order, scratch);
                self.lists(&entries, &weights, &scratch.branch)
            }
        };
        let rows = parts.into_iter().map(Rows::Exact);
        self.sums.into_iter().zip(rows).map(|(sums, rows)| Share { rows, sums }).collect()
    }

    /// Runs of sorted entries that have a value, each with its branch.
    pub(crate) fn known_runs(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        self.runs.iter().cloned()
    }

    /// The branch of every place, of `n` in all.
    pub(crate) fn all_runs(&self, n: usize) -> impl Iterator<Item = (Range<usize>, usize)> {
        let missing = self.missing_branch.map(|branch| (self.n_known..n, branch));
        self.known_runs().chain(missing)
    }

    fn mark_right(&self, order: &[Entry], scratch: &mut Scratch) {
        for (run, branch) in self.all_runs(order.len()) {
            for &entry in &order[run] {
                let (word, bit) = (row_of(entry) / 64, row_of(entry) % 64);
                if branch == 1 {
                    scratch.right[word] |= 1 << bit;
                } else {
                    scratch.right[word] &= !(1 << bit);
                }
            }
        }
    }

    fn mark_branches(&self, training: &Training<'_>, order: &[Entry], scratch: &mut Scratch) {
        scratch.branch.resize(training.classes.len(), 0);
        for &entry in &order[self.n_known..] {
            scratch.branch[row_of(entry)] = EVERY_BRANCH;
        }
        for (run, branch) in self.all_runs(order.len()) {
            for &entry in &order[run] {
                scratch.branch[row_of(entry)] = branch as u32;
            }
        }
    }

    fn lists<'o>(&self, entries: &[Entry], weights: &[f64], branch: &[u32]) -> Vec<NodeRows<'o>> {
        (0..self.sums.len())
            .map(|child| {
                let mut list = Vec::with_capacity(self.sums[child].n_rows() as usize);
                let mut kept = Vec::with_capacity(list.capacity());
                for (&entry, &weight) in entries.iter().zip(weights) {
                    let share = match branch[row_of(entry)] {
                        EVERY_BRANCH => self.shares[child],
                        own if own as usize == child => 1.0,
                        _ => 0.0,
                    };
                    if share > 0.0 {
                        list.push(entry);
                        kept.push(weight * share);
                    }
                }
                NodeRows::Listed { entries: list, weights: kept }
            })
            .collect()
    }
}

/// Marks a row that goes to every branch in shares.
const EVERY_BRANCH: u32 = u32::MAX;

/// Adds rows without a value to every child, in shares.
fn share_out<W: Weigh>(
    training: &Training<'_>,
    weigh: W,
    sums: &mut [ClassSums],
    shares: &[f64],
    missing: &[Entry],
) {
    let mut unknown = ClassSums::zero(training.n_classes);
    weigh.add(training, &mut unknown, missing);
    weigh.settle(&mut unknown);
    for (child, &share) in sums.iter_mut().zip(shares).filter(|&(_, &share)| share > 0.0) {
        for class in 0..training.n_classes {
            child.rows[class] += unknown.rows[class];
            child.mass[class] += unknown.mass[class] * share;
        }
    }
}

/// Divides every order in two, stably and in place.
fn halves<'o>(
    orders: Vec<&'o mut [Entry]>,
    right: &[u64],
    sizes: [usize; 2],
    wanted: [bool; 2],
    ctl: RunCtl<'_>,
) -> Vec<NodeRows<'o>> {
    let work = orders.len() * (sizes[0] + sizes[1]);
    let divide = |spare: &mut Vec<Entry>, order: &'o mut [Entry]| halve(spare, order, right, sizes, wanted);
    let (lefts, rights): (Vec<_>, Vec<_>) = if work >= ctl.grain(PARALLEL_WORK) {
        orders.into_par_iter().map_init(Vec::new, divide).unzip()
    } else {
        let mut spare = Vec::new();
        orders.into_iter().map(|order| divide(&mut spare, order)).unzip()
    };
    vec![NodeRows::Presorted(lefts), NodeRows::Presorted(rights)]
}

/// Divides a list in two, stably and in place.
fn halve<'o>(
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

/// Rows of each branch from the lists of the most frequent class and of the others.
fn ranked<'o>(
    frequent: impl IntoIterator<Item = &'o mut [Entry]>,
    rare: impl IntoIterator<Item = &'o mut [Entry]>,
) -> Vec<NodeRows<'o>> {
    let branch = |(frequent, rare)| NodeRows::Ranked(RankedRows { frequent, rare });
    frequent.into_iter().zip(rare).map(branch).collect()
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

/// Left entries to the front, right ones behind them; written without a branch, since sides alternate at random.
pub(crate) fn both_sides<'o>(
    order: &'o mut [Entry],
    spare: &mut Vec<Entry>,
    mut side_of: impl FnMut(usize) -> usize,
) -> (&'o mut [Entry], &'o mut [Entry]) {
    if spare.len() < order.len() {
        spare.resize(order.len(), 0);
    }
    let (mut to_left, mut to_right) = (0, 0);
    for place in 0..order.len() {
        let entry = order[place];
        let side = side_of(row_of(entry));
        order[to_left.min(place)] = entry;
        spare[to_right] = entry;
        to_left += 1 - side;
        to_right += side;
    }
    let (left, rest) = order.split_at_mut(to_left);
    rest.copy_from_slice(&spare[..rest.len()]);
    (left, rest)
}

/// Divides every order into one piece a branch, stably.
fn pieces<'o>(orders: Vec<&'o mut [Entry]>, branch: &[u32], sizes: &[usize]) -> Vec<NodeRows<'o>> {
    let divide = |order: &'o mut [Entry]| cut_up(order, branch, sizes);
    let by_column: Vec<Vec<&'o mut [Entry]>> = orders.into_par_iter().map(divide).collect();
    let mut by_branch: Vec<Vec<&'o mut [Entry]>> =
        sizes.iter().map(|_| Vec::with_capacity(by_column.len())).collect();
    for parts in by_column {
        for (child, part) in by_branch.iter_mut().zip(parts) {
            child.push(part);
        }
    }
    by_branch.into_iter().map(NodeRows::Presorted).collect()
}

/// Divides a list into one piece a branch, stably.
fn cut_up<'o>(order: &'o mut [Entry], branch: &[u32], sizes: &[usize]) -> Vec<&'o mut [Entry]> {
    let spare = order.to_vec();
    let mut starts: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, &size| {
            *sum += size;
            Some(*sum - size)
        })
        .collect();
    for entry in spare {
        let start = &mut starts[branch[row_of(entry)] as usize];
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
