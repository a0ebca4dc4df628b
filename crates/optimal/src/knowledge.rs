//! What is proven at one price of errors, put to use at others.
//!
//! The least cost of some rows is a concave function of both prices, and grows in proportion with them. So bounds on the sides of a
//! cut at two prices bound them at every price between, and the costs being whole numbers, what is left of a unit is rounded
//! up. The hull has many neighbouring prices, and most cuts are ruled out at all of them.

use crate::line::{End, Line};
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

/// Bounds on what they cost beyond that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hint {
    lines: Vec<Sides>,
    /// The claims that it comes from.
    pub(crate) between: Option<[Option<usize>; 2]>,
}

impl Sides {
    /// What some cuts tell of the others: a larger side costs as much at least, a smaller one less by no more than its missing rows.
    fn of<const K: usize>(self, line: &Line<'_, K>, ends: &[End]) -> Self {
        let n = line.n_cuts();
        let Self { mut left, mut right } = self;
        for end in ends.iter().filter(|end| (1..=n).contains(&end.place)) {
            let cut = end.place - 1;
            left[cut] = left[cut].max(end.left);
            right[cut] = right[cut].max(end.right);
        }
        for cut in 1..n {
            let step = line.most[cut] - line.most[cut - 1];
            left[cut] = left[cut].max(left[cut - 1]);
            right[cut] = right[cut].max(right[cut - 1] - step);
        }
        for cut in (1..n).rev() {
            let step = line.most[cut] - line.most[cut - 1];
            left[cut - 1] = left[cut - 1].max(left[cut] - step);
            right[cut - 1] = right[cut - 1].max(right[cut]);
        }
        Self { left, right }
    }
}

impl Knowledge {
    /// Where one kind of error is free, nothing costs anything.
    fn of_axis<const K: usize>(prices: (f64, f64), lines: &[Line<'_, K>]) -> Self {
        let none = |line: &Line<'_, K>| vec![0.0; line.n_cuts()];
        let sides = |line: &Line<'_, K>| Sides { left: none(line), right: none(line) };
        Self { prices, lines: lines.iter().map(sides).collect(), claim: None }
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
            let mut sides = before.of(line, ends);
            for (cut, first) in line.base.iter().enumerate() {
                sides.left[cut] += first;
                sides.right[cut] += base - first;
            }
            sides
        };
        let before = hint.over(lines).lines;
        Some(Self { prices, lines: lines.iter().zip(looked).zip(before).map(of).collect(), claim: None })
    }
}

/// The least whole number that a cost of at least this may be; roundings are far below what is taken off.
fn whole(least: f64) -> f64 {
    (least - 1e-7 * (1.0 + least.abs())).ceil()
}

impl Hint {
    /// What is known at a price from that at the nearest price on either side, which has taken in what was known before it.
    pub(crate) fn new<const K: usize>(
        prices: (f64, f64),
        known: &[Knowledge],
        lines: &[Line<'_, K>],
        base: f64,
    ) -> Self {
        let ratio = |of: &&Knowledge| of.prices.0 / of.prices.1;
        let mine = prices.0 / prices.1;
        let by_ratio = |a: &&Knowledge, b: &&Knowledge| ratio(a).total_cmp(&ratio(b));
        let below = known.iter().filter(|of| ratio(of) <= mine).max_by(by_ratio);
        let above = known.iter().filter(|of| ratio(of) > mine).min_by(by_ratio);
        if below.is_none() && above.is_none() {
            return Self::default();
        }
        let axes = [(0.0, 1.0), (1.0, 0.0)].map(|prices| Knowledge::of_axis(prices, lines));
        let (one, other) = (below.unwrap_or(&axes[0]), above.unwrap_or(&axes[1]));
        let mut hint = Self::default().over(lines);
        hint.between = Some([one.claim, other.claim]);
        hint.take(prices, (one, other), lines, base);
        hint
    }

    /// The same, with numbers for every cut.
    fn over<const K: usize>(self, lines: &[Line<'_, K>]) -> Self {
        if self.lines.len() == lines.len() {
            return self;
        }
        let none = |line: &Line<'_, K>| vec![0.0; line.n_cuts()];
        let sides = |line: &Line<'_, K>| Sides { left: none(line), right: none(line) };
        Self { lines: lines.iter().map(sides).collect(), ..self }
    }

    /// Takes in what two prices tell of one between them.
    fn take<const K: usize>(
        &mut self,
        prices: (f64, f64),
        (one, other): (&Knowledge, &Knowledge),
        lines: &[Line<'_, K>],
        base: f64,
    ) {
        let (p, q) = (one.prices, other.prices);
        let determinant = p.0 * q.1 - q.0 * p.1;
        let first = (prices.0 * q.1 - q.0 * prices.1) / determinant;
        let second = (p.0 * prices.1 - prices.0 * p.1) / determinant;
        for (place, line) in lines.iter().enumerate() {
            let (one, other, mine) = (&one.lines[place], &other.lines[place], &mut self.lines[place]);
            for (cut, of_first) in line.base.iter().enumerate() {
                let left = first * one.left[cut] + second * other.left[cut] - of_first;
                let right = first * one.right[cut] + second * other.right[cut] - (base - of_first);
                mine.left[cut] = mine.left[cut].max(whole(left));
                mine.right[cut] = mine.right[cut].max(whole(right));
            }
        }
    }

    /// What is known of a cut.
    pub(crate) fn at(&self, line: usize, cut: usize) -> [f64; 2] {
        self.lines.get(line).map_or([0.0; 2], |of| [of.left[cut], of.right[cut]])
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
