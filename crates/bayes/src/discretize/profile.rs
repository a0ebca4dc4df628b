//! Distinct values of a column, with the class weights below each value.

use imbcore_core::{Result, RunContext, midpoint};

/// Number of items between two checks for cancellation.
pub(super) const STRETCH: usize = 1 << 16;

/// Positions of a column at which class weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutPositions {
    /// Below each distinct value.
    All,
    /// Only boundary points, at which the class changes.
    /// They include the optimum of each criterion, and are few if a class is rare.
    Borders,
}

/// Ascending runs of values, and class weights below each of them.
/// A run is one value, or with [`CutPositions::Borders`] all values between two boundary points.
pub(super) struct ValueProfile {
    /// Smallest and largest value of each run.
    runs: Vec<(f64, f64)>,
    /// Row-major: one row of class weights per run, and one for the end.
    below: Vec<f64>,
    n_classes: usize,
    /// Boundary points: positions where the class changes or a value has several classes.
    /// Other cut points split rows of one class and are never optimal: see Fayyad and Irani (1993) for entropy.
    /// The terms of CAIM and chi-squared are convex along such rows.
    pub(super) borders: Vec<u32>,
}

/// Classes of the rows with one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueClasses {
    None,
    One(u32),
    Several,
}

impl ValueClasses {
    fn and(self, class: u32) -> Self {
        match self {
            Self::None => Self::One(class),
            Self::One(known) if known == class => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    /// Whether a value with these classes starts a new run after a value with classes `before`.
    fn parts(self, before: Self) -> bool {
        self == Self::Several || self != before
    }
}

impl ValueProfile {
    /// Collects sorted rows given as value, class and weight; drops classes without rows.
    pub(super) fn new(
        sorted: impl Iterator<Item = (f64, u32, f64)>,
        n_classes: usize,
        places: CutPositions,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let mut profile = Self { runs: Vec::new(), below: Vec::new(), n_classes, borders: Vec::new() };
        let (mut value, mut own, mut of) = (f64::NAN, vec![0.0; n_classes], ValueClasses::None);
        let (mut sums, mut before) = (vec![0.0; n_classes], ValueClasses::None);
        for (at, (next, class, mass)) in sorted.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            if next != value {
                profile.put(value, (of, before), &sums, places);
                before = of;
                add(&mut sums, &mut own);
                (value, of) = (next, ValueClasses::None);
            }
            own[class as usize] += mass;
            of = of.and(class);
        }
        profile.put(value, (of, before), &sums, places);
        add(&mut sums, &mut own);
        profile.below.extend(&sums);
        Ok(profile.without_empty_classes(&sums))
    }

    /// Appends a value; `sums` are the class weights of all lower values.
    fn put(
        &mut self,
        value: f64,
        (of, before): (ValueClasses, ValueClasses),
        sums: &[f64],
        places: CutPositions,
    ) {
        if of == ValueClasses::None {
            return;
        }
        let border = of.parts(before);
        if let Some(run) = self.runs.last_mut().filter(|_| !border && places == CutPositions::Borders) {
            run.1 = value;
            return;
        }
        if border && !self.runs.is_empty() {
            self.borders.push(self.runs.len() as u32);
        }
        self.runs.push((value, value));
        self.below.extend(sums);
    }

    /// Returns the profile without the classes that have no rows.
    fn without_empty_classes(self, sums: &[f64]) -> Self {
        let present: Vec<usize> = (0..self.n_classes).filter(|&class| sums[class] > 0.0).collect();
        if present.len() == self.n_classes {
            return self;
        }
        let rows = self.below.chunks_exact(self.n_classes);
        let below = rows.flat_map(|row| present.iter().map(|&class| row[class])).collect();
        Self { below, n_classes: present.len(), ..self }
    }

    /// Number of runs.
    pub(super) fn n_values(&self) -> usize {
        self.runs.len()
    }

    /// Number of classes that occur.
    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Class weights below the run at a position.
    #[inline]
    pub(super) fn below(&self, position: usize) -> &[f64] {
        &self.below[position * self.n_classes..][..self.n_classes]
    }

    /// Class weights of all rows.
    pub(super) fn totals(&self) -> &[f64] {
        self.below(self.runs.len())
    }

    /// Boundary points strictly between two positions.
    pub(super) fn boundaries_within(&self, start: usize, end: usize) -> &[u32] {
        let first = self.borders.partition_point(|&at| at as usize <= start);
        let last = self.borders.partition_point(|&at| (at as usize) < end);
        &self.borders[first..last.max(first)]
    }

    /// Cut point between the run at a position and the previous run.
    pub(super) fn cut(&self, position: usize) -> f64 {
        midpoint(self.runs[position - 1].1, self.runs[position].0)
    }
}

/// Adds the class weights of a value to the sums, and clears them.
fn add(sums: &mut [f64], own: &mut [f64]) {
    for (sum, own) in sums.iter_mut().zip(own) {
        *sum += std::mem::take(own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(places: CutPositions) -> ValueProfile {
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
        let profile = profile(CutPositions::All);
        assert_eq!(profile.borders, [2, 3, 4]);
        assert_eq!((profile.n_values(), profile.n_classes(), profile.totals()), (6, 2, &[4.0, 3.0][..]));
        assert_eq!(profile.below(3), [3.0, 1.0]);
        assert_eq!(profile.boundaries_within(2, 4), [3]);
        assert_eq!(profile.cut(1), 1.5);
    }

    #[test]
    fn between_borders_values_are_one_run() {
        let (all, few) = (profile(CutPositions::All), profile(CutPositions::Borders));
        assert_eq!((few.n_values(), &few.borders[..], few.totals()), (4, &[1, 2, 3][..], all.totals()));
        for (&at, &place) in all.borders.iter().zip(&few.borders) {
            assert_eq!(all.below(at as usize), few.below(place as usize));
            assert_eq!(all.cut(at as usize), few.cut(place as usize));
        }
    }

    #[test]
    fn nothing_has_an_empty_profile() {
        let none = ValueProfile::new(std::iter::empty(), 2, CutPositions::All, RunContext::silent()).unwrap();
        assert_eq!((none.n_values(), none.n_classes(), none.totals()), (0, 0, &[][..]));
    }
}
