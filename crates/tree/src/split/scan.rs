//! The inner loop: every cut of one column at one node.
//!
//! A cut between two values that only rows of one class hold can never win: every criterion is strictly
//! convex (or a maximum of strictly convex functions) in the mass of a class that moves from one side to the
//! other (Fayyad and Irani 1992; Elomaa and Rousu 1999). So a scan jumps from one row of a rarer class to the
//! next and scores the two ends of its group of equal values, unless every cut is asked for.

use crate::rows::sums::{ClassSums, Weigh};
use crate::rows::training::{Entry, RARE, TrainColumn, Training, row_of};
use crate::settings::{Feature, MissingRule, Settings};
use crate::split::gaps::Gaps;
use crate::split::levels::{Level, Nominal};
use crate::split::monotone::Guard;
use crate::split::search::level_runs;
use imbcore_criteria::{Branches, Choice, Criterion, NodeScorer, split_info};
use std::borrow::Cow;
use std::ops::Range;

/// A later candidate must beat an earlier one by this share; smaller differences are ties.
const TIE: f64 = 1e-9;

/// Scores below this are 0.
const NOTHING: f64 = 1e-12;

/// How a candidate splits the places of its column: its sorted rows, or its bins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// The first so many places with a value against the rest.
    Below(usize),
    /// Rows of a rank below this against the rest.
    Under(u32),
    /// Rows with a value against those without.
    Known,
    /// This range of the places (one level) against the rest.
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
pub(crate) struct Part<'o> {
    pub(crate) column: usize,
    pub(crate) n_known: usize,
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

    /// Best split by one feature, whose column's entries come part.
    pub(crate) fn best(&mut self, feature: Feature, order: &[Entry]) -> Option<Candidate> {
        let training = self.training;
        let column = feature.column as usize;
        let values = &training.columns[column];
        let n_known = if self.settings.may_miss[column] {
            order.partition_point(|&entry| !values.is_missing(row_of(entry)))
        } else {
            order.len()
        };
        let (known, tail) = order.split_at(n_known);
        let sum = |entries| {
            let mut sums = ClassSums::zero(training.n_classes);
            self.weigh.add(training, &mut sums, entries);
            self.weigh.settle(&mut sums);
            sums
        };
        let part = self.part(column, sum(tail), || sum(known));
        match values {
            TrainColumn::Numeric(values) => {
                self.search(&part, true, |scanner, best| scanner.cuts(values, known, &part, best))
            }
            &TrainColumn::Nominal { codes, levels } => {
                let weigh = self.weigh;
                let add = |sums: &mut ClassSums, places| weigh.add(training, sums, &known[places]);
                let level = |(places, code)| Level { code, places };
                let present: Vec<Level> = level_runs(codes, known).map(level).collect();
                let column = Nominal { levels, dummy: feature.level, present: &present, add: &add };
                self.search(&part, false, |scanner, best| scanner.nominal(&column, &part, best))
            }
        }
    }

    /// A column whose rows without a value have these sums; `known` adds up the others.
    pub(crate) fn part(
        &self,
        column: usize,
        missing: ClassSums,
        known: impl FnOnce() -> ClassSums,
    ) -> Part<'n> {
        let n_missing = missing.n_rows() as usize;
        let n_known = self.node.n_rows() as usize - n_missing;
        if n_missing == 0 {
            let all_known = Cow::Borrowed(self.node);
            return Part { column, n_known, all_known, missing, n_missing, share: 1.0, unknown: 0.0 };
        }
        let all_known = known();
        let (share, unknown) = match self.settings.missing {
            MissingRule::Fraction => {
                let (known, unknown) = (all_known.total_mass(), missing.total_mass());
                (known / (known + unknown), unknown)
            }
            _ => (1.0, 0.0),
        };
        Part { column, n_known, all_known: Cow::Owned(all_known), missing, n_missing, share, unknown }
    }

    /// Best split of a column, whose candidates `walk` offers.
    pub(crate) fn search(
        &mut self,
        part: &Part<'_>,
        numeric: bool,
        walk: impl FnOnce(&mut Self, &mut Option<Candidate>),
    ) -> Option<Candidate> {
        if part.unknown > 0.0 && part.all_known.is_pure() {
            // Only rows that would be shared out alike are of other classes: no split tells them apart.
            return None;
        }
        self.known_scorer = (part.unknown > 0.0).then(|| self.criterion.at_node(&part.all_known.mass));
        self.n_cuts = 0;
        let mut best = None;
        walk(self, &mut best);
        if part.n_missing > 0 && self.settings.missing.picks_a_side(numeric) {
            self.known_against_missing(part, &mut best);
        }
        if let Some(winner) = &mut best {
            winner.n_cuts = self.n_cuts;
        }
        best
    }

    /// Whether the choice among columns needs the number of feasible cuts.
    pub(crate) fn counts_cuts(&self) -> bool {
        matches!(self.criterion.choice(), Choice::Ratio { .. })
    }

    /// Whether cuts of a column must be scored that cannot win among all.
    ///
    /// Constraints rule out cuts anywhere, so the best of the others may lie inside a run of one class.
    pub(crate) fn scores_every_cut(&self, column: usize) -> bool {
        self.settings.every_cut || self.guard.is_some_and(|guard| guard.binds(column))
    }

    /// Numeric cuts, ascending.
    fn cuts(&mut self, values: &[f64], known: &[Entry], part: &Part<'_>, best: &mut Option<Candidate>) {
        let n = known.len();
        let value = |place: usize| values[row_of(known[place])];
        let gap = self.settings.value_gap;
        let is_cut = |cut: usize| value(cut) > value(cut - 1) + gap;
        let one = |sums: &mut ClassSums, entry: &Entry| {
            self.weigh.add(self.training, sums, std::slice::from_ref(entry));
            1
        };
        let least = self.numeric_min_mass(part);
        let sides = self.sides(part, |branch, extra| match branch {
            0 => self.rows_needed(known.iter(), one, extra, least),
            _ => self.rows_needed(known.iter().rev(), one, extra, least),
        });
        if self.counts_cuts() {
            let feasible = |cut: &usize| sides.iter().any(|side| side.feasible.contains(cut));
            self.n_cuts = (1..n).filter(|cut| feasible(cut) && is_cut(*cut)).count();
        }
        let mut forced = outermost(&sides, is_cut).into_iter().peekable();
        let every_cut = self.scores_every_cut(part.column);
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
                    self.consider_cut(cut, cut, &sides, part, best);
                }
            }
            if start > done && start < n {
                self.add(&known[done..start]);
                self.consider_cut(start, start, &sides, part, best);
            }
            self.add(&known[start..end]);
            if end < n {
                self.consider_cut(end, end, &sides, part, best);
            }
            done = end;
        }
    }

    /// Where rows without a value may go, in the order they are tried, and the cuts whose sides are then large
    /// enough; `needed` tells how many rows must join a branch that has `(rows, mass)`.
    pub(crate) fn sides(&self, part: &Part<'_>, needed: impl Fn(usize, (usize, f64)) -> usize) -> Vec<Side> {
        let missing = (part.n_missing, part.missing.total_mass());
        self.missing_branches(part)
            .iter()
            .map(|&missing_branch| {
                let extra = |branch| if missing_branch == Some(branch) { missing } else { (0, 0.0) };
                let (first, last) = (needed(0, extra(0)), needed(1, extra(1)));
                // Rows without a value make a side of their own, if they are enough.
                let free = |branch| usize::from(missing_branch != Some(branch));
                let limited = first > free(0) || last > free(1);
                let feasible = first.max(1)..(part.n_known + 1).saturating_sub(last.max(1));
                Side { missing_branch, feasible, limited }
            })
            .collect()
    }

    /// Where rows without a value may go, in the order they are tried.
    pub(crate) fn missing_branches(&self, part: &Part<'_>) -> &'static [Option<u32>] {
        if part.n_missing > 0 && self.settings.missing.picks_a_side(true) {
            &[Some(1), Some(0)]
        } else {
            &[None]
        }
    }

    /// Smallest mass of a side of a numeric cut (C4.5's "minimum of cases in each subset").
    pub(crate) fn numeric_min_mass(&self, part: &Part<'_>) -> f64 {
        let least = self.settings.min_mass;
        if !self.settings.c45_min {
            return least;
        }
        (0.1 * part.all_known.total_mass() / self.training.n_classes as f64).min(25.0).max(least)
    }

    /// How many rows must join a branch that has `(rows, mass)` before it is large enough; `add` adds an item to
    /// the sums and tells its number of rows.
    pub(crate) fn rows_needed<I>(
        &self,
        items: impl Iterator<Item = I>,
        add: impl Fn(&mut ClassSums, I) -> usize,
        (rows, mass): (usize, f64),
        min_mass: f64,
    ) -> usize {
        let by_rows = self.settings.min_rows.saturating_sub(rows);
        if mass >= min_mass {
            return by_rows;
        }
        let mut sums = ClassSums::zero(self.training.n_classes);
        let mut by_mass = 0;
        for item in items {
            by_mass += add(&mut sums, item);
            self.weigh.settle(&mut sums);
            if mass + sums.total_mass() >= min_mass {
                break;
            }
        }
        by_rows.max(by_mass)
    }

    fn add(&mut self, entries: &[Entry]) {
        self.weigh.add(self.training, &mut self.left, entries);
    }

    /// Scores the cut before `place` that leaves `n_left` known rows, now summed in `self.left`, on the left.
    pub(crate) fn consider_cut(
        &mut self,
        place: usize,
        n_left: usize,
        sides: &[Side],
        part: &Part<'_>,
        best: &mut Option<Candidate>,
    ) {
        self.weigh.settle(&mut self.left);
        for side in sides.iter().filter(|side| side.feasible.contains(&n_left)) {
            self.fill_table(part, side.missing_branch);
            self.offer(part, side.missing_branch, best, || Found::Below(place));
        }
    }

    pub(crate) fn fill_table(&mut self, part: &Part<'_>, missing_branch: Option<u32>) {
        self.fill_table_from(&part.all_known, part, missing_branch);
    }

    /// A table of `self.left` and the rest of `all`, and of the rows without a value where they take a branch.
    pub(crate) fn fill_table_from(&mut self, all: &ClassSums, part: &Part<'_>, missing_branch: Option<u32>) {
        let n_classes = self.training.n_classes;
        self.table.resize(2 * n_classes, 0.0);
        let (left, right) = self.table.split_at_mut(n_classes);
        left.copy_from_slice(&self.left.mass);
        for (class, cell) in right.iter_mut().enumerate() {
            *cell = self.weigh.rest(all, &self.left, class);
        }
        if let Some(branch) = missing_branch {
            let side = if branch == 0 { left } else { right };
            for (cell, missing) in side.iter_mut().zip(&part.missing.mass) {
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

    pub(crate) fn known_against_missing(&mut self, part: &Part<'_>, best: &mut Option<Candidate>) {
        if part.n_known == 0 || part.n_missing == 0 {
            return;
        }
        self.table.clear();
        self.table.extend_from_slice(&part.all_known.mass);
        self.table.extend_from_slice(&part.missing.mass);
        if self.n_large([part.n_known, part.n_missing].into_iter()) < 2 {
            return;
        }
        self.offer(part, Some(1), best, || Found::Known);
    }

    /// Scores the table and keeps it if it beats what came before.
    pub(crate) fn offer(
        &mut self,
        part: &Part<'_>,
        missing_branch: Option<u32>,
        best: &mut Option<Candidate>,
        found: impl Fn() -> Found,
    ) {
        if self.guard.is_some() && !self.is_allowed(part, matches!(found(), Found::Below(_))) {
            return;
        }
        let branches = Branches::new(&self.table, self.training.n_classes).with_unknown(part.unknown);
        let scorer = self.known_scorer.as_mut().unwrap_or(&mut self.scorer);
        let score = scorer.score(branches) * part.share;
        let score = if score < NOTHING { 0.0 } else { score };
        if best.as_ref().is_none_or(|winner| beats(score, winner.score)) {
            let ratio = matches!(self.criterion.choice(), Choice::Ratio { .. });
            let info = if ratio { split_info(branches) } else { 0.0 };
            let group = if self.has_groups { scorer.group() } else { Vec::new() };
            let (column, found) = (part.column, found());
            *best = Some(Candidate { column, score, found, missing_branch, info, n_cuts: 0, group });
        }
    }

    /// Whether the constraints let the table's split pass; rows that are shared out count as they will.
    pub(crate) fn is_allowed(&self, part: &Part<'_>, ordered: bool) -> bool {
        let Some(guard) = self.guard.filter(|guard| guard.binds(part.column)) else { return true };
        let n_classes = self.training.n_classes;
        if part.unknown == 0.0 {
            let masses: Vec<&[f64]> = self.table.chunks_exact(n_classes).collect();
            return guard.children(part.column, ordered, &masses).is_some();
        }
        let known = part.all_known.total_mass();
        let whole = |cells: &[f64]| -> Vec<f64> {
            let share = cells.iter().sum::<f64>() / known;
            cells.iter().zip(&part.missing.mass).map(|(cell, missing)| cell + missing * share).collect()
        };
        let masses: Vec<Vec<f64>> = self.table.chunks_exact(n_classes).map(whole).collect();
        guard.children(part.column, ordered, &masses.iter().map(Vec::as_slice).collect::<Vec<_>>()).is_some()
    }
}

/// Where rows without a value go, and the cuts that are feasible then, as numbers of known rows on the left.
pub(crate) struct Side {
    missing_branch: Option<u32>,
    pub(crate) feasible: Range<usize>,
    /// Whether a size limit rules out cuts, or all known rows on one side with the others on the other.
    pub(crate) limited: bool,
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
