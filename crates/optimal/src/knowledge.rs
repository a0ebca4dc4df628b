//! What is proven at one price of errors, put to use at others.
//!
//! The least cost of some rows is a concave function of both prices, and grows in proportion with them. So bounds on the sides of a
//! cut at two prices bound them at every price between, and the costs being whole numbers, what is left of a unit is rounded
//! up. The hull has many neighbouring prices, and most cuts are ruled out at all of them.

use crate::line::{End, Line};
use crate::measure::{greater, lesser};
use multiversion::multiversion;
use std::borrow::Cow;
use std::ops::Range;

/// Cuts of the root for which bounds are kept: 4 MB a price.
const MOST_CUTS: usize = 1 << 18;

/// Bounds on both sides of every cut of a line.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// Bounds at one price on what the sides of every cut of the root cost with all that they cost whatever is answered.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) prices: (f64, f64),
    pub(crate) lines: Vec<Sides>,
    /// Number of the claim that it comes with; none where no claim is needed.
    pub(crate) claim: Option<usize>,
}

/// What a search at one price tells of the cuts of some rows. Most rows are looked at once, and then the bounds that follow for
/// all cuts are never asked for.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    /// Where nothing was known before.
    Ends(Ends),
    /// What was known before too.
    All(Knowledge),
}

/// The cuts that were looked at.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    prices: (f64, f64),
    /// Of every line, what [`Line`] calls `most` and `base`.
    sums: Vec<(Vec<f64>, Vec<f64>)>,
    looked: Vec<Vec<End>>,
    /// What the rows cost whatever is answered.
    base: f64,
}

/// Bounds on what they cost beyond that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hint {
    lines: Vec<Sides>,
    /// The claims that it comes from.
    pub(crate) between: Option<[Option<usize>; 2]>,
}

impl Sides {
    fn none(n_cuts: usize) -> Self {
        Self { left: vec![0.0; n_cuts], right: vec![0.0; n_cuts] }
    }

    /// What some cuts tell of the others: a larger side costs as much at least, a smaller one less by no more than its missing rows.
    /// What is known before was handed on before: a cut that learns nothing new has nothing to tell the next one. Where rows of both
    /// classes are joined it may have, a little; bounds that are not raised hold all the same.
    fn of(self, most: &[f64], ends: &[End]) -> Self {
        let n = most.len();
        let Self { mut left, mut right } = self;
        let cuts = || ends.iter().filter(|end| (1..=n).contains(&end.place)).map(|end| (end.place - 1, end));
        for (cut, end) in cuts() {
            left[cut] = left[cut].max(end.left);
            right[cut] = right[cut].max(end.right);
        }
        let step = |one: usize, other: usize| (most[other] - most[one]).abs();
        for (cut, _) in cuts() {
            hand_on(&mut left, (cut, cut + 1..n), |_, _| 0.0);
            hand_on(&mut right, (cut, cut + 1..n), step);
            hand_on(&mut left, (cut, (0..cut).rev()), step);
            hand_on(&mut right, (cut, (0..cut).rev()), |_, _| 0.0);
        }
        Self { left, right }
    }

    /// With what both sides cost whatever is answered: the rows before each cut, and all.
    fn with(mut self, base: &[f64], all: f64) -> Self {
        for (cut, first) in base.iter().enumerate() {
            self.left[cut] += first;
            self.right[cut] += all - first;
        }
        self
    }
}

impl Knowledge {
    /// Where one kind of error is free, nothing costs anything.
    fn of_axis<const K: usize>(prices: (f64, f64), lines: &[Line<'_, K>]) -> Self {
        let lines = lines.iter().map(|line| Sides::none(line.n_cuts())).collect();
        Self { prices, lines, claim: None }
    }

    /// What the cuts that were looked at tell of all; none where that takes too much memory at every price of a hull.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        lines: &[Line<'_, K>],
        looked: &[Vec<End>],
        hint: Hint,
        base: f64,
    ) -> Option<Self> {
        if lines.iter().map(Line::n_cuts).sum::<usize>() > MOST_CUTS {
            return None;
        }
        let of = |((line, ends), before): ((&Line<'_, K>, &Vec<End>), Sides)| {
            before.of(&line.most, ends).with(&line.base, base)
        };
        let before = hint.over(lines).lines;
        Some(Self { prices, lines: lines.iter().zip(looked).zip(before).map(of).collect(), claim: None })
    }
}

impl Seen {
    /// What a search tells whose lines are done with.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        lines: Vec<Line<'_, K>>,
        looked: Vec<Vec<End>>,
        hint: Hint,
        base: f64,
    ) -> Option<Self> {
        if !hint.lines.is_empty() {
            return Knowledge::new(prices, &lines, &looked, hint, base).map(Self::All);
        }
        let few = lines.iter().map(Line::n_cuts).sum::<usize>() <= MOST_CUTS;
        let sums = lines.into_iter().map(|line| (line.most, line.base));
        few.then(|| Self::Ends(Ends { prices, sums: sums.collect(), looked, base }))
    }

    fn prices(&self) -> (f64, f64) {
        match self {
            Self::Ends(ends) => ends.prices,
            Self::All(known) => known.prices,
        }
    }

    fn known(&self) -> Cow<'_, Knowledge> {
        match self {
            Self::Ends(ends) => Cow::Owned(ends.known()),
            Self::All(known) => Cow::Borrowed(known),
        }
    }

    /// Memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Ends(ends) => {
                let looked: usize = ends.looked.iter().map(|of| size_of::<End>() * of.capacity()).sum();
                looked + ends.sums.iter().map(|of| 16 * of.0.capacity()).sum::<usize>()
            }
            Self::All(known) => known.lines.iter().map(|of| 16 * of.left.len()).sum(),
        }
    }
}

impl Ends {
    fn known(&self) -> Knowledge {
        let lines = self.sums.iter().zip(&self.looked);
        let of = |((most, base), ends): (&(Vec<f64>, Vec<f64>), &Vec<End>)| {
            Sides::none(most.len()).of(most, ends).with(base, self.base)
        };
        Knowledge { prices: self.prices, lines: lines.map(of).collect(), claim: None }
    }
}

/// Raises the bounds of cuts one after the other, each to that of the one before less a step, until one is not below that.
fn hand_on(
    bounds: &mut [f64],
    (first, others): (usize, impl Iterator<Item = usize>),
    step: impl Fn(usize, usize) -> f64,
) {
    let mut last = first;
    for cut in others {
        let bound = bounds[last] - step(last, cut);
        if bounds[cut] >= bound {
            return;
        }
        bounds[cut] = bound;
        last = cut;
    }
}

/// Bounds of one side of every cut from what two prices tell of one between them: so many times the bounds at either, without what
/// the side costs whatever is answered.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn between(
    (one, other): (&[f64], &[f64]),
    times: (f64, f64),
    free: impl Fn(f64) -> f64,
    base: &[f64],
) -> Vec<f64> {
    let of = |((one, other), base): ((&f64, &f64), &f64)| {
        greater(whole(times.0 * one + times.1 * other - free(*base)), 0.0)
    };
    one.iter().zip(other).zip(base).map(of).collect()
}

/// The least whole number that a cost of at least this may be; roundings are far below what is taken off.
#[inline]
fn whole(least: f64) -> f64 {
    (least - 1e-7 * (1.0 + least.abs())).ceil()
}

/// What is at hand from the nearest prices on either side.
fn nearest<T>((a, b): (f64, f64), all: &[T], prices: impl Fn(&T) -> (f64, f64)) -> [Option<&T>; 2] {
    let ratio = |of: &&T| prices(of).0 / prices(of).1;
    let by_ratio = |one: &&T, other: &&T| ratio(one).total_cmp(&ratio(other));
    let below = all.iter().filter(|of| ratio(of) <= a / b).max_by(by_ratio);
    let above = all.iter().filter(|of| ratio(of) > a / b).min_by(by_ratio);
    [below, above]
}

impl Hint {
    /// What is known at a price from that at the nearest price on either side, which has taken in what was known before it.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        known: &[Knowledge],
        lines: &[Line<'_, K>],
        base: f64,
    ) -> Self {
        let [below, above] = nearest(prices, known, |of| of.prices);
        Self::between(prices, [below, above], lines, base)
    }

    /// The same of what was seen.
    pub(crate) fn of_seen<const K: usize>(
        prices: (f64, f64),
        seen: &[Seen],
        lines: &[Line<'_, K>],
        base: f64,
    ) -> Self {
        let known = nearest(prices, seen, Seen::prices).map(|seen| seen.map(Seen::known));
        Self::between(prices, known.each_ref().map(Option::as_deref), lines, base)
    }

    fn between<'k, const K: usize>(
        prices: (f64, f64),
        [below, above]: [Option<&'k Knowledge>; 2],
        lines: &[Line<'_, K>],
        base: f64,
    ) -> Self {
        if below.is_none() && above.is_none() {
            return Self::default();
        }
        let or_axis = |known: Option<&'k Knowledge>, axis| {
            known.map_or_else(|| Cow::Owned(Knowledge::of_axis(axis, lines)), Cow::Borrowed)
        };
        let (one, other) = (or_axis(below, (0.0, 1.0)), or_axis(above, (1.0, 0.0)));
        let (p, q) = (one.prices, other.prices);
        let determinant = p.0 * q.1 - q.0 * p.1;
        let first = (prices.0 * q.1 - q.0 * prices.1) / determinant;
        let second = (p.0 * prices.1 - prices.0 * p.1) / determinant;
        let times = (first, second);
        let of = |((line, one), other): ((&Line<'_, K>, &Sides), &Sides)| Sides {
            left: between((&one.left, &other.left), times, |of_first| of_first, &line.base),
            right: between((&one.right, &other.right), times, |of_first| base - of_first, &line.base),
        };
        let lines = lines.iter().zip(&one.lines).zip(&other.lines).map(of).collect();
        Self { lines, between: Some([one.claim, other.claim]) }
    }

    /// The same, with numbers for every cut.
    fn over<const K: usize>(self, lines: &[Line<'_, K>]) -> Self {
        if self.lines.len() == lines.len() {
            return self;
        }
        Self { lines: lines.iter().map(|line| Sides::none(line.n_cuts())).collect(), ..self }
    }

    /// What is known of a cut.
    pub(crate) fn at(&self, line: usize, cut: usize) -> [f64; 2] {
        self.lines.get(line).map_or([0.0; 2], |of| [of.left[cut], of.right[cut]])
    }

    /// Lines by the least bound of their cuts: a good tree that is found early rules out more of what comes later.
    pub(crate) fn promising_first(&self, mut lines: Vec<usize>) -> Vec<usize> {
        let cost = |of: &Sides| {
            of.left.iter().zip(&of.right).map(|(left, right)| left + right).fold(f64::INFINITY, lesser)
        };
        let least: Vec<f64> = self.lines.iter().map(cost).collect();
        if !least.is_empty() {
            lines.sort_by(|&a, &b| least[a].total_cmp(&least[b]).then(a.cmp(&b)));
        }
        lines
    }

    /// The same cuts without those at the two ends that cannot cost less than `limit`, and a bound on these.
    pub(crate) fn trim(
        &self,
        line: usize,
        cuts: Range<usize>,
        (before, behind): (End, End),
        limit: f64,
    ) -> (Range<usize>, f64) {
        let mut bound = f64::INFINITY;
        if self.lines.is_empty() {
            return (cuts, bound);
        }
        let least = |cut: usize| {
            let [left, right] = self.at(line, cut);
            left.max(before.left) + right.max(behind.right)
        };
        let (mut first, mut last) = (cuts.start, cuts.end);
        while first < last && least(first) >= limit {
            bound = bound.min(least(first));
            first += 1;
        }
        while first < last && least(last - 1) >= limit {
            bound = bound.min(least(last - 1));
            last -= 1;
        }
        (first..last, bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::{SeedKey, below};

    /// The same cut by cut, forwards and backwards.
    fn plainly(most: &[f64], ends: &[End]) -> Sides {
        let Sides { mut left, mut right } = Sides::none(most.len());
        for end in ends {
            left[end.place - 1] = left[end.place - 1].max(end.left);
            right[end.place - 1] = right[end.place - 1].max(end.right);
        }
        for cut in 1..most.len() {
            left[cut] = left[cut].max(left[cut - 1]);
            right[cut] = right[cut].max(right[cut - 1] - (most[cut] - most[cut - 1]));
        }
        for cut in (1..most.len()).rev() {
            left[cut - 1] = left[cut - 1].max(left[cut] - (most[cut] - most[cut - 1]));
            right[cut - 1] = right[cut - 1].max(right[cut]);
        }
        Sides { left, right }
    }

    #[test]
    fn bounds_are_handed_on_as_cut_by_cut() {
        let rng = &mut SeedKey::root(3).rng();
        for _ in 0..2_000 {
            let n = 1 + below(rng, 12);
            let mut sum = 0.0;
            let mut most = Vec::new();
            for _ in 0..n {
                sum += f64::from(below(rng, 5));
                most.push(sum);
            }
            let mut end = |_| {
                let [left, right] = [20, 20].map(|most| f64::from(below(rng, most)));
                End { place: 1 + below(rng, n) as usize, left, right }
            };
            let ends: Vec<End> = (0..4).map(&mut end).collect();
            // What two looks tell, one after the other, is what both tell at once.
            let known = Sides::none(most.len()).of(&most, &ends[..2]).of(&most, &ends[2..]);
            let plain = plainly(&most, &ends);
            assert_eq!((known.left, known.right), (plain.left, plain.right), "{most:?} {ends:?}");
        }
    }

    #[test]
    fn what_two_prices_tell_is_rounded_up_and_is_no_less_than_nothing() {
        // What no tree reaches at a price tells nothing of others.
        let one = [2.0, 2.0, f64::INFINITY];
        assert_eq!(between((&one, &[3.0; 3]), (0.5, 0.5), |base| base, &[0.0; 3]), [3.0, 3.0, 0.0]);
        let bounds = between((&[8.0; 3], &[8.0; 3]), (0.5, 0.5), |base| 6.0 - base, &[4.0, -9.0, 2.5]);
        assert_eq!(bounds, [6.0, 0.0, 5.0]);
    }

    #[test]
    fn lines_come_by_their_least_bound_and_as_they_are_where_nothing_is_known() {
        assert_eq!(Hint::default().promising_first(vec![2, 0, 1]), [2, 0, 1]);
        let of = |left: f64| Sides { left: vec![left, 9.0], right: vec![1.0, 9.0] };
        let hint = Hint { lines: vec![of(5.0), of(0.0), of(5.0), of(2.0)], between: None };
        assert_eq!(hint.promising_first(vec![0, 2, 3]), [3, 0, 2]);
        let none = Sides { left: Vec::new(), right: Vec::new() };
        let hint = Hint { lines: vec![none, of(0.0)], between: None };
        assert_eq!(hint.promising_first(vec![0, 1]), [1, 0]);
    }
}
