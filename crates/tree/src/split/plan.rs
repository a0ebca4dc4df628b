//! How a split falls out: what each child will hold, before and after rows are moved.

use crate::bits;
use crate::params::MissingRule;
use crate::rows::entry::{Entry, TrainColumn, row_of};
use crate::rows::sums::ClassSums;
use crate::rows::training::Training;
use crate::rows::weigh::Weights;
use crate::settings::{Layout, Settings};
use crate::split::candidate::{FoundSplit, Split, level_runs};
use crate::split::monotone::Guard;
use crate::tree::Cut;
use std::ops::Range;

/// How a split falls out, before any row is moved.
pub(crate) struct SplitPlan {
    runs: Vec<(Range<usize>, usize)>,
    /// Where the rows without a value start among the sorted ones.
    pub(crate) n_known: usize,
    /// The branch they take; none where they are shared out.
    pub(crate) missing_branch: Option<usize>,
    /// Share of such a row that each child gets.
    pub(crate) shares: Vec<f64>,
    /// Rows and masses of each child.
    pub(crate) sums: Vec<ClassSums>,
    /// Whether the sorted rows of each child are already as it keeps them: the most frequent class first.
    pub(crate) in_place: bool,
}

impl SplitPlan {
    /// Adds up the children of `split`, given the entries sorted by its column.
    pub(crate) fn new(
        training: &Training<'_>,
        settings: &Settings,
        weights: Weights<'_>,
        split: &Split,
        order: &[Entry],
    ) -> Self {
        let values = &training.table.columns[split.column];
        let n_known = order.partition_point(|&entry| !values.is_missing(row_of(entry)));
        let codes: &[u32] = match values {
            TrainColumn::Nominal { codes, .. } => codes,
            TrainColumn::Numeric(_) => &[],
        };
        let runs = split.runs(n_known, level_runs(codes, &order[..n_known]));
        let add = |sums: &mut ClassSums, run: Range<usize>| weights.add(training, sums, &order[run]);
        let mut plan = Self::of_known(training, settings, weights, split, runs, n_known, add);
        let by_value = matches!(split.found, FoundSplit::AtMost { .. });
        plan.in_place = by_value && settings.layout == Layout::Ranked && n_known == order.len();
        if n_known < order.len() {
            let missing = &order[n_known..];
            if let Some(branch) = plan.missing_branch {
                weights.add(training, &mut plan.sums[branch], missing);
                weights.settle(&mut plan.sums[branch]);
            } else {
                share_out(training, weights, &mut plan.sums, &plan.shares, missing);
            }
        }
        plan
    }

    /// Adds up the children of `split` without the rows that miss the value; `add` adds a run of places.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn of_known(
        training: &Training<'_>,
        settings: &Settings,
        weights: Weights<'_>,
        split: &Split,
        runs: Vec<(Range<usize>, usize)>,
        n_known: usize,
        add: impl Fn(&mut ClassSums, Range<usize>),
    ) -> Self {
        let mut sums = vec![ClassSums::zero(training.n_classes()); split.n_branches()];
        for (run, branch) in &runs {
            add(&mut sums[*branch], run.clone());
            weights.settle(&mut sums[*branch]);
        }
        let mass: Vec<f64> = sums.iter().map(ClassSums::total_mass).collect();
        let fraction = settings.missing == MissingRule::Fraction;
        let missing_branch = (!fraction)
            .then(|| split.missing_branch.map_or_else(|| largest(&sums), |branch| branch as usize));
        let known: f64 = mass.iter().sum();
        let shares: Vec<f64> = mass.iter().map(|&part| part / known).collect();
        Self { runs, n_known, missing_branch, shares, sums, in_place: false }
    }

    /// Branch that a row without a value takes at prediction: that of training, or the one with most rows.
    pub(crate) fn missing_child(&self) -> usize {
        self.missing_branch.unwrap_or_else(|| largest(&self.sums))
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

    /// The set of levels that goes left, as the tree keeps it; empty for other splits.
    ///
    /// `level_at` tells the level at a place. Levels that no row of the node has go where most rows go, to the right on equality.
    pub(crate) fn level_set(
        &self,
        split: &Split,
        training: &Training<'_>,
        level_at: impl Fn(usize) -> u32,
    ) -> Vec<u32> {
        let (FoundSplit::InLevels(left), TrainColumn::Nominal { levels, .. }) =
            (&split.found, &training.table.columns[split.column])
        else {
            return Vec::new();
        };
        if largest(&self.sums) == 1 {
            return bits::listed(left.iter().copied(), *levels);
        }
        let right = self.known_runs().filter(|&(_, branch)| branch == 1).map(|(run, _)| level_at(run.start));
        let mut set = bits::listed(right, *levels);
        bits::complement(&mut set[1..], *levels);
        set
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
}

/// The branch with most rows, the last of equals. As in scikit-learn, rows are counted here, not their weights.
fn largest(sums: &[ClassSums]) -> usize {
    let sizes = sums.iter().map(ClassSums::n_rows).enumerate();
    sizes.max_by_key(|&(_, size)| size).map_or(0, |(branch, _)| branch)
}

/// Adds rows without a value to every child, in shares.
fn share_out(
    training: &Training<'_>,
    weights: Weights<'_>,
    sums: &mut [ClassSums],
    shares: &[f64],
    missing: &[Entry],
) {
    let mut unknown = ClassSums::zero(training.n_classes());
    weights.add(training, &mut unknown, missing);
    weights.settle(&mut unknown);
    for (child, &share) in sums.iter_mut().zip(shares).filter(|&(_, &share)| share > 0.0) {
        for class in 0..training.n_classes() {
            child.rows[class] += unknown.rows[class];
            child.mass[class] += unknown.mass[class] * share;
        }
    }
}

/// One child to be.
pub(crate) struct Share<R> {
    pub(crate) rows: R,
    pub(crate) sums: ClassSums,
}

/// A split that was carried out.
pub(crate) struct Division<R> {
    pub(crate) cut: Cut,
    /// Levels that go to the first child, as the tree keeps them; see [`SplitPlan::level_set`].
    pub(crate) set: Vec<u32>,
    /// Child that takes rows without a value.
    pub(crate) missing_child: usize,
    pub(crate) children: Vec<Share<R>>,
}

impl<R> Division<R> {
    /// As [`SplitPlan::guards`].
    pub(crate) fn guards<'s>(
        &self,
        guard: Guard<'s>,
        split: &Split,
        parent: &ClassSums,
    ) -> Option<Vec<Guard<'s>>> {
        guards(guard, split, parent, self.children.iter().map(|child| &child.sums))
    }

    /// The same with the rows of the children in another form.
    pub(crate) fn map<S>(self, form: impl Fn(R) -> S) -> Division<S> {
        let Self { cut, set, missing_child, children } = self;
        let child = |Share { rows, sums }: Share<R>| Share { rows: form(rows), sums };
        Division { cut, set, missing_child, children: children.into_iter().map(child).collect() }
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
    guard.children(split.column, split.found.is_by_size(), &masses)
}
