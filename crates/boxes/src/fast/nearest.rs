//! The row next to a bound: for many bounds at once, in one pass and without sorting the rows.

use crate::blocks::{Part, map_rows};
use crate::space::{Axis, Space, add_level};
use imbcore_base::{Frame, MISSING, Result, RunCtl};

/// Values of one numeric feature that are asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    /// Sought: the largest value strictly below each; minus infinity where there is none.
    pub(crate) below: Vec<f64>,
    /// Sought: the smallest value strictly above each; infinity where there is none.
    pub(crate) above: Vec<f64>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// Answers feature by feature, in the order of the questions.
    pub(crate) next: Vec<Asked>,
    /// Levels of the nominal features that some row has, in words as in a box.
    pub(crate) levels: Vec<u32>,
}

/// Finds the next values among the rows that `counts` names.
///
/// # Errors
/// [`imbcore_base::Error::Cancelled`].
pub(crate) fn nearest(
    frame: &Frame<'_>,
    asked: &[Asked],
    counts: &(dyn Fn(usize) -> bool + Sync),
    ctl: RunCtl<'_>,
) -> Result<Found> {
    let space = Space::of(frame);
    let ladders: Vec<Ladder> = asked.iter().map(Ladder::new).collect();
    let fresh = || {
        let rungs = ladders.iter().map(Ladder::rungs).collect::<Vec<_>>();
        (rungs, vec![0_u32; space.n_words()])
    };
    let parts = map_rows(frame, ctl, fresh, |(rungs, levels): &mut (Vec<Rungs>, Vec<u32>), rows, parts| {
        let counting: Vec<usize> = (0..rows.len()).filter(|place| counts(rows.start + place)).collect();
        for (feature, part) in parts.iter().enumerate() {
            match part {
                Part::Numbers(values) => {
                    let values = counting.iter().map(|&place| values[place]);
                    ladders[feature].climb(values, &mut rungs[feature]);
                }
                Part::Codes(codes) => {
                    let set = &mut levels[space.words(feature)];
                    for code in counting.iter().map(|&place| codes[place]).filter(|&code| code != MISSING) {
                        add_level(set, code);
                    }
                }
            }
        }
        Ok(())
    })?;
    let (mut rungs, mut levels) = fresh();
    for (part_rungs, part_levels) in parts {
        levels.iter_mut().zip(part_levels).for_each(|(word, part)| *word |= part);
        rungs.iter_mut().zip(part_rungs).for_each(|(rungs, part)| rungs.join(&part));
    }
    let next =
        ladders.iter().zip(rungs).zip(asked).map(|((ladder, rungs), asked)| ladder.answer(rungs, asked));
    debug_assert!(
        space.axes().iter().zip(asked).all(|(axis, asked)| *axis == Axis::Numeric || asked.below.is_empty())
    );
    Ok(Found { next: next.collect(), levels })
}

/// All finite values asked about, ascending and distinct: the line of numbers falls into the gaps between them.
///
/// A value is looked up by its cell among many of equal width between the outermost steps: a step in a lower cell is
/// smaller, whatever the rounding, and few share a cell.
struct Ladder {
    steps: Vec<f64>,
    per_cell: f64,
    /// Steps below each cell.
    first: Vec<u32>,
}

/// Cells of a ladder for every step.
const CELLS: usize = 4;

/// Per gap the largest and the smallest value in it; a value equal to a step is in the gap above for `least` (which looks
/// up) and in the gap below for `most`... so that a step never answers itself.
#[derive(Clone, Debug)]
struct Rungs {
    most: Vec<f64>,
    least: Vec<f64>,
}

impl Rungs {
    fn join(&mut self, other: &Self) {
        self.most.iter_mut().zip(&other.most).for_each(|(a, &b)| *a = a.max(b));
        self.least.iter_mut().zip(&other.least).for_each(|(a, &b)| *a = a.min(b));
    }
}

impl Ladder {
    fn new(asked: &Asked) -> Self {
        let mut steps: Vec<f64> =
            asked.below.iter().chain(&asked.above).copied().filter(|step| step.is_finite()).collect();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        let n_cells = steps.len() * CELLS;
        let width = match steps[..] {
            [low, .., high] => high - low,
            _ => 0.0,
        };
        let per_cell = n_cells as f64 / width;
        // Steps too near to or too far from each other for this all share one cell.
        let per_cell = if per_cell.is_normal() { per_cell } else { 0.0 };
        let mut ladder = Self { steps, per_cell, first: Vec::new() };
        let cells: Vec<usize> = ladder.steps.iter().map(|&step| ladder.cell(step)).collect();
        ladder.first = (0..=n_cells).map(|cell| cells.partition_point(|&own| own < cell) as u32).collect();
        ladder
    }

    /// Cell of a value; what lies outside is in the first or the last.
    #[allow(clippy::cast_sign_loss)] // The cast takes what is negative to 0.
    fn cell(&self, x: f64) -> usize {
        let place = ((x - self.steps[0]) * self.per_cell) as i32;
        (place.max(0) as usize).min(self.steps.len() * CELLS)
    }

    fn rungs(&self) -> Rungs {
        let n = self.steps.len() + 1;
        Rungs { most: vec![f64::NEG_INFINITY; n], least: vec![f64::INFINITY; n] }
    }

    fn climb(&self, values: impl Iterator<Item = f64>, rungs: &mut Rungs) {
        if self.steps.is_empty() {
            return;
        }
        for x in values.filter(|x| !x.is_nan()) {
            // Steps below x, and steps not above it: they differ only where x is a step itself.
            let mut under = self.first[self.cell(x)] as usize;
            while self.steps.get(under).is_some_and(|&step| step < x) {
                under += 1;
            }
            let up_to = under + usize::from(self.steps.get(under) == Some(&x));
            // x lies strictly above the first `under` steps, and strictly below all from `up_to` on.
            // Hardly ever true after the first rows, so that jumps are foreseen and nothing waits for a store.
            if x < rungs.least[under] {
                rungs.least[under] = x;
            }
            if x > rungs.most[up_to] {
                rungs.most[up_to] = x;
            }
        }
    }

    fn answer(&self, mut rungs: Rungs, asked: &Asked) -> Asked {
        for gap in 1..rungs.most.len() {
            rungs.most[gap] = rungs.most[gap].max(rungs.most[gap - 1]);
        }
        for gap in (1..rungs.least.len()).rev() {
            rungs.least[gap - 1] = rungs.least[gap - 1].min(rungs.least[gap]);
        }
        let place = |at: f64| self.steps.partition_point(|&step| step < at);
        let below = |&at: &f64| if at.is_finite() { rungs.most[place(at)] } else { f64::NEG_INFINITY };
        let above = |&at: &f64| if at.is_finite() { rungs.least[place(at) + 1] } else { f64::INFINITY };
        Asked {
            below: asked.below.iter().map(below).collect(),
            above: asked.above.iter().map(above).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_base::Column;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_next_values_are_those_of_a_search(
            values in prop::collection::vec(-6_i8..6, 1..60),
            below in prop::collection::vec(-7_i8..7, 0..9),
            above in prop::collection::vec(-7_i8..7, 0..9),
        ) {
            let floats = |values: &[i8]| values.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
            let (x, below, above) = (floats(&values), floats(&below), floats(&above));
            let frame = Frame::new(vec![Column::numeric(&x)]).unwrap();
            let asked = [Asked { below: below.clone(), above: above.clone() }];
            let even = |row: usize| row.is_multiple_of(2);
            let found = nearest(&frame, &asked, &even, RunCtl::silent()).unwrap();
            let rows = || x.iter().step_by(2).copied();
            for (at, found) in below.iter().zip(&found.next[0].below) {
                prop_assert_eq!(*found, rows().filter(|x| x < at).fold(f64::NEG_INFINITY, f64::max));
            }
            for (at, found) in above.iter().zip(&found.next[0].above) {
                prop_assert_eq!(*found, rows().filter(|x| x > at).fold(f64::INFINITY, f64::min));
            }
        }
    }
}
