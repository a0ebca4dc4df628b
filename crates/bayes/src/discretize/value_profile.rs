//! Distinct values of a column, with the class weights below each value.
//!
//! A run is a range of values between two possible cut points. A full table would store the weights of all
//! classes below each run, so its size would be the product of runs and classes. The profile stores such a
//! row of weights only for every `n_classes / 2`-th run. For the runs between, it stores only the weights
//! that change. Its size is therefore proportional to the number of rows.

use imbcore_core::{Result, RunContext, memory, midpoint};

const RUNS: &str = "values of a column";

pub(super) const STRETCH: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutCandidateRule {
    All,
    /// Only positions at which the class changes (boundary points).
    ///
    /// They include a best cut point of each published criterion, and they are few if a class is rare.
    Borders,
}

/// Ascending values of a column, and the total row weight of each class below each of them.
///
/// Consecutive values without a possible cut point between them are merged into one run.
pub(super) struct ValueProfile {
    /// Smallest and largest value of each run.
    runs: Vec<(f64, f64)>,
    /// For every `interval`-th run of values, the class weights of all rows below it; row-major.
    below: Vec<f64>,
    interval: usize,
    /// Index in `changes` at which the entries of each run end; empty if `interval` is 1.
    ends: Vec<usize>,
    /// For each run and each class in it, the class and its weight up to and including the run.
    changes: Vec<(u32, f64)>,
    totals: Vec<f64>,
    n_classes: usize,
    /// Positions between two values at which a cut point may be optimal.
    ///
    /// One of the two values has rows of several classes, or the two values have different classes. Any other
    /// cut point separates rows of the same class and is never better than the best of these. Fayyad and Irani
    /// (1993) prove this for entropy; for CAIM and chi-squared, the terms are convex between such rows.
    pub(super) borders: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassOfValue {
    None,
    One(u32),
    Several,
}

impl ClassOfValue {
    fn combined_with_class(self, class: u32) -> Self {
        match self {
            Self::None => Self::One(class),
            Self::One(known) if known == class => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    /// No cut point is needed between two values whose rows all have the same class.
    fn starts_new_run(self, before: Self) -> bool {
        self == Self::Several || self != before
    }
}

fn class_weight_stride(n_classes: usize) -> usize {
    (n_classes / 2).max(1)
}

impl ValueProfile {
    /// Builds the profile; `sorted` has value, class and weight of each row, ascending by value.
    ///
    /// Classes without rows are dropped.
    pub(super) fn new(
        sorted: impl Iterator<Item = (f64, u32, f64)>,
        n_classes: usize,
        places: CutCandidateRule,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let interval = class_weight_stride(n_classes);
        let mut builder = ProfileBuilder {
            profile: Self {
                runs: Vec::new(),
                below: Vec::new(),
                interval,
                ends: Vec::new(),
                changes: Vec::new(),
                totals: Vec::new(),
                n_classes,
                borders: Vec::new(),
            },
            sums: vec![0.0; n_classes],
            places,
        };
        let (mut value, mut own, mut of) =
            (f64::NAN, ClassWeightsOfValue::new(n_classes), ClassOfValue::None);
        let mut before = ClassOfValue::None;
        for (at, (next, class, mass)) in sorted.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            if next != value {
                builder.add_value(value, (of, before), &mut own)?;
                before = of;
                (value, of) = (next, ClassOfValue::None);
            }
            own.add(class, mass);
            of = of.combined_with_class(class);
        }
        builder.add_value(value, (of, before), &mut own)?;
        Ok(builder.finish())
    }

    pub(super) fn n_runs(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    pub(super) fn total_weights(&self) -> &[f64] {
        &self.totals
    }

    pub(super) fn class_weights_below(&self, position: usize) -> ClassWeightCursor<'_> {
        let mut below = ClassWeightCursor { profile: self, position: 0, weights: vec![0.0; self.n_classes] };
        below.move_to(position);
        below
    }

    /// Possible cut points strictly between the runs of values with indices `start` and `end`.
    pub(super) fn cut_candidates_between(&self, start: usize, end: usize) -> &[u32] {
        let first = self.borders.partition_point(|&at| at as usize <= start);
        let last = self.borders.partition_point(|&at| (at as usize) < end);
        &self.borders[first..last.max(first)]
    }

    pub(super) fn cut_point(&self, position: usize) -> f64 {
        midpoint(self.runs[position - 1].1, self.runs[position].0)
    }
}

/// Cursor over runs of values, with the weight of each class below the current run.
///
/// A move to a larger position takes time proportional to the number of runs in between. Any move takes at
/// most the time to copy one stored row of weights and to read the changes of `n_classes / 2` runs.
pub(super) struct ClassWeightCursor<'p> {
    profile: &'p ValueProfile,
    position: usize,
    weights: Vec<f64>,
}

impl ClassWeightCursor<'_> {
    #[inline]
    pub(super) fn move_to(&mut self, position: usize) {
        let ValueProfile { below, interval, n_classes, .. } = self.profile;
        let stored = position / interval;
        let start = stored * interval;
        if position < self.position || self.position < start || *interval == 1 {
            self.weights.copy_from_slice(&below[stored * n_classes..][..*n_classes]);
            self.position = start;
        }
        if self.position < position {
            let end = |run: usize| if run == 0 { 0 } else { self.profile.ends[run - 1] };
            for &(class, weight) in &self.profile.changes[end(self.position)..end(position)] {
                self.weights[class as usize] = weight;
            }
            self.position = position;
        }
    }

    #[inline]
    pub(super) fn class_weights(&self) -> &[f64] {
        &self.weights
    }
}

struct ClassWeightsOfValue {
    weights: Vec<f64>,
    classes: Vec<u32>,
    is_listed: Vec<bool>,
}

impl ClassWeightsOfValue {
    fn new(n_classes: usize) -> Self {
        Self { weights: vec![0.0; n_classes], classes: Vec::new(), is_listed: vec![false; n_classes] }
    }

    fn add(&mut self, class: u32, weight: f64) {
        self.weights[class as usize] += weight;
        if !std::mem::replace(&mut self.is_listed[class as usize], true) {
            self.classes.push(class);
        }
    }
}

struct ProfileBuilder {
    profile: ValueProfile,
    sums: Vec<f64>,
    places: CutCandidateRule,
}

impl ProfileBuilder {
    fn add_value(
        &mut self,
        value: f64,
        (of, before): (ClassOfValue, ClassOfValue),
        own: &mut ClassWeightsOfValue,
    ) -> Result<()> {
        if of == ClassOfValue::None {
            return Ok(());
        }
        let Self { profile, sums, places } = self;
        let border = of.starts_new_run(before);
        let is_same_run = !border && *places == CutCandidateRule::Borders;
        if let Some(run) = profile.runs.last_mut().filter(|_| is_same_run) {
            run.1 = value;
            profile.ends.pop();
        } else {
            let at = profile.runs.len();
            if border && at > 0 {
                memory::push(&mut profile.borders, at as u32, RUNS)?;
            }
            if at.is_multiple_of(profile.interval) {
                memory::extend(&mut profile.below, sums, RUNS)?;
            }
            memory::push(&mut profile.runs, (value, value), RUNS)?;
        }
        for class in own.classes.drain(..) {
            let place = class as usize;
            own.is_listed[place] = false;
            sums[place] += std::mem::take(&mut own.weights[place]);
            if profile.interval > 1 {
                memory::push(&mut profile.changes, (class, sums[place]), RUNS)?;
            }
        }
        if profile.interval > 1 {
            memory::push(&mut profile.ends, profile.changes.len(), RUNS)?;
        }
        Ok(())
    }

    fn finish(self) -> ValueProfile {
        let Self { mut profile, sums, .. } = self;
        let n_classes = profile.n_classes;
        if profile.runs.len().is_multiple_of(profile.interval) {
            profile.below.extend(&sums);
        }
        let present: Vec<usize> = (0..n_classes).filter(|&class| sums[class] > 0.0).collect();
        profile.totals = present.iter().map(|&class| sums[class]).collect();
        if present.len() < n_classes {
            let rows = profile.below.chunks_exact(n_classes);
            profile.below = rows.flat_map(|row| present.iter().map(|&class| row[class])).collect();
            let mut places = vec![0; n_classes];
            for (place, &class) in present.iter().enumerate() {
                places[class] = place as u32;
            }
            let places = &places;
            let is_present = |class: u32| sums[class as usize] > 0.0;
            let mut kept = 0;
            let mut start = 0;
            for end in &mut profile.ends {
                for at in start..*end {
                    let (class, weight) = profile.changes[at];
                    if is_present(class) {
                        profile.changes[kept] = (places[class as usize], weight);
                        kept += 1;
                    }
                }
                start = *end;
                *end = kept;
            }
            profile.changes.truncate(kept);
            profile.n_classes = present.len();
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(places: CutCandidateRule) -> ValueProfile {
        let rows = [(1.0, 0), (2.0, 0), (3.0, 2), (3.0, 0), (4.0, 0), (5.0, 2), (6.0, 2)];
        ValueProfile::new(
            rows.into_iter().map(|(value, class)| (value, class, 1.0)),
            3,
            places,
            RunContext::silent(),
        )
        .unwrap()
    }

    #[test]
    fn borders_part_classes() {
        let profile = profile(CutCandidateRule::All);
        assert_eq!(profile.borders, [2, 3, 4]);
        assert_eq!((profile.n_runs(), profile.n_classes(), profile.total_weights()), (6, 2, &[4.0, 3.0][..]));
        assert_eq!(profile.class_weights_below(3).class_weights(), [3.0, 1.0]);
        assert_eq!(profile.cut_candidates_between(2, 4), [3]);
        assert_eq!(profile.cut_point(1), 1.5);
    }

    #[test]
    fn between_borders_values_are_one_run() {
        let (all, few) = (profile(CutCandidateRule::All), profile(CutCandidateRule::Borders));
        assert_eq!(
            (few.n_runs(), &few.borders[..], few.total_weights()),
            (4, &[1, 2, 3][..], all.total_weights())
        );
        for (&at, &place) in all.borders.iter().zip(&few.borders) {
            assert_eq!(
                all.class_weights_below(at as usize).class_weights(),
                few.class_weights_below(place as usize).class_weights()
            );
            assert_eq!(all.cut_point(at as usize), few.cut_point(place as usize));
        }
    }

    /// The size of a profile is proportional to the number of rows.
    #[test]
    fn profiles_of_many_classes_have_the_weights_of_a_full_table() {
        for (n_classes, places) in [2, 3, 4, 7, 40]
            .into_iter()
            .flat_map(|n| [(n, CutCandidateRule::All), (n, CutCandidateRule::Borders)])
        {
            let class = |row: u32| row * row % 31 % (n_classes as u32 - 1);
            let rows: Vec<(f64, u32, f64)> =
                (0..200).map(|row| (f64::from(row / 3), class(row), 0.1 + f64::from(row % 7))).collect();
            let profile =
                ValueProfile::new(rows.iter().copied(), n_classes, places, RunContext::silent()).unwrap();
            let present: Vec<u32> =
                (0..n_classes as u32).filter(|&class| rows.iter().any(|row| row.1 == class)).collect();
            let table = |end: f64| {
                let mut sums = vec![0.0; n_classes];
                for value in (0..67).map(f64::from).take_while(|&value| value < end) {
                    let mut own = vec![0.0; n_classes];
                    rows.iter().filter(|row| row.0 == value).for_each(|row| own[row.1 as usize] += row.2);
                    sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
                }
                present.iter().map(|&class| sums[class as usize]).collect::<Vec<f64>>()
            };
            let n = profile.n_runs();
            let start = |position: usize| profile.runs.get(position).map_or(f64::INFINITY, |run| run.0);
            let mut moved = profile.class_weights_below(0);
            for position in (0..=n).chain((0..=n).rev()).chain((0..=n).map(|at| at * 17 % (n + 1))) {
                moved.move_to(position);
                assert_eq!(moved.class_weights(), table(start(position)));
                assert_eq!(profile.class_weights_below(position).class_weights(), moved.class_weights());
            }
            assert_eq!(profile.total_weights(), table(f64::INFINITY));
            assert!(profile.below.len() + profile.changes.len() <= 3 * rows.len() + n_classes);
        }
    }

    #[test]
    fn nothing_has_an_empty_profile() {
        let none =
            ValueProfile::new(std::iter::empty(), 2, CutCandidateRule::All, RunContext::silent()).unwrap();
        assert_eq!((none.n_runs(), none.n_classes(), none.total_weights()), (0, 0, &[][..]));
    }
}
