//! The inner loop: every cut of one column at one node.
//!
//! A cut between two values that only rows of one class hold can never win: every criterion is strictly
//! convex (or a maximum of strictly convex functions) in the mass of a class that moves from one side to the
//! other (Fayyad and Irani 1992; Elomaa and Rousu 1999). So a scan jumps from one row of a rarer class to the
//! next and scores the two ends of its group of equal values, unless every cut is asked for.

use crate::gaps::Gaps;
use crate::levels::Nominal;
use crate::monotone::Guard;
use crate::settings::{Feature, MissingRule, Settings};
use crate::sums::{ClassSums, Weigh};
use crate::training::{Entry, RARE, TrainColumn, Training, row_of};
use imbcore_criteria::{Branches, Choice, Criterion, NodeScorer, split_info};
use std::borrow::Cow;
use std::ops::Range;

/// A later candidate must beat an earlier one by this share; smaller differences are ties.
const TIE: f64 = 1e-9;

/// Scores below this are 0.
const NOTHING: f64 = 1e-12;

/// How a candidate splits the sorted rows of its column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// The first so many known rows against the rest.
    Below(usize),
    /// Rows of a rank below this against the rest.
    Under(u32),
    /// Rows with a value against those without.
    Known,
    /// This range of the sorted rows (one level) against the rest.
    IsLevel(Range<usize>),
    /// Rows of these levels, ascending, against the rest.
    InLevels(Vec<u32>),
    /// Every level apart, in so many branches.
    EachLevel(usize),
}

/// The best split of one column.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) column: usize,
    pub(crate) score: f64,
    pub(crate) found: Found,
    /// Branch of rows without a value, where the scan decided it.
    pub(crate) missing_branch: Option<u32>,
    /// Split information, where the choice among columns needs it.
    pub(crate) info: f64,
    /// Number of feasible cuts, counted where the choice among columns needs it.
    pub(crate) n_cuts: usize,
    /// The class group of the score, where the criterion compares groups of more than two classes.
    pub(crate) group: Vec<u32>,
}

/// A node as its scans see it.
#[derive(Clone, Copy)]
pub(crate) struct Node<'n> {
    pub(crate) sums: &'n ClassSums,
    pub(crate) guard: Option<Guard<'n>>,
}

/// Whether a later score replaces an earlier one.
pub(crate) fn beats(score: f64, incumbent: f64) -> bool {
    if incumbent == 0.0 { score > 0.0 } else { score > incumbent * (1.0 + TIE) }
}

/// Scans the columns of one node.
pub(crate) struct Scanner<'n, C: Criterion, W: Weigh> {
    pub(crate) training: &'n Training<'n>,
    pub(crate) settings: &'n Settings,
    pub(crate) criterion: &'n C,
    pub(crate) weigh: W,
    pub(crate) node: &'n ClassSums,
    pub(crate) guard: Option<Guard<'n>>,
    scorer: C::Node,
    /// Scorer of the current column, where rows without a value stay out of its tables.
    pub(crate) known_scorer: Option<C::Node>,
    pub(crate) left: ClassSums,
    pub(crate) table: Vec<f64>,
    /// Feasible cuts of the current column, where they are counted.
    pub(crate) n_cuts: usize,
    /// Whether class groups are kept.
    has_groups: bool,
    /// Memory of searches that count.
    pub(crate) gaps: Gaps,
}

/// One column at one node, split into rows with and without a value.
pub(crate) struct Sorted<'o> {
    pub(crate) column: usize,
    pub(crate) known: &'o [Entry],
    pub(crate) all_known: Cow<'o, ClassSums>,
    pub(crate) missing: ClassSums,
    pub(crate) n_missing: usize,
    /// Share of the node's mass that the scores count for; below 1 where rows without a value stay out.
    share: f64,
    unknown: f64,
}

impl<'n, C: Criterion, W: Weigh> Scanner<'n, C, W> {
    pub(crate) fn new(
        training: &'n Training<'n>,
        settings: &'n Settings,
        criterion: &'n C,
        weigh: W,
        node: Node<'n>,
    ) -> Self {
        Self {
            training,
            settings,
            criterion,
            weigh,
            node: node.sums,
            guard: node.guard,
            scorer: criterion.at_node(&node.sums.mass),
            known_scorer: None,
            left: ClassSums::zero(training.n_classes),
            table: Vec::new(),
            n_cuts: 0,
            has_groups: criterion.has_groups() && training.n_classes > 2,
            gaps: Gaps::default(),
        }
    }

    /// Best split by one feature, whose column's entries come sorted.
    pub(crate) fn best(&mut self, feature: Feature, order: &[Entry]) -> Option<Candidate> {
        let training = self.training;
        let column = feature.column as usize;
        let values = &training.columns[column];
        let n_known = if self.settings.may_miss[column] {
            order.partition_point(|&entry| !values.is_missing(row_of(entry)))
        } else {
            order.len()
        };
        let sorted = self.sorted(column, order, n_known);
        if sorted.unknown > 0.0 && sorted.all_known.is_pure() {
            // Only rows that would be shared out alike are of other classes: no split tells them apart.
            return None;
        }
        self.known_scorer = (sorted.unknown > 0.0).then(|| self.criterion.at_node(&sorted.all_known.mass));
        self.n_cuts = 0;
        let mut best = None;
        match values {
            TrainColumn::Numeric(values) => self.cuts(values, &sorted, &mut best),
            &TrainColumn::Nominal { codes, levels } => {
                self.nominal(&Nominal { codes, levels, dummy: feature.level }, &sorted, &mut best);
            }
        }
        let numeric = matches!(values, TrainColumn::Numeric(_));
        if sorted.n_missing > 0 && self.settings.missing.picks_a_side(numeric) {
            self.known_against_missing(&sorted, &mut best);
        }
        if let Some(winner) = &mut best {
            winner.n_cuts = self.n_cuts;
        }
        best
    }

    pub(crate) fn sorted<'o>(&self, column: usize, order: &'o [Entry], n_known: usize) -> Sorted<'o>
    where
        'n: 'o,
    {
        let (known, tail) = order.split_at(n_known);
        if tail.is_empty() {
            let (all_known, missing) = (Cow::Borrowed(self.node), ClassSums::default());
            return Sorted { column, known, all_known, missing, n_missing: 0, share: 1.0, unknown: 0.0 };
        }
        let sum = |entries| {
            let mut sums = ClassSums::zero(self.training.n_classes);
            self.weigh.add(self.training, &mut sums, entries);
            self.weigh.settle(&mut sums);
            sums
        };
        let (all_known, missing) = (sum(known), sum(tail));
        let (share, unknown) = match self.settings.missing {
            MissingRule::Fraction => {
                let (known, unknown) = (all_known.total_mass(), missing.total_mass());
                (known / (known + unknown), unknown)
            }
            _ => (1.0, 0.0),
        };
        let all_known = Cow::Owned(all_known);
        Sorted { column, known, all_known, missing, n_missing: tail.len(), share, unknown }
    }

    /// Numeric cuts, ascending.
    fn cuts(&mut self, values: &[f64], sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        let known = sorted.known;
        let n = known.len();
        let value = |place: usize| values[row_of(known[place])];
        let gap = self.settings.value_gap;
        let is_cut = |cut: usize| value(cut) > value(cut - 1) + gap;
        let sides = self.sides(sorted, self.numeric_min_mass(sorted));
        if matches!(self.criterion.choice(), Choice::Ratio { .. }) {
            let feasible = |cut: &usize| sides.iter().any(|side| side.feasible.contains(cut));
            self.n_cuts = (1..n).filter(|cut| feasible(cut) && is_cut(*cut)).count();
        }
        let mut forced = outermost(&sides, is_cut).into_iter().peekable();
        // Constraints rule out cuts anywhere, so the best of the others may lie inside a run of one class.
        let every_cut = self.settings.every_cut || self.guard.is_some_and(|guard| guard.binds(sorted.column));
        self.left.clear();
        let mut done = 0;
        while done < n {
            let (start, end) = if every_cut {
                (done, (done + 1..n).find(|&cut| is_cut(cut)).unwrap_or(n))
            } else {
                match next_rare(known, done) {
                    Some(rare) => (group_start(rare, done, value), group_end(rare, n, value)),
                    None => (n, n),
                }
            };
            while let Some(cut) = forced.next_if(|&cut| cut < start) {
                if cut > done {
                    self.add(&known[done..cut]);
                    done = cut;
                    self.consider_cut(cut, &sides, sorted, best);
                }
            }
            if start > done && start < n {
                self.add(&known[done..start]);
                self.consider_cut(start, &sides, sorted, best);
            }
            self.add(&known[start..end]);
            if end < n {
                self.consider_cut(end, &sides, sorted, best);
            }
            done = end;
        }
    }

    /// Where rows without a value may go, in the order they are tried, and the cuts whose sides are then large
    /// enough.
    fn sides(&self, sorted: &Sorted<'_>, min_mass: f64) -> Vec<Side> {
        let missing = sorted.n_missing;
        let tried: &[Option<u32>] = if missing > 0 && self.settings.missing.picks_a_side(true) {
            &[Some(1), Some(0)]
        } else {
            &[None]
        };
        let missing_mass = sorted.missing.total_mass();
        tried
            .iter()
            .map(|&missing_branch| {
                let extra = |branch| {
                    if missing_branch == Some(branch) { (missing, missing_mass) } else { (0, 0.0) }
                };
                let first = self.rows_needed(sorted.known.iter(), extra(0), min_mass);
                let last = self.rows_needed(sorted.known.iter().rev(), extra(1), min_mass);
                // Rows without a value make a side of their own, if they are enough.
                let free = |branch| usize::from(missing_branch != Some(branch));
                let limited = first > free(0) || last > free(1);
                let feasible = first.max(1)..(sorted.known.len() + 1).saturating_sub(last.max(1));
                Side { missing_branch, feasible, limited }
            })
            .collect()
    }

    /// Smallest mass of a side of a numeric cut (C4.5's "minimum of cases in each subset").
    fn numeric_min_mass(&self, sorted: &Sorted<'_>) -> f64 {
        let least = self.settings.min_mass;
        if !self.settings.c45_min {
            return least;
        }
        (0.1 * sorted.all_known.total_mass() / self.training.n_classes as f64).min(25.0).max(least)
    }

    /// How many entries must join a side that has `(rows, mass)` before it is large enough.
    fn rows_needed<'e>(
        &self,
        entries: impl Iterator<Item = &'e Entry>,
        (rows, mass): (usize, f64),
        min_mass: f64,
    ) -> usize {
        let by_rows = self.settings.min_rows.saturating_sub(rows);
        if mass >= min_mass {
            return by_rows;
        }
        let mut sum = mass;
        let light = entries.take_while(|&&entry| {
            let before = sum;
            sum += self.weigh.of(self.training, entry);
            before < min_mass
        });
        by_rows.max(light.count())
    }

    pub(crate) fn add(&mut self, entries: &[Entry]) {
        self.weigh.add(self.training, &mut self.left, entries);
    }

    /// Scores the cut that leaves `n_left` known rows, now summed in `self.left`, on the left.
    fn consider_cut(
        &mut self,
        n_left: usize,
        sides: &[Side],
        sorted: &Sorted<'_>,
        best: &mut Option<Candidate>,
    ) {
        self.weigh.settle(&mut self.left);
        for side in sides.iter().filter(|side| side.feasible.contains(&n_left)) {
            self.fill_table(sorted, side.missing_branch);
            self.offer(sorted, side.missing_branch, best, || Found::Below(n_left));
        }
    }

    pub(crate) fn fill_table(&mut self, sorted: &Sorted<'_>, missing_branch: Option<u32>) {
        self.fill_table_from(&sorted.all_known, sorted, missing_branch);
    }

    /// A table of `self.left` and the rest of `all`, and of the rows without a value where they take a branch.
    pub(crate) fn fill_table_from(
        &mut self,
        all: &ClassSums,
        sorted: &Sorted<'_>,
        missing_branch: Option<u32>,
    ) {
        let n_classes = self.training.n_classes;
        self.table.resize(2 * n_classes, 0.0);
        let (left, right) = self.table.split_at_mut(n_classes);
        left.copy_from_slice(&self.left.mass);
        for (class, cell) in right.iter_mut().enumerate() {
            *cell = self.weigh.rest(all, &self.left, class);
        }
        if let Some(branch) = missing_branch {
            let side = if branch == 0 { left } else { right };
            for (cell, missing) in side.iter_mut().zip(&sorted.missing.mass) {
                *cell += missing;
            }
        }
    }

    /// Number of branches in the table that are large enough, given their numbers of rows.
    pub(crate) fn n_large(&self, rows: impl Iterator<Item = usize>) -> usize {
        let masses = self.table.chunks_exact(self.training.n_classes).map(|cells| cells.iter().sum::<f64>());
        rows.zip(masses)
            .filter(|&(rows, mass)| rows >= self.settings.min_rows && mass >= self.settings.min_mass)
            .count()
    }

    pub(crate) fn known_against_missing(&mut self, sorted: &Sorted<'_>, best: &mut Option<Candidate>) {
        if sorted.known.is_empty() || sorted.n_missing == 0 {
            return;
        }
        self.table.clear();
        self.table.extend_from_slice(&sorted.all_known.mass);
        self.table.extend_from_slice(&sorted.missing.mass);
        if self.n_large([sorted.known.len(), sorted.n_missing].into_iter()) < 2 {
            return;
        }
        self.offer(sorted, Some(1), best, || Found::Known);
    }

    /// Scores the table and keeps it if it beats what came before.
    pub(crate) fn offer(
        &mut self,
        sorted: &Sorted<'_>,
        missing_branch: Option<u32>,
        best: &mut Option<Candidate>,
        found: impl Fn() -> Found,
    ) {
        if self.guard.is_some() && !self.is_allowed(sorted, matches!(found(), Found::Below(_))) {
            return;
        }
        let branches = Branches::new(&self.table, self.training.n_classes).with_unknown(sorted.unknown);
        let scorer = self.known_scorer.as_mut().unwrap_or(&mut self.scorer);
        let score = scorer.score(branches) * sorted.share;
        let score = if score < NOTHING { 0.0 } else { score };
        if best.as_ref().is_none_or(|winner| beats(score, winner.score)) {
            let ratio = matches!(self.criterion.choice(), Choice::Ratio { .. });
            let info = if ratio { split_info(branches) } else { 0.0 };
            let group = if self.has_groups { scorer.group() } else { Vec::new() };
            let (column, found) = (sorted.column, found());
            *best = Some(Candidate { column, score, found, missing_branch, info, n_cuts: 0, group });
        }
    }

    /// Whether the constraints let the table's split pass; rows that are shared out count as they will.
    pub(crate) fn is_allowed(&self, sorted: &Sorted<'_>, ordered: bool) -> bool {
        let Some(guard) = self.guard.filter(|guard| guard.binds(sorted.column)) else { return true };
        let n_classes = self.training.n_classes;
        if sorted.unknown == 0.0 {
            let masses: Vec<&[f64]> = self.table.chunks_exact(n_classes).collect();
            return guard.children(sorted.column, ordered, &masses).is_some();
        }
        let known = sorted.all_known.total_mass();
        let whole = |cells: &[f64]| -> Vec<f64> {
            let share = cells.iter().sum::<f64>() / known;
            cells.iter().zip(&sorted.missing.mass).map(|(cell, missing)| cell + missing * share).collect()
        };
        let masses: Vec<Vec<f64>> = self.table.chunks_exact(n_classes).map(whole).collect();
        guard
            .children(sorted.column, ordered, &masses.iter().map(Vec::as_slice).collect::<Vec<_>>())
            .is_some()
    }
}

/// Where rows without a value go, and the cuts that are feasible then.
struct Side {
    missing_branch: Option<u32>,
    feasible: Range<usize>,
    /// Whether a size limit rules out cuts, or all known rows on one side with the others on the other.
    limited: bool,
}

/// Under size limits the outermost feasible cuts can win inside a run of one class.
fn outermost(sides: &[Side], is_cut: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut cuts = Vec::new();
    for side in sides.iter().filter(|side| side.limited) {
        cuts.extend(side.feasible.clone().find(|&cut| is_cut(cut)));
        cuts.extend(side.feasible.clone().rev().find(|&cut| is_cut(cut)));
    }
    cuts.sort_unstable();
    cuts
}

/// Next entry at or after `from` that is marked rare.
#[inline]
fn next_rare(entries: &[Entry], from: usize) -> Option<usize> {
    let mut place = from;
    for chunk in entries[from..].chunks(16) {
        if chunk.iter().fold(0, |all, entry| all | entry) & RARE != 0 {
            return chunk.iter().position(|entry| entry & RARE != 0).map(|offset| place + offset);
        }
        place += chunk.len();
    }
    None
}

/// First place, not before `floor`, of the run of values equal to that at `place`.
#[inline]
fn group_start(place: usize, floor: usize, value: impl Fn(usize) -> f64) -> usize {
    let mut start = place;
    while start > floor && value(start - 1) == value(place) {
        start -= 1;
    }
    start
}

/// End of the run of values equal to that at `place`.
#[inline]
fn group_end(place: usize, n: usize, value: impl Fn(usize) -> f64) -> usize {
    let mut end = place + 1;
    while end < n && value(end) == value(place) {
        end += 1;
    }
    end
}
